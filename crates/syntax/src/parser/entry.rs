//! The entries of typed lists.

/// The kind of the entries of a typed list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    /// `?x`.
    Variable,
    /// Types, constants, objects.
    Name,
}
