//! Delayed effects: what identifies one, the order in which they advance, and the strata of
//! axioms.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use brigade::sema::model::{
    Action, ActionId, ActionKind, Axiom, Binding, Cond, DelayGuard, Effect, Expr, FluentId, Model,
    ObjectId, Term,
};

use crate::grounding::effects::{Change, changes};
use crate::grounding::evaluate::{self, scopes};
use crate::grounding::interpreter::{Datum, Scope, State, tuples};

/// The place of a delayed effect in the order: the way down to it in the file, the objects of the
/// variables that its text mentions, the agent if it logs.
pub(crate) type Rank = (Vec<u32>, Vec<ObjectId>, Option<usize>);

/// A delayed effect that waits.
#[derive(Clone, Debug)]
pub(crate) struct After<'m> {
    pub(crate) left: u32,
    pub(crate) guard: Option<&'m DelayGuard>,
    pub(crate) effect: &'m Effect,
    pub(crate) scope: Scope<'m>,
    /// The `maintain` it is a part of: its text and its condition.
    pub(crate) within: Option<(String, &'m Cond)>,
}

impl<'m> After<'m> {
    pub(crate) fn is_dropped(&self, model: &'m Model, state: &State<'m>) -> bool {
        matches!(self.guard, Some(DelayGuard::Until(until))
            if evaluate::cond(model, until, &self.scope, state))
    }

    pub(crate) fn runs(&self, model: &'m Model, state: &State<'m>) -> bool {
        let own = match self.guard {
            Some(DelayGuard::While(guard)) => evaluate::cond(model, guard, &self.scope, state),
            Some(DelayGuard::Until(_)) | None => true,
        };
        let within = self.within.as_ref();
        own && within.is_none_or(|(_, also)| evaluate::cond(model, also, &self.scope, state))
    }
}

/// Something that the ticks carry on.
#[derive(Clone, Debug)]
pub(crate) enum Live<'m> {
    After(After<'m>),
    Upkeep {
        cond: &'m Cond,
        kept: &'m Effect,
        scope: Scope<'m>,
    },
    DurativeEnd {
        action: ActionId,
        args: Vec<ObjectId>,
        agent: usize,
        left: u32,
    },
    /// Executions counted, in a list.
    Count {
        done: u32,
        wanted: u32,
    },
    /// A `maintain` whose body does not wait.
    Until {
        cond: &'m Cond,
        kept: &'m Effect,
        body: &'m [Effect],
        scope: Scope<'m>,
        /// It is done, and leaves the list when its turn comes.
        is_done: bool,
    },
}

impl Live<'_> {
    /// Ticks that remain, or how far it has come.
    pub(crate) fn left(&self) -> u32 {
        match self {
            Self::After(after) => after.left,
            Self::Upkeep { .. } => 1,
            Self::DurativeEnd { left, .. } => *left,
            Self::Count { done, .. } => *done,
            Self::Until { is_done, .. } => 1 + u32::from(*is_done),
        }
    }

    /// Returns true if it belongs to a `maintain`.
    pub(crate) fn is_part(&self) -> bool {
        matches!(
            self,
            Self::After(After {
                within: Some(_),
                ..
            })
        )
    }
}

/// The upkeep of a `maintain` whose body does not wait, and the body where the condition holds.
pub(crate) fn once_it_holds<'m>(
    model: &'m Model,
    (cond, kept, body): (&'m Cond, &'m Effect, &'m [Effect]),
    scope: &Scope<'m>,
    state: &State<'m>,
) -> Vec<Change<'m>> {
    let mut found = upkeep(model, cond, kept, scope, state);
    if evaluate::cond(model, cond, scope, state) {
        for (step, part) in parts(body) {
            found.extend(changes(model, part, &scope.inside(step), state));
        }
    }
    found
}

/// Returns true if an effect starts something that waits.
pub(crate) fn waits(model: &Model, effect: &Effect) -> bool {
    match effect {
        Effect::After(..) | Effect::Maintain(..) => true,
        Effect::Do(action, _) => waits(model, &model.actions[action.index()].effect),
        Effect::And(parts) | Effect::Seq(parts) => parts.iter().any(|part| waits(model, part)),
        Effect::Forall(_, body)
        | Effect::ForEach(_, _, body)
        | Effect::When(_, body)
        | Effect::OnNth(_, body) => waits(model, body),
        Effect::Case(cases, otherwise) => {
            cases.iter().any(|(_, body)| waits(model, body)) || waits(model, otherwise)
        }
        Effect::Let(_, _, body, otherwise) => waits(model, body) || waits(model, otherwise),
        Effect::Set(..)
        | Effect::Assign(..)
        | Effect::Update(..)
        | Effect::Cost(_)
        | Effect::Total(..)
        | Effect::Log(_) => false,
    }
}

