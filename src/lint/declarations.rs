//! What is declared and serves nothing: predicates, functions, types, constants.

use std::collections::BTreeSet;

use super::uses::Uses;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, SourceId};
use crate::sema::Files;
use crate::sema::model::Model;
use crate::syntax::ast::{Domain, FluentDecl, Formula, Problem, Term, TypeExpr, Typed};

/// How many places with the same slip are shown besides the first.
const SHOWN: usize = 4;

/// Checks of the declarations of a domain that need no problem.
pub(super) fn of_domain(
    domain: &Domain,
    uses: &Uses,
    source: SourceId,
    diagnostics: &mut Diagnostics,
) {
    for fluent in &domain.fluents {
        let key = fluent.name.key();
        if !uses.reads(&key) && !uses.changes(&key) {
            let label = if uses.given.contains_key(&key) {
                "`:facts` give it, and nothing reads it"
            } else {
                "nothing reads or changes it"
            };
            diagnostics.push(
                Diagnostic::new(
                    Code::UnusedFluent,
                    format!("the {} `{}` is never used", sort(fluent), fluent.name.text),
                )
                .primary(source, fluent.name.span, label)
                .help("remove it, or use it in an action"),
            );
        }
    }
    types(domain, uses, source, diagnostics);
    constants(domain, uses, source, diagnostics);
    agents(domain, source, diagnostics);
}

/// Agents without a type, where objects have types: pots and places would act.
fn agents(domain: &Domain, source: SourceId, diagnostics: &mut Diagnostics) {
    let agents = domain
        .actions
        .iter()
        .filter_map(|action| action.agent.as_ref());
    let mut untyped = agents.filter(|agent| agent.ty.is_none());
    let Some(first) = untyped.next().filter(|_| !domain.types.is_empty()) else {
        return;
    };
    let name = format!("?{}", first.name.text);
    let mut diagnostic = Diagnostic::new(
        Code::AgentOfAnyType,
        format!("`{name}` has no type, so every object is an agent"),
    )
    .primary(source, first.name.span, "of any type");
    for agent in untyped.take(SHOWN) {
        diagnostic = diagnostic.secondary(source, agent.name.span, "nor has this one");
    }
    let help = format!(
        "write the type of those who act, such as `{name} - {}`; `{name} - object`, if all things act",
        likely_agent(domain),
    );
    diagnostics.push(diagnostic.help(help));
}

/// A type whose objects act elsewhere in the domain, or else the first that is declared.
fn likely_agent(domain: &Domain) -> &str {
    let mut agents = domain
        .actions
        .iter()
        .filter_map(|action| action.agent.as_ref());
    agents
        .find_map(|agent| match &agent.ty {
            Some(TypeExpr::Named(name)) => Some(&*name.text),
            _ => None,
        })
        .unwrap_or(&domain.types[0].name.text)
}

fn sort(fluent: &FluentDecl) -> &'static str {
    match fluent.range {
        None => "predicate",
        Some(_) => "function",
    }
}

/// The names that a type expression holds.
fn names(ty: Option<&TypeExpr>) -> Vec<String> {
    match ty {
        Some(TypeExpr::Named(name)) => vec![name.key()],
        Some(TypeExpr::Either(names, _)) => {
            names.iter().map(crate::syntax::ast::Name::key).collect()
        }
        Some(TypeExpr::Int { .. } | TypeExpr::Number(_)) => Vec::new(),
        None => vec!["object".to_owned()],
    }
}

/// The types that are an ancestor or a descendant of one of these, or one of them.
fn related(domain: &Domain, seeds: BTreeSet<String>) -> BTreeSet<String> {
    let mut up = seeds.clone();
    let mut down = seeds;
    loop {
        let before = up.len() + down.len();
        for ty in &domain.types {
            let (key, parents) = (ty.name.key(), names(ty.ty.as_ref()));
            if parents.iter().any(|parent| down.contains(parent)) {
                down.insert(key.clone());
            }
            if up.contains(&key) {
                up.extend(parents);
            }
        }
        if up.len() + down.len() == before {
            return up.union(&down).cloned().collect();
        }
    }
}

