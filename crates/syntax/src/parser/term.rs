//! Terms: objects, variables, numbers, function applications, arithmetic, aggregates.

use super::super::ast::{Application, ArgTerm, Arithmetic, CountTerm, Name, Term};
use super::super::tree::{Node, Tree};
use super::construct::Place;
use super::construct::is_condition_word;
use super::context::Context;
use brigade_diagnostics::Code;

const ARG_SHAPE: &str = "(argmin (?x - type) condition value [:ties key])";

impl Context<'_> {
    /// Reads a term; `None` after a report.
    pub(super) fn term(&mut self, tree: &Tree<'_>) -> Option<Term> {
        match &tree.node {
            Node::Name("#t") => {
                self.not_supported("continuous-effects", tree.span, "continuous change (`#t`)");
                None
            }
            Node::Name(text) if tree.numeral().is_none() || self.vocabulary.is_object(text) => {
                Some(Term::Name(Name {
                    text: (*text).into(),
                    span: tree.span,
                }))
            }
            Node::Variable(text) => Some(Term::Variable(Name {
                text: (*text).into(),
                span: tree.span,
            })),
            Node::Name(_) | Node::Number(_) => Some(Term::Number(self.number(tree)?, tree.span)),
            Node::List(items) => self.compound_term(tree, items),
            Node::Keyword(_) | Node::Text(_) | Node::Junk => {
                self.unexpected(Code::ExpectedTerm, tree, "an object, variable or number");
                None
            }
        }
    }

    /// Reads the arguments of a predicate or function, in which a word such as `1e3` names an object.
    pub(super) fn arguments(&mut self, items: &[Tree<'_>]) -> Option<Vec<Term>> {
        let argument = |context: &mut Self, item: &Tree<'_>| match (item.name(), item.numeral()) {
            (Some(text), Some(_)) => Some(Term::Name(Name {
                text: text.into(),
                span: item.span,
            })),
            _ => context.term(item),
        };
        let terms: Vec<Option<Term>> = items.iter().map(|item| argument(self, item)).collect();
        terms.into_iter().collect()
    }

    /// Reads each item as a term; all are read even if one cannot be.
    pub(super) fn terms(&mut self, items: &[Tree<'_>]) -> Option<Vec<Term>> {
        let terms: Vec<Option<Term>> = items.iter().map(|item| self.term(item)).collect();
        terms.into_iter().collect()
    }

    fn compound_term(&mut self, tree: &Tree<'_>, items: &[Tree<'_>]) -> Option<Term> {
        let Some((head, args)) = items.split_first() else {
            self.unexpected(Code::ExpectedTerm, tree, "a term");
            return None;
        };
        let Some(word) = head.name() else {
            let help = "a term in parentheses begins with the name of a function";
            self.unexpected_help(Code::ExpectedTerm, head, "the name of a function", help);
            return None;
        };
        let operator = match word {
            "+" => Some((Arithmetic::Add, 2..=usize::MAX, "(+ a b)")),
            "-" => Some((Arithmetic::Subtract, 1..=2, "(- a b)")),
            "*" => Some((Arithmetic::Multiply, 2..=usize::MAX, "(* a b)")),
            "/" => Some((Arithmetic::Divide, 2..=2, "(/ a b)")),
            _ => None,
        };
        if let Some((operator, range, shape)) = operator {
            let terms = self.terms(args);
            return self.arity(tree, range, shape).then_some(Term::Arithmetic(
                operator,
                terms?.into(),
                tree.span,
            ));
        }
        if is_condition_word(word) && !self.vocabulary.declares(word) {
            let message = format!("`{word}` makes a condition, but a term is needed here");
            self.error(
                Code::ExpectedTerm,
                tree.mark(),
                message,
                "an object or number is needed",
            );
            return None;
        }
        if let Some(meant) = self.with_word_once(tree, head, args, Place::Term) {
            return self.term(&meant);
        }
        if is_aggregate_of_variables(word, args)
            && let Some(construct) = self.construct(head, word, Place::Term)
        {
            return self.aggregate(tree, args, construct.name);
        }
        if let Some(misspelt) = self.misspelt(head, word, args, Place::Term) {
            let construct = self.construct(head, misspelt.read_as?, Place::Term)?;
            return self.aggregate(tree, args, construct.name);
        }
        let args = self.arguments(args)?;
        let name = Name {
            text: word.into(),
            span: head.span,
        };
        Some(Term::Apply(Box::new(Application {
            name,
            args,
            span: tree.span,
        })))
    }

    fn aggregate(&mut self, tree: &Tree<'_>, args: &[Tree<'_>], word: &str) -> Option<Term> {
        let (operator, range, shape) = match word {
            "count" => return self.count(tree, args),
            "argmin" => return self.arg_term(tree, args, false),
            "argmax" => return self.arg_term(tree, args, true),
            "abs" => (Arithmetic::Abs, 1..=1, "(abs e)"),
            "min" => (Arithmetic::Min, 1..=usize::MAX, "(min e …)"),
            _ => (Arithmetic::Max, 1..=usize::MAX, "(max e …)"),
        };
        let terms = self.terms(args);
        self.arity(tree, range, shape).then_some(Term::Arithmetic(
            operator,
            terms?.into(),
            tree.span,
        ))
    }

    fn count(&mut self, tree: &Tree<'_>, args: &[Tree<'_>]) -> Option<Term> {
        if !self.arity(tree, 2..=2, "(count (?x - type) condition)") {
            return None;
        }
        let variables = self.variables(&args[0]);
        let among = self.formula(&args[1]);
        Some(Term::Count(Box::new(CountTerm {
            variables,
            among,
            span: tree.span,
        })))
    }

    fn arg_term(&mut self, tree: &Tree<'_>, args: &[Tree<'_>], maximize: bool) -> Option<Term> {
        let ties = match args.get(3) {
            Some(key) if key.is_keyword("ties") => args.get(4),
            Some(other) => {
                self.unexpected_help(
                    Code::MalformedConstruct,
                    other,
                    "`:ties`",
                    &format!("write `{ARG_SHAPE}`"),
                );
                return None;
            }
            None => None,
        };
        let keyword_alone = args.len() == 4;
        if keyword_alone || !self.arity(tree, 3..=5, ARG_SHAPE) {
            if keyword_alone {
                self.error(Code::MissingValue, args[3].span, "`:ties` has no value", "");
            }
            return None;
        }
        let mut variables = self.variables(&args[0]);
        let among = self.formula(&args[1]);
        let value = self.term(&args[2]);
        let ties = match ties {
            Some(ties) => Some(self.term(ties)?),
            None => None,
        };
        let (Some(variable), true) = (variables.pop(), variables.is_empty()) else {
            let message = "`argmin` and `argmax` range over one variable";
            let diagnostic = self.at(Code::MalformedConstruct, args[0].span, message, "");
            self.push(diagnostic.help(format!("write `{ARG_SHAPE}`")));
            return None;
        };
        Some(Term::Arg(Box::new(ArgTerm {
            maximize,
            variable,
            among,
            value: value?,
            ties,
            span: tree.span,
        })))
    }
}

/// Returns true if a word with these arguments can be an aggregate: one that binds variables begins with a list of
/// them, which no function of the same name takes.
fn is_aggregate_of_variables(word: &str, args: &[Tree<'_>]) -> bool {
    let binds = ["count", "argmin", "argmax"]
        .iter()
        .any(|name| name.eq_ignore_ascii_case(word));
    let first = args.first().and_then(Tree::items);
    let variables =
        first.is_some_and(|items| items.is_empty() || matches!(items[0].node, Node::Variable(_)));
    !binds || variables
}
