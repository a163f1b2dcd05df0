//! The reports of a search to its caller: the bound and the best plan never get worse.

use std::cell::Cell;

use crate::control::{Control, Progress, StopReason};
use crate::measure::Measure;

/// A control that adds to each report what earlier ones have said.
pub(crate) struct Reports<'c> {
    control: &'c dyn Control,
    measure: Measure,
    known: Cell<Progress>,
}

impl<'c> Reports<'c> {
    /// Reports to a control.
    pub(crate) const fn new(control: &'c dyn Control, measure: Measure) -> Self {
        Self {
            control,
            measure,
            known: Cell::new(Progress {
                states: 0,
                lower: None,
                upper: None,
            }),
        }
    }
}

impl Control for Reports<'_> {
    fn stop(&self) -> Option<StopReason> {
        self.control.stop()
    }

    /// Where `states` is 0, the report is of something beside the attempts: their last count stays.
    fn progress(&self, progress: &Progress) {
        let known = self.known.get();
        let lower = progress.lower.into_iter().chain(known.lower);
        let upper = progress.upper.into_iter().chain(known.upper);
        let all = Progress {
            states: if progress.states > 0 {
                progress.states
            } else {
                known.states
            },
            lower: lower.max_by_key(|&value| self.measure.keys(value)),
            upper: upper.min_by_key(|&value| self.measure.keys(value)),
        };
        self.known.set(all);
        self.control.progress(&all);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::algorithms::anytime::testing::marsh;
    use crate::options::Objective;
    use crate::plans::plan::Value;

    #[derive(Default)]
    struct Heard(RefCell<Vec<Progress>>);

    impl Control for Heard {
        fn stop(&self) -> Option<StopReason> {
            None
        }

        fn progress(&self, progress: &Progress) {
            self.0.borrow_mut().push(*progress);
        }
    }

    fn makespan(makespan: u32) -> Value {
        Value {
            makespan,
            ..Value::default()
        }
    }

    #[test]
    fn a_report_repeats_the_best_bound_and_the_best_plan() {
        let heard = Heard::default();
        let reports = Reports::new(&heard, Measure::new(&marsh(), Objective::Makespan));
        let say = |states, lower, upper| {
            reports.progress(&Progress {
                states,
                lower,
                upper,
            });
        };
        say(10, Some(makespan(5)), None);
        say(0, None, Some(makespan(20)));
        say(2, Some(makespan(3)), Some(makespan(30)));
        let last = heard.0.borrow().last().copied();
        assert_eq!(
            last,
            Some(Progress {
                states: 2,
                lower: Some(makespan(5)),
                upper: Some(makespan(20)),
            })
        );
    }
}