/// Types of which no object can be of use: nothing ranges over them, over what they are a kind of, or
/// over a kind of them.
fn types(domain: &Domain, uses: &Uses, source: SourceId, diagnostics: &mut Diagnostics) {
    let mut seeds: BTreeSet<String> = uses.types.keys().cloned().collect();
    seeds.extend(domain.constants.iter().flat_map(|c| names(c.ty.as_ref())));
    let used = related(domain, seeds);
    for ty in domain
        .types
        .iter()
        .filter(|ty| !used.contains(&ty.name.key()))
    {
        diagnostics.push(
            Diagnostic::new(
                Code::UnusedType,
                format!("the type `{}` is never used", ty.name.text),
            )
            .primary(
                source,
                ty.name.span,
                "no parameter, variable or value is of it",
            )
            .help("remove it, or give it to the parameters that are meant"),
        );
    }
}

/// Constants that nothing names and no variable can stand for.
fn constants(domain: &Domain, uses: &Uses, source: SourceId, diagnostics: &mut Diagnostics) {
    // What a variable ranges over includes the kinds of its type.
    let mut ranged: BTreeSet<String> = uses.types.keys().cloned().collect();
    loop {
        let before = ranged.len();
        for ty in &domain.types {
            if names(ty.ty.as_ref())
                .iter()
                .any(|parent| ranged.contains(parent))
            {
                ranged.insert(ty.name.key());
            }
        }
        if ranged.len() == before {
            break;
        }
    }
    let is_used = |constant: &&Typed| {
        let key = constant.name.key();
        uses.read.contains_key(&key)
            || uses.in_facts.contains_key(&key)
            || names(constant.ty.as_ref())
                .iter()
                .any(|ty| ranged.contains(ty) || ty == "object")
    };
    for constant in domain
        .constants
        .iter()
        .filter(|constant| !is_used(constant))
    {
        diagnostics.push(unused_object(
            &constant.name.text,
            "constant",
            source,
            constant.name.span,
            "nothing names it, and no variable is of its type",
        ));
    }
}

/// The report of an object that is of no use.
pub(super) fn unused_object(
    name: &str,
    sort: &str,
    source: SourceId,
    span: crate::syntax::span::Span,
    why: &str,
) -> Diagnostic {
    Diagnostic::new(
        Code::UnusedObject,
        format!("the {sort} `{name}` is never used"),
    )
    .primary(source, span, why)
    .help("remove it, or give it the facts that the actions ask for")
}

