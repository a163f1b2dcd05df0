//! People at a terminal: what they are shown, what they answer, and that the log can be resumed.

use std::fs;
use std::process::{Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::schema::{conforms, schema};
use super::{ONE_EGG, Scratch, command, run, run_with_input, shown};

const KITCHEN: &str = "bundled:collab-overcooked/boiled_egg";

/// Returns the output of a run in which a person decides for the chef, who types these lines.
fn play(problem: &str, log: &str, typed: &str, options: &[&str]) -> Output {
    let args = ["run", problem, "--agent", "chef=human", "--log", log];
    run_with_input(&[&args, options].concat(), typed)
}

fn events(log: &str) -> Vec<Value> {
    let text = fs::read_to_string(log).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn kinds(events: &[Value]) -> Vec<&str> {
    let kinds = events.iter().map(|event| event["event"].as_str().unwrap());
    kinds.collect()
}

fn dialogue(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn a_person_plays_a_whole_game_and_the_log_is_one_like_any_other() {
    let scratch = Scratch::new("people-whole");
    let log = scratch.path("log.jsonl");
    let typed = "hint\nsay I begin\nfly\n1\nwait\ntake(egg)\nserve(egg)\n";
    let output = play(ONE_EGG, &log, typed, &["--others", "planner"]);
    let text = shown(&[], &output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let events = events(&log);
    let schema = schema("event-log.schema.json");
    for event in &events {
        assert!(conforms(event, &schema, &schema), "{event}");
    }
    assert_eq!(events[0]["agents"][0]["policy"], "human", "{text}");
    assert_eq!(events.last().unwrap()["reason"], "goal");
    let calls = events.iter().filter(|event| event["event"] == "call");
    let of = |module: &'static str| calls.clone().filter(move |it| it["module"] == module);
    assert_eq!(of("hint").count(), 1);
    assert_eq!(of("person").next().unwrap()["answer"], "fly");
    assert!(
        events
            .iter()
            .any(|it| it["event"] == "message" && it["text"] == "I begin")
    );
    assert!(
        events
            .iter()
            .any(|it| it["event"] == "error" && it["command"] == "fly")
    );
    let decision = events.iter().find(|it| it["event"] == "decision").unwrap();
    assert_eq!(decision["outcome"], "ok");
    assert_eq!(decision["attempts"], 2);
    let replayed = run(&["replay", ONE_EGG, &log]);
    assert_eq!(replayed.status.code(), Some(0), "{}", shown(&[], &replayed));
    let score = run(&["score", &log, "--problem", ONE_EGG, "--process"]);
    assert_eq!(score.status.code(), Some(0), "{}", shown(&[], &score));
}

#[test]
fn the_dialogue_is_as_it_was_accepted() {
    let scratch = Scratch::new("people-dialogue");
    let log = scratch.path("log.jsonl");
    let typed = "help\n\n99\nsay\nhint\nsay hello\nfly\nhistory\n1\nstate\nquit\n";
    let output = play(ONE_EGG, &log, typed, &["--others", "planner"]);
    super::snapshot("people-dialogue", &shown(&[], &output));
}

#[test]
fn a_game_that_was_left_is_gone_on_with() {
    for typed in ["say hello\n1\n", "say hello\n1\nquit\n"] {
        let scratch = Scratch::new("people-left");
        let log = scratch.path("log.jsonl");
        let output = play(KITCHEN, &log, typed, &["--others", "greedy"]);
        let text = shown(&[], &output);
        assert_eq!(output.status.code(), Some(3), "{text}");
        assert!(text.contains("`--resume` goes on with it"), "{text}");
        let before = events(&log);
        assert_eq!(before.last().unwrap()["reason"], "interrupted");
        let options = ["--others", "greedy", "--resume"];
        let output = play(KITCHEN, &log, "history\n1\n", &options);
        let text = dialogue(&output);
        assert!(
            text.contains("[0] you: \"hello\"\n[0] you: wait\n"),
            "{text}"
        );
        assert!(text.contains("== step 1 of chef"), "{text}");
        let after = events(&log);
        assert_eq!(after.iter().filter(|it| it["event"] == "step").count(), 2);
        assert_eq!(
            after.iter().filter(|it| it["event"] == "message").count(),
            1
        );
    }
}

#[test]
fn what_is_logged_as_shown_is_what_the_agent_observes() {
    for agent in ["chef", "assistant"] {
        let scratch = Scratch::new(&format!("people-shown-{agent}"));
        let log = scratch.path("log.jsonl");
        let policy = format!("{agent}=human");
        let args = ["run", KITCHEN, "--agent", &policy, "--log", &log];
        run_with_input(&args, "wait\n");
        let events = events(&log);
        let call = events
            .iter()
            .find(|event| event["event"] == "call")
            .unwrap();
        let question = call["request"]["messages"][1]["content"].as_str().unwrap();
        let observed = run(&["observe", KITCHEN, "--agent", agent, "--actions", "none"]);
        let observed = String::from_utf8(observed.stdout).unwrap();
        assert!(observed.contains("the order is boiled_egg"), "{observed}");
        let lines = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| !line.is_empty());
            lines.map(str::to_owned).collect()
        };
        let shown = lines(question);
        let start = shown
            .iter()
            .position(|line| line.starts_with("What you see"));
        let end = shown.iter().position(|line| line == "What you can do now:");
        assert_eq!(
            shown[start.unwrap() + 1..end.unwrap()],
            lines(&observed)[..]
        );
    }
}

#[test]
fn only_who_is_shown_the_recipe_gets_it_and_hints() {
    let play = |agent: &str| {
        let policy = format!("{agent}=human");
        let args = ["run", KITCHEN, "--agent", &policy, "--others", "greedy"];
        dialogue(&run_with_input(&args, "state\nhint\nquit\n"))
    };
    let (chef, assistant) = (play("chef"), play("assistant"));
    assert!(chef.contains("make-boiled_egg"), "{chef}");
    assert!(chef.contains("16 ticks to the end"), "{chef}");
    assert!(!assistant.contains("make-boiled_egg"), "{assistant}");
    assert!(assistant.contains("no hint: the planner knows what you are not shown"));
}

#[test]
fn an_evaluation_has_no_people() {
    let scratch = Scratch::new("people-bench");
    let text = "[[problems]]\npath = \"bundled:overcooked-ai/cramped_room\"\n\n[[setups]]\nname = \"people\"\n\
                agents = \"human\"\n";
    let bench = scratch.file("bench.toml", text);
    let args = ["bench", &bench, "--log-dir", &scratch.path("logs")];
    let output = run(&args);
    assert_eq!(output.status.code(), Some(2), "{}", shown(&args, &output));
    assert!(dialogue(&output).contains("--agent NAME=human"));
}

#[test]
fn two_people_share_a_terminal() {
    let args = ["run", ONE_EGG, "--others", "human", "--max-ticks", "1"];
    let output = run_with_input(&args, "say to you\n1\n1\n");
    let text = dialogue(&output);
    assert!(text.contains("[0] chef: \"to you\""), "{text}");
}

#[test]
fn with_json_standard_output_holds_the_result_alone() {
    let args = [
        "run",
        ONE_EGG,
        "--agent",
        "chef=human",
        "--max-ticks",
        "1",
        "--format",
        "json",
    ];
    let output = run_with_input(&args, "1\n");
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["reason"], "tick-limit");
    let schema = schema("run.schema.json");
    assert!(conforms(&result, &schema, &schema), "{result}");
    let problem = fs::read_to_string(ONE_EGG).unwrap();
    let args = [
        "run",
        "-",
        "--domain",
        "tests/data/cli/egg.pddl",
        "--others",
        "human",
    ];
    let output = run_with_input(&args, &problem);
    assert_eq!(output.status.code(), Some(2), "{}", shown(&[], &output));
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_game_that_waits_for_its_person() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    let scratch = Scratch::new("people-interrupt");
    let log = scratch.path("log.jsonl");
    let mut child = command(&["run", ONE_EGG, "--others", "human", "--log", &log])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while fs::read_to_string(&log).unwrap_or_default().is_empty() {
        assert!(start.elapsed() < Duration::from_secs(30));
        thread::sleep(Duration::from_millis(20));
    }
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    assert_eq!(kinds(&events(&log)), ["header", "end"]);
}
