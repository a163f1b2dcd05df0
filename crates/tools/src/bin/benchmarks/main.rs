//! Measures Brigade, and Fast Downward beside it where it is there: `docs/results/benchmarks.jsonl`,
//! and the page `docs/results/benchmarks.md` that is made of it. For developers.

#![expect(
    clippy::print_stderr,
    reason = "a tool reports its progress on standard error"
)]

mod alone;
mod competition;
mod data;
mod families;
mod measure;
mod page;
mod parts;
mod record;
mod sections;
mod states;
mod steps;
mod text;
mod tools;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use brigade::cli::replace::replace;
use clap::{Args, Parser, Subcommand};

use brigade_tools::machine::{cpu_info, load, memory, said};
use competition::Competition;
use families::Texts;
use measure::Job;
use parts::Part;
use record::{Line, Outcome, Run, Setting, Tool};
use tools::{FastDownward, Files, Tools};

/// Measure Brigade, and Fast Downward beside it.
#[derive(Debug, Parser)]
struct Cli {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Measure, and write data and page
    Run(Measurement),
    /// Measure steps a second of random play alone, and write their data and the page
    Steps(steps::Measurement),
    /// Write the page of the data
    Render,
    /// Write a generated instance, such as `gripper-8`, to two files
    Generate {
        /// Its name
        name: String,
        /// The folder for `<name>-domain.pddl` and `<name>.pddl`
        folder: PathBuf,
    },
    /// Run one command under limits, and print what it took
    #[command(hide = true)]
    Measure(Job),
    /// Read and ground a problem, and search so many states blindly
    #[command(hide = true)]
    States {
        domain: PathBuf,
        problem: PathBuf,
        states: u64,
    },
    /// Search so many states of an 11-puzzle with a program for it alone
    #[command(hide = true)]
    Alone { problem: PathBuf, states: u64 },
}

#[derive(Debug, Args)]
struct Measurement {
    /// A virtual environment of Python in which `up-fast-downward` is installed [env:
    /// `BRIGADE_FAST_DOWNWARD`]
    #[arg(long, value_name = "DIR")]
    fast_downward: Option<PathBuf>,

    /// The program to measure [default: the one beside this]
    #[arg(long, value_name = "FILE")]
    brigade: Option<PathBuf>,

    /// Only these parts: data and page are then written to `target/benchmarks`
    #[arg(long, value_name = "PART")]
    only: Vec<Part>,

    /// Only instances with this in their name; as `--only`
    #[arg(long, value_name = "TEXT")]
    instance: Option<String>,

    /// The number of runs of each tool on an instance; the best counts
    #[arg(long, value_name = "N", default_value_t = 5)]
    repetitions: u32,

    /// No tool is run again once its runs took so long
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    enough: f64,

    /// The most CPU time of a run
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    time_limit: u64,

    /// The most address space of a run
    #[arg(long, value_name = "GIB", default_value_t = 4)]
    memory_limit: u64,
}

