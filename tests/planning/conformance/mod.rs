//! Published engines: what they were recorded to do, and the rules of Collab-Overcooked one by one.

mod capture;
mod counters;
mod cuisineworld;
mod escape;
mod fixtures;
mod game;
mod hanabi;
mod kitchen;
mod longer;
mod minecraft;
mod optima;
mod overcooked;
mod playback;
mod recorded;
mod robotouille;
mod utensils;
