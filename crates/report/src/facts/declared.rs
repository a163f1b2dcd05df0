//! Collects the declarations of a domain file.

use serde::Serialize;

use super::definitions::{self, Definition};
use brigade_syntax::ast::{Action, ActionKind, Domain, Name, TurnMode, Typed};
use brigade_syntax::printer::{print_signature, print_type};

/// The declarations of a domain, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DomainFacts {
    /// Its name; empty where the file gives none.
    pub domain: String,
    /// The semantics that it distinguishes; `clean` alone where it declares none.
    #[serde(rename = "named_semantics")]
    pub semantics: Vec<String>,
    /// The turn mode of the agents of a step.
    pub turns: &'static str,
    /// Types: `food - object`.
    pub types: Vec<String>,
    /// Constants: `chef - cook`.
    pub constants: Vec<String>,
    /// Predicates with their parameters.
    pub predicates: Vec<String>,
    /// Functions with their parameters and the type of their values.
    pub functions: Vec<String>,
    /// Rules for derived predicates, by their heads.
    pub derived: Vec<String>,
    /// Actions with their parameters; what is no plain action begins with its kind.
    pub actions: Vec<String>,
    /// Events with their parameters.
    pub events: Vec<String>,
    /// All that it defines beside semantics, types and constants, in full.
    pub definitions: Vec<Definition>,
}

impl DomainFacts {
    /// Of a domain that was read.
    pub fn new(domain: &Domain) -> Self {
        let fluents = domain.fluents.iter().map(|fluent| {
            let signature = print_signature(&fluent.name, &fluent.params);
            let signature = if fluent.transient {
                format!("{signature}, transient")
            } else {
                signature
            };
            (signature, fluent.range.as_ref())
        });
        let predicates = fluents.clone().filter(|(_, range)| range.is_none());
        let functions = fluents
            .filter_map(|(signature, range)| Some(format!("{signature} - {}", print_type(range?))));
        let rules = domain.derived.iter();
        let events = domain.events.iter();
        Self {
            domain: domain
                .name
                .as_ref()
                .map(|name| name.text.to_string())
                .unwrap_or_default(),
            semantics: semantics(domain),
            turns: match &domain.turns {
                None => turns_word(TurnMode::Sequential),
                Some(turns) if turns.any_order => "sequential, in any order",
                Some(turns) => turns_word(turns.mode),
            },
            types: domain.types.iter().map(typed).collect(),
            constants: domain.constants.iter().map(typed).collect(),
            predicates: predicates.map(|(signature, _)| signature).collect(),
            functions: functions.collect(),
            derived: rules
                .map(|rule| print_signature(&rule.name, &rule.params))
                .collect(),
            actions: domain.actions.iter().map(action).collect(),
            events: events
                .map(|event| print_signature(&event.name, &event.parameters))
                .collect(),
            definitions: definitions::of_domain(domain),
        }
    }
}

/// The word for a mode in `(:turns …)`.
pub(super) const fn turns_word(mode: TurnMode) -> &'static str {
    match mode {
        TurnMode::Sequential => "sequential",
        TurnMode::Simultaneous => "simultaneous",
        TurnMode::Alternate => "alternate",
    }
}

/// The semantics that a domain declares; `clean` alone where it declares none.
fn semantics(domain: &Domain) -> Vec<String> {
    if domain.semantics.is_empty() {
        return vec!["clean".to_owned()];
    }
    let names = domain.semantics.iter();
    names.map(Name::key).collect()
}

fn typed(typed: &Typed) -> String {
    let ty = typed.ty.as_ref().map(print_type);
    format!(
        "{} - {}",
        typed.name.text,
        ty.as_deref().unwrap_or("object")
    )
}

fn action(action: &Action) -> String {
    let agent = action.agent.iter().cloned();
    let parameters: Vec<Typed> = agent.chain(action.parameters.iter().cloned()).collect();
    let signature = print_signature(&action.name, &parameters);
    match action.kind {
        ActionKind::Instant => signature,
        ActionKind::Primitive => format!("primitive {signature}"),
        ActionKind::Durative => format!("durative {signature}"),
        ActionKind::Option => format!("option {signature}"),
    }
}
