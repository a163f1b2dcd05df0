//! Every design that comes with Brigade, played by `brigade bench` against a scripted endpoint: which
//! module speaks, in what order, with what in its prompt.

mod alone;
mod benchmarks;
mod demonstrations;
mod directed;
mod orchestra;
mod together;

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::llm::endpoint::{Answer, Endpoint, Request};

/// An evaluation of one episode.
#[derive(Clone, Copy)]
struct Game<'a> {
    /// Also the name of its folder: each test has its own.
    name: &'a str,
    design: &'a str,
    /// From the folder of this package.
    problem: &'a str,
    ticks: u32,
    /// The value of `change` in the bench file.
    change: &'a str,
}

/// A question of a module, and what was answered.
#[derive(Debug)]
struct Question {
    tick: u64,
    agent: String,
    module: String,
    messages: Vec<(String, String)>,
    answer: String,
}

/// An episode that was played.
struct Played {
    questions: Vec<Question>,
    /// The events of all trials.
    events: Vec<Value>,
    logs: Vec<PathBuf>,
}

const TEA: &str = "tests/data/designs/tea.pddl";
const TEA_ALONE: &str = "tests/data/designs/tea-alone.pddl";

impl Game<'_> {
    fn folder(&self) -> PathBuf {
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("designs-{}", self.name))
    }

    /// Plays it with these answers. One question more, or one less, fails the test.
    fn play(&self, answers: &[&str]) -> Played {
        let mut left: VecDeque<String> = answers.iter().map(|&text| text.to_owned()).collect();
        let played = self.play_with(move |_| match left.pop_front() {
            Some(text) => Answer::text(&text),
            None => Answer::status(500, "the script is at its end"),
        });
        assert_eq!(played.questions.len(), answers.len(), "{}", played.shown());
        played
    }

    fn play_with(&self, script: impl FnMut(&Request) -> Answer + Send + 'static) -> Played {
        let endpoint = Endpoint::start_with(script);
        let output = self.run(&endpoint.base_url());
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{}: {stderr}", self.name);
        let logs = self.logs();
        let mut events: Vec<Value> = Vec::new();
        for log in &logs {
            let text = fs::read_to_string(log).unwrap();
            events.extend(
                text.lines()
                    .map(|line| serde_json::from_str::<Value>(line).unwrap()),
            );
        }
        let questions: Vec<Question> = events.iter().filter_map(question).collect();
        let sent: Vec<Value> = endpoint.requests().iter().map(Request::json).collect();
        let logged = events.iter().filter(|event| event["event"] == "call");
        let logged: Vec<Value> = logged.map(|event| event["request"].clone()).collect();
        assert_eq!(sent, logged, "the log holds what was sent, in order");
        Played {
            questions,
            events,
            logs,
        }
    }

    fn run(&self, base_url: &str) -> Output {
        self.run_with(base_url, &[])
    }

    fn run_with(&self, base_url: &str, arguments: &[&str]) -> Output {
        let _ = fs::remove_dir_all(self.folder());
        self.evaluate(base_url, arguments)
    }

    /// As [`Game::run_with`], with the files that are in its folder already.
    fn evaluate(&self, base_url: &str, arguments: &[&str]) -> Output {
        let folder = self.folder();
        let _ = fs::remove_dir_all(folder.join("out"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("bench.toml"), self.bench()).unwrap();
        Command::new(env!("CARGO_BIN_EXE_brigade"))
            .current_dir(&folder)
            .args(["bench", "bench.toml", "--log-dir", "out"])
            .args(["--base-url", base_url])
            .args(["--max-connections", "1", "--retry-on-error", "0"])
            // They are tested where they are computed, and take most of the time.
            .args(["--metric-states", "0"])
            .args(arguments)
            .env_remove("OPENAI_API_KEY")
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    fn bench(&self) -> String {
        format!(
            r#"
seeds = [1]
max-ticks = {ticks}

[models.mock]
action-format = "text"
max-retries = 0
timeout = 5
seeded = false
shuffle = false

[[problems]]
path = {problem:?}

[[setups]]
name = "it"
agents = {design:?}
change = {{ {change} }}
"#,
            ticks = self.ticks,
            problem = package().join(self.problem).display().to_string(),
            design = self.design,
            change = self.change,
        )
    }

    /// The logs of its trials, in order.
    fn logs(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.folder().join("out/episodes")).unwrap();
        let mut logs: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        // The last trial has the name of the episode alone.
        logs.sort_by_key(|log| {
            let name = log.file_name().unwrap().to_string_lossy().into_owned();
            (!name.contains(".trial"), name)
        });
        logs
    }
}

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn question(event: &Value) -> Option<Question> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let messages = event["request"]["messages"].as_array()?.iter();
    Some(Question {
        tick: event["tick"].as_u64()?,
        agent: text(&event["agent"]),
        module: text(&event["module"]),
        messages: messages
            .map(|message| (text(&message["role"]), text(&message["content"])))
            .collect(),
        answer: text(&event["answer"]),
    })
}

