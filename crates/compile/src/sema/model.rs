//! The resolved, typed, lifted model of one domain and one problem.
//!
//! Everything is by index: no name is looked up after this stage. The syntax's sugar is gone
//! (`imply`, untyped lists, name case), its structure is not: quantifiers, conditional and delayed
//! effects and options are lowered by [`crate::ground`].

mod cond;
mod effect;
mod ids;
mod layout;

use std::sync::Arc;

use ecow::EcoString;

use brigade_diagnostics::SourceId;
use brigade_diagnostics::span::Span;

pub use brigade_syntax::ast::{ActionKind, AssignOp, Comparison, LiveEffects, TimePoint, TurnMode};
pub use cond::{Cond, Expr, Requirement, Template, TemplatePart, Term};
pub use effect::{Choice, DelayGuard, Effect, is_or_performs};
pub use ids::{ActionId, Binding, FluentId, ObjectId, TypeId};
pub use layout::{Argument, Cell, Drawing, FactPattern, FactValue, Layout, Target, Thing, Word};

/// A type of the hierarchy. `TypeId(0)` is `object`.
#[derive(Clone, Debug)]
pub struct Type {
    /// Its name, as first written.
    pub name: String,
    /// Its direct parents; only `object` has none.
    pub parents: Vec<TypeId>,
}

/// An object or constant.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name, as first written.
    pub name: EcoString,
    /// Its direct types (several for `either`), which objects of one list share.
    pub types: Arc<[TypeId]>,
}

/// The values a fluent takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Range {
    /// A predicate: true or false; false by default.
    Boolean,
    /// An object of one of these types, or no object (undefined) by default.
    Object(Vec<TypeId>),
    /// An integer within bounds; the value nearest to 0 by default.
    Integer {
        /// Smallest value.
        lo: i64,
        /// Largest value.
        hi: i64,
    },
    /// An unbounded PDDL number: it must be static, or occur only in the metric.
    Number,
}

/// The source of a fluent's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FluentKind {
    /// From `:init` and effects.
    Basic,
    /// As `Basic`, and reset to its default after each tick.
    Transient,
    /// From axioms.
    Derived,
}

/// A predicate or function.
#[derive(Clone, Debug)]
pub struct Fluent {
    /// Its name.
    pub name: String,
    /// The types of its parameters (each a union).
    pub params: Vec<Vec<TypeId>>,
    /// Its values.
    pub range: Range,
    /// The source of its values.
    pub kind: FluentKind,
    /// Its words: of a predicate where it holds, of a function with its value.
    pub texts: Vec<FluentText>,
    /// The agents that observe it; `None`: all.
    pub observers: Option<Observers>,
    /// True if it is derived and no condition tests it: it exists for observations only.
    pub is_only_observed: bool,
}

/// The agents that observe the facts of a fluent.
#[derive(Clone, Debug)]
pub struct Observers {
    /// The parameters of the fluent, then the agent, then those bound inside.
    pub variables: Vec<Variable>,
    /// The condition under which that agent observes the fact.
    pub cond: Cond,
}

/// A variable of a schema, with its name and types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name, without `?`.
    pub name: String,
    /// Objects of any of these types.
    pub types: Vec<TypeId>,
}

/// A fact in words, as an observation shows it with one of its arguments.
#[derive(Clone, Debug)]
pub struct FluentText {
    /// The argument, by its index; `None` where there is none.
    pub of: Option<usize>,
    /// The parameters.
    pub variables: Vec<Variable>,
    /// The words; between two parts of them stands the value of the function.
    pub words: Vec<Template>,
}

/// An unbounded number that is only increased and decreased, and so counted and reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Total {
    /// The function.
    pub fluent: FluentId,
    /// Amounts were multiplied by this to make them whole.
    pub scale: i64,
    /// The values before the first step, multiplied likewise, by arguments; 0 where none is given.
    pub initial: Vec<(Vec<ObjectId>, i64)>,
}

impl Total {
    /// The value before the first step.
    pub fn initial(&self, args: &[ObjectId]) -> i64 {
        let mut given = self.initial.iter();
        let given = given.find(|(given, _)| given == args);
        given.map_or(0, |(_, value)| *value)
    }
}

/// For each action whether its effect is or holds such an effect, or performs an action that does.
pub fn performing(actions: &[Action], is: fn(&Effect) -> bool) -> Vec<bool> {
    let mut found = vec![false; actions.len()];
    let mut performers: Vec<Vec<usize>> = vec![Vec::new(); actions.len()];
    let mut open = Vec::new();
    for (at, action) in actions.iter().enumerate() {
        for effect in [&action.effect, &action.end_effect] {
            effect.any(&mut |effect| {
                if let Effect::Do(performed, _) = effect {
                    performers[performed.index()].push(at);
                }
                false
            });
            if effect.any(&mut |effect| is(effect)) {
                open.push(at);
            }
        }
    }
    while let Some(action) = open.pop() {
        if !std::mem::replace(&mut found[action], true) {
            open.append(&mut performers[action]);
        }
    }
    found
}

