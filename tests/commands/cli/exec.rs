//! Programs that decide for agents: what they are sent, outages, and that none of them outlives a run.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cli::{ONE_EGG, Scratch, command, conforms, run, schema, shown};

/// Longer than a test should take, shorter than what programs here wait for.
const SOON: Duration = Duration::from_secs(30);

/// Plays the chef, and keeps what it is sent in `seen`.
const CHEF: &str = r#"while read -r line; do
  printf '%s\n' "$line" >> "$0.seen"
  case $line in
    *'"decide"'*'"serve(egg)"'*) echo '{"command":"serve(egg)","message":"served"}' ;;
    *'"decide"'*'"take(egg)"'*) echo '{"command":"take(egg)","message":"I have it"}' ;;
    *'"decide"'*'"attempt":0'*) echo '{"command":"fly","why":"it is faster"}' ;;
    *'"decide"'*) echo '{"command":"wait"}' ;;
  esac
done
"#;

/// A folder with a program for the chef.
struct Program {
    scratch: Scratch,
    path: String,
}

impl Program {
    fn new(name: &str, text: &str) -> Self {
        let scratch = Scratch::new(&format!("exec-{name}"));
        let path = scratch.file("chef", text);
        Self { scratch, path }
    }

    fn policy(&self) -> String {
        format!("chef=exec:sh {}", self.path)
    }

    /// Returns the output of a run with the chef, and options.
    fn run(&self, options: &[&str]) -> Output {
        run(&[&["run", ONE_EGG, "--agent", &self.policy()], options].concat())
    }

