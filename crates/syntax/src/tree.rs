//! The superset tree: lists and tokens with spans, before anything is known of their meaning.

use bumpalo::Bump;
use pest::Parser;
use pest::iterators::Pair;

use super::balance::MAX_NESTING;
use super::balance::words::{line_end, string_end};
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics, SourceId};
use reader::{LispReader, Rule};

mod plain;
#[cfg(test)]
mod tests;

pub(super) use plain::word;

/// The pest parser, kept apart because the derive makes its `Rule` public.
mod reader {
    #[derive(pest_derive::Parser)]
    #[grammar = "../../../grammar/lisp.pest"]
    pub(super) struct LispReader;
}

/// A list or a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tree<'s> {
    /// The content of the node.
    pub node: Node<'s>,
    /// The place in the source.
    pub span: Span,
}

/// The content of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node<'s> {
    /// `(…)`.
    List(&'s [Tree<'s>]),
    /// A name or an operator.
    Name(&'s str),
    /// `?x`, without the question mark.
    Variable(&'s str),
    /// `:key`, without the colon.
    Keyword(&'s str),
    /// `3` or `-1.5`, as written.
    Number(&'s str),
    /// `"…"`, without the quotes, escapes as written.
    Text(&'s str),
    /// A word that is none of these; already reported.
    Junk,
}

/// The content of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forest<'s> {
    /// The lists and tokens at top level.
    pub trees: Vec<Tree<'s>>,
    /// The comments, from the semicolon to the end of the line, in order.
    pub comments: Vec<Span>,
}

impl<'s> Tree<'s> {
    /// The items of a list.
    pub fn items(&self) -> Option<&'s [Tree<'s>]> {
        match self.node {
            Node::List(items) => Some(items),
            _ => None,
        }
    }

    /// The text of a name.
    pub fn name(&self) -> Option<&'s str> {
        match self.node {
            Node::Name(text) => Some(text),
            _ => None,
        }
    }

    /// Is it this name, in any case?
    pub fn is_name(&self, name: &str) -> bool {
        self.name()
            .is_some_and(|text| text.eq_ignore_ascii_case(name))
    }

    /// Is it this keyword, in any case?
    pub fn is_keyword(&self, keyword: &str) -> bool {
        matches!(self.node, Node::Keyword(text) if text.eq_ignore_ascii_case(keyword))
    }

    /// The text of a keyword.
    pub fn keyword(&self) -> Option<&'s str> {
        match self.node {
            Node::Keyword(text) => Some(text),
            _ => None,
        }
    }

    /// A short stretch that stands for the whole in a report: of a list, its opening parenthesis
    /// and its head.
    pub fn mark(&self) -> Span {
        match self.items() {
            Some([head, ..])
                if head.items().is_none() && head.span.start == self.span.start + 1 =>
            {
                Span::new(self.span.start, head.span.end)
            }
            None | Some([]) => self.span,
            Some(_) => Span::new(self.span.start, self.span.start + 1),
        }
    }

    /// The digits of a number. A word such as `1e3` is one where a number is needed, and a name where an
    /// object is.
    pub fn numeral(&self) -> Option<&'s str> {
        match self.node {
            Node::Number(text) => Some(text),
            Node::Name(text) if is_number_or_name(text) => Some(text),
            _ => None,
        }
    }

    /// Describes the node, for a message: ``the name `foo` ``.
    pub fn describe(&self) -> String {
        match &self.node {
            Node::List([]) => "an empty list".to_owned(),
            Node::List(_) => "a list".to_owned(),
            Node::Name(text) => format!("the name `{text}`"),
            Node::Variable(text) => format!("the variable `?{text}`"),
            Node::Keyword(text) => format!("the keyword `:{text}`"),
            Node::Number(text) => format!("the number {text}"),
            Node::Text(_) => "a text".to_owned(),
            Node::Junk => "an unknown word".to_owned(),
        }
    }
}

/// A word as it was meant, where only a comma or colon after it is wrong, or which dash it is: what it
/// declares is then not lost.
fn punctuated(text: &str) -> Node<'_> {
    if matches!(text, ":" | "–" | "—" | "−") {
        return Node::Name("-");
    }
    if let Some(node) = undoubled(text) {
        return node;
    }
    let word = text.trim_end_matches([',', ':']);
    let (mark, name) = match word.as_bytes().first() {
        Some(mark @ (b'?' | b':')) => (*mark, &word[1..]),
        _ => (0, word),
    };
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if word.len() == text.len() || name.is_empty() || !name.bytes().all(is_plain) {
        return Node::Junk;
    }
    match mark {
        b'?' => Node::Variable(name),
        b':' => Node::Keyword(name),
        _ if name.bytes().all(|byte| byte.is_ascii_digit()) => Node::Number(name),
        _ => Node::Name(name),
    }
}