impl Question {
    /// The last message: what is asked.
    fn asked(&self) -> &str {
        &self.messages.last().unwrap().1
    }

    /// The first message: the instructions, which it receives once for all.
    fn instructions(&self) -> &str {
        &self.messages[0].1
    }

    /// Returns the messages between the instructions and the question.
    fn before(&self) -> Vec<(&str, &str)> {
        let messages = &self.messages[1..self.messages.len() - 1];
        let messages = messages.iter();
        messages
            .map(|(role, content)| (role.as_str(), content.as_str()))
            .collect()
    }

    fn holds(&self, text: &str) -> bool {
        self.messages
            .iter()
            .any(|(_, content)| content.contains(text))
    }
}

impl Played {
    /// Returns the askers, in order: `0 ann reasoner`.
    fn modules(&self) -> Vec<String> {
        let questions = self.questions.iter();
        let who = questions.map(|it| format!("{} {} {}", it.tick, it.agent, it.module));
        who.map(|who| who.replace("  ", " ")).collect()
    }

    /// The commands of each timestep that were not refused, where somebody was asked.
    fn commands(&self) -> Vec<String> {
        let steps = self.events.iter().filter(|event| event["event"] == "step");
        let choices = steps.flat_map(|step| {
            let choices = step["choices"].as_array().unwrap().iter();
            choices.map(move |choice| format!("{} {}", step["tick"], text_of(&choice["action"])))
        });
        choices
            .filter(|choice| !choice.ends_with(" continue"))
            .collect()
    }

    fn events(&self, kind: &str) -> Vec<&Value> {
        let events = self.events.iter();
        events.filter(|event| event["event"] == kind).collect()
    }

    /// Returns the reason why the last trial ended.
    fn reason(&self) -> String {
        text_of(&self.events.last().unwrap()["reason"])
    }

    /// The questions and answers for a reader. Earlier content is not repeated.
    fn shown(&self) -> String {
        let mut shown = String::new();
        let mut sent: Vec<(&str, u64)> = Vec::new();
        for question in &self.questions {
            let (tick, module) = (question.tick, &question.module);
            let agent = match question.agent.as_str() {
                "" => "all",
                name => name,
            };
            writeln!(shown, "=== tick {tick}, {agent}, {module}").unwrap();
            for (role, content) in &question.messages {
                let earlier = sent.iter().find(|(text, _)| text == content);
                if let Some((_, tick)) = earlier {
                    writeln!(shown, "[{role}] as in tick {tick}").unwrap();
                } else {
                    writeln!(shown, "[{role}]\n{content}").unwrap();
                    sent.push((content, tick));
                }
            }
            writeln!(shown, "[answer]\n{}\n", question.answer).unwrap();
            sent.push((&question.answer, tick));
        }
        let commands = self.commands().join(", ");
        writeln!(shown, "=== {}: {commands}", self.reason()).unwrap();
        shown
    }

    fn snapshot(&self, name: &str) {
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/llm"));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(format!("design-{name}"), self.shown()));
    }
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
