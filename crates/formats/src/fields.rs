//! Reading typed fields out of a tree of values, with a report of everything that is missing or odd.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::json::{Json, Text, Value};
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics, SourceId, suggest};

/// Reports on one file.
#[derive(Debug)]
pub(crate) struct Reporter<'a> {
    source: SourceId,
    diagnostics: &'a mut Diagnostics,
}

/// The entries of an object.
#[derive(Debug)]
pub(crate) struct Fields<'j> {
    /// The thing that the object describes, in words.
    what: &'static str,
    span: Span,
    entries: &'j [(Text, Json)],
    /// The keys that have been asked for.
    known: RefCell<Vec<&'j str>>,
}

impl<'a> Reporter<'a> {
    pub(crate) fn new(source: SourceId, diagnostics: &'a mut Diagnostics) -> Self {
        Self {
            source,
            diagnostics,
        }
    }

    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// The number of errors that were pushed so far.
    pub(crate) fn error_count(&self) -> usize {
        self.diagnostics.error_count()
    }

    /// A diagnostic at a place of the file, to be pushed.
    pub(crate) fn at(
        &self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        label: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::new(code, message).primary(self.source, span, label)
    }

    /// Adds a place of the same file that explains the problem.
    pub(crate) fn also(&self, diagnostic: Diagnostic, span: Span, label: &str) -> Diagnostic {
        diagnostic.secondary(self.source, span, label)
    }

    fn wrong(&mut self, json: &Json, what: &str, needed: &str) {
        let message = format!("{what} must be {needed}");
        let label = format!("this is {}", json.value.sort());
        let diagnostic = self.at(Code::WrongJsonValue, json.span, message, label);
        self.push(diagnostic);
    }

    /// The entries of what should be an object.
    pub(crate) fn fields<'j>(&mut self, json: &'j Json, what: &'static str) -> Option<Fields<'j>> {
        let Value::Object(entries) = &json.value else {
            self.wrong(json, what, "an object");
            return None;
        };
        Some(Fields {
            what,
            span: json.span,
            entries,
            known: RefCell::default(),
        })
    }

    /// The entries of what should be an object with keys of any kind.
    pub(crate) fn entries<'j>(&mut self, json: &'j Json, what: &str) -> &'j [(Text, Json)] {
        if let Value::Object(entries) = &json.value {
            return entries;
        }
        self.wrong(json, what, "an object");
        &[]
    }

    /// The text of what should be a string.
    pub(crate) fn text(&mut self, json: &Json, what: &str) -> Option<Text> {
        let Value::Text(text) = &json.value else {
            self.wrong(json, what, "a string");
            return None;
        };
        let (text, span) = (text.clone(), json.span);
        Some(Text { text, span })
    }

    /// The text of what should be a string that is a name of the language.
    pub(crate) fn name(&mut self, json: &Json, what: &str) -> Option<Text> {
        let name = self.text(json, what)?;
        self.check_name(&name).then_some(name)
    }

    /// Returns true if a name of the file is one of the language, and reports it if not.
    pub(crate) fn check_name(&mut self, name: &Text) -> bool {
        let is_char = |c: char| c.is_ascii_alphanumeric() || "-_.+*/<=>!$%&@~^#".contains(c);
        let is_word = !name.text.is_empty() && name.text.chars().all(is_char);
        let is_name = is_word && name.text.starts_with(|c: char| c.is_ascii_alphabetic());
        if !is_name {
            let message = format!("`{}` cannot be a name", name.text.escape_debug());
            let diagnostic = self.at(Code::NotAName, name.span, message, "");
            self.push(diagnostic);
        }
        is_name
    }

    /// Reports a name that means something else in the language.
    pub(crate) fn reserved(&mut self, what: &str, name: &Text) {
        let message = format!("{what} cannot be called `{}`", name.text);
        let label = "a word of the language";
        let diagnostic = self.at(Code::ReservedName, name.span, message, label);
        self.push(diagnostic);
    }

    /// The items of what should be a list.
    pub(crate) fn list<'j>(&mut self, json: &'j Json, what: &str) -> &'j [Json] {
        if let Value::List(items) = &json.value {
            return items;
        }
        self.wrong(json, what, "a list");
        &[]
    }

    /// The names in what should be a list of names.
    pub(crate) fn names(&mut self, json: &Json, what: &str) -> Vec<Text> {
        let items = self.list(json, what).iter();
        items.filter_map(|item| self.name(item, what)).collect()
    }

    /// The value of what should be a whole number.
    pub(crate) fn integer(&mut self, json: &Json, what: &str) -> Option<i64> {
        // Far below what sums of two could exceed.
        const TOO_GREAT: u64 = 1_000_000_000_000;
        let Value::Number(text) = &json.value else {
            self.wrong(json, what, "a whole number");
            return None;
        };
        let value = text.parse().ok();
        let value = value.filter(|n: &i64| n.unsigned_abs() < TOO_GREAT);
        if value.is_none() {
            self.wrong(json, what, "a whole number, and less than 10^12");
        }
        value
    }

    /// The value of what should be true or false.
    pub(crate) fn boolean(&mut self, json: &Json, what: &str) -> Option<bool> {
        let Value::Boolean(value) = json.value else {
            self.wrong(json, what, "`true` or `false`");
            return None;
        };
        Some(value)
    }

    /// An id: a string or a number, of which the spelling counts.
    pub(crate) fn id(&mut self, json: &Json, what: &str) -> Option<Text> {
        match &json.value {
            Value::Text(text) | Value::Number(text) => Some(Text {
                text: text.clone(),
                span: json.span,
            }),
            _ => {
                self.wrong(json, what, "a string or a number");
                None
            }
        }
    }
}