/// A word whose mark stands twice: `::effect`.
fn undoubled(text: &str) -> Option<Node<'_>> {
    let is_twice = text.starts_with("::") || text.starts_with("??");
    is_twice.then(|| sound_word(&text[1..])).flatten()
}

/// Returns the node of a word, if it is sound.
fn sound_word(text: &str) -> Option<Node<'_>> {
    let is_name = |text: &str| !text.is_empty() && text.bytes().all(is_name_char);
    let rest = text.get(1..).unwrap_or_default();
    match text.as_bytes().first()? {
        b'?' if is_name(rest) => Some(Node::Variable(rest)),
        b':' if is_name(rest) => Some(Node::Keyword(rest)),
        b'-' | b'+' | b'.' | b'0'..=b'9' if is_number(text) => Some(Node::Number(text)),
        _ if is_name(text) => Some(Node::Name(text)),
        _ => None,
    }
}

/// About how many bytes are read before it is asked whether these were too many lists and words.
const BATCH: usize = 32 << 10;

/// About how many bytes are given to the grammar at once, from the first that is no plain word: enough that
/// asking costs little, and few enough that what is plain after it is soon read without.
const ASKED: usize = 1 << 10;

/// Reads a balanced text; lists live in `arena`. `offset` is where it stands in the source, 0 for a
/// whole file. A list that is never closed ends with the text, and a `)` that closes nothing is left
/// out.
pub fn read<'s>(
    arena: &'s Bump,
    source: SourceId,
    text: &'s str,
    offset: u32,
    diagnostics: &mut Diagnostics,
) -> Forest<'s> {
    read_most(arena, source, (text, offset), &MOST, diagnostics)
}

/// Reads a text of so many lists and words.
fn read_most<'s>(
    arena: &'s Bump,
    source: SourceId,
    (text, offset): (&'s str, u32),
    most: &Most,
    diagnostics: &mut Diagnostics,
) -> Forest<'s> {
    let mut builder = Builder::new(arena, source, diagnostics);
    let mut at = 0;
    while at < text.len() {
        let stop = text.len().min(at + BATCH);
        at = builder.plain(text, at..stop, offset);
        if at < stop {
            let end = batch_end(text.as_bytes(), at);
            builder.other(&text[at..end], at, offset);
            at = end;
        }
        if let Some(message) = builder.exceeded(most) {
            builder.report_too_many(message, offset + at as u32);
            return Forest::default();
        }
    }
    builder.finish(offset + text.len() as u32)
}

/// The end of the batch that begins at `start`: between two tokens.
fn batch_end(bytes: &[u8], start: usize) -> usize {
    let goal = start + ASKED;
    if goal >= bytes.len() {
        return bytes.len();
    }
    // No token goes beyond its line.
    let line = bytes[start..goal].iter().rposition(|byte| *byte == b'\n');
    let mut at = line.map_or(start, |line| start + line);
    while at < bytes.len() {
        match bytes[at] {
            b';' => at = line_end(bytes, at),
            b'"' => at = string_end(bytes, at).unwrap_or_else(|end| end),
            b' ' | b'\n' | b'\t' | b'\r' | b'(' | b')' if at >= goal => break,
            _ => at += 1,
        }
    }
    at
}

/// The limits on the size of a text.
struct Most {
    /// Lists and words: with what is made of them, they take some hundred bytes each.
    trees: usize,
    /// Words that cannot be read: a file of more is no text of this language.
    junk: usize,
}

const MOST: Most = Most {
    trees: 10_000_000,
    junk: 100_000,
};

struct Builder<'s, 'd> {
    arena: &'s Bump,
    source: SourceId,
    diagnostics: &'d mut Diagnostics,
    comments: Vec<Span>,
    /// The trees that were read: those at top level, then the items so far of each list that is open.
    trees: Vec<Tree<'s>>,
    /// Of each list that is open, the place of its first item in `trees`, and where it begins.
    open: Vec<(usize, u32)>,
    /// The number of open lists that are nested too deeply. Nothing in them is read.
    too_deep: usize,
    /// The number of lists and words that were read.
    read: usize,
    /// The number of words that could not be read.
    junk: usize,
    /// The last colon that stood alone.
    colon: Option<Span>,
}

impl<'s, 'd> Builder<'s, 'd> {
    fn new(arena: &'s Bump, source: SourceId, diagnostics: &'d mut Diagnostics) -> Self {
        Self {
            arena,
            source,
            diagnostics,
            comments: Vec::new(),
            trees: Vec::new(),
            open: Vec::new(),
            too_deep: 0,
            read: 0,
            junk: 0,
            colon: None,
        }
    }

