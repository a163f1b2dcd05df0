//! What is evaluated: a TOML file of problems, models and set-ups, and the episodes it stands for.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::agents::llm::chat::Sampling;
use crate::agents::llm::form::ActionFormat;
use crate::cli::exit::{Failure, Result};
use crate::cli::files;
use crate::diagnostics::suggest;
use crate::words::counted;

/// More episodes than this are a mistake.
const MOST_EPISODES: usize = 1_000_000;

/// The file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Bench {
    /// The seeds of the episodes: of random policies, of the order of lists, of what models draw.
    #[serde(default = "first_seed")]
    pub(super) seeds: Vec<u64>,
    /// How often each is repeated.
    #[serde(default = "once")]
    pub(super) epochs: u32,
    /// The most ticks of an episode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) max_ticks: Option<u32>,
    /// The most ticks of an episode, as a multiple of the proven optimum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) budget: Option<f64>,
    /// The models, by the names that tables and logs give them.
    #[serde(default)]
    pub(super) models: IndexMap<String, Model>,
    /// The problems.
    pub(super) problems: Vec<Problem>,
    /// Who acts.
    pub(super) setups: Vec<Setup>,
}

/// A model behind an endpoint, and how it is asked.
#[expect(
    clippy::struct_field_names,
    reason = "the keys of the file, `model` among them"
)]
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Model {
    /// Where it is: with or without `/chat/completions`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) base_url: Option<String>,
    /// What its server calls it; by default as the file does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) model: Option<String>,
    /// The environment variable that holds the key.
    #[serde(default = "key_variable")]
    pub(super) api_key_env: String,
    /// See [`Sampling`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) temperature: Option<f64>,
    /// See [`Sampling`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) top_p: Option<f64>,
    /// See [`Sampling`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) max_tokens: Option<u32>,
    /// Whether each question is sent with a seed of its own.
    #[serde(default = "yes")]
    pub(super) seeded: bool,
    /// How it chooses actions.
    #[serde(default)]
    pub(super) action_format: FormatChoice,
    /// What counts as an action.
    #[serde(default)]
    pub(super) parse: Parse,
    /// Whether possible actions are listed in an order drawn anew for each decision.
    #[serde(default = "yes")]
    pub(super) shuffle: bool,
    /// What a million tokens cost; unknown where it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) price: Option<Price>,
    /// Seconds that one try may take.
    #[serde(default = "minute")]
    pub(super) timeout: u32,
    /// How often a question is sent again that the server failed to answer.
    #[serde(default = "retries")]
    pub(super) max_retries: u32,
    /// The most requests a minute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) requests_per_minute: Option<u32>,
}

/// What a million tokens cost, in any currency.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Price {
    /// Of questions.
    pub(super) input: f64,
    /// Of answers.
    pub(super) output: f64,
    /// Of what the server has read before; as other questions where it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) cached: Option<f64>,
}

/// A way to choose actions, or the best that the endpoint can do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(super) enum FormatChoice {
    /// The best that the endpoint can do: it is tried first.
    #[default]
    Auto,
    /// Lines such as `Action: ...`.
    Text,
    /// A JSON object under a schema.
    Json,
    /// Lines under a grammar.
    Grammar,
    /// The call of a tool.
    Tool,
    /// The likeliest letter.
    Logprobs,
}

impl FormatChoice {
    /// The format, if it is given.
    pub(super) const fn given(self) -> Option<ActionFormat> {
        match self {
            Self::Auto => None,
            Self::Text => Some(ActionFormat::Text),
            Self::Json => Some(ActionFormat::Json),
            Self::Grammar => Some(ActionFormat::Grammar),
            Self::Tool => Some(ActionFormat::Tool),
            Self::Logprobs => Some(ActionFormat::Logprobs),
        }
    }
}

/// What counts as an action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Parse {
    /// What has its form to the letter.
    #[default]
    Strict,
    /// What a well-meaning reader finds.
    Lenient,
}

/// A problem.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Problem {
    /// Its file, from the folder of the bench file.
    pub(super) path: PathBuf,
    /// What tables call it; by default as its file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    /// Its domain, where it is not found by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) domain: Option<PathBuf>,
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

/// Who acts.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Setup {
    /// What tables call it.
    pub(super) name: String,
    /// The policy of every agent: `planner`, `greedy`, `random`, the name of a design that comes with
    /// Brigade, or the file of one.
    pub(super) agents: String,
    /// The problems that it is played on, by name; all where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) problems: Vec<String>,
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
    Greedy,
    Random,
    /// A design, by its name or its file.
    Design(String),
}

