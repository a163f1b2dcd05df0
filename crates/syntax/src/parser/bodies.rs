//! Conditions, effects and facts that could not be read: nothing is declared in them that other sections need,
//! so that names are checked all the same elsewhere.

use super::super::tree::Tree;
use super::context::Context;
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostic};

/// Keywords of actions and events whose values declare nothing beyond themselves.
const BODIES: &[&str] = &[
    "precondition",
    "condition",
    "effect",
    "policy",
    "until",
    "else",
    "label",
    "text",
];

/// Sections of which that holds as a whole.
const SECTIONS: &[&str] = &["goal", "fail", "end", "metric", "init", "facts", "layout"];

/// Returns true if it says that something within a list could not be read, the list itself having its end.
fn is_within(diagnostic: &Diagnostic) -> bool {
    let code = diagnostic.code;
    matches!(code, Code::UnexpectedCharacter | Code::MalformedConstruct)
        && diagnostic.may_lose_declarations()
}

impl Context<'_> {
    /// Notes of what could not be read in a body that it hides nothing but what is said of its section,
    /// and of a fact nothing.
    pub(super) fn settle_bodies(&mut self, sections: &[Tree<'_>]) {
        let found = self.diagnostics.iter().filter(|it| is_within(it));
        let mut unread: Vec<u32> = found
            .filter_map(Diagnostic::place)
            .filter(|place| place.source == self.source)
            .map(|place| place.span.start)
            .collect();
        unread.sort_unstable();
        if unread.is_empty() {
            return;
        }
        for section in sections {
            let from = unread.partition_point(|at| *at < section.span.start);
            let until = unread.partition_point(|at| *at < section.span.end);
            if from == until {
                continue;
            }
            let mut are_all_in_bodies = true;
            let bodies = bodies(section);
            for at in &unread[from..until] {
                let body = bodies
                    .iter()
                    .find(|body| body.start <= *at && *at < body.end);
                match body {
                    Some(body) => self.diagnostics.mend(self.source, *body, is_within),
                    None => are_all_in_bodies = false,
                }
            }
            // Nothing is bound among facts that the others could use.
            let binds = !section.items().is_some_and(|items| is_of_facts(items));
            if are_all_in_bodies && binds {
                self.diagnostics.doubt(self.source, section.span);
            }
        }
    }
}

fn is_of_facts(section: &[Tree<'_>]) -> bool {
    let head = section.first();
    head.is_some_and(|head| head.is_keyword("init") || head.is_keyword("facts"))
}

/// The parts of a section that declare nothing beyond themselves.
fn bodies(section: &Tree<'_>) -> Vec<Span> {
    let Some([head, items @ ..]) = section.items() else {
        return Vec::new();
    };
    let is_one_of = |tree: &Tree<'_>, keys: &[&str]| keys.iter().any(|key| tree.is_keyword(key));
    if is_one_of(head, SECTIONS) {
        return vec![section.span];
    }
    let mut bodies: Vec<Span> = Vec::new();
    let mut is_body = false;
    for item in items {
        if item.keyword().is_some() {
            is_body = is_one_of(item, BODIES);
        } else if is_body {
            bodies.push(item.span);
        }
    }
    bodies
}
