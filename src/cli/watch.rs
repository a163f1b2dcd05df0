//! The progress of a search, shown while it runs: how far bound and best plan are apart.

use std::cell::Cell;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use serde::Serialize;

use super::control::Deadline;
use super::key::Key;
use super::printer::Printer;
use crate::diagnostics::words::counted;
use crate::report::cost::Amount;
use crate::search::{Control, Progress, StopReason, Value};
use crate::task::PackedTask;

/// The interval of lines where standard error is no terminal, and of events without news.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// The least interval between events for a better bound alone.
const BOUND_EVERY: Duration = Duration::from_secs(1);

/// The form in which progress is shown, on standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ProgressForm {
    /// A line that is drawn anew on a terminal; elsewhere a line every ten seconds.
    #[default]
    Text,
    /// A JSON object a line: at each better plan, at a better bound once a second, and every ten seconds.
    Json,
    /// Not at all.
    None,
}

/// A deadline that shows how the search for a plan of a task stands.
pub(super) struct Watch<'a> {
    deadline: &'a Deadline<'a>,
    printer: &'a Printer,
    task: &'a PackedTask,
    key: Key,
    form: ProgressForm,
    start: Instant,
    last_line: Cell<Instant>,
    known: Cell<Option<Progress>>,
    /// What the last event said.
    printed: Cell<Option<Progress>>,
}

/// The differences of a report from the last event.
struct News {
    /// True if the plan is better.
    plan: bool,
    /// True if the bound is better.
    bound: bool,
}

/// A report as a JSON object.
#[derive(Debug, Serialize)]
struct Report {
    event: &'static str,
    seconds: f64,
    bounded: &'static str,
    lower_bound: Option<Amount>,
    upper_bound: Option<Amount>,
    gap: Option<f64>,
    states: u64,
}

impl<'a> Watch<'a> {
    pub(super) fn new(
        deadline: &'a Deadline<'a>,
        printer: &'a Printer,
        task: &'a PackedTask,
        key: Key,
        form: ProgressForm,
    ) -> Self {
        let now = Instant::now();
        Self {
            deadline,
            printer,
            task,
            key,
            form,
            start: now,
            last_line: Cell::new(now),
            known: Cell::new(None),
            printed: Cell::new(None),
        }
    }

    /// Prints what became known last as an event, if none has said it.
    pub(super) fn end(&self) {
        if let Some(known) = self.known.get() {
            let news = self.news(&known);
            if news.plan || news.bound {
                self.print_event(&known);
            }
        }
    }

    fn news(&self, known: &Progress) -> News {
        let of = |value: Option<Value>| value.map(|value| self.key.of(self.task, value));
        let printed = self.printed.get();
        let differs = |of: &dyn Fn(&Progress) -> Option<Amount>| {
            (printed.as_ref()).is_none_or(|printed| of(printed) != of(known))
        };
        News {
            plan: differs(&|it| of(it.upper)),
            bound: differs(&|it| of(it.lower)),
        }
    }

    fn print_event(&self, known: &Progress) {
        if self.form == ProgressForm::Json {
            self.last_line.set(Instant::now());
            self.printed.set(Some(*known));
            self.printer.event(&self.event(known));
        }
    }

    fn event(&self, progress: &Progress) -> Report {
        let of = |value| self.key.of(self.task, value);
        let (proven, found) = (progress.lower.map(of), progress.upper.map(of));
        let (lower_bound, upper_bound) = if self.key.is_maximised(self.task) {
            (found, proven)
        } else {
            (proven, found)
        };
        Report {
            event: "progress",
            seconds: (self.start.elapsed().as_secs_f64() * 1e3).round() / 1e3,
            bounded: self.key.name(),
            lower_bound,
            upper_bound,
            gap: lower_bound.zip(upper_bound).and_then(gap),
            states: progress.states,
        }
    }

    /// Prints what is known once ten seconds have passed since the last line, or an event where there is news.
    fn print_if_due(&self) {
        let Some(known) = self.known.get() else {
            return;
        };
        let since = self.last_line.get().elapsed();
        let is_due = since >= LINE_EVERY;
        match self.form {
            ProgressForm::Text if is_due => {
                self.last_line.set(Instant::now());
                self.printer
                    .line_off_terminal(|| self.event(&known).sentence());
            }
            ProgressForm::Json => {
                let news = self.news(&known);
                if is_due || news.plan || news.bound && since >= BOUND_EVERY {
                    self.print_event(&known);
                }
            }
            ProgressForm::Text | ProgressForm::None => {}
        }
    }
}

impl Control for Watch<'_> {
    fn stop(&self) -> Option<StopReason> {
        self.print_if_due();
        self.deadline.stop()
    }

    fn progress(&self, progress: &Progress) {
        self.known.set(Some(*progress));
        if self.form == ProgressForm::Text {
            self.printer.status(|| self.event(progress).sentence());
        }
        self.print_if_due();
    }
}

impl Report {
    fn sentence(&self) -> String {
        let known = match (self.lower_bound, self.upper_bound) {
            (Some(lower), Some(upper)) => format!(" between {lower} and {upper}"),
            (Some(lower), None) => format!(" at least {lower}"),
            (None, Some(upper)) => format!(" at most {upper}"),
            (None, None) => " unknown".to_owned(),
        };
        let gap = self
            .gap
            .map_or_else(String::new, |gap| format!(" ({})", gap_in_words(gap)));
        let states = counted(self.states, "state");
        format!(
            "searching: {:.0} s, {}{known}{gap}, {states}",
            self.seconds, self.bounded
        )
    }
}

/// The gap between two bounds of an optimum, as a part of the greater one: 0 where they meet, 1 where the
/// lesser is 0. `None` where the greater is 0 or less and they do not meet.
pub(super) fn gap((lower, upper): (Amount, Amount)) -> Option<f64> {
    let (lower, upper) = (lower.to_f64(), upper.to_f64());
    if lower >= upper {
        return Some(0.0);
    }
    (upper > 0.0).then(|| ((upper - lower) / upper * 1e4).round() / 1e4)
}

/// A gap as a percentage.
pub(super) fn gap_in_words(gap: f64) -> String {
    format!("gap {:.1} %", gap * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::cost::scaled;

    #[test]
    fn a_gap_is_a_part_of_the_greater_bound() {
        let of = |lower: i64, upper: i64| gap((scaled(lower, 1), scaled(upper, 1)));
        assert_eq!(of(30, 40), Some(0.25));
        assert_eq!(of(0, 7), Some(1.0));
        assert_eq!(of(5, 5), Some(0.0));
        assert_eq!(of(-3, 0), None);
    }
}
