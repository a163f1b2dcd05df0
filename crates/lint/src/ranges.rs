//! Comparisons that the ranges of numbers decide: a capacity smaller than what is asked for.
//!
//! Both sides have a least and a greatest value: a bounded function those of its type, a count of
//! objects 0 and their number, a function that only `:facts` and `:init` give the least and greatest
//! given. Where no two values compare so, the condition never holds. Of a domain alone only numbers
//! and types are known; with a problem also the objects and what it gives.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use indexmap::map::Entry;

use brigade_compile::sema::Files;
use brigade_compile::sema::model::{FluentId, Model, TypeId};
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics, SourceId};
use brigade_syntax::ast::{
    Arithmetic, Comparison, Domain, Formula, InitItem, Name, Problem, Term, TypeExpr, Typed,
};
use brigade_syntax::visit::{self, Visit};

/// Numbers of the AST are in thousandths.
const UNIT: i128 = 1000;

/// Least and greatest value.
type Interval = (i128, i128);

/// Nothing real is beyond these.
const LEAST: i128 = -(1 << 100);
const GREATEST: i128 = 1 << 100;

/// The known ranges of numbers.
struct Known<'a> {
    /// The values of each function, in lower case.
    functions: BTreeMap<String, Interval>,
    /// The model, which has the number of objects of a type; `None` for a domain alone.
    model: Option<&'a Model>,
}

/// Reports the comparisons of a domain that numbers and types alone decide.
pub(super) fn of_domain(domain: &Domain, source: SourceId, diagnostics: &mut Diagnostics) {
    let known = Known {
        functions: bounded(domain),
        model: None,
    };
    for comparison in Comparisons::of(domain) {
        report(&known, comparison, source, true, diagnostics);
    }
}

/// The comparisons that numbers and types alone decide.
pub(super) struct Decided(Known<'static>);

impl Decided {
    pub(super) fn of(domain: &Domain) -> Self {
        Self(Known {
            functions: bounded(domain),
            model: None,
        })
    }

    /// Returns true if a conjunct never holds.
    pub(super) fn is_never(&self, formula: &Formula) -> bool {
        let mut asked = Vec::new();
        conjuncts(formula, &mut asked);
        let mut asked = asked.into_iter();
        asked.any(|compared| self.0.decided(compared) == Some(false))
    }
}

/// Reports what a goal or an action asks for and the objects and facts of a problem exclude.
pub(super) fn of_problem(
    domain: &Domain,
    problem: &Problem,
    files: Files,
    model: &Model,
    diagnostics: &mut Diagnostics,
) {
    let alone = Known {
        functions: bounded(domain),
        model: None,
    };
    let mut known = Known {
        functions: bounded(domain),
        model: Some(model),
    };
    let given = given(domain, problem, model);
    let limits = Limits {
        domain,
        source: files.domain,
        changed: super::uses::Uses::of_domain(domain).assigned,
        bounded: &alone,
        given: &given,
    };
    known.functions.extend(given.clone());
    let mut asked = Vec::new();
    problem
        .goal
        .iter()
        .for_each(|goal| conjuncts(goal, &mut asked));
    for comparison in asked {
        report(&known, comparison, files.problem, false, diagnostics);
    }
    let mut asked = Vec::new();
    for action in &domain.actions {
        action
            .precondition
            .iter()
            .for_each(|formula| conjuncts(formula, &mut asked));
        let conditions = action.conditions.iter();
        conditions.for_each(|(_, formula)| conjuncts(formula, &mut asked));
    }
    let mut beyond: IndexMap<(String, String), Diagnostic> = IndexMap::new();
    for comparison in asked {
        if alone.decided(comparison) != Some(false) {
            report(&known, comparison, files.domain, false, diagnostics);
            let Some((about, diagnostic)) = limits.beyond(&known, comparison) else {
                continue;
            };
            match beyond.entry(about) {
                Entry::Vacant(entry) => {
                    entry.insert(diagnostic);
                }
                Entry::Occupied(mut reported) => {
                    let place = diagnostic.labels.into_iter().find(|label| label.primary);
                    reported.get_mut().labels.extend(place);
                }
            }
        }
    }
    diagnostics.extend(beyond.into_values());
}

/// The limits that a problem gives to bounded numbers.
struct Limits<'a> {
    domain: &'a Domain,
    source: SourceId,
    /// The functions that effects change.
    changed: super::uses::Places,
    bounded: &'a Known<'a>,
    /// The least and greatest value given of functions that nothing changes.
    given: &'a BTreeMap<String, Interval>,
}

