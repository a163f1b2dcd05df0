//! Prompts: minijinja templates, and what they are given.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior};
use serde::Serialize;

/// How many instructions a template may take: one that would loop for ever ends in an error.
const MOST_WORK: u64 = 5_000_000;

/// The templates of a design.
#[derive(Debug)]
pub struct Prompts {
    environment: Environment<'static>,
}

/// A template that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PromptError(pub String);

/// What a template is given. Every slot is there in every template.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Slots<'a> {
    /// The agent that is asked; empty where one mind decides for all.
    pub agent: &'a str,
    /// The others.
    pub others: Vec<&'a str>,
    /// All agents.
    pub agents: Vec<&'a str>,
    /// Whether examples stand between the instructions and the question.
    pub example: bool,
    /// How agents take turns, as the domain's `:turns` says it.
    pub turns: &'a str,
    /// Ticks that have passed.
    pub tick: u32,
    /// The most ticks of the episode.
    pub max_ticks: u32,
    /// The goal in words.
    pub goal: String,
    /// What the agent sees, in words, a line each.
    pub state: String,
    /// What it can do, as it is to be listed.
    pub actions: Vec<String>,
    /// What each agent can do, where one mind decides for all.
    pub team: Vec<TeamSlot>,
    /// Who goes on with what was started, and with what: the others, or all where one mind decides.
    pub busy: Vec<String>,
    /// The forms of all actions, where the open track tells only these.
    pub forms: Vec<String>,
    /// How to put the answer.
    pub answer: String,
    /// What was wrong with earlier answers or actions, the latest last.
    pub feedback: Vec<String>,
    /// What was said since the agent was last asked; within a conversation all of it.
    pub dialog: Vec<Utterance>,
    /// The word that ends a conversation; empty in a design without any.
    pub end: String,
    /// The agent's own actions, the latest last.
    pub history: Vec<String>,
    /// What the others did since the agent was last asked.
    pub seen: Vec<String>,
    /// What was learnt from failures.
    pub lessons: Vec<String>,
    /// What the agent thinks of the others.
    pub belief: String,
    /// The decision that is looked over.
    pub proposal: String,
    /// What happened in the episode, for a reflection on it.
    pub story: Vec<String>,
    /// The values of the design.
    pub flags: toml::Table,
}

/// What one agent of a team can do.
#[derive(Clone, Debug, Serialize)]
pub struct TeamSlot {
    /// Its name.
    pub name: String,
    /// What it can do; empty where it goes on with what it has started.
    pub actions: Vec<String>,
}

/// Something that was said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Utterance {
    /// By whom.
    pub from: String,
    /// The text.
    pub text: String,
}

impl Prompts {
    /// Templates by name. Each is tried on empty slots, so that one with an unknown slot is refused
    /// before anything is asked.
    ///
    /// # Errors
    ///
    /// The first template that is malformed, or that speaks of a slot that there is not.
    pub fn new(
        templates: impl IntoIterator<Item = (String, String)>,
        used: &[&str],
        flags: &toml::Table,
    ) -> Result<Self, PromptError> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_fuel(Some(MOST_WORK));
        let mut syntax = SyntaxConfig::builder();
        let syntax = syntax.trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(syntax.map_err(|error| complaint(&error))?);
        for (name, text) in templates {
            environment
                .add_template_owned(name, text)
                .map_err(|error| complaint(&error))?;
        }
        let prompts = Self { environment };
        for filled in [false, true] {
            for template in used {
                prompts.render(template, &trial(filled, flags))?;
            }
        }
        Ok(prompts)
    }

    /// A template with its slots filled in. Blank lines in a row become one.
    pub fn render(&self, template: &str, slots: &Slots<'_>) -> Result<String, PromptError> {
        let template = self
            .environment
            .get_template(template)
            .map_err(|error| complaint(&error))?;
        let text = template
            .render(Serde(slots))
            .map_err(|error| complaint(&error))?;
        Ok(tidy(&text))
    }
}

/// Slots to try a template on: empty, or with one thing in each, so that both branches are tried.
fn trial(filled: bool, flags: &toml::Table) -> Slots<'static> {
    let flags = flags.clone();
    if !filled {
        return Slots {
            flags,
            ..Slots::default()
        };
    }
    let list = || vec!["a".to_owned()];
    let text = || "a".to_owned();
    Slots {
        agent: "a",
        others: vec!["b"],
        agents: vec!["a", "b"],
        example: true,
        turns: "alternate",
        tick: 1,
        max_ticks: 2,
        goal: text(),
        state: text(),
        actions: list(),
        team: vec![TeamSlot {
            name: text(),
            actions: list(),
        }],
        busy: list(),
        forms: list(),
        answer: text(),
        feedback: list(),
        dialog: vec![Utterance {
            from: text(),
            text: text(),
        }],
        end: text(),
        history: list(),
        seen: list(),
        lessons: list(),
        belief: text(),
        proposal: text(),
        story: list(),
        flags,
    }
}

/// What is wrong with a template, and where.
fn complaint(error: &minijinja::Error) -> PromptError {
    let place = match (error.name(), error.line()) {
        (Some(name), Some(line)) => format!("{name}, line {line}: "),
        (Some(name), None) => format!("{name}: "),
        _ => String::new(),
    };
    let detail = error
        .detail()
        .map_or_else(|| error.kind().to_string(), str::to_owned);
    let mut text = format!("{place}{detail}");
    if error.kind() == minijinja::ErrorKind::UndefinedError {
        text.push_str(" (a slot that there is not: docs/agents.md lists those that there are)");
    }
    PromptError(text)
}

fn tidy(text: &str) -> String {
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines().map(str::trim_end) {
        if !line.is_empty() || lines.last().is_some_and(|last| !last.is_empty()) {
            lines.push(line);
        }
    }
    lines.join("\n").trim_end().to_owned()
}