/// `:label` of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// Silent.
    None,
    /// The ground name `(action arg …)`: actions of a domain that has no label at all.
    GroundName,
    /// A text.
    Text(Template),
}

/// An action, durative action or option.
#[derive(Clone, Debug)]
pub struct Action {
    /// Its name.
    pub name: String,
    /// Where it is named.
    pub place: (SourceId, Span),
    /// Its kind.
    pub kind: ActionKind,
    /// All variables: the parameters first (the agent, where there is one, is the first of them),
    /// then those bound inside.
    pub variables: Vec<Variable>,
    /// The number of `variables` that are parameters, the first ones.
    pub parameters: usize,
    /// True if the first parameter is the acting agent.
    pub has_agent: bool,
    /// Tested when the action starts. A durative action's `at start` conditions are here.
    pub precondition: Vec<Requirement>,
    /// The effect at the start; of an option its policy, with its `:let`s as [`Effect::Let`]
    /// (whose `otherwise` is the `:else` effect; the option ends at such a step).
    pub effect: Effect,
    /// Durative: ticks from start to end.
    pub duration: Option<Expr>,
    /// Durative: `over all` and `at end` conditions.
    pub conditions: Vec<(TimePoint, Cond)>,
    /// Durative: the `at end` effect.
    pub end_effect: Effect,
    /// Option: it ends when this holds after the tick.
    pub until: Cond,
    /// Of an action of nature: how often it is drawn, compared with the others that apply; `None`: 1.
    pub weight: Option<Expr>,
    /// The logged label: at the step itself, or for options and durative actions at completion.
    pub label: Label,
    /// Its meaning in words.
    pub text: Option<Template>,
    /// The agents that learn that it was done; `None`: all.
    pub observers: Option<Learners>,
}

/// The agents that learn that an action was done, beside the one that did it.
#[derive(Clone, Debug)]
pub struct Learners {
    /// The agent, among the variables of the action.
    pub viewer: Binding,
    /// When that agent learns it, in the state in which the action was chosen.
    pub cond: Cond,
}

/// An environment rule. All its instances are tested and applied at once.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// Where it is named.
    pub place: (SourceId, Span),
    /// All variables, parameters first.
    pub variables: Vec<Variable>,
    /// The number of `variables` that are parameters, the first ones.
    pub parameters: usize,
    /// When it fires.
    pub precondition: Cond,
    /// Its effect.
    pub effect: Effect,
}

/// A rule for a derived predicate: it holds for `params` if `body` does.
#[derive(Clone, Debug)]
pub struct Axiom {
    /// The derived predicate.
    pub fluent: FluentId,
    /// Where the rule names it.
    pub place: (SourceId, Span),
    /// All variables, parameters first.
    pub variables: Vec<Variable>,
    /// The number of `variables` that are parameters, the first ones.
    pub parameters: usize,
    /// When it holds.
    pub body: Cond,
}

/// A part of the tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Delayed effects advance.
    Timers,
    /// Timed initial literals.
    TimedLiterals,
    /// Those that are early.
    EarlyLiterals,
    /// All instances of an event (index into [`Model::events`]).
    Event(usize),
}

/// A value in the initial state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Of a predicate.
    Boolean(bool),
    /// Of an object fluent.
    Object(ObjectId),
    /// Of a numeric fluent.
    Number(i64),
}

/// A fact of the initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The fluent.
    pub fluent: FluentId,
    /// Its arguments.
    pub args: Vec<ObjectId>,
    /// Its value.
    pub value: Value,
}

/// A timed initial literal: it holds from the state after so many ticks on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedFact {
    /// The number of ticks.
    pub tick: u32,
    /// True if it comes true in the phase of early literals.
    pub early: bool,
    /// True if no agent knows of it before.
    pub unannounced: bool,
    /// The fact.
    pub fact: Fact,
}

/// The first key of a plan's value; makespan and the number of labels follow as last keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Metric {
    /// No `:metric`.
    Default,
    /// `(:metric minimize (total-time))`.
    Makespan,
    /// `(:metric minimize e)` where `e` is a sum of costs: what [`Effect::Cost`] adds up.
    Cost {
        /// `maximize`.
        maximize: bool,
    },
}

/// A condition with its own variables (a goal).
#[derive(Clone, Debug)]
pub struct ClosedCond {
    /// The variables bound inside.
    pub variables: Vec<Variable>,
    /// The condition.
    pub cond: Cond,
}

