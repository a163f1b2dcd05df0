//! Python literals with the place of every value: dictionaries, lists, texts and numbers, with comments and
//! commas after the last item. JSON is read too, so far as it has no escapes of its own.

use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics, SourceId};

use crate::json::{Json, MAX_NESTING, MAX_VALUES, Text, Value};

/// The word of Python for infinity.
pub(super) const INFINITY: &str = "inf";

/// The words that are values.
const WORDS: [(&str, Value); 6] = [
    ("None", Value::Null),
    ("null", Value::Null),
    ("True", Value::Boolean(true)),
    ("true", Value::Boolean(true)),
    ("False", Value::Boolean(false)),
    ("false", Value::Boolean(false)),
];

/// Reads a text. `None` if it is no literal, which is reported.
pub(super) fn parse(source: SourceId, text: &str, diagnostics: &mut Diagnostics) -> Option<Json> {
    let mut reader = Reader {
        text,
        at: text.len() - text.trim_start_matches('\u{feff}').len(),
        values: 0,
    };
    let read = reader.value(0).and_then(|value| {
        reader.skip();
        if reader.at < text.len() {
            return Err(reader.unexpected("something follows the layout", "not part of it"));
        }
        Ok(value)
    });
    read.map_err(|fault| {
        let reported =
            Diagnostic::new(fault.code, fault.message).primary(source, fault.span, fault.label);
        diagnostics.push(match fault.code {
            Code::NestedTooDeeply => reported.help("no layout is so deep: is this one?"),
            Code::SourceTooLarge => reported.help("no layout is so large: is this one?"),
            _ => reported,
        });
    })
    .ok()
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
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Goes past a text, if it comes next.
    fn takes(&mut self, text: &str) -> bool {
        let comes = self.rest().starts_with(text);
        if comes {
            self.at += text.len();
        }
        comes
    }

    /// Goes past blanks and comments.
    fn skip(&mut self) {
        loop {
            let rest = self.rest();
            let blanks = rest.len() - rest.trim_start().len();
            self.at += blanks;
            if self.peek() != Some('#') {
                return;
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    fn span_from(&self, start: usize) -> Span {
        Span::new(start as u32, self.at as u32)
    }

    /// A fault at the next character.
    fn unexpected(&self, message: &'static str, label: &'static str) -> Fault {
        let width = self.peek().map_or(0, char::len_utf8);
        Fault {
            code: Code::MalformedLiteral,
            span: Span::new(self.at as u32, (self.at + width) as u32),
            message,
            label,
        }
    }

    fn value(&mut self, depth: usize) -> Result<Json> {
        self.skip();
        let start = self.at;
        self.values += 1;
        if depth > MAX_NESTING || self.values > MAX_VALUES {
            let (code, message) = if depth > MAX_NESTING {
                (Code::NestedTooDeeply, "the layout is nested too deeply")
            } else {
                (Code::SourceTooLarge, "the layout holds too many values")
            };
            return Err(Fault {
                code,
                message,
                ..self.unexpected("", "from here on")
            });
        }
        let value = match self.peek() {
            Some('{') => self.dictionary(depth)?,
            Some('[') => self.list(depth, ']')?,
            Some('(') => self.list(depth, ')')?,
            Some('"' | '\'') => Value::Text(self.string()?),
            Some('-' | '+' | '.' | '0'..='9') => Value::Number(self.number()?),
            Some(_) => self.word()?,
            None => return Err(self.unexpected("the layout is incomplete", "a value is missing")),
        };
        let span = self.span_from(start);
        Ok(Json { value, span })
    }

    /// A word that is a value, or `float('inf')`.
    fn word(&mut self) -> Result<Value> {
        let rest = self.rest();
        let is_letter = |c: char| c.is_alphanumeric() || c == '_';
        let length = rest.find(|c| !is_letter(c)).unwrap_or(rest.len());
        let word = &rest[..length];
        if let Some((_, value)) = WORDS.iter().find(|(name, _)| *name == word) {
            self.at += length;
            return Ok(value.clone());
        }
        for infinite in ["float('inf')", "float(\"inf\")"] {
            if self.takes(infinite) {
                return Ok(Value::Number(INFINITY.to_owned()));
            }
        }
        let label = if length == 0 {
            "unexpected"
        } else {
            "texts are in quotes"
        };
        Err(self.unexpected("this is not a value", label))
    }

    fn list(&mut self, depth: usize, end: char) -> Result<Value> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.skip();
            if self.peek() == Some(end) {
                self.at += 1;
                return Ok(Value::List(items));
            }
            items.push(self.value(depth + 1)?);
            self.skip();
            if !self.takes(",") && self.peek() != Some(end) {
                return Err(self.unexpected("a list goes on or ends here", "`,` or its end"));
            }
        }
    }

    fn dictionary(&mut self, depth: usize) -> Result<Value> {
        self.at += 1;
        let mut entries = Vec::new();
        loop {
            self.skip();
            if self.takes("}") {
                return Ok(Value::Object(entries));
            }
            if !matches!(self.peek(), Some('"' | '\'')) {
                return Err(self.unexpected("a key in quotes is needed here", "`\"key\": …`"));
            }
            let start = self.at;
            let text = self.string()?;
            let span = self.span_from(start);
            self.skip();
            if !self.takes(":") {
                return Err(self.unexpected("a key is followed by its value", "`:`"));
            }
            let value = self.value(depth + 1)?;
            entries.push((Text { text, span }, value));
            self.skip();
            if !self.takes(",") && self.peek() != Some('}') {
                return Err(self.unexpected("a dictionary goes on or ends here", "`,` or `}`"));
            }
        }
    }

    /// A number as it is spelled, without a plus before it.
    fn number(&mut self) -> Result<String> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '+' | '-');
        let rest = self.rest();
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let number = rest[..length].trim_start_matches('+').to_owned();
        let is_finite = number.parse().is_ok_and(|value: f64| value.is_finite());
        let is_plain = number
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E'));
        if !is_finite || !is_plain {
            return Err(self.unexpected("this is not a number", "digits, and no more"));
        }
        self.at += length;
        Ok(number)
    }

    fn string(&mut self) -> Result<String> {
        let start = self.at;
        let quote = if self.rest().starts_with('"') {
            "\""
        } else {
            "'"
        };
        let triple = quote.repeat(3);
        let (end, many_lines) = if self.takes(&triple) {
            (triple.as_str(), true)
        } else {
            self.at += quote.len();
            (quote, false)
        };
        let mut result = String::new();
        while !self.takes(end) {
            let next = self.peek();
            match next {
                Some('\\') => {
                    self.at += 1;
                    result.push(self.escape()?);
                }
                Some(c) if many_lines || c != '\n' => {
                    self.at += c.len_utf8();
                    result.push(c);
                }
                _ => {
                    self.at = start;
                    return Err(self.unexpected("this text is not closed", "begins here"));
                }
            }
        }
        Ok(result)
    }

    fn escape(&mut self) -> Result<char> {
        let escaped = match self.peek() {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some(c @ ('\\' | '\'' | '"')) => c,
            _ => return Err(self.unexpected("this escape is not read", "after `\\`")),
        };
        self.at += 1;
        Ok(escaped)
    }
}
