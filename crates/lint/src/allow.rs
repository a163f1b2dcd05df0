//! Warnings that the author of a file has silenced in it, with a reason.
//!
//! A comment `; brigade: allow W0206 "a decoy"` alone on its line is about the next list or word, of a
//! keyword with its value; after something on a line it is about what stands on that line.
//! `; brigade: allow-file …` is about the whole file and, in a problem, about all warnings of checking
//! that problem. To other tools these are comments.

use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics, Severity, SourceId, Sources, suggest};

/// The prefix of every allowance comment, after semicolons and blanks.
const MARK: &str = "brigade:";

/// The syntax of an allowance, for help.
const SHAPE: &str =
    "write `; brigade: allow W0206 \"why\"` before what it is about, or `allow-file`";

/// A warning that is allowed somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// The file it stands in.
    source: SourceId,
    /// The code of the warning.
    code: Code,
    /// The place of the code in the comment.
    place: Span,
    /// The span that the allowance is about; `None`: the whole file.
    about: Option<Span>,
    used: bool,
}

/// All allowances of some files. A fault in one is reported.
pub fn read(
    files: &[SourceId],
    sources: &Sources,
    diagnostics: &mut Diagnostics,
) -> Vec<Allowance> {
    let mut found = Vec::new();
    for &source in files {
        let text = sources.text(source);
        // Most files have none, and large ones need not be read twice for that.
        if text.contains(MARK) {
            Reader {
                source,
                text,
                forms: forms(text),
                diagnostics,
                found: &mut found,
            }
            .run();
        }
    }
    found
}

/// Takes out what is allowed. `checked` is the file that was asked for: a file-wide allowance in it is
/// about all warnings. Then reports the allowances of that file that allowed nothing, where `is_known`
/// says that their warning would have been given.
pub fn apply(
    mut allowances: Vec<Allowance>,
    checked: SourceId,
    is_known: &dyn Fn(Code) -> bool,
    diagnostics: &mut Diagnostics,
) {
    if allowances.is_empty() {
        return;
    }
    diagnostics.retain(|diagnostic| {
        if diagnostic.severity == Severity::Error {
            return true;
        }
        let mut kept = true;
        for allowance in &mut allowances {
            if allowance.allows(diagnostic, checked) {
                allowance.used = true;
                kept = false;
            }
        }
        kept
    });
    if diagnostics.has_errors() {
        return;
    }
    for allowance in allowances {
        if !allowance.used && allowance.source == checked && is_known(allowance.code) {
            let code = allowance.code;
            let what = match allowance.about {
                None => "the file",
                Some(_) => "what it is about",
            };
            diagnostics.push(
                Diagnostic::new(
                    Code::UnusedAllowance,
                    format!("{code} is allowed, and {what} does not cause it"),
                )
                .primary(allowance.source, allowance.place, "allows nothing")
                .help("remove it"),
            );
        }
    }
}

impl Allowance {
    fn allows(&self, diagnostic: &Diagnostic, checked: SourceId) -> bool {
        if diagnostic.code != self.code {
            return false;
        }
        let Some(about) = self.about else {
            let here = diagnostic
                .place()
                .is_some_and(|label| label.source == self.source);
            return here || self.source == checked;
        };
        diagnostic.place().is_some_and(|label| {
            label.source == self.source
                && label.span.start >= about.start
                && label.span.start < about.end.max(about.start + 1)
        })
    }
}

struct Reader<'s, 'd> {
    source: SourceId,
    text: &'s str,
    /// As [`forms`] finds them.
    forms: Vec<Span>,
    diagnostics: &'d mut Diagnostics,
    found: &'d mut Vec<Allowance>,
}

impl Reader<'_, '_> {
    fn run(&mut self) {
        let bytes = self.text.as_bytes();
        let (mut at, mut line, mut alone) = (0, 0, true);
        while at < bytes.len() {
            match bytes[at] {
                b'\n' => (line, alone) = (at + 1, true),
                b';' => {
                    let end = self.text[at..].find('\n').map_or(bytes.len(), |n| at + n);
                    self.comment(at, end, line, alone);
                    at = end;
                    continue;
                }
                b'"' => {
                    alone = false;
                    at = string_end(bytes, at);
                    continue;
                }
                byte => alone &= byte.is_ascii_whitespace(),
            }
            at += 1;
        }
    }