fn main() -> ExitCode {
    match run(Cli::parse().action) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Reads a file; an error names it.
fn read(path: &Path) -> Result<String, Box<dyn Error>> {
    let text = fs::read_to_string(path);
    Ok(text.map_err(|error| format!("{}: {error}", path.display()))?)
}

fn run(action: Action) -> Result<(), Box<dyn Error>> {
    let docs = root().join("docs");
    match action {
        Action::Run(measurement) => {
            let work = root().join("target/benchmarks");
            // A folder of its own, should two run at once.
            let run = work.join(std::process::id().to_string());
            fs::create_dir_all(&run)?;
            let lines = measurement.run(run.clone())?;
            fs::remove_dir_all(run)?;
            let (data, to) = if measurement.only.is_empty() && measurement.instance.is_none() {
                (
                    docs.join("results/benchmarks.jsonl"),
                    docs.join("results/benchmarks.md"),
                )
            } else {
                (work.join("benchmarks.jsonl"), work.join("benchmarks.md"))
            };
            replace(&data, record::render(&lines)?.as_bytes())?;
            let played = record::parse(&read(&docs.join(STEPS))?)?;
            replace(&to, page::page(&lines, &played).as_bytes())?;
            eprintln!("{}", to.display());
            Ok(())
        }
        Action::Steps(measurement) => {
            let played = measurement.run(&root())?;
            replace(&docs.join(STEPS), record::render(&played)?.as_bytes())?;
            write_page(&docs)
        }
        Action::Render => write_page(&docs),
        Action::Generate { name, folder } => {
            let texts = families::generate(&name);
            let texts = texts.ok_or_else(|| format!("there is no instance `{name}`"))?;
            written(&name, &texts, &folder).map(|_| ())
        }
        Action::Measure(job) => measure::child(&job),
        Action::States {
            domain,
            problem,
            states,
        } => states::search(&domain, &problem, states),
        Action::Alone { problem, states } => alone::search(&problem, states),
    }
}

/// The data of steps a second, in the folder of the documentation.
const STEPS: &str = "results/steps.jsonl";

/// Writes the page of the data that there are.
fn write_page(docs: &Path) -> Result<(), Box<dyn Error>> {
    let lines = record::parse(&read(&docs.join("results/benchmarks.jsonl"))?)?;
    let played = record::parse(&read(&docs.join(STEPS))?)?;
    let page = page::page(&lines, &played);
    Ok(replace(
        &docs.join("results/benchmarks.md"),
        page.as_bytes(),
    )?)
}

fn root() -> PathBuf {
    concat!(env!("CARGO_MANIFEST_DIR"), "/../..").into()
}

/// The folder of the bundled problems that are measured.
const BUNDLED: &str = "collab-overcooked/";

/// The files of a bundled problem.
fn bundled(problem: &str) -> Files {
    Files {
        domain: root().join("domains/collab-overcooked.pddl"),
        problem: root().join(format!("problems/{BUNDLED}{problem}.pddl")),
    }
}

/// Writes an instance to files.
fn written(name: &str, texts: &Texts, folder: &Path) -> Result<Files, Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let files = Files {
        domain: folder.join(format!("{name}-domain.pddl")),
        problem: folder.join(format!("{name}.pddl")),
    };
    fs::write(&files.domain, &texts.domain)?;
    fs::write(&files.problem, &texts.problem)?;
    Ok(files)
}

impl Measurement {
    fn run(&self, work: PathBuf) -> Result<Vec<Line>, Box<dyn Error>> {
        let variable = |name| std::env::var_os(name).map(PathBuf::from);
        let environment = self.fast_downward.clone();
        let environment = environment.or_else(|| variable("BRIGADE_FAST_DOWNWARD"));
        let fast_downward = environment.as_deref().map(FastDownward::find).transpose()?;
        if fast_downward.is_none() {
            eprintln!("Fast Downward is not there: Brigade is measured alone (`--fast-downward`)");
        }
        let competition = variable("BRIGADE_UPSTREAM").map(|path| Competition::read(&path));
        let competition = competition.transpose()?;
        if competition.is_none() {
            eprintln!("BRIGADE_UPSTREAM is not set: no competition instances are measured");
        }
        let brigade = match &self.brigade {
            Some(path) => path.clone(),
            // Examples are built into a folder of their own.
            None => std::env::current_exe()?.with_file_name("../brigade"),
        };
        let tools = Tools {
            brigade,
            fast_downward,
            work,
            seconds: self.time_limit,
            bytes: self.memory_limit << 30,
        };
        let start = load();
        let commit = said(
            &root(),
            "git",
            &["describe", "--always", "--abbrev=12", "--dirty"],
        );
        let mut lines = Vec::new();
        let published = competition.as_ref().map(|there| there.published.clone());
        lines.extend(published.into_iter().flatten().map(Line::Published));
        let mut runs: Vec<Run> = Vec::new();
        for part in Part::ALL {
            if !self.only.is_empty() && !self.only.contains(&part) {
                continue;
            }
            let mut instances = part.instances();
            if let (Part::Competition, Some(competition)) = (part, &competition) {
                let names = competition.published.iter();
                instances.extend(names.map(|published| published.instance.clone()));
            }
            for name in instances {
                if self
                    .instance
                    .as_ref()
                    .is_some_and(|text| !name.contains(text))
                {
                    continue;
                }
                let (family, _) = name.split_once('/').unwrap_or((&name, ""));
                let files = match (families::generate(family), name.strip_prefix(BUNDLED)) {
                    (Some(texts), _) => written(family, &texts, &tools.work)?,
                    (None, Some(problem)) => bundled(problem),
                    (None, None) => match &competition {
                        Some(competition) => competition.files(&name),
                        None => continue,
                    },
                };
                let mut published = competition.iter().flat_map(|there| &there.published);
                let solvable =
                    published.all(|there| there.instance != name || there.cost.is_some());
                self.instance(&tools, part, &name, &files, solvable, &mut runs)?;
            }
        }
        let setting = Setting {
            processor: cpu_info("model name").unwrap_or_default(),
            cores: std::thread::available_parallelism()?.get(),
            memory_kib: memory().unwrap_or_default(),
            system: said(&root(), "uname", &["-sr"]),
            rustc: said(&root(), "rustc", &["--version"]),
            commit,
            fast_downward: tools.fast_downward.map_or(Vec::new(), |peer| peer.versions),
            competition: competition.is_some(),
            repetitions: self.repetitions,
            enough: self.enough,
            seconds: self.time_limit,
            bytes: self.memory_limit << 30,
            load: [start, load()],
        };
        lines.insert(0, Line::Setting(setting));
        lines.extend(runs.into_iter().map(Line::Run));
        Ok(lines)
    }

