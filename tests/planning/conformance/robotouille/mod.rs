//! Robotouille: the published files through the front end, and what the published engine was recorded
//! to do.

mod bundled;
mod environments;
mod export;
mod goals;
mod kitchen;
mod observations;
mod optima;
mod traces;
