//! The command line as a whole: exit code, standard output and standard error of commands.

mod any_order;
mod boards;
mod check;
mod clairvoyant;
mod cookmas;
mod costs;
mod domains;
mod edge_cases;
mod ends;
#[cfg(unix)]
mod exec;
mod exit_codes;
mod export;
mod facts;
mod fmt;
mod generate;
mod hostile;
mod import;
mod import_overcooked;
#[cfg(unix)]
mod interrupts;
mod json_forms;
mod must_act;
mod nature;
mod observe;
mod observe_as;
mod one_type;
mod online;
mod other_task;
mod pages;
mod paths;
mod people;
mod plan;
mod plans;
#[cfg(all(unix, feature = "full-screen"))]
mod screen;
#[cfg(all(unix, feature = "serve"))]
mod serve;
use crate::common::schema;
#[cfg(unix)]
mod signals;
#[cfg(unix)]
mod special_files;
mod streams;
mod totals;
mod traces;
mod unannounced;
mod unproven;
#[cfg(unix)]
mod writing;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use brigade::episode::{Event, Requested, Responded};

use schema::{conforms, schema};

const ONE_EGG: &str = "tests/data/cli/one-egg.pddl";
const NO_EGG: &str = "tests/data/cli/no-egg.pddl";

/// A folder that is removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let name = format!("brigade-cli-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        fs::write(&path, content).unwrap();
        path.display().to_string()
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The folder of a new domain.
struct Bistro {
    scratch: Scratch,
    folder: String,
}

impl Bistro {
    fn new(name: &str) -> Self {
        let scratch = Scratch::new(name);
        let root = scratch.path("");
        let output = run(&["new", "bistro", "--folder", &root]);
        assert_eq!(output.status.code(), Some(0), "{}", shown(&[], &output));
        let folder = scratch.path("bistro");
        Self { scratch, folder }
    }

    fn path(&self, name: &str) -> String {
        format!("{}/{name}", self.folder)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn replace(&self, name: &str, old: &str, new: &str) {
        let text = self.read(name);
        assert!(text.contains(old), "{name}: {old}");
        fs::write(self.path(name), text.replace(old, new)).unwrap();
    }

    fn snapshot(&self, options: &[&str]) -> Output {
        run(&[&["snapshot", &*self.folder], options].concat())
    }

    fn exists(&self, name: &str) -> bool {
        Path::new(&self.path(name)).exists()
    }
}

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_brigade"));
    command
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::null());
    command
}

/// The names of all commands.
fn command_names() -> Vec<String> {
    let help = String::from_utf8(run(&["--help"]).stdout).unwrap();
    let commands = help.split("Commands:\n").nth(1).unwrap();
    let commands = commands.lines().take_while(|line| !line.is_empty());
    let names = commands.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names
        .map(|line| line.split_whitespace().next().unwrap().to_owned())
        .collect()
}

fn run(args: &[&str]) -> Output {
    command(args).output().unwrap()
}

/// All commands, as the help lists them.
fn commands() -> Vec<String> {
    let help = String::from_utf8(run(&["--help"]).stdout).unwrap();
    help.lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .map(str::to_owned)
        .collect()
}

