//! `brigade generate`: random problems that can be solved, of a difficulty that is proven.
//!
//! `base` finds what is drawn from. `orders` draws orders for a kitchen, `deal` deals cards, `cookmas` draws an evening in
//! a restaurant.

mod args;
mod base;
mod cookmas;
mod deal;
mod orders;

use std::path::Path;

use serde::Serialize;

pub(super) use args::GenerateArgs;

use super::args::Format;
use super::control::Deadline;
use super::exit::{Exit, Failure, Result};
use super::files;
use super::load::{Purpose, compile};
use super::printer::Printer;
use crate::diagnostics::json::resolve_all;
use crate::diagnostics::words::counted;
use crate::diagnostics::{Diagnostics, Sources};
use crate::generate::robotouille::{Extra, GenerateError, Generator};
use crate::generate::{Unjudged, Verdict, judge};
use crate::import::robotouille::{File, Options, import};
use crate::search::{Control, StopReason};
use crate::sema;
use crate::syntax::ast::{Domain, Problem};
use crate::syntax::printer::print_problem;
use args::{RobotouilleArgs, System};
use base::{Base, Source};

#[derive(Debug, Serialize)]
struct Document<'a> {
    schema: u32,
    /// The task that was drawn from.
    task: &'a str,
    seed: u64,
    semantics: &'a str,
    /// The number of the last try, from 1.
    tries: u64,
    /// The proven optimum, in steps; `null` where it was not asked for.
    optimum: Option<u32>,
    /// The steps of a plan that exists.
    steps: Option<u32>,
    /// The problem; with `--json` the environment.
    text: Option<&'a str>,
    /// The limit that ended the run before a problem was drawn.
    stopped: Option<String>,
}

impl<'a> Document<'a> {
    fn new(base: &'a Base, args: &'a RobotouilleArgs, number: u64) -> Self {
        Self {
            schema: 1,
            task: &base.name,
            seed: args.common.seed,
            semantics: &args.semantics,
            tries: number + 1,
            optimum: None,
            steps: None,
            text: None,
            stopped: None,
        }
    }
}

/// The counts of the tries that gave no problem.
#[derive(Default)]
struct Tally {
    /// The optima that were too small, and the greatest of them.
    below: (u64, Option<u32>),
    above: u64,
    unsolvable: u64,
    undecided: u64,
}

/// Generates.
pub(super) fn run(printer: &Printer, args: &GenerateArgs) -> Result {
    match &args.system {
        System::Robotouille(args) => robotouille(printer, args),
        System::Orders(args) => orders::run(printer, args),
        System::Deal(args) => deal::run(printer, args),
        System::Cookmas(args) => cookmas::run(printer, args),
    }
}

/// Generates a kitchen of Robotouille.
fn robotouille(printer: &Printer, args: &RobotouilleArgs) -> Result {
    let control = Deadline::new(printer, args.limits.time_limit);
    let base = base::find(printer, args)?;
    let options = args.limits.search().with_max_states(args.max_states);
    let unusable =
        |error: GenerateError| Failure::Unusable(format!("{}: {error}", base.environment.name));
    // What is wrong with JSON files is reported where it stands in them; a problem was looked at before it
    // became JSON.
    if base.is_json
        && let Err(failure) = read(printer, &base, &base.environment, &base.name, args, true)
    {
        let is_file = files::is_there(Path::new(&args.task));
        if is_file && args.domain.is_none() && matches!(failure, Failure::Rejected(_)) {
            printer.note("the domain is that of Robotouille; `--domain FILE` gives another");
        }
        return Err(failure);
    }
    let further: Vec<&str> = base.further.iter().map(String::as_str).collect();
    let generator = Generator::new(&base.environment.text, &further).map_err(unusable)?;
    let extra = Extra {
        stations: args.stations,
        items: args.items,
    };
    let name = format!("{}-seed{}", base.name, args.common.seed);
    let mut tally = Tally::default();
    for number in 0..args.tries {
        if let Some(reason) = control.stop() {
            return tally.stopped(printer, &base, args, number, reason);
        }
        let environment = Source {
            name: format!("{} with seed {}", base.environment.name, args.common.seed),
            text: generator
                .draw(args.common.seed, number, extra)
                .map_err(unusable)?,
        };
        let drawn = read(printer, &base, &environment, &name, args, false)?;
        let stop = || control.over();
        let loaded = compile(
            printer,
            &drawn.sources,
            &drawn.model,
            0.0,
            Purpose::Plan,
            &stop,
        )?;
        let verdict = match judge(&loaded.task, args.optimum, &options, &control) {
            Ok(verdict) => verdict,
            Err(Unjudged::Plan(invalid)) => return Err(invalid.into()),
            Err(Unjudged::Stopped(reason)) => {
                return tally.stopped(printer, &base, args, number, reason);
            }
        };
        tally.add(verdict);
        if verdict.is_wanted() {
            let text = if args.json {
                environment.text
            } else {
                let problem = print_problem(&drawn.problem);
                format!("; {}\n{problem}", about(&base, args, number, verdict))
            };
            if args.json {
                printer.note(&about(&base, args, number, verdict));
            }
            if args.common.format == Format::Json {
                let (optimum, steps) = match verdict {
                    Verdict::Optimum(optimum) => (Some(optimum), Some(optimum)),
                    Verdict::Solvable(steps) => (None, Some(steps)),
                    _ => (None, None),
                };
                printer.json(&Document {
                    optimum,
                    steps,
                    text: Some(&text),
                    ..Document::new(&base, args, number)
                })?;
            } else {
                printer.text(&text)?;
            }
            return Ok(Exit::Done);
        }
    }
    Err(Failure::Negative(tally.exhausted(args)))
}

