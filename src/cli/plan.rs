//! `brigade plan`: an optimal plan and its proof, or the bounds found within the limits.

use std::path::{Path, PathBuf};

use clap::Args;

use super::any_order;
use super::args::{
    AnytimeName, DeepeningName, Format, HeuristicName, LimitArgs, ObjectiveName, PruningName,
    SymmetryName,
};
use super::attempts;
use super::control::Deadline;
use super::exit::{Failure, Result};
use super::files;
use super::key::Key;
use super::knowledge::{Taken, ViewArgs};
use super::load::{Loaded, Purpose, load};
use super::nature::NatureArgs;
use super::pages::chart;
use super::paths;
use super::printer::Printer;
use super::roles::ProblemFiles;
use super::solve::{
    PlanDocument, advise, collected, entries, exit, not_collected, search, sentence,
};
use super::watch::{ProgressForm, Watch};
use crate::diagnostics::words::{agent_name, counted};
use crate::report::cost::cost;
use crate::report::plan_file;
use crate::report::table::Table;
use crate::search::{Bounds, SearchResult, Slack};
use crate::view::gantt;

/// The fewest states for which bytes per state are shown: below it the tables, which are never
/// empty, outweigh the states. The JSON document always holds them.
const MANY_STATES: u64 = 10_000;

/// Arguments of `plan`.
#[derive(Debug, Args)]
pub(super) struct PlanArgs {
    #[command(flatten)]
    files: ProblemFiles,

    /// Collect all optimal plans, and count them
    #[arg(long)]
    all: bool,

    /// With `--all`: collect not only the optimal plans but all within this factor of the optimum,
    /// without idle steps: 1.1 allows for a tenth more
    #[arg(long, value_name = "FACTOR", allow_hyphen_values = true)]
    slack: Option<Slack>,

    /// Also write the plan to a file as Fast Downward does: an action a line, then its cost. For
    /// problems in plain PDDL, without agents or time
    #[arg(long, value_name = "FILE", value_parser = paths::given())]
    plan_file: Option<PathBuf>,

    /// Draw the plan as a Gantt chart: below the plan, or as an SVG image into a file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-",
          value_parser = paths::given())]
    gantt: Option<PathBuf>,

    /// Tell what the search tried, what each attempt has proven, and why it ended
    #[arg(long)]
    explain: bool,

    /// The objective to minimise
    #[arg(long, value_enum, default_value_t)]
    objective: ObjectiveName,

    /// The heuristic that guides the search; the answer does not depend on it
    #[arg(long, value_enum, default_value_t)]
    heuristic: HeuristicName,

    /// One state for all that differ in which of interchangeable objects is where; the answer
    /// does not depend on it
    #[arg(long, value_enum, default_value_t)]
    symmetry: SymmetryName,

    /// Leave out operators whose order does not matter, where one plan of one agent is asked for; the
    /// answer does not depend on it
    #[arg(long, value_enum, default_value_t)]
    pruning: PruningName,

    /// Go on with a search that needs little memory, for one plan and with a heuristic: to
    /// the time limit, or without one until it has done four times the work of the searches before
    #[arg(long, value_enum, default_value_t)]
    deepening: DeepeningName,

    /// Look for good plans while the optimum is not in sight: at a limit the best of them is the
    /// answer. The optimum and the number of plans do not depend on it
    #[arg(long, value_enum, default_value_t)]
    anytime: AnytimeName,

    #[command(flatten)]
    nature: NatureArgs,

    #[command(flatten)]
    view: ViewArgs,

    #[command(flatten)]
    limits: LimitArgs,

    /// The form of progress, on standard error
    #[arg(long, value_enum, value_name = "FORM", default_value_t)]
    progress: ProgressForm,

    /// Form of the output
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

