//! Derived references as a model to score against: all of them, on their automata.

use super::references::{BestMatch, ReferenceModel};
use super::tes::{EmptyHistory, MatchCounts, TesOptions};
use brigade_rats::References;
use brigade_rats::tes::{Beta, Tes};

/// The most references that are compared for the best joint match.
const MAX_JOINT: usize = 100_000;

/// The complete set of a task's references.
///
/// It matches prefixes (Eq. 2 of the paper) whatever [`TesOptions::matching`] says: a longest common
/// subsequence is not found on an automaton by this table.
#[derive(Clone, Copy, Debug)]
pub struct DerivedReferences<'a>(pub &'a References);

impl ReferenceModel for DerivedReferences<'_> {
    fn agents(&self) -> usize {
        self.0.agents.len()
    }

    fn best(&self, agent: usize, history: &[String], options: &TesOptions) -> BestMatch {
        let symbols = self.0.encode(history);
        let best = self.0.tes(agent, &symbols, beta(options));
        BestMatch {
            counts: best.map_or_else(MatchCounts::default, |best| counts(&best, options)),
            reference: None,
        }
    }

    fn best_joint(
        &self,
        histories: &[Vec<String>],
        options: &TesOptions,
    ) -> Option<Vec<BestMatch>> {
        let symbols: Vec<_> = histories.iter().map(|h| self.0.encode(h)).collect();
        let joint = self.0.joint_tes(&symbols, beta(options), MAX_JOINT)?;
        let matches = joint.per_agent.iter().map(|tes| BestMatch {
            counts: counts(tes, options),
            reference: None,
        });
        joint.exact.then(|| matches.collect())
    }
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
