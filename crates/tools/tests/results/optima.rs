//! The optima of Robotouille in `docs`: that quick ones are proven again, that every plan stands, and that
//! the page is made of the data.

use std::fs;
use std::path::PathBuf;

use brigade::ground;
use brigade::search::{SearchOptions, Unlimited, validate};
use brigade::task::PackedTask;
use brigade_tools::optima::{
    CLEAN, Case, Dataset, Derivation, Line, Optima, PUBLISHED, Replay, SEEDS, SEMANTICS, Status,
    Subject, UPSTREAM, never_sooner, page, play, rows,
};

use crate::{files, root, stem};

const DATA: &str = "docs/results/robotouille-optima.jsonl";
const PAGE: &str = "docs/results/robotouille-optima.md";

/// Lines that took fewer seconds and states, when they were proven, are proven again.
const QUICK: (f64, u64) = (0.2, 20_000);

/// States of a search that proves one of them again.
const MOST_STATES: u64 = 1_000_000;

/// Of the instances, every so many are looked at.
const SAMPLE: usize = 7;

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

pub(crate) fn optima() -> Optima {
    Optima::parse(&read(DATA)).unwrap()
}

pub(crate) fn bundled() -> Vec<Case> {
    let mut cases = Vec::new();
    for name in ["robotouille", "robotouille-in-turn"] {
        let domain = read(&format!("domains/{name}.pddl"));
        for path in files(&root().join("problems").join(name)) {
            cases.push(Case {
                subject: Subject::bundled(stem(&path)).unwrap(),
                domain: domain.clone(),
                problem: fs::read_to_string(&path).unwrap(),
            });
        }
    }
    cases
}

/// The published files, where the environment names their folder.
fn published_files() -> Option<PathBuf> {
    let folder = std::env::var_os("BRIGADE_UPSTREAM");
    if folder.is_none() {
        #[expect(clippy::print_stderr, reason = "a test that does not run says so")]
        {
            eprintln!("BRIGADE_UPSTREAM is not set: the published instances are not compared");
        }
    }
    folder.map(|folder| PathBuf::from(folder).join("robotouille"))
}

/// Some of the published instances, if they are there.
pub(crate) fn sample() -> Vec<Case> {
    let Some(folder) = published_files() else {
        return Vec::new();
    };
    let domain = fs::read_to_string(folder.join("domain/robotouille.json")).unwrap();
    let tasks = bundled().into_iter().map(|case| case.subject);
    let tasks = tasks.filter(|subject| subject.dataset != Dataset::MultiAgent);
    let seeded = tasks.flat_map(|subject| SEEDS.map(|seed| subject.seeded(seed)));
    let import = |subject: Subject| {
        let seed = subject.seed.unwrap();
        let task = folder.join("procgen").join(subject.published_name());
        let environment = fs::read_to_string(task.join(format!("seed{seed}.json"))).unwrap();
        Case::imported(subject, &domain, &environment).unwrap()
    };
    seeded.step_by(SAMPLE).map(import).collect()
}

/// The task with everything that a plan may contain.
pub(crate) fn played(case: &Case, semantics: &str) -> PackedTask {
    let options = ground::Options::default().with_irrelevant_kept(true);
    case.texts().compile_with(semantics, &options).unwrap()
}

fn assert_proven_again(case: &Case, line: &Line) {
    let options = SearchOptions::default().with_max_states(MOST_STATES);
    let mut derivation = Derivation::new(case, &line.semantics, None).unwrap();
    derivation.prove(&options, &Unlimited).unwrap();
    let found = derivation.line();
    let about = format!("{}, {}", case.subject, line.semantics);
    assert_eq!(
        (found.status, found.optimum()),
        (line.status, line.optimum()),
        "{about}: {PAGE} says how to derive {DATA} again"
    );
}

fn assert_plan_stands(case: &Case, line: &Line) {
    let Some(plan) = &line.plan else {
        assert_eq!(line.upper_bound, None, "{}", case.subject);
        return;
    };
    let about = format!("{}, {}", case.subject, line.semantics);
    let task = played(case, &line.semantics);
    let (replay, steps) = play(&task, plan);
    let upper = line.upper_bound.unwrap();
    assert_eq!(replay, Replay::Reached(upper), "{about}");
    assert_eq!(validate(&task, &steps).unwrap().makespan, upper, "{about}");
    if line.semantics != UPSTREAM {
        let replay = play(&played(case, UPSTREAM), plan).0;
        assert_eq!(line.under_upstream, Some(replay), "{about}");
    }
}

