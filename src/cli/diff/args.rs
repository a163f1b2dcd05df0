//! The arguments of `diff`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use crate::cli::args::{Format, threads};
use crate::cli::facts::DEFAULT_STATES;
use crate::cli::paths;

/// References that are listed where nobody says how many.
const DEFAULT_LISTED: usize = 3;

/// Arguments of `diff`.
#[derive(Debug, Args)]
pub(in crate::cli) struct DiffArgs {
    /// The first version: a domain file, a problem file, or a folder of them
    #[arg(value_name = "BEFORE", value_parser = paths::given())]
    pub(super) before: PathBuf,

    /// The second version: what the first is
    #[arg(value_name = "AFTER", value_parser = paths::given())]
    pub(super) after: PathBuf,

    /// A problem to compile with both domains; several if repeated
    #[arg(long, value_name = "FILE", value_parser = paths::given())]
    pub(super) problem: Vec<PathBuf>,

    /// The domain file of both problems
    #[arg(long, short, value_name = "FILE", value_parser = paths::given())]
    pub(super) domain: Option<PathBuf>,

    /// A semantics to compile under, several if repeated. Default: all that both versions declare
    #[arg(long, value_name = "NAME")]
    pub(super) semantics: Vec<String>,

    /// States that each search may store; 0 searches nothing
    #[arg(long, value_name = "N", default_value_t = DEFAULT_STATES, allow_negative_numbers = true)]
    pub(super) states: u64,

    /// List the first N references that were lost, and that were gained
    #[arg(long, value_name = "N", default_value_t = DEFAULT_LISTED, allow_negative_numbers = true)]
    pub(super) limit: usize,

    /// Search with this many threads; the answer does not depend on it. Default: as many as there are
    /// cores
    #[arg(long, value_name = "THREADS", value_parser = threads, allow_hyphen_values = true)]
    pub(super) jobs: Option<NonZeroUsize>,

    /// Form of the output
    #[arg(long, value_enum, default_value_t)]
    pub(in crate::cli) format: Format,
}
