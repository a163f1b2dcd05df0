//! The arguments of `snapshot`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use crate::cli::args::{Format, threads};
use crate::cli::paths;

/// Arguments of `snapshot`.
#[derive(Debug, Args)]
pub(in crate::cli) struct SnapshotArgs {
    /// Domain and problem files, and folders of them
    #[arg(required = true, value_name = "PATH", value_parser = paths::given())]
    pub(super) paths: Vec<PathBuf>,

    /// Write nothing, as continuous integration wants it; without, what is new or changed is written
    /// beside its snapshot, as `.snap.new`
    #[arg(long, conflicts_with = "accept")]
    pub(in crate::cli) check: bool,

    /// Write what is new or changed, and remove the snapshots of files that are gone
    #[arg(long)]
    pub(super) accept: bool,

    /// The domain file of all problems. Default: for each the one that `brigade check` finds
    #[arg(long, short, value_name = "FILE", value_parser = paths::given())]
    pub(super) domain: Option<PathBuf>,

    /// A stream to lay over the problems, several if repeated
    #[arg(long, value_name = "FILE", value_parser = paths::given())]
    pub(super) init: Vec<PathBuf>,

    /// A semantics to compile under, several if repeated. Default: all that the domain declares
    #[arg(long, value_name = "NAME")]
    pub(super) semantics: Vec<String>,

    /// States that each search for facts may store; 0 searches nothing. Default: as many as the snapshot
    /// was made with, 300000 for a new one
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(super) states: Option<u64>,

    /// Keep all snapshots below this folder, by the paths of their files. Default: in `snapshots` beside
    /// each file
    #[arg(long, value_name = "DIR", value_parser = paths::given())]
    pub(super) folder: Option<PathBuf>,

    /// Search with this many threads; facts do not depend on it. Default: as many as there are cores
    #[arg(long, value_name = "THREADS", value_parser = threads, allow_hyphen_values = true)]
    pub(super) jobs: Option<NonZeroUsize>,

    /// Form of the output
    #[arg(long, value_enum, default_value_t)]
    pub(in crate::cli) format: Format,
}
