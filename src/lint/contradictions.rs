//! Conjunctions that ask a fact to be true and false.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostics::{Code, Diagnostic, Diagnostics, SourceId};
use crate::syntax::ast::{Domain, Formula, Name, Problem, Term};
use crate::syntax::span::Span;
use crate::syntax::visit::{self, Visit};

/// Reports the conjunctions of a domain that never hold.
pub(super) fn of_domain(domain: &Domain, source: SourceId, diagnostics: &mut Diagnostics) {
    let mut found = Contradictions::default();
    found.visit_domain(domain);
    found.report(source, diagnostics);
}

/// Reports those of a problem.
pub(super) fn of_problem(problem: &Problem, source: SourceId, diagnostics: &mut Diagnostics) {
    let mut found = Contradictions::default();
    visit::formulas(&mut found, problem.goal.iter().chain(&problem.fail));
    found.report(source, diagnostics);
}

/// Two conjuncts of which one denies the other.
struct Contradiction {
    fact: String,
    holds: Span,
    fails: Span,
}

#[derive(Default)]
struct Contradictions(Vec<Contradiction>);

impl Contradictions {
    fn report(self, source: SourceId, diagnostics: &mut Diagnostics) {
        for Contradiction { fact, holds, fails } in self.0 {
            let (first, then) = if holds < fails {
                (holds, fails)
            } else {
                (fails, holds)
            };
            diagnostics.push(
                Diagnostic::new(
                    Code::Contradiction,
                    format!("`{fact}` is asked to be true and false"),
                )
                .primary(source, then, "never holds together with the other")
                .secondary(source, first, "the other")
                .help("remove one of the two, or join them by `or`"),
            );
        }
    }
}

impl<'a> Visit<'a> for Contradictions {
    fn visit_formula(&mut self, formula: &'a Formula) {
        if let Formula::And(..) = formula {
            let mut literals = Vec::new();
            conjuncts(formula, &mut literals);
            let denied = literals.iter().filter(|literal| !literal.holds);
            let denied: BTreeSet<Cow<'_, str>> = denied.map(|it| it.name.folded()).collect();
            let mut asked: BTreeMap<String, [Option<Span>; 2]> = BTreeMap::new();
            for literal in &literals {
                // Most predicates are asked for in one way only.
                if denied.contains(&literal.name.folded())
                    && let Some(fact) = written(literal.name, literal.args)
                {
                    let places = asked.entry(fact).or_default();
                    places[usize::from(literal.holds)].get_or_insert(literal.span);
                }
            }
            for (fact, places) in asked {
                if let [Some(fails), Some(holds)] = places {
                    self.0.push(Contradiction { fact, holds, fails });
                }
            }
            // Those within are conjuncts of this one.
            for inner in beyond(formula) {
                visit::walk_formula(self, inner);
            }
            return;
        }
        visit::walk_formula(self, formula);
    }
}

/// An atom that is asked to hold, or not to.
struct Literal<'a> {
    name: &'a Name,
    args: &'a [Term],
    holds: bool,
    span: Span,
}

/// The literals among the conjuncts of a condition.
fn conjuncts<'a>(formula: &'a Formula, into: &mut Vec<Literal<'a>>) {
    let mut add = |name, args, holds, span| {
        into.push(Literal {
            name,
            args,
            holds,
            span,
        });
    };
    match formula {
        Formula::And(all, _) => all.iter().for_each(|one| conjuncts(one, into)),
        Formula::Else(_, one, _) => conjuncts(one, into),
        Formula::Atom(name, args, span) => add(name, args, true, *span),
        Formula::Not(one, span) => {
            if let Formula::Atom(name, args, _) = &**one {
                add(name, args, false, *span);
            }
        }
        _ => {}
    }
}

/// The conjuncts that are no conjunctions themselves.
fn beyond(formula: &Formula) -> Vec<&Formula> {
    match formula {
        Formula::And(all, _) => all.iter().flat_map(beyond).collect(),
        Formula::Else(_, one, _) => beyond(one),
        other => vec![other],
    }
}

/// An atom as it is written, in lower case; `None` where its arguments are more than names.
fn written(name: &Name, args: &[Term]) -> Option<String> {
    let mut text = format!("({}", name.key());
    for arg in args {
        text.push(' ');
        match arg {
            Term::Name(name) => text.push_str(&name.key()),
            Term::Variable(name) => {
                text.push('?');
                text.push_str(&name.key());
            }
            _ => return None,
        }
    }
    text.push(')');
    Some(text)
}
