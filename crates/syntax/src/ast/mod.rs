//! The abstract syntax of domains, problems and streams: what the author wrote, name by name, with spans.
//!
//! Nothing is resolved here: a [`Term::Apply`] may be a predicate, a function or a mistake.
//! the crate `compile` decides. Names keep their spelling; comparison is by [`Name::key`].

mod expression;
mod layout;
mod name;

pub use expression::{
    Application, ArgTerm, Arithmetic, AssignOp, Comparison, CountTerm, DelayGuard, Effect, Formula,
    Template, TemplatePart, Term,
};
pub use layout::{Cell, Drawing, Drawn, LayoutItem};
pub use name::{Name, TypeExpr, Typed};

use brigade_diagnostics::span::Span;

/// `(:private ?agent - type …)` or `(:private agent …)`: a stretch of a list of declarations that are private
/// to an agent. It has no meaning beyond that of the declarations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Private {
    /// The owner: of predicates and functions a variable, of objects an object. `None` in a file that one agent has for
    /// itself.
    pub agent: Option<Typed>,
    /// The place of the first in the list.
    pub from: usize,
    /// One past that of the last, of which there is at least one.
    pub until: usize,
}

/// A predicate (`range` is `None`) or function declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FluentDecl {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Typed>,
    /// The type of its value; `None` for a predicate. A function of `:functions` without a type
    /// has [`TypeExpr::Number`].
    pub range: Option<TypeExpr>,
    /// Declared in a `:transient` section: reset to its default after each tick.
    pub transient: bool,
    /// `:text`: what a predicate says in words where it holds, or a function of its value.
    pub texts: Vec<FluentText>,
    /// `:observable-by`: the agents that receive its texts; `None`: everyone.
    pub observers: Option<Observers>,
    /// The whole declaration.
    pub span: Span,
}

/// `:observable-by (?v - type) condition`: which agents observe the facts of a predicate or function, or
/// learn that an action was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observers {
    /// Stands for the agent, beside the parameters.
    pub viewer: Typed,
    /// The condition under which that agent receives it.
    pub condition: Formula,
    /// The keyword.
    pub span: Span,
}

/// `:text [?x] "…"` of a predicate or function: one of its facts in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FluentText {
    /// The parameter whose object receives it; `None`: the first.
    pub of: Option<Name>,
    /// The text that the agents receive. A slot that is the function itself, applied to its parameters, is its value.
    pub text: Template,
}

/// The label by which a log and a reference record an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LabelClause {
    /// `:label none`: silent.
    None(Span),
    /// `:label "…"`.
    Text(Template),
}

/// The construct that an [`Action`] was written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ActionKind {
    /// `(:action …)`: chosen, and done within the step.
    Instant,
    /// `(:action … :primitive)`: not chosen by agents, only used by options through `do`.
    Primitive,
    /// `(:durative-action …)`.
    Durative,
    /// `(:option …)`: a macro, driven by a policy.
    Option,
}

/// The time at which a durative condition or effect counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimePoint {
    /// `at start`
    AtStart,
    /// `over all`
    OverAll,
    /// `at end`
    AtEnd,
}

/// `(:action …)`, `(:durative-action …)` or `(:option …)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// Its name.
    pub name: Name,
    /// As what it was written.
    pub kind: ActionKind,
    /// `:agent ?a - t`: whose turn it belongs to.
    pub agent: Option<Typed>,
    /// `:parameters (…)`, without the agent.
    pub parameters: Vec<Typed>,
    /// `:precondition`; in a durative action empty (see `conditions`).
    pub precondition: Option<Formula>,
    /// Durative: `:condition`, split by time point.
    pub conditions: Vec<(TimePoint, Formula)>,
    /// `:effect`; in an option the `:policy`; in a durative action empty (see `effects`).
    pub effect: Option<Effect>,
    /// Durative: `:effect`, split by time point (never `OverAll`).
    pub effects: Vec<(TimePoint, Effect)>,
    /// Durative: the right side of `(= ?duration e)`, in ticks.
    pub duration: Option<Term>,
    /// Option: `:let ((?x term) …)`, recomputed at each step.
    pub lets: Vec<(Name, Term)>,
    /// Option: `:until φ`, tested after the tick.
    pub until: Option<Formula>,
    /// Option: `:else e`, done at a step for which a `:let` has no target; the option then ends.
    pub otherwise: Option<Effect>,
    /// `:weight e`: how often nature draws it, compared with the others that apply.
    pub weight: Option<Term>,
    /// `:label`.
    pub label: Option<LabelClause>,
    /// `:text`.
    pub text: Option<Template>,
    /// `:observable-by`: who learns that it was done; `None`: everyone.
    pub observers: Option<Observers>,
    /// The whole definition.
    pub span: Span,
}