/// Writes the truth of a condition to the atoms of an effect.
pub(crate) fn upkeep<'m>(
    model: &'m Model,
    cond: &'m Cond,
    kept: &'m Effect,
    scope: &Scope<'m>,
    state: &State<'m>,
) -> Vec<Change<'m>> {
    let truth = evaluate::cond(model, cond, scope, state);
    let mut found = changes(model, kept, scope, state);
    for change in &mut found {
        if let Change::Write(_, datum) = change {
            *datum = Datum::Truth(truth);
        }
    }
    found
}

/// The body of a `maintain`, its `and`s opened, each part with its number.
pub(crate) fn parts(body: &[Effect]) -> Vec<(u32, &Effect)> {
    fn open<'m>(body: &'m [Effect], into: &mut Vec<&'m Effect>) {
        for part in body {
            match part {
                Effect::And(parts) => open(parts, into),
                other => into.push(other),
            }
        }
    }
    let mut result = Vec::new();
    open(body, &mut result);
    (1..).zip(result).collect()
}

/// The text of a part of a `maintain`.
pub(crate) fn part_text(upkeep: &str, step: u32) -> String {
    format!("part {step} of {upkeep}")
}

/// Returns true if a part of this `maintain` waits.
pub(crate) fn has_waiting_part(state: &State<'_>, upkeep: &str) -> bool {
    state.live.values().any(
        |live| matches!(live, Live::After(After { within: Some((of, _)), .. }) if of == upkeep),
    )
}

/// The scope of a `let`'s body.
pub(crate) fn with_target<'m>(scope: &Scope<'m>, variable: Binding, target: ObjectId) -> Scope<'m> {
    let mut scope = scope.clone();
    scope.at[variable.index()] = Some(target);
    scope
}

/// The scope of a primitive's effect.
pub(crate) fn performed<'m>(
    id: ActionId,
    primitive: &'m Action,
    args: &[ObjectId],
    scope: &Scope<'m>,
) -> Scope<'m> {
    Scope::new(&primitive.variables, args, scope.agent, id.index())
}

/// The end of a durative action, with its text.
pub(crate) fn durative_end<'m>(
    action: ActionId,
    args: Vec<ObjectId>,
    agent: usize,
    ticks: i64,
) -> (String, Live<'m>) {
    let text = end_text(action, &args);
    let live = Live::DurativeEnd {
        action,
        args,
        agent,
        left: ticks as u32,
    };
    (text, live)
}

fn end_text(action: ActionId, args: &[ObjectId]) -> String {
    format!("end of {action:?} {args:?}")
}

/// The ground text of an effect: its variables replaced by their objects.
pub(crate) fn text(model: &Model, effect: &Effect, scope: &Scope<'_>) -> String {
    let grounding = Grounding::of(scope);
    let ground = grounding.effect(effect);
    let inner = grounding.inner.borrow();
    let types = inner.iter().map(|variable| {
        let variable = &scope.variables[variable.index()];
        (variable.name.to_lowercase(), &variable.types)
    });
    let types: Vec<_> = types.collect();
    format!("{ground:?} {types:?} by {:?}", actor(model, effect, scope))
}

/// Returns the agent that acts, where an effect logs.
fn actor(model: &Model, effect: &Effect, scope: &Scope<'_>) -> Option<usize> {
    scope.agent.filter(|_| logs(model, effect))
}

fn logs(model: &Model, effect: &Effect) -> bool {
    match effect {
        Effect::Log(_) => true,
        Effect::Do(action, _) => logs(model, &model.actions[action.index()].effect),
        Effect::And(parts) | Effect::Seq(parts) => parts.iter().any(|part| logs(model, part)),
        Effect::Forall(_, body)
        | Effect::ForEach(_, _, body)
        | Effect::When(_, body)
        | Effect::After(_, _, body)
        | Effect::OnNth(_, body) => logs(model, body),
        Effect::Case(cases, otherwise) => {
            cases.iter().any(|(_, body)| logs(model, body)) || logs(model, otherwise)
        }
        Effect::Let(_, _, body, otherwise) => logs(model, body) || logs(model, otherwise),
        Effect::Maintain(_, kept, body) => {
            logs(model, kept) || body.iter().any(|part| logs(model, part))
        }
        Effect::Set(..)
        | Effect::Assign(..)
        | Effect::Update(..)
        | Effect::Cost(_)
        | Effect::Total(..) => false,
    }
}

