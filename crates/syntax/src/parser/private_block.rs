//! Blocks of private declarations among others: `(:private …)`.

use super::super::tree::Tree;

/// The keyword of a block.
const PRIVATE: &str = "private";

/// The items of a block of private declarations, without its keyword.
pub(super) fn private_items<'s>(tree: &Tree<'s>) -> Option<&'s [Tree<'s>]> {
    let (head, items) = tree.items()?.split_first()?;
    head.is_keyword(PRIVATE).then_some(items)
}
