//! `brigade rats`: the reference action trajectories of a problem.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::{Serialize, Serializer};

use super::any_order;
use super::args::{Format, HeuristicName, LimitArgs, ObjectiveName, SymmetryName};
use super::control::Deadline;
use super::exit::{Exit, Failure, Result};
use super::files;
use super::key::Key;
use super::knowledge::{Taken, ViewArgs};
use super::listing::{DEFAULT_LISTED, Listing, ShownOrbits, Stopped, Texts};
use super::load::{Loaded, Purpose, load};
use super::nature::{self, NatureArgs};
use super::orbits::{orbits, sentence as of_orbits};
use super::paths;
use super::printer::Printer;
use super::references::{Derived, agent_names, amount, derive};
use super::roles::ProblemFiles;
use super::solve::{PlanDocument, advise, exit, not_collected, sentence};
use super::watch::{ProgressForm, Watch};
use crate::diagnostics::words::{agent_name, agents_like, counted};
use crate::rats::References;
use crate::rats::collab::{self, Export};
use crate::rats::compare::{CompareOptions, Comparison, compare};
use crate::rats::orbits::Orbits;
use crate::rats::summary::{ByAgent, Header, Summary};
use crate::report::comparison::played_ticks;
use crate::report::comparison::{self, Context};
use crate::report::table::Table;
use crate::search::{SearchResult, Slack};
use crate::task::PackedTask;

/// The most nodes of a graph that is drawn.
const MAX_DRAWN: usize = 20_000;

/// Arguments of `rats`.
#[derive(Debug, Args)]
pub(super) struct RatsArgs {
    #[command(flatten)]
    files: ProblemFiles,

    /// List the first N references
    #[arg(
        long,
        value_name = "N",
        default_value_t = DEFAULT_LISTED,
        allow_negative_numbers = true
    )]
    limit: usize,

    /// Write the listed references in the form of a benchmark's reference files
    #[arg(long, value_enum, value_name = "FORM", conflicts_with_all = ["compare", "dot", "format"])]
    export: Option<ExportForm>,

    /// Set the annotated references of a file beside the derived ones
    #[arg(long, value_name = "REFS.json", conflicts_with_all = ["dot", "slack"], value_parser = paths::given())]
    compare: Option<PathBuf>,

    /// Write a graph for Graphviz: the automaton of all joint words, of an agent's words, or the
    /// graph of all optimal plans
    #[arg(long, value_name = "joint|plans|AGENT", num_args = 0..=1, default_missing_value = "joint",
          conflicts_with = "format")]
    dot: Option<String>,

    /// List one reference of each orbit: of those that differ only in which of interchangeable
    /// objects is where, that in which they appear in their order
    #[arg(long, conflicts_with = "compare")]
    orbits: bool,

    /// Tell the size of the graph of all optimal plans
    #[arg(long)]
    dag: bool,

    /// Derive references not of the optimal plans only but of all within this factor of the optimum,
    /// without idle steps: 1.1 allows for a tenth more
    #[arg(long, value_name = "FACTOR", allow_hyphen_values = true)]
    slack: Option<Slack>,

    /// The objective that the plans minimise
    #[arg(long, value_enum, default_value_t)]
    objective: ObjectiveName,

    /// The heuristic that guides the search; the answer does not depend on it
    #[arg(long, value_enum, default_value_t)]
    heuristic: HeuristicName,

    /// One state for all that differ in which of interchangeable objects is where; the answer
    /// does not depend on it
    #[arg(long, value_enum, default_value_t)]
    symmetry: SymmetryName,

    #[command(flatten)]
    nature: NatureArgs,

    #[command(flatten)]
    view: ViewArgs,

    #[command(flatten)]
    limits: LimitArgs,

    /// Form of the output
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

/// Forms of reference files.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ExportForm {
    /// Collab-Overcooked: `{"reference_1": {"agent_0": […], "agent_1": […]}, …}`.
    Collab,
}