/// Checks of declarations that need to know what a problem begins with and asks for.
pub(super) fn of_problem(
    domain: &Domain,
    problem: &Problem,
    uses: &Uses,
    files: Files,
    model: &Model,
    diagnostics: &mut Diagnostics,
) {
    let ours = Uses::of_problem(problem);
    let reads = |key: &str| uses.reads(key) || ours.reads(key);
    for fluent in &domain.fluents {
        let key = fluent.name.key();
        let place = |code: Code, message: String, label: &str| {
            Diagnostic::new(code, message).primary(files.domain, fluent.name.span, label)
        };
        let has = |places: &dyn Fn(&Uses) -> bool| places(uses) || places(&ours);
        if fluent.range.is_some() {
            // What only grows and is not read is a cost that this problem does not count.
            let is_set = has(&|uses| uses.set.contains_key(&key));
            if is_set && !reads(&key) {
                diagnostics.push(
                    place(
                        Code::NeverRead,
                        format!(
                            "the function `{}` is changed and never read",
                            fluent.name.text
                        ),
                        "no condition, term, text, goal or metric reads it",
                    )
                    .help("remove it with the effects that change it, or test it where it matters"),
                );
            }
            continue;
        }
        let made_true = has(&|uses| uses.made_true.contains_key(&key));
        let made_false = has(&|uses| uses.made_false.contains_key(&key));
        let given = has(&|uses| uses.given.contains_key(&key));
        let tested_true =
            has(&|uses| uses.tested_true.contains_key(&key) || uses.told.contains_key(&key));
        let tested_false = has(&|uses| uses.tested_false.contains_key(&key));
        // What is only made true may be for the goals of other problems: see `unread`.
        if !fluent.transient && made_true && made_false && !reads(&key) {
            diagnostics.push(
                place(
                    Code::NeverRead,
                    format!(
                        "the predicate `{}` is changed and never read",
                        fluent.name.text
                    ),
                    "no condition, text or goal tests it",
                )
                .help("remove it with the effects that change it, or test it where it matters"),
            );
        } else if tested_true && made_false && !made_true && !given && has_objects(model, fluent) {
            diagnostics.push(
                place(
                    Code::NeverTrue,
                    format!("the predicate `{}` is never true", fluent.name.text),
                    "effects make it false, but nothing makes it true",
                )
                .help("give it in `:init`, or make it true in the effect of an action"),
            );
        } else if tested_false
            && !tested_true
            && !made_true
            && !given
            && (made_false || fluent.params.is_empty())
        {
            diagnostics.push(
                place(
                    Code::NeverTrue,
                    format!("the predicate `{}` is never true", fluent.name.text),
                    "it is only asked to be false, and nothing makes it true",
                )
                .help("remove the conditions that ask for it, or make it true where it is meant to be"),
            );
        } else if tested_false
            && !tested_true
            && made_true
            && !made_false
            && !fluent.transient
            && !is_for_once(domain, problem, &key)
        {
            let tested = uses
                .tested_false
                .get(&key)
                .map(|span| (files.domain, *span));
            let tested = tested.or_else(|| Some((files.problem, *ours.tested_false.get(&key)?)));
            let made = uses.made_true.get(&key).map(|span| (files.domain, *span));
            let mut diagnostic = place(
                Code::NeverFalse,
                format!("once true, the predicate `{}` stays true", fluent.name.text),
                "nothing makes it false",
            );
            if let Some((source, span)) = made {
                diagnostic = diagnostic.secondary(source, span, "made true here");
            }
            if let Some((source, span)) = tested {
                diagnostic =
                    diagnostic.secondary(source, span, "only its being false is asked for");
            }
            let params: String = fluent
                .params
                .iter()
                .map(|param| format!(" ?{}", param.name.text))
                .collect();
            diagnostics.push(diagnostic.help(format!(
                "make it false where what it stands for ends: `(not ({}{params}))`",
                fluent.name.text
            )));
        }
    }
}

/// Whether only what makes a predicate true asks for its being false, and of something that it is done to,
/// not only of who does it: it is done once to each, which is meant.
fn is_for_once(domain: &Domain, problem: &Problem, key: &str) -> bool {
    let asks = |uses: &Uses| uses.tested_false.contains_key(key);
    let is_once = |uses: &Uses, params: &[Typed], precondition: &Option<Formula>| {
        !asks(uses)
            || uses.made_true.contains_key(key)
                && precondition
                    .as_ref()
                    .is_some_and(|formula| is_of_any(formula, key, params))
    };
    let mut actions = domain.actions.iter();
    let mut events = domain.events.iter();
    !asks(&Uses::of_conditions(domain, problem))
        && actions.all(|one| is_once(&Uses::of_action(one), &one.parameters, &one.precondition))
        && events.all(|one| is_once(&Uses::of_event(one), &one.parameters, &one.precondition))
}

/// Whether a conjunct asks for the predicate of one of these parameters, if there are any, to be false.
fn is_of_any(formula: &Formula, key: &str, params: &[Typed]) -> bool {
    match formula {
        Formula::And(all, _) => all.iter().any(|one| is_of_any(one, key, params)),
        Formula::Else(_, one, _) => is_of_any(one, key, params),
        Formula::Not(one, _) => match &**one {
            Formula::Atom(name, args, _) if name.key() == key => {
                params.is_empty()
                    || params.iter().any(|param| {
                        let mut args = args.iter();
                        args.any(
                            |arg| matches!(arg, Term::Variable(v) if v.key() == param.name.key()),
                        )
                    })
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether there are objects for each parameter of a predicate.
fn has_objects(model: &Model, fluent: &FluentDecl) -> bool {
    let mut fluents = model.fluents.iter();
    let known = fluents.find(|known| known.name.eq_ignore_ascii_case(&fluent.name.text));
    known.is_some_and(|known| {
        let mut params = known.params.iter();
        params.all(|types| !model.objects_of(types).is_empty())
    })
}
