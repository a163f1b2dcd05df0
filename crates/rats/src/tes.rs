//! Trajectory efficiency score of a history against all references of an agent at once.
//!
//! Sun et al., "Collab-Overcooked" (2025), eq. 2-4: with `D` the length of the longest prefix of
//! a reference of length `m` that is a subsequence of the history, of length `n`,
//! TES = (1 + β²)·D / (m + β²·n), and an agent's score is the greatest over the references.
//!
//! The references need not be listed. A table holds, for each node of the projected DAG and each
//! number `d` of labels on a path to it, the least position in the history by which all of
//! them are matched in order; a value per node alone would not do, as fewer matched labels may
//! leave more of the history. Every word through the node has a prefix of length `d` matched,
//! and the shortest of those words has `d` plus the shortest completion labels, so that the
//! greatest (1 + β²)·d / (d + completion + β²·n) over the table is the score.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::alphabet::{END, OTHER, Symbol};
use super::limits::LimitReached;
use super::{AgentWords, References, Tuple};

/// The weight of the history's length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beta {
    /// Numerator of β².
    pub squared_numerator: u32,
    /// Denominator of β²; not 0.
    pub squared_denominator: u32,
}

impl Default for Beta {
    /// The published β = 0.95.
    fn default() -> Self {
        Self {
            squared_numerator: 361,
            squared_denominator: 400,
        }
    }
}

/// A score as an exact fraction, by which it is compared.
#[derive(Clone, Copy, Debug)]
pub struct Tes {
    /// Labels of the reference matched, `D`.
    pub matched: u32,
    /// Labels of the reference, `m`.
    pub reference: u32,
    /// Labels of the history, `n`.
    pub history: u32,
    beta: Beta,
}

impl Tes {
    /// The score of `matched` labels out of `reference` in a history of `history`.
    pub fn new(matched: u32, reference: u32, history: u32, beta: Beta) -> Self {
        Self {
            matched,
            reference,
            history,
            beta,
        }
    }

    /// The score of a history against one reference.
    pub fn of<T: PartialEq>(history: &[T], reference: &[T], beta: Beta) -> Self {
        let mut rest = history.iter();
        let matched = reference
            .iter()
            .take_while(|&label| rest.any(|other| other == label))
            .count();
        let [matched, reference, history] =
            [matched, reference.len(), history.len()].map(|n| n as u32);
        Self::new(matched, reference, history, beta)
    }

    /// Numerator and denominator; 1 if both sequences are empty, 0 if one is.
    pub fn fraction(&self) -> (u128, u128) {
        if self.reference == 0 && self.history == 0 {
            return (1, 1);
        }
        if self.matched == 0 {
            return (0, 1);
        }
        let squared = u128::from(self.beta.squared_numerator);
        let unit = u128::from(self.beta.squared_denominator);
        let [matched, reference, history] =
            [self.matched, self.reference, self.history].map(u128::from);
        (
            (squared + unit) * matched,
            unit * reference + squared * history,
        )
    }

    /// The score, from 0 to 1.
    pub fn value(&self) -> f64 {
        let (numerator, denominator) = self.fraction();
        numerator as f64 / denominator as f64
    }
}

impl PartialEq for Tes {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Tes {}

impl PartialOrd for Tes {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Tes {
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b) = self.fraction();
        let (c, d) = other.fraction();
        match (a.checked_mul(d), c.checked_mul(b)) {
            (Some(left), Some(right)) => left.cmp(&right),
            _ => (BigUint::from(a) * d).cmp(&(BigUint::from(c) * b)),
        }
    }
}

/// The best score of a whole team against one and the same reference.
#[derive(Clone, Debug)]
pub struct JointTes {
    /// The first reference, in order, with the greatest mean that was found.
    pub reference: Tuple,
    /// Each agent's score against it.
    pub per_agent: Vec<Tes>,
    /// True if no reference has a greater mean; else some reference was not examined.
    pub exact: bool,
}

impl JointTes {
    /// The mean over the agents.
    pub fn mean(&self) -> f64 {
        mean(&self.per_agent)
    }
}

/// The mean of scores; 0 of none.
pub(super) fn mean(scores: &[Tes]) -> f64 {
    let sum: f64 = scores.iter().map(Tes::value).sum();
    sum / scores.len().max(1) as f64
}

/// The sum of scores as a fraction.
fn sum(scores: &[Tes]) -> (BigUint, BigUint) {
    let zero = (BigUint::ZERO, BigUint::from(1_u32));
    scores.iter().fold(zero, |(n, d), score| {
        let (numerator, denominator) = score.fraction();
        (n * denominator + &d * numerator, d * denominator)
    })
}

fn compare_sums(left: &[Tes], right: &[Tes]) -> Ordering {
    let (a, b) = sum(left);
    let (c, d) = sum(right);
    (a * d).cmp(&(c * b))
}

impl References {
    /// The symbols of a history; [`OTHER`] for labels that no reference has.
    pub fn encode<S: AsRef<str>>(&self, history: &[S]) -> Vec<Symbol> {
        let symbol = |label: &S| self.alphabet.find(label.as_ref()).unwrap_or(OTHER);
        history.iter().map(symbol).collect()
    }

