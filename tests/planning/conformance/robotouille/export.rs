//! From the published JSON to text, to JSON again: what is compiled is the same all the way.

use brigade::diagnostics::{Colour, Diagnostics, Sources, render_all};
use brigade::import::robotouille::export::export;
use brigade::import::robotouille::{Options, Turns};
use brigade::sema::Files;
use brigade::syntax::printer::{print_domain, print_problem};
use brigade::syntax::{parse_domain, parse_problem};
use brigade::task::PackedTask;
use brigade::task::effect::Record;

use super::environments::files;
use super::kitchen::{Kitchen, choices, folder, read};
use crate::common::share::share;

/// The published sets of tasks; only files with a number are tasks of the benchmark.
const SETS: [&str; 3] = ["synchronous", "asynchronous", "multi_agent"];

/// Steps that are played to compare goals.
const STEPS: usize = 60;

/// Of the generated environments, of which ten are alike, every so many is compared: an odd number, so that both
/// semantics take their turns.
const COMPARED: usize = 5;

/// The tasks of the benchmark, by path.
fn tasks() -> Vec<String> {
    let folder = folder().unwrap();
    let mut tasks = Vec::new();
    for set in SETS {
        for path in files(&folder.join("environments").join(set)) {
            let file = path.file_name().unwrap().to_string_lossy().into_owned();
            let number = file.split('_').next().unwrap();
            if number.bytes().all(|byte| byte.is_ascii_digit()) {
                tasks.push(format!("environments/{set}/{file}"));
            }
        }
    }
    tasks
}

/// The same kitchen, printed and read again.
fn reread(kitchen: &Kitchen) -> Kitchen {
    let texts = (
        print_domain(&kitchen.domain),
        print_problem(&kitchen.problem),
    );
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let files = Files {
        domain: sources.add("domain.pddl", texts.0.clone()),
        problem: sources.add("problem.pddl", texts.1.clone()),
    };
    let domain = parse_domain(files.domain, &texts.0, &mut diagnostics);
    let problem = parse_problem(files.problem, &texts.1, &mut diagnostics);
    assert!(diagnostics.is_empty());
    Kitchen {
        domain,
        problem,
        warnings: Vec::new(),
        files,
    }
}

/// The JSON that a kitchen is exported to, imported.
fn exported(name: &str, kitchen: &Kitchen) -> Kitchen {
    let mut sources = Sources::new();
    let files = Files {
        domain: sources.add("domain.pddl", print_domain(&kitchen.domain)),
        problem: sources.add("problem.pddl", print_problem(&kitchen.problem)),
    };
    let mut diagnostics = Diagnostics::new();
    let exported = export(&kitchen.domain, &kitchen.problem, files, &mut diagnostics);
    let rendered = render_all(&diagnostics, &sources, Colour::Plain);
    let exported = exported.unwrap_or_else(|| panic!("{name}\n{rendered}"));
    assert!(diagnostics.is_empty());
    let turns = kitchen.domain.turns.as_ref().map(|_| Turns::Alternate);
    let options = Options { turns, pool: None };
    let name = kitchen.problem.name.as_ref().unwrap().text.to_string();
    Kitchen::read(&exported.domain, &name, &exported.environment, &options)
}

fn document(task: &PackedTask) -> String {
    serde_json::to_string(&brigade::task::json::document(task)).unwrap()
}

/// Asserts that two tasks are the same but for how their goals are written, which hold in the same
/// states of a play.
fn assert_same(name: &str, one: &PackedTask, other: &PackedTask) {
    let [first, second] = [one, other].map(|task| document(&task.changed(|task| task.goal = None)));
    assert!(first == second, "{name}");
    assert_eq!(one.observation.goal, other.observation.goal, "{name}");
    let mut state = one.initial.clone();
    for step in 0..STEPS {
        assert_eq!(
            one.is_goal(&state),
            other.is_goal(&state),
            "{name}, step {step}"
        );
        assert_eq!(
            one.observe(&state),
            other.observe(&state),
            "{name}, step {step}"
        );
        let choices = choices(one, &state);
        let chosen = choices[(7 * step + 3) % choices.len()];
        one.step(&mut state, &[chosen], &mut Record::default())
            .unwrap();
    }
}

#[test]
fn text_compiles_to_the_task_of_the_json_that_it_was_made_of() {
    let Some(folder) = folder() else {
        return;
    };
    let mut names = tasks();
    assert_eq!(names.len(), 30);
    let generated = files(&folder.join("procgen"));
    names.extend(generated.iter().map(|path| {
        let path = path.strip_prefix(&folder).unwrap();
        path.to_string_lossy().into_owned()
    }));
    assert_eq!(names.len(), 230);
    let generated = share(names.split_off(30), COMPARED);
    names.extend(generated);
    for (number, name) in names.iter().enumerate() {
        let kitchen = super::kitchen::kitchen(name, &Options::default());
        let text = reread(&kitchen);
        let all = ["clean", "upstream"];
        // Of the many instances each under one of the two.
        let chosen = if number < 30 {
            &all[..]
        } else {
            &all[number % 2..][..1]
        };
        for semantics in chosen {
            let [one, other] =
                [&kitchen, &text].map(|kitchen| document(&kitchen.compile(semantics, true)));
            assert!(one == other, "{name}, {semantics}");
        }
    }
}

#[test]
fn text_becomes_json_that_compiles_to_the_same_task() {
    let Some(folder) = folder() else {
        return;
    };
    let mut names = tasks();
    // One generated instance of each task.
    let generated = files(&folder.join("procgen")).into_iter();
    let generated = generated.filter(|path| path.ends_with("seed84.json"));
    names.extend(generated.map(|path| {
        let path = path.strip_prefix(&folder).unwrap();
        path.to_string_lossy().into_owned()
    }));
    assert_eq!(names.len(), 50);
    for name in &names {
        let kitchen = super::kitchen::kitchen(name, &Options::default());
        let again = exported(name, &reread(&kitchen));
        for semantics in ["clean", "upstream"] {
            let [one, other] = [&kitchen, &again].map(|kitchen| kitchen.compile(semantics, true));
            let place = format!("{name}, {semantics}");
            assert_same(&place, &one, &other);
        }
    }
}

#[test]
fn the_published_domain_survives_text_and_json() {
    if folder().is_none() {
        return;
    }
    let environment = read("environments/synchronous/0_cheese_sandwich.json");
    for turns in [Turns::Any, Turns::Alternate] {
        let options = Options {
            turns: Some(turns),
            pool: None,
        };
        let kitchen = Kitchen::import("sandwich", &environment, &options);
        let again = exported("sandwich", &reread(&kitchen));
        assert_eq!(print_domain(&again.domain), print_domain(&kitchen.domain));
        assert_eq!(
            print_problem(&again.problem),
            print_problem(&kitchen.problem)
        );
    }
}
