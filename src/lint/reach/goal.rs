//! Goals that the relaxation does not reach, with the chain that breaks.

use std::collections::BTreeSet;

use super::chain::{End, chain, failing};
use super::enabled::provide;
use super::schema::Solver;
use super::writers::{Need, Owner, nothing};
use super::{Asts, also};
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use crate::lint::places;
use crate::syntax::span::Span;

/// How many parts of a goal are told of.
const TOLD: usize = 3;

/// Says what the chains need.
pub(super) fn check(
    solver: &mut Solver<'_, '_>,
    asts: &Asts<'_>,
    diagnostics: &mut Diagnostics,
) -> BTreeSet<Need> {
    let model = solver.model;
    let mut needs = BTreeSet::new();
    let (Some(goal), Some(formula)) = (&model.goal, &asts.problem.goal) else {
        return needs;
    };
    let mut at = vec![None; goal.variables.len()];
    let mut parts = Vec::new();
    failing(
        solver,
        &goal.cond,
        &goal.variables,
        &mut at,
        &mut parts,
        TOLD,
    );
    for (cond, at) in parts {
        let (links, end) = chain(solver, cond, &goal.variables, &at);
        let Some(first) = links.first() else { continue };
        needs.extend(links.iter().filter_map(|link| link.need.clone()));
        let place =
            places::within(formula, cond, model, &goal.variables).unwrap_or_else(|| formula.span());
        let message = format!(
            "the goal can never be reached: `{}` never holds",
            first.text
        );
        let label = absorbed(asts, place, diagnostics).unwrap_or_else(|| "never holds".to_owned());
        let mut diagnostic = Diagnostic::new(Code::GoalOutOfReach, message).primary(
            asts.files.problem,
            place,
            label,
        );
        let mut story = Vec::new();
        let mut before = format!("`{}`", first.text);
        for link in &links[1..] {
            let Some((owner, name)) = link.by else {
                continue;
            };
            let place = asts.place_of(owner, link.cond, model, link.variables);
            let who = match owner {
                Owner::Action(_) => format!("`{name}`"),
                Owner::Event(_) => format!("the event `{name}`"),
                Owner::Axiom(_) => "its rule".to_owned(),
            };
            diagnostic = diagnostic.secondary(
                asts.files.domain,
                place,
                format!("{who} needs `{}`, which never holds", link.text),
            );
            story.push(format!("{before} takes {who}, which needs `{}`", link.text));
            "that".clone_into(&mut before);
        }
        let last = links.last().unwrap_or(first);
        let mut ending = String::new();
        let mut help = None;
        if let Some(need) = &last.need {
            let declared = asts.declared(model, need.fluent);
            let declared = declared.map(|span| (asts.files.domain, span));
            match &end {
                End::Nothing => {
                    ending = nothing(model, need).replace(" it ", " that ");
                    diagnostic = also(
                        diagnostic,
                        declared,
                        format!("`{}`: {}", last.text, nothing(model, need)),
                    );
                    help = Some(provide(solver, need, &last.text));
                }
                End::Circle(name) => {
                    ending = format!("that takes `{name}`, which needs one of these facts again");
                    help = Some(format!(
                        "give `{}` in `:init`, or make it so in another way",
                        last.text
                    ));
                }
                End::Writer(name) => {
                    ending = format!("that takes `{name}`, which is never possible here");
                    help = Some(format!("look at the conditions of `{name}`"));
                }
                End::Other => {}
            }
        }
        if links.len() > 1 {
            story.extend((!ending.is_empty()).then_some(ending));
            diagnostic = diagnostic.help(story.join("; "));
        }
        let help = help.unwrap_or_else(|| {
            "change the goal, or give the objects and facts that it counts on".to_owned()
        });
        diagnostics.push(diagnostic.help(help));
    }
    needs
}

/// Takes out the report that ranges decide this part of the goal, and says what that said.
fn absorbed(asts: &Asts<'_>, place: Span, diagnostics: &mut Diagnostics) -> Option<String> {
    let mut text = None;
    diagnostics.retain(|diagnostic| {
        let is_this = diagnostic.code == Code::ComparisonDecided
            && diagnostic
                .place()
                .is_some_and(|label| label.source == asts.files.problem && label.span == place);
        if is_this {
            text = diagnostic.place().map(|label| label.text.clone());
        }
        !is_this
    });
    text
}
