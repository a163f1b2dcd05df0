//! Hints: the planner on demand.

use std::time::Duration;

use crate::agents::PolicyError;
use crate::cli::control::Deadline;
use crate::cli::plannable;
use crate::cli::printer::Printer;
use crate::diagnostics::words::{counted, presentable};
use crate::report::cost::scaled;
use crate::search::{Control, Outcome, SearchOptions, Start, StopReason, solve_from};
use crate::task::cond::Cond;
use crate::task::{PackedTask, State, TurnMode};

/// The time for which a person waits for a hint.
const LONGEST: Duration = Duration::from_secs(20);

/// Finds the best action of an agent, and how far the goal is.
pub(in crate::cli) struct Hints<'c> {
    printer: &'c Printer,
    options: SearchOptions,
    /// True if an agent may be hinted at what it does not observe.
    clairvoyant: bool,
}

impl<'c> Hints<'c> {
    /// Hints of searches with these options.
    pub(in crate::cli) const fn new(
        printer: &'c Printer,
        options: SearchOptions,
        clairvoyant: bool,
    ) -> Self {
        Self {
            printer,
            options,
            clairvoyant,
        }
    }

    /// A hint in words.
    pub(super) fn hint(
        &self,
        task: &PackedTask,
        state: &State,
        agent: usize,
    ) -> Result<String, PolicyError> {
        if !self.clairvoyant && !sees_all(task, agent) {
            return Ok("no hint: the planner knows what you are not shown".to_owned());
        }
        if plannable::check(task, "no hint").is_err() {
            return Ok("no hint: this problem cannot be planned".to_owned());
        }
        let start = Start {
            state,
            agent: match task.turns {
                TurnMode::Sequential => agent,
                TurnMode::Simultaneous | TurnMode::Alternate => 0,
            },
        };
        let deadline = Deadline::new(self.printer, Some(LONGEST));
        let result = solve_from(task, start, &self.options, &deadline);
        if deadline.stop() == Some(StopReason::Interrupted) {
            return Err(PolicyError::Limit(StopReason::Interrupted));
        }
        let is_best = matches!(result.outcome, Outcome::Solved(_));
        let Some(plan) = result.outcome.plan() else {
            return Ok(match result.outcome {
                Outcome::Unsolvable => "no plan leads to the goal from here".to_owned(),
                _ => format!("no hint: no plan was found in {} s", LONGEST.as_secs()),
            });
        };
        let mut own = plan.steps.iter();
        let own = own.find(|step| step.tick == 0 && usize::from(step.agent) == agent);
        let action = own.map_or("wait", |step| &task.operator(step.operator).text);
        let mut hint = format!(
            "{action} ({} to the end, if all go on as well as that",
            counted(plan.value.makespan, "tick"),
        );
        if plan.value.cost != 0 {
            hint.push_str(&format!(
                "; cost {}",
                scaled(plan.value.cost, task.cost_scale)
            ));
        }
        hint.push_str(if is_best {
            ")"
        } else {
            "; not proven to be the best)"
        });
        Ok(hint)
    }
}

/// A hint, or why there is none, as a line.
pub(super) fn line(hint: &str) -> String {
    let hint = presentable(hint);
    if hint.starts_with("no ") {
        hint
    } else {
        format!("hint: {hint}")
    }
}

/// Returns true if an agent observes every fact that there are words for.
fn sees_all(task: &PackedTask, agent: usize) -> bool {
    let mut lines = task.observation.parts.iter().flat_map(|part| &part.lines);
    lines.all(|line| match &line.observers {
        None => true,
        Some(observers) => observers.get(agent) == Some(&Cond::True),
    })
}
