//! The document that a page shows.

use std::collections::BTreeMap;

use brigade_report::estimate::Estimate;
use brigade_report::matrix::Matrix;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::board::Board;
use crate::lanes::Lane;
use crate::quantity::Quantity;

/// Version of the document's shape. Pages carry the program that reads them, so no other reader depends on it.
pub const SCHEMA: u32 = 1;

/// Everything that a page shows. What is absent is not shown.
#[derive(Clone, Debug, Serialize)]
pub struct Document {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The title of the page.
    pub title: String,
    /// The program that made it, with its version.
    pub generator: String,
    /// An evaluation, of which the episodes are part.
    pub campaign: Option<Campaign>,
    /// Episodes by id; those that are missing are in files of their own, in `folder`.
    pub episodes: IndexMap<String, Episode>,
    /// The folder of the episodes' files, relative to the page, with a slash at its end.
    pub folder: Option<String>,
    /// A plan.
    pub plan: Option<Plan>,
    /// References.
    pub references: Option<References>,
    /// Notes for readers, as of what was left out.
    pub notes: Vec<String>,
}

impl Document {
    /// An empty page.
    pub fn new(title: &str) -> Self {
        Self {
            schema: SCHEMA,
            title: title.to_owned(),
            generator: format!("brigade {}", env!("CARGO_PKG_VERSION")),
            campaign: None,
            episodes: IndexMap::new(),
            folder: None,
            plan: None,
            references: None,
            notes: Vec::new(),
        }
    }
}

/// One episode.
#[derive(Clone, Debug, Serialize)]
pub struct Episode {
    /// The name of its log, without the extension.
    pub id: String,
    /// The domain's name.
    pub domain: String,
    /// The problem's name.
    pub problem: String,
    /// The semantics that it was played under.
    pub semantics: String,
    /// The seed of its policies.
    pub seed: u64,
    /// Its place in an evaluation.
    pub evaluation: Option<brigade_play::episode::Evaluated>,
    /// The players, in turn order.
    pub agents: Vec<brigade_play::episode::Player>,
    /// The end; `None` if the log ends in the middle.
    pub end: Option<Ending>,
    /// The unit of costs-to-go, costs and regrets: `ticks`, `cost`, `negated-cost`.
    pub unit: String,
    /// The number of these units in one unit of the problem's metric.
    pub scale: i64,
    /// True if states are in the words of the domain, else they are facts.
    pub in_words: bool,
    /// The texts of which states are made, each once.
    pub lines: Vec<String>,
    /// The states, from tick 0: indices into `lines`, -1 for an empty line.
    pub states: Vec<Vec<i32>>,
    /// The rows of the timeline.
    pub lanes: Vec<Lane>,
    /// The timesteps.
    pub steps: Vec<Step>,
    /// The texts of prompts, each once.
    pub texts: Vec<String>,
    /// The process metrics, if they are known.
    pub process: Option<Process>,
    /// The reason why they are not.
    pub missing: Option<String>,
    /// Notes on shortened texts.
    pub cut: Vec<String>,
    /// Where things are, if the problem has a layout.
    pub board: Option<Board>,
}

/// The end of an episode.
#[derive(Clone, Debug, Serialize)]
pub struct Ending {
    /// The reason, as logs have it.
    pub reason: Value,
    /// The reason in words.
    pub words: &'static str,
    /// More about the reason.
    pub detail: Option<String>,
    /// The limit for which followed plans are not proven to be optimal.
    pub unproven: Option<String>,
    /// Ticks that passed.
    pub ticks: u32,
    /// Labels that were recorded.
    pub labels: usize,
    /// Commands that were refused.
    pub refused: usize,
    /// The cost, as the task counts it.
    pub cost: i64,
    /// The totals, in the problem's units.
    pub totals: Value,
}

