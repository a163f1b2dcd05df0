//! All plans that are at most a factor worse than the optimum: top-quality planning (M. Katz,
//! S. Sohrabi and O. Udrea, AAAI 2020), as the DAG of all plans within bounds on their keys.
//!
//! Forward, timestep by timestep, all nodes (state, ticks, labels and cost so far) are stored from
//! which a plan within the bounds may lead on, by lower bounds on what remains. Backward, those are
//! marked from which one does, and what connects them.

use super::cost_to_go_bounds::CostToGoBounds;
use super::dag::{Edge, Node, NodeId, PlanDag};
use super::plan::Value;
use super::slack::{Bounds, Slack};
use super::timestep::{Counted, Sums, Timestep};
use crate::control::{Control, StopReason};
use crate::options::SearchOptions;
use crate::result::{Outcome, SearchResult};
use crate::solve;
use crate::space::expand::Expander;
use crate::space::node_kind::{NodeKind, node_kind};
use crate::space::state_table::{Reached, StateTable};
use crate::space::words::hash;
use brigade_task::{PackedTask, State};

/// Memory is summed up after this many timesteps.
const SUM_UP: u32 = 64;

/// A node that is on no plan within the bounds.
const UNMARKED: u32 = u32::MAX;

/// Finds an optimal plan, and then all plans within a factor of it that leave out idle steps.
///
/// An idle step is one that leaves the whole state as it was: what is delayed, who is busy and,
/// where it matters, the clock and whose turn it is belong to the state, so a step in which
/// something only has to be waited for is not idle. [`SearchResult::dag`] holds the plans: a node
/// is a state with the keys so far, and a plan ends at the first state in which the goal holds.
/// Where the factor does not [apply](Slack::applies_to), [`SearchResult::dag_stopped`] is
/// [`StopReason::Unbounded`], and where [`Bounds`] would not be exact, [`StopReason::Overflow`].
pub fn solve_within(
    task: &PackedTask,
    slack: Slack,
    options: &SearchOptions,
    control: &dyn Control,
) -> SearchResult {
    let options = options.clone().with_all_plans(false);
    let mut result = solve(task, &options, control);
    let Outcome::Solved(plan) = &result.outcome else {
        return result;
    };
    if !Slack::applies_to(task, options.objective) {
        result.dag_stopped = Some(StopReason::Unbounded);
        return result;
    }
    let Some(bounds) = Bounds::new(task, options.objective, plan.value, slack) else {
        result.dag_stopped = Some(StopReason::Overflow);
        return result;
    };
    match dag(task, bounds, &options, control) {
        Ok(dag) => result.dag = Some(dag),
        Err(reason) => result.dag_stopped = Some(reason),
    }
    result
}

/// The keys of the way to a node, beside its state.
#[derive(Clone, Copy)]
struct SoFar {
    ticks: u32,
    sums: Sums,
}

impl SoFar {
    /// After another timestep.
    const fn after(self, step: Sums) -> Self {
        Self {
            ticks: self.ticks.saturating_add(1),
            sums: self.sums.plus(step),
        }
    }
}

/// A node as it is stored: the words of its state, ticks and labels, the cost.
fn write_row(row: &mut Vec<u64>, state: &State, so_far: SoFar) {
    row.clear();
    row.extend_from_slice(state.words());
    row.push(u64::from(so_far.ticks) << 32 | u64::from(so_far.sums.labels));
    row.push(so_far.sums.cost.cast_unsigned());
}

fn read_row(row: &[u64]) -> (&State, SoFar) {
    let (state, rest) = row.split_at(row.len() - 2);
    let so_far = SoFar {
        ticks: (rest[0] >> 32) as u32,
        sums: Sums {
            cost: rest[1].cast_signed(),
            labels: rest[0] as u32,
        },
    };
    (State::from_words(state), so_far)
}

