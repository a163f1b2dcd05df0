//! The abstract syntax of domains and problems: what the author wrote, name by name, with spans.
//!
//! Nothing is resolved here: a [`Term::Apply`] may be a predicate, a function or a mistake.
//! [`crate::sema`] decides. Names keep their spelling; comparison is by [`Name::key`].

use std::borrow::Cow;

use ecow::EcoString;

use super::span::Span;

/// An identifier as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The spelling in the source (variables without their `?`, keywords without their `:`). Short
    /// ones, so most, take no memory of their own.
    pub text: EcoString,
    /// Where it stands.
    pub span: Span,
}

impl Name {
    /// The form in which names are compared: PDDL is case-insensitive.
    pub fn key(&self) -> String {
        self.text.as_str().to_ascii_lowercase()
    }

    /// As [`Name::key`]; most names are in that form as they are.
    pub fn folded(&self) -> Cow<'_, str> {
        if self.text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(self.key())
        } else {
            Cow::Borrowed(&self.text)
        }
    }
}

/// A type as written after `-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeExpr {
    /// A named type.
    Named(Name),
    /// `(either t1 t2 …)`.
    Either(Vec<Name>, Span),
    /// `(int lo hi)`: a bounded integer.
    Int {
        /// Smallest value.
        lo: i64,
        /// Largest value.
        hi: i64,
        /// Where it stands.
        span: Span,
    },
    /// `number`, the PDDL 2.1 numeric type.
    Number(Span),
}

/// One entry of a typed list: `name - type`; `None` where the author gave no type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typed {
    /// The declared name.
    pub name: Name,
    /// Its type, if given.
    pub ty: Option<TypeExpr>,
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
    /// `:observable-by`: whom its texts are told; `None`: everyone.
    pub observers: Option<Observers>,
    /// The whole declaration.
    pub span: Span,
}

/// `:observable-by (?v - type) condition`: to which agents a predicate or function says its facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observers {
    /// Stands for the agent, beside the parameters.
    pub viewer: Typed,
    /// When that agent is told.
    pub condition: Formula,
    /// The keyword.
    pub span: Span,
}

/// `:text [?x] "…"` of a predicate or function: one of its facts in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FluentText {
    /// The parameter whose object it is told of; `None`: the first.
    pub of: Option<Name>,
    /// What is told. A slot that is the function itself, applied to its parameters, is its value.
    pub text: Template,
}

/// Comparison operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// Arithmetic operators; `Subtract` with one operand negates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/` (only exact division of constants is accepted later).
    Divide,
    /// `(abs e)`
    Abs,
    /// `(min e …)`
    Min,
    /// `(max e …)`
    Max,
}

/// A term: something that denotes an object or a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// An object, or a nullary function written without parentheses.
    Name(Name),
    /// `?x`.
    Variable(Name),
    /// A number, in thousandths so that `1.5` is exact; whole numbers are multiples of 1000.
    Number(i64, Span),
    /// `(f t …)`.
    Apply(Name, Vec<Term>, Span),
    /// Arithmetic.
    Arithmetic(Arithmetic, Vec<Term>, Span),
    /// `(count (?x - t …) φ)`.
    Count(Vec<Typed>, Box<Formula>, Span),
    /// `(argmin (?x - t) φ value [:ties key])` or `argmax`.
    Arg(Box<ArgTerm>),
}

/// `(argmin …)` / `(argmax …)`: the object for which `value` is least or greatest among those for
/// which `among` holds; ties go to the least `ties`, then to the first declared object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgTerm {
    /// `argmax` rather than `argmin`.
    pub maximize: bool,
    /// The variable ranged over.
    pub variable: Typed,
    /// Which candidates count.
    pub among: Formula,
    /// What is optimised.
    pub value: Term,
    /// The tie-breaking key.
    pub ties: Option<Term>,
    /// The whole term.
    pub span: Span,
}

impl Term {
    /// Where the term stands.
    pub fn span(&self) -> Span {
        match self {
            Self::Name(name) | Self::Variable(name) => name.span,
            Self::Number(_, span)
            | Self::Apply(_, _, span)
            | Self::Arithmetic(_, _, span)
            | Self::Count(_, _, span) => *span,
            Self::Arg(arg) => arg.span,
        }
    }
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// `(and φ …)`; `()` is an empty one.
    And(Vec<Formula>, Span),
    /// `(or φ …)`.
    Or(Vec<Formula>, Span),
    /// `(not φ)`.
    Not(Box<Formula>, Span),
    /// `(imply φ ψ)`.
    Imply(Box<Formula>, Box<Formula>, Span),
    /// `(forall (…) φ)`.
    Forall(Vec<Typed>, Box<Formula>, Span),
    /// `(exists (…) φ)`.
    Exists(Vec<Typed>, Box<Formula>, Span),
    /// `(p t …)`.
    Atom(Name, Vec<Term>, Span),
    /// `(= a b)`, `(< a b)`, ….
    Compare(Comparison, Term, Term, Span),
    /// `(else "reason" φ)` or `(else code φ)`: φ, with the reason given when it fails.
    Else(Template, Box<Formula>, Span),
    /// `(semantics name)`: holds when the task is compiled under that named semantics.
    Semantics(Name, Span),
    /// A formula that could not be read; already reported.
    Error(Span),
}

