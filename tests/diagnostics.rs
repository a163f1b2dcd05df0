//! Every diagnostic has a file in `tests/data/bad`, and a snapshot of that file and its report.

#[path = "common/snapshots.rs"]
mod snapshots;

use std::collections::BTreeSet;

use brigade::diagnostics::{Code, Colour, Diagnostic, Diagnostics, Sources, render_all};
use brigade::import::robotouille::{self, Kind, Options};
use brigade::sema;
use brigade::syntax::parse_file;

use snapshots::snapshots;

/// Checks a file as `brigade check` does: the whole front end, every problem in one run.
fn check(name: &str, bytes: Vec<u8>) -> (Diagnostics, Sources) {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    if let Some(id) = sources.add_bytes(name, bytes, &mut diagnostics) {
        parse_file(id, sources.text(id), &mut diagnostics);
    }
    diagnostics.sort();
    (diagnostics, sources)
}

/// The source, cut where a generated file is very long, and what is said of it.
fn report(bytes: &[u8], rendered: &str) -> String {
    let source = String::from_utf8_lossy(bytes);
    let source: String = source.chars().take(2000).collect();
    format!("----- SOURCE\n{source}\n----- ERROR\n{rendered}")
}

#[test]
fn every_bad_file_is_explained() {
    let _guard = snapshots().bind_to_scope();
    insta::glob!("data/bad", "[EW]*.pddl", |path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = std::fs::read(path).unwrap();
        let (diagnostics, sources) = check(&name, bytes.clone());
        let rendered = render_all(&diagnostics, &sources, Colour::Plain);
        if let Some(code) = name.split('-').next().and_then(Code::from_spelling) {
            assert!(
                diagnostics.iter().any(|d| d.code == code),
                "{name} is not reported as {code}\n{rendered}"
            );
        }
        let helped = |d: &Diagnostic| d.help.iter().all(|help| !help.is_empty());
        assert!(
            diagnostics.iter().all(|d| !d.help.is_empty() && helped(d)),
            "{name} has a report without help\n{rendered}"
        );
        insta::assert_snapshot!("bad", report(&bytes, &rendered));
    });
}

/// Checks a JSON file with a sound one of the other kind, through to the model.
fn check_import(name: &str, text: &str) -> (Diagnostics, Sources) {
    const DOMAIN: &str = include_str!("data/import/tea-domain.json");
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let source = sources.add(name, text);
    let this = robotouille::File { source, text };
    if robotouille::kind(text) == Some(Kind::Domain) {
        let turns = robotouille::Turns::default();
        let domain = robotouille::import_domain(this, turns, &mut diagnostics);
        if let Some(domain) = domain {
            let options = sema::Options::default();
            sema::resolve_domain(&domain, &options, source, &mut diagnostics);
        }
    } else {
        let domain = sources.add("tea-domain.json", DOMAIN);
        let file = robotouille::File {
            source: domain,
            text: DOMAIN,
        };
        let options = Options::default();
        let imported = robotouille::import(file, this, "tea", &options, &mut diagnostics);
        if let Some((read, problem)) = imported {
            let files = sema::Files {
                domain,
                problem: source,
            };
            let options = sema::Options::default();
            sema::resolve(&read, &problem, &options, files, &mut diagnostics);
        }
    }
    diagnostics.sort();
    (diagnostics, sources)
}

#[test]
fn every_bad_json_file_is_explained() {
    let _guard = snapshots().bind_to_scope();
    let mut shown = BTreeSet::new();
    insta::glob!("data/bad", "import-*.json", |path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).unwrap();
        let (diagnostics, sources) = check_import(&name, &text);
        let rendered = render_all(&diagnostics, &sources, Colour::Plain);
        if let Some(code) = name.split('-').find_map(Code::from_spelling) {
            assert!(
                diagnostics.iter().any(|d| d.code == code),
                "{name} is not reported as {code}\n{rendered}"
            );
            shown.insert(code);
        }
        insta::assert_snapshot!("bad", report(text.as_bytes(), &rendered));
    });
    for code in Code::ALL {
        let import = code.as_str().starts_with("E03") || code.as_str().starts_with("W03");
        assert!(!import || shown.contains(code), "{code} has no bad file");
    }
}

#[test]
fn the_files_that_the_bad_ones_are_checked_with_are_sound() {
    let (diagnostics, _) = check_import("tea.json", include_str!("data/import/tea-for-one.json"));
    assert!(diagnostics.is_empty());
}

#[test]
fn every_syntax_code_has_a_bad_file() {
    // A file of 64 MiB, and a caller's mistake: not to be shown by a small file.
    let elsewhere = [Code::SourceTooLarge, Code::WrongKindOfFile];
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/bad");
    let shown: BTreeSet<Code> = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| {
            let name = entry.unwrap().file_name().to_string_lossy().into_owned();
            Code::from_spelling(name.split('-').next()?)
        })
        .chain(elsewhere)
        .collect();
    for code in Code::ALL {
        let syntax = code.as_str().starts_with("E00") || code.as_str().starts_with("W00");
        assert!(!syntax || shown.contains(code), "{code} has no bad file");
    }
}
