//! Conditions.

use super::super::ast::{Comparison, Formula, Name};
use super::super::tree::{Node, Tree};
use super::context::Context;
use super::vocabulary::{Place, is_effect_word};
use crate::diagnostics::Code;

/// Words of standard PDDL that make a condition.
const WORDS: &[&str] = &[
    "and", "or", "not", "imply", "forall", "exists", "=", "<", "<=", ">", ">=",
];

/// Does this word make a condition in standard PDDL?
pub(super) fn is_condition_word(word: &str) -> bool {
    WORDS.iter().any(|known| known.eq_ignore_ascii_case(word))
}

fn comparison(word: &str) -> Option<Comparison> {
    Some(match word {
        "=" => Comparison::Equal,
        "<" => Comparison::Less,
        "<=" => Comparison::LessOrEqual,
        ">" => Comparison::Greater,
        ">=" => Comparison::GreaterOrEqual,
        _ => return None,
    })
}

impl Context<'_> {
    /// Reads a condition; an [`Formula::Error`] after a report.
    pub(super) fn formula(&mut self, tree: &Tree<'_>) -> Formula {
        let Some(items) = tree.items() else {
            let help = match tree.node {
                Node::Name(name) => format!("write it in parentheses: `({name})`"),
                _ => String::new(),
            };
            self.unexpected_help(Code::ExpectedFormula, tree, "a condition", &help);
            return Formula::Error(tree.span);
        };
        let Some((head, args)) = items.split_first() else {
            return Formula::And(Vec::new(), tree.span);
        };
        let Some(word) = head.name() else {
            let help = match head.node {
                Node::List(_) => "several conditions are joined by `(and …)`",
                _ => "a condition is a list that begins with a name, such as `(on ?x ?y)`",
            };
            self.unexpected_help(Code::ExpectedFormula, head, "the head of a condition", help);
            return Formula::Error(tree.span);
        };
        self.compound_formula(tree, head, word, args)
            .unwrap_or(Formula::Error(tree.span))
    }

    pub(super) fn formulas(&mut self, items: &[Tree<'_>]) -> Vec<Formula> {
        items.iter().map(|item| self.formula(item)).collect()
    }

    fn compound_formula(
        &mut self,
        tree: &Tree<'_>,
        head: &Tree<'_>,
        word: &str,
        args: &[Tree<'_>],
    ) -> Option<Formula> {
        if let Some(comparison) = comparison(word) {
            return self.comparison(tree, args, comparison);
        }
        match word.to_ascii_lowercase().as_str() {
            "and" => Some(Formula::And(self.formulas(args), tree.span)),
            "or" => Some(Formula::Or(self.formulas(args), tree.span)),
            "not" => {
                if !self.arity(tree, 1..=1, "(not condition)") {
                    return None;
                }
                Some(Formula::Not(Box::new(self.formula(&args[0])), tree.span))
            }
            "imply" => {
                if !self.arity(tree, 2..=2, "(imply condition condition)") {
                    return None;
                }
                let [left, right] = [&args[0], &args[1]].map(|arg| Box::new(self.formula(arg)));
                Some(Formula::Imply(left, right, tree.span))
            }
            quantifier @ ("forall" | "exists") => self.quantified(tree, args, quantifier),
            _ => self.atom_or_construct(tree, head, word, args),
        }
    }

    fn comparison(
        &mut self,
        tree: &Tree<'_>,
        args: &[Tree<'_>],
        comparison: Comparison,
    ) -> Option<Formula> {
        if !self.arity(tree, 2..=2, "(= a b)") {
            return None;
        }
        let (left, right) = (self.term(&args[0]), self.term(&args[1]));
        Some(Formula::Compare(comparison, left?, right?, tree.span))
    }

    fn quantified(
        &mut self,
        tree: &Tree<'_>,
        args: &[Tree<'_>],
        quantifier: &str,
    ) -> Option<Formula> {
        let shape = format!("({quantifier} (?x - type) condition)");
        if !self.arity(tree, 2..=2, &shape) {
            return None;
        }
        let variables = self.variables(&args[0]);
        let body = Box::new(self.formula(&args[1]));
        Some(if quantifier == "forall" {
            Formula::Forall(variables, body, tree.span)
        } else {
            Formula::Exists(variables, body, tree.span)
        })
    }

    fn atom_or_construct(
        &mut self,
        tree: &Tree<'_>,
        head: &Tree<'_>,
        word: &str,
        args: &[Tree<'_>],
    ) -> Option<Formula> {
        if let Some(construct) = self.construct(head, word, Place::Formula) {
            return match construct.name {
                "else" => self.else_formula(tree, args),
                "semantics" => {
                    if !self.arity(tree, 1..=1, "(semantics name)") {
                        return None;
                    }
                    let name = self.name(&args[0], "the name of a semantics")?;
                    Some(Formula::Semantics(name, tree.span))
                }
                _ => None,
            };
        }
        if is_effect_word(word) && !self.vocabulary.declares(word) {
            let message = format!("`{word}` makes an effect, but a condition is needed here");
            self.error(
                Code::ExpectedFormula,
                tree.mark(),
                message,
                "not a condition",
            );
            return None;
        }
        if self.is_infix(tree, word, args) {
            return None;
        }
        if let Some(misspelt) = self.misspelt(head, word, args, Place::Formula) {
            return self.compound_formula(tree, head, misspelt.read_as?, args);
        }
        let terms = self.terms(args)?;
        let name = Name {
            text: word.into(),
            span: head.span,
        };
        Some(Formula::Atom(name, terms, tree.span))
    }

    /// Reports a comparison whose operator stands between what it compares.
    fn is_infix(&mut self, tree: &Tree<'_>, word: &str, args: &[Tree<'_>]) -> bool {
        let [operator, right] = args else {
            return false;
        };
        let operator = match operator.name() {
            Some("==") => "=",
            Some(operator) if comparison(operator).is_some() => operator,
            _ => return false,
        };
        let right = match right.node {
            Node::Name(text) | Node::Number(text) => text.to_owned(),
            Node::Variable(text) => format!("?{text}"),
            _ => "…".to_owned(),
        };
        let message = "the operator of a comparison comes first";
        let diagnostic = self.at(Code::ExpectedFormula, tree.span, message, "not a condition");
        self.push(diagnostic.help(format!("write `({operator} ({word}) {right})`")));
        true
    }

    fn else_formula(&mut self, tree: &Tree<'_>, args: &[Tree<'_>]) -> Option<Formula> {
        if !self.arity(tree, 2..=2, "(else \"reason\" condition)") {
            return None;
        }
        let reason = match args[0].node {
            Node::Name(code) => Some(super::template::literal(code, args[0].span)),
            _ => self.template(&args[0], "a reason: a text or a name"),
        };
        let body = self.formula(&args[1]);
        Some(Formula::Else(reason?, Box::new(body), tree.span))
    }
}
