//! Actions and events that no reachable state enables, with what they lack.
//!
//! One that lacks only what another such action would provide is named with that one: they have one cause. One that
//! lacks objects, or facts that only a problem can give, is not reported: a kitchen without a stove has nothing to cook
//! on. Where a goal needs it, the report is about the goal. A predicate without parameters is no such fact: it is a
//! switch, and one that nothing switches on was forgotten.

use std::collections::{BTreeMap, BTreeSet};

use super::advice::provide;
use super::asts::Asts;
use super::causes::Causes;
use super::goal::Reported;
use super::numbers::{Numbers, out_of_bounds};
use super::schema::Schema;
use super::solver::{Missing, Solver};
use super::writers::{Need, Owner, nothing, of_action};
use brigade_compile::sema::model::{ActionKind, Cond, TypeId, Variable};
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics, SourceId};

/// The most causes that are reported for one problem.
const MOST_REPORTED: usize = 10;

/// An action or event that is never enabled.
struct Blocked<'m> {
    owner: Owner,
    name: &'m str,
    place: (SourceId, Span),
    variables: &'m [Variable],
    missing: Missing<'m>,
    /// The missing fact, where it is one fact.
    need: Option<Need>,
    /// The range of the numbers that it compares.
    numbers: Option<Numbers>,
    /// True if the problem does without it.
    is_left_out: bool,
}

/// `of_goal` holds what the goal was found to need; the fluents are added of which these lack facts. Gives
/// the types of what these would have taken.
pub(super) fn check(
    solver: &mut Solver<'_, '_>,
    asts: &Asts<'_>,
    of_goal: &mut Reported,
    diagnostics: &mut Diagnostics,
) -> BTreeSet<TypeId> {
    // The report on a goal out of reach names the facts that it lacks, one way to it or another.
    let reports_switches = of_goal.needs.is_empty();
    let blocked = blocked(solver, reports_switches);
    let lacking: Vec<(Owner, Option<&Need>)> = blocked
        .iter()
        .map(|one| (one.owner, one.need.as_ref()))
        .collect();
    let mut causes = Causes::new(solver.relaxed, solver.writers(), &lacking);
    let is_cause =
        |causes: &Causes, one: &Blocked<'_>| causes.provider(one.need.as_ref()).is_none();
    // What lacks the same fact has one cause.
    let mut alike: BTreeMap<&Need, Vec<usize>> = BTreeMap::new();
    for (index, one) in blocked.iter().enumerate() {
        let need = one.need.as_ref().filter(|need| {
            is_cause(&causes, one) && !one.is_left_out && !causes.is_elsewhere(Some(need))
        });
        if let Some(need) = need {
            alike.entry(need).or_default().push(index);
        }
    }
    let decided = decided(asts, diagnostics);
    let mut left = MOST_REPORTED;
    // Causes first, then one of each circle, and what needs it with it.
    for reports_circles in [false, true] {
        for (index, one) in blocked.iter().enumerate() {
            let is_next = if reports_circles {
                causes.is_in_circle(index)
            } else {
                is_cause(&causes, one)
            };
            if causes.is_taken(index) || !is_next {
                continue;
            }
            let of_one = one.need.as_ref().filter(|_| !one.is_left_out);
            let of_one = of_one.and_then(|need| alike.remove(need));
            let dependents = causes.dependents(&of_one.unwrap_or_else(|| vec![index]));
            if left == 0 || one.is_left_out {
                continue;
            }
            let is_reported = of_goal.is_of(one.owner, &one.missing, one.need.as_ref())
                || is_decided(solver, asts, one, &decided);
            if !is_reported {
                left -= 1;
                let not_given = one.numbers.as_ref().and_then(|it| it.not_given.as_ref());
                of_goal.fluents.extend(not_given.map(|(fluent, _)| *fluent));
                diagnostics.push(report(solver, asts, &blocked, index, &causes, &dependents));
            }
        }
    }
    let meant = blocked.iter().filter(|one| !one.is_left_out);
    let variables = meant.flat_map(|one| one.variables);
    variables
        .flat_map(|variable| variable.types.iter().copied())
        .collect()
}

/// Returns the places of the comparisons in the domain that were reported as decided by ranges.
fn decided(asts: &Asts<'_>, diagnostics: &Diagnostics) -> BTreeSet<Span> {
    let reported = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.code == Code::ComparisonDecided);
    reported
        .filter_map(Diagnostic::place)
        .filter(|label| label.source == asts.files.domain)
        .map(|label| label.span)
        .collect()
}

/// Returns true if the reason was reported already: ranges exclude the missing condition, or its conjuncts exclude each
/// other. `decided` holds the places of the former.
fn is_decided(
    solver: &Solver<'_, '_>,
    asts: &Asts<'_>,
    one: &Blocked<'_>,
    decided: &BTreeSet<Span>,
) -> bool {
    let precondition = match one.owner {
        Owner::Action(index) => asts.domain.actions[index].precondition.as_ref(),
        Owner::Event(index) => asts.domain.events[index].precondition.as_ref(),
        Owner::Axiom(_) => None,
    };
    if precondition.is_some_and(|formula| asts.never.contains(&formula.span())) {
        return true;
    }
    let Missing::Never(cond) = one.missing else {
        return false;
    };
    !decided.is_empty()
        && decided.contains(&asts.place_of(one.owner, cond, solver.model, one.variables))
}

