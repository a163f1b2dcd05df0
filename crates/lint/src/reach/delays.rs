//! Delayed effects that never start, or never come due: what they wait for never holds, what ends them
//! always does, what starts them makes false for good what they wait for, or the problem ends before.

use super::super::places::in_effect;
use super::asts::Asts;
use super::schema::{At, Schema, conjuncts, free};
use super::solver::Solver;
use super::writers::{Owner, of_action};
use brigade_compile::sema::model::{
    Cond, DelayGuard, Effect, Expr, FluentId, FluentKind, Model, ObjectId, Term, Variable,
};
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics};
use brigade_syntax::ast;
use brigade_syntax::visit::{self, Visit};

/// The most instances of a schema that are examined; with more of them nothing is reported.
const INSTANCES: usize = 500;

/// A delayed effect of a schema.
struct Delay<'m> {
    /// The conditions on the way to it.
    path: Vec<&'m Cond>,
    /// The condition under which the delayed effect goes on.
    goes_on: Option<&'m Cond>,
    /// The condition that cancels the delayed effect before it is due.
    ends: Option<&'m Cond>,
    /// The effect that it is a part of.
    whole: &'m Effect,
    /// The effect that is applied when it comes due.
    body: Option<&'m Effect>,
    /// After how many ticks, where that is a number.
    ticks: Option<i64>,
}

/// The action, event or other definition that holds delayed effects.
struct Definition<'d, 'm> {
    owner: Owner,
    variables: &'m [Variable],
    /// The conditions that hold where its effect is applied.
    tested: Vec<&'m Cond>,
    delays: Vec<Delay<'m>>,
    /// Its effects as they are written.
    written: Vec<&'d ast::Effect>,
    /// The place of its name.
    name: Span,
    /// The places of its delayed effects, in the same order.
    spans: Vec<Span>,
    /// The arguments with which it can be done.
    instances: Vec<At>,
}

pub(super) fn check(solver: &mut Solver<'_, '_>, asts: &Asts<'_>, diagnostics: &mut Diagnostics) {
    let model = solver.model;
    let bound = |args: &[ObjectId]| -> At { args.iter().copied().map(Some).collect() };
    let delays = model
        .actions
        .iter()
        .map(|action| delays_of([&action.effect, &action.end_effect]));
    let delays: Vec<Vec<Delay<'_>>> = delays.collect();
    let mut instances: Vec<Vec<At>> = vec![Vec::new(); model.actions.len()];
    for operator in solver.relaxed.operators() {
        let index = operator.action.index();
        if !delays[index].is_empty() && instances[index].len() <= INSTANCES {
            instances[index].push(bound(operator.args));
        }
    }
    let actions = model.actions.iter().enumerate().zip(delays).zip(instances);
    for (((index, action), delays), instances) in actions {
        if delays.is_empty() {
            continue;
        }
        let written = &asts.domain.actions[index];
        let effects = written.effects.iter().map(|(_, effect)| effect);
        let effects: Vec<&ast::Effect> = written.effect.iter().chain(effects).collect();
        let definition = Definition {
            owner: Owner::Action(index),
            variables: &action.variables,
            tested: of_action(action).conds,
            delays,
            name: written.name.span,
            spans: spans_of(effects.iter().copied()),
            written: effects,
            instances,
        };
        report_delays(solver, asts, &definition, diagnostics);
    }
    for (index, event) in model.events.iter().enumerate() {
        let delays = delays_of([&event.effect]);
        if delays.is_empty() {
            continue;
        }
        let written = &asts.domain.events[index];
        let mut tested = Vec::new();
        conjuncts(&event.precondition, &mut tested);
        let fires = solver.relaxed.fires(index).take(INSTANCES + 1);
        let definition = Definition {
            owner: Owner::Event(index),
            variables: &event.variables,
            tested,
            delays,
            name: written.name.span,
            spans: spans_of(&written.effect),
            written: written.effect.iter().collect(),
            instances: fires.map(bound).collect(),
        };
        report_delays(solver, asts, &definition, diagnostics);
    }
}

