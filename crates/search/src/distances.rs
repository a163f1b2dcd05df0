//! Exact costs-to-go of many states of one task: for planners in a closed loop, and for regret.
//!
//! Answers are kept: a search gives the cost-to-go of every state on its plan. Where the space is
//! small enough, [`Distances::tabulate`] explores all that can be reached once, and every answer is
//! looked up.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::ControlFlow;

use crate::control::{Control, NODES_PER_POLL, StopReason};
use crate::measure::{Key, Measure};
use crate::options::SearchOptions;
use crate::plans::plan::{Plan, Value};
use crate::plans::trace::StepLog;
use crate::result::Outcome;
use crate::space::bucket_queue::Keys;
use crate::space::expand::{Expander, halves};
use crate::space::node_kind::{NodeKind, node_kind};
use crate::space::start::Start;
use crate::space::state_table::{Reached, StateTable};
use crate::space::successor::Successor;
use crate::space::words::hash;
use crate::{is_saturated, solve_from};
use brigade_task::effect::Record;
use brigade_task::{PackedTask, State, StateBuf, TurnMode};

/// The key of a state from which no plan is known.
const UNREACHED: u32 = u32::MAX;

/// Exact costs-to-go of one task under one objective.
pub struct Distances<'t> {
    task: &'t PackedTask,
    options: SearchOptions,
    measure: Measure,
    expander: Expander<'t>,
    /// Answers of searches, by agent to choose and state.
    known: BTreeMap<(usize, StateBuf), Option<Value>>,
    table: Option<Table>,
}

/// The cost-to-go of every state that can be reached from the task's initial state.
struct Table {
    /// One for each half-step.
    states: Vec<StateTable>,
    /// First key and makespan of what remains.
    keys: Keys,
}

/// A search for a cost-to-go that was stopped before its proof, and what it had proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Unproven {
    /// No plan is better than this; keys outside the objective are 0. `None` if nothing is known.
    pub lower: Option<Value>,
    /// The worth of the best plan that was found, if any was.
    pub upper: Option<Value>,
    /// The reason why the search stopped.
    pub reason: StopReason,
}

/// The answer of a look-up, without a search.
pub(super) enum Lookup<T> {
    Found(T),
    NoPlan,
    Unknown,
}

/// Edges of one half-step, by source while they are collected and by target afterwards.
#[derive(Default)]
struct Edges {
    /// For each node where its edges start, and one past the last.
    first: Vec<u32>,
    /// The node at the other end, and the number of the weight.
    ends: Vec<(u32, u32)>,
}

/// The explicit graph of a task.
struct Graph {
    states: Vec<StateTable>,
    /// For each half-step the edges that leave its nodes.
    edges: Vec<Edges>,
    /// First key and labels of each weight.
    weights: Keys,
    goals: Vec<u32>,
}

impl<'t> Distances<'t> {
    /// Knows nothing yet. Of the options the objective and the limits count.
    pub fn new(task: &'t PackedTask, options: SearchOptions) -> Self {
        Self {
            task,
            measure: Measure::new(task, options.objective),
            options: options.with_all_plans(false),
            expander: Expander::new(task),
            known: BTreeMap::new(),
            table: None,
        }
    }

    /// The value of the best plan from a state, exactly; keys outside the objective are 0. `None`
    /// if there is no plan. An error says what stopped the search for it.
    pub fn cost_to_go(
        &mut self,
        start: Start,
        control: &dyn Control,
    ) -> Result<Option<Value>, StopReason> {
        self.bound(start, control).map_err(|known| known.reason)
    }

    /// The same; an error also holds the bounds that are proven.
    pub fn bound(
        &mut self,
        start: Start,
        control: &dyn Control,
    ) -> Result<Option<Value>, Unproven> {
        match self.look_up(start) {
            Lookup::Found(value) => Ok(Some(value)),
            Lookup::NoPlan => Ok(None),
            Lookup::Unknown => {
                let plan = self.search(start, control)?;
                Ok(plan.map(|plan| self.measure.restrict(plan.value)))
            }
        }
    }

    /// Returns whether the cost-to-go of every state that can be reached is known.
    pub const fn is_tabulated(&self) -> bool {
        self.table.is_some()
    }

