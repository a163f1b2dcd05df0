//! Reference action trajectories: the DAG of all optimal plans projected to labels.
//!
//! A *reference* is the tuple of the agents' untimed label sequences of at least one optimal plan;
//! plans that differ only in silent operators or in timing have the same one. [`References`]
//! holds all of them: [`derive`](References::derive) merges the nodes of the DAG that have the
//! same futures, and builds minimal deterministic automata of each agent's words, of the tuples
//! and of the joint words, bounded by [`Limits`]. Where one is given up, its count is an interval;
//! [`iter`](References::iter), [`contains`](References::contains) and [`tes`] stay exact.

pub mod alphabet;
pub mod automaton;
pub mod collab;
pub mod compare;
mod diagram;
pub mod difference;
pub mod dot;
pub mod flawless;
mod futures;
mod interleaved;
pub mod joint;
pub mod limits;
mod listing;
pub mod orbits;
pub mod summary;
pub mod tes;

use num_bigint::BigUint;

use alphabet::{Alphabet, Symbol};
use automaton::Automaton;
use brigade_search::dag::PlanDag;
use diagram::Store;
use futures::{Futures, Projection};
use joint::Joint;
pub use limits::{LimitReached, Limits};

/// One word of symbols per agent.
pub type Tuple = Vec<Vec<Symbol>>;

/// The number of references: exact, or bounded on both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// Not more than there are.
    pub lower: BigUint,
    /// Not fewer than there are.
    pub upper: BigUint,
}

impl Count {
    /// A known number.
    pub fn exactly(number: BigUint) -> Self {
        Self {
            lower: number.clone(),
            upper: number,
        }
    }

    /// The number where it is known.
    pub fn exact(&self) -> Option<&BigUint> {
        (self.lower == self.upper).then_some(&self.lower)
    }
}

/// The words of one agent in the references.
#[derive(Clone, Debug)]
pub struct AgentWords {
    /// The agent's name.
    pub name: String,
    /// The number of its distinct words.
    pub count: Count,
    /// Labels in its shortest word; 0 where there is no plan.
    pub shortest: u32,
    /// Labels in its longest word.
    pub longest: u32,
    /// The set of its words, unless it was given up.
    pub automaton: Result<Automaton, LimitReached>,
    projection: Projection,
    /// For each node of the projection, the length of the shortest word from it.
    completion: Vec<u32>,
}

/// All references of a task.
#[derive(Clone, Debug)]
pub struct References {
    /// The labels that occur.
    pub alphabet: Alphabet,
    /// By agent, in declared order.
    pub agents: Vec<AgentWords>,
    /// The number of optimal plans: of operator sequences.
    pub plans: BigUint,
    /// The number of references: of distinct tuples.
    pub total: Count,
    /// The set of references, unless it was given up.
    pub tuples: Result<Automaton, LimitReached>,
    /// The joint words, unless they were given up.
    pub joint: Result<Joint, LimitReached>,
    futures: Futures,
}

impl References {
    /// Projects all optimal plans to labels.
    ///
    /// `agents` holds the agents' names in declared order, `labels` the text of every label id.
    pub fn derive(
        dag: &PlanDag,
        agents: &[String],
        labels: &[String],
        limits: &Limits<'_>,
    ) -> Self {
        let plans = dag.count();
        let alphabet = Alphabet::of(dag, labels);
        let futures = Futures::of(dag, &alphabet);
        let agents: Vec<AgentWords> = agents
            .iter()
            .zip(0..)
            .map(|(name, agent)| AgentWords::derive(name, agent, &futures, &plans, limits))
            .collect();
        let tuples = tuples(&futures, agents.len(), limits);
        let joint = Joint::derive(dag, &alphabet, limits);
        let total = if let Ok(automaton) = &tuples {
            Count::exactly(automaton.count())
        } else {
            let bounds = bounds(&plans, &agents, joint.as_ref().ok());
            if bounds.exact().is_some() || agents.len() < 2 {
                bounds
            } else {
                interleaved::count(&futures, agents.len(), limits).map_or(bounds, Count::exactly)
            }
        };
        Self {
            alphabet,
            agents,
            plans,
            total,
            tuples,
            joint,
            futures,
        }
    }

