//! The check of an export: it is read back, and must mean the same as its source.

use std::collections::{BTreeMap, BTreeSet};

use super::goal::{Flat, Goal, readings};
use super::reporter::Reporter;
use super::text::Exported;
use crate::robotouille::{self, File, Options, Turns};
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Diagnostics, Sources};
use brigade_syntax::ast::{
    Action, Domain, FluentDecl, Formula, Problem, TemplatePart, Term, TypeExpr,
};
use brigade_syntax::printer::{print_domain, print_formula, print_problem};

fn start(domain: &Domain) -> Span {
    domain.name.as_ref().map_or(domain.span, |name| name.span)
}

/// Reports what of a domain has not come back.
pub(super) fn domains(domain: &Domain, text: &str, reporter: &mut Reporter<'_>) {
    let mut sources = Sources::new();
    let source = sources.add("domain", text);
    let mut diagnostics = Diagnostics::new();
    let file = File { source, text };
    let read = robotouille::import_domain(file, Turns::of(domain), &mut diagnostics);
    let Some(read) = read else {
        unreadable(start(domain), &diagnostics, reporter);
        return;
    };
    for (index, fluent) in domain.fluents.iter().enumerate() {
        let same = |other: &FluentDecl| signature(other) == signature(fluent);
        if !read.fluents.get(index).is_some_and(same) {
            let what = format!("the predicate `{}`, as it stands here,", fluent.name.text);
            reporter.refuse(fluent.name.span, &what);
            return;
        }
    }
    for (index, action) in domain.actions.iter().enumerate() {
        let only = |domain: &Domain| Domain {
            actions: domain
                .actions
                .get(index)
                .map(in_order)
                .into_iter()
                .collect(),
            ..Domain::default()
        };
        if print_domain(&only(domain)) != print_domain(&only(&read)) {
            let what = format!("the action `{}`, as it stands here,", action.name.text);
            let help = "what becomes of it and is read back is another: its parameters come in the order \
                        of their use, and each name of a parameter has one type throughout the domain";
            reporter.refuse_help(action.name.span, &what, help);
        }
    }
    let rest = |domain: &Domain| {
        let domain = Domain {
            requirements: Vec::new(),
            fluents: Vec::new(),
            actions: Vec::new(),
            ..domain.clone()
        };
        print_domain(&domain)
    };
    if reporter.is_sound()
        && (rest(domain) != rest(&read)
            || domain.fluents.len() != read.fluents.len()
            || domain.actions.len() != read.actions.len())
    {
        let help = format!(
            "besides predicates and actions such a domain holds this and no more: `{}`",
            words(&rest(&read))
        );
        reporter.refuse_help(start(domain), "what else the domain says", &help);
    }
}

/// An action whose conditions are in an order that does not depend on how they were written.
fn in_order(action: &Action) -> Action {
    let mut action = action.clone();
    if let Some(Formula::And(parts, _)) = &mut action.precondition {
        parts.sort_by_cached_key(print_formula);
    }
    action
}

/// The signature of a declaration; the names of its parameters do not matter.
fn signature(fluent: &FluentDecl) -> (String, Vec<String>, BTreeSet<(usize, String)>, bool) {
    let params: Vec<&str> = fluent.params.iter().map(|p| p.name.text.as_str()).collect();
    let number = |name: &str| params.iter().position(|param| *param == name);
    let types = fluent.params.iter().map(|param| match &param.ty {
        Some(TypeExpr::Named(of)) => of.text.to_string(),
        other => format!("{other:?}"),
    });
    let texts = fluent.texts.iter().map(|fluent_text| {
        let of = fluent_text.of.as_ref().and_then(|of| number(&of.text));
        let parts = fluent_text.text.parts.iter().map(|part| match part {
            TemplatePart::Text(text) => text.clone(),
            TemplatePart::Slot(Term::Variable(name)) => format!("{{{:?}}}", number(&name.text)),
            TemplatePart::Slot(_) => String::new(),
        });
        (of.unwrap_or_default(), parts.collect())
    });
    let is_plain = fluent.range.is_none() && !fluent.transient;
    let texts = texts.collect();
    (
        fluent.name.text.to_string(),
        types.collect(),
        texts,
        is_plain,
    )
}

/// Reports what of a problem has not come back.
pub(super) fn problems(
    domain: &Domain,
    problem: &Problem,
    exported: &Exported,
    goal: &Goal,
    reporter: &mut Reporter<'_>,
) {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let name = problem.name.as_ref().map_or("task", |name| &name.text);
    let mut file = |text| File {
        source: sources.add("exported", text),
        text,
    };
    let files = (file(&exported.domain), file(&exported.environment));
    let options = Options {
        turns: Some(Turns::of(domain)),
        pool: None,
    };
    let read = robotouille::import(files.0, files.1, name, &options, &mut diagnostics);
    let at = problem.name.as_ref().map_or(problem.span, |name| name.span);
    let Some((_, read)) = read else {
        unreadable(at, &diagnostics, reporter);
        return;
    };
    let objects = |problem: &Problem| {
        print_problem(&Problem {
            objects: problem.objects.clone(),
            ..Problem::default()
        })
    };
    if objects(problem) != objects(&read) {
        let at = problem
            .objects
            .first()
            .map_or(at, |object| object.name.span);
        let help = format!(
            "those that are read back are `{}`: objects are numbered from 1 by name, and of what can \
             be created there is as much as the goal asks for",
            words(&objects(&read))
        );
        reporter.refuse_help(at, "these objects", &help);
        return;
    }
    let facts = |problem: &Problem| -> BTreeSet<String> {
        let facts = problem.init.iter().map(|item| {
            print_problem(&Problem {
                init: vec![item.clone()],
                ..Problem::default()
            })
        });
        facts.collect()
    };
    let (ours, theirs) = (facts(problem), facts(&read));
    if let Some(lost) = ours.symmetric_difference(&theirs).next() {
        let what = format!("the start, where `{}` differs,", words(lost));
        let help = "what holds at the start follows from positions: of what lies, stands and is held \
                    where, and of what is empty, free or at the top";
        reporter.refuse_help(at, &what, help);
    }
    let key = |problem: &Problem, names: &BTreeMap<String, String>| {
        let (clean, upstream) = readings(problem.goal.as_ref()?);
        let key = |goal| Flat::new(goal).key(names);
        Some((key(clean), key(upstream)))
    };
    if key(problem, &goal.names) != key(&read, &BTreeMap::new()) {
        let at = problem.goal.as_ref().map_or(at, Formula::span);
        let help = "a variable stands for the objects whose names contain its sort, different ones of \
                    one sort for different objects";
        reporter.refuse_help(at, "this goal", help);
    }
    if problem.metric.is_some()
        || problem.horizon.is_some()
        || problem.fail.is_some()
        || problem.end.is_some()
    {
        reporter.refuse(at, "a metric, a horizon, losing states or another end");
    }
}

fn unreadable(at: Span, diagnostics: &Diagnostics, reporter: &mut Reporter<'_>) {
    let mut messages = diagnostics.iter().map(|diagnostic| &*diagnostic.message);
    let help = messages.next().unwrap_or_default().to_owned();
    reporter.refuse_help(at, "what this holds", &help);
}

/// Text on one line.
fn words(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}
