//! Holds the common parts of all episodes of an evaluation: compiled problems, designs, demonstrations, models.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::columns::COUNTS;
use super::config::{Bench, Planned, Problem};
use super::example::{Example, Examples};
use super::hash::hash_of;
use super::preparing::{Preparing, compile, unproven};
use super::references::References;
use super::sense::Sense;
use super::setup::{Policy, Setup as SetupOf, design_and_model};
use crate::cli::any_order;
use crate::cli::clairvoyant;
use crate::cli::exit::{Failure, Result};
use crate::cli::models::{Stack, read_design};
use crate::cli::paths;
use crate::cli::plannable;
use crate::diagnostics::suggest;
use crate::llm::chat::ChatMessage;
use crate::llm::design::Design;
use crate::llm::prompts::Prompts;
use crate::llm::{Setup, Team, demonstrate};
use crate::report::formula::Formula;
use crate::search::{Outcome, solve};
use crate::task::json::fingerprint;
use crate::task::{Agent, PackedTask};

/// A compiled problem.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) title: String,
    pub(super) task: PackedTask,
    /// The texts of the streams that are laid over it.
    pub(super) streams: Vec<String>,
    /// The proven optimum, where it was asked for or found in time.
    pub(super) optimum: Option<u32>,
    pub(super) max_ticks: u32,
    /// The references that it is scored against.
    pub(super) references: Option<References>,
    /// Hashes of its files and of what they mean.
    pub(super) sense: Sense,
    /// The fingerprint that distinguishes its task.
    pub(super) fingerprint: String,
}

/// A design of a set-up, with its templates.
#[derive(Debug)]
pub(super) struct Used {
    /// As the set-up names it.
    pub(super) name: String,
    pub(super) design: Design,
    pub(super) prompts: Prompts,
    /// A hash of the templates that it uses.
    pub(super) templates: String,
    /// The files of problems that it may demonstrate.
    paths: Vec<PathBuf>,
    /// By problem that is played: what it demonstrates there.
    pub(super) examples: Vec<Option<Arc<Example>>>,
}

/// The common parts of all episodes.
pub(super) struct Stage<'a> {
    pub(super) bench: &'a Bench,
    pub(super) problems: Vec<Compiled>,
    /// By set-up: its designs.
    pub(super) designs: Vec<Vec<Used>>,
    /// The folder where programs are run: that of the bench file, where it is not the current one.
    pub(super) folder: Option<PathBuf>,
}

impl<'a> Stage<'a> {
    /// Compiles the problems, proves the optima that budgets need, and reads the designs.
    pub(super) fn prepare(bench: &'a Bench, with: &Preparing<'_>) -> Result<Self> {
        let problems = bench.problems.iter();
        let problems = problems.map(|problem| compiled(bench, problem, with));
        let problems = problems.collect::<Result<Vec<Compiled>>>()?;
        check_columns(bench, &problems)?;
        let mut designs = Vec::new();
        let mut examples = Examples::default();
        for setup in &bench.setups {
            check_agents(setup, &problems)?;
            check_varied(setup, &problems)?;
            let used = setup.designs().into_iter();
            let used = used.map(|name| used_design(&name, &setup.change, with));
            let mut used = used.collect::<Result<Vec<Used>>>()?;
            for used in &mut used {
                used.examples = shown(setup, used, bench, &problems, &mut examples, with)?;
            }
            check_seats(setup, &used, &problems)?;
            if !bench.clairvoyant {
                refuse_clairvoyant(setup, &problems)?;
            }
            designs.push(used);
        }
        Ok(Self {
            bench,
            problems,
            designs,
            folder: Some(with.beside.to_owned()).filter(|it| !it.as_os_str().is_empty()),
        })
    }

    /// Returns the demonstrations for each agent of an episode, in the format in which its model is asked.
    pub(super) fn demonstrations(
        &self,
        planned: &Planned,
        policies: &[Policy],
        stacks: &[Stack],
    ) -> Result<Vec<Vec<ChatMessage>>> {
        let agents = &self.problems[planned.problem].task.agents;
        let demonstration = |(policy, agent): (&Policy, &Agent)| {
            let place = self.design(planned.setup, policy);
            let used = place.map(|place| &self.designs[planned.setup][place]);
            let example = used.and_then(|used| used.examples[planned.problem].as_ref());
            let model = self.bench.model_of(planned, policy);
            let (Some(used), Some(example), Some(model)) = (used, example, model) else {
                return Ok(Vec::new());
            };
            let stack = &stacks[model];
            let setup = Setup {
                design: &used.design,
                prompts: &used.prompts,
                model: &*stack.chat,
                asking: self.bench.models[model].asking(stack.format),
                demonstration: &[],
            };
            demonstrate(&example.task, &example.plan, setup, &agent.name)
                .map_err(|error| Failure::Unusable(error.to_string()))
        };
        policies.iter().zip(agents).map(demonstration).collect()
    }

    /// Returns whether a policy of a set-up knows facts that its agent does not observe, on some problem.
    pub(super) fn is_clairvoyant(&self, setup: &str) -> bool {
        let mut setups = self.bench.setups.iter();
        let setup = setups.find(|it| it.name == setup);
        setup.is_some_and(|setup| refuse_clairvoyant(setup, &self.problems).is_err())
    }