    /// The references, ordered by the first agent's word, then the second's, and so on; words by
    /// the texts of their labels.
    pub fn iter(&self) -> Box<dyn Iterator<Item = Tuple> + '_> {
        match &self.tuples {
            Ok(automaton) => Box::new(automaton.iter()),
            Err(_) => Box::new(listing::Tuples::new(&self.futures, self.agents.len())),
        }
    }

    /// Returns true if the labels of some optimal plan are these, agent by agent.
    pub fn contains(&self, tuple: &[Vec<Symbol>]) -> bool {
        if tuple.len() != self.agents.len() {
            return false;
        }
        if let Ok(automaton) = &self.tuples {
            return automaton.contains(tuple);
        }
        let mut rest = self.futures.clone();
        for (agent, word) in tuple.iter().enumerate() {
            rest = rest.restrict(agent as u16, word);
        }
        !rest.is_empty()
    }

    /// Returns true if an agent's labels are these in some optimal plan.
    pub fn contains_word(&self, agent: usize, word: &[Symbol]) -> bool {
        let Some(words) = self.agents.get(agent) else {
            return false;
        };
        match &words.automaton {
            Ok(automaton) => automaton.contains(&[word]),
            Err(_) => !self.futures.restrict(agent as u16, word).is_empty(),
        }
    }

    /// The texts of a tuple.
    pub fn texts(&self, tuple: &[Vec<Symbol>]) -> Vec<Vec<String>> {
        let text = |&symbol: &Symbol| self.alphabet.text(symbol).to_owned();
        let words = tuple.iter();
        words.map(|word| word.iter().map(text).collect()).collect()
    }
}

impl<'a> IntoIterator for &'a References {
    type Item = Tuple;
    type IntoIter = Box<dyn Iterator<Item = Tuple> + 'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl AgentWords {
    fn derive(
        name: &str,
        agent: u16,
        futures: &Futures,
        plans: &BigUint,
        limits: &Limits<'_>,
    ) -> Self {
        let projection = futures.projection(agent);
        let lengths = projection.lengths();
        let (shortest, longest) = projection
            .root
            .map_or((0, 0), |root| lengths[root as usize]);
        let mut store = Store::new(limits);
        let automaton = futures
            .of_agent(agent)
            .tuples(&[agent], &mut store)
            .map(|root| Automaton::extract(&store, root, 1));
        let count = match &automaton {
            Ok(automaton) => Count::exactly(automaton.count()),
            Err(_) => Count {
                lower: BigUint::from(1_u32).min(plans.clone()),
                upper: plans.clone(),
            },
        };
        Self {
            name: name.to_owned(),
            count,
            shortest,
            longest,
            automaton,
            projection,
            completion: lengths.into_iter().map(|(shortest, _)| shortest).collect(),
        }
    }
}

fn tuples(
    futures: &Futures,
    agents: usize,
    limits: &Limits<'_>,
) -> Result<Automaton, LimitReached> {
    let all: Vec<u16> = (0..agents as u16).collect();
    let mut store = Store::new(limits);
    let root = futures.tuples(&all, &mut store)?;
    Ok(Automaton::extract(&store, root, agents))
}

/// Bounds on the number of tuples: each agent's word occurs in one at least; there are no more
/// than combinations of words, than joint words, or than plans.
fn bounds(plans: &BigUint, agents: &[AgentWords], joint: Option<&Joint>) -> Count {
    let none = BigUint::from(1_u32).min(plans.clone());
    let counts = agents.iter().map(|agent| &agent.count);
    let lower = counts.clone().map(|count| &count.lower).max();
    let product: BigUint = counts.map(|count| &count.upper).product();
    let mut upper = product.min(plans.clone());
    if let Some(joint) = joint {
        upper = upper.min(joint.automaton.count());
    }
    Count {
        lower: lower.cloned().unwrap_or(none),
        upper,
    }
}