    /// An agent's score: the greatest over all its reference words, each agent for itself, as
    /// published. `None` if there is no such agent or no plan.
    pub fn tes(&self, agent: usize, history: &[Symbol], beta: Beta) -> Option<Tes> {
        self.tes_until(agent, history, beta, &|| false)
            .ok()
            .flatten()
    }

    /// An agent's score, as [`tes`](Self::tes) gives it. `stop` is asked at each node whether to give up.
    ///
    /// # Errors
    ///
    /// [`LimitReached::Interrupted`] if `stop` said so.
    pub fn tes_until(
        &self,
        agent: usize,
        history: &[Symbol],
        beta: Beta,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Tes>, LimitReached> {
        match self.agents.get(agent) {
            Some(words) => words.tes(history, beta, stop),
            None => Ok(None),
        }
    }

    /// The score of a team's histories against one reference for all agents: that with the greatest
    /// mean among the first `limit`. `None` if there is no plan, or not one history per agent.
    ///
    /// This is not the published score, where agents may match different references; it is never
    /// greater.
    pub fn joint_tes(
        &self,
        histories: &[Vec<Symbol>],
        beta: Beta,
        limit: usize,
    ) -> Option<JointTes> {
        self.joint_tes_until(histories, beta, limit, &|| false)
            .ok()
            .flatten()
    }

    /// A team's score, as [`joint_tes`](Self::joint_tes) gives it. `stop` is asked at each reference whether
    /// to give up.
    ///
    /// # Errors
    ///
    /// [`LimitReached::Interrupted`] if `stop` said so.
    pub fn joint_tes_until(
        &self,
        histories: &[Vec<Symbol>],
        beta: Beta,
        limit: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<JointTes>, LimitReached> {
        if histories.len() != self.agents.len() {
            return Ok(None);
        }
        let mut apart = Vec::with_capacity(histories.len());
        for (agent, history) in histories.iter().enumerate() {
            match self.tes_until(agent, history, beta, stop)? {
                Some(tes) => apart.push(tes),
                None => return Ok(None),
            }
        }
        let mut best: Option<JointTes> = None;
        let mut references = self.iter();
        for reference in references.by_ref().take(limit.max(1)) {
            if stop() {
                return Err(LimitReached::Interrupted);
            }
            let pairs = histories.iter().zip(&reference);
            let per_agent: Vec<Tes> = pairs
                .map(|(history, word)| Tes::of(history, word, beta))
                .collect();
            let better = best
                .as_ref()
                .is_none_or(|best| compare_sums(&per_agent, &best.per_agent).is_gt());
            if better {
                let exact = compare_sums(&per_agent, &apart).is_eq();
                best = Some(JointTes {
                    reference,
                    per_agent,
                    exact,
                });
                if exact {
                    return Ok(best);
                }
            }
        }
        let exact = references.next().is_none();
        Ok(best.map(|best| JointTes { exact, ..best }))
    }
}

impl AgentWords {
    /// The greatest score of a history over all words; `None` if there is no word.
    fn tes(
        &self,
        history: &[Symbol],
        beta: Beta,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Tes>, LimitReached> {
        let Some(root) = self.projection.root else {
            return Ok(None);
        };
        let mut places: BTreeMap<Symbol, Vec<u32>> = BTreeMap::new();
        for (&symbol, place) in history.iter().zip(0..) {
            places.entry(symbol).or_default().push(place);
        }
        let mut best = Tes::new(
            0,
            self.completion[root as usize],
            history.len() as u32,
            beta,
        );
        // For each node the labels matched and how much of the history that took.
        let mut tables: Vec<Vec<(u32, u32)>> = vec![Vec::new(); root as usize + 1];
        tables[root as usize].push((0, 0));
        for node in (0..=root).rev() {
            if stop() {
                return Err(LimitReached::Interrupted);
            }
            let mut table = std::mem::take(&mut tables[node as usize]);
            retain_best(&mut table);
            for &(matched, _) in &table {
                let reference = matched + self.completion[node as usize];
                best = best.max(Tes {
                    matched,
                    reference,
                    ..best
                });
            }
            for &(symbol, target) in self.projection.edges_from(node) {
                let there = &mut tables[target as usize];
                if symbol == END {
                    there.extend_from_slice(&table);
                } else if let Some(places) = places.get(&symbol) {
                    there.extend(table.iter().filter_map(|&(matched, used)| {
                        let next = places.partition_point(|&place| place < used);
                        Some((matched + 1, places.get(next)? + 1))
                    }));
                }
            }
        }
        Ok(Some(best))
    }
}

/// Drops entries that have matched no more than another, and used no less of the history: whatever
/// follows, the other scores as much.
fn retain_best(table: &mut Vec<(u32, u32)>) {
    table.sort_unstable_by_key(|&(matched, used)| (Reverse(matched), used));
    let mut least = u32::MAX;
    table.retain(|&(_, used)| {
        let better = used < least;
        least = least.min(used);
        better
    });
}
