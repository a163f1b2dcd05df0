//! Reads the values of a function, as they are written after the `-` of its declaration.

use super::super::ast::TypeExpr;
use super::super::tree::{Node, Tree};
use super::context::Context;
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, suggest};

/// The type of all numbers.
const NUMBER: &str = "number";

/// The names of numbers in other languages. None of these is a type, unless the domain declares it.
const NUMBERS: &[&str] = &[
    "int", "integer", "integers", "float", "real", "double", "decimal", "num", "numeric",
    "numbers", "nat", "natural",
];

/// The names of truth values in other languages.
const TRUTH: &[&str] = &["bool", "boolean"];

/// The values of a function, as far as they are known.
pub(super) enum Values {
    Of(TypeExpr),
    /// True or false.
    Truth,
    /// A report says what is wrong.
    Unknown,
}

impl Context<'_> {
    /// Reads the type or range after the `-`; bounds that belong into its parentheses may follow.
    pub(super) fn values(
        &mut self,
        tree: &Tree<'_>,
        rest: &mut std::slice::Iter<'_, Tree<'_>>,
    ) -> Values {
        if let Node::Number(_) = tree.node {
            let mut numbers = vec![tree];
            while let Some(next) = rest.as_slice().first().filter(|next| is_number(next)) {
                numbers.push(next);
                rest.next();
            }
            return self.range_of(tree.span, &numbers);
        }
        if let Some([first, ..]) = tree.items()
            && (is_number(first) || is_one_of(first, NUMBERS) && !first.is_name("int"))
        {
            let numbers = tree.items().unwrap_or_default().iter();
            return self.range_of(
                tree.span,
                &numbers.filter(|it| is_number(it)).collect::<Vec<_>>(),
            );
        }
        let is_own = |name: &str| self.vocabulary.types.contains(&name.to_ascii_lowercase());
        if let Some(name) = tree.name().filter(|name| !is_own(name)) {
            if is_one_of(tree, TRUTH) {
                let message = format!("`{name}` is no type: what is true or false is a predicate");
                let diagnostic = self.at(Code::MalformedType, tree.span, message, "no type");
                let help = "declare it without a type in `:predicates`";
                self.push(diagnostic.help(help).mended());
                return Values::Truth;
            }
            if is_one_of(tree, NUMBERS) {
                return self.number_word(name, tree, rest);
            }
            let own = self.vocabulary.types.iter().map(String::as_str);
            if !name.eq_ignore_ascii_case(NUMBER)
                && suggest(name, [NUMBER]).is_some()
                && suggest(name, own).is_none()
            {
                let message = format!("there is no type `{name}`");
                let diagnostic = self.at(Code::MalformedType, tree.span, message, "no type");
                let help = format!("did you mean `{NUMBER}`?");
                self.push(diagnostic.help(help).mended());
                return Values::Of(TypeExpr::Number(tree.span));
            }
        }
        self.type_expr(tree).map_or(Values::Unknown, Values::Of)
    }

    /// A word for numbers, with what bounds follow it.
    fn number_word(
        &mut self,
        name: &str,
        tree: &Tree<'_>,
        rest: &mut std::slice::Iter<'_, Tree<'_>>,
    ) -> Values {
        let of_list = rest.as_slice().first().and_then(Tree::items);
        let mut bounds: Vec<&str> = Vec::new();
        if let Some(items @ [first, ..]) = of_list
            && !matches!(first.node, Node::Name(_) | Node::Keyword(_))
        {
            bounds.extend(items.iter().filter_map(number));
            let list = rest.next().map(|list| list.span);
            // A comma between them comes from the other notation, too.
            let span = list.unwrap_or(tree.span);
            self.diagnostics
                .withdraw(Code::UnexpectedCharacter, self.source, span);
        } else {
            while let Some(bound) = rest.as_slice().first().and_then(number) {
                bounds.push(bound);
                rest.next();
            }
        }
        if bounds.is_empty() {
            let message = match name.to_ascii_lowercase().as_str() {
                "int" => "`int` has bounds".to_owned(),
                _ => format!("`{name}` is no type"),
            };
            let diagnostic = self.at(Code::MalformedType, tree.span, message, "no type by itself");
            let help = "write `(int 0 100)` with the least and the greatest value, or `number` for costs and \
                        for what never changes";
            self.push(diagnostic.help(help).mended());
            return Values::Unknown;
        }
        let message = format!("the bounds of `{name}` stand outside of it");
        let diagnostic = self.at(Code::MalformedType, tree.span, message, "no type by itself");
        let help = format!("write `(int {})`", bounds.join(" "));
        self.push(diagnostic.help(help).mended());
        int_of(&bounds, tree.span)
    }

    /// Numbers without the word `int`.
    fn range_of(&mut self, span: Span, numbers: &[&Tree<'_>]) -> Values {
        let bounds: Vec<&str> = numbers.iter().filter_map(|tree| number(tree)).collect();
        let end = numbers.last().map_or(span, |last| span.to(last.span));
        let shown = match bounds[..] {
            [lo, hi] => format!("{lo} {hi}"),
            [one] => format!("0 {one}"),
            _ => "0 100".to_owned(),
        };
        let message = "this is not how bounds are written";
        let diagnostic = self.at(Code::MalformedType, span.to(end), message, "no type");
        self.push(diagnostic.help(format!("write `(int {shown})`")).mended());
        int_of(&bounds, span)
    }
}

fn int_of(bounds: &[&str], span: Span) -> Values {
    let value = |bound: Option<&&str>| bound.and_then(|bound| bound.parse::<i64>().ok());
    match (bounds.len(), value(bounds.first()), value(bounds.last())) {
        (2, Some(lo), Some(hi)) if lo <= hi => Values::Of(TypeExpr::Int { lo, hi, span }),
        _ => Values::Unknown,
    }
}

fn number<'s>(tree: &Tree<'s>) -> Option<&'s str> {
    match tree.node {
        Node::Number(text) => Some(text),
        _ => None,
    }
}

fn is_number(tree: &Tree<'_>) -> bool {
    number(tree).is_some()
}

fn is_one_of(tree: &Tree<'_>, words: &[&str]) -> bool {
    words.iter().any(|word| tree.is_name(word))
}
