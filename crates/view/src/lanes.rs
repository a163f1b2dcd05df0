//! The lanes of a timeline: actions of agents, facts of objects, live delayed effects.
//!
//! Everything is read from what a log records: the choices of each timestep, and the facts that it adds and removes.

use std::collections::{BTreeMap, BTreeSet};

use brigade_play::episode::Step;
use serde::Serialize;

use crate::facts::Fact;

/// A row of a timeline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Lane {
    /// The kind of its subject.
    pub kind: Kind,
    /// The agent, the object, or the text of the delayed effect.
    pub name: String,
    /// Its pieces, in order; they do not overlap.
    pub spans: Vec<Span>,
}

/// The subject of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The actions of an agent.
    Agent,
    /// The facts of an object.
    Object,
    /// A delayed effect, while it is live.
    Timer,
}

/// A piece of a lane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Span {
    /// Its first tick.
    pub from: u32,
    /// The tick after its last one.
    pub to: u32,
    /// The action, or the facts.
    pub text: String,
    /// The kind of piece.
    pub mark: Mark,
}

/// The kind of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// An action, with the timesteps in which it goes on.
    Act,
    /// The agent waits.
    Wait,
    /// The facts of an object.
    State,
    /// A live delayed effect.
    Timer,
}

/// The operators of the kernel, which stand in logs beside those of the domain.
const WAIT: &str = "wait";
const CONTINUE: &str = "continue";

/// The lanes of an episode: of agents in turn order, of delayed effects, of the objects that change most.
///
/// `effects` has the texts of delayed effects by their name in facts, such as `timer 5`; others keep that name.
pub fn lanes(
    agents: &[&str],
    initial: &[String],
    steps: &[&Step],
    effects: &BTreeMap<String, String>,
) -> Vec<Lane> {
    let mut lanes: Vec<Lane> = agents.iter().map(|agent| of_agent(agent, steps)).collect();
    let history = History::new(initial, steps);
    lanes.extend(history.timers(effects));
    lanes.extend(history.objects(agents));
    lanes
}

/// The lane of an agent. An action that goes on over several timesteps is one piece, and so are waits in a row.
fn of_agent(agent: &str, steps: &[&Step]) -> Lane {
    let mut spans: Vec<Span> = Vec::new();
    for step in steps {
        let Some(choice) = step.choices.iter().find(|choice| choice.agent == agent) else {
            continue;
        };
        let (from, to) = (step.tick, step.tick + 1);
        let waits = choice.action == WAIT;
        if let Some(last) = spans.last_mut()
            && last.to == from
            && (choice.action == CONTINUE || waits && last.mark == Mark::Wait)
        {
            last.to = to;
            continue;
        }
        spans.push(Span {
            from,
            to,
            text: without_agent(&choice.action, agent),
            mark: if waits { Mark::Wait } else { Mark::Act },
        });
    }
    Lane {
        kind: Kind::Agent,
        name: agent.to_owned(),
        spans,
    }
}

/// The name of an operator without the agent, whose lane says it.
fn without_agent(action: &str, agent: &str) -> String {
    let mut words = action.split(' ');
    let schema = words.next().unwrap_or_default();
    let objects = words.filter(|word| *word != agent);
    std::iter::once(schema)
        .chain(objects)
        .collect::<Vec<_>>()
        .join(" ")
}

/// A fact and the ticks in which it holds.
struct Held {
    fact: Fact,
    from: u32,
    to: u32,
}

impl Fact {
    /// The object that it is about first.
    fn subject(&self) -> Option<&str> {
        let arguments = self.words.len() - usize::from(self.has_value);
        (arguments > 1).then(|| &*self.words[1])
    }

    fn is_timer(&self) -> bool {
        self.has_value && self.words[0] == "timer"
    }

    /// Facts of the kernel's own counting.
    fn is_internal(&self) -> bool {
        self.has_value && matches!(&*self.words[0], "timer" | "counter" | "live" | "activity")
    }