/// Derives references.
pub(super) fn run(printer: &Printer, args: &RatsArgs) -> Result {
    let control = Deadline::new(printer, args.limits.time_limit);
    let annotated = match &args.compare {
        Some(path) => {
            let text = files::read_text(path)?;
            let annotated =
                collab::parse(&text).map_err(|error| Failure::malformed(path, error))?;
            Some((path, annotated))
        }
        None => None,
    };
    let problem = args.files.problem()?;
    let mut loaded = load(printer, &problem, Purpose::Plan, &|| control.over())?;
    args.nature
        .note(printer, &loaded.task, "there are no references")?;
    any_order::check(&loaded.task, "there are no references")?;
    let view = args.view.of(&mut loaded.task);
    let before = control.seconds();
    let options = args
        .limits
        .search()
        .with_objective(args.objective.into())
        .with_heuristic(args.heuristic.into())
        .with_symmetry(args.symmetry.into());
    let key = Key::first(&loaded.task, args.objective);
    let watch = Watch::new(&control, printer, &loaded.task, key, ProgressForm::Text);
    let derived = derive(&loaded.task, args.slack, &options, &watch)?;
    loaded.seconds.search = control.seconds() - before;
    let derived = match derived {
        Ok(derived) => derived,
        Err(result) => return unfinished(printer, args, (&loaded, view), &result),
    };
    let references = &derived.references;
    let orbits = args
        .orbits
        .then(|| orbits(&loaded.task, references, &control))
        .transpose()
        .map_err(|reason| Failure::Limit {
            message: format!("the orbits of references are not known: {reason}"),
            help: "leave out `--orbits`, or give more with `--time-limit` and `--memory-limit`",
        })?;
    let listing = Listing::new((references, orbits.as_ref()), args.limit, &control);
    if let Some(what) = &args.dot {
        printer.text(&graph(&loaded.task, (&derived, orbits.as_ref()), what)?)?;
    } else if let Some(ExportForm::Collab) = args.export {
        printer.json(&Export(|| listing.all()))?;
        let written = listing.listed.get();
        let (total, all) = match &orbits {
            Some(orbits) => (orbits.total(), counted(orbits.total(), "orbit")),
            None => (
                references.total.lower.clone(),
                counted(amount(&references.total), "reference"),
            ),
        };
        if listing.stopped.get().is_none() && total > written.into() {
            printer.warning(&format!(
                "only {written} of {all} written; `--limit` sets how many"
            ));
        }
    } else if let Some((path, annotated)) = annotated {
        let comparison = compare(&annotated, references, &CompareOptions::default())
            .map_err(|error| Failure::malformed(path, error))?;
        let played = annotated
            .values()
            .map(|words| played_ticks(&loaded.task, words));
        let played: Vec<Option<u32>> = played.collect();
        match args.format {
            Format::Json => {
                let missing = Missing(|| listing.of(comparison.missing(references)));
                let stopped = Stopped(&listing.stopped);
                let document = CompareDocument {
                    schema: 1,
                    problem: &loaded.task.problem,
                    semantics: &loaded.task.semantics,
                    nature: loaded.task.has_nature().then_some(nature::HELPS),
                    view: view.map(Taken::name),
                    makespan: derived.plan.value.makespan,
                    actions: derived.plan.value.labels,
                    plans: references.plans.to_string(),
                    played: &played,
                    comparison: &comparison,
                    missing,
                    stopped,
                    seconds: loaded.seconds,
                };
                printer.json(&document)?;
            }
            Format::Text => {
                let context = Context {
                    makespan: derived.plan.value.makespan,
                    played: &played,
                };
                let proven = sentence(&loaded.task, &derived.result, Key::Makespan);
                let text = comparison::render(&comparison, context);
                let seen = view.map_or_else(String::new, Taken::line);
                let head = std::iter::once(format!("{proven}\n{seen}\n{text}"));
                let missing = listing.of(comparison.missing(references)).zip(1..);
                let missing =
                    missing.map(|(words, number)| comparison::missing(&comparison, number, &words));
                printer.pieces(head.chain(missing))?;
                if listing.stopped.get().is_none() {
                    printer.text(comparison::more(&comparison, listing.listed.get()))?;
                }
            }
        }
    } else {
        match args.format {
            Format::Json => printer.json(&summary((&loaded, view), &derived, &listing, args))?,
            Format::Text => {
                let head = text((&loaded, view), (&derived, orbits.as_ref()), args);
                let listed = listing.tuples().zip(1_u64..).map(|(tuple, number)| {
                    let words = references.texts(&tuple);
                    let sizes = orbits.iter().map(|orbits| orbits.size(&tuple));
                    let many = sizes.filter(|size| *size != 1_u32.into());
                    let note: String = many.map(|size| format!(", for {size}")).collect();
                    format!(
                        "\nreference {number}{note}\n{}",
                        sequences(references, &words)
                    )
                });
                printer.pieces(std::iter::once(head).chain(listed))?;
            }
        }
    }
    let cut_short = listing.stopped.get();
    if let Some(reason) = cut_short {
        let which = if args.compare.is_some() {
            "missing references"
        } else {
            "references"
        };
        printer.warning(&format!("not all {which} were listed: {reason}"));
    }
    Ok(
        if references.total.exact().is_some() && cut_short.is_none() {
            Exit::Done
        } else {
            Exit::Limit
        },
    )
}

