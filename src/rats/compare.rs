//! Annotated references beside the derived ones: what is optimal, and what was missed.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigUint;
use serde::Serialize;
use thiserror::Error;

use super::alphabet::Symbol;
use super::collab::Annotated;
use super::tes::{Beta, Tes, mean};
use super::{Count, References, Tuple};
use crate::words::counted;

/// How far a comparison goes.
#[derive(Clone, Copy, Debug)]
pub struct CompareOptions {
    /// How many of the missing references are listed.
    pub missing: usize,
    /// How many optimal references are scored under the annotation.
    pub scored: usize,
    /// The weight in TES.
    pub beta: Beta,
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self {
            missing: 10,
            scored: 100_000,
            beta: Beta::default(),
        }
    }
}

/// The annotation cannot be set beside these references.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{reference}` has {}, the task has {expected}",
    counted(.found, "agent")
)]
pub struct AgentMismatch {
    /// The annotated reference's name.
    pub reference: String,
    /// Agents of the task.
    pub expected: usize,
    /// Agents of the annotated reference.
    pub found: usize,
}

/// One annotated reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Its name in the annotation.
    pub name: String,
    /// Whether some optimal plan has exactly these labels.
    pub optimal: bool,
    /// By agent, whether some optimal plan has this agent's labels.
    pub words_optimal: Vec<bool>,
}

/// One agent's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WordCoverage {
    /// The agent's name.
    pub agent: String,
    /// The number of its words in optimal plans, a decimal; `None` if unknown.
    pub words: Option<String>,
    /// How many of them are annotated.
    pub annotated: usize,
}

/// The progress completeness (PC) of flawless optimal play under the annotation: the mean over
/// agents of the greatest TES against an annotated reference, each agent for itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FlawlessPlay {
    /// References scored.
    pub scored: usize,
    /// Whether those were all; else they are the first ones in order.
    pub all: bool,
    /// The mean of their PC.
    pub mean: f64,
    /// The least PC.
    pub min: f64,
    /// The first reference with the least PC.
    pub min_reference: Vec<Vec<String>>,
    /// How many have a PC of 1.
    pub perfect: usize,
}

/// The outcome.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The annotated references, in the order of the file.
    pub annotated: Vec<Verdict>,
    /// By agent, how much of its words is annotated.
    pub words: Vec<WordCoverage>,
    /// Optimal references that are annotated, equal ones counted once.
    pub covered: usize,
    /// The number of optimal references, a decimal; `None` if unknown.
    pub references_total: Option<String>,
    /// The number of optimal references that are not annotated, a decimal; `None` if unknown.
    pub missing_total: Option<String>,
    /// The first of the missing references, in order.
    pub missing: Vec<Vec<Vec<String>>>,
    /// What optimal play scores under the annotation; `None` if there is no plan.
    pub flawless_play: Option<FlawlessPlay>,
}

/// Sets an annotation beside the references. Labels are compared without their spaces.
pub fn compare(
    annotated: &Annotated,
    references: &References,
    options: &CompareOptions,
) -> Result<Comparison, AgentMismatch> {
    let expected = references.agents.len();
    let mut encoded: Vec<Tuple> = Vec::new();
    for (name, words) in annotated {
        if words.len() != expected {
            return Err(AgentMismatch {
                reference: name.clone(),
                expected,
                found: words.len(),
            });
        }
        encoded.push(words.iter().map(|word| references.encode(word)).collect());
    }
    let verdicts: Vec<Verdict> = annotated
        .keys()
        .zip(&encoded)
        .map(|(name, tuple)| {
            let words = tuple.iter().enumerate();
            Verdict {
                name: name.clone(),
                optimal: references.contains(tuple),
                words_optimal: words
                    .map(|(agent, word)| references.contains_word(agent, word))
                    .collect(),
            }
        })
        .collect();
    let covered: BTreeSet<&Tuple> = encoded
        .iter()
        .zip(&verdicts)
        .filter_map(|(tuple, verdict)| verdict.optimal.then_some(tuple))
        .collect();
    let missing = references.iter().filter(|tuple| !covered.contains(tuple));
    let total = references.total.exact();
    Ok(Comparison {
        words: coverage(references, &encoded, &verdicts),
        covered: covered.len(),
        references_total: decimal(&references.total),
        missing_total: total.map(|total| (total - BigUint::from(covered.len())).to_string()),
        missing: missing
            .take(options.missing)
            .map(|tuple| references.texts(&tuple))
            .collect(),
        flawless_play: flawless_play(references, &encoded, options),
        annotated: verdicts,
    })
}

fn decimal(count: &Count) -> Option<String> {
    count.exact().map(BigUint::to_string)
}

fn coverage(references: &References, encoded: &[Tuple], verdicts: &[Verdict]) -> Vec<WordCoverage> {
    let agents = references.agents.iter().enumerate();
    agents
        .map(|(agent, words)| {
            let optimal: BTreeSet<&Vec<Symbol>> = encoded
                .iter()
                .zip(verdicts)
                .filter_map(|(tuple, verdict)| {
                    verdict.words_optimal[agent].then_some(&tuple[agent])
                })
                .collect();
            WordCoverage {
                agent: words.name.clone(),
                words: decimal(&words.count),
                annotated: optimal.len(),
            }
        })
        .collect()
}

/// Scores optimal references as histories against the annotation.
fn flawless_play(
    references: &References,
    annotation: &[Tuple],
    options: &CompareOptions,
) -> Option<FlawlessPlay> {
    let score = |agent: usize, word: &[Symbol]| {
        let annotated = annotation.iter().map(|tuple| &tuple[agent]);
        annotated
            .map(|reference| Tes::of(word, reference, options.beta))
            .max()
    };
    let mut known: Vec<BTreeMap<Vec<Symbol>, Tes>> = vec![BTreeMap::new(); references.agents.len()];
    let mut play = FlawlessPlay {
        scored: 0,
        all: false,
        mean: 0.0,
        min: f64::INFINITY,
        min_reference: Vec::new(),
        perfect: 0,
    };
    let mut least: Option<Tuple> = None;
    let mut sum = 0.0;
    let mut tuples = references.iter();
    for tuple in tuples.by_ref().take(options.scored.max(1)) {
        let mut scores = Vec::with_capacity(tuple.len());
        for (agent, word) in tuple.iter().enumerate() {
            let found = if let Some(&found) = known[agent].get(word) {
                found
            } else {
                let found = score(agent, word)?;
                known[agent].insert(word.clone(), found);
                found
            };
            scores.push(found);
        }
        let completeness = mean(&scores);
        sum += completeness;
        play.scored += 1;
        let one = |score: &Tes| {
            let (numerator, denominator) = score.fraction();
            numerator == denominator
        };
        play.perfect += usize::from(scores.iter().all(one));
        if completeness < play.min {
            play.min = completeness;
            least = Some(tuple);
        }
    }
    play.all = tuples.next().is_none();
    play.mean = sum / play.scored.max(1) as f64;
    play.min_reference = references.texts(&least?);
    Some(play)
}
