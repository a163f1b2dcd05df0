//! The changes of an effect, read off the state before.

use brigade::sema::model::{
    ActionId, AssignOp, Cond, Effect, LiveEffects, Model, ObjectId, Range, Term,
};

use crate::grounding::delays::{self, After, Live};
use crate::grounding::evaluate::{
    choose, cond, expr, fluent_args, object, objects, scopes, template,
};
use crate::grounding::interpreter::{Datum, Key, Scope, State, holds_all};

/// One change.
#[derive(Clone, Debug)]
pub(crate) enum Change<'m> {
    Write(Key, Datum),
    /// Adds to what the number is by then.
    Add(Key, i64),
    Log(usize, String),
    Cost(i64),
    Total(Key, i64),
    Start(String, Box<Live<'m>>),
    Count(String, u32),
    /// Effects that apply one after another, each to what the last left.
    Sequence(Vec<(&'m Effect, Scope<'m>)>),
}

/// The changes of an effect: all that is not in a sequence reads `state`.
pub(crate) fn changes<'m>(
    model: &'m Model,
    effect: &'m Effect,
    scope: &Scope<'m>,
    state: &State<'m>,
) -> Vec<Change<'m>> {
    let mut found = Vec::new();
    collect(model, effect, scope, state, &mut found);
    found
}

fn collect<'m>(
    model: &'m Model,
    effect: &'m Effect,
    scope: &Scope<'m>,
    state: &State<'m>,
    found: &mut Vec<Change<'m>>,
) {
    match effect {
        Effect::And(parts) => {
            for (step, part) in (0..).zip(parts) {
                collect(model, part, &scope.inside(step), state, found);
            }
        }
        Effect::Seq(parts) => found.push(Change::Sequence(
            (0..)
                .zip(parts)
                .map(|(step, part)| (part, scope.inside(step)))
                .collect(),
        )),
        Effect::Forall(variables, body) => {
            for scope in scopes(model, variables, scope) {
                collect(model, body, &scope, state, found);
            }
        }
        Effect::ForEach(variables, key, body) => {
            let mut each = scopes(model, variables, scope);
            each.sort_by_key(|scope| key.as_ref().map(|key| expr(model, key, scope, state)));
            let parts = each.into_iter().map(|scope| (&**body, scope)).collect();
            found.push(Change::Sequence(parts));
        }
        Effect::When(when, body) => {
            if cond(model, when, scope, state) {
                collect(model, body, &scope.inside(0), state, found);
            }
        }
        Effect::Case(cases, otherwise) => {
            let mut numbered = (0..).zip(cases);
            let holding = numbered.find(|(_, (when, _))| cond(model, when, scope, state));
            let (step, body) = match holding {
                Some((step, (_, body))) => (step, body),
                None => (cases.len() as u32, &**otherwise),
            };
            collect(model, body, &scope.inside(step), state, found);
        }
        Effect::Let(variable, choice, body, otherwise) => {
            match choose(model, *variable, choice, scope, state) {
                Some(target) => {
                    let scope = delays::with_target(scope, *variable, target);
                    collect(model, body, &scope, state, found);
                }
                None => collect(model, otherwise, &scope.inside(0), state, found),
            }
        }
        Effect::Set(fluent, args, truth) => {
            if let Some(args) = fluent_args(model, *fluent, args, scope, state) {
                found.push(Change::Write((*fluent, args), Datum::Truth(*truth)));
            }
        }
        Effect::Assign(fluent, args, value) => {
            let value = object(model, value, scope, state);
            let Range::Object(types) = &model.fluents[fluent.index()].range else {
                panic!("only objects are assigned");
            };
            let fits = value.is_none_or(|value| model.is_a(value, types));
            if let Some(args) = fluent_args(model, *fluent, args, scope, state)
                && fits
            {
                found.push(Change::Write((*fluent, args), Datum::Object(value)));
            }
        }
        Effect::Update(op, fluent, args, amount) => {
            let Some(args) = fluent_args(model, *fluent, args, scope, state) else {
                return;
            };
            let key = (*fluent, args);
            let amount = expr(model, amount, scope, state);
            found.push(match op {
                AssignOp::Assign => Change::Write(key, Datum::Number(amount)),
                AssignOp::Increase => Change::Add(key, amount),
                AssignOp::Decrease => Change::Add(key, 0_i64.saturating_sub(amount)),
                AssignOp::ScaleUp => {
                    let Datum::Number(old) = state.read(model, &key) else {
                        panic!("only numbers are scaled");
                    };
                    Change::Write(key, Datum::Number(old.saturating_mul(amount)))
                }
                AssignOp::ScaleDown => panic!("the kernel does not scale down"),
            });
        }
        Effect::Cost(amount) => found.push(Change::Cost(expr(model, amount, scope, state))),
        Effect::Total(fluent, args, amount) => {
            if let Some(args) = fluent_args(model, *fluent, args, scope, state) {
                let amount = expr(model, amount, scope, state);
                found.push(Change::Total((*fluent, args), amount));
            }
        }
        Effect::After(..) => {
            let text = delays::text(model, effect, scope);
            start(model, effect, scope, state, (text, None), found);
        }
        Effect::OnNth(count, body) => {
            let text = delays::text(model, effect, scope);
            let wanted = expr(model, count, scope, state);
            if model.live_effects != LiveEffects::Set {
                let wanted = wanted as u32;
                let done = match state.live.get(&text) {
                    Some(Live::Count { done, .. }) if *done == wanted => return,
                    Some(Live::Count { done, .. }) => done + 1,
                    _ => 1,
                };
                let count = Live::Count { done, wanted };
                found.push(Change::Start(text, Box::new(count)));
                if done == wanted {
                    collect(model, body, &scope.inside(0), state, found);
                }
                return;
            }
            let done = state.counts.get(&text).copied().unwrap_or(0) + 1;
            if i64::from(done) == wanted {
                found.push(Change::Count(text, 0));
                collect(model, body, &scope.inside(0), state, found);
            } else {
                found.push(Change::Count(text, done));
            }
        }
        Effect::Maintain(while_true, kept, body) => {
            maintain(model, effect, (while_true, kept, body), scope, state, found);
        }
        Effect::Log(text) => {
            let agent = scope.agent.unwrap_or_default();
            found.push(Change::Log(agent, template(model, text, scope, state)));
        }
        Effect::Do(action, args) => {
            let primitive = &model.actions[action.index()];
            if let Some(scope) = within(model, *action, args, scope, state)
                && holds_all(model, primitive, &scope, state)
            {
                collect(model, &primitive.effect, &scope, state, found);
            }
        }
    }
}

