//! Finds the declarations and the uses of names: the questions of an editor about a place in a file.
//!
//! An [`Index`] answers the requests of the Language Server Protocol that are about names: what is
//! under the cursor (hover), where it is declared, where else it is used, what a file declares
//! (document symbols), and which names can stand at a place (completion). It is made of what could be
//! read, needs no sound types, and reports nothing: a file that is being typed is mostly wrong.
//!
//! Places are a source and a byte span in it, as everywhere.

mod declaration;
mod walk;

use std::ops::Range;

use crate::ast::{Domain, Problem, Stream};
use brigade_diagnostics::SourceId;
use brigade_diagnostics::span::Span;
pub use declaration::{Declaration, Place, SymbolKind};

/// The names of a domain and, where there are any, of a problem of it and of streams.
#[derive(Clone, Debug, Default)]
pub struct Index {
    declarations: Vec<Declaration>,
    /// Places of names with the number of their declaration, that of the declaration included, by place.
    uses: Vec<(Place, usize)>,
}

impl Index {
    /// Of a domain alone, or of a problem and its domain.
    pub fn new(domain: (SourceId, &Domain), problem: Option<(SourceId, &Problem)>) -> Self {
        Self::with_streams(domain, problem, &[])
    }

    /// Of a domain, a problem of it, and the streams that are laid over it.
    pub fn with_streams(
        domain: (SourceId, &Domain),
        problem: Option<(SourceId, &Problem)>,
        streams: &[(SourceId, &Stream)],
    ) -> Self {
        let (declarations, mut uses) = walk::walk(domain, problem, streams);
        uses.sort_unstable();
        Self { declarations, uses }
    }

    /// Returns the declaration of the name at a byte of a source, and the place of that name. `None` where no name
    /// stands, or one that nothing declares.
    pub fn at(&self, source: SourceId, offset: u32) -> Option<(&Declaration, Place)> {
        let from = Place {
            source,
            span: Span::new(offset, u32::MAX),
        };
        // The last name that begins at the byte or before it.
        let after = self.uses.partition_point(|(place, _)| *place <= from);
        let (place, declared) = self.uses[..after].last()?;
        let is_at = place.contains(source, offset);
        is_at.then(|| (&self.declarations[*declared], *place))
    }

    /// All places of the name that is at a byte of a source, that of its declaration among them, in
    /// order. Empty where no name stands.
    pub fn references(&self, source: SourceId, offset: u32) -> Vec<Place> {
        let Some((declared, _)) = self.at(source, offset) else {
            return Vec::new();
        };
        let is_same = |number: usize| std::ptr::eq(&raw const self.declarations[number], declared);
        let places = self.uses.iter().filter(|(_, number)| is_same(*number));
        places.map(|(place, _)| *place).collect()
    }

    /// Returns the declarations of a source, variables apart, in order.
    pub fn symbols(&self, source: SourceId) -> impl Iterator<Item = &Declaration> {
        let here =
            move |it: &&Declaration| it.place.source == source && it.kind != SymbolKind::Variable;
        self.declarations.iter().filter(here)
    }

    /// All names that can be used at a byte of a source: variables in whose scope it is, of several of
    /// one name the innermost, and all that is declared for good.
    pub fn visible(&self, source: SourceId, offset: u32) -> Vec<&Declaration> {
        let mut found: Vec<&Declaration> = Vec::new();
        // Inner scopes are declared after outer ones.
        for declared in self.declarations.iter().rev() {
            if declared.kind == SymbolKind::Variable {
                let is_hidden = |it: &&Declaration| {
                    it.kind == SymbolKind::Variable && it.name.eq_ignore_ascii_case(&declared.name)
                };
                if !declared.whole.contains(source, offset) || found.iter().any(is_hidden) {
                    continue;
                }
            }
            found.push(declared);
        }
        found.reverse();
        found
    }
}

/// The line of a byte, from 0, and how many UTF-16 units before it stand in that line: as the Language
/// Server Protocol counts. A byte behind the end of the text is taken for the end.
pub fn position(text: &str, offset: usize) -> (u32, u32) {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.bytes().filter(|byte| *byte == b'\n').count();
    (line as u32, before[start..].encode_utf16().count() as u32)
}

/// The byte of such a position, the inverse of [`position`]. A line or a column that there is not is
/// taken for the last.
pub fn offset(text: &str, (line, column): (u32, u32)) -> usize {
    let Range { start, end } = line_of(text, line as usize);
    let mut units = 0;
    for (at, c) in text[start..end].char_indices() {
        if units >= column as usize {
            return start + at;
        }
        units += c.len_utf16();
    }
    end
}

/// The bytes of a line, without its end.
fn line_of(text: &str, line: usize) -> Range<usize> {
    let mut start = 0;
    for _ in 0..line {
        match text[start..].find('\n') {
            Some(at) => start += at + 1,
            None => return text.len()..text.len(),
        }
    }
    let end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    start..end
}

#[cfg(test)]
mod tests;