    /// Returns the message for the limit that is exceeded, if any is.
    fn exceeded(&self, most: &Most) -> Option<String> {
        if self.read > most.trees {
            let most = most.trees;
            return Some(format!("the file has more than {most} lists and words"));
        }
        let most = most.junk;
        let is_junk = self.junk > most;
        is_junk.then(|| format!("the file has more than {most} words that cannot be read"))
    }

    /// Everything that was read of a text that ends here.
    fn finish(mut self, end: u32) -> Forest<'s> {
        while !self.open.is_empty() {
            self.close(end);
        }
        Forest {
            trees: self.trees,
            comments: self.comments,
        }
    }

    /// Reads what stands at `at` of the text, which is any tokens, by the grammar.
    fn other(&mut self, batch: &'s str, at: usize, offset: u32) {
        let start = offset + at as u32;
        let rule = if at == 0 { Rule::file } else { Rule::rest };
        match LispReader::parse(rule, batch) {
            Ok(pairs) => {
                let mut gap = 0;
                for token in pairs.flat_map(Pair::into_inner) {
                    let token_at = token.as_span();
                    self.gap(&batch[gap..token_at.start()], start + gap as u32);
                    self.token(&token, start);
                    gap = token_at.end();
                }
            }
            Err(error) => self.report_failure(&error, start),
        }
    }

    /// Takes a token of a batch that begins at `offset` of the source.
    fn token(&mut self, token: &Pair<'s, Rule>, offset: u32) {
        let range = token.as_span();
        let text = range.as_str();
        let span = Span::new(offset + range.start() as u32, offset + range.end() as u32);
        let node = match token.as_rule() {
            Rule::comment => return self.comments.push(span),
            Rule::word => self.word(text, span),
            Rule::text => Node::Text(&text[1..text.len() - 1]),
            _ => return,
        };
        self.take(node, span);
    }

    /// Takes what stands between two tokens, from `start` of the source on.
    fn gap(&mut self, text: &str, start: u32) {
        for (at, byte) in (start..).zip(text.bytes()) {
            match byte {
                b'(' => self.open(Span::new(at, at + 1)),
                b')' => self.close(at + 1),
                _ => {}
            }
        }
    }

    fn open(&mut self, span: Span) {
        if self.too_deep > 0 {
            self.too_deep += 1;
            return;
        }
        if self.open.len() == MAX_NESTING {
            self.report_too_deep(span);
            self.too_deep = 1;
            return;
        }
        self.read += 1;
        self.open.push((self.trees.len(), span.start));
    }

    fn close(&mut self, end: u32) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        let Some((first, start)) = self.open.pop() else {
            return;
        };
        let items: &[Tree<'s>] = match &self.trees[first..] {
            [colon, name, rest @ ..] if self.colon == Some(colon.span) && name.name().is_some() => {
                // A keyword apart from its colon, which was reported.
                let keyword = Tree {
                    node: Node::Keyword(name.name().unwrap_or_default()),
                    span: colon.span.to(name.span),
                };
                let items = std::iter::once(keyword).chain(rest.iter().copied());
                self.arena.alloc_slice_fill_iter(items.collect::<Vec<_>>())
            }
            items => self.arena.alloc_slice_copy(items),
        };
        self.trees.truncate(first);
        self.trees.push(Tree {
            node: Node::List(items),
            span: Span::new(start, end),
        });
    }

    fn word(&mut self, text: &'s str, span: Span) -> Node<'s> {
        sound_word(text).unwrap_or_else(|| {
            self.junk += 1;
            if text == ":" {
                self.colon = Some(span);
            }
            if self.too_deep == 0 {
                self.report_junk(text, span);
            }
            punctuated(text)
        })
    }

    fn report_junk(&mut self, text: &str, span: Span) {
        if self.diagnostics.is_full() {
            return self
                .diagnostics
                .count(Code::UnexpectedCharacter, self.source, span);
        }
        let allowed = |c: char| u8::try_from(c).is_ok_and(is_name_char);
        let inner = text.strip_prefix([':', '?']).unwrap_or(text);
        let bad = inner.chars().find(|c| !allowed(*c));
        let (message, help) = match bad {
            Some('“' | '”' | '„' | '‘' | '’') => (
                "typographic quotes do not enclose a text".to_owned(),
                "write `\"` instead",
            ),
            Some(c) if c.is_control() => (
                format!("unexpected character U+{:04X}", u32::from(c)),
                "remove it; is this a text file?",
            ),
            Some(',') if has_decimal_comma(text) => (
                "a fraction has a point, not a comma".to_owned(),
                "write `2.5` for two and a half",
            ),
            Some(':' | '?') if undoubled(text).is_some() => (
                format!("`{}` stands twice", &text[..1]),
                "remove one of the two",
            ),
            Some(',') => (
                "unexpected character `,`".to_owned(),
                "remove it: what stands in a list is separated by blanks",
            ),
            Some(':') if text.ends_with(':') => (
                "unexpected character `:`".to_owned(),
                "remove it: a keyword has a colon before it, not after",
            ),
            Some('–' | '—' | '−') => (
                "a dash of typography is no `-`".to_owned(),
                "write `-`, the character of the keyboard",
            ),
            None if text == ":" => (
                "`:` stands alone".to_owned(),
                "a type stands after a dash, `- type`, and a keyword has its colon before it, `:name`",
            ),
            Some(c @ ('≤' | '≥' | '≠')) => (
                format!("unexpected character `{c}`"),
                "comparisons are written `<=`, `>=` and `(not (= …))`",
            ),
            Some(c) if !c.is_ascii() => (
                format!("unexpected character `{c}` (U+{:04X})", u32::from(c)),
                "names are made of the letters from a to z, digits and signs of ASCII such as `-` and `_`",
            ),
            Some(c) => (
                format!("unexpected character `{c}`"),
                "names are made of letters from a to z, digits, `-` and `_`",
            ),
            None => (
                format!("`{text}` is not a word"),
                "a variable is written `?name`, a keyword `:name`",
            ),
        };
        self.diagnostics.push(
            Diagnostic::new(Code::UnexpectedCharacter, message)
                .primary(self.source, span, "in this word")
                .help(help),
        );
    }

    fn report_too_deep(&mut self, span: Span) {
        let message = format!("lists are nested more than {MAX_NESTING} deep");
        self.diagnostics
            .push(Diagnostic::new(Code::NestedTooDeeply, message).primary(
                self.source,
                span,
                "one level too many",
            ));
    }

    fn report_too_many(&mut self, message: String, at: u32) {
        self.diagnostics
            .push(Diagnostic::new(Code::SourceTooLarge, message).primary(
                self.source,
                Span::new(at, at),
                "not read from here on",
            ));
    }

    /// Balanced text always matches the grammar; what remains are pest's own limits.
    fn report_failure(&mut self, error: &pest::error::Error<Rule>, offset: u32) {
        let at = match error.location {
            pest::error::InputLocation::Pos(at) | pest::error::InputLocation::Span((at, _)) => at,
        };
        let at = offset + at as u32;
        self.diagnostics.push(
            Diagnostic::new(
                Code::UnexpectedCharacter,
                "the text cannot be read from here on",
            )
            .primary(self.source, Span::new(at, at), ""),
        );
    }
}

