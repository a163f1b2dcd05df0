//! Preconditions that depend on what their agent may not observe: it is shown them as possible, and is
//! given no reason where they are not.

use std::collections::BTreeSet;

use brigade_compile::sema::model::{
    Action, Binding, Cond, Effect, Expr, FluentId, Model, Requirement, Term,
};
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics};
use brigade_syntax::ast::{Domain, Formula};

/// A predicate or function of terms.
type Application = (FluentId, Vec<Term>);

/// Reports each part of a precondition that depends on a fact that changes and of which no `:observable-by` says, for
/// the terms that stand there, that the acting agent observes it.
pub(super) fn check(domain: &Domain, model: &Model, diagnostics: &mut Diagnostics) {
    if model
        .fluents
        .iter()
        .all(|fluent| fluent.observers.is_none())
    {
        return;
    }
    let changing = changing(model);
    for (action, written) in model.actions.iter().zip(&domain.actions) {
        if !action.has_agent {
            continue;
        }
        let mut spans = Vec::new();
        if let Some(formula) = &written.precondition {
            parts(formula, &mut spans);
        }
        for (at, requirement) in action.precondition.iter().enumerate() {
            if let Some(fluent) = hidden(model, &changing, action, requirement) {
                let span = spans
                    .get(at)
                    .filter(|_| spans.len() == action.precondition.len());
                let place = (action.place.0, span.copied().unwrap_or(action.place.1));
                diagnostics.push(leak(model, action, fluent, place));
            }
        }
    }
}

/// The fluents that effects, timed facts and rules change.
fn changing(model: &Model) -> BTreeSet<FluentId> {
    let mut changing: BTreeSet<FluentId> = model.timed.iter().map(|it| it.fact.fluent).collect();
    let of_actions = model
        .actions
        .iter()
        .flat_map(|it| [&it.effect, &it.end_effect]);
    for effect in of_actions.chain(model.events.iter().map(|event| &event.effect)) {
        effect.any(&mut |effect| {
            if let Effect::Set(fluent, ..)
            | Effect::Assign(fluent, ..)
            | Effect::Update(_, fluent, ..) = effect
            {
                changing.insert(*fluent);
            }
            false
        });
    }
    loop {
        let size = changing.len();
        for axiom in &model.axioms {
            let mut read = Vec::new();
            of_cond(&axiom.body, &mut read);
            if read.iter().any(|(fluent, _)| changing.contains(fluent)) {
                changing.insert(axiom.fluent);
            }
        }
        if changing.len() == size {
            return changing;
        }
    }
}

fn leak(
    model: &Model,
    action: &Action,
    fluent: FluentId,
    (source, span): (brigade_diagnostics::SourceId, Span),
) -> Diagnostic {
    let name = &model.fluents[fluent.index()].name;
    let message = format!(
        "whether `{}` is possible depends on `{name}`, which its agent may not observe",
        action.name
    );
    Diagnostic::new(Code::HiddenLegality, message)
        .primary(source, span, "may be hidden from the agent")
        .help(
            "where it is, the agent is shown the action as possible, and a refusal gives no reason: ask for \
             what the agent observes, or extend `:observable-by`",
        )
}

/// The parts of a precondition that are requirements of their own.
fn parts(formula: &Formula, spans: &mut Vec<Span>) {
    match formula {
        Formula::And(all, _) => all.iter().for_each(|part| parts(part, spans)),
        other => spans.push(other.span()),
    }
}

/// The first fluent that a requirement depends on and the agent may not observe.
fn hidden(
    model: &Model,
    changing: &BTreeSet<FluentId>,
    action: &Action,
    requirement: &Requirement,
) -> Option<FluentId> {
    let mut read = Vec::new();
    of_cond(&requirement.cond, &mut read);
    let known: Vec<&Cond> = action.precondition.iter().map(|it| &it.cond).collect();
    let is_hidden = |(fluent, args): &Application| {
        changing.contains(fluent) && !is_observed(model, *fluent, args, &known)
    };
    read.iter()
        .find(|it| is_hidden(it))
        .map(|(fluent, _)| *fluent)
}

/// Returns whether the acting agent, the first variable, observes a fact for certain.
fn is_observed(model: &Model, fluent: FluentId, args: &[Term], known: &[&Cond]) -> bool {
    match &model.fluents[fluent.index()].observers {
        Some(observers) => {
            let agent = Term::Variable(Binding(0));
            let values: Vec<Term> = args.iter().cloned().chain([agent]).collect();
            holds(&observers.cond, &values, known)
        }
        None => is_everywhere(model, fluent, &mut BTreeSet::new()),
    }
}

