//! Quantities as pages show them: exact, infinite or bounded.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A cost-to-go or a regret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Quantity {
    /// Known.
    Exact(i64),
    /// Infinite: `"inf"`.
    Infinite(Infinity),
    /// Within bounds.
    Bounded {
        /// Not more than it is.
        lower: Option<i64>,
        /// Not less than it is; `None` also if it may be infinite.
        upper: Option<i64>,
        /// The limit that left it unknown.
        reason: String,
    },
}

/// The word for infinity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Infinity {
    /// The only one.
    #[serde(rename = "inf")]
    Infinite,
}

impl Quantity {
    /// Reads a quantity from an object in the form of `docs/reference/metrics.md`: `KEY`, `KEY_infinite`,
    /// `KEY_bounds`. `None` if it is not defined.
    pub fn read(object: &Value, key: &str) -> Option<Self> {
        if let Some(value) = object.get(key).and_then(Value::as_i64) {
            return Some(Self::Exact(value));
        }
        let is_infinite = object.get(format!("{key}_infinite"));
        if is_infinite.and_then(Value::as_bool) == Some(true) {
            return Some(Self::Infinite(Infinity::Infinite));
        }
        let bounds = object.get(format!("{key}_bounds"))?;
        let end = |key: &str| bounds.get(key).and_then(Value::as_i64);
        Some(Self::Bounded {
            lower: end("lower"),
            upper: end("upper"),
            reason: bounds
                .get("reason")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Infinity, Quantity};

    #[test]
    fn the_three_forms_of_metrics_are_read() {
        let read = |object| Quantity::read(&object, "regret");
        assert_eq!(read(json!({"regret": 3})), Some(Quantity::Exact(3)));
        assert_eq!(
            read(json!({"regret": null, "regret_infinite": true})),
            Some(Quantity::Infinite(Infinity::Infinite))
        );
        let bounds = json!({"lower": 2, "upper": null, "reason": "the time limit was reached"});
        assert_eq!(
            read(json!({"regret": null, "regret_bounds": bounds})),
            Some(Quantity::Bounded {
                lower: Some(2),
                upper: None,
                reason: "the time limit was reached".into()
            })
        );
        assert_eq!(read(json!({"regret": null})), None);
    }

    #[test]
    fn infinity_is_a_word() {
        let text = serde_json::to_string(&Quantity::Infinite(Infinity::Infinite)).unwrap();
        assert_eq!(text, "\"inf\"");
    }
}
