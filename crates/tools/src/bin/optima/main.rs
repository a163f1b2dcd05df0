//! Derives the optima of the tasks of Robotouille: `docs/results/robotouille-optima.jsonl`, and the page
//! that is rendered from it. For developers; `brigade_tools::optima` does the work, [`kitchen`] finds the
//! optima a second time.

#![expect(
    clippy::print_stderr,
    reason = "a tool reports its progress on standard error"
)]

mod kitchen;

use std::error::Error;
use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use brigade::search::{Control, HeuristicChoice, SearchOptions, SymmetryChoice};
use brigade_tools::optima::{
    CLEAN, Case, Dataset, Derivation, Line, Optima, SEEDS, SEMANTICS, Status, Subject, UPSTREAM,
    page, rows,
};
use brigade_tools::results;
use clap::{Parser, ValueEnum};

use brigade_tools::files::{self, Deadline, read, write};
use kitchen::{Fewest, fewest};

/// Derive the optima of the tasks of Robotouille, or render the page of them.
#[derive(Debug, Parser)]
struct Args {
    /// Only the task named so, as `synchronous/0_cheese_sandwich` or
    /// `synchronous/0_cheese_sandwich/seed42`, or those with this in their names
    #[arg(long, value_name = "PATTERN")]
    only: Option<String>,

    /// Only this semantics
    #[arg(long, value_name = "NAME", value_parser = SEMANTICS)]
    semantics: Option<String>,

    /// The most seconds for each of proof, count and check of each task and semantics
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<f64>,

    /// The most seconds for the count, where it is to have others than the proof
    #[arg(long, value_name = "SECONDS")]
    count_time_limit: Option<f64>,

    /// The most seconds for the check, where it is to have others than the proof
    #[arg(long, value_name = "SECONDS")]
    check_time_limit: Option<f64>,

    /// The most memory for states and their tables, in GiB
    #[arg(long, value_name = "GIB")]
    memory_limit: Option<f64>,

    /// The number of threads that search
    #[arg(long, value_name = "THREADS", default_value = "1")]
    jobs: NonZeroUsize,

    /// The most states of a check by exhaustion
    #[arg(long, value_name = "STATES", default_value_t = 10_000_000)]
    check_states: usize,

    /// Derive again what is not proven, not counted or not checked
    #[arg(long)]
    again: bool,

    /// The prover: all there is in turn, or patterns alone, which look for no plans
    #[arg(long, value_enum, default_value = "auto")]
    heuristic: Guide,

    /// Derive everything again
    #[arg(long, conflicts_with = "again")]
    fresh: bool,

    /// Derive nothing; write the page of what has been derived
    #[arg(long)]
    render: bool,
}

/// The prover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Guide {
    Auto,
    Patterns,
}

/// The time limits of the parts of a derivation.
struct Limits {
    proof: Option<Duration>,
    count: Option<Duration>,
    check: Option<Duration>,
}

impl Limits {
    fn new(args: &Args) -> Result<Self, Box<dyn Error>> {
        let time = |seconds: Option<f64>| seconds.map(Duration::try_from_secs_f64).transpose();
        Ok(Self {
            proof: time(args.time_limit)?,
            count: time(args.count_time_limit.or(args.time_limit))?,
            check: time(args.check_time_limit.or(args.time_limit))?,
        })
    }
}

/// The repository's files.
struct Files {
    bundled: Vec<Case>,
    data: PathBuf,
    page: PathBuf,
}

impl Files {
    fn read() -> Result<Self, Box<dyn Error>> {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let mut bundled = Vec::new();
        for name in ["robotouille", "robotouille-in-turn"] {
            let domain = read(&root.join("domains").join(format!("{name}.pddl")))?;
            for entry in fs::read_dir(root.join("problems").join(name))? {
                let path = entry?.path();
                let name = path.file_stem().and_then(OsStr::to_str);
                if let Some(subject) = name.and_then(Subject::bundled) {
                    bundled.push(Case {
                        subject,
                        domain: domain.clone(),
                        problem: read(&path)?,
                    });
                }
            }
        }
        bundled.sort_by(|one, other| one.subject.cmp(&other.subject));
        Ok(Self {
            bundled,
            data: root.join("docs/results/robotouille-optima.jsonl"),
            page: root.join("docs/results/robotouille-optima.md"),
        })
    }

