//! `brigade run`: agents act on a problem; the event log is written line by line.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use clap::Args;
use indexmap::IndexMap;
use serde::Serialize;

use super::args::{Format, LimitArgs, seconds};
use super::clairvoyant;
use super::control::{Deadline, interrupted};
use super::exit::{Exit, Failure, Result};
use super::files;
use super::human::{Hints, Human, Place, Setting};
use super::left;
use super::load::{Purpose, load};
use super::models::{Cast, ModelArgs};
use super::online::SharedPlans;
use super::paths;
use super::policies::{
    Assignment, Means, PolicyName, cast, policies, policy_names, team, unnamed, unproven,
};
use super::printer::Printer;
use super::recorder::{LogFile, Recorder, Watcher, begun_log, create, mismatched, reopen};
use super::roles::ProblemFiles;
use super::rules::RuleArgs;
use super::shared_log::SharedLog;
use super::steps::{ShownStep, check_words};
use crate::agents::Plans;
use crate::diagnostics::words::counted;
use crate::episode::{End, EndReason, Episode, Event, Player, Resumed, Settings, Sink};
use crate::report::cost::{Amount, amounts, whole_cost};
use crate::search::Control;
use crate::task::PackedTask;
use crate::task::observation::Observed;
use crate::task::totals::Totals;

/// Arguments of `run`.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    #[command(flatten)]
    files: ProblemFiles,

    /// An agent's policy: planner, greedy, random, scripted:FILE (a command a line), replay:LOG,
    /// exec:CMD (a program that is asked in lines of JSON), human (you, at this terminal); or to ask a model a design, by its name, as react (`brigade agents` lists them), or its file, as
    /// mine.toml. Agents that are not named get the policy of `--others`
    #[arg(long = "agent", value_name = "NAME=POLICY")]
    agents: Vec<Assignment>,

    /// The policy of all other agents
    #[arg(long, value_name = "POLICY", default_value = "planner")]
    others: PolicyName,

    /// Ask `human` line by line, also at a terminal that can show a full screen
    #[arg(long)]
    lines: bool,

    /// Let `planner` and `greedy` play where they know facts that their agents do not observe
    #[arg(long)]
    clairvoyant: bool,

    /// The time for which a program of `exec:CMD` may be silent when it is asked
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "10", allow_hyphen_values = true)]
    agent_timeout: Duration,

    /// The seed of random policies, of what chance decides, and of programs
    #[arg(long, default_value_t = 0, allow_negative_numbers = true)]
    seed: u64,

    /// Where to write the event log; `-` is standard output
    #[arg(long, value_name = "FILE", value_parser = paths::given())]
    log: Option<PathBuf>,

    /// Go on with the episode of an existing log
    #[arg(long, requires = "log", conflicts_with = "force")]
    resume: bool,

    /// Overwrite an existing log
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    rules: RuleArgs,

    /// Show every state in the words of the domain, by object, with what can be done in it
    #[arg(long)]
    observe: bool,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    model: ModelArgs,

    /// Form of the result on standard output
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

#[derive(Debug, Serialize)]
struct Document<'a> {
    schema: u32,
    problem: &'a str,
    semantics: &'a str,
    agents: &'a [Player],
    seed: u64,
    #[serde(flatten)]
    end: End,
    goal: bool,
    /// The same; `None` in a problem without a goal.
    success: Option<bool>,
    /// The cost in the problem's own units.
    total_cost: Amount,
    /// The totals, in the problem's own units.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    totals: IndexMap<&'a str, Amount>,
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
    /// The watcher that has shown its states.
    watcher: Option<&'a Watcher<'a>>,
}

impl RunArgs {
    /// Returns true if the log goes to standard output.
    pub(super) fn logs_to_output(&self) -> bool {
        self.log.as_deref().is_some_and(files::is_stdin)
    }
}