/// The model of one domain and one problem under one named semantics.
#[derive(Clone, Debug)]
pub struct Model {
    /// The domain's name.
    pub domain: String,
    /// The problem's name, with those of the streams that are laid over it.
    pub problem: String,
    /// The problem's own name.
    pub own_problem: String,
    /// The semantics it was resolved under (`clean` unless asked otherwise).
    pub semantics: String,
    /// Types; the first is `object`.
    pub types: Vec<Type>,
    /// Constants, then objects, in declared order.
    pub objects: Vec<Object>,
    /// Predicates and functions.
    pub fluents: Vec<Fluent>,
    /// Actions, durative actions, options and primitives, in file order.
    pub actions: Vec<Action>,
    /// Events, in file order.
    pub events: Vec<Event>,
    /// Axioms.
    pub axioms: Vec<Axiom>,
    /// The tick, in order.
    pub tick: Vec<Phase>,
    /// Turn mode.
    pub turns: TurnMode,
    /// True if the agents of a step may act in any order.
    pub any_order: bool,
    /// The most timesteps that one command may ask to wait, where the domain limits them.
    pub longest_wait: Option<u32>,
    /// The agents that cannot wait, in the order of agents.
    pub must_act: Vec<ObjectId>,
    /// The number of agents, the last ones, that are part of the environment: chance decides for them.
    pub of_nature: usize,
    /// The representation of live delayed effects.
    pub live_effects: LiveEffects,
    /// Objects that act, in declared order, those of nature after all others; empty in a domain without
    /// `:agent`.
    pub agents: Vec<ObjectId>,
    /// The initial state (facts not listed have their fluent's default).
    pub init: Vec<Fact>,
    /// Timed initial literals.
    pub timed: Vec<TimedFact>,
    /// The goal; `None` where there is none.
    pub goal: Option<ClosedCond>,
    /// The goal in words.
    pub goal_text: Option<Template>,
    /// Losing states.
    pub fail: Option<ClosedCond>,
    /// States in which an episode ends that are neither goal nor losing.
    pub end: Option<ClosedCond>,
    /// The episode ends after this many ticks.
    pub horizon: Option<u32>,
    /// The metric.
    pub metric: Metric,
    /// Where the problem says so.
    pub metric_place: Option<(SourceId, Span)>,
    /// The numbers that are added up along a plan, by fluent, ascending.
    pub totals: Vec<Total>,
    /// Costs are multiplied by this so that they are whole numbers (1 unless the input has
    /// fractions).
    pub cost_scale: i64,
    /// The cost of a plan before its first step, multiplied likewise: the constants of the metric and the values that
    /// costs begin with.
    pub initial_cost: i64,
    /// Where things are drawn.
    pub layout: Layout,
}

impl Model {
    /// The totals without arguments.
    pub fn totals_without_arguments(&self) -> impl Iterator<Item = (FluentId, Vec<ObjectId>)> {
        let fluents = self.totals.iter().map(|total| total.fluent);
        let fluents = fluents.filter(|fluent| self.fluents[fluent.index()].params.is_empty());
        fluents.map(|fluent| (fluent, Vec::new()))
    }

    /// Returns true if an agent, by its index, may let a timestep pass. The one of a domain without agents may not.
    pub fn may_wait(&self, agent: usize) -> bool {
        let agent = self.agents.get(agent);
        agent.is_some_and(|agent| !self.must_act.contains(agent))
    }

    /// Returns whether an agent, by its index, is part of the environment.
    pub const fn is_of_nature(&self, agent: usize) -> bool {
        agent + self.of_nature >= self.agents.len() && agent < self.agents.len()
    }

    /// Returns true if `object` is of one of `types`, directly or through the hierarchy.
    pub fn is_a(&self, object: ObjectId, types: &[TypeId]) -> bool {
        self.objects[object.index()]
            .types
            .iter()
            .any(|&ty| types.iter().any(|&of| self.is_subtype(ty, of)))
    }

    /// Returns true if `ty` is `of` or a descendant of it.
    pub fn is_subtype(&self, ty: TypeId, of: TypeId) -> bool {
        let mut ty = ty;
        // Most types have one parent. The hierarchy has no cycles.
        loop {
            if ty == of || of == TypeId(0) {
                return true;
            }
            match self.types[ty.index()].parents[..] {
                [] => return false,
                [parent] => ty = parent,
                _ => break,
            }
        }
        let mut seen = vec![false; self.types.len()];
        let mut open = vec![ty];
        while let Some(next) = open.pop() {
            if next == of {
                return true;
            }
            if !std::mem::replace(&mut seen[next.index()], true) {
                open.extend(&self.types[next.index()].parents);
            }
        }
        false
    }

    /// Objects of any of `types`, in declared order.
    pub fn objects_of(&self, types: &[TypeId]) -> Vec<ObjectId> {
        (0..self.objects.len() as u32)
            .map(ObjectId)
            .filter(|&object| self.is_a(object, types))
            .collect()
    }
}
