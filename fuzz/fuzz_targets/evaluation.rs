//! Any bytes as what an author of evaluations writes, or a model answers: designs of agents, their
//! templates, scripts, commands, answers in each form and the bodies that they come in.

#![no_main]

use std::sync::OnceLock;

use brigade::agents::Scripted;
use brigade::agents::llm::chat::{Completion, Finish};
use brigade::agents::llm::design::Design;
use brigade::agents::llm::form::{ActionFormat, Deciders, Decision, Form, Plan};
use brigade::agents::llm::prompts::Prompts;
use brigade::agents::llm::response::{Judgement, Reply, judge};
use brigade::episode::Lexicon;
use brigade::sema::Files;
use brigade::syntax::File;
use brigade::task::PackedTask;
use brigade_fuzz::Session;
use libfuzzer_sys::fuzz_target;

const DOMAIN: &[u8] = include_bytes!("../../tests/data/designs/drinks-domain.pddl");
const PROBLEM: &[u8] = include_bytes!("../../tests/data/designs/coffee.pddl");

const FORMATS: [ActionFormat; 5] = [
    ActionFormat::Text,
    ActionFormat::Json,
    ActionFormat::Grammar,
    ActionFormat::Tool,
    ActionFormat::Logprobs,
];

fn task() -> &'static PackedTask {
    static TASK: OnceLock<PackedTask> = OnceLock::new();
    TASK.get_or_init(|| {
        let mut session = Session::default();
        let domain = session.add("domain.pddl", DOMAIN).expect("it is text");
        let problem = session.add("problem.pddl", PROBLEM).expect("it is text");
        let files = Files { domain, problem };
        let read = (session.parse(domain), session.parse(problem));
        let (Some(File::Domain(domain)), Some(File::Problem(problem))) = &read else {
            panic!("{}", session.report());
        };
        let task = session.compile(domain, problem, files);
        task.unwrap_or_else(|| panic!("{}", session.report()))
    })
}

/// Forms of answers: of one and of several actions, for oneself and for others, and of no action.
fn forms() -> &'static [Form] {
    static FORMS: OnceLock<Vec<Form>> = OnceLock::new();
    FORMS.get_or_init(|| {
        let options = || vec!["light the stove".to_owned(), "pour coffee".to_owned()];
        let each = ["ann", "bob"].map(|agent| (agent.to_owned(), options()));
        let joint = Form {
            decision: Some(Decision {
                plan: Plan::Actions,
                deciders: Deciders::Each(each.into()),
            }),
            say: true,
            ..Form::action(true, Vec::new())
        };
        let verdict = Form {
            verdict: true,
            ..Form::default()
        };
        vec![Form::action(true, options()), joint, verdict, Form::text()]
    })
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let none = toml::Table::new();
    if let Ok(design) = Design::parse(text, &none) {
        assert!(!design.templates().is_empty(), "a design asks nothing");
    }
    let name = "fuzzed.jinja";
    let _ = Prompts::new([(name.to_owned(), text.to_owned())], &[name], &none);
    let _ = Scripted::parse(text);
    let task = task();
    let lexicon = Lexicon::new(task);
    for line in text.lines().take(8) {
        let _ = lexicon.resolve(task, &task.initial, 0, line);
    }
    let said = Completion {
        text: text.to_owned(),
        tool_arguments: Some(text.to_owned()),
        first_tokens: vec![(text.to_owned(), -1.0)],
        finish: Finish::Stop,
        tries: 1,
        ..Completion::default()
    };
    let sent = [200, 400].into_iter().filter_map(|status| {
        let reply = Reply {
            status,
            headers: &[],
            body: text,
        };
        match judge(&reply, Some("answer"), 0).judgement {
            Judgement::Answered(answer) => Some(answer),
            _ => None,
        }
    });
    let sent: Vec<Completion> = sent.collect();
    for completion in sent.iter().chain([&said]) {
        for form in forms() {
            for format in FORMATS {
                let reading = form.read(completion, format);
                if let Ok(answer) = reading.strict {
                    assert_eq!(reading.lenient, Ok(answer), "what is strict is lenient");
                }
            }
        }
    }
});
