//! Comments and quotes of other languages: told once each, and read as what they are meant for.
//!
//! What is a comment or a text to its author would else be read word by word. The bytes are exchanged in
//! place, so that whatever is found later stands where it does in the given text.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::balance::words::{line_end, string_end, word_end};
use super::span::Span;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, SourceId};
use crate::words::counted;

/// In how many places of a file one kind of comment or quote is shown.
const SHOWN_PLACES: usize = 4;

/// How far the end of a text in foreign quotes is looked for, in bytes.
const LONGEST: usize = 1000;

/// Reports what is foreign, and gives the text with the language's own in its place.
pub(super) fn translate<'s>(
    source: SourceId,
    text: &'s str,
    diagnostics: &mut Diagnostics,
) -> Cow<'s, str> {
    if !may_be_foreign(text.as_bytes()) {
        return Cow::Borrowed(text);
    }
    let mut scan = Scan {
        text,
        changes: Vec::new(),
        found: BTreeMap::new(),
        is_unclosed: false,
    };
    scan.run();
    for (kind, places) in &scan.found {
        diagnostics.push(kind.report(source, places));
    }
    apply(text, &scan.changes)
}

/// Whether any byte stands here that begins something foreign: most texts need no closer look.
fn may_be_foreign(bytes: &[u8]) -> bool {
    bytes
        .iter()
        .any(|byte| !byte.is_ascii() || matches!(byte, b'#' | b'/' | b'%' | b'\'' | b'`' | b'*'))
        || bytes.windows(2).any(|two| two == b"--")
}

/// A change of the text that moves no other byte.
enum Change {
    /// The byte here begins a comment.
    Comment(usize),
    /// A block from here to there says nothing.
    Blank(usize, usize),
    /// The character from here to there is the quote that opens a text.
    Open(usize, usize),
    /// The character from here to there is the quote that closes a text.
    Close(usize, usize),
    /// The quote here stands within a text.
    Inner(usize),
}

fn apply<'s>(text: &'s str, changes: &[Change]) -> Cow<'s, str> {
    if changes.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    for change in changes {
        match *change {
            Change::Comment(at) => bytes[at] = b';',
            Change::Blank(start, end) => {
                let all = bytes[start..end].iter_mut();
                all.filter(|byte| !matches!(byte, b'\n' | b'\r'))
                    .for_each(|byte| *byte = b' ');
            }
            // No blank may come between a quote and the text.
            Change::Open(start, end) => {
                bytes[start..end].fill(b' ');
                bytes[end - 1] = b'"';
            }
            Change::Close(start, end) => {
                bytes[start..end].fill(b' ');
                bytes[start] = b'"';
            }
            Change::Inner(at) => bytes[at] = b'\'',
        }
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// What is foreign.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// A comment that begins with this.
    Comment(&'static str),
    /// A text in these.
    Quotes(char),
}

/// Where something is foreign: the first places, and how many there are.
#[derive(Default)]
struct Places {
    shown: Vec<Span>,
    count: usize,
}

impl Kind {
    fn report(&self, source: SourceId, places: &Places) -> Diagnostic {
        let (message, label, help) = match self {
            Self::Comment("/*") => (
                "comments in `/*` and `*/` are not known".to_owned(),
                "no comment begins so",
                "write `;` before each line of it: a comment goes from `;` to the end of its line",
            ),
            Self::Comment(mark) => (
                format!("a comment does not begin with `{mark}`"),
                "no comment begins so",
                "write `;` instead: a comment goes from there to the end of its line",
            ),
            Self::Quotes('\'' | '`') => (
                "a text does not stand in single quotes".to_owned(),
                "no text begins so",
                "write `\"` at both ends",
            ),
            Self::Quotes(_) => (
                "typographic quotes do not enclose a text".to_owned(),
                "no text begins so",
                "write `\"` at both ends",
            ),
        };
        let mut diagnostic = Diagnostic::new(Code::UnexpectedCharacter, message).mended();
        for (at, &span) in places.shown.iter().enumerate() {
            diagnostic = match at {
                0 => diagnostic.primary(source, span, label),
                _ => diagnostic.secondary(source, span, "also here"),
            };
        }
        diagnostic = diagnostic.help(help);
        match places.count - places.shown.len() {
            0 => diagnostic,
            more => {
                let more = counted(more, "more place");
                diagnostic.help(format!("it stands in {more} too"))
            }
        }
    }
}

struct Scan<'s> {
    text: &'s str,
    changes: Vec<Change>,
    found: BTreeMap<Kind, Places>,
    /// Whether no block is closed from here on.
    is_unclosed: bool,
}