    /// The lines that it was sent.
    fn seen(&self) -> Vec<Value> {
        let text = fs::read_to_string(format!("{}.seen", self.path)).unwrap();
        let lines = text.lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

fn events(lines: &[Value]) -> Vec<&str> {
    lines
        .iter()
        .map(|line| line["event"].as_str().unwrap())
        .collect()
}

#[test]
fn a_program_is_sent_what_it_is_asked_and_decides() {
    let chef = Program::new("decides", CHEF);
    let log = chef.scratch.path("log.jsonl");
    let output = chef.run(&["--seed", "7", "--log", &log]);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&[], &output));
    let seen = chef.seen();
    let rules = schema("exec.schema.json");
    for line in &seen {
        assert!(conforms(line, &rules, &rules), "{line}");
    }
    // It tries to fly in two timesteps, then takes and serves the egg.
    assert_eq!(
        events(&seen),
        [
            "start", "decide", "decide", "decide", "decide", "decide", "decide", "end"
        ]
    );
    assert_eq!(seen[0]["agent"], "chef");
    assert_eq!(seen[0]["seed"], 7);
    assert_eq!(seen[0]["forms"][0]["command"], "take(<item>)");
    assert_eq!(seen[1]["legal"], serde_json::json!(["wait"]));
    assert_eq!(seen[1]["facts"], serde_json::json!(["(stocked egg)"]));
    assert_eq!(seen[2]["attempt"], 1);
    let refusal = seen[2]["refusal"].as_str().unwrap();
    assert!(refusal.contains("fly"), "{refusal}");
    assert_eq!(seen[7]["reason"], "goal");
    let log = fs::read_to_string(&log).unwrap();
    assert!(log.contains(r#""text":"I have it""#), "{log}");
    assert!(log.contains(&format!(r#""policy":"exec:sh {}""#, chef.path)));
}

#[test]
fn a_program_hears_what_others_say() {
    let talks = "while read -r line; do printf '%s\\n' \"$line\" >> \"$0.seen\"
        case $line in *'\"decide\"'*) echo '{\"command\":\"wait\",\"message\":\"hello\"}';; esac; done";
    let program = Program::new("hears", talks);
    let helper = format!("helper=exec:sh {}", program.path);
    let args = ["run", ONE_EGG, "--agent", &program.policy(), "--agent"];
    run(&[&args[..], &[&helper, "--max-ticks", "1"]].concat());
    let heard: Vec<Value> = program.seen();
    let heard: Vec<&Value> = heard
        .iter()
        .filter(|line| line["event"] == "decide")
        .collect();
    assert_eq!(heard[0]["messages"], serde_json::json!([]));
    assert_eq!(
        heard[1]["messages"],
        serde_json::json!([{"tick": 0, "from": "chef", "text": "hello"}])
    );
}

#[test]
fn an_outage_of_a_program_ends_the_episode_and_shows_its_last_words() {
    for (name, text, words) in [
        (
            "dies",
            "echo one >&2; echo 'no recipe' >&2; exit 3",
            "ended before it answered (exit status: 3); the end of its standard error: one | no recipe",
        ),
        (
            "leaves-another",
            "sleep 100 & exit 4",
            "ended before it answered (exit status: 4)",
        ),
        (
            "is-silent",
            "echo thinking >&2; sleep 100",
            "was silent for 1.5 s; `--agent-timeout` allows for more; the end of its standard error: thinking",
        ),
        ("is-deaf", "exec 0<&-; sleep 100", "was silent for 1.5 s"),
        (
            "no-json",
            "echo hello; sleep 100",
            "`hello` is no JSON object with a `command`",
        ),
        (
            "no-command",
            "echo '{\"action\":\"wait\"}'; sleep 100",
            "is no JSON object with a `command`: there is none",
        ),
        (
            "too-much",
            "head -c 3000000 /dev/zero | tr '\\0' a; sleep 100",
            "wrote a line of more than 1 MiB",
        ),
    ] {
        let chef = Program::new(name, text);
        let log = chef.scratch.path("log.jsonl");
        let start = Instant::now();
        let output = chef.run(&["--agent-timeout", "1.5", "--log", &log]);
        let all = shown(&[], &output);
        assert_eq!(output.status.code(), Some(1), "{name}: {all}");
        assert!(all.contains(words), "{name}: {all}");
        assert!(all.contains("an outage has cut the episode short"), "{all}");
        let log = fs::read_to_string(&log).unwrap();
        assert!(
            log.contains(r#""reason":"infrastructure""#),
            "{name}: {log}"
        );
        assert!(start.elapsed() < SOON, "{name}");
    }
}

#[test]
fn standard_error_may_overflow() {
    let text = CHEF.replace(
        "  case",
        "  head -c 300000 /dev/zero | tr '\\0' x >&2\n  case",
    );
    let chef = Program::new("overflows", &text);
    let output = chef.run(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&[], &output));
}

/// A program that never answers, and has started another that writes all the time.
const PARENT: &str = r#"sh -c 'while :; do echo alive >> "$0"; sleep 0.02; done' "$0.alive" &
while :; do sleep 1; done
"#;

fn length(path: &str) -> u64 {
    fs::metadata(path).map_or(0, |file| file.len())
}

/// Nothing writes to a file any more.
fn assert_still(path: &str) {
    let before = length(path);
    assert!(before > 0, "nothing was written");
    thread::sleep(Duration::from_millis(300));
    assert_eq!(length(path), before);
}

#[test]
fn a_program_is_killed_with_its_children() {
    let chef = Program::new("children", PARENT);
    let output = chef.run(&["--agent-timeout", "1"]);
    assert_eq!(output.status.code(), Some(1), "{}", shown(&[], &output));
    assert_still(&format!("{}.alive", chef.path));
}

#[test]
fn a_signal_ends_programs_with_the_run() {
    for signal in ["-INT", "-TERM"] {
        let chef = Program::new(&format!("signal{signal}"), PARENT);
        let alive = format!("{}.alive", chef.path);
        let args = [
            "run",
            ONE_EGG,
            "--agent",
            &chef.policy(),
            "--agent-timeout",
            "100",
        ];
        let mut child = command(&args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let start = Instant::now();
        while length(&alive) == 0 && start.elapsed() < SOON {
            thread::sleep(Duration::from_millis(20));
        }
        let pid = child.id().to_string();
        assert!(
            Command::new("kill")
                .args([signal, &pid])
                .status()
                .unwrap()
                .success()
        );
        assert_eq!(child.wait().unwrap().code(), Some(3));
        assert!(start.elapsed() < SOON);
        assert_still(&alive);
    }
}

#[test]
fn an_episode_that_goes_on_is_the_same_as_if_it_had_never_stopped() {
    // Its commands depend on how often it was asked before.
    let counts = r#"n=0
        while read -r line; do
          printf '%s\n' "$line" >> "$0.seen"
          case $line in *'"decide"'*|*'"replayed"'*) n=$((n + 1)) ;; esac
          case $n:$line in
            [13]:*'"decide"'*) echo '{"command":"fly","message":"'$n'"}' ;;
            5:*'"decide"'*) echo '{"command":"take(egg)"}' ;;
            6:*'"decide"'*) echo '{"command":"serve(egg)"}' ;;
            *'"decide"'*) echo '{"command":"wait"}' ;;
          esac
        done"#;
    let chef = Program::new("resumes", counts);
    let log = chef.scratch.path("log.jsonl");
    let output = chef.run(&["--log", &log]);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&[], &output));
    let whole = fs::read_to_string(&log).unwrap();
    let first = chef.seen();
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    for kept in 1..lines.len() {
        fs::write(&log, lines[..kept].concat()).unwrap();
        fs::remove_file(format!("{}.seen", chef.path)).unwrap();
        let output = chef.run(&["--log", &log, "--resume"]);
        assert_eq!(output.status.code(), Some(0), "{}", shown(&[], &output));
        assert_eq!(
            fs::read_to_string(&log).unwrap(),
            whole,
            "{kept} lines kept"
        );
        // It was sent the same, and what it answered then.
        for (again, first) in chef.seen().iter().zip(&first) {
            let mut again = again.clone();
            if again["event"] == "replayed" {
                let again = again.as_object_mut().unwrap();
                again["event"] = "decide".into();
                assert!(again.remove("command").is_some());
                again.remove("message");
            }
            assert_eq!(again, *first, "{kept} lines kept");
        }
    }
    // An episode that has ended needs no program.
    fs::remove_file(format!("{}.seen", chef.path)).unwrap();
    chef.run(&["--log", &log, "--resume"]);
    assert!(!Path::new(&format!("{}.seen", chef.path)).exists());
}

