//! Timed facts of `:init` that come true only after the problem has ended.

use brigade_compile::sema::model::Model;
use brigade_diagnostics::words::counted;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics, SourceId};
use brigade_syntax::ast::{InitItem, Problem, Time};

/// Reports them, by the horizon of the problem.
pub(super) fn check(
    problem: &Problem,
    source: SourceId,
    model: &Model,
    diagnostics: &mut Diagnostics,
) {
    let Some(horizon) = model.horizon else { return };
    for item in &problem.init {
        if let InitItem::Timed(Time { tick, .. }, _, span) = item
            && *tick > i64::from(horizon)
        {
            let ticks = counted(horizon as usize, "tick");
            let message =
                format!("a fact changes at tick {tick}, and the problem ends after {ticks}");
            diagnostics.push(
                Diagnostic::new(Code::TimedTooLate, message)
                    .primary(source, *span, "never happens")
                    .help("give it an earlier tick, or the problem a later `:horizon`"),
            );
        }
    }
}
