//! The entries of typed lists.

/// What the entries of a typed list are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    /// `?x`.
    Variable,
    /// Types, constants, objects.
    Name,
}