/// Replaces variables that are bound outside of the text by their objects; those bound inside are
/// numbered as they come.
struct Grounding<'a> {
    scope: &'a Scope<'a>,
    inner: RefCell<Vec<Binding>>,
    /// The variables that were replaced.
    replaced: RefCell<BTreeSet<Binding>>,
}

impl<'a> Grounding<'a> {
    fn of(scope: &'a Scope<'a>) -> Self {
        Self {
            scope,
            inner: RefCell::default(),
            replaced: RefCell::default(),
        }
    }

    fn bind(&self, variables: &[Binding]) -> Vec<Binding> {
        let mut inner = self.inner.borrow_mut();
        let first = inner.len();
        inner.extend(variables);
        let numbers = (first as u32..).take(variables.len());
        numbers.map(Binding).collect()
    }

    fn term(&self, term: &Term) -> Term {
        match term {
            Term::Variable(variable) => {
                let inner = self.inner.borrow();
                if let Some(number) = inner.iter().rposition(|inner| inner == variable) {
                    return Term::Variable(Binding(number as u32));
                }
                self.replaced.borrow_mut().insert(*variable);
                Term::Object(self.scope.at[variable.index()].unwrap())
            }
            Term::Fluent(fluent, args) => Term::Fluent(*fluent, self.terms(args)),
            Term::Object(_) | Term::Undefined => term.clone(),
        }
    }

    fn terms(&self, terms: &[Term]) -> Vec<Term> {
        terms.iter().map(|term| self.term(term)).collect()
    }

    fn expr(&self, expr: &Expr) -> Expr {
        let each = |parts: &[Expr]| parts.iter().map(|part| self.expr(part)).collect();
        match expr {
            Expr::Constant(_) => expr.clone(),
            Expr::Fluent(fluent, args) => Expr::Fluent(*fluent, self.terms(args)),
            Expr::Add(parts) => Expr::Add(each(parts)),
            Expr::Subtract(left, right) => {
                Expr::Subtract(Box::new(self.expr(left)), Box::new(self.expr(right)))
            }
            Expr::Multiply(parts) => Expr::Multiply(each(parts)),
            Expr::Abs(part) => Expr::Abs(Box::new(self.expr(part))),
            Expr::Min(parts) => Expr::Min(each(parts)),
            Expr::Max(parts) => Expr::Max(each(parts)),
            Expr::Count(variables, body) => {
                Expr::Count(self.bind(variables), Box::new(self.cond(body)))
            }
        }
    }

    fn cond(&self, cond: &Cond) -> Cond {
        let each = |parts: &[Cond]| parts.iter().map(|part| self.cond(part)).collect();
        match cond {
            Cond::True | Cond::False => cond.clone(),
            Cond::Atom(fluent, args) => Cond::Atom(*fluent, self.terms(args)),
            Cond::Same(left, right) => Cond::Same(self.term(left), self.term(right)),
            Cond::Compare(comparison, left, right) => {
                Cond::Compare(*comparison, self.expr(left), self.expr(right))
            }
            Cond::Not(part) => Cond::Not(Box::new(self.cond(part))),
            Cond::And(parts) => Cond::And(each(parts)),
            Cond::Or(parts) => Cond::Or(each(parts)),
            Cond::Forall(variables, body) => {
                Cond::Forall(self.bind(variables), Box::new(self.cond(body)))
            }
            Cond::Exists(variables, body) => {
                Cond::Exists(self.bind(variables), Box::new(self.cond(body)))
            }
        }
    }

