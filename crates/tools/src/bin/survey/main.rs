//! Derives the result tables of Collab-Overcooked: `docs/results/collab-overcooked.jsonl`, and the
//! page that is rendered from it. For developers; `brigade_tools::survey` does the work.

#![expect(
    clippy::print_stderr,
    reason = "a tool reports its progress on standard error"
)]

use std::error::Error;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use brigade::rats::collab;
use brigade::search::SearchOptions;
use brigade_tools::survey::{
    Added, Benchmark, Line, Status, Survey, SurveyError, Texts, derive, page,
};
use clap::Parser;

use brigade_tools::files::{self, Deadline, read, write};

/// Derive what is known of the tasks of Collab-Overcooked, or render the page of results.
#[derive(Debug, Parser)]
struct Args {
    /// Only tasks with this in `<level>_<name>`, such as `3_` or `_boiled`
    #[arg(long, value_name = "PATTERN")]
    only: Option<String>,

    /// Only this semantics
    #[arg(long, value_name = "NAME")]
    semantics: Option<String>,

    /// The most seconds for each task and semantics
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<f64>,

    /// The most memory for states and their tables, in GiB
    #[arg(long, value_name = "GIB")]
    memory_limit: Option<f64>,

    /// The folder of the published reference files, `<level>_<name>.json`
    #[arg(long, value_name = "DIR")]
    references: Option<PathBuf>,

    /// Derive nothing; write the page of what has been derived
    #[arg(long)]
    render: bool,
}

/// The repository's files.
struct Files {
    domain: String,
    /// By name.
    problems: Vec<(String, String)>,
    data: PathBuf,
    page: PathBuf,
}

impl Files {
    fn read() -> Result<Self, Box<dyn Error>> {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let domain = read(&root.join("domains/collab-overcooked.pddl"))?;
        let mut problems = Vec::new();
        for entry in fs::read_dir(root.join("problems/collab-overcooked"))? {
            let path = entry?.path();
            if let Some(name) = path.file_stem().and_then(OsStr::to_str) {
                problems.push((name.to_owned(), read(&path)?));
            }
        }
        problems.sort();
        Ok(Self {
            domain,
            problems,
            data: root.join("docs/results/collab-overcooked.jsonl"),
            page: root.join("docs/results/collab-overcooked-results.md"),
        })
    }

    fn benchmark(&self) -> Result<Benchmark, SurveyError> {
        let problems = self.problems.iter();
        let problems = problems.map(|(name, text)| (name.as_str(), text.as_str()));
        Benchmark::new(&self.domain, problems)
    }

    fn survey(&self) -> Result<Survey, Box<dyn Error>> {
        if !self.data.exists() {
            return Ok(Survey::default());
        }
        let survey = Survey::parse(&read(&self.data)?);
        Ok(survey.map_err(|error| format!("{}: {error}", self.data.display()))?)
    }
}

fn main() -> ExitCode {
    files::exit_code(run(&Args::parse()))
}

fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let files = Files::read()?;
    if args.render {
        return write(&files.page, &page(&files.benchmark()?, &files.survey()?));
    }
    let benchmark = files.benchmark()?;
    if let Some(semantics) = &args.semantics
        && !benchmark.semantics.contains(semantics)
    {
        let known = benchmark.semantics.join(", ");
        return Err(format!("there is no semantics `{semantics}` ({known})").into());
    }
    let limit = args.time_limit.map(Duration::try_from_secs_f64);
    let limit = limit.transpose()?;
    let options = SearchOptions::default().with_memory_limit(args.memory_limit.map(files::bytes));
    let mut survey = files.survey()?;
    for entry in &benchmark.problems {
        let name = format!("{}_{}", entry.level, entry.problem);
        if args.only.as_ref().is_some_and(|part| !name.contains(part)) {
            continue;
        }
        let texts = files
            .problems
            .iter()
            .find(|(name, _)| *name == entry.problem);
        let texts = texts.map(|(_, problem)| Texts {
            domain: &files.domain,
            problem,
        });
        let annotated = match &args.references {
            Some(folder) => {
                let path = folder.join(format!("{name}.json"));
                let annotated = collab::parse(&read(&path)?);
                Some(annotated.map_err(|error| format!("{}: {error}", path.display()))?)
            }
            None => None,
        };
        for semantics in &benchmark.semantics {
            if args
                .semantics
                .as_ref()
                .is_some_and(|only| only != semantics)
            {
                continue;
            }
            let Some(texts) = texts else { continue };
            eprintln!("{name}, {semantics}");
            let control = Deadline::new(limit);
            let line = derive(texts, semantics, annotated.as_ref(), &options, &control)?;
            eprintln!("  {}", summary(&line));
            if survey.add(line) == Added::Refused {
                eprintln!("  the proven line on it stays");
            }
            write(&files.data, &survey.render()?)?;
        }
    }
    Ok(())
}

/// A line in a few words.
fn summary(line: &Line) -> String {
    let number = |number: Option<u32>| number.map_or("?".to_owned(), |n| n.to_string());
    let text = |text: &Option<String>| text.clone().unwrap_or("?".to_owned());
    let plans = match line.status {
        Status::Proven => format!("makespan {}", number(line.makespan)),
        Status::Unsolvable => "no plan".to_owned(),
        Status::Bounded => {
            let (lower, upper) = (number(line.lower_bound), number(line.upper_bound));
            format!("makespan between {lower} and {upper}")
        }
    };
    let stopped = line.stopped.as_ref();
    let stopped = stopped.map_or(String::new(), |reason| format!(" ({reason})"));
    let (optimal, references) = (text(&line.plans), text(&line.references_total));
    format!("{plans}{stopped}, {optimal} plans, {references} references")
}
