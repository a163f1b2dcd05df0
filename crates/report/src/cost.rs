//! Costs in the units in which a problem is written.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use brigade_search::Value;
use brigade_task::totals::Totals;
use brigade_task::{Metric, PackedTask};

/// A cost, exact: a whole number of units of one to `scale`.
///
/// As text it is a decimal number, or a fraction (`7/3`) where no decimal number equals it. As JSON
/// it is a number with all digits; of a fraction, the nearest double.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount {
    value: i128,
    scale: i64,
}

/// The cost of a plan in the problem's own units; of a task without costs, its makespan.
pub fn cost(task: &PackedTask, value: Value) -> Amount {
    if task.metric == Metric::Makespan {
        return scaled(value.makespan, 1);
    }
    whole_cost(task, value.cost)
}

/// Returns the cost of steps with the cost before them, in the problem's own units.
pub fn whole_cost(task: &PackedTask, of_steps: i64) -> Amount {
    let whole = i128::from(task.initial_cost) + i128::from(of_steps);
    scaled(whole, task.cost_scale)
}

/// The totals of a task in the problem's own units, in its order.
pub fn amounts<'t>(task: &'t PackedTask, sums: &Totals) -> Vec<(&'t str, Amount)> {
    let totals = task.totals.iter().map(|total| {
        let sum = sums.get(&total.name).copied().unwrap_or_default();
        (&*total.name, scaled(sum, total.scale))
    });
    totals.collect()
}

/// The amounts that a step has added to totals, in the problem's own units.
pub fn added(task: &PackedTask, sums: &Totals) -> Vec<(String, Amount)> {
    let totals = task.totals.iter().filter_map(|total| {
        let sum = *sums.get(&total.name)?;
        Some((total.name.clone(), scaled(sum, total.scale)))
    });
    totals.collect()
}

/// A scaled whole number in its own units. `scale` is positive.
pub fn scaled(value: impl Into<i128>, scale: i64) -> Amount {
    Amount {
        value: value.into(),
        scale,
    }
}

impl Amount {
    /// The nearest double.
    pub fn to_f64(self) -> f64 {
        self.value as f64 / self.scale as f64
    }

    /// The digits of a decimal number that equals it, if there is one. Where units are not whole, one
    /// digit after the point is always given.
    fn decimal(self) -> Option<String> {
        if self.scale == 1 {
            return Some(self.value.to_string());
        }
        let scale = u128::from(self.scale.unsigned_abs());
        let whole = self.value.unsigned_abs() / scale;
        let mut rest = self.value.unsigned_abs() % scale;
        let mut digits = String::new();
        while digits.is_empty() || rest != 0 {
            // A scale is below 2^63: what has more digits after the point has no end.
            if digits.len() > 63 {
                return None;
            }
            rest *= 10;
            digits.push_str(&(rest / scale).to_string());
            rest %= scale;
        }
        let sign = if self.value < 0 { "-" } else { "" };
        Some(format!("{sign}{whole}.{digits}"))
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.decimal() {
            Some(decimal) => f.pad(&decimal),
            None => f.pad(&format!("{}/{}", self.value, self.scale)),
        }
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(number) = self.decimal() else {
            return serializer.serialize_f64(self.to_f64());
        };
        let raw = RawValue::from_string(number).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_digit_of_a_cost_is_in_text_and_json() {
        for (value, scale, text) in [
            (123_456_789_012_345_679_i128, 1000, "123456789012345.679"),
            (i128::from(i64::MAX) * 2, 1, "18446744073709551614"),
            (7, 4, "1.75"),
            (8, 4, "2.0"),
            (-1, 8, "-0.125"),
            (0, 1000, "0.0"),
            (-5, 1, "-5"),
        ] {
            let amount = scaled(value, scale);
            assert_eq!(amount.to_string(), text);
            assert_eq!(serde_json::to_string(&amount).unwrap(), text);
        }
    }

    #[test]
    fn a_fraction_without_a_decimal_form_is_exact_in_text() {
        let third = scaled(-7, 3);
        assert_eq!(third.to_string(), "-7/3");
        assert_eq!(
            serde_json::to_string(&third).unwrap(),
            "-2.3333333333333335"
        );
    }
}
