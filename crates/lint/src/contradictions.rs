//! Conjunctions that ask for what excludes each other: a fact to be true and false, a function to have two
//! values, a number to be more than one and less than another.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics, SourceId};
use brigade_syntax::ast::{Comparison, Domain, Formula, Name, Problem, Term};
use brigade_syntax::printer::print_formula;
use brigade_syntax::visit::{self, Visit};

/// The most conditions of one function that are compared with each other.
const COMPARED: usize = 16;

/// Reports the conjunctions of a domain that never hold.
pub(super) fn of_domain(domain: &Domain, source: SourceId, diagnostics: &mut Diagnostics) {
    let mut found = Contradictions::new(domain);
    found.visit_domain(domain);
    found.report(source, diagnostics);
}

/// Reports those of a problem.
pub(super) fn of_problem(
    domain: &Domain,
    problem: &Problem,
    source: SourceId,
    diagnostics: &mut Diagnostics,
) {
    let mut found = Contradictions::new(domain);
    let closing = problem.fail.iter().chain(&problem.end);
    visit::formulas(&mut found, problem.goal.iter().chain(closing));
    if found.found.is_empty()
        && let (Some(goal), Some(fail)) = (&problem.goal, &problem.fail)
    {
        let mut literals = Vec::new();
        conjuncts(goal, &mut literals);
        excluded_by(fail, &mut literals);
        found.facts(&literals);
        found.values(&literals);
        for Contradiction { places, .. } in found.found {
            let is_of_goal =
                |place: &Span| goal.span().start <= place.start && place.end <= goal.span().end;
            let (of_goal, of_fail) = match places.map(|place| is_of_goal(&place)) {
                [true, _] => (places[0], places[1]),
                [_, true] => (places[1], places[0]),
                // What loses holds always: that is not for the goal to mend.
                [false, false] => continue,
            };
            diagnostics.push(
                Diagnostic::new(
                    Code::Contradiction,
                    "the goal asks for what `:fail` excludes",
                )
                .primary(source, of_goal, "the problem is lost where this holds")
                .secondary(source, of_fail, "because of this")
                .help("change the goal, or what `:fail` says"),
            );
        }
        return;
    }
    found.report(source, diagnostics);
}

/// Collects the literals that hold wherever a losing condition does not.
fn excluded_by<'a>(fail: &'a Formula, into: &mut Vec<Literal<'a>>) {
    match fail {
        Formula::Or(all, _) => all.iter().for_each(|one| excluded_by(one, into)),
        Formula::Atom(_, _, span) | Formula::Compare(_, _, span) => into.push(Literal {
            of: fail,
            formula: fail,
            holds: false,
            span: *span,
        }),
        Formula::Not(one, span) if matches!(**one, Formula::Atom(..) | Formula::Compare(..)) => {
            into.push(Literal {
                of: one,
                formula: fail,
                holds: true,
                span: *span,
            });
        }
        _ => {}
    }
}

/// Two conjuncts of which one excludes the other.
struct Contradiction {
    message: String,
    places: [Span; 2],
}

/// Finds conjuncts that exclude each other.
pub(super) struct Contradictions {
    /// Functions without arguments, whose names may stand for their values.
    functions: BTreeSet<String>,
    found: Vec<Contradiction>,
}

impl Contradictions {
    pub(super) fn new(domain: &Domain) -> Self {
        let fluents = domain.fluents.iter();
        let functions = fluents.filter(|it| it.range.is_some() && it.params.is_empty());
        Self {
            functions: functions.map(|fluent| fluent.name.key()).collect(),
            found: Vec::new(),
        }
    }

    /// Returns true if conjuncts of this condition contradict each other.
    pub(super) fn are_in(&mut self, formula: &Formula) -> bool {
        self.found.clear();
        self.among_conjuncts(formula);
        !self.found.is_empty()
    }

    fn report(self, source: SourceId, diagnostics: &mut Diagnostics) {
        for Contradiction { message, places } in self.found {
            let [first, then] = [places[0].min(places[1]), places[0].max(places[1])];
            diagnostics.push(
                Diagnostic::new(Code::Contradiction, message)
                    .primary(source, then, "never holds together with the other")
                    .secondary(source, first, "the other")
                    .help("remove one of the two, or join them by `or`"),
            );
        }
    }