    /// The number of states that can be reached at the start of a timestep, and the number of those
    /// from which no plan is left. Losing states, and those after the horizon, do not count;
    /// nothing is reached from a goal. `None` if not all states are known.
    pub fn reached(&self) -> Option<(u64, u64)> {
        let starts = self.table.as_ref()?.states.first()?;
        let left = (0..starts.len()).filter(|&id| starts.reached(id).key == UNREACHED);
        Some((starts.len().into(), left.count() as u64))
    }

    /// An optimal plan from a state; `None` if there is none.
    pub fn plan(
        &mut self,
        start: Start,
        control: &dyn Control,
    ) -> Result<Option<Plan>, StopReason> {
        match self.descend(start) {
            Lookup::Found(plan) => return Ok(Some(plan)),
            Lookup::NoPlan => return Ok(None),
            Lookup::Unknown => {}
        }
        self.search(start, control).map_err(|known| known.reason)
    }

    fn search(&mut self, start: Start, control: &dyn Control) -> Result<Option<Plan>, Unproven> {
        if let Some(reason) = control.stop() {
            return Err(Unproven {
                lower: None,
                upper: None,
                reason,
            });
        }
        let result = solve_from(self.task, start, &self.options, control);
        match result.outcome {
            Outcome::Solved(plan) => {
                self.remember(start, &plan);
                Ok(Some(plan))
            }
            Outcome::Unsolvable => {
                self.known.insert((start.agent, start.state.into()), None);
                Ok(None)
            }
            Outcome::Bounded {
                lower,
                upper,
                reason,
            } => Err(Unproven {
                lower,
                upper: upper.map(|plan| self.measure.restrict(plan.value)),
                reason,
            }),
        }
    }

    /// Looks a state up.
    fn look_up(&self, start: Start) -> Lookup<Value> {
        if start.agent == 0 {
            match node_kind(self.task, start.state) {
                NodeKind::Interior => {}
                NodeKind::Final => return Lookup::Found(Value::default()),
                NodeKind::DeadEnd => return Lookup::NoPlan,
            }
        }
        if let Some(table) = &self.table
            && let Some(id) = table.find(start.agent, start.state)
        {
            return match table.to_go(start.agent, id) {
                // A search reports why it is not known.
                Some((key, _)) if is_saturated(key.0) => Lookup::Unknown,
                Some((key, labels)) => Lookup::Found(self.measure.value(key, labels)),
                None => Lookup::NoPlan,
            };
        }
        match self.known.get(&(start.agent, start.state.into())) {
            Some(Some(value)) => Lookup::Found(*value),
            Some(None) => Lookup::NoPlan,
            None => Lookup::Unknown,
        }
    }

    /// Looks up the best plan from a state at the start of a timestep, without a search.
    pub(super) fn lookup(&self, state: &State) -> Lookup<Value> {
        self.look_up(Start { state, agent: 0 })
    }

    /// Bytes that the table takes.
    pub(super) fn bytes(&self) -> usize {
        let tables = self.table.iter().flat_map(|table| &table.states);
        tables.map(StateTable::bytes).sum()
    }

    /// Keeps the cost-to-go of every state on an optimal plan.
    fn remember(&mut self, start: Start, plan: &Plan) {
        let mut rest = self.measure.restrict(plan.value);
        let mut state: StateBuf = start.state.into();
        let mut record = Record::default();
        let mut agent = start.agent;
        self.known.insert((agent, state.clone()), Some(rest));
        for (index, step) in plan.steps.iter().enumerate() {
            self.task.act(&mut state, step.operator, &mut record);
            let next = plan.steps.get(index + 1);
            let ticks = next.is_none_or(|next| next.tick != step.tick);
            if ticks {
                self.task.tick(&mut state, &mut record);
            } else if self.task.turns != TurnMode::Sequential {
                // Not a state in which anyone chooses.
                continue;
            }
            let passed = self.measure.restrict(Value {
                cost: record.cost,
                makespan: u32::from(ticks),
                labels: record.log.len() as u32,
            });
            record.clear();
            rest = Value {
                cost: rest.cost - passed.cost,
                makespan: rest.makespan - passed.makespan,
                labels: rest.labels - passed.labels,
            };
            agent = if ticks { 0 } else { agent + 1 };
            self.known.insert((agent, state.clone()), Some(rest));
        }
    }