impl Action {
    /// An action without anything but its name.
    pub const fn new(name: Name, kind: ActionKind, span: Span) -> Self {
        Self {
            name,
            kind,
            agent: None,
            parameters: Vec::new(),
            precondition: None,
            conditions: Vec::new(),
            effect: None,
            effects: Vec::new(),
            duration: None,
            lets: Vec::new(),
            until: None,
            otherwise: None,
            weight: None,
            label: None,
            text: None,
            observers: None,
            span,
        }
    }
}

/// `(:event name :parameters (…) :precondition φ :effect e)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its name.
    pub name: Name,
    /// `:parameters`.
    pub parameters: Vec<Typed>,
    /// `:precondition`.
    pub precondition: Option<Formula>,
    /// `:effect`.
    pub effect: Option<Effect>,
    /// The whole definition.
    pub span: Span,
}

/// `(:derived (p ?x …) φ)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// The derived predicate.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Typed>,
    /// The condition under which it holds.
    pub body: Formula,
    /// The whole definition.
    pub span: Span,
}

/// One entry of `:init` (or of a domain's `:facts`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InitItem {
    /// `(p o …)`.
    Atom(Name, Vec<Term>, Span),
    /// `(not (p o …))`: redundant, but legal.
    NotAtom(Name, Vec<Term>, Span),
    /// `(= (f o …) v)`.
    Value(Term, Term, Span),
    /// `(at T [:early] [:unannounced] literal)`: a timed initial literal.
    Timed(Time, Box<InitItem>, Span),
}

/// The time at which a timed initial literal comes true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time {
    /// The tick.
    pub tick: i64,
    /// `:early`: in the phase `early-literals` of the tick.
    pub early: bool,
    /// `:unannounced`: no agent knows of it before.
    pub unannounced: bool,
}

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

/// `(:turns …)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turns {
    /// The mode.
    pub mode: TurnMode,
    /// `:order any`: each half-step also chooses which unmoved agent acts.
    pub any_order: bool,
    /// The whole clause.
    pub span: Span,
}

/// `(:wait :most N [:semantics name])`: how long one command may ask to wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitLimit {
    /// The most timesteps.
    pub most: i64,
    /// The semantics under which this holds; `None`: where no other limit does.
    pub semantics: Option<Name>,
    /// The whole section.
    pub span: Span,
}

/// `(:wait none - type)`: agents of the type must act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MustAct {
    /// The type.
    pub ty: Name,
    /// The whole section.
    pub span: Span,
}

/// `(:role type nature)`: agents of the type are part of the environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nature {
    /// The type.
    pub ty: Name,
    /// The whole section.
    pub span: Span,
}

/// `(:live-effects …)`: how live delayed effects are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LiveEffects {
    /// Unordered.
    Set,
    /// In order of creation.
    List,
    /// In order of creation; removing one skips the next for that tick.
    ListSkipping,
}

/// `(:live-effects kind [:semantics name])`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveEffectsKept {
    /// The representation that keeps them.
    pub kind: LiveEffects,
    /// The semantics under which this holds; `None`: where no other does.
    pub semantics: Option<Name>,
    /// The whole section.
    pub span: Span,
}

