//! Collab-Overcooked: what the published engine was recorded to do, and its rules one by one.

#![expect(clippy::unwrap_used, reason = "the helpers are tests too")]

mod counters;
mod fixtures;
mod kitchen;
mod longer;
mod optima;
mod playback;
mod recorded;
mod utensils;
