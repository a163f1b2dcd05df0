//! The recorded-episode format: one JSON object per episode, read and checked.
//!
//! Unknown fields are ignored, known ones are strict. The format is described in
//! `docs/reference/scores.md`.

use serde::{Deserialize, Serialize};

use super::error::ScoreError;
use super::recorded::RecordedScores;
use brigade_diagnostics::json_text::reason;
use brigade_diagnostics::words::counted;

/// The utterance that the format records for a silent speaker.
pub const NOTHING: &str = "[NOTHING]";

/// One recorded episode.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct RecordedEpisode {
    /// A name for the episode; may be absent.
    #[serde(default)]
    pub id: String,
    /// The dish that was ordered, which is the name of the task.
    pub order: String,
    /// The task's level.
    pub level: u32,
    /// Indices of the recorded timesteps: all of them, or the first and the last.
    pub total_timestamp: Vec<u32>,
    /// The orders that were delivered, in order.
    pub total_order_finished: Vec<String>,
    /// True if something was ordered that can be finished. The format says so of every episode.
    #[serde(skip, default = "yes")]
    pub has_goal: bool,
    /// Per agent, the successful actions in the order of time.
    pub total_action_list: Vec<Vec<StampedAction>>,
    /// The dialogs, in the order of time.
    pub dialogs: Vec<Dialog>,
    /// Scores that were published with the record, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<RecordedScores>,
}

/// One action and the timestep after which it had its effect.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct StampedAction {
    /// The timestep.
    pub timestamp: u32,
    /// The action, spaces allowed.
    pub action: String,
}

/// The utterances before one timestep.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Dialog {
    /// The timestep before which the agents talked.
    pub timestamp: u32,
    /// The agent whose planner opened the dialog. The published record keeps the Chef's dialogs
    /// only, so an absent field means agent 0.
    #[serde(default)]
    pub opened_by: usize,
    /// The turns of all speakers, in order.
    pub turns: Vec<Turn>,
    /// The request and its answer, where they are known apart from the words of the turns. The format has words alone.
    #[serde(skip)]
    pub request: Option<Request>,
}

/// Actions that one agent requests of another before a timestep, and those that it promises.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Request {
    /// The agent that asks.
    pub initiator: usize,
    /// The agent that is asked.
    pub responder: usize,
    /// The requested actions, in order.
    pub requested: Vec<String>,
    /// The promised actions, in order.
    pub promised: Vec<String>,
}

/// One turn of one speaker.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Turn {
    /// The speaker.
    pub agent: usize,
    /// The message, or `[NOTHING]`.
    pub say: String,
    /// The plan that the speaker wrote with the message.
    pub plan: String,
}

const fn yes() -> bool {
    true
}

impl RecordedEpisode {
    /// Reads one episode.
    ///
    /// # Errors
    ///
    /// The text is not JSON of a recorded episode.
    pub fn parse(text: &str) -> Result<Self, ScoreError> {
        let mut episodes = parse_episodes(text)?;
        match episodes.pop() {
            Some(episode) if episodes.is_empty() => Ok(episode),
            _ => Err(ScoreError::Json {
                what: "episode log",
                line: 1,
                column: 1,
                message: format!("expected one episode, found {}", episodes.len() + 1),
            }),
        }
    }

    /// Returns the number of agents that the episode records.
    pub fn agents(&self) -> usize {
        self.total_action_list.len()
    }

    /// The index of the last timestep.
    pub fn last_timestamp(&self) -> u32 {
        self.total_timestamp.last().copied().unwrap_or(0)
    }

    /// The id, or the order of an episode without one.
    pub fn name(&self) -> &str {
        if self.id.is_empty() {
            &self.order
        } else {
            &self.id
        }
    }

    /// The episode as the published script leaves it when it misses a time limit: nothing
    /// finished, and no action or dialog with a timestep at or beyond `limit`.
    #[must_use]
    pub fn cut_at(&self, limit: u32) -> Self {
        let mut cut = self.clone();
        cut.total_order_finished.clear();
        for actions in &mut cut.total_action_list {
            actions.retain(|action| action.timestamp < limit);
        }
        cut.dialogs.retain(|dialog| dialog.timestamp < limit);
        cut
    }