/// `(:metric minimize e)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metric {
    /// `maximize` rather than `minimize`.
    pub maximize: bool,
    /// The term to optimise; `(total-time)` is the makespan.
    pub value: Term,
    /// The whole clause.
    pub span: Span,
}

/// A domain file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Domain {
    /// `(domain name)`.
    pub name: Option<Name>,
    /// `:requirements`, without the colon.
    pub requirements: Vec<Name>,
    /// `:types`.
    pub types: Vec<Typed>,
    /// `:constants`.
    pub constants: Vec<Typed>,
    /// The private ones of the constants, in order.
    pub private_constants: Vec<Private>,
    /// `:predicates`, `:functions` and `:transient`, in order.
    pub fluents: Vec<FluentDecl>,
    /// The private ones of them, in order.
    pub private_fluents: Vec<Private>,
    /// `:derived`.
    pub derived: Vec<Derived>,
    /// Actions, durative actions and options, in order.
    pub actions: Vec<Action>,
    /// `:event`, in order.
    pub events: Vec<Event>,
    /// `(:tick timers timed-literals event-name …)`.
    pub tick: Option<(Vec<Name>, Span)>,
    /// `(:turns …)`.
    pub turns: Option<Turns>,
    /// `(:semantics name …)`: the named variants that the domain distinguishes.
    pub semantics: Vec<Name>,
    /// `(:wait :most …)`, in order.
    pub waits: Vec<WaitLimit>,
    /// `(:wait none …)`, in order.
    pub must_act: Vec<MustAct>,
    /// `(:role … nature)`, in order.
    pub nature: Vec<Nature>,
    /// `(:live-effects …)`, in order.
    pub live_effects: Vec<LiveEffectsKept>,
    /// `(:facts …)`: facts of every problem of the domain (a cookbook, a shared map).
    pub facts: Vec<InitItem>,
    /// `(:fail φ)`.
    pub fail: Option<Formula>,
    /// `(:end φ)`.
    pub end: Option<Formula>,
    /// `(:layout …)`: how every problem of the domain is drawn.
    pub layout: Vec<LayoutItem>,
    /// The whole file.
    pub span: Span,
}

/// A problem file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// `(problem name)`; with the names of the streams that are laid over it.
    pub name: Option<Name>,
    /// The name without those of streams; absent where none is laid over the problem.
    pub own_name: Option<Name>,
    /// `(:domain name)`.
    pub domain: Option<Name>,
    /// `:requirements`.
    pub requirements: Vec<Name>,
    /// `:objects`.
    pub objects: Vec<Typed>,
    /// The private ones of them, in order.
    pub private_objects: Vec<Private>,
    /// `:init`.
    pub init: Vec<InitItem>,
    /// `:goal`.
    pub goal: Option<Formula>,
    /// The goal in words: `:text` after it.
    pub goal_text: Option<Template>,
    /// `:metric`.
    pub metric: Option<Metric>,
    /// `(:horizon N)`, in ticks.
    pub horizon: Option<(i64, Span)>,
    /// `(:fail φ)`.
    pub fail: Option<Formula>,
    /// `(:end φ)`.
    pub end: Option<Formula>,
    /// `(:layout …)`: how it is drawn, beside what the domain says of it.
    pub layout: Vec<LayoutItem>,
    /// The whole file.
    pub span: Span,
}

/// A stream file: what is laid over a problem.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stream {
    /// `(stream name)`.
    pub name: Option<Name>,
    /// `(:domain name)`.
    pub domain: Option<Name>,
    /// `(:problem name)`: the only problem that it is for.
    pub problem: Option<Name>,
    /// `:requirements`.
    pub requirements: Vec<Name>,
    /// `:objects`.
    pub objects: Vec<Typed>,
    /// The private ones of the objects, in order.
    pub private_objects: Vec<Private>,
    /// `:init`.
    pub init: Vec<InitItem>,
    /// The whole file.
    pub span: Span,
}
