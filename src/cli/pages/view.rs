//! `brigade view`: opens a page of what a path holds.

use std::fs::DirBuilder;
use std::hash::{BuildHasher, RandomState};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process;

use clap::Args;
use serde::Serialize;

use super::columns::columns;
use super::episodes::measured;
use super::evaluation::Evaluation;
use super::input::Input;
use super::open::open;
use super::planned;
use super::tasks::Tasks;
use super::written::{MOST_IN_ONE, check_output, write_evaluation, write_page};
use crate::cli::args::{DomainArgs, Format, LimitArgs, ProblemArgs};
use crate::cli::bundled;
use crate::cli::control::Deadline;
use crate::cli::exit::{Exit, Failure, Result};
use crate::cli::paths;
use crate::cli::printer::Printer;
use crate::cli::score::{of_another_task, warn_if_cut};
use crate::view::Document;

/// Arguments of `view`.
#[derive(Debug, Args)]
pub(crate) struct ViewPageArgs {
    /// Event logs; folders of evaluations; a document of `plan --format json` or `rats --format json`; or a problem,
    /// alone or with its domain, to see an optimal plan and all references
    #[arg(value_name = "PATH", num_args = 1.., required = true, value_parser = paths::given())]
    paths: Vec<PathBuf>,

    /// The problem of a log or plan, if it is not one that comes with Brigade; several if repeated
    #[arg(long, value_name = "FILE", value_parser = paths::given())]
    problem: Vec<PathBuf>,

    #[command(flatten)]
    domain: DomainArgs,

    /// Write the page to this file, or to `index.html` of this folder, which that of an evaluation needs; by default it
    /// is temporary
    #[arg(long, short, value_name = "PATH", value_parser = paths::given())]
    output: Option<PathBuf>,

    /// Write the page, and do not open it
    #[arg(long)]
    no_open: bool,

    #[command(flatten)]
    limits: LimitArgs,

    /// A column of the tables of an evaluation: a formula of totals, perhaps with a name, such as
    /// `CoS=completed / (completed + failed)`; several if repeated
    #[arg(long, value_name = "NAME=FORMULA")]
    column: Vec<String>,

