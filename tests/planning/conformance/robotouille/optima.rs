//! The published optima of small environments: their plans, replayed, and that no plan is shorter.

use std::fs;

use brigade::import::robotouille::Options;
use brigade::search::{Outcome, SearchOptions, Unlimited, solve};
use brigade::task::PackedTask;
use brigade::task::effect::Record;
use serde_json::Value;

use super::kitchen::{Kitchen, choices, folder, kitchen};

/// Plays actions by their texts, and says after which of them the goal holds for the first time.
fn play<'a>(task: &PackedTask, texts: impl IntoIterator<Item = &'a str>) -> Option<usize> {
    let mut state = task.initial.clone();
    for (played, text) in (1..).zip(texts) {
        let choices = choices(task, &state);
        let chosen = choices
            .iter()
            .find(|&&choice| task.operator(choice).text == text)
            .unwrap_or_else(|| panic!("`{text}` cannot be chosen at step {played}"));
        task.step(&mut state, &[*chosen], &mut Record::default())
            .unwrap();
        if task.is_goal(&state) {
            return Some(played);
        }
    }
    None
}

#[test]
fn the_published_optima_are_proven() {
    let Some(folder) = folder() else {
        return;
    };
    let text = fs::read_to_string(folder.join("optima_examples.json")).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    let optima = document["optima"].as_object().unwrap();
    assert_eq!(optima.len(), 9);
    for (name, entry) in optima {
        let environment = entry["environment"].as_str().unwrap();
        let task = kitchen(environment, &Options::default()).compile("upstream", false);
        let optimal = entry["optimal"].as_u64().unwrap();
        let plan = entry["plan"].as_array().unwrap().iter();
        let plan = plan.map(|text| text.as_str().unwrap());
        assert_eq!(play(&task, plan), Some(optimal as usize), "{name}");
        let result = solve(&task, &SearchOptions::default(), &Unlimited);
        let Outcome::Solved(plan) = result.outcome else {
            panic!("{name} is solved");
        };
        assert_eq!(u64::from(plan.value.makespan), optimal, "{name}");
    }
}

#[test]
fn the_published_demonstration_reaches_its_goal_at_its_last_step() {
    let Some(folder) = folder() else {
        return;
    };
    let path = "demo_trajectories/synchronous_train_0_seed26.json";
    let text = fs::read_to_string(folder.join(path)).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    let environment = document["environment"].to_string();
    let kitchen = Kitchen::import(path, &environment, &Options::default());
    let task = kitchen.compile("upstream", true);
    let steps = document["steps"].as_array().unwrap().iter();
    let actions: Vec<&str> = steps.filter_map(|step| step["action"].as_str()).collect();
    let last = document["steps_to_goal"].as_u64().unwrap() as usize;
    assert_eq!(actions.len(), last);
    assert_eq!(play(&task, actions), Some(last));
}
