//! Attributes the change of the cost-to-go to the choices of a timestep, so that the parts add up to the whole.
//!
//! A choice is valued after those made before it in declared order, and before the best of those
//! after it: `V_k`, where the first k agents have chosen. Agent k is charged `V_k − V_{k−1}`. Where
//! agents act one after another `V_k` is the cost-to-go of the state between them; where they choose
//! at once it is that of the best joint action that begins so. A joint action that the referee has
//! dropped is charged to the agent whose command it refused: nobody else chose what was done.

use std::collections::BTreeMap;

use serde::Serialize;

use super::cost_to_go::CostToGo;
use super::quantity::{Quantity, field};
use super::walk::{Timestep, Walk};
use brigade_play::episode::{Consequence, Event, Log};
use brigade_search::Control;
use brigade_task::{OperatorId, TurnMode};

/// The effect of a timestep on the cost-to-go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepProcess {
    /// Ticks that had passed.
    pub tick: u32,
    /// The cost-to-go before it.
    #[serde(flatten, with = "field::before")]
    pub before: Quantity,
    /// The cost-to-go after it.
    #[serde(flatten, with = "field::after")]
    pub after: Quantity,
    /// The cost of the timestep.
    pub cost: i64,
    /// The regret of the timestep: `cost + after − before`.
    #[serde(flatten, with = "field::regret")]
    pub regret: Quantity,
    /// The choices, in the order in which they count.
    pub choices: Vec<ChoiceProcess>,
}

/// The effect of one agent's choice on the cost-to-go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChoiceProcess {
    /// The agent.
    pub agent: String,
    /// The ground name of its operator.
    pub action: String,
    /// The cost-to-go when it chose, the choices of agents before it being made.
    #[serde(flatten, with = "field::before")]
    pub before: Quantity,
    /// The cost-to-go after its choice.
    #[serde(flatten, with = "field::after")]
    pub after: Quantity,
    /// The cost of the choice: where agents choose at once, the last choice has the cost of all.
    pub cost: i64,
    /// The regret of the choice.
    #[serde(flatten, with = "field::regret")]
    pub regret: Quantity,
    /// True if the choice is part of some optimal plan from there; `None` where that is not known, or no plan was left.
    pub optimal: Option<bool>,
}

/// Computes the regret of each timestep and choice.
pub(super) fn steps(
    walk: &Walk<'_>,
    values: &[Quantity],
    log: &Log,
    costs: &mut CostToGo<'_>,
    control: &dyn Control,
) -> Vec<StepProcess> {
    let timesteps = walk.timesteps.iter();
    let droppers = droppers(log);
    timesteps
        .map(|timestep| {
            let passages = &walk.passages[timestep.first..timestep.end];
            let cost = passages.iter().map(|passage| passage.cost).sum();
            let (before, after) = (values[timestep.first], values[timestep.end]);
            let parts = match dropper(&droppers, timestep) {
                Some(index) => charged_to(index, timestep, [before, after], cost),
                None if costs.task().turns == TurnMode::Simultaneous => {
                    at_once(walk, timestep, [before, after], cost, costs, control)
                }
                None => passages
                    .iter()
                    .zip(values[timestep.first..].windows(2))
                    .map(|(passage, pair)| (pair[0], pair[1], passage.cost))
                    .collect(),
            };
            let choices = timestep.step.choices.iter().zip(parts);
            StepProcess {
                tick: timestep.step.tick,
                before,
                after,
                cost,
                regret: Quantity::lost(before, after, cost),
                choices: choices
                    .map(|(chosen, (before, after, cost))| {
                        let regret = Quantity::lost(before, after, cost);
                        ChoiceProcess {
                            agent: chosen.agent.clone(),
                            action: chosen.action.clone(),
                            before,
                            after,
                            cost,
                            regret,
                            optimal: match regret {
                                Quantity::Undefined => None,
                                regret => regret.is_loss().map(|lost| !lost),
                            },
                        }
                    })
                    .collect(),
            }
        })
        .collect()
}

/// Cost-to-go before and after a choice, and its cost.
type Part = (Quantity, Quantity, i64);

/// By tick the first agent whose refused command made the referee drop the joint action.
fn droppers(log: &Log) -> BTreeMap<u32, &str> {
    let mut droppers = BTreeMap::new();
    for event in &log.events {
        if let Event::Error(refused) = event
            && refused.then == Consequence::JointDropped
        {
            droppers.entry(refused.tick).or_insert(&*refused.agent);
        }
    }
    droppers
}

/// The agent who dropped the joint action of a timestep, as an index into the choices.
fn dropper(droppers: &BTreeMap<u32, &str>, timestep: &Timestep<'_>) -> Option<usize> {
    let refused = droppers.get(&timestep.step.tick)?;
    let mut choices = timestep.step.choices.iter();
    choices.position(|choice| choice.agent == *refused)
}

fn charged_to(
    index: usize,
    timestep: &Timestep<'_>,
    [before, after]: [Quantity; 2],
    cost: i64,
) -> Vec<Part> {
    (0..timestep.step.choices.len())
        .map(|other| match other.cmp(&index) {
            std::cmp::Ordering::Less => (before, before, 0),
            std::cmp::Ordering::Equal => (before, after, cost),
            std::cmp::Ordering::Greater => (after, after, 0),
        })
        .collect()
}

/// The parts of a joint action, from the best completions of its beginnings.
fn at_once(
    walk: &Walk<'_>,
    timestep: &Timestep<'_>,
    [before, after]: [Quantity; 2],
    cost: i64,
    costs: &mut CostToGo<'_>,
    control: &dyn Control,
) -> Vec<Part> {
    let joint: &[OperatorId] = &walk.passages[timestep.first].choices;
    let state = &walk.points[timestep.first].state;
    let whole = after.plus(cost);
    let mut parts = Vec::with_capacity(joint.len());
    let mut so_far = before;
    for made in 1..=joint.len() {
        if made == joint.len() {
            parts.push((so_far, after, cost));
            break;
        }
        // Beginnings cost no less than what they complete, and no more than the whole.
        let settled = match (so_far, whole) {
            (Quantity::Exact(now), Quantity::Exact(then)) => now == then,
            (Quantity::Infinite, _) => true,
            _ => false,
        };
        let next = if settled {
            so_far
        } else {
            let found = costs.after(state, &joint[..made], control);
            found.and(so_far.lower(), whole.upper())
        };
        parts.push((so_far, next, 0));
        so_far = next;
    }
    parts
}
