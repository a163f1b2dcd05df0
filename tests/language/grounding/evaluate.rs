//! Terms, expressions and conditions of the lifted model in a state.

use brigade::ground::ground_comparison;
use brigade::sema::model::{
    Binding, Choice, Cond, Expr, FluentId, Model, ObjectId, Template, TemplatePart, Term,
};

use crate::grounding::interpreter::{Datum, Scope, State};

/// The object that a term denotes, if any.
pub(crate) fn object(
    model: &Model,
    term: &Term,
    scope: &Scope<'_>,
    state: &State<'_>,
) -> Option<ObjectId> {
    match term {
        Term::Variable(variable) => scope.at[variable.index()],
        Term::Object(object) => Some(*object),
        Term::Undefined => None,
        Term::Fluent(fluent, args) => {
            let args = fluent_args(model, *fluent, args, scope, state)?;
            match state.read(model, &(*fluent, args)) {
                Datum::Object(object) => object,
                Datum::Truth(_) | Datum::Number(_) => None,
            }
        }
    }
}

/// The arguments of a fluent, if all are defined and of the types of its parameters.
pub(crate) fn fluent_args(
    model: &Model,
    fluent: FluentId,
    args: &[Term],
    scope: &Scope<'_>,
    state: &State<'_>,
) -> Option<Vec<ObjectId>> {
    let args = objects(model, args, scope, state)?;
    let params = &model.fluents[fluent.index()].params;
    let mut typed = args.iter().zip(params);
    typed
        .all(|(arg, types)| model.is_a(*arg, types))
        .then_some(args)
}

/// The objects that terms denote, if all do.
pub(crate) fn objects(
    model: &Model,
    terms: &[Term],
    scope: &Scope<'_>,
    state: &State<'_>,
) -> Option<Vec<ObjectId>> {
    let objects = terms.iter().map(|term| object(model, term, scope, state));
    objects.collect()
}

pub(crate) fn expr(model: &Model, what: &Expr, scope: &Scope<'_>, state: &State<'_>) -> i64 {
    let value = |what: &Expr| expr(model, what, scope, state);
    match what {
        Expr::Constant(constant) => *constant,
        Expr::Fluent(fluent, args) => {
            let Some(args) = fluent_args(model, *fluent, args, scope, state) else {
                return 0;
            };
            match state.read(model, &(*fluent, args)) {
                Datum::Number(number) => number,
                Datum::Truth(_) | Datum::Object(_) => 0,
            }
        }
        Expr::Add(parts) => parts.iter().map(value).fold(0, i64::saturating_add),
        Expr::Subtract(left, right) => value(left).saturating_sub(value(right)),
        Expr::Multiply(parts) => parts.iter().map(value).fold(1, i64::saturating_mul),
        Expr::Abs(part) => value(part).saturating_abs(),
        Expr::Min(parts) => parts.iter().map(value).min().unwrap_or(0),
        Expr::Max(parts) => parts.iter().map(value).max().unwrap_or(0),
        Expr::Count(variables, body) => scopes(model, variables, scope)
            .iter()
            .filter(|scope| cond(model, body, scope, state))
            .count() as i64,
    }
}

pub(crate) fn cond(model: &Model, what: &Cond, scope: &Scope<'_>, state: &State<'_>) -> bool {
    let holds = |what: &Cond| cond(model, what, scope, state);
    match what {
        Cond::True => true,
        Cond::False => false,
        Cond::Atom(fluent, args) => fluent_args(model, *fluent, args, scope, state)
            .is_some_and(|args| state.read(model, &(*fluent, args)) == Datum::Truth(true)),
        Cond::Same(left, right) => {
            object(model, left, scope, state) == object(model, right, scope, state)
        }
        Cond::Compare(comparison, left, right) => {
            let left = expr(model, left, scope, state);
            ground_comparison(*comparison).compares(left, expr(model, right, scope, state))
        }
        Cond::Not(part) => !holds(part),
        Cond::And(parts) => parts.iter().all(holds),
        Cond::Or(parts) => parts.iter().any(holds),
        Cond::Forall(variables, body) => scopes(model, variables, scope)
            .iter()
            .all(|scope| cond(model, body, scope, state)),
        Cond::Exists(variables, body) => scopes(model, variables, scope)
            .iter()
            .any(|scope| cond(model, body, scope, state)),
    }
}

/// A scope for every binding of some variables, in the order of their objects.
pub(crate) fn scopes<'m>(
    model: &Model,
    variables: &[Binding],
    scope: &Scope<'m>,
) -> Vec<Scope<'m>> {
    let mut result = vec![scope.clone()];
    for variable in variables {
        let objects = model.objects_of(&scope.variables[variable.index()].types);
        result = result
            .iter()
            .flat_map(|scope| {
                objects.iter().map(|object| {
                    let mut scope = scope.clone();
                    scope.at[variable.index()] = Some(*object);
                    scope
                })
            })
            .collect();
    }
    result
}

/// The object that a `let` chooses, if any.
pub(crate) fn choose(
    model: &Model,
    variable: Binding,
    choice: &Choice,
    scope: &Scope<'_>,
    state: &State<'_>,
) -> Option<ObjectId> {
    match choice {
        Choice::Term(term) => object(model, term, scope, state),
        Choice::Arg {
            maximize,
            among,
            value,
            ties,
        } => scopes(model, &[variable], scope)
            .iter()
            .filter(|scope| cond(model, among, scope, state))
            // The first of equals: `min_by_key` keeps it.
            .min_by_key(|scope| {
                let value = expr(model, value, scope, state);
                let value = if *maximize {
                    0_i64.saturating_sub(value)
                } else {
                    value
                };
                let tie = ties.as_ref().map(|ties| expr(model, ties, scope, state));
                (value, tie)
            })
            .and_then(|scope| scope.at[variable.index()]),
    }
}

pub(crate) fn template(
    model: &Model,
    text: &Template,
    scope: &Scope<'_>,
    state: &State<'_>,
) -> String {
    let parts = text.0.iter().map(|part| match part {
        TemplatePart::Text(text) => text.clone(),
        TemplatePart::Number(number) => expr(model, number, scope, state).to_string(),
        TemplatePart::Object(term) => match object(model, term, scope, state) {
            Some(object) => model.objects[object.index()].name.to_string(),
            None => "…".to_owned(),
        },
    });
    parts.collect()
}
