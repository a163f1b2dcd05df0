//! The bytes of files as sources.

use super::code::Code;
use super::collector::Diagnostics;
use super::diagnostic::Diagnostic;
use super::source::{SourceId, Sources};
use super::span::Span;

/// The largest source that is read, in bytes. Spans are `u32`; the tree of a text takes about 25
/// times its size, so this limit is far below what offsets could address.
pub const MAX_SOURCE_BYTES: usize = 64 << 20;

impl Sources {
    /// Adds the bytes of a file. Bytes that cannot be read as text are reported and answered with
    /// `None`; the diagnostic can be rendered all the same.
    pub fn add_bytes(
        &mut self,
        name: impl Into<String>,
        bytes: Vec<u8>,
        diagnostics: &mut Diagnostics,
    ) -> Option<SourceId> {
        let name = name.into();
        if bytes.len() > MAX_SOURCE_BYTES {
            let message =
                format!("`{name}` has more than {MAX_SOURCE_BYTES} bytes, which is the limit");
            let id = self.add(name, String::new());
            diagnostics.push(
                Diagnostic::new(Code::SourceTooLarge, message)
                    .primary(id, Span::default(), "")
                    .help("split the problem, or generate less of it"),
            );
            return None;
        }
        match String::from_utf8(bytes) {
            Ok(text) => Some(self.add(name, text)),
            Err(error) => {
                let at = error.utf8_error().valid_up_to() as u32;
                let byte = error.as_bytes()[at as usize];
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                let span = Span::new(at, at + char::REPLACEMENT_CHARACTER.len_utf8() as u32);
                let id = self.add(name, text);
                diagnostics.push(
                    Diagnostic::new(Code::InvalidUtf8, "the file is not valid UTF-8")
                        .primary(id, span, format!("byte 0x{byte:02x} is not UTF-8"))
                        .help("save the file with the encoding UTF-8"),
                );
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_utf8_is_reported_where_it_stands() {
        let mut sources = Sources::new();
        let mut diagnostics = Diagnostics::new();
        assert!(
            sources
                .add_bytes("a.pddl", b"(a \xff)".to_vec(), &mut diagnostics)
                .is_none()
        );
        let diagnostic = diagnostics.iter().next().unwrap();
        assert_eq!(diagnostic.code, Code::InvalidUtf8);
        assert_eq!(diagnostic.place().unwrap().span.start, 3);
    }
}
