//! Checks of what the delete relaxation of a problem does not reach.

mod advice;
mod asts;
mod causes;
mod chain;
mod delays;
mod enabled;
mod excluded;
mod goal;
mod idle;
mod numbers;
mod repair;
mod schema;
mod solver;
mod unrelated;
mod writers;

pub(super) use asts::Asts;
use brigade_compile::ground::relaxed::Relaxed;
use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostics};
use solver::Solver;

/// All checks of reachability but those of labels.
pub(super) fn check(relaxed: &mut Relaxed<'_>, asts: &Asts<'_>, diagnostics: &mut Diagnostics) {
    let mut solver = Solver::new(relaxed);
    let mut reported = goal::check(&mut solver, asts, diagnostics);
    let taken = enabled::check(&mut solver, asts, &mut reported, diagnostics);
    // The report on a goal or an action names the facts that it lacks.
    let lacking: Vec<Span> = reported
        .fluents
        .iter()
        .filter_map(|fluent| asts.declared(solver.model, *fluent))
        .collect();
    diagnostics.retain(|diagnostic| {
        diagnostic.code != Code::NeverTrue
            || !diagnostic
                .place()
                .is_some_and(|label| lacking.contains(&label.span))
    });
    if reported.needs.is_empty() {
        excluded::check(&mut solver, asts, diagnostics);
    }
    delays::check(&mut solver, asts, diagnostics);
    let is_out_of_reach = !reported.needs.is_empty();
    let is_known = (is_out_of_reach, reported.explains_actions());
    idle::check(&mut solver, asts, &taken, is_known, diagnostics);
}
