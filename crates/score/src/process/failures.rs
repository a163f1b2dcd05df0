//! Failure classes: what a refused command, a choice that loses something, and a failed episode show
//! that an agent has not understood.
//!
//! The classes are those of the analysis in the paper of Robotouille, which was made by hand; `docs/reference/metrics.md` has the
//! definitions, and their limits.

use std::collections::BTreeMap;

use serde::Serialize;

use super::attribution::StepProcess;
use super::class::{ClassCounts, FailureClass};
use super::quantity::{Quantity, field};
use super::unmet::{Unmet, unmet};
use super::walk::Walk;
use brigade_play::episode::{Event, Log, Refused, Rule};
use brigade_search::StopReason;
use brigade_task::{OperatorId, PackedTask};

/// A refused command, and its class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClassedRefusal {
    /// Ticks that had passed.
    pub tick: u32,
    /// The agent that gave the command.
    pub agent: String,
    /// The command.
    pub command: String,
    /// The rule it breaks.
    pub rule: Rule,
    /// Its class.
    pub class: FailureClass,
    /// The requirements that did not hold, where it breaks a precondition.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unmet: Vec<Unmet>,
}

/// A choice that lost something, and its class: that of the first command refused to the agent in the
/// timestep, else [`FailureClass::Goal`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Departure {
    /// Ticks that had passed.
    pub tick: u32,
    /// The agent that chose.
    pub agent: String,
    /// The action that was done; `None` if a refused command ended the episode.
    pub action: Option<String>,
    /// Its class.
    pub class: FailureClass,
    /// The regret of the action.
    #[serde(flatten, with = "field::regret")]
    pub regret: Quantity,
}

/// The reason why an episode failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EpisodeFailure {
    /// The class of the first departure; `None` where that is not known.
    pub class: Option<FailureClass>,
    /// The first choice that lost something.
    pub first: Option<Departure>,
    /// The choice after which the goal could no longer be reached in what was left of the episode.
    pub decisive: Option<Departure>,
    /// The reason why there is no class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The failures of an episode.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failures {
    /// All refused commands, in order.
    pub refused: Vec<ClassedRefusal>,
    /// The number of failures of each class.
    pub counts: ClassCounts,
    /// Of an episode that failed; `None` of a success, of one that came to the end of a task without a
    /// goal, and of one that was cut short.
    pub episode: Option<EpisodeFailure>,
}

/// Classes the failures of an episode, and counts those of each agent, in declared order.
pub(super) fn failures(
    task: &PackedTask,
    log: &Log,
    walk: &Walk<'_>,
    steps: &[StepProcess],
    counts_ticks: bool,
) -> (Failures, Vec<ClassCounts>) {
    let refused: Vec<ClassedRefusal> = log
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Error(refused) => Some(classed(task, walk, refused)),
            _ => None,
        })
        .collect();
    let mut first_refusal: BTreeMap<(u32, &str), FailureClass> = BTreeMap::new();
    for command in &refused {
        let key = (command.tick, command.agent.as_str());
        first_refusal.entry(key).or_insert(command.class);
    }
    let departures = departures(steps, &first_refusal);
    let mut counts = ClassCounts::default();
    let mut of_agents = vec![ClassCounts::default(); task.agents.len()];
    let goals = departures.iter().filter_map(|(_, departure)| {
        let departure = departure.as_ref().ok()?;
        (departure.class == FailureClass::Goal).then_some((&departure.agent, departure.class))
    });
    let commands = refused
        .iter()
        .map(|command| (&command.agent, command.class));
    for (agent, class) in commands.chain(goals) {
        counts.add(class);
        let index = task.agents.iter().position(|known| known.name == *agent);
        if let Some(own) = index.and_then(|index| of_agents.get_mut(index)) {
            own.add(class);
        }
    }
    let failed = log
        .end()
        .is_some_and(|end| !end.reason.is_whole(task) && !end.reason.is_cut_short());
    let episode = failed.then(|| {
        let most = counts_ticks.then(|| log.settings().rules.max_ticks);
        episode_failure(&departures, &refused, steps, most)
    });
    let failures = Failures {
        refused,
        counts,
        episode,
    };
    (failures, of_agents)
}

