//! Standard PDDL. Published planning benchmarks: they ground, as compactly as Fast Downward's
//! translator, and the small ones are solved to the published optima with the published numbers of
//! optimal plans. Files of our own with what is odd in public ones: they are accepted.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use brigade::diagnostics::{Colour, Diagnostics, Sources, render_all};
use brigade::ground::{self, ground};
use brigade::search::{Outcome, SearchOptions, Unlimited, Value, solve, validate};
use brigade::sema::{Files, Options, resolve};
use brigade::syntax::{parse_domain, parse_problem};
use brigade::task::layout::VariableKind;
use brigade::task::{Metric, PackedTask, effect::Effect};

/// Instances that Fast Downward's blind search solves with fewer expansions are solved here.
const SMALL: u64 = 20_000;

/// A line of `baseline.tsv`.
struct Baseline {
    instance: String,
    cost: Option<i64>,
    expanded: Option<u64>,
    plans: Option<String>,
    variables: Option<usize>,
}

fn folder() -> Option<PathBuf> {
    let Some(upstream) = std::env::var_os("BRIGADE_UPSTREAM") else {
        #[expect(clippy::print_stderr, reason = "a test that does not run says so")]
        {
            eprintln!("BRIGADE_UPSTREAM is not set: competition problems are not grounded");
        }
        return None;
    };
    Some(Path::new(&upstream).join("ipc"))
}

fn baselines(folder: &Path) -> Vec<Baseline> {
    let text = fs::read_to_string(folder.join("baseline.tsv")).unwrap();
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let header: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let column = |name: &str| header.iter().position(|&other| other == name).unwrap();
    let columns = [
        "instance",
        "optimal_cost",
        "fd_blind_expanded",
        "n_optimal_plans",
        "sas_vars",
    ]
    .map(column);
    let rows = lines.map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [instance, cost, expanded, plans, variables] = columns.map(|at| cells[at].trim());
        Baseline {
            instance: instance.to_owned(),
            cost: cost.parse().ok(),
            expanded: expanded.parse().ok(),
            plans: plans
                .chars()
                .all(|c| c.is_ascii_digit())
                .then(|| plans.to_owned()),
            variables: variables.parse().ok(),
        }
    });
    rows.collect()
}

/// `domain.pddl` beside the problem, or `<prefix>-domain.pddl`.
fn domain_of(problem: &Path) -> PathBuf {
    let folder = problem.parent().unwrap();
    let stem = problem.file_stem().unwrap().to_str().unwrap();
    stem.match_indices('-')
        .map(|(at, _)| &stem[..at])
        .chain([stem])
        .map(|prefix| folder.join(format!("{prefix}-domain.pddl")))
        .find(|path| path.exists())
        .unwrap_or_else(|| folder.join("domain.pddl"))
}

fn task(problem: &Path) -> PackedTask {
    task_and_codes(problem).0
}

/// The task, and the codes of the warnings on the way.
fn task_and_codes(problem: &Path) -> (PackedTask, BTreeSet<String>) {
    let domain = domain_of(problem);
    let texts = [&domain, problem].map(|path| fs::read_to_string(path).unwrap());
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let files = Files {
        domain: sources.add(domain.display().to_string(), texts[0].clone()),
        problem: sources.add(problem.display().to_string(), texts[1].clone()),
    };
    let domain = parse_domain(files.domain, &texts[0], &mut diagnostics);
    let parsed = parse_problem(files.problem, &texts[1], &mut diagnostics);
    let options = Options::default();
    let model = resolve(&domain, &parsed, &options, files, &mut diagnostics);
    let report = || render_all(&diagnostics, &sources, Colour::Plain);
    let model = model.unwrap_or_else(|| panic!("{}", report()));
    let task = ground(&model, &ground::Options::default())
        .unwrap_or_else(|error| panic!("{}: {error}", problem.display()));
    let codes = diagnostics.iter().map(|found| found.code.to_string());
    (task, codes.collect())
}

