//! The rule `upstream` against the recorded Collab-Overcooked episodes.
//!
//! The data is in the folder that `BRIGADE_UPSTREAM` names.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use brigade::score::actions::Utensil;
use brigade::score::episode_log::parse_episodes;
use brigade::score::options::{
    Quotes, RepeatedRequests, ResponsePlan, ShareOf, Success, UnknownActions,
};
use brigade::score::recorded::differences;
use brigade::score::tes::{Arithmetic, EmptyHistory, MatchCounts, Matching};
use brigade::score::upstream::{PUBLISHED_GAMMA, published_time};
use brigade::score::{
    ActionSpace, Kitchen, Options, RecordedEpisode, ReferenceSet, Report, TaskContext,
    score_episode,
};
use serde_json::Value;

use crate::score::{TOLERANCE, read, snapshot};

/// The folder of recorded Collab-Overcooked data, if the environment names one.
fn recorded_data() -> Option<PathBuf> {
    let folder = std::env::var_os("BRIGADE_UPSTREAM").map(PathBuf::from);
    if folder.is_none() {
        #[expect(clippy::print_stderr, reason = "a test that checks nothing says so")]
        {
            eprintln!(
                "BRIGADE_UPSTREAM is not set: the recorded Collab-Overcooked data is not checked"
            );
        }
    }
    folder.map(|folder| folder.join("collab-overcooked"))
}

fn read_json(path: &Path) -> Value {
    serde_json::from_str(&read(path)).unwrap()
}

fn strings(list: &Value) -> Vec<String> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|item| item.as_str().unwrap().to_owned())
        .collect()
}

/// The kitchen that a published layout describes.
fn kitchen(layout: &Value) -> Kitchen {
    let utensils = |key: &str| {
        let table = layout[key].as_object().unwrap();
        let utensil = |(name, operation): (&String, &Value)| Utensil {
            name: name.clone(),
            operation: operation.as_str().unwrap().to_owned(),
        };
        table.iter().map(utensil).collect()
    };
    let recipes = layout["recipes"].as_object().unwrap().values();
    Kitchen {
        ingredients: strings(&layout["ingredients"]),
        products: recipes
            .flat_map(|made| made.as_object().unwrap().keys().cloned())
            .collect(),
        chef_utensils: utensils("utensil_agent0"),
        assistant_utensils: utensils("utensil_agent1"),
    }
}

