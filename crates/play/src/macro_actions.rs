//! Macro actions: what an agent can get done by itself from here, and how soon.
//!
//! Where a domain lets moves pass in silence and records what they are good for, its labels are a second
//! layer of actions: *take(onion)* is the way to an onion and the taking of it. The way is a shortest one,
//! found in the task itself while all others let time pass, so that nothing need be declared for it and
//! whoever stands in the way is gone round. Agents that ask language models play Overcooked-AI so (S. Agashe
//! et al., "LLM-Coordination", Findings of NAACL 2025).

use std::collections::{BTreeMap, HashSet};

use super::agents::idle;
use brigade_task::effect::Record;
use brigade_task::step::Status;
use brigade_task::{LabelId, OperatorId, OperatorKind, PackedTask, State, StateBuf, TurnMode};

/// So many timesteps are tried at most before no more ways are looked for.
const MOST_STEPS_TRIED: usize = 20_000;

/// A label that an agent can record by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MacroAction {
    /// The label that is recorded.
    pub label: LabelId,
    /// In how many timesteps, the one in which the label is recorded included; 1 at least.
    pub steps: u32,
    /// The first operator on the way.
    pub first: OperatorId,
}

/// Returns whether macro actions could show an agent what it does not know: a fact that it does not observe, or
/// one that comes unannounced. The ways are found in the task as it is.
pub fn show_unknown(task: &PackedTask) -> bool {
    task.observation.is_partial || !task.announced.is_empty()
}

/// The macro actions of an agent in a state: of each label that it can record the shortest way to do so,
/// by the order of labels; of several as short the one whose operators come first, the earlier step counting more.
/// All others let time pass meanwhile. Nothing is said of a label whose operator
/// does no more than letting time pass, or that is further away than some 20,000 trials reach.
///
/// `state` is one in which the agent is to choose, those who choose before it in this timestep having
/// done so where agents act in turn.
pub fn macro_actions(task: &PackedTask, state: &State, agent: usize) -> Vec<MacroAction> {
    let mut found: BTreeMap<LabelId, MacroAction> = BTreeMap::new();
    let mut known: HashSet<StateBuf> = HashSet::from([state.to_owned()]);
    // Each state with what the agent did first to come there.
    let mut reached: Vec<(StateBuf, Option<OperatorId>)> = vec![(state.to_owned(), None)];
    let mut tried = 0;
    for steps in 1.. {
        let mut next = Vec::new();
        for (before, first) in &reached {
            // Those who act in turn have acted before the agent in the first timestep only.
            let start = if steps == 1 { agent } else { 0 };
            let passed = timestep(task, before, agent, start, None).map(|passed| passed.state);
            for operator in choices(task, before, agent, start) {
                let Some(after) = timestep(task, before, agent, start, Some(operator)) else {
                    continue;
                };
                tried += 1;
                let first = first.unwrap_or(operator);
                if after.labels.is_empty() {
                    if after.status == Status::Running && known.insert(after.state.clone()) {
                        next.push((after.state, Some(first)));
                    }
                } else if passed.as_ref() != Some(&after.state) {
                    for label in after.labels {
                        found.entry(label).or_insert(MacroAction {
                            label,
                            steps,
                            first,
                        });
                    }
                }
            }
            if tried >= MOST_STEPS_TRIED {
                return found.into_values().collect();
            }
        }
        if next.is_empty() {
            break;
        }
        reached = next;
    }
    found.into_values().collect()
}

/// The outcome of a timestep.
struct After {
    state: StateBuf,
    status: Status,
    /// The labels that the agent recorded.
    labels: Vec<LabelId>,
}

/// The operators that are tried in a timestep: those that the agent may choose, once those from `start` on that
/// act before it have let time pass; where it is another's turn, that one's waiting alone.
fn choices(task: &PackedTask, before: &State, agent: usize, start: usize) -> Vec<OperatorId> {
    let mut state = before.to_owned();
    if task.turns == TurnMode::Sequential {
        for other in start..agent {
            let Some(operator) = idle(task, task.applicable(&state, other)) else {
                return Vec::new();
            };
            task.act(&mut state, operator, &mut Record::default());
        }
    }
    if task.turns == TurnMode::Alternate && task.mover(before) != agent {
        let mover = task.mover(before);
        return idle(task, task.applicable(before, mover))
            .into_iter()
            .collect();
    }
    task.applicable(&state, agent).collect()
}

/// A timestep in which an agent does this, or nothing, and all others from `start` on let time pass; `None`
/// if one of them cannot.
fn timestep(
    task: &PackedTask,
    before: &State,
    agent: usize,
    start: usize,
    own: Option<OperatorId>,
) -> Option<After> {
    let mut state = before.to_owned();
    let mut record = Record::default();
    let acting = task.acting(before);
    let from = match task.turns {
        TurnMode::Sequential => start,
        TurnMode::Simultaneous | TurnMode::Alternate => acting.start,
    };
    for other in from..acting.end {
        let seen: &State = match task.turns {
            TurnMode::Sequential => &state,
            TurnMode::Simultaneous | TurnMode::Alternate => before,
        };
        let does = match own {
            Some(operator) if other == agent || acting.len() == 1 => operator,
            _ => idle(task, task.applicable(seen, other))?,
        };
        task.act(&mut state, does, &mut record);
    }
    task.tick(&mut state, &mut record);
    let own = record
        .log
        .iter()
        .filter(|it| usize::from(it.agent) == agent);
    Some(After {
        status: task.status(&state),
        labels: own.map(|entry| entry.label).collect(),
        state,
    })
}

/// Returns whether an operator is a step on the way rather than an aim: it starts something and can record no label
/// of its own.
pub fn is_silent(task: &PackedTask, operator: OperatorId) -> bool {
    task.operator(operator).kind == OperatorKind::Start
        && super::episode::labels(task, operator).is_empty()
}
