//! The facts with which a goal could be reached: what the author probably left out.
//!
//! Of each predicate and function whose facts no effect makes so, all that the problem does not give are
//! added at once: of an object function all values, of a number the greatest. Where the relaxation then
//! reaches the goal, bisection finds one of them that is enough: the relaxation reaches no less with more
//! facts.

use std::collections::{BTreeSet, HashSet};

use super::schema::At;
use super::writers::Owner;
use brigade_compile::ground::Options;
use brigade_compile::ground::relaxed::{Relaxed, relaxed};
use brigade_compile::sema::model::{
    Cond, Fact, Fluent, FluentId, FluentKind, Model, ObjectId, Range, TimedFact, Value,
};
use brigade_syntax::ast::{Problem, Term};
use brigade_syntax::visit::{self, Visit};

/// So many relaxations are computed for one problem, at most.
const RUNS: usize = 80;

/// So many operators are reached in all of them, about.
const REACHED: usize = 400_000;

/// A relaxation takes at least the time of so many, about.
const LEAST: usize = 1_000;

/// A problem of more objects and facts is not looked at: each relaxation has its own copy.
const LARGEST: usize = 2_000;

/// So many facts are added at once.
const ADDED: usize = 20_000;

/// The most times that the other facts are halved to see whether any of them would do.
const HALVINGS: u8 = 3;

/// Returns the budget of one of the relaxations: some milliseconds.
fn budget() -> Options {
    Options::default()
        .with_max_instances(20_000)
        .with_max_work(2_000_000)
        .with_max_parts(200_000)
}

/// A fact with which the goal could be reached.
#[derive(Clone, Debug)]
pub(super) struct Repair {
    fact: Fact,
    /// In PDDL.
    pub(super) text: String,
    /// True if no other fact of the fluent would do.
    pub(super) is_only: bool,
    /// Another that would.
    or: Option<String>,
    /// See [`Lacking::is_likely`].
    is_likely: bool,
    /// See [`Near::distance`].
    distance: usize,
}

impl Repair {
    pub(super) fn fluent(&self) -> FluentId {
        self.fact.fluent
    }

    /// The facts that would do, in backquotes: `a` or `b`.
    pub(super) fn examples(&self) -> String {
        let or = self.or.iter().map(|other| format!(" or `{other}`"));
        format!("`{}`{}", self.text, or.collect::<String>())
    }

    /// The less, the likelier it is that the fact was left out.
    fn order(&self) -> (bool, usize, bool) {
        (!self.is_likely, self.distance, !self.is_only)
    }
}

/// The facts of a fluent that a problem could give and does not.
struct Lacking {
    facts: Vec<Fact>,
    /// True if a fact of it was probably left out: of a function more values are given than not, or nothing at all is
    /// given.
    is_likely: bool,
}

/// Finds the facts that a model lacks.
pub(super) struct Repairs<'m> {
    model: &'m Model,
    near: Near,
    /// Of each fluent that is looked at.
    lacking: Vec<Lacking>,
    runs: usize,
}

impl<'m> Repairs<'m> {
    /// `operators` are reached without further facts. `is_given` says of which fluents only the problem gives
    /// facts. Those of objects that the problem declares or names are tried first.
    pub(super) fn new(
        model: &'m Model,
        problem: &Problem,
        operators: usize,
        is_given: impl Fn(FluentId) -> bool,
    ) -> Self {
        let is_small = model.objects.len() + model.init.len() <= LARGEST;
        let fluents = (0..).map(FluentId).zip(&model.fluents);
        let fluents = fluents.filter(|_| is_small);
        let near = if is_small {
            Near::of(model, problem)
        } else {
            Near::default()
        };
        let mut lacking: Vec<Lacking> = fluents
            .filter(|(id, fluent)| fluent.kind == FluentKind::Basic && is_given(*id))
            .filter_map(|(id, fluent)| not_given(model, id, fluent))
            .collect();
        for Lacking { facts, .. } in &mut lacking {
            facts.sort_by_cached_key(|fact| near.distance(fact));
        }
        Self {
            model,
            near,
            lacking,
            runs: RUNS.min(REACHED / (operators + LEAST)),
        }
    }

