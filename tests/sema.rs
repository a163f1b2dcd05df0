//! Domains and problems, from text to model: the semantic diagnostics of `tests/data/bad/sema-*`
//! and the benchmarks of the planning competition.

use std::fs;
use std::path::{Path, PathBuf};

use brigade::diagnostics::{Colour, Diagnostics, Sources, render_all};
use brigade::sema::model::{Metric, Model};
use brigade::sema::{Files, Options, resolve};
use brigade::syntax::{parse_domain, parse_problem};

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
            if name.ends_with(".pddl") && !name.ends_with("domain.pddl") {
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