fn classed(task: &PackedTask, walk: &Walk<'_>, refused: &Refused) -> ClassedRefusal {
    let unmet = match (refused.rule, operator(task, refused)) {
        (Rule::Precondition, Some((agent, operator))) => {
            let point = walk.point_of(task, refused.tick, agent);
            unmet(task, walk, point, operator)
        }
        _ => Vec::new(),
    };
    let class = match refused.rule {
        Rule::Malformed | Rule::UnknownAction | Rule::NotYourOperator | Rule::WaitTooLong => {
            FailureClass::Action
        }
        // It can never be given.
        Rule::Precondition if refused.action.is_none() => FailureClass::Action,
        Rule::NotYourTurn | Rule::Busy => FailureClass::Transition,
        Rule::Precondition => {
            let state = unmet
                .iter()
                .any(|unmet| unmet.class() == FailureClass::State);
            if state {
                FailureClass::State
            } else {
                FailureClass::Transition
            }
        }
    };
    ClassedRefusal {
        tick: refused.tick,
        agent: refused.agent.clone(),
        command: refused.command.clone(),
        rule: refused.rule,
        class,
        unmet,
    }
}

/// The agent whose command was refused, and the operator that it meant.
fn operator(task: &PackedTask, refused: &Refused) -> Option<(usize, OperatorId)> {
    let mut agents = task.agents.iter();
    let agent = agents.position(|agent| agent.name == refused.agent)?;
    let meant = refused.action.as_ref()?;
    let mut own = task.agents[agent].operators.iter();
    let operator = own.find(|&&operator| task.operator(operator).name == *meant)?;
    Some((agent, *operator))
}

/// A departure, or why it is not known whether there is one, with its timestep and place there.
type Placed = ((usize, usize), Result<Departure, StopReason>);

/// Every choice that loses something, or of which that is not known, with its place.
fn departures(
    steps: &[StepProcess],
    first_refusal: &BTreeMap<(u32, &str), FailureClass>,
) -> Vec<Placed> {
    let mut found = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        for (place, choice) in step.choices.iter().enumerate() {
            let departure = match (choice.regret.is_loss(), choice.regret.stopped()) {
                (Some(true), _) => Ok(Departure {
                    tick: step.tick,
                    agent: choice.agent.clone(),
                    action: Some(choice.action.clone()),
                    class: *first_refusal
                        .get(&(step.tick, choice.agent.as_str()))
                        .unwrap_or(&FailureClass::Goal),
                    regret: choice.regret,
                }),
                (None, Some(reason)) => Err(reason),
                _ => continue,
            };
            found.push(((index, place), departure));
        }
    }
    found
}

fn episode_failure(
    departures: &[Placed],
    refused: &[ClassedRefusal],
    steps: &[StepProcess],
    max_ticks: Option<u32>,
) -> EpisodeFailure {
    let known = |place| {
        let found = departures.iter().find(|(at, _)| *at == place);
        found.and_then(|(_, departure)| departure.as_ref().ok().cloned())
    };
    let decisive = decisive(steps, max_ticks).and_then(known);
    let hopeless = steps
        .first()
        .is_some_and(|step| step.before == Quantity::Infinite);
    let (first, reason) = match departures.first() {
        Some((_, Ok(first))) => (Some(first.clone()), None),
        Some((_, Err(reason))) => (None, Some(format!("the first loss is not known: {reason}"))),
        None if hopeless => (
            None,
            Some("no plan led to the goal from the start".to_owned()),
        ),
        None => match refused
            .iter()
            .find(|command| command.tick as usize == steps.len())
        {
            Some(last) => (Some(departure_of(last)), None),
            None => (None, Some("nothing was lost before the end".to_owned())),
        },
    };
    EpisodeFailure {
        class: first.as_ref().map(|first| first.class),
        first,
        decisive,
        reason,
    }
}

/// A refused command that ended the episode.
fn departure_of(refused: &ClassedRefusal) -> Departure {
    Departure {
        tick: refused.tick,
        agent: refused.agent.clone(),
        action: None,
        class: refused.class,
        regret: Quantity::Undefined,
    }
}

/// Returns the step and choice at which the goal comes out of reach: in a dead end, or because too few ticks are left.
fn decisive(steps: &[StepProcess], max_ticks: Option<u32>) -> Option<(usize, usize)> {
    let first = steps.first()?;
    let is_out_of_reach = |passed: i64, to_go: Quantity| match (to_go, max_ticks) {
        (Quantity::Infinite, _) => true,
        (to_go, Some(most)) => {
            let lower = to_go.lower();
            lower.is_some_and(|lower| passed.saturating_add(lower) > i64::from(most))
        }
        _ => false,
    };
    if is_out_of_reach(0, first.before) {
        return None;
    }
    let mut passed = 0;
    for (index, step) in steps.iter().enumerate() {
        for (place, choice) in step.choices.iter().enumerate() {
            passed += choice.cost;
            if is_out_of_reach(passed, choice.after) {
                return Some((index, place));
            }
        }
    }
    None
}