/// Plans.
pub(super) fn run(printer: &Printer, args: &PlanArgs) -> Result {
    let slack = args.slack;
    if slack.is_some() && !args.all {
        let message = "`--slack` needs `--all`: it is for collecting plans";
        let help = "`--all --slack FACTOR` collects all plans within the factor";
        return Err(Failure::usage(message, help));
    }
    let control = Deadline::new(printer, args.limits.time_limit);
    let problem = args.files.problem()?;
    let mut loaded = load(printer, &problem, Purpose::Plan, &|| control.over())?;
    args.nature
        .note(printer, &loaded.task, "no plan is optimal")?;
    any_order::check(&loaded.task, "no plan is optimal")?;
    let view = args.view.of(&mut loaded.task);
    if let Some(path) = &args.plan_file {
        check_plan_file(&loaded, path)?;
    }
    if let Some(path) = args.gantt.as_ref().filter(|path| !files::is_stdin(path)) {
        check_not_read(&loaded, path, "--gantt")?;
    }
    let before = control.seconds();
    let options = args
        .limits
        .search()
        .with_objective(args.objective.into())
        .with_heuristic(args.heuristic.into())
        .with_symmetry(args.symmetry.into())
        .with_pruning(args.pruning.into())
        .with_deepening(args.deepening.into())
        .with_anytime(args.anytime.into())
        .with_deepening_limit(args.limits.time_limit.map(|_| u64::MAX))
        .with_all_plans(args.all)
        .with_plans_up_to_symmetry(true);
    let key = Key::first(&loaded.task, args.objective);
    let watch = Watch::new(&control, printer, &loaded.task, key, args.progress);
    let result = search(&loaded.task, slack, &options, &watch)?;
    watch.end();
    loaded.seconds.search = control.seconds() - before;
    if let (Some(path), Some(plan)) = (&args.plan_file, result.outcome.plan()) {
        let cost = cost(&loaded.task, plan.value).to_string();
        let text = plan_file::render(&loaded.task, plan, &cost);
        files::write(path, &text)?;
    }
    let chart = match (&args.gantt, result.outcome.plan()) {
        (Some(file), Some(plan)) => {
            let lanes = chart(&loaded.task, plan)?;
            if files::is_stdin(file) {
                gantt::text(&lanes, columns())
            } else {
                files::write(file, &gantt::svg(&loaded.task.problem, &lanes))?;
                String::new()
            }
        }
        _ => String::new(),
    };
    match args.format {
        Format::Json => {
            let mut document = PlanDocument::new(&loaded, &result, key).seen(view);
            if args.explain {
                document = document.explained(&loaded.task, &result, key);
            }
            if let (Some(slack), Some(plan)) = (slack, result.outcome.plan())
                && let Some(bounds) =
                    Bounds::new(&loaded.task, options.objective(), plan.value, slack)
            {
                document = document.within(&loaded.task, slack, bounds);
            }
            printer.json(&document)?;
        }
        Format::Text => {
            let mut text = text(&loaded, &result, key, slack);
            if !chart.is_empty() {
                text.push_str(&format!("\n{chart}\n"));
            }
            text.extend(view.map(Taken::line));
            if !printer.is_quiet() {
                text.push_str(&effort(&loaded, &result));
            }
            if args.explain {
                text.push('\n');
                text.push_str(&attempts::text(&loaded.task, &result, key));
            }
            printer.text(&text)?;
        }
    }
    advise(printer, &problem, &result);
    Ok(exit(&result))
}

/// The columns of the terminal; 100 where there is none.
fn columns() -> usize {
    terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0))
}

/// Refuses to write a plan that its form cannot say, or over what was read.
fn check_plan_file(loaded: &Loaded, path: &Path) -> Result<()> {
    if files::is_stdin(path) {
        let message = "`--plan-file` needs a file: standard output holds the report";
        return Err(Failure::usage(message, "give the file a name"));
    }
    check_not_read(loaded, path, "--plan-file")?;
    let beyond = loaded.beyond_pddl.as_ref();
    let reason = beyond.map(|it| format!("it uses `{it}`, which is no plain PDDL"));
    let obstacle = || plan_file::obstacle(&loaded.task).map(str::to_owned);
    match reason.or_else(obstacle) {
        None => Ok(()),
        Some(reason) => Err(Failure::usage(
            format!("`--plan-file` cannot say a plan of this problem: {reason}"),
            "`--format json` writes plans of every problem",
        )),
    }
}

/// Refuses to write the file of an option over what was read.
fn check_not_read(loaded: &Loaded, path: &Path, option: &str) -> Result<()> {
    let mut read = loaded.files.iter();
    match read.find(|file| files::same_file(file, path)) {
        None => Ok(()),
        Some(file) => Err(Failure::usage(
            format!("`{option}` would overwrite {}", file.display()),
            "choose another file",
        )),
    }
}

/// The plan as text. Operators that agents do not choose are left out.
fn text(loaded: &Loaded, result: &SearchResult, key: Key, slack: Option<Slack>) -> String {
    let task = &loaded.task;
    let mut text = String::new();
    if let Some(plan) = result.outcome.plan().filter(|plan| plan.steps.is_empty()) {
        debug_assert_eq!(plan.value.makespan, 0, "a step takes a tick");
        text.push_str("the plan is empty: it ends where it starts\n\n");
    } else if let Some(plan) = result.outcome.plan() {
        let mut table = Table::new(["tick", "agent", "action", "label"]).right(0);
        for entry in entries(task, plan) {
            let action = entry.action.filter(|_| !entry.is_quiet);
            if action.is_none() && entry.label.is_none() {
                continue;
            }
            let action = action.map(|action| format!("({action})"));
            table.row([
                entry.tick.to_string(),
                agent_name(&entry.agent).to_owned(),
                action.unwrap_or_default(),
                entry.label.unwrap_or_default(),
            ]);
        }
        text.push_str(&table.render());
        text.push('\n');
    }
    text.push_str(&sentence(task, result, key));
    text.push('\n');
    if let Some(dag) = &result.dag {
        text.push_str(&format!(
            "{} in a graph of {} and {}{}\n",
            collected(task, dag.count(), slack),
            counted(dag.nodes.len(), "node"),
            counted(dag.edges.len(), "edge"),
            if dag.is_up_to_symmetry {
                ", up to the exchange of interchangeable objects"
            } else {
                ""
            },
        ));
    }
    if let Some(reason) = result.dag_stopped {
        text.push_str(&not_collected(slack, reason));
    }
    text
}

/// Renders the effort of a search, and its time: other runs take other times.
fn effort(loaded: &Loaded, result: &SearchResult) -> String {
    let statistics = &result.statistics;
    let bytes = if statistics.states < MANY_STATES {
        String::new()
    } else {
        format!(", {:.1} bytes per state", statistics.bytes_per_state)
    };
    format!(
        "{}, {} expanded{bytes}; parse {:.3} s, ground {:.3} s, search {:.3} s\n",
        counted(statistics.states, "state"),
        statistics.expanded,
        loaded.seconds.parse,
        loaded.seconds.ground,
        loaded.seconds.search,
    )
}