impl Policy {
    pub(super) fn of(text: &str) -> Self {
        match text {
            "planner" => Self::Planner,
            "greedy" => Self::Greedy,
            "random" => Self::Random,
            other => Self::Design(other.to_owned()),
        }
    }
}

impl Setup {
    /// The policy of an agent.
    pub(super) fn policy(&self, agent: &str) -> Policy {
        let own = self.except.iter();
        let mut own = own.filter(|(name, _)| name.eq_ignore_ascii_case(agent));
        Policy::of(own.next().map_or(&self.agents, |(_, policy)| policy))
    }

    /// Whether it is played on a problem.
    pub(super) fn plays(&self, problem: &str) -> bool {
        self.problems.is_empty() || self.problems.iter().any(|name| name == problem)
    }

    /// The designs that are in it.
    pub(super) fn designs(&self) -> Vec<String> {
        let all = std::iter::once(&self.agents).chain(self.except.values());
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
    /// What identifies it: the name of its files.
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
    /// Reads a bench file.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let text = files::read_text(path)?;
        let bench: Self = toml::from_str(&text)
            .map_err(|error| Failure::file(path, error.to_string().trim_end()))?;
        bench.check().map_err(|why| Failure::file(path, why))?;
        Ok(bench)
    }

    fn check(&self) -> std::result::Result<(), String> {
        if self.problems.is_empty() || self.setups.is_empty() {
            return Err("it needs at least one of `problems` and one of `setups`".to_owned());
        }
        if self.seeds.is_empty() || self.epochs == 0 {
            return Err("`seeds` must not be empty, nor `epochs` be 0".to_owned());
        }
        let budgets = self.problems.iter().map(|problem| problem.budget);
        let is_budget = |budget: &f64| budget.is_finite() && *budget >= 1.0;
        if let Some(budget) = budgets
            .chain([self.budget])
            .flatten()
            .find(|budget| !is_budget(budget))
        {
            return Err(format!(
                "`budget` is a multiple of the optimum, 1 at least, not {budget}"
            ));
        }
        let asks = self.setups.iter().any(|setup| !setup.designs().is_empty());
        if asks && self.models.is_empty() {
            return Err("a set-up asks a model, and there is none: add `[models.NAME]`".to_owned());
        }
        let titles: Vec<String> = self.problems.iter().map(Problem::title).collect();
        let mut named = self.setups.iter().flat_map(|setup| &setup.problems);
        if let Some(name) = named.find(|name| !titles.contains(name)) {
            let near = suggest(name, titles.iter().map(String::as_str));
            let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            return Err(format!(
                "a set-up names the problem `{name}`, which there is not{near}"
            ));
        }
        unique("setups", self.setups.iter().map(|setup| setup.name.clone()))?;
        unique("problems", self.problems.iter().map(Problem::title))
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
                            let parts = [
                                of_problem.title(),
                                of_setup.name.clone(),
                                of_model.map_or_else(|| "none".to_owned(), |it| it.0.clone()),
                                format!("seed{seed}"),
                                format!("epoch{epoch}"),
                            ];
                            episodes.push(Planned {
                                id: parts.map(|part| file_safe(&part)).join("."),
                                problem,
                                setup,
                                model,
                                seed,
                                epoch,
                            });
                            if episodes.len() > MOST_EPISODES {
                                return Err(Failure::Unusable(format!(
                                    "the bench file stands for more than {}",
                                    counted(MOST_EPISODES, "episode")
                                )));
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
    /// What tables call it.
    pub(super) fn title(&self) -> String {
        self.name.clone().unwrap_or_else(|| files::stem(&self.path))
    }
}

impl Model {
    /// How answers are drawn; the seed is set for each question.
    pub(super) const fn sampling(&self) -> Sampling {
        Sampling {
            temperature: self.temperature,
            top_p: self.top_p,
            seed: None,
            max_tokens: self.max_tokens,
        }
    }
}

fn unique(what: &str, names: impl Iterator<Item = String>) -> std::result::Result<(), String> {
    let mut seen: Vec<String> = Vec::new();
    for name in names {
        let name = file_safe(&name);
        if seen.contains(&name) {
            return Err(format!("two of `{what}` are called `{name}`"));
        }
        seen.push(name);
    }
    Ok(())
}

/// A name as part of the name of a file.
fn file_safe(name: &str) -> String {
    let safe = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    name.chars()
        .map(|c| if safe(c) { c } else { '_' })
        .collect()
}

fn first_seed() -> Vec<u64> {
    vec![0]
}

const fn once() -> u32 {
    1
}

fn key_variable() -> String {
    "OPENAI_API_KEY".to_owned()
}

const fn yes() -> bool {
    true
}

const fn minute() -> u32 {
    60
}

const fn retries() -> u32 {
    5
}
