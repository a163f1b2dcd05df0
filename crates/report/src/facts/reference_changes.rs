//! References that one version of a problem has and the other has not.

use num_bigint::BigUint;
use serde::Serialize;

use super::Found;
use brigade_diagnostics::words::agent_name;
use brigade_rats::difference::difference;
use brigade_rats::{LimitReached, References};

/// The most pairs of states of two automata that are looked at.
const MOST_PAIRS: usize = 1_000_000;

/// The difference between the references of two versions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReferenceChanges {
    /// The number that both have, a decimal.
    pub kept: String,
    /// Those that only the first has.
    pub lost: Listed,
    /// Those that only the second has.
    pub gained: Listed,
}

/// Some references.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// The number of references, a decimal.
    pub count: String,
    /// The agents.
    pub agents: Vec<String>,
    /// The first of them, in order: the labels of each agent.
    pub first: Vec<Vec<Vec<String>>>,
}

impl ReferenceChanges {
    /// Compares all references of two versions, by the texts of their labels, and lists the first of
    /// each kind. Versions whose agents are not called the same have none in common; without a plan
    /// there are none. An error says that a limit was reached.
    pub fn new(
        before: Option<&Found>,
        after: Option<&Found>,
        listed: usize,
    ) -> Result<Self, LimitReached> {
        let (before, after) = (
            before.map(|found| &found.references),
            after.map(|found| &found.references),
        );
        let (all, lost) = missing(before, after, listed)?;
        let (_, gained) = missing(after, before, listed)?;
        Ok(Self {
            kept: (all - &lost.0).to_string(),
            lost: lost.1,
            gained: gained.1,
        })
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        [&self.lost, &self.gained]
            .iter()
            .all(|some| some.count == "0")
    }

    /// As text.
    pub fn text(&self) -> String {
        let mut text = format!(
            "references: {} kept, {} lost, {} gained\n",
            self.kept, self.lost.count, self.gained.count
        );
        for (word, some) in [("lost", &self.lost), ("gained", &self.gained)] {
            for (reference, number) in some.first.iter().zip(1..) {
                text.push_str(&format!("  {word} {number}\n"));
                for (agent, labels) in some.agents.iter().zip(reference) {
                    let line = format!("    {}: {}", agent_name(agent), labels.join(", "));
                    text.push_str(line.trim_end());
                    text.push('\n');
                }
            }
        }
        text
    }
}

fn names(references: &References) -> Vec<String> {
    let agents = references.agents.iter();
    agents.map(|agent| agent.name.clone()).collect()
}

/// Returns the number of references of `one`, and the number and a list of those that `other` has not.
fn missing(
    one: Option<&References>,
    other: Option<&References>,
    listed: usize,
) -> Result<(BigUint, (BigUint, Listed)), LimitReached> {
    let Some(one) = one else {
        let none = Listed {
            count: "0".to_owned(),
            agents: Vec::new(),
            first: Vec::new(),
        };
        return Ok((BigUint::ZERO, (BigUint::ZERO, none)));
    };
    let tuples = one.tuples.as_ref().map_err(|&limit| limit)?;
    let all = tuples.count();
    let agents = names(one);
    let (count, first) = match other.filter(|other| names(other) == agents) {
        Some(other) => {
            let missing = difference(one, other, listed, MOST_PAIRS)?;
            (missing.count, missing.first)
        }
        None => (all.clone(), one.iter().take(listed).collect()),
    };
    let first = first.iter().map(|tuple| one.texts(tuple)).collect();
    let text = count.to_string();
    let listed = Listed {
        count: text,
        agents,
        first,
    };
    Ok((all, (count, listed)))
}