impl Formula {
    /// Where the formula stands.
    pub fn span(&self) -> Span {
        match self {
            Self::And(_, span)
            | Self::Or(_, span)
            | Self::Not(_, span)
            | Self::Imply(_, _, span)
            | Self::Forall(_, _, span)
            | Self::Exists(_, _, span)
            | Self::Atom(_, _, span)
            | Self::Compare(_, _, _, span)
            | Self::Else(_, _, span)
            | Self::Semantics(_, span)
            | Self::Error(span) => *span,
        }
    }
}

/// How a numeric or object fluent is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssignOp {
    /// `(assign f e)`
    Assign,
    /// `(increase f e)`
    Increase,
    /// `(decrease f e)`
    Decrease,
    /// `(scale-up f e)`
    ScaleUp,
    /// `(scale-down f e)`
    ScaleDown,
}

/// What pauses or cancels a delayed effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DelayGuard {
    /// `:while φ`: the timer advances only at ticks where φ holds.
    While(Formula),
    /// `:until φ`: the delayed effect is dropped at a tick where φ holds.
    Until(Formula),
}

/// An effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// `(and e …)`: all at once.
    And(Vec<Effect>, Span),
    /// `(seq e …)`: one after another.
    Seq(Vec<Effect>, Span),
    /// `(forall (…) e)`: all at once.
    Forall(Vec<Typed>, Box<Effect>, Span),
    /// `(for-each (?x - t) [:by k] e)`: one after another, in the order of `k`.
    ForEach(Vec<Typed>, Option<Term>, Box<Effect>, Span),
    /// `(when φ e)`.
    When(Formula, Box<Effect>, Span),
    /// `(case (φ e) … [(else e)])`: the first whose condition holds.
    Case(Vec<(Formula, Effect)>, Option<Box<Effect>>, Span),
    /// `(let ((?x term) …) e [:else e])`; with no target for a term, the `:else`.
    Let(Vec<(Name, Term)>, Box<Effect>, Option<Box<Effect>>, Span),
    /// `(p t …)`.
    Add(Name, Vec<Term>, Span),
    /// `(not (p t …))`.
    Delete(Name, Vec<Term>, Span),
    /// `(assign f e)` and its relatives.
    Assign(AssignOp, Term, Term, Span),
    /// `(after N [:while φ | :until φ] e)`.
    After(Term, Option<DelayGuard>, Box<Effect>, Span),
    /// `(on-nth N e)`.
    OnNth(Term, Box<Effect>, Span),
    /// `(maintain φ e body…)`.
    Maintain(Formula, Box<Effect>, Vec<Effect>, Span),
    /// `(log "text")`.
    Log(Template, Span),
    /// `(do (action t …))`: the effect of a primitive action, if it is applicable.
    Do(Name, Vec<Term>, Span),
    /// An effect that could not be read; already reported.
    Error(Span),
}

impl Effect {
    /// Where the effect stands.
    pub fn span(&self) -> Span {
        match self {
            Self::And(_, span)
            | Self::Seq(_, span)
            | Self::Forall(_, _, span)
            | Self::ForEach(_, _, _, span)
            | Self::When(_, _, span)
            | Self::Case(_, _, span)
            | Self::Let(_, _, _, span)
            | Self::Add(_, _, span)
            | Self::Delete(_, _, span)
            | Self::Assign(_, _, _, span)
            | Self::After(_, _, _, span)
            | Self::OnNth(_, _, span)
            | Self::Maintain(_, _, _, span)
            | Self::Log(_, span)
            | Self::Do(_, _, span)
            | Self::Error(span) => *span,
        }
    }
}

/// A text with slots: `"pickup({?i}, {(held ?a)})"`. A slot holds a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// Literal text and slots, in order.
    pub parts: Vec<TemplatePart>,
    /// The whole literal, quotes included.
    pub span: Span,
}

/// A piece of a [`Template`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplatePart {
    /// Literal text.
    Text(String),
    /// The name or value of a term.
    Slot(Term),
}

/// What a log and a reference record of an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LabelClause {
    /// `:label none`: silent.
    None(Span),
    /// `:label "…"`.
    Text(Template),
}

/// Which construct an [`Action`] was written as.
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

/// When a durative condition or effect counts.
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
    /// `:label`.
    pub label: Option<LabelClause>,
    /// `:text`.
    pub text: Option<Template>,
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
            label: None,
            text: None,
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
    /// When it holds.
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
    /// `(at T literal)`: a timed initial literal.
    Timed(i64, Box<InitItem>, Span),
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
    /// How they are kept.
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
    /// What is optimised; `(total-time)` is the makespan.
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
    /// `:predicates`, `:functions` and `:transient`, in order.
    pub fluents: Vec<FluentDecl>,
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
    /// `(:wait …)`, in order.
    pub waits: Vec<WaitLimit>,
    /// `(:live-effects …)`, in order.
    pub live_effects: Vec<LiveEffectsKept>,
    /// `(:facts …)`: facts of every problem of the domain (a cookbook, a shared map).
    pub facts: Vec<InitItem>,
    /// `(:fail φ)`.
    pub fail: Option<Formula>,
    /// The whole file.
    pub span: Span,
}

/// A problem file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// `(problem name)`.
    pub name: Option<Name>,
    /// `(:domain name)`.
    pub domain: Option<Name>,
    /// `:requirements`.
    pub requirements: Vec<Name>,
    /// `:objects`.
    pub objects: Vec<Typed>,
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
    /// The whole file.
    pub span: Span,
}
