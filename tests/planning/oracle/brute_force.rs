//! Optimal values, counts and plans by exhaustion, through `PackedTask::step` alone.
//!
//! All reachable states and all joint actions are listed; the exact cost-to-go of each state is the
//! fixed point of the optimality equation; plans are counted and listed by walking on from the
//! start as long as cost so far and cost-to-go add up to the optimum.

use std::collections::BTreeMap;

use brigade::search::Objective;
use brigade::task::effect::Record;
use brigade::task::step::Status;
use brigade::task::{LabelId, Metric, OperatorId, PackedTask, State, StateBuf, TurnMode};

/// The keys that are minimised, most important first.
pub(crate) type Keys = [i64; 3];

pub(crate) struct Edge {
    pub(crate) joint: Vec<OperatorId>,
    pub(crate) target: usize,
    pub(crate) weight: Keys,
    pub(crate) labels: Vec<(u16, LabelId)>,
}

/// The explicit graph of a task.
pub(crate) struct Graph {
    pub(crate) states: Vec<StateBuf>,
    pub(crate) edges: Vec<Vec<Edge>>,
    pub(crate) is_final: Vec<bool>,
    /// The exact cost-to-go.
    pub(crate) to_go: Vec<Option<Keys>>,
}

/// The sum of two vectors of keys.
pub(crate) fn plus(left: Keys, right: Keys) -> Keys {
    [0, 1, 2].map(|index| left[index] + right[index])
}

pub(crate) fn keys(
    task: &PackedTask,
    objective: Objective,
    cost: i64,
    ticks: i64,
    labels: i64,
) -> Keys {
    let cost = if task.metric == Metric::NegatedCost {
        -cost
    } else {
        cost
    };
    match objective {
        Objective::Declared if task.metric == Metric::Makespan => [ticks, labels, 0],
        Objective::Declared => [cost, ticks, labels],
        Objective::Makespan => [ticks, 0, 0],
        Objective::Labels => [labels, ticks, 0],
        Objective::Cost => [cost, ticks, 0],
    }
}

/// All joint actions that some agent's preconditions, tested alone, do not rule out.
fn joints(task: &PackedTask, state: &State) -> Vec<Vec<OperatorId>> {
    if task.turns == TurnMode::Alternate {
        let mover = task.mover(state);
        return task.agents[mover]
            .operators
            .iter()
            .map(|&operator| vec![operator])
            .collect();
    }
    let agents = task.agents.iter().enumerate();
    agents.fold(vec![vec![]], |joints, (index, agent)| {
        // What the others do may decide what an agent can do after them.
        let is_known = index == 0 || task.turns == TurnMode::Simultaneous;
        let operators = agent.operators.iter().copied();
        let operators: Vec<OperatorId> = operators
            .filter(|&operator| !is_known || task.is_applicable(state, operator))
            .collect();
        joints
            .iter()
            .flat_map(|joint| {
                operators.iter().map(move |&operator| {
                    let mut longer = joint.clone();
                    longer.push(operator);
                    longer
                })
            })
            .collect()
    })
}

/// Lists what can be reached; `None` if it is more than `limit` states.
pub(crate) fn graph(task: &PackedTask, objective: Objective, limit: usize) -> Option<Graph> {
    graph_within(task, objective, limit, usize::MAX)
}

