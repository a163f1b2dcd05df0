//! The arguments of `generate`.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use crate::cli::args::{Format, LimitArgs};
use crate::cli::paths;
use crate::cli::roles::ProblemFiles;
use crate::generate::Range;
use crate::generate::robotouille::MAX_EXTRA;
use crate::sema::DEFAULT_SEMANTICS;

/// Arguments of `generate`.
#[derive(Debug, Args)]
pub(in crate::cli) struct GenerateArgs {
    #[command(subcommand)]
    pub(super) system: System,
}

/// The kinds of problems.
#[derive(Debug, Subcommand)]
pub(super) enum System {
    /// Kitchens of Robotouille: a task with other places, and with more stations and items
    Robotouille(RobotouilleArgs),
    /// Orders for a kitchen of CuisineWorld: a stream for `--init`, with how often they come and how long
    /// they wait after the published formula
    Orders(OrdersArgs),
    /// A deal, as of cards: a stream for `--init` that gives each object another one of those that a function
    /// may have
    Deal(DealArgs),
    /// An evening in the restaurant of CookMAS: a problem that can be served, with how long one cook takes
    Cookmas(CookmasArgs),
}

/// Arguments of all that is drawn.
#[derive(Debug, Args)]
pub(super) struct CommonArgs {
    /// The seed; the same one draws the same again
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    pub(super) seed: u64,

    /// Form of the output
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

/// Arguments of `generate deal`.
#[derive(Debug, Args)]
pub(super) struct DealArgs {
    #[command(flatten)]
    pub(super) files: ProblemFiles,

    /// The function that is dealt, of one object, such as `face`
    #[arg(long, value_name = "NAME")]
    pub(super) function: String,

    #[command(flatten)]
    pub(super) common: CommonArgs,
}

/// Arguments of `generate cookmas`.
#[derive(Debug, Args)]
pub(super) struct CookmasArgs {
    /// 1: one dish; 2: one order of several dishes; 3: several orders that change, and one that is cancelled
    #[arg(
        long,
        value_name = "LEVEL",
        default_value_t = 1,
        value_parser = clap::value_parser!(u8).range(1..=3),
        allow_negative_numbers = true
    )]
    pub(super) level: u8,

    #[command(flatten)]
    pub(super) common: CommonArgs,
}

/// Arguments of `generate orders`.
#[derive(Debug, Args)]
pub(super) struct OrdersArgs {
    #[command(flatten)]
    pub(super) files: ProblemFiles,

    /// The pace: 1 is the fastest of the benchmark, 3 the slowest
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 1.0,
        allow_negative_numbers = true
    )]
    pub(super) alpha: f64,

    /// Which episode of the seed, from 0: each goes on where the last one ended
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    pub(super) episode: u32,

    /// The number of cooks: those that the kitchen lacks come with the orders
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 1,
        value_parser = clap::value_parser!(u8).range(1..),
        allow_negative_numbers = true
    )]
    pub(super) cooks: u8,

    /// Let no agent know of an order before it comes in
    #[arg(long)]
    pub(super) unannounced: bool,

    /// Recorded draws in place of Brigade's own, in JSON: `{"draws": {"3:0": [1, 0, 2]}}` for three dishes
    /// and seed 0
    #[arg(long, value_name = "FILE", value_parser = paths::given())]
    pub(super) draws: Option<PathBuf>,

    #[command(flatten)]
    pub(super) common: CommonArgs,
}

/// Arguments of `generate robotouille`.
#[derive(Debug, Args)]
pub(super) struct RobotouilleArgs {
    /// A bundled task, such as `synchronous/0_cheese_sandwich`, a problem file, or an environment file in
    /// JSON; `-` is standard input
    #[arg(value_name = "TASK", value_parser = task)]
    pub(super) task: String,

    /// The domain file, in JSON for an environment. Default: that of a problem is found as by `plan`;
    /// that of a bundled task or an environment is the kitchen of Robotouille
    #[arg(long, short, value_name = "FILE", value_parser = paths::given())]
    pub(super) domain: Option<PathBuf>,

    /// The optimum that the problem must have, in steps: `24`, or `20..30`, both included. Default: any
    #[arg(long, value_name = "RANGE", value_parser = str::parse::<Range>, allow_hyphen_values = true)]
    pub(super) optimum: Option<Range>,

    /// The semantics of which this is proven
    #[arg(long, value_name = "NAME", default_value = DEFAULT_SEMANTICS)]
    pub(super) semantics: String,

    /// The most stations to add, beside those that are needed to put everything on
    #[arg(long, value_name = "NUMBER", default_value_t = 3, value_parser = extra, allow_negative_numbers = true)]
    pub(super) stations: usize,

    /// The most items to add
    #[arg(long, value_name = "NUMBER", default_value_t = 2, value_parser = extra, allow_negative_numbers = true)]
    pub(super) items: usize,

    /// The most problems to draw until one can be solved and has the optimum
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 100,
        value_parser = clap::value_parser!(u64).range(1..=1_000_000),
        allow_negative_numbers = true
    )]
    pub(super) tries: u64,

    /// The most states of a search; what takes more is passed over
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 1_000_000,
        value_parser = clap::value_parser!(u64).range(1..),
        allow_negative_numbers = true
    )]
    pub(super) max_states: u64,

    /// Write the environment in JSON instead of the problem
    #[arg(long)]
    pub(super) json: bool,

    #[command(flatten)]
    pub(super) limits: LimitArgs,

    #[command(flatten)]
    pub(super) common: CommonArgs,
}

impl GenerateArgs {
    pub(in crate::cli) const fn format(&self) -> Format {
        let common = match &self.system {
            System::Robotouille(args) => &args.common,
            System::Orders(args) => &args.common,
            System::Deal(args) => &args.common,
            System::Cookmas(args) => &args.common,
        };
        common.format
    }
}

/// The name of a task, or the path of one.
#[expect(clippy::unnecessary_wraps, reason = "the signature of a parser")]
fn task(text: &str) -> std::result::Result<String, String> {
    Ok(paths::plain(Path::new(text)).display().to_string())
}

/// A number of things to add.
fn extra(text: &str) -> std::result::Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number <= MAX_EXTRA);
    number.ok_or_else(|| format!("not a number from 0 to {MAX_EXTRA}"))
}
