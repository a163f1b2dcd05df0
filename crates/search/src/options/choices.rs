//! The choices that the options of a search are made of.

/// An objective: the quantity that a search minimises.
///
/// Every objective is a lexicographic vector of additive keys. The makespan is one of them always:
/// each step costs one tick, so no cycle is free and the optimal plans are finitely many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    /// The objective that the task declares: its metric where it has one, then makespan, then
    /// number of labels.
    #[default]
    Declared,
    /// The makespan alone.
    Makespan,
    /// The number of labels, then the makespan: of the plans with fewest labels the loop-free ones.
    Labels,
    /// The cost of the task's metric, then the makespan.
    Cost,
}

/// The heuristic that estimates the cost-to-go. The answer does not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeuristicChoice {
    /// None: uniform-cost search.
    Blind,
    /// Distances in abstractions of the task, where it has a goal and no step improves what is
    /// minimised; else none.
    Abstractions,
    /// Relaxed decision diagrams over ticks and blind searches in turn, where the makespan is minimised first;
    /// else none.
    DecisionDiagrams,
    /// LM-cut on the delete relaxation, where it applies; else none.
    LandmarkCut,
    /// Potentials of values and of pairs of values, where they apply; else none.
    Potentials,
    /// Distances in projections to single objects, added up, where one agent acts and they apply;
    /// else none.
    Patterns,
    /// The heuristic of this name in the [registry](crate::SearchOptions::with_registry) of the
    /// options, where there is one and it applies; else none.
    Named(&'static str),
    /// A portfolio: none for searches that store few states; then LM-cut, potentials and patterns,
    /// as long as each has proven most in about the same time; then abstractions, or potentials and
    /// patterns where their estimate of the start is greater, and decision diagrams in turn with them where
    /// several agents choose at once. [`Attempt`](crate::Attempt) lists
    /// what was tried.
    #[default]
    Auto,
}

/// The search for interchangeable objects. The answer does not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SymmetryChoice {
    /// In searches that store more than few states, where no heuristic is chosen.
    #[default]
    Auto,
    /// In none.
    Never,
    /// In all.
    Always,
}

/// The pruning of operators whose order does not matter: partial-order reduction by strong stubborn
/// sets. One optimal plan is found all the same, so the answer does not depend on it; nothing is
/// left out where all plans are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PruningChoice {
    /// In searches that store more than few states, where no heuristic is chosen, if that leaves
    /// out at least a fifth of the operators that are applicable in some of them.
    #[default]
    Auto,
    /// In none.
    Never,
    /// In all for which it is sound, however little that leaves out: for a second proof by other
    /// means, and for tests of soundness on small tasks. As a rule it takes longer than `Auto`.
    Always,
}

/// The use of iterative deepening, which takes little memory and may take long. The answer does not
/// depend on it.
///
/// It is used for one plan, from the start of a timestep, where there is a goal and every step
/// raises the first key; not where no heuristic is wanted ([`HeuristicChoice::Blind`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeepeningChoice {
    /// After a search that has met its memory limit.
    #[default]
    Auto,
    /// Never: a memory limit ends the search.
    Never,
    /// Instead of other searches.
    Always,
}

/// The search for good plans while the optimum is not in sight. They are what a search that is
/// stopped answers with, and spare it what no better plan leads through. The answer does not depend
/// on it, but for which one of the optimal plans it is.
///
/// They are looked for only where there is a goal, and no step improves what is minimised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnytimeChoice {
    /// Once the states of [`SearchOptions::with_plans_from`](crate::SearchOptions::with_plans_from)
    /// are stored, where no heuristic is chosen.
    #[default]
    Auto,
    /// In none.
    Never,
    /// In all, for a moment before they start, and as above whatever their heuristic.
    Always,
}

/// The lead of a search for a plan from the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanLead {
    /// Nearness to the goal, by relaxed plans and potentials.
    #[default]
    Nearness,
    /// Novelty of states.
    Novelty,
}
