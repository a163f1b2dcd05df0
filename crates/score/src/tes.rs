//! TES: how far a history follows a reference, and how little else it holds.
//!
//! For a reference `g` of length m and a history `h` of length n, D actions of `g` are matched in
//! `h`. Recall is D/m, precision is D/n, and TES is their F-measure
//!
//! ```text
//! TES = (1 + β²) · D / (m + β² · n)          β = 0.95
//! ```
//!
//! D is defined by Eq. 2 of the Collab-Overcooked paper: the longest prefix of `g` that is a
//! subsequence of `h`. The paper's text calls it the longest order-preserving subsequence, which is
//! [`Matching::CommonSubsequence`] here.

use std::cmp::Ordering;

use serde::{Serialize, Serializer};

use super::error::ScoreError;
use super::fraction::Fraction;

/// The definition of D, the number of matched actions.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Matching {
    /// The longest prefix of the reference that is a subsequence of the history: Eq. 2 of the
    /// paper, and the published code. Missing the first reference action gives D = 0.
    #[default]
    Prefix,
    /// The longest common subsequence: the wording of the paper's text. A missed action costs
    /// that action alone.
    CommonSubsequence,
}

/// The arithmetic by which a TES is computed from its counts.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arithmetic {
    /// 64-bit floating point, in the order of operations of the published code: equal to it bit
    /// for bit, and a flawless play of 9 actions gets 0.9999999999999998.
    Float,
    /// Exact fractions, rounded once for display. Signs and ties are decided without rounding.
    #[default]
    Exact,
}

/// The treatment of a history without actions.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EmptyHistory {
    /// The published code puts `[NONE]` into an empty history, so that n = 1 and TES = 0.
    Placeholder,
    /// Nothing: n = 0. TES is 1 against an empty reference, 0 against any other.
    #[default]
    Empty,
}

/// The weight of precision in TES, β > 0, as a fraction.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Beta(Fraction);

impl Beta {
    /// β = 0.95 of the paper and of the published code; β² = 361/400.
    pub const PUBLISHED: Self = match Fraction::new(19, 20) {
        Some(beta) => Self(beta),
        None => Self(Fraction::ONE),
    };
    const LARGEST_PART: u64 = 10_000;

    /// A weight whose numerator and denominator are between 1 and 10,000, so that exact scores
    /// stay within machine integers.
    ///
    /// # Errors
    ///
    /// Numerator or denominator are out of that range.
    pub fn new(beta: Fraction) -> Result<Self, ScoreError> {
        let fits = |part| (1..=Self::LARGEST_PART).contains(&part);
        if fits(beta.numerator()) && fits(beta.denominator()) {
            return Ok(Self(beta));
        }
        Err(ScoreError::Fraction {
            text: beta.to_string(),
            expected: "a β above 0 with numerator and denominator up to 10000",
        })
    }

    /// β as a fraction.
    pub fn fraction(self) -> Fraction {
        self.0
    }

    /// β² as a pair numerator, denominator.
    pub fn squared(self) -> (u64, u64) {
        let (above, below) = (self.0.numerator(), self.0.denominator());
        (above * above, below * below)
    }
}

impl Default for Beta {
    fn default() -> Self {
        Self::PUBLISHED
    }
}

impl Serialize for Beta {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// The options of TES itself.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TesOptions {
    /// The definition of D, the number of matched actions.
    pub matching: Matching,
    /// The weight of precision.
    pub beta: Beta,
    /// Floating point as published, or exact.
    pub arithmetic: Arithmetic,
    /// The treatment of a history without actions.
    pub empty_history: EmptyHistory,
}

/// The three numbers that every score of a history against a reference is made of.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
pub struct MatchCounts {
    /// D, the matched actions.
    pub matched: u32,
    /// m, the length of the reference.
    #[serde(rename = "reference_length")]
    pub reference: u32,
    /// n, the length of the history.
    #[serde(rename = "history_length")]
    pub history: u32,
}

impl MatchCounts {
    /// Counts the match of `history` against `reference`.
    pub fn of<T: PartialEq>(reference: &[T], history: &[T], options: &TesOptions) -> Self {
        let matched = match options.matching {
            Matching::Prefix => longest_matched_prefix(reference, history),
            Matching::CommonSubsequence => longest_common_subsequence(reference, history),
        };
        let placeholder = options.empty_history == EmptyHistory::Placeholder;
        let length = if placeholder {
            history.len().max(1)
        } else {
            history.len()
        };
        Self {
            matched: matched as u32,
            reference: reference.len() as u32,
            history: length as u32,
        }
    }

    /// D/m, "similarity" in the published output.
    pub fn recall(self) -> f64 {
        self.share(self.reference)
    }

    /// D/n, "redundancy" in the published output although higher means less redundant.
    pub fn precision(self) -> f64 {
        self.share(self.history)
    }

    /// TES as an exact fraction; 1 if reference and history are both empty.
    pub fn exact(self, beta: Beta) -> Fraction {
        let (above, below) = beta.squared();
        let matched = u64::from(self.matched);
        let reference = u64::from(self.reference);
        let history = u64::from(self.history);
        Fraction::new(
            (above + below) * matched,
            below * reference + above * history,
        )
        .unwrap_or(Fraction::ONE)
    }

