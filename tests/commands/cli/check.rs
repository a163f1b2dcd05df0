//! Checks the first encounters of a new author: folders, the domain that is meant, warnings, where to go on.

use std::fs;
use std::process::Output;

use crate::cli::{Bistro, NO_EGG, ONE_EGG, Scratch, run, shown};

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn errors(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn answer(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_folder_stands_for_the_files_in_it() {
    let bistro = Bistro::new("check-folder");
    let output = run(&["check", &bistro.folder]);
    assert_eq!(code(&output), 0, "{}", shown(&[], &output));
    let said = answer(&output);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 2, "{said}");
    assert!(lines[0].contains("domain.pddl: domain ok"), "{said}");
    assert!(lines[1].contains("soup.pddl: problem ok"), "{said}");
    let empty = Scratch::new("check-empty");
    let output = run(&["check", &empty.path("")]);
    assert_eq!(code(&output), 2);
    assert!(errors(&output).contains("holds no `.pddl` file"));
}

#[test]
fn an_empty_folder_does_not_keep_other_files_from_their_reports() {
    let bistro = Bistro::new("check-beside-empty");
    let empty = Scratch::new("check-beside-empty-folder");
    let output = run(&["check", &empty.path(""), &bistro.folder]);
    assert_eq!(code(&output), 2);
    assert!(errors(&output).contains("holds no `.pddl` file"));
    assert!(answer(&output).contains("soup.pddl: problem ok"));
}

#[test]
fn a_folder_where_a_file_is_needed_is_answered_with_its_files() {
    let bistro = Bistro::new("plan-folder");
    for command in ["plan", "rats", "compile"] {
        let output = run(&[command, &bistro.folder]);
        assert_eq!(code(&output), 2, "{command}");
        let said = errors(&output);
        assert!(said.contains("is a folder; a file is needed"), "{said}");
        let files = format!(
            "help: it holds {}, {}",
            bistro.path("domain.pddl"),
            bistro.path("soup.pddl")
        );
        assert!(said.contains(&files), "{said}");
    }
}

#[test]
fn a_warning_fails_the_check_where_it_is_denied() {
    let args = ["check", NO_EGG];
    assert_eq!(code(&run(&args)), 0);
    for form in ["text", "json", "sarif"] {
        let allowed = run(&[&args[..], &["--format", form]].concat());
        let denied = run(&[&args[..], &["--format", form, "--deny-warnings"]].concat());
        assert_eq!((code(&allowed), code(&denied)), (0, 1), "{form}");
        assert_eq!(answer(&allowed), answer(&denied), "{form}");
    }
    let denied = run(&[&args[..], &["--deny-warnings"]].concat());
    assert!(errors(&denied).contains("and no warning is allowed"));
    assert_eq!(code(&run(&["check", ONE_EGG, "--deny-warnings"])), 0);
}

#[test]
fn what_a_domain_makes_true_and_none_of_the_problems_with_it_reads_is_reported_of_the_domain() {
    let bistro = Bistro::new("check-unread");
    let washed = "(:predicates\n    (washed ?x - food)";
    bistro.replace("domain.pddl", "(:predicates", washed);
    let effect = "(and (washed ?x) (not (in-pantry ?x))";
    bistro.replace("domain.pddl", "(and (not (in-pantry ?x))", effect);
    let warned = |args: &[&str]| errors(&run(args)).contains("warning[W0202]");
    // A problem that is not there may ask for it.
    assert!(!warned(&["check", &bistro.path("domain.pddl")]));
    assert!(!warned(&["check", &bistro.path("soup.pddl")]));
    assert!(warned(&["check", &bistro.folder]));
    let problem = bistro.read("soup.pddl");
    let other = problem.replace("(served carrot-soup)", "(washed carrot)");
    assert_ne!(other, problem);
    fs::write(bistro.path("wash.pddl"), other).unwrap();
    assert!(!warned(&["check", &bistro.folder]));
    // One that is misspelt may mean it.
    let misspelt = problem.replace("(served carrot-soup)", "(wahsed carrot)");
    fs::write(bistro.path("wash.pddl"), misspelt).unwrap();
    assert!(!warned(&["check", &bistro.folder]));
}

#[test]
fn what_no_planner_can_ground_is_no_sound_problem() {
    let bad = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/bad/ground-E0206-delay-of-nothing.pddl"
    );
    let text = fs::read_to_string(bad).unwrap();
    let (domain, problem) = text.split_at(text.find("(define (problem").unwrap());
    let scratch = Scratch::new("check-ungroundable");
    fs::write(scratch.path("domain.pddl"), domain).unwrap();
    fs::write(scratch.path("slow-1.pddl"), problem).unwrap();
    for (command, expected) in [("check", 1), ("plan", 5)] {
        let output = run(&[command, &scratch.path("slow-1.pddl")]);
        assert_eq!(code(&output), expected, "{}", shown(&[command], &output));
        assert!(errors(&output).contains("error[E0206]"), "{command}");
    }
}

