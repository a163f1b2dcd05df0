//! Derived references as a model to score against: all of them, on their automata.

use super::error::ScoreError;
use super::references::{BestMatch, ReferenceModel};
use super::tes::{EmptyHistory, MatchCounts, TesOptions};
use brigade_rats::tes::{Beta, Tes};
use brigade_rats::{LimitReached, References};

/// The most references that are compared for the best joint match.
const MAX_JOINT: usize = 100_000;

/// The complete set of a task's references.
///
/// It matches prefixes (Eq. 2 of the paper) whatever [`TesOptions::matching`] says: a longest common
/// subsequence is not found on an automaton by this table.
#[derive(Clone, Copy)]
pub struct DerivedReferences<'a> {
    references: &'a References,
    stop: &'a dyn Fn() -> bool,
}

impl<'a> DerivedReferences<'a> {
    /// A model of these references. `stop` is asked many times during a match whether to give it up: the
    /// graph of all plans may have millions of nodes.
    pub const fn new(references: &'a References, stop: &'a dyn Fn() -> bool) -> Self {
        Self { references, stop }
    }
}

impl std::fmt::Debug for DerivedReferences<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DerivedReferences")
            .field("references", self.references)
            .finish_non_exhaustive()
    }
}

impl ReferenceModel for DerivedReferences<'_> {
    fn agents(&self) -> usize {
        self.references.agents.len()
    }

    fn best(
        &self,
        agent: usize,
        history: &[String],
        options: &TesOptions,
    ) -> Result<BestMatch, ScoreError> {
        let symbols = self.references.encode(history);
        let best = self
            .references
            .tes_until(agent, &symbols, beta(options), self.stop)
            .map_err(stopped)?;
        Ok(BestMatch {
            counts: best.map_or_else(MatchCounts::default, |best| counts(&best, options)),
            reference: None,
        })
    }

    fn best_joint(
        &self,
        histories: &[Vec<String>],
        options: &TesOptions,
    ) -> Result<Option<Vec<BestMatch>>, ScoreError> {
        let symbols: Vec<_> = histories
            .iter()
            .map(|history| self.references.encode(history))
            .collect();
        let joint = self
            .references
            .joint_tes_until(&symbols, beta(options), MAX_JOINT, self.stop)
            .map_err(stopped)?;
        let Some(joint) = joint.filter(|joint| joint.exact) else {
            return Ok(None);
        };
        let matches = joint.per_agent.iter().map(|tes| BestMatch {
            counts: counts(tes, options),
            reference: None,
        });
        Ok(Some(matches.collect()))
    }
}

/// A match has no limit but that it may be stopped.
const fn stopped(_: LimitReached) -> ScoreError {
    ScoreError::Stopped
}

fn beta(options: &TesOptions) -> Beta {
    let (numerator, denominator) = options.beta.squared();
    Beta {
        squared_numerator: numerator as u32,
        squared_denominator: denominator as u32,
    }
}

fn counts(tes: &Tes, options: &TesOptions) -> MatchCounts {
    let placeholder = options.empty_history == EmptyHistory::Placeholder;
    MatchCounts {
        matched: tes.matched,
        reference: tes.reference,
        history: tes.history.max(u32::from(placeholder)),
    }
}