    /// Reads the known optima. A file that a killed run has left is put in order.
    fn optima(&self) -> Result<Optima, Box<dyn Error>> {
        if !self.data.exists() {
            return Ok(Optima::default());
        }
        let text = read(&self.data)?;
        let optima = Optima::recover(&text);
        let optima = optima.map_err(|error| format!("{}: {error}", self.data.display()))?;
        let canonical = optima.render()?;
        if canonical != text {
            write(&self.data, &canonical)?;
        }
        Ok(optima)
    }

    fn append(&self, line: &Line) -> Result<(), Box<dyn Error>> {
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.data)?;
        Ok(file.write_all(results::line(line)?.as_bytes())?)
    }
}

/// The folder of the published files, where the environment names it.
fn published() -> Option<PathBuf> {
    let folder = std::env::var_os("BRIGADE_UPSTREAM")?;
    Some(PathBuf::from(folder).join("robotouille"))
}

/// The published environment of a task.
fn environment(folder: &Path, subject: &Subject) -> Result<String, Box<dyn Error>> {
    let task = subject.published_name();
    let path = match subject.seed {
        None => folder.join("environments").join(format!("{task}.json")),
        Some(seed) => folder
            .join("procgen")
            .join(task)
            .join(format!("seed{seed}.json")),
    };
    read(&path)
}

/// The published instances, if the published files are there.
fn instances(bundled: &[Case]) -> Result<Vec<Case>, Box<dyn Error>> {
    let Some(folder) = published() else {
        eprintln!("BRIGADE_UPSTREAM is not set: the instances are left out");
        return Ok(Vec::new());
    };
    let domain = read(&folder.join("domain/robotouille.json"))?;
    let mut cases = Vec::new();
    for case in bundled {
        if case.subject.dataset == Dataset::MultiAgent {
            continue;
        }
        for seed in SEEDS {
            let subject = case.subject.seeded(seed);
            let environment = environment(&folder, &subject)?;
            cases.push(Case::imported(subject, &domain, &environment)?);
        }
    }
    Ok(cases)
}

fn main() -> ExitCode {
    files::exit_code(run(&Args::parse()))
}

fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let files = Files::read()?;
    let mut optima = files.optima()?;
    if args.render {
        return write(&files.page, &page(&rows(&files.bundled)?, &optima));
    }
    let limits = Limits::new(args)?;
    let instances = instances(&files.bundled)?;
    let cases = || files.bundled.iter().chain(&instances);
    // The name of a task is part of the names of its instances.
    let is_name = args
        .only
        .as_ref()
        .is_some_and(|only| cases().any(|case| case.subject.to_string() == *only));
    for case in cases() {
        let name = case.subject.to_string();
        let is_meant = |only: &String| {
            if is_name {
                name == *only
            } else {
                name.contains(only)
            }
        };
        if !args.only.as_ref().is_none_or(is_meant) {
            continue;
        }
        for semantics in SEMANTICS {
            if args
                .semantics
                .as_ref()
                .is_some_and(|only| only != semantics)
            {
                continue;
            }
            let known = optima.of(&case.subject, semantics);
            let start = known.filter(|_| !args.fresh);
            let mut derivation = Derivation::new(case, semantics, start)?;
            let is_complete = derivation.line().is_complete();
            if derivation.is_known() && (!args.again || is_complete) {
                // Its key says nothing of the task in which the plan is replayed.
                derivation.play_under(UPSTREAM)?;
                if known != Some(derivation.line()) {
                    files.append(derivation.line())?;
                }
                continue;
            }
            eprintln!("{name}, {semantics}");
            let line = derive(args, &limits, &case.subject, derivation, &optima)?;
            eprintln!("  {}", summary(&line));
            if known.is_some_and(|known| known.contradicts(&line)) {
                return Err(format!("{name}, {semantics}: not what was known").into());
            }
            files.append(&line)?;
            optima.add(line);
        }
    }
    // In order, one line for each task and semantics.
    files.optima()?;
    Ok(())
}