fn run_with_input(args: &[&str], input: &str) -> Output {
    let mut child = command(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap()
}

fn shown(args: &[&str], output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    format!(
        "$ brigade {}\nexit code: {}\n----- stdout\n{}----- stderr\n{}",
        args.join(" "),
        output.status.code().unwrap_or(-1),
        text(&output.stdout),
        text(&output.stderr),
    )
}

/// Compares with the snapshot of that name, times, versions and folders left out.
fn snapshot(name: &str, text: &str) {
    let scratch = std::env::temp_dir().join("brigade-cli-");
    let scratch = format!(r"{}[a-z-]+\d+", scratch.display());
    insta::with_settings!({
        snapshot_path => concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/cli"),
        prepend_module_to_snapshot => false,
        omit_expression => true,
        filters => [
            (scratch.as_str(), "[SCRATCH]"),
            (r"\d+\.\d+ s\b", "[TIME] s"),
            (r#""(parse|ground|search)": [\d.e-]+"#, r#""$1": "[TIME]""#),
            (r"(?:schema2:)?fnv1a64:[0-9a-f]{16}", "[TASK]"),
            (r#""brigade":"[^"]+""#, r#""brigade":"[VERSION]""#),
            (r"[\d.]+ bytes per state", "[BYTES] bytes per state"),
            (r#""bytes_per_state": [\d.]+"#, r#""bytes_per_state": "[BYTES]""#),
        ],
    }, {
        insta::assert_snapshot!(name, text);
    });
}

fn check(name: &str, args: &[&str]) -> Output {
    let output = run(args);
    snapshot(name, &shown(args, &output));
    output
}

#[test]
fn without_arguments_the_help_is_printed() {
    check("no-arguments", &[]);
    assert_eq!(check("help", &["--help"]).status.code(), Some(0));
}

#[test]
fn wrong_command_lines_have_exit_code_2() {
    for (name, args) in [
        ("unknown-command", &["plna", ONE_EGG][..]),
        ("unknown-option", &["plan", ONE_EGG, "--optimise"]),
        (
            "bad-memory-limit",
            &["plan", ONE_EGG, "--memory-limit", "lots"],
        ),
        ("missing-file", &["plan", "tests/data/cli/none.pddl"]),
        ("folder", &["plan", "tests/data/cli"]),
        (
            "missing-domain",
            &["plan", ONE_EGG, "--domain", "none.pddl"],
        ),
        (
            "unknown-agent",
            &["run", ONE_EGG, "--agent", "cheff=random"],
        ),
        ("unknown-policy", &["run", ONE_EGG, "--agent", "chef=randm"]),
        ("unknown-code", &["explain", "E0000"]),
        ("bad-time-limit", &["plan", ONE_EGG, "--time-limit", "-1"]),
        ("bad-jobs", &["plan", ONE_EGG, "--jobs", "-1"]),
        (
            "bad-slack",
            &[
                "plan",
                ONE_EGG,
                "--all",
                "--slack",
                "99999999999999999999999",
            ],
        ),
        ("slack-of-one-plan", &["plan", ONE_EGG, "--slack", "1.1"]),
        ("nothing-to-score-against", &["score", "log.jsonl"]),
        (
            "unwritable-log",
            &["run", ONE_EGG, "--log", "none/log.jsonl"],
        ),
    ] {
        assert_eq!(check(name, args).status.code(), Some(2), "{name}");
    }
}

#[test]
fn files_that_are_no_problems_are_diagnosed() {
    let scratch = Scratch::new("bad");
    let invalid = scratch.file("invalid.pddl", b"(define (problem \xff))");
    let empty = scratch.file("empty.pddl", "");
    assert_eq!(
        check("invalid-utf8", &["plan", &invalid]).status.code(),
        Some(5)
    );
    assert_eq!(
        check("empty-file", &["check", &empty]).status.code(),
        Some(1)
    );
    let unknown = "(define (problem p) (:domain nowhere) (:goal (and)))";
    let unknown = scratch.file("unknown.pddl", unknown);
    assert_eq!(
        check("unknown-domain", &["check", &unknown]).status.code(),
        Some(2)
    );
}

#[test]
fn several_files_that_define_a_domain_are_an_error() {
    let scratch = Scratch::new("several");
    let domain = fs::read_to_string("tests/data/cli/egg.pddl").unwrap();
    scratch.file("a.pddl", &domain);
    let problem = fs::read_to_string(ONE_EGG).unwrap();
    let problem = scratch.file("problem.pddl", &problem);
    assert_eq!(run(&["plan", &problem]).status.code(), Some(0));
    scratch.file("b.pddl", &domain);
    assert_eq!(
        check("several-domains", &["plan", &problem]).status.code(),
        Some(2)
    );
    scratch.file("problem-domain.pddl", &domain);
    assert_eq!(run(&["plan", &problem]).status.code(), Some(0));
}

#[test]
fn check_reports_files_and_says_when_they_are_fine() {
    let files = ["tests/data/cli/egg.pddl", ONE_EGG];
    check("check-ok", &[&["check"][..], &files].concat());
    let bad = "tests/data/bad/several-problems-in-one-run.pddl";
    assert_eq!(check("check-bad", &["check", bad]).status.code(), Some(1));
    let json = run(&["check", "--format", "json", ONE_EGG, bad]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["schema"], 1);
    assert_eq!(json["files"][0]["ok"], true);
    assert_eq!(json["files"][1]["ok"], false);
}

#[test]
fn a_problem_can_come_from_standard_input() {
    let args = ["plan", "-", "--domain", "tests/data/cli/egg.pddl", "-q"];
    let problem = fs::read_to_string(ONE_EGG).unwrap();
    let output = run_with_input(&args, &problem);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&args, &output));
}

#[test]
fn a_domain_of_a_similar_name_is_suggested() {
    let errors = |output: &Output| String::from_utf8(output.stderr.clone()).unwrap();
    let scratch = Scratch::new("similar-domain");
    scratch.file("kitchen.pddl", "(define (domain kitchen))");
    let problem = scratch.file(
        "p.pddl",
        "(define (problem p) (:domain kitchn) (:goal (and)))",
    );
    let output = run(&["plan", &problem]);
    assert_eq!(output.status.code(), Some(2));
    let error = errors(&output);
    assert!(error.contains("did you mean `kitchen`"), "{error}");
    scratch.file("kitchen.pddl", "(:types pot)");
    let error = errors(&run(&["plan", &problem]));
    assert!(
        error.contains("kitchen.pddl defines neither a domain nor a problem"),
        "{error}"
    );
}

#[test]
fn standard_input_has_no_domain_beside_it() {
    let output = run_with_input(&["plan", "-"], &fs::read_to_string(ONE_EGG).unwrap());
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.contains("standard input: no file in `domains/`"),
        "{error}"
    );
    assert!(error.contains("`--domain FILE`"), "{error}");
    assert!(!error.contains("beside the problem"), "{error}");
}

#[test]
fn plan_proves_optima_and_says_when_there_is_no_plan() {
    check("plan-text", &["plan", ONE_EGG, "--all"]);
    check("plan-json", &["plan", ONE_EGG, "--all", "--format", "json"]);
    assert_eq!(
        check("plan-unsolvable", &["plan", NO_EGG]).status.code(),
        Some(1)
    );
    let json = run(&["plan", NO_EGG, "--format", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["solvable"], false);
    assert_eq!(json["plan"], serde_json::Value::Null);
}

#[test]
fn a_plan_that_meets_a_limit_gives_bounds() {
    let kitchen = "problems/collab-overcooked/boiled_egg.pddl";
    let output = run(&["plan", kitchen, "--time-limit", "0", "--format", "json"]);
    assert_eq!(output.status.code(), Some(3));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["optimal"], false);
    assert_eq!(json["stopped"], "the time limit was reached");
    let memory = run(&["plan", kitchen, "--memory-limit", "100K"]);
    assert_eq!(memory.status.code(), Some(3));
}

#[test]
fn a_run_whose_planner_meets_a_limit_says_so_and_may_be_resumed() {
    let kitchen = "problems/collab-overcooked/boiled_egg.pddl";
    let scratch = Scratch::new("limits");
    let log = &scratch.file("log.jsonl", "");
    let output = run(&[
        "run",
        kitchen,
        "--memory-limit",
        "1K",
        "--log",
        log,
        "--force",
    ]);
    assert_eq!(output.status.code(), Some(3));
    let reason = "the memory limit was reached";
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(reason), "{text}");
    let events = fs::read_to_string(log).unwrap();
    let end: serde_json::Value = serde_json::from_str(events.lines().last().unwrap()).unwrap();
    assert_eq!(end["reason"], "limit");
    assert_eq!(end["detail"], reason);
    let output = run(&["run", kitchen, "--log", log, "--resume"]);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_log_that_cannot_be_gone_on_with_as_it_is_says_why() {
    let kitchen = "problems/collab-overcooked/boiled_egg.pddl";
    let scratch = Scratch::new("begun");
    let cut = &scratch.file("cut.jsonl", "{\"event\":\"header\",");
    let output = run(&["run", kitchen, "--log", cut, "--resume"]);
    assert_eq!(output.status.code(), Some(5));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("`--force`"), "{error}");

    let log = &scratch.path("short.jsonl");
    let args = ["run", kitchen, "--log", log, "--max-ticks"];
    run(&[&args[..], &["3"]].concat());
    let output = run(&[&args[..], &["100", "--resume"]].concat());
    assert_eq!(output.status.code(), Some(0));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("other limits"), "{error}");
    let events = fs::read_to_string(log).unwrap();
    let resumed = events.lines().find(|line| line.contains("\"resume\""));
    let resumed: serde_json::Value = serde_json::from_str(resumed.unwrap()).unwrap();
    assert_eq!(resumed["tick"], 3);
    assert_eq!(resumed["rules"]["max_ticks"], 100);
}

#[test]
fn a_log_that_was_edited_is_not_scored() {
    let kitchen = "problems/collab-overcooked/boiled_egg.pddl";
    let scratch = Scratch::new("edited");
    let log = &scratch.path("log.jsonl");
    run(&["run", kitchen, "--log", log, "--max-ticks", "3"]);
    let score = ["score", log, "--problem", kitchen];
    assert_eq!(run(&score).status.code(), Some(0));
    let text = fs::read_to_string(log).unwrap();
    let better = text.replace("\"reason\":\"tick-limit\"", "\"reason\":\"goal\"");
    assert_ne!(text, better);
    fs::write(log, better).unwrap();
    let output = run(&score);
    assert_eq!(output.status.code(), Some(5));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("another reason"), "{error}");
}