    fn mentions(&self, object: &str) -> bool {
        self.words[1..].iter().any(|word| word == object)
    }

    /// The fact as it is read on the lane of an object.
    fn on_lane_of(&self, object: &str) -> String {
        let others: Vec<&str> = self.words[1..]
            .iter()
            .map(String::as_str)
            .filter(|word| *word != object)
            .collect();
        let is_value = self.has_value && self.words.last().is_some_and(|value| value == object);
        match (others.is_empty(), is_value) {
            (true, _) => self.words[0].clone(),
            (false, false) if self.has_value => format!("{}: {}", self.words[0], others.join(" ")),
            (false, _) => format!("{} {}", self.words[0], others.join(" ")),
        }
    }
}

/// All facts that change, with the times in which they hold.
struct History {
    held: Vec<Held>,
    /// The ticks that pass.
    end: u32,
}

impl History {
    fn new(initial: &[String], steps: &[&Step]) -> Self {
        let changing: BTreeSet<&str> = steps
            .iter()
            .flat_map(|step| step.added.iter().chain(&step.removed))
            .map(String::as_str)
            .collect();
        let mut since: BTreeMap<&str, u32> = initial
            .iter()
            .map(String::as_str)
            .filter(|fact| changing.contains(fact))
            .map(|fact| (fact, 0))
            .collect();
        let end = steps.last().map_or(0, |step| step.tick + 1);
        let mut held = Vec::new();
        let mut close = |text: &str, from: u32, to: u32| {
            held.push(Held {
                fact: Fact::read(text),
                from,
                to,
            });
        };
        for step in steps {
            let now = step.tick + 1;
            for fact in &step.removed {
                if let Some(from) = since.remove(&**fact) {
                    close(fact, from, now);
                }
            }
            for fact in &step.added {
                since.insert(fact, now);
            }
        }
        // A fact of the last state holds for a tick more, so that it is seen.
        for (fact, from) in since {
            close(fact, from, end + 1);
        }
        Self { held, end }
    }

    /// A lane for each delayed effect that was live.
    fn timers(&self, effects: &BTreeMap<String, String>) -> Vec<Lane> {
        let mut lanes: BTreeMap<String, Vec<(u32, u32)>> = BTreeMap::new();
        for held in self.held.iter().filter(|held| held.fact.is_timer()) {
            let name = format!("timer {}", held.fact.words[1]);
            lanes.entry(name).or_default().push((held.from, held.to));
        }
        let lane = |(name, mut times): (String, Vec<(u32, u32)>)| {
            times.sort_unstable();
            let text = effects.get(&name).unwrap_or(&name).clone();
            let mut spans: Vec<Span> = Vec::new();
            for (from, to) in times {
                match spans.last_mut() {
                    Some(last) if last.to >= from => last.to = last.to.max(to),
                    _ => spans.push(Span {
                        from,
                        to,
                        text: text.clone(),
                        mark: Mark::Timer,
                    }),
                }
            }
            Lane {
                kind: Kind::Timer,
                name: text,
                spans,
            }
        };
        lanes.into_iter().map(lane).collect()
    }

    /// A lane for each object that changing facts are about, those that change most first.
    fn objects(&self, agents: &[&str]) -> Vec<Lane> {
        let facts = || self.held.iter().filter(|held| !held.fact.is_internal());
        let subjects: BTreeSet<&str> = facts().filter_map(|held| held.fact.subject()).collect();
        let mut lanes: Vec<Lane> = subjects
            .into_iter()
            .filter(|object| !agents.contains(object))
            .map(|object| self.object(object))
            .collect();
        lanes.sort_by_key(|lane| std::cmp::Reverse(lane.spans.len()));
        lanes
    }