/// Derives a line.
fn derive(
    args: &Args,
    limits: &Limits,
    subject: &Subject,
    mut derivation: Derivation<'_>,
    optima: &Optima,
) -> Result<Line, Box<dyn Error>> {
    let options = SearchOptions::default()
        .with_memory_limit(args.memory_limit.map(files::bytes))
        .with_threads(args.jobs);
    if derivation.line().status == Status::Bounded {
        bound(&mut derivation, subject, optima)?;
    }
    if derivation.line().status == Status::Bounded {
        let start = Instant::now();
        let mut options = options.clone();
        if args.heuristic == Guide::Patterns {
            options = options
                .with_heuristic(HeuristicChoice::Patterns)
                .with_symmetry(SymmetryChoice::Always);
        }
        derivation.prove(&options, &Deadline::new(limits.proof))?;
        derivation.took(start.elapsed().as_secs_f64());
        if derivation.line().status == Status::Bounded {
            bound(&mut derivation, subject, optima)?;
        }
    }
    let line = derivation.line();
    if line.plans.is_none() || line.references.is_none() {
        derivation.count(&options, &Deadline::new(limits.count))?;
    }
    if derivation.line().check.is_none()
        && let Some(clean) = optima.of(subject, CLEAN)
    {
        derivation.carry_check_over(clean)?;
    }
    let deadline = Deadline::new(limits.check);
    if derivation.line().check.is_none()
        && let Some(folder) = published()
    {
        compare(&mut derivation, &folder, &options, &deadline)?;
    }
    if derivation.line().check.is_none() {
        derivation.check(args.check_states, &options, &deadline)?;
    }
    derivation.play_under(UPSTREAM)?;
    Ok(derivation.into_line())
}

/// Compares what is proven under `clean` with what the planner made by hand finds, if it finds it within the
/// limits.
fn compare(
    derivation: &mut Derivation<'_>,
    folder: &Path,
    options: &SearchOptions,
    deadline: &Deadline,
) -> Result<(), Box<dyn Error>> {
    let line = derivation.line();
    if line.status == Status::Bounded || line.semantics != CLEAN {
        return Ok(());
    }
    let most = line.optimum().unwrap_or(0);
    let bytes = options.memory_limit().unwrap_or(usize::MAX);
    let is_stopped = || deadline.stop().is_some();
    let environment = environment(folder, &line.subject())?;
    match fewest(&environment, most, bytes, &is_stopped) {
        Fewest::Steps { steps, states } => derivation.compare(Some(steps), states)?,
        Fewest::More if line.status == Status::Proven => derivation.compare(Some(most + 1), 0)?,
        Fewest::NoPlan => derivation.compare(None, 0)?,
        Fewest::Unknown(reason) => eprintln!("  the planner made by hand does not know {reason}"),
        Fewest::More | Fewest::Stopped => {}
    }
    Ok(())
}

/// Bounds the optimum from both sides by known lines, under either semantics.
fn bound(
    derivation: &mut Derivation<'_>,
    subject: &Subject,
    optima: &Optima,
) -> Result<(), Box<dyn Error>> {
    let lines = SEMANTICS.into_iter();
    let lines = lines.filter_map(|semantics| optima.of(subject, semantics));
    for plan in lines.filter_map(|line| line.plan.as_ref()) {
        derivation.try_plan(plan)?;
    }
    if let Some(clean) = optima.of(subject, CLEAN) {
        derivation.carry_over(clean)?;
    }
    Ok(())
}

/// A line in a few words.
fn summary(line: &Line) -> String {
    let number = |number: Option<u32>| number.map_or("?".to_owned(), |n| n.to_string());
    let bounds = [line.lower_bound, line.upper_bound].map(number);
    let found = match line.status {
        Status::Proven => format!("optimum {}", bounds[1]),
        Status::Unsolvable => "no plan".to_owned(),
        Status::Bounded => format!("between {} and {}", bounds[0], bounds[1]),
    };
    let plans = line.plans.as_deref().unwrap_or("?");
    let check = if line.check.is_some() { "" } else { "not " };
    let (seconds, states) = (line.seconds, line.states);
    format!("{found}, {plans} plans, {check}checked, {states} states, {seconds} s")
}