    /// The plan that the table gives: at each node the first choice that loses nothing.
    fn descend(&mut self, start: Start) -> Lookup<Plan> {
        let Some(table) = &self.table else {
            return Lookup::Unknown;
        };
        let mut half = start.agent;
        let Some(mut id) = table.find(half, start.state) else {
            return Lookup::Unknown;
        };
        let Some(mut to_go) = table.to_go(half, id) else {
            return Lookup::NoPlan;
        };
        let measure = self.measure;
        if is_saturated(to_go.0.0) {
            return Lookup::Unknown;
        }
        let mut plan = Plan::default();
        let mut step = StepLog::default();
        let mut first = start.agent as u16;
        while to_go.0.1 > 0 {
            let state = table.states[half].state(id);
            if self.task.turns == TurnMode::Alternate {
                first = self.task.mover(state) as u16;
            }
            let next = self.expander.expand(half, state, |successor| {
                let Some(id) = table.find(successor.half, successor.state) else {
                    return ControlFlow::Continue(());
                };
                match table.to_go(successor.half, id) {
                    Some(rest) if measure.add(rest, successor) == to_go => {
                        step.push(successor, &mut plan);
                        ControlFlow::Break((successor.half, successor.ticked, id, rest))
                    }
                    _ => ControlFlow::Continue(()),
                }
            });
            let ControlFlow::Break((next_half, ticked, next, rest)) = next else {
                return Lookup::Unknown;
            };
            if ticked {
                step.finish(first, &mut plan);
                first = 0;
            }
            (half, id, to_go) = (next_half, next, rest);
        }
        Lookup::Found(plan)
    }

    /// Explores all that can be reached from the task's initial state and computes every
    /// cost-to-go, backwards from the ends. Stops with an error at the limits of the options, or at
    /// more than `most_states` nodes, and then leaves everything as it was. Does nothing where a
    /// step can improve the metric.
    pub fn tabulate(&mut self, most_states: u64, control: &dyn Control) -> Result<(), StopReason> {
        if !self.measure.is_monotone(self.task)
            || node_kind(self.task, &self.task.initial) != NodeKind::Interior
        {
            return Ok(());
        }
        let most_states = self.options.max_states.unwrap_or(u64::MAX).min(most_states);
        let most_states = most_states.min(u64::from(u32::MAX / 2));
        let graph = self.explore(most_states, control)?;
        self.table = Some(graph.backwards(control)?);
        Ok(())
    }

    fn explore(&mut self, most_states: u64, control: &dyn Control) -> Result<Graph, StopReason> {
        let task = self.task;
        let halves = halves(task);
        let mut graph = Graph {
            states: (0..halves).map(|_| StateTable::new(task.words)).collect(),
            edges: (0..halves).map(|_| Edges::default()).collect(),
            weights: Keys::default(),
            goals: Vec::new(),
        };
        graph.insert(0, &task.initial);
        let mut state = StateBuf::zeros(task.words);
        let (measure, options) = (self.measure, &self.options);
        loop {
            let mut is_done = true;
            for half in 0..halves {
                while (graph.edges[half].first.len() as u32) < graph.states[half].len() {
                    is_done = false;
                    let id = graph.edges[half].first.len() as u32;
                    if u64::from(id).is_multiple_of(NODES_PER_POLL)
                        && let Some(reason) = control.stop()
                    {
                        return Err(reason);
                    }
                    let start = graph.edges[half].ends.len() as u32;
                    graph.edges[half].first.push(start);
                    state.copy_from(graph.states[half].state(id));
                    if half == 0 && node_kind(task, &state) == NodeKind::Final {
                        graph.goals.push(id);
                        continue;
                    }
                    let flow = self.expander.expand(half, &state, |successor| {
                        graph.meet(task, measure, half, successor);
                        ControlFlow::<()>::Continue(())
                    });
                    debug_assert!(flow.is_continue());
                    if graph.len() > most_states
                        || graph.edges[half].ends.len() > u32::MAX as usize / 2
                    {
                        return Err(StopReason::States);
                    }
                    if options
                        .memory_limit
                        .is_some_and(|most| graph.bytes() > most)
                    {
                        return Err(StopReason::Memory);
                    }
                }
            }
            if is_done {
                return Ok(graph);
            }
        }
    }
}

impl Graph {
    fn len(&self) -> u64 {
        self.states.iter().map(|table| u64::from(table.len())).sum()
    }

    /// Bytes held, and as many again for edges and twice the starts, to turn the edges round.
    fn bytes(&self) -> usize {
        let states: usize = self.states.iter().map(StateTable::bytes).sum();
        let edges = self.edges.iter().map(|edges| {
            2 * edges.ends.capacity() * size_of::<(u32, u32)>()
                + 3 * edges.first.capacity() * size_of::<u32>()
        });
        states + edges.sum::<usize>()
    }