    /// An effect; choices and templates keep their text, with the bindings beside it.
    fn effect(&self, effect: &Effect) -> Effect {
        let each = |parts: &[Effect]| parts.iter().map(|part| self.effect(part)).collect();
        let boxed = |part: &Effect| Box::new(self.effect(part));
        match effect {
            Effect::And(parts) => Effect::And(each(parts)),
            Effect::Seq(parts) => Effect::Seq(each(parts)),
            Effect::Forall(variables, body) => {
                Effect::Forall(self.bind(variables), Box::new(self.effect(body)))
            }
            Effect::ForEach(variables, key, body) => Effect::ForEach(
                self.bind(variables),
                key.as_ref().map(|key| self.expr(key)),
                boxed(body),
            ),
            Effect::When(cond, body) => Effect::When(self.cond(cond), boxed(body)),
            Effect::Case(cases, otherwise) => Effect::Case(
                cases
                    .iter()
                    .map(|(cond, body)| (self.cond(cond), self.effect(body)))
                    .collect(),
                boxed(otherwise),
            ),
            Effect::Let(variable, choice, body, otherwise) => {
                let number = self.bind(&[*variable])[0];
                let choice = match choice {
                    brigade::sema::model::Choice::Term(term) => {
                        brigade::sema::model::Choice::Term(self.term(term))
                    }
                    brigade::sema::model::Choice::Arg {
                        maximize,
                        among,
                        value,
                        ties,
                    } => brigade::sema::model::Choice::Arg {
                        maximize: *maximize,
                        among: self.cond(among),
                        value: self.expr(value),
                        ties: ties.as_ref().map(|ties| self.expr(ties)),
                    },
                };
                Effect::Let(number, choice, boxed(body), boxed(otherwise))
            }
            Effect::Set(fluent, args, truth) => Effect::Set(*fluent, self.terms(args), *truth),
            Effect::Assign(fluent, args, value) => {
                Effect::Assign(*fluent, self.terms(args), self.term(value))
            }
            Effect::Update(op, fluent, args, amount) => {
                Effect::Update(*op, *fluent, self.terms(args), self.expr(amount))
            }
            Effect::Cost(amount) => Effect::Cost(self.expr(amount)),
            Effect::Total(fluent, args, amount) => {
                Effect::Total(*fluent, self.terms(args), self.expr(amount))
            }
            Effect::After(ticks, guard, body) => {
                let guard = guard.as_ref().map(|guard| match guard {
                    DelayGuard::While(cond) => DelayGuard::While(self.cond(cond)),
                    DelayGuard::Until(cond) => DelayGuard::Until(self.cond(cond)),
                });
                Effect::After(self.expr(ticks), guard, boxed(body))
            }
            Effect::OnNth(count, body) => Effect::OnNth(self.expr(count), boxed(body)),
            Effect::Maintain(cond, kept, body) => {
                Effect::Maintain(self.cond(cond), boxed(kept), each(body))
            }
            Effect::Log(text) => {
                use brigade::sema::model::{Template, TemplatePart};
                let parts = text.0.iter().map(|part| match part {
                    TemplatePart::Object(term) => TemplatePart::Object(self.term(term)),
                    TemplatePart::Number(number) => TemplatePart::Number(self.expr(number)),
                    TemplatePart::Text(_) => part.clone(),
                });
                Effect::Log(Template(parts.collect()))
            }
            Effect::Do(action, args) => Effect::Do(*action, self.terms(args)),
        }
    }
}

/// Returns the place where each delayed effect is first written, over all values of the variables of all schemas.
pub(crate) fn ranks(model: &Model) -> BTreeMap<String, Rank> {
    let mut ranks = BTreeMap::new();
    for (index, action) in model.actions.iter().enumerate() {
        for args in tuples(model, &action.variables[..action.parameters]) {
            for agent in 0..model.agents.len().max(1) {
                let scope = Scope::new(&action.variables, &args, Some(agent), index);
                note(model, &action.effect, &scope, &mut ranks);
                if action.kind == ActionKind::Durative {
                    let end = scope.inside(u32::MAX - 1);
                    note(model, &action.end_effect, &end, &mut ranks);
                    let text = end_text(ActionId(index as u32), &args);
                    let rank = (scope.inside(u32::MAX).place, args.clone(), None);
                    enter(text, rank, &mut ranks);
                }
            }
        }
    }
    for (index, event) in model.events.iter().enumerate() {
        for args in tuples(model, &event.variables[..event.parameters]) {
            let schema = model.actions.len() + index;
            let scope = Scope::new(&event.variables, &args, None, schema);
            note(model, &event.effect, &scope, &mut ranks);
        }
    }
    ranks
}

fn enter(text: String, rank: Rank, ranks: &mut BTreeMap<String, Rank>) {
    let least = ranks.entry(text).or_insert_with(|| rank.clone());
    if rank < *least {
        *least = rank;
    }
}

/// The rank of what is written here.
fn rank(model: &Model, effect: &Effect, scope: &Scope<'_>) -> Rank {
    let grounding = Grounding::of(scope);
    grounding.effect(effect);
    let replaced = grounding.replaced.borrow();
    let objects = replaced.iter();
    let objects = objects.map(|variable| scope.at[variable.index()].unwrap());
    let agent = actor(model, effect, scope);
    (scope.place.clone(), objects.collect(), agent)
}

