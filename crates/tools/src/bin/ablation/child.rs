//! One run, in a process of its own.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use brigade::search::{
    Attempt, AttemptEnd, Control, Method, SearchResult, StopReason, allows_pruning, solve as search,
};
use brigade_tools::ablation::{Configuration, Instance, Outcome, Run};

/// The CPU time of the process is looked at so often.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// A process that polls nothing ends so many seconds after its limit.
const GRACE: u64 = 20;

/// Stops a search once the process has used up its CPU time.
struct CpuTime(Arc<AtomicBool>);

impl Control for CpuTime {
    fn stop(&self) -> Option<StopReason> {
        self.0.load(Ordering::Relaxed).then_some(StopReason::Time)
    }
}

impl CpuTime {
    fn limit(seconds: u64) -> Result<Self, Box<dyn Error>> {
        limit_process(seconds.saturating_add(GRACE))?;
        let over = Arc::new(AtomicBool::new(false));
        let watched = Arc::clone(&over);
        thread::spawn(move || {
            while used().is_ok_and(|used| used < seconds as f64) {
                thread::sleep(LOOK_EVERY);
            }
            watched.store(true, Ordering::Relaxed);
        });
        Ok(Self(over))
    }
}

/// CPU seconds of this process up to now, user and system.
#[cfg(unix)]
fn used() -> Result<f64, Box<dyn Error>> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;

    let usage = getrusage(UsageWho::RUSAGE_SELF)?;
    let time = usage.user_time() + usage.system_time();
    Ok(time.num_microseconds() as f64 / 1e6)
}

#[cfg(unix)]
fn limit_process(seconds: u64) -> Result<(), Box<dyn Error>> {
    use nix::sys::resource::{Resource, setrlimit};

    Ok(setrlimit(Resource::RLIMIT_CPU, seconds, seconds)?)
}

#[cfg(not(unix))]
fn used() -> Result<f64, Box<dyn Error>> {
    Err("CPU time is measured on Unix only".into())
}

#[cfg(not(unix))]
fn limit_process(_: u64) -> Result<(), Box<dyn Error>> {
    used().map(|_| ())
}

/// Solves an instance within so many CPU seconds.
pub(crate) fn solve(
    instance: &Instance,
    configuration: Configuration,
    seconds: u64,
) -> Result<Run, Box<dyn Error>> {
    let control = CpuTime::limit(seconds)?;
    let options = configuration.options();
    let Ok(compiled) = instance.compile() else {
        let refused = Run::new(&instance.name, configuration, Outcome::Refused);
        return Ok(Run {
            cpu: used()?,
            ..refused
        });
    };
    let task = compiled.task();
    let result = search(task, &options, &control);
    let cpu = used()?;
    Ok(Run {
        cpu,
        may_prune: allows_pruning(task, &options),
        ..summary(instance, configuration, &result)
    })
}

fn summary(instance: &Instance, configuration: Configuration, result: &SearchResult) -> Run {
    use brigade::search::Outcome as Found;

    let (outcome, plan) = match &result.outcome {
        Found::Solved(plan) => (Outcome::Proven, Some(plan)),
        Found::Unsolvable => (Outcome::Unsolvable, None),
        Found::Bounded { .. } => (Outcome::Limit, None),
    };
    let made = result.attempts.iter();
    let made: Vec<&Attempt> = made
        .filter(|attempt| attempt.end != AttemptEnd::Inapplicable)
        .collect();
    let mut tried: Vec<String> = Vec::new();
    for lead in made.iter().map(|attempt| lead(attempt)) {
        if !tried.contains(&lead) {
            tried.push(lead);
        }
    }
    Run {
        makespan: plan.map(|plan| plan.value.makespan),
        cost: plan.map(|plan| plan.value.cost),
        states: made.iter().map(|attempt| attempt.states).sum(),
        expanded: result.statistics.expanded,
        peak_bytes: result.statistics.peak_bytes as u64,
        tried,
        last: made.last().map(|attempt| lead(attempt)),
        has_symmetry: made.iter().any(|attempt| attempt.interchangeable > 0),
        pruned: made.iter().filter_map(|attempt| attempt.pruned).sum(),
        ..Run::new(&instance.name, configuration, outcome)
    }
}

/// The guide of an attempt; of those that look for plans and of deepening their kind.
fn lead(attempt: &Attempt) -> String {
    match attempt.method {
        Method::Deepening => "deepening".to_owned(),
        method if method.is_for_plans() => "anytime".to_owned(),
        _ => attempt.guide.to_string(),
    }
}
