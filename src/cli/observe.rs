//! `brigade observe`: what one agent sees, at the start or after a trace was played.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::args::Format;
use super::exit::{Exit, Failure, Result};
use super::files;
use super::joint_action::{OnInvalid, joint_action};
use super::joint_lines::JointLine;
use super::load::{Purpose, load};
use super::paths;
use super::printer::Printer;
use super::roles::ProblemFiles;
use super::steps::in_words;
use super::trace::{check_log, noted, read_trace};
use crate::diagnostics::words::{agents_like, counted, known_agents};
use crate::episode::{Lexicon, StatusName};
use crate::macro_actions::{self, macro_actions};
use crate::task::effect::Record;
use crate::task::observation::{ActionForm, Observed};
use crate::task::step::Status;
use crate::task::{PackedTask, State, StateBuf};

/// Arguments of `observe`.
#[derive(Debug, Args)]
pub(super) struct ObserveArgs {
    #[command(flatten)]
    files: ProblemFiles,

    /// Who looks; may be left out where there is one agent only
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,

    /// Play a trace or an event log first, as `replay` does; it must be possible to its end
    #[arg(long, visible_alias = "log", value_name = "TRACE", value_parser = paths::given())]
    after: Option<PathBuf>,

    /// The actions of the agent to show
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    actions: Which,

    /// Form of the output
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

/// The actions of an agent to show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Which {
    /// Those that it may choose now.
    #[default]
    Legal,
    /// The forms of all commands that it can ever give, with places for objects.
    Forms,
    /// All that it can get done by itself from here, and in how many steps.
    Macros,
    /// Nothing.
    None,
}

#[derive(Debug, Serialize)]
struct Document<'a> {
    schema: u32,
    problem: &'a str,
    domain: &'a str,
    semantics: &'a str,
    agent: &'a str,
    /// Ticks that passed.
    tick: usize,
    facts: Vec<String>,
    /// The actions that the agent may choose now, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    actions: Option<Vec<String>>,
    /// The forms of all that it can ever do, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    forms: Option<&'a [ActionForm]>,
    /// The macro actions from here, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    macros: Option<Vec<Macro<'a>>>,
    goal: Option<String>,
    status: StatusName,
}

/// A macro action of an agent.
#[derive(Debug, Serialize)]
struct Macro<'a> {
    /// The label that it records.
    label: &'a str,
    /// In how many timesteps, all others letting time pass.
    steps: u32,
    /// The first operator on the way, in words.
    first: &'a str,
}

/// The macro actions of an agent in a state, the nearest first.
fn macros<'a>(task: &'a PackedTask, state: &State, agent: usize) -> Vec<Macro<'a>> {
    let found = macro_actions(task, state, agent).into_iter();
    let mut macros: Vec<Macro> = found
        .map(|it| Macro {
            label: task.label(it.label),
            steps: it.steps,
            first: &task.operator(it.first).text,
        })
        .collect();
    macros.sort_by_key(|it| it.steps);
    macros
}

