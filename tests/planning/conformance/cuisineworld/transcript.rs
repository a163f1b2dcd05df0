//! The transcript that the paper prints, of level 9: kept in a form of our own, `tests/data/cuisineworld`, so
//! that it is replayed where the recordings are not at hand. Each step is a line of commands, the commands
//! that were refused with the reason, and the facts after it.
//!
//! `BRIGADE_WRITE_FIXTURES` writes it anew from the recordings.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde::Deserialize;

use super::kitchen::{Kitchen, command, order_fact, orders};
use super::published::{draws, folder};
use crate::conformance::kitchen::root;

const LEVEL: u32 = 9;

#[derive(Deserialize)]
struct Recording {
    steps: Vec<Printed>,
}

/// A state as it is printed, with the commands that follow, and what was said of those before.
#[derive(Deserialize)]
struct Printed {
    feedback: Vec<Feedback>,
    orders: Vec<(String, i64)>,
    at: BTreeMap<String, String>,
    hold: BTreeMap<String, Option<String>>,
    inside: BTreeMap<String, Option<String>>,
    occupy: Vec<String>,
    #[serde(default)]
    actions: Vec<String>,
}

#[derive(Deserialize)]
struct Feedback {
    code: String,
}

fn fixture(name: &str) -> PathBuf {
    root().join("tests/data/cuisineworld").join(name)
}

fn stored(name: &str) -> String {
    let path = fixture(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

impl Printed {
    fn facts(&self) -> Vec<String> {
        let at = self.at.iter();
        let mut facts: Vec<String> = at
            .map(|(agent, place)| format!("(= (at {agent}) {place})"))
            .collect();
        for (agent, item) in &self.hold {
            facts.extend(
                item.iter()
                    .map(|item| format!("(= (holds {agent}) {item})")),
            );
        }
        for (tool, content) in &self.inside {
            let content = content.iter().flat_map(|content| content.split('&'));
            facts.extend(content.map(|item| format!("(in {tool} {item})")));
        }
        facts.extend(self.occupy.iter().map(|tool| format!("(busy {tool})")));
        let open = self.orders.iter();
        facts.extend(open.map(|(dish, left)| order_fact(dish, *left)));
        facts.sort();
        facts
    }
}

/// Returns the printed facts of a state, without the remaining time of a tool, and without whether it can be emptied.
fn printed(kitchen: &Kitchen) -> Vec<String> {
    let facts = kitchen.facts().into_iter();
    let mut facts: Vec<String> = facts
        .filter(|fact| !fact.starts_with("(done "))
        .map(|fact| match fact.strip_prefix("(= (busy ") {
            Some(tool) => format!("(busy {})", tool.split(')').next().unwrap()),
            None => fact,
        })
        .collect();
    facts.sort();
    facts
}

fn block(commands: &[String], refused: &[String], facts: &[String]) -> String {
    let mut text = format!("> {}\n", commands.join(" "));
    text.extend(refused.iter().map(|code| format!("! {code}\n")));
    text.extend(facts.iter().map(|fact| format!("  {fact}\n")));
    text
}

/// Plays the commands of a transcript, and writes it anew.
fn replayed(transcript: &str, stream: &str) -> String {
    let mut kitchen = Kitchen::new(LEVEL, stream);
    let mut text = String::new();
    for line in transcript.lines().filter_map(|line| line.strip_prefix('>')) {
        let published: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        if published.is_empty() {
            text += &block(&[], &[], &printed(&kitchen));
            continue;
        }
        let mut commands = vec![String::new(); kitchen.task.agents.len()];
        for one in &published {
            let (agent, command) = command(one);
            commands[agent] = command;
        }
        let refusals = kitchen.step(&commands).into_iter().flatten();
        let first: Vec<String> = refusals.map(|reasons| reasons[0].clone()).collect();
        text += &block(&published, &first, &printed(&kitchen));
    }
    text
}

/// The published transcript in this form.
fn published() -> Option<String> {
    let text = fs::read_to_string(folder()?.join("paper_trace_level9.json")).unwrap();
    let Recording { steps } = serde_json::from_str(&text).unwrap();
    let mut text = block(&[], &[], &steps[0].facts());
    for pair in steps.windows(2) {
        let refused: Vec<String> = pair[1].feedback.iter().map(|it| it.code.clone()).collect();
        text += &block(&pair[0].actions, &refused, &pair[1].facts());
    }
    Some(text)
}

#[test]
fn the_printed_transcript_is_replayed_state_by_state() {
    let (transcript, stream) = (stored("transcript.txt"), stored("orders.pddl"));
    assert_eq!(transcript.matches('>').count(), 20);
    assert_eq!(replayed(&transcript, &stream), transcript);
}

#[test]
fn the_stored_transcript_is_the_published_one() {
    let (Some(published), Some(draws)) = (published(), draws()) else {
        return;
    };
    let drawn = orders(LEVEL, draws, (1.0, 2, 0));
    if std::env::var_os("BRIGADE_WRITE_FIXTURES").is_some() {
        fs::write(fixture("transcript.txt"), &published).unwrap();
        fs::write(fixture("orders.pddl"), &drawn).unwrap();
    }
    assert_eq!(stored("transcript.txt"), published);
    assert_eq!(stored("orders.pddl"), drawn);
}
