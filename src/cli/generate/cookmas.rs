//! `brigade generate cookmas`: an evening in the restaurant, which one cook can serve.

use serde::Serialize;

use super::args::CookmasArgs;
use crate::cli::args::Format;
use crate::cli::bundled::COOKMAS;
use crate::cli::exit::{Exit, Failure, Result};
use crate::cli::load::{Purpose, compile};
use crate::cli::printer::Printer;
use crate::diagnostics::json::resolve_all;
use crate::diagnostics::{Diagnostics, Sources};
use crate::generate::cookmas::{Cookbook, draw, serve};
use crate::sema::model::Model;
use crate::sema::{self, Files};
use crate::syntax::{parse_domain, parse_problem};

/// Long enough for one cook to serve what is drawn.
const LONG: u32 = 1000;

/// An evening lasts so many times as long as one cook takes, rounded up to a multiple of `ROUND`.
const PATIENCE: u32 = 2;
const ROUND: u32 = 10;

#[derive(Debug, Serialize)]
struct Document<'a> {
    schema: u32,
    level: u8,
    seed: u64,
    /// The ticks that one cook takes to serve everything.
    ticks: u32,
    /// The ticks after which the evening ends.
    horizon: u32,
    /// The problem.
    text: &'a str,
}

/// Draws an evening that can be served within its horizon.
pub(super) fn run(printer: &Printer, args: &CookmasArgs) -> Result {
    let book = |model: &Model| {
        let book = Cookbook::of(model);
        book.map_err(|error| Failure::Unusable(error.to_string()))
    };
    let (_, model) = resolved(printer, COOKMAS.problems[0].text)?;
    let book = book(&model)?;
    let ticks = served(printer, &draw(&book, args.level, args.common.seed, LONG))?;
    let horizon = (PATIENCE * ticks).div_ceil(ROUND) * ROUND;
    let problem = draw(&book, args.level, args.common.seed, horizon);
    let ticks = served(printer, &problem)?;
    let text = format!(
        "; CookMAS, level {}, seed {}: one cook serves everything in {ticks} ticks.\n{problem}",
        args.level, args.common.seed
    );
    if args.common.format == Format::Text {
        printer.text(&text)?;
    } else {
        printer.json(&Document {
            schema: 1,
            level: args.level,
            seed: args.common.seed,
            ticks,
            horizon,
            text: &text,
        })?;
    }
    Ok(Exit::Done)
}

/// The ticks that one cook takes to serve everything.
fn served(printer: &Printer, problem: &str) -> Result<u32> {
    let (sources, model) = resolved(printer, problem)?;
    let loaded = compile(printer, &sources, &model, 0.0, Purpose::Play, &|| false)?;
    let ticks = serve(&model, &loaded.task);
    ticks.map_err(|error| Failure::Unusable(error.to_string()))
}

/// A problem of the bundled domain.
fn resolved(printer: &Printer, problem: &str) -> Result<(Sources, Model)> {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let files = Files {
        domain: sources.add(COOKMAS.file.path, COOKMAS.file.text),
        problem: sources.add("cookmas.pddl", problem),
    };
    let domain = parse_domain(files.domain, COOKMAS.file.text, &mut diagnostics);
    let parsed = parse_problem(files.problem, problem, &mut diagnostics);
    let options = sema::Options::default();
    let model = sema::resolve(&domain, &parsed, &options, files, &mut diagnostics);
    printer.diagnostics(&diagnostics, &sources);
    match model {
        Some(model) => Ok((sources, model)),
        None => Err(Failure::Rejected(resolve_all(&diagnostics, &sources))),
    }
}