/// Enters the delayed effects of an effect, with every target that its `let`s could choose.
fn note(model: &Model, effect: &Effect, scope: &Scope<'_>, ranks: &mut BTreeMap<String, Rank>) {
    match effect {
        Effect::And(parts) | Effect::Seq(parts) => {
            for (step, part) in (0..).zip(parts) {
                note(model, part, &scope.inside(step), ranks);
            }
        }
        Effect::Forall(variables, body) | Effect::ForEach(variables, _, body) => {
            for scope in scopes(model, variables, scope) {
                note(model, body, &scope, ranks);
            }
        }
        Effect::When(_, body) | Effect::OnNth(_, body) => {
            note(model, body, &scope.inside(0), ranks);
        }
        Effect::Case(cases, otherwise) => {
            for (step, (_, body)) in (0..).zip(cases) {
                note(model, body, &scope.inside(step), ranks);
            }
            note(model, otherwise, &scope.inside(cases.len() as u32), ranks);
        }
        Effect::Let(variable, _, body, otherwise) => {
            for target in model.objects_of(&scope.variables[variable.index()].types) {
                let inner = with_target(scope, *variable, target);
                note(model, body, &inner.inside(0), ranks);
            }
            note(model, otherwise, &scope.inside(1), ranks);
        }
        Effect::After(_, _, body) => {
            enter(
                text(model, effect, scope),
                rank(model, effect, scope),
                ranks,
            );
            note(model, body, &scope.inside(0), ranks);
        }
        Effect::Maintain(_, _, body) => {
            let upkeep = text(model, effect, scope);
            let (_, objects, agent) = rank(model, effect, scope);
            let here = |scope: &Scope<'_>| (scope.place.clone(), objects.clone(), agent);
            enter(upkeep.clone(), here(scope), ranks);
            for (step, part) in parts(body) {
                let scope = scope.inside(step);
                if let Effect::After(_, _, inner) = part {
                    enter(part_text(&upkeep, step), here(&scope), ranks);
                    note(model, inner, &scope.inside(0), ranks);
                } else {
                    note(model, part, &scope, ranks);
                }
            }
        }
        Effect::Set(..)
        | Effect::Assign(..)
        | Effect::Update(..)
        | Effect::Cost(_)
        | Effect::Total(..)
        | Effect::Log(_)
        | Effect::Do(..) => {}
    }
}

/// The axioms, those of predicates that others are defined by first.
pub(crate) fn strata(model: &Model) -> Vec<Vec<&Axiom>> {
    let derived: BTreeSet<FluentId> = model.axioms.iter().map(|axiom| axiom.fluent).collect();
    let mut reads: BTreeMap<FluentId, BTreeSet<FluentId>> = BTreeMap::new();
    for axiom in &model.axioms {
        let read = reads.entry(axiom.fluent).or_default();
        read.extend(
            derived
                .iter()
                .copied()
                .filter(|other| mentions(&axiom.body, *other)),
        );
    }
    // The transitive closure: two predicates are of one stratum if each is defined by the other.
    loop {
        let mut changed = false;
        for fluent in &derived {
            let further: BTreeSet<FluentId> = reads[fluent]
                .iter()
                .flat_map(|other| reads[other].clone())
                .collect();
            let own = reads.entry(*fluent).or_default();
            let before = own.len();
            own.extend(further);
            changed |= own.len() > before;
        }
        if !changed {
            break;
        }
    }
    let mut order: Vec<FluentId> = derived.into_iter().collect();
    order.sort_by_key(|fluent| reads[fluent].len());
    let mut result: Vec<(FluentId, Vec<&Axiom>)> = Vec::new();
    for fluent in order {
        let own = model.axioms.iter().filter(|axiom| axiom.fluent == fluent);
        let same = result
            .iter_mut()
            .find(|(other, _)| reads[&fluent].contains(other) && reads[other].contains(&fluent));
        match same {
            Some((_, stratum)) => stratum.extend(own),
            None => result.push((fluent, own.collect())),
        }
    }
    result.into_iter().map(|(_, stratum)| stratum).collect()
}

/// Returns true if a condition mentions a predicate. The debug form of the tree names every fluent.
fn mentions(cond: &Cond, fluent: FluentId) -> bool {
    format!("{cond:?}").contains(&format!("Atom({fluent:?},"))
}
