//! Seeded random problems.
//!
//! [`robotouille`] draws environments of Robotouille. Nothing here says whether what is drawn can be
//! solved: [`judge`] asks a search.

mod judge;
pub mod robotouille;

pub use judge::{NoRange, Range, Unjudged, Verdict, judge};