#[test]
fn quick_optima_are_proven_again_and_every_plan_stands() {
    let optima = optima();
    let (bundled, sample) = (bundled(), sample());
    let mut proven = 0;
    for case in bundled.iter().chain(&sample) {
        for semantics in SEMANTICS {
            let Some(line) = optima.of(&case.subject, semantics) else {
                continue;
            };
            assert_plan_stands(case, line);
            let (seconds, states) = QUICK;
            let is_quick = line.seconds < seconds && line.states < states;
            if is_quick && line.status != Status::Bounded && !cfg!(debug_assertions) {
                assert_proven_again(case, line);
                proven += 1;
            }
        }
    }
    assert!(
        proven > 5 || cfg!(debug_assertions),
        "{proven} are proven again"
    );
}

#[test]
fn plans_of_clean_reach_the_goal_at_the_same_step_under_upstream_unless_it_is_another_goal() {
    let bundled = bundled();
    let (mut reach, mut miss) = (0, 0);
    for line in optima().iter().filter(|line| line.semantics == CLEAN) {
        let Some(steps) = line.upper_bound else {
            assert_eq!(line.under_upstream, None, "{}", line.subject());
            continue;
        };
        if line.under_upstream == Some(Replay::Reached(steps)) {
            reach += 1;
            continue;
        }
        let task = line.subject();
        let mut cases = bundled.iter();
        let of_task = cases
            .find(|case| case.subject.dataset == task.dataset && case.subject.task == task.task);
        let goal = of_task.unwrap().texts().problem;
        assert_eq!(line.under_upstream, Some(Replay::Missed {}), "{task}");
        assert!(goal.contains("(semantics upstream)"), "{task}");
        miss += 1;
    }
    assert!(reach > 200 && miss <= 3, "{reach} reach it, {miss} do not");
}

#[test]
fn the_optima_of_quick_tasks_were_found_by_exhaustion_too() {
    for line in optima().iter() {
        if let Some(optimum) = line.optimum() {
            assert_eq!(line.plan.as_ref().unwrap().len(), optimum as usize);
            assert_eq!(line.lower_bound, line.upper_bound);
        }
        let is_small = line.status == Status::Proven && line.states < 5_000 && !line.informed;
        assert!(!is_small || line.check.is_some(), "{}", line.subject());
    }
}

#[test]
fn the_published_numbers_are_those_of_the_published_file() {
    let Some(folder) = published_files() else {
        return;
    };
    let text = fs::read_to_string(folder.join("optimal_steps.json")).unwrap();
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    let steps = document["optimal_steps"].as_object().unwrap();
    let found = steps.iter().map(|(task, steps)| {
        let steps = steps.as_u64().unwrap() as u32;
        (task.as_str(), steps)
    });
    assert_eq!(found.collect::<Vec<_>>(), PUBLISHED);
    let seeds = document["seeds"].as_array().unwrap().iter();
    let seeds: Vec<_> = seeds.map(|seed| seed.as_u64().unwrap() as u32).collect();
    assert_eq!(seeds, SEEDS);
}

#[test]
fn the_optima_are_in_their_canonical_form() {
    assert_eq!(optima().render().unwrap(), read(DATA));
}

#[test]
fn the_page_of_optima_is_made_of_the_data() {
    let expected = page(&rows(&bundled()).unwrap(), &optima());
    if std::env::var("INSTA_UPDATE").is_ok_and(|value| value == "always") {
        fs::write(root().join(PAGE), &expected).unwrap();
    }
    assert!(
        expected == read(PAGE),
        "{PAGE} is stale: cargo run --release -p brigade-tools --bin optima -- --render"
    );
}

#[test]
fn upstream_is_never_faster_where_the_proof_of_that_applies() {
    let optima = optima();
    let mut compared = 0;
    for case in bundled().iter().chain(&sample()) {
        let lines = [CLEAN, UPSTREAM].map(|semantics| optima.of(&case.subject, semantics));
        let [Some(clean), Some(upstream)] = lines else {
            continue;
        };
        let applies = never_sooner(case).unwrap();
        assert_eq!(clean.proven_under, CLEAN, "{}", case.subject);
        assert!(
            applies || upstream.proven_under == UPSTREAM,
            "{}",
            case.subject
        );
        if !applies {
            continue;
        }
        let bounds = clean.lower_bound.zip(upstream.upper_bound);
        assert!(
            bounds.is_none_or(|(lower, upper)| lower <= upper),
            "{}",
            case.subject
        );
        compared += 1;
    }
    assert!(compared >= 19, "{compared} are compared");
}