#[test]
fn a_log_never_overwrites_what_the_run_reads() {
    let scratch = Scratch::new("inputs");
    let copy = |name: &str, from: &str| scratch.file(name, fs::read(from).unwrap());
    let domain = &copy("domain.pddl", "tests/data/cli/egg.pddl");
    let problem = &copy("one-egg.pddl", ONE_EGG);
    let script = &scratch.file("script.txt", "wait\n");
    let policy = &format!("chef=scripted:{script}");
    for input in [domain, problem, script] {
        let before = fs::read(input).unwrap();
        let args = ["run", problem, "--agent", policy, "--force", "--log", input];
        let output = run(&args);
        assert_eq!(output.status.code(), Some(2), "{input}");
        assert_eq!(fs::read(input).unwrap(), before, "{input}");
    }
}

#[test]
fn a_command_that_fails_writes_a_json_document_where_one_was_asked_for() {
    let scratch = Scratch::new("failures");
    let broken = &scratch.file(
        "broken.pddl",
        "(define (problem p) (:domain egg) (:nonsense))",
    );
    let domain = "tests/data/cli/egg.pddl";
    for command in ["plan", "rats", "run"] {
        let args = [command, broken, "--domain", domain, "--format", "json"];
        let output = run(&args);
        assert_eq!(output.status.code(), Some(5), "{command}");
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["failure"], "the input is rejected");
        assert_eq!(json["diagnostics"][0]["severity"], "error");
    }
    let output = run(&["plan", "absent.pddl", "--format", "json"]);
    assert_eq!(output.status.code(), Some(2));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["failure"], "absent.pddl: no such file");

    let output = run(&["check", "absent.pddl", ONE_EGG, "--format", "json"]);
    assert_eq!(output.status.code(), Some(2));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&json["errors"], &json["failures"]), (&0.into(), &1.into()));
}

#[test]
fn a_refusal_that_drops_the_joint_action_is_reported() {
    let trace = "{\"helper\": \"fetch(egg)\", \"chef\": \"take(egg)\"}\n";
    for rule in ["wait", "drop-joint"] {
        let args = [
            "replay",
            ONE_EGG,
            "-",
            "--on-invalid",
            rule,
            "--format",
            "json",
        ];
        let output = run_with_input(&args, trace);
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let step = &json["steps"][0];
        assert_eq!(step["refused"][0]["agent"], "chef", "{rule}");
        let labels = step["labels"].as_array().unwrap().len();
        assert_eq!(labels, usize::from(rule == "wait"), "{rule}");
    }
}

#[test]
fn who_has_to_act_and_gives_no_valid_command_ends_the_run() {
    const LAMPS: &str = "tests/data/cli/two-lamps.pddl";
    let scratch = Scratch::new("nonsense");
    for script in ["dance\ndance\ndance\ndance\n", ""] {
        let policy = format!("scripted:{}", scratch.file("script.txt", script));
        let args = ["run", LAMPS, "--others", &policy, "--format", "json"];
        let output = run(&args);
        assert_eq!(output.status.code(), Some(1), "{script:?}");
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let reason = if script.is_empty() {
            "policy-error"
        } else {
            "no-command"
        };
        assert_eq!(json["reason"], reason, "{script:?}");
        assert_eq!(json["ticks"], 0, "{script:?}");
    }
    let output = run_with_input(&["replay", LAMPS, "-"], "[null]\n");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("cannot wait"), "{text}");
}

#[test]
fn an_ended_run_of_another_task_is_not_taken_for_this_one() {
    let scratch = Scratch::new("ended");
    let log = &scratch.path("log.jsonl");
    run(&["run", ONE_EGG, "--log", log, "--seed", "5"]);
    let output = run(&["run", NO_EGG, "--log", log, "--resume"]);
    assert_eq!(output.status.code(), Some(2));
    let args = [
        "run", ONE_EGG, "--log", log, "--resume", "--others", "random",
    ];
    let output = run(&[&args[..], &["--format", "json"]].concat());
    assert_eq!(output.status.code(), Some(0));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    // It shows who played.
    assert_eq!(json["agents"][0]["policy"], "planner");
    assert_eq!(json["seed"], 5);
}

#[test]
fn regret_counts_what_the_problem_minimises() {
    let scratch = Scratch::new("metric");
    let domain = "(define (domain roads) (:requirements :strips :action-costs)
        (:predicates (at-start) (half) (there)) (:functions (total-cost) - number)
        (:action fast :parameters () :precondition (at-start)
          :effect (and (not (at-start)) (there) (increase (total-cost) 10)))
        (:action first :parameters () :precondition (at-start)
          :effect (and (not (at-start)) (half) (increase (total-cost) 1)))
        (:action second :parameters () :precondition (half)
          :effect (and (there) (increase (total-cost) 1))))";
    scratch.file("domain.pddl", domain);
    let problem = &scratch.file(
        "problem.pddl",
        "(define (problem roads) (:domain roads) (:init (at-start) (= (total-cost) 0))
          (:goal (there)) (:metric minimize (total-cost)))",
    );
    for (script, regret) in [("fast\n", 8), ("first\nsecond\n", 0)] {
        let policy = format!("scripted:{}", scratch.file("script.txt", script));
        let log = &scratch.path("log.jsonl");
        run(&["run", problem, "--others", &policy, "--log", log, "--force"]);
        let args = [
            "score",
            log,
            "--problem",
            problem,
            "--regret",
            "--format",
            "json",
        ];
        let output = run(&args);
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let of = &json["regret"][0];
        assert_eq!(of["unit"], "cost");
        assert_eq!(of["regret"]["total"], regret, "{script}");
        assert_eq!(of["regret"]["optimum"], 2);
    }
}

#[test]
fn a_score_without_references_says_so_in_json_too() {
    let kitchen = "problems/collab-overcooked/boiled_egg.pddl";
    let scratch = Scratch::new("none");
    let log = &scratch.path("log.jsonl");
    run(&["run", kitchen, "--log", log, "--others", "greedy"]);
    let args = ["score", log, "--problem", kitchen, "--memory-limit", "1K"];
    let output = run(&[&args[..], &["--format", "json"]].concat());
    assert_eq!(output.status.code(), Some(3));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let failure = json["failure"].as_str().unwrap();
    assert!(failure.starts_with("there are no references"), "{failure}");
}

#[test]
fn a_file_of_the_other_kind_is_recognised() {
    let kitchen = "problems/collab-overcooked/boiled_egg.pddl";
    let scratch = Scratch::new("kinds");
    let log = &scratch.path("log.jsonl");
    run(&["run", kitchen, "--log", log]);
    let episode = &scratch.file(
        "episode.json",
        "{\"order\": \"boiled_egg\", \"level\": 1, \"total_timestamp\": [0],
          \"total_order_finished\": [], \"total_action_list\": [[], []], \"dialogs\": []}",
    );
    for (args, advice) in [
        (["score", log, "--references", "docs"], "--problem"),
        (["score", episode, "--problem", kitchen], "--references"),
    ] {
        let output = run(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(&format!("give `{advice}")), "{error}");
    }
}

