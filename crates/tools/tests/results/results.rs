//! The results of Collab-Overcooked in `docs`: that the quick ones are what is derived now, and that the
//! page is made of the data.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use brigade::ground::{Options, ground};
use brigade::rats::collab::{self, Annotated};
use brigade::search::{SearchOptions, Unlimited};
use brigade_tools::survey::{
    Benchmark, Entry, Line, Status, Survey, Texts, derive, level_facts, page,
};

use crate::{files, model, optimum, root, stem};

const DOMAIN: &str = "domains/collab-overcooked.pddl";
const PROBLEMS: &str = "problems/collab-overcooked";
const DATA: &str = "docs/results/collab-overcooked.jsonl";
const PAGE: &str = "docs/results/collab-overcooked-results.md";

/// The greatest level that is quick to derive in any build.
const QUICK: u32 = 1;

/// The greatest level that is quick to derive in builds with optimisation.
const QUICK_IN_RELEASE: u32 = 4;

fn assert_snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("snapshots/domains"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

fn benchmark() -> Benchmark {
    let problems: Vec<(String, String)> = files(&root().join(PROBLEMS))
        .iter()
        .map(|path| (stem(path).to_owned(), fs::read_to_string(path).unwrap()))
        .collect();
    let problems = problems.iter();
    let problems = problems.map(|(name, text)| (name.as_str(), text.as_str()));
    Benchmark::new(&read(DOMAIN), problems).unwrap()
}

fn survey() -> Survey {
    Survey::parse(&read(DATA)).unwrap()
}

/// The published references, where the environment names their folder.
fn references() -> Option<PathBuf> {
    let folder = std::env::var_os("BRIGADE_UPSTREAM");
    if folder.is_none() {
        #[expect(clippy::print_stderr, reason = "a test that does not run says so")]
        {
            eprintln!(
                "BRIGADE_UPSTREAM is not set: figures about annotated references are not derived"
            );
        }
    }
    folder.map(|folder| PathBuf::from(folder).join("collab-overcooked/rats"))
}

fn annotated(entry: &Entry) -> Option<Annotated> {
    let file = format!("{}_{}.json", entry.level, entry.problem);
    let text = fs::read_to_string(references()?.join(file)).unwrap();
    Some(collab::parse(&text).unwrap())
}

/// Derives a line anew, and asserts that it is the one in the data.
fn assert_derived(entry: &Entry, semantics: &str, line: &Line) {
    let problem = read(&format!("{PROBLEMS}/{}.pddl", entry.problem));
    let texts = Texts {
        domain: &read(DOMAIN),
        problem: &problem,
    };
    let annotated = annotated(entry);
    let options = SearchOptions::default();
    let found = derive(texts, semantics, annotated.as_ref(), &options, &Unlimited).unwrap();
    let mut expected = line.clone();
    if annotated.is_none() {
        expected.annotation = None;
    }
    assert_eq!(
        found, expected,
        "{DATA} is stale: {PAGE} says how to derive it"
    );
}

fn figures(line: Option<&Line>) -> String {
    let Some(line) = line else {
        return "not computed".to_owned();
    };
    let number = |number: Option<u32>| number.map_or("?".to_owned(), |number| number.to_string());
    let count = |count: &Option<String>| count.clone().unwrap_or("?".to_owned());
    match line.status {
        Status::Proven => format!(
            "makespan {}, labels {}, plans {}, references {}",
            number(line.makespan),
            number(line.actions),
            count(&line.plans),
            count(&line.references_total),
        ),
        Status::Bounded => format!(
            "makespan between {} and {}",
            number(line.lower_bound),
            number(line.upper_bound)
        ),
        Status::Unsolvable => "no plan".to_owned(),
    }
}

/// The greatest level that is derived anew.
fn quick() -> u32 {
    if cfg!(debug_assertions) {
        #[expect(clippy::print_stderr, reason = "a test that does not run says so")]
        {
            eprintln!("without optimisation level {QUICK_IN_RELEASE} is not derived anew");
        }
        QUICK
    } else {
        QUICK_IN_RELEASE
    }
}

fn quick_problems_are_derived(semantics: &str) {
    let (benchmark, survey, quick) = (benchmark(), survey(), quick());
    for entry in benchmark
        .problems
        .iter()
        .filter(|entry| entry.level <= quick)
    {
        let line = survey.of(&entry.problem, semantics);
        assert_derived(entry, semantics, line.unwrap());
    }
}

#[test]
fn the_results_of_quick_problems_are_derived_anew_under_clean_semantics() {
    quick_problems_are_derived("clean");
}

#[test]
fn the_results_of_quick_problems_are_derived_anew_under_upstream_semantics() {
    quick_problems_are_derived("upstream");
}

#[test]
fn the_optima_of_all_problems_are_those_of_the_results() {
    let survey = survey();
    let mut text = format!(
        "Derived anew by the test: level {QUICK}, and with optimisation up to level \
         {QUICK_IN_RELEASE}. The rest is from {DATA}.\n\n"
    );
    let benchmark = benchmark();
    assert_eq!(benchmark.semantics, ["clean", "upstream"]);
    for entry in &benchmark.problems {
        for semantics in &benchmark.semantics {
            let line = survey.of(&entry.problem, semantics);
            let figures = figures(line);
            let Entry { level, problem, .. } = entry;
            let source = match line {
                Some(_) if *level > QUICK_IN_RELEASE => " (from the results)",
                _ => "",
            };
            writeln!(text, "{level} {problem} {semantics}: {figures}{source}").unwrap();
        }
    }
    for path in files(&root().join(PROBLEMS)) {
        let name = stem(&path);
        if benchmark.problems.iter().any(|entry| entry.problem == name) {
            continue;
        }
        let problem = fs::read_to_string(&path).unwrap();
        for semantics in &benchmark.semantics {
            let model = model(&read(DOMAIN), &problem, semantics);
            let task = ground(&model, &Options::default()).unwrap();
            writeln!(text, "{name} {semantics}: {}", optimum(&task)).unwrap();
        }
    }
    assert_snapshot("collab-overcooked.optima", &text);
}

#[test]
fn the_levels_have_their_facts() {
    let facts = level_facts(&benchmark(), &survey());
    let text: String = facts.iter().map(|facts| format!("{facts}\n")).collect();
    assert_snapshot("collab-overcooked.levels", &text);
}

#[test]
fn the_data_are_in_their_canonical_form() {
    assert_eq!(survey().render().unwrap(), read(DATA));
}

#[test]
fn the_page_is_made_of_the_data() {
    let expected = page(&benchmark(), &survey());
    if std::env::var("INSTA_UPDATE").is_ok_and(|value| value == "always") {
        fs::write(root().join(PAGE), &expected).unwrap();
    }
    assert!(
        expected == read(PAGE),
        "{PAGE} is stale: cargo run --release -p brigade-tools --bin survey -- --render"
    );
}
