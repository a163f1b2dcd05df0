//! The typed MDP: variables, operators, events, timers, packed state, and `step`.
//!
//! A [`Task`] is finite and ground, and made to be read: its conditions and effects speak of
//! [`Fact`]s, `variable = value`. A [`PackedTask`] is derived from it and made to be run: facts of one word
//! are tested and written together.
//!
//! A [`State`] is a row of 64-bit words, [`Task::words`] of them; each variable has a fixed bit field in one
//! word, so equality of states is equality of words. [`Variable::get`](layout::Variable::get) reads it.
//!
//! One timestep: every agent in declared order chooses one operator, then one tick runs the
//! [`Phase`]s and advances the clock.

pub mod atom;
pub mod cond;
pub mod cost_range;
pub mod draw;
pub mod effect;
pub mod facts;
pub mod gains;
mod ids;
pub mod json;
pub mod layout;
mod masks;
pub mod nature;
pub mod observation;
mod observe;
pub mod pack;
pub mod packed;
pub mod plannable;
pub mod rules;
pub mod split_mix;
mod state;
pub mod step;
pub mod successors;
pub mod symbols;
pub mod totals;
pub mod variable_set;

pub use atom::{Atom, Fact, Masked};
use cond::{Cond, Expr};
use effect::Effect;
pub use ids::{LabelId, LogEntry, ObjectId, OperatorId, PredicateId, SchemaId, TotalId, VarId};
use layout::Variable;
use nature::Nature;
use observation::Observation;
pub use packed::PackedTask;
pub use state::{State, StateBuf};
use symbols::{GroundAction, Symbols};
pub use totals::Total;
pub use variable_set::VariableSet;

/// The order in which agents act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TurnMode {
    /// Agent k's preconditions are tested in the state that agents before it have left.
    Sequential,
    /// All preconditions are tested in the state at the start of the step.
    Simultaneous,
    /// A timestep is one agent's move.
    Alternate,
}

impl TurnMode {
    /// The word for it in a domain.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sequential => "sequential",
            Self::Simultaneous => "simultaneous",
            Self::Alternate => "alternate",
        }
    }
}

/// Someone who chooses operators.
#[derive(Clone, Debug)]
pub struct Agent {
    /// The object's name; empty for the one implicit agent of a domain without agents.
    pub name: String,
    /// The object, where the domain has agents.
    pub object: Option<ObjectId>,
    /// The operators that belong to it, ascending.
    pub operators: Vec<OperatorId>,
    /// The operator that does nothing, where there is one.
    pub wait: Option<OperatorId>,
    /// Where it is part of the environment, and chance decides for it.
    pub nature: Option<Nature>,
}

/// One requirement of an operator in words, for explaining a refusal.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// The condition that must hold.
    pub cond: Cond,
    /// That it may hold as far as the agent knows, where some of what it depends on may be hidden from it.
    pub as_known: Option<Cond>,
    /// The reason given by the author (`else`), else the condition in PDDL.
    pub reason: String,
}

/// The meaning of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OperatorKind {
    /// An action, or the start of an option or of a durative action.
    Start,
    /// Goes on with what the agent has started.
    Continue,
    /// Does nothing for one step.
    Wait,
}

/// A ground operator of one agent.
#[derive(Clone, Debug)]
pub struct Operator {
    /// The schema's name followed by the arguments: `pickup egg counter0`; `wait`, `continue`.
    pub name: String,
    /// Its schema and arguments; absent where it waits or goes on.
    pub action: Option<GroundAction>,
    /// Index into [`Task::agents`].
    pub agent: u16,
    /// Its meaning.
    pub kind: OperatorKind,
    /// The part of the precondition that is a conjunction of facts.
    pub facts: Vec<Fact>,
    /// The rest of the precondition.
    pub guard: Cond,
    /// The weight by which nature draws it among the operators that apply: from 0 to 2^31-1. It is 1
    /// where nothing is said, and of no use for other agents. The guard holds only where it is not 0.
    pub weight: Option<Expr>,
    /// Its effect.
    pub effect: Effect,
    /// The precondition as the author wrote it, piece by piece.
    pub requirements: Vec<Requirement>,
    /// Its meaning in words (`:text`), else its name.
    pub text: String,
}

/// A part of the tick.
#[derive(Clone, Debug)]
pub enum Phase {
    /// Delayed effects advance.
    Timers,
    /// An effect: all instances of an event, timed literals, or other housekeeping.
    Effect {
        /// Its description, for people.
        name: String,
        /// Its effect.
        effect: Effect,
    },
}

/// A phase of the tick as agents know it, without facts that come unannounced.
#[derive(Clone, Debug)]
pub struct Announced {
    /// Index into [`Task::tick`].
    pub phase: usize,
    /// The effect as agents know it.
    pub effect: Effect,
}

/// A delayed effect that may be live.
///
/// Its variable is 0 where it is not live. It holds the ticks that remain, or how far one that applies
/// at every tick has come.
#[derive(Clone, Debug)]
pub struct Timer {
    /// Ground text of the delayed effect, which identifies it.
    pub name: String,
    /// The delayed effect as people read it: its name, but of a part of a `maintain` that part alone, with the
    /// condition under which it advances: `(after 9 (burnt egg)) while (on egg stove)`.
    pub text: String,
    /// The remaining ticks.
    pub variable: VarId,
    /// The timer advances only at ticks where this holds.
    pub runs_while: Cond,
    /// The delayed effect is dropped at a tick where this holds.
    pub dropped_when: Cond,
    /// Applies at every tick while live (the upkeep of a `maintain`) rather than when due.
    pub every_tick: bool,
    /// The effect when it is due, or at every tick.
    pub effect: Effect,
}

