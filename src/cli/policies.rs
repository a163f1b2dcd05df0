//! Policies as a command line names them, and what they are made of.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::str::FromStr;
use std::time::{Duration, Instant};

use super::exec::{Exec, Program};
use super::exit::{Failure, Result};
use super::files;
use super::models::{Cast, ModelArgs, design_names, is_design, stop_at};
use super::online::{Online, SharedPlans};
use super::paths::plain;
use super::printer::Printer;
use super::recorder::read_log;
use super::{any_order, plannable};
use crate::agents::{
    Greedy, Nature, OnlinePlanner, Planner, Plans, Policy, Random, Recorded, Scripted,
};
use crate::diagnostics::suggest;
use crate::diagnostics::words::agents_like;
use crate::episode::Rules;
use crate::llm::design::ReflectAfter;
use crate::llm::{Listener, Member, Setup, Team};
use crate::search::Control;
use crate::task::{Agent, PackedTask};

/// `alice=planner`.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    agent: String,
    policy: PolicyName,
}

/// A policy as given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PolicyName {
    Planner,
    /// It plans while it acts, within these limits.
    Online(Online),
    Greedy,
    Random,
    Scripted(PathBuf),
    Replay(PathBuf),
    /// A command of the shell.
    Exec(String),
    /// A person.
    Human,
    /// A design, by its name or its file.
    Design(String),
    /// Chance, for agents that are part of the environment. No one else can be given it.
    Nature,
}

impl FromStr for Assignment {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let (agent, policy) = text
            .split_once('=')
            .ok_or("an agent and its policy are parted by `=`: `alice=planner`")?;
        Ok(Self {
            agent: agent.trim().to_owned(),
            policy: policy.parse()?,
        })
    }
}

impl FromStr for PolicyName {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        if let Some(command) = text.trim().strip_prefix("exec:") {
            return match command.trim() {
                "" => Err("`exec` needs a command: `exec:CMD`".to_owned()),
                command => Ok(Self::Exec(command.to_owned())),
            };
        }
        if let Some(online) = Online::of_policy(text) {
            return online.map(Self::Online);
        }
        let (name, file) = match text.trim().split_once(':') {
            Some((name, file)) => (name, Some(plain(Path::new(file)))),
            None => (text.trim(), None),
        };
        match (name, file) {
            ("planner", None) => Ok(Self::Planner),
            ("greedy", None) => Ok(Self::Greedy),
            ("random", None) => Ok(Self::Random),
            ("human", None) => Ok(Self::Human),
            ("scripted", Some(file)) => Ok(Self::Scripted(file)),
            ("replay", Some(file)) => Ok(Self::Replay(file)),
            ("exec", _) => Err("`exec` needs a command: `exec:CMD`".to_owned()),
            ("scripted" | "replay", None) => Err(format!("`{name}` needs a file: `{name}:FILE`")),
            _ if is_design(text.trim()) => {
                let path = plain(Path::new(text.trim()));
                Ok(Self::Design(path.display().to_string()))
            }
            _ => {
                let known = [
                    "planner", "greedy", "random", "scripted", "replay", "exec", "human",
                ];
                let near = suggest(name, known.into_iter().chain(design_names()))
                    .map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                Err(format!(
                    "there is no policy `{text}`{near} (planner, planner:time=T,window=W, greedy, random, scripted:FILE, \
                     replay:LOG, exec:CMD, human, or a design: {}, FILE.toml)",
                    design_names().collect::<Vec<_>>().join(", ")
                ))
            }
        }
    }
}

impl PolicyName {
    /// Returns true if it asks a model.
    pub(super) const fn asks_a_model(&self) -> bool {
        matches!(self, Self::Design(_))
    }

    /// The file that it reads.
    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            Self::Planner
            | Self::Online(_)
            | Self::Greedy
            | Self::Random
            | Self::Exec(_)
            | Self::Human
            | Self::Nature => None,
            Self::Scripted(file) | Self::Replay(file) => Some(file),
            Self::Design(name) => Some(Path::new(name)),
        }
    }
}

