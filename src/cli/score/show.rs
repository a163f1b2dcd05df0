//! Scores as a document, and as text.

use serde::Serialize;

use super::super::args::Format;
use super::super::exit::Result;
use super::super::printer::Printer;
use super::args::{MatchingName, ScoreArgs};
use crate::diagnostics::words::{agent_name, counted};
use crate::report::cost::{Amount, scaled};
use crate::report::table::Table;
use crate::score::Report;
use crate::score::episode_regret::EpisodeRegret;
use crate::score::process::{Process, Unit};

/// The scores of episodes, with all that was asked for beside them.
#[derive(Serialize)]
pub(super) struct Document {
    /// The version of the document's form, where no report says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) schema: Option<u32>,
    /// The task whose references are scored against, if one is.
    #[serde(flatten)]
    pub(super) task: Option<TaskName>,
    /// Left out where the references of a task are not known and something else is asked for.
    #[serde(flatten)]
    pub(super) report: Option<Report>,
    /// The knowledge that is assumed of facts that come unannounced, where some do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) view: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) regret: Option<Vec<EpisodeRegret>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) process: Option<Vec<Process>>,
}

/// The name of a task.
#[derive(Serialize)]
pub(super) struct TaskName {
    pub(super) problem: String,
    pub(super) domain: String,
    pub(super) semantics: String,
}

pub(super) fn show(printer: &Printer, args: &ScoreArgs, document: &Document) -> Result<()> {
    if args.format == Format::Json {
        return printer.json(document);
    }
    let mut parts: Vec<String> = Vec::new();
    if let Some(report) = &document.report {
        parts.push(report_text(args, report, document.task.as_ref()));
    }
    parts.extend(document.view.map(|view| format!("view: {view}\n")));
    parts.extend(document.regret.iter().flatten().map(regret_text));
    let processes = document.process.iter().flatten();
    parts.extend(processes.map(|process| {
        crate::report::process::render(process, &|value| scaled(value, process.scale).to_string())
    }));
    printer.text(&parts.join("\n"))
}

/// The rule, and the tables of scores.
fn report_text(args: &ScoreArgs, report: &Report, task: Option<&TaskName>) -> String {
    let changed = [
        ("beta", args.beta.as_deref()),
        ("gamma", args.gamma.as_deref()),
        ("matching", args.matching.map(MatchingName::name)),
    ];
    let changed = changed
        .iter()
        .filter_map(|(option, value)| Some(format!(", {option} {}", (*value)?)));
    let semantics = task.map_or_else(String::new, |task| {
        format!(", semantics {}", task.semantics)
    });
    let mut text = format!(
        "rule {}{}{semantics}\n\n",
        report.options.rule,
        changed.collect::<String>()
    );
    text.push_str(&table(report.episode_table()));
    if report.episodes.len() > 1 {
        text.push_str(&format!("\n{}", table(report.task_table())));
        if let Some(levels) = report.level_table().filter(|_| report.tasks.len() > 1) {
            text.push_str(&format!("\n{}", table(levels)));
        }
    }
    text
}

fn table(from: crate::score::table::Table) -> String {
    let mut table = Table::new(from.columns.iter().map(|column| column.name));
    for (index, _) in from.columns.iter().enumerate().filter(|(_, c)| c.is_number) {
        table = table.right(index);
    }
    for row in from.rows {
        table.row(row);
    }
    table.render()
}

/// Returns a regret in ticks or in the problem's units.
fn in_units(episode: &EpisodeRegret, value: impl Into<i128>) -> Amount {
    scaled(value, episode.scale)
}

/// The actions that cost something, and the sum.
fn regret_text(episode: &EpisodeRegret) -> String {
    let sign = match episode.unit {
        Unit::Ticks | Unit::Cost => 1,
        Unit::NegatedCost => -1,
    };
    let number = |value: i128| in_units(episode, sign * value).to_string();
    let value = |value: Option<i64>| value.map_or("∞".to_owned(), |value| number(value.into()));
    let lost = |lost: Option<u64>| {
        lost.map_or("∞".to_owned(), |lost| in_units(episode, lost).to_string())
    };
    let columns = ["tick", "agent", "action", "to go", "then", "regret"];
    let mut table = [0, 3, 4, 5]
        .into_iter()
        .fold(Table::new(columns), Table::right);
    for action in &episode.actions {
        // In a dead end nothing is left to lose.
        if action.before.is_some() && action.regret != Some(0) {
            let agents: Vec<&str> = action.agents.iter().map(|name| agent_name(name)).collect();
            table.row([
                action.tick.to_string(),
                agents.join(" + "),
                action.actions.join(" + "),
                value(action.before),
                value(action.after),
                lost(action.regret),
            ]);
        }
    }
    let regret = &episode.regret;
    let spent = match episode.unit {
        Unit::Ticks => counted(regret.cost, "tick"),
        Unit::Cost | Unit::NegatedCost => format!("cost {}", number(regret.cost)),
    };
    let mut text = format!(
        "{}: regret {} over {spent} (optimum {}, {} to go at the end)\n",
        episode.id,
        lost(regret.total),
        value(regret.optimum),
        value(regret.remaining),
    );
    if regret.first_deviation.is_some() {
        text.push_str(&table.render());
    }
    for surprise in &episode.surprises {
        let change = surprise.change.map(number);
        text.push_str(&format!(
            "unannounced at tick {}: {} to go, then {}{}\n",
            surprise.tick,
            value(surprise.before),
            value(surprise.after),
            change.map_or_else(String::new, |change| format!(", change {change}")),
        ));
    }
    text
}