/// The exploration, and the DAG while it is built, backwards: a node has a number greater than its
/// successors.
struct Builder<'a> {
    task: &'a PackedTask,
    bounds: Bounds,
    options: &'a SearchOptions,
    control: &'a dyn Control,
    expander: Expander<'a>,
    table: StateTable,
    /// Bytes of the lower bounds, while they are needed.
    side_bytes: usize,
    /// The row of a node that is looked up.
    row: Vec<u64>,
    /// For each stored node the one in the DAG.
    marked: Vec<u32>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// Bytes of the edges' labels.
    log_bytes: usize,
}

/// All plans within the bounds without idle steps; there must be one, and the task must not end
/// where it starts.
fn dag(
    task: &PackedTask,
    bounds: Bounds,
    options: &SearchOptions,
    control: &dyn Control,
) -> Result<PlanDag, StopReason> {
    if node_kind(task, &task.initial) == NodeKind::Final {
        return Ok(PlanDag::of_the_empty_plan());
    }
    let mut builder = Builder {
        task,
        bounds,
        options,
        control,
        expander: Expander::new(task),
        table: StateTable::new(task.words + 2),
        side_bytes: 0,
        row: Vec::new(),
        marked: Vec::new(),
        nodes: Vec::new(),
        edges: Vec::new(),
        log_bytes: 0,
    };
    let lower_bounds = CostToGoBounds::new(task, bounds, options, control)?;
    builder.explore(lower_bounds)?;
    builder.mark()?;
    Ok(PlanDag::from_backward(builder.nodes, builder.edges))
}

