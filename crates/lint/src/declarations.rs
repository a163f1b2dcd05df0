//! Finds declarations that serve nothing: predicates, functions, types, constants.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};

use super::hierarchy::{Hierarchy, closure, names};
use super::uses::Uses;
use brigade_compile::sema::Files;
use brigade_compile::sema::model::{Model, TypeId};
use brigade_diagnostics::{Code, Diagnostic, Diagnostics, SourceId, suggest};
use brigade_syntax::ast::{
    Action, Domain, FluentDecl, Formula, Problem, Term, TimePoint, TypeExpr, Typed,
};

/// With how many misspelt types the names of others are compared.
const SLIPS: usize = 20;

/// The most places with the same slip that are shown besides the first.
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
    let hierarchy = Hierarchy::new(domain);
    types(domain, uses, &hierarchy, source, diagnostics);
    constants(domain, uses, &hierarchy, source, diagnostics);
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

/// Types of which no object can be of use: nothing ranges over them, over what they are a kind of, or
/// over a kind of them.
fn types(
    domain: &Domain,
    uses: &Uses,
    hierarchy: &Hierarchy,
    source: SourceId,
    diagnostics: &mut Diagnostics,
) {
    let of_constants: Vec<String> = domain
        .constants
        .iter()
        .flat_map(|constant| names(constant.ty.as_ref()))
        .collect();
    let seeds = uses.types.keys().chain(&of_constants).map(String::as_str);
    let seeds: BTreeSet<&str> = seeds.collect();
    let up = closure(&seeds, &hierarchy.parents);
    let down = closure(&seeds, &hierarchy.kinds);
    let is_used = |ty: &&Typed| {
        let key = ty.name.folded();
        up.contains(&*key) || down.contains(&*key)
    };
    // One that is misspelt where it is named as a parent is reported there.
    let declared: BTreeSet<String> = domain.types.iter().map(|ty| ty.name.key()).collect();
    let parents = hierarchy.kinds.keys().map(String::as_str);
    let undeclared: Vec<&str> = parents
        .filter(|name| *name != "object" && !declared.contains(*name))
        .take(SLIPS)
        .collect();
    let is_misspelt = |ty: &Typed| suggest(&ty.name.text, undeclared.iter().copied()).is_some();
    for ty in domain.types.iter().filter(|ty| !is_used(ty)) {
        if is_misspelt(ty) {
            continue;
        }
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
fn constants(
    domain: &Domain,
    uses: &Uses,
    hierarchy: &Hierarchy,
    source: SourceId,
    diagnostics: &mut Diagnostics,
) {
    // What a variable ranges over includes the kinds of its type.
    let ranged: BTreeSet<&str> = uses.types.keys().map(String::as_str).collect();
    let ranged = closure(&ranged, &hierarchy.kinds);
    let is_used = |constant: &&Typed| {
        let key = constant.name.key();
        uses.read.contains_key(&key)
            || uses.in_facts.contains_key(&key)
            || names(constant.ty.as_ref())
                .iter()
                .any(|ty| ranged.contains(&**ty) || ty == "object")
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
    span: brigade_diagnostics::span::Span,
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
    let elsewhere = OnceCell::new();
    let mut objects = Objects::new(model);
    let reads = |key: &str| uses.reads(key) || ours.reads(key);
    for fluent in &domain.fluents {
        let key = fluent.name.key();
        let place = |code: Code, message: String, label: &str| {
            Diagnostic::new(code, message).primary(files.domain, fluent.name.span, label)
        };
        let has = |places: &dyn Fn(&Uses) -> bool| places(uses) || places(&ours);
        if let Some(range) = &fluent.range {
            // What is only added to and taken from, and is not read, is a total.
            let is_total = matches!(range, TypeExpr::Number(_));
            let is_set = has(&|uses| uses.set.contains_key(&key))
                || !is_total && has(&|uses| uses.decreased.contains_key(&key));
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
            let has_value =
                has(&|uses| uses.assigned.contains_key(&key) || uses.given.contains_key(&key));
            // Other problems may give what has parameters.
            if !has_value && reads(&key) && fluent.params.is_empty() {
                diagnostics.push(
                    place(
                        Code::NeverTrue,
                        format!("the function `{}` never has a value", fluent.name.text),
                        "it is read, and neither a fact nor an effect gives it a value",
                    )
                    .help(match fluent.range {
                        Some(TypeExpr::Named(_) | TypeExpr::Either(..)) => {
                            "give it in `:init`: without a value it is `undefined`"
                        }
                        _ => "give it in `:init`: without a value it is 0",
                    }),
                );
            }
            continue;
        }
        let made_true = has(&|uses| uses.made_true.contains_key(&key));
        let made_false = has(&|uses| uses.made_false.contains_key(&key));
        let given = has(&|uses| uses.given.contains_key(&key));
        let tested_true =
            has(&|uses| uses.tested_true.contains_key(&key) || uses.described.contains_key(&key));
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
        } else if tested_true && made_false && !made_true && !given && objects.are_for(fluent) {
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
            && elsewhere
                .get_or_init(|| asked_elsewhere(domain, problem))
                .contains(&key)
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

/// Predicates whose being false is asked for by more than what makes them true, or of nothing that this is
/// done to, only of who does it. The others are done once to each, which is meant.
fn asked_elsewhere(domain: &Domain, problem: &Problem) -> BTreeSet<String> {
    let of_conditions = Uses::of_conditions(domain, problem).tested_false;
    let mut elsewhere: BTreeSet<String> = of_conditions.into_keys().collect();
    let actions = domain.actions.iter();
    let actions = actions.map(|it| (Uses::of_action(it), &it.parameters, of_start(it)));
    let events = domain.events.iter();
    let events = events.map(|it| {
        let precondition = it.precondition.iter().collect();
        (Uses::of_event(it), &it.parameters, precondition)
    });
    for (uses, params, conditions) in actions.chain(events) {
        let params: BTreeSet<String> = params.iter().map(|param| param.name.key()).collect();
        let mut once = BTreeSet::new();
        for formula in conditions {
            denied(formula, &params, &mut once);
        }
        let is_once = |key: &String| uses.made_true.contains_key(key) && once.contains(key);
        let tested = uses.tested_false.keys();
        elsewhere.extend(tested.filter(|key| !is_once(key)).cloned());
    }
    elsewhere
}

/// Returns the conditions that an action requires at its start.
fn of_start(action: &Action) -> Vec<&Formula> {
    let timed = action.conditions.iter();
    let timed = timed.filter(|(time, _)| *time == TimePoint::AtStart);
    let timed = timed.map(|(_, formula)| formula);
    action.precondition.iter().chain(timed).collect()
}

/// The predicates that conjuncts ask to be false of one of these parameters, if there are any.
fn denied(formula: &Formula, params: &BTreeSet<String>, into: &mut BTreeSet<String>) {
    match formula {
        Formula::And(all, _) => all.iter().for_each(|one| denied(one, params, into)),
        Formula::Else(_, one, _) => denied(one, params, into),
        Formula::Not(one, _) => {
            if let Formula::Atom(name, args, _) = &**one {
                let is_param = |arg: &Term| matches!(arg, Term::Variable(name) if params.contains(&*name.folded()));
                if params.is_empty() || args.iter().any(is_param) {
                    into.insert(name.key());
                }
            }
        }
        _ => {}
    }
}

/// A memo of the types that have objects.
struct Objects<'m> {
    model: &'m Model,
    fluents: HashMap<String, usize>,
    known: HashMap<&'m [TypeId], bool>,
}

impl<'m> Objects<'m> {
    fn new(model: &'m Model) -> Self {
        let fluents = model.fluents.iter().zip(0..);
        Self {
            model,
            fluents: fluents
                .map(|(fluent, index)| (fluent.name.to_ascii_lowercase(), index))
                .collect(),
            known: HashMap::new(),
        }
    }

    /// Returns true if there are objects for each parameter of a predicate.
    fn are_for(&mut self, fluent: &FluentDecl) -> bool {
        let Some(&index) = self.fluents.get(&*fluent.name.folded()) else {
            return false;
        };
        let model = self.model;
        model.fluents[index].params.iter().all(|types| {
            let known = self.known.entry(types);
            *known.or_insert_with(|| !model.objects_of(types).is_empty())
        })
    }
}