#[test]
fn a_problem_is_checked_with_the_domain_that_is_given_with_it() {
    let bistro = Bistro::new("given-domain");
    let domain = bistro.read("domain.pddl");
    fs::remove_file(bistro.path("domain.pddl")).unwrap();
    fs::write(bistro.path("one.pddl"), &domain).unwrap();
    fs::write(bistro.path("two.pddl"), &domain).unwrap();
    let [one, two, soup] = ["one.pddl", "two.pddl", "soup.pddl"].map(|name| bistro.path(name));
    for args in [[&*one, &*soup], [&*soup, &*one]] {
        let output = run(&["check", args[0], args[1]]);
        assert_eq!(code(&output), 0, "{}", shown(&[], &output));
        let facts = run(&["check", "--facts", args[0], args[1]]);
        assert!(answer(&facts).contains("optimum: makespan 7"));
    }
    for args in [&[&*soup][..], &[&*one, &*two, &*soup]] {
        let output = run(&[&["check"], args].concat());
        assert_eq!(code(&output), 2);
        let said = errors(&output);
        assert!(said.contains("several files define the domain"), "{said}");
    }
}

#[test]
fn a_problem_of_a_domain_that_is_not_there_is_read_with_the_only_one_given() {
    let bistro = Bistro::new("other-domain");
    bistro.replace("soup.pddl", "(:domain bistro)", "(:domain pizza)");
    let scratch = Scratch::new("other-domain-of");
    let domain = scratch.file("kitchen.pddl", bistro.read("domain.pddl"));
    let soup = scratch.file("soup.pddl", bistro.read("soup.pddl"));
    let output = run(&["check", &domain, &soup]);
    assert_eq!(code(&output), 0, "{}", shown(&[], &output));
    let said = errors(&output);
    assert!(
        said.contains("the problem is for the domain `pizza`, and is read with `bistro`"),
        "{said}"
    );
}

#[test]
fn a_domain_file_that_begins_with_a_byte_order_mark_is_found_by_its_name() {
    let bistro = Bistro::new("marked-domain");
    let scratch = Scratch::new("marked-domain-of");
    let marked = format!("\u{feff}{}", bistro.read("domain.pddl"));
    scratch.file("kitchen.pddl", marked);
    let soup = scratch.file("soup.pddl", bistro.read("soup.pddl"));
    for command in ["check", "plan"] {
        let output = run(&[command, &soup]);
        assert_eq!(code(&output), 0, "{}", shown(&[command], &output));
    }
}

#[test]
fn a_problem_without_a_plan_leads_to_what_the_goal_lacks() {
    for command in ["plan", "rats"] {
        let output = run(&[command, NO_EGG]);
        assert_eq!(code(&output), 1);
        let said = errors(&output);
        assert!(
            said.contains(&format!("help: `brigade check {NO_EGG}`")),
            "{said}"
        );
        let quiet = run(&[command, NO_EGG, "--quiet"]);
        assert_eq!(errors(&quiet), "");
    }
    assert!(errors(&run(&["check", NO_EGG])).contains("warning[W0208]"));
}

#[test]
fn a_run_says_what_policy_agents_got_that_were_not_named() {
    let bistro = Bistro::new("policies");
    let soup = bistro.path("soup.pddl");
    let output = run(&["run", &soup, "--agent", "chef=greedy"]);
    let said = errors(&output);
    assert!(
        said.contains("not named by `--agent`: helper; policy: `planner`, of `--others`"),
        "{said}"
    );
    let all = [
        "run",
        &soup,
        "--agent",
        "chef=greedy",
        "--agent",
        "Helper=random",
    ];
    assert_eq!(errors(&run(&all)), "");
}

