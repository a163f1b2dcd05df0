//! The header of an evaluation's folder: all that its episodes depend on.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::sense::Sense;
use super::setup::{Setup, design_and_model};
use super::stage::{Stage, Used};

/// The version of the folder's form.
pub(super) const SCHEMA: u32 = 1;

/// The parts of an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) schema: u32,
    /// The version of Brigade that wrote it.
    pub(super) brigade: String,
    pub(super) seeds: Vec<u64>,
    pub(super) epochs: u32,
    /// Those of the bench file.
    #[serde(flatten)]
    pub(super) entries: Entries,
    /// The entries that it had when episodes were played that are still there.
    #[serde(default, skip_serializing_if = "Entries::is_empty")]
    pub(super) left_out: Entries,
}

/// Problems, models and set-ups.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Entries {
    pub(super) problems: Vec<OfProblem>,
    /// As the bench file has them, with all defaults and the format that is used.
    pub(super) models: IndexMap<String, Value>,
    pub(super) setups: Vec<OfSetup>,
}

/// A problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct OfProblem {
    pub(super) problem: String,
    #[serde(flatten)]
    pub(super) sense: Sense,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) semantics: Option<String>,
    pub(super) max_ticks: u32,
    pub(super) optimum: Option<u32>,
}

/// A set-up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct OfSetup {
    pub(super) setup: String,
    pub(super) agents: String,
    pub(super) except: IndexMap<String, String>,
    pub(super) max_ticks: Option<u32>,
    /// In the order of [`Setup::designs`].
    pub(super) designs: Vec<OfDesign>,
}

/// A design of a set-up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct OfDesign {
    pub(super) design: Value,
    /// A hash of its templates.
    pub(super) templates: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) demonstrations: Vec<Shown>,
}

/// The demonstration where a problem is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Shown {
    pub(super) problem: String,
    pub(super) shows: String,
    #[serde(flatten)]
    pub(super) sense: Sense,
}

impl Header {
    /// The header of a bench file; `formats` are those that its models use, as far as they are known.
    pub(super) fn new(stage: &Stage<'_>, formats: &[Option<&str>]) -> Self {
        let problems = stage.problems.iter().map(|problem| OfProblem {
            problem: problem.title.clone(),
            sense: problem.sense.clone(),
            semantics: Some(problem.task.semantics.clone()),
            max_ticks: problem.max_ticks,
            optimum: problem.optimum,
        });
        let setups = stage.bench.setups.iter().zip(&stage.designs);
        let setups = setups.map(|(setup, used)| OfSetup {
            setup: setup.name.clone(),
            agents: setup.agents.clone(),
            except: setup.except.clone(),
            max_ticks: setup.max_ticks,
            designs: used.iter().map(|used| of_design(stage, used)).collect(),
        });
        let models = stage.bench.models.iter().zip(formats);
        let models = models.map(|((name, model), format)| {
            let mut value = json!(model);
            value["format-used"] = json!(format);
            (name.clone(), value)
        });
        Self {
            schema: SCHEMA,
            brigade: env!("CARGO_PKG_VERSION").to_owned(),
            seeds: stage.bench.seeds.clone(),
            epochs: stage.bench.epochs,
            entries: Entries {
                problems: problems.collect(),
                models: models.collect(),
                setups: setups.collect(),
            },
            left_out: Entries::default(),
        }
    }

    /// All that is known of problems: as the bench file has them, then what was left out.
    pub(super) fn problems(&self) -> impl Iterator<Item = &OfProblem> {
        let left_out = self.left_out.problems.iter();
        self.entries.problems.iter().chain(left_out)
    }

    /// All that is known of models.
    pub(super) fn models(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.entries.models.iter().chain(&self.left_out.models)
    }

    /// All that is known of set-ups: of one also what it demonstrated on problems that were left out.
    pub(super) fn setups(&self) -> impl Iterator<Item = &OfSetup> {
        self.entries.setups.iter().chain(&self.left_out.setups)
    }

    /// All names that are parts of names of files.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let problems = self.problems().map(|problem| &*problem.problem);
        let setups = self.setups().map(|setup| &*setup.setup);
        let models = self.models().map(|(name, _)| name.as_str());
        problems.chain(setups).chain(models)
    }
}

impl Entries {
    fn is_empty(&self) -> bool {
        self.problems.is_empty() && self.models.is_empty() && self.setups.is_empty()
    }
}

impl OfSetup {
    /// Returns whether some policy names a model.
    pub(super) fn names_model(&self, model: &str) -> bool {
        let designs = Setup::designs_of(&self.agents, &self.except);
        let mut named = designs.iter().filter_map(|it| design_and_model(it).1);
        named.any(|named| named == model)
    }

    /// The policy of an agent, by its name in small letters, or of all others.
    pub(super) fn policy(&self, agent: Option<&str>) -> &str {
        let mut own = self.except.iter();
        let own = own.find(|(name, _)| agent.is_some_and(|agent| name.eq_ignore_ascii_case(agent)));
        own.map_or(&*self.agents, |(_, policy)| policy)
    }

    /// The design that a policy names, if it is one.
    pub(super) fn design(&self, policy: &str) -> Option<&OfDesign> {
        let names = Setup::designs_of(&self.agents, &self.except);
        let place = names.iter().position(|name| name == policy)?;
        self.designs.get(place)
    }
}

fn of_design(stage: &Stage<'_>, used: &Used) -> OfDesign {
    let examples = stage.problems.iter().zip(&used.examples);
    let shown = examples.filter_map(|(problem, example)| {
        let example = example.as_ref()?;
        Some(Shown {
            problem: problem.title.clone(),
            shows: example.task.problem.clone(),
            sense: example.sense.clone(),
        })
    });
    OfDesign {
        design: json!(used.design),
        templates: used.templates.clone(),
        demonstrations: shown.collect(),
    }
}