#[test]
fn a_bench_file_names_programs_beside_it() {
    let chef = Program::new("bench", CHEF);
    let egg = fs::read_to_string("tests/data/cli/egg.pddl").unwrap();
    chef.scratch.file("domain.pddl", egg);
    chef.scratch
        .file("egg.pddl", fs::read_to_string(ONE_EGG).unwrap());
    let bench = |agents: &str, more: &str| {
        let text = format!(
            "epochs = 2\n[[problems]]\npath = \"egg.pddl\"\nmax-ticks = 9\n[[setups]]\nname = \"a\"\n\
             agents = \"planner\"\nexcept = {{ chef = \"{agents}\" }}\n{more}\n"
        );
        let file = chef.scratch.file("bench.toml", text);
        let logs = chef.scratch.path("logs");
        run(&["bench", &file, "--log-dir", &logs])
    };
    let output = bench("exec:sh chef", "agent-timeout = 20");
    assert_eq!(output.status.code(), Some(0), "{}", shown(&[], &output));
    let seeds: Vec<Value> = chef.seen();
    let seeds = seeds.iter().filter(|line| line["event"] == "start");
    // Episodes are played at the same time.
    let seeds: BTreeSet<u64> = seeds.map(|line| line["seed"].as_u64().unwrap()).collect();
    assert_eq!(seeds, BTreeSet::from([0, 1 << 32]));
    for (agents, more, words) in [
        ("exec:", "", "`exec` needs a command"),
        (
            "exec:sh chef",
            "agent-timeout = -1.0",
            "`agent-timeout` is a number of seconds",
        ),
    ] {
        let output = bench(agents, more);
        assert_eq!(output.status.code(), Some(2), "{}", shown(&[], &output));
        assert!(
            shown(&[], &output).contains(words),
            "{}",
            shown(&[], &output)
        );
    }
}
