//! Defines the configuration of an evaluation: a TOML file of problems, models and set-ups, and the episodes it stands
//! for.

use std::collections::BTreeSet;
use std::path::PathBuf;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::columns::Column;
use super::names::file_safe;
use super::setup::{Policies, Policy, Setup, design_and_model};
use crate::cli::exit::{Failure, Result};
use crate::cli::files;
use crate::cli::models::Model;
use crate::diagnostics::suggest;
use crate::diagnostics::words::counted;

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
    /// The references against which episodes are scored: `derived`, or a file of annotated ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) references: Option<String>,
    /// The currency of prices, by its code of ISO 4217.
    #[serde(default = "us_dollars")]
    pub(super) currency: String,
    /// Columns of totals.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) columns: Vec<Column>,
    /// The models, by the names that tables and logs give them.
    #[serde(default)]
    pub(super) models: IndexMap<String, Model>,
    /// The problems.
    pub(super) problems: Vec<Problem>,
    /// The set-ups of the agents, as they are written.
    #[serde(rename = "setups")]
    pub(super) written: Vec<Setup<Policies>>,
    /// A set-up for each of their teams.
    #[serde(skip)]
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
    /// As of the file, for this problem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) references: Option<String>,
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

/// An episode to be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Planned {
    /// The identifier of the episode: the name of its files.
    pub(super) id: String,
    /// The places of problem, set-up and model in the bench file; no model where none is asked that the set-up does
    /// not name.
    pub(super) problem: usize,
    pub(super) setup: usize,
    pub(super) model: Option<usize>,
    pub(super) seed: u64,
    /// From 1.
    pub(super) epoch: u32,
}

impl Bench {
    /// Sets up all teams of the set-ups.
    pub(super) fn set_up(&mut self) -> std::result::Result<(), String> {
        let models: Vec<&str> = self.models.keys().map(String::as_str).collect();
        let mut setups = Vec::new();
        for written in &self.written {
            setups.extend(written.teams(&models)?);
        }
        self.setups = setups;
        Ok(())
    }

    /// Leaves out all models but these, with the set-ups that name others.
    pub(super) fn retain_models(&mut self, names: &[String]) {
        self.models.retain(|name, _| names.contains(name));
        let models = &self.models;
        self.setups.retain(|setup| {
            let designs = setup.designs();
            let mut named = designs.iter().filter_map(|it| design_and_model(it).1);
            named.all(|model| models.contains_key(model))
        });
    }

    /// The place of the model that a policy asks in an episode; `None` if it asks none.
    pub(super) fn model_of(&self, planned: &Planned, policy: &Policy) -> Option<usize> {
        let Policy::Design(text) = policy else {
            return None;
        };
        match design_and_model(text).1 {
            Some(name) => self.models.get_index_of(name),
            None => planned.model,
        }
    }

    /// The places of all models that are asked in an episode.
    pub(super) fn asked(&self, planned: &Planned) -> BTreeSet<usize> {
        let designs = self.setups[planned.setup].designs().into_iter();
        let models = designs.map(|it| self.model_of(planned, &Policy::Design(it)));
        models.flatten().collect()
    }

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
                let chosen: Vec<Option<usize>> = if of_setup.asks_any() {
                    let names = self.models.keys().enumerate();
                    names
                        .filter(|(_, name)| is_chosen(name))
                        .map(|(model, _)| Some(model))
                        .collect()
                } else {
                    vec![None]
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

fn us_dollars() -> String {
    "USD".to_owned()
}

fn first_seed() -> Vec<u64> {
    vec![0]
}

const fn once() -> u32 {
    1
}
