//! Seeded random problems, and streams to lay over problems.
//!
//! [`robotouille`] draws environments of Robotouille, [`orders`] what is ordered in a kitchen of
//! CuisineWorld, [`deal`] deals cards, or any objects to others. Nothing here says whether what is drawn can be
//! solved: [`judge()`] asks a search.

pub mod deal;
mod judge;
pub mod orders;
pub mod robotouille;

pub use judge::{NoRange, Range, Unjudged, Verdict, judge};
