//! `brigade generate orders`: a stream of orders for a kitchen.

use serde::Serialize;

use super::args::OrdersArgs;
use crate::cli::args::{Format, ProblemArgs};
use crate::cli::exit::{Exit, Failure, Result};
use crate::cli::files;
use crate::cli::load::Session;
use crate::cli::printer::Printer;
use crate::diagnostics::json::resolve_all;
use crate::generate::orders::{Draws, Kitchen, OrdersError, Pace, Recorded, Wanted};
use crate::sema::model::Model;

#[derive(Debug, Serialize)]
struct Document<'a> {
    schema: u32,
    problem: &'a str,
    alpha: f64,
    seed: u64,
    episode: u32,
    /// Steps between two orders.
    interval: u32,
    /// The patience of an order in steps, by dish.
    lifetimes: indexmap::IndexMap<&'a str, u32>,
    /// The stream.
    text: &'a str,
}

/// Draws orders.
pub(super) fn run(printer: &Printer, args: &OrdersArgs) -> Result {
    let problem = args.files.problem()?;
    let model = model(printer, &problem)?;
    let unusable = |error: OrdersError| match error {
        OrdersError::BadAlpha => Failure::usage(
            format!("`--alpha {}`: {error}", args.alpha),
            "give a number above 0: the benchmark takes 1, 1.5, 2, 2.5 and 3, and the greater it is the fewer come",
        ),
        error => Failure::Unusable(format!("{}: {error}", files::shown(&problem.problem))),
    };
    let draws = match &args.draws {
        None => Draws::Own,
        Some(path) => {
            let text = files::read_text(path)?;
            let recorded = Recorded::read(&text);
            Draws::Recorded(recorded.map_err(|error| Failure::malformed(path, error))?)
        }
    };
    let kitchen = Kitchen::of(&model).map_err(unusable)?;
    let text = kitchen.stream(&Wanted {
        alpha: args.alpha,
        seed: args.common.seed,
        episode: args.episode,
        cooks: usize::from(args.cooks),
        draws,
        unannounced: args.unannounced,
    });
    let text = text.map_err(unusable)?;
    if args.common.format == Format::Text {
        printer.text(&text)?;
        return Ok(Exit::Done);
    }
    let Pace {
        interval,
        lifetimes,
    } = kitchen.pace(args.alpha).map_err(unusable)?;
    let names = kitchen.dishes().iter().map(|(name, _)| name.as_str());
    printer.json(&Document {
        schema: 1,
        problem: &model.problem,
        alpha: args.alpha,
        seed: args.common.seed,
        episode: args.episode,
        interval,
        lifetimes: names.zip(lifetimes).collect(),
        text: &text,
    })?;
    Ok(Exit::Done)
}

/// Reads and resolves a problem.
pub(super) fn model(printer: &Printer, problem: &ProblemArgs) -> Result<Model> {
    let mut session = Session::default();
    let model = session.model(&problem.problem, &problem.domain);
    session.settle(None);
    printer.diagnostics(&session.diagnostics, &session.sources);
    model?.ok_or_else(|| Failure::Rejected(resolve_all(&session.diagnostics, &session.sources)))
}
