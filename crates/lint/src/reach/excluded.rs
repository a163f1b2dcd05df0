//! Events that are on their way for an object and can never fire for it, though they can for others: an order
//! is open, and nothing makes what it is for.
//!
//! On its way is one of whose changing conditions some hold of the object. The missing fact then is one that effects
//! would bring about; a fact that only files give may be left out on purpose.

use std::collections::BTreeSet;

use super::asts::Asts;
use super::schema::{At, Schema, conjuncts, fluents, free};
use super::solver::{Missing, Solver};
use super::writers::Owner;
use brigade_compile::sema::model::{Cond, Effect, Event, FluentId, Model, ObjectId};
use brigade_diagnostics::{Code, Diagnostic, Diagnostics};

/// The most events that are reported.
const MOST_REPORTED: usize = 10;

/// The most objects of one event that are looked at.
const ASKED: usize = 1000;

/// The most objects that are named.
const LISTED: usize = 5;

pub(super) fn check(solver: &mut Solver<'_, '_>, asts: &Asts<'_>, diagnostics: &mut Diagnostics) {
    let mut left = MOST_REPORTED;
    for (index, event) in solver.model.events.iter().enumerate() {
        let fired: Vec<Vec<ObjectId>> = solver.relaxed.fires(index).map(<[_]>::to_vec).collect();
        for parameter in 0..event.parameters {
            let fires: BTreeSet<ObjectId> = fired.iter().map(|args| args[parameter]).collect();
            // An event that never fires has a warning of its own.
            if fires.is_empty() || left == 0 {
                continue;
            }
            let never = never(solver, asts, event, (parameter, &fires));
            if let Some(diagnostic) = report(solver, asts, (index, event), &never) {
                left -= 1;
                diagnostics.push(diagnostic);
            }
        }
    }
}

/// The objects of the problem for which the event never fires, with the condition that never holds of them.
fn never<'m>(
    solver: &mut Solver<'_, 'm>,
    asts: &Asts<'_>,
    event: &'m Event,
    (parameter, fires): (usize, &BTreeSet<ObjectId>),
) -> Vec<(ObjectId, &'m Cond)> {
    let mut conds = Vec::new();
    conjuncts(&event.precondition, &mut conds);
    let schema = Schema {
        variables: &event.variables,
        conds,
    };
    let effects = written(solver.model);
    let objects = solver.extent(&event.variables[parameter].types);
    let others = objects.iter().filter(|object| !fires.contains(object));
    let mut never = Vec::new();
    for &object in others.take(ASKED) {
        let name = &solver.model.objects[object.index()].name;
        let is_of_problem = asts.problem.objects.iter().any(|it| it.name.text == *name);
        let mut at = vec![None; event.variables.len()];
        at[parameter] = Some(object);
        if is_of_problem
            && !solver.is_left_out(&schema, &at)
            && let Missing::Never(cond) = solver.missing(&schema, &at)
            && fluents(cond).iter().any(|it| effects.contains(it))
            && is_on_its_way(solver, &schema, cond, (parameter, &at))
        {
            never.push((object, cond));
        }
    }
    never
}

/// Returns true if another condition about the object changes, and may hold of it.
fn is_on_its_way<'m>(
    solver: &mut Solver<'_, 'm>,
    schema: &Schema<'m>,
    missing: &Cond,
    (parameter, at): (usize, &At),
) -> bool {
    let is_about = |cond: &Cond| free(cond).iter().any(|it| it.0 as usize == parameter);
    let others = schema
        .conds
        .iter()
        .filter(|cond| !std::ptr::eq(**cond, missing));
    let others: Vec<&'m Cond> = others.copied().filter(|cond| is_about(cond)).collect();
    others.into_iter().any(|cond| {
        let alone = Schema {
            variables: schema.variables,
            conds: vec![cond],
        };
        solver.can_change(cond) && solver.may_hold(&alone, at)
    })
}

/// The fluents that actions and events change.
fn written(model: &Model) -> BTreeSet<FluentId> {
    let actions = model.actions.iter();
    let actions = actions.flat_map(|action| [&action.effect, &action.end_effect]);
    let mut written = BTreeSet::new();
    for effect in actions.chain(model.events.iter().map(|event| &event.effect)) {
        effect.any(&mut |part| {
            if let Effect::Set(fluent, ..)
            | Effect::Assign(fluent, ..)
            | Effect::Update(_, fluent, ..) = part
            {
                written.insert(*fluent);
            }
            false
        });
    }
    written
}

fn report(
    solver: &Solver<'_, '_>,
    asts: &Asts<'_>,
    (index, event): (usize, &Event),
    never: &[(ObjectId, &Cond)],
) -> Option<Diagnostic> {
    let model = solver.model;
    let &(first, cond) = never.first()?;
    let named = never.iter().take(LISTED);
    let named = named.map(|(object, _)| format!("`{}`", model.objects[object.index()].name));
    let named: Vec<String> = named.collect();
    let more = if never.len() > LISTED { ", …" } else { "" };
    let (source, place) = asts.object(&model.objects[first.index()].name)?;
    let text = solver.relaxed.text(cond, &event.variables, &[]);
    let message = format!(
        "in `{}`, the event `{}` can never fire for {}{more}",
        asts.problem_name(),
        event.name,
        named.join(", ")
    );
    Some(
        Diagnostic::new(Code::EventNeverForObject, message)
            .primary(source, place.span, "never for this")
            .secondary(
                asts.files.domain,
                asts.place_of(Owner::Event(index), cond, model, &event.variables),
                format!("`{text}` never holds of it"),
            )
            .help("give what that takes, such as the tool that a product is made in, or leave the object out"),
    )
}
