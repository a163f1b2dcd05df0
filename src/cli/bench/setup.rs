//! A set-up of agents: the policy of each, and its options.

use std::path::Path;
use std::time::Duration;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::agents::Nature;
use crate::cli::exec::TIMEOUT;
use crate::cli::online::Online;
use crate::task::Agent;

/// A set-up: the policy of the agents, and its options.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Setup<P = String> {
    /// The name in tables.
    pub(super) name: String,
    /// The policy of every agent: `planner`, `planner:time=T,window=W`, `greedy`, `random`, `exec:CMD`, the name of a
    /// design that comes with Brigade, or the file of one; a design may name its model: `react@small`.
    pub(super) agents: P,
    /// The problems that it is played on, by name; all where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) problems: Vec<String>,
    /// The most ticks of its episodes, where that is fewer than the problem allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) max_ticks: Option<u32>,
    /// The seconds for which a program of `exec:CMD` may be silent when it is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) agent_timeout: Option<f64>,
    /// The policies of certain agents.
    #[serde(default = "IndexMap::new")]
    pub(super) except: IndexMap<String, P>,
    /// Values in place of those of the designs: to leave a module out, to change a limit.
    #[serde(default)]
    pub(super) change: toml::Table,
    /// The place among those of a set-up that stands for several.
    #[serde(skip)]
    pub(super) team: Option<Team>,
}

/// A policy as a set-up names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Policy {
    Planner,
    /// It plans while it acts: `planner:` and its settings.
    Online(String),
    Greedy,
    Random,
    /// A command of the shell.
    Exec(String),
    /// A design, by its name or its file.
    Design(String),
    /// Chance, for agents that are part of the environment.
    Nature,
}

impl Policy {
    /// The name of one that asks no model.
    pub(super) const fn name(&self) -> &str {
        match self {
            Self::Planner => "planner",
            Self::Greedy => "greedy",
            Self::Random => "random",
            Self::Nature => Nature::NAME,
            Self::Online(text) | Self::Exec(text) | Self::Design(text) => text.as_str(),
        }
    }

    pub(super) fn of(text: &str) -> Self {
        match text {
            "planner" => Self::Planner,
            "greedy" => Self::Greedy,
            "random" => Self::Random,
            "exec" => Self::Exec(String::new()),
            online if online.starts_with(Online::PREFIX) => Self::Online(online.to_owned()),
            other => match other.strip_prefix("exec:") {
                Some(command) => Self::Exec(command.trim().to_owned()),
                None => Self::Design(other.to_owned()),
            },
        }
    }
}

impl Setup {
    /// The policy of an agent.
    pub(super) fn policy(&self, agent: &Agent) -> Policy {
        if agent.nature.is_some() {
            return Policy::Nature;
        }
        let own = self.except.iter();
        let mut own = own.filter(|(name, _)| name.eq_ignore_ascii_case(&agent.name));
        Policy::of(own.next().map_or(&self.agents, |(_, policy)| policy))
    }

    /// The time for which a program may be silent.
    pub(super) fn agent_timeout(&self) -> Duration {
        let seconds = self.agent_timeout.unwrap_or(TIMEOUT);
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    }

    /// Returns true if it is played on a problem.
    pub(super) fn plays(&self, problem: &str) -> bool {
        self.problems.is_empty() || self.problems.iter().any(|name| name == problem)
    }

    /// The designs that are in it.
    pub(super) fn designs(&self) -> Vec<String> {
        Self::designs_of(&self.agents, &self.except)
    }

    /// The designs among the policies of a set-up, in an order that does not depend on its agents.
    pub(super) fn designs_of(agents: &str, except: &IndexMap<String, String>) -> Vec<String> {
        let all = std::iter::once(agents).chain(except.values().map(String::as_str));
        let mut designs: Vec<String> = all
            .filter_map(|text| match Policy::of(text) {
                Policy::Design(name) => Some(name),
                _ => None,
            })
            .collect();
        designs.sort();
        designs.dedup();
        designs
    }

    /// Returns whether some design asks the model that the set-up is played with.
    pub(super) fn asks_any(&self) -> bool {
        let designs = self.designs();
        designs.iter().any(|it| design_and_model(it).1.is_none())
    }
}

/// The design of a policy, and the model that it names: `react@small`. A file names none.
pub(super) fn design_and_model(policy: &str) -> (&str, Option<&str>) {
    let is_file = Path::new(policy).extension() == Some("toml".as_ref());
    match policy.rsplit_once('@') {
        Some((design, model)) if !is_file => (design, Some(model)),
        _ => (policy, None),
    }
}

/// The policies of agents: one, or several to be played with in turn.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged, expecting = "a policy or a list of policies is expected")]
pub(super) enum Policies {
    One(String),
    Several(Vec<String>),
}

/// The place of a team among those of a set-up that lists several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Team {
    /// The set-up.
    #[serde(rename = "matrix")]
    pub(super) setup: String,
    /// The policies that vary, by agent; `agents` are those that have none of their own.
    #[serde(rename = "cell")]
    pub(super) policies: IndexMap<String, String>,
}

impl Team {
    /// The same, with the agents in the order of a problem.
    pub(super) fn of(&self, agents: &[Agent]) -> Self {
        let place = |name: &str| {
            let mut agents = agents.iter();
            agents.position(|agent| agent.name.eq_ignore_ascii_case(name))
        };
        let mut team = self.clone();
        // Names that are no agents of it come last.
        let last = agents.len();
        team.policies
            .sort_by_cached_key(|name, _| place(name).unwrap_or(last));
        team
    }
}
