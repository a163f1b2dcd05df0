//! Facts in the order of the words in which they stand.

use brigade_task::Fact;
use brigade_task::layout::Variable;

/// Facts of a conjunction by the words in which they stand: those of one word are looked at together.
pub(super) fn by_word<'f>(
    variables: &[Variable],
    facts: &'f [Fact],
) -> impl DoubleEndedIterator<Item = &'f [Fact]> {
    let word = |fact: &Fact| variables[fact.variable.index()].word;
    facts.chunk_by(move |left, right| word(left) == word(right))
}
