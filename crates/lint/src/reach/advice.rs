//! Advice for facts that are missing.

use super::solver::Solver;
use super::writers::{Need, Wanted};

/// Returns the advice for providing facts of one kind; `text` names them, in backquotes.
pub(super) fn provide(solver: &Solver<'_, '_>, need: &Need, text: &str) -> String {
    let fluent = &solver.model.fluents[need.fluent.index()];
    match need.wanted {
        Wanted::False => format!(
            "leave it out of `:init`, or add an effect `(not ({} …))`",
            fluent.name
        ),
        _ if !solver.relaxed.changes(need.fluent) => {
            format!(
                "give {text} in `:init`: no effect changes `{}`",
                fluent.name
            )
        }
        _ => format!("give {text} in `:init`, or add an effect that makes it so"),
    }
}
