//! `brigade replay`: steps a recorded sequence of joint actions, and shows what each does.

use std::path::PathBuf;

use clap::Args;
use indexmap::IndexMap;
use serde::Serialize;

use super::args::{DomainArgs, Format};
use super::exit::{Exit, Failure, Result};
use super::files;
use super::joint_action::{OnInvalid, TraceError, joint_action};
use super::joint_lines::JointLine;
use super::load::{Purpose, load};
use super::paths;
use super::printer::Printer;
use super::roles::problem_among;
use super::steps::{Shown, ShownStep, check_words, in_words};
use super::trace::{check_log, noted, read_classical, read_trace};
use crate::diagnostics::words::counted;
use crate::episode::{Chosen, Labelled, Lexicon, StatusName, Step};
use crate::report::cost::{Amount, amounts};
use crate::task::PackedTask;
use crate::task::effect::Record;
use crate::task::facts::{changes, facts};
use crate::task::observation::Observed;
use crate::task::step::Status;
use crate::task::totals;

/// Arguments of `replay`.
#[derive(Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line"
)]
pub(super) struct ReplayArgs {
    /// The problem file, or domain and problem in either order; then the trace
    ///
    /// A trace is a joint action a line, as an array of commands, one per agent in order, or as an object
    /// from agents to commands; `null` lets an agent wait or go on. An event log will do too, and a plan as
    /// planners and validators write it: `(put j)`, `0: (PUT J) [1]`, `0.000: (put j)`
    #[arg(value_name = "FILE", num_args = 1.., required = true, value_parser = paths::given())]
    files: Vec<PathBuf>,

    #[command(flatten)]
    domain: DomainArgs,

    /// The trace is a plan file of another planner, for what `brigade export --to classical` writes
    /// of the problem
    #[arg(long)]
    classical: bool,

    /// The treatment of an action that is not possible
    #[arg(long, value_enum, default_value_t, value_name = "RULE")]
    on_invalid: OnInvalid,

    /// Play on after the goal, a losing state or the horizon
    #[arg(long)]
    past_end: bool,

    /// Play the choices of an event log that is of another task, or not true: what would have happened here
    #[arg(long, conflicts_with = "classical")]
    other_task: bool,

    /// Show all facts of every state rather than what changes
    #[arg(long)]
    full: bool,

    /// Show every state in the words of the domain, by object, with what can be done in it
    #[arg(long, conflicts_with = "full")]
    observe: bool,