impl std::fmt::Display for PolicyName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Planner => f.write_str("planner"),
            Self::Online(online) => online.fmt(f),
            Self::Greedy => f.write_str("greedy"),
            Self::Random => f.write_str("random"),
            Self::Scripted(file) => write!(f, "scripted:{}", file.display()),
            Self::Replay(file) => write!(f, "replay:{}", file.display()),
            Self::Exec(command) => write!(f, "exec:{command}"),
            Self::Design(name) => f.write_str(name),
            Self::Human => f.write_str("human"),
            Self::Nature => f.write_str(Nature::NAME),
        }
    }
}

/// One policy per agent.
pub(super) fn policy_names(
    task: &PackedTask,
    agents: &[Assignment],
    others: &PolicyName,
) -> Result<Vec<PolicyName>> {
    let mut names: Vec<Option<PolicyName>> = vec![None; task.agents.len()];
    for assignment in agents {
        let mut agents = task.agents.iter();
        let index = agents.position(|agent| agent.name.eq_ignore_ascii_case(&assignment.agent));
        let Some(index) = index else {
            let names = || players(task).map(|agent| agent.name.as_str());
            let help = if names().eq([""]) {
                "the domain has no agents; `--others` gives the policy".to_owned()
            } else {
                agents_like(&assignment.agent, names())
            };
            return Err(Failure::usage(
                format!("there is no agent `{}`", assignment.agent),
                help,
            ));
        };
        refuse_nature(task, index)?;
        if names[index].replace(assignment.policy.clone()).is_some() {
            return Err(Failure::usage(
                format!("`{}` is given two policies", assignment.agent),
                "give each agent one",
            ));
        }
    }
    let names = names.into_iter().zip(&task.agents);
    let names = names.map(|(name, agent)| match &agent.nature {
        Some(_) => PolicyName::Nature,
        None => name.unwrap_or_else(|| others.clone()),
    });
    let names: Vec<PolicyName> = names.collect();
    if names.contains(&PolicyName::Planner) {
        plannable::check(task, "the policy `planner` cannot plan")?;
    }
    if names
        .iter()
        .any(|name| matches!(name, PolicyName::Online(_)))
    {
        any_order::check(task, "the policy `planner` cannot plan")?;
    }
    Ok(names)
}

/// The agents that policies decide for.
fn players(task: &PackedTask) -> std::slice::Iter<'_, Agent> {
    task.agents[..task.players()].iter()
}

/// Refuses a policy for an agent of nature.
fn refuse_nature(task: &PackedTask, agent: usize) -> Result<()> {
    let agent = &task.agents[agent];
    match &agent.nature {
        None => Ok(()),
        Some(_) => Err(Failure::usage(
            format!(
                "`{}` is part of the environment: chance decides what it does",
                agent.name
            ),
            "leave out its policy; `--seed` chooses the draws",
        )),
    }
}

/// That agents were given no policy of their own, and what they get.
pub(super) fn unnamed(
    task: &PackedTask,
    agents: &[Assignment],
    others: &PolicyName,
) -> Option<String> {
    let is_named = |name: &str| {
        let mut agents = agents.iter();
        agents.any(|given| given.agent.eq_ignore_ascii_case(name))
    };
    let names = players(task).map(|agent| agent.name.as_str());
    let names: Vec<&str> = names.filter(|name| !is_named(name)).collect();
    match names[..] {
        [] => None,
        [""] => Some(format!("policy: `{others}`, of `--others`")),
        _ => Some(format!(
            "not named by `--agent`: {}; policy: `{others}`, of `--others`",
            names.join(", ")
        )),
    }
}

/// That the plans of `planner` are not proven to be optimal, and why.
pub(super) fn unproven(reason: &str) -> String {
    format!(
        "`planner` follows the best plans that were found, which are not proven and may be far from the \
         optimum: {reason}"
    )
}

/// The means from which policies that ask no model are made.
pub(super) struct Means<'a, 'c> {
    pub(super) seed: u64,
    pub(super) max_ticks: u32,
    /// The time for which a program may be silent.
    pub(super) agent_timeout: Duration,
    pub(super) plans: &'a Rc<RefCell<Plans<'c>>>,
    pub(super) online: &'a SharedPlans<'c>,
    pub(super) control: &'c dyn Control,
}

