//! A cost-to-go or a regret: a number, infinite, undefined, or known within bounds only.

use serde::{Serialize, Serializer, ser::SerializeStruct};

use crate::search::StopReason;

/// How much, as far as it is proven.
///
/// In JSON a number, the text `infinite`, `null` where it is undefined, and else an object of `lower`,
/// `upper` (`null` where there is no such bound) and `reason`.
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

/// What is proven of a quantity that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// It is no less.
    pub lower: Option<i64>,
    /// It is no more; `None` also where it may be infinite.
    pub upper: Option<i64>,
    /// What stopped the search.
    pub reason: StopReason,
}

impl Quantity {
    /// The number where it is known.
    pub const fn exact(self) -> Option<i64> {
        match self {
            Self::Exact(value) => Some(value),
            _ => None,
        }
    }

    /// What stopped the search for it, if it is not known.
    pub const fn stopped(self) -> Option<StopReason> {
        match self {
            Self::Between(bounds) => Some(bounds.reason),
            _ => None,
        }
    }

    /// What is within these bounds: exact if they meet.
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

    /// What a passage of cost `cost` loses that leads from a cost-to-go of `before` to one of `after`.
    pub(super) fn lost(before: Self, after: Self, cost: i64) -> Self {
        let after = after.plus(cost);
        let reason = before.stopped().or(after.stopped());
        match (before, after, reason) {
            (Self::Infinite | Self::Undefined, ..) | (_, Self::Undefined, _) => Self::Undefined,
            (Self::Exact(before), Self::Exact(after), _) => {
                Self::Exact(after.saturating_sub(before))
            }
            (_, Self::Infinite, None) => Self::Infinite,
            (_, Self::Infinite, _) if before.upper().is_some() => Self::Infinite,
            (_, _, Some(reason)) => {
                let gap = |more: Option<i64>, less: Option<i64>| Some(more?.saturating_sub(less?));
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
                    let both = |a: Option<i64>, b: Option<i64>| Some(a?.saturating_add(b?));
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
    pub(super) fn plus(self, more: i64) -> Self {
        let add = |value: i64| value.saturating_add(more);
        match self {
            Self::Exact(value) => Self::Exact(add(value)),
            Self::Between(bounds) => Self::Between(Bounds {
                lower: bounds.lower.map(add),
                upper: bounds.upper.map(add),
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

    /// Whether something is lost, where that is known of a regret.
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

impl Serialize for Quantity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Exact(value) => serializer.serialize_i64(*value),
            Self::Infinite => serializer.serialize_str("infinite"),
            Self::Undefined => serializer.serialize_none(),
            Self::Between(bounds) => {
                let mut object = serializer.serialize_struct("Bounds", 3)?;
                object.serialize_field("lower", &bounds.lower)?;
                object.serialize_field("upper", &bounds.upper)?;
                object.serialize_field("reason", &bounds.reason.to_string())?;
                object.end()
            }
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

    #[test]
    fn json_tells_numbers_from_what_is_not_known() {
        let json = |quantity: Quantity| serde_json::to_string(&quantity).unwrap();
        assert_eq!(json(Quantity::Exact(3)), "3");
        assert_eq!(json(Quantity::Infinite), "\"infinite\"");
        assert_eq!(json(Quantity::Undefined), "null");
        let open = r#"{"lower":3,"upper":null,"reason":"the time limit was reached"}"#;
        assert_eq!(json(between(3, None)), open);
    }
}