/// Reports the known bounds where not all optimal plans were found, and returns the exit.
fn unfinished(
    printer: &Printer,
    args: &RatsArgs,
    (loaded, view): (&Loaded, Option<Taken>),
    result: &SearchResult,
) -> Result {
    let key = Key::first(&loaded.task, args.objective);
    match args.format {
        Format::Json => printer.json(&PlanDocument::new(loaded, result, key).seen(view))?,
        // What is written there is not for people.
        Format::Text if args.export.is_some() || args.dot.is_some() => {
            printer.warning(&sentence(&loaded.task, result, key));
        }
        Format::Text => {
            printer.text(&format!("{}\n", sentence(&loaded.task, result, key)))?;
            printer.text(&view.map_or_else(String::new, Taken::line))?;
            if let Some(count) = &result.uncollected {
                printer.text(&format!("optimal plans: {count}\n"))?;
            }
            if let Some(reason) = result.dag_stopped {
                printer.text(&not_collected(args.slack, reason))?;
            }
        }
    }
    advise(printer, &args.files.problem()?, result);
    Ok(exit(result))
}

fn graph(
    task: &PackedTask,
    (derived, orbits): (&Derived, Option<&Orbits>),
    what: &str,
) -> Result<String> {
    let references = &derived.references;
    let agents = agent_names(task);
    let drawn = match what {
        "joint" => references.joint_dot(orbits, MAX_DRAWN),
        "plans" if orbits.is_some() => {
            return Err(Failure::usage(
                "`--dot plans` draws all plans",
                "leave out `--orbits`",
            ));
        }
        "plans" => {
            let name = |edge: &crate::search::dag::Edge| task.operator(edge.operator).name.clone();
            let drawn = crate::rats::dot::plan_dag(&derived.dag, &agents, name, MAX_DRAWN);
            Some(drawn)
        }
        name => {
            let index = agents.iter().position(|agent| agent == name);
            let Some(index) = index else {
                let known = agents_like(name, agents.iter().map(String::as_str));
                return Err(Failure::usage(
                    format!("there is no agent `{name}`"),
                    format!(
                        "`--dot` takes `joint`, `plans` or an agent, and writes to standard output; \
                         {known}"
                    ),
                ));
            };
            references.agent_dot(index, orbits, MAX_DRAWN)
        }
    };
    match drawn {
        Some(Ok(graph)) => Ok(graph),
        Some(Err(error)) => Err(Failure::Negative(error.to_string())),
        None => Err(Failure::Stopped("the automaton was made")),
    }
}

#[derive(Serialize)]
struct RatsDocument<'a, L> {
    #[serde(flatten)]
    summary: Summary<L>,
    /// `helps` where chance decides for some agents: then no plan is optimal, and its value a bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    nature: Option<&'static str>,
    /// See [`Taken`].
    #[serde(skip_serializing_if = "Option::is_none")]
    view: Option<&'static str>,
    /// The greatest excess of the plans over the optimum.
    #[serde(skip_serializing_if = "Option::is_none")]
    slack: Option<String>,
    /// On request: then one reference of each is listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    orbits: Option<ShownOrbits<'a>>,
    /// The reason why there are fewer references than were asked for. Known once they are written.
    #[serde(skip_serializing_if = "Stopped::is_none")]
    stopped: Stopped<'a>,
    seconds: super::load::Seconds,
}