impl<'j> Fields<'j> {
    /// The value of a key, if it is there. Of several the last counts, as for Python's reader.
    pub(crate) fn optional(&self, key: &'static str) -> Option<&'j Json> {
        self.known.borrow_mut().push(key);
        let mut entries = self.entries.iter().rev();
        entries
            .find(|(entry, _)| entry.text == key)
            .map(|(_, value)| value)
    }

    /// The values of the keys that are among some names, in the order of the file. Of one key that is
    /// there several times the last counts.
    pub(crate) fn among(&self, names: &BTreeSet<String>) -> Vec<(&'j Text, &'j Json)> {
        let mut found = Vec::new();
        let mut later = BTreeSet::new();
        for (key, value) in self.entries.iter().rev() {
            if names.contains(&key.text) && later.insert(&key.text) {
                self.known.borrow_mut().push(&key.text);
                found.push((key, value));
            }
        }
        found.reverse();
        found
    }

    /// The value of a key, which must be there. One that is misspelt is reported, and read.
    pub(crate) fn required(
        &self,
        reporter: &mut Reporter<'_>,
        key: &'static str,
    ) -> Option<&'j Json> {
        let value = self.optional(key);
        if value.is_some() {
            return value;
        }
        let message = format!("{} has no `{key}`", self.what);
        if let Some((near, value)) = self.misspelt(key) {
            self.known.borrow_mut().push(&near.text);
            let label = "no key that is read";
            let diagnostic = reporter.at(Code::MissingKey, near.span, message, label);
            reporter.push(diagnostic.help(format!("did you mean `{key}`?")));
            return Some(value);
        }
        let start = Span::new(self.span.start, (self.span.start + 1).min(self.span.end));
        let label = format!("`\"{key}\": …` is missing");
        let diagnostic = reporter.at(Code::MissingKey, start, message, label);
        reporter.push(diagnostic);
        None
    }

    /// The entry that seems to be meant by a key that is missing.
    fn misspelt(&self, key: &'static str) -> Option<&'j (Text, Json)> {
        // Of shorter ones there are pairs that differ in a letter, as `x` and `y`.
        const SHORTEST: usize = 3;
        let known = self.known.borrow();
        let mut entries = self.entries.iter();
        entries.find(|(entry, _)| {
            key.len() >= SHORTEST
                && !known.contains(&&*entry.text)
                && suggest(&entry.text, [key]).is_some()
        })
    }

    /// The name that a key has, which must be there.
    pub(crate) fn name(
        &self,
        reporter: &mut Reporter<'_>,
        key: &'static str,
        what: &str,
    ) -> Option<Text> {
        let name = self.required(reporter, key)?;
        reporter.name(name, what)
    }

    /// The names that a key has, which must be there.
    pub(crate) fn names(
        &self,
        reporter: &mut Reporter<'_>,
        key: &'static str,
        what: &str,
    ) -> Option<Vec<Text>> {
        let names = self.required(reporter, key)?;
        Some(reporter.names(names, what))
    }

    /// Warns of keys that have not been asked for, and are not among those that mean nothing here.
    pub(crate) fn finish(self, reporter: &mut Reporter<'_>, ignored: &[&'static str]) {
        let mut known = self.known.into_inner();
        known.sort_unstable();
        let mut later = BTreeSet::new();
        for (key, _) in self.entries.iter().rev() {
            let is_known = known.iter().chain(ignored).any(|known| *known == key.text);
            let again = !later.insert(&key.text);
            if !is_known {
                let message = format!("{} has a key `{}` that is not read", self.what, key.text);
                let mut diagnostic = reporter.at(Code::UnknownKey, key.span, message, "unknown");
                if let Some(near) = suggest(&key.text, known.iter().copied()) {
                    diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
                }
                reporter.push(diagnostic);
            } else if again {
                let message = format!("{} has the key `{}` twice", self.what, key.text);
                let label = "not read: the last one counts";
                let diagnostic = reporter.at(Code::UnknownKey, key.span, message, label);
                reporter.push(diagnostic.help("remove one of the two"));
            }
        }
    }
}
