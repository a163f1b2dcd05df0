//! The options of a search, and how they are built.

use std::num::NonZeroUsize;
use std::sync::Arc;

use super::choices::{
    AnytimeChoice, DeepeningChoice, HeuristicChoice, Objective, PlanLead, PruningChoice,
    SymmetryChoice,
};
use crate::heuristics::{HeuristicFactory, HeuristicRegistry};

/// Options of a search. They are built from the default ones:
///
/// ```
/// use brigade_search::{HeuristicChoice, SearchOptions};
///
/// let options = SearchOptions::default()
///     .with_heuristic(HeuristicChoice::LandmarkCut)
///     .with_memory_limit(1 << 30)
///     .with_all_plans(true);
/// assert_eq!(options.memory_limit(), Some(1 << 30));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct SearchOptions {
    pub(crate) objective: Objective,
    pub(crate) all: bool,
    pub(crate) up_to_symmetry: bool,
    pub(crate) heuristic: HeuristicChoice,
    pub(crate) registry: HeuristicRegistry,
    pub(crate) symmetry: SymmetryChoice,
    pub(crate) pruning: PruningChoice,
    pub(crate) deepening: DeepeningChoice,
    pub(crate) anytime: AnytimeChoice,
    pub(crate) plans_from: u64,
    pub(crate) plans_by: PlanLead,
    pub(crate) deepening_limit: Option<u64>,
    pub(crate) memory_limit: Option<usize>,
    pub(crate) max_states: Option<u64>,
    pub(crate) threads: NonZeroUsize,
    pub(crate) share_from: usize,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            objective: Objective::Declared,
            all: false,
            up_to_symmetry: false,
            heuristic: HeuristicChoice::Auto,
            registry: HeuristicRegistry::default(),
            symmetry: SymmetryChoice::Auto,
            pruning: PruningChoice::Auto,
            deepening: DeepeningChoice::Auto,
            anytime: AnytimeChoice::Auto,
            plans_from: 100_000,
            plans_by: PlanLead::Nearness,
            deepening_limit: None,
            memory_limit: None,
            max_states: None,
            threads: NonZeroUsize::MIN,
            share_from: 4096,
        }
    }
}

/// The options, as they were chosen.
impl SearchOptions {
    /// The objective that is minimised.
    pub const fn objective(&self) -> Objective {
        self.objective
    }

    /// True if the DAG of all optimal plans is collected.
    pub const fn all_plans(&self) -> bool {
        self.all
    }

    /// The heuristic.
    pub const fn heuristic(&self) -> HeuristicChoice {
        self.heuristic
    }

    /// The most bytes that states, tables and side arrays may take.
    pub const fn memory_limit(&self) -> Option<usize> {
        self.memory_limit
    }

    /// The most states that may be stored.
    pub const fn max_states(&self) -> Option<u64> {
        self.max_states
    }

    /// The number of threads.
    pub const fn threads(&self) -> NonZeroUsize {
        self.threads
    }
}

/// Choices, each of which makes options like these with one thing changed.
impl SearchOptions {
    /// Minimises this. Default: what the task declares.
    pub const fn with_objective(mut self, objective: Objective) -> Self {
        self.objective = objective;
        self
    }

    /// Collects the DAG of all optimal plans. Default: false.
    pub const fn with_all_plans(mut self, all: bool) -> Self {
        self.all = all;
        self
    }

    /// Lets the DAG of all optimal plans be that of plans up to the exchange of interchangeable
    /// objects ([`PlanDag::is_up_to_symmetry`](crate::dag::PlanDag::is_up_to_symmetry)), which
    /// takes less time and memory. Default: false.
    pub const fn with_plans_up_to_symmetry(mut self, up_to_symmetry: bool) -> Self {
        self.up_to_symmetry = up_to_symmetry;
        self
    }

    /// Estimates the cost-to-go by this. Default: a portfolio.
    pub const fn with_heuristic(mut self, heuristic: HeuristicChoice) -> Self {
        self.heuristic = heuristic;
        self
    }

    /// Looks heuristics up by name in this registry. Default: one without additions.
    pub fn with_registry(mut self, registry: HeuristicRegistry) -> Self {
        self.registry = registry;
        self
    }

    /// Estimates the cost-to-go by a heuristic of the caller's own: adds it to the registry, and
    /// chooses it.
    pub fn with_custom_heuristic(mut self, factory: Arc<dyn HeuristicFactory>) -> Self {
        self.heuristic = HeuristicChoice::Named(factory.name());
        self.registry = self.registry.with(factory);
        self
    }

    /// Looks for interchangeable objects, or does not.
    pub const fn with_symmetry(mut self, symmetry: SymmetryChoice) -> Self {
        self.symmetry = symmetry;
        self
    }

    /// Leaves out operators whose order does not matter, or does not.
    pub const fn with_pruning(mut self, pruning: PruningChoice) -> Self {
        self.pruning = pruning;
        self
    }

    /// Goes on with iterative deepening, or does not.
    pub const fn with_deepening(mut self, deepening: DeepeningChoice) -> Self {
        self.deepening = deepening;
        self
    }

    /// Looks for good plans meanwhile, or does not.
    pub const fn with_anytime(mut self, anytime: AnytimeChoice) -> Self {
        self.anytime = anytime;
        self
    }

    /// Looks for good plans first once all attempts together have stored this many states, or might
    /// have while they made estimates: between attempts, or in a pause of an A* search. Default:
    /// 100,000.
    pub const fn with_plans_from(mut self, states: u64) -> Self {
        self.plans_from = states;
        self
    }

    /// Looks for good plans there first. As long as none is found, all ways take turns. Default:
    /// [`PlanLead::Nearness`].
    pub const fn with_plan_lead(mut self, lead: PlanLead) -> Self {
        self.plans_by = lead;
        self
    }

    /// Lets iterative deepening generate at most so many successors. `None`, the default: four
    /// times as many as the searches before it, or ten million where there were none. A search for
    /// a plan that does not exist might go on for ever otherwise.
    pub fn with_deepening_limit(mut self, successors: impl Into<Option<u64>>) -> Self {
        self.deepening_limit = successors.into();
        self
    }

    /// Limits the bytes that states, their tables and side arrays may take. Where they are full,
    /// iterative deepening may go on within them. The working space of threads, which does not grow
    /// with the search, is not counted. Default: no limit.
    pub fn with_memory_limit(mut self, bytes: impl Into<Option<usize>>) -> Self {
        self.memory_limit = bytes.into();
        self
    }

    /// Limits the states that may be stored, and the work of decision diagrams to what storing as many takes.
    /// Default: no limit.
    pub fn with_max_states(mut self, states: impl Into<Option<u64>>) -> Self {
        self.max_states = states.into();
        self
    }

    /// Searches with so many threads. The answer and its statistics do not depend on it. Default:
    /// one.
    pub const fn with_threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = threads;
        self
    }

    /// Shares nodes among threads where there are so many to be expanded at once, or after a
    /// sixteenth of so many heuristic values: what is less takes no longer than to start a thread.
    /// The answer and its statistics do not depend on it. Default: 4096.
    pub const fn with_sharing_from(mut self, nodes: usize) -> Self {
        self.share_from = nodes;
        self
    }
}
