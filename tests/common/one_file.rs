//! A file that holds a domain, a problem, or both, and maybe a stream, checked as `brigade check` checks them.

use brigade::diagnostics::{Diagnostics, SourceId, Sources};
use brigade::sema::{Files, Options, resolve, resolve_domain};
use brigade::stream::lay_over;
use brigade::syntax::{parse_domain, parse_file, parse_problem, parse_stream};
use brigade::task::PackedTask;
use brigade::{ground, lint};

/// A text with all but one of its definitions blanked, so that places stay what they are.
pub(crate) fn only(text: &str, definition: &str) -> Option<String> {
    let start = text.find(&format!("(define ({definition} "))?;
    let end = text[start + 1..]
        .find("\n(define ")
        .map_or(text.len(), |at| start + 1 + at);
    let blank = |part: &str| -> String {
        let blank = |byte| if byte == b'\n' { '\n' } else { ' ' };
        part.bytes().map(blank).collect()
    };
    // Comments before the first definition stay.
    let first = text.find("(define ").unwrap_or(start);
    let before = text[..first].to_owned() + &blank(&text[first.min(start)..start]);
    Some(before + &text[start..end] + &blank(&text[end..]))
}

/// Bounds for tests, which are not optimised: those of the real thing are too wide for them.
fn narrow() -> ground::Options {
    ground::Options::default()
        .with_max_instances(20_000)
        .with_max_parts(200_000)
        .with_max_work(20_000_000)
}

/// Checks all that `brigade check` does, and then grounds a sound problem.
#[allow(dead_code, reason = "not every test file that shares this uses it")]
pub(crate) fn check_all(name: &str, text: &str) -> (Diagnostics, Sources) {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let source = sources.add(name, text);
    let is_problem = match (only(text, "domain"), only(text, "problem")) {
        (Some(domain), Some(problem)) => {
            let stream = only(text, "stream");
            pair(source, (&domain, &problem), stream, &mut diagnostics);
            true
        }
        (Some(domain), None) => {
            let domain = parse_domain(source, &domain, &mut diagnostics);
            if resolve_domain(&domain, &Options::default(), source, &mut diagnostics) {
                lint::domain(&domain, source, &mut diagnostics);
            }
            false
        }
        _ => {
            parse_file(source, text, &mut diagnostics);
            false
        }
    };
    let allowances = lint::allow::read(&[source], &sources, &mut diagnostics);
    let is_known = |code| is_problem || lint::is_of_domain(code);
    lint::allow::apply(allowances, source, &is_known, &mut diagnostics);
    diagnostics.sort();
    (diagnostics, sources)
}

fn pair(
    source: SourceId,
    (domain, problem): (&str, &str),
    stream: Option<String>,
    diagnostics: &mut Diagnostics,
) {
    let files = Files {
        domain: source,
        problem: source,
    };
    let domain = parse_domain(source, domain, diagnostics);
    let mut problem = parse_problem(source, problem, diagnostics);
    if let Some(stream) = stream {
        let stream = parse_stream(source, &stream, diagnostics);
        // All stand in one file, so their places are what they are.
        lay_over(&mut problem, stream, (source, 0), diagnostics);
    }
    let Some(model) = resolve(&domain, &problem, &Options::default(), files, diagnostics) else {
        return;
    };
    // What was left out is no diagnostic.
    let _ = lint::problem(&domain, &problem, files, &model, &|| false, diagnostics);
    let error = ground::ground(&model, &narrow()).err();
    diagnostics.extend(error.and_then(|error| error.diagnostic()));
}

/// The task of a sound file.
#[allow(dead_code, reason = "not every test file that shares this uses it")]
pub(crate) fn task(text: &str) -> PackedTask {
    let mut diagnostics = Diagnostics::new();
    let source = Sources::new().add("example.pddl", text);
    let files = Files {
        domain: source,
        problem: source,
    };
    let part = |definition| only(text, definition).unwrap_or_default();
    let domain = parse_domain(source, &part("domain"), &mut diagnostics);
    let problem = parse_problem(source, &part("problem"), &mut diagnostics);
    let model = resolve(
        &domain,
        &problem,
        &Options::default(),
        files,
        &mut diagnostics,
    );
    let task = model.map(|model| ground::ground(&model, &narrow()));
    task.expect("a sound file").expect("a task")
}