/// A timestep.
#[derive(Clone, Debug, Serialize)]
pub struct Step {
    /// Ticks that had passed when the agents chose.
    pub tick: u32,
    /// The cost that it added, in the unit of the episode.
    pub cost: i64,
    /// Cost-to-go at its start and at its end, and its regret.
    pub before: Option<Quantity>,
    /// See `before`.
    pub after: Option<Quantity>,
    /// See `before`.
    pub regret: Option<Quantity>,
    /// The amounts that it added to totals, in the problem's units.
    pub totals: Value,
    /// The choices, in the order in which the agents acted.
    pub choices: Vec<Choice>,
    /// The labels that were recorded.
    pub labels: Vec<brigade_play::episode::Labelled>,
    /// Facts that hold after it and did not before.
    pub added: Vec<String>,
    /// Facts that held before it and do not after.
    pub removed: Vec<String>,
    /// Messages, requests, questions to models and refusals before the agents acted, in the order of the log, and the
    /// outcomes of their decisions.
    pub events: Vec<Value>,
}

/// The choice of an agent.
#[derive(Clone, Debug, Serialize)]
pub struct Choice {
    /// The agent.
    pub agent: String,
    /// The ground name of the operator.
    pub action: String,
    /// The command that the agent gave; `None` if it was not asked.
    pub command: Option<String>,
    /// The number of its commands that were refused in this timestep.
    pub refused: u32,
    /// Cost-to-go before and after it, and its regret.
    pub before: Option<Quantity>,
    /// See `before`.
    pub after: Option<Quantity>,
    /// See `before`.
    pub regret: Option<Quantity>,
    /// True if it is part of some optimal plan from there.
    pub optimal: Option<bool>,
    /// Actions that would have been better, the best first.
    pub better: Vec<Alternative>,
}

/// An action that an agent might have chosen.
#[derive(Clone, Debug, Serialize)]
pub struct Alternative {
    /// The ground name of the operator.
    pub action: String,
    /// The cost of the best plan that begins with it.
    pub value: Quantity,
}

/// The process metrics of an episode as a whole.
#[derive(Clone, Debug, Serialize)]
pub struct Process {
    /// True if the goal was reached; `None` in a task without one.
    pub success: Option<bool>,
    /// The cost-to-go of the initial state.
    pub optimum: Option<Quantity>,
    /// The cost-to-go of the last state.
    pub to_go: Option<Quantity>,
    /// The sum of all regrets.
    pub regret: Option<Quantity>,
    /// The first timestep after which there is no plan.
    pub dead_end: Option<u64>,
    /// The share of the initial cost-to-go that is gone.
    pub progress: Option<f64>,
    /// `optimum / spent`.
    pub optimality_rate: Option<f64>,
    /// By agent.
    pub agents: Vec<AgentProcess>,
    /// Refused commands by class, and choices that lost something without one.
    pub counts: Value,
    /// The first departure from optimal plans, and the choice after which the goal was unreachable.
    pub first: Option<Value>,
    /// See `first`.
    pub decisive: Option<Value>,
}

/// The choices of one agent in an episode.
#[derive(Clone, Debug, Serialize)]
pub struct AgentProcess {
    /// The agent.
    pub agent: String,
    /// Choices made while some plan led to the goal.
    pub choices: u64,
    /// Those among them that are part of an optimal plan.
    pub optimal: u64,
    /// The sum of their regrets.
    pub regret: Option<Quantity>,
    /// Failures by class.
    pub failures: Value,
}

/// A plan.
#[derive(Clone, Debug, Serialize)]
pub struct Plan {
    /// The domain's name.
    pub domain: String,
    /// The problem's name.
    pub problem: String,
    /// The semantics it was made under.
    pub semantics: String,
    /// Ticks.
    pub makespan: u32,
    /// Labelled actions.
    pub actions: Option<u64>,
    /// Its cost in the problem's units.
    pub cost: Option<Value>,
    /// True if it is proven to be optimal.
    pub optimal: bool,
    /// The proven lower bound of the optimum.
    pub lower_bound: Option<Value>,
    /// The gap between both, as a share.
    pub gap: Option<f64>,
    /// The plan as it unfolds.
    #[serde(flatten)]
    pub course: Course,
    /// The Gantt chart as an SVG image.
    pub svg: String,
}