/// Digits, a comma and digits.
fn has_decimal_comma(text: &str) -> bool {
    text.split_once(',')
        .is_some_and(|(whole, rest)| is_digits(whole) && is_digits(rest))
}

/// May this stand in a name? `-`, `=`, `<=` and the like are names, and so is `3d`, but not `3`.
const fn is_name_char(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'-' | b'_'
                | b'.'
                | b'+'
                | b'*'
                | b'/'
                | b'<'
                | b'='
                | b'>'
                | b'!'
                | b'$'
                | b'%'
                | b'&'
                | b'@'
                | b'~'
                | b'^'
                | b'#'
        )
}

/// `3`, `-3`, `+3.25`, `.5`, `1.`, `-1.5e3`. With an exponent but neither sign nor point it may be a name:
/// see [`Tree::numeral`].
fn is_number(text: &str) -> bool {
    match text.split_once(['e', 'E']) {
        None => is_decimal(unsigned(text)),
        Some((digits, exponent)) => {
            let is_marked = digits.starts_with(['-', '+']) || digits.contains('.');
            is_marked && is_decimal(unsigned(digits)) && is_digits(unsigned(exponent))
        }
    }
}

/// `1e3`, `2E-1`: a number where one is needed, and else a name.
fn is_number_or_name(text: &str) -> bool {
    text.split_once(['e', 'E'])
        .is_some_and(|(digits, exponent)| is_digits(digits) && is_digits(unsigned(exponent)))
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Digits, of which some may stand after a point.
fn is_decimal(text: &str) -> bool {
    match text.split_once('.') {
        None => is_digits(text),
        Some(("", part) | (part, "")) => is_digits(part),
        Some((whole, fraction)) => is_digits(whole) && is_digits(fraction),
    }
}

fn unsigned(text: &str) -> &str {
    text.strip_prefix(['-', '+']).unwrap_or(text)
}