/// Runs an episode. The exit code is [`Exit::Negative`] if it ends without its goal, and
/// [`Exit::Limit`] if it was interrupted or stopped by a limit.
pub(super) fn run(printer: &Printer, args: &RunArgs) -> Result {
    let to_output = args.logs_to_output();
    check_output(args)?;
    let control = Deadline::new(printer, args.limits.time_limit);
    let problem = args.files.problem()?;
    let loaded = load(printer, &problem, Purpose::Play, &|| control.over())?;
    let task = &loaded.task;
    if args.observe {
        check_words(task)?;
    }
    let names = policy_names(task, &args.agents, &args.others)?;
    if !args.clairvoyant {
        let texts: Vec<String> = names.iter().map(ToString::to_string).collect();
        let policies = texts.iter().map(String::as_str);
        clairvoyant::refuse(task, policies, "", "`--clairvoyant`")?;
    }
    check_log(args, &loaded.files, &names)?;
    let people = names.contains(&PolicyName::Human);
    if people && files::is_stdin(&problem.problem) {
        return Err(Failure::usage(
            "problem and answers cannot both come from standard input",
            "give the problem as a file",
        ));
    }
    if let Some(unnamed) = unnamed(task, &args.agents, &args.others) {
        printer.note(&unnamed);
    }
    let options = args
        .limits
        .search()
        .with_deepening_limit(args.limits.time_limit.map(|_| u64::MAX));
    let plans = Rc::new(RefCell::new(Plans::new(options.clone(), &control)));
    if args.resume && names.iter().any(PolicyName::asks_a_model) {
        return Err(Failure::usage(
            "an episode in which a model is asked is not gone on with: what its agents remember is in no \
             log",
            "play it from its start with `--force`; with `--cassette auto` nothing is asked that was \
             answered before",
        ));
    }
    let begun = match &args.log {
        Some(path) if args.resume => Some(begun_log(path)?),
        _ => None,
    };
    let cast = cast(printer, &args.model, &names, args.limits.time_limit)?;
    let rules = args
        .rules
        .rules(task, cast.as_ref().map_or(0, Cast::retries));
    let mut shared: SharedLog<Recorder<'_>> = SharedLog::new();
    let setting = Setting::new(rules, begun.as_ref()).drawn(loaded.layout.clone());
    let setting = Rc::new(setting);
    let known = task.as_announced();
    let team = match &cast {
        Some(cast) => Some(team(
            known.as_ref().unwrap_or(task),
            cast,
            &names,
            (args.seed, rules),
            setting.overhear(shared.listener()),
        )?),
        None => None,
    };
    let hints = Rc::new(Hints::new(printer, options.clone(), args.clairvoyant));
    // What is printed as a game goes on would be drawn over.
    let by_lines = args.lines || args.observe || to_output;
    let place = people
        .then(|| Place::open(printer, &control, by_lines))
        .transpose()
        .map_err(|error| Failure::Internal(error.to_string()))?;
    let online = SharedPlans::new(known.as_ref().unwrap_or(task), options, &control);
    let means = Means {
        seed: args.seed,
        max_ticks: rules.max_ticks,
        agent_timeout: args.agent_timeout,
        plans: &plans,
        online: &online,
        control: &control,
    };
    let mut policies = policies(task, &names, team.as_ref(), &means, |agent| {
        let Some(place) = &place else {
            return Err(Failure::Internal("a person has no place".to_owned()));
        };
        let human = Human::new(
            (agent, task),
            place.person(agent, &task.agents[agent].name),
            Rc::clone(&setting),
            Rc::clone(&hints),
            shared.listener(),
        );
        if let Some(team) = &team {
            team.borrow_mut().invite(agent, human.partner());
        }
        Ok(Box::new(human))
    })?;
    let mut episode = Episode::new(task, rules);
    let policy_texts: Vec<String> = names
        .iter()
        .map(|name| match (&cast, name) {
            (Some(cast), PolicyName::Design(design)) => format!("{design}@{}", cast.model),
            _ => name.to_string(),
        })
        .collect();
    let mut header = episode.header(&policy_texts, args.seed);
    header.streams.clone_from(&loaded.streams);
    let settings = header.settings();
    let log = match &args.log {
        None => LogFile::None,
        Some(_) if to_output => LogFile::Output(printer),
        Some(path) if let Some(read) = &begun => {
            if let Some(end) = read.end().filter(|end| !end.reason.may_resume()) {
                episode
                    .verify(read)
                    .map_err(|error| mismatched(path, &error))?;
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
                .resume(read, &mut policies)
                .map_err(|error| mismatched(path, &error))?;
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
        Some(path) => create(path, args.force)?,
    };
    if let (Some(path), false) = (&args.log, to_output) {
        left::can_go_on(match &cast {
            None => format!(
                "the episode so far is in {}; `--resume` goes on with it",
                path.display()
            ),
            Some(_) => format!("the episode so far is in {}", path.display()),
        });
    }
    let heading = if args.resume { "resumed" } else { "initially" };
    let watcher = args
        .observe
        .then(|| Watcher::new(printer, task, args.format, heading, episode.state()));
    shared.open(Recorder {
        log,
        watcher: watcher.transpose()?,
    });
    if !args.resume {
        shared.record(&Event::Header(header), episode.state())?;
    }
    let end = episode.run(&mut policies, &mut shared, &|| control.stop())?;
    let recorder = shared.close();
    if let Some(place) = place.filter(|_| !end.reason.is_cut_short()) {
        place.leave(end.reason.words());
    }
    // Until the last of them is gone, the terminal is theirs.
    drop((policies, team));
    if let Some(cast) = &cast {
        cast.close()?;
        if cast.tokens() > 0 {
            printer.note(&format!("{} were used", counted(cast.tokens(), "token")));
        }
    }
    if end.reason == EndReason::Configuration {
        let why = end.detail.as_deref().unwrap_or(end.reason.words());
        return Err(Failure::usage(
            why,
            "play the episode anew; with `--cassette auto` nothing is asked that was answered before",
        ));
    }
    if !to_output {
        let detail = end.detail.as_deref();
        let ended = Ended {
            settings: &settings,
            end: &end,
            why: match end.reason {
                EndReason::Limit => detail.unwrap_or(end.reason.words()),
                reason => reason.words(),
            },
            searches: plans.borrow().searches() + online.searches(),
            watcher: recorder
                .as_ref()
                .and_then(|recorder| recorder.watcher.as_ref()),
        };
        finish(printer, args.format, task, &ended)?;
    }
    if people && end.reason == EndReason::Interrupted && !interrupted() && args.log.is_some() {
        printer.note(&left::sentence());
    }
    if let Some(reason) = &end.unproven {
        printer.note(&unproven(reason));
    }
    if end.reason == EndReason::Infrastructure {
        printer.warning(&format!(
            "an outage has cut the episode short, which says nothing of its agents: {}",
            end.detail.as_deref().unwrap_or(end.reason.words())
        ));
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
        let cassette = args.model.cassette_file.as_deref();
        let inputs = files.iter().map(PathBuf::as_path);
        let mut inputs = inputs.chain(scripts).chain(cassette);
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

/// Reports the end of an episode.
fn finish(printer: &Printer, format: Format, task: &PackedTask, ended: &Ended<'_>) -> Result<()> {
    let Ended { settings, end, .. } = ended;
    let total_cost = whole_cost(task, end.cost);
    let totals = amounts(task, &end.totals);
    match format {
        Format::Json => printer.json(&Document {
            schema: 1,
            problem: &task.problem,
            semantics: &task.semantics,
            agents: &settings.agents,
            seed: settings.seed,
            end: End {
                totals: Totals::new(),
                ..(*end).clone()
            },
            goal: end.reason == EndReason::Goal,
            success: end.reason.is_success(task),
            total_cost,
            totals: totals.into_iter().collect(),
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
            for (name, amount) in &totals {
                text.push_str(&format!(", {name} {amount}"));
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
fn exit(task: &PackedTask, end: &End) -> Exit {
    match end.reason {
        reason if reason.is_whole(task) => Exit::Done,
        EndReason::Limit | EndReason::Interrupted => Exit::Limit,
        _ => Exit::Negative,
    }
}
