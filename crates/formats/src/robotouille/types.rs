//! Types that are used and not declared. The published loader does not compare them with
//! `object_types`, and fails on them where it makes a state. Here they are types all the same, with a
//! warning.

use std::collections::{BTreeMap, BTreeSet};

use super::schema::{DomainFile, EnvironmentFile, FIELDS, Kind, Special};
use super::symbols::is_reserved_type;
use crate::fields::Reporter;
use crate::json::Text;
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, suggest};

/// Declares the types that the predicates and creations of a domain use, each reported where it is
/// used first.
pub(super) fn declare_used(file: &mut DomainFile, reporter: &mut Reporter<'_>) {
    let mut used: Vec<Text> = Vec::new();
    for predicate in &file.predicates {
        used.extend_from_slice(&predicate.params);
    }
    for action in &file.actions {
        created(&action.special, &mut used);
    }
    let declared: BTreeSet<String> = file.types.iter().map(|of| of.text.clone()).collect();
    // In the language case does not count.
    let by_key = |of: &Text| (of.text.to_ascii_lowercase(), of.text.clone());
    let mut known: BTreeMap<String, String> = file.types.iter().map(by_key).collect();
    let mut reported = BTreeSet::new();
    for of in used {
        if declared.contains(&of.text) || !reported.insert(of.text.clone()) {
            continue;
        }
        let (key, text) = by_key(&of);
        if let Some(other) = known.get(&key) {
            report(&of, Some(other), reporter);
            continue;
        }
        if !is_reserved_type(&of.text) {
            let near = suggest(&of.text, declared.iter().map(String::as_str));
            report(&of, near, reporter);
        }
        known.insert(key, text);
        file.types.push(of);
    }
}

/// Declares the types of what an environment holds, each reported at the first thing of it.
pub(super) fn declare_held(
    file: &mut DomainFile,
    environment: &EnvironmentFile,
    reporter: &mut Reporter<'_>,
) {
    for (entities, (_, of)) in environment.entities.iter().zip(FIELDS) {
        let Some(first) = entities.first() else {
            continue;
        };
        if file.types.iter().any(|known| known.text == of) {
            continue;
        }
        let same = |known: &&Text| known.text.eq_ignore_ascii_case(of);
        let other = file.types.iter().find(same);
        let text = of.to_owned();
        let span = first.name.span;
        report(&Text { text, span }, other.map(|it| &*it.text), reporter);
        if other.is_some() {
            continue;
        }
        // It stands nowhere in the file of the domain.
        let span = Span::new(file.span.start, file.span.start);
        let text = of.to_owned();
        file.types.push(Text { text, span });
    }
}

/// The types of what special effects create.
fn created(specials: &[Special], used: &mut Vec<Text>) {
    for special in specials {
        match &special.kind {
            // The published loader takes another in its place.
            Kind::Unknown => continue,
            Kind::Creation { of, .. } => used.push(of.clone()),
            _ => {}
        }
        created(&special.nested, used);
    }
}

fn report(of: &Text, near: Option<&str>, reporter: &mut Reporter<'_>) {
    let message = format!("`object_types` has no type `{}`", of.text);
    let label = "the published loader does not look, and its states fail";
    let diagnostic = reporter.at(Code::UndeclaredType, of.span, message, label);
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => "add it to `object_types` of the domain".to_owned(),
    };
    reporter.push(diagnostic.help(help));
}
