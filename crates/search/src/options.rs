//! The options of a search.

use std::num::NonZeroUsize;

/// What is minimised.
///
/// Every objective is a lexicographic vector of additive keys. The makespan is one of them always:
/// each step costs one tick, so no cycle is free and the optimal plans are finitely many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    /// What the task declares: its metric where it has one, then makespan, then number of labels.
    #[default]
    Declared,
    /// The makespan alone.
    Makespan,
    /// The number of labels, then the makespan: of the plans with fewest labels the loop-free ones.
    Labels,
    /// The cost of the task's metric, then the makespan.
    Cost,
}

/// What estimates the cost-to-go. The answer does not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeuristicChoice {
    /// Nothing: uniform-cost search.
    Blind,
    /// Distances in abstractions of the task, where it has a goal and no step improves what is
    /// minimised; else nothing.
    Abstractions,
    /// h-max on the delete relaxation: of the costs of facts that are needed together the greatest,
    /// where that can tell anything; else nothing.
    Max,
    /// LM-cut on the delete relaxation, where it can tell anything; else nothing.
    LandmarkCut,
    /// Potentials of values and of pairs of values, where they can tell anything; else nothing.
    Potentials,
    /// Distances in projections to what is told of single objects, added up, where one agent acts
    /// and they can tell anything; else nothing.
    Patterns,
    /// A portfolio: nothing for searches that store few states; then LM-cut, potentials and
    /// patterns, as long as each has proven most in about the same time; then abstractions, or
    /// potentials and patterns where those tell more of the start. [`Attempt`](crate::Attempt) says
    /// what was tried.
    #[default]
    Auto,
}

/// Whether interchangeable objects are looked for. The answer does not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SymmetryChoice {
    /// Where no heuristic is chosen, in searches that store more than few states.
    #[default]
    Auto,
    /// In none.
    Never,
    /// In all.
    Always,
}

/// Whether operators are left out whose order does not matter: partial-order reduction by strong
/// stubborn sets. One optimal plan is found all the same, so the answer does not depend on it;
/// nothing is left out where all plans are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PruningChoice {
    /// Where no heuristic is chosen, in searches that store more than few states, if that leaves
    /// out at least a fifth of the operators that are applicable in some of them.
    #[default]
    Auto,
    /// In none.
    Never,
    /// In all for which it is sound.
    Always,
}

/// Why no operators may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoPruning {
    /// All plans are asked for.
    #[error("all plans are asked for")]
    Plans,
    /// There is not just one agent.
    #[error("there is not just one agent")]
    Agents,
    /// Delayed effects, or effects of the tick.
    #[error("something happens by itself as time passes")]
    Tick,
    /// A clock or a horizon.
    #[error("it matters at what time something happens")]
    Clock,
    /// An end that is neither goal nor losing.
    #[error("something besides the goal ends a plan")]
    End,
    /// No goal, or a step that improves what is minimised.
    #[error("there is no goal, or some step improves the metric")]
    Objective,
    /// The relations between operators would take too much memory.
    #[error("there are too many operators")]
    Size,
}

/// Whether to go on with iterative deepening, which takes little memory and may take long. The
/// answer does not depend on it.
///
/// It is used for one plan, from the start of a timestep, where there is a goal and every step
/// raises the first key; not where no heuristic is wanted ([`HeuristicChoice::Blind`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeepeningChoice {
    /// After a search that has met its memory limit.
    #[default]
    Auto,
    /// Never: a memory limit ends the search.
    Never,
    /// Instead of other searches.
    Always,
}

/// Whether good plans are looked for while the optimum is not in sight. They are what a search that
/// is stopped answers with, and spare it what no better plan leads through. The answer does not
/// depend on it, but for which one of the optimal plans it is.
///
/// Only where there is a goal, and no step improves what is minimised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnytimeChoice {
    /// Where no heuristic is chosen, once [`SearchOptions::plans_from`] says so.
    #[default]
    Auto,
    /// In none.
    Never,
    /// In all, for a moment before they start, and as above whatever their heuristic.
    Always,
}

/// What leads a search for a plan from the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlanLead {
    /// How little seems to be left to do, by relaxed plans and potentials.
    #[default]
    Nearness,
    /// How new states are.
    Novelty,
}

/// Options of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// What is minimised.
    pub objective: Objective,
    /// Whether to collect the DAG of all optimal plans.
    pub all: bool,
    /// Whether that may be the DAG of plans up to the exchange of interchangeable objects
    /// ([`PlanDag::is_up_to_symmetry`](crate::plans::dag::PlanDag::is_up_to_symmetry)), which takes
    /// less time and memory.
    pub up_to_symmetry: bool,
    /// What estimates the cost-to-go.
    pub heuristic: HeuristicChoice,
    /// Whether interchangeable objects are looked for.
    pub symmetry: SymmetryChoice,
    /// Whether states are one that differ only in what makes no difference any more, as how often
    /// something was cut that is cut by now. The answer and the number of plans do not depend on
    /// it.
    pub obsolete_merged: bool,
    /// Whether operators are left out whose order does not matter.
    pub pruning: PruningChoice,
    /// Whether to go on with iterative deepening.
    pub deepening: DeepeningChoice,
    /// Whether good plans are looked for meanwhile.
    pub anytime: AnytimeChoice,
    /// How many states all attempts together have stored, or might have while they made estimates,
    /// when good plans are looked for first: between attempts, or in a pause of an A* search.
    pub plans_from: u64,
    /// Where they are looked for first. As long as none is found, all ways take turns.
    pub plans_by: PlanLead,
    /// How many successors iterative deepening may generate. `None`: four times as many as the
    /// searches before it, or ten million where there were none. A search for a plan that does not
    /// exist might go on for ever otherwise.
    pub deepening_limit: Option<u64>,
    /// The most bytes that states, their tables and side arrays may take. Where they are full,
    /// iterative deepening may go on within them. The working space of threads, which does not grow
    /// with the search, is not counted.
    pub memory_limit: Option<usize>,
    /// The most states that may be stored.
    pub max_states: Option<u64>,
    /// How many threads search. The answer and its statistics do not depend on it.
    pub threads: NonZeroUsize,
    /// Nodes are shared among threads where there are so many to be expanded at once, or after a
    /// sixteenth of so many heuristic values: what is less takes no longer than to start a thread.
    /// The answer and its statistics do not depend on it.
    pub share_from: usize,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            objective: Objective::Declared,
            all: false,
            up_to_symmetry: false,
            heuristic: HeuristicChoice::Auto,
            symmetry: SymmetryChoice::Auto,
            obsolete_merged: true,
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
