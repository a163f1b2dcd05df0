//! The superset tree: lists and tokens with spans, before anything is known of their meaning.

use pest::Parser;
use pest::iterators::Pair;

use super::balance::MAX_NESTING;
use super::span::Span;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, SourceId};
use reader::{LispReader, Rule};

/// The pest parser, kept apart because the derive makes its `Rule` public.
mod reader {
    #[derive(pest_derive::Parser)]
    #[grammar = "../grammar/lisp.pest"]
    pub(super) struct LispReader;
}

/// A list or a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree<'s> {
    /// What it is.
    pub node: Node<'s>,
    /// Where it stands.
    pub span: Span,
}

/// What a [`Tree`] is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node<'s> {
    /// `(…)`.
    List(Vec<Tree<'s>>),
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
    pub fn items(&self) -> Option<&[Tree<'s>]> {
        match &self.node {
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

    /// What it is, for a message: ``the name `foo` ``.
    pub fn describe(&self) -> String {
        match &self.node {
            Node::List(items) if items.is_empty() => "an empty list".to_owned(),
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

/// A word as it was meant, where only a comma or colon after it is wrong: what it declares is then not
/// lost.
fn punctuated(text: &str) -> Node<'_> {
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

/// Reads a balanced text. `offset` is where it stands in the source, 0 for a whole file.
pub fn read<'s>(
    source: SourceId,
    text: &'s str,
    offset: u32,
    diagnostics: &mut Diagnostics,
) -> Forest<'s> {
    let mut builder = Builder {
        source,
        offset,
        diagnostics,
        comments: Vec::new(),
    };
    let pairs = match LispReader::parse(Rule::file, text) {
        Ok(pairs) => pairs,
        Err(error) => {
            builder.report_failure(&error);
            return Forest::default();
        }
    };
    let trees = pairs.flat_map(Pair::into_inner);
    let trees = trees.filter_map(|pair| builder.tree(pair, 0)).collect();
    Forest {
        trees,
        comments: builder.comments,
    }
}

struct Builder<'d> {
    source: SourceId,
    offset: u32,
    diagnostics: &'d mut Diagnostics,
    comments: Vec<Span>,
}

impl Builder<'_> {
    fn tree<'s>(&mut self, pair: Pair<'s, Rule>, depth: usize) -> Option<Tree<'s>> {
        let range = pair.as_span();
        let text = range.as_str();
        let span = self.span(range.start(), range.end());
        let node = match pair.as_rule() {
            Rule::list if depth >= MAX_NESTING => {
                self.too_deep(span);
                Node::Junk
            }
            Rule::list => {
                let mut items = Vec::new();
                for inner in pair.into_inner() {
                    items.extend(self.tree(inner, depth + 1));
                }
                Node::List(items)
            }
            Rule::name => Node::Name(text),
            Rule::variable => Node::Variable(&text[1..]),
            Rule::keyword => Node::Keyword(&text[1..]),
            Rule::number => Node::Number(text),
            Rule::text => Node::Text(&text[1..text.len() - 1]),
            Rule::comment => {
                self.comments.push(span);
                return None;
            }
            Rule::EOI => return None,
            _ => {
                self.report_junk(text, span);
                punctuated(text)
            }
        };
        Some(Tree { node, span })
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.offset + start as u32, self.offset + end as u32)
    }

    fn report_junk(&mut self, text: &str, span: Span) {
        let allowed = |c: char| c.is_ascii_alphanumeric() || "-_.+*/<=>!$%&@~^#".contains(c);
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
            Some(',') => (
                "unexpected character `,`".to_owned(),
                "remove it: what stands in a list is separated by blanks",
            ),
            Some(':') if text.ends_with(':') => (
                "unexpected character `:`".to_owned(),
                "remove it: a keyword has a colon before it, not after",
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

    fn too_deep(&mut self, span: Span) {
        let message = format!("lists are nested more than {MAX_NESTING} deep");
        let first = Span::new(span.start, span.start + 1);
        self.diagnostics
            .push(Diagnostic::new(Code::NestedTooDeeply, message).primary(
                self.source,
                first,
                "one level too many",
            ));
    }

    /// Balanced text always matches the grammar; what remains are pest's own limits.
    fn report_failure(&mut self, error: &pest::error::Error<Rule>) {
        let at = match error.location {
            pest::error::InputLocation::Pos(at) | pest::error::InputLocation::Span((at, _)) => at,
        };
        self.diagnostics.push(
            Diagnostic::new(
                Code::UnexpectedCharacter,
                "the text cannot be read from here on",
            )
            .primary(self.source, self.span(at, at), ""),
        );
    }
}
