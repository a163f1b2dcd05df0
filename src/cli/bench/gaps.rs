//! Lines that a log lacks: figures are read from its lines, and those that are gone would make them smaller.

use std::collections::{BTreeMap, BTreeSet};

use crate::episode::{Event, Log};

/// The module that asks for lessons, of which no decision counts the questions.
const REFLECTION: &str = "reflection";

/// The module whose questions count for the decision of their agent, if that has begun one.
const COMMUNICATOR: &str = "communicator";

/// The questions of one timestep.
#[derive(Clone, Copy, Debug, Default)]
struct Questions {
    /// The number that its decisions give.
    counted: usize,
    /// The number of questions that the log holds.
    logged: usize,
    /// Of these, those that no decision needs to count.
    free: usize,
}

/// Finds what a log lacks of its questions and decisions, if it does; `asks` says which agents
/// ask a model.
pub(super) fn gap(log: &Log, asks: impl Fn(&str) -> bool) -> Option<String> {
    let mut decided: BTreeSet<(u32, &str)> = BTreeSet::new();
    let mut begun: BTreeSet<(u32, &str)> = BTreeSet::new();
    let mut questions: BTreeMap<u32, Questions> = BTreeMap::new();
    for event in &log.events {
        match event {
            Event::Call(call) if call.module != REFLECTION => {
                let of_tick = questions.entry(call.tick).or_default();
                of_tick.logged += 1;
                let place = (call.tick, call.agent.as_str());
                if call.module != COMMUNICATOR {
                    begun.insert(place);
                }
                of_tick.free += usize::from(!begun.contains(&place));
            }
            Event::Decision(decision) => {
                decided.insert((decision.tick, &decision.agent));
                questions.entry(decision.tick).or_default().counted += decision.calls as usize;
            }
            _ => {}
        }
    }
    for step in log.steps() {
        let tick = step.tick;
        let acted = step.choices.iter().filter(|choice| {
            (choice.command.is_some() || choice.refused > 0) && asks(&choice.agent)
        });
        for choice in acted {
            if !decided.contains(&(tick, &choice.agent)) {
                let whose = match choice.agent.as_str() {
                    "" => String::new(),
                    agent => format!(" of `{agent}`"),
                };
                return Some(format!("there is no decision{whose} in tick {tick}"));
            }
        }
    }
    let wrong = questions.iter().find(|(_, of_tick)| {
        let needed = of_tick.logged - of_tick.free;
        !(needed..=of_tick.logged).contains(&of_tick.counted)
    });
    wrong.map(|(tick, of_tick)| {
        format!(
            "tick {tick} has {} questions, and its decisions count {}",
            of_tick.logged, of_tick.counted
        )
    })
}