    /// One fact of each fluent of which one is enough for a part of the goal to hold some time: the
    /// likeliest ones.
    pub(super) fn of(&mut self, part: &Cond, at: &At) -> Vec<Repair> {
        let lacking = std::mem::take(&mut self.lacking);
        let found = lacking.iter().filter_map(|Lacking { facts, is_likely }| {
            let fact = self.least(facts, part, at)?;
            let others: Vec<Fact> = facts.iter().filter(|it| *it != fact).cloned().collect();
            let others_do = self.any(&others, part, at, HALVINGS);
            let or = match others_do {
                Some(true) => self.least(&others, part, at),
                _ => None,
            };
            Some(Repair {
                fact: fact.clone(),
                text: text(self.model, fact),
                is_only: others_do == Some(false),
                or: or.map(|fact| text(self.model, fact)),
                is_likely: *is_likely,
                distance: self.near.distance(fact),
            })
        });
        let mut found: Vec<Repair> = found.collect();
        found.sort_by_key(Repair::order);
        // Less likely ones would only distract.
        let rank = |repair: &Repair| (repair.is_likely, repair.distance);
        let best = found.first().map(rank);
        found.retain(|repair| Some(rank(repair)) == best);
        self.lacking = lacking;
        found
    }

    /// The first of these facts that is enough by itself.
    fn least<'f>(&mut self, facts: &'f [Fact], part: &Cond, at: &At) -> Option<&'f Fact> {
        if facts.is_empty() || self.runs == 0 {
            return None;
        }
        match (self.is_enough(facts, part, at), facts) {
            (Some(false), _) | (None, [_]) => None,
            (Some(true), [one]) => Some(one),
            _ => {
                let (first, second) = facts.split_at(facts.len() / 2);
                let found = self.least(first, part, at);
                found.or_else(|| self.least(second, part, at))
            }
        }
    }

    /// Returns true if any of these facts is enough, or several together, as far as that is soon found: they are halved
    /// no more than so many times.
    fn any(&mut self, facts: &[Fact], part: &Cond, at: &At, halvings: u8) -> Option<bool> {
        match self.is_enough(facts, part, at) {
            None if halvings > 0 => {
                let (first, second) = facts.split_at(facts.len() / 2);
                if self.any(first, part, at, halvings - 1)? {
                    return Some(true);
                }
                self.any(second, part, at, halvings - 1)
            }
            known => known,
        }
    }

    /// Returns true if a part of the goal may hold with these facts; `None` where finding out would take too long.
    fn is_enough(&mut self, facts: &[Fact], part: &Cond, at: &At) -> Option<bool> {
        if facts.is_empty() {
            return Some(false);
        }
        self.runs = self.runs.checked_sub(1)?;
        let holds = self.with(facts, |relaxed| {
            let goal = relaxed.model().goal.as_ref()?;
            let holds = relaxed.may_hold(part, &goal.variables, at);
            (!relaxed.is_spent()).then_some(holds)
        });
        holds.flatten()
    }

    /// The actions and events that may be enabled with a fact.
    pub(super) fn enabled_with(&self, repair: &Repair) -> BTreeSet<Owner> {
        let enabled = self.with(std::slice::from_ref(&repair.fact), |relaxed| {
            let events = 0..relaxed.model().events.len();
            let events = events.filter(|event| relaxed.fires(*event).len() > 0);
            let actions = relaxed
                .operators()
                .map(|it| Owner::Action(it.action.index()));
            actions.chain(events.map(Owner::Event)).collect()
        });
        enabled.unwrap_or_default()
    }

    /// Runs `body` on the relaxation with further facts; `None` where that would take too long.
    fn with<T>(&self, facts: &[Fact], body: impl FnOnce(&mut Relaxed<'_>) -> T) -> Option<T> {
        let mut model = self.model.clone();
        for fact in facts {
            match fact.value {
                // A function can have several values only one after another.
                Value::Object(_) if facts.len() > 1 => model.timed.push(TimedFact {
                    tick: 1,
                    early: false,
                    unannounced: false,
                    fact: fact.clone(),
                }),
                _ => model.init.push(fact.clone()),
            }
        }
        relaxed(&model, &budget(), &|| false, body).ok()
    }
}