    /// Checks what types cannot say.
    fn check(&self, line: usize) -> Result<(), ScoreError> {
        let fail = |place: String, message: String| {
            Err(ScoreError::Episode {
                line,
                episode: self.name().to_owned(),
                place,
                message,
            })
        };
        if self.order.is_empty() {
            return fail("order".to_owned(), "the order is empty".to_owned());
        }
        if self.total_timestamp.is_empty() {
            return fail(
                "total_timestamp".to_owned(),
                "no timestep is recorded; an episode has at least one".to_owned(),
            );
        }
        if let Some(at) = first_descent(self.total_timestamp.iter().copied()) {
            return fail(
                format!("total_timestamp[{at}]"),
                "time goes back: the log holds several episodes one after another; cut it where \
                 the timestep returns to 0"
                    .to_owned(),
            );
        }
        if self.total_action_list.is_empty() {
            return fail(
                "total_action_list".to_owned(),
                "no agent is recorded".to_owned(),
            );
        }
        for (agent, actions) in self.total_action_list.iter().enumerate() {
            if let Some(at) = first_descent(actions.iter().map(|action| action.timestamp)) {
                return fail(
                    format!("total_action_list[{agent}][{at}].timestamp"),
                    "time goes back; actions are in the order of time".to_owned(),
                );
            }
        }
        if let Some(at) = first_descent(self.dialogs.iter().map(|dialog| dialog.timestamp)) {
            return fail(
                format!("dialogs[{at}].timestamp"),
                "time goes back; dialogs are in the order of time".to_owned(),
            );
        }
        let known = self.agents();
        let stranger = |agent: usize| {
            format!(
                "there is no agent {agent}: the episode has {}, numbered from 0",
                counted(known, "agent")
            )
        };
        for (at, dialog) in self.dialogs.iter().enumerate() {
            if dialog.opened_by >= known {
                return fail(
                    format!("dialogs[{at}].opened_by"),
                    stranger(dialog.opened_by),
                );
            }
            for (turn, spoken) in dialog.turns.iter().enumerate() {
                if spoken.agent >= known {
                    let place = format!("dialogs[{at}].turns[{turn}].agent");
                    return fail(place, stranger(spoken.agent));
                }
            }
        }
        Ok(())
    }
}

/// Reads every episode of a text: one JSON object, or several one after another (JSONL).
///
/// # Errors
///
/// An episode is malformed; the error says at which place.
pub fn parse_episodes(text: &str) -> Result<Vec<RecordedEpisode>, ScoreError> {
    let mut episodes = Vec::new();
    let mut stream = serde_json::Deserializer::from_str(text).into_iter::<RecordedEpisode>();
    loop {
        let rest = text[stream.byte_offset()..].trim_start();
        let before = &text[..text.len() - rest.len()];
        if rest.starts_with('[') {
            return Err(list_error(before));
        }
        let Some(episode) = stream.next() else { break };
        let episode = episode.map_err(|error| json_error("episode log", text, &error))?;
        episode.check(line_after(before))?;
        episodes.push(episode);
    }
    if episodes.is_empty() {
        Err(ScoreError::EmptyLog)
    } else {
        Ok(episodes)
    }
}

/// The line on which the text goes on after `before`, from 1.
fn line_after(before: &str) -> usize {
    before.matches('\n').count() + 1
}

/// The complaint about a list, which serde would read as the fields of a struct.
fn list_error(before: &str) -> ScoreError {
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    ScoreError::Json {
        what: "episode log",
        line: line_after(before),
        column: before[line_start..].chars().count() + 1,
        message: "expected an object, found a list; episodes follow one another without brackets \
                  or commas"
            .to_owned(),
    }
}

/// A parser's complaint with its place in the text, and a hint for what Python writes.
pub(super) fn json_error(what: &'static str, text: &str, error: &serde_json::Error) -> ScoreError {
    let (line, column) = (error.line(), error.column());
    let mut message = reason(error);
    let here = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    let rest: String = here
        .chars()
        .skip(column.saturating_sub(1))
        .take(9)
        .collect();
    if error.is_eof() {
        message.push_str("; the text is cut off");
    } else if ["NaN", "Infinity", "-Infinity", "aN", "nfinity"]
        .iter()
        .any(|w| rest.starts_with(w))
    {
        message.push_str("; NaN and Infinity are not JSON");
    }
    ScoreError::Json {
        what,
        line,
        column,
        message,
    }
}

/// The index of the first value that is smaller than the one before it.
fn first_descent(values: impl Iterator<Item = u32>) -> Option<usize> {
    let mut last = 0;
    for (index, value) in values.enumerate() {
        if value < last {
            return Some(index);
        }
        last = value;
    }
    None
}
