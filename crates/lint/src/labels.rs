//! Finds actions that a log cannot distinguish: different ground actions of one agent with one label.
//!
//! Two instances of one action share a label where its author left a parameter out of it, which is plain to see there
//! and often meant. Reported are different actions, and instances of one whose label names all parameters, unless their
//! conditions exclude each other: then the state says which is meant.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use indexmap::map::Entry;
use rustc_hash::FxBuildHasher;

use super::reach::Asts;
use brigade_compile::ground::relaxed::Relaxed;
use brigade_compile::sema::model::{Action, ActionId, Label, TemplatePart, Term};
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics};
use brigade_syntax::ast::LabelClause;

/// With more ground actions than this, their labels are not compared.
const MOST: usize = 50_000;

/// The most pairs of one label that are compared.
const PAIRS: usize = 200;

pub(super) fn check(relaxed: &mut Relaxed<'_>, asts: &Asts<'_>, diagnostics: &mut Diagnostics) {
    if relaxed.operators().len() > MOST {
        return;
    }
    let model = relaxed.model();
    let operators: Vec<_> = relaxed
        .operators()
        .map(|operator| (operator.agent, operator.action))
        .collect();
    // Most labels are of one operator only: nothing is made for the others of its group.
    let mut by_label: IndexMap<(usize, String), (usize, Vec<usize>), FxBuildHasher> =
        IndexMap::default();
    for (at, &(agent, _)) in operators.iter().enumerate() {
        if let Some(label) = relaxed.label(at) {
            match by_label.entry((agent, label)) {
                Entry::Vacant(entry) => {
                    entry.insert((at, Vec::new()));
                }
                Entry::Occupied(mut entry) => entry.get_mut().1.push(at),
            }
        }
    }
    by_label.retain(|_, (_, others)| !others.is_empty());
    by_label.sort_unstable_keys();
    let groups = by_label.into_iter().map(|(key, (first, others))| {
        let group: Vec<usize> = std::iter::once(first).chain(others).collect();
        (key, group)
    });
    let mut reported: BTreeSet<(ActionId, ActionId)> = BTreeSet::new();
    for ((agent, label), group) in groups {
        let mut pairs = 0;
        for (place, &second) in group.iter().enumerate() {
            for &first in &group[..place] {
                pairs += 1;
                if pairs > PAIRS {
                    break;
                }
                let pair = (operators[first].1, operators[second].1);
                let differ = pair.0 != pair.1 || names_all(&model.actions[pair.0.index()]);
                if !differ || reported.contains(&pair) || relaxed.exclude(first, second) {
                    continue;
                }
                reported.insert(pair);
                let agent = model.agents.get(agent);
                let agent = agent.map(|agent| &*model.objects[agent.index()].name);
                diagnostics.push(report(asts, pair, &label, agent));
            }
        }
    }
}

/// Returns true if a label has a slot for every parameter but the agent.
fn names_all(action: &Action) -> bool {
    let Label::Text(template) = &action.label else {
        return false;
    };
    (usize::from(action.has_agent)..action.parameters).all(|parameter| {
        template.0.iter().any(|part| {
            matches!(part, TemplatePart::Object(Term::Variable(v)) if v.index() == parameter)
        })
    })
}

fn report(
    asts: &Asts<'_>,
    (first, second): (ActionId, ActionId),
    label: &str,
    agent: Option<&str>,
) -> Diagnostic {
    let place = |action: ActionId| -> (&str, Span) {
        let action = &asts.domain.actions[action.index()];
        let span = match &action.label {
            Some(LabelClause::Text(label)) => label.span,
            _ => action.name.span,
        };
        (&action.name.text, span)
    };
    let ((name, span), (other, at)) = (place(second), place(first));
    let of = agent.map_or(String::new(), |agent| format!(" of `{agent}`"));
    let message = if first == second {
        format!("two different instances of `{name}`{of} have the label `{label}`")
    } else {
        format!("`{other}` and `{name}`{of} can both have the label `{label}`")
    };
    let diagnostic = Diagnostic::new(Code::AmbiguousLabel, message).primary(
        asts.files.domain,
        span,
        "a log does not say which of the two was done",
    );
    let diagnostic = if first == second {
        diagnostic
    } else {
        diagnostic.secondary(asts.files.domain, at, "the other label")
    };
    diagnostic.help("let the labels differ, or silence this where the two count as one")
}