    fn object(&self, object: &str) -> Lane {
        let about: Vec<&Held> = self
            .held
            .iter()
            .filter(|held| !held.fact.is_internal() && held.fact.mentions(object))
            .collect();
        let mut times: Vec<u32> = about
            .iter()
            .flat_map(|held| [held.from, held.to])
            .chain([0, self.end + 1])
            .collect();
        times.sort_unstable();
        times.dedup();
        let mut spans: Vec<Span> = Vec::new();
        for pair in times.windows(2) {
            let holding = about
                .iter()
                .filter(|held| held.from <= pair[0] && pair[1] <= held.to);
            let mut texts: Vec<String> = holding.map(|held| held.fact.on_lane_of(object)).collect();
            texts.sort_unstable();
            if texts.is_empty() {
                continue;
            }
            spans.push(Span {
                from: pair[0],
                to: pair[1],
                text: texts.join(", "),
                mark: Mark::State,
            });
        }
        Lane {
            kind: Kind::Object,
            name: object.to_owned(),
            spans,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use brigade_play::episode::Step;
    use serde_json::json;

    use super::{Kind, Lane, lanes};

    fn step(tick: u32, action: &str, added: &[&str], removed: &[&str]) -> Step {
        let step = json!({
            "tick": tick, "choices": [{"agent": "chef", "action": action}], "labels": [],
            "added": added, "removed": removed, "cost": 0, "status": "running",
        });
        serde_json::from_value(step).unwrap()
    }

    /// The lanes of a short episode, one a line.
    fn drawn(initial: &[&str], steps: &[Step], effects: &[(&str, &str)]) -> Vec<String> {
        let initial: Vec<String> = initial.iter().map(|&fact| fact.to_owned()).collect();
        let steps: Vec<&Step> = steps.iter().collect();
        let effects: BTreeMap<String, String> = effects
            .iter()
            .map(|&(name, text)| (name.to_owned(), text.to_owned()))
            .collect();
        let line = |lane: Lane| {
            let spans = lane.spans.iter();
            let spans = spans.map(|span| format!("{}-{} {}", span.from, span.to, span.text));
            let kind = match lane.kind {
                Kind::Agent => "agent",
                Kind::Object => "object",
                Kind::Timer => "timer",
            };
            format!(
                "{kind} {}: {}",
                lane.name,
                spans.collect::<Vec<_>>().join("; ")
            )
        };
        lanes(&["chef"], &initial, &steps, &effects)
            .into_iter()
            .map(line)
            .collect()
    }

    #[test]
    fn an_action_that_goes_on_and_waits_in_a_row_are_one_piece_each() {
        let steps = [
            step(0, "cut chef egg", &[], &[]),
            step(1, "continue", &[], &[]),
            step(2, "wait", &[], &[]),
            step(3, "wait", &[], &[]),
        ];
        assert_eq!(
            drawn(&[], &steps, &[]),
            ["agent chef: 0-2 cut egg; 2-4 wait"]
        );
    }

    #[test]
    fn an_object_shows_the_facts_that_change_from_both_sides() {
        let steps = [
            step(
                0,
                "put chef egg pot",
                &["(= (in pot) egg)"],
                &["(on egg table)"],
            ),
            step(1, "wait", &["(boiled egg)"], &[]),
        ];
        assert_eq!(
            drawn(&["(on egg table)", "(hot pot)"], &steps, &[])[1..],
            [
                "object egg: 0-1 on table; 1-2 in pot; 2-3 boiled, in pot",
                "object pot: 1-3 in: egg"
            ]
        );
    }

    #[test]
    fn a_delayed_effect_has_a_lane_while_it_is_live() {
        let steps = [
            step(0, "heat chef pot", &["(= (timer 5) 2)"], &[]),
            step(1, "wait", &["(= (timer 5) 1)"], &["(= (timer 5) 2)"]),
            step(2, "wait", &[], &["(= (timer 5) 1)"]),
        ];
        assert_eq!(
            drawn(&[], &steps, &[("timer 5", "(after 2 (boiled egg))")])[1],
            "timer (after 2 (boiled egg)): 1-3 (after 2 (boiled egg))"
        );
    }
}
