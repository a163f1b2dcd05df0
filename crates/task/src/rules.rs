//! The normal form of a task: rules *facts → fact at a phase of the tick*.
//!
//! Whatever conditional, numeric or nested effect an operator, an event or a timer has, its rules are
//! flat: a [`Rule`] adds one fact at one phase of the tick where others hold. A disjunction is an
//! auxiliary fact with a rule for each of its parts, so that none is multiplied out. Analyses that
//! ignore what is deleted (the delete relaxation of J. Hoffmann and B. Nebel, "The FF Planning
//! System", 2001) read these rules instead of compound effects.
//!
//! **Soundness.** Take any run of the task, and for each fact the first moment (tick and phase) at
//! which it holds. For each fact that does not hold at the start there is a rule that adds it, at that
//! phase, all of whose needs have held by then: before the phase, or for a [loose](Rules::loose) one
//! by its end. So the first moment of a fact in the relaxation is never later than in a run. A condition
//! that is too large to be flattened counts as true ([`Rules::loosened`]), which keeps this.
//!
//! For example `(:action take :effect (when (hot pot) (burnt hand)))` of an agent gives three
//! rules: its precondition adds the auxiliary fact that it is started; that and `(hot pot)` add
//! `(burnt hand)` one phase later.

mod effects;
mod formula;
mod numbering;
mod path;
mod relevance;
mod tick;
mod touched;
mod writer;

use super::{OperatorId, Task};
pub use numbering::{FactId, Numbering};
use writer::Writer;

/// The moment at which a rule fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Moment {
    /// As soon as its needs hold: parts of conditions, axioms.
    AtOnce,
    /// In this phase of a tick.
    Phase(u32),
}

/// Adds a fact where others hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rule {
    /// The fact that is added.
    pub adds: FactId,
    /// The facts that have to hold, ascending.
    pub needs: Box<[FactId]>,
    /// When it fires.
    pub moment: Moment,
    /// The operator that is started by it. All else follows from that, or happens by itself.
    pub operator: Option<OperatorId>,
}

/// A change of the cost, as an auxiliary fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charge {
    /// Added where the cost changes so.
    pub fact: FactId,
    /// What is added to the cost, in units of 1 / [`Task::cost_scale`]; never 0.
    pub amount: i64,
}

/// The rules of a task.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The numbers of facts.
    pub numbering: Numbering,
    /// All rules, by the facts that they add.
    pub all: Vec<Rule>,
    /// The number of phases in a tick, those of the agents' choices included.
    pub phases: u32,
    /// The number of phases in which agents choose and their operators apply: the first ones.
    pub choices: u32,
    /// For each phase whether what is added in it may be needed in the same: its parts have no order
    /// that is known beforehand.
    pub loose: Vec<bool>,
    /// Holds where the goal does; `None` for a task without one.
    pub goal: Option<FactId>,
    /// The changes of the cost.
    pub charges: Vec<Charge>,
    /// The number of conditions and numbers that were too large to be flattened.
    pub loosened: u32,
}

/// More rules than this are not made.
const MOST_RULES: usize = 4_000_000;

impl Rules {
    /// Flattens a task. `None` if there would be more than four million rules.
    pub fn new(task: &Task) -> Option<Self> {
        let mut writer = Writer::new(task);
        let choices = writer.operators();
        writer.tick(choices);
        writer.axioms();
        let goal = task.goal.as_ref().map(|goal| writer.goal(goal));
        writer.finish(choices, goal)
    }

    /// The same without rules that lead neither to the goal nor to a change of the cost.
    #[must_use]
    pub fn relevant(mut self) -> Self {
        let charges = self.charges.iter().map(|charge| charge.fact);
        let ends = self.goal.into_iter().chain(charges);
        relevance::keep_relevant(&mut self.all, self.numbering.len() as usize, ends);
        self
    }
}
