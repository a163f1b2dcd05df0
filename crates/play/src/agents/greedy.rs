//! Chooses what looks best once it is done.

use std::cmp::Reverse;

use super::{Choice, Observation, Policy, PolicyError, View, idle};
use brigade_task::cond::Cond;
use brigade_task::effect::Record;
use brigade_task::step::Status;
use brigade_task::{Masked, OperatorId, OperatorKind, PackedTask, State, StateBuf, TurnMode};

/// One-step lookahead with goal counting and novelty.
///
/// Every legal operator is tried on the assumption that all others stay idle, until it is done: for
/// one timestep, and as long as the agent can only go on with what it has started. The state then is
/// measured, in this order: a losing state is worst; fewer open goals are better; so are more facts
/// that never held before in the episode (novelty of width 1: Lipovetzky and Geffner, ECAI 2012);
/// then less cost, more labels, fewer ticks, and the operator that comes first. It plans nothing and
/// knows nothing of the others: a cheap baseline. It knows the whole state, whatever its agent observes.
#[derive(Clone, Debug, Default)]
pub struct Greedy {
    /// For each variable which of its values have occurred.
    seen: Vec<Vec<bool>>,
}

/// Least is best.
type Measure = (bool, usize, Reverse<usize>, i64, Reverse<usize>, u32);

/// The most ticks of the lookahead.
const HORIZON: u32 = 100;

impl Greedy {
    /// A policy that has seen nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn measure(&self, view: &View<'_>, operator: OperatorId) -> Measure {
        let task = view.task;
        let mut state = view.state.to_owned();
        let mut record = Record::default();
        let mut ticks = 1;
        task.act(&mut state, operator, &mut record);
        if task.turns != TurnMode::Alternate {
            others_idle(task, &mut state, view.agent + 1, view.state, &mut record);
        }
        task.tick(&mut state, &mut record);
        while ticks < HORIZON && task.status(&state) == Status::Running {
            let before = state.clone();
            if !goes_on(task, &mut state, view.agent, &mut record) {
                break;
            }
            others_idle(task, &mut state, view.agent + 1, &before, &mut record);
            task.tick(&mut state, &mut record);
            ticks += 1;
        }
        (
            task.status(&state) == Status::Failed,
            open_goals(task, &state),
            Reverse(self.new_facts(task, &state)),
            record.cost,
            Reverse(record.log.len()),
            ticks,
        )
    }

    fn new_facts(&self, task: &PackedTask, state: &State) -> usize {
        let variables = task.variables.iter().zip(&self.seen);
        variables
            .filter(|(variable, seen)| !seen[variable.get(state) as usize])
            .count()
    }
}

impl Policy for Greedy {
    fn choose(&mut self, view: &View<'_>) -> Result<Choice, PolicyError> {
        let legal = view.legal.iter().copied();
        let legal = legal.filter(|operator| view.task.is_applicable(view.state, *operator));
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

/// Lets the agents from `first` on be idle. `before` is the state at the start of the timestep.
fn others_idle(
    task: &PackedTask,
    state: &mut State,
    first: usize,
    before: &State,
    record: &mut Record,
) {
    for other in first..task.agents.len() {
        let idle = match task.turns {
            TurnMode::Simultaneous => idle(task, task.applicable(before, other)),
            TurnMode::Sequential | TurnMode::Alternate => idle(task, task.applicable(state, other)),
        };
        if let Some(operator) = idle {
            task.act(state, operator, record);
        }
    }
}

/// Goes on with what an agent has started, if it can do nothing else, after the agents before it
/// were idle.
fn goes_on(task: &PackedTask, state: &mut StateBuf, agent: usize, record: &mut Record) -> bool {
    if task.turns == TurnMode::Alternate {
        return false;
    }
    let before = state.clone();
    let mut next = before.clone();
    for other in 0..agent {
        let read = match task.turns {
            TurnMode::Simultaneous => &before,
            TurnMode::Sequential | TurnMode::Alternate => &next,
        };
        if let Some(operator) = idle(task, task.applicable(read, other)) {
            task.act(&mut next, operator, record);
        }
    }
    let read = match task.turns {
        TurnMode::Simultaneous => &before,
        TurnMode::Sequential | TurnMode::Alternate => &next,
    };
    let mut legal = task.applicable(read, agent);
    let (Some(only), None) = (legal.next(), legal.next()) else {
        return false;
    };
    drop(legal);
    if task.operator(only).kind != OperatorKind::Continue {
        return false;
    }
    task.act(&mut next, only, record);
    *state = next;
    true
}

/// Returns the number of conjuncts of the goal that do not hold.
fn open_goals(task: &PackedTask, state: &State) -> usize {
    let open = |cond: &Cond<Masked>| usize::from(!cond.holds(&task.variables, state));
    let of = |cond: &Cond<Masked>| match cond {
        Cond::Facts(tests) => tests.iter().filter(|test| !test.matches(state)).count(),
        other => open(other),
    };
    match &task.packed().goal {
        None => 0,
        Some(Cond::And(conds)) => conds.iter().map(of).sum(),
        Some(goal) => of(goal),
    }
}
