//! The recordings of the published engine, replayed from their starts: every state is compared whole, and
//! every reward of every player.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use brigade::import::overcooked::Options;
use flate2::read::GzDecoder;
use serde_json::Value;

use super::episode::{Episode, Seen, Step, action};
use super::kitchen::{Kitchen, imported, problem, upstream};

/// The lines of a compressed file, each JSON.
pub(super) fn lines(path: &Path) -> Vec<Value> {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = BufReader::new(GzDecoder::new(file)).lines();
    lines
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
        .collect()
}

#[test]
fn every_golden_episode_is_replayed_state_by_state() {
    let Some(folder) = upstream("overcooked-ai") else {
        return;
    };
    let mut kitchens: BTreeMap<(String, String), Kitchen> = BTreeMap::new();
    let (mut episodes, mut states, mut rewards) = (0, 0, [0, 0]);
    for layout in [
        "cramped_room",
        "asymmetric_advantages",
        "forced_coordination",
        "cramped_room_tomato",
        "mdp_test",
        "multiplayer_schelling",
    ] {
        for json in lines(&folder.join(format!("golden/{layout}.jsonl.gz"))) {
            let episode = Episode::golden(&json);
            let key = (episode.layout.clone(), episode.semantics.clone());
            let kitchen = kitchens
                .entry(key)
                .or_insert_with(|| Kitchen::new(&problem(layout), &episode.semantics));
            kitchen.restart();
            Seen::short(&json["init"]).check(kitchen, "the start");
            episode.check(kitchen);
            episodes += 1;
            states += episode.steps.len();
            for step in &episode.steps {
                rewards[0] += step.sparse.iter().filter(|&&reward| reward != 0).count();
                rewards[1] += step.shaped.iter().filter(|&&reward| reward != 0).count();
            }
        }
    }
    assert_eq!((episodes, states), (43, 17_900));
    // Of the rewards so many are not 0, sparse and shaped.
    assert_eq!(rewards, [51, 360]);
}

#[test]
fn the_recorded_trajectory_of_the_published_test_is_replayed() {
    let Some(folder) = upstream("overcooked-ai") else {
        return;
    };
    let path = folder.join("mdp_test_expected.json.gz");
    let mut text = String::new();
    let file = File::open(path).unwrap();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let json: Value = serde_json::from_str(&text).unwrap();
    let of = |key: &str| json[key][0].as_array().unwrap().clone();
    let (states, actions, rewards) = (of("ep_states"), of("ep_actions"), of("ep_rewards"));
    let mut kitchen = Kitchen::new(&problem("mdp_test"), "clean");
    Seen::long(&states[0]).check(&kitchen, "the start");
    let steps = states[1..].iter().zip(&actions).zip(&rewards);
    let steps = steps.map(|((state, actions), reward)| Step {
        actions: actions.as_array().unwrap().iter().map(action).collect(),
        seen: Seen::long(state),
        sparse: vec![reward.as_i64().unwrap()],
        shaped: Vec::new(),
    });
    let episode = Episode {
        layout: "mdp_test".to_owned(),
        semantics: "clean".to_owned(),
        steps: steps.collect(),
    };
    assert_eq!(episode.steps.len(), 1_499);
    episode.check(&mut kitchen);
}

#[test]
fn the_games_that_people_played_are_replayed() {
    let Some(folder) = upstream("overcooked-ai") else {
        return;
    };
    let mut transitions = 0;
    for json in lines(&folder.join("human_human_transitions.jsonl.gz")) {
        let layout = json["layout"].as_str().unwrap();
        let text = fs::read_to_string(folder.join(format!("layouts/raw/{layout}.layout"))).unwrap();
        let problem = imported(&text, layout, &Options::default())[0].text();
        let mut kitchen = Kitchen::new(&problem, "clean");
        let rows = json["steps"].as_array().unwrap();
        Seen::long(&rows[0]["state"]).check(&kitchen, "the start");
        let steps = rows.iter().zip(&rows[1..]).map(|(row, next)| Step {
            actions: row["a"].as_array().unwrap().iter().map(action).collect(),
            seen: Seen::long(&next["state"]),
            sparse: vec![row["r"].as_f64().unwrap() as i64],
            shaped: Vec::new(),
        });
        let episode = Episode {
            layout: layout.to_owned(),
            semantics: "clean".to_owned(),
            steps: steps.collect(),
        };
        episode.check(&mut kitchen);
        transitions += episode.steps.len();
    }
    assert_eq!(transitions, 1_186);
}
