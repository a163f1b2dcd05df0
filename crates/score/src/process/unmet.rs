//! Finds the reason why a requirement of a refused operator did not hold: since the start, or since someone changed it.

use serde::Serialize;

use super::class::FailureClass;
use super::walk::Walk;
use brigade_task::cond::Cond;
use brigade_task::effect::Record;
use brigade_task::{OperatorId, PackedTask, State, VariableSet};

/// A requirement that did not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unmet {
    /// The requirement, in the author's words or in PDDL.
    pub requirement: String,
    /// Since when it does not.
    #[serde(flatten)]
    pub since: Since,
}

/// Since when a requirement does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "since", rename_all = "kebab-case")]
pub enum Since {
    /// Since the start, and nothing that it depends on has changed.
    Start,
    /// It has never held, but what it depends on has changed.
    Touched,
    /// It has never held; a delayed effect that bears on it is live.
    UnderWay,
    /// It held before.
    Changed {
        /// Ticks that had passed before the timestep in which it ceased to hold.
        tick: u32,
        /// The agent whose effect it was; `None`: the tick.
        by: Option<String>,
    },
}

impl Unmet {
    /// [`FailureClass::State`] if the initial state shows it, else [`FailureClass::Transition`].
    pub fn class(&self) -> FailureClass {
        match self.since {
            Since::Start => FailureClass::State,
            Since::Touched | Since::UnderWay | Since::Changed { .. } => FailureClass::Transition,
        }
    }
}

/// The requirements of an operator that do not hold at a point.
pub(super) fn unmet(
    task: &PackedTask,
    walk: &Walk<'_>,
    point: usize,
    operator: OperatorId,
) -> Vec<Unmet> {
    let operator = task.operator(operator);
    let state = &walk.points[point].state;
    let stated = operator.requirements.iter();
    let mut all: Vec<(&Cond, &str)> = stated
        .map(|requirement| (&requirement.cond, requirement.reason.as_str()))
        .collect();
    all.retain(|(cond, _)| !cond.holds(&task.variables, state));
    // What has been compiled into an operator need not be stated.
    let facts = Cond::Facts(operator.facts.clone().into());
    let whole = Cond::And([facts, operator.guard.clone()].into());
    if all.is_empty() && !whole.holds(&task.variables, state) {
        all.push((&whole, "its precondition"));
    }
    all.into_iter()
        .map(|(cond, requirement)| Unmet {
            requirement: requirement.to_owned(),
            since: since(task, walk, point, cond),
        })
        .collect()
}

fn since(task: &PackedTask, walk: &Walk<'_>, point: usize, cond: &Cond) -> Since {
    let holds = |state: &State| cond.holds(&task.variables, state);
    let earlier = &walk.points[..point];
    if let Some(last) = earlier.iter().rposition(|point| holds(&point.state)) {
        return Since::Changed {
            tick: walk.passages[last].tick,
            by: changed_by(task, walk, last, &holds),
        };
    }
    let read = depends_on(task, cond);
    if is_under_way(task, &walk.points[point].state, &read) {
        return Since::UnderWay;
    }
    let differs = |state: &State| {
        let mut variables = read.iter().map(|id| &task.variables[id.index()]);
        variables.any(|variable| variable.get(state) != variable.get(&task.initial))
    };
    let changed = walk.points[..=point]
        .iter()
        .any(|point| differs(&point.state));
    if changed {
        Since::Touched
    } else {
        Since::Start
    }
}

/// Returns the agent whose choice, of the passage that begins at a point, made a condition false; `None` if it was the
/// tick.
fn changed_by(
    task: &PackedTask,
    walk: &Walk<'_>,
    point: usize,
    holds: &dyn Fn(&State) -> bool,
) -> Option<String> {
    let mut state = walk.points[point].state.clone();
    for &choice in &walk.passages[point].choices {
        task.act(&mut state, choice, &mut Record::default());
        if !holds(&state) {
            let agent = task.operator(choice).agent;
            return Some(task.agents[usize::from(agent)].name.clone());
        }
    }
    None
}

/// The variables that a condition reads, and those that the derived ones among them are derived from.
fn depends_on(task: &PackedTask, cond: &Cond) -> VariableSet {
    let mut read = VariableSet::default();
    cond.reads(&mut read);
    // Later layers read earlier ones; within a layer rules may feed each other.
    let mut grows = !task.axioms.layers.is_empty();
    while grows {
        let before = read.clone();
        for (body, head) in task
            .axioms
            .layers
            .iter()
            .rev()
            .flat_map(|layer| &layer.rules)
        {
            if read.contains(*head) {
                body.reads(&mut read);
            }
        }
        grows = read != before;
    }
    read
}

/// Returns true if a live delayed effect may write what is read.
fn is_under_way(task: &PackedTask, state: &State, read: &VariableSet) -> bool {
    let live = |variable: usize| task.variables[variable].get(state) > 0;
    task.timers.iter().any(|timer| {
        let mut written = VariableSet::default();
        timer.effect.writes(&mut written);
        live(timer.variable.index()) && written.meets(read)
    })
}
