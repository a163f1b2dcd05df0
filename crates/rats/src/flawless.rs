//! Flawless play under an annotation: every optimal reference scored as a history against the
//! annotated ones.
//!
//! The references are not listed. The score of a word under an annotation depends on the word's length and on how much
//! of each annotated word it has matched, so the automaton of all references is read together with that: one state per
//! automaton state, progress in the word at hand, and scores of the words before it. The automaton is deterministic, so
//! each reference is one path, and the counts, the mean and the extremes are exact.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use serde::Serialize;

use super::alphabet::{END, Symbol};
use super::automaton::Automaton;
use super::tes::{Beta, Tes, mean};
use super::{References, Tuple};

/// The progress completeness (PC) of flawless optimal play under an annotation: the mean over
/// agents of the greatest TES against an annotated reference, each agent for itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FlawlessPlay {
    /// References scored, a decimal.
    pub scored: String,
    /// True if those were all; else they are the first ones in order.
    pub all: bool,
    /// The mean of their PC.
    pub mean: f64,
    /// The least PC.
    pub min: f64,
    /// The first reference with the least PC.
    pub min_reference: Vec<Vec<String>>,
    /// The greatest PC.
    pub max: f64,
    /// The first reference with the greatest PC.
    pub max_reference: Vec<Vec<String>>,
    /// The number of references that have a PC of 1, a decimal.
    pub perfect: String,
}

/// The effort that may be spent on scoring.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// The most states of the product of automaton and annotation.
    pub(super) states: usize,
    /// Where that is not enough, or there is no automaton: the most references that are scored one
    /// by one.
    pub(super) listed: usize,
}

/// Scores the optimal references; `None` if there are none, or no annotated ones.
pub(super) fn score(
    references: &References,
    annotation: &[Tuple],
    beta: Beta,
    effort: Effort,
) -> Option<FlawlessPlay> {
    if annotation.is_empty() {
        return None;
    }
    let annotation = Annotation::new(annotation, references.agents.len(), beta);
    let product = references
        .tuples
        .as_ref()
        .ok()
        .and_then(|automaton| Product::build(automaton, &annotation, effort.states));
    let scores = match product {
        Some(product) => product.scores()?,
        None => listed(references, &annotation, effort.listed)?,
    };
    Some(FlawlessPlay {
        scored: scores.scored.to_string(),
        all: scores.all,
        mean: scores.mean,
        min: scores.min.0,
        min_reference: references.texts(&scores.min.1),
        max: scores.max.0,
        max_reference: references.texts(&scores.max.1),
        perfect: scores.perfect.to_string(),
    })
}

/// The summary of the scores of some references.
struct Scores {
    scored: BigUint,
    all: bool,
    mean: f64,
    min: (f64, Tuple),
    max: (f64, Tuple),
    perfect: BigUint,
}

/// By agent the distinct annotated words.
struct Annotation<'a> {
    words: Vec<Vec<&'a [Symbol]>>,
    beta: Beta,
}

/// The progress in reading a word.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Progress {
    length: u32,
    /// The length of the matched part of each annotated word.
    matched: Vec<u32>,
}

impl<'a> Annotation<'a> {
    fn new(tuples: &'a [Tuple], agents: usize, beta: Beta) -> Self {
        let distinct = |agent: usize| {
            let mut words: Vec<&[Symbol]> = tuples.iter().map(|t| t[agent].as_slice()).collect();
            words.sort_unstable();
            words.dedup();
            words
        };
        Self {
            words: (0..agents).map(distinct).collect(),
            beta,
        }
    }

    fn start(&self, agent: usize) -> Progress {
        Progress {
            length: 0,
            matched: vec![0; self.words.get(agent).map_or(0, Vec::len)],
        }
    }

