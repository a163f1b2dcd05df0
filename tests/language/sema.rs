//! Domains and problems, from text to model: the semantic diagnostics of `tests/data/bad/sema-*`
//! and the benchmarks of the planning competition.

use crate::common::one_file;
use crate::common::snapshots;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use brigade::diagnostics::{Code, Colour, Diagnostics, Sources, render_all};
use brigade::sema::model::{Metric, Model};
use brigade::sema::{Files, Options, resolve, resolve_domain};
use brigade::stream::lay_over;
use brigade::syntax::{parse_domain, parse_problem, parse_stream};

use one_file::only;
use snapshots::snapshots;

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn resolve_texts(
    domain: (&str, &str),
    problem: (&str, &str),
) -> (Option<Model>, Diagnostics, Sources) {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let files = Files {
        domain: sources.add(domain.0, domain.1),
        problem: sources.add(problem.0, problem.1),
    };
    let domain = parse_domain(files.domain, domain.1, &mut diagnostics);
    let problem = parse_problem(files.problem, problem.1, &mut diagnostics);
    let options = Options::default();
    let model = resolve(&domain, &problem, &options, files, &mut diagnostics);
    diagnostics.sort();
    (model, diagnostics, sources)
}

/// `domain.pddl` beside the problem, or `<prefix>-domain.pddl`.
fn domain_of(problem: &Path) -> PathBuf {
    let folder = problem.parent().unwrap();
    let stem = problem.file_stem().unwrap().to_str().unwrap();
    let own = stem
        .match_indices('-')
        .map(|(at, _)| &stem[..at])
        .chain([stem])
        .map(|prefix| folder.join(format!("{prefix}-domain.pddl")))
        .find(|path| path.exists());
    own.unwrap_or_else(|| folder.join("domain.pddl"))
}

fn competition_problems() -> Vec<PathBuf> {
    let Some(upstream) = std::env::var_os("BRIGADE_UPSTREAM") else {
        #[expect(clippy::print_stderr, reason = "a test that does not run says so")]
        {
            eprintln!("BRIGADE_UPSTREAM is not set: competition files are not read");
        }
        return Vec::new();
    };
    let mut problems = Vec::new();
    for folder in fs::read_dir(Path::new(&upstream).join("ipc")).unwrap() {
        let folder = folder.unwrap().path();
        if !folder.is_dir() {
            continue;
        }
        for file in fs::read_dir(folder).unwrap() {
            let file = file.unwrap().path();
            let name = file.file_name().unwrap().to_str().unwrap();
            let is_pddl = file
                .extension()
                .is_some_and(|extension| extension == "pddl");
            if is_pddl && !name.ends_with("domain.pddl") {
                problems.push(file);
            }
        }
    }
    problems.sort();
    problems
}

#[test]
fn the_competition_benchmarks_resolve_without_error() {
    for problem in competition_problems() {
        let domain = domain_of(&problem);
        let (domain_text, problem_text) = (read(&domain), read(&problem));
        let names = (domain.display().to_string(), problem.display().to_string());
        let (model, diagnostics, sources) =
            resolve_texts((&names.0, &domain_text), (&names.1, &problem_text));
        let report = render_all(&diagnostics, &sources, Colour::Plain);
        let model = model.unwrap_or_else(|| panic!("{}\n{report}", problem.display()));
        assert!(!diagnostics.has_errors(), "{}\n{report}", problem.display());
        let asks = problem_text.contains("(:metric");
        let optimises = model.metric != Metric::Default;
        assert_eq!(asks, optimises, "{}\n{:?}", problem.display(), model.metric);
    }
}

/// Checks a file that holds a domain and perhaps a problem.
fn check(name: &str, text: &str) -> (Diagnostics, Sources) {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let source = sources.add(name, text);
    let files = Files {
        domain: source,
        problem: source,
    };
    let domain = parse_domain(source, &only(text, "domain").unwrap(), &mut diagnostics);
    let options = Options::default();
    if let Some(problem) = only(text, "problem") {
        let mut problem = parse_problem(source, &problem, &mut diagnostics);
        if let Some(stream) = only(text, "stream") {
            let stream = parse_stream(source, &stream, &mut diagnostics);
            lay_over(&mut problem, stream, (source, 0), &mut diagnostics);
        }
        let model = resolve(&domain, &problem, &options, files, &mut diagnostics);
        assert_eq!(model.is_none(), diagnostics.has_errors(), "{name}");
    } else {
        let sound = resolve_domain(&domain, &options, source, &mut diagnostics);
        assert_eq!(!sound, diagnostics.has_errors(), "{name}");
    }
    diagnostics.sort();
    (diagnostics, sources)
}

#[test]
fn every_semantic_mistake_is_explained() {
    let _guard = snapshots().bind_to_scope();
    insta::glob!("../data/bad", "sema-*.pddl", |path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = read(path);
        let (diagnostics, sources) = check(&name, &text);
        let rendered = render_all(&diagnostics, &sources, Colour::Plain);
        if let Some(code) = code_of(&name) {
            assert!(
                diagnostics.iter().any(|d| d.code == code),
                "{name} is not reported as {code}\n{rendered}"
            );
        }
        insta::assert_snapshot!(
            "bad",
            format!("----- SOURCE\n{text}\n----- ERROR\n{rendered}")
        );
    });
}

/// `sema-<code>-….pddl`.
fn code_of(name: &str) -> Option<Code> {
    Code::from_spelling(name.split('-').nth(1)?)
}

#[test]
fn every_semantic_code_has_a_bad_file() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/bad");
    let shown: BTreeSet<Code> = fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| code_of(&entry.unwrap().file_name().to_string_lossy()))
        .collect();
    for code in Code::ALL {
        let semantic = code.as_str().starts_with("E01") || code.as_str().starts_with("W01");
        assert!(!semantic || shown.contains(code), "{code} has no bad file");
    }
}

#[test]
fn a_file_with_a_word_missing_never_breaks_the_resolver() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/bad");
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let is_pddl = path.extension().is_some_and(|ending| ending == "pddl");
        if !is_pddl || code_of(name).is_none_or(|code| code == Code::NestedTooDeeply) {
            continue;
        }
        let text = read(&path);
        let breaks = |c: char| c.is_whitespace() || c == '(' || c == ')';
        let mut start = 0;
        for word in text.split(breaks) {
            let end = start + word.len();
            let keyword =
                text[..start].ends_with('(') && matches!(word, "define" | "domain" | "problem");
            if !word.is_empty() && !keyword {
                check(name, &format!("{}{}", &text[..start], &text[end..]));
            }
            start = end + 1;
        }
    }
}
