//! `brigade serve`: people play a problem in their browsers, with each other and with other agents.

mod http;
mod routes;
mod seat;
mod secrets;
mod table;

use std::cell::RefCell;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use self::routes::Routes;
use self::seat::Seat;
use self::secrets::{Secrets, random_text};
use self::table::Table;
use super::args::{Format, LimitArgs, seconds};
use super::clairvoyant;
use super::control::{Deadline, interrupted};
use super::exit::{Exit, Failure, Result};
use super::human::{Hints, Human, Setting};
use super::left;
use super::load::{Loaded, Purpose, load};
use super::models::{Cast, ModelArgs};
use super::online::SharedPlans;
use super::paths;
use super::policies::{Assignment, Means, PolicyName, cast, policies, policy_names, team};
use super::printer::Printer;
use super::recorder::{LogFile, Recorder, begun_log, create, mismatched, reopen};
use super::roles::ProblemFiles;
use super::rules::RuleArgs;
use super::score::is_evaluation;
use super::shared_log::SharedLog;
use crate::agents::Plans;
use crate::episode::{End, Episode, Event, Log, Resumed, Rules, Sink as _};
use crate::search::Control;
use crate::task::TurnMode;

/// The interval at which the end of the run is looked for between two games.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The most games of a folder.
const MOST_GAMES: u32 = 100_000;

/// Arguments of `serve`.
#[derive(Debug, Args)]
pub(super) struct ServeArgs {
    #[command(flatten)]
    files: ProblemFiles,

    /// An agent's policy, as of `brigade run`; `human` is somebody with a browser
    #[arg(long = "agent", value_name = "NAME=POLICY")]
    agents: Vec<Assignment>,

    /// The policy of all other agents
    #[arg(long, value_name = "POLICY", default_value = "human")]
    others: PolicyName,

    /// The folder of the event logs: game-1.jsonl, game-2.jsonl, …
    #[arg(long, value_name = "DIR", value_parser = paths::given())]
    log_dir: PathBuf,

    /// Go on with the last game of the folder, at the same addresses
    #[arg(long)]
    resume: bool,

    /// The most games, one after another
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    games: u32,

    /// Leave out hints from the planner
    #[arg(long)]
    no_hints: bool,

    /// Let `planner`, `greedy` and hints use facts that an agent does not observe
    #[arg(long)]
    clairvoyant: bool,

    /// The address to listen at; other computers reach 0.0.0.0
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: IpAddr,

    /// The port; 0 is any that is free
    #[arg(long, default_value_t = 0)]
    port: u16,

    /// The time for which a program of `exec:CMD` may be silent when it is asked
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "10", allow_hyphen_values = true)]
    agent_timeout: Duration,

    /// The seed of the first game; each later one has the next
    #[arg(long, default_value_t = 0, allow_negative_numbers = true)]
    seed: u64,

    #[command(flatten)]
    rules: RuleArgs,

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
    log_dir: String,
    seats: Vec<Place<'a>>,
}

/// The address of a person.
#[derive(Debug, Serialize)]
struct Place<'a> {
    agent: &'a str,
    url: String,
}

/// The setting that all games share.
struct Games<'a> {
    printer: &'a Printer,
    args: &'a ServeArgs,
    loaded: &'a Loaded,
    names: &'a [PolicyName],
    people: &'a [usize],
    cast: Option<&'a Cast>,
    rules: Rules,
    control: &'a Deadline<'a>,
    table: &'a Arc<Table>,
}

