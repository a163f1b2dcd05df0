//! Finds the places where lists were to be closed by the indentation.
//!
//! The parts of a list on later lines are indented further than the list; other text stands beside it, or beside the
//! lists around it. Nobody need indent so: it is believed only where the parentheses that are missing by it are just
//! those that are missing.

use super::words::{
    begins_field, begins_section, first_within, is_text, line_end, string_end, word_end,
};

/// A word or list that begins a line, and by its place stands outside of lists that are open there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outdent {
    /// The offset at which it begins.
    pub(super) at: u32,
    /// The number of lists that it stands in.
    pub(super) depth: usize,
}

/// Lists of the definition and its sections are not looked at: many do not indent what is in those.
const OUTER: usize = 2;

/// Returns the outdents of a text that has `deficit` closing parentheses too few.
pub(super) fn outdents(text: &str, deficit: usize) -> Vec<Outdent> {
    if deficit == 0 {
        return Vec::new();
    }
    // Beside a list may mean beside its parenthesis, or beside the line that holds it.
    [true, false]
        .into_iter()
        .find_map(|by_column| explained(text, by_column, deficit))
        .unwrap_or_default()
}

/// An open list: the offset of its line, and how far left things beside it begin.
struct Open {
    line: usize,
    edge: usize,
}

fn explained(text: &str, by_column: bool, deficit: usize) -> Option<Vec<Outdent>> {
    let bytes = text.as_bytes();
    let mut open: Vec<Open> = Vec::new();
    let mut found = Vec::new();
    let mut closed = 0;
    let (mut at, mut line, mut indent, mut leading) = (0, 0, 0, true);
    while at < bytes.len() {
        let byte = bytes[at];
        let next = match byte {
            b'\n' => {
                (line, leading) = (at + 1, true);
                at += 1;
                continue;
            }
            _ if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b';' => line_end(bytes, at),
            b'"' => string_end(bytes, at).unwrap_or_else(|end| end),
            b'(' | b')' => at + 1,
            _ => word_end(bytes, at),
        };
        let column = at - line;
        let leads = leading;
        if leading && byte != b';' {
            leading = false;
            indent = column;
            if byte != b')' {
                let is_beside = |open: &Open| open.line != line && column <= open.edge;
                let inner = open.iter().skip(OUTER);
                let beside = inner.rev().take_while(|open| is_beside(open)).count();
                if beside > 0 {
                    closed += beside;
                    open.truncate(open.len() - beside);
                    found.push(Outdent {
                        at: at as u32,
                        depth: open.len(),
                    });
                }
            }
        }
        // Sections stand in the definition, and keywords in sections.
        let is_section = byte == b'(' && begins_section(bytes, first_within(bytes, at));
        if is_section && open.len() != OUTER - 1 {
            return None;
        }
        // A `:text` may also be that of a declaration.
        let depth = open.len() - usize::from(is_text(bytes, at) && open.len() > OUTER);
        if leads && begins_field(bytes, at) && depth != OUTER {
            return None;
        }
        match byte {
            b'(' => {
                let edge = if by_column { column } else { indent };
                open.push(Open { line, edge });
            }
            b')' => {
                open.pop()?;
            }
            _ => {}
        }
        at = next;
    }
    (closed == deficit && open.is_empty()).then_some(found)
}