    /// The most ticks of an episode.
    pub(super) fn max_ticks(&self, planned: &Planned) -> u32 {
        let most = self.problems[planned.problem].max_ticks;
        let of_setup = self.bench.setups[planned.setup].max_ticks;
        of_setup.map_or(most, |fewer| fewer.min(most))
    }

    /// The place of the design that a policy names, among those of a set-up.
    pub(super) fn design(&self, setup: usize, policy: &Policy) -> Option<usize> {
        let Policy::Design(name) = policy else {
            return None;
        };
        self.designs[setup]
            .iter()
            .position(|used| used.name == *name)
    }
}

/// Refuses a column of a total that no problem has.
fn check_columns(bench: &Bench, problems: &[Compiled]) -> Result<()> {
    let totals = problems.iter().flat_map(|problem| &problem.task.totals);
    let known: BTreeSet<String> = totals
        .map(|total| total.name.to_ascii_lowercase())
        .collect();
    let is_known = |name: &str| known.contains(name) || COUNTS.contains(&name);
    for column in &bench.columns {
        let formula = Formula::read(&column.of).map_err(Failure::Unusable)?;
        let missing = formula.totals().into_iter().find(|name| !is_known(name));
        if let Some(name) = missing {
            let names = known.iter().map(String::as_str).chain(COUNTS);
            let near = suggest(name, names);
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None if known.is_empty() => "no problem adds anything up".to_owned(),
                None => {
                    let known: Vec<&str> = known.iter().map(String::as_str).collect();
                    format!("they have {}", known.join(", "))
                }
            };
            let title = column.title();
            return Err(Failure::usage(
                format!("column `{title}`: no problem has the total `{name}`"),
                help,
            ));
        }
    }
    Ok(())
}

fn compiled(bench: &Bench, problem: &Problem, with: &Preparing<'_>) -> Result<Compiled> {
    let path = with.path(&problem.path);
    let loaded = compile(
        &path,
        problem.domain.as_deref(),
        &problem.init,
        problem.semantics.as_deref(),
        with,
    )?;
    let sense = Sense::of(&loaded)?;
    let task = loaded.task;
    let budget = problem
        .budget
        .or(bench.budget.filter(|_| problem.max_ticks.is_none()));
    let optimum = match budget {
        Some(_) => Some(optimum(&path, &task, with)?),
        None => None,
    };
    let within = budget.zip(optimum).map(|(budget, optimum)| {
        // A product that should be whole may come out a little above it.
        (budget * f64::from(optimum) - 1e-9).ceil() as u32
    });
    // Of several limits the tightest counts; those of the problem come before those of the file.
    let of_file = within.into_iter().chain(bench.max_ticks).min();
    let of_problem = match problem.budget {
        Some(_) => within.into_iter().chain(problem.max_ticks).min(),
        None => problem.max_ticks,
    };
    let limit = of_problem.or(of_file);
    let Some(max_ticks) = limit.or(task.horizon) else {
        return Err(Failure::usage(
            format!("{}: nothing limits the ticks of an episode", path.display()),
            "give `max-ticks`, or `budget` as a multiple of the optimum, in the bench file",
        ));
    };
    let references = References::of(bench, problem, &task, with)?;
    Ok(Compiled {
        references,
        title: problem.title(),
        fingerprint: fingerprint(&task),
        task,
        streams: loaded.streams,
        optimum,
        max_ticks,
        sense,
    })
}

fn optimum(path: &Path, task: &PackedTask, with: &Preparing<'_>) -> Result<u32> {
    let what = format!("{}: there is no `budget`", path.display());
    plannable::check(task, &what)?;
    match solve(task, &with.search, with.control).outcome {
        Outcome::Solved(plan) => Ok(plan.value.makespan),
        Outcome::Unsolvable => Err(Failure::Negative(format!(
            "{}: no plan exists, so there is no `budget`",
            path.display()
        ))),
        Outcome::Bounded { reason, .. } => Err(unproven(path, reason)),
    }
}

/// The designs of a set-up can play its problems together.
fn check_seats(setup: &SetupOf, used: &[Used], problems: &[Compiled]) -> Result<()> {
    let played = problems
        .iter()
        .filter(|problem| setup.plays(&problem.title));
    for problem in played {
        let mut agents = problem.task.agents.iter();
        if agents.any(|agent| setup.policy(agent) == Policy::Planner) {
            let of = format!("set-up `{}` on `{}`", setup.name, problem.title);
            let what = format!("{of}: the policy `planner` cannot plan");
            plannable::check(&problem.task, &what)?;
        }
        let mut agents = problem.task.agents.iter();
        if agents.any(|agent| matches!(setup.policy(agent), Policy::Online(_))) {
            let of = format!("set-up `{}` on `{}`", setup.name, problem.title);
            any_order::check(
                &problem.task,
                &format!("{of}: the policy `planner` cannot plan"),
            )?;
        }
        let design = |agent: &Agent| {
            let Policy::Design(name) = setup.policy(agent) else {
                return None;
            };
            let own = used.iter().find(|used| used.name == name);
            own.map(|used| &used.design)
        };
        let designs: Vec<Option<&Design>> = problem.task.agents.iter().map(design).collect();
        Team::check(&problem.task, &designs).map_err(|error| {
            Failure::usage(
                format!("set-up `{}` on `{}`: {error}", setup.name, problem.title),
                "give it another design, or with `problems` other problems",
            )
        })?;
    }
    Ok(())
}

