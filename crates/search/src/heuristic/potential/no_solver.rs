//! Stands in for the solver of linear programs in a build without one: it gets nowhere.

use super::program::Rows;
use crate::options::Control;

/// Where a sum is greatest, about.
pub(super) struct Maximum {
    /// What each variable is there.
    pub(super) values: Vec<f64>,
    /// Whether the solver vouches for it; else it is how far the solver got.
    pub(super) is_reached: bool,
}

/// Gets nowhere.
pub(super) const fn maximize(_: &Rows, _: &dyn Control) -> Option<Maximum> {
    None
}