    /// Form of the output
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

#[derive(Debug, Serialize)]
struct Document {
    schema: u32,
    problem: String,
    domain: String,
    semantics: String,
    agents: Vec<String>,
    initial: Vec<String>,
    /// The delayed effects that the facts name by number.
    timers: Vec<TimerName>,
    /// The initial state in words, where that is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    observed: Option<Observed>,
    steps: Vec<ShownStep>,
    /// Ticks that passed.
    makespan: u32,
    /// Labels recorded.
    actions: usize,
    /// The totals, in the problem's own units.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    totals: IndexMap<String, Amount>,
    status: StatusName,
    goal: bool,
    error: Option<TraceError>,
    /// Lines of the trace that were not played, because the task had ended before.
    unplayed: usize,
}

/// The delayed effect of a timer.
#[derive(Debug, Serialize)]
struct TimerName {
    /// As the facts have it.
    name: String,
    /// The text of the effect.
    effect: String,
}

fn timers(task: &PackedTask) -> Vec<TimerName> {
    let timers = task.timers.iter().map(|timer| TimerName {
        name: task.variables[timer.variable.0 as usize].name.clone(),
        effect: timer.name.clone(),
    });
    timers.collect()
}

impl ReplayArgs {
    const fn shown(&self) -> Shown {
        if self.observe {
            Shown::Words
        } else if self.full {
            Shown::Facts
        } else {
            Shown::Changes
        }
    }
}

/// Replays a trace, to its end or the task's. The exit code is [`Exit::Negative`] if it stops at an impossible action or
/// a losing state.
pub(super) fn run(printer: &Printer, args: &ReplayArgs) -> Result {
    let (trace, files) = match &args.files[..] {
        [files @ .., trace] if !files.is_empty() => (trace, files),
        _ => {
            let help = "give PROBLEM TRACE, or DOMAIN PROBLEM TRACE";
            return Err(Failure::usage("there is no trace", help));
        }
    };
    let problem = problem_among(files, &args.domain)?;
    if files::is_stdin(trace) && files::is_stdin(&problem.problem) {
        return Err(Failure::usage(
            "problem and trace cannot both be standard input",
            "give one of them as a file",
        ));
    }
    let text = files::read_text(trace)?;
    // What was exported is the problem without what no goal can need.
    let purpose = if args.classical {
        Purpose::Plan
    } else {
        Purpose::Play
    };
    let loaded = load(printer, &problem, purpose, &|| false)?;
    let task = &loaded.task;
    if args.observe {
        check_words(task)?;
    }
    if !args.classical && !args.other_task {
        let way_out = "; `--other-task` plays its choices in this problem all the same";
        check_log(trace, &text, task, way_out)?;
    }
    let read = if args.classical {
        read_classical
    } else {
        read_trace
    };
    let read = read(&text, task).map_err(|error| Failure::malformed(trace, error))?;
    let lines = noted(printer, trace, read);
    let shown = args.shown();
    let document = replay(task, &lines, args, shown);
    match args.format {
        Format::Json => printer.json(&document)?,
        Format::Text => printer.text(&text_of(task, &document, shown))?,
    }
    let bad = document.error.is_some() || document.status == StatusName::Failed;
    Ok(if bad { Exit::Negative } else { Exit::Done })
}

fn replay(task: &PackedTask, lines: &[JointLine], args: &ReplayArgs, shown: Shown) -> Document {
    let lexicon = Lexicon::new(task);
    let mut state = task.initial.clone();
    let mut status = task.status(&state);
    let mut sums = task.initial_totals();
    let mut document = Document {
        observed: shown.observe(task, &state),
        schema: 1,
        problem: task.problem.clone(),
        domain: task.domain.clone(),
        semantics: task.semantics.clone(),
        agents: task.agents.iter().map(|agent| agent.name.clone()).collect(),
        initial: facts(task, &state),
        timers: timers(task),
        steps: Vec::new(),
        makespan: 0,
        actions: 0,
        totals: IndexMap::new(),
        status: status.into(),
        goal: false,
        error: None,
        unplayed: 0,
    };
    for (played, line) in lines.iter().enumerate() {
        if status != Status::Running && !args.past_end {
            document.unplayed = lines.len() - played;
            break;
        }
        let (joint, refused) = match joint_action(task, &lexicon, &state, line, args.on_invalid) {
            Ok(chosen) => chosen,
            Err(error) => {
                document.error = Some(error);
                break;
            }
        };
        let before = state.clone();
        let mut record = Record::default();
        match task.step(&mut state, &joint, &mut record) {
            Ok(next) => status = next,
            Err(error) => {
                document.error = Some(TraceError {
                    line: line.line,
                    agent: None,
                    message: error.to_string(),
                });
                break;
            }
        }
        let (added, removed) = changes(task, &before, &state);
        let name = |agent: u16| task.agents[usize::from(agent)].name.clone();
        let labels = record.log.iter().map(|entry| Labelled {
            agent: name(entry.agent),
            label: task.label(entry.label).to_owned(),
        });
        let operators = joint.iter().map(|&id| task.operator(id));
        let choices = operators.map(|one| Chosen {
            agent: name(one.agent),
            action: one.name.clone(),
            command: None,
            refused: 0,
        });
        let step = Step {
            tick: document.makespan,
            choices: choices.collect(),
            labels: labels.collect(),
            added,
            removed,
            cost: record.cost,
            totals: task.added(&record),
            status: status.into(),
        };
        totals::add(&mut sums, &step.totals);
        let step = shown.step(task, step, &before, &state, refused);
        document.steps.push(step);
        document.makespan += 1;
        document.actions += record.log.len();
    }
    let totals = amounts(task, &sums).into_iter();
    document.totals = totals
        .map(|(name, amount)| (name.to_owned(), amount))
        .collect();
    document.status = status.into();
    document.goal = status == Status::Goal;
    document
}

fn text_of(task: &PackedTask, document: &Document, shown: Shown) -> String {
    let mut text = shown.beginning("initially", task, &task.initial);
    text.extend(document.steps.iter().map(ShownStep::text));
    if document.unplayed > 0 {
        text.push_str(&format!(
            "stopped there: {} of the trace left, which `--past-end` plays\n",
            counted(document.unplayed, "line")
        ));
    }
    if let Some(error) = &document.error {
        text.push_str(&format!("{error}\n"));
    }
    text.push_str(&format!(
        "{}, {}: {}\n",
        counted(document.makespan, "tick"),
        counted(document.actions, "labelled action"),
        in_words(document.status),
    ));
    for (name, amount) in &document.totals {
        text.push_str(&format!("{name}: {amount}\n"));
    }
    text
}