impl Limits<'_> {
    /// A limit that a number never reaches because its range ends before: an increase beyond the end has
    /// no effect, and so the condition always holds. With it the names of both.
    fn beyond(
        &self,
        known: &Known<'_>,
        compared: Compared<'_>,
    ) -> Option<((String, String), Diagnostic)> {
        let (low, high) = match compared.comparison {
            Comparison::Less | Comparison::LessOrEqual => (compared.left, compared.right),
            Comparison::Greater | Comparison::GreaterOrEqual => (compared.right, compared.left),
            Comparison::Equal => return None,
        };
        let is_strict = matches!(compared.comparison, Comparison::Less | Comparison::Greater);
        let limit = function(high).filter(|name| self.given.contains_key(&name.key()))?;
        let number = self.changing(low)?;
        let (greatest, limits) = (known.term(low)?.1, known.term(high)?);
        // A number that is compared as it is may well be as great as the limit.
        let is_free = if is_strict || function(low).is_some() {
            greatest < limits.1
        } else {
            greatest <= limits.1
        };
        if !is_free {
            return None;
        }
        let decl = self
            .domain
            .fluents
            .iter()
            .find(|decl| decl.name.key() == number.key())?;
        let most = self.bounded.functions.get(&number.key())?.1;
        let message = format!(
            "`{}` stops at {} by its range, before the limit `{}`, which is {}{}",
            number.text,
            said((most, most)),
            limit.text,
            if limits.0 == limits.1 { "" } else { "up to " },
            said((limits.1, limits.1)),
        );
        let help = format!(
            "widen the range of `{}`: an increase beyond its end has no effect, so that the limit \
             never binds",
            number.text
        );
        let diagnostic = Diagnostic::new(Code::LimitBeyondRange, message)
            .primary(self.source, compared.span, "always holds at that limit")
            .secondary(self.source, decl.span, "the range is declared here")
            .help(help);
        Some(((number.key(), limit.key()), diagnostic))
    }

    /// The first bounded function in a number that effects change.
    fn changing<'t>(&self, term: &'t Term) -> Option<&'t Name> {
        if let Some(name) = function(term) {
            let key = name.key();
            let is_changing =
                self.changed.contains_key(&key) && self.bounded.functions.contains_key(&key);
            return is_changing.then_some(name);
        }
        match term {
            Term::Arithmetic(_, operands, _) => {
                operands.iter().find_map(|operand| self.changing(operand))
            }
            _ => None,
        }
    }
}

/// The function that a number is the value of.
fn function(term: &Term) -> Option<&Name> {
    match term {
        Term::Name(name) => Some(name),
        Term::Apply(term) => Some(&term.name),
        _ => None,
    }
}

/// A comparison of two numbers.
#[derive(Clone, Copy)]
struct Compared<'a> {
    comparison: Comparison,
    left: &'a Term,
    right: &'a Term,
    span: Span,
}

fn report(
    known: &Known<'_>,
    compared: Compared<'_>,
    source: SourceId,
    also_true: bool,
    diagnostics: &mut Diagnostics,
) {
    let Some(decided) = known.decided(compared) else {
        return;
    };
    let (Some(left), Some(right)) = (known.term(compared.left), known.term(compared.right)) else {
        return;
    };
    if decided && !also_true {
        return;
    }
    let what = if decided {
        "always holds"
    } else {
        "never holds"
    };
    let label = format!(
        "the left side is {}, the right side {}",
        said(left),
        said(right)
    );
    diagnostics.push(
        Diagnostic::new(Code::ComparisonDecided, format!("this comparison {what}"))
            .primary(source, compared.span, label)
            .help(if decided {
                "remove it, or widen the range that decides it"
            } else {
                "ask for less, or widen the range: more objects to count, or larger bounds"
            }),
    );
}