    fn insert(&mut self, half: usize, state: &State) -> u32 {
        let hash = hash(state.words());
        let table = &mut self.states[half];
        table.find(hash, state.words()).unwrap_or_else(|| {
            let reached = Reached {
                key: UNREACHED,
                labels: 0,
            };
            table.insert(hash, state.words(), reached, 0)
        })
    }

    fn meet(&mut self, task: &PackedTask, measure: Measure, half: usize, successor: &Successor) {
        if successor.ticked && node_kind(task, successor.state) == NodeKind::DeadEnd {
            return;
        }
        let target = self.insert(successor.half, successor.state);
        let weight = (measure.first(successor), measure.labels(successor));
        let weight = self.weights.number(weight);
        self.edges[half].ends.push((target, weight));
    }

    /// Uniform-cost search from the goals along reversed edges.
    fn backwards(self, control: &dyn Control) -> Result<Table, StopReason> {
        let Self {
            mut states,
            edges,
            weights,
            goals,
        } = self;
        let halves = states.len();
        // For each half-step the edges that enter its nodes.
        let mut entering: Vec<Edges> = Vec::new();
        entering.resize_with(halves, Edges::default);
        for (half, edges) in edges.into_iter().enumerate() {
            let next = (half + 1) % halves;
            entering[next] = edges.reversed(states[next].len() as usize);
        }
        let mut keys = Keys::default();
        let mut open = BinaryHeap::new();
        for goal in goals {
            let reached = Reached {
                key: keys.number((0, 0)),
                labels: 0,
            };
            states[0].set(goal, reached, 0);
            open.push(Reverse(((0, 0), 0, 0, goal)));
        }
        let mut polled = 0_u64;
        while let Some(Reverse((key, labels, half, id))) = open.pop() {
            polled += 1;
            if polled.is_multiple_of(NODES_PER_POLL)
                && let Some(reason) = control.stop()
            {
                return Err(reason);
            }
            let reached = states[half].reached(id);
            if (keys.value(reached.key), reached.labels) != (key, labels) {
                continue;
            }
            let before = (half + halves - 1) % halves;
            for &(source, weight) in entering[half].of(id) {
                let (first, more_labels) = weights.value(weight);
                let through = (
                    (key.0.saturating_add(first), key.1 + u32::from(half == 0)),
                    labels + more_labels,
                );
                let old = states[before].reached(source);
                if old.key == UNREACHED || through < (keys.value(old.key), old.labels) {
                    let reached = Reached {
                        key: keys.number(through.0),
                        labels: through.1,
                    };
                    states[before].set(source, reached, 0);
                    open.push(Reverse((through.0, through.1, before, source)));
                }
            }
        }
        Ok(Table { states, keys })
    }
}

impl Edges {
    fn of(&self, node: u32) -> &[(u32, u32)] {
        let range = self.first[node as usize]..self.first[node as usize + 1];
        &self.ends[range.start as usize..range.end as usize]
    }

    /// The same edges by target, of which there are `targets`.
    fn reversed(self, targets: usize) -> Self {
        let mut first = vec![0_u32; targets + 1];
        for &(target, _) in &self.ends {
            first[target as usize + 1] += 1;
        }
        for index in 1..first.len() {
            first[index] += first[index - 1];
        }
        let mut next = first.clone();
        let mut ends = vec![(0, 0); self.ends.len()];
        for source in 0..self.first.len() {
            let start = self.first[source] as usize;
            let end = self
                .first
                .get(source + 1)
                .map_or(self.ends.len(), |&end| end as usize);
            for &(target, weight) in &self.ends[start..end] {
                let place = &mut next[target as usize];
                ends[*place as usize] = (source as u32, weight);
                *place += 1;
            }
        }
        Self { first, ends }
    }
}

impl Table {
    fn find(&self, half: usize, state: &State) -> Option<u32> {
        self.states
            .get(half)?
            .find(hash(state.words()), state.words())
    }

    /// The keys of what remains; `None` if no plan is left.
    fn to_go(&self, half: usize, id: u32) -> Option<(Key, u32)> {
        let reached = self.states[half].reached(id);
        (reached.key != UNREACHED).then(|| (self.keys.value(reached.key), reached.labels))
    }
}
