//! Comments, quotes and brackets of other languages, and texts without quotes: each reported once, and read as what
//! they are meant for.
//!
//! Comments and texts, to their author, would else be read word by word. The bytes are exchanged in place, so that
//! later findings have their places in the given text.

mod changes;
mod kinds;
mod unquoted;

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::balance::words::{line_end, string_end};
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Diagnostics, SourceId};
use changes::{Change, apply};
use kinds::{Kind, Places};
use unquoted::{after_key, has_unquoted, unquoted_end};

/// The most bytes in which the end of a text in foreign quotes is sought.
const LONGEST: usize = 1000;

/// The most open lists whose brackets are distinguished.
const DEEPEST: usize = 4096;

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
        open: Vec::new(),
        deeper: 0,
    };
    scan.run();
    for (kind, places) in &scan.found {
        diagnostics.push(kind.report(source, places));
    }
    apply(text, &scan.changes)
}

/// Returns true if any byte stands here that begins something foreign: most texts need no closer look.
fn may_be_foreign(bytes: &[u8]) -> bool {
    let is_foreign = |byte: &u8| {
        !byte.is_ascii() || matches!(byte, b'#' | b'/' | b'%' | b'\'' | b'`' | b'*' | b'[' | b'{')
    };
    bytes.iter().any(is_foreign) || bytes.windows(2).any(|two| two == b"--") || has_unquoted(bytes)
}

struct Scan<'s> {
    text: &'s str,
    changes: Vec<Change>,
    found: BTreeMap<Kind, Places>,
    /// True if no block is closed from here on.
    is_unclosed: bool,
    /// The brackets of the lists that are open, and where they stand.
    open: Vec<(u8, usize)>,
    /// The number of further lists that are open.
    deeper: usize,
}

