//! Reads an event log back, also one whose writer was killed.

use super::event::{End, EndReason, Event, Header, SCHEMA, Settings, StatusName, Step};
use brigade_diagnostics::json_text::complaint_of_line;
use brigade_task::PackedTask;

/// An event log that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// The first line.
    pub header: Header,
    /// All later lines, in order.
    pub events: Vec<Event>,
    /// True if the last line was cut off. It is left out.
    pub truncated: bool,
    /// The length in bytes of the header, all timesteps that are complete with what was said before
    /// them, and changes of settings: where a resumed run goes on writing.
    pub resume_at: usize,
}

/// A text that is no event log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// There is no header.
    #[error("the log has no header: not one of its lines is complete")]
    Empty,
    /// A line is not an event.
    #[error("line {line} is not an event of a log: {reason}")]
    Line {
        /// Counted from 1.
        line: usize,
        /// The fault in the log.
        reason: String,
    },
    /// The log's form is of another version.
    #[error("the log has schema {0}, this version of brigade reads schema {SCHEMA}")]
    Schema(u64),
    /// An event stands where it cannot.
    #[error("line {line}: {reason}")]
    Order {
        /// Counted from 1.
        line: usize,
        /// The fault.
        reason: &'static str,
    },
}

/// A log that is being read, line by line.
#[derive(Clone, Debug, Default)]
pub struct LogReader {
    header: Option<Header>,
    events: Vec<Event>,
    truncated: bool,
    resume_at: usize,
    /// Bytes and lines that were read.
    offset: usize,
    lines: usize,
    next_tick: u32,
}

impl LogReader {
    /// Reads the next line, with its line break, and returns the event that it adds; `None` for the header and
    /// for an empty line. One without line break was cut off: it is left out, and ends the log.
    ///
    /// # Errors
    ///
    /// The line is not an event, stands where it cannot, or the log has another schema.
    pub fn line(&mut self, text: &str) -> Result<Option<&mut Event>, LogError> {
        self.lines += 1;
        self.offset += text.len();
        // Some editors write a byte order mark before a text.
        let line = match text.strip_prefix('\u{feff}') {
            Some(rest) if self.lines == 1 => rest,
            _ => text,
        };
        if line.trim().is_empty() {
            return Ok(None);
        }
        let number = self.lines;
        let order = |reason| LogError::Order {
            line: number,
            reason,
        };
        if !line.ends_with('\n') {
            self.truncated = true;
            return Ok(None);
        }
        if self.header.is_none() {
            check_schema(line)?;
        }
        let event = serde_json::from_str(line).map_err(|error| LogError::Line {
            line: number,
            reason: complaint_of_line(&error),
        })?;
        if matches!(self.events.last(), Some(Event::End(_))) {
            return Err(order("something follows the end of the episode"));
        }
        match &event {
            Event::Header(first) if self.header.is_none() => {
                self.header = Some(first.clone());
                self.resume_at = self.offset;
                return Ok(None);
            }
            Event::Header(_) => return Err(order("a second header")),
            _ if self.header.is_none() => return Err(order("the first line is not a header")),
            Event::Step(step) => {
                if step.tick != self.next_tick {
                    return Err(order("the ticks are not consecutive"));
                }
                self.next_tick += 1;
                self.resume_at = self.offset;
            }
            Event::Resume(_) => self.resume_at = self.offset,
            _ => {}
        }
        self.events.push(event);
        Ok(self.events.last_mut())
    }

    /// The log, once all lines are read.
    ///
    /// # Errors
    ///
    /// There is no header.
    pub fn finish(self) -> Result<Log, LogError> {
        Ok(Log {
            header: self.header.ok_or(LogError::Empty)?,
            events: self.events,
            truncated: self.truncated,
            resume_at: self.resume_at,
        })
    }
}

impl Log {
    /// Reads a log. A last line without line break was cut off; it is left out.
    ///
    /// # Errors
    ///
    /// There is no header, a line is not an event or stands where it cannot, or the log has another schema.
    pub fn parse(text: &str) -> Result<Self, LogError> {
        let mut reader = LogReader::default();
        for line in text.split_inclusive('\n') {
            reader.line(line)?;
        }
        reader.finish()
    }

    /// The settings that the run had at last.
    pub fn settings(&self) -> Settings {
        let resumed = self.events.iter().rev().find_map(|event| match event {
            Event::Resume(resumed) => Some(resumed.settings.clone()),
            _ => None,
        });
        resumed.unwrap_or_else(|| self.header.settings())
    }

    /// Returns true if the agents reached the goal; `None` in a task without one.
    pub fn is_success(&self, task: &PackedTask) -> Option<bool> {
        task.goal.is_some().then(|| self.is_whole(task))
    }

    /// Returns true if the episode is as long as the task asks for ([`EndReason::is_whole`]). A killed run may be
    /// without having said so.
    pub fn is_whole(&self, task: &PackedTask) -> bool {
        match (self.end(), self.steps().last()) {
            (Some(end), _) => end.reason.is_whole(task),
            (None, Some(step)) => match step.status {
                StatusName::Goal => EndReason::Goal.is_whole(task),
                StatusName::Ended => EndReason::Horizon.is_whole(task),
                StatusName::Running | StatusName::Failed => false,
            },
            (None, None) => false,
        }
    }

    /// The timesteps.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.events.iter().filter_map(|event| match event {
            Event::Step(step) => Some(step),
            _ => None,
        })
    }

    /// Returns the end of the episode, if it ended.
    pub fn end(&self) -> Option<&End> {
        match self.events.last() {
            Some(Event::End(end)) => Some(end),
            _ => None,
        }
    }
}

/// Refuses a header of another version before its fields are read.
fn check_schema(line: &str) -> Result<(), LogError> {
    let value: Option<serde_json::Value> = serde_json::from_str(line).ok();
    let schema = value
        .as_ref()
        .and_then(|value| value.get("schema")?.as_u64());
    match schema {
        Some(schema) if schema != u64::from(SCHEMA) => Err(LogError::Schema(schema)),
        _ => Ok(()),
    }
}
