//! Any bytes as a domain or an environment of Robotouille, which others are drawn from.

#![no_main]

use brigade::generate::robotouille::{Extra, Generator};
use brigade::import::robotouille::{self, Kind, Options, Turns};
use brigade::sema::{self, Files};
use brigade_fuzz::Session;
use libfuzzer_sys::fuzz_target;

const DOMAIN: &str = include_str!("../../tests/data/import/tea-domain.json");

fuzz_target!(|bytes: &[u8]| {
    let mut session = Session::default();
    let Some(source) = session.add("fuzzed.json", bytes) else {
        return;
    };
    let text = session.sources.text(source).to_owned();
    let this = robotouille::File {
        source,
        text: &text,
    };
    if robotouille::kind(&text) == Some(Kind::Domain) {
        let domain = robotouille::import_domain(this, Turns::default(), &mut session.diagnostics);
        if let Some(domain) = domain {
            let options = sema::Options::default();
            sema::resolve_domain(&domain, &options, source, &mut session.diagnostics);
        }
    } else {
        if let Ok(generator) = Generator::new(&text, &[&text]) {
            let extra = Extra {
                stations: 2,
                items: 2,
            };
            let _ = generator.draw(1, 0, extra);
        }
        let domain = session.sources.add("tea-domain.json", DOMAIN);
        let file = robotouille::File {
            source: domain,
            text: DOMAIN,
        };
        let options = Options::default();
        let read = robotouille::import(file, this, "tea", &options, &mut session.diagnostics);
        if let Some((read, problem)) = read {
            let files = Files {
                domain,
                problem: source,
            };
            session.compile(&read, &problem, files);
        }
    }
    session.report();
});