#[test]
fn a_fact_that_a_recipe_lacks_is_named() {
    let scratch = Scratch::new("check-recipe");
    let page = fs::read_to_string("docs/how-to/recipes.md").unwrap();
    let recipes = page.split("```lisp\n").skip(1);
    let recipes: Vec<&str> = recipes.map(|it| it.split("```").next().unwrap()).collect();
    let shipped = fs::read_to_string("domains/collab-overcooked.pddl").unwrap();
    let order = "problems/collab-overcooked/baked_bell_pepper.pddl";
    let order = fs::read_to_string(order).unwrap();
    for (recipe, fact) in [
        (0, "(stocked tomato)"),
        (0, "(= (makes make-roasted_tomato) roasted_tomato)"),
        (0, "(= (prepared-in make-roasted_tomato) oven0)"),
        (0, "(on-menu roasted_tomato)"),
        (1, "(= (makes make-garlic_slices) garlic_slices)"),
        (1, "(dispenses ingredient_dispenser garlic)"),
        (1, "(= (left dish) 1)"),
        (2, "(= (makes make-baked_bell_pepper) baked_bell_pepper)"),
    ] {
        let problem = recipes.get(recipe).map_or(&*order, |recipe| recipe);
        assert!(problem.contains(fact) || shipped.contains(fact), "{fact}");
        let problem = scratch.file("p.pddl", problem.replace(fact, ""));
        let domain = scratch.file("d.pddl", shipped.replace(fact, ""));
        let domain = ["--domain", &*domain];
        let errors = errors(&run(&[&["check", &problem][..], &domain].concat()));
        let function = fact.trim_start_matches("(= ").trim_start_matches('(');
        let function = function.split([' ', ')']).next().unwrap();
        let named = errors.find("it could be reached").map(|at| &errors[at..]);
        let is_named = named.is_some_and(|named| named.contains(&format!("({function}")));
        assert!(is_named, "{fact}: {errors}");
    }
}

#[test]
fn a_warning_of_a_domain_that_its_problem_repeats_can_be_silenced() {
    let scratch = Scratch::new("check-silenced");
    let domain = "(define (domain d) (:requirements :typing) (:types pot - tool)
        (:predicates (hot ?p - pot)) (:action heat :parameters (?p - pot) :effect (hot ?p)))";
    let problem = "(define (problem p) (:domain d) (:objects a - pot) (:goal (hot a)))";
    let problem = scratch.file("p.pddl", problem);
    let domain_file = scratch.file("d.pddl", domain);
    let output = errors(&run(&["check", &domain_file, &problem]));
    assert_eq!(output.matches("warning[W0103]").count(), 1, "{output}");
    let allowed = format!("; brigade: allow-file W0103 \"the base is left out\"\n{domain}");
    let silenced = scratch.file("d.pddl", allowed);
    let output = errors(&run(&["check", &silenced, &problem]));
    assert!(!output.contains("warning"), "{output}");
}

#[test]
fn what_is_not_shown_is_counted_as_what_it_is() {
    let scratch = Scratch::new("check-many");
    let many = format!(
        "(define (domain d) (:predicates (p)){})",
        " (x)".repeat(1001)
    );
    scratch.file("many.pddl", &many);
    let output = run(&["check", &scratch.path("many.pddl")]);
    let said = errors(&output);
    assert!(said.contains("1001 errors, 0 warnings"), "{said}");
}

#[test]
fn a_domain_of_the_name_beside_a_problem_comes_before_one_of_the_name_of_its_file() {
    let scratch = Scratch::new("check-beside");
    let domain = |name: &str, predicate: &str| {
        format!(
            "(define (domain {name}) (:requirements :strips) (:predicates ({predicate}) (done))\n  \
             (:action end :precondition ({predicate}) :effect (done)))"
        )
    };
    scratch.file("domain.pddl", domain("kitchen", "here"));
    scratch.file("other.pddl", domain("hall", "there"));
    for (name, start) in [("hall", "there"), ("kitchen", "here"), ("attic", "here")] {
        let problem =
            format!("(define (problem {name}) (:domain {name}) (:init ({start})) (:goal (done)))");
        scratch.file("problem.pddl", &problem);
        let output = run(&["plan", &scratch.path("problem.pddl")]);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", errors(&output));
    }
}
