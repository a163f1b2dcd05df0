//! The options that commands share, and how their values are read.

use std::num::{IntErrorKind, NonZeroUsize, ParseIntError};
use std::path::PathBuf;
use std::thread::available_parallelism;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::paths;

use crate::search::{
    AnytimeChoice, DeepeningChoice, HeuristicChoice, Objective, PruningChoice, SearchOptions,
    SymmetryChoice,
};
use crate::sema::DEFAULT_SEMANTICS;

/// Form of the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people.
    #[default]
    Text,
    /// One JSON document on standard output.
    Json,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Colours {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl From<Colours> for anstream::ColorChoice {
    fn from(colours: Colours) -> Self {
        match colours {
            Colours::Auto => Self::Auto,
            Colours::Always => Self::Always,
            Colours::Never => Self::Never,
        }
    }
}

/// Where the domain comes from, and what it means.
#[derive(Clone, Debug, Args)]
pub(super) struct DomainArgs {
    /// The domain file. Default: `domain.pddl`, `<problem>-domain.pddl` or the one file beside the
    /// problem that defines the domain it names; else, and for standard input, the one in `domains/`;
    /// else the bundled domain of that name
    #[arg(long, short, value_name = "FILE", value_parser = paths::given())]
    pub(super) domain: Option<PathBuf>,

    /// A stream to lay over the problem: objects, facts and timed facts that are added to its own; several
    /// if repeated, in this order
    #[arg(long, value_name = "FILE", value_parser = paths::given())]
    pub(super) init: Vec<PathBuf>,

    /// The texts of streams that are laid over it after these, as logs have them
    #[arg(skip)]
    pub(super) streams: Vec<String>,

    /// The semantics to compile under, of those that the domain declares
    #[arg(long, value_name = "NAME", default_value = DEFAULT_SEMANTICS)]
    pub(super) semantics: String,
}

impl DomainArgs {
    /// With this domain file, unless one was given.
    pub(super) fn or(&self, domain: Option<PathBuf>) -> Self {
        Self {
            domain: self.domain.clone().or(domain),
            init: self.init.clone(),
            streams: self.streams.clone(),
            semantics: self.semantics.clone(),
        }
    }
}

/// One problem.
#[derive(Clone, Debug)]
pub(super) struct ProblemArgs {
    pub(super) problem: PathBuf,
    pub(super) domain: DomainArgs,
}

impl ProblemArgs {
    /// The command that says what is wrong with the problem.
    pub(super) fn check_command(&self) -> String {
        let mut command = format!("brigade check {}", self.problem.display());
        if let Some(domain) = &self.domain.domain {
            command.push_str(&format!(" --domain {}", domain.display()));
        }
        if self.domain.semantics != DEFAULT_SEMANTICS {
            command.push_str(&format!(" --semantics {}", self.domain.semantics));
        }
        command
    }
}

/// The resources that a command may use.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct LimitArgs {
    /// Stop after this many seconds, with the bounds found
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true)]
    pub(super) time_limit: Option<Duration>,

    /// Keep tables of states within this many bytes; K, M, G (or KB, KiB, …) mean 2¹⁰, 2²⁰, 2³⁰
    #[arg(long, value_name = "BYTES", value_parser = bytes, allow_hyphen_values = true)]
    pub(super) memory_limit: Option<usize>,

    /// Search with this many threads; what is printed does not depend on it, times apart. Default: as
    /// many as there are cores
    #[arg(long, value_name = "THREADS", value_parser = threads, allow_hyphen_values = true)]
    pub(super) jobs: Option<NonZeroUsize>,
}

impl LimitArgs {
    /// A search within these limits; the deadline is its control's.
    pub(super) fn search(self) -> SearchOptions {
        let cores = || available_parallelism().unwrap_or(NonZeroUsize::MIN);
        SearchOptions::default()
            .with_memory_limit(self.memory_limit)
            .with_threads(self.jobs.unwrap_or_else(cores))
    }
}

/// The objective of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ObjectiveName {
    /// The one that the problem declares; else makespan, then labelled actions.
    #[default]
    Declared,
    /// The makespan alone.
    Makespan,
    /// Labelled actions, then makespan.
    Labels,
    /// The cost, then makespan.
    Cost,
}

/// The heuristic of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum HeuristicName {
    /// A portfolio: the one that proves most in the same time.
    #[default]
    Auto,
    /// Nothing.
    Blind,
    /// Distances in abstractions.
    Abstractions,
    /// Relaxed decision diagrams over ticks.
    DecisionDiagrams,
    /// Landmark cuts in the delete relaxation.
    LmCut,
    /// Potentials of values and of pairs of values.
    Potentials,
    /// Distances in projections to the facts of single objects, where one agent acts.
    Patterns,
}

/// Use of interchangeable objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum SymmetryName {
    /// In searches of more than some ten thousand states, unless `--heuristic` chooses.
    #[default]
    Auto,
    /// Always.
    On,
    /// Never.
    Off,
}

/// Pruning of operators whose order does not matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum PruningName {
    /// In searches of more than some ten thousand states where it leaves out enough, unless
    /// `--heuristic` chooses.
    #[default]
    Auto,
    /// Never.
    None,
}

impl From<PruningName> for PruningChoice {
    fn from(name: PruningName) -> Self {
        match name {
            PruningName::Auto => Self::Auto,
            PruningName::None => Self::Never,
        }
    }
}

