//! `brigade generate deal`: a stream that deals objects to objects.

use serde::Serialize;

use super::args::DealArgs;
use super::orders::model;
use crate::cli::args::Format;
use crate::cli::exit::{Exit, Failure, Result};
use crate::cli::files;
use crate::cli::printer::Printer;
use crate::generate::deal::deal;

#[derive(Debug, Serialize)]
struct Document<'a> {
    schema: u32,
    problem: &'a str,
    function: &'a str,
    seed: u64,
    /// The stream.
    text: &'a str,
}

/// Deals.
pub(super) fn run(printer: &Printer, args: &DealArgs) -> Result {
    let problem = args.files.problem()?;
    let model = model(printer, &problem)?;
    let text = deal(&model, &args.function, args.common.seed).map_err(|error| {
        Failure::Unusable(format!("{}: {error}", files::shown(&problem.problem)))
    })?;
    match args.common.format {
        Format::Text => printer.text(&text)?,
        Format::Json => printer.json(&Document {
            schema: 1,
            problem: &model.problem,
            function: &args.function,
            seed: args.common.seed,
            text: &text,
        })?,
    }
    Ok(Exit::Done)
}
