//! Defines the line of results on one problem under one semantics.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::Key;
use crate::results::{self, Added};

/// Version of a line's form.
pub const SCHEMA: u32 = 2;

/// The status of the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// The optimum is proven.
    Proven,
    /// A limit stopped the search: the optimum lies between the bounds.
    Bounded,
    /// There is no plan, proven.
    Unsolvable,
}

/// One problem under one semantics.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The problem's level in its benchmark.
    pub level: u32,
    /// The problem's name.
    pub problem: String,
    /// The semantics.
    pub semantics: String,
    /// The fingerprint of the compiled task that it was derived from; see [`planning_fingerprint`].
    ///
    /// [`planning_fingerprint`]: brigade::task::json::planning_fingerprint
    pub compiled: String,
    /// The status of the proof.
    pub status: Status,
    /// The limit that stopped the search, or the collection of all optimal plans.
    pub stopped: Option<String>,
    /// No plan takes fewer ticks.
    pub lower_bound: Option<u32>,
    /// Some plan takes this many ticks: the best that was found, or an annotated reference as
    /// played.
    pub upper_bound: Option<u32>,
    /// Ticks of an optimal plan; known if proven.
    pub makespan: Option<u32>,
    /// Labels of an optimal plan; known if proven.
    pub actions: Option<u32>,
    /// The number of optimal plans, a decimal; known if all of them were found.
    pub plans: Option<String>,
    /// The number of references, a decimal; known if all optimal plans were found and their
    /// automaton was not too large.
    pub references_total: Option<String>,
    /// If only that is unknown: the least and the greatest number there can be, decimals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub references_bounds: Option<[String; 2]>,
    /// By agent, in declared order; empty if not all optimal plans were found.
    pub agents: IndexMap<String, AgentFigures>,
    /// The relation of an annotation to the derived references; `None` where none was given.
    pub annotation: Option<Annotation>,
}

/// One agent in all optimal plans.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentFigures {
    /// Its labels in the plans where it has fewest.
    pub fewest: u32,
    /// Its labels in the plans where it has most.
    pub most: u32,
    /// The number of its distinct label sequences, a decimal; `None` if a limit was reached.
    pub sequences: Option<String>,
}

/// Figures about annotated references; the references themselves are not kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Annotation {
    /// Annotated references.
    pub references: usize,
    /// By agent, the fewest and the most labels that they give it.
    pub labels: IndexMap<String, [usize; 2]>,
    /// For each of them the ticks it takes when played as soon as possible; `None` if it cannot be
    /// played to the goal so.
    pub played: Vec<Option<u32>>,
    /// The references that are the labels of an optimal plan, counted from 1; known if all optimal plans are.
    pub optimal: Option<Vec<usize>>,
    /// The number of optimal references that are not annotated, a decimal; `None` if unknown.
    pub missing: Option<String>,
    /// The score of flawless play under the annotation.
    pub completeness: Option<Completeness>,
}

/// The progress completeness (PC) of optimal references scored under an annotation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Completeness {
    /// The number of scored references, a decimal.
    pub scored: String,
    /// True if those were all; else they are the first ones in order.
    pub all: bool,
    /// The least PC, to six decimals.
    pub least: f64,
    /// The mean PC, to six decimals.
    pub mean: f64,
    /// The greatest PC, to six decimals.
    pub greatest: f64,
    /// The number of references that have a PC of 1, a decimal.
    pub perfect: String,
}

impl results::Entry for Line {
    type Key = Key;

    fn key(&self) -> Key {
        (self.level, self.problem.clone(), self.semantics.clone())
    }

    fn about(&self) -> String {
        format!("{} under {}", self.problem, self.semantics)
    }

    /// Where both are intervals of the same task, this line keeps the tighter bounds; where they
    /// differ in nothing else, and it has no annotation, it keeps the one there was.
    fn succeed(&mut self, earlier: &mut Self) -> Added {
        if self.knowledge() < earlier.knowledge() {
            return Added::Refused;
        }
        self.tighten(earlier);
        if self.annotation.is_none() && self.same_plans(earlier) {
            self.annotation = earlier.annotation.take();
        }
        Added::Taken
    }
}

impl Line {
    /// Returns the rank of the knowledge in the line: the greater, the more.
    const fn knowledge(&self) -> u8 {
        match self.status {
            Status::Bounded => 0,
            Status::Proven if self.plans.is_none() => 1,
            Status::Proven if self.references_total.is_none() => 2,
            Status::Proven | Status::Unsolvable => 3,
        }
    }

    /// Intersects the interval with that of another line, if both are intervals of the same task.
    fn tighten(&mut self, other: &Self) {
        let intervals = self.status == Status::Bounded && other.status == Status::Bounded;
        if intervals && self.compiled == other.compiled {
            self.lower_bound = self.lower_bound.max(other.lower_bound);
            let upper = [self.upper_bound, other.upper_bound];
            self.upper_bound = upper.into_iter().flatten().min();
        }
    }

    /// Returns true if both say the same of the optimal plans.
    fn same_plans(&self, other: &Self) -> bool {
        let plans = |line: &Self| Self {
            stopped: None,
            annotation: None,
            ..line.clone()
        };
        plans(self) == plans(other)
    }
}