/// Searches for good plans while the optimum is not in sight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum AnytimeName {
    /// Once all attempts together have stored 100,000 states or taken as long, unless `--heuristic`
    /// chooses.
    #[default]
    Auto,
    /// Also for a moment before the first attempt, and in A* with any heuristic.
    On,
    /// Never.
    Off,
}

impl From<AnytimeName> for AnytimeChoice {
    fn from(name: AnytimeName) -> Self {
        match name {
            AnytimeName::Auto => Self::Auto,
            AnytimeName::On => Self::Always,
            AnytimeName::Off => Self::Never,
        }
    }
}

/// Use of iterative deepening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum DeepeningName {
    /// Where a search has met its memory limit.
    #[default]
    Auto,
    /// From the beginning.
    On,
    /// Never: a memory limit ends the search.
    Off,
}

impl From<DeepeningName> for DeepeningChoice {
    fn from(name: DeepeningName) -> Self {
        match name {
            DeepeningName::Auto => Self::Auto,
            DeepeningName::On => Self::Always,
            DeepeningName::Off => Self::Never,
        }
    }
}

impl From<SymmetryName> for SymmetryChoice {
    fn from(name: SymmetryName) -> Self {
        match name {
            SymmetryName::Auto => Self::Auto,
            SymmetryName::On => Self::Always,
            SymmetryName::Off => Self::Never,
        }
    }
}

impl From<HeuristicName> for HeuristicChoice {
    fn from(name: HeuristicName) -> Self {
        match name {
            HeuristicName::Auto => Self::Auto,
            HeuristicName::Blind => Self::Blind,
            HeuristicName::Abstractions => Self::Abstractions,
            HeuristicName::DecisionDiagrams => Self::DecisionDiagrams,
            HeuristicName::LmCut => Self::LandmarkCut,
            HeuristicName::Potentials => Self::Potentials,
            HeuristicName::Patterns => Self::Patterns,
        }
    }
}

impl From<ObjectiveName> for Objective {
    fn from(name: ObjectiveName) -> Self {
        match name {
            ObjectiveName::Declared => Self::Declared,
            ObjectiveName::Makespan => Self::Makespan,
            ObjectiveName::Labels => Self::Labels,
            ObjectiveName::Cost => Self::Cost,
        }
    }
}

/// A number of seconds, fractions allowed. More than a clock can count are as good as no limit.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok();
    match seconds.filter(|seconds| *seconds >= 0.0) {
        Some(seconds) => Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)),
        None => Err("not a number of seconds, 0 or more, such as 60 or 0.5".to_owned()),
    }
}

/// An amount of money.
pub(super) fn amount(text: &str) -> Result<f64, String> {
    let amount: Option<f64> = text.parse().ok();
    amount
        .filter(|amount| *amount >= 0.0)
        .ok_or_else(|| "not an amount, 0 or more, such as 2.5".to_owned())
}

/// A number of threads. More than can be counted are as good as the most that can.
pub(super) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().or_else(|error: ParseIntError| {
        if *error.kind() == IntErrorKind::PosOverflow {
            Ok(NonZeroUsize::MAX)
        } else {
            Err("not a number of threads, 1 or more, such as 4".to_owned())
        }
    })
}

/// A number of bytes, with a suffix.
fn bytes(text: &str) -> Result<usize, String> {
    let upper = text.to_ascii_uppercase();
    let number = upper.trim_end_matches('B').trim_end_matches('I');
    let (digits, shift) = match number.char_indices().last() {
        Some((at, 'K')) => (&number[..at], 10),
        Some((at, 'M')) => (&number[..at], 20),
        Some((at, 'G')) => (&number[..at], 30),
        _ => (number, 0),
    };
    let too_many = || "more bytes than a machine can address".to_owned();
    let value: usize = digits.trim().parse().map_err(|error: ParseIntError| {
        if *error.kind() == IntErrorKind::PosOverflow {
            too_many()
        } else {
            "not a number of bytes, such as 500M or 4G".to_owned()
        }
    })?;
    value.checked_mul(1 << shift).ok_or_else(too_many)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_binary_suffixes() {
        assert_eq!(bytes("1000"), Ok(1000));
        assert_eq!(bytes("4k"), Ok(4096));
        assert_eq!(bytes("4G"), Ok(4 << 30));
        assert_eq!(bytes("512MiB"), Ok(512 << 20));
        assert!(bytes("much").is_err());
        assert!(bytes("99999999999G").is_err());
        assert_eq!(bytes("99999999999999999999999"), bytes("99999999999G"));
    }

    #[test]
    fn threads_are_one_or_more() {
        assert_eq!(threads("4").map(NonZeroUsize::get), Ok(4));
        assert_eq!(threads("99999999999999999999999"), Ok(NonZeroUsize::MAX));
        for none in ["0", "-1", "1.5", "", "all"] {
            let refused = threads(none).expect_err(none);
            assert!(refused.contains("1 or more"), "{refused}");
        }
    }

    #[test]
    fn seconds_may_be_fractions_and_not_negative() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(seconds("1e30"), Ok(Duration::MAX));
        assert!(seconds("-1").is_err());
        assert!(seconds("nan").is_err());
        assert!(seconds("soon").is_err());
    }

    #[test]
    fn an_amount_is_a_number_and_not_negative() {
        assert_eq!(amount("2.5"), Ok(2.5));
        assert_eq!(amount("0"), Ok(0.0));
        for text in ["-1", "nan", "two"] {
            assert!(amount(text).is_err(), "{text}");
        }
    }
}
