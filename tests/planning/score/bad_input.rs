//! Broken logs and references, and episodes that do not fit: each a clear error.

use brigade::score::episode_log::parse_episodes;
use brigade::score::{
    Options, RecordedEpisode, ReferenceSet, ScoreError, TaskContext, score_episode,
};
use serde_json::Value;

use crate::score::{Small, snapshot};

#[test]
fn episodes_that_do_not_fit_the_references_or_the_rule_are_refused() {
    let small = Small::new();
    let mut episode = small.episodes[0].clone();
    episode.total_action_list.push(Vec::new());
    let message = |episode: &RecordedEpisode, task: &TaskContext<'_>, options: &Options| {
        score_episode(episode, task, options)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        message(&episode, &small.task(), &Options::upstream()),
        "the episode records 3 agents, the references describe 2"
    );
    let three =
        ReferenceSet::parse(r#"{"r": {"agent_0": [], "agent_1": [], "agent_2": []}}"#).unwrap();
    let task = TaskContext {
        references: &three,
        ..small.task()
    };
    assert_eq!(
        message(&episode, &task, &Options::upstream()),
        "dialogs are scored between two agents, and this episode has 3"
    );
    episode.dialogs.clear();
    assert_eq!(
        score_episode(&episode, &task, &Options::upstream())
            .unwrap()
            .agents
            .len(),
        3
    );

    let bare = TaskContext::new(&small.references);
    assert_eq!(
        message(&small.episodes[0], &bare, &Options::upstream()),
        "the rule needs the action space, because unknown actions are dropped (`unknown_actions: drop`)"
    );
    assert!(message(&small.episodes[0], &bare, &Options::paper()).contains("reference time"));
    let timed = TaskContext {
        reference_time: Some(15),
        ..bare
    };
    assert!(
        message(&small.episodes[0], &timed, &Options::paper()).contains("required collaborative")
    );
}

#[test]
fn an_order_without_references_names_the_nearest_one() {
    let known = vec!["boiled_egg".to_owned(), "boiled_mushroom".to_owned()];
    let message = |order: &str, known: &[String]| {
        ScoreError::UnknownOrder {
            order: order.to_owned(),
            known: known.to_vec(),
        }
        .to_string()
    };
    snapshot(
        "unknown_orders",
        &[
            message("boild_egg", &known),
            message("pancake", &known),
            message("pancake", &[]),
        ],
    );
}

/// A valid episode, as a value to break.
fn valid() -> Value {
    serde_json::to_value(&Small::new().episodes[0]).unwrap()
}

#[test]
fn broken_logs_say_where_and_why() {
    let mut messages = Vec::new();
    let mut reject = |name: &str, text: &str| {
        let error = parse_episodes(text).expect_err(name);
        messages.push(format!("{name}: {error}"));
    };
    let edited = |edit: &dyn Fn(&mut Value)| {
        let mut value = valid();
        edit(&mut value);
        serde_json::to_string_pretty(&value).unwrap()
    };
    let whole = valid().to_string();

    reject("empty text", " \n");
    reject("cut off", &whole[..whole.len() / 2]);
    reject("not a number", &whole.replace("[0,15]", "[0,NaN]"));
    reject(
        "infinite",
        &whole.replace("\"level\":1", "\"level\":-Infinity"),
    );
    reject("a list", &format!("{whole}\n  [{whole}]"));
    reject(
        "second line broken",
        &format!("{whole}\n{{\"order\": 3}}\n"),
    );
    for key in [
        "order",
        "level",
        "total_timestamp",
        "total_action_list",
        "dialogs",
    ] {
        reject(
            &format!("no {key}"),
            &edited(&|v| {
                v.as_object_mut().unwrap().remove(key);
            }),
        );
    }
    reject("level as text", &edited(&|v| v["level"] = "1".into()));
    reject(
        "negative time",
        &edited(&|v| v["total_timestamp"][1] = (-1).into()),
    );
    reject(
        "fractional stamp",
        &edited(&|v| v["total_action_list"][1][0]["timestamp"] = 3.5.into()),
    );
    reject(
        "action as list",
        &edited(&|v| v["total_action_list"][0][0]["action"] = Value::Array(vec![])),
    );
    reject("empty order", &edited(&|v| v["order"] = "".into()));
    reject(
        "no timesteps",
        &edited(&|v| v["total_timestamp"] = Value::Array(vec![])),
    );
    reject(
        "no agents",
        &edited(&|v| v["total_action_list"] = Value::Array(vec![])),
    );
    reject(
        "cumulative",
        &edited(&|v| v["total_timestamp"] = vec![0, 1, 2, 0, 1].into()),
    );
    reject(
        "actions out of order",
        &edited(&|v| v["total_action_list"][0][2]["timestamp"] = 1.into()),
    );
    reject(
        "a third speaker",
        &edited(&|v| v["dialogs"][0]["turns"][1]["agent"] = 2.into()),
    );
    reject(
        "a third opener",
        &edited(&|v| v["dialogs"][0]["opened_by"] = 2.into()),
    );
    snapshot("broken_logs", &messages);
}

#[test]
fn one_episode_is_asked_for_and_two_are_found() {
    let whole = valid().to_string();
    assert!(RecordedEpisode::parse(&whole).is_ok());
    let error = RecordedEpisode::parse(&format!("{whole}\n{whole}"))
        .unwrap_err()
        .to_string();
    assert!(error.contains("expected one episode, found 2"), "{error}");
}
