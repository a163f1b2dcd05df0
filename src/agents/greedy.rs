//! Chooses what looks best one timestep ahead.

use std::cmp::Reverse;

use super::{Choice, Observation, Policy, PolicyError, View, idle};
use crate::task::cond::Cond;
use crate::task::effect::Record;
use crate::task::step::Status;
use crate::task::{OperatorId, Task, TurnMode};

/// One-step lookahead with goal counting and novelty.
///
/// Every legal operator is tried on the assumption that those who choose later in this timestep
/// stay idle, and the state after the tick is measured, in this order: a losing state is worst;
/// fewer open goals are better; so are more facts that never held before in the episode (novelty of
/// width 1: Lipovetzky and Geffner, ECAI 2012); then less cost, more labels, and the operator that
/// comes first. It plans nothing and knows nothing of the others: a baseline that makes progress.
#[derive(Clone, Debug, Default)]
pub struct Greedy {
    /// For each variable which of its values have occurred.
    seen: Vec<Vec<bool>>,
}

/// Least is best.
type Measure = (bool, usize, Reverse<usize>, i64, Reverse<usize>);

impl Greedy {
    /// A policy that has seen nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn measure(&self, view: &View<'_>, operator: OperatorId) -> Measure {
        let task = view.task;
        let mut state = view.state.to_vec();
        let mut record = Record::default();
        task.act(&mut state, operator, &mut record);
        if task.turns != TurnMode::Alternate {
            for other in view.agent + 1..task.agents.len() {
                let tested = match task.turns {
                    TurnMode::Simultaneous => view.state,
                    TurnMode::Sequential | TurnMode::Alternate => &state,
                };
                if let Some(operator) = idle(task, task.applicable(tested, other)) {
                    task.act(&mut state, operator, &mut record);
                }
            }
        }
        task.tick(&mut state, &mut record);
        (
            task.status(&state) == Status::Failed,
            open_goals(task, &state),
            Reverse(self.new_facts(task, &state)),
            record.cost,
            Reverse(record.log.len()),
        )
    }

    fn new_facts(&self, task: &Task, state: &[u64]) -> usize {
        let variables = task.variables.iter().zip(&self.seen);
        variables
            .filter(|(variable, seen)| !seen[variable.get(state) as usize])
            .count()
    }
}

impl Policy for Greedy {
    fn choose(&mut self, view: &View<'_>) -> Result<Choice, PolicyError> {
        let legal = view.legal.iter().copied();
        let best = legal.min_by_key(|&operator| self.measure(view, operator));
        Ok(best.unwrap_or(view.legal[0]).into())
    }

    fn observe(&mut self, observation: &Observation<'_>) {
        let variables = &observation.task.variables;
        if self.seen.is_empty() {
            let unseen = |size: u32| vec![false; size as usize];
            self.seen = variables.iter().map(|v| unseen(v.size)).collect();
        }
        for (variable, seen) in variables.iter().zip(&mut self.seen) {
            seen[variable.get(observation.state) as usize] = true;
        }
    }
}

/// How many conjuncts of the goal do not hold.
fn open_goals(task: &Task, state: &[u64]) -> usize {
    let open = |cond: &Cond| usize::from(!cond.holds(&task.variables, state));
    let of = |cond: &Cond| match cond {
        Cond::Facts(tests) => tests.iter().filter(|test| !test.holds(state)).count(),
        other => open(other),
    };
    match &task.goal {
        None => 0,
        Some(Cond::And(conds)) => conds.iter().map(of).sum(),
        Some(goal) => of(goal),
    }
}
