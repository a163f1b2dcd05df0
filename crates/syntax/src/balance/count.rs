//! Counts the missing parentheses, before their places are sought.

use super::words::{line_end, span, string_end};
use brigade_diagnostics::{Code, Diagnostic, Diagnostics, SourceId};

/// The surplus of parentheses of one kind over the other.
pub(super) struct Counted {
    /// Closing ones.
    pub(super) excess: usize,
    /// Opening ones.
    pub(super) deficit: usize,
}

/// Counts parentheses. Strings without a closing quote end on their line; they are reported and
/// answered with `None`.
pub(super) fn count(
    source: SourceId,
    text: &str,
    diagnostics: &mut Diagnostics,
) -> Option<Counted> {
    let bytes = text.as_bytes();
    let (mut opening, mut closing) = (0_usize, 0_usize);
    let mut terminated = true;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b';' => {
                at = line_end(bytes, at);
                continue;
            }
            b'"' => {
                at = string_end(bytes, at).unwrap_or_else(|end| {
                    terminated = false;
                    let stop = at + text[at..end].trim_end().len();
                    diagnostics.push(
                        Diagnostic::new(Code::UnterminatedString, "this text is never closed")
                            .primary(source, span(at, stop), "no closing `\"` on this line")
                            .help("close it with `\"`; a line break in a text is written `\\n`"),
                    );
                    end
                });
                continue;
            }
            b'(' => opening += 1,
            b')' => closing += 1,
            _ => {}
        }
        at += 1;
    }
    terminated.then(|| Counted {
        excess: closing.saturating_sub(opening),
        deficit: opening.saturating_sub(closing),
    })
}
