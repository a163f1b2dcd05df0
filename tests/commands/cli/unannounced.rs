//! Facts that come unannounced: no agent acts on them before, and plans say whether they do.

use std::fs;

use serde_json::Value;

use crate::cli::{Scratch, conforms, run, schema, shown};

/// A ringer may wait for the bell at the gate, or go to the tower and ring it; which is quicker depends on when it
/// rings by itself.
const DOMAIN: &str = r#"(define (domain bells)
  (:requirements :adl :multi-agent :text :timed-initial-literals :horizon)
  (:types ringer place)
  (:constants gate stairs tower - place)
  (:predicates (at ?r - ringer ?p - place) (next ?p ?q - place)
               (rung :text "the bell has rung") (open ?p - place))
  (:facts (next gate stairs) (next stairs tower))
  (:action go
    :agent ?r - ringer
    :parameters (?from ?to - place)
    :precondition (and (at ?r ?from) (next ?from ?to))
    :effect (and (not (at ?r ?from)) (at ?r ?to))
    :label "go({?to})")
  (:action ring
    :agent ?r - ringer
    :precondition (at ?r tower)
    :effect (rung)
    :label "ring()"))"#;

fn problem(literals: &str) -> String {
    format!(
        "(define (problem noon)
  (:domain bells)
  (:objects tom - ringer)
  (:init (at tom gate) {literals})
  (:goal (rung)))"
    )
}

/// A folder with the domain and a problem with timed literals.
fn noon(name: &str, literals: &str) -> (Scratch, String) {
    let scratch = Scratch::new(&format!("unannounced-{name}"));
    scratch.file("domain.pddl", DOMAIN);
    let problem = scratch.file("noon.pddl", problem(literals));
    (scratch, problem)
}