/// The delayed effects that are live, in the order in which they were started.
///
/// The list is kept in variables, one for each place: 0 beyond its end, else one more than the index
/// of the member there. Members advance in this order; one whose first timer is 0 by then leaves.
#[derive(Clone, Debug)]
pub struct LiveList {
    /// The places, one after another.
    pub places: Vec<VarId>,
    /// For each delayed effect that may join, its timers, as indices into [`Task::timers`]: the one
    /// that shows whether it is live, then those of its parts.
    pub members: Vec<Vec<u32>>,
    /// True if the one after a member that leaves is passed over at that tick.
    pub skips: bool,
}

/// The first key that a plan optimises; makespan and number of labels are the next keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// `(makespan, labels)`.
    Makespan,
    /// `(cost, makespan, labels)`, least cost first.
    Cost,
    /// `(cost, makespan, labels)`, greatest cost first.
    NegatedCost,
}

/// Derived variables, computed after every change of the others.
///
/// Layers are evaluated in order; within one, rules run until nothing changes.
#[derive(Clone, Debug, Default)]
pub struct Axioms {
    /// For each layer its variables, which start false, and its rules: `(body, head)`.
    pub layers: Vec<AxiomLayer>,
}

/// One stratum of [`Axioms`].
#[derive(Clone, Debug, Default)]
pub struct AxiomLayer {
    /// Reset to 0 before the rules run.
    pub variables: Vec<VarId>,
    /// If the body holds, the variable is set to 1.
    pub rules: Vec<(Cond, VarId)>,
}

/// A finite, ground, typed MDP.
#[derive(Clone, Debug)]
pub struct Task {
    /// The domain's name.
    pub domain: String,
    /// The problem's name, with those of the streams that are laid over it.
    pub problem: String,
    /// The problem's own name. A stream's name may hold the seed that it was drawn from, and with
    /// it all that is hidden.
    pub own_problem: String,
    /// The semantics it was compiled under.
    pub semantics: String,
    /// The objects, predicates and schemas that variables and operators refer to.
    pub symbols: Symbols,
    /// The state variables.
    pub variables: Vec<Variable>,
    /// Words of 64 bits per state.
    pub words: usize,
    /// The initial state, derived variables included.
    pub initial: StateBuf,
    /// Sets of facts of several variables, of which at most one holds in any state that can be
    /// reached.
    pub mutexes: Vec<Vec<Fact>>,
    /// Who acts, in turn order; those of nature come last.
    pub agents: Vec<Agent>,
    /// All operators, grouped by agent.
    pub operators: Vec<Operator>,
    /// The order in which the agents of one step take turns.
    pub turns: TurnMode,
    /// True if in sequential turns each timestep has an order of its own, which those who act choose: the
    /// order of a joint action. A search assumes the declared order.
    pub any_order: bool,
    /// In `alternate` mode: the variable that holds whose move it is.
    pub turn: Option<VarId>,
    /// The tick, in order.
    pub tick: Vec<Phase>,
    /// The phases of the tick in which facts come that are not announced, as agents know them.
    pub announced: Vec<Announced>,
    /// Delayed effects, in the order in which they advance where there is no list of live ones.
    pub timers: Vec<Timer>,
    /// The list of live delayed effects, where they advance in the order of their start.
    pub live: Option<LiveList>,
    /// The number of ticks passed, where timed literals or a horizon make it matter. It stops at
    /// its greatest value.
    pub clock: Option<VarId>,
    /// Derived variables.
    pub axioms: Axioms,
    /// The goal; `None` where only the metric counts.
    pub goal: Option<Cond>,
    /// Losing states; tested before the goal.
    pub fail: Cond,
    /// States in which the episode ends that are neither goal nor losing; tested after the goal.
    pub end: Cond,
    /// The episode ends after this many ticks.
    pub horizon: Option<u32>,
    /// The most timesteps that one command may ask to wait, where the domain limits them. No plan
    /// depends on it: a plan waits step by step.
    pub longest_wait: Option<u32>,
    /// The objective.
    pub metric: Metric,
    /// Costs were multiplied by this to make them whole.
    pub cost_scale: i64,
    /// The cost of a plan before its first step, multiplied likewise. It is the same for all plans of
    /// the task, and no part of the costs that are summed step by step.
    pub initial_cost: i64,
    /// The numbers that are added up along a plan; no part of the state.
    pub totals: Vec<Total>,
    /// The texts of labels.
    pub labels: Vec<String>,
    /// The words in which its states are observed, where the domain gives any.
    pub observation: Observation,
}

impl Task {
    /// A label's text.
    pub fn label(&self, label: LabelId) -> &str {
        &self.labels[label.index()]
    }

    /// An operator.
    pub fn operator(&self, operator: OperatorId) -> &Operator {
        &self.operators[operator.index()]
    }

    /// The number of agents that policies decide for: all but those of nature.
    pub fn players(&self) -> usize {
        let mut agents = self.agents.iter();
        agents
            .position(|agent| agent.nature.is_some())
            .unwrap_or(self.agents.len())
    }

    /// Returns whether chance decides for some agent.
    pub fn has_nature(&self) -> bool {
        self.players() < self.agents.len()
    }

    /// Bits per state.
    pub fn bits(&self) -> u32 {
        self.variables
            .iter()
            .map(|variable| u32::from(variable.bits))
            .sum()
    }
}