/// Files in `tests/data/standard` say in comments what their optimum is, and what they are warned of.
#[test]
fn odd_but_standard_files_are_accepted_with_no_more_than_warnings() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/standard");
    let mut problems: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| !path.to_str().unwrap().ends_with("-domain.pddl"))
        .collect();
    problems.sort();
    assert!(problems.len() >= 13);
    for path in problems {
        let text = fs::read_to_string(&path).unwrap();
        let said = |what: &str| {
            let mut lines = text.split(['\n', '\r']);
            let line = lines.find_map(|line| line.strip_prefix(what));
            line.unwrap_or_default().trim().to_owned()
        };
        let (task, codes) = task_and_codes(&path);
        let expected: BTreeSet<String> = said("; warns")
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        assert_eq!(codes, expected, "{}", path.display());
        let result = solve(&task, &SearchOptions::default(), &Unlimited);
        let Outcome::Solved(plan) = result.outcome else {
            panic!("{}: {:?}", path.display(), result.outcome);
        };
        let (whole, fraction) = match task.metric {
            Metric::Makespan => (i64::from(plan.value.makespan), 0),
            _ => (
                plan.value.cost / task.cost_scale,
                plan.value.cost % task.cost_scale,
            ),
        };
        let optimum = match fraction {
            0 => whole.to_string(),
            _ => format!("{whole}.{}", fraction * 100 / task.cost_scale)
                .trim_end_matches('0')
                .to_owned(),
        };
        assert_eq!(optimum, said("; optimum"), "{}", path.display());
    }
}

/// Returns the published cost of a plan: the metric where there is one, else the actions.
fn published_cost(task: &PackedTask, value: Value) -> i64 {
    match task.metric {
        Metric::Makespan => value.makespan.into(),
        Metric::Cost | Metric::NegatedCost => value.cost / task.cost_scale,
    }
}

/// Returns true if an effect surely adds to the cost.
fn costs(effect: &Effect) -> bool {
    match effect {
        Effect::Cost(_) => true,
        Effect::Block { effects, .. } | Effect::Seq(effects) => effects.iter().any(costs),
        _ => false,
    }
}

/// Under a metric that gives some operator no cost, the published numbers count plans of any
/// length; here the shortest of the cheapest plans are optimal. The grounder drops costs of 0.
fn counts_differ(task: &PackedTask) -> bool {
    task.metric != Metric::Makespan
        && task
            .operators
            .iter()
            .any(|operator| !costs(&operator.effect))
}

#[test]
fn competition_problems_ground() {
    let Some(folder) = folder() else { return };
    for baseline in baselines(&folder) {
        let task = task(&folder.join(&baseline.instance));
        assert!(!task.operators.is_empty(), "{}", baseline.instance);
    }
}

#[test]
fn small_competition_problems_have_the_published_optima_and_numbers_of_plans() {
    let Some(folder) = folder() else { return };
    let (mut solved, mut counted) = (0, 0);
    for baseline in baselines(&folder) {
        let (Some(cost), Some(expanded)) = (baseline.cost, baseline.expanded) else {
            continue;
        };
        if expanded >= SMALL {
            continue;
        }
        let name = &baseline.instance;
        let task = task(&folder.join(name));
        let options = SearchOptions::default().with_all_plans(true);
        let result = solve(&task, &options, &Unlimited);
        let Outcome::Solved(plan) = &result.outcome else {
            panic!("{name}: {:?}", result.outcome);
        };
        assert_eq!(published_cost(&task, plan.value), cost, "{name}");
        assert_eq!(validate(&task, &plan.steps), Ok(plan.value), "{name}");
        solved += 1;
        if let (Some(plans), false) = (
            baseline.plans.filter(|plans| !plans.is_empty()),
            counts_differ(&task),
        ) {
            assert_eq!(result.dag.unwrap().count().to_string(), plans, "{name}");
            counted += 1;
        }
    }
    assert!(
        solved >= 30 && counted >= 25,
        "{solved} solved, {counted} counted"
    );
}

#[test]
fn facts_share_variables_as_in_fast_downward() {
    let Some(folder) = folder() else { return };
    let compact = ["blocks", "logistics00", "gripper", "miconic", "driverlog"];
    for baseline in baselines(&folder) {
        let (domain, _) = baseline.instance.split_once('/').unwrap();
        if !compact.contains(&domain) {
            continue;
        }
        let task = task(&folder.join(&baseline.instance));
        let kinds = task.variables.iter().map(|variable| variable.kind);
        let variables = kinds.filter(|kind| *kind != VariableKind::Derived).count();
        let published = baseline.variables.unwrap();
        assert!(variables <= published, "{}: {variables}", baseline.instance);
    }
}
