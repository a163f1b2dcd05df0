//! A cost-to-go or a regret: a number, infinite, undefined, or known within bounds only.

use std::fmt;

use serde::de::{self, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use brigade_search::StopReason;

/// An amount, as far as it is proven. The modules of [`field`] say how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// So much.
    Exact(i64),
    /// No plan leads to the goal; as a regret: none does any more.
    Infinite,
    /// The regret of a choice that was made when no plan led to the goal.
    Undefined,
    /// A search was stopped before its proof.
    Between(Bounds),
}

/// The proven bounds of an unknown quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// It is no less.
    pub lower: Option<i64>,
    /// It is no more; `None` also where it may be infinite.
    pub upper: Option<i64>,
    /// The limit that stopped the search.
    #[serde(with = "reason")]
    pub reason: StopReason,
}

/// A reason in words.
mod reason {
    use super::{Deserialize, Deserializer, Serializer, StopReason, de};

    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "the signature that serde's with asks for"
    )]
    pub(super) fn serialize<S: Serializer>(it: &StopReason, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(it)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<StopReason, D::Error> {
        let text = String::deserialize(from)?;
        let mut all = StopReason::ALL.into_iter();
        all.find(|reason| reason.to_string() == text)
            .ok_or_else(|| de::Error::custom(format_args!("`{text}` is no reason to stop")))
    }
}

/// Writes a field that holds a quantity, for `#[serde(flatten, with = …)]`: under its name as a number, or as `null`
/// where there is none; then `NAME_infinite`, which is true, where it is infinite, and `NAME_bounds` where a search was
/// stopped. So every key has values of one type.
pub mod field {
    macro_rules! fields {
        ($($name:ident)*) => {$(
            #[doc = concat!("The field `", stringify!($name), "`.")]
            pub mod $name {
                use serde::{Deserializer, Serializer};

                use crate::process::Quantity;

                const KEYS: &[&str] = &[
                    stringify!($name),
                    concat!(stringify!($name), "_infinite"),
                    concat!(stringify!($name), "_bounds"),
                ];

                /// Writes the field.
                ///
                /// # Errors
                ///
                /// Those of the serializer.
                pub fn serialize<S: Serializer>(it: &Quantity, to: S) -> Result<S::Ok, S::Error> {
                    super::super::write(*it, KEYS, to)
                }

                /// Reads the field.
                ///
                /// # Errors
                ///
                /// The field is missing, or not written so.
                pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Quantity, D::Error> {
                    super::super::read(KEYS, from)
                }
            }
        )*};
    }

    fields!(before after optimum to_go regret regret_before_dead_end);
}

/// Writes a quantity under the keys of its number, of whether it is infinite, and of its bounds.
fn write<S: Serializer>(it: Quantity, keys: &[&str], to: S) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(None)?;
    let names = [0, 1, 2].map(|at| keys.get(at).copied().unwrap_or_default());
    map.serialize_entry(names[0], &it.exact())?;
    match it {
        Quantity::Infinite => map.serialize_entry(names[1], &true)?,
        Quantity::Between(bounds) => map.serialize_entry(names[2], &bounds)?,
        Quantity::Exact(_) | Quantity::Undefined => {}
    }
    map.end()
}

/// Reads what [`write`] wrote.
fn read<'de, D: Deserializer<'de>>(
    keys: &'static [&'static str],
    from: D,
) -> Result<Quantity, D::Error> {
    from.deserialize_struct("Quantity", keys, Written { keys })
}

struct Written {
    keys: &'static [&'static str],
}

impl<'de> Visitor<'de> for Written {
    type Value = Quantity;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a quantity as {}", self.keys.join(", "))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Quantity, A::Error> {
        let mut value: Option<Option<i64>> = None;
        let mut infinite = false;
        let mut bounds: Option<Bounds> = None;
        while let Some(key) = map.next_key::<String>()? {
            match self.keys.iter().position(|own| *own == key) {
                Some(0) => value = Some(map.next_value()?),
                Some(1) => infinite = map.next_value()?,
                Some(2) => bounds = map.next_value()?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        let name = self.keys.first().copied().unwrap_or_default();
        match (value.ok_or_else(|| de::Error::missing_field(name))?, bounds) {
            (Some(value), _) => Ok(Quantity::Exact(value)),
            (None, _) if infinite => Ok(Quantity::Infinite),
            (None, Some(bounds)) => Ok(Quantity::Between(bounds)),
            (None, None) => Ok(Quantity::Undefined),
        }
    }
}

impl Quantity {
    /// A sum that does not fit into 64 bits.
    const TOO_LARGE: Self = Self::Between(Bounds {
        lower: None,
        upper: None,
        reason: StopReason::Overflow,
    });

