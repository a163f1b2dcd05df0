//! Defines the output of `brigade rats --format json`.

use indexmap::IndexMap;
use num_bigint::BigUint;
use serde::{Serialize, Serializer};

use super::References;
use brigade_search::dag::PlanDag;

/// Version of the document's shape.
pub const SCHEMA: u32 = 1;

/// The facts that the references do not know themselves.
#[derive(Clone, Debug)]
pub struct Header {
    /// The problem's name.
    pub problem: String,
    /// The semantics it was compiled under.
    pub semantics: String,
    /// Ticks of an optimal plan.
    pub makespan: u32,
    /// Labelled actions of an optimal plan.
    pub actions: u32,
}

/// One agent's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AgentSummary {
    /// The number of distinct ones, a decimal; `null` if a limit was reached.
    pub count: Option<String>,
    /// Labels in the shortest.
    pub shortest: u32,
    /// Labels in the longest.
    pub longest: u32,
}

/// The size of the DAG of optimal plans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DagSize {
    /// Its nodes.
    pub nodes: usize,
    /// Its edges.
    pub edges: usize,
}

impl From<&PlanDag> for DagSize {
    fn from(dag: &PlanDag) -> Self {
        Self {
            nodes: dag.nodes.len(),
            edges: dag.edges.len(),
        }
    }
}

/// References from agents to labels. They are made one by one while the document is written, and
/// anew whenever it is.
pub struct ByAgent<F> {
    names: Vec<String>,
    listed: F,
}

impl<F, I> ByAgent<F>
where
    F: Fn() -> I,
    I: IntoIterator<Item = Vec<Vec<String>>>,
{
    /// Those whose [texts](References::texts) are given.
    pub fn new(references: &References, listed: F) -> Self {
        Self {
            names: names(references),
            listed,
        }
    }
}

impl<F, I> Serialize for ByAgent<F>
where
    F: Fn() -> I,
    I: IntoIterator<Item = Vec<Vec<String>>>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let listed = (self.listed)().into_iter();
        serializer.collect_seq(listed.map(|words| {
            let by_agent: IndexMap<&str, Vec<String>> =
                self.names.iter().map(String::as_str).zip(words).collect();
            by_agent
        }))
    }
}

/// The document; `L` is a list of references.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Summary<L> {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The problem's name.
    pub problem: String,
    /// The semantics.
    pub semantics: String,
    /// Ticks of an optimal plan.
    pub makespan: u32,
    /// Labelled actions of an optimal plan.
    pub actions: u32,
    /// The number of optimal plans, a decimal.
    pub plans: String,
    /// The number of references, a decimal; `null` if a limit was reached.
    pub references_total: Option<String>,
    /// If that is so: the least and the greatest number there can be, decimals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub references_bounds: Option<[String; 2]>,
    /// The number of distinct joint words, a decimal; `null` if a limit was reached.
    pub joint_words: Option<String>,
    /// By agent, in declared order.
    pub per_agent: IndexMap<String, AgentSummary>,
    /// The first references, in order: [labels by agent](ByAgent).
    pub references: L,
    /// The size of the DAG, on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dag: Option<DagSize>,
}

/// The agents' names; the implicit agent of a domain without agents has none of its own.
fn names(references: &References) -> Vec<String> {
    let agents = references.agents.iter().enumerate();
    agents
        .map(|(agent, words)| match words.name.as_str() {
            "" => format!("agent_{agent}"),
            name => name.to_owned(),
        })
        .collect()
}

impl<L> Summary<L> {
    /// Sums up references, with those to be listed in full.
    pub fn new(references: &References, header: Header, listed: L, dag: Option<DagSize>) -> Self {
        let total = &references.total;
        let exact = total.exact().map(BigUint::to_string);
        let per_agent = names(references).into_iter().zip(&references.agents);
        Self {
            schema: SCHEMA,
            problem: header.problem,
            semantics: header.semantics,
            makespan: header.makespan,
            actions: header.actions,
            plans: references.plans.to_string(),
            references_bounds: match exact {
                Some(_) => None,
                None => Some([&total.lower, &total.upper].map(BigUint::to_string)),
            },
            references_total: exact,
            joint_words: references
                .joint
                .as_ref()
                .ok()
                .map(|joint| joint.automaton.count().to_string()),
            per_agent: per_agent
                .map(|(name, words)| {
                    let summary = AgentSummary {
                        count: words.count.exact().map(BigUint::to_string),
                        shortest: words.shortest,
                        longest: words.longest,
                    };
                    (name, summary)
                })
                .collect(),
            references: listed,
            dag,
        }
    }
}
