//! The arguments of `score`, and the options of scoring that they stand for.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::cli::args::{DomainArgs, Format, LimitArgs};
use crate::cli::exit::{Failure, Result};
use crate::cli::knowledge::ViewArgs;
use crate::cli::paths;
use crate::score::options::ShareOf;
use crate::score::tes::{Beta, Matching};
use crate::score::{Fraction, Options};

/// Arguments of `score`.
#[derive(Debug, Args)]
pub(in crate::cli) struct ScoreArgs {
    /// Event logs of `brigade run`, with `--problem`; folders of `brigade bench`; or recorded episodes (JSON, JSONL,
    /// `.gz`, or folders of them), with `--references`
    #[arg(required = true, value_name = "FILE", value_parser = paths::given())]
    pub(super) files: Vec<PathBuf>,

    /// The problem that was played: logs are scored against all its references; several if repeated. Folders of
    /// `brigade bench` need none for problems that come with Brigade
    #[arg(long, value_name = "PROBLEM", conflicts_with = "references", value_parser = paths::given())]
    pub(super) problem: Vec<PathBuf>,

    #[command(flatten)]
    pub(super) domain: DomainArgs,

    /// A folder of annotated reference files, `<level>_<order>.json` or `<order>.json`
    #[arg(long, value_name = "DIR",
          conflicts_with_all = ["domain", "semantics", "time_limit", "memory_limit"], value_parser = paths::given())]
    pub(super) references: Option<PathBuf>,

    /// The rule of scores [default: brigade for event logs, upstream for recorded episodes]
    #[arg(long, value_enum, value_name = "RULE")]
    pub(super) rule: Option<Rule>,

    /// β of TES, such as 0.95
    #[arg(long, value_name = "NUMBER")]
    pub(super) beta: Option<String>,

    /// γ: a success takes at most ⌊γ·T⌋; `none` for no limit
    #[arg(long, value_name = "NUMBER")]
    pub(super) gamma: Option<String>,

    /// The part of a reference that is matched
    #[arg(long, value_enum)]
    pub(super) matching: Option<MatchingName>,

    /// Also find the exact optimal cost-to-go before and after each action of event logs
    #[arg(long, conflicts_with = "references")]
    pub(super) regret: bool,

    /// Also tell of event logs, timestep by timestep, which choice lost what, why commands were refused,
    /// and what requests were worth; what cannot be had within the limits is left out
    #[arg(long, conflicts_with = "references")]
    pub(super) process: bool,

    #[command(flatten)]
    pub(super) view: ViewArgs,

    #[command(flatten)]
    pub(super) limits: LimitArgs,

    /// Form of the output
    #[arg(long, value_enum, default_value_t)]
    pub(in crate::cli) format: Format,
}

/// A named set of scoring options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Rule {
    /// The evaluation code published with Collab-Overcooked.
    Upstream,
    /// The definitions of its paper.
    Paper,
    /// As `paper`, without its time limit.
    Brigade,
}

/// See [`Matching`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum MatchingName {
    /// The longest prefix of the reference that is a subsequence.
    Prefix,
    /// The longest common subsequence.
    CommonSubsequence,
}

impl MatchingName {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Prefix => "prefix",
            Self::CommonSubsequence => "common-subsequence",
        }
    }
}

/// The options of a rule, changed as the arguments say. IC and RC are shares of dialogs under each:
/// the number of required actions, which the paper takes, is not known here.
pub(super) fn options(args: &ScoreArgs, default: Rule) -> Result<Options> {
    let wrong = |error: crate::score::ScoreError| Failure::Usage {
        message: error.to_string(),
        help: None,
    };
    let mut options = match args.rule.unwrap_or(default) {
        Rule::Upstream => Options::upstream(),
        Rule::Paper => Options::paper(),
        Rule::Brigade => Options::brigade(),
    };
    options = options.with_share_of(ShareOf::Dialogs);
    if let Some(beta) = &args.beta {
        let beta: Fraction = beta.parse().map_err(wrong)?;
        options = options.with_beta(Beta::new(beta).map_err(wrong)?);
    }
    match args.gamma.as_deref() {
        None => {}
        Some("none") => options = options.with_gamma(None),
        Some(gamma) => options = options.with_gamma(gamma.parse::<Fraction>().map_err(wrong)?),
    }
    Ok(match args.matching {
        None => options,
        Some(MatchingName::Prefix) => options.with_matching(Matching::Prefix),
        Some(MatchingName::CommonSubsequence) => options.with_matching(Matching::CommonSubsequence),
    })
}
