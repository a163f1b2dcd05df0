//! `brigade demo`: the whole line on one problem, as one report.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Instant;

use clap::Args;

use super::args::{DomainArgs, LimitArgs, ObjectiveName, ProblemArgs};
use super::bundled;
use super::control::{Deadline, catch_interrupts};
use super::exit::{Exit, Failure, Result};
use super::load::{Loaded, Purpose, compile, load};
use super::printer::Printer;
use super::rats::{Derived, amount, derive};
use super::regret;
use super::solve::{Key, entries, exit, sentence};
use crate::agents::{Greedy, Planner, Plans, Policy, Random};
use crate::diagnostics::{Diagnostics, Sources};
use crate::episode::{EndReason, Episode, Event, Log, Rules};
use crate::report::demo::{Demo, Team};
use crate::score::derived::DerivedReferences;
use crate::score::event_log::recorded_episode;
use crate::score::options::ShareOf;
use crate::score::{Options, TaskContext, score_episode};
use crate::search::SearchOptions;
use crate::task::{OperatorKind, Task};
use crate::{sema, syntax};

/// The most ticks that a team gets, as a multiple of the optimum.
const PATIENCE: u32 = 4;

/// Arguments of `demo`.
#[derive(Debug, Args)]
pub(super) struct DemoArgs {
    /// Another problem than the bundled one
    #[arg(value_name = "PROBLEM")]
    problem: Option<PathBuf>,

    #[command(flatten)]
    domain: DomainArgs,

    /// The seed of the random agent
    #[arg(long, default_value_t = 7)]
    seed: u64,

    #[command(flatten)]
    limits: LimitArgs,
}

/// The policy of one member of a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Member {
    Planner,
    Greedy,
    Random,
}

impl Member {
    const fn name(self) -> &'static str {
        match self {
            Self::Planner => "planner",
            Self::Greedy => "greedy",
            Self::Random => "random",
        }
    }
}

/// Shows the whole line.
pub(super) fn run(printer: &Printer, args: &DemoArgs) -> Result {
    catch_interrupts(printer);
    let control = Deadline::new(printer, args.limits.time_limit);
    let loaded = match &args.problem {
        Some(problem) => load(
            printer,
            &ProblemArgs {
                problem: problem.clone(),
                domain: args.domain.clone(),
            },
            Purpose::Play,
            &|| control.over(),
        )?,
        None => load_bundled(printer, &args.domain.semantics, &control)?,
    };
    let task = &loaded.task;
    let options = SearchOptions {
        memory_limit: args.limits.memory_limit,
        ..SearchOptions::default()
    };
    let derived = match derive(task, &options, &control) {
        Ok(derived) => derived,
        Err(result) => {
            let key = Key::first(task, ObjectiveName::Declared);
            printer.text(&format!("{}\n", sentence(task, &result, key)))?;
            return Ok(exit(&result));
        }
    };
    let mut report = facts(task, &derived);
    for last in [Member::Planner, Member::Greedy, Member::Random] {
        let mut members = vec![Member::Planner; task.agents.len()];
        if let Some(member) = members.last_mut() {
            *member = last;
        }
        report
            .teams
            .push(play(task, &derived, &members, args, options, &control)?);
    }
    printer.text(&report.render())?;
    Ok(if control.over() {
        Exit::Limit
    } else {
        Exit::Done
    })
}

/// The problem that is part of the binary.
fn load_bundled(printer: &Printer, semantics: &str, control: &Deadline<'_>) -> Result<Loaded> {
    let start = Instant::now();
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let [domain, problem] = [bundled::DOMAIN, bundled::PROBLEM];
    let files = sema::Files {
        domain: sources.add(domain.path, domain.text),
        problem: sources.add(problem.path, problem.text),
    };
    let domain = syntax::parse_domain(files.domain, domain.text, &mut diagnostics);
    let problem = syntax::parse_problem(files.problem, problem.text, &mut diagnostics);
    let options = sema::Options {
        semantics: semantics.to_lowercase(),
    };
    let model = sema::resolve(&domain, &problem, &options, files, &mut diagnostics);
    diagnostics.sort();
    printer.diagnostics(&diagnostics, &sources);
    let model = model.ok_or(Failure::Rejected)?;
    let parse = start.elapsed().as_secs_f64();
    let stop = || control.over();
    compile(printer, &sources, &model, parse, Purpose::Play, &stop)
}

/// What is known before anyone plays.
fn facts(task: &Task, derived: &Derived) -> Demo {
    let starts = |agent: &crate::task::Agent| {
        let operators = agent.operators.iter().map(|&id| task.operator(id).kind);
        operators
            .filter(|kind| *kind == OperatorKind::Start)
            .count()
    };
    let plan = entries(task, &derived.plan).into_iter();
    Demo {
        problem: task.problem.clone(),
        domain: task.domain.clone(),
        semantics: task.semantics.clone(),
        variables: task.variables.len(),
        bits: task.bits(),
        agents: task
            .agents
            .iter()
            .map(|agent| (agent.name.clone(), starts(agent)))
            .collect(),
        makespan: derived.plan.value.makespan,
        actions: derived.plan.value.labels,
        states: derived.result.statistics.states,
        plans: derived.references.plans.to_string(),
        references: amount(&derived.references.total),
        plan: plan
            .filter_map(|entry| Some((entry.tick, entry.agent, entry.label?)))
            .collect(),
        teams: Vec::new(),
    }
}

/// Lets a team play, and scores it.
fn play(
    task: &Task,
    derived: &Derived,
    members: &[Member],
    args: &DemoArgs,
    options: SearchOptions,
    control: &Deadline<'_>,
) -> Result<Team> {
    let plans = Rc::new(RefCell::new(Plans::new(options, control)));
    let mut policies: Vec<Box<dyn Policy + '_>> = Vec::new();
    for member in members {
        policies.push(match member {
            Member::Planner => Box::new(Planner::new(Rc::clone(&plans))),
            Member::Greedy => Box::new(Greedy::new()),
            Member::Random => Box::new(Random::new(args.seed)),
        });
    }
    let limit = derived.plan.value.makespan.saturating_mul(PATIENCE);
    let rules = Rules {
        max_ticks: task.horizon.unwrap_or(limit).min(limit),
        ..Rules::default()
    };
    let mut episode = Episode::new(task, rules);
    let names: Vec<String> = members.iter().map(|m| m.name().to_owned()).collect();
    let header = episode.header(&names, args.seed);
    let mut events: Vec<Event> = Vec::new();
    let end = match episode.run(&mut policies, &mut events, &|| control.over()) {
        Ok(end) => end,
        Err(never) => match never {},
    };
    let log = Log {
        header,
        events,
        truncated: false,
        resume_at: 0,
    };
    let model = DerivedReferences(&derived.references);
    let context = TaskContext::new(&model);
    let mut scoring = Options::paper();
    scoring.gamma = None;
    scoring.collaboration.share_of = ShareOf::Dialogs;
    let score = score_episode(&recorded_episode(&log, ""), &context, &scoring)
        .map_err(|error| Failure::Unusable(error.to_string()))?;
    let regret = regret::of(task, &log, "", args.limits.memory_limit, control)?;
    Ok(Team {
        policies: names,
        ticks: end.ticks,
        end: if end.reason == EndReason::Goal {
            "goal"
        } else {
            "no goal"
        },
        tes: score.agents.iter().map(|agent| agent.tes).collect(),
        pc: score.pc,
        regret: regret.ok().and_then(|regret| regret.regret.total),
    })
}
