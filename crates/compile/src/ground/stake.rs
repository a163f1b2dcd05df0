//! Problems in which nothing is at stake: without a goal, and with a metric that nothing can change.
//!
//! That is what a kitchen without orders or a game without its deal comes to: each plan is optimal, and each score is the
//! same.

use crate::sema::model::Model;
use brigade_diagnostics::{Code, Diagnostic};
use brigade_task::{Metric, Task, cost_range};

/// A warning of a problem in which nothing is at stake, for a model and the task that it was grounded to.
pub fn nothing_at_stake(model: &Model, task: &Task) -> Option<Diagnostic> {
    let (source, span) = model.metric_place?;
    let counts = task.goal.is_none() && task.metric != Metric::Makespan;
    if !counts || cost_range::of_task(task) != Some((0, 0)) {
        return None;
    }
    let message = format!(
        "in `{}`, nothing is at stake: there is no goal, and nothing that can happen changes the metric",
        model.problem
    );
    Some(
        Diagnostic::new(Code::NothingAtStake, message)
            .primary(source, span, "every plan is worth the same")
            .help(
                "a stream may be missing: `--init FILE` lays orders or a deal over the problem, and `brigade \
                 generate` draws them; `brigade check` shows what can never happen",
            ),
    )
}
