//! The recordings of six levels, state by state, with what was refused and why.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader};

use brigade::generate::orders::Recorded;
use flate2::read::GzDecoder;
use serde::Deserialize;

use super::kitchen::{Kitchen, Refused, command, order_fact, orders};
use super::published::{draws, folder};

#[derive(Deserialize)]
struct Recording {
    alpha: f64,
    num_agents: usize,
    episodes: Vec<Episode>,
}

#[derive(Deserialize)]
struct Episode {
    init: State,
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Step {
    /// Commands, and whether each was done.
    a: Vec<String>,
    ok: Vec<bool>,
    fb: Vec<Feedback>,
    s: State,
}

#[derive(Clone, Deserialize)]
struct Feedback {
    code: String,
    agent: Option<String>,
    location: Option<String>,
}

#[derive(Deserialize)]
struct State {
    orders: Vec<(String, i64)>,
    agents: Vec<Cook>,
    tools: BTreeMap<String, Tool>,
    success: i64,
    failed: i64,
}

#[derive(Deserialize)]
struct Cook {
    at: String,
    hold: Option<String>,
}

#[derive(Deserialize)]
struct Tool {
    content: Option<String>,
    occ: u32,
    pickable: bool,
}

impl State {
    /// In the words of the domain.
    fn facts(&self) -> Vec<String> {
        let mut facts = Vec::new();
        for (agent, cook) in self.agents.iter().enumerate() {
            facts.push(format!("(= (at agent{agent}) {})", cook.at));
            let held = cook.hold.iter();
            facts.extend(held.map(|item| format!("(= (holds agent{agent}) {item})")));
        }
        for (name, tool) in &self.tools {
            let content = tool.content.iter().flat_map(|content| content.split('&'));
            if name.starts_with("servingtable") {
                let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
                content.for_each(|dish| *counts.entry(dish).or_default() += 1);
                let counted = counts.into_iter();
                facts.extend(counted.map(|(dish, count)| format!("(= (on-table {dish}) {count})")));
                continue;
            }
            facts.extend(content.map(|item| format!("(in {name} {item})")));
            if tool.occ > 0 {
                facts.push(format!("(= (busy {name}) {})", tool.occ));
            }
            if tool.pickable && !name.starts_with("storage") && !name.starts_with("chopboard") {
                facts.push(format!("(done {name})"));
            }
        }
        let open = self.orders.iter();
        facts.extend(open.map(|(dish, left)| order_fact(dish, *left)));
        facts.sort();
        facts
    }
}

/// The counts of the comparison.
#[derive(Debug, Default, PartialEq, Eq)]
struct Compared {
    episodes: usize,
    states: usize,
    /// Refused commands, also those that can never be given in that kitchen.
    refused: usize,
}

/// The codes that were published of one refused command: the first, and what a full or empty tool adds.
fn codes(feedback: &[Feedback]) -> Vec<&str> {
    let mut codes = feedback.iter().map(|it| &*it.code);
    let first = codes.next().unwrap();
    let added = match first {
        "activate_hands_full" => Some("activate_empty"),
        "put_hands_empty" => Some("tool_full"),
        _ => None,
    };
    let added = codes.next().filter(|code| Some(*code) == added);
    std::iter::once(first).chain(added).collect()
}

/// Compares what was refused in a step, and why: the published engine says the first reason, and at times a
/// second.
fn compare_refusals(step: &Step, refusals: &[Refused], place: &str, compared: &mut Compared) {
    let mut feedback: Vec<Feedback> = step.fb.clone();
    feedback.retain(|it| it.code != "all_noop");
    let mut rest = &feedback[..];
    for (published, is_done) in step.a.iter().zip(&step.ok) {
        let (agent, _) = command(published);
        let refused = &refusals[agent];
        assert_eq!(refused.is_none(), *is_done, "{place}: {published}");
        let Some(reasons) = refused else { continue };
        let first = &rest[0];
        let is_of = |named: &Option<String>| {
            let words = || published.split('_');
            named
                .as_ref()
                .is_none_or(|named| words().any(|it| it == named))
        };
        assert!(
            is_of(&first.agent) && is_of(&first.location),
            "{place}: {published}"
        );
        let codes = codes(rest);
        rest = &rest[codes.len()..];
        assert!(!reasons.is_empty(), "{place}: {published}");
        compared.refused += 1;
        assert_eq!(codes[0], reasons[0], "{place}: {published}");
        let ours: BTreeSet<&str> = reasons.iter().map(String::as_str).collect();
        assert!(
            codes.iter().all(|code| ours.contains(code)),
            "{place}: {published}"
        );
    }
    assert!(rest.is_empty(), "{place}");
}

fn replay(level: u32, recording: &Recording, draws: &Recorded, compared: &mut Compared) {
    let Recording {
        alpha,
        num_agents,
        episodes,
    } = recording;
    for (number, episode) in episodes.iter().enumerate() {
        let what = (*alpha, *num_agents, number as u32);
        let mut kitchen = Kitchen::new(level, &orders(level, draws.clone(), what));
        assert_eq!(
            kitchen.facts(),
            episode.init.facts(),
            "level {level}, {what:?}"
        );
        for (at, step) in episode.steps.iter().enumerate() {
            let place = format!("level {level}, {what:?}, step {at}");
            let mut commands = vec![String::new(); *num_agents];
            for published in &step.a {
                let (agent, command) = command(published);
                commands[agent] = command;
            }
            let refusals = kitchen.step(&commands);
            assert_eq!(kitchen.facts(), step.s.facts(), "{place}");
            let (success, failed) = (
                step.s.success - episode.init.success,
                step.s.failed - episode.init.failed,
            );
            assert_eq!(kitchen.counts, 1000 * success + failed, "{place}");
            compare_refusals(step, &refusals, &place, compared);
            compared.states += 1;
        }
        compared.episodes += 1;
    }
}

/// Replays all that was recorded of a level.
fn check(level: u32, refused: usize) {
    let (Some(folder), Some(draws)) = (folder(), draws()) else {
        return;
    };
    let path = folder.join(format!("golden/level_{level}.jsonl.gz"));
    let lines = BufReader::new(GzDecoder::new(File::open(path).unwrap())).lines();
    let mut compared = Compared::default();
    for line in lines {
        let recording: Recording = serde_json::from_str(&line.unwrap()).unwrap();
        replay(level, &recording, &draws, &mut compared);
    }
    let expected = Compared {
        episodes: 80,
        states: 4800,
        refused,
    };
    assert_eq!(compared, expected);
}

#[test]
fn level_0_is_replayed_state_by_state() {
    check(0, 1492);
}

#[test]
fn level_2_is_replayed_state_by_state() {
    check(2, 1517);
}

#[test]
fn level_5_is_replayed_state_by_state() {
    check(5, 2425);
}

#[test]
fn level_7_is_replayed_state_by_state() {
    check(7, 1897);
}

#[test]
fn level_9_is_replayed_state_by_state() {
    check(9, 1735);
}

#[test]
fn level_12_is_replayed_state_by_state() {
    check(12, 2132);
}