/// Refuses a set-up in which a policy knows facts that its agent does not observe.
fn refuse_clairvoyant(setup: &SetupOf, problems: &[Compiled]) -> Result<()> {
    for problem in problems.iter().filter(|it| setup.plays(&it.title)) {
        let policies = problem.task.agents.iter().map(|agent| setup.policy(agent));
        let policies: Vec<Policy> = policies.collect();
        let names = policies.iter().map(Policy::name);
        let what = format!("set-up `{}` on `{}`: ", setup.name, problem.title);
        clairvoyant::refuse(&problem.task, names, &what, "`clairvoyant = true`")?;
    }
    Ok(())
}

/// Each agent that has a policy of its own is one of a problem that the set-up is played on.
fn check_agents(setup: &SetupOf, problems: &[Compiled]) -> Result<()> {
    let played = problems
        .iter()
        .filter(|problem| setup.plays(&problem.title));
    let agents: Vec<&str> = played
        .flat_map(|problem| {
            let players = &problem.task.agents[..problem.task.players()];
            players.iter().map(|agent| &*agent.name)
        })
        .collect();
    let is_there = |name: &str| agents.iter().any(|agent| agent.eq_ignore_ascii_case(name));
    let Some(name) = setup.except.keys().find(|name| !is_there(name)) else {
        return Ok(());
    };
    let near = suggest(name, agents.iter().copied());
    let help = near.map_or_else(
        || "`except` is a table from names of agents to policies".to_owned(),
        |near| format!("did you mean `{near}`?"),
    );
    Err(Failure::usage(
        format!("set-up `{}`: no problem has an agent `{name}`", setup.name),
        help,
    ))
}

/// Each agent whose policies vary is one of every problem that the set-up is played on: else several of its teams
/// were the same there.
fn check_varied(setup: &SetupOf, problems: &[Compiled]) -> Result<()> {
    let Some(team) = &setup.team else {
        return Ok(());
    };
    let varied = team.policies.keys();
    let varied = varied.filter(|name| setup.except.contains_key(*name));
    let mut played = problems
        .iter()
        .filter(|problem| setup.plays(&problem.title));
    let is_of = |problem: &Compiled, name: &str| {
        let players = &problem.task.agents[..problem.task.players()];
        players
            .iter()
            .any(|agent| agent.name.eq_ignore_ascii_case(name))
    };
    let missing = played.find_map(|problem| {
        let name = varied.clone().find(|name| !is_of(problem, name))?;
        Some((problem, name))
    });
    if let Some((problem, name)) = missing {
        return Err(Failure::usage(
            format!(
                "set-up `{}`: the policies of `{name}` vary, and `{}` has no such agent",
                team.setup, problem.title
            ),
            "say by `problems` which problems it is played on, and add a set-up for the others",
        ));
    }
    Ok(())
}

fn used_design(name: &str, change: &toml::Table, with: &Preparing<'_>) -> Result<Used> {
    let read = read_design(design_and_model(name).0, with.beside, change)?;
    // What a set-up names is beside the bench file, what a design names beside the design.
    let is_changed = change
        .get("demonstration")
        .and_then(|table| table.get("problem"))
        .is_some();
    let beside = read.folder.as_deref().filter(|_| !is_changed);
    let beside = beside.unwrap_or(with.beside);
    let paths = read.design.demonstration().into_iter();
    let paths = paths.flat_map(|it| &it.problem);
    let paths = paths
        .map(|path| paths::beside(beside, Path::new(path)))
        .collect();
    Ok(Used {
        name: name.to_owned(),
        templates: hash_of(read.templates.into_iter().map(Ok))?,
        design: read.design,
        prompts: read.prompts,
        paths,
        examples: Vec::new(),
    })
}

/// Returns the demonstrations of a design of a set-up, by problem.
fn shown(
    setup: &SetupOf,
    used: &Used,
    bench: &Bench,
    problems: &[Compiled],
    examples: &mut Examples,
    with: &Preparing<'_>,
) -> Result<Vec<Option<Arc<Example>>>> {
    if used.design.demonstration().is_some() && used.paths.is_empty() {
        with.printer.note(&format!(
            "set-up `{}`: design `{}` shows no example, since none is named (`demonstration` in \
             docs/reference/agents.md)",
            setup.name, used.design.name
        ));
    }
    let problems = bench.problems.iter().zip(problems);
    problems
        .map(|(problem, compiled)| {
            if used.paths.is_empty() || !setup.plays(&compiled.title) {
                return Ok(None);
            }
            let played = (problem, &compiled.task);
            examples
                .choose(&used.paths, &setup.name, played, with)
                .map(Some)
        })
        .collect()
}
