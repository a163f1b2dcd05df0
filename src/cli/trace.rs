//! Traces: recorded sequences of joint actions, as JSON Lines, event logs or plan files.

use std::path::Path;

use serde_json::Value as Json;

use super::exit::Failure;
use super::files;
use super::joint_lines::{JointLine, Read};
use super::plan_text::{plain, read_plan};
use super::printer::Printer;
use crate::classical::{Limits, export};
use crate::diagnostics::json_text::{Entries, complaint_of_line};
use crate::diagnostics::words::{agent_name, agents_like, counted, known_agents};
use crate::episode::{Episode, Event, Log, Mismatch};
use crate::task::{OperatorKind, PackedTask};

fn is_log(text: &str) -> bool {
    text.trim_start().starts_with("{\"event\":\"header\"")
}

/// Refuses an event log of another task, or one that is not true of this one; `way_out` is what can be done besides.
/// Other traces say nothing of their task.
pub(super) fn check_log(
    path: &Path,
    text: &str,
    task: &PackedTask,
    way_out: &str,
) -> super::exit::Result<()> {
    if !is_log(text) {
        return Ok(());
    }
    let log = Log::parse(text).map_err(|error| Failure::malformed(path, error))?;
    let verified = Episode::new(task, log.header.rules).verify(&log);
    verified.map_err(|error| {
        let why = match error {
            Mismatch::OtherTask { .. } => format!(
                "the log is of another task: problem {}, semantics {}; give the problem, domain, streams and \
                 semantics that it was played with",
                log.header.problem, log.header.semantics
            ),
            error => format!("the log is not true: {error}"),
        };
        Failure::Unusable(format!("{}: {why}{way_out}", files::shown(path)))
    })
}

/// Reads a trace, the choices of an event log, or a plan file.
pub(super) fn read_trace(text: &str, task: &PackedTask) -> Result<Read, String> {
    if is_log(text) {
        let log = Log::parse(text).map_err(|error| error.to_string())?;
        let is_known = |name: &String| task.agents.iter().any(|agent| agent.name == *name);
        let players = log.header.agents.iter().map(|player| &player.name);
        if let Some(stranger) = players.into_iter().find(|name| !is_known(name)) {
            let stranger = agent_name(stranger);
            return Err(format!(
                "there is no agent `{stranger}`: {}",
                agents_of(task)
            ));
        }
        return Ok(Read::whole(from_log(&log, task)));
    }
    let first = text.trim_start().chars().next();
    let head: String = text
        .split_whitespace()
        .take(2)
        .collect::<Vec<_>>()
        .join("")
        .to_lowercase();
    if head.starts_with("(define") {
        return Err("is a domain or problem file, not a trace".to_owned());
    }
    if first.is_some_and(|first| first != '{' && first != '[') {
        return read_plan(text, task);
    }
    let mut joint = Vec::new();
    for (index, text) in text.lines().enumerate() {
        if text.trim().is_empty() {
            continue;
        }
        let line = index + 1;
        let read = commands(text, task).map_err(|error| format!("line {line}: {error}"))?;
        joint.push(JointLine { line, ..read });
    }
    Ok(Read::whole(joint))
}

/// Reads a trace of a file for people who are to know which of its lines were left out.
pub(super) fn noted(printer: &Printer, path: &Path, read: Read) -> Vec<JointLine> {
    for (line, text) in &read.left_out {
        printer.note(&format!(
            "{}: line {line} is no action, and is left out: `{text}`",
            files::shown(path)
        ));
    }
    read.lines
}

/// Reads a plan of the classical form of a task.
pub(super) fn read_classical(text: &str, task: &PackedTask) -> Result<Read, String> {
    let classical = export(task, &Limits::default()).map_err(|error| error.to_string())?;
    let joint = classical.joint_actions(&plain(text)?);
    let joint = joint.map_err(|error| error.to_string())?;
    let lines = joint.into_iter().map(|(line, operators)| {
        let mut commands = vec![None; task.agents.len()];
        for operator in operators {
            let operator = task.operator(operator);
            if operator.kind == OperatorKind::Start {
                commands[usize::from(operator.agent)] = Some(format!("({})", operator.name));
            }
        }
        JointLine {
            line,
            commands,
            order: Vec::new(),
        }
    });
    Ok(Read::whole(lines.collect()))
}

fn from_log(log: &Log, task: &PackedTask) -> Vec<JointLine> {
    let mut lines = Vec::new();
    for (index, event) in log.events.iter().enumerate() {
        let Event::Step(step) = event else {
            continue;
        };
        let command = |agent: &crate::task::Agent| {
            let mut choices = step.choices.iter();
            let choice = choices.find(|choice| choice.agent == agent.name)?;
            (choice.action != "continue").then(|| choice.action.clone())
        };
        lines.push(JointLine {
            line: index + 2,
            commands: task.agents.iter().map(command).collect(),
            order: step
                .choices
                .iter()
                .filter_map(|choice| task.agents.iter().position(|it| it.name == choice.agent))
                .collect(),
        });
    }
    lines
}

/// The commands of one line of a trace, whose number is not set.
fn commands(line: &str, task: &PackedTask) -> Result<JointLine, String> {
    let json = |error: serde_json::Error| format!("is not JSON: {}", complaint_of_line(&error));
    let agents = &task.agents;
    if line.trim_start().starts_with('{') {
        let Entries(entries): Entries<Json> = serde_json::from_str(line).map_err(json)?;
        let mut commands = vec![None; agents.len()];
        let mut order = Vec::new();
        for (name, value) in entries {
            let mut known = agents.iter();
            let index = known.position(|agent| agent.name.eq_ignore_ascii_case(&name));
            let Some(index) = index else {
                let names = agents.iter().map(|agent| agent.name.as_str());
                return Err(format!(
                    "there is no agent `{name}`: {}",
                    agents_like(&name, names)
                ));
            };
            if commands[index].replace(command(&value)?).is_some() {
                return Err(format!("has two commands for `{name}`"));
            }
            order.push(index);
        }
        return Ok(JointLine {
            line: 0,
            commands: commands.into_iter().map(Option::flatten).collect(),
            order,
        });
    }
    match serde_json::from_str(line).map_err(json)? {
        Json::Array(values) if values.len() == agents.len() => Ok(JointLine {
            line: 0,
            commands: values.iter().map(command).collect::<Result<_, _>>()?,
            order: Vec::new(),
        }),
        Json::Array(values) => Err(format!(
            "has {} rather than one for each agent: {}",
            counted(values.len(), "command"),
            agents_of(task)
        )),
        _ => {
            Err("is neither an array of commands nor an object from agents to commands".to_owned())
        }
    }
}

/// The command of one agent.
fn command(value: &Json) -> Result<Option<String>, String> {
    match value {
        Json::Null => Ok(None),
        Json::String(text) if text.trim().is_empty() => Ok(None),
        Json::String(text) => Ok(Some(text.clone())),
        other => Err(format!("`{other}` is not a command: a string or null")),
    }
}

fn agents_of(task: &PackedTask) -> String {
    known_agents(task.agents.iter().map(|agent| agent.name.as_str()))
}
