//! The faults of a score's input.

use brigade_diagnostics::words::counted;
use brigade_rats::collab::CollabError;

/// A log, a reference file or an option that cannot be scored.
///
/// Every message names the place in the input and what is expected there.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ScoreError {
    /// The text is not the JSON that the format asks for.
    #[error("{what}, line {line}, column {column}: {message}")]
    Json {
        /// The thing that was being read.
        what: &'static str,
        /// 1-based line in the text.
        line: usize,
        /// 1-based column in the line.
        column: usize,
        /// The parser's complaint, with a hint where there is one.
        message: String,
    },
    /// The text holds no episode.
    #[error("the log holds no episode; expected one JSON object per episode")]
    EmptyLog,
    /// A value has the right type and is still impossible.
    #[error("line {line}: episode {episode}: {place}: {message}")]
    Episode {
        /// The line on which the episode begins, from 1.
        line: usize,
        /// The episode's id, or its order where it has none.
        episode: String,
        /// The field, as a path such as `total_action_list[1][3].timestamp`.
        place: String,
        /// The fault, and the remedy.
        message: String,
    },
    /// A text that is no file of references.
    #[error("reference file: {0}")]
    ReferenceFile(#[from] CollabError),
    /// References of the right types and impossible content.
    #[error("references: {place}: {message}")]
    References {
        /// The field, as a path such as `reference_2.agent_1`.
        place: String,
        /// The fault.
        message: String,
    },
    /// The episode and the references disagree on the number of agents.
    #[error(
        "the episode records {}, the references describe {references}",
        counted(.episode, "agent")
    )]
    AgentCount {
        /// Agents in the episode.
        episode: usize,
        /// Agents in the references.
        references: usize,
    },
    /// There are no references for the order of an episode.
    #[error("no references for order `{order}`{}", nearest(.known, .order))]
    UnknownOrder {
        /// The order asked for.
        order: String,
        /// The orders that do have references.
        known: Vec<String>,
    },
    /// Dialogs are scored between two agents.
    #[error("dialogs are scored between two agents, and this episode has {agents}")]
    DialogAgents {
        /// Agents in the episode.
        agents: usize,
    },
    /// A dialog in which nobody says anything has no initiator.
    #[error(
        "the dialog at timestep {timestamp} has no spoken turn (every `say` is [NOTHING]), so no \
         agent began it; the published code fails here too; the rules `paper` and `brigade` skip \
         such dialogs (`silent_dialogs: skip`)"
    )]
    SilentDialog {
        /// The timestep of the dialog.
        timestamp: u32,
    },
    /// An option needs a fact about the task that was not given.
    #[error("the rule needs {need}, because {because}")]
    MissingContext {
        /// The missing fact.
        need: &'static str,
        /// The option that asks for it.
        because: &'static str,
    },
    /// A number that is not a usable fraction.
    #[error("`{text}` is not {expected}")]
    Fraction {
        /// The number as written.
        text: String,
        /// The accepted form.
        expected: &'static str,
    },
    /// The match with the references was stopped before it was found.
    #[error("stopped, by a limit or an interrupt, before the best reference was found")]
    Stopped,
    /// Costs-to-go that no exact search can have produced.
    #[error("cost-to-go, step {step}: {message}")]
    CostToGo {
        /// 0-based step.
        step: usize,
        /// The contradiction.
        message: String,
    },
}

/// `; did you mean …?` for the known name that shares the most leading and trailing characters.
fn nearest(known: &[String], order: &str) -> String {
    let overlap = |name: &str| {
        let head = name
            .chars()
            .zip(order.chars())
            .take_while(|(a, b)| a == b)
            .count();
        let tail = name
            .chars()
            .rev()
            .zip(order.chars().rev())
            .take_while(|(a, b)| a == b)
            .count();
        head + tail
    };
    let mut best: Option<(&str, usize)> = None;
    for name in known {
        let shared = overlap(name);
        if shared * 2 >= order.chars().count() && best.is_none_or(|(_, most)| shared > most) {
            best = Some((name, shared));
        }
    }
    match best {
        Some((name, _)) => format!("; did you mean `{name}`?"),
        None if known.is_empty() => "; no reference file was given".to_owned(),
        None => format!(
            "; there are references for {}",
            counted(known.len(), "other order")
        ),
    }
}
