//! The tasks: their keys, and their texts.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::error::OptimaError;
use crate::survey::Texts;
use brigade::diagnostics::{Colour, Diagnostics, Sources, render_all};
use brigade::import::robotouille::{File, Options, import};
use brigade::syntax::printer::{print_domain, print_problem};

/// The seeds of the published instances of each task for one player.
pub const SEEDS: [u32; 10] = [42, 84, 126, 168, 210, 252, 294, 336, 378, 420];

/// A set of tasks, by the published name of its folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dataset {
    /// One player; nothing takes time by itself.
    Synchronous,
    /// One player; cooking goes on by itself.
    Asynchronous,
    /// Two players, in turn.
    MultiAgent,
}

/// A task: the published one, or an instance of it that the published generator made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subject {
    /// Instances come after all tasks.
    pub seed: Option<u32>,
    /// The set that it is of.
    pub dataset: Dataset,
    /// Its place in the set, with which its name begins.
    pub number: u32,
    /// Its name in the set: `0_cheese_sandwich`.
    pub task: String,
}

impl Dataset {
    /// All sets.
    pub const ALL: [Self; 3] = [Self::Synchronous, Self::Asynchronous, Self::MultiAgent];

    /// The name of its folder.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Synchronous => "synchronous",
            Self::Asynchronous => "asynchronous",
            Self::MultiAgent => "multi_agent",
        }
    }
}

impl Subject {
    /// A task by the set and its name there. `None` for a name that begins with no number.
    pub fn new(dataset: Dataset, task: &str, seed: Option<u32>) -> Option<Self> {
        let (number, _) = task.split_once('_')?;
        Some(Self {
            seed,
            dataset,
            number: number.parse().ok()?,
            task: task.to_owned(),
        })
    }

    /// A task by the name of its bundled problem: `synchronous-0_cheese_sandwich`.
    pub fn bundled(problem: &str) -> Option<Self> {
        let (set, task) = problem.split_once('-')?;
        let dataset = Dataset::ALL.into_iter().find(|known| known.name() == set)?;
        Self::new(dataset, task, None)
    }

    /// The published name of the task: `synchronous/0_cheese_sandwich`.
    pub fn published_name(&self) -> String {
        format!("{}/{}", self.dataset.name(), self.task)
    }

    /// The instance of a seed.
    #[must_use]
    pub fn seeded(&self, seed: u32) -> Self {
        Self {
            seed: Some(seed),
            ..self.clone()
        }
    }
}

/// `synchronous/0_cheese_sandwich`, `synchronous/0_cheese_sandwich/seed42`.
impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.dataset.name(), self.task)?;
        self.seed.map_or(Ok(()), |seed| write!(f, "/seed{seed}"))
    }
}

/// A task and its texts.
#[derive(Clone, Debug)]
pub struct Case {
    /// The subject of the texts.
    pub subject: Subject,
    /// The domain file's text.
    pub domain: String,
    /// The problem file's text.
    pub problem: String,
}

impl Case {
    /// An instance in the published JSON, beside the published domain, as files of the language.
    pub fn imported(
        subject: Subject,
        domain: &str,
        environment: &str,
    ) -> Result<Self, OptimaError> {
        let mut sources = Sources::new();
        let mut diagnostics = Diagnostics::new();
        let file = |source, text| File { source, text };
        let domain = file(sources.add("domain", domain), domain);
        let environment = file(sources.add("environment", environment), environment);
        let name = subject.to_string().replace('/', "-");
        let options = Options::default();
        let read = import(domain, environment, &name, &options, &mut diagnostics);
        let Some((domain, problem)) = read else {
            let report = render_all(&diagnostics, &sources, Colour::Plain);
            return Err(OptimaError::Import(report));
        };
        Ok(Self {
            subject,
            domain: print_domain(&domain),
            problem: print_problem(&problem),
        })
    }

    /// The texts.
    pub fn texts(&self) -> Texts<'_> {
        Texts {
            domain: &self.domain,
            problem: &self.problem,
        }
    }
}
