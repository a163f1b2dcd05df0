//! CuisineWorld: its levels as its published facts say them, and its recordings state by state.

mod evaluation;
mod golden;
mod kitchen;
mod levels;
mod pace;
mod published;
mod transcript;