/// Shows what an agent sees. The exit code is [`Exit::Negative`] where the trace stops at an impossible
/// action.
pub(super) fn run(printer: &Printer, args: &ObserveArgs) -> Result {
    let problem = args.files.problem()?;
    let reads_stdin = args.after.as_deref().is_some_and(files::is_stdin);
    if reads_stdin && files::is_stdin(&problem.problem) {
        return Err(Failure::usage(
            "problem and trace cannot both be standard input",
            "give one of them as a file",
        ));
    }
    let trace = args.after.as_deref().map(files::read_text).transpose()?;
    let loaded = load(printer, &problem, Purpose::Play, &|| false)?;
    let task = &loaded.task;
    let agent = viewer(task, args.agent.as_deref())?;
    if args.actions == Which::Macros && macro_actions::show_unknown(task) {
        return Err(Failure::usage(
            "what can be got done may depend on facts that the agent does not observe, or that come unannounced",
            "`--actions legal` shows what it may choose as far as it knows",
        ));
    }
    if task.observation.is_empty() {
        printer.note(&format!(
            "of `{}` no fact is said in words that can change: give the predicates or functions of `{}` a `:text`",
            task.problem, task.domain
        ));
    }
    let mut played = Played {
        state: task.initial.clone(),
        ticks: 0,
        status: task.status(&task.initial),
    };
    if let (Some(trace), Some(path)) = (trace, &args.after) {
        check_log(path, &trace, task, "")?;
        let read = read_trace(&trace, task).map_err(|error| Failure::malformed(path, error))?;
        let lines = noted(printer, path, read);
        let unplayed = played.play(task, &lines)?;
        if unplayed > 0 {
            let left = counted(unplayed, "line");
            let status = in_words(played.status.into());
            printer.note(&format!("{status}: {left} of the trace left"));
        }
    }
    let Observed {
        facts,
        actions,
        goal,
    } = task.observe_as(&played.state, agent);
    let document = Document {
        schema: 1,
        problem: &task.problem,
        domain: &task.domain,
        semantics: &task.semantics,
        agent: &task.agents[agent].name,
        tick: played.ticks,
        facts,
        actions: (args.actions == Which::Legal).then_some(actions),
        forms: (args.actions == Which::Forms).then(|| task.action_forms(agent)),
        macros: (args.actions == Which::Macros).then(|| macros(task, &played.state, agent)),
        goal,
        status: played.status.into(),
    };
    match args.format {
        Format::Json => printer.json(&document)?,
        Format::Text => printer.text(&text(&document))?,
    }
    Ok(Exit::Done)
}

/// The state that a trace has led to.
struct Played {
    state: StateBuf,
    ticks: usize,
    status: Status,
}

impl Played {
    /// Plays a trace up to its end or the task's; the number of lines that are left.
    fn play(&mut self, task: &PackedTask, lines: &[JointLine]) -> Result<usize> {
        let lexicon = Lexicon::new(task);
        for (at, line) in lines.iter().enumerate() {
            if self.status != Status::Running {
                return Ok(lines.len() - at);
            }
            let joint = joint_action(task, &lexicon, &self.state, line, OnInvalid::Stop);
            let (joint, _) = joint.map_err(|error| Failure::Negative(error.to_string()))?;
            let step = task.step(&mut self.state, &joint, &mut Record::default());
            self.status = step.map_err(|error| {
                Failure::Negative(format!("the trace stops at line {}: {error}", line.line))
            })?;
            self.ticks += 1;
        }
        Ok(0)
    }
}

/// The number of the agent that looks.
fn viewer(task: &PackedTask, name: Option<&str>) -> Result<usize> {
    let names = || task.agents.iter().map(|agent| agent.name.as_str());
    let Some(name) = name else {
        return match task.agents.len() {
            1 => Ok(0),
            _ => Err(Failure::usage(
                "who looks?",
                format!("give `--agent NAME`: {}", known_agents(names())),
            )),
        };
    };
    let mut known = task.agents.iter();
    known
        .position(|agent| agent.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| {
            Failure::usage(
                format!("there is no agent `{name}`"),
                agents_like(name, names()),
            )
        })
}

fn text(document: &Document<'_>) -> String {
    let mut text = String::new();
    let mut paragraph = |lines: &mut dyn Iterator<Item = String>| {
        if !text.is_empty() {
            text.push('\n');
        }
        for line in lines {
            text.push_str(&line);
            text.push('\n');
        }
    };
    if !document.facts.is_empty() {
        paragraph(&mut document.facts.iter().cloned());
    }
    let heading = |words: &str| std::iter::once(words.to_owned());
    if let Some(actions) = &document.actions {
        paragraph(&mut heading("Valid Actions:").chain(actions.iter().cloned()));
    }
    if let Some(forms) = document.forms {
        let lines = forms.iter().map(|form| match &form.meaning {
            Some(meaning) => format!("{}: {meaning}", form.command),
            None => form.command.clone(),
        });
        paragraph(&mut heading("Commands:").chain(lines));
    }
    if let Some(macros) = &document.macros {
        let lines = macros.iter().map(|it| {
            let steps = counted(it.steps, "step");
            format!("{}: {steps}, first {}", it.label, it.first)
        });
        paragraph(&mut heading("Can get done:").chain(lines));
    }
    if let Some(goal) = &document.goal {
        paragraph(&mut heading(&format!("Goal: {goal}")));
    }
    text
}
