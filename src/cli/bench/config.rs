//! Defines the configuration of an evaluation: a TOML file of problems, models and set-ups, and the episodes it stands
//! for.

use std::path::PathBuf;
use std::time::Duration;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::columns::Column;
use super::names::file_safe;
use crate::agents::Nature;
use crate::cli::exec::TIMEOUT;
use crate::cli::exit::{Failure, Result};
use crate::cli::files;
use crate::cli::models::Model;
use crate::cli::online::Online;
use crate::diagnostics::suggest;
use crate::diagnostics::words::counted;
use crate::task::Agent;

/// More episodes than this are a mistake.
const MOST_EPISODES: usize = 1_000_000;

/// The file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Bench {
    /// The seeds of the episodes: of random policies, of the order of lists, of what models draw.
    #[serde(default = "first_seed")]
    pub(super) seeds: Vec<u64>,
    /// The number of repetitions of each episode.
    #[serde(default = "once")]
    pub(super) epochs: u32,
    /// The most ticks of an episode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) max_ticks: Option<u32>,
    /// The most ticks of an episode, as a multiple of the proven optimum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) budget: Option<f64>,
    /// True if `planner` and `greedy` play where they know facts that their agents do not observe.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) clairvoyant: bool,
    /// Columns of totals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) columns: Vec<Column>,
    /// The models, by the names that tables and logs give them.
    #[serde(default)]
    pub(super) models: IndexMap<String, Model>,
    /// The problems.
    pub(super) problems: Vec<Problem>,
    /// The set-ups of the agents.
    pub(super) setups: Vec<Setup>,
}

/// A problem.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Problem {
    /// Its file, from the folder of the bench file.
    pub(super) path: PathBuf,
    /// The name in tables; by default as its file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    /// The group over which totals are summed before a column is computed; by default the problem
    /// alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) group: Option<String>,
    /// Its domain, where it is not found by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) domain: Option<PathBuf>,
    /// The streams that are laid over it, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) init: Vec<PathBuf>,
    /// The semantics; by default the domain's first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) semantics: Option<String>,
    /// As of the file, for this problem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) max_ticks: Option<u32>,
    /// As of the file, for this problem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) budget: Option<f64>,
}

/// A set-up: the policy of the agents, and its options.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Setup {
    /// The name in tables.
    pub(super) name: String,
    /// The policy of every agent: `planner`, `planner:time=T,window=W`, `greedy`, `random`, `exec:CMD`, the name of a
    /// design that comes with Brigade, or the file of one.
    pub(super) agents: String,
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
    #[serde(default)]
    pub(super) except: IndexMap<String, String>,
    /// Values in place of those of the designs: to leave a module out, to change a limit.
    #[serde(default)]
    pub(super) change: toml::Table,
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
}

/// An episode to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Planned {
    /// The identifier of the episode: the name of its files.
    pub(super) id: String,
    /// The places of problem, set-up and model in the bench file; no model where none is asked.
    pub(super) problem: usize,
    pub(super) setup: usize,
    pub(super) model: Option<usize>,
    pub(super) seed: u64,
    /// From 1.
    pub(super) epoch: u32,
}

impl Bench {
    /// All episodes, in the order of the file. `models` are the names of those that take part; all
    /// where there are none.
    pub(super) fn episodes(&self, models: &[String]) -> Result<Vec<Planned>> {
        for name in models {
            if !self.models.contains_key(name) {
                let known = self.models.keys().map(String::as_str);
                let near = suggest(name, known.clone());
                let help = near.map_or_else(
                    || format!("it has {}", known.collect::<Vec<_>>().join(", ")),
                    |near| format!("did you mean `{near}`?"),
                );
                return Err(Failure::usage(
                    format!("the bench file has no model `{name}`"),
                    help,
                ));
            }
        }
        let is_chosen = |name: &String| models.is_empty() || models.contains(name);
        let mut episodes = Vec::new();
        for (problem, of_problem) in self.problems.iter().enumerate() {
            for (setup, of_setup) in self.setups.iter().enumerate() {
                if !of_setup.plays(&of_problem.title()) {
                    continue;
                }
                let chosen: Vec<Option<usize>> = if of_setup.designs().is_empty() {
                    vec![None]
                } else {
                    let names = self.models.keys().enumerate();
                    names
                        .filter(|(_, name)| is_chosen(name))
                        .map(|(model, _)| Some(model))
                        .collect()
                };
                for model in chosen {
                    let of_model = model.and_then(|model| self.models.get_index(model));
                    for &seed in &self.seeds {
                        for epoch in 1..=self.epochs {
                            let model_name = of_model.map(|it| it.0.as_str());
                            let names = (&*of_problem.title(), &*of_setup.name, model_name);
                            episodes.push(Planned {
                                id: id(file_safe, names, seed, epoch),
                                problem,
                                setup,
                                model,
                                seed,
                                epoch,
                            });
                            if episodes.len() > MOST_EPISODES {
                                return Err(Failure::usage(
                                    format!(
                                        "the bench file stands for more than {}",
                                        counted(MOST_EPISODES, "episode")
                                    ),
                                    "split it",
                                ));
                            }
                        }
                    }
                }
            }
        }
        Ok(episodes)
    }
}

impl Problem {
    /// Returns the name in tables.
    pub(super) fn title(&self) -> String {
        self.name.clone().unwrap_or_else(|| files::stem(&self.path))
    }
}

/// The identity of an episode, of which names become parts.
pub(super) fn id(
    part: impl Fn(&str) -> String,
    (problem, setup, model): (&str, &str, Option<&str>),
    seed: u64,
    epoch: u32,
) -> String {
    let [problem, setup, model] = [problem, setup, model.unwrap_or("none")].map(part);
    format!("{problem}.{setup}.{model}.seed{seed}.epoch{epoch}")
}

fn first_seed() -> Vec<u64> {
    vec![0]
}

const fn once() -> u32 {
    1
}
