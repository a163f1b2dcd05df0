//! `brigade run`: agents act on a problem; the event log is written line by line.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::args::{Format, LimitArgs, ProblemArgs};
use super::control::{Deadline, catch_interrupts};
use super::exit::{Exit, Failure, Result};
use super::files;
use super::load::{Purpose, load};
use super::printer::Printer;
use super::recorder::{LogFile, Recorder, Watcher, begun_log, create, read_log, reopen};
use super::solve::whole_cost;
use super::steps::{ShownStep, check_words};
use crate::agents::{Greedy, Planner, Plans, Policy, Random, Recorded, Scripted};
use crate::diagnostics::suggest;
use crate::episode::{
    End, EndReason, Episode, Event, OnInvalid, Player, Resumed, Rules, Settings, Sink,
};
use crate::search::{Control, SearchOptions};
use crate::task::Task;
use crate::task::observation::Observed;
use crate::words::{agents_like, counted};

/// Arguments of `run`.
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    #[command(flatten)]
    problem: ProblemArgs,

    /// An agent's policy: planner, greedy, random, scripted:FILE (a command a line) or replay:LOG.
    /// Agents that are not named get the policy of `--others`
    #[arg(long = "agent", value_name = "NAME=POLICY")]
    agents: Vec<Assignment>,

    /// The policy of all other agents
    #[arg(long, value_name = "POLICY", default_value = "planner")]
    others: PolicyName,

    /// The seed of random policies
    #[arg(long, default_value_t = 0, allow_negative_numbers = true)]
    seed: u64,

    /// Where to write the event log; `-` is standard output
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,

    /// Go on with the episode of an existing log
    #[arg(long, requires = "log", conflicts_with = "force")]
    resume: bool,

    /// Overwrite an existing log
    #[arg(long)]
    force: bool,

    /// The most ticks of the episode [default: the problem's horizon, or 1000]
    #[arg(long, value_name = "TICKS", allow_negative_numbers = true)]
    max_ticks: Option<u32>,

    /// What happens with an invalid command
    #[arg(long, value_enum, default_value_t, value_name = "RULE")]
    on_invalid: OnInvalidName,

    /// How often an agent is asked again in one timestep
    #[arg(
        long,
        value_name = "N",
        default_value_t = 3,
        allow_negative_numbers = true
    )]
    retries: u32,

    /// Show every state in the words of the domain, by object, with what can be done in it
    #[arg(long)]
    observe: bool,

    #[command(flatten)]
    limits: LimitArgs,

    /// Form of the result on standard output
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

/// See [`OnInvalid`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum OnInvalidName {
    /// The agent is told why and asked again; at last it waits.
    #[default]
    Ask,
    /// The agent waits.
    Wait,
    /// All agents wait.
    DropJoint,
}

/// `alice=planner`.
#[derive(Clone, Debug)]
struct Assignment {
    agent: String,
    policy: PolicyName,
}

/// A policy as given.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PolicyName {
    Planner,
    Greedy,
    Random,
    Scripted(PathBuf),
    Replay(PathBuf),
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
        let (name, file) = match text.trim().split_once(':') {
            Some((name, file)) => (name, Some(PathBuf::from(file))),
            None => (text.trim(), None),
        };
        match (name, file) {
            ("planner", None) => Ok(Self::Planner),
            ("greedy", None) => Ok(Self::Greedy),
            ("random", None) => Ok(Self::Random),
            ("scripted", Some(file)) => Ok(Self::Scripted(file)),
            ("replay", Some(file)) => Ok(Self::Replay(file)),
            ("scripted" | "replay", None) => Err(format!("`{name}` needs a file: `{name}:FILE`")),
            _ => {
                let known = ["planner", "greedy", "random", "scripted", "replay"];
                let near = suggest(name, known)
                    .map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                Err(format!(
                    "there is no policy `{text}`{near} (planner, greedy, random, scripted:FILE, replay:LOG)"
                ))
            }
        }
    }
}

impl PolicyName {
    /// The file that it reads.
    fn file(&self) -> Option<&Path> {
        match self {
            Self::Planner | Self::Greedy | Self::Random => None,
            Self::Scripted(file) | Self::Replay(file) => Some(file),
        }
    }
}

impl std::fmt::Display for PolicyName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Planner => f.write_str("planner"),
            Self::Greedy => f.write_str("greedy"),
            Self::Random => f.write_str("random"),
            Self::Scripted(file) => write!(f, "scripted:{}", file.display()),
            Self::Replay(file) => write!(f, "replay:{}", file.display()),
        }
    }
}