/// Serves games until it is interrupted. The exit code is [`Exit::Limit`] if a game was cut short.
pub(super) fn run(printer: &Printer, args: &ServeArgs) -> Result {
    let control = Deadline::new(printer, args.limits.time_limit);
    let problem = args.files.problem()?;
    let loaded = load(printer, &problem, Purpose::Play, &|| control.over())?;
    let task = &loaded.task;
    let names = policy_names(task, &args.agents, &args.others)?;
    if !args.clairvoyant {
        let texts: Vec<String> = names.iter().map(ToString::to_string).collect();
        let policies = texts.iter().map(String::as_str);
        clairvoyant::refuse(task, policies, "", "`--clairvoyant`")?;
    }
    let people: Vec<usize> = (0..names.len())
        .filter(|&agent| names[agent] == PolicyName::Human)
        .collect();
    if people.is_empty() {
        return Err(Failure::usage(
            "no person plays",
            "leave an agent to a person, as by `--agent chef=human`, or use `brigade run`",
        ));
    }
    let cast = cast(printer, &args.model, &names, args.limits.time_limit)?;
    let folder = &args.log_dir;
    if is_evaluation(folder) {
        return Err(Failure::usage(
            format!("{}: is the folder of an evaluation", folder.display()),
            "give another `--log-dir`",
        ));
    }
    std::fs::create_dir_all(folder).map_err(|error| Failure::unwritable(folder, &error))?;
    let last = log_path(folder, last_game(folder)?);
    if !args.resume && cast.is_none() && is_unfinished(&last) {
        return Err(Failure::usage(
            format!("{}: this game is not finished", last.display()),
            "`--resume` goes on with it; to leave it as it is, give another `--log-dir`",
        ));
    }
    let resumed = args
        .resume
        .then(|| Secrets::read(folder))
        .transpose()?
        .flatten();
    let port = resumed.as_ref().filter(|_| args.port == 0);
    let port = port.map_or(args.port, |secrets| secrets.port);
    let listener = bound(args.host, port)?;
    let port = listener.local_addr().map_or(port, |address| address.port());
    let name_of = |agent: usize| task.agents[agent].name.clone();
    let agents: Vec<(usize, String)> = people.iter().map(|&it| (it, name_of(it))).collect();
    let secrets = Secrets::of(&agents, port, resumed)?;
    secrets.write(folder)?;
    let table = Arc::new(Table::new(
        random_text()?,
        task.problem.clone(),
        &agents,
        (
            args.games,
            task.turns == TurnMode::Simultaneous,
            !args.no_hints,
        ),
    ));
    let routes = Routes {
        table: Arc::clone(&table),
        tokens: secrets.tokens(),
    };
    http::serve(listener, move |request| routes.answer(request))
        .map_err(|error| Failure::Internal(error.to_string()))?;
    announce(printer, args, &task.problem, &secrets)?;
    let games = Games {
        printer,
        args,
        loaded: &loaded,
        names: &names,
        people: &people,
        cast: cast.as_ref(),
        rules: args
            .rules
            .rules(task, cast.as_ref().map_or(0, Cast::retries)),
        control: &control,
        table: &table,
    };
    let result = games.play_all();
    if let Some(cast) = &cast {
        cast.close()?;
    }
    result
}

/// Binds the port, or says why not.
fn bound(host: IpAddr, port: u16) -> Result<TcpListener> {
    let address = SocketAddr::new(host, port);
    TcpListener::bind(address).map_err(|error| {
        let help = match error.kind() {
            std::io::ErrorKind::AddrInUse => "give another `--port`, or 0 for any that is free",
            std::io::ErrorKind::PermissionDenied => "give a `--port` from 1024 on",
            _ => "give an address of this computer by `--host`",
        };
        Failure::usage(format!("cannot listen at {address}: {error}"), help)
    })
}

/// Prints the address of each person.
fn announce(printer: &Printer, args: &ServeArgs, problem: &str, secrets: &Secrets) -> Result<()> {
    let host = match args.host {
        IpAddr::V4(address) if address.is_unspecified() => "127.0.0.1".to_owned(),
        IpAddr::V6(address) if address.is_unspecified() => "[::1]".to_owned(),
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    };
    let seats = secrets.seats.iter().map(|seat| Place {
        agent: &seat.agent,
        url: format!("http://{host}:{}/{}/", secrets.port, seat.token),
    });
    let seats: Vec<Place<'_>> = seats.collect();
    if args.host.is_unspecified() {
        printer.note("other computers use the IP address of this one in these addresses");
    }
    printer.note("each address is for one person alone: whoever has it plays for that agent");
    match args.format {
        Format::Json => printer.json(&Document {
            schema: 1,
            problem,
            log_dir: args.log_dir.display().to_string(),
            seats,
        }),
        Format::Text => {
            let lines = seats.iter().map(|seat| match seat.agent {
                "" => format!("{}\n", seat.url),
                agent => format!("{agent}: {}\n", seat.url),
            });
            printer.text(&lines.collect::<String>())
        }
    }
}

