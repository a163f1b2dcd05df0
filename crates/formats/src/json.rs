//! JSON with the place of every value (RFC 8259), for front ends that report in the file itself.

#[cfg(test)]
mod tests;

use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics, SourceId};

/// The deepest nesting of lists and objects.
pub const MAX_NESTING: usize = 64;

/// The most values that a text may hold.
pub const MAX_VALUES: usize = 1 << 20;

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Json {
    /// The value.
    pub value: Value,
    /// Where it stands, quotes and brackets included.
    pub span: Span,
}

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A number, as it is spelled.
    Number(String),
    /// A string, its escapes resolved.
    Text(String),
    /// `[…]`
    List(Vec<Json>),
    /// `{…}`: the entries in order, duplicates included.
    Object(Vec<(Text, Json)>),
}

/// A string and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// Its characters.
    pub text: String,
    /// Where it stands, quotes included.
    pub span: Span,
}

impl Value {
    /// Its kind, in words.
    pub fn sort(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean(_) => "a truth value",
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

/// Returns true if a text begins as JSON, rather than as a text of the language.
pub fn looks_like_json(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.trim_start().starts_with(['{', '['])
}

/// Reads a text. `None` if it is not JSON, which is reported.
pub fn parse(source: SourceId, text: &str, diagnostics: &mut Diagnostics) -> Option<Json> {
    let mut reader = Reader {
        text,
        at: 0,
        values: 0,
    };
    if text.starts_with('\u{feff}') {
        reader.at = '\u{feff}'.len_utf8();
    }
    let read = reader.value(0).and_then(|json| {
        reader.skip_space();
        if reader.at < text.len() {
            return Err(reader.unexpected("something follows the JSON value", "not part of it"));
        }
        Ok(json)
    });
    match read {
        Ok(json) => Some(json),
        Err(fault) => {
            let label = fault.label;
            let fault_at =
                Diagnostic::new(fault.code, fault.message).primary(source, fault.span, label);
            diagnostics.push(if fault.code == Code::NestedTooDeeply {
                fault_at.help("no file of Robotouille is so deep: is this one?")
            } else {
                fault_at
            });
            None
        }
    }
}

/// A reason for which a text cannot be read, with its place.
struct Fault {
    code: Code,
    span: Span,
    message: &'static str,
    label: &'static str,
}

type Result<T> = std::result::Result<T, Fault>;

struct Reader<'a> {
    text: &'a str,
    /// The next byte to read; always at a character.
    at: usize,
    values: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn span_from(&self, start: usize) -> Span {
        Span::new(start as u32, self.at as u32)
    }

    /// A fault at the next character.
    fn unexpected(&self, message: &'static str, label: &'static str) -> Fault {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let width = rest.chars().next().map_or(0, char::len_utf8);
        Fault {
            code: Code::MalformedJson,
            span: Span::new(self.at as u32, (self.at + width) as u32),
            message,
            label,
        }
    }

    fn value(&mut self, depth: usize) -> Result<Json> {
        self.skip_space();
        let start = self.at;
        self.values += 1;
        if depth > MAX_NESTING || self.values > MAX_VALUES {
            let (code, message) = if depth > MAX_NESTING {
                (Code::NestedTooDeeply, "the JSON is nested too deeply")
            } else {
                (Code::SourceTooLarge, "the JSON holds too many values")
            };
            return Err(Fault {
                code,
                message,
                ..self.unexpected("", "from here on")
            });
        }
        let value = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => Value::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => Value::Number(self.number()?),
            Some(b't') => self.word("true", Value::Boolean(true))?,
            Some(b'f') => self.word("false", Value::Boolean(false))?,
            Some(b'n') => self.word("null", Value::Null)?,
            Some(_) => return Err(self.unexpected("this is not a JSON value", "unexpected")),
            None => return Err(self.unexpected("the JSON is incomplete", "a value is missing")),
        };
        let span = self.span_from(start);
        Ok(Json { value, span })
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value> {
        let rest = &self.text[self.at..];
        let follows = |c: char| c.is_alphanumeric() || c == '_';
        match rest.strip_prefix(word) {
            Some(after) if !after.starts_with(follows) => {
                self.at += word.len();
                Ok(value)
            }
            _ => Err(self.unexpected(
                "this is not a JSON value",
                "neither `true`, `false` nor `null`",
            )),
        }
    }

    fn list(&mut self, depth: usize) -> Result<Value> {
        self.at += 1;
        let mut items = Vec::new();
        self.skip_space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::List(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Value::List(items));
                }
                _ => return Err(self.unexpected("a list goes on or ends here", "`,` or `]`")),
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value> {
        self.at += 1;
        let mut entries = Vec::new();
        self.skip_space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Object(entries));
        }
        loop {
            self.skip_space();
            if self.peek() != Some(b'"') {
                return Err(self.unexpected("a key in quotes is needed here", "`\"key\": …`"));
            }
            let start = self.at;
            let text = self.string()?;
            let span = self.span_from(start);
            self.skip_space();
            if self.peek() != Some(b':') {
                return Err(self.unexpected("a key is followed by its value", "`:`"));
            }
            self.at += 1;
            let value = self.value(depth + 1)?;
            entries.push((Text { text, span }, value));
            self.skip_space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Value::Object(entries));
                }
                _ => return Err(self.unexpected("an object goes on or ends here", "`,` or `}`")),
            }
        }
    }

    fn digits(&mut self) -> Result<()> {
        if !matches!(self.peek(), Some(b'0'..=b'9')) {
            return Err(self.unexpected("this number is not complete", "a digit"));
        }
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Result<String> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
            if matches!(self.peek(), Some(b'0'..=b'9')) {
                return Err(self.unexpected("a number does not begin with 0", "remove the 0"));
            }
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(self.text[start..self.at].to_owned())
    }

    fn string(&mut self) -> Result<String> {
        self.at += 1;
        let mut result = String::new();
        loop {
            let plain = self.at;
            while !matches!(self.peek(), None | Some(b'"' | b'\\' | 0..=0x1f)) {
                self.at += 1;
            }
            result.push_str(&self.text[plain..self.at]);
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(result);
                }
                Some(b'\\') => result.push(self.escape()?),
                _ => return Err(self.unexpected("this string is not closed", "`\"`")),
            }
        }
    }

    fn escape(&mut self) -> Result<char> {
        self.at += 1;
        let escaped = match self.peek() {
            Some(c @ (b'"' | b'\\' | b'/')) => char::from(c),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                let first = self.four_digits()?;
                let unit = if (0xd800..0xdc00).contains(&first)
                    && self.text[self.at..].starts_with("\\u")
                {
                    self.at += 2;
                    let second = self.four_digits()?;
                    let pair = (0xdc00..0xe000).contains(&second);
                    let low = if pair { second - 0xdc00 } else { u32::MAX >> 1 };
                    0x10000 + ((first - 0xd800) << 10) + low
                } else {
                    first
                };
                return char::from_u32(unit)
                    .ok_or_else(|| self.unexpected("this escape is no character", "after it"));
            }
            _ => return Err(self.unexpected("this escape does not exist", "after `\\`")),
        };
        self.at += 1;
        Ok(escaped)
    }

    fn four_digits(&mut self) -> Result<u32> {
        let digits = self.text.get(self.at..self.at + 4);
        let digits = digits.filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
        match digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
            Some(unit) => {
                self.at += 4;
                Ok(unit)
            }
            None => Err(self.unexpected("this escape is not complete", "four hexadecimal digits")),
        }
    }
}