    /// Form of the output
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
struct Answer {
    schema: u32,
    /// The page.
    page: String,
}

/// Makes a page, prints its path, and opens it.
pub(crate) fn view(printer: &Printer, args: &ViewPageArgs) -> Result {
    let control = Deadline::new(printer, args.limits.time_limit);
    if let Some(output) = &args.output {
        check_output(output, args.paths.iter().chain(&args.problem))?;
    }
    let inputs = args
        .paths
        .iter()
        .map(|path| Input::at(path))
        .collect::<Result<Vec<_>>>()?;
    let mut tasks = Tasks::new(printer, &args.problem, Some(&args.domain));
    let title = title(&args.paths);
    let mut document = Document::new(&title);
    let evaluations = inputs.iter().filter_map(|input| match input {
        Input::Evaluation(folder) => Some(folder.as_path()),
        _ => None,
    });
    let evaluations: Vec<&Path> = evaluations.collect();
    let path = if evaluations.len() == inputs.len() {
        let evaluation = Evaluation::read(&evaluations)?;
        document.campaign = Some(evaluation.campaign(&title, columns(&args.column)?)?);
        let folder = match &args.output {
            Some(output)
                if output
                    .extension()
                    .is_some_and(|extension| extension == "html") =>
            {
                return Err(Failure::usage(
                    format!(
                        "{}: the page of an evaluation needs a folder",
                        output.display()
                    ),
                    "give `--output` a folder: the page is its `index.html`",
                ));
            }
            Some(output) => output.clone(),
            None => temporary()?,
        };
        write_evaluation(&folder, document, &evaluation, &mut tasks)?
    } else {
        match &inputs[..] {
            [Input::Document(path, references)] if references.get("plan").is_none() => {
                planned::add_references(&mut document, path, references)?;
            }
            [Input::Document(path, plan)] => {
                let problem = problem_of(path, plan, args)?;
                planned::add_document(printer, &mut document, path, plan, &problem)?;
            }
            [Input::Problem] | [Input::Problem, Input::Problem] => {
                let limits = args.limits;
                planned::add_problem(
                    printer,
                    &mut document,
                    &args.paths,
                    &args.domain,
                    limits,
                    &control,
                )?;
            }
            logs => {
                if logs.len() > MOST_IN_ONE {
                    return Err(Failure::usage(
                        format!(
                            "a page holds at most {MOST_IN_ONE} logs, not {}",
                            logs.len()
                        ),
                        "give fewer of them, or the folder of their evaluation",
                    ));
                }
                let mut read = Vec::new();
                for (log, path) in inputs.into_iter().zip(&args.paths) {
                    let Input::Log(id, log) = log else {
                        return Err(Failure::usage(
                            "these cannot be shown on one page",
                            "give event logs, or folders of evaluations, or one problem, or one plan",
                        ));
                    };
                    if read.iter().any(|(known, _)| *known == id) {
                        return Err(Failure::usage(
                            format!("two logs are called `{id}`"),
                            "give them different names",
                        ));
                    }
                    warn_if_cut(printer, path, &log.log);
                    read.push((id, log));
                }
                for (_, log) in &read {
                    tasks.of(&log.log.header)?;
                }
                if tasks.is_given_in_vain()
                    && let ([path, ..], [(_, first), ..]) = (&args.paths[..], &read[..])
                {
                    return Err(of_another_task(path, &first.log));
                }
                document.episodes = measured(&mut tasks, &read, args.limits, &control)?;
            }
        }
        let path = match &args.output {
            Some(output) if output.is_dir() => output.join("index.html"),
            Some(output) => output.clone(),
            None => temporary()?.join("index.html"),
        };
        write_page(&path, &document)?;
        path
    };
    let page = path.display().to_string();
    match args.format {
        Format::Json => printer.json(&Answer { schema: 1, page })?,
        Format::Text => printer.text(&format!("{page}\n"))?,
    }
    if !args.no_open {
        open(printer, &path);
    }
    Ok(Exit::Done)
}

/// The title of a page: the last parts of the paths.
fn title(paths: &[PathBuf]) -> String {
    let names = paths.iter().map(|path| {
        let name = path.file_name().unwrap_or(path.as_os_str());
        name.to_string_lossy().into_owned()
    });
    names.take(3).collect::<Vec<_>>().join(", ")
}

/// A new folder among the system's temporary files, which others may share: under a name that nobody can have taken
/// before, and closed to others.
fn temporary() -> Result<PathBuf> {
    loop {
        let name = format!(
            "brigade-view-{:016x}",
            RandomState::new().hash_one(process::id())
        );
        let folder = std::env::temp_dir().join(name);
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        match builder.create(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(Failure::unwritable(&folder, &error)),
        }
    }
}

/// The problem of a plan: the one that was given, or the bundled one of its name.
fn problem_of(path: &Path, plan: &serde_json::Value, args: &ViewPageArgs) -> Result<ProblemArgs> {
    let text = |key: &str| {
        plan.get(key)
            .and_then(serde_json::Value::as_str)
            .unwrap_or_default()
    };
    let bundled = || {
        bundled::named(text("domain"), text("problem"))
            .into_iter()
            .next()
    };
    let problem = args
        .problem
        .first()
        .cloned()
        .or_else(bundled)
        .ok_or_else(|| {
            Failure::usage(
                format!("{}: its problem is not at hand", path.display()),
                "`--problem FILE` gives it",
            )
        })?;
    Ok(ProblemArgs {
        problem,
        domain: DomainArgs {
            domain: args.domain.domain.clone(),
            init: args.domain.init.clone(),
            streams: Vec::new(),
            semantics: text("semantics").to_owned(),
        },
    })
}
