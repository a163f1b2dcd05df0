//! Seeded random problems, and streams to lay over problems.
//!
//! [`robotouille`] draws environments of Robotouille, [`orders`] what is ordered in a kitchen of CuisineWorld,
//! [`cookmas`] an evening in its restaurant, [`deal`] deals cards, or any objects to others. A search decides by
//! [`judge()`], and a cook by [`cookmas::serve`], if the result can be solved.

pub mod cookmas;
pub mod deal;
mod judge;
pub mod orders;
pub mod robotouille;

pub use judge::{NoRange, Range, Unjudged, Verdict, judge};
