//! Any bytes as a file of the language: a domain is resolved, and every text laid out.

#![no_main]

use brigade::sema;
use brigade::syntax::File;
use brigade_fuzz::{Session, check_layout, check_printing};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut session = Session::default();
    let Some(source) = session.add("fuzzed.pddl", bytes) else {
        session.report();
        return;
    };
    let file = session.parse(source);
    if let Some(file) = file.as_ref().filter(|_| !session.diagnostics.has_errors()) {
        check_printing(file);
    }
    if let Some(File::Domain(domain)) = &file {
        let options = sema::Options::default();
        sema::resolve_domain(domain, &options, source, &mut session.diagnostics);
    }
    session.report();
    check_layout(session.sources.text(source));
});