impl Scan<'_> {
    fn run(&mut self) {
        let bytes = self.text.as_bytes();
        // Whether nothing stands before on the line, whether a list has just ended, and whether a word may
        // begin.
        let (mut leads, mut is_after_list, mut is_apart) = (true, false, true);
        // Some editors begin a file with a byte order mark.
        let mark = self.text.strip_prefix('\u{feff}');
        let mut at = mark.map_or(0, |rest| bytes.len() - rest.len());
        while at < bytes.len() {
            let byte = bytes[at];
            let next = match byte {
                b';' => line_end(bytes, at),
                b'(' | b'[' | b'{' => {
                    self.open(byte, at);
                    at + 1
                }
                b')' | b']' | b'}' => {
                    self.close(byte, at);
                    at + 1
                }
                b'"' => self.string(at),
                b':' if is_apart => match after_key(bytes, at) {
                    Some(value) => self.unquoted(value),
                    None => self.word(at),
                },
                _ if byte.is_ascii_whitespace() => at + 1,
                _ => {
                    let is_head = at > 0 && bytes[at - 1] == b'(';
                    let comment = (is_apart && !is_head)
                        .then(|| self.comment(at, leads, is_after_list))
                        .flatten();
                    let quoted = || is_apart.then(|| self.quoted(at)).flatten();
                    match comment {
                        Some(end) => end,
                        None => match quoted() {
                            Some(quoted) => self.quote(&quoted),
                            None => self.word(at),
                        },
                    }
                }
            };
            leads = matches!(byte, b'\n' | b'\r') || leads && byte.is_ascii_whitespace();
            is_after_list = byte == b')' || is_after_list && byte.is_ascii_whitespace();
            is_apart = !is_word(bytes[next - 1]);
            at = next;
        }
    }

    /// Passes a word, and puts blanks in place of characters in it that are not seen.
    fn word(&mut self, at: usize) -> usize {
        let end = end_of_word(self.text.as_bytes(), at);
        if let Some(word) = self.text.get(at..end).filter(|word| !word.is_ascii()) {
            for (place, c) in word.char_indices().filter(|(_, c)| is_invisible(*c)) {
                let (start, end) = (at + place, at + place + c.len_utf8());
                self.changes.push(Change::Blank(start, end));
                self.note(Kind::Invisible(c), Span::new(start as u32, end as u32));
            }
        }
        end
    }

    fn note(&mut self, kind: Kind, span: Span) {
        self.found.entry(kind).or_default().note(span);
    }

    fn open(&mut self, bracket: u8, at: usize) {
        if self.open.len() < DEEPEST {
            self.open.push((bracket, at));
        } else {
            self.deeper += 1;
        }
    }

    /// Closes a list. Brackets that stand where parentheses do are meant as such.
    fn close(&mut self, bracket: u8, at: usize) {
        if self.deeper > 0 {
            self.deeper -= 1;
            return;
        }
        let Some((opening, start)) = self.open.pop() else {
            return;
        };
        for (one, at) in [(opening, start), (bracket, at)] {
            if !matches!(one, b'(' | b')') {
                self.changes.push(Change::Bracket(at));
            }
        }
        let (mark, at) = match opening {
            b'(' => (bracket, at),
            _ => (opening, start),
        };
        if mark != b')' {
            let kind = Kind::Brackets(char::from(mark));
            self.note(kind, Span::new(at as u32, at as u32 + 1));
        }
    }

    /// Passes a text without quotes, if one begins here.
    fn unquoted(&mut self, at: usize) -> usize {
        let Some(end) = unquoted_end(self.text.as_bytes(), at) else {
            return at;
        };
        self.changes.push(Change::Unquoted(at, end));
        self.note(Kind::Unquoted, Span::new(at as u32, end as u32));
        end
    }

    /// The end of the comment that begins here, if one does. `leads` says that nothing stands before it
    /// on its line, `is_after_list` that only blanks stand between the end of a list and it.
    fn comment(&mut self, at: usize, leads: bool, is_after_list: bool) -> Option<usize> {
        /// Lists in which no words stand, but only other lists: the file and the definition.
        const WORDLESS: usize = 1;
        let rest = &self.text[at..];
        let word = &rest[..end_of_word(rest.as_bytes(), 0)];
        // A `?` begins another word.
        let word = word.split('?').next().unwrap_or(word);
        let is_wordless = self.open.len() <= WORDLESS;
        let may_be_dashes = leads || is_after_list && word.len() == 2;
        let is_alone = |mark: char| word.bytes().all(|byte| byte == mark as u8);
        let mark = match word.as_bytes() {
            [b'/', b'*', ..] => "/*",
            [b'/', b'/', ..] => "//",
            [b'#', ..] if is_wordless || is_alone('#') => "#",
            [b'-', b'-', ..] if is_wordless || may_be_dashes && is_alone('-') => "--",
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
    !byte.is_ascii_whitespace() && !matches!(byte, b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'"')
}

/// The end of the word that begins here, or of what stands here instead of one.
fn end_of_word(bytes: &[u8], at: usize) -> usize {
    let is_over = |byte: &u8| !is_word(*byte) || *byte == b';';
    let rest = bytes[at..].iter().skip(1);
    rest.take_while(|byte| !is_over(byte)).count() + at + 1
}

/// A blank of typography, or a character of no width.
const fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{a0}' | '\u{ad}' | '\u{2000}'
            ..='\u{200f}' | '\u{202f}' | '\u{2060}' | '\u{3000}' | '\u{feff}'
    )
}

/// Returns the place of the first of these quotes on the line that no word follows at once.
fn closing(text: &str, from: usize, quotes: &[char]) -> Option<(usize, usize)> {
    let rest = &text[from..];
    let on_line = rest
        .char_indices()
        .take_while(|(_, c)| !matches!(c, '\n' | '\r'));
    let mut found = on_line.filter(|(_, c)| quotes.contains(c));
    let (at, quote) = found.find(|(at, quote)| {
        let after = rest[at + quote.len_utf8()..].bytes().next();
        after.is_none_or(|byte| !is_word(byte))
    })?;
    let start = from + at;
    Some((start, start + quote.len_utf8()))
}
