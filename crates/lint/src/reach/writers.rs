//! Finds the effects that could make a fact so, with the conditions on which they do.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::schema::{At, Schema, conjuncts};
use brigade_compile::ground::relaxed::Relaxed;
use brigade_compile::sema::model::{
    Action, Choice, Cond, DelayGuard, Effect, FluentId, Model, ObjectId, Range, Term, Value,
    Variable,
};

/// A value that is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Wanted {
    True,
    False,
    /// That object, or with `None` any value.
    Object(Option<ObjectId>),
}

/// A fact that is needed; arguments that are not known may be any.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Need {
    pub(super) fluent: FluentId,
    args: Vec<Option<ObjectId>>,
    pub(super) wanted: Wanted,
}

/// The definition that holds an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Owner {
    Action(usize),
    Event(usize),
    Axiom(usize),
}

/// An effect that could make a fact so.
#[derive(Clone, Debug)]
pub(super) struct Writer<'m> {
    pub(super) owner: Owner,
    pub(super) name: &'m str,
    pub(super) schema: Schema<'m>,
    pub(super) at: At,
}

impl Need {
    /// Returns true if another need is the same but for the objects.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.fluent == other.fluent
            && std::mem::discriminant(&self.wanted) == std::mem::discriminant(&other.wanted)
    }

    /// Returns true if an object stands where one of another type is needed.
    pub(super) fn is_ill_typed(&self, model: &Model) -> bool {
        let fluent = &model.fluents[self.fluent.index()];
        let mut args = self.args.iter().zip(&fluent.params);
        let is_wrong_value = match (self.wanted, &fluent.range) {
            (Wanted::Object(Some(object)), Range::Object(types)) => !model.is_a(object, types),
            _ => false,
        };
        is_wrong_value
            || args.any(|(arg, types)| arg.is_some_and(|object| !model.is_a(object, types)))
    }

    /// Returns the fact that a condition needs, where that is one fact.
    pub(super) fn of(cond: &Cond, at: &At) -> Option<Self> {
        let known = |term: &Term| known(term, at);
        let fact = |fluent: FluentId, args: &[Term], wanted| Self {
            fluent,
            args: args.iter().map(known).collect(),
            wanted,
        };
        match cond {
            Cond::Atom(fluent, args) => Some(fact(*fluent, args, Wanted::True)),
            Cond::Not(cond) => match &**cond {
                Cond::Atom(fluent, args) => Some(fact(*fluent, args, Wanted::False)),
                Cond::Same(Term::Fluent(fluent, args), _)
                | Cond::Same(_, Term::Fluent(fluent, args)) => {
                    Some(fact(*fluent, args, Wanted::Object(None)))
                }
                _ => None,
            },
            Cond::Same(Term::Fluent(fluent, args), value)
            | Cond::Same(value, Term::Fluent(fluent, args)) => {
                Some(fact(*fluent, args, Wanted::Object(known(value))))
            }
            _ => None,
        }
    }
}

/// The object that a term stands for, where that is known.
pub(super) fn known(term: &Term, at: &At) -> Option<ObjectId> {
    match term {
        Term::Object(object) => Some(*object),
        Term::Variable(variable) => at.get(variable.index()).copied().flatten(),
        Term::Fluent(..) | Term::Undefined => None,
    }
}

/// The most effects and facts that are examined in all to find those that could make facts so.
const MOST: usize = 5_000_000;

/// The effects and rules that write each fluent, and the values that they assign.
#[derive(Debug)]
pub(super) struct Writers {
    written: Vec<Written>,
    /// The initial facts that have an object for a value, by fluent and value.
    facts: HashMap<(FluentId, ObjectId), Vec<usize>>,
    /// By object, the number of initial facts that have it for a value.
    valued: Vec<usize>,
    /// The number of effects and facts that may still be examined.
    left: Cell<usize>,
}

/// The owners of the effects that write a fluent in any way.
#[derive(Clone, Debug, Default)]
struct Written {
    owners: Vec<Owner>,
    /// The number of effects of these owners in all.
    effects: usize,
}

impl Writers {
    /// Looks through all effects of a model.
    pub(super) fn new(model: &Model) -> Self {
        let mut writers = Self {
            written: vec![Written::default(); model.fluents.len()],
            facts: HashMap::new(),
            valued: vec![0; model.objects.len()],
            left: Cell::new(MOST),
        };
        for (index, action) in model.actions.iter().enumerate() {
            writers.note(Owner::Action(index), &[&action.effect, &action.end_effect]);
        }
        for (index, event) in model.events.iter().enumerate() {
            writers.note(Owner::Event(index), &[&event.effect]);
        }
        for (index, axiom) in model.axioms.iter().enumerate() {
            let written = &mut writers.written[axiom.fluent.index()];
            written.owners.push(Owner::Axiom(index));
            written.effects += 1;
        }
        for (index, fact) in model.init.iter().enumerate() {
            if let Value::Object(object) = fact.value {
                let alike = writers.facts.entry((fact.fluent, object));
                alike.or_default().push(index);
                writers.valued[object.index()] += 1;
            }
        }
        writers
    }