/// The policies of all agents. `person` makes that of an agent for whom a person decides.
pub(super) fn policies<'c>(
    task: &PackedTask,
    names: &[PolicyName],
    team: Option<&Rc<RefCell<Team<'c>>>>,
    means: &Means<'_, 'c>,
    mut person: impl FnMut(usize) -> Result<Box<dyn Policy + 'c>>,
) -> Result<Vec<Box<dyn Policy + 'c>>> {
    let named = task.agents.iter().zip(names).enumerate();
    let policies = named.map(|(index, (agent, name))| match (team, name) {
        (Some(team), PolicyName::Design(_)) => {
            let member: Box<dyn Policy + 'c> = Box::new(Member::new(Rc::clone(team), index));
            Ok(member)
        }
        (_, PolicyName::Human) => person(index),
        _ => policy(name, &agent.name, means),
    });
    policies.collect()
}

/// A policy that asks no model.
fn policy<'c>(
    name: &PolicyName,
    agent: &str,
    means: &Means<'_, 'c>,
) -> Result<Box<dyn Policy + 'c>> {
    let seed = means.seed;
    Ok(match name {
        PolicyName::Planner => Box::new(Planner::new(Rc::clone(means.plans))),
        PolicyName::Online(online) => Box::new(OnlinePlanner::new(means.online.with(online))),
        PolicyName::Greedy => Box::new(Greedy::new()),
        PolicyName::Random => Box::new(Random::new(seed)),
        PolicyName::Nature => Box::new(Nature::new(seed)),
        PolicyName::Exec(command) => Box::new(Exec::new(
            Program {
                command: command.clone(),
                folder: None,
                timeout: means.agent_timeout,
                seed,
                max_ticks: means.max_ticks,
            },
            means.control,
        )),
        PolicyName::Design(name) => {
            return Err(Failure::Internal(format!("design `{name}` has no model")));
        }
        PolicyName::Human => {
            return Err(Failure::Internal("a person has no place".to_owned()));
        }
        PolicyName::Scripted(file) => Box::new(Scripted::parse(&files::read_text(file)?)),
        PolicyName::Replay(file) => {
            let log = read_log(file)?;
            if !log.header.agents.iter().any(|player| player.name == agent) {
                return Err(Failure::malformed(
                    file,
                    format_args!("there is no agent `{agent}` in this log"),
                ));
            }
            let choices = log.steps().flat_map(|step| {
                let own = step.choices.iter().filter(|choice| choice.agent == agent);
                own.map(|choice| (step.tick, choice.action.clone()))
            });
            Box::new(Recorded::new(choices))
        }
    })
}

/// Returns the cast that asks models, if any policy does.
pub(super) fn cast(
    printer: &Printer,
    args: &ModelArgs,
    names: &[PolicyName],
    time_limit: Option<Duration>,
) -> Result<Option<Cast>> {
    let designs = names.iter().filter_map(|name| match name {
        PolicyName::Design(name) => Some(name.as_str()),
        _ => None,
    });
    let designs: Vec<&str> = designs.collect();
    if designs.is_empty() {
        return Ok(None);
    }
    let deadline = time_limit.map(|limit| Instant::now() + limit);
    let cast = Cast::prepare(args, &designs, &stop_at(deadline))?;
    for name in designs {
        let reflection = cast.setup(name).and_then(|setup| setup.design.reflection());
        if reflection.is_some_and(|it| it.after == ReflectAfter::Episode) {
            printer.note(&format!(
                "design `{name}` learns from a task that failed and tries it anew: here it is tried once, \
                 `brigade bench` goes on"
            ));
        }
    }
    Ok(Some(cast))
}

/// The agents that ask a model.
pub(super) fn team<'a>(
    task: &'a PackedTask,
    cast: &'a Cast,
    names: &[PolicyName],
    (seed, rules): (u64, Rules),
    listener: Listener<'a>,
) -> Result<Rc<RefCell<Team<'a>>>> {
    let setups = names.iter().map(|name| match name {
        PolicyName::Design(name) => cast.setup(name),
        _ => None,
    });
    let setups: Vec<Option<Setup<'a>>> = setups.collect();
    let team = Team::new(task, &setups, (seed, 1), rules.max_ticks, listener);
    let team = team.map_err(|error| {
        Failure::usage(
            error.to_string(),
            "give the agents other policies, or play another problem",
        )
    })?;
    Ok(Rc::new(RefCell::new(team)))
}