/// `3`, `0 to 9`, `at least 0`.
fn said((least, greatest): Interval) -> String {
    let number = |value: i128| {
        if value % UNIT == 0 {
            (value / UNIT).to_string()
        } else {
            format!("{:.3}", value as f64 / UNIT as f64)
        }
    };
    match (least <= LEAST, greatest >= GREATEST) {
        (false, false) if least == greatest => number(least),
        (false, false) => format!("{} to {}", number(least), number(greatest)),
        (false, true) => format!("at least {}", number(least)),
        (true, false) => format!("at most {}", number(greatest)),
        (true, true) => "any number".to_owned(),
    }
}

/// The ranges of bounded functions.
fn bounded(domain: &Domain) -> BTreeMap<String, Interval> {
    let functions = domain
        .fluents
        .iter()
        .filter_map(|fluent| match fluent.range {
            Some(TypeExpr::Int { lo, hi, .. }) => {
                let interval = (i128::from(lo) * UNIT, i128::from(hi) * UNIT);
                Some((fluent.name.key(), interval))
            }
            _ => None,
        });
    functions.collect()
}

/// The least and greatest values of functions that no effect changes: those given, and 0 where not all are.
fn given(domain: &Domain, problem: &Problem, model: &Model) -> BTreeMap<String, Interval> {
    let uses = super::uses::Uses::of_domain(domain);
    let timed = super::uses::Uses::of_problem(problem);
    let mut found: BTreeMap<String, Interval> = BTreeMap::new();
    for item in domain.facts.iter().chain(&problem.init) {
        let InitItem::Value(target, Term::Number(value, _), _) = item else {
            continue;
        };
        let Some((name, _)) = target.function() else {
            continue;
        };
        let key = name.key();
        if uses.assigned.contains_key(&key) || timed.assigned.contains_key(&key) {
            continue;
        }
        let value = i128::from(*value);
        let known = found.entry(key).or_insert((value, value));
        *known = (known.0.min(value), known.1.max(value));
    }
    let mut facts: BTreeMap<FluentId, usize> = BTreeMap::new();
    for fact in &model.init {
        *facts.entry(fact.fluent).or_default() += 1;
    }
    for (at, fluent) in model.fluents.iter().enumerate() {
        if let Some(known) = found.get_mut(&fluent.name.to_lowercase()) {
            let objects = fluent
                .params
                .iter()
                .map(|types| model.objects_of(types).len());
            let all = objects.fold(1_usize, usize::saturating_mul);
            let given = facts.get(&FluentId(at as u32)).copied().unwrap_or_default();
            if given < all {
                *known = (known.0.min(0), known.1.max(0));
            }
        }
    }
    found
}

