//! `export`: the language and the JSON of Robotouille, to and fro.

use crate::cli::{Scratch, check, run, shown};

const DOMAIN: &str = "tests/data/import/tea-domain.json";
const TEA: &str = "tests/data/import/tea-for-one.json";

fn text(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(output.status.code(), Some(0), "{}", shown(args, &output));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn an_environment_is_exported_to_the_language_as_it_is_imported() {
    assert_eq!(
        text(&["export", TEA, "--domain", DOMAIN, "--to", "pddl"]),
        text(&["import", "robotouille", DOMAIN, TEA])
    );
    let in_turn = text(&["export", DOMAIN, "--to", "pddl", "--turns", "alternate"]);
    assert!(in_turn.contains("(domain tea-in-turn)") && !in_turn.contains("(problem"));
}

#[test]
fn text_is_exported_to_the_language_formatted() {
    let domain = "domains/robotouille.pddl";
    let file = std::fs::read_to_string(domain).unwrap();
    assert_eq!(text(&["export", domain, "--to", "pddl"]), file);
    let problem = "problems/robotouille/synchronous-0_cheese_sandwich.pddl";
    let both = text(&["export", problem, "--to", "pddl"]);
    let problem = std::fs::read_to_string(problem).unwrap();
    assert_eq!(both, format!("{file}\n{problem}"));
}

#[test]
fn a_problem_of_several_agents_is_exported_for_planners_of_one() {
    let problem = "problems/collab-overcooked/boiled_egg.pddl";
    let both = text(&["export", problem, "--to", "classical"]);
    assert!(both.contains("(:requirements :strips :negative-preconditions :action-costs"));
    assert!(both.contains("(increase (total-cost) 1)"));
    for beyond in [
        ":agent", "(after ", ":turns", ":label", ":objects", "(or", "(imply", "(forall", "(exists",
    ] {
        assert!(!both.contains(beyond), "{beyond}");
    }
    let args = [
        "export",
        "domains/collab-overcooked.pddl",
        "--to",
        "classical",
    ];
    let output = run(&args);
    assert_eq!(output.status.code(), Some(2), "{}", shown(&args, &output));
}

#[test]
fn what_has_no_classical_form_is_refused_with_a_reason() {
    let scratch = Scratch::new("classical");
    let (domain, problem) = (scratch.path("domain.pddl"), scratch.path("problem.pddl"));
    let written = "(define (domain d) (:requirements :horizon :action-costs) (:predicates (p))
        (:functions (total-cost)) (:action gain :effect (increase (total-cost) 1))
        (:action a :effect (p)))";
    std::fs::write(&domain, written).unwrap();
    let written = |rest: &str| {
        let written = format!(
            "(define (problem q) (:domain d) (:init (= (total-cost) 0)) (:goal (p))
               (:metric maximize (total-cost)) {rest})"
        );
        std::fs::write(&problem, written).unwrap();
    };
    let args = ["export", &problem, "--domain", &domain, "--to", "classical"];
    written("");
    let output = run(&args);
    assert_eq!(output.status.code(), Some(1), "{}", shown(&args, &output));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("error[E0401]: a classical action has no negative cost, and `gain` adds to")
            && said.contains("add a `:horizon`"),
        "{said}"
    );
    written("(:horizon 3)");
    let both = text(&args);
    assert!(
        both.contains("; The cost of a plan is 3 less its metric."),
        "{both}"
    );
}

#[test]
fn a_plan_of_the_classical_form_is_replayed_in_the_problem() {
    let scratch = Scratch::new("classical-plan");
    let plan = scratch.path("plan.txt");
    let problem = "problems/robotouille/synchronous-3_burger.pddl";
    let (domain, exported) = (scratch.path("domain.pddl"), scratch.path("problem.pddl"));
    let export = ["export", problem, "--to", "classical"];
    let out = ["--out-domain", &domain, "--out-problem", &exported];
    text(&[&export[..], &out].concat());
    text(&["plan", &exported, "--domain", &domain, "--plan-file", &plan]);
    let replayed = text(&["replay", problem, &plan, "--classical"]);
    let optimum = text(&["plan", problem]);
    let makespan = optimum.split("makespan ").nth(1).unwrap();
    let makespan = makespan.split(',').next().unwrap();
    assert!(
        replayed.contains(&format!("\n{makespan} ticks, "))
            && replayed.contains("the goal is reached"),
        "{replayed}"
    );
    std::fs::write(&plan, "(tick)\n(no-such-action)\n").unwrap();
    let args = ["replay", problem, &plan, "--classical"];
    let output = run(&args);
    assert_eq!(output.status.code(), Some(5), "{}", shown(&args, &output));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("line 2: the classical form of this problem has no action `no-such-action`"),
        "{said}"
    );
}

