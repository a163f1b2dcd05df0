//! Objects that no fact relates to another, though facts relate most others of their type: an ingredient
//! of no recipe, a utensil for no operation, a place without ways.
//!
//! Actions such as fetching take any object of a type, so these are used, and yet serve nothing. Only facts
//! that never change count: recipes, maps, what goes with what.

use std::collections::{BTreeMap, BTreeSet};

use super::asts::Asts;
use super::solver::Solver;
use crate::uses::Uses;
use brigade_compile::sema::model::{Fact, FluentId, Model, ObjectId, TypeId, Value};
use brigade_diagnostics::{Code, Diagnostic, Diagnostics};

/// The most kinds of objects that are reported.
const MOST_REPORTED: usize = 20;

/// The most objects of a kind that are named, and shown.
const LISTED: usize = 5;

/// Reports unrelated objects among those that an action or event which can happen takes; `used` marks these by index.
/// Another warning reports that the others are never used.
pub(super) fn check(
    solver: &Solver<'_, '_>,
    asts: &Asts<'_>,
    used: &[bool],
    diagnostics: &mut Diagnostics,
) {
    let model = solver.model;
    let domain = Uses::of_domain(asts.domain);
    let problem = Uses::of_problem(asts.problem);
    let facts = Related::new(model, &domain);
    let key = |object: &ObjectId| {
        let name = &model.objects[object.index()].name;
        name.as_str().to_ascii_lowercase()
    };
    let constants = asts.domain.constants.iter();
    let constants: BTreeSet<String> = constants.map(|typed| typed.name.key()).collect();
    let agents: BTreeSet<&ObjectId> = model.agents.iter().collect();
    let serves_nothing = |object: &&ObjectId| {
        let key = key(object);
        let is_named = domain.read.contains_key(&key) || problem.read.contains_key(&key);
        used[object.index()]
            && !facts.by.contains_key(object)
            && !agents.contains(object)
            && !is_named
    };
    let asked = asked(model);
    let kinds = kinds(model, &facts).into_iter();
    let kinds = kinds.filter(|(kind, _)| {
        let mut types = kind.0.iter();
        !types.any(|ty| asked.iter().any(|of| model.is_subtype(*ty, *of)))
    });
    let found = kinds.filter_map(|(kind, objects)| {
        let related: Vec<&ObjectId> = objects
            .iter()
            .filter(|object| facts.by.contains_key(object))
            .collect();
        let relation = facts.by[*related.first()?];
        // What the facts of one problem leave out may serve in another.
        let in_every = |object: &&&ObjectId| domain.in_facts.contains_key(&key(object));
        let in_every = related.iter().filter(in_every).count();
        let mut lone: Vec<ObjectId> = objects.iter().filter(serves_nothing).copied().collect();
        // What few of a kind have is a property of theirs.
        let all = lone.len();
        lone.retain(|object| {
            let is_constant = constants.contains(&key(object));
            all < if is_constant { in_every } else { related.len() }
        });
        report(model, asts, kind, relation, &lone)
    });
    diagnostics.extend(found.take(MOST_REPORTED));
}

/// The kind of an object: its types, or without types the predicates of one parameter that hold of it.
type Kind<'m> = (&'m [TypeId], &'m [FluentId]);

fn kinds<'m>(model: &'m Model, facts: &'m Related) -> BTreeMap<Kind<'m>, Vec<ObjectId>> {
    let mut kinds: BTreeMap<Kind<'_>, Vec<ObjectId>> = BTreeMap::new();
    for (object, known) in (0..).map(ObjectId).zip(&model.objects) {
        let is_untyped = *known.types == [TypeId(0)];
        let sorts = facts.sorts.get(&object).filter(|_| is_untyped);
        let kind = (&*known.types, sorts.map_or(&[][..], Vec::as_slice));
        kinds.entry(kind).or_default().push(object);
    }
    kinds
}

fn report(
    model: &Model,
    asts: &Asts<'_>,
    (types, sorts): Kind<'_>,
    relation: FluentId,
    lone: &[ObjectId],
) -> Option<Diagnostic> {
    let kind = match (sorts, types) {
        ([sort, ..], _) => &model.fluents[sort.index()].name,
        ([], [ty, ..]) => &model.types[ty.index()].name,
        ([], []) => return None,
    };
    let relation = &model.fluents[relation.index()].name;
    let names = lone
        .iter()
        .map(|object| &*model.objects[object.index()].name);
    let listed: Vec<String> = names
        .clone()
        .take(LISTED)
        .map(|name| format!("`{name}`"))
        .collect();
    let listed = listed.join(", ");
    let problem = asts.problem_name();
    let message = match lone.len() {
        1 => format!("in `{problem}`, no fact relates {listed} to another object"),
        count => {
            let more = if count > LISTED { ", …" } else { "" };
            format!("in `{problem}`, no fact relates {count} objects to others: {listed}{more}")
        }
    };
    let mut places = names.take(LISTED).filter_map(|name| asts.object(name));
    let (source, first) = places.next()?;
    let label = format!("`{relation}` relates others that are `{kind}`");
    let diagnostic = Diagnostic::new(Code::Unrelated, message).primary(source, first.span, label);
    let diagnostic = places.fold(diagnostic, |diagnostic, (source, name)| {
        diagnostic.secondary(source, name.span, "nor this one")
    });
    Some(diagnostic.help("give it the facts that others of its type have, or remove it"))
}

/// The relations of objects by the facts that never change.
#[derive(Default)]
struct Related {
    /// The predicates of one parameter that hold of an object, in the order of their declaration.
    sorts: BTreeMap<ObjectId, Vec<FluentId>>,
    /// A predicate or function that relates the object to another one.
    by: BTreeMap<ObjectId, FluentId>,
}

impl Related {
    fn new(model: &Model, domain: &Uses) -> Self {
        let mut related = Self::default();
        let timed: BTreeSet<FluentId> =
            (model.timed.iter().map(|literal| literal.fact.fluent)).collect();
        let changes = |fact: &Fact| {
            let key = model.fluents[fact.fluent.index()].name.to_ascii_lowercase();
            timed.contains(&fact.fluent) || domain.changes(&key)
        };
        for fact in model.init.iter().filter(|fact| !changes(fact)) {
            let mut objects = fact.args.clone();
            match fact.value {
                Value::Boolean(true) => {}
                Value::Object(object) => objects.push(object),
                Value::Boolean(false) | Value::Number(_) => continue,
            }
            if let [object] = objects[..] {
                related.sorts.entry(object).or_default().push(fact.fluent);
            } else if objects.iter().any(|object| *object != objects[0]) {
                for object in objects {
                    related.by.entry(object).or_insert(fact.fluent);
                }
            }
        }
        for sorts in related.sorts.values_mut() {
            sorts.sort_unstable();
            sorts.dedup();
        }
        related
    }
}

/// The types of which a goal, a rule, `:fail` or `:end` asks something of every object.
fn asked(model: &Model) -> BTreeSet<TypeId> {
    let closed = model.goal.iter().chain(&model.fail).chain(&model.end);
    let closed = closed.flat_map(|cond| &cond.variables);
    let rules = model.axioms.iter().flat_map(|axiom| &axiom.variables);
    let variables = closed.chain(rules);
    variables
        .flat_map(|variable| variable.types.iter().copied())
        .collect()
}