    fn among_conjuncts(&mut self, formula: &Formula) {
        let mut literals = Vec::new();
        conjuncts(formula, &mut literals);
        self.facts(&literals);
        self.values(&literals);
    }

    /// Facts that are asked to be true and false.
    fn facts(&mut self, literals: &[Literal<'_>]) {
        let atoms = || literals.iter().filter_map(Literal::atom);
        let denied: BTreeSet<Cow<'_, str>> = atoms()
            .filter(|(literal, ..)| !literal.holds)
            .map(|(_, name, _)| name.folded())
            .collect();
        let mut asked: BTreeMap<String, [Option<Span>; 2]> = BTreeMap::new();
        for (literal, name, args) in atoms() {
            // Most predicates are asked for in one way only.
            if denied.contains(&name.folded())
                && let Some(fact) = written(name, args)
            {
                let places = asked.entry(fact).or_default();
                places[usize::from(literal.holds)].get_or_insert(literal.span);
            }
        }
        for (fact, places) in asked {
            if let [Some(fails), Some(holds)] = places {
                self.found.push(Contradiction {
                    message: format!("`{fact}` is asked to be true and false"),
                    places: [fails, holds],
                });
            }
        }
    }

    /// Functions that are asked to have values that exclude each other.
    fn values(&mut self, literals: &[Literal<'_>]) {
        let compared: Vec<Compared<'_>> = literals.iter().flat_map(Literal::compared).collect();
        let mut often: BTreeMap<Cow<'_, str>, usize> = BTreeMap::new();
        for one in &compared {
            *often.entry(one.function.folded()).or_default() += 1;
        }
        let mut asked: BTreeMap<String, Vec<Compared<'_>>> = BTreeMap::new();
        for one in compared {
            if often[&one.function.folded()] > 1
                && let Some(subject) = written(one.function, one.args)
            {
                asked.entry(subject).or_default().push(one);
            }
        }
        for claims in asked.values_mut() {
            claims.truncate(COMPARED);
            let pairs = claims.iter().enumerate();
            let mut pairs =
                pairs.flat_map(|(at, one)| claims[..at].iter().map(move |it| (it, one)));
            if let Some((first, then)) = pairs.find(|(one, other)| self.exclude(one, other)) {
                let says = |claim: &Compared<'_>| print_formula(claim.literal.formula);
                self.found.push(Contradiction {
                    message: format!("`{}` excludes `{}`", says(then), says(first)),
                    places: [first.literal.span, then.literal.span],
                });
            }
        }
    }

    /// Returns true if two claims of one function never hold together.
    fn exclude(&self, one: &Compared<'_>, other: &Compared<'_>) -> bool {
        if let (Term::Number(a, _), Term::Number(b, _)) = (one.value, other.value) {
            return one
                .allowed(*a)
                .zip(other.allowed(*b))
                .is_some_and(|(a, b)| !overlap(a, b));
        }
        if one.comparison != Comparison::Equal || other.comparison != Comparison::Equal {
            return false;
        }
        if one.literal.holds && other.literal.holds {
            return self.differ(one.value, other.value) || self.differ(other.value, one.value);
        }
        let same = |a: &Term, b: &Term| match (a, b) {
            (Term::Name(a), Term::Name(b)) | (Term::Variable(a), Term::Variable(b)) => {
                a.folded() == b.folded()
            }
            _ => false,
        };
        one.literal.holds != other.literal.holds && same(one.value, other.value)
    }

    /// Returns true if two terms never denote the same: two objects, or one and none.
    fn differ(&self, one: &Term, other: &Term) -> bool {
        let Term::Name(one) = one else { return false };
        match other {
            Term::Variable(_) => one.folded() == "undefined",
            Term::Name(other) => {
                let is_object = |name: &Name| !self.functions.contains(&*name.folded());
                one.folded() != other.folded() && is_object(one) && is_object(other)
            }
            _ => false,
        }
    }
}

impl<'a> Visit<'a> for Contradictions {
    fn visit_formula(&mut self, formula: &'a Formula) {
        if let Formula::And(..) = formula {
            self.among_conjuncts(formula);
            // Those within are conjuncts of this one.
            for inner in beyond(formula) {
                visit::walk_formula(self, inner);
            }
            return;
        }
        visit::walk_formula(self, formula);
    }
}

/// An atom or comparison that is asked to hold, or not to.
struct Literal<'a> {
    /// Without the `not`.
    of: &'a Formula,
    /// With it.
    formula: &'a Formula,
    holds: bool,
    span: Span,
}

impl<'a> Literal<'a> {
    fn atom(&self) -> Option<(&Self, &'a Name, &'a [Term])> {
        match self.of {
            Formula::Atom(name, args, _) => Some((self, name, args)),
            _ => None,
        }
    }

