//! A recorded playback: which macro each agent ran when, and the primitive of each tick.

use std::fmt;

use brigade::task::step::Status;
use serde_json::Value;

use crate::conformance::kitchen::{AGENTS, Kitchen};

/// A macro from its start to the timestamp of its label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) agent: usize,
    /// The tick at which it was started.
    pub(crate) start: usize,
    /// The published timestamp of its label.
    pub(crate) stamp: usize,
    /// The macro, which is also its label, without spaces.
    pub(crate) call: String,
}

/// A recorded playback.
///
/// As text: the order, each agent's primitives, then the runs, `chef 5-7 pickup(egg,counter)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Playback {
    pub(crate) order: String,
    pub(crate) primitives: [String; 2],
    pub(crate) runs: Vec<Run>,
}

impl Playback {
    /// From the published JSON.
    pub(crate) fn recorded(entry: &Value) -> Self {
        let mut primitives = [String::new(), String::new()];
        let mut runs = Vec::new();
        let mut running = [None, None];
        for row in entry["low_level"].as_array().unwrap() {
            let tick = row[0].as_u64().unwrap() as usize;
            for agent in 0..2 {
                primitives[agent].push(match row[1][agent].as_str().unwrap() {
                    "stay" => '.',
                    "interact" => 'I',
                    direction => direction.chars().next().unwrap(),
                });
                let call = row[2][agent].as_str().map(|call| call.replace(' ', ""));
                let call = call.filter(|call| !call.starts_with("wait"));
                if call != running[agent]
                    && let Some(call) = &call
                {
                    runs.push(Run {
                        agent,
                        start: tick,
                        stamp: 0,
                        call: call.clone(),
                    });
                }
                running[agent] = call;
            }
        }
        for agent in 0..2 {
            let log = entry["log"][agent].as_array().unwrap();
            let own: Vec<_> = runs.iter_mut().filter(|run| run.agent == agent).collect();
            assert_eq!(own.len(), log.len());
            for (run, logged) in own.into_iter().zip(log) {
                assert_eq!(
                    run.call,
                    logged["action"].as_str().unwrap().replace(' ', "")
                );
                run.stamp = logged["timestamp"].as_u64().unwrap() as usize;
            }
        }
        Self {
            order: entry["order"].as_str().unwrap().to_owned(),
            primitives,
            runs,
        }
    }

    /// From text.
    pub(crate) fn parse(text: &str) -> Self {
        let mut lines = text.lines();
        let order = lines.next().unwrap().to_owned();
        let primitives = AGENTS.map(|name| {
            let line = lines.next().unwrap().strip_prefix(name).unwrap();
            line.trim().to_owned()
        });
        let run = |line: &str| {
            let (agent, rest) = line.split_once(' ').unwrap();
            let (span, call) = rest.split_once(' ').unwrap();
            let (start, stamp) = span.split_once('-').unwrap();
            Run {
                agent: AGENTS.iter().position(|name| *name == agent).unwrap(),
                start: start.parse().unwrap(),
                stamp: stamp.parse().unwrap(),
                call: call.to_owned(),
            }
        };
        Self {
            order,
            primitives,
            runs: lines.map(run).collect(),
        }
    }

    /// Plays it, and asserts that everything happens as recorded.
    pub(crate) fn check(&self, semantics: &str) {
        let mut kitchen = Kitchen::of(&self.order, semantics);
        let steps = self.primitives[0].len();
        while kitchen.status == Status::Running && kitchen.tick < steps {
            let calls = [0, 1].map(|agent| {
                let mut own = self.runs.iter().filter(|run| run.agent == agent);
                let run = own.find(|run| run.start == kitchen.tick)?;
                assert!(!kitchen.is_busy(agent), "{}: {run:?}", self.order);
                Some(run.call.as_str())
            });
            kitchen.step(calls);
        }
        assert_eq!(kitchen.primitives, self.primitives, "{}", self.order);
        for agent in 0..2 {
            let own = self.runs.iter().filter(|run| run.agent == agent);
            let expected: Vec<_> = own
                .map(|run| format!("{} {}", run.stamp, run.call))
                .collect();
            assert_eq!(kitchen.stamped(agent), expected, "{}", self.order);
        }
        assert_eq!(kitchen.status, Status::Goal, "{}", self.order);
        assert_eq!(kitchen.tick, steps, "{}", self.order);
    }
}

impl fmt::Display for Playback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.order)?;
        for (name, primitives) in AGENTS.iter().zip(&self.primitives) {
            writeln!(f, "{name:9} {primitives}")?;
        }
        for run in &self.runs {
            let name = AGENTS[run.agent];
            writeln!(f, "{name} {}-{} {}", run.start, run.stamp, run.call)?;
        }
        Ok(())
    }
}