fn report_delays<'m>(
    solver: &mut Solver<'_, 'm>,
    asts: &Asts<'_>,
    definition: &Definition<'_, 'm>,
    diagnostics: &mut Diagnostics,
) {
    let Definition {
        owner,
        variables,
        tested,
        delays,
        written,
        name,
        spans,
        instances,
    } = definition;
    // Of what is never enabled, that is said already.
    if instances.is_empty() || instances.len() > INSTANCES {
        return;
    }
    let horizon = solver.model.horizon.map(i64::from);
    for (number, delay) in delays.iter().enumerate() {
        let place = spans.get(number).filter(|_| spans.len() == delays.len());
        let place = *place.unwrap_or(name);
        let mut starts = Schema {
            variables,
            conds: delay.path.clone(),
        };
        let problem = asts.problem_name();
        if instances.iter().all(|at| solver.is_left_out(&starts, at)) {
            continue;
        }
        let mut may = |schema: &Schema<'m>| {
            let mut instances = instances.iter();
            instances.any(|at| solver.may_hold(schema, at))
        };
        if !may(&starts) {
            diagnostics.push(
                Diagnostic::new(
                    Code::DelayNeverDone,
                    format!("in `{problem}`, this delayed effect never starts"),
                )
                .primary(
                    asts.files.domain,
                    place,
                    "its conditions never hold where it stands",
                )
                .help("change the `when` around it, or the facts that it reads"),
            );
            continue;
        }
        if let (Some(ticks), Some(horizon)) = (delay.ticks, horizon)
            && ticks > horizon
        {
            diagnostics.push(
                Diagnostic::new(
                    Code::DelayNeverDone,
                    format!("in `{problem}`, this delayed effect never comes due"),
                )
                .primary(
                    asts.files.domain,
                    place,
                    format!("it takes {ticks} ticks, and the problem ends after {horizon}"),
                )
                .help("give it a shorter delay, or the problem a later `:horizon`"),
            );
            continue;
        }
        let (cond, what, why, help) = if let Some(cond) = delay.goes_on {
            let help = "change what it waits for, or add an effect that makes that so";
            conjuncts(cond, &mut starts.conds);
            if !may(&starts) {
                (cond, "it starts, and never goes on", "never holds", help)
            } else if let Some(cond) = ForGood::new(solver.model, tested, delay).excludes() {
                let why = "is false when it starts, and nothing else makes it true";
                (cond, "it starts, and never goes on", why, help)
            } else {
                continue;
            }
        } else if let Some(cond) = delay.ends {
            let why = if !may_fail(solver, &starts, cond, instances) {
                "always holds"
            } else if ForGood::new(solver.model, tested, delay).ends(cond) {
                "holds when it starts, and nothing else makes it false"
            } else {
                continue;
            };
            let help = "change what ends it, or add an effect that makes that false";
            (cond, "it starts, and ends at once", why, help)
        } else {
            continue;
        };
        let text = solver.relaxed.text(cond, variables, &[]);
        // The guard, rather than a precondition that says the same.
        let mut written = written.iter();
        let span = written
            .find_map(|effect| in_effect(effect, cond, solver.model, variables))
            .unwrap_or_else(|| asts.place_of(*owner, cond, solver.model, variables));
        diagnostics.push(
            Diagnostic::new(
                Code::DelayNeverDone,
                format!("in `{problem}`, this delayed effect never comes due"),
            )
            .primary(asts.files.domain, place, what)
            .secondary(asts.files.domain, span, format!("`{text}` {why}"))
            .help(help),
        );
    }
}

/// Returns true if the condition that cancels a delayed effect may be false in some instance that may start; true where
/// that is not known, and for conditions that only the facts of a problem decide.
fn may_fail<'m>(
    solver: &mut Solver<'_, 'm>,
    starts: &Schema<'m>,
    ends: &Cond,
    instances: &[At],
) -> bool {
    let is_bound = |at: &At| {
        let mut bindings = free(ends).into_iter();
        bindings.all(|binding| at.get(binding.index()).copied().flatten().is_some())
    };
    solver.is_all_given(ends)
        || instances.iter().any(|at| {
            solver.may_hold(starts, at)
                && (!is_bound(at) || solver.relaxed.may_fail(ends, starts.variables, at))
        })
}

/// An atom, and whether it holds.
type Literal<'m> = (FluentId, &'m [Term], bool);

/// A condition that is one literal.
fn literal(cond: &Cond) -> Option<Literal<'_>> {
    match cond {
        Cond::Atom(fluent, args) => Some((*fluent, args, true)),
        Cond::Not(cond) => match &**cond {
            Cond::Atom(fluent, args) => Some((*fluent, args, false)),
            _ => None,
        },
        _ => None,
    }
}

/// The literals that hold when a delayed effect starts, and for good.
struct ForGood<'d, 'm> {
    model: &'m Model,
    delay: &'d Delay<'m>,
    known: Vec<Literal<'m>>,
}