    fn note(&mut self, owner: Owner, effects: &[&Effect]) {
        let (mut count, mut fluents) = (0, BTreeSet::new());
        for effect in effects {
            effect.any(&mut |effect| {
                count += 1;
                if let Effect::Set(fluent, ..) | Effect::Assign(fluent, ..) = effect {
                    fluents.insert(*fluent);
                }
                false
            });
        }
        for fluent in fluents {
            let written = &mut self.written[fluent.index()];
            written.owners.push(owner);
            written.effects += count;
        }
    }

    /// Returns the owners that write the fluent of a fact in any way; `None` where too much was examined.
    fn owners(&self, need: &Need) -> Option<&[Owner]> {
        let written = &self.written[need.fluent.index()];
        let facts = match need.wanted {
            Wanted::Object(Some(object)) => written.effects * self.valued[object.index()],
            _ => 0,
        };
        let left = self.left.get().checked_sub(written.effects + facts)?;
        self.left.set(left);
        Some(&written.owners)
    }

    /// All effects that could make a fact so; `None` where too much was looked at.
    pub(super) fn all<'m>(&self, relaxed: &Relaxed<'m>, need: &Need) -> Option<Vec<Writer<'m>>> {
        let owners = self.owners(need)?.iter();
        let found = owners.flat_map(|&owner| self.within(relaxed, owner, need));
        Some(found.collect())
    }

    /// Returns true if any effect could make a fact so; `None` where too much was examined.
    pub(super) fn any(&self, relaxed: &Relaxed<'_>, need: &Need) -> Option<bool> {
        let mut owners = self.owners(need)?.iter();
        Some(owners.any(|&owner| !self.within(relaxed, owner, need).is_empty()))
    }

    /// The effects of one action, event or rule that could make a fact so.
    fn within<'m>(&self, relaxed: &Relaxed<'m>, owner: Owner, need: &Need) -> Vec<Writer<'m>> {
        let model = relaxed.model();
        let (name, variables, found) = match owner {
            Owner::Action(index) => {
                let action = &model.actions[index];
                let mut search = Search::new(need, relaxed, self, &action.variables);
                search.conds = of_action(action).conds;
                search.effect(&action.effect);
                search.effect(&action.end_effect);
                (&action.name, &action.variables, search.found)
            }
            Owner::Event(index) => {
                let event = &model.events[index];
                let mut search = Search::new(need, relaxed, self, &event.variables);
                conjuncts(&event.precondition, &mut search.conds);
                search.effect(&event.effect);
                (&event.name, &event.variables, search.found)
            }
            Owner::Axiom(index) => {
                let axiom = &model.axioms[index];
                let mut found = Vec::new();
                if need.wanted == Wanted::True {
                    let mut at = need.args.clone();
                    at.resize(axiom.variables.len(), None);
                    let mut conds = Vec::new();
                    conjuncts(&axiom.body, &mut conds);
                    found.push((conds, at));
                }
                let name = &model.fluents[axiom.fluent.index()].name;
                (name, &axiom.variables, found)
            }
        };
        let found = found.into_iter().map(|(conds, at)| Writer {
            owner,
            name,
            schema: Schema { variables, conds },
            at,
        });
        found.collect()
    }
}

/// The conditions of an action that it can start on.
pub(super) fn of_action(action: &Action) -> Schema<'_> {
    let mut conds = Vec::new();
    for requirement in &action.precondition {
        conjuncts(&requirement.cond, &mut conds);
    }
    Schema {
        variables: &action.variables,
        conds,
    }
}

