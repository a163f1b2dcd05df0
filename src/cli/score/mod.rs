//! `brigade score`: episodes against references.

mod logs;
mod recorded;
mod show;

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde::Serialize;

pub(super) use show::in_units;

use super::args::{DomainArgs, Format, LimitArgs};
use super::exit::{Failure, Result};
use super::files;
use super::paths;
use super::printer::Printer;
use crate::score::episode_regret::EpisodeRegret;
use crate::score::options::ShareOf;
use crate::score::process::Process;
use crate::score::tes::{Beta, Matching};
use crate::score::{Fraction, Options, Report};
use logs::score_logs;
use recorded::score_recorded;

/// How every event log begins.
const LOG_START: &str = "{\"event\":\"header\"";

/// Most bytes of a compressed file once it is unpacked.
const MAX_UNPACKED: u64 = 1 << 28;

/// Arguments of `score`.
#[derive(Debug, Args)]
pub(super) struct ScoreArgs {
    /// Event logs of `brigade run`, with `--problem`; or recorded episodes (JSON, JSONL, `.gz`, or
    /// folders of them), with `--references`
    #[arg(required = true, value_name = "FILE", value_parser = paths::given())]
    files: Vec<PathBuf>,

    /// The problem that was played: logs are scored against all its references
    #[arg(long, value_name = "PROBLEM", conflicts_with = "references", value_parser = paths::given())]
    problem: Option<PathBuf>,

    #[command(flatten)]
    domain: DomainArgs,

    /// A folder of annotated reference files, `<level>_<order>.json` or `<order>.json`
    #[arg(long, value_name = "DIR",
          conflicts_with_all = ["domain", "semantics", "time_limit", "memory_limit"], value_parser = paths::given())]
    references: Option<PathBuf>,

    /// How scores are counted [default: brigade for event logs, upstream for recorded episodes]
    #[arg(long, value_enum, value_name = "RULE")]
    rule: Option<Rule>,

    /// β of TES, such as 0.95
    #[arg(long, value_name = "NUMBER")]
    beta: Option<String>,

    /// γ: a success takes at most ⌊γ·T⌋; `none` for no limit
    #[arg(long, value_name = "NUMBER")]
    gamma: Option<String>,

    /// What is matched of a reference
    #[arg(long, value_enum)]
    matching: Option<MatchingName>,

    /// Also find the exact optimal cost-to-go before and after each action of event logs
    #[arg(long, requires = "problem", conflicts_with = "references")]
    regret: bool,

    /// Also tell of event logs, timestep by timestep, which choice lost what, why commands were refused,
    /// and what requests were worth; what cannot be had within the limits is left out
    #[arg(long, requires = "problem", conflicts_with = "references")]
    process: bool,

    #[command(flatten)]
    limits: LimitArgs,

    /// Form of the output
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

/// A named set of scoring options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Rule {
    /// The evaluation code published with Collab-Overcooked.
    Upstream,
    /// What its paper defines.
    Paper,
    /// As `paper`, without its time limit.
    Brigade,
}

/// See [`Matching`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MatchingName {
    /// The longest prefix of the reference that is a subsequence.
    Prefix,
    /// The longest common subsequence.
    CommonSubsequence,
}

#[derive(Serialize)]
struct Document {
    /// The version of the document's form, where no report says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    schema: Option<u32>,
    /// The task whose references are scored against, if one is.
    #[serde(flatten)]
    task: Option<TaskName>,
    /// Left out where the references of a task are not known and something else is asked for.
    #[serde(flatten)]
    report: Option<Report>,
    #[serde(skip_serializing_if = "Option::is_none")]
    regret: Option<Vec<EpisodeRegret>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    process: Option<Vec<Process>>,
}

/// What names a task.
#[derive(Serialize)]
struct TaskName {
    problem: String,
    domain: String,
    semantics: String,
}

impl MatchingName {
    const fn name(self) -> &'static str {
        match self {
            Self::Prefix => "prefix",
            Self::CommonSubsequence => "common-subsequence",
        }
    }
}

/// Scores episodes.
pub(super) fn run(printer: &Printer, args: &ScoreArgs) -> Result {
    match (&args.problem, &args.references) {
        (Some(problem), _) => score_logs(printer, args, problem),
        (None, Some(references)) => score_recorded(printer, args, references),
        (None, None) => Err(Failure::usage(
            "there is nothing to score against",
            "give `--problem PROBLEM` for event logs, `--references DIR` for recorded episodes",
        )),
    }
}

/// The options of a rule, changed as the arguments say. IC and RC are shares of dialogs under each:
/// the number of required actions, which the paper takes, is not known here.
fn options(args: &ScoreArgs, default: Rule) -> Result<Options> {
    let wrong = |error: crate::score::ScoreError| Failure::Usage {
        message: error.to_string(),
        help: None,
    };
    let mut options = match args.rule.unwrap_or(default) {
        Rule::Upstream => Options::upstream(),
        Rule::Paper => Options::paper(),
        Rule::Brigade => Options::brigade(),
    };
    options.collaboration.share_of = ShareOf::Dialogs;
    if let Some(beta) = &args.beta {
        let beta: Fraction = beta.parse().map_err(wrong)?;
        options.tes.beta = Beta::new(beta).map_err(wrong)?;
    }
    match args.gamma.as_deref() {
        None => {}
        Some("none") => options.gamma = None,
        Some(gamma) => options.gamma = Some(gamma.parse().map_err(wrong)?),
    }
    match args.matching {
        None => {}
        Some(MatchingName::Prefix) => options.tes.matching = Matching::Prefix,
        Some(MatchingName::CommonSubsequence) => {
            options.tes.matching = Matching::CommonSubsequence;
        }
    }
    Ok(options)
}

/// The text of a file that may be compressed.
fn unpack(path: &Path) -> Result<String> {
    if path.extension().is_none_or(|extension| extension != "gz") {
        return files::read_text(path);
    }
    let bytes = files::read(path)?;
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(&bytes[..])
        .take(MAX_UNPACKED + 1)
        .read_to_string(&mut text)
        .map_err(|error| {
            Failure::malformed(path, format_args!("is no whole gzip file: {error}"))
        })?;
    if text.len() as u64 > MAX_UNPACKED {
        let what = format!("is too large: unpacked it has more than {MAX_UNPACKED} bytes");
        return Err(Failure::malformed(path, what));
    }
    Ok(text)
}