impl Scan<'_> {
    fn run(&mut self) {
        let bytes = self.text.as_bytes();
        let mut depth = 0_usize;
        // Whether nothing stands before on the line, and whether a word may begin.
        let (mut leads, mut is_apart) = (true, true);
        let mut at = 0;
        while at < bytes.len() {
            let byte = bytes[at];
            let next = match byte {
                b';' => line_end(bytes, at),
                b'(' => {
                    depth += 1;
                    at + 1
                }
                b')' => {
                    depth = depth.saturating_sub(1);
                    at + 1
                }
                b'"' => self.string(at),
                _ if byte.is_ascii_whitespace() => at + 1,
                _ => {
                    let is_head = at > 0 && bytes[at - 1] == b'(';
                    let comment = (is_apart && !is_head)
                        .then(|| self.comment(at, leads, depth))
                        .flatten();
                    let quoted = || is_apart.then(|| self.quoted(at)).flatten();
                    match comment {
                        Some(end) => end,
                        None => match quoted() {
                            Some(quoted) => self.quote(&quoted),
                            None => word_end(bytes, at).max(at + 1),
                        },
                    }
                }
            };
            leads = matches!(byte, b'\n' | b'\r') || leads && byte.is_ascii_whitespace();
            is_apart = !is_word(bytes[next - 1]);
            at = next;
        }
    }

    fn note(&mut self, kind: Kind, span: Span) {
        let places = self.found.entry(kind).or_default();
        places.count += 1;
        if places.shown.len() < SHOWN_PLACES {
            places.shown.push(span);
        }
    }

    /// The end of the comment that begins here, if one does. `leads` says that nothing stands before it
    /// on its line.
    fn comment(&mut self, at: usize, leads: bool, depth: usize) -> Option<usize> {
        /// Lists in which no words stand, but only other lists: the file and the definition.
        const WORDLESS: usize = 1;
        let rest = &self.text[at..];
        let word = &rest[..word_end(rest.as_bytes(), 0)];
        let is_wordless = depth <= WORDLESS;
        let is_alone = |mark: char| word.bytes().all(|byte| byte == mark as u8);
        let mark = match word.as_bytes() {
            [b'/', b'*', ..] => "/*",
            [b'/', b'/', ..] => "//",
            [b'#', ..] if is_wordless || is_alone('#') => "#",
            [b'-', b'-', ..] if is_wordless || leads && is_alone('-') => "--",
            [b'%', ..] if is_wordless || is_alone('%') => "%",
            _ => return None,
        };
        let bytes = self.text.as_bytes();
        let end = match mark {
            "/*" => self.block_end(at),
            _ => line_end(bytes, at),
        };
        self.changes.push(match mark {
            "/*" => Change::Blank(at, end),
            _ => Change::Comment(at),
        });
        self.note(
            Kind::Comment(mark),
            Span::new(at as u32, (at + mark.len()) as u32),
        );
        Some(end)
    }

    /// The end of the block that begins here; of the line, if it is never closed.
    fn block_end(&mut self, at: usize) -> usize {
        if !self.is_unclosed {
            if let Some(length) = self.text[at..].find("*/") {
                return at + length + 2;
            }
            self.is_unclosed = true;
        }
        line_end(self.text.as_bytes(), at)
    }

    /// Passes a text. One that ends with another quote than it begins is mended.
    fn string(&mut self, at: usize) -> usize {
        let end = match string_end(self.text.as_bytes(), at) {
            Ok(end) => return end,
            Err(end) => end,
        };
        let Some((start, close)) = closing(&self.text[..end], at + 1, &['”', '“', '\'']) else {
            return end;
        };
        let kind = self.text[start..].chars().next().unwrap_or('”');
        self.quote(&Quoted {
            kind,
            open: (at, at + 1),
            close: (start, close),
        })
    }

    /// The text in foreign quotes that begins here.
    fn quoted(&self, at: usize) -> Option<Quoted> {
        let kind = self.text[at..].chars().next()?;
        let closers: &[char] = match kind {
            '\'' => &['\''],
            '`' => &['`', '\''],
            '“' | '”' | '„' | '‟' => &['”', '“', '"'],
            '‘' | '’' | '‚' => &['’', '‘'],
            '«' => &['»'],
            '»' => &['«'],
            _ => return None,
        };
        let inner = at + kind.len_utf8();
        let mut end = self.text.len().min(inner + LONGEST);
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let end = line_end(&self.text.as_bytes()[..end], at);
        let close = closing(&self.text[..end], inner, closers)?;
        Some(Quoted {
            kind,
            open: (at, inner),
            close,
        })
    }

    /// Makes a text of it; gives its end.
    fn quote(&mut self, quoted: &Quoted) -> usize {
        let ((start, inner), (close, end)) = (quoted.open, quoted.close);
        let within = self.text[inner..close].bytes().enumerate();
        let quotes = within.filter(|(_, byte)| *byte == b'"');
        self.changes
            .extend(quotes.map(|(offset, _)| Change::Inner(inner + offset)));
        self.changes.push(Change::Open(start, inner));
        self.changes.push(Change::Close(close, end));
        let at = if self.text.as_bytes()[start] == b'"' {
            quoted.close
        } else {
            quoted.open
        };
        let kind = match quoted.kind {
            kind @ ('\'' | '`') => kind,
            _ => '“',
        };
        self.note(Kind::Quotes(kind), Span::new(at.0 as u32, at.1 as u32));
        end
    }
}

/// A text in foreign quotes: where these stand.
struct Quoted {
    kind: char,
    open: (usize, usize),
    close: (usize, usize),
}

/// Can this byte belong to a word?
fn is_word(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !matches!(byte, b'(' | b')' | b'"')
}

/// Where the first of these quotes stands in `line` that nothing follows.
fn closing(line: &str, from: usize, quotes: &[char]) -> Option<(usize, usize)> {
    let rest = &line[from..];
    let mut found = rest.char_indices().filter(|(_, c)| quotes.contains(c));
    let (at, quote) = found.find(|(at, quote)| {
        let after = rest[at + quote.len_utf8()..].bytes().next();
        after.is_none_or(|byte| !is_word(byte))
    })?;
    let start = from + at;
    Some((start, start + quote.len_utf8()))
}
