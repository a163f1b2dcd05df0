//! Any bytes as what an author of evaluations writes: designs of agents, scripts, commands.

#![no_main]

use std::sync::OnceLock;

use brigade::agents::Scripted;
use brigade::agents::llm::design::Design;
use brigade::episode::Lexicon;
use brigade::sema::Files;
use brigade::syntax::File;
use brigade::task::Task;
use brigade_fuzz::Session;
use libfuzzer_sys::fuzz_target;

const DOMAIN: &[u8] = include_bytes!("../../domains/collab-overcooked.pddl");
const PROBLEM: &[u8] = include_bytes!("../../problems/collab-overcooked/boiled_egg.pddl");

fn task() -> &'static Task {
    static TASK: OnceLock<Task> = OnceLock::new();
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

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let _ = Design::parse(text, &toml::Table::new());
    let _ = Scripted::parse(text);
    let task = task();
    let lexicon = Lexicon::new(task);
    for line in text.lines().take(8) {
        let _ = lexicon.resolve(task, &task.initial, 0, line);
    }
});