    /// The number where it is known.
    pub const fn exact(self) -> Option<i64> {
        match self {
            Self::Exact(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the limit that stopped the search for it, if it is not known.
    pub const fn stopped(self) -> Option<StopReason> {
        match self {
            Self::Between(bounds) => Some(bounds.reason),
            _ => None,
        }
    }

    /// Returns the quantity within these bounds: exact if they meet.
    pub(super) fn within(lower: Option<i64>, upper: Option<i64>, reason: StopReason) -> Self {
        match (lower, upper) {
            (Some(lower), Some(upper)) if lower >= upper => Self::Exact(upper),
            _ => Self::Between(Bounds {
                lower,
                upper,
                reason,
            }),
        }
    }

    /// Returns the regret of a passage of cost `cost` that leads from a cost-to-go of `before` to one of `after`.
    pub(super) fn lost(before: Self, after: Self, cost: i64) -> Self {
        let after = after.plus(cost);
        let reason = before.stopped().or(after.stopped());
        match (before, after, reason) {
            (Self::Infinite | Self::Undefined, ..) | (_, Self::Undefined, _) => Self::Undefined,
            (Self::Exact(before), Self::Exact(after), _) => after
                .checked_sub(before)
                .map_or(Self::TOO_LARGE, Self::Exact),
            (_, Self::Infinite, None) => Self::Infinite,
            (_, Self::Infinite, _) if before.upper().is_some() => Self::Infinite,
            (_, _, Some(reason)) => {
                let gap = |more: Option<i64>, less: Option<i64>| more?.checked_sub(less?);
                let lower = gap(after.lower(), before.upper()).unwrap_or(0).max(0);
                Self::within(Some(lower), gap(after.upper(), before.lower()), reason)
            }
            // Without a reason both are exact, or the second is infinite.
            (_, _, None) => Self::Undefined,
        }
    }

    /// The sum of regrets; what is undefined adds nothing.
    pub(super) fn sum(regrets: impl IntoIterator<Item = Self>) -> Self {
        regrets
            .into_iter()
            .fold(Self::Exact(0), |sum, more| match (sum, more) {
                (Self::Infinite, _) | (_, Self::Infinite) => Self::Infinite,
                (sum, Self::Undefined) => sum,
                (sum, Self::Exact(more)) => sum.plus(more),
                (sum, more) => {
                    let both = |a: Option<i64>, b: Option<i64>| a?.checked_add(b?);
                    let reason = sum.stopped().or(more.stopped());
                    let (lower, upper) = (
                        both(sum.lower(), more.lower()),
                        both(sum.upper(), more.upper()),
                    );
                    reason.map_or(Self::Undefined, |reason| Self::within(lower, upper, reason))
                }
            })
    }

    /// So much more.
    pub(crate) fn plus(self, more: impl Into<i128>) -> Self {
        let more = more.into();
        let add = |value: i64| i64::try_from(i128::from(value) + more).ok();
        match self {
            Self::Exact(value) => add(value).map_or(Self::TOO_LARGE, Self::Exact),
            Self::Between(bounds) => Self::Between(Bounds {
                lower: bounds.lower.and_then(add),
                upper: bounds.upper.and_then(add),
                ..bounds
            }),
            other => other,
        }
    }

    /// With what is also known: no less than `lower`, no more than `upper`.
    pub(super) fn and(self, lower: Option<i64>, upper: Option<i64>) -> Self {
        let Self::Between(bounds) = self else {
            return self;
        };
        let least = [bounds.upper, upper].into_iter().flatten().min();
        Self::within(bounds.lower.max(lower), least, bounds.reason)
    }

    /// The greatest number that it is known not to be below.
    pub(super) const fn lower(self) -> Option<i64> {
        match self {
            Self::Exact(value) => Some(value),
            Self::Between(bounds) => bounds.lower,
            Self::Infinite | Self::Undefined => None,
        }
    }

    /// The least number that it is known not to be above.
    pub(super) const fn upper(self) -> Option<i64> {
        match self {
            Self::Exact(value) => Some(value),
            Self::Between(bounds) => bounds.upper,
            Self::Infinite | Self::Undefined => None,
        }
    }

    /// Returns true if a regret is known to be a loss, false if it is known to be none.
    pub(super) const fn is_loss(self) -> Option<bool> {
        match self {
            Self::Exact(value) => Some(value > 0),
            Self::Infinite => Some(true),
            Self::Undefined => Some(false),
            Self::Between(Bounds { lower, .. }) => match lower {
                Some(lower) if lower > 0 => Some(true),
                _ => None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(lower: i64, upper: Option<i64>) -> Quantity {
        Quantity::within(Some(lower), upper, StopReason::Time)
    }

    #[test]
    fn bounds_of_what_is_lost_follow_from_those_of_both_ends() {
        let lost = |before, after| Quantity::lost(before, after, 1);
        let exact = Quantity::Exact;
        assert_eq!(lost(exact(5), exact(6)), exact(2));
        assert_eq!(lost(exact(5), between(5, Some(7))), between(1, Some(3)));
        assert_eq!(lost(between(3, Some(6)), exact(6)), between(1, Some(4)));
        assert_eq!(lost(between(3, None), exact(6)), between(0, Some(4)));
        assert_eq!(lost(exact(5), Quantity::Infinite), Quantity::Infinite);
        assert_eq!(
            lost(between(3, Some(6)), Quantity::Infinite),
            Quantity::Infinite
        );
        assert_eq!(lost(between(3, None), Quantity::Infinite), between(0, None));
        assert_eq!(
            lost(Quantity::Infinite, Quantity::Infinite),
            Quantity::Undefined
        );
    }

    #[test]
    fn bounds_that_meet_are_exact() {
        assert_eq!(between(4, Some(4)), Quantity::Exact(4));
        assert_eq!(between(2, Some(6)).and(Some(6), None), Quantity::Exact(6));
    }

    #[test]
    fn a_sum_that_passes_64_bits_is_not_known() {
        let exact = Quantity::Exact;
        let most = exact(i64::MAX - 1);
        assert_eq!(most.plus(1), exact(i64::MAX));
        for sum in [
            most.plus(2),
            Quantity::sum([most, exact(2)]),
            Quantity::sum([most, exact(2), exact(-5)]),
            Quantity::lost(exact(-2), most, 0),
        ] {
            assert_eq!(sum.exact(), None);
            assert_eq!(sum.stopped(), Some(StopReason::Overflow));
        }
    }

    #[test]
    fn a_sum_is_as_sharp_as_its_parts() {
        let exact = Quantity::Exact;
        assert_eq!(
            Quantity::sum([exact(1), Quantity::Undefined, exact(2)]),
            exact(3)
        );
        assert_eq!(
            Quantity::sum([exact(1), between(0, Some(2))]),
            between(1, Some(3))
        );
        assert_eq!(
            Quantity::sum([between(0, None), exact(2)]),
            between(2, None)
        );
        let infinite = Quantity::sum([exact(1), Quantity::Infinite, between(0, None)]);
        assert_eq!(infinite, Quantity::Infinite);
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Line {
        tick: u32,
        #[serde(flatten, with = "field::to_go")]
        to_go: Quantity,
        #[serde(flatten, with = "field::regret")]
        regret: Quantity,
    }

    #[test]
    fn each_key_of_a_quantity_has_values_of_one_type() {
        let bounds = r#"{"lower":3,"upper":null,"reason":"the time limit was reached"}"#;
        for (quantity, written) in [
            (Quantity::Exact(3), r#""to_go":3"#.to_owned()),
            (Quantity::Undefined, r#""to_go":null"#.to_owned()),
            (
                Quantity::Infinite,
                r#""to_go":null,"to_go_infinite":true"#.to_owned(),
            ),
            (
                between(3, None),
                format!(r#""to_go":null,"to_go_bounds":{bounds}"#),
            ),
        ] {
            let line = Line {
                tick: 1,
                to_go: quantity,
                regret: Quantity::Infinite,
            };
            let text = serde_json::to_string(&line).unwrap();
            let rest = r#","regret":null,"regret_infinite":true}"#;
            assert_eq!(text, format!(r#"{{"tick":1,{written}{rest}"#));
            assert_eq!(serde_json::from_str::<Line>(&text).unwrap(), line);
        }
        let early = r#"{"tick":1,"to_go":"infinite","regret":0}"#;
        assert!(serde_json::from_str::<Line>(early).is_err());
    }
}
