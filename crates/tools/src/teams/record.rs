//! The record of the measurements: a line for the setting, and one for each task.

use serde::{Deserialize, Serialize};

use crate::results::{Added, Entry};

/// A line of the data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Line {
    /// The setting of the measurements.
    Setting(Setting),
    /// The results of a search on one task.
    Run(Run),
}

/// The setting of the measurements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// The commit that was measured.
    pub commit: String,
    /// Model of the processor, as the system names it.
    pub processor: String,
    /// The time limit of a search, in seconds by the clock.
    pub seconds: u64,
    /// The number of threads.
    pub threads: u32,
    /// Processes that wanted to run before the first search, on average over a minute.
    pub load: f64,
}

/// The results of a search on one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The key of the task.
    pub task: String,
    /// True if the plan is proven to be optimal.
    pub is_proven: bool,
    /// The objective of the best plan, if one was found.
    pub plan: Option<i64>,
    /// The proven bound of the objective, if there is one.
    pub bound: Option<i64>,
    /// Seconds until the first plan, by the clock.
    pub first_plan: Option<f64>,
    /// Seconds until the best plan, by the clock.
    pub best_plan: Option<f64>,
    /// Seconds of the whole run, by the clock.
    pub seconds: f64,
}

/// A report of a search that goes on.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Event {
    /// Seconds since it began.
    pub seconds: f64,
    /// The objective lies between these.
    pub lower_bound: Option<i64>,
    /// The upper end.
    pub upper_bound: Option<i64>,
}

impl Run {
    /// Takes in the reports of a search; of an objective of which more is better if `is_most`.
    pub fn new(task: String, is_most: bool, events: &[Event]) -> Self {
        let plan = |event: &Event| {
            if is_most {
                event.lower_bound
            } else {
                event.upper_bound
            }
        };
        let last = events.last();
        let best = last.and_then(plan);
        let since = |is: &dyn Fn(i64) -> bool| {
            let first = events.iter().find(|event| plan(event).is_some_and(is));
            first.map(|event| event.seconds)
        };
        Self {
            task,
            is_proven: false,
            plan: best,
            bound: last.and_then(|event| {
                if is_most {
                    event.upper_bound
                } else {
                    event.lower_bound
                }
            }),
            first_plan: since(&|_| true),
            best_plan: since(&|value| Some(value) == best),
            seconds: last.map_or(0.0, |event| event.seconds),
        }
    }

    /// Returns the gap between plan and bound, as a part of the greater one.
    pub(super) fn gap(&self) -> Option<f64> {
        let (plan, bound) = (self.plan?, self.bound?);
        let greater = plan.max(bound);
        if greater == 0 {
            return Some(0.0);
        }
        Some(plan.abs_diff(bound) as f64 / greater as f64)
    }
}

impl Entry for Line {
    /// The setting comes first; then the tasks.
    type Key = Option<String>;

    fn key(&self) -> Self::Key {
        match self {
            Self::Setting(_) => None,
            Self::Run(run) => Some(run.task.clone()),
        }
    }

    fn about(&self) -> String {
        self.key().unwrap_or_else(|| "the setting".to_owned())
    }

    fn succeed(&mut self, _: &mut Self) -> Added {
        Added::Taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(seconds: f64, lower: Option<i64>, upper: Option<i64>) -> Event {
        Event {
            seconds,
            lower_bound: lower,
            upper_bound: upper,
        }
    }

    #[test]
    fn the_first_plan_and_the_best_one_are_dated() {
        let events = [
            event(0.0, Some(1), None),
            event(1.0, Some(9), Some(14)),
            event(2.0, Some(9), Some(12)),
            event(3.0, Some(10), Some(12)),
        ];
        let run = Run::new("soup".to_owned(), false, &events);
        assert_eq!((run.plan, run.bound), (Some(12), Some(10)));
        assert_eq!((run.first_plan, run.best_plan), (Some(1.0), Some(2.0)));
        assert_eq!(run.gap(), Some(2.0 / 12.0));
    }

    #[test]
    fn the_plan_is_the_lower_end_where_more_is_better() {
        let events = [
            event(0.0, Some(0), Some(940)),
            event(4.0, Some(60), Some(300)),
        ];
        let run = Run::new("soups".to_owned(), true, &events);
        assert_eq!((run.plan, run.bound), (Some(60), Some(300)));
        assert_eq!((run.first_plan, run.best_plan), (Some(0.0), Some(4.0)));
        assert_eq!(run.gap(), Some(0.8));
    }

    #[test]
    fn nothing_is_known_of_a_search_without_reports() {
        let run = Run::new("soup".to_owned(), false, &[]);
        assert_eq!((run.plan, run.bound, run.gap()), (None, None, None));
    }
}