/// A plan as it unfolds.
#[derive(Clone, Debug, Serialize)]
pub struct Course {
    /// The rows of the timeline.
    pub lanes: Vec<Lane>,
    /// The texts of which states are made, each once.
    pub lines: Vec<String>,
    /// The states, from tick 0: indices into `lines`, -1 for an empty line.
    pub states: Vec<Vec<i32>>,
    /// True if states are in the words of the domain, else they are facts.
    pub in_words: bool,
    /// Where things are, if the problem has a layout.
    pub board: Option<Board>,
}

/// References.
#[derive(Clone, Debug, Serialize)]
#[expect(
    clippy::struct_field_names,
    reason = "the names of `rats --format json`"
)]
pub struct References {
    /// The problem's name.
    pub problem: String,
    /// The semantics they were derived under.
    pub semantics: String,
    /// Ticks of an optimal plan.
    pub makespan: u32,
    /// Labels of an optimal plan.
    pub actions: u32,
    /// The number of optimal plans, in decimal.
    pub plans: Option<String>,
    /// The number of references, in decimal.
    pub references_total: Option<String>,
    /// True if none is left out.
    pub complete: bool,
    /// The words of each agent.
    pub per_agent: Vec<Words>,
    /// The automata that are drawn.
    pub automata: Vec<Graph>,
    /// The first references, from agents to labels; with orbits one of each.
    pub references: Vec<IndexMap<String, Vec<String>>>,
    /// The references up to interchangeable objects, if there are any.
    pub orbits: Option<Orbits>,
}

/// The orbits of references under exchanges of interchangeable objects, as `rats --orbits --format json` has them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Orbits {
    /// Their number, in decimal.
    pub total: String,
    /// The names of interchangeable objects, by class.
    pub interchangeable: Vec<Vec<String>>,
    /// For each reference that is shown how many it stands for, in decimal.
    pub sizes: Vec<String>,
}

/// The number and lengths of an agent's label sequences.
#[derive(Clone, Debug, Serialize)]
pub struct Words {
    /// The agent.
    pub agent: String,
    /// The number of distinct ones, in decimal.
    pub count: Option<String>,
    /// Labels in the shortest.
    pub shortest: u32,
    /// Labels in the longest.
    pub longest: u32,
}

/// An automaton as a graph.
#[derive(Clone, Debug, Serialize)]
pub struct Graph {
    /// The agent whose words it reads, or all agents.
    pub title: String,
    /// The agents whose labels it reads.
    pub agents: Vec<String>,
    /// Its states.
    pub nodes: Vec<Node>,
    /// Its transitions.
    pub edges: Vec<Edge>,
}

/// A state of an automaton.
#[derive(Clone, Debug, Serialize)]
pub struct Node {
    /// Its number.
    pub id: u32,
    /// The most labels read before it.
    pub rank: u32,
    /// True if a word may end in it.
    pub accepts: bool,
    /// The number of words that pass through it, in decimal.
    pub ways: String,
}

/// A transition of an automaton.
#[derive(Clone, Debug, Serialize)]
pub struct Edge {
    /// The state that it leaves.
    pub from: u32,
    /// The state that it reaches.
    pub to: u32,
    /// The label.
    pub text: String,
    /// The agent that records it.
    pub agent: String,
    /// The number of words that pass through it, in decimal.
    pub ways: String,
}

/// An evaluation.
#[derive(Clone, Debug, Serialize)]
pub struct Campaign {
    /// Its name.
    pub name: String,
    /// The metrics of its tables, in order, with their titles.
    pub labels: IndexMap<String, String>,
    /// Tables: by set-up and model, then also by group, and by problem.
    pub tables: Vec<Table>,
    /// Success by the policies of two agents, of set-ups that list several for both.
    pub matrices: Vec<Matrix>,
    /// Differences between rows of the first table on the same episodes.
    pub differences: Vec<Difference>,
    /// Notes on how the figures are made.
    pub notes: Vec<String>,
    /// The episodes.
    pub episodes: Vec<Entry>,
    /// Charts.
    pub charts: Vec<Chart>,
}