#[derive(Debug, Serialize)]
struct Document<'a> {
    schema: u32,
    problem: &'a str,
    semantics: &'a str,
    agents: &'a [Player],
    seed: u64,
    #[serde(flatten)]
    end: &'a End,
    goal: bool,
    /// The cost in the problem's own units.
    total_cost: serde_json::Number,
    searches: u32,
    /// The state before the first of `steps` in words, where that is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    observed: Option<&'a Observed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<&'a [ShownStep]>,
}

/// An episode that has ended.
struct Ended<'a> {
    settings: &'a Settings,
    end: &'a End,
    /// The reason in words.
    why: &'a str,
    searches: u32,
    /// Who has shown its states.
    watcher: Option<&'a Watcher<'a>>,
}

impl RunArgs {
    /// Whether the log goes to standard output.
    pub(super) fn logs_to_output(&self) -> bool {
        self.log.as_deref().is_some_and(files::is_stdin)
    }
}

/// Runs an episode. The exit code is [`Exit::Negative`] if it ends without its goal, and
/// [`Exit::Limit`] if it was interrupted or stopped by a limit.
pub(super) fn run(printer: &Printer, args: &RunArgs) -> Result {
    catch_interrupts(printer);
    let to_output = args.logs_to_output();
    check_output(args)?;
    let control = Deadline::new(printer, args.limits.time_limit);
    let loaded = load(printer, &args.problem, Purpose::Play, &|| control.over())?;
    let task = &loaded.task;
    if args.observe {
        check_words(task)?;
    }
    let names = policy_names(task, args)?;
    check_log(args, &loaded.files, &names)?;
    let options = SearchOptions {
        deepening_limit: args.limits.time_limit.map(|_| u64::MAX),
        ..args.limits.search()
    };
    let plans = Rc::new(RefCell::new(Plans::new(options, &control)));
    let mut policies = Vec::new();
    for (agent, name) in task.agents.iter().zip(&names) {
        policies.push(policy(name, &agent.name, args.seed, &plans)?);
    }
    let mut episode = Episode::new(task, rules(args, task));
    let policy_texts: Vec<String> = names.iter().map(ToString::to_string).collect();
    let header = episode.header(&policy_texts, args.seed);
    let settings = header.settings();
    let log = match &args.log {
        None => LogFile::None,
        Some(_) if to_output => LogFile::Output(printer),
        Some(path) if args.resume => {
            let read = begun_log(path)?;
            if let Some(end) = read.end().filter(|end| !end.reason.may_resume()) {
                episode
                    .verify(&read)
                    .map_err(|error| Failure::file(path, error))?;
                printer.note(&format!("{}: the episode has ended", path.display()));
                let ended = Ended {
                    settings: &read.settings(),
                    end,
                    why: end.reason.words(),
                    searches: 0,
                    watcher: None,
                };
                finish(printer, args.format, task, &ended)?;
                return Ok(exit(task, end));
            }
            episode
                .resume(&read, &mut policies)
                .map_err(|error| Failure::file(path, error))?;
            let tick = episode.tick();
            printer.note(&format!("{}: going on after tick {tick}", path.display()));
            let mut log = LogFile::File(path.clone(), reopen(path, read.resume_at)?);
            if settings != read.settings() {
                printer.note(
                    "with other policies, another seed or other limits than before, as the log \
                     tells from here on",
                );
                log.write(&Event::Resume(Resumed {
                    tick,
                    settings: settings.clone(),
                }))?;
            }
            log
        }
        Some(path) => LogFile::File(path.clone(), create(path, args.force)?),
    };
    let heading = if args.resume { "resumed" } else { "initially" };
    let watcher = args
        .observe
        .then(|| Watcher::new(printer, task, args.format, heading, episode.state()));
    let mut recorder = Recorder {
        log,
        watcher: watcher.transpose()?,
    };
    if !args.resume {
        recorder.record(&Event::Header(header), episode.state())?;
    }
    let end = episode.run(&mut policies, &mut recorder, &|| control.stop())?;
    if !to_output {
        let detail = end.detail.as_deref();
        let ended = Ended {
            settings: &settings,
            end: &end,
            why: match end.reason {
                EndReason::Limit => detail.unwrap_or(end.reason.words()),
                reason => reason.words(),
            },
            searches: plans.borrow().searches(),
            watcher: recorder.watcher.as_ref(),
        };
        finish(printer, args.format, task, &ended)?;
    }
    Ok(exit(task, &end))
}