impl Games<'_> {
    /// Plays one game after another, until interrupted.
    fn play_all(&self) -> Result {
        let (mut number, mut begun) = self.first()?;
        loop {
            self.table.begin(number);
            let end = self.play(number, begun.take().as_ref())?;
            self.table.end(
                end.reason,
                end.detail.as_deref().unwrap_or(end.reason.words()),
            );
            let path = log_path(&self.args.log_dir, number);
            self.printer.note(&format!(
                "{}: {}",
                path.display(),
                end.detail.as_deref().unwrap_or(end.reason.words())
            ));
            if self.control.over() {
                if end.reason.may_resume() && interrupted() {
                    return Ok(Exit::Limit);
                }
                return Ok(Exit::Done);
            }
            while !self.table.waits_again(LOOK_EVERY) {
                if self.control.over() {
                    return Ok(Exit::Done);
                }
            }
            number += 1;
        }
    }

    /// The number of the first game, and its log if it has begun.
    fn first(&self) -> Result<(u32, Option<Log>)> {
        let folder = &self.args.log_dir;
        let next = last_game(folder)? + 1;
        if !self.args.resume || next == 1 {
            return Ok((next, None));
        }
        let path = log_path(folder, next - 1);
        let log = begun_log(&path)?;
        if log.end().is_some_and(|end| !end.reason.may_resume()) {
            return Ok((next, None));
        }
        if self.cast.is_some() {
            return Err(Failure::usage(
                "a game in which a model is asked cannot be resumed: what its agents remember is in no log",
                "begin another game without `--resume`",
            ));
        }
        Ok((next - 1, Some(log)))
    }

    /// Plays a game to its end.
    fn play(&self, number: u32, begun: Option<&Log>) -> Result<End> {
        let Self {
            printer,
            args,
            loaded,
            names,
            control,
            ..
        } = *self;
        let task = &loaded.task;
        let path = log_path(&args.log_dir, number);
        let seed = args.seed.wrapping_add(u64::from(number - 1));
        let options = args.limits.search();
        let plans = Rc::new(RefCell::new(Plans::new(options.clone(), control)));
        let hints = Rc::new(Hints::new(printer, options.clone(), args.clairvoyant));
        let mut shared: SharedLog<Recorder<'_>> = SharedLog::new();
        let setting = Setting::new(self.rules, begun)
            .drawn(loaded.layout.clone())
            .seated(self.people.to_vec());
        let setting = Rc::new(setting);
        let known = task.as_announced();
        let known = known.as_ref().unwrap_or(task);
        let team = match self.cast {
            Some(cast) => Some(team(
                known,
                cast,
                names,
                (seed, self.rules),
                setting.overhear(shared.listener()),
            )?),
            None => None,
        };
        let online = SharedPlans::new(known, options, control);
        let means = Means {
            seed,
            max_ticks: self.rules.max_ticks,
            agent_timeout: args.agent_timeout,
            plans: &plans,
            online: &online,
            control,
        };
        let mut policies = policies(task, names, team.as_ref(), &means, |agent| {
            let human = Human::new(
                (agent, task),
                Box::new(Seat {
                    table: Arc::clone(self.table),
                    agent,
                    control,
                }),
                Rc::clone(&setting),
                Rc::clone(&hints),
                shared.listener(),
            );
            if let Some(team) = &team {
                team.borrow_mut().invite(agent, human.partner());
            }
            Ok(Box::new(human))
        })?;
        let mut episode = Episode::new(task, self.rules);
        let texts = names.iter().map(|name| match (self.cast, name) {
            (Some(cast), PolicyName::Design(design)) => format!("{design}@{}", cast.model),
            _ => name.to_string(),
        });
        let header = episode.header(&texts.collect::<Vec<_>>(), seed);
        if let Some(begun) = begun {
            let resumed = episode.resume(begun, &mut policies);
            resumed.map_err(|error| mismatched(&path, &error))?;
            let mut log = LogFile::File(path.clone(), reopen(&path, begun.resume_at)?);
            if header.settings() != begun.settings() {
                log.write(&Event::Resume(Resumed {
                    tick: episode.tick(),
                    settings: header.settings(),
                }))?;
            }
            shared.open(recorder(log));
        } else {
            shared.open(recorder(create(&path, false)?));
            shared.record(&Event::Header(header), episode.state())?;
        }
        left::can_go_on(match self.cast {
            None => format!(
                "the episode so far is in {}; `--resume` goes on with it",
                path.display()
            ),
            Some(_) => format!("the episode so far is in {}", path.display()),
        });
        let end = episode.run(&mut policies, &mut shared, &|| control.stop())?;
        shared.close();
        Ok(end)
    }
}

const fn recorder(log: LogFile<'_>) -> Recorder<'_> {
    Recorder { log, watcher: None }
}

/// The greatest number of a game in a folder; 0 where there is none.
fn last_game(folder: &Path) -> Result<u32> {
    let unreadable = |error| Failure::unreadable(folder, &error);
    let mut last = 0;
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let name = entry.map_err(unreadable)?.file_name();
        let name = name.to_str().and_then(|name| name.strip_prefix("game-"));
        let number = name.and_then(|name| name.strip_suffix(".jsonl")?.parse().ok());
        last = last.max(number.unwrap_or(0));
    }
    if last >= MOST_GAMES {
        return Err(Failure::usage(
            format!("{}: there are {last} games", folder.display()),
            "give another `--log-dir`",
        ));
    }
    Ok(last)
}

/// Returns whether a log can be read and its game be resumed.
fn is_unfinished(path: &Path) -> bool {
    let log = begun_log(path);
    log.is_ok_and(|log| log.end().is_none_or(|end| end.reason.may_resume()))
}

/// The log of a game.
fn log_path(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("game-{number}.jsonl"))
}
