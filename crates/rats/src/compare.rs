//! Annotated references beside the derived ones: what is optimal, and what was missed.

use std::collections::BTreeSet;

use num_bigint::BigUint;
use serde::Serialize;
use thiserror::Error;

use super::alphabet::Symbol;
use super::collab::Annotated;
use super::flawless::{self, Effort, FlawlessPlay};
use super::tes::Beta;
use super::{Count, References, Tuple};
use brigade_diagnostics::words::counted;

/// The limits of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct CompareOptions {
    /// The most states that scoring all optimal references at once may take.
    pub states: usize,
    /// Where that is too little: the most references that are scored one by one.
    pub scored: usize,
    /// The weight in TES.
    pub beta: Beta,
}

impl Default for CompareOptions {
    fn default() -> Self {
        Self {
            states: 500_000,
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
    /// True if some optimal plan has exactly these labels.
    pub optimal: bool,
    /// By agent, true if some optimal plan has this agent's labels.
    pub words_optimal: Vec<bool>,
}

/// One agent's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WordCoverage {
    /// The agent's name.
    pub agent: String,
    /// The number of its words in optimal plans, a decimal; `None` if unknown.
    pub words: Option<String>,
    /// The number of them that are annotated.
    pub annotated: usize,
}

/// The outcome.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The annotated references, in the order of the file.
    pub annotated: Vec<Verdict>,
    /// By agent, the annotated share of its words.
    pub words: Vec<WordCoverage>,
    /// Optimal references that are annotated, equal ones counted once.
    pub covered: usize,
    /// The number of optimal references, a decimal; `None` if unknown.
    pub references_total: Option<String>,
    /// The number of optimal references that are not annotated, a decimal; `None` if unknown.
    pub missing_total: Option<String>,
    /// The score of optimal play under the annotation; `None` if there is no plan.
    pub flawless_play: Option<FlawlessPlay>,
    /// The optimal references that are annotated.
    #[serde(skip)]
    found: BTreeSet<Tuple>,
}

impl Comparison {
    /// The optimal references that are not annotated, in order. They are those that the comparison
    /// was made with.
    pub fn missing<'a>(&'a self, references: &'a References) -> impl Iterator<Item = Tuple> + 'a {
        let tuples = references.iter();
        tuples.filter(|tuple| !self.found.contains(tuple))
    }
}

/// Sets an annotation beside the references. Labels are compared without their spaces.
///
/// # Errors
///
/// An annotated reference is of another number of agents.
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
    let found: BTreeSet<Tuple> = encoded
        .iter()
        .zip(&verdicts)
        .filter(|(_, verdict)| verdict.optimal)
        .map(|(tuple, _)| tuple.clone())
        .collect();
    let total = references.total.exact();
    Ok(Comparison {
        words: coverage(references, &encoded, &verdicts),
        covered: found.len(),
        references_total: decimal(&references.total),
        missing_total: total.map(|total| (total - BigUint::from(found.len())).to_string()),
        flawless_play: flawless::score(
            references,
            &encoded,
            options.beta,
            Effort {
                states: options.states,
                listed: options.scored,
            },
        ),
        annotated: verdicts,
        found,
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
