//! Overcooked-AI: what the published engine was recorded to do, state by state with the rewards of each
//! player, the gates as measured, and the importer on every published layout.

mod episode;
mod fixtures;
mod gates;
mod kitchen;
mod layouts;
mod recorded;
mod rewards;
mod semantics;