impl Builder<'_> {
    /// The sums by which nodes of one tick and state differ.
    fn counted(&self) -> Counted {
        Counted {
            cost: self.bounds.cost.is_some(),
            labels: self.bounds.labels.is_some(),
        }
    }

    fn timestep(&mut self, state: &State) -> Timestep {
        let counted = self.counted();
        Timestep::from(self.task, &mut self.expander, state, counted)
    }

    /// Stores all nodes that may be on a plan within the bounds.
    fn explore(&mut self, mut lower_bounds: CostToGoBounds) -> Result<(), StopReason> {
        let start = SoFar {
            ticks: 0,
            sums: Sums::default(),
        };
        self.insert(&self.task.initial, start)?;
        let mut id = 0;
        while id < self.table.len() {
            let row = self.table.key(id).to_vec();
            let (state, so_far) = read_row(&row);
            id += 1;
            if id.is_multiple_of(SUM_UP) {
                self.side_bytes = lower_bounds.bytes();
            }
            self.poll(id)?;
            if so_far.ticks > 0 && node_kind(self.task, state) == NodeKind::Final {
                continue;
            }
            for (end, sums) in self.timestep(state).ends {
                let kind = node_kind(self.task, &end);
                if kind == NodeKind::DeadEnd || *end == *state {
                    continue;
                }
                let next = so_far.after(sums);
                let least = match kind {
                    NodeKind::Final => Some(Value::default()),
                    _ => lower_bounds.after(&end),
                };
                if least.is_some_and(|least| self.is_within(next, least)) {
                    self.insert(&end, next)?;
                }
            }
        }
        self.side_bytes = 0;
        Ok(())
    }

    /// Returns whether a plan that is worth `rest` from here on at least may be within the bounds.
    fn is_within(&self, so_far: SoFar, rest: Value) -> bool {
        let Bounds {
            cost,
            makespan,
            labels,
        } = self.bounds;
        let sums = so_far.sums;
        so_far.ticks.saturating_add(rest.makespan) <= makespan
            && labels.is_none_or(|most| sums.labels.saturating_add(rest.labels) <= most)
            && cost.is_none_or(|most| sums.cost.saturating_add(rest.cost) <= most)
    }

    fn insert(&mut self, state: &State, so_far: SoFar) -> Result<(), StopReason> {
        write_row(&mut self.row, state, so_far);
        let hash = hash(&self.row);
        if self.table.find(hash, &self.row).is_some() {
            return Ok(());
        }
        let count = self.table.len();
        let most = self.options.max_states;
        if count >= u32::MAX / 2 || most.is_some_and(|most| u64::from(count) >= most) {
            return Err(StopReason::States);
        }
        let growth = self.table.growth();
        if growth > 0 {
            self.check_memory(growth)?;
        }
        let reached = Reached { key: 0, labels: 0 };
        self.table.insert(hash, &self.row, reached, 0);
        Ok(())
    }

    /// Refuses where a limit is met; asked before each timestep, which may take long.
    fn poll(&self, timestep: u32) -> Result<(), StopReason> {
        if timestep.is_multiple_of(SUM_UP) {
            self.check_memory(0)?;
        }
        self.control.stop().map_or(Ok(()), Err)
    }

    /// Refuses if so many bytes more do not fit.
    fn check_memory(&self, more: usize) -> Result<(), StopReason> {
        let bytes = self.table.bytes()
            + self.side_bytes
            + more
            + self.log_bytes
            + self.marked.capacity() * size_of::<u32>()
            + self.nodes.capacity() * size_of::<Node>()
            + self.edges.capacity() * size_of::<Edge>();
        match self.options.memory_limit {
            Some(most) if bytes > most => Err(StopReason::Memory),
            _ => Ok(()),
        }
    }

    /// Builds the DAG of what leads to an end within the bounds.
    fn mark(&mut self) -> Result<(), StopReason> {
        self.marked = vec![UNMARKED; self.table.len() as usize];
        for id in (0..self.table.len()).rev() {
            self.poll(id)?;
            if self.nodes.len().max(self.edges.len()) >= u32::MAX as usize / 2 {
                return Err(StopReason::States);
            }
            let row = self.table.key(id).to_vec();
            let (state, so_far) = read_row(&row);
            self.marked[id as usize] =
                if so_far.ticks > 0 && node_kind(self.task, state) == NodeKind::Final {
                    self.push(so_far.ticks, 0, true)
                } else {
                    self.add(state, so_far)
                };
        }
        Ok(())
    }

    /// Adds a stored node with the choices of its timestep that are on a plan; says its number.
    fn add(&mut self, state: &State, so_far: SoFar) -> u32 {
        let step = self.timestep(state);
        let mut targets: Vec<u32> = Vec::with_capacity(step.ends.len());
        for (end, sums) in &step.ends {
            let is_idle = **end == *state;
            write_row(&mut self.row, end, so_far.after(*sums));
            let found = self.table.find(hash(&self.row), &self.row);
            let found = found.filter(|_| !is_idle);
            targets.push(found.map_or(UNMARKED, |id| self.marked[id as usize]));
        }
        for (depth, choices) in step.layers.iter().enumerate().rev() {
            let agent = step.first_agent + depth as u16;
            let sources = choices.iter().map(|choice| choice.source + 1).max();
            let mut numbers = vec![UNMARKED; sources.unwrap_or(0)];
            for choice in choices {
                let target = targets.get(choice.target).copied().unwrap_or(UNMARKED);
                if target == UNMARKED {
                    continue;
                }
                let number = &mut numbers[choice.source];
                if *number == UNMARKED {
                    *number = self.push(so_far.ticks, agent, false);
                }
                self.log_bytes += size_of_val(&*choice.log);
                self.edges.push(Edge {
                    source: NodeId(*number),
                    target: NodeId(target),
                    agent,
                    operator: choice.operator,
                    log: choice.log.clone(),
                });
            }
            targets = numbers;
        }
        targets.first().copied().unwrap_or(UNMARKED)
    }

    fn push(&mut self, tick: u32, agent: u16, is_final: bool) -> u32 {
        let number = self.nodes.len() as u32;
        self.nodes.push(Node {
            tick,
            agent,
            is_final,
        });
        number
    }
}
