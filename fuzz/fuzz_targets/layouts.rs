//! Any bytes as layouts of Overcooked-AI, as the problems that become of them.

#![no_main]

use brigade::import::overcooked::{File, Options, import};
use brigade::sema::Files;
use brigade::syntax::parse_domain;
use brigade_fuzz::Session;
use libfuzzer_sys::fuzz_target;

const DOMAIN: &str = include_str!("../../domains/overcooked-ai.pddl");

fuzz_target!(|bytes: &[u8]| {
    let mut session = Session::default();
    let Some(source) = session.add("fuzzed.layout", bytes) else {
        return;
    };
    let text = session.sources.text(source).to_owned();
    let domain = session.sources.add("overcooked-ai.pddl", DOMAIN);
    let parsed = parse_domain(domain, DOMAIN, &mut session.diagnostics);
    let file = File {
        source,
        text: &text,
        name: "kitchen",
    };
    for imported in import(file, &Options::default(), &mut session.diagnostics) {
        let files = Files {
            domain,
            problem: source,
        };
        session.compile(&parsed, &imported.problem, files);
    }
    session.report();
});