/// Looks through an effect for what writes a fact.
struct Search<'n, 'm> {
    need: &'n Need,
    relaxed: &'n Relaxed<'m>,
    writers: &'n Writers,
    variables: &'m [Variable],
    /// The conditions on the way to where the search is.
    conds: Vec<&'m Cond>,
    found: Vec<(Vec<&'m Cond>, At)>,
}

impl<'n, 'm> Search<'n, 'm> {
    fn new(
        need: &'n Need,
        relaxed: &'n Relaxed<'m>,
        writers: &'n Writers,
        variables: &'m [Variable],
    ) -> Self {
        Self {
            need,
            relaxed,
            writers,
            variables,
            conds: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Under a further condition.
    fn under(&mut self, cond: Option<&'m Cond>, effect: &'m Effect) {
        let before = self.conds.len();
        if let Some(cond) = cond {
            conjuncts(cond, &mut self.conds);
        }
        self.effect(effect);
        self.conds.truncate(before);
    }

    fn effect(&mut self, effect: &'m Effect) {
        match effect {
            Effect::And(all) | Effect::Seq(all) => all.iter().for_each(|one| self.effect(one)),
            Effect::Forall(_, one) | Effect::ForEach(_, _, one) | Effect::OnNth(_, one) => {
                self.effect(one);
            }
            Effect::When(cond, one) => self.under(Some(cond), one),
            Effect::Case(cases, otherwise) => {
                for (cond, one) in cases {
                    self.under(Some(cond), one);
                }
                self.effect(otherwise);
            }
            Effect::Let(_, choice, one, otherwise) => {
                let among = match choice {
                    Choice::Arg { among, .. } => Some(among),
                    Choice::Term(_) => None,
                };
                self.under(among, one);
                self.effect(otherwise);
            }
            Effect::After(_, guard, one) => {
                let cond = match guard {
                    Some(DelayGuard::While(cond)) => Some(cond),
                    Some(DelayGuard::Until(_)) | None => None,
                };
                self.under(cond, one);
            }
            Effect::Maintain(cond, kept, rest) => {
                let kept_false = self.need.wanted == Wanted::False;
                if kept_false {
                    // It is false as long as the condition is.
                    kept.any(&mut |one| {
                        if let Effect::Set(fluent, args, _) = one {
                            self.write(*fluent, args, Wanted::False);
                        }
                        false
                    });
                } else {
                    self.under(Some(cond), kept);
                }
                for one in rest {
                    self.under(Some(cond), one);
                }
            }
            Effect::Set(fluent, args, value) => {
                let made = if *value { Wanted::True } else { Wanted::False };
                self.write(*fluent, args, made);
            }
            Effect::Assign(fluent, args, value) => self.assign(*fluent, args, value),
            // What lacks a number is no single fact, and nothing is looked for that changes it.
            Effect::Update(..)
            | Effect::Cost(_)
            | Effect::Total(..)
            | Effect::Log(_)
            | Effect::Do(..) => {}
        }
    }

    fn assign(&mut self, fluent: FluentId, args: &[Term], value: &Term) {
        let Wanted::Object(wanted) = self.need.wanted else {
            return;
        };
        if fluent != self.need.fluent {
            return;
        }
        if let (Some(wanted), Term::Fluent(read, of)) = (wanted, value)
            && !self.relaxed.changes(*read)
        {
            self.assign_given(args, *read, of, wanted);
            return;
        }
        let mut known = BTreeMap::new();
        let fits = match (wanted, value) {
            (Some(_), Term::Undefined) => false,
            (Some(wanted), Term::Object(object)) => wanted == *object,
            (Some(wanted), Term::Variable(variable)) => {
                known.insert(variable.index(), wanted);
                true
            }
            _ => true,
        };
        if fits {
            self.unify(args, known);
        }
    }

    /// Matches an assignment of the value of a static function: it is the one wanted where facts say so.
    fn assign_given(&mut self, args: &[Term], read: FluentId, of: &[Term], wanted: ObjectId) {
        let facts = self.writers.facts.get(&(read, wanted));
        for &fact in facts.into_iter().flatten() {
            let fact = &self.relaxed.model().init[fact];
            if let Some(known) = bound(of, &fact.args) {
                self.unify(args, known);
            }
        }
    }

    fn write(&mut self, fluent: FluentId, args: &[Term], made: Wanted) {
        if fluent == self.need.fluent && made == self.need.wanted {
            self.unify(args, BTreeMap::new());
        }
    }

    fn unify(&mut self, args: &[Term], mut known: BTreeMap<usize, ObjectId>) {
        for (term, wanted) in args.iter().zip(&self.need.args) {
            let Some(wanted) = *wanted else { continue };
            match term {
                Term::Object(object) if *object != wanted => return,
                Term::Variable(variable) => {
                    let value = known.entry(variable.index()).or_insert(wanted);
                    if *value != wanted {
                        return;
                    }
                }
                Term::Object(_) | Term::Fluent(..) | Term::Undefined => {}
            }
        }
        let mut at = vec![None; self.variables.len()];
        for (variable, object) in known {
            at[variable] = Some(object);
        }
        self.found.push((self.conds.clone(), at));
    }
}

/// Returns the bindings of the variables under which terms denote these objects; `None` where they cannot.
fn bound(terms: &[Term], objects: &[ObjectId]) -> Option<BTreeMap<usize, ObjectId>> {
    let mut known = BTreeMap::new();
    for (term, &object) in terms.iter().zip(objects) {
        let is_so = match term {
            Term::Object(one) => *one == object,
            Term::Variable(variable) => *known.entry(variable.index()).or_insert(object) == object,
            Term::Fluent(..) | Term::Undefined => true,
        };
        if !is_so {
            return None;
        }
    }
    Some(known)
}

/// Returns the phrase for a need that nothing meets: `nothing makes it true`.
pub(super) fn nothing(model: &Model, need: &Need) -> &'static str {
    match (need.wanted, &model.fluents[need.fluent.index()].range) {
        (Wanted::True, _) => "nothing makes it true",
        (Wanted::False, _) => "nothing makes it false",
        (Wanted::Object(_), Range::Object(_)) => "nothing gives it that value",
        (Wanted::Object(_), _) => "nothing gives it such a value",
    }
}
