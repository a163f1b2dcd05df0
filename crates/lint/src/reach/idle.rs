//! Agents that never act, and objects that nothing uses.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use ecow::EcoString;
use indexmap::IndexMap;

use super::asts::Asts;
use super::solver::{Missing, Solver};
use super::unrelated;
use super::writers::{Need, Owner, of_action};
use crate::declarations::unused_object;
use crate::uses::Uses;
use brigade_compile::sema::model::{ActionKind, ObjectId, TypeId, Value};
use brigade_diagnostics::{Code, Diagnostic, Diagnostics};
use brigade_syntax::ast::Name;

/// The most agents, and types of objects, that are reported.
const MOST_REPORTED: usize = 20;

/// The most actions whose missing facts are reported, where no agent can act.
const EXPLAINED: usize = 4;

/// The most objects of a type that are named.
const LISTED: usize = 5;

/// Reports agents and objects that nothing uses, but no objects that actions would take which were reported as
/// impossible (`taken` has their types); none, and no single agents, where the goal is out of reach; and not that
/// nobody can act, where the goal's report explains it.
pub(super) fn check(
    solver: &mut Solver<'_, '_>,
    asts: &Asts<'_>,
    taken: &BTreeSet<TypeId>,
    (is_out_of_reach, is_explained): (bool, bool),
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
    let mut left = MOST_REPORTED;
    let something_acts = solver.relaxed.operators().len() > 0;
    // Where an `:agent` has no type, all objects are agents, most of them without meaning to.
    let of_types = asts.domain.actions.iter();
    let mut of_types = of_types.filter_map(|action| action.agent.as_ref());
    let are_meant = asts.domain.types.is_empty() || of_types.all(|agent| agent.ty.is_some());
    if !something_acts && !is_explained {
        diagnostics.extend(nobody(solver, asts));
    }
    for (&agent, acts) in model.agents.iter().zip(acts) {
        used[agent.index()] = true;
        if acts || !something_acts || !are_meant || is_out_of_reach || left == 0 {
            continue;
        }
        left -= 1;
        let name = &model.objects[agent.index()].name;
        let must = if model.must_act.contains(&agent) {
            ", and cannot wait: there is no step"
        } else {
            ""
        };
        if let Some((source, place)) = asts.object(name) {
            diagnostics.push(
                Diagnostic::new(
                    Code::IdleAgent,
                    format!("in `{}`, `{name}` can never act{must}", asts.problem_name()),
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
        unrelated::check(solver, asts, &used, diagnostics);
        objects(solver, asts, taken, &mut used, diagnostics);
    }
}

/// That no agent can ever act, and what the first actions lack.
fn nobody(solver: &mut Solver<'_, '_>, asts: &Asts<'_>) -> Option<Diagnostic> {
    let model = solver.model;
    let first = model.agents.first()?;
    let (source, place) = asts.object(&model.objects[first.index()].name)?;
    let message = format!("in `{}`, no agent can ever act", asts.problem_name());
    let mut diagnostic = Diagnostic::new(Code::IdleAgent, message).primary(
        source,
        place.span,
        "no action is ever possible, of this agent or another",
    );
    let mut lacking = Vec::new();
    let mut provided: BTreeMap<Need, bool> = BTreeMap::new();
    for (index, action) in model.actions.iter().enumerate() {
        if action.kind == ActionKind::Primitive {
            continue;
        }
        let missing = solver.missing(&of_action(action), &Vec::new());
        let (Missing::Never(cond) | Missing::NotTogether(cond)) = missing else {
            continue;
        };
        // What other actions would provide is not where it begins.
        let need = Need::of(cond, &Vec::new());
        let is_provided = need.is_some_and(|need| {
            let find = || solver.writers().any(solver.relaxed, &need).unwrap_or(true);
            *provided.entry(need.clone()).or_insert_with(find)
        });
        lacking.push((is_provided, index, action, missing, cond));
    }
    lacking.sort_by_key(|&(follows, index, ..)| (follows, index));
    let begins = lacking.iter().filter(|(follows, ..)| !follows).count();
    let reported = if begins > 0 { begins } else { lacking.len() };
    for (_, index, action, missing, cond) in lacking.into_iter().take(reported.min(EXPLAINED)) {
        let text = solver.relaxed.text(cond, &action.variables, &[]);
        let never = match missing {
            Missing::Never(_) => "never holds",
            _ => "never holds for what the conditions before it allow",
        };
        diagnostic = diagnostic.secondary(
            asts.files.domain,
            asts.place_of(Owner::Action(index), cond, model, &action.variables),
            format!("`{}` needs `{text}`, which {never}", action.name),
        );
    }
    Some(diagnostic.help("compare what the actions ask for with what `:init` gives"))
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
        .chain(model.timed.iter().map(|literal| &literal.fact));
    for fact in values {
        if let Value::Object(object) = fact.value {
            used[object.index()] = true;
        }
    }
    let ranged = ranged(solver);
    let named = Uses::of_problem(asts.problem);
    let objects: HashMap<EcoString, ObjectId> = (0..)
        .map(ObjectId)
        .zip(&model.objects)
        .map(|(object, known)| (known.name.to_ascii_lowercase(), object))
        .collect();
    let mut unused: IndexMap<&[TypeId], Vec<&Name>> = IndexMap::new();
    for typed in &asts.problem.objects {
        let key = typed.name.key();
        let Some(&object) = objects.get(key.as_str()) else {
            continue;
        };
        let types = &model.objects[object.index()].types;
        let is_ranged = types.iter().any(|ty| {
            ranged
                .iter()
                .chain(taken)
                .any(|&of| model.is_subtype(*ty, of))
        });
        if !used[object.index()] && !is_ranged && !named.read.contains_key(&key) {
            unused.entry(types).or_default().push(&typed.name);
        }
    }
    let source = asts.files.problem;
    for (types, names) in unused.into_iter().take(MOST_REPORTED) {
        let why = "no action that can ever be taken uses it";
        let [first, .., _] = names[..] else {
            let one = names
                .iter()
                .map(|name| unused_object(&name.text, "object", source, name.span, why));
            diagnostics.extend(one);
            continue;
        };
        let types: Vec<&str> = types
            .iter()
            .map(|ty| &*model.types[ty.index()].name)
            .collect();
        let listed: Vec<String> = names
            .iter()
            .take(LISTED)
            .map(|name| format!("`{}`", name.text))
            .collect();
        let more = if names.len() > LISTED { ", …" } else { "" };
        let message = format!(
            "{} objects of type `{}` are never used: {}{more}",
            names.len(),
            types.join("` and `"),
            listed.join(", ")
        );
        diagnostics.push(
            Diagnostic::new(Code::UnusedObject, message)
                .primary(
                    source,
                    first.span,
                    "no action that can ever be taken uses these",
                )
                .help("remove them, or give them the facts that the actions ask for"),
        );
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
        .chain(&model.end)
        .flat_map(|cond| &cond.variables);
    let inner = actions.chain(events).chain(rules).chain(closed);
    inner
        .flat_map(|variable| variable.types.iter().copied())
        .collect()
}