    /// Returns the comparisons of functions that it makes.
    fn compared(&self) -> Vec<Compared<'_>> {
        let Formula::Compare(comparison, sides, _) = self.of else {
            return Vec::new();
        };
        let [left, right] = &**sides;
        let claim = |term: &'a Term, comparison, value| {
            let (function, args) = term.function()?;
            Some(Compared {
                literal: self,
                function,
                args,
                comparison,
                value,
            })
        };
        let sides = [
            claim(left, *comparison, right),
            claim(right, turned(*comparison), left),
        ];
        sides.into_iter().flatten().collect()
    }
}

/// A comparison of a function with something.
struct Compared<'a> {
    literal: &'a Literal<'a>,
    function: &'a Name,
    args: &'a [Term],
    comparison: Comparison,
    value: &'a Term,
}

/// Least and greatest number, in thousandths, and for each whether it is itself allowed.
type Range = [(i64, bool); 2];

impl Compared<'_> {
    /// The numbers that compare so with this one; `None` where those are two ranges.
    fn allowed(&self, number: i64) -> Option<Range> {
        let (least, greatest) = ((i64::MIN, true), (i64::MAX, true));
        Some(match (self.comparison, self.literal.holds) {
            (Comparison::Equal, true) => [(number, true), (number, true)],
            (Comparison::Equal, false) => return None,
            (Comparison::Less, true) | (Comparison::GreaterOrEqual, false) => {
                [least, (number, false)]
            }
            (Comparison::LessOrEqual, true) | (Comparison::Greater, false) => {
                [least, (number, true)]
            }
            (Comparison::Greater, true) | (Comparison::LessOrEqual, false) => {
                [(number, false), greatest]
            }
            (Comparison::GreaterOrEqual, true) | (Comparison::Less, false) => {
                [(number, true), greatest]
            }
        })
    }
}

fn overlap(one: Range, other: Range) -> bool {
    let meets = |low: (i64, bool), high: (i64, bool)| {
        low.0 < high.0 || (low.0 == high.0 && low.1 && high.1)
    };
    meets(one[0], other[1]) && meets(other[0], one[1])
}

/// A comparison with its sides exchanged.
const fn turned(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Equal => Comparison::Equal,
        Comparison::Less => Comparison::Greater,
        Comparison::LessOrEqual => Comparison::GreaterOrEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterOrEqual => Comparison::LessOrEqual,
    }
}

/// The literals among the conjuncts of a condition.
fn conjuncts<'a>(formula: &'a Formula, into: &mut Vec<Literal<'a>>) {
    match formula {
        Formula::And(all, _) => all.iter().for_each(|one| conjuncts(one, into)),
        Formula::Else(_, one, _) => conjuncts(one, into),
        Formula::Atom(_, _, span) | Formula::Compare(_, _, span) => into.push(Literal {
            of: formula,
            formula,
            holds: true,
            span: *span,
        }),
        Formula::Not(one, span) => {
            if let Formula::Atom(..) | Formula::Compare(..) = &**one {
                into.push(Literal {
                    of: one,
                    formula,
                    holds: false,
                    span: *span,
                });
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

/// An atom, or a function of its arguments, as it is written, in lower case; `None` where its arguments
/// are more than names.
pub(super) fn written(name: &Name, args: &[Term]) -> Option<String> {
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
