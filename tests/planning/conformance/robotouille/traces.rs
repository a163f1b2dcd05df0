//! The recorded traces, replayed step by step: what can be done, what it changes, which effects are
//! live, in which order and how far, and whether the goal holds.

use std::fs::File;
use std::io::{BufRead, BufReader};

use brigade::import::robotouille::{Options, Turns};
use brigade::task::effect::Record;
use brigade::task::facts::changes;
use brigade::task::{PackedTask, State};
use flate2::read::GzDecoder;
use serde_json::Value;

use super::kitchen::{choices, folder, kitchen};

/// After how many ticks a delayed effect is due.
const DELAY: u64 = 4;

/// At which execution a repetitive effect happens.
const REPETITIONS: u32 = 3;

/// More than any trace creates.
const POOL: u32 = 3;

fn strings(json: &Value) -> Vec<String> {
    let items = json.as_array().unwrap().iter();
    items
        .map(|item| item.as_str().unwrap().to_owned())
        .collect()
}

/// `(item_at bread1 table1)` as `item_at(bread1,table1)`.
fn published(fact: &str) -> String {
    let inner = fact.trim_matches(['(', ')']);
    let (name, args) = inner.split_once(' ').unwrap_or((inner, ""));
    format!("{name}({})", args.replace(' ', ","))
}

/// Facts of the published state: not the pools, not the live effects.
fn published_facts(facts: Vec<String>) -> Vec<String> {
    let own = |fact: &String| fact.starts_with("(= ") || fact.starts_with("(free-");
    let mut facts: Vec<String> = facts
        .into_iter()
        .filter(|fact| !own(fact))
        .map(|fact| published(&fact))
        .collect();
    facts.sort();
    facts
}

/// The live effects of a recorded step: what each is, of what, whether it is over, and how far it or
/// what is nested in it has come.
fn recorded_effects(json: &Value) -> Vec<String> {
    let effects = json.as_array().unwrap().iter();
    effects
        .map(|effect| {
            let progress = match effect["type"].as_str().unwrap() {
                "ConditionalEffect" => {
                    let nested = effect["sfx"].as_array().into_iter().flatten();
                    let left = nested.map(|nested| DELAY - nested["t"].as_u64().unwrap());
                    format!("maintain {:?}", left.collect::<Vec<_>>())
                }
                "RepetitiveEffect" => format!("on-nth {}", effect["r"]),
                other => panic!("{other} on the top level"),
            };
            let is_over = effect["completed"].as_bool().unwrap();
            format!("{progress} {} {is_over}", effect["arg"].as_str().unwrap())
        })
        .collect()
}

/// The same of a state. `args` are the objects that the recorded effects are of.
fn live_effects(task: &PackedTask, state: &State, args: &[&str]) -> Vec<String> {
    let Some(live) = &task.live else {
        return Vec::new();
    };
    let places = live.places.iter();
    let members = places.map(|place| task.variables[place.index()].get(state));
    let members = members.take_while(|&member| member > 0);
    members
        .zip(args)
        .map(|(member, arg)| {
            let timers = &live.members[member as usize - 1];
            let value = |timer: u32| {
                let timer = &task.timers[timer as usize];
                task.variables[timer.variable.index()].get(state)
            };
            let name = &task.timers[timers[0] as usize].name;
            let arg = if name.contains(arg) {
                arg
            } else {
                name.as_str()
            };
            let first = value(timers[0]);
            if name.starts_with("(on-nth") {
                return format!("on-nth {first} {arg} {}", first == REPETITIONS);
            }
            let left: Vec<u32> = timers[1..].iter().map(|&timer| value(timer)).collect();
            // One without parts that is over has a value of its own until it leaves.
            let is_over = if left.is_empty() {
                first == 2
            } else {
                first == 0
            };
            format!("maintain {left:?} {arg} {is_over}")
        })
        .collect()
}

/// Replays one trace.
fn replay(lines: &[Value]) {
    let [header, start, steps @ ..] = lines else {
        panic!("a trace has a header and a start");
    };
    let environment = header["environment"].as_str().unwrap();
    let options = Options {
        turns: Some(Turns::Any),
        pool: Some(POOL),
    };
    let kitchen = kitchen(environment, &options);
    assert_eq!(
        kitchen.initial_facts(),
        strings(&start["true"]),
        "{environment}"
    );
    super::goals::check(&kitchen, &header["goal"]);
    let task = kitchen.compile("upstream", true);
    let mut state = task.initial.clone();
    for step in steps {
        let place = format!("{environment}, step {}", step["i"]);
        let choices = choices(&task, &state);
        let mut texts: Vec<&str> = choices
            .iter()
            .map(|&choice| task.operator(choice).text.as_str())
            .collect();
        texts.sort_unstable();
        assert_eq!(texts, strings(&step["valid"]), "{place}");
        let action = step["action"].as_str().unwrap();
        let args = kitchen.parameters(action).into_iter();
        let args = args.map(|param| step["args"][&param].as_str().unwrap().to_owned());
        let words: Vec<String> = std::iter::once(action.to_owned()).chain(args).collect();
        let name = words.join(" ");
        let chosen = choices
            .iter()
            .find(|&&choice| task.operator(choice).name == name)
            .unwrap_or_else(|| panic!("{place}: {name} cannot be chosen"));
        assert_eq!(task.operator(*chosen).text, step["text"], "{place}");
        let before = state.clone();
        task.step(&mut state, &[*chosen], &mut Record::default())
            .unwrap();
        let (added, removed) = changes(&task, &before, &state);
        assert_eq!(published_facts(added), strings(&step["add"]), "{place}");
        assert_eq!(published_facts(removed), strings(&step["dele"]), "{place}");
        let recorded = step["sfx"].as_array().unwrap().iter();
        let args: Vec<&str> = recorded
            .map(|effect| effect["arg"].as_str().unwrap())
            .collect();
        let live = live_effects(&task, &state, &args);
        assert_eq!(live, recorded_effects(&step["sfx"]), "{place}");
        assert_eq!(
            task.is_goal(&state),
            step["done"].as_bool().unwrap(),
            "{place}"
        );
    }
}

#[test]
fn every_recorded_trace_is_replayed_under_upstream_semantics() {
    let Some(folder) = folder() else {
        return;
    };
    let mut paths: Vec<_> = std::fs::read_dir(folder.join("golden_traces"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    assert_eq!(paths.len(), 12);
    for path in paths {
        let text = BufReader::new(GzDecoder::new(File::open(path).unwrap()));
        let lines: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
            .collect();
        assert_eq!(lines.len(), 152);
        replay(&lines);
    }
}
