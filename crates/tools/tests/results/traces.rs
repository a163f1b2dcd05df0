//! Own traces of Robotouille that reach their goals: episodes of the proven plans of short tasks, written as
//! event logs. The published engine's recorded traces never reach theirs.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use brigade::agents::{Policy, Scripted};
use brigade::episode::{Episode, Event, Log, Rules, StatusName};
use brigade::ground;
use brigade::task::PackedTask;
use brigade_tools::optima::{Case, Dataset, Line, SEMANTICS};

use crate::optima::{bundled, optima};
use crate::{files, root};

/// Plans of at most so many steps make traces.
const LONGEST: u32 = 21;

/// Where the traces are.
const FOLDER: &str = "tests/data/traces/robotouille";

/// A proven plan of a task of one player, and the name of its trace.
struct Proven {
    case: Case,
    line: Line,
    file: String,
}

/// The short ones among the proven plans.
fn proven() -> Vec<Proven> {
    let optima = optima();
    let mut found = Vec::new();
    for case in bundled() {
        for semantics in SEMANTICS {
            let line = optima.of(&case.subject, semantics);
            let is_short = |line: &&Line| line.optimum().is_some_and(|steps| steps <= LONGEST);
            let Some(line) = line.filter(is_short) else {
                continue;
            };
            if case.subject.dataset == Dataset::MultiAgent {
                continue;
            }
            let name = case.subject.to_string().replace('/', "-");
            found.push(Proven {
                case: case.clone(),
                line: line.clone(),
                file: format!("{name}.{semantics}.jsonl"),
            });
        }
    }
    found
}

/// The task as `brigade run` and `brigade replay` compile it.
fn played(proven: &Proven) -> PackedTask {
    let options = ground::Options::default()
        .with_irrelevant_kept(true)
        .with_requirements(true);
    let texts = proven.case.texts();
    texts
        .compile_with(&proven.line.semantics, &options)
        .unwrap()
}

/// The event log of an episode in which the plan is followed; `version` is that of Brigade, if not this one.
fn trace(proven: &Proven, version: Option<String>) -> String {
    let task = played(proven);
    let plan = proven.line.plan.as_ref().unwrap().join("\n");
    let mut policies: Vec<Box<dyn Policy>> = vec![Box::new(Scripted::parse(&plan))];
    let mut episode = Episode::new(&task, Rules::default());
    let mut header = episode.header(&["scripted:proven plan".to_owned()], 0);
    if let Some(version) = version {
        header.brigade = version;
    }
    let mut events = vec![Event::Header(header)];
    episode.run(&mut policies, &mut events, &|| None).unwrap();
    let lines = events.iter().map(|event| {
        let line = serde_json::to_string(event).unwrap();
        format!("{line}\n")
    });
    lines.collect()
}

fn path(file: &str) -> PathBuf {
    root().join(FOLDER).join(file)
}

#[test]
fn the_traces_are_those_of_the_proven_plans() {
    let proven = proven();
    let is_updated = std::env::var("INSTA_UPDATE").is_ok_and(|value| value == "always");
    for one in &proven {
        if is_updated {
            fs::create_dir_all(root().join(FOLDER)).unwrap();
            fs::write(path(&one.file), trace(one, None)).unwrap();
        }
        let found = fs::read_to_string(path(&one.file)).unwrap_or_default();
        // A new version of Brigade need not write them anew.
        let version = Log::parse(&found).ok().map(|log| log.header.brigade);
        let expected = trace(one, version);
        assert!(
            found == expected,
            "{FOLDER}/{} is stale: INSTA_UPDATE=always cargo test --release -p brigade-tools --test results traces",
            one.file
        );
    }
    let kept = files(&root().join(FOLDER));
    let mut names: Vec<String> = proven.into_iter().map(|one| one.file).collect();
    names.sort();
    let kept: Vec<_> = kept
        .iter()
        .map(|path| path.file_name().unwrap().to_str().unwrap())
        .collect();
    assert_eq!(kept, names);
}

#[test]
fn every_trace_reaches_its_goal_at_its_last_step_and_not_before() {
    let mut sets = BTreeSet::new();
    for one in proven() {
        let about = &one.file;
        let log = Log::parse(&fs::read_to_string(path(about)).unwrap()).unwrap();
        let task = played(&one);
        let mut episode = Episode::new(&task, log.header.rules);
        episode.verify(&log).unwrap();
        assert!(task.is_goal(episode.state()), "{about}");
        let steps: Vec<StatusName> = log.steps().map(|step| step.status).collect();
        assert_eq!(steps.len() as u32, one.line.optimum().unwrap(), "{about}");
        let (last, before) = steps.split_last().unwrap();
        assert_eq!(*last, StatusName::Goal, "{about}");
        assert!(
            before.iter().all(|status| *status == StatusName::Running),
            "{about}"
        );
        assert_eq!(log.is_success(&task), Some(true), "{about}");
        sets.insert((one.case.subject.dataset, one.line.semantics));
    }
    assert_eq!(sets.len(), 4, "of both sets under both semantics: {sets:?}");
}