    fn read(&self, agent: usize, progress: &Progress, symbol: Symbol) -> Progress {
        let words = self.words[agent].iter().zip(&progress.matched);
        let matched = words.map(|(word, &matched)| {
            matched + u32::from(word.get(matched as usize) == Some(&symbol))
        });
        Progress {
            length: progress.length + 1,
            matched: matched.collect(),
        }
    }

    /// The greatest TES of a word that ends here. There is an annotated word for every agent.
    fn best(&self, agent: usize, progress: &Progress) -> Tes {
        let words = self.words[agent].iter().zip(&progress.matched);
        let tes = words.map(|(word, &matched)| {
            Tes::new(matched, word.len() as u32, progress.length, self.beta)
        });
        let none = Tes::new(0, 1, progress.length, self.beta);
        tes.max().unwrap_or(none)
    }
}

fn is_perfect(scores: &[Tes]) -> bool {
    scores.iter().all(|score| {
        let (numerator, denominator) = score.fraction();
        numerator == denominator
    })
}

/// The reading in a state of the automaton: the scores of the words that have ended, and the progress in the next one.
type Reading = (Vec<Tes>, Progress);

/// The automaton of all references, read together with the annotation.
struct Product {
    /// For each node its transitions: the symbol, and the node reached.
    transitions: Vec<Vec<(Symbol, usize)>>,
    /// For each node, the number of ways to come there.
    counts: Vec<BigUint>,
    /// For each state of the automaton, ascending, its nodes; targets have greater states.
    by_state: Vec<Vec<usize>>,
    /// The nodes at which references end, with their scores.
    ends: Vec<(usize, Vec<Tes>)>,
}

impl Product {
    /// `None` if it would have more than `most` nodes.
    fn build(automaton: &Automaton, annotation: &Annotation<'_>, most: usize) -> Option<Self> {
        let states = if automaton.is_empty() {
            0
        } else {
            automaton.states() + 1
        };
        let mut product = Self {
            transitions: Vec::new(),
            counts: Vec::new(),
            by_state: Vec::with_capacity(states),
            ends: Vec::new(),
        };
        let mut open: Vec<BTreeMap<Reading, usize>> = vec![BTreeMap::new(); states];
        if let Some(first) = open.first_mut() {
            let root = product.node();
            product.counts[root] = BigUint::from(1_u32);
            first.insert((Vec::new(), annotation.start(0)), root);
        }
        for state in 0..states {
            let here = std::mem::take(&mut open[state]);
            product.by_state.push(here.values().copied().collect());
            for ((scores, progress), node) in here {
                let agent = scores.len();
                if agent == automaton.parts() {
                    product.ends.push((node, scores));
                    continue;
                }
                for &(symbol, target) in automaton.transitions(state as u32) {
                    let next = if symbol == END {
                        let mut scores = scores.clone();
                        scores.push(annotation.best(agent, &progress));
                        (scores, annotation.start(agent + 1))
                    } else {
                        (scores.clone(), annotation.read(agent, &progress, symbol))
                    };
                    let there = &mut open[target as usize];
                    let target = match there.get(&next) {
                        Some(&target) => target,
                        None if product.counts.len() >= most => return None,
                        None => {
                            let target = product.node();
                            there.insert(next, target);
                            target
                        }
                    };
                    product.transitions[node].push((symbol, target));
                    let ways = product.counts[node].clone();
                    product.counts[target] += ways;
                }
            }
        }
        Some(product)
    }

    fn node(&mut self) -> usize {
        self.transitions.push(Vec::new());
        self.counts.push(BigUint::ZERO);
        self.counts.len() - 1
    }