impl<'d, 'm> ForGood<'d, 'm> {
    fn new(model: &'m Model, tested: &[&'m Cond], delay: &'d Delay<'m>) -> Self {
        let tested = tested.iter().chain(&delay.path);
        let mut known: Vec<Literal<'m>> = tested.filter_map(|cond| literal(cond)).collect();
        always_written(delay.whole, &mut known);
        Self {
            model,
            delay,
            known,
        }
    }

    /// A fact that the delayed effect waits for and that never holds while it is live.
    fn excludes(&self) -> Option<&'m Cond> {
        let mut waits_for = Vec::new();
        conjuncts(self.delay.goes_on?, &mut waits_for);
        let is_excluded = |cond: &&Cond| {
            let literal = literal(cond);
            literal.is_some_and(|(fluent, args, value)| self.holds((fluent, args, !value)))
        };
        waits_for.into_iter().find(is_excluded)
    }

    /// Returns true if the condition that cancels the delayed effect holds all the while.
    fn ends(&self, cond: &Cond) -> bool {
        let mut conds = Vec::new();
        conjuncts(cond, &mut conds);
        let mut literals = conds.into_iter().map(literal);
        literals.all(|literal| literal.is_some_and(|literal| self.holds(literal)))
    }

    /// Returns true if a literal holds at the start, and nothing changes it but, perhaps, the delayed effect when it
    /// comes due: that it never does is to be shown.
    fn holds(&self, (fluent, args, value): Literal<'_>) -> bool {
        let is_plain = args.iter().all(|arg| !matches!(arg, Term::Fluent(..)));
        let is_basic = self.model.fluents[fluent.index()].kind == FluentKind::Basic;
        if !is_plain || !is_basic || !self.known.contains(&(fluent, args, value)) {
            return false;
        }
        let effects = self.model.actions.iter();
        let effects = effects.flat_map(|action| [&action.effect, &action.end_effect]);
        let effects = effects.chain(self.model.events.iter().map(|event| &event.effect));
        let all: usize = effects.map(|effect| writes(effect, fluent, !value)).sum();
        let body = self.delay.body;
        let own = body.map_or(0, |body| writes(body, fluent, !value));
        let mut timed = self.model.timed.iter();
        all == own && timed.all(|literal| literal.fact.fluent != fluent)
    }
}

/// The atoms that an effect makes true or false wherever it is applied.
fn always_written<'m>(effect: &'m Effect, into: &mut Vec<Literal<'m>>) {
    match effect {
        Effect::And(all) | Effect::Seq(all) => {
            for one in all {
                always_written(one, into);
            }
        }
        Effect::Set(fluent, args, value) => into.push((*fluent, args, *value)),
        _ => {}
    }
}

/// Counts the parts of an effect that may make atoms of a predicate true, or false.
fn writes(effect: &Effect, fluent: FluentId, value: bool) -> usize {
    let mut found = 0;
    effect.any(&mut |part| {
        found += usize::from(match part {
            Effect::Set(other, _, written) => *other == fluent && *written == value,
            // What is kept becomes false with the condition.
            Effect::Maintain(_, kept, _) => {
                kept.any(&mut |one| matches!(one, Effect::Set(other, ..) if *other == fluent))
            }
            _ => false,
        });
        false
    });
    found
}

/// Returns the places of the delayed effects of a definition, in the order of the text.
fn spans_of<'a>(effects: impl IntoIterator<Item = &'a ast::Effect>) -> Vec<Span> {
    let mut spans = Spans(Vec::new());
    visit::effects(&mut spans, effects);
    spans.0
}

struct Spans(Vec<Span>);

impl<'a> Visit<'a> for Spans {
    fn visit_term(&mut self, _term: &'a ast::Term) {}

    fn visit_formula(&mut self, _formula: &'a ast::Formula) {}

    fn visit_effect(&mut self, effect: &'a ast::Effect) {
        match effect {
            // As one with its parts, if it has any that is delayed.
            ast::Effect::Maintain(_, _, body, span) => {
                self.0.extend((!spans_of(body).is_empty()).then_some(*span));
                return;
            }
            ast::Effect::After(.., span) => self.0.push(*span),
            _ => {}
        }
        visit::walk_effect(self, effect);
    }
}

/// The delayed effects in some effects, in the order of the text.
fn delays_of<'m>(effects: impl IntoIterator<Item = &'m Effect>) -> Vec<Delay<'m>> {
    let mut found = Vec::new();
    for whole in effects {
        let mut search = Search {
            whole,
            path: Vec::new(),
            found,
        };
        search.effect(whole);
        found = search.found;
    }
    found
}

struct Search<'m> {
    whole: &'m Effect,
    path: Vec<&'m Cond>,
    found: Vec<Delay<'m>>,
}

impl<'m> Search<'m> {
    fn effect(&mut self, effect: &'m Effect) {
        match effect {
            Effect::When(cond, one) => {
                let before = self.path.len();
                conjuncts(cond, &mut self.path);
                self.effect(one);
                self.path.truncate(before);
            }
            Effect::After(ticks, guard, one) => {
                let (goes_on, ends) = match guard {
                    Some(DelayGuard::While(cond)) => (Some(cond), None),
                    Some(DelayGuard::Until(cond)) => (None, Some(cond)),
                    None => (None, None),
                };
                self.found.push(Delay {
                    path: self.path.clone(),
                    goes_on,
                    ends,
                    whole: self.whole,
                    body: Some(one),
                    ticks: match ticks {
                        Expr::Constant(ticks) => Some(*ticks),
                        _ => None,
                    },
                });
                self.effect(one);
            }
            // Without a delayed part it is no timer: it may well go on for ever.
            Effect::Maintain(cond, _, _) if effect.any(&mut is_after) => {
                self.found.push(Delay {
                    path: self.path.clone(),
                    goes_on: Some(cond),
                    ends: None,
                    whole: self.whole,
                    body: None,
                    ticks: None,
                });
            }
            other => other.parts().into_iter().for_each(|part| self.effect(part)),
        }
    }
}

fn is_after(effect: &Effect) -> bool {
    matches!(effect, Effect::After(..))
}