fn document(args: &[&str]) -> Value {
    let output = run(&[args, &["--format", "json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", shown(args, &output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn plans_and_references_say_what_they_know() {
    let (_scratch, problem) = noon("views", "(at 2 :unannounced (rung))");
    for (view, makespan, actions) in [("clairvoyant", 2, 0), ("informed", 3, 3)] {
        let plan = document(&["plan", &problem, "--view", view]);
        assert_eq!(plan["view"], view);
        assert_eq!(
            (&plan["makespan"], &plan["actions"]),
            (&makespan.into(), &actions.into())
        );
        let rats = document(&["rats", &problem, "--view", view]);
        assert_eq!(rats["view"], view);
        assert_eq!(rats["makespan"], makespan);
        for command in ["plan", "rats"] {
            let output = run(&[command, &problem, "--view", view]);
            let text = shown(&[], &output);
            assert!(text.contains(&format!("view: {view}, ")), "{text}");
        }
        let rules = schema("plan.schema.json");
        assert!(conforms(&plan, &rules, &rules), "{plan}");
        let rules = schema("rats.schema.json");
        assert!(conforms(&rats, &rules, &rules), "{rats}");
    }
    // Where all is announced there is one view, and nothing is said of it.
    let (_scratch, problem) = noon("announced", "(at 2 (rung))");
    let plan = document(&["plan", &problem, "--view", "informed"]);
    assert_eq!(
        (&plan["view"], &plan["makespan"]),
        (&Value::Null, &2.into())
    );
}

/// Returns the actions of Tom, and the tick at which the episode ended.
fn played(name: &str, literals: &str, policy: &str) -> (Vec<String>, u64) {
    let (scratch, problem) = noon(name, literals);
    let log = scratch.path("log.jsonl");
    let output = run(&[
        "run",
        &problem,
        "--others",
        policy,
        "--max-ticks",
        "8",
        "--log",
        &log,
    ]);
    assert!(output.status.code() < Some(2), "{}", shown(&[], &output));
    let text = fs::read_to_string(&log).unwrap();
    let lines = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let (mut done, mut ticks) = (Vec::new(), 0);
    for line in lines {
        match line["event"].as_str().unwrap() {
            "step" => done.push(line["choices"][0]["action"].as_str().unwrap().to_owned()),
            "end" => ticks = line["ticks"].as_u64().unwrap(),
            _ => {}
        }
    }
    (done, ticks)
}

#[test]
fn a_planner_acts_on_what_was_announced_and_plans_again_when_something_comes() {
    for (number, policy) in ["planner", "planner:states=2000"].into_iter().enumerate() {
        let played =
            |name: &str, literals: &str| played(&format!("{name}-{number}"), literals, policy);
        // It waits for what it knows will come, and goes for what it does not.
        let waits = vec!["wait".to_owned(); 2];
        assert_eq!(played("knows", "(at 2 (rung))"), (waits, 2), "{policy}");
        let goes = ["go tom gate stairs", "go tom stairs tower"].map(str::to_owned);
        let ignorant = played("ignorant", "(at 2 :unannounced (rung))");
        assert_eq!(ignorant, (goes.to_vec(), 2), "{policy}");
        // The way is shut before it gets there: then it waits for the announced bell.
        let shut = "(at 1 :unannounced (not (at tom stairs))) (at 1 :unannounced (at tom gate)) (at 4 (rung))";
        let (done, ticks) = played("surprised", shut);
        assert_eq!(done[0], "go tom gate stairs", "{policy}");
        assert_eq!(ticks, 4, "{policy}");
    }
}

#[test]
fn a_greedy_agent_sees_no_more_of_the_next_tick() {
    // To be on the stairs when they are opened is to have failed.
    let first = |mark: &str| {
        let literals = format!(
            "(at 1 {mark} (open stairs)))
  (:fail (and (at tom stairs) (open stairs))"
        );
        played(&format!("greedy{mark}"), &literals, "greedy").0[0].clone()
    };
    assert_eq!(first(""), "wait");
    assert_eq!(first(":unannounced"), "go tom gate stairs");
}

#[cfg(unix)]
#[test]
fn a_program_is_shown_nothing_before_it_comes() {
    let (scratch, problem) = noon("program", "(at 2 :unannounced (rung)) (at 9 (open gate))");
    let program = scratch.file(
        "look",
        "while read -r line; do printf '%s\\n' \"$line\" >> \"$0.seen\"
         case $line in *'\"decide\"'*) echo '{\"command\":\"wait\"}';; esac; done",
    );
    let output = run(&["run", &problem, "--others", &format!("exec:sh {program}")]);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&[], &output));
    let seen = fs::read_to_string(format!("{program}.seen")).unwrap();
    assert!(!seen.contains("rung"), "{seen}");
}

#[test]
fn streams_carry_such_facts_and_orders_may_come_so() {
    let (scratch, problem) = noon("stream", "");
    let stream = "(define (stream noise) (:domain bells)
        (:requirements :timed-initial-literals) (:init (at 2 :unannounced (rung))))";
    let stream = scratch.file("noise.pddl", stream);
    let plan = document(&["plan", &problem, "--init", &stream, "--view", "informed"]);
    assert_eq!(
        (&plan["view"], &plan["makespan"]),
        (&"informed".into(), &3.into())
    );

    let orders = |options: &[&str]| {
        let args = [
            "generate",
            "orders",
            "problems/cuisineworld/level-2.pddl",
            "--seed",
            "3",
        ];
        let output = run(&[&args[..], options].concat());
        assert_eq!(output.status.code(), Some(0), "{}", shown(&[], &output));
        String::from_utf8(output.stdout).unwrap()
    };
    let (known, sudden) = (orders(&[]), orders(&["--unannounced"]));
    assert_eq!(known, sudden.replace(":unannounced ", ""));
    // None that is still to come is announced.
    for timed in sudden.split("(at ").skip(1) {
        let fact = timed.split_once(' ').unwrap().1;
        assert!(!fact.starts_with("(waiting"), "{timed}");
    }
    assert!(sudden.contains(":unannounced (waiting"), "{sudden}");
}

#[test]
fn what_came_unannounced_is_lost_by_no_choice_in_the_informed_view() {
    // Tom goes for the tower, and the bell rings when he is there: in vain as one sees who knew, and right
    // as Tom knew it.
    let (scratch, problem) = noon("regret", "(at 2 :unannounced (rung))");
    let log = scratch.path("log.jsonl");
    let played = run(&["run", &problem, "--others", "planner", "--log", &log]);
    assert_eq!(played.status.code(), Some(0), "{}", shown(&[], &played));
    let measured = |view: &str| {
        document(&[
            "score",
            &log,
            "--problem",
            &problem,
            "--process",
            "--view",
            view,
        ])
    };
    let rules = schema("score.schema.json");
    for (view, optimum, to_go) in [("clairvoyant", 2, [2, 1]), ("informed", 3, [3, 2])] {
        let document = measured(view);
        assert!(conforms(&document, &rules, &rules), "{document}");
        assert_eq!(document["view"], view);
        let process = &document["process"][0];
        assert_eq!(process["end"]["optimum"], optimum, "{view}");
        assert_eq!(process["agents"][0]["regret"], 0, "{view}");
        let steps = process["steps"].as_array().unwrap();
        let before: Vec<u64> = steps
            .iter()
            .map(|it| it["before"].as_u64().unwrap())
            .collect();
        assert_eq!(before, to_go, "{view}");
    }
    // What he does once the way is shut is judged by what he knows then.
    let shut =
        "(at 1 :unannounced (not (at tom stairs))) (at 1 :unannounced (at tom gate)) (at 4 (rung))";
    let (scratch, problem) = noon("regret-shut", shut);
    let log = scratch.path("log.jsonl");
    run(&["run", &problem, "--others", "planner", "--log", &log]);
    let steps = |view: &str| {
        let args = [
            "score",
            &*log,
            "--problem",
            &problem,
            "--process",
            "--view",
            view,
        ];
        let document = document(&args);
        document["process"][0]["steps"]
            .as_array()
            .unwrap()
            .iter()
            .map(|step| {
                (
                    step["before"].as_i64().unwrap(),
                    step["after"].as_i64().unwrap(),
                    step["regret"].as_i64().unwrap(),
                )
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(
        steps("informed"),
        [(3, 2, 0), (3, 2, 0), (2, 1, 0), (1, 0, 0)]
    );
    assert_eq!(
        steps("clairvoyant"),
        [(4, 3, 0), (3, 2, 0), (2, 1, 0), (1, 0, 0)]
    );
}

#[test]
fn regret_in_the_informed_view_reports_by_itself_what_came_unannounced() {
    let shut =
        "(at 1 :unannounced (not (at tom stairs))) (at 1 :unannounced (at tom gate)) (at 4 (rung))";
    let surprise = |tick: u32, before: i64, after: i64| {
        serde_json::json!([{
            "tick": tick,
            "before": before,
            "after": after,
            "cost": 0,
            "change": after - before,
        }])
    };
    let rules = schema("score.schema.json");
    for (name, literals, optima, surprises) in [
        (
            "rung",
            "(at 2 :unannounced (rung))",
            [2, 3],
            surprise(2, 1, 0),
        ),
        ("shut", shut, [4, 3], surprise(1, 2, 3)),
    ] {
        let (scratch, problem) = noon(&format!("surprise-{name}"), literals);
        let log = scratch.path("log.jsonl");
        run(&["run", &problem, "--others", "planner", "--log", &log]);
        let args = |view| {
            [
                "score",
                &*log,
                "--problem",
                &problem,
                "--regret",
                "--view",
                view,
            ]
        };
        for (view, optimum, surprises) in [
            ("clairvoyant", optima[0], &Value::Null),
            ("informed", optima[1], &surprises),
        ] {
            let document = document(&args(view));
            assert!(conforms(&document, &rules, &rules), "{document}");
            assert_eq!(document["view"], view);
            let found = &document["regret"][0];
            assert_eq!(&found["surprises"], surprises, "{name}, {view}");
            let regret = &found["regret"];
            assert_eq!(
                (&regret["optimum"], &regret["total"]),
                (&optimum.into(), &0.into()),
                "{name}, {view}"
            );
            // Nothing that came is taken for an action.
            let steps = regret["steps"].as_array().unwrap().len();
            assert_eq!(found["actions"].as_array().unwrap().len(), steps);
            assert_eq!(regret["cost"].as_u64(), Some(steps as u64));
            let change = surprises[0]["change"].as_i64().unwrap_or(0);
            assert_eq!(regret["cost"].as_i64(), Some(optimum + change), "{name}");
        }
        let text = shown(&[], &run(&args("informed")));
        assert!(text.contains("\nview: informed\n"), "{text}");
        assert!(text.contains("\nunannounced at tick "), "{text}");
    }
}
