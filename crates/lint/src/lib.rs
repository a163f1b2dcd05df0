//! Checks of a domain and its problems beyond what makes them sound: warnings of what is probably not
//! meant.
//!
//! A stage of its own, after [`ground`], that only `check` runs. [`domain`] needs a domain alone; [`problem`] also asks
//! what the delete relaxation reaches. A fact that this excludes can never come true, so its warnings are true; one
//! that it does not exclude may still be impossible, so it does not find everything.
//!
//! - `uses`: what is done with each name; `declarations`: what serves nothing.
//! - `ranges`: comparisons that the ranges of numbers decide; `contradictions`: conjunctions that deny themselves;
//!   `opposed`: effects that undo themselves; `at_start`: problems that are over at the start; `late`: facts that come
//!   true after the end; `words`: goals that agents do not receive in words; `leaks`: what would show an agent what it
//!   does not observe.
//! - `reach`: actions, events, agents, objects, delayed effects and goals that the relaxation does not
//!   reach, and what they lack; metrics that nothing changes; objects that no recipe or map relates to others; `labels`: actions that a
//!   log cannot distinguish.
//! - [`allow`]: warnings that the author has silenced in the file.
//!
//! Nothing here takes long: reachability has a budget, and where it is spent the checks that need it
//! are left out, which [`Skipped`] says.

pub mod allow;
mod at_start;
mod contradictions;
mod declarations;
mod hierarchy;
mod labels;
mod late;
mod leaks;
mod opposed;
mod places;
mod ranges;
mod reach;
mod slots;
mod unread;
mod uses;
mod words;

use std::collections::BTreeSet;

use brigade_compile::ground::{self, nothing_at_stake, relaxed::relaxed};
use brigade_compile::sema::Files;
use brigade_compile::sema::model::Model;
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostics, SourceId};
use brigade_syntax::ast::{Domain, Formula, Problem};
pub use unread::Unread;
use uses::Uses;

/// The results besides warnings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The number of ground actions that the delete relaxation reaches, waiting not counted.
    pub operators: usize,
}

/// Checks were left out, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The reason, in a sentence.
    pub reason: String,
}

/// The most objects, initial and timed facts for which reachability is asked: to look at more takes as long
/// as to read them, and their actions have more instances than there is a budget for.
const MAX_FACTS: usize = 50_000;

/// Returns the budget of reachability: about a tenth of a second.
fn budget() -> ground::Options {
    ground::Options::default()
        .with_max_instances(100_000)
        .with_max_work(20_000_000)
        .with_max_parts(2_000_000)
}

/// Returns true if a warning can be given for a domain alone.
pub const fn is_of_domain(code: Code) -> bool {
    !matches!(
        code,
        Code::NeverRead
            | Code::NeverTrue
            | Code::NeverFalse
            | Code::ActionNeverPossible
            | Code::GoalOutOfReach
            | Code::IdleAgent
            | Code::EventNeverFires
            | Code::EventNeverForObject
            | Code::DelayNeverDone
            | Code::AmbiguousLabel
            | Code::GoalWithoutText
            | Code::HiddenLegality
            | Code::LostAtStart
            | Code::ReachedAtStart
            | Code::EndedAtStart
            | Code::TimedTooLate
            | Code::Unrelated
            | Code::NothingAtStake
    )
}

/// Checks a sound domain by itself.
pub fn domain(domain: &Domain, source: SourceId, diagnostics: &mut Diagnostics) {
    let uses = Uses::of_domain(domain);
    declarations::of_domain(domain, &uses, source, diagnostics);
    ranges::of_domain(domain, source, diagnostics);
    contradictions::of_domain(domain, source, diagnostics);
    opposed::of_domain(domain, source, diagnostics);
    slots::of_domain(domain, source, diagnostics);
}

/// Checks a sound problem with its domain. `stop` is asked many times a second whether to leave out
/// what is not done yet.
///
/// # Errors
///
/// Fails if `stop` ended the check: the error names the parts that were left out.
pub fn problem(
    domain: &Domain,
    problem: &Problem,
    files: Files,
    model: &Model,
    stop: &dyn Fn() -> bool,
    diagnostics: &mut Diagnostics,
) -> Result<Reached, Skipped> {
    let uses = Uses::of_domain(domain);
    declarations::of_problem(domain, problem, &uses, files, model, diagnostics);
    ranges::of_problem(domain, problem, files, model, diagnostics);
    contradictions::of_problem(domain, problem, files.problem, diagnostics);
    at_start::check(domain, problem, files, model, diagnostics);
    late::check(problem, files.problem, model, diagnostics);
    leaks::check(domain, model, diagnostics);
    words::of_problem(domain, problem, &uses, files.domain, diagnostics);
    let facts = model.objects.len() + model.init.len() + model.timed.len();
    if facts > MAX_FACTS {
        return Err(skipped(&format!(
            "{facts} objects and facts are more than {MAX_FACTS}"
        )));
    }
    let never = never(domain);
    let asts = reach::Asts {
        domain,
        problem,
        files,
        never: &never,
    };
    // Objects of other types than they are meant to be reach other things.
    let are_typed = !diagnostics.iter().any(|it| it.code == Code::NamedAsType);
    let result = relaxed(model, &budget(), stop, |relaxed| {
        if are_typed {
            reach::check(relaxed, &asts, diagnostics);
            labels::check(relaxed, &asts, diagnostics);
        }
        Reached {
            operators: relaxed.operators().len(),
        }
    });
    if result.is_ok() && model.goal.is_none() && model.metric_place.is_some() {
        let task = ground::ground_until(model, &budget(), stop);
        diagnostics.extend(task.ok().and_then(|task| nothing_at_stake(model, &task)));
    }
    if problem.init.is_empty() && diagnostics.iter().any(|it| it.code == Code::GoalOutOfReach) {
        diagnostics.retain(|it| !follows_from_no_facts(it.code));
    }
    result.map_err(|error| {
        // What no planner can ground is wrong, however little this check may take.
        if error.is_definite() {
            // It names the value that is not given, if that is the reason.
            diagnostics.retain(|diagnostic| diagnostic.code != Code::NeverTrue);
            diagnostics.extend(error.diagnostic());
            return skipped(&"the problem cannot be grounded");
        }
        skipped(&error)
    })
}

/// Returns true if a warning is to be expected where a problem gives no facts.
const fn follows_from_no_facts(code: Code) -> bool {
    matches!(
        code,
        Code::NeverTrue
            | Code::ActionNeverPossible
            | Code::IdleAgent
            | Code::EventNeverFires
            | Code::DelayNeverDone
            | Code::UnusedObject
    )
}

/// Returns the preconditions of a domain that its own check reports as never holding.
fn never(domain: &Domain) -> BTreeSet<Span> {
    let of_actions = domain.actions.iter().map(|action| &action.precondition);
    let of_events = domain.events.iter().map(|event| &event.precondition);
    let preconditions = of_actions.chain(of_events).flatten();
    let decided = ranges::Decided::of(domain);
    let mut contradictions = contradictions::Contradictions::new(domain);
    preconditions
        .filter(|formula| decided.is_never(formula) || contradictions.are_in(formula))
        .map(Formula::span)
        .collect()
}

fn skipped(why: &dyn std::fmt::Display) -> Skipped {
    Skipped {
        reason: format!("what can be reached is not checked: {why}"),
    }
}