    /// Reads a comment from `start` to `end`; `line` is where its line begins, `alone` whether nothing
    /// stands before it.
    fn comment(&mut self, start: usize, end: usize, line: usize, alone: bool) {
        let comment = self.text[start..end].trim_start_matches(';');
        let Some(rest) = comment.trim_start().strip_prefix(MARK) else {
            return;
        };
        let rest_at = end - rest.len();
        let whole = Span::new(
            start as u32,
            (start + self.text[start..end].trim_end().len()) as u32,
        );
        let mut words = rest.split_whitespace();
        let is_file = match words.next() {
            Some("allow") => false,
            Some("allow-file") => true,
            other => {
                let known = ["allow", "allow-file"];
                let help = match other.and_then(|word| suggest(word, known)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => SHAPE.to_owned(),
                };
                let found = other.unwrap_or("nothing");
                self.malformed(
                    whole,
                    format!("expected `allow` or `allow-file`, found `{found}`"),
                    help,
                );
                return;
            }
        };
        let quoted = rest.find('"');
        let reason = quoted.and_then(|open| {
            let close = rest[open + 1..].find('"')? + open + 1;
            Some((rest[open + 1..close].trim(), close + 1))
        });
        let Some((_, after)) = reason.filter(|(reason, _)| !reason.is_empty()) else {
            let message = "a warning is silenced without a reason".to_owned();
            self.malformed(
                whole,
                message,
                "say why in quotes at the end: `\"…\"`".to_owned(),
            );
            return;
        };
        if !rest[after..].trim().is_empty() {
            self.malformed(
                whole,
                "something follows the reason".to_owned(),
                "the codes come first, the reason last".to_owned(),
            );
            return;
        }
        let about = if is_file {
            None
        } else if alone {
            Some(self.next_form(end))
        } else {
            Some(Span::new(line as u32, start as u32))
        };
        let codes = &rest[..quoted.unwrap_or(rest.len())];
        let mut any = false;
        let mut from = 0;
        for word in codes.split_whitespace().skip(1) {
            any = true;
            let offset = codes[from..].find(word).map_or(from, |n| from + n);
            from = offset + word.len();
            let place = Span::new((rest_at + offset) as u32, (rest_at + from) as u32);
            self.code(word.trim_end_matches(','), place, about);
        }
        if !any {
            self.malformed(whole, "no code is named".to_owned(), SHAPE.to_owned());
        }
    }

    fn code(&mut self, word: &str, place: Span, about: Option<Span>) {
        match Code::from_spelling(word) {
            Some(code) if code.severity() == Severity::Error => {
                self.malformed(
                    place,
                    format!("{code} is an error and cannot be silenced"),
                    "correct what it is about".to_owned(),
                );
            }
            Some(code) => self.found.push(Allowance {
                source: self.source,
                code,
                place,
                about,
                used: false,
            }),
            None => {
                let codes = Code::ALL.iter().map(|code| code.as_str());
                let is_shown = !self.diagnostics.is_full();
                let warnings = codes.filter(|code| is_shown && code.starts_with('W'));
                let help = match suggest(word, warnings) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "`brigade explain` lists all codes".to_owned(),
                };
                self.malformed(place, format!("there is no warning `{word}`"), help);
            }
        }
    }

    fn malformed(&mut self, span: Span, message: String, help: String) {
        self.diagnostics.push(
            Diagnostic::new(Code::MalformedAllowance, message)
                .primary(self.source, span, "silences nothing")
                .help(help),
        );
    }

    /// The first list or word at or after an offset; of a keyword with its value.
    fn next_form(&self, from: usize) -> Span {
        let first = self
            .forms
            .partition_point(|form| (form.start as usize) < from);
        let end = self.text.len() as u32;
        let Some(&form) = self.forms.get(first) else {
            return Span::new(end, end);
        };
        let starts_with = |form: Span, byte: u8| self.text.as_bytes()[form.start as usize] == byte;
        let value = self.forms.get(first + 1).filter(|&&value| {
            starts_with(form, b':') && !starts_with(value, b':') && !starts_with(value, b')')
        });
        Span::new(form.start, value.map_or(form.end, |value| value.end))
    }
}

/// All lists, words and strings of a text, and each closing parenthesis, by where they start.
fn forms(text: &str) -> Vec<Span> {
    let bytes = text.as_bytes();
    let mut forms: Vec<Span> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        at = match byte {
            b';' => text[at..].find('\n').map_or(bytes.len(), |n| at + n),
            b'"' => string_end(bytes, at),
            b'(' | b')' => at + 1,
            byte if byte.is_ascii_whitespace() => at + 1,
            _ => {
                let ends = |byte: &u8| byte.is_ascii_whitespace() || b"();\"".contains(byte);
                let length = bytes[at..].iter().position(ends);
                length.map_or(bytes.len(), |length| at + length)
            }
        };
        match byte {
            b';' => continue,
            byte if byte.is_ascii_whitespace() => continue,
            b'(' => open.push(forms.len()),
            b')' => {
                if let Some(list) = open.pop() {
                    forms[list].end = at as u32;
                }
            }
            _ => {}
        }
        let end = if byte == b'(' { bytes.len() } else { at };
        forms.push(Span::new(start as u32, end as u32));
    }
    forms
}

/// One past the closing quote of the string at `start`, or the end of its line.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'\n' {
        match bytes[at] {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    at.min(bytes.len())
}