impl Known<'_> {
    /// Returns true if a comparison always holds, false if it never does; `None` where it depends.
    fn decided(&self, compared: Compared<'_>) -> Option<bool> {
        let (left, right) = (self.term(compared.left)?, self.term(compared.right)?);
        let (never, always) = match compared.comparison {
            Comparison::Equal => (
                left.1 < right.0 || right.1 < left.0,
                left == right && left.0 == left.1,
            ),
            Comparison::Less => (left.0 >= right.1, left.1 < right.0),
            Comparison::LessOrEqual => (left.0 > right.1, left.1 <= right.0),
            Comparison::Greater => (left.1 <= right.0, left.0 > right.1),
            Comparison::GreaterOrEqual => (left.1 < right.0, left.0 >= right.1),
        };
        match (never, always) {
            (true, _) => Some(false),
            (_, true) => Some(true),
            (false, false) => None,
        }
    }

    /// The values of a number; `None` where nothing is known of it.
    fn term(&self, term: &Term) -> Option<Interval> {
        match term {
            Term::Number(value, _) => Some((i128::from(*value), i128::from(*value))),
            Term::Name(name) => self.functions.get(&*name.folded()).copied(),
            Term::Apply(term) => self.functions.get(&*term.name.folded()).copied(),
            Term::Variable(_) | Term::Arg(_) => None,
            Term::Count(term) => Some((0, self.most(&term.variables))),
            Term::Arithmetic(operator, operands, _) => self.arithmetic(*operator, operands),
        }
    }

    fn arithmetic(&self, operator: Arithmetic, operands: &[Term]) -> Option<Interval> {
        let all: Vec<Interval> = operands
            .iter()
            .map(|one| self.term(one))
            .collect::<Option<_>>()?;
        let (first, rest) = all.split_first()?;
        let bounded = |(least, greatest): Interval| {
            (
                least.clamp(LEAST, GREATEST),
                greatest.clamp(LEAST, GREATEST),
            )
        };
        Some(match operator {
            Arithmetic::Add => rest
                .iter()
                .fold(*first, |sum, one| bounded((sum.0 + one.0, sum.1 + one.1))),
            Arithmetic::Subtract if rest.is_empty() => (-first.1, -first.0),
            Arithmetic::Subtract => rest
                .iter()
                .fold(*first, |sum, one| bounded((sum.0 - one.1, sum.1 - one.0))),
            Arithmetic::Abs => {
                let greatest = first.0.abs().max(first.1.abs());
                let crosses = first.0 <= 0 && first.1 >= 0;
                (
                    if crosses {
                        0
                    } else {
                        first.0.abs().min(first.1.abs())
                    },
                    greatest,
                )
            }
            Arithmetic::Min => rest
                .iter()
                .fold(*first, |a, b| (a.0.min(b.0), a.1.min(b.1))),
            Arithmetic::Max => rest
                .iter()
                .fold(*first, |a, b| (a.0.max(b.0), a.1.max(b.1))),
            Arithmetic::Multiply | Arithmetic::Divide => return None,
        })
    }

    /// Returns an upper bound on the number of bindings of a list of variables.
    fn most(&self, list: &[Typed]) -> i128 {
        let Some(model) = self.model else {
            return GREATEST;
        };
        let count = |typed: &Typed| {
            let names = match &typed.ty {
                Some(TypeExpr::Named(name)) => vec![name.key()],
                Some(TypeExpr::Either(names, _)) => {
                    names.iter().map(brigade_syntax::ast::Name::key).collect()
                }
                Some(TypeExpr::Int { .. } | TypeExpr::Number(_)) | None => {
                    vec!["object".to_owned()]
                }
            };
            let types: Vec<TypeId> = (0..)
                .zip(&model.types)
                .filter(|(_, ty)| names.contains(&ty.name.to_ascii_lowercase()))
                .map(|(index, _)| TypeId(index))
                .collect();
            model.objects_of(&types).len() as i128
        };
        let product = list.iter().map(count).fold(1, i128::saturating_mul);
        product.saturating_mul(UNIT).min(GREATEST)
    }
}

/// The comparisons among the conjuncts of a condition.
fn conjuncts<'a>(formula: &'a Formula, into: &mut Vec<Compared<'a>>) {
    match formula {
        Formula::And(all, _) => all.iter().for_each(|one| conjuncts(one, into)),
        Formula::Else(_, one, _) => conjuncts(one, into),
        Formula::Compare(comparison, sides, span) => into.push(Compared {
            comparison: *comparison,
            left: &sides[0],
            right: &sides[1],
            span: *span,
        }),
        _ => {}
    }
}

/// All comparisons in the conditions of a domain.
struct Comparisons<'a>(Vec<Compared<'a>>);

impl<'a> Comparisons<'a> {
    fn of(domain: &'a Domain) -> Vec<Compared<'a>> {
        let mut found = Self(Vec::new());
        found.visit_domain(domain);
        found.0
    }
}

impl<'a> Visit<'a> for Comparisons<'a> {
    /// Skips terms: the condition of a count or a choice is no condition of its own.
    fn visit_term(&mut self, _term: &'a Term) {}

    fn visit_formula(&mut self, formula: &'a Formula) {
        if let Formula::Compare(comparison, sides, span) = formula {
            self.0.push(Compared {
                comparison: *comparison,
                left: &sides[0],
                right: &sides[1],
                span: *span,
            });
        }
        visit::walk_formula(self, formula);
    }
}
