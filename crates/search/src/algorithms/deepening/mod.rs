//! Iterative-deepening A* (R. E. Korf, "Depth-First Iterative-Deepening: An Optimal Admissible Tree
//! Search", Artificial Intelligence 27, 1985) with a transposition table (A. Reinefeld and T. A.
//! Marsland, "Enhanced Iterative-Deepening Search", IEEE PAMI 16, 1994), over half-steps: where the
//! states of a search do not fit into memory.
//!
//! A depth-first search follows paths whose estimated total does not exceed a limit on the first
//! key; then the limit is raised. What it needs to remember is one path. Once a plan is known,
//! paths are followed only that may be better in any key: the last iteration is branch and bound,
//! so the plan is the best one also by makespan and labels.
//!
//! **The table** holds for each node a lower bound on what remains: the least total with which some
//! path below the node was left, less what led to the node. Nothing in that depends on the limit or
//! on the path, so it holds for ever, and may be forgotten at any time. A path that comes back to a
//! node on itself is left there: a plan without that round is better. For the table that counts as
//! a path left with what is known of that node, not as one that leads nowhere: reached otherwise,
//! the best way on may lead over it.
//!
//! **The limit** is raised to the next total that was met or, where few paths reach that, further,
//! so that many different costs do not make as many iterations (U. K. Sarkar et al., "Reducing
//! Reexpansions in Iterative-Deepening Search by Controlling Cutoff Bounds", Artificial
//! Intelligence 50, 1991). An iteration that then takes much longer is given up for one with a
//! limit half as far ahead (M. Helmert et al., "Iterative Budgeted Exponential Search", IJCAI
//! 2019).
//!
//! Every step must raise the first key: paths within the limit are finite then. A search for a plan
//! that does not exist need not end, so there is a most of successors.

mod iteration;
mod nodes;
mod totals;
pub(crate) mod transposition;

use hashbrown::HashTable;

use crate::control::{Control, Progress, StopReason};
use crate::heuristics::{Estimate, Heuristic};
use crate::measure::Measure;
use crate::space::expand::Expander;
use brigade_task::cost_range;
use brigade_task::{PackedTask, State, StateBuf, TurnMode};
use nodes::{Frame, Nodes};
use totals::Totals;
use transposition::Transpositions;

/// The factor by which more nodes may be expanded in an iteration with a limit raised further.
const PATIENCE: u64 = 8;

/// Returns whether every timestep raises the first key by 1 at least.
pub(crate) fn every_step_counts(task: &PackedTask, measure: Measure) -> bool {
    if measure.is_by_makespan() {
        return true;
    }
    let least = task.agents.iter().map(|agent| {
        let operators = agent.operators.iter();
        let costs = operators.map(|&operator| {
            measure.least_cost(cost_range::of_operator(task, task.operator(operator))?)
        });
        costs.min().unwrap_or(None).unwrap_or(0)
    });
    match task.turns {
        TurnMode::Alternate => least.min().is_some_and(|least| least > 0),
        TurnMode::Sequential | TurnMode::Simultaneous => least.max().is_some_and(|most| most > 0),
    }
}

/// A node to which a path leads.
pub(crate) struct PathNode {
    pub(crate) half: usize,
    pub(crate) state: StateBuf,
    /// The cost of the way to it.
    pub(crate) so_far: Estimate,
}

/// The end of an iteration that was not stopped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Iteration {
    Complete,
    /// It expanded too many nodes.
    GivenUp,
}

/// The search.
pub(crate) struct Deepening<'d> {
    task: &'d PackedTask,
    measure: Measure,
    control: &'d dyn Control,
    heuristic: &'d mut dyn Heuristic,
    pub(crate) table: Transpositions,
    /// The most bytes that the path may take.
    most_bytes: usize,
    /// Successors that may be generated.
    most_generated: u64,
    /// The worth of the best plan known.
    pub(crate) best: Option<Estimate>,
    /// The nodes of the best plan, if it was found here, from the start to its end.
    pub(crate) path: Vec<PathNode>,
    /// No plan is better than this.
    pub(crate) proven: Estimate,
    pub(crate) expanded: u64,
    pub(crate) generated: u64,
    pub(crate) evaluated: u64,
    /// The limit on the first key.
    limit: i64,
    frames: Vec<Frame>,
    nodes: Nodes,
    /// The state of the node that is expanded.
    expanding: StateBuf,
    /// Nodes on the path, by the hashes of their states.
    on_path: HashTable<usize>,
    beyond: Totals,
}