#[test]
fn text_is_exported_to_json_that_compiles_to_the_same_task() {
    let scratch = Scratch::new("export");
    let path = |name| scratch.path(name);
    let (domain, problem) = (path("tea-domain.pddl"), path("tea.pddl"));
    let (domain_json, json) = (path("domain.json"), path("tea.json"));
    let import = ["import", "robotouille", DOMAIN, TEA];
    text(
        &[
            &import[..],
            &["--out-domain", &domain, "--out-problem", &problem],
        ]
        .concat(),
    );
    let out = ["--out-domain", &domain_json, "--out-problem", &json];
    let export = [
        "export",
        &problem,
        "--domain",
        &domain,
        "--to",
        "robotouille",
    ];
    text(&[&export[..], &out].concat());
    let compiled = |file: &str, domain: &str| {
        let args = ["compile", file, "--domain", domain, "--emit", "json"];
        text(&[&args[..], &["--semantics", "upstream"]].concat())
    };
    let name = |text: String| text.replace("tea-for-one", "tea");
    assert_eq!(
        name(compiled(&problem, &domain)),
        compiled(&json, &domain_json)
    );
    check(
        "export-robotouille",
        &["export", TEA, "--domain", DOMAIN, "--to", "robotouille"],
    );
}

fn args(file: &str) -> [&str; 4] {
    ["export", file, "--to", "robotouille"]
}

#[test]
fn what_the_json_of_robotouille_cannot_say_is_reported() {
    let egg = check("export-egg", &args("tests/data/cli/one-egg.pddl"));
    assert_eq!(egg.status.code(), Some(1));
    let kitchen = std::fs::read_to_string("domains/robotouille.pddl").unwrap();
    let scratch = Scratch::new("not-expressible");
    for (from, to, message) in [
        ("(after 4\n", "(after 5\n", "another delay than 4 ticks"),
        ("(on-nth 3 (", "(on-nth 2 (", "or another count than 3,"),
        ("list-skipping", "list", "what else the domain says"),
        (
            ":parameters (?p1 - player ?s1 ?s2 - station)",
            ":parameters (?s2 ?s1 - station ?p1 - player)",
            "the action `move`",
        ),
        (
            "  (:fail (pool-exhausted))",
            "  (:fail (or))",
            "what else the domain says",
        ),
    ] {
        assert!(kitchen.contains(from), "{from}");
        let file = scratch.file("kitchen.pddl", kitchen.replacen(from, to, 1));
        let output = run(&args(&file));
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{to}\n{errors}");
        assert!(
            errors.contains("E0401") && errors.contains(message),
            "{to}\n{errors}"
        );
    }
    let problem = "problems/robotouille/synchronous-4_cheeseburger.pddl";
    let burger = std::fs::read_to_string(problem).unwrap();
    for (from, to, message) in [
        ("(nothing robot1)", "", "the start"),
        (
            "    table1 table2",
            "    table2 table1",
            "the order of the objects",
        ),
        (
            "  (:goal",
            "  (:horizon 9)\n  (:goal",
            "a metric, a horizon, losing states or another end",
        ),
        ("(and ", "(or ", "this part of the goal"),
    ] {
        assert!(burger.contains(from), "{from}\n{burger}");
        let file = scratch.file("burger.pddl", burger.replacen(from, to, 1));
        let args = [&args(&file)[..], &["--domain", "domains/robotouille.pddl"]].concat();
        let output = run(&args);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{to}\n{errors}");
        assert!(
            errors.contains("E0401") && errors.contains(message),
            "{to}\n{errors}"
        );
    }
}

#[test]
fn a_goal_in_json_names_only_objects_that_others_could_be_taken_for() {
    let scratch = Scratch::new("export-names");
    let file = "problems/robotouille/synchronous-0_cheese_sandwich.pddl";
    let problem = std::fs::read_to_string(file).unwrap();
    let (start, _) = problem.split_once("(:goal").unwrap();
    let file = scratch.file("one.pddl", format!("{start}(:goal (atop cheese1 bread2)))"));
    let json = text(&["export", &file, "--to", "robotouille"]);
    let goal = r#""goal": [{"predicate":"atop","args":["cheese","bread"],"ids":[1,"bread2"]}]"#;
    assert!(json.contains(goal), "{json}");
    assert_eq!(json.matches("\"id\"").count(), 1, "{json}");
}

#[test]
fn what_was_read_is_not_written_over_and_what_is_left_out_is_reported() {
    let scratch = Scratch::new("export-over");
    let (domain, problem) = (scratch.path("domain.pddl"), scratch.path("egg.pddl"));
    std::fs::copy("tests/data/cli/egg.pddl", &domain).unwrap();
    std::fs::copy(crate::cli::ONE_EGG, &problem).unwrap();
    let export = |out: &[&str]| {
        let args = [&["export", &problem, "--to", "pddl"][..], out].concat();
        let output = run(&args);
        let said = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), said)
    };
    let before = std::fs::read(&domain).unwrap();
    let (code, said) = export(&["--out-domain", &domain]);
    assert_eq!(code, Some(2), "{said}");
    assert_eq!(std::fs::read(&domain).unwrap(), before);
    let mine = scratch.file("mine.pddl", "; mine\n");
    let (code, said) = export(&["--out-domain", &mine]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("it exists, and is not overwritten"), "{said}");
    assert_eq!(std::fs::read_to_string(&mine).unwrap(), "; mine\n");
    let (code, said) = export(&["--out-domain", &mine, "--force"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("mine.pddl: written"), "{said}");
    let same = scratch.path("same.pddl");
    let (code, said) = export(&["--out-domain", &same, "--out-problem", &same]);
    assert_eq!(code, Some(2), "{said}");
    let (code, said) = export(&["--out-domain", &same]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("--out-problem"), "{said}");
}
