//! Objects that no fact relates to another, though facts relate most others of their type: an ingredient
//! of no recipe, a utensil for no operation, a place without ways.
//!
//! Actions such as fetching take any object of a type, so these are used, and yet serve nothing. Only facts
//! that never change count: recipes, maps, what goes with what.

use std::collections::{BTreeMap, BTreeSet};

use super::Asts;
use super::schema::Solver;
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use crate::lint::uses::Uses;
use crate::sema::model::{Fact, FluentId, Model, ObjectId, TypeId, Value};

/// How many are told of.
const TOLD: usize = 20;

/// `used` says which objects an action or event that can happen takes; of the others that is told.
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
    let asked = asked(model);
    let key = |object: ObjectId| {
        let name = &model.objects[object.index()].name;
        name.as_str().to_ascii_lowercase()
    };
    let is_named = |object: ObjectId| {
        let key = key(object);
        domain.read.contains_key(&key) || problem.read.contains_key(&key)
    };
    let constants = asts.domain.constants.iter();
    let constants: BTreeSet<String> = constants.map(|typed| typed.name.key()).collect();
    let agents: BTreeSet<&ObjectId> = model.agents.iter().collect();
    let mut alike: BTreeMap<(&[TypeId], &[FluentId]), Vec<ObjectId>> = BTreeMap::new();
    for (object, known) in (0..).map(ObjectId).zip(&model.objects) {
        // Without types, predicates of one parameter say what a thing is.
        let is_untyped = *known.types == [TypeId(0)];
        let sorts = facts.sorts.get(&object).filter(|_| is_untyped);
        let kind = (&*known.types, sorts.map_or(&[][..], Vec::as_slice));
        alike.entry(kind).or_default().push(object);
    }
    let mut left = TOLD;
    for ((types, sorts), objects) in alike {
        let is_asked = |of: &TypeId| types.iter().any(|ty| model.is_subtype(*ty, *of));
        let related = |object: &&ObjectId| facts.by.contains_key(object);
        let Some(first) = objects.iter().find(related) else {
            continue;
        };
        if asked.iter().any(is_asked) {
            continue;
        }
        let all = objects.iter().filter(related).count();
        // What the facts of one problem leave out may serve in another.
        let in_all = objects.iter().filter(related);
        let in_all = in_all.filter(|object| domain.in_facts.contains_key(&key(**object)));
        let in_all = in_all.count();
        let lone = |object: &&ObjectId| {
            used[object.index()]
                && !facts.by.contains_key(object)
                && !agents.contains(object)
                && !is_named(**object)
        };
        let lone: Vec<ObjectId> = objects.iter().filter(lone).copied().collect();
        let relation = &model.fluents[facts.by[first].index()].name;
        let sort = match (sorts, types) {
            ([sort, ..], _) => &model.fluents[sort.index()].name,
            ([], [ty, ..]) => &model.types[ty.index()].name,
            ([], []) => continue,
        };
        for &object in &lone {
            let is_constant = constants.contains(&key(object));
            let others = if is_constant { in_all } else { all };
            // What few of a type have is a property of theirs.
            if lone.len() >= others || left == 0 {
                continue;
            }
            let name = &model.objects[object.index()].name;
            let Some((source, place)) = asts.object(name) else {
                continue;
            };
            left -= 1;
            let problem = asts.problem_name();
            let message = format!("in `{problem}`, no fact relates `{name}` to another object");
            let label = format!("`{relation}` relates others that are `{sort}`");
            diagnostics.push(
                Diagnostic::new(Code::Unrelated, message)
                    .primary(source, place.span, label)
                    .help("give it the facts that others of its type have, or remove it"),
            );
        }
    }
}

/// What the facts that never change say of objects.
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
        let timed: BTreeSet<FluentId> = model.timed.iter().map(|(_, fact)| fact.fluent).collect();
        let changes = |fact: &Fact| {
            let key = model.fluents[fact.fluent.index()].name.to_ascii_lowercase();
            timed.contains(&fact.fluent)
                || domain.made_true.contains_key(&key)
                || domain.made_false.contains_key(&key)
                || domain.assigned.contains_key(&key)
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

/// The types of which a goal, a rule or a losing state asks something of every object.
fn asked(model: &Model) -> BTreeSet<TypeId> {
    let closed = model.goal.iter().chain(&model.fail);
    let closed = closed.flat_map(|cond| &cond.variables);
    let rules = model.axioms.iter().flat_map(|axiom| &axiom.variables);
    let variables = closed.chain(rules);
    variables
        .flat_map(|variable| variable.types.iter().copied())
        .collect()
}
