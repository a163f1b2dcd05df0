//! Collab-Overcooked's reference files: `{"reference_1": {"agent_0": [label, …], "agent_1": […]}}`.

use indexmap::IndexMap;
use serde::{Serialize, Serializer};
use thiserror::Error;

use super::alphabet::key;
use brigade_diagnostics::json_text::{Entries, complaint};
use brigade_diagnostics::words::counted;

/// Annotated references by name, in the order of the file; of each, the labels by agent.
pub type Annotated = IndexMap<String, Vec<Vec<String>>>;

/// The reason why a text is no reference file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CollabError {
    /// Not JSON, or not of this shape; the message names the line.
    #[error("this is not an object of references with a list of labels per agent: {0}")]
    Shape(String),
    /// An empty object.
    #[error("there is no reference in it")]
    Empty,
    /// Two references have the same name.
    #[error("`{0}` occurs twice")]
    DuplicateReference(String),
    /// An agent occurs twice.
    #[error("`{agent}` occurs twice in `{reference}`")]
    DuplicateAgent {
        /// The reference's name.
        reference: String,
        /// The agent's key.
        agent: String,
    },
    /// A key that is not `agent_0`, `agent_1`, ….
    #[error("`{reference}` has a key `{key}`; agents are called agent_0, agent_1, and so on")]
    UnknownKey {
        /// The reference's name.
        reference: String,
        /// The key.
        key: String,
    },
    /// The agents are not numbered from 0 without gaps, or there is none.
    #[error("`{reference}` has no `agent_{agent}`")]
    MissingAgent {
        /// The reference's name.
        reference: String,
        /// The agent's number.
        agent: usize,
    },
    /// References of different numbers of agents.
    #[error(
        "`{reference}` has {}, the references before it have {expected}",
        counted(.found, "agent")
    )]
    AgentCount {
        /// The reference's name.
        reference: String,
        /// Agents of the first reference.
        expected: usize,
        /// Agents of this one.
        found: usize,
    },
}

/// Reads a reference file's text. Labels keep their spaces.
///
/// # Errors
///
/// The text is not JSON of this form, or its references have different numbers of agents.
pub fn parse(text: &str) -> Result<Annotated, CollabError> {
    let Entries(references): Entries<Entries<Vec<String>>> =
        serde_json::from_str(text).map_err(|error| CollabError::Shape(complaint(&error)))?;
    let mut annotated = Annotated::new();
    for (reference, Entries(agents)) in references {
        let words = in_order(&reference, agents)?;
        if let Some((_, first)) = annotated.first()
            && first.len() != words.len()
        {
            return Err(CollabError::AgentCount {
                reference,
                expected: first.len(),
                found: words.len(),
            });
        }
        if annotated.contains_key(&reference) {
            return Err(CollabError::DuplicateReference(reference));
        }
        annotated.insert(reference, words);
    }
    if annotated.is_empty() {
        return Err(CollabError::Empty);
    }
    Ok(annotated)
}

/// The agents' labels by number.
fn in_order(
    reference: &str,
    agents: Vec<(String, Vec<String>)>,
) -> Result<Vec<Vec<String>>, CollabError> {
    let mut words: Vec<Option<Vec<String>>> = vec![None; agents.len().max(1)];
    for (key, labels) in agents {
        let digits = key.strip_prefix("agent_");
        let canonical = |digits: &&str| {
            digits.bytes().all(|b| b.is_ascii_digit())
                && (digits.len() == 1 || !digits.starts_with('0'))
        };
        let Some(digits) = digits.filter(|digits| !digits.is_empty()).filter(canonical) else {
            return Err(CollabError::UnknownKey {
                reference: reference.to_owned(),
                key,
            });
        };
        let number = digits.parse::<usize>().unwrap_or(usize::MAX);
        match words.get_mut(number) {
            // A number too great leaves a gap, which is reported below.
            None => {}
            Some(Some(_)) => {
                return Err(CollabError::DuplicateAgent {
                    reference: reference.to_owned(),
                    agent: key,
                });
            }
            Some(slot) => *slot = Some(labels),
        }
    }
    let words = words.into_iter().enumerate();
    words
        .map(|(agent, labels)| {
            labels.ok_or_else(|| CollabError::MissingAgent {
                reference: reference.to_owned(),
                agent,
            })
        })
        .collect()
}

/// The command that has an agent do what a label of a reference says: the label, but for
/// `fill_dish_with_food(U)`, which is given by the name of its operator. The published engine takes
/// that command too, and records the fill of any utensil but the pot as a put.
pub fn command(label: &str) -> String {
    let utensil = key(label)
        .strip_prefix("fill_dish_with_food(")
        .and_then(|rest| Some(rest.strip_suffix(')')?.to_owned()));
    utensil.map_or_else(|| label.to_owned(), |utensil| format!("(fill {utensil})"))
}

/// References as `reference_1`, `reference_2`, …, in the order given. They are made one by one while
/// the document is written, and anew whenever it is.
pub struct Export<F>(pub F);

impl<F, I> Serialize for Export<F>
where
    F: Fn() -> I,
    I: IntoIterator<Item = Vec<Vec<String>>>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let references = (self.0)().into_iter().zip(1_u64..);
        serializer.collect_map(references.map(|(agents, number)| {
            let agents = agents.into_iter().enumerate();
            let agents = agents.map(|(agent, labels)| (format!("agent_{agent}"), labels));
            let agents: IndexMap<String, Vec<String>> = agents.collect();
            (format!("reference_{number}"), agents)
        }))
    }
}
