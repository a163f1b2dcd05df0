//! The descriptions of states by the published engine, against the words of the imported domain.

use brigade::import::robotouille::Options;
use brigade::task::effect::Record;
use serde_json::Value;

use super::kitchen::{Kitchen, choices, folder, read};

/// A trajectory that the authors recorded for their agents.
const DEMONSTRATION: &str = "demo_trajectories/synchronous_train_0_seed26.json";

#[test]
fn the_recorded_demonstration_is_replayed_with_the_same_words_at_every_step() {
    if folder().is_none() {
        return;
    }
    let demonstration: Value = serde_json::from_str(&read(DEMONSTRATION)).unwrap();
    let environment = demonstration["environment"].to_string();
    let kitchen = Kitchen::import("demonstration", &environment, &Options::default());
    let task = kitchen.compile("upstream", true);
    let mut state = task.initial.clone();
    let lines = |json: &Value| -> Vec<String> {
        let lines = json.as_array().unwrap().iter();
        lines
            .map(|line| line.as_str().unwrap().to_owned())
            .collect()
    };
    let steps = demonstration["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 22);
    for (number, step) in steps.iter().enumerate() {
        let observed = task.observe(&state);
        assert_eq!(observed.facts, lines(&step["observation"]), "step {number}");
        assert_eq!(
            observed.actions,
            lines(&step["valid_actions"]),
            "step {number}"
        );
        assert_eq!(
            observed.goal.as_deref(),
            demonstration["goal_description"].as_str()
        );
        let is_done = |&operator: &_| task.operator(operator).text == step["action"];
        let chosen = choices(&task, &state).into_iter().find(is_done).unwrap();
        assert!(!task.is_goal(&state));
        task.step(&mut state, &[chosen], &mut Record::default())
            .unwrap();
    }
    assert!(task.is_goal(&state));
}