    fn scores(&self) -> Option<Scores> {
        let counts = self.ends.iter().map(|(node, _)| &self.counts[*node]);
        let total: BigUint = counts.sum();
        let mut weighted = 0.0;
        let mut perfect = BigUint::ZERO;
        // The least and the greatest PC that can be had from each node.
        let mut reach = vec![(f64::INFINITY, f64::NEG_INFINITY); self.counts.len()];
        for (node, scores) in &self.ends {
            let completeness = mean(scores);
            weighted += completeness * ratio(&self.counts[*node], &total);
            if is_perfect(scores) {
                perfect += &self.counts[*node];
            }
            reach[*node] = (completeness, completeness);
        }
        for &node in self.by_state.iter().rev().flatten() {
            for &(_, target) in &self.transitions[node] {
                let (least, greatest) = reach[target];
                let here = &mut reach[node];
                *here = (here.0.min(least), here.1.max(greatest));
            }
        }
        let &(min, max) = reach.first()?;
        Some(Scores {
            scored: total,
            all: true,
            mean: weighted,
            min: (min, self.first_with(|node| reach[node].0 <= min)),
            max: (max, self.first_with(|node| reach[node].1 >= max)),
            perfect,
        })
    }

    /// The first reference whose nodes all satisfy a condition, which holds at the root, and at every
    /// node where it holds for one target at least.
    fn first_with(&self, holds: impl Fn(usize) -> bool) -> Tuple {
        let mut tuple = Vec::new();
        let mut word = Vec::new();
        let mut node = 0;
        while let Some(&(symbol, target)) = self.transitions[node]
            .iter()
            .find(|&&(_, target)| holds(target))
        {
            match symbol {
                END => tuple.push(std::mem::take(&mut word)),
                symbol => word.push(symbol),
            }
            node = target;
        }
        tuple
    }
}

/// Scores the first references one by one; `None` if there are none.
fn listed(references: &References, annotation: &Annotation<'_>, most: usize) -> Option<Scores> {
    let mut known: Vec<BTreeMap<Vec<Symbol>, Tes>> = vec![BTreeMap::new(); references.agents.len()];
    let mut scored = 0_u64;
    let mut sum = 0.0;
    let mut perfect = 0_u64;
    let mut min: Option<(f64, Tuple)> = None;
    let mut max: Option<(f64, Tuple)> = None;
    let mut tuples = references.iter();
    for tuple in tuples.by_ref().take(most.max(1)) {
        let mut scores = Vec::with_capacity(tuple.len());
        for (agent, word) in tuple.iter().enumerate() {
            let best = known[agent].entry(word.clone()).or_insert_with(|| {
                let start = annotation.start(agent);
                let end = word.iter().fold(start, |progress, &symbol| {
                    annotation.read(agent, &progress, symbol)
                });
                annotation.best(agent, &end)
            });
            scores.push(*best);
        }
        let completeness = mean(&scores);
        scored += 1;
        sum += completeness;
        perfect += u64::from(is_perfect(&scores));
        if min.as_ref().is_none_or(|least| completeness < least.0) {
            min = Some((completeness, tuple.clone()));
        }
        if max.as_ref().is_none_or(|most| completeness > most.0) {
            max = Some((completeness, tuple));
        }
    }
    Some(Scores {
        scored: scored.into(),
        all: tuples.next().is_none(),
        mean: sum / scored as f64,
        min: min?,
        max: max?,
        perfect: perfect.into(),
    })
}

/// A part of a whole, at most 1.
fn ratio(part: &BigUint, whole: &BigUint) -> f64 {
    // Both stay far below the greatest floating-point number.
    let shift = whole.bits().saturating_sub(1000);
    let float = |number: &BigUint| {
        let digits = (number >> shift).to_u64_digits();
        let base = 2.0_f64.powi(64);
        digits
            .iter()
            .rev()
            .fold(0.0, |sum, &digit| sum * base + digit as f64)
    };
    float(part) / float(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_of_large_numbers_is_a_fraction() {
        let one = BigUint::from(1_u32);
        assert_eq!(ratio(&one, &BigUint::from(4_u32)).to_string(), "0.25");
        let large = &one << 5000_u32;
        let quarter = &one << 4998_u32;
        assert_eq!(ratio(&quarter, &large).to_string(), "0.25");
        assert_eq!(ratio(&one, &large).to_string(), "0");
    }
}
