//! Judges a problem: it can be solved, and its optimum lies in the wanted range.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

use brigade_search::{
    Control, DeepeningChoice, Invalid, Outcome, Progress, SearchOptions, StopReason, solve, verify,
};
use brigade_task::PackedTask;

/// The makespans that an optimum may have, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The least.
    pub least: u32,
    /// The greatest.
    pub greatest: u32,
}

/// The reason why a text is no range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRange {
    /// It has another form.
    #[error("not a number of steps such as 24, nor a range such as 20..30")]
    Form,
    /// Its end is before its beginning.
    #[error("the range ends before it begins")]
    Empty,
}

impl FromStr for Range {
    type Err = NoRange;

    fn from_str(text: &str) -> Result<Self, NoRange> {
        let number = |text: &str| text.parse().map_err(|_| NoRange::Form);
        let (least, greatest) = text.split_once("..").unwrap_or((text, text));
        let (least, greatest) = (number(least)?, number(greatest)?);
        if greatest < least {
            return Err(NoRange::Empty);
        }
        Ok(Self { least, greatest })
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.least, self.greatest)
    }
}

/// The proven verdict on a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The optimum, proven, and in the range if there is one.
    Optimum(u32),
    /// A plan of so many steps exists; the optimum was not asked for, and not proven.
    Solvable(u32),
    /// The optimum is less than the range allows.
    Below(u32),
    /// The optimum is more than the range allows.
    Above,
    /// No plan exists.
    Unsolvable,
    /// The limit on states or on memory came before an answer.
    Undecided,
}

impl Verdict {
    /// Returns true if the problem is one that was asked for.
    pub const fn is_wanted(self) -> bool {
        matches!(self, Self::Optimum(_) | Self::Solvable(_))
    }
}

/// Stops a search that has proven more than the greatest optimum allowed.
struct Ceiling<'c> {
    control: &'c dyn Control,
    greatest: Option<u32>,
    exceeded: AtomicBool,
}

impl Control for Ceiling<'_> {
    fn stop(&self) -> Option<StopReason> {
        if self.exceeded.load(Ordering::Relaxed) {
            return Some(StopReason::Interrupted);
        }
        self.control.stop()
    }

    fn progress(&self, progress: &Progress) {
        let lower = progress.lower.map(|value| value.makespan);
        if let (Some(lower), Some(greatest)) = (lower, self.greatest)
            && lower > greatest
        {
            self.exceeded.store(true, Ordering::Relaxed);
        }
        self.control.progress(progress);
    }
}

/// Judges a problem. The answer depends on the task and the options alone.
///
/// `Err` holds what stopped the search if that was time or someone, or else what is wrong with the plan
/// that it found: a bug.
pub fn judge(
    task: &PackedTask,
    range: Option<Range>,
    options: &SearchOptions,
    control: &dyn Control,
) -> Result<Verdict, Unjudged> {
    let ceiling = Ceiling {
        control,
        greatest: range.map(|range| range.greatest),
        exceeded: AtomicBool::new(false),
    };
    let options = options.clone().with_deepening(DeepeningChoice::Never);
    let result = solve(task, &options, &ceiling);
    if let Some(plan) = result.outcome.plan() {
        verify(task, plan)?;
    }
    Ok(match (&result.outcome, range) {
        (Outcome::Solved(plan), None) => Verdict::Optimum(plan.value.makespan),
        (Outcome::Solved(plan), Some(range)) => match plan.value.makespan {
            optimum if optimum < range.least => Verdict::Below(optimum),
            optimum if optimum > range.greatest => Verdict::Above,
            optimum => Verdict::Optimum(optimum),
        },
        (Outcome::Unsolvable, _) => Verdict::Unsolvable,
        (
            Outcome::Bounded {
                lower,
                upper,
                reason,
            },
            range,
        ) => {
            let lower = lower.map_or(0, |value| value.makespan);
            match (range, upper, reason) {
                (Some(range), _, _) if lower > range.greatest => Verdict::Above,
                (_, _, StopReason::Time | StopReason::Interrupted) => {
                    return Err(Unjudged::Stopped(*reason));
                }
                (None, Some(plan), _) => Verdict::Solvable(plan.value.makespan),
                _ => Verdict::Undecided,
            }
        }
    })
}

/// The reason why there is no verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unjudged {
    /// The time is over, or someone asked to stop.
    #[error("{0}")]
    Stopped(StopReason),
    /// A plan that was found does not stand its test.
    #[error(transparent)]
    Plan(#[from] Invalid),
}

#[cfg(test)]
mod tests {
    use super::*;
    use brigade_compile::{ground, sema};
    use brigade_diagnostics::{Diagnostics, Sources};
    use brigade_search::Unlimited;

    fn task(goal: &str) -> PackedTask {
        let domain = "
            (define (domain counting)
              (:predicates (at ?n) (next ?n ?m))
              (:action count :parameters (?n ?m)
                :precondition (and (at ?n) (next ?n ?m))
                :effect (and (at ?m) (not (at ?n)))))";
        let problem = format!(
            "(define (problem p) (:domain counting) (:objects a b c d e)
               (:init (at a) (next a b) (next b c) (next c d)) (:goal (at {goal})))"
        );
        let mut found = Diagnostics::new();
        let mut sources = Sources::new();
        let files = sema::Files {
            domain: sources.add("domain", domain),
            problem: sources.add("problem", &*problem),
        };
        let domain = brigade_syntax::parse_domain(files.domain, domain, &mut found);
        let problem = brigade_syntax::parse_problem(files.problem, &problem, &mut found);
        let options = sema::Options::default();
        let model = sema::resolve(&domain, &problem, &options, files, &mut found).unwrap();
        ground::ground(&model, &ground::Options::default()).unwrap()
    }

    fn judged(goal: &str, range: Option<&str>, max_states: Option<u64>) -> Verdict {
        let options = SearchOptions::default().with_max_states(max_states);
        let range = range.map(|text| text.parse().unwrap());
        judge(&task(goal), range, &options, &Unlimited).unwrap()
    }

    #[test]
    fn an_optimum_is_in_its_range_below_or_above() {
        assert_eq!(judged("d", None, None), Verdict::Optimum(3));
        assert_eq!(judged("d", Some("2..3"), None), Verdict::Optimum(3));
        assert_eq!(judged("d", Some("3"), None), Verdict::Optimum(3));
        assert_eq!(judged("d", Some("4..9"), None), Verdict::Below(3));
        assert_eq!(judged("d", Some("1..2"), None), Verdict::Above);
        assert_eq!(judged("e", Some("1..2"), None), Verdict::Unsolvable);
        assert_eq!(judged("d", None, Some(2)), Verdict::Undecided);
    }

    #[test]
    fn a_range_is_a_number_or_two() {
        let range = |text: &str| text.parse::<Range>();
        assert_eq!(range("20..30").unwrap().to_string(), "20..30");
        assert_eq!(range("24").unwrap().to_string(), "24..24");
        assert_eq!(range("30..20"), Err(NoRange::Empty));
        for text in ["", "..", "3..", "..3", "a..b", "-1..3", "1..2..3"] {
            assert_eq!(range(text), Err(NoRange::Form), "{text}");
        }
    }
}