#[test]
fn a_log_that_was_cut_or_marked_is_gone_on_with_byte_for_byte() {
    let scratch = Scratch::new("bytes");
    let marked = "\u{feff}";
    let script = scratch.file("script.txt", "flambé\nfetch(egg)\nwait\nplace(egg)\n");
    let policy = &format!("helper=scripted:{script}");
    let log = &scratch.path("log.jsonl");
    let args = ["run", ONE_EGG, "--agent", policy, "--log", log];
    run(&args);
    let whole = fs::read(log).unwrap();
    let accent = whole.iter().position(|&byte| byte == 0xc3).unwrap();
    let third = whole
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .nth(2);
    let third = third.unwrap().0 + 1;
    for (cut, before) in [(accent + 1, ""), (third, marked), (third + 9, marked)] {
        let begun = [before.as_bytes(), &whole[..cut]].concat();
        fs::write(log, begun).unwrap();
        let output = run(&[&args[..], &["--resume"]].concat());
        assert_eq!(output.status.code(), Some(0), "cut at {cut}");
        let expected = [before.as_bytes(), &whole].concat();
        assert!(fs::read(log).unwrap() == expected, "cut at {cut}");
    }
}

#[test]
fn the_log_of_other_agents_is_no_trace() {
    let scratch = Scratch::new("strangers");
    let log = &scratch.path("log.jsonl");
    run(&["run", ONE_EGG, "--log", log]);
    let text = fs::read_to_string(log).unwrap();
    fs::write(log, text.replace("\"helper\"", "\"waiter\"")).unwrap();
    let policy = &format!("helper=replay:{log}");
    for (args, reason) in [
        (&["replay", ONE_EGG, log][..], "another set of agents"),
        (
            &["replay", ONE_EGG, log, "--other-task"],
            "there is no agent",
        ),
        (&["run", ONE_EGG, "--agent", policy], "there is no agent"),
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(5), "{args:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn what_is_maximised_is_bounded_from_above() {
    let scratch = Scratch::new("maximise");
    scratch.file(
        "domain.pddl",
        "(define (domain lights) (:requirements :strips :negative-preconditions :numeric-fluents)
        (:predicates (lit ?x) (done)) (:functions (glow))
        (:action press :parameters (?x) :precondition (not (lit ?x))
          :effect (and (lit ?x) (increase (glow) 1)))
        (:action leave :parameters () :precondition (not (done)) :effect (done)))",
    );
    let lamps: Vec<String> = (0..30).map(|lamp| format!("l{lamp}")).collect();
    let problem = &scratch.file(
        "problem.pddl",
        format!(
            "(define (problem lights) (:domain lights) (:requirements :horizon) (:objects {})
              (:init (= (glow) 0)) (:goal (done)) (:horizon 40) (:metric maximize (glow)))",
            lamps.join(" ")
        ),
    );
    let args = ["plan", problem, "--memory-limit", "1M", "--format", "json"];
    let output = run(&args);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{error}");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["lower_bound"], json["cost"]);
    // A press a step adds one at most.
    let (found, most) = (json["cost"].as_u64(), json["upper_bound"].as_u64());
    assert!(found <= most && most <= Some(40), "{json}");
    assert!(json["gap"].is_number(), "{json}");
}

#[test]
fn a_domain_without_agents_explains_why_an_action_is_impossible() {
    const LAMPS: &str = "tests/data/cli/two-lamps.pddl";
    let trace = "[\"press hall\"]\n[\"press hall\"]\n";
    let output = run_with_input(&["replay", LAMPS, "-"], trace);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("(not (lit hall))"), "{text}");
}

#[test]
fn no_heuristic_changes_an_answer() {
    for problem in ["tests/data/cli/two-lamps.pddl", ONE_EGG] {
        for heuristic in ["auto", "blind", "abstractions", "lm-cut"] {
            let args = [
                "rats",
                problem,
                "--heuristic",
                heuristic,
                "--format",
                "json",
            ];
            let answer = |args: &[&str]| {
                let json: serde_json::Value = serde_json::from_slice(&run(args).stdout).unwrap();
                ["makespan", "actions", "plans", "references"].map(|field| json[field].clone())
            };
            let plain = ["rats", problem, "--format", "json"];
            assert_eq!(answer(&args), answer(&plain), "{problem}, {heuristic}");
        }
    }
}

#[test]
fn a_trace_with_two_commands_for_an_agent_at_once_is_refused() {
    let trace = "{\"chef\": \"wait\", \"CHEF\": \"wait\"}\n";
    let output = run_with_input(&["replay", ONE_EGG, "-"], trace);
    assert_eq!(output.status.code(), Some(5));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.contains("line 1: has two commands for `CHEF`"),
        "{error}"
    );
}

#[test]
fn what_other_programs_read_holds_no_sentences() {
    let kitchen = "problems/collab-overcooked/boiled_egg.pddl";
    for form in [&["--export", "collab"][..], &["--dot"]] {
        let args = ["rats", "--memory-limit", "1K", kitchen];
        let output = run(&[&args[..], form].concat());
        assert_eq!(output.status.code(), Some(3));
        assert!(output.stdout.is_empty(), "{form:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains("the memory limit was reached"), "{error}");
    }
}

#[test]
fn options_that_do_not_apply_are_refused() {
    let kitchen = "problems/collab-overcooked/boiled_egg.pddl";
    for args in [
        &["run", kitchen, "--log", "-", "--resume"][..],
        &["run", kitchen, "--log", "."],
        &["rats", kitchen, "--export", "collab", "--format", "json"],
        &["rats", kitchen, "--format", "json", "--dot"],
        &["score", "--regret", "--references", "docs", "README.md"],
        &[
            "score",
            "--domain",
            "x",
            "--references",
            "docs",
            "README.md",
        ],
        &[
            "score",
            "--semantics",
            "upstream",
            "--references",
            "docs",
            "README.md",
        ],
    ] {
        assert_eq!(run(args).status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn bytes_per_state_are_shown_of_many_states_only() {
    let bytes_shown = |limit| {
        let soup = "problems/collab-overcooked/baked_mushroom_soup.pddl";
        let output = run(&["plan", soup, "--memory-limit", limit]);
        assert_eq!(output.status.code(), Some(3));
        let text = String::from_utf8(output.stdout).unwrap();
        text.contains(" bytes per state")
    };
    assert!(!bytes_shown("300K"));
    assert!(bytes_shown("4M"));
}

/// Twelve eggs that are boiled in any order: 13 orbits of 4096 states.
#[test]
fn rats_counts_plans_up_to_symmetry_where_all_do_not_fit() {
    let scratch = Scratch::new("many-eggs");
    scratch.file(
        "domain.pddl",
        "(define (domain eggs) (:requirements :adl) (:types egg) (:predicates (boiled ?x - egg))
          (:action boil :parameters (?x - egg) :precondition (not (boiled ?x)) :effect (boiled ?x)))",
    );
    let eggs: String = (0..12).map(|egg| format!("egg{egg} ")).collect();
    let problem = &scratch.file(
        "problem.pddl",
        format!(
            "(define (problem many) (:domain eggs) (:objects {eggs}- egg)
              (:goal (forall (?x - egg) (boiled ?x))))"
        ),
    );
    let limited = [
        "rats",
        problem,
        "--symmetry",
        "on",
        "--memory-limit",
        "100K",
    ];
    let output = run(&limited);
    assert_eq!(output.status.code(), Some(3));
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        text,
        "optimal, proven: makespan 12, 12 labelled actions\n\
         optimal plans: 479001600\n\
         not all optimal plans were collected: the memory limit was reached\n"
    );
    let json = run(&[&limited[..], &["--format", "json"]].concat()).stdout;
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["plans"], "479001600");
    assert_eq!(json["stopped"], "the memory limit was reached");
}

