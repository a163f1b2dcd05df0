//! Two neighbours of a class of interchangeable objects that change places.

use brigade_task::layout::Field;

/// Where a variable's new value comes from when two objects change places.
#[derive(Clone, Copy)]
pub(super) struct Move {
    /// The variable.
    pub(super) to: Field,
    /// The one whose value it takes.
    pub(super) from: Field,
    /// The place, among all, of what its first value becomes.
    pub(super) values: u32,
}

/// Two neighbours of a class that change places.
#[derive(Clone)]
pub(super) struct Exchange {
    /// Their places among all members of classes.
    pub(super) members: (usize, usize),
    /// In order of the variables.
    pub(super) moves: Vec<Move>,
    /// Those that tell whether a state becomes less: of two that change values, the first.
    pub(super) compared: Vec<Move>,
}