fn recorded_episodes(data: &Path) -> Vec<RecordedEpisode> {
    let mut files: Vec<PathBuf> = fs::read_dir(data.join("episode_logs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let mut episodes: Vec<RecordedEpisode> = files
        .iter()
        .map(|file| RecordedEpisode::parse(&read(file)).unwrap())
        .collect();
    let mut text = String::new();
    let packed = fs::File::open(data.join("episode_logs_111.jsonl.gz")).unwrap();
    flate2::read::GzDecoder::new(packed)
        .read_to_string(&mut text)
        .unwrap();
    episodes.extend(parse_episodes(&text).unwrap());
    episodes
}

fn reference_files(data: &Path) -> BTreeMap<String, ReferenceSet> {
    let files = fs::read_dir(data.join("rats"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    files
        .map(|file| {
            let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, ReferenceSet::parse(&read(&file)).unwrap())
        })
        .collect()
}

#[test]
fn the_action_space_of_the_published_scorer_follows_from_the_layout() {
    let Some(data) = recorded_data() else { return };
    let derived = ActionSpace::published(&kitchen(&read_json(&data.join("layout/new_env.json"))));
    let golden = read_json(&data.join("golden/action_space.json"));
    let listed = ActionSpace::new([strings(&golden["agent_0"]), strings(&golden["agent_1"])]);
    assert_eq!(derived, listed);
    let sizes = [0, 1].map(|agent| derived.actions(agent).count());
    assert_eq!((sizes, derived.union().len()), ([332, 538], 761));
}

#[test]
fn the_published_unit_vectors_are_reproduced() {
    let Some(data) = recorded_data() else { return };
    let options = Options::upstream().tes;
    let vectors = read_json(&data.join("golden/tes_vectors.json"));
    for vector in vectors.as_array().unwrap() {
        let (g, h) = (strings(&vector["g"]), strings(&vector["h"]));
        let counts = MatchCounts::of(&g, &h, &options);
        assert_eq!(
            u64::from(counts.matched),
            vector["D"].as_u64().unwrap(),
            "{}",
            vector["name"]
        );
        for (key, value) in [
            ("recall", counts.recall()),
            ("precision", counts.precision()),
            ("tes", counts.tes(&options)),
            ("tes", counts.exact(options.beta).to_f64()),
        ] {
            let expected = vector[key].as_f64().unwrap();
            assert!(
                (value - expected).abs() <= TOLERANCE,
                "{}: {key} {value}",
                vector["name"]
            );
        }
    }
    assert_eq!(vectors.as_array().unwrap().len(), 13);
}

#[test]
fn every_score_and_event_of_the_121_recorded_episodes_is_reproduced() {
    let Some(data) = recorded_data() else { return };
    let space = ActionSpace::published(&kitchen(&read_json(&data.join("layout/new_env.json"))));
    let references = reference_files(&data);
    let mut events = 0;
    let mut scores = Vec::new();
    for episode in recorded_episodes(&data) {
        let set = &references[&format!("{}_{}", episode.level, episode.order)];
        let task = TaskContext {
            action_space: Some(&space),
            ..TaskContext::new(set)
        };
        let score = score_episode(&episode, &task, &Options::upstream()).unwrap();
        let published = episode.scores.as_ref().unwrap();
        assert_eq!(
            differences(&score, published, TOLERANCE),
            [],
            "{}",
            episode.name()
        );
        // The order of operations is the published one: what is left is how the JSON was read.
        assert_eq!(
            differences(&score, published, f64::EPSILON),
            [],
            "{}",
            episode.name()
        );
        events += published.events.len();

        // No sign of a published event hangs on rounding.
        let mut exact = Options::upstream();
        exact.tes.arithmetic = Arithmetic::Exact;
        let exact = score_episode(&episode, &task, &exact).unwrap();
        assert_eq!(
            differences(&exact, published, TOLERANCE),
            [],
            "{}",
            episode.name()
        );
        scores.push(score);
    }
    assert_eq!((scores.len(), events), (121, 835));

    let report = Report::new(Options::upstream(), scores);
    let task = |name: &str| report.tasks.iter().find(|task| task.order == name).unwrap();
    // Pooled over a task's episodes; published to three and two digits.
    assert!(
        (task("boiled_egg").ic - 0.583).abs() < 5e-4,
        "{}",
        task("boiled_egg").ic
    );
    assert!((task("boiled_egg").rc - 0.708).abs() < 5e-4);
    assert!((task("baked_carrot_soup").sr.unwrap() - 0.83).abs() < 5e-3);
    assert!((task("baked_carrot_soup").ic - 0.420).abs() < 5e-4);
    assert!((task("baked_carrot_soup").rc - 0.740).abs() < 5e-4);
}

/// `upstream` with one option changed, by the option's name and value.
fn single_changes() -> Vec<(&'static str, Options)> {
    let changed = |name, change: fn(&mut Options)| {
        let mut options = Options::upstream();
        change(&mut options);
        (name, options)
    };
    vec![
        changed("matching: common-subsequence", |o| {
            o.tes.matching = Matching::CommonSubsequence;
        }),
        changed("arithmetic: exact", |o| {
            o.tes.arithmetic = Arithmetic::Exact;
        }),
        changed("empty_history: empty", |o| {
            o.tes.empty_history = EmptyHistory::Empty;
        }),
        changed("unknown_actions: keep", |o| {
            o.unknown_actions = UnknownActions::Keep;
        }),
        changed("success: the-order", |o| o.success = Success::TheOrder),
        changed("gamma: 3/2", |o| o.gamma = Some(PUBLISHED_GAMMA)),
        changed("share_of: actions", |o| {
            o.collaboration.share_of = ShareOf::Actions;
        }),
        changed("share_of: required-actions", |o| {
            o.collaboration.share_of = ShareOf::RequiredActions;
        }),
        changed("quotes: any", |o| {
            o.collaboration.dialog.quotes = Quotes::Any;
        }),
        changed("repeated_requests: once", |o| {
            o.collaboration.dialog.repeated_requests = RepeatedRequests::Once;
        }),
        changed("response_plan: last", |o| {
            o.collaboration.dialog.response_plan = ResponsePlan::Last;
        }),
    ]
}

#[test]
fn what_each_option_changes_on_the_recorded_episodes_is_what_the_documentation_says() {
    let Some(data) = recorded_data() else { return };
    let space = ActionSpace::published(&kitchen(&read_json(&data.join("layout/new_env.json"))));
    let references = reference_files(&data);
    let episodes = recorded_episodes(&data);
    let mut lines = vec!["option | success | TES | IC or RC | events".to_owned()];
    for (name, options) in single_changes() {
        let mut counts = [0; 4];
        for episode in &episodes {
            let set = &references[&format!("{}_{}", episode.level, episode.order)];
            let (_, first) = set.iter().next().unwrap();
            let task = TaskContext {
                action_space: Some(&space),
                reference_time: published_time(episode.level),
                required_actions: Some(&[0, first[1].len() as u32]),
                ..TaskContext::new(set)
            };
            let score = score_episode(episode, &task, &options).unwrap();
            let published = episode.scores.as_ref().unwrap();
            let found = differences(&score, published, TOLERANCE);
            let any = |wanted: &[&str]| {
                let of = |field: &str| wanted.iter().any(|name| field.starts_with(name));
                usize::from(found.iter().any(|difference| of(&difference.field)))
            };
            counts[0] += any(&["success"]);
            counts[1] += any(&["tes"]);
            counts[2] += any(&["ic", "rc"]);
            let event = |field: &str| field.split_once("].").map(|(event, _)| event.to_owned());
            let events: BTreeSet<String> = found.iter().filter_map(|d| event(&d.field)).collect();
            counts[3] += events.len();
        }
        let [success, tes, shares, events] = counts;
        lines.push(format!("{name} | {success} | {tes} | {shares} | {events}"));
    }
    snapshot("changes_by_option", &lines);

    let page = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/scores.md"));
    for line in &lines[1..] {
        let (option, counts) = line.split_once(" | ").unwrap();
        let row = format!("| `{option}` | {counts} |");
        assert!(
            page.contains(&row),
            "docs/reference/scores.md lacks this row:\n{row}"
        );
    }
}