/// As many references as there are orders of some lamps.
fn lamps(scratch: &Scratch, number: usize) -> String {
    scratch.file(
        "domain.pddl",
        "(define (domain lamps) (:predicates (lit ?x))
          (:action press :parameters (?x) :effect (lit ?x)))",
    );
    let objects: String = (0..number).map(|lamp| format!("l{lamp} ")).collect();
    let goal: String = (0..number).map(|lamp| format!("(lit l{lamp})")).collect();
    let problem =
        format!("(define (problem p) (:domain lamps) (:objects {objects}) (:goal (and {goal})))");
    scratch.file("problem.pddl", problem)
}

#[test]
fn listed_references_take_no_memory() {
    let scratch = Scratch::new("rats-listed");
    let problem = &lamps(&scratch, 8);
    let limited = ["rats", problem, "--limit", "40320", "--memory-limit", "2M"];
    let output = run(&[&limited[..], &["--format", "json"]].concat());
    assert_eq!(output.status.code(), Some(0));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["references"].as_array().unwrap().len(), 40320);
    assert!(json.get("stopped").is_none());
}

#[test]
fn what_is_listed_ends_with_the_time() {
    let scratch = Scratch::new("rats-in-time");
    let problem = &lamps(&scratch, 10);
    let annotated = &scratch.file("refs.json", r#"{"reference_1": {"agent_0": []}}"#);
    let all = ["rats", problem, "--limit", "3628800", "--time-limit", "1"];
    let forms: [&[&str]; 5] = [
        &[],
        &["--format", "json"],
        &["--export", "collab"],
        &["--compare", annotated],
        &["--compare", annotated, "--format", "json"],
    ];
    let children = forms.map(|form| {
        let mut listing = command(&[&all[..], form].concat());
        let piped = listing.stdout(Stdio::piped()).stderr(Stdio::piped());
        piped.spawn().unwrap()
    });
    // Nobody reads what is written until the time is over, so it is not much.
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let outputs = children.map(|child| child.wait_with_output().unwrap());
    for (form, output) in forms.iter().zip(&outputs) {
        assert_eq!(output.status.code(), Some(3), "{form:?}");
        let which = if form.contains(&"--compare") {
            "missing references"
        } else {
            "references"
        };
        assert_eq!(
            String::from_utf8_lossy(&output.stderr),
            format!("warning: not all {which} were listed: the time limit was reached\n")
        );
    }
    let [text, listed, exported, compared, missing] =
        outputs.map(|output| String::from_utf8(output.stdout).unwrap());
    let part = 10..3_628_800;
    assert!(part.contains(&text.matches("\nreference ").count()));
    assert!(part.contains(&compared.matches("\nmissing ").count()));
    assert!(!compared.contains("--limit"));
    for (document, list) in [(listed, "references"), (missing, "missing")] {
        let json: serde_json::Value = serde_json::from_str(&document).unwrap();
        assert!(part.contains(&json[list].as_array().unwrap().len()));
        assert_eq!(json["stopped"], "the time limit was reached");
    }
    let json: serde_json::Value = serde_json::from_str(&exported).unwrap();
    assert!(part.contains(&json.as_object().unwrap().len()));
}

#[test]
fn rats_lists_exports_and_draws_references() {
    check("rats-text", &["rats", ONE_EGG]);
    check("rats-json", &["rats", ONE_EGG, "--format", "json", "--dag"]);
    check("rats-collab", &["rats", ONE_EGG, "--export", "collab"]);
    check("rats-dot", &["rats", ONE_EGG, "--dot", "chef"]);
    let scratch = Scratch::new("compare");
    let exported = run(&["rats", ONE_EGG, "--export", "collab"]).stdout;
    let references = scratch.file("refs.json", exported);
    let output = check("rats-compare", &["rats", ONE_EGG, "--compare", &references]);
    assert_eq!(output.status.code(), Some(0));
    let annotated = scratch.file(
        "annotated.json",
        r#"{"reference_1": {"agent_0": ["take(egg)", "serve(egg)"],
                            "agent_1": ["fetch(egg)", "place(egg)", "fetch(egg)"]},
            "reference_2": {"agent_0": ["take(egg)"], "agent_1": []}}"#,
    );
    check(
        "rats-compare-incomplete",
        &["rats", ONE_EGG, "--compare", &annotated],
    );
    let compare = ["rats", ONE_EGG, "--compare", &annotated, "--format", "json"];
    check("rats-compare-json", &compare);
    let broken = scratch.file("broken.json", "{\"reference_1\": [");
    let output = check(
        "rats-compare-broken",
        &["rats", ONE_EGG, "--compare", &broken],
    );
    assert_eq!(output.status.code(), Some(5));
}

#[test]
fn compile_writes_the_task() {
    check("compile-text", &["compile", ONE_EGG]);
    let json = run(&["compile", ONE_EGG, "--emit", "json"]).stdout;
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    snapshot("compile-json", &format!("{json:#}"));
}

