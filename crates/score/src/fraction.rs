//! Non-negative exact fractions, for scores that must compare without rounding.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use super::error::ScoreError;

/// A non-negative rational number in lowest terms.
///
/// Serialised as `"numerator/denominator"`.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Fraction {
    numerator: u64,
    denominator: u64,
}

impl Fraction {
    /// Zero.
    pub const ZERO: Self = Self {
        numerator: 0,
        denominator: 1,
    };
    /// One.
    pub const ONE: Self = Self {
        numerator: 1,
        denominator: 1,
    };

    /// `numerator / denominator` in lowest terms; `None` if the denominator is zero.
    pub const fn new(numerator: u64, denominator: u64) -> Option<Self> {
        if denominator == 0 {
            return None;
        }
        let (mut a, mut b) = (numerator, denominator);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        Some(Self {
            numerator: numerator / a,
            denominator: denominator / a,
        })
    }

    /// The numerator, in lowest terms.
    pub const fn numerator(self) -> u64 {
        self.numerator
    }

    /// The denominator, in lowest terms; never zero.
    pub const fn denominator(self) -> u64 {
        self.denominator
    }

    /// The nearest floating-point number, up to the rounding of the two parts.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// `self - other`, computed exactly and rounded once at the end.
    pub fn difference(self, other: Self) -> f64 {
        let (left, right) = self.cross(other);
        let scale = u128::from(self.denominator) * u128::from(other.denominator);
        let size = left.abs_diff(right) as f64 / scale as f64;
        if left < right { -size } else { size }
    }

    /// The integer part of `self × factor`, saturating at `u32::MAX`.
    pub fn floor_of_product(self, factor: u32) -> u32 {
        let product = u128::from(self.numerator) * u128::from(factor);
        u32::try_from(product / u128::from(self.denominator)).unwrap_or(u32::MAX)
    }

    fn cross(self, other: Self) -> (u128, u128) {
        (
            u128::from(self.numerator) * u128::from(other.denominator),
            u128::from(other.numerator) * u128::from(self.denominator),
        )
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> Ordering {
        let (left, right) = self.cross(*other);
        left.cmp(&right)
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            denominator => write!(f, "{}/{denominator}", self.numerator),
        }
    }
}

impl Serialize for Fraction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Reads `19/20`, `0.95` or `2`; at most nine digits in each part.
impl FromStr for Fraction {
    type Err = ScoreError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = |part: &str| {
            let plain = !part.is_empty() && part.len() <= 9;
            (plain && part.bytes().all(|b| b.is_ascii_digit())).then(|| part.parse::<u64>().ok())?
        };
        let parsed = if let Some((above, below)) = text.split_once('/') {
            digits(above)
                .zip(digits(below))
                .and_then(|(n, d)| Self::new(n, d))
        } else if let Some((whole, decimals)) = text.split_once('.') {
            digits(whole)
                .zip(digits(decimals))
                .and_then(|(n, decimal)| {
                    let scale = 10_u64.pow(decimals.len() as u32);
                    Self::new(n * scale + decimal, scale)
                })
        } else {
            digits(text).and_then(|n| Self::new(n, 1))
        };
        parsed.ok_or_else(|| ScoreError::Fraction {
            text: text.to_owned(),
            expected: "a non-negative number such as 0.95, 19/20 or 2 (at most 9 digits a part)",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_and_fractions_read_as_the_same_number() {
        for text in ["0.95", "19/20", "0.950"] {
            assert_eq!(
                text.parse::<Fraction>().unwrap(),
                Fraction::new(19, 20).unwrap()
            );
        }
        assert_eq!("2".parse::<Fraction>().unwrap().to_string(), "2");
    }

    #[test]
    fn what_is_not_a_number_is_refused() {
        for text in [
            "",
            "-1",
            "NaN",
            "inf",
            "1/0",
            "1e3",
            ".5",
            "1.",
            "1.2.3",
            "1234567890",
        ] {
            assert!(text.parse::<Fraction>().is_err(), "{text} must be refused");
        }
    }

    #[test]
    fn differences_are_signed_and_exact() {
        let third = Fraction::new(1, 3).unwrap();
        let half = Fraction::new(2, 4).unwrap();
        assert!(third < half);
        assert!((half.difference(third) - 1.0 / 6.0).abs() < 1e-15);
        assert!(third.difference(half) < 0.0);
        assert!(third.difference(third).abs() < f64::MIN_POSITIVE);
        assert_eq!(Fraction::new(3, 2).unwrap().floor_of_product(23), 34);
    }
}