/// A table of an evaluation.
#[derive(Clone, Debug, Serialize)]
pub struct Table {
    /// The parts of a row's key.
    pub by: Vec<&'static str>,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// The figures of some episodes.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The values that these share.
    pub key: Key,
    /// The number of episodes.
    pub episodes: usize,
    /// The number of those that reached the goal; `None` where no problem has one.
    pub successes: Option<usize>,
    /// By the name of the metric.
    pub values: IndexMap<String, Estimate>,
    /// Outcomes of decisions, by name.
    pub outcomes: BTreeMap<String, u64>,
    /// Failures, by class.
    pub failures: BTreeMap<String, u64>,
    /// By agent, the regret of its choices that left the goal in reach.
    pub regret: IndexMap<String, f64>,
}

/// The values that the episodes of a row share; `None` where they differ or have none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Key {
    /// The set-up of the agents.
    pub setup: Option<String>,
    /// The model.
    pub model: Option<String>,
    /// The group of problems.
    pub group: Option<String>,
    /// The problem.
    pub problem: Option<String>,
}

/// The difference of two set-ups on the same problems, seeds and repetitions.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    /// One set-up.
    pub a: Key,
    /// The other.
    pub b: Key,
    /// The metric.
    pub metric: String,
    /// That of `a` less that of `b`, over pairs of episodes.
    #[serde(flatten)]
    pub estimate: Estimate,
}

/// An episode in the list of an evaluation.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// Its id.
    pub id: String,
    /// The name of its file in the folder of the page, without `.js`.
    pub file: String,
    /// The problem.
    pub problem: String,
    /// The group of the problem.
    pub group: Option<String>,
    /// The set-up of the agents.
    pub setup: String,
    /// The model.
    pub model: Option<String>,
    /// The seed.
    pub seed: u64,
    /// The repetition.
    pub epoch: u32,
    /// The reason of its end.
    pub reason: String,
    /// True if the goal was reached.
    pub success: Option<bool>,
    /// Ticks that passed.
    pub ticks: u64,
    /// The optimum, in ticks.
    pub optimum: Option<u64>,
    /// Labels that were recorded.
    pub labels: u64,
    /// Refused commands.
    pub refused: u64,
    /// Requests to models.
    pub calls: u64,
    /// Tokens in questions.
    pub input: u64,
    /// Tokens in answers.
    pub output: u64,
    /// The cost of its tokens.
    pub cost: Option<f64>,
    /// The sum of its regrets.
    pub regret: Option<Quantity>,
    /// The cost-to-go at its end.
    pub to_go: Option<Quantity>,
    /// `optimum / spent` of a success.
    pub rate: Option<f64>,
    /// The first timestep after which there was no plan.
    pub dead_end: Option<u64>,
    /// The class of its failure.
    pub class: Option<String>,
    /// The totals, in the problem's units.
    pub totals: Map<String, Value>,
    /// The number that the group ends in, if charts have it as an axis.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<f64>,
}

/// A chart.
#[derive(Clone, Debug, Serialize)]
pub struct Chart {
    /// Its name.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The chart as a specification of Vega-Lite 6, with its data.
    pub spec: Value,
    /// The same numbers as a table.
    pub table: Sheet,
    /// For each row of the table the filters of the list of episodes that leave those behind it.
    pub behind: Vec<IndexMap<&'static str, String>>,
}

/// A plain table.
#[derive(Clone, Debug, Serialize)]
pub struct Sheet {
    /// The titles of its columns.
    pub columns: Vec<String>,
    /// Its rows.
    pub rows: Vec<Vec<Value>>,
}
