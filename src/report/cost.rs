//! Costs in the units in which a problem is written.

use serde_json::Number;

use crate::search::Value;
use crate::task::{Metric, Task};

/// The cost of a plan in the problem's own units; of a task without costs, its makespan.
pub fn cost(task: &Task, value: Value) -> Number {
    if task.metric == Metric::Makespan {
        return value.makespan.into();
    }
    whole_cost(task, value.cost)
}

/// What steps cost and what was there before them, in the problem's own units.
pub fn whole_cost(task: &Task, of_steps: i64) -> Number {
    let whole = i128::from(task.initial_cost) + i128::from(of_steps);
    scaled(whole, task.cost_scale)
}

/// A scaled whole number in its own units.
pub fn scaled(value: impl Into<i128>, scale: i64) -> Number {
    let value = value.into();
    match i64::try_from(value) {
        Ok(value) if scale == 1 => value.into(),
        _ => Number::from_f64(value as f64 / scale as f64).unwrap_or_else(|| 0.into()),
    }
}