/// The inputs of a search.
pub(crate) struct Parts<'d> {
    pub(crate) task: &'d PackedTask,
    pub(crate) measure: Measure,
    pub(crate) control: &'d dyn Control,
    pub(crate) heuristic: &'d mut dyn Heuristic,
    /// Bytes that the table may take.
    pub(crate) most_bytes: usize,
    /// Successors that may be generated.
    pub(crate) most_generated: u64,
    /// The worth of the best plan known, and a proven bound.
    pub(crate) best: Option<Estimate>,
    pub(crate) proven: Estimate,
}

impl<'d> Deepening<'d> {
    pub(crate) fn new(parts: Parts<'d>) -> Self {
        let Parts {
            task,
            measure,
            control,
            heuristic,
            most_bytes,
            most_generated,
            best,
            proven,
        } = parts;
        Self {
            task,
            measure,
            control,
            heuristic,
            table: Transpositions::new(task.words, most_bytes),
            most_bytes,
            most_generated,
            best,
            path: Vec::new(),
            proven,
            expanded: 0,
            generated: 0,
            evaluated: 0,
            limit: 0,
            frames: Vec::new(),
            nodes: Nodes::new(task.words),
            expanding: StateBuf::default(),
            on_path: HashTable::new(),
            beyond: Totals::default(),
        }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.table.bytes()
            + self.path_bytes()
            + self.heuristic.bytes()
            + self.path.len() * (size_of::<PathNode>() + self.task.words * size_of::<u64>())
    }

    fn path_bytes(&self) -> usize {
        self.frames.capacity() * size_of::<Frame>()
            + self.nodes.bytes()
            + self.on_path.allocation_size()
    }

    /// Searches from the start of a timestep, in a state in which no plan ends, until the best plan
    /// is known, or that there is none. The state is one that the expander would lead to.
    pub(crate) fn explore(
        &mut self,
        start: &State,
        expander: &mut Expander,
    ) -> Result<(), StopReason> {
        self.evaluated += 1;
        let estimate = self.heuristic.estimate(start);
        if estimate == Estimate::DEAD {
            self.proven = estimate;
            return Ok(());
        }
        self.proven = self.proven.max(estimate);
        self.limit = self.proven.leading(self.measure);
        // How far the limit may be ahead of the least total, and the expansions that are allowed.
        let mut window = i64::MAX;
        let mut allowed = u64::MAX;
        loop {
            if self.best.is_some_and(|best| best <= self.proven) {
                return Ok(());
            }
            self.control.progress(&Progress {
                states: self.table.held() as u64,
                lower: Some(self.measure.value(
                    (self.proven.first, self.proven.makespan),
                    self.proven.labels,
                )),
                upper: None,
            });
            let before = self.expanded;
            let known = std::mem::take(&mut self.beyond);
            let iteration = self.iterate(start, expander, before.saturating_add(allowed))?;
            let expanded = self.expanded - before;
            if iteration == Iteration::GivenUp {
                self.beyond = known;
                let least = self.proven.leading(self.measure);
                window = self.limit.saturating_sub(least) / 2;
                self.limit = least.saturating_add(window);
                if window == 0 {
                    allowed = u64::MAX;
                }
                continue;
            }
            // Paths that were left have these totals, or that of the best plan.
            let least = match (self.beyond.least, self.best) {
                (Some(least), Some(best)) => least.min(best),
                (Some(least), None) => least,
                (None, Some(best)) => best,
                (None, None) => {
                    self.proven = Estimate::DEAD;
                    return Ok(());
                }
            };
            self.proven = self.proven.max(least);
            window = window.saturating_mul(2).max(1);
            let next = self.proven.leading(self.measure);
            let most = next.saturating_add(window);
            self.limit = self
                .beyond
                .far_enough(expanded, most)
                .unwrap_or(next)
                .max(next);
            allowed = if self.limit > next {
                expanded.saturating_add(1).saturating_mul(PATIENCE)
            } else {
                u64::MAX
            };
        }
    }

    /// Returns whether a path with this total is not followed.
    fn is_beyond(&self, total: Estimate) -> bool {
        total.leading(self.measure) > self.limit || self.best.is_some_and(|best| total >= best)
    }

    /// Notes a path that is not followed.
    fn leave(&mut self, total: Estimate) {
        let first = total.leading(self.measure);
        if total == Estimate::DEAD || first <= self.limit {
            return;
        }
        self.beyond.note(first, total);
    }
}
