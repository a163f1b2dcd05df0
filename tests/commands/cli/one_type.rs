//! Every key of what Brigade writes has values of one type, so that tools make columns of them.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use super::{Bistro, ONE_EGG, Scratch, run};

/// The types of the values at each path of keys; all entries of a list are at one.
#[derive(Default)]
struct Types(BTreeMap<String, BTreeMap<&'static str, String>>);

impl Types {
    fn of(documents: &[Value]) -> Self {
        let mut types = Self::default();
        for document in documents {
            types.add("", document);
        }
        types
    }

    fn add(&mut self, path: &str, value: &Value) {
        let kind = match value {
            Value::Null => return,
            Value::Bool(_) => "truth",
            Value::Number(_) => "number",
            Value::String(_) => "text",
            Value::Array(items) => {
                for item in items {
                    self.add(&format!("{path}[]"), item);
                }
                "list"
            }
            Value::Object(fields) => {
                for (key, field) in fields {
                    self.add(&format!("{path}.{key}"), field);
                }
                "object"
            }
        };
        let kinds = self.0.entry(path.to_owned()).or_default();
        kinds.entry(kind).or_insert_with(|| value.to_string());
    }

    fn assert_one_each(&self, what: &str) {
        for (path, kinds) in &self.0 {
            assert!(kinds.len() < 2, "{what}, {path}: {kinds:?}");
        }
    }
}

fn lines(text: &str) -> Vec<Value> {
    let lines = text.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().unwrap()
}

#[test]
fn a_key_of_two_types_is_found() {
    let documents = lines("{\"a\": [{\"b\": 1}]}\n{\"a\": [{\"b\": null}, {\"b\": \"infinite\"}]}");
    let types = Types::of(&documents);
    assert_eq!(types.0[".a[].b"].len(), 2);
    assert_eq!(types.0[".a"].len(), 1);
}

#[test]
fn every_line_of_an_event_log_has_keys_of_one_type() {
    let scratch = Scratch::new("one-type-log");
    let log = scratch.path("log.jsonl");
    let run_for = |ticks: &str, more: &[&str]| {
        let args = ["run", ONE_EGG, "--max-ticks", ticks, "--log", &log];
        let who = [
            "--agent",
            "chef=random",
            "--others",
            "greedy",
            "--seed",
            "4",
        ];
        run(&[&args[..], &who, more].concat());
    };
    run_for("2", &[]);
    run_for("30", &["--resume"]);
    let events = lines(&fs::read_to_string(&log).unwrap());
    let kinds: Vec<&Value> = events.iter().map(|event| &event["event"]).collect();
    for kind in ["header", "resume", "step", "end"] {
        assert!(kinds.contains(&&Value::from(kind)), "{kinds:?}");
    }
    Types::of(&events).assert_one_each("an event log");
}

#[test]
fn a_log_of_an_early_version_with_the_number_of_labels_as_labels_is_still_read() {
    let scratch = Scratch::new("early-log");
    let log = scratch.path("log.jsonl");
    run(&["run", ONE_EGG, "--log", &log]);
    let text = fs::read_to_string(&log).unwrap();
    let early = text.replace("\"label_count\":", "\"labels\":");
    assert_ne!(early, text);
    fs::write(&log, early).unwrap();
    let output = run(&["score", &log, "--problem", ONE_EGG]);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn every_document_has_keys_of_one_type() {
    let bistro = Bistro::new("one-type");
    let other = Bistro::new("one-type-other");
    other.replace("domain.pddl", "(after 3 (assign", "(after 4 (assign");
    let log = bistro.path("log.jsonl");
    let soup = bistro.path("soup.pddl");
    // A random agent that loses its way, and one that never does.
    run(&[
        "run",
        &soup,
        "--others",
        "random",
        "--seed",
        "3",
        "--max-ticks",
        "9",
        "--log",
        &log,
    ]);
    let broken = bistro.path("broken.pddl");
    fs::write(
        &broken,
        "(define (problem p) (:domain bistro) (:goal (served ghost)))",
    )
    .unwrap();
    let folder = &*bistro.folder;
    for args in [
        &["plan", &soup, "--all", "--explain"][..],
        &["rats", &soup, "--dag"],
        &["replay", &soup, &log, "--observe"],
        &["run", &soup, "--observe"],
        &["score", &log, "--problem", &soup, "--regret", "--process"],
        &[
            "score",
            &log,
            "--problem",
            &soup,
            "--process",
            "--memory-limit",
            "1",
        ],
        &["check", folder, "domains/robotouille.pddl", "--facts"],
        &["snapshot", folder],
        &["diff", folder, &other.folder],
        &["compile", &soup],
        &["demo", &soup],
        &["domains"],
        &["agents"],
        &["explain"],
    ] {
        let args = [args, &["--format", "json"]].concat();
        let output = run(&args);
        let document: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}", super::shown(&args, &output)));
        Types::of(&[document]).assert_one_each(&args.join(" "));
    }
}