#[test]
fn replay_shows_every_step_of_a_trace() {
    let scratch = Scratch::new("replay");
    let trace = scratch.file(
        "trace.jsonl",
        "[null, \"fetch(egg)\"]\n\
         {\"helper\": \"(place egg)\"}\n\
         [\"take(egg)\", \"wait\"]\n\
         {\"chef\": \"serve chef egg\", \"helper\": null}\n",
    );
    let output = check("replay-text", &["replay", ONE_EGG, &trace]);
    assert_eq!(output.status.code(), Some(0));
    check(
        "replay-json",
        &["replay", ONE_EGG, &trace, "--format", "json"],
    );
    let wrong = scratch.file("wrong.jsonl", "[\"take(egg)\", \"fetch(egg)\"]\n");
    let output = check("replay-impossible", &["replay", ONE_EGG, &wrong]);
    assert_eq!(output.status.code(), Some(1));
    check(
        "replay-impossible-dropped",
        &["replay", ONE_EGG, &wrong, "--on-invalid", "wait"],
    );
    for (name, text) in [
        ("replay-broken", "[null, \"fetch(egg)\"\n"),
        ("replay-unknown-agent", "{\"cook\": \"fetch(egg)\"}\n"),
        ("replay-too-few", "[\"wait\"]\n"),
    ] {
        let trace = scratch.file("bad.jsonl", text);
        let output = check(name, &["replay", ONE_EGG, &trace]);
        assert_eq!(output.status.code(), Some(5), "{name}");
    }
}

#[test]
fn a_replay_stops_where_the_task_ends() {
    const TOAST: &str = "tests/data/cli/one-toast.pddl";
    let scratch = Scratch::new("ends");
    let trace = "[\"toast\"]\n[\"serve\"]\n[\"wait\"]\n[\"toast\"]\n";
    let trace = scratch.file("goal.jsonl", trace);
    let output = check("replay-past-goal", &["replay", TOAST, &trace]);
    assert_eq!(output.status.code(), Some(0));
    let burnt = "[\"toast\"]\n[\"toast\"]\n[\"serve\"]\n";
    let burnt = scratch.file("burnt.jsonl", burnt);
    let output = check("replay-past-failure", &["replay", TOAST, &burnt]);
    assert_eq!(output.status.code(), Some(1));
    let json = run(&["replay", TOAST, &burnt, "--format", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["steps"].as_array().unwrap().len(), 2);
    assert_eq!(json["unplayed"], 1);
    let args = ["replay", TOAST, &burnt, "--past-end", "--format", "json"];
    let json: serde_json::Value = serde_json::from_slice(&run(&args).stdout).unwrap();
    assert_eq!(json["steps"].as_array().unwrap().len(), 3);
    assert_eq!(json["unplayed"], 0);
}

#[test]
fn a_domain_without_agents_is_spoken_of_as_such() {
    const LAMPS: &str = "tests/data/cli/two-lamps.pddl";
    check("no-agent-plan", &["plan", LAMPS]);
    check("no-agent-rats", &["rats", LAMPS]);
    check("no-agent-dot", &["rats", LAMPS, "--dot"]);
    check("no-agent-demo", &["demo", LAMPS]);
    check("no-agent-run", &["run", LAMPS, "--agent", "ann=random"]);
    let scratch = Scratch::new("lamps");
    let trace = scratch.file("trace.jsonl", "[\"press hall\"]\n");
    check("no-agent-replay", &["replay", LAMPS, &trace]);
    let log = scratch.path("log.jsonl");
    run(&["run", LAMPS, "--log", &log]);
    check(
        "no-agent-score",
        &["score", &log, "--problem", LAMPS, "--regret"],
    );
}

#[test]
fn a_run_is_logged_scored_and_resumed() {
    let scratch = Scratch::new("run");
    let script = scratch.file(
        "helper.txt",
        "# the helper\nplace(egg)\nfetch(egg)\nwait\nplace(egg)\n",
    );
    let helper = format!("helper=scripted:{script}");
    let log = scratch.path("episode.jsonl");
    let args = [
        "run",
        ONE_EGG,
        "--agent",
        "chef=planner",
        "--agent",
        &helper,
        "--log",
        &log,
    ];
    let output = check("run-text", &args);
    assert_eq!(output.status.code(), Some(0));
    let written = fs::read_to_string(&log).unwrap();
    snapshot("event-log", &written);

    let output = check("run-existing-log", &args);
    assert_eq!(output.status.code(), Some(2));
    let output = check("run-resume-ended", &[&args[..], &["--resume"]].concat());
    assert_eq!(output.status.code(), Some(0));

    // A run that was killed in the middle of a line.
    fs::write(&log, &written[..written.len() * 2 / 3]).unwrap();
    let output = check("run-resume", &[&args[..], &["--resume"]].concat());
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(fs::read_to_string(&log).unwrap(), written);

    let score = ["score", &log, "--problem", ONE_EGG, "--regret"];
    assert_eq!(check("score-text", &score).status.code(), Some(0));
    let json = run(&[&score[..], &["--format", "json"]].concat());
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["regret"][0]["regret"]["total"], 1);
    let named = run(&[&score[..], &["--rule", "brigade"]].concat());
    assert_eq!(named.stdout, run(&score).stdout);
    check(
        "score-changed-rule",
        &[
            "score",
            &log,
            "--problem",
            ONE_EGG,
            "--rule",
            "paper",
            "--gamma",
            "1",
        ],
    );
    let other = ["score", &log, "--problem", NO_EGG];
    assert_eq!(check("score-other-task", &other).status.code(), Some(2));

    fs::write(&log, &written[..written.len() * 2 / 3]).unwrap();
    let output = check("score-truncated", &["score", &log, "--problem", ONE_EGG]);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_wait_longer_than_the_domain_allows_is_refused_with_its_rule() {
    let scratch = Scratch::new("wait");
    let script = scratch.file("chef.txt", "wait(21)\nwait(6)\nwait(5)\n");
    let chef = format!("chef=scripted:{script}");
    let rules = |semantics: &str| {
        let args = [
            "run",
            "problems/collab-overcooked/boiled_egg.pddl",
            "--semantics",
            semantics,
            "--agent",
            &chef,
            "--others",
            "greedy",
            "--max-ticks",
            "1",
            "--log",
            "-",
        ];
        let log = String::from_utf8(run(&args).stdout).unwrap();
        let events = log
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let errors = events.filter(|event| event["event"] == "error");
        let rules = errors.map(|event| event["rule"].as_str().unwrap().to_owned());
        rules.collect::<Vec<_>>()
    };
    assert_eq!(rules("clean"), ["wait-too-long"]);
    assert_eq!(rules("upstream"), ["wait-too-long", "wait-too-long"]);
}

#[test]
fn the_same_seed_gives_the_same_log() {
    let args = [
        "run", ONE_EGG, "--others", "random", "--seed", "3", "--log", "-",
    ];
    let first = run(&args).stdout;
    assert_eq!(run(&args).stdout, first);
    let other = [
        "run", ONE_EGG, "--others", "random", "--seed", "4", "--log", "-",
    ];
    assert_ne!(run(&other).stdout, first);
}

#[test]
fn process_metrics_show_who_lost_what_and_why() {
    let scratch = Scratch::new("process");
    let helper = scratch.file("helper.txt", "place(egg)\nwait\nfetch(egg)\nplace(egg)\n");
    let helper = format!("helper=scripted:{helper}");
    let log = scratch.path("episode.jsonl");
    run(&[
        "run",
        ONE_EGG,
        "--agent",
        &helper,
        "--log",
        &log,
        "--max-ticks",
        "3",
    ]);
    let written = fs::read_to_string(&log).unwrap();
    let asked = r#"{"event":"request","tick":0,"agent":"chef","of":"helper","action":"fetch(egg)"}
{"event":"response","tick":0,"agent":"helper","of":"chef","accepts":true,"actions":["fetch(egg)"]}
"#;
    let (header, rest) = written.split_once('\n').unwrap();
    fs::write(&log, format!("{header}\n{asked}{rest}")).unwrap();

    let score = ["score", &log, "--problem", ONE_EGG, "--process"];
    assert_eq!(check("score-process", &score).status.code(), Some(0));
    let output = check(
        "score-process-json",
        &[&score[..], &["--format", "json"]].concat(),
    );
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let process = &json["process"][0];
    assert_eq!(process["agents"][1]["agent"], "helper");
    assert_eq!(process["agents"][1]["regret"], process["end"]["regret"]);
    assert_eq!(process["collaboration"]["requests"][0]["class"], "correct");
    assert_eq!(process["failures"]["episode"]["class"], "state");
}

#[test]
fn process_metrics_need_no_references() {
    let scratch = Scratch::new("process-limit");
    let log = scratch.path("episode.jsonl");
    run(&["run", ONE_EGG, "--log", &log]);
    let score = [
        "score",
        &log,
        "--problem",
        ONE_EGG,
        "--process",
        "--memory-limit",
        "1",
    ];
    let output = run(&[&score[..], &["--format", "json"]].concat());
    // Not all optimal plans can be kept in so little memory.
    assert_eq!(output.status.code(), Some(3));
    let warning = String::from_utf8(output.stderr).unwrap();
    assert!(
        warning.contains("no references, so no scores against them"),
        "{warning}"
    );
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["schema"], 1);
    assert!(json["episodes"].is_null());
    assert_eq!(json["process"][0]["end"]["optimality_rate"], 1.0);
}