    /// TES in floating point, in the published order of operations.
    pub fn float(self, beta: Beta) -> f64 {
        if self.reference == 0 && self.history == 0 {
            return 1.0;
        }
        let beta = beta.fraction().to_f64();
        let squared = beta * beta;
        (1.0 + squared) * f64::from(self.matched)
            / (f64::from(self.reference) + squared * f64::from(self.history))
    }

    /// TES under the chosen arithmetic.
    pub fn tes(self, options: &TesOptions) -> f64 {
        match options.arithmetic {
            Arithmetic::Float => self.float(options.beta),
            Arithmetic::Exact => self.exact(options.beta).to_f64(),
        }
    }

    /// Orders two matches by TES under the chosen arithmetic.
    pub fn compare(self, other: Self, options: &TesOptions) -> Ordering {
        match options.arithmetic {
            Arithmetic::Float => self
                .float(options.beta)
                .total_cmp(&other.float(options.beta)),
            Arithmetic::Exact => self.exact(options.beta).cmp(&other.exact(options.beta)),
        }
    }

    /// TES(self) − TES(other) under the chosen arithmetic.
    pub fn gain_over(self, other: Self, options: &TesOptions) -> f64 {
        match options.arithmetic {
            Arithmetic::Float => self.float(options.beta) - other.float(options.beta),
            Arithmetic::Exact => self
                .exact(options.beta)
                .difference(other.exact(options.beta)),
        }
    }

    fn share(self, whole: u32) -> f64 {
        match (whole, self.reference + self.history) {
            (0, 0) => 1.0,
            (0, _) => 0.0,
            _ => f64::from(self.matched) / f64::from(whole),
        }
    }
}

/// The length of the longest prefix of `reference` that is a subsequence of `history`. O(n).
///
/// Matching each action at its first possible position is optimal, so one pass suffices.
pub fn longest_matched_prefix<T: PartialEq>(reference: &[T], history: &[T]) -> usize {
    let mut wanted = reference.iter();
    let mut next = wanted.next();
    let mut matched = 0;
    for action in history {
        match next {
            Some(expected) if expected == action => {
                matched += 1;
                next = wanted.next();
            }
            Some(_) => {}
            None => break,
        }
    }
    matched
}

/// The length of the longest common subsequence. O(m·n) time, O(m) space.
pub fn longest_common_subsequence<T: PartialEq>(reference: &[T], history: &[T]) -> usize {
    let mut row = vec![0_usize; reference.len() + 1];
    for action in history {
        let mut diagonal = 0;
        for (column, expected) in reference.iter().enumerate() {
            let above = row[column + 1];
            row[column + 1] = if expected == action {
                diagonal + 1
            } else {
                above.max(row[column])
            };
            diagonal = above;
        }
    }
    row[reference.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(g: &str, h: &str, options: &TesOptions) -> MatchCounts {
        let (g, h): (Vec<char>, Vec<char>) = (g.chars().collect(), h.chars().collect());
        MatchCounts::of(&g, &h, options)
    }

    #[test]
    fn the_prefix_stops_at_the_first_missing_action_and_the_subsequence_goes_on() {
        let prefix = TesOptions::default();
        let common = TesOptions {
            matching: Matching::CommonSubsequence,
            ..prefix
        };
        assert_eq!(counts("abcde", "abcxe", &prefix).matched, 3);
        assert_eq!(counts("abcde", "abcxe", &common).matched, 4);
        assert_eq!(counts("abcde", "bcde", &prefix).matched, 0);
        assert_eq!(counts("abcde", "bcde", &common).matched, 4);
        assert_eq!(counts("abab", "aabb", &common).matched, 3);
    }

    #[test]
    fn the_exact_value_of_a_perfect_play_is_one_where_floating_point_falls_short() {
        let perfect = MatchCounts {
            matched: 9,
            reference: 9,
            history: 9,
        };
        assert_eq!(perfect.exact(Beta::PUBLISHED), Fraction::ONE);
        assert_eq!(
            perfect.float(Beta::PUBLISHED).to_bits(),
            0.999_999_999_999_999_8_f64.to_bits()
        );
    }

    #[test]
    fn beta_squared_is_361_over_400() {
        assert_eq!(Beta::PUBLISHED.squared(), (361, 400));
        let half = MatchCounts {
            matched: 1,
            reference: 2,
            history: 1,
        };
        assert_eq!(
            half.exact(Beta::PUBLISHED),
            Fraction::new(761, 1161).unwrap()
        );
    }

    #[test]
    fn empty_sequences_score_one_together_and_zero_alone() {
        let options = TesOptions::default();
        assert_eq!(
            counts("", "", &options).exact(Beta::PUBLISHED),
            Fraction::ONE
        );
        assert_eq!(
            counts("a", "", &options).exact(Beta::PUBLISHED),
            Fraction::ZERO
        );
        assert_eq!(
            counts("", "a", &options).exact(Beta::PUBLISHED),
            Fraction::ZERO
        );
        let upstream = TesOptions {
            empty_history: EmptyHistory::Placeholder,
            ..options
        };
        assert_eq!(counts("ab", "", &upstream).history, 1);
        assert!(
            counts("", "", &options).recall() > 0.5 && counts("a", "", &options).precision() < 0.5
        );
    }

    #[test]
    fn a_beta_of_zero_or_of_many_digits_is_refused() {
        assert!(Beta::new(Fraction::ZERO).is_err());
        assert!(Beta::new(Fraction::new(10_001, 7).unwrap()).is_err());
        assert_eq!(Beta::new(Fraction::ONE).unwrap().squared(), (1, 1));
    }
}
