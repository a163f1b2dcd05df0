//! The settings of a planner that plans while it acts: `planner:time=T,window=W`.

use std::cell::RefCell;
use std::rc::Rc;
use std::str::FromStr;
use std::time::{Duration, Instant};

use super::args::seconds;
use crate::agents::{OnlinePlans, Pace};
use crate::search::{Control, SearchOptions, StopReason};
use crate::task::PackedTask;

/// The time of a decision where no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The settings, as given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Online {
    time: Option<Duration>,
    window: Option<u32>,
    states: Option<u64>,
}

impl FromStr for Online {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut online = Self::default();
        for setting in text.split(',') {
            let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
            let (key, value) = (key.trim(), value.trim());
            let is_new = match key {
                "time" => online.time.replace(positive_seconds(value)?).is_none(),
                "window" => {
                    let window = positive(key, value, u32::MAX)?;
                    online.window.replace(window).is_none()
                }
                "states" => {
                    let states = positive(key, value, u64::MAX)?;
                    online.states.replace(states).is_none()
                }
                _ => {
                    return Err(format!(
                        "`planner` has no setting `{key}`: `planner:time=SECONDS,window=TICKS,states=N`, each of them \
                         optional"
                    ));
                }
            };
            if !is_new {
                return Err(format!("`{key}` of `planner` is given twice"));
            }
        }
        Ok(online)
    }
}

fn positive_seconds(value: &str) -> Result<Duration, String> {
    let time = seconds(value).ok().filter(|time| !time.is_zero());
    time.ok_or_else(|| {
        format!("`time` of `planner` is a number of seconds above 0, such as 0.5, not `{value}`")
    })
}

fn positive<T>(key: &str, value: &str, most: T) -> Result<T, String>
where
    T: Copy + FromStr + PartialOrd + From<u8> + std::fmt::Display,
{
    let number = value.parse().ok().filter(|number| *number >= T::from(1));
    number.ok_or_else(|| {
        format!("`{key}` of `planner` is a whole number from 1 to {most}, not `{value}`")
    })
}

impl std::fmt::Display for Online {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let time = self.time.map(|time| format!("time={}", time.as_secs_f64()));
        let window = self.window.map(|window| format!("window={window}"));
        let states = self.states.map(|states| format!("states={states}"));
        let settings: Vec<String> = [time, window, states].into_iter().flatten().collect();
        write!(f, "{}{}", Self::PREFIX, settings.join(","))
    }
}

impl Online {
    /// The beginning of such a policy's text.
    pub(super) const PREFIX: &str = "planner:";

    /// The settings in a policy's text, or what is wrong with them; `None` where it is another policy.
    pub(super) fn of_policy(text: &str) -> Option<Result<Self, String>> {
        text.trim().strip_prefix(Self::PREFIX).map(str::parse)
    }

    /// The limits of each decision, under those of a run.
    fn pace<'c>(&self, options: &SearchOptions, control: &'c dyn Control) -> Pace<'c> {
        let limited = self
            .time
            .or_else(|| self.states.is_none().then_some(DEFAULT_TIME));
        Pace {
            window: self.window.unwrap_or(u32::MAX),
            states: self.states,
            clock: Box::new(move |parts| {
                Box::new(Clock {
                    end: limited.and_then(|time| Instant::now().checked_add(time / parts)),
                    control,
                })
            }),
            options: options.clone(),
        }
    }
}

/// The plans of agents who plan while they act: those with the same settings follow the same one.
pub(super) struct SharedPlans<'c> {
    /// The task as its agents know it.
    known: &'c PackedTask,
    options: SearchOptions,
    control: &'c dyn Control,
    all: RefCell<Vec<(Online, Rc<RefCell<OnlinePlans<'c>>>)>>,
}

impl<'c> SharedPlans<'c> {
    /// None yet.
    pub(super) const fn new(
        known: &'c PackedTask,
        options: SearchOptions,
        control: &'c dyn Control,
    ) -> Self {
        Self {
            known,
            options,
            control,
            all: RefCell::new(Vec::new()),
        }
    }

    /// The plans under these settings.
    pub(super) fn with(&self, online: &Online) -> Rc<RefCell<OnlinePlans<'c>>> {
        let mut all = self.all.borrow_mut();
        if let Some((_, plans)) = all.iter().find(|(other, _)| other == online) {
            return Rc::clone(plans);
        }
        let plans = OnlinePlans::new(
            self.known,
            online.pace(&self.options, self.control),
            self.control,
        );
        let plans = Rc::new(RefCell::new(plans));
        all.push((online.clone(), Rc::clone(&plans)));
        plans
    }

    /// The number of searches made for them.
    pub(super) fn searches(&self) -> u32 {
        let all = self.all.borrow();
        all.iter().map(|(_, plans)| plans.borrow().searches()).sum()
    }
}

/// Ends a decision.
struct Clock<'c> {
    end: Option<Instant>,
    control: &'c dyn Control,
}

impl Control for Clock<'_> {
    fn stop(&self) -> Option<StopReason> {
        let is_over = self.end.is_some_and(|end| Instant::now() >= end);
        (self.control.stop()).or_else(|| is_over.then_some(StopReason::Time))
    }
}