/// An environment that was read.
struct Drawn {
    sources: Sources,
    problem: Problem,
    model: sema::model::Model,
}

/// Reads and resolves an environment. Warnings are shown of the task itself only.
fn read(
    printer: &Printer,
    base: &Base,
    environment: &Source,
    name: &str,
    args: &RobotouilleArgs,
    is_task: bool,
) -> Result<Drawn> {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let mut add = |source: &Source| {
        let bytes = source.text.as_bytes().to_vec();
        sources.add_bytes(source.name.clone(), bytes, &mut diagnostics)
    };
    let ids = add(&base.domain).zip(add(environment));
    let resolved = ids.and_then(|(domain, problem)| {
        let files = sema::Files { domain, problem };
        let file = |source| File {
            source,
            text: sources.text(source),
        };
        let (domain, problem): (Domain, Problem) = import(
            file(files.domain),
            file(files.problem),
            name,
            &Options {
                turns: base.turns,
                pool: None,
            },
            &mut diagnostics,
        )?;
        let options = sema::Options::default().with_semantics(args.semantics.to_lowercase());
        let model = sema::resolve(&domain, &problem, &options, files, &mut diagnostics)?;
        Some((problem, model))
    });
    diagnostics.sort();
    if is_task || resolved.is_none() {
        printer.diagnostics(&diagnostics, &sources);
    }
    match resolved {
        Some((problem, model)) => Ok(Drawn {
            sources,
            problem,
            model,
        }),
        None => Err(Failure::Rejected(resolve_all(&diagnostics, &sources))),
    }
}

/// Describes a drawn problem, and the proof about it.
fn about(base: &Base, args: &RobotouilleArgs, number: u64, verdict: Verdict) -> String {
    let (name, seed, semantics) = (&base.name, args.common.seed, &args.semantics);
    let proven = match verdict {
        Verdict::Optimum(optimum) => format!("optimum {optimum}, proven"),
        Verdict::Solvable(steps) => format!("a plan of {} exists", counted(steps, "step")),
        _ => String::new(),
    };
    format!(
        "{name}, seed {seed}, try {}: {proven} (semantics {semantics})",
        number + 1
    )
}

impl Tally {
    fn add(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Below(optimum) => {
                self.below.0 += 1;
                self.below.1 = self.below.1.max(Some(optimum));
            }
            Verdict::Above => self.above += 1,
            Verdict::Unsolvable => self.unsolvable += 1,
            Verdict::Undecided => self.undecided += 1,
            Verdict::Optimum(_) | Verdict::Solvable(_) => {}
        }
    }

    /// Reports the limit that ended the tries, and the problems drawn until then.
    fn stopped(
        &self,
        printer: &Printer,
        base: &Base,
        args: &RobotouilleArgs,
        number: u64,
        reason: StopReason,
    ) -> Result {
        if args.common.format == Format::Json {
            printer.json(&Document {
                stopped: Some(reason.to_string()),
                ..Document::new(base, args, number)
            })?;
        }
        let (number, tries) = (number + 1, args.tries);
        let until = match self.parts(args.max_states) {
            parts if parts.is_empty() => String::new(),
            parts => format!("; before it {parts}"),
        };
        printer.note(&format!(
            "{reason} in try {number} of {tries}: nothing is generated{until}"
        ));
        Ok(Exit::Limit)
    }

    /// That no try gave a problem, and why.
    fn exhausted(&self, args: &RobotouilleArgs) -> String {
        let wanted = match args.optimum {
            Some(range) => format!("has an optimum in {range}"),
            None => "is known to have a plan".to_owned(),
        };
        let tries = counted(args.tries, "problem");
        let seed = args.common.seed;
        format!(
            "of {tries} drawn with seed {seed} none {wanted}: {}; try another `--seed`, more `--tries`, \
             other `--stations` and `--items`, or more `--max-states`",
            self.parts(args.max_states)
        )
    }

    /// Renders the number of problems that were of no use, by reason.
    fn parts(&self, max_states: u64) -> String {
        let (below, nearest) = self.below;
        let nearest = nearest.map_or_else(String::new, |it| format!(" (at most {it})"));
        let parts = [
            (below, format!("below{nearest}")),
            (self.above, "above".to_owned()),
            (self.unsolvable, "without a plan".to_owned()),
            (
                self.undecided,
                format!("not decided within {max_states} states"),
            ),
        ];
        let parts = parts.into_iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> = parts
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        parts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn useless_problems_are_counted_by_reason() {
        let mut tally = Tally::default();
        assert_eq!(tally.parts(9), "");
        tally.add(Verdict::Optimum(4));
        for optimum in [3, 18, 7] {
            tally.add(Verdict::Below(optimum));
        }
        tally.add(Verdict::Above);
        tally.add(Verdict::Undecided);
        let parts = tally.parts(9);
        assert_eq!(
            parts,
            "3 below (at most 18), 1 above, 1 not decided within 9 states"
        );
    }
}