/// Refuses a log on standard output beside what else would be there, or to go on with.
fn check_output(args: &RunArgs) -> Result<()> {
    let to_output = args.logs_to_output();
    if to_output && args.format == Format::Json {
        return Err(Failure::usage(
            "the log and the result cannot both go to standard output",
            "give the log a file, or leave out `--format json`",
        ));
    }
    if to_output && args.observe {
        return Err(Failure::usage(
            "the log and the states cannot both go to standard output",
            "give the log a file, or leave out `--observe`",
        ));
    }
    if to_output && args.resume {
        return Err(Failure::usage(
            "there is no log on standard output to go on with",
            "give `--log` the file of the episode, or leave out `--resume`",
        ));
    }
    Ok(())
}

/// Refuses a log in place of a file that the run reads.
fn check_log(args: &RunArgs, files: &[PathBuf], names: &[PolicyName]) -> Result<()> {
    if let Some(path) = &args.log {
        let scripts = names.iter().filter_map(PolicyName::file);
        let mut inputs = files.iter().map(PathBuf::as_path).chain(scripts);
        if inputs.any(|input| files::same_file(input, path)) {
            return Err(Failure::usage(
                format!(
                    "{}: the log would overwrite what the run reads",
                    path.display()
                ),
                "give the log another name",
            ));
        }
    }
    Ok(())
}

fn rules(args: &RunArgs, task: &Task) -> Rules {
    Rules {
        max_ticks: args.max_ticks.or(task.horizon).unwrap_or(1000),
        on_invalid: match args.on_invalid {
            OnInvalidName::Ask => OnInvalid::Ask,
            OnInvalidName::Wait => OnInvalid::Wait,
            OnInvalidName::DropJoint => OnInvalid::DropJoint,
        },
        retries: args.retries,
    }
}

/// One policy per agent.
fn policy_names(task: &Task, args: &RunArgs) -> Result<Vec<PolicyName>> {
    let mut names: Vec<Option<PolicyName>> = vec![None; task.agents.len()];
    for assignment in &args.agents {
        let mut agents = task.agents.iter();
        let index = agents.position(|agent| agent.name.eq_ignore_ascii_case(&assignment.agent));
        let Some(index) = index else {
            let names = || task.agents.iter().map(|agent| agent.name.as_str());
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
        if names[index].replace(assignment.policy.clone()).is_some() {
            return Err(Failure::usage(
                format!("`{}` is given two policies", assignment.agent),
                "give each agent one",
            ));
        }
    }
    Ok(names
        .into_iter()
        .map(|name| name.unwrap_or_else(|| args.others.clone()))
        .collect())
}

fn policy<'c>(
    name: &PolicyName,
    agent: &str,
    seed: u64,
    plans: &Rc<RefCell<Plans<'c>>>,
) -> Result<Box<dyn Policy + 'c>> {
    Ok(match name {
        PolicyName::Planner => Box::new(Planner::new(Rc::clone(plans))),
        PolicyName::Greedy => Box::new(Greedy::new()),
        PolicyName::Random => Box::new(Random::new(seed)),
        PolicyName::Scripted(file) => Box::new(Scripted::parse(&files::read_text(file)?)),
        PolicyName::Replay(file) => {
            let log = read_log(file)?;
            if !log.header.agents.iter().any(|player| player.name == agent) {
                return Err(Failure::file(
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

/// Tells how an episode ended.
fn finish(printer: &Printer, format: Format, task: &Task, ended: &Ended<'_>) -> Result<()> {
    let Ended { settings, end, .. } = ended;
    let total_cost = whole_cost(task, end.cost);
    match format {
        Format::Json => printer.json(&Document {
            schema: 1,
            problem: &task.problem,
            semantics: &task.semantics,
            agents: &settings.agents,
            seed: settings.seed,
            end,
            goal: end.reason.is_success(task),
            total_cost,
            searches: ended.searches,
            observed: ended.watcher.and_then(|watcher| watcher.observed.as_ref()),
            steps: ended.watcher.map(|watcher| &watcher.steps[..]),
        }),
        Format::Text => {
            let mut text = format!(
                "{}: {}, {}, {}",
                ended.why,
                counted(end.ticks, "tick"),
                counted(end.labels, "labelled action"),
                counted(end.refused, "refused command"),
            );
            if task.initial_cost != 0 || end.cost != 0 {
                text.push_str(&format!(", cost {total_cost}"));
            }
            if let Some(detail) = &end.detail {
                text.push_str(&format!(" ({detail})"));
            }
            text.push('\n');
            printer.text(&text)
        }
    }
}

/// The exit code that an end leads to.
const fn exit(task: &Task, end: &End) -> Exit {
    match end.reason {
        reason if reason.is_success(task) => Exit::Done,
        EndReason::Limit | EndReason::Interrupted => Exit::Limit,
        _ => Exit::Negative,
    }
}