/// Lists what can be reached; `None` if it is more than so many states, or takes more joint actions.
pub(crate) fn graph_within(
    task: &PackedTask,
    objective: Objective,
    most_states: usize,
    most_steps: usize,
) -> Option<Graph> {
    let mut steps = 0;
    let mut graph = Graph {
        states: Vec::new(),
        edges: Vec::new(),
        is_final: Vec::new(),
        to_go: Vec::new(),
    };
    let mut numbers: BTreeMap<StateBuf, usize> = BTreeMap::new();
    let is_final =
        |status| status == Status::Goal || status == Status::Ended && task.goal.is_none();
    graph.states.push(task.initial.clone());
    graph.is_final.push(is_final(task.status(&task.initial)));
    numbers.insert(task.initial.clone(), 0);
    let mut next = 0;
    while next < graph.states.len() {
        if graph.states.len() > most_states {
            return None;
        }
        let state = graph.states[next].clone();
        let mut edges = Vec::new();
        if task.status(&state) == Status::Running {
            let joints = joints(task, &state);
            steps += joints.len();
            if steps > most_steps {
                return None;
            }
            for joint in joints {
                let mut after = state.clone();
                let mut record = Record::default();
                if let Ok(status) = task.step(&mut after, &joint, &mut record) {
                    let target = *numbers.entry(after.clone()).or_insert_with(|| {
                        graph.states.push(after);
                        graph.is_final.push(is_final(status));
                        graph.states.len() - 1
                    });
                    let labels = record.log.iter().map(|entry| (entry.agent, entry.label));
                    edges.push(Edge {
                        joint,
                        target,
                        weight: keys(task, objective, record.cost, 1, record.log.len() as i64),
                        labels: labels.collect(),
                    });
                }
            }
        }
        graph.edges.push(edges);
        next += 1;
    }
    graph.to_go = graph
        .is_final
        .iter()
        .map(|&is_final| is_final.then_some([0; 3]))
        .collect();
    let mut changed = true;
    while changed {
        changed = false;
        for source in (0..graph.states.len()).rev() {
            if graph.is_final[source] {
                continue;
            }
            let best = graph.edges[source]
                .iter()
                .filter_map(|edge| Some(plus(edge.weight, graph.to_go[edge.target]?)))
                .min();
            if best != graph.to_go[source] {
                graph.to_go[source] = best;
                changed = true;
            }
        }
    }
    Some(graph)
}

impl Graph {
    /// The optimum.
    pub(crate) fn optimum(&self) -> Option<Keys> {
        self.to_go[0]
    }

    fn best_edges(&self, source: usize) -> impl Iterator<Item = &Edge> {
        self.edges[source].iter().filter(move |edge| {
            let through = self.to_go[edge.target].map(|rest| plus(edge.weight, rest));
            through.is_some() && through == self.to_go[source]
        })
    }

    /// The number of optimal plans, if there is a plan.
    pub(crate) fn count(&self) -> u128 {
        let mut memo = vec![None; self.states.len()];
        self.count_from(0, &mut memo)
    }

    fn count_from(&self, source: usize, memo: &mut [Option<u128>]) -> u128 {
        if self.is_final[source] {
            return 1;
        }
        if let Some(count) = memo[source] {
            return count;
        }
        let targets = self.best_edges(source).map(|edge| edge.target);
        let count = targets.fold(0_u128, |sum, target| {
            let sum = sum.checked_add(self.count_from(target, memo));
            sum.expect("fewer plans than 2 to the 128th")
        });
        memo[source] = Some(count);
        count
    }

    /// All optimal plans, as the operators chosen one after another, sorted.
    pub(crate) fn plans(&self) -> Vec<Vec<OperatorId>> {
        let mut plans = Vec::new();
        let mut open = vec![(0, Vec::new())];
        while let Some((source, plan)) = open.pop() {
            if self.is_final[source] {
                plans.push(plan);
                continue;
            }
            for edge in self.best_edges(source) {
                let mut longer = plan.clone();
                longer.extend_from_slice(&edge.joint);
                open.push((edge.target, longer));
            }
        }
        plans.sort();
        plans
    }

    /// The labels that an optimal plan records, in order.
    pub(crate) fn labels(&self, plan: &[OperatorId]) -> Vec<(u16, LabelId)> {
        let (mut source, mut rest, mut labels) = (0, plan, Vec::new());
        while !rest.is_empty() {
            let edge = self.edges[source]
                .iter()
                .find(|edge| rest.starts_with(&edge.joint))
                .expect("the plan is one of this graph");
            labels.extend(&edge.labels);
            rest = &rest[edge.joint.len()..];
            source = edge.target;
        }
        labels
    }
}