/// The facts of a fluent that a problem could give and does not; `None` of numbers, or where they are
/// too many.
fn not_given(model: &Model, id: FluentId, fluent: &Fluent) -> Option<Lacking> {
    let values: Vec<Value> = match &fluent.range {
        Range::Boolean => vec![Value::Boolean(true)],
        Range::Object(types) => {
            let objects = model.objects_of(types).into_iter();
            objects.map(Value::Object).collect()
        }
        Range::Integer { hi, .. } => vec![Value::Number(*hi)],
        // As great as any that is given; where none is, nothing is known of its scale.
        Range::Number => vec![Value::Number(greatest(model, id)?)],
    };
    let given: BTreeSet<&[ObjectId]> = model
        .init
        .iter()
        .filter(|fact| fact.fluent == id && fact.value != Value::Boolean(false))
        .map(|fact| &fact.args[..])
        .collect();
    let mut all: Vec<Vec<ObjectId>> = vec![Vec::new()];
    for types in &fluent.params {
        let extent = model.objects_of(types);
        if all
            .len()
            .checked_mul(extent.len())?
            .checked_mul(values.len())?
            > ADDED
        {
            return None;
        }
        let longer = all.iter().flat_map(|args| {
            extent.iter().map(|object| {
                let mut args = args.clone();
                args.push(*object);
                args
            })
        });
        all = longer.collect();
    }
    all.retain(|args| !given.contains(&args[..]));
    let facts = all.iter().flat_map(|args| {
        values.iter().map(|value| Fact {
            fluent: id,
            args: args.clone(),
            value: *value,
        })
    });
    Some(Lacking {
        facts: facts.collect(),
        is_likely: given.is_empty()
            || (!matches!(fluent.range, Range::Boolean) && given.len() >= all.len()),
    })
}

/// The greatest value that is given of a function of numbers.
fn greatest(model: &Model, id: FluentId) -> Option<i64> {
    let facts = model.init.iter().filter(|fact| fact.fluent == id);
    let values = facts.filter_map(|fact| match fact.value {
        Value::Number(value) => Some(value),
        Value::Boolean(_) | Value::Object(_) => None,
    });
    values.max()
}

/// The objects that a problem is about.
#[derive(Default)]
struct Near {
    /// The objects that it declares.
    declared: BTreeSet<ObjectId>,
    /// Those that its facts and its goal name.
    named: BTreeSet<ObjectId>,
}

impl Near {
    fn of(model: &Model, problem: &Problem) -> Self {
        let mut names = Names::default();
        visit::formulas(&mut names, &problem.goal);
        for item in &problem.init {
            names.visit_init_item(item);
        }
        let declared = problem
            .objects
            .iter()
            .map(|typed| typed.name.key())
            .collect();
        let ids = |names: &HashSet<String>| {
            let objects = (0..).map(ObjectId).zip(&model.objects);
            let known =
                objects.filter(|(_, object)| names.contains(&*object.name.to_ascii_lowercase()));
            known.map(|(id, _)| id).collect()
        };
        Self {
            declared: ids(&declared),
            named: ids(&names.0),
        }
    }

    /// Returns the distance of a fact from the objects that the problem is about.
    fn distance(&self, fact: &Fact) -> usize {
        let value = match fact.value {
            Value::Object(object) => Some(object),
            Value::Boolean(_) | Value::Number(_) => None,
        };
        let objects = fact.args.iter().copied().chain(value);
        let distances = objects.map(|object| match () {
            () if self.declared.contains(&object) => 0,
            () if self.named.contains(&object) => 1,
            () => 2,
        });
        distances.sum()
    }
}

/// Names in lower case.
#[derive(Default)]
struct Names(HashSet<String>);

impl<'a> Visit<'a> for Names {
    fn visit_term(&mut self, term: &'a Term) {
        if let Term::Name(name) = term {
            self.0.insert(name.key());
        }
        visit::walk_term(self, term);
    }
}

/// A fact as it is written in `:init`.
fn text(model: &Model, fact: &Fact) -> String {
    let name = |object: &ObjectId| model.objects[object.index()].name.to_string();
    let mut words = vec![model.fluents[fact.fluent.index()].name.clone()];
    words.extend(fact.args.iter().map(name));
    let list = format!("({})", words.join(" "));
    match &fact.value {
        Value::Object(object) => format!("(= {list} {})", name(object)),
        Value::Number(number) => format!("(= {list} {number})"),
        Value::Boolean(_) => list,
    }
}