    /// Runs the tools of a part on an instance in turn, several times, and keeps the best run of each. The runs of
    /// other parts stay, but for Fast Downward's translator: its output is the input of the searches.
    fn instance(
        &self,
        tools: &Tools,
        part: Part,
        name: &str,
        files: &Files,
        solvable: bool,
        runs: &mut Vec<Run>,
    ) -> Result<(), Box<dyn Error>> {
        let known = |tool| {
            runs.iter()
                .any(|run| run.instance == name && run.tool == tool)
        };
        // A tool that met a limit is not tried on what is larger, or asked for more.
        let given_up = |tool| {
            let smaller = part.smaller(name);
            let limited = |name: &str, tool| {
                runs.iter().any(|run| {
                    run.instance == name && run.tool == tool && run.outcome == Outcome::Limit
                })
            };
            smaller.iter().any(|name| limited(name, tool))
        };
        let wanted: Vec<Tool> = part
            .tools()
            .iter()
            .copied()
            .filter(|&tool| !known(tool) && !given_up(tool))
            .collect();
        let searches = wanted.iter().any(|&tool| tool.is_peer());
        let mut best: Vec<Run> = Vec::new();
        eprintln!("{name}");
        for _ in 0..self.repetitions {
            for &tool in part.tools() {
                if !(wanted.contains(&tool) || tool == Tool::Translate && searches) {
                    continue;
                }
                let translated = best.iter().find(|run| run.tool == Tool::Translate);
                if translated.is_some_and(|run| run.outcome != Outcome::Done) && tool.is_peer() {
                    continue;
                }
                // What was never solved is left to Brigade alone until it solves it.
                let unsolved = best
                    .first()
                    .is_some_and(|run| run.outcome == Outcome::Limit);
                if unsolved && !solvable && tool != Tool::Plan {
                    continue;
                }
                let place = best.iter().position(|run| run.tool == tool);
                if let Some(run) = place.map(|at| &best[at]) {
                    let spent = run.cpu * f64::from(run.repetitions);
                    if run.outcome != Outcome::Done || spent > self.enough {
                        continue;
                    }
                }
                let Some(run) = tools.run(tool, name, files)? else {
                    continue;
                };
                match place {
                    Some(at) => {
                        let repetitions = best[at].repetitions + 1;
                        if run.cpu < best[at].cpu {
                            best[at] = run;
                        }
                        best[at].repetitions = repetitions;
                    }
                    None => best.push(run),
                }
            }
        }
        best.retain(|run| wanted.contains(&run.tool));
        for run in &best {
            let Run {
                tool, outcome, cpu, ..
            } = run;
            eprintln!("  {tool:?}: {outcome:?}, {cpu:.3} s");
        }
        runs.extend(best);
        Ok(())
    }
}