/// Returns whether everyone observes all that a fluent is derived from.
fn is_everywhere(model: &Model, fluent: FluentId, met: &mut BTreeSet<FluentId>) -> bool {
    if !met.insert(fluent) {
        return true;
    }
    let mut rules = model.axioms.iter().filter(|axiom| axiom.fluent == fluent);
    rules.all(|axiom| {
        let mut read = Vec::new();
        of_cond(&axiom.body, &mut read);
        read.iter().all(|(fluent, _)| {
            model.fluents[fluent.index()].observers.is_none() && is_everywhere(model, *fluent, met)
        })
    })
}

/// Returns whether a condition holds for certain, with `values` in place of its first variables, where `known`
/// holds.
fn holds(cond: &Cond, values: &[Term], known: &[&Cond]) -> bool {
    match cond {
        Cond::True => true,
        Cond::Same(one, other) if put(one, values) == put(other, values) => true,
        Cond::And(conds) => conds.iter().all(|cond| holds(cond, values, known)),
        Cond::Or(conds) => conds.iter().any(|cond| holds(cond, values, known)),
        Cond::Same(one, other) => is_said(known, |it| {
            is_same(it, &put(one, values), &put(other, values))
        }),
        Cond::Not(inner) => match &**inner {
            Cond::Same(one, other) => {
                let (one, other) = (put(one, values), put(other, values));
                is_said(
                    known,
                    |it| matches!(it, Cond::Not(inner) if is_same(inner, &one, &other)),
                )
            }
            Cond::Atom(fluent, args) => {
                let args = put_all(args, values);
                is_said(
                    known,
                    |it| matches!(it, Cond::Not(inner) if is_atom(inner, *fluent, &args)),
                )
            }
            _ => false,
        },
        Cond::Atom(fluent, args) => {
            let args = put_all(args, values);
            is_said(known, |it| is_atom(it, *fluent, &args))
        }
        Cond::False | Cond::Compare(..) | Cond::Forall(..) | Cond::Exists(..) => false,
    }
}

/// Returns whether one of some conditions, or a part of it, is such.
fn is_said(known: &[&Cond], is: impl Fn(&Cond) -> bool + Copy) -> bool {
    known.iter().any(|cond| match cond {
        Cond::And(conds) => is_said(&conds.iter().collect::<Vec<_>>(), is),
        cond => is(cond),
    })
}

/// Returns whether a condition is a predicate of these terms.
fn is_atom(cond: &Cond, fluent: FluentId, args: &[Term]) -> bool {
    matches!(cond, Cond::Atom(other, given) if *other == fluent && given == args)
}

/// Returns whether a condition says that two terms are the same.
fn is_same(cond: &Cond, one: &Term, other: &Term) -> bool {
    matches!(cond, Cond::Same(a, b) if (a, b) == (one, other) || (a, b) == (other, one))
}

/// A term with values in place of the first variables.
fn put(term: &Term, values: &[Term]) -> Term {
    match term {
        Term::Variable(variable) => {
            let value = values.get(variable.index());
            value.unwrap_or(term).clone()
        }
        Term::Fluent(fluent, args) => Term::Fluent(*fluent, put_all(args, values)),
        Term::Object(_) | Term::Undefined => term.clone(),
    }
}

fn put_all(terms: &[Term], values: &[Term]) -> Vec<Term> {
    terms.iter().map(|term| put(term, values)).collect()
}

fn of_application(fluent: FluentId, args: &[Term], read: &mut Vec<Application>) {
    read.push((fluent, args.to_vec()));
    for arg in args {
        of_term(arg, read);
    }
}

fn of_term(term: &Term, read: &mut Vec<Application>) {
    if let Term::Fluent(fluent, args) = term {
        of_application(*fluent, args, read);
    }
}

fn of_expr(expr: &Expr, read: &mut Vec<Application>) {
    match expr {
        Expr::Constant(_) => {}
        Expr::Fluent(fluent, args) => of_application(*fluent, args, read),
        Expr::Add(all) | Expr::Multiply(all) | Expr::Min(all) | Expr::Max(all) => {
            for one in all {
                of_expr(one, read);
            }
        }
        Expr::Subtract(one, other) => {
            of_expr(one, read);
            of_expr(other, read);
        }
        Expr::Abs(one) => of_expr(one, read),
        Expr::Count(_, cond) => of_cond(cond, read),
    }
}

fn of_cond(cond: &Cond, read: &mut Vec<Application>) {
    match cond {
        Cond::True | Cond::False => {}
        Cond::Atom(fluent, args) => of_application(*fluent, args, read),
        Cond::Same(one, other) => {
            of_term(one, read);
            of_term(other, read);
        }
        Cond::Compare(_, one, other) => {
            of_expr(one, read);
            of_expr(other, read);
        }
        Cond::Not(one) | Cond::Forall(_, one) | Cond::Exists(_, one) => of_cond(one, read),
        Cond::And(all) | Cond::Or(all) => {
            for one in all {
                of_cond(one, read);
            }
        }
    }
}