#[test]
fn an_episode_that_misses_its_goal_has_exit_code_1() {
    let args = ["run", NO_EGG, "--max-ticks", "3"];
    assert_eq!(check("run-no-goal", &args).status.code(), Some(1));
}

#[test]
fn recorded_episodes_are_scored_under_the_published_rule() {
    let folder = "tests/data/score";
    let references = format!("{folder}/references");
    let episodes = format!("{folder}/episodes.jsonl");
    let args = [
        "score",
        "--rule",
        "upstream",
        "--references",
        &references,
        &episodes,
    ];
    check("score-recorded", &args);
}

#[test]
fn the_demo_shows_the_whole_line() {
    let output = check("demo", &["demo"]);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_demo_that_meets_its_time_limit_says_what_is_proven() {
    let stopped = run(&["demo", "--time-limit", "0"]);
    assert_eq!(stopped.status.code(), Some(3));
    let text = String::from_utf8(stopped.stdout).unwrap();
    assert!(
        text.contains("not solved: the time limit was reached; makespan at least "),
        "{text}"
    );
    assert!(!text.contains("0.0000"), "{text}");
}

#[test]
fn a_demo_without_a_plan_says_so() {
    let output = check("demo-unsolvable", &["demo", NO_EGG]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_file_of_the_wrong_kind_is_reported_with_the_right_command() {
    let domain = "tests/data/cli/egg.pddl";
    let output = check("domain-for-problem", &["plan", domain]);
    assert_eq!(output.status.code(), Some(5));
    let output = check(
        "problem-for-domain",
        &["plan", ONE_EGG, "--domain", ONE_EGG],
    );
    assert_eq!(output.status.code(), Some(5));
}

#[test]
fn codes_are_explained() {
    check("explain", &["explain", "e0003"]);
}

#[test]
fn completions_are_written_for_a_shell() {
    let output = run(&["completions", "bash"]);
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains("_brigade()")
    );
}

#[test]
fn manual_pages_are_printed_and_written() {
    let page = |arguments: &[&str]| String::from_utf8(run(arguments).stdout).unwrap();
    assert!(page(&["man"]).contains("brigade \\- A compiler"));
    assert!(page(&["man", "plan"]).contains("brigade\\-plan \\- Find an optimal plan"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("man");
    let _ = fs::remove_dir_all(&folder);
    let written = run(&["man", "--write", folder.to_str().unwrap()]);
    assert_eq!(written.status.code(), Some(0));
    for name in [
        "brigade.1",
        "brigade-plan.1",
        "brigade-import-robotouille.1",
    ] {
        assert!(folder.join(name).is_file(), "{name}");
    }
    assert!(!folder.join("brigade-help.1").exists());
    let unknown = run(&["man", "plna"]);
    assert_eq!(unknown.status.code(), Some(2));
    let said = String::from_utf8_lossy(&unknown.stderr).into_owned();
    assert!(said.contains("did you mean `plan`?"), "{said}");
}

#[test]
fn colours_are_used_only_when_asked_for() {
    let missing = Path::new("tests/data/bad/E0003-unclosed-action.pddl");
    let args = ["check", missing.to_str().unwrap()];
    assert!(!run(&args).stderr.contains(&0x1b));
    let coloured = run(&[&args[..], &["--color", "always"]].concat());
    assert!(coloured.stderr.contains(&0x1b));
}

#[test]
fn the_environment_says_whether_colours_are_used() {
    let args = ["check", "tests/data/bad/E0003-unclosed-action.pddl"];
    let coloured = |variables: &[(&str, &str)], more: &[&str]| {
        let mut command = command(&[&args[..], more].concat());
        let output = command.envs(variables.iter().copied()).output().unwrap();
        output.stderr.contains(&0x1b)
    };
    let (no, force) = (("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1"));
    assert!(coloured(&[force], &[]));
    assert!(!coloured(&[no], &[]));
    assert!(!coloured(&[no, force], &[]));
    assert!(coloured(&[no], &["--color", "always"]));
    assert!(!coloured(&[force], &["--color", "never"]));
}

#[test]
fn what_is_checked_can_be_given_to_a_code_host() {
    let bad = "tests/data/bad/E0003-unclosed-action.pddl";
    let output = run(&["check", "--format", "sarif", bad, "none.pddl"]);
    assert_eq!(output.status.code(), Some(2));
    let log: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let run = &log["runs"][0];
    assert_eq!(run["results"][0]["ruleId"], "E0003");
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
}

#[test]
fn a_silenced_warning_is_shown_by_no_command_and_a_new_one_by_check_alone() {
    let scratch = Scratch::new("silenced");
    let domain = scratch.file(
        "domain.pddl",
        "(define (domain d) (:requirements :typing) (:types t)
           (:predicates (p ?x - t) (q ?x - t))
           ; brigade: allow W0106 \"it is there to be counted\"
           (:action a :parameters (?x ?y - t) :effect (p ?x))
           (:action b :parameters (?x - t) :precondition (q ?x) :effect (not (q ?x))))",
    );
    let problem = scratch.file(
        "p.pddl",
        "(define (problem p) (:domain d) (:objects o - t) (:init) (:goal (p o)))",
    );
    let stderr = |args: &[&str]| String::from_utf8(run(args).stderr).unwrap();
    assert_eq!(stderr(&["check", &domain]), "");
    let checked = stderr(&["check", &problem]);
    assert!(
        checked.contains("W0203") && !checked.contains("W0106"),
        "{checked}"
    );
    assert_eq!(stderr(&["plan", &problem, "--quiet"]), "");
    let planned = stderr(&["plan", &problem]);
    assert!(!planned.contains("W0"), "{planned}");
    let allowed = format!(
        "; brigade: allow-file W0203 \"there is none here\"\n{}",
        std::fs::read_to_string(&problem).unwrap()
    );
    let problem = scratch.file("p.pddl", allowed);
    assert_eq!(stderr(&["check", &problem]), "");
}

/// Runs a command whose standard output nobody reads.
fn run_unread(args: &[&str]) -> Output {
    let mut child = command(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    child.wait_with_output().unwrap()
}

#[test]
fn a_closed_standard_output_is_no_error() {
    for args in [
        &["compile", ONE_EGG, "--emit", "json"][..],
        &["demo"],
        &["explain"],
    ] {
        let output = run_unread(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert!(output.stderr.is_empty(), "{args:?}");
    }
}

#[test]
fn a_closed_standard_output_changes_no_answer() {
    let scratch = Scratch::new("closed-output");
    let loose = scratch.file("loose.pddl", "(define   (domain d)  (:predicates (p)))");
    let wrong = scratch.file("wrong.pddl", "(define (domain d) (:predicates (p))");
    for args in [
        &["plan", NO_EGG][..],
        &["plan", NO_EGG, "--format", "json"],
        &["rats", NO_EGG, "--format", "json"],
        &["fmt", "--check", &loose],
        &["snapshot", "--check", ONE_EGG],
        &["diff", ONE_EGG, NO_EGG],
        &["check", &wrong, "--format", "json"],
        &["check", &wrong, "--format", "sarif"],
    ] {
        assert_eq!(run(args).status.code(), Some(1), "{args:?}");
        let output = run_unread(args);
        assert_eq!(output.status.code(), Some(1), "{}", shown(args, &output));
    }
}

#[test]
fn tasks_and_logs_conform_to_their_published_schemas() {
    let kitchen = "problems/collab-overcooked/boiled_egg.pddl";
    let task_schema = schema("task.schema.json");
    for problem in [ONE_EGG, kitchen] {
        let task = run(&["compile", problem, "--emit", "json"]).stdout;
        let task: serde_json::Value = serde_json::from_slice(&task).unwrap();
        assert!(conforms(&task, &task_schema, &task_schema), "{problem}");
        let mut broken = task.clone();
        broken["operators"][0]["effect"] = "explode".into();
        assert!(!conforms(&broken, &task_schema, &task_schema));
    }
    let log_schema = schema("event-log.schema.json");
    let scratch = Scratch::new("schema");
    let script = scratch.file(
        "chef.txt",
        "serve(egg)\nfly(moon)\n(take egg\nfetch(egg)\nwait\n",
    );
    let chef = format!("chef=scripted:{script}");
    let log = run(&[
        "run",
        ONE_EGG,
        "--agent",
        &chef,
        "--max-ticks",
        "8",
        "--log",
        "-",
    ])
    .stdout;
    let log = String::from_utf8(log).unwrap();
    for line in log.lines() {
        let event = serde_json::from_str(line).unwrap();
        assert!(conforms(&event, &log_schema, &log_schema), "{line}");
    }
    let asked = Event::Request(Requested {
        tick: 1,
        agent: "chef".to_owned(),
        of: "helper".to_owned(),
        action: "fetch(egg)".to_owned(),
    });
    let answered = |accepts| {
        Event::Response(Responded {
            tick: 1,
            agent: "helper".to_owned(),
            of: "chef".to_owned(),
            accepts,
            actions: vec!["fetch(egg)".to_owned()],
        })
    };
    for event in [asked, answered(None), answered(Some(false))] {
        let line = serde_json::to_value(&event).unwrap();
        assert!(conforms(&line, &log_schema, &log_schema), "{line}");
    }
}

#[test]
fn the_examples_of_the_help_do_what_they_say() {
    let scratch = Scratch::new("help-examples");
    let commands = [
        "new",
        "check",
        "compile",
        "plan",
        "rats",
        "run",
        "replay",
        "observe",
        "score",
        "fmt",
        "snapshot",
        "diff",
        "export",
        "explain",
        "agents",
        "domains",
        "generate",
        "demo",
        "completions",
        "man",
    ];
    for command in commands {
        let help = run(&[command, "--help"]);
        let help = String::from_utf8(help.stdout).unwrap();
        let examples = help.split("Examples:").nth(1).unwrap_or_default();
        let mut count = 0;
        for example in examples
            .lines()
            .filter_map(|line| line.strip_prefix("  brigade "))
        {
            let (words, input) = example.split_once(" < ").unwrap_or((example, ""));
            let (words, output) = words.split_once(" > ").unwrap_or((words, ""));
            let mut process = command_in(&scratch, words);
            if !input.is_empty() {
                process.stdin(fs::File::open(scratch.path(input)).unwrap());
            }
            let done = process.output().unwrap();
            assert!(
                done.status.success(),
                "{example}: {}",
                String::from_utf8_lossy(&done.stderr)
            );
            if !output.is_empty() {
                fs::write(scratch.path(output), &done.stdout).unwrap();
            }
            count += 1;
        }
        assert!(count > 0, "{command} has no example");
    }
}

/// A command line of words without quotes, in a folder.
fn command_in(scratch: &Scratch, words: &str) -> Command {
    let words: Vec<&str> = words.split(' ').collect();
    let mut process = command(&words);
    process.current_dir(scratch.path(""));
    process
}

#[test]
fn every_command_shows_an_example() {
    for command in commands() {
        let help = run(&[&command, "--help"]);
        let help = String::from_utf8(help.stdout).unwrap();
        assert!(help.contains("\nExamples:\n  brigade "), "{help}");
    }
}

#[test]
fn a_number_on_the_command_line_that_is_none_is_called_that() {
    for (value, why) in [
        ("x", "no whole number"),
        ("", "no whole number"),
        ("99999999999999999999", "too large"),
    ] {
        let output = run(&["run", ONE_EGG, "--seed", value]);
        assert_eq!(output.status.code(), Some(2));
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(errors.contains(why), "{errors}");
    }
}
