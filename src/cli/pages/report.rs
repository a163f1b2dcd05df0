//! `brigade report`: writes the page of an evaluation, with its tables for other programs and for papers.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::columns::columns;
use super::evaluation::Evaluation;
use super::tables::{csv, latex};
use super::tasks::Tasks;
use super::written::{check_output, make_folder, write_evaluation};
use crate::cli::args::Format;
use crate::cli::exit::{Exit, Failure, Result};
use crate::cli::files;
use crate::cli::paths;
use crate::cli::printer::Printer;
use crate::cli::score::{is_evaluation, no_evaluation};
use crate::report::matrix::Matrix;
use crate::view::Document;
use crate::view::document::{Campaign, Difference, Table};

/// Arguments of `report`.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Folders of evaluations, the `--log-dir` of `brigade bench`; several stand side by side
    #[arg(value_name = "DIR", num_args = 1.., required = true, value_parser = paths::given())]
    folders: Vec<PathBuf>,

    /// Write the report into this folder
    #[arg(long, short, value_name = "DIR", default_value = "report", value_parser = paths::given())]
    output: PathBuf,

    /// The name of the report; by default that of the folder
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,

    /// A problem of the evaluation that does not come with Brigade: states are then in its words; several if repeated
    #[arg(long, value_name = "FILE", value_parser = paths::given())]
    problem: Vec<PathBuf>,

    /// A column of the tables of an evaluation: a formula of totals, perhaps with a name, such as
    /// `CoS=completed / (completed + failed)`; several if repeated
    #[arg(long, value_name = "NAME=FORMULA")]
    column: Vec<String>,

    /// Form of the output
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// The figures of a report, as `tables.json` and standard output have them.
#[derive(Debug, Serialize)]
struct Figures<'a> {
    schema: u32,
    name: &'a str,
    /// The metrics, with their titles.
    metrics: &'a indexmap::IndexMap<String, String>,
    tables: &'a [Table],
    matrices: &'a [Matrix],
    differences: &'a [Difference],
    notes: &'a [String],
    /// The files that were written.
    written: Vec<String>,
}

/// Writes a report.
pub(crate) fn report(printer: &Printer, args: &ReportArgs) -> Result {
    for folder in &args.folders {
        if !is_evaluation(folder) {
            return Err(no_evaluation(folder, ""));
        }
    }
    check_output(&args.output, args.folders.iter().chain(&args.problem))?;
    let folders: Vec<&Path> = args.folders.iter().map(PathBuf::as_path).collect();
    let evaluation = Evaluation::read(&folders)?;
    let named = args.folders.first().and_then(|folder| folder.file_name());
    let default = named.map_or_else(|| "evaluation".into(), |name| name.to_string_lossy());
    let name = args.title.as_deref().unwrap_or(&default);
    let campaign = evaluation.campaign(name, columns(&args.column)?)?;
    let mut tasks = Tasks::new(printer, &args.problem, None);
    let mut document = Document::new(name);
    document.campaign = Some(campaign.clone());
    let index = write_evaluation(&args.output, document, &evaluation, &mut tasks)?;
    let figures = write_tables(&args.output, &campaign, &index)?;
    match args.format {
        Format::Json => printer.json(&figures)?,
        Format::Text => {
            let lines: String = figures
                .written
                .iter()
                .map(|path| format!("{path}\n"))
                .collect();
            printer.text(&lines)?;
        }
    }
    Ok(Exit::Done)
}

fn write_tables<'a>(folder: &Path, campaign: &'a Campaign, index: &Path) -> Result<Figures<'a>> {
    make_folder(folder)?;
    let places = ["tables.csv", "tables.tex", "tables.json"].map(|name| folder.join(name));
    let written = [index.to_owned()].into_iter().chain(places.iter().cloned());
    let figures = Figures {
        schema: 1,
        name: &campaign.name,
        metrics: &campaign.labels,
        tables: &campaign.tables,
        matrices: &campaign.matrices,
        differences: &campaign.differences,
        notes: &campaign.notes,
        written: written.map(|path| path.display().to_string()).collect(),
    };
    let json = serde_json::to_string_pretty(&figures)
        .map_err(|error| Failure::Internal(format!("the tables are not written: {error}")))?;
    files::write(&places[0], &csv(campaign))?;
    files::write(&places[1], &latex(campaign))?;
    files::write(&places[2], &(json + "\n"))?;
    Ok(figures)
}
