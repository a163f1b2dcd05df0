//! Brackets, plain words and texts, which are most of a file: read without asking the grammar, as it would.

use std::ops::Range;

use super::{Builder, Node, Tree, sound_word};
use crate::balance::words::{string_end, word_end};
use brigade_diagnostics::span::Span;

/// A text that is one sound word and nothing else. `offset` is where it stands in the source.
pub(crate) fn word(text: &str, offset: u32) -> Option<Tree<'_>> {
    let span = Span::new(offset, offset + text.len() as u32);
    sound_word(text).map(|node| Tree { node, span })
}

impl<'s> Builder<'s, '_> {
    /// Reads brackets, sound words and texts from the start of a range of the text, where no token is cut: up
    /// to anything else, or beyond the end of the range. Gives where it stopped.
    pub(super) fn plain(&mut self, text: &'s str, range: Range<usize>, offset: u32) -> usize {
        let bytes = text.as_bytes();
        let mut at = range.start;
        while at < range.end {
            let here = offset + at as u32;
            match bytes[at] {
                b' ' | b'\n' | b'\t' | 0x0C | b'\r' => {}
                b'(' => self.open(Span::new(here, here + 1)),
                b')' => self.close(here + 1),
                b'"' => {
                    let Ok(end) = string_end(bytes, at) else {
                        return at;
                    };
                    let inner = &text[at + 1..end - 1];
                    self.take(Node::Text(inner), Span::new(here, offset + end as u32));
                    at = end;
                    continue;
                }
                _ => {
                    let end = word_end(bytes, at);
                    let Some(node) = text.get(at..end).and_then(sound_word) else {
                        return at;
                    };
                    self.take(node, Span::new(here, offset + end as u32));
                    at = end;
                    continue;
                }
            }
            at += 1;
        }
        at
    }

    /// Adds a token that is no list.
    pub(super) fn take(&mut self, node: Node<'s>, span: Span) {
        self.read += 1;
        if self.too_deep == 0 {
            self.trees.push(Tree { node, span });
        }
    }
}