/// Everything that is never enabled.
fn blocked<'m>(solver: &mut Solver<'_, 'm>, reports_switches: bool) -> Vec<Blocked<'m>> {
    let model = solver.model;
    let mut reached = vec![false; model.actions.len()];
    for operator in solver.relaxed.operators() {
        reached[operator.action.index()] = true;
    }
    let mut found: Vec<(Owner, &'m str, (SourceId, Span), Schema<'m>)> = Vec::new();
    for (index, action) in model.actions.iter().enumerate() {
        if !reached[index] && action.kind != ActionKind::Primitive {
            let owner = Owner::Action(index);
            found.push((owner, &action.name, action.place, of_action(action)));
        }
    }
    for (index, event) in model.events.iter().enumerate() {
        if solver.relaxed.fires(index).len() == 0 {
            let mut conds = Vec::new();
            super::schema::conjuncts(&event.precondition, &mut conds);
            let schema = Schema {
                variables: &event.variables,
                conds,
            };
            found.push((Owner::Event(index), &event.name, event.place, schema));
        }
    }
    let blocked = found.into_iter().map(|(owner, name, place, schema)| {
        let missing = solver.missing(&schema, &Vec::new());
        let is_left_out = without_object(solver, owner)
            || (solver.is_left_out(&schema, &Vec::new())
                && !(reports_switches && lacks_a_switch(&missing)));
        let (need, numbers) = match &missing {
            Missing::Never(cond) => (
                Need::of(cond, &Vec::new()),
                out_of_bounds(solver, cond, schema.variables, &Vec::new()),
            ),
            _ => (None, None),
        };
        Blocked {
            owner,
            name,
            place,
            variables: schema.variables,
            missing,
            need,
            numbers,
            is_left_out,
        }
    });
    blocked.collect()
}

/// Returns true if the missing condition is a fact without objects: not one that comes with those of a problem.
fn lacks_a_switch(missing: &Missing<'_>) -> bool {
    matches!(missing, Missing::Never(Cond::Atom(_, args)) if args.is_empty())
}

/// Returns true if a parameter is of a type without objects.
fn without_object(solver: &mut Solver<'_, '_>, owner: Owner) -> bool {
    let model = solver.model;
    let (variables, parameters) = match owner {
        Owner::Action(index) => (
            &model.actions[index].variables,
            model.actions[index].parameters,
        ),
        Owner::Event(index) => (
            &model.events[index].variables,
            model.events[index].parameters,
        ),
        Owner::Axiom(_) => return false,
    };
    let mut parameters = variables[..parameters].iter();
    parameters.any(|variable| solver.extent(&variable.types).is_empty())
}

fn report(
    solver: &Solver<'_, '_>,
    asts: &Asts<'_>,
    blocked: &[Blocked<'_>],
    index: usize,
    causes: &Causes,
    dependents: &[usize],
) -> Diagnostic {
    let one = &blocked[index];
    let model = solver.model;
    let problem = asts.problem_name();
    let (code, message) = match one.owner {
        Owner::Event(_) => (
            Code::EventNeverFires,
            format!("in `{problem}`, the event `{}` can never fire", one.name),
        ),
        Owner::Action(_) | Owner::Axiom(_) => (
            Code::ActionNeverPossible,
            format!("in `{problem}`, no reachable state enables `{}`", one.name),
        ),
    };
    let label = match dependents.len() {
        0 => String::new(),
        1..=4 => {
            let names: Vec<String> = dependents
                .iter()
                .map(|&index| format!("`{}`", blocked[index].name))
                .collect();
            format!("and so never {}", names.join(", "))
        }
        more => format!("and so never {more} others that need what it does"),
    };
    let diagnostic = Diagnostic::new(code, message).primary(one.place.0, one.place.1, label);
    let says = |cond: &Cond| solver.relaxed.text(cond, one.variables, &[]);
    let place = |cond: &Cond| asts.place_of(one.owner, cond, model, one.variables);
    match &one.missing {
        Missing::Never(cond) => {
            let text = says(cond);
            let need = one.need.as_ref();
            let (why, help) = match (
                need.filter(|_| !causes.is_elsewhere(need)),
                causes.provider(need),
            ) {
                (Some(need), None) => (
                    format!("`{text}` never holds: {}", nothing(model, need)),
                    provide(solver, need, &format!("`{text}`")),
                ),
                (Some(_), Some(provider)) => {
                    let provider = blocked[provider].name;
                    (
                        format!("`{text}` never holds: it takes `{provider}`, which needs this"),
                        "give one of the facts in `:init`, or another way to make it so".to_owned(),
                    )
                }
                _ => (
                    match &one.numbers {
                        Some(numbers) => format!("`{text}` never holds: {}", numbers.said),
                        None => format!("`{text}` never holds"),
                    },
                    one.numbers.as_ref().map_or_else(
                        || {
                            "change the condition, or the facts and effects that it reads"
                                .to_owned()
                        },
                        Numbers::help,
                    ),
                ),
            };
            diagnostic
                .secondary(asts.files.domain, place(cond), why)
                .help(help)
        }
        Missing::NotTogether(cond) => diagnostic
            .secondary(
                asts.files.domain,
                place(cond),
                format!(
                    "`{}` never holds for what the conditions before it allow",
                    says(cond)
                ),
            )
            .help(
                "look for objects that meet all conditions at once: a fact of one may be missing",
            ),
        Missing::NoObject | Missing::Unknown => {
            diagnostic.help("compare its conditions with what `:init` gives")
        }
    }
}
