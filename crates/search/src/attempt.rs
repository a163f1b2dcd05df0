//! The history of a search: one entry for each attempt of its portfolio, with its progress and its
//! end.

use std::fmt;

use crate::control::StopReason;
use crate::plans::plan::Value;

/// The most heuristics that guide one attempt together.
const MOST_TOGETHER: usize = 4;

/// The heuristics that guided an attempt. Of several the greatest estimate counts; with relaxed
/// plans, which are no bound, the sum.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Guide {
    /// Their names, then empty ones.
    names: [&'static str; MOST_TOGETHER],
}

impl Guide {
    /// No heuristic: uniform-cost search.
    pub const BLIND: Self = Self {
        names: [""; MOST_TOGETHER],
    };
    /// LM-cut.
    pub const LANDMARK_CUT: Self = Self::named("lm-cut");
    /// Distances in abstractions.
    pub const ABSTRACTIONS: Self = Self::named("abstractions");
    /// Potentials of values and pairs of values.
    pub const POTENTIALS: Self = Self::named("potentials");
    /// Distances in projections, added up.
    pub const PATTERNS: Self = Self::named("patterns");
    /// Relaxed decision diagrams over ticks.
    pub const DECISION_DIAGRAMS: Self = Self::named("decision-diagrams");
    /// Relaxed plans, which are no bound.
    pub const RELAXED_PLANS: Self = Self::named("relaxed plans");

    /// The heuristic of a name alone.
    pub const fn named(name: &'static str) -> Self {
        let mut guide = Self::BLIND;
        guide.names[0] = name;
        guide
    }

    /// These heuristics and others, as many as guide an attempt together.
    #[must_use]
    pub fn and(self, others: Self) -> Self {
        let mut names = self.names().chain(others.names());
        Self {
            names: std::array::from_fn(|_| names.next().unwrap_or_default()),
        }
    }

    /// The names of the heuristics.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        self.names.into_iter().filter(|name| !name.is_empty())
    }

    /// Returns whether all of `others` are among these heuristics.
    pub fn includes(self, others: Self) -> bool {
        others.names().all(|name| self.names.contains(&name))
    }
}

/// Writes the names, or `blind`.
impl fmt::Display for Guide {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.names().collect();
        match &*names {
            [] => formatter.write_str("blind"),
            names => formatter.write_str(&names.join(", ")),
        }
    }
}

impl fmt::Debug for Guide {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Guide({self})")
    }
}

/// The kind of search that an attempt was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Uniform-cost search or A*, which stores all nodes.
    BestFirst,
    /// Iterative deepening, which stores only what it has room for.
    Deepening,
    /// A search for a good plan, that proves nothing: greedy best-first search.
    Greedy,
    /// A search for a plan, that proves nothing: best-first width search.
    Novelty,
    /// A search for a plan, that proves nothing: beam search.
    Beam,
    /// A search for a better plan than the best one known, that proves nothing: bounded-cost
    /// search.
    BoundedCost,
    /// A search for a better plan near the best one known, that proves nothing.
    Neighbourhood,
}

/// The end of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttemptEnd {
    /// It explored all that the answer needs.
    Answered,
    /// It stored [`Attempt::most_states`] states, and something else was tried.
    GivenUp,
    /// A limit of the whole search was met, maybe while the heuristic was prepared: then nothing
    /// was explored. Where the heuristic took too much memory, another search follows.
    Stopped(StopReason),
    /// It has found a better plan than was known: [`Attempt::upper`] is what that is worth.
    Improved,
    /// It looked for a better plan than was known, and has found none.
    NotImproved,
    /// The heuristic does not apply to this task, or does not fit into memory, or this kind of
    /// search cannot find what is asked for: nothing was explored.
    Inapplicable,
}

/// One search of several that are tried in turn. What one has proven holds for those after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Its heuristics.
    pub guide: Guide,
    /// The kind of search.
    pub method: Method,
    /// The states it might store before something else would be tried; `None` without such a limit.
    pub most_states: Option<u64>,
    /// The number of objects that were taken for interchangeable with others.
    pub interchangeable: usize,
    /// Nodes stored; of iterative deepening those of which its table holds something in the end.
    pub states: u64,
    /// Nodes whose successors were generated.
    pub expanded: u64,
    /// Successors generated.
    pub generated: u64,
    /// Applicable operators that were left out because their order does not matter. `None` where a
    /// limit ended the attempt: how far threads had come by then is no part of the answer.
    pub pruned: Option<u64>,
    /// Heuristic values computed.
    pub evaluated: u64,
    /// Most bytes that states, tables, side arrays and what is kept beside them have taken.
    pub peak_bytes: usize,
    /// The estimate of the start; keys outside the objective are 0. `None` in blind search, and
    /// where the heuristic proves that no plan exists.
    pub estimate: Option<Value>,
    /// The bound that this attempt alone has proven: no plan is better. Of one that found the
    /// optimum, its value. `None` where nothing is known, or no plan exists.
    pub lower: Option<Value>,
    /// Of one that looked for a plan alone: what the best plan known after it is worth.
    pub upper: Option<Value>,
    /// Its end.
    pub end: AttemptEnd,
}

impl Method {
    /// Returns whether it looks for plans alone, and proves nothing.
    pub const fn is_for_plans(self) -> bool {
        match self {
            Self::BestFirst | Self::Deepening => false,
            Self::Greedy | Self::Novelty | Self::Beam | Self::BoundedCost | Self::Neighbourhood => {
                true
            }
        }
    }
}

impl Attempt {
    /// Returns whether it has searched for a proof, and not for a plan alone.
    pub const fn proves(&self) -> bool {
        let has_begun = self.states > 0 || self.expanded > 0;
        !self.method.is_for_plans() && has_begun
    }

    /// One that was not made.
    pub(super) const fn inapplicable(guide: Guide) -> Self {
        Self {
            guide,
            method: Method::BestFirst,
            most_states: None,
            interchangeable: 0,
            states: 0,
            expanded: 0,
            generated: 0,
            pruned: Some(0),
            evaluated: 0,
            peak_bytes: 0,
            estimate: None,
            lower: None,
            upper: None,
            end: AttemptEnd::Inapplicable,
        }
    }
}
