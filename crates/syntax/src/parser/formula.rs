//! Conditions.

use super::super::ast::{Comparison, Formula, Name};
use super::super::tree::{Node, Tree};
use super::construct::{Place, instead_of_construct, is_effect_word};
use super::context::Context;
use super::fields::Owner;
use super::loose::{Expected, written};
use super::variables::split_variables;
use brigade_diagnostics::Code;

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
            if let [one] = &*self.regrouped(std::slice::from_ref(tree), Expected::Condition)
                && one.items().is_some()
            {
                return self.formula(one);
            }
            self.unexpected(Code::ExpectedFormula, tree, "a condition");
            return Formula::Error(tree.span);
        };
        let Some((head, args)) = items.split_first() else {
            return Formula::And(Vec::new(), tree.span);
        };
        let Some(word) = head.name() else {
            return self.headless_formula(tree, head, items);
        };
        self.compound_formula(tree, head, word, args)
            .unwrap_or(Formula::Error(tree.span))
    }

    /// Reads a list of conditions.
    fn formulas(&mut self, items: &[Tree<'_>]) -> Vec<Formula> {
        let items = self.regrouped(items, Expected::Condition);
        items.iter().map(|item| self.formula(item)).collect()
    }

    /// Reads a list that does not begin with a name.
    fn headless_formula(
        &mut self,
        tree: &Tree<'_>,
        head: &Tree<'_>,
        items: &[Tree<'_>],
    ) -> Formula {
        if let Some(meant) = self.infix(items, Expected::Condition) {
            return self.formula(&meant);
        }
        let (what, code) = ("the head of a condition", Code::ExpectedFormula);
        if let Some(meant) = self.headed(tree, items, Expected::Condition) {
            return self.formula(&meant);
        }
        if head.items().is_none() {
            let help = "a condition is a list that begins with a name, such as `(on ?x ?y)`";
            self.unexpected_help(code, head, what, help);
            return Formula::Error(tree.span);
        }
        let help = match items {
            [_] => "remove one of the two pairs of parentheses around it",
            _ => "several conditions are joined by `(and …)`",
        };
        self.unexpected_help(code, head, what, help);
        Formula::And(self.formulas(items), tree.span)
    }

    /// Reads the one condition that stands where several items may.
    pub(super) fn only_formula(
        &mut self,
        items: &[Tree<'_>],
        owner: &Owner<'_>,
    ) -> Option<Formula> {
        let items = self.regrouped(items, Expected::Condition);
        let first = self.one(&items, owner)?;
        match &*items {
            [_] => Some(self.formula(first)),
            several => {
                let all = several.iter().map(|item| self.formula(item)).collect();
                Some(Formula::And(all, first.span))
            }
        }
    }

    fn compound_formula(
        &mut self,
        tree: &Tree<'_>,
        head: &Tree<'_>,
        word: &str,
        args: &[Tree<'_>],
    ) -> Option<Formula> {
        if let Some(meant) = self.with_word_once(tree, head, args, Place::Formula) {
            return Some(self.formula(&meant));
        }
        if let Some(comparison) = comparison(word) {
            return self.comparison(tree, args, comparison);
        }
        match word.to_ascii_lowercase().as_str() {
            "and" => Some(Formula::And(self.formulas(args), tree.span)),
            "or" => Some(Formula::Or(self.formulas(args), tree.span)),
            "not" => {
                let args = self.regrouped(args, Expected::Condition);
                if !self.has_parts(tree, args.len(), 1..=1, "(not condition)") {
                    return None;
                }
                Some(Formula::Not(Box::new(self.formula(&args[0])), tree.span))
            }
            "imply" => {
                let args = self.regrouped(args, Expected::Condition);
                if !self.has_parts(tree, args.len(), 2..=2, "(imply condition condition)") {
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
        let sign = tree.items().and_then(|items| items.first()?.name());
        if !self.arity(tree, 2..=2, &format!("({} a b)", sign.unwrap_or("="))) {
            return None;
        }
        if let Some(formula) = self.truth(tree, args, comparison) {
            return Some(formula);
        }
        let (left, right) = (self.term(&args[0]), self.term(&args[1]));
        let sides = Box::new([left?, right?]);
        Some(Formula::Compare(comparison, sides, tree.span))
    }

    /// A predicate that is compared with a truth value.
    fn truth(
        &mut self,
        tree: &Tree<'_>,
        args: &[Tree<'_>],
        comparison: Comparison,
    ) -> Option<Formula> {
        let [left, right] = args else { return None };
        let truth = match right.name()? {
            word if word.eq_ignore_ascii_case("true") => true,
            word if word.eq_ignore_ascii_case("false") => false,
            _ => return None,
        };
        let name = left.items().and_then(<[_]>::first).unwrap_or(left).name()?;
        if comparison != Comparison::Equal || !self.vocabulary.is_predicate(name) {
            return None;
        }
        let atom = match left.node {
            Node::List(_) => *left,
            _ => self.list(std::slice::from_ref(left)),
        };
        let write = match (truth, written(&atom)) {
            (true, atom) => atom,
            (false, atom) => format!("(not {atom})"),
        };
        let message = "a predicate is a condition by itself";
        let label = "compared with a truth value";
        let diagnostic = self.at(Code::ExpectedFormula, tree.span, message, label);
        self.push(diagnostic.help(format!("write `{write}`")).mended());
        let atom = self.formula(&atom);
        Some(if truth {
            atom
        } else {
            Formula::Not(Box::new(atom), tree.span)
        })
    }

    fn quantified(
        &mut self,
        tree: &Tree<'_>,
        args: &[Tree<'_>],
        quantifier: &str,
    ) -> Option<Formula> {
        let shape = format!("({quantifier} (?x - type) condition)");
        let (list, body) = split_variables(args);
        let body = self.regrouped(body, Expected::Condition);
        if !self.has_parts(tree, list.len().min(1) + body.len(), 2..=2, &shape) {
            return None;
        }
        let variables = self.variables_of(list);
        let body = Box::new(self.formula(&body[0]));
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
        if self.is_refused(head, word, args) {
            return None;
        }
        if is_effect_word(word) && !self.vocabulary.declares(word) {
            let message = format!("`{word}` makes an effect, but a condition is needed here");
            let diagnostic = self.at(
                Code::ExpectedFormula,
                tree.mark(),
                message,
                "not a condition",
            );
            self.push(diagnostic.help(instead_of_construct(word).unwrap_or_default()));
            return None;
        }
        if let Some(meant) = tree
            .items()
            .and_then(|items| self.infix(items, Expected::Condition))
        {
            return Some(self.formula(&meant));
        }
        if let Some(misspelt) = self.misspelt(head, word, args, Place::Formula) {
            return self.compound_formula(tree, head, misspelt.read_as?, args);
        }
        let terms = self.arguments(args)?;
        let name = Name {
            text: word.into(),
            span: head.span,
        };
        Some(Formula::Atom(name, terms, tree.span))
    }

    fn else_formula(&mut self, tree: &Tree<'_>, args: &[Tree<'_>]) -> Option<Formula> {
        if !self.arity(tree, 2..=2, "(else \"reason\" condition)") {
            return None;
        }
        let mut args = [args[0], args[1]];
        if args[0].items().is_some() && matches!(args[1].node, Node::Text(_)) {
            let message = "the reason of `else` comes before the condition";
            let diagnostic = self.at(
                Code::MalformedConstruct,
                args[1].span,
                message,
                "the reason",
            );
            let help = "exchange the two: `(else \"reason\" condition)`";
            self.push(diagnostic.help(help).mended());
            args.swap(0, 1);
        }
        let reason = match args[0].node {
            Node::Name(code) => Some(super::template::literal(code, args[0].span)),
            _ => self.template(&args[0], "a reason: a text or a name"),
        };
        let body = self.formula(&args[1]);
        Some(Formula::Else(reason?, Box::new(body), tree.span))
    }
}
