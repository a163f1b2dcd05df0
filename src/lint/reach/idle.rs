//! Agents that never act, and objects that nothing uses.

use std::collections::{BTreeSet, HashMap};

use super::Asts;
use super::schema::Solver;
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use crate::lint::declarations::unused_object;
use crate::lint::uses::Uses;
use crate::sema::model::{ObjectId, TypeId, Value};

/// How many objects are told of by name.
const TOLD: usize = 20;

/// Of objects that actions would take which were told to be impossible, nothing is said: `taken` has
/// their types; nor of any where the goal is out of reach.
pub(super) fn check(
    solver: &mut Solver<'_, '_>,
    asts: &Asts<'_>,
    taken: &BTreeSet<TypeId>,
    is_out_of_reach: bool,
    diagnostics: &mut Diagnostics,
) {
    let model = solver.model;
    let mut used = vec![false; model.objects.len()];
    let mut acts = vec![false; model.agents.len()];
    for operator in solver.relaxed.operators() {
        if let Some(acts) = acts.get_mut(operator.agent) {
            *acts = true;
        }
        for object in operator.args {
            used[object.index()] = true;
        }
    }
    for event in 0..model.events.len() {
        for object in solver.relaxed.fires(event).flatten() {
            used[object.index()] = true;
        }
    }
    let mut left = TOLD;
    let something_acts = solver.relaxed.operators().len() > 0;
    for (&agent, acts) in model.agents.iter().zip(acts) {
        used[agent.index()] = true;
        if acts || !something_acts || left == 0 {
            continue;
        }
        left -= 1;
        let name = &model.objects[agent.index()].name;
        if let Some((source, place)) = asts.object(name) {
            diagnostics.push(
                Diagnostic::new(
                    Code::IdleAgent,
                    format!("in `{}`, `{name}` can never act", asts.problem_name()),
                )
                .primary(
                    source,
                    place.span,
                    "no action of this agent is ever possible",
                )
                .help("give the facts that its actions ask for, or leave the agent out"),
            );
        }
    }
    if something_acts && !is_out_of_reach {
        objects(solver, asts, taken, &mut used, diagnostics);
    }
}

/// Objects of the problem that no action or event that can happen takes, no quantifier ranges over,
/// no goal names, and that are no value of a function.
fn objects(
    solver: &Solver<'_, '_>,
    asts: &Asts<'_>,
    taken: &BTreeSet<TypeId>,
    used: &mut [bool],
    diagnostics: &mut Diagnostics,
) {
    let model = solver.model;
    let values = model
        .init
        .iter()
        .chain(model.timed.iter().map(|(_, fact)| fact));
    for fact in values {
        if let Value::Object(object) = fact.value {
            used[object.index()] = true;
        }
    }
    let ranged = ranged(solver);
    let named = Uses::of_problem(asts.problem);
    let objects: HashMap<String, ObjectId> = (0..)
        .map(ObjectId)
        .zip(&model.objects)
        .map(|(object, known)| (known.name.to_ascii_lowercase(), object))
        .collect();
    let mut left = TOLD;
    for typed in &asts.problem.objects {
        let key = typed.name.key();
        let Some(&object) = objects.get(&key) else {
            continue;
        };
        let types = &model.objects[object.index()].types;
        let is_ranged = types.iter().any(|ty| {
            ranged
                .iter()
                .chain(taken)
                .any(|&of| model.is_subtype(*ty, of))
        });
        if used[object.index()] || is_ranged || named.read.contains_key(&key) || left == 0 {
            continue;
        }
        left -= 1;
        diagnostics.push(unused_object(
            &typed.name.text,
            "object",
            asts.files.problem,
            typed.name.span,
            "no action that can ever be taken uses it",
        ));
    }
}

/// The types that quantifiers, rules and other variables beside the parameters of actions and events
/// range over.
fn ranged(solver: &Solver<'_, '_>) -> BTreeSet<TypeId> {
    let model = solver.model;
    let actions = model
        .actions
        .iter()
        .flat_map(|action| &action.variables[action.parameters..]);
    let events = model
        .events
        .iter()
        .flat_map(|event| &event.variables[event.parameters..]);
    let rules = model.axioms.iter().flat_map(|axiom| &axiom.variables);
    let closed = model
        .goal
        .iter()
        .chain(&model.fail)
        .flat_map(|cond| &cond.variables);
    let inner = actions.chain(events).chain(rules).chain(closed);
    inner
        .flat_map(|variable| variable.types.iter().copied())
        .collect()
}
