//! Defines the line of results on one task under one semantics.

use serde::{Deserialize, Serialize};

use super::case::{Dataset, Subject};
use super::replay::Replay;
use crate::results::{Added, Entry};
pub use crate::survey::Status;

/// Version of a line's form.
pub const SCHEMA: u32 = 3;

/// One task under one semantics.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The set of the task.
    pub dataset: Dataset,
    /// Its name in the set.
    pub task: String,
    /// The seed of the instance; `None` for the task as published.
    pub seed: Option<u32>,
    /// The semantics.
    pub semantics: String,
    /// The fingerprint of the compiled task that it was derived from; see [`planning_fingerprint`].
    ///
    /// [`planning_fingerprint`]: brigade::task::json::planning_fingerprint
    pub compiled: String,
    /// The status of the proof.
    pub status: Status,
    /// The limit that stopped the search that gave the lower bound.
    pub stopped: Option<String>,
    /// The semantics under which the lower bound was proven. It bounds the optimum under `semantics` too;
    /// see [`never_sooner`](super::never_sooner()).
    pub proven_under: String,
    /// No plan takes fewer steps.
    pub lower_bound: Option<u32>,
    /// The best plan known takes this many steps.
    pub upper_bound: Option<u32>,
    /// Nodes stored by the search that ended the proof, or got as far as it is.
    pub states: u64,
    /// Seconds that it took.
    pub seconds: f64,
    /// Most bytes that its states, tables and side arrays took.
    pub peak_bytes: u64,
    /// True if a heuristic guided it.
    pub informed: bool,
    /// The number of optimal plans, a decimal; known if all of them were found.
    pub plans: Option<String>,
    /// The number of references, a decimal; known if all optimal plans were found and their
    /// automaton was not too large.
    pub references: Option<String>,
    /// The limit that stopped the collection of all optimal plans, or the counting of references.
    pub uncounted: Option<String>,
    /// The second proof of the optimum.
    pub check: Option<Check>,
    /// The result of replaying the plan under the published semantics, if it is one of another.
    pub under_upstream: Option<Replay>,
    /// The best plan known, a step each: the action and its arguments, behind the name of whoever
    /// acts where there are several: `move robot1 table1 table2`, `robot1: move table1 table2`.
    pub plan: Option<Vec<String>>,
}

/// The second proof of an optimum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// By what.
    pub method: Method,
    /// States that it stored.
    pub states: u64,
    /// The semantics under which that was, if it was another: what bounds the optimum of one may bound
    /// that of the other, see [`never_sooner`](super::never_sooner()).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub under: Option<String>,
}

/// A search that shares no heuristic with the first proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Every state that fewer steps than the optimum lead to, by the rules of the task alone: none
    /// is a goal. It shares nothing with the planner.
    Exhaustion,
    /// The planner's uniform-cost search on states up to the exchange of interchangeable objects,
    /// where a heuristic has led the first proof.
    Blind,
    /// Two searches, each led by one heuristic alone: by landmark cuts, and by potentials or patterns.
    /// These have nothing in common but how conditions and effects are read, so that two proofs share
    /// no heuristic, whatever led the first one.
    TwoHeuristics,
    /// A planner for these kitchens alone, written by hand as an oracle: it has its own reading of the
    /// published environment, its own rules, states, bound and search, and so shares nothing.
    HandMade,
}

impl Line {
    /// Returns the task that it is on. A line whose task's name begins with no number has 0.
    pub fn subject(&self) -> Subject {
        let named = Subject::new(self.dataset, &self.task, self.seed);
        named.unwrap_or_else(|| Subject {
            seed: self.seed,
            dataset: self.dataset,
            number: 0,
            task: self.task.clone(),
        })
    }

    /// The optimum, if proven.
    pub fn optimum(&self) -> Option<u32> {
        let is_proven = self.status == Status::Proven;
        self.upper_bound.filter(|_| is_proven)
    }

    /// Returns true if no further run can add to it.
    pub fn is_complete(&self) -> bool {
        match self.status {
            Status::Bounded => false,
            Status::Unsolvable => self.check.is_some(),
            Status::Proven => {
                self.plans.is_some() && self.references.is_some() && self.check.is_some()
            }
        }
    }

    /// Returns true if two lines on the same compiled task cannot both be right.
    pub fn contradicts(&self, other: &Self) -> bool {
        let exceeds = |lower: Option<u32>, upper: Option<u32>| matches!((lower, upper), (Some(lower), Some(upper)) if lower > upper);
        let solved = |line: &Self| line.upper_bound.is_some();
        let unsolvable = |line: &Self| line.status == Status::Unsolvable;
        self.compiled == other.compiled
            && (exceeds(self.lower_bound, other.upper_bound)
                || exceeds(other.lower_bound, self.upper_bound)
                || (unsolvable(self) && solved(other))
                || (unsolvable(other) && solved(self)))
    }

    /// Notes bounds that meet as a proof.
    pub(super) fn close(&mut self) {
        let is_met = self.lower_bound.is_some() && self.lower_bound == self.upper_bound;
        if self.status == Status::Bounded && is_met {
            self.status = Status::Proven;
            self.stopped = None;
        }
    }

    /// Takes over which search proved what from another line.
    pub(super) fn take_search(&mut self, other: &Self) {
        self.status = other.status;
        self.stopped.clone_from(&other.stopped);
        self.proven_under.clone_from(&other.proven_under);
        self.lower_bound = other.lower_bound;
        self.states = other.states;
        self.seconds = other.seconds;
        self.peak_bytes = other.peak_bytes;
        self.informed = other.informed;
    }
}

impl Entry for Line {
    type Key = (Subject, String);

    fn key(&self) -> Self::Key {
        (self.subject(), self.semantics.clone())
    }

    fn about(&self) -> String {
        format!("{} under {}", self.subject(), self.semantics)
    }

    /// Lines on the same compiled task are put together: the greater lower bound, with the search
    /// that proved it, the shorter plan, and what was counted and checked of either. An earlier
    /// line on another one is forgotten.
    fn succeed(&mut self, earlier: &mut Self) -> Added {
        if self.compiled != earlier.compiled || self.contradicts(earlier) {
            return Added::Taken;
        }
        let was_proven = earlier.status != Status::Bounded;
        let is_bounded = self.status == Status::Bounded;
        if is_bounded && (was_proven || self.lower_bound < earlier.lower_bound) {
            self.take_search(earlier);
        }
        let shorter = match (earlier.upper_bound, self.upper_bound) {
            (Some(earlier), Some(own)) => earlier < own,
            (earlier, own) => earlier.is_some() && own.is_none(),
        };
        if shorter {
            self.upper_bound = earlier.upper_bound;
            self.plan = earlier.plan.take();
            self.under_upstream = earlier.under_upstream;
        }
        if self.plan == earlier.plan && self.under_upstream.is_none() {
            self.under_upstream = earlier.under_upstream;
        }
        self.close();
        if self.plans.is_none() && earlier.plans.is_some() {
            self.plans = earlier.plans.take();
            self.uncounted = earlier.uncounted.take();
        }
        if self.references.is_none() && earlier.references.is_some() {
            self.references = earlier.references.take();
            self.uncounted = None;
        }
        self.check = self.check.take().or_else(|| earlier.check.take());
        Added::Taken
    }
}
