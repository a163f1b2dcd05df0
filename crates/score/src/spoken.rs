//! The requests and answers of an event log.

use brigade_play::episode::{Event, Log, Requested, Responded};

/// The requests and answers of agents, each with its line in the log.
pub(super) struct Spoken<'l> {
    pub(super) requests: Vec<(usize, &'l Requested)>,
    pub(super) responses: Vec<(usize, &'l Responded)>,
}

impl<'l> Spoken<'l> {
    pub(super) fn of(log: &'l Log) -> Self {
        let mut spoken = Self {
            requests: Vec::new(),
            responses: Vec::new(),
        };
        for (line, event) in log.events.iter().enumerate() {
            match event {
                Event::Request(request) => spoken.requests.push((line, request)),
                Event::Response(response) => spoken.responses.push((line, response)),
                _ => {}
            }
        }
        spoken
    }

    /// The first answer to a request, before the same agent asks again in a later timestep.
    pub(super) fn answer(&self, line: usize, request: &Requested) -> Option<&'l Responded> {
        let again = self.requests.iter().find(|(later, other)| {
            *later > line
                && other.tick > request.tick
                && (&other.agent, &other.of) == (&request.agent, &request.of)
        });
        let end = again.map_or(usize::MAX, |(line, _)| *line);
        let mut answers = self.responses.iter();
        let found = answers.find(|(later, answer)| {
            (line..end).contains(later)
                && (&answer.agent, &answer.of) == (&request.of, &request.agent)
        });
        found.map(|(_, answer)| *answer)
    }

    /// The requests that a response answers: those of the last timestep in which there were any.
    pub(super) fn asked(&self, line: usize, answer: &Responded) -> Vec<&'l Requested> {
        let to_it = || {
            self.requests.iter().filter(|(earlier, request)| {
                *earlier < line && (&request.agent, &request.of) == (&answer.of, &answer.agent)
            })
        };
        let last = to_it().map(|(_, request)| request.tick).max();
        let block = to_it().filter(|(_, request)| Some(request.tick) == last);
        block.map(|(_, request)| *request).collect()
    }
}
