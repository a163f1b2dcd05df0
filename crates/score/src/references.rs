//! Reference action trajectories, and what a score asks of them.

use super::actions::normalise;
use super::error::ScoreError;
use super::tes::{MatchCounts, TesOptions};
use brigade_diagnostics::words::counted;
use brigade_rats::collab;

/// The reference that a history follows best, and how well.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BestMatch {
    /// The counts against that reference.
    pub counts: MatchCounts,
    /// The reference's name, where references are named.
    pub reference: Option<String>,
}

/// A set of references, however it is represented: a list, or an automaton.
///
/// Histories are normalised action strings.
pub trait ReferenceModel {
    /// Returns the number of agents that a reference describes.
    fn agents(&self) -> usize;

    /// The best match of one agent's history over all references; on equal scores, the first.
    ///
    /// The maximum is taken for each agent alone, as published: two agents may match different
    /// references.
    ///
    /// # Errors
    ///
    /// [`ScoreError::Stopped`], where matching takes long and was stopped.
    fn best(
        &self,
        agent: usize,
        history: &[String],
        options: &TesOptions,
    ) -> Result<BestMatch, ScoreError>;

    /// Returns the best matches that belong to one and the same reference, by the mean of their scores; `None` if the
    /// representation cannot find them.
    ///
    /// # Errors
    ///
    /// [`ScoreError::Stopped`], where matching takes long and was stopped.
    fn best_joint(
        &self,
        _: &[Vec<String>],
        _: &TesOptions,
    ) -> Result<Option<Vec<BestMatch>>, ScoreError> {
        Ok(None)
    }
}

/// References as a list of named tuples of per-agent action sequences.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ReferenceSet {
    agents: usize,
    references: Vec<(String, Vec<Vec<String>>)>,
}

impl ReferenceSet {
    /// References from sequences; every one must describe the same number of agents, at least one.
    ///
    /// # Errors
    ///
    /// There is no reference, or they are of different numbers of agents.
    pub fn new(references: Vec<(String, Vec<Vec<String>>)>) -> Result<Self, ScoreError> {
        let fail = |place: &str, message: String| {
            Err(ScoreError::References {
                place: place.to_owned(),
                message,
            })
        };
        let Some((first, words)) = references.first() else {
            return fail("file", "no reference; expected `reference_1`, …".to_owned());
        };
        let agents = words.len();
        if agents == 0 {
            return fail(first, "no agent; expected `agent_0`, …".to_owned());
        }
        if let Some((name, words)) = references.iter().find(|(_, words)| words.len() != agents) {
            return fail(
                name,
                format!(
                    "{}, but `{first}` has {agents}",
                    counted(words.len(), "agent")
                ),
            );
        }
        let references = references
            .into_iter()
            .map(|(name, words)| {
                let normal = |word: Vec<String>| word.iter().map(|a| normalise(a)).collect();
                (name, words.into_iter().map(normal).collect())
            })
            .collect();
        Ok(Self { agents, references })
    }

    /// Reads `{"reference_1": {"agent_0": ["…"], "agent_1": ["…"]}, …}`; spaces do not matter.
    ///
    /// # Errors
    ///
    /// The text is not JSON of this form, or as of [`new`](Self::new).
    pub fn parse(text: &str) -> Result<Self, ScoreError> {
        Self::new(collab::parse(text)?.into_iter().collect())
    }

    /// Returns the number of references; at least one.
    pub fn count(&self) -> usize {
        self.references.len()
    }

    /// The references: a name, and one action sequence per agent.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[Vec<String>])> {
        self.references
            .iter()
            .map(|(name, words)| (name.as_str(), words.as_slice()))
    }
}

impl ReferenceModel for ReferenceSet {
    fn agents(&self) -> usize {
        self.agents
    }

    fn best(
        &self,
        agent: usize,
        history: &[String],
        options: &TesOptions,
    ) -> Result<BestMatch, ScoreError> {
        let mut best: Option<BestMatch> = None;
        for (name, words) in &self.references {
            let counts = MatchCounts::of(&words[agent], history, options);
            if best
                .as_ref()
                .is_none_or(|b| counts.compare(b.counts, options).is_gt())
            {
                best = Some(BestMatch {
                    counts,
                    reference: Some(name.clone()),
                });
            }
        }
        Ok(best.unwrap_or(BestMatch {
            counts: MatchCounts::default(),
            reference: None,
        }))
    }

    fn best_joint(
        &self,
        histories: &[Vec<String>],
        options: &TesOptions,
    ) -> Result<Option<Vec<BestMatch>>, ScoreError> {
        let mut best: Option<(f64, Vec<BestMatch>)> = None;
        for (name, words) in &self.references {
            let matches: Vec<BestMatch> = (words.iter().zip(histories))
                .map(|(word, history)| BestMatch {
                    counts: MatchCounts::of(word, history, options),
                    reference: Some(name.clone()),
                })
                .collect();
            let total = matches.iter().map(|m| m.counts.tes(options)).sum();
            if best.as_ref().is_none_or(|(most, _)| total > *most) {
                best = Some((total, matches));
            }
        }
        Ok(best.map(|(_, matches)| matches))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_may_match_different_references_and_the_joint_match_may_not() {
        let set = ReferenceSet::parse(
            r#"{"reference_1": {"agent_0": ["a", "b"], "agent_1": ["c", "d"]},
                "reference_2": {"agent_0": ["b", "a"], "agent_1": ["d", "c"]}}"#,
        )
        .unwrap();
        let options = TesOptions::default();
        let history = |word: &str| word.chars().map(String::from).collect::<Vec<_>>();
        let histories = [history("ab"), history("dc")];
        let best = |agent: usize| set.best(agent, &histories[agent], &options).unwrap();
        assert_eq!(best(0).reference.unwrap(), "reference_1");
        assert_eq!(best(1).reference.unwrap(), "reference_2");
        let joint = set.best_joint(&histories, &options).unwrap().unwrap();
        assert_eq!(joint[0].reference, joint[1].reference);
        assert_eq!(joint.iter().map(|m| m.counts.matched).sum::<u32>(), 3);
    }

    #[test]
    fn broken_reference_files_say_where_and_why() {
        let message = |text: &str| ReferenceSet::parse(text).unwrap_err().to_string();
        assert_eq!(message("{}"), "reference file: there is no reference in it");
        assert_eq!(
            message(r#"{"reference_1": {"agent_1": []}}"#),
            "reference file: `reference_1` has no `agent_0`"
        );
        assert_eq!(
            message(r#"{"r": {"agent_0": [], "agent_1": []}, "s": {"agent_0": []}}"#),
            "reference file: `s` has 1 agent, the references before it have 2"
        );
        assert!(message(r#"{"r": {"agent_0": [7]}}"#).contains("expected a string"));
        assert!(message(r#"{"r": {"agent_0": ["#).contains("EOF"));
    }
}
