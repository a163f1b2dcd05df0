//! Notes of each `do`, for the check of its place once all schemas are known.

use super::report::Place;

/// Where a primitive is performed.
pub(super) struct Performed {
    /// The `do`.
    pub(super) place: Place,
    /// Index of the primitive.
    pub(super) action: usize,
    /// In the body of a `maintain`, but not delayed there.
    pub(super) maintained: bool,
    /// By an event.
    pub(super) by_event: bool,
}