fn summary<'a>(
    (loaded, view): (&Loaded, Option<Taken>),
    derived: &Derived,
    listing: &'a Listing<'a>,
    args: &RatsArgs,
) -> RatsDocument<'a, impl Serialize> {
    let listed = ByAgent::new(&derived.references, || listing.all());
    let header = Header {
        problem: loaded.task.problem.clone(),
        semantics: loaded.task.semantics.clone(),
        makespan: derived.plan.value.makespan,
        actions: derived.plan.value.labels,
    };
    let dag = args.dag.then(|| (&derived.dag).into());
    RatsDocument {
        summary: Summary::new(&derived.references, header, listed, dag),
        nature: loaded.task.has_nature().then_some(nature::HELPS),
        view: view.map(Taken::name),
        slack: args.slack.map(|slack| slack.to_string()),
        orbits: ShownOrbits::of(listing),
        stopped: Stopped(&listing.stopped),
        seconds: loaded.seconds,
    }
}

#[derive(Serialize)]
struct CompareDocument<'a, M> {
    schema: u32,
    problem: &'a str,
    semantics: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    nature: Option<&'static str>,
    /// See [`Taken`].
    #[serde(skip_serializing_if = "Option::is_none")]
    view: Option<&'static str>,
    makespan: u32,
    actions: u32,
    plans: String,
    /// For each annotated reference the ticks it takes when played as soon as possible.
    played: &'a [Option<u32>],
    #[serde(flatten)]
    comparison: &'a Comparison,
    /// The first references that are not annotated.
    missing: M,
    /// The reason why there are fewer of them than were asked for. Known once they are written.
    #[serde(skip_serializing_if = "Stopped::is_none")]
    stopped: Stopped<'a>,
    seconds: super::load::Seconds,
}

/// References that are made while they are written.
struct Missing<F>(F);

impl<F, I> Serialize for Missing<F>
where
    F: Fn() -> I,
    I: IntoIterator<Item = Texts>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// Renders the text before the references.
fn text(
    (loaded, view): (&Loaded, Option<Taken>),
    (derived, orbits): (&Derived, Option<&Orbits>),
    args: &RatsArgs,
) -> String {
    let references = &derived.references;
    let key = Key::Makespan;
    let plans = match args.slack {
        None if loaded.task.has_nature() => "plans of that value".to_owned(),
        None => "optimal plans".to_owned(),
        Some(slack) => format!("plans within a factor of {slack} of the optimum"),
    };
    let mut text = format!(
        "{}\n{}{plans}: {} ({}, {})\nreferences: {}\n{}\n",
        sentence(&loaded.task, &derived.result, key),
        view.map_or_else(String::new, Taken::line),
        references.plans,
        counted(derived.dag.nodes.len(), "node"),
        counted(derived.dag.edges.len(), "edge"),
        amount(&references.total),
        orbits.map_or_else(String::new, |orbits| format!("{}\n", of_orbits(orbits))),
    );
    text.push_str(&word_table(references));
    text
}

/// A reference, an agent a line.
fn sequences(references: &References, words: &Texts) -> String {
    let agents = references.agents.iter().zip(words);
    agents
        .map(|(agent, word)| format!("  {}: {}\n", agent_name(&agent.name), word.join(", ")))
        .collect()
}

/// Renders the number of words of each agent, and their lengths.
fn word_table(references: &References) -> String {
    let columns = ["agent", "sequences", "shortest", "longest"];
    let mut table = Table::new(columns).right(1).right(2).right(3);
    for agent in &references.agents {
        table.row([
            agent_name(&agent.name).to_owned(),
            amount(&agent.count),
            agent.shortest.to_string(),
            agent.longest.to_string(),
        ]);
    }
    table.render()
}
