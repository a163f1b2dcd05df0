//! Two neighbours of a class of interchangeable objects that change places.

use brigade_task::layout::Field;

/// The move of a variable when two objects change places: the source of its new value.
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
    /// Those that decide whether a state becomes less: of two that change values, the first.
    pub(super) compared: Vec<Move>,
}