/// The scope of a primitive that is performed.
fn within<'m>(
    model: &'m Model,
    primitive: ActionId,
    args: &[Term],
    scope: &Scope<'m>,
    state: &State<'m>,
) -> Option<Scope<'m>> {
    let args: Vec<ObjectId> = objects(model, args, scope, state)?;
    let action = &model.actions[primitive.index()];
    let mut typed = args.iter().zip(&action.variables);
    if !typed.all(|(arg, variable)| model.is_a(*arg, &variable.types)) {
        return None;
    }
    Some(delays::performed(primitive, action, &args, scope))
}

/// Starts a delayed effect that is not live.
fn start<'m>(
    model: &'m Model,
    effect: &'m Effect,
    scope: &Scope<'m>,
    state: &State<'m>,
    (text, within): (String, Option<(String, &'m Cond)>),
    found: &mut Vec<Change<'m>>,
) {
    let Effect::After(ticks, guard, body) = effect else {
        panic!("only delayed effects start");
    };
    let left = expr(model, ticks, scope, state);
    if !state.live.contains_key(&text) {
        let after = After {
            left: left as u32,
            guard: guard.as_ref(),
            effect: body,
            scope: scope.inside(0),
            within,
        };
        found.push(Change::Start(text, Box::new(Live::After(after))));
    }
}

fn maintain<'m>(
    model: &'m Model,
    effect: &'m Effect,
    (while_true, kept, body): (&'m Cond, &'m Effect, &'m [Effect]),
    scope: &Scope<'m>,
    state: &State<'m>,
    found: &mut Vec<Change<'m>>,
) {
    let text = delays::text(model, effect, scope);
    let is_list = model.live_effects != LiveEffects::Set;
    let live = state.live.get(&text);
    if !body.is_empty() && !body.iter().any(|part| delays::waits(model, part)) {
        let goes_on = match live {
            None => true,
            Some(Live::Until { is_done, .. }) => is_list && !is_done,
            Some(_) => false,
        };
        if !goes_on {
            return;
        }
        let is_done = cond(model, while_true, scope, state);
        let live = Live::Until {
            cond: while_true,
            kept,
            body,
            scope: scope.clone(),
            is_done,
        };
        if is_list || !is_done {
            found.push(Change::Start(text, Box::new(live)));
        }
        let parts = (while_true, kept, body);
        found.extend(delays::once_it_holds(model, parts, scope, state));
        return;
    }
    if live.is_some() {
        if is_list {
            found.extend(delays::upkeep(model, while_true, kept, scope, state));
        }
        return;
    }
    let upkeep = Live::Upkeep {
        cond: while_true,
        kept,
        scope: scope.clone(),
    };
    found.push(Change::Start(text.clone(), Box::new(upkeep)));
    found.extend(delays::upkeep(model, while_true, kept, scope, state));
    for (step, part) in delays::parts(body) {
        let scope = scope.inside(step);
        if matches!(part, Effect::After(..)) {
            let own = delays::part_text(&text, step);
            let within = Some((text.clone(), while_true));
            start(model, part, &scope, state, (own, within), found);
        } else {
            collect(model, part, &scope, state, found);
        }
    }
}
