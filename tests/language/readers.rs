//! Whatever is in a file, its reader ends in what it reads or in an error: of any bytes, and of files that
//! are sound but for being cut, for a byte that is another, and for a part that stands twice.

use crate::common::damage;
use crate::common::one_file;

use std::fs;

use brigade::agents::Scripted;
use brigade::diagnostics::{Colour, Diagnostics, Sources, render_all, sarif};
use brigade::episode::Log;
use brigade::generate::robotouille::Generator;
use brigade::import::robotouille::{self, Kind, Options, Turns};
use brigade::llm::cassette::Recording;
use brigade::llm::design::Design;
use brigade::llm::prompts::Prompts;
use brigade::llm::response::{Reply, decode, judge};
use brigade::rats::collab;
use brigade::report::snapshot::Snapshot;
use brigade::score::episode_log::parse_episodes;
use brigade::score::{RecordedEpisode, ReferenceSet};
use brigade::sema::{self, Files};
use brigade::syntax::File;
use brigade::syntax::format::format;
use brigade::syntax::parse_file;

use damage::{files, never_panics, never_panics_on_text};

/// Every report can be drawn, and every error has one.
fn assert_rendered(diagnostics: &mut Diagnostics, sources: &Sources) {
    diagnostics.sort();
    render_all(diagnostics, sources, Colour::Plain);
    let mut log = sarif::Builder::default();
    for diagnostic in diagnostics.iter() {
        assert!(!diagnostic.help.is_empty(), "{}", diagnostic.message);
        log.add(diagnostic, sources);
    }
}

#[test]
fn files_of_the_language() {
    let sound = files(
        &["tests/data/grounding", "tests/data/cli", "domains"],
        ".pddl",
    );
    never_panics(&sound, |bytes| {
        let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let source = sources.add_bytes("a.pddl", bytes.to_vec(), &mut diagnostics);
        if let Some(source) = source {
            let text = sources.text(source);
            let file = parse_file(source, text, &mut diagnostics);
            if let Some(File::Domain(domain)) = file {
                let options = sema::Options::default();
                sema::resolve_domain(&domain, &options, source, &mut diagnostics);
            }
            let _ = format(source, text, &mut Diagnostics::new());
        }
        assert_rendered(&mut diagnostics, &sources);
    });
}

#[test]
fn domains_with_problems_through_to_the_task() {
    let sound = files(&["tests/data/grounding"], ".pddl");
    never_panics_on_text(&sound, |text| {
        one_file::check_all("a.pddl", text);
    });
}

#[test]
fn domains_and_environments_of_robotouille() {
    let domain = fs::read_to_string("tests/data/import/tea-domain.json").unwrap();
    let sound = files(&["tests/data/import"], ".json");
    never_panics(&sound, |bytes| {
        let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let source = sources.add_bytes("a.json", bytes.to_vec(), &mut diagnostics);
        if let Some(source) = source {
            let text = sources.text(source).to_owned();
            let this = robotouille::File {
                source,
                text: &text,
            };
            let options = sema::Options::default();
            if robotouille::kind(&text) == Some(Kind::Domain) {
                let turns = Turns::default();
                let read = robotouille::import_domain(this, turns, &mut diagnostics);
                if let Some(read) = read {
                    sema::resolve_domain(&read, &options, source, &mut diagnostics);
                }
            } else {
                let other = sources.add("tea-domain.json", domain.as_str());
                let file = robotouille::File {
                    source: other,
                    text: &domain,
                };
                let how = Options::default();
                let read = robotouille::import(file, this, "tea", &how, &mut diagnostics);
                if let Some((read, problem)) = read {
                    let files = Files {
                        domain: other,
                        problem: source,
                    };
                    sema::resolve(&read, &problem, &options, files, &mut diagnostics);
                }
            }
            let _ = Generator::new(&text, &[]);
        }
        assert_rendered(&mut diagnostics, &sources);
    });
}

#[test]
fn episodes_and_their_references() {
    let sound = files(&["tests/data/score", "tests/data/score/references"], "");
    never_panics_on_text(&sound, |text| {
        let _ = RecordedEpisode::parse(text);
        let _ = parse_episodes(text);
        let _ = ReferenceSet::parse(text);
        let _ = collab::parse(text);
    });
}

#[test]
fn event_logs() {
    let lines = [
        r#"{"event":"header","schema":1,"problem":"p","domain":"d"}"#,
        r#"{"event":"step","tick":0,"choices":[{"agent":"ann","action":"(wait)"}]}"#,
        r#"{"event":"end","reason":"goal","success":true}"#,
    ];
    let log = lines.join("\n").into_bytes();
    never_panics_on_text(&[log], |text| {
        let _ = Log::parse(text);
    });
}

#[test]
fn cassettes() {
    let sound = files(&["evals"], ".cassette.jsonl");
    never_panics(&sound, |bytes| {
        let read = Recording::read(bytes);
        assert!(read.is_err() || read.is_ok_and(|(_, whole)| whole <= bytes.len()));
    });
}

#[test]
fn snapshots_of_facts() {
    let sound = files(&["snapshots/domains", "snapshots/cli"], ".snap");
    let sound: Vec<Vec<u8>> = sound.into_iter().take(40).collect();
    let head = b"---\nbrigade: snapshot 1\nsource: a.pddl\nstates: 5\n---\nit is so\n".to_vec();
    never_panics_on_text(&[&sound[..], &[head]].concat(), |text| {
        if let Ok(snapshot) = Snapshot::parse(text) {
            assert_eq!(Snapshot::parse(&snapshot.to_string()), Ok(snapshot));
        }
    });
}

#[test]
fn designs_and_scripts() {
    let sound = files(&["agents", "evals"], ".toml");
    never_panics_on_text(&sound, |text| {
        let _ = Design::parse(text, &toml::Table::new());
        let _ = Scripted::parse(text);
    });
}

#[test]
fn templates() {
    let sound = files(&["agents"], ".jinja");
    let name = "a.jinja";
    never_panics_on_text(&sound, |text| {
        let templates = [(name.to_owned(), text.to_owned())];
        let _ = Prompts::new(templates, &[name], &toml::Table::new());
    });
}

#[test]
fn what_a_server_sends() {
    let body = br#"{"model": "m", "choices": [{"message": {"content": "Action: wait"},
        "finish_reason": "stop", "logprobs": {"content": [{"top_logprobs":
        [{"token": "A", "logprob": -0.5}]}]}}], "usage": {"prompt_tokens": 1}}"#;
    never_panics_on_text(&[body.to_vec()], |text| {
        let body = decode(text.as_bytes(), Some("deflate"), 1 << 20).unwrap_or_default();
        for status in [200, 400] {
            let reply = Reply {
                status,
                headers: &[],
                body: &body,
            };
            let _ = judge(&reply, Some("answer"), 0);
        }
    });
}
