//! Every diagnostic has a file in `tests/data/bad`, and a snapshot of that file and its report.

mod edits;
use crate::common::framed;
use crate::common::one_file;
use crate::common::snapshots;

use std::collections::BTreeSet;

use brigade::classical;
use brigade::diagnostics::{
    Code, Colour, Diagnostic, Diagnostics, Sources, render_all, render_all_within, sarif,
};
use brigade::import::overcooked;
use brigade::import::robotouille::{self, Kind, Options};
use brigade::syntax::format::format;
use brigade::syntax::{parse_domain, parse_file, parse_problem};
use brigade::{lint, sema};

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
    insta::glob!("../../data/bad", "[EW]*.pddl", |path| {
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
    const DOMAIN: &str = include_str!("../../data/import/tea-domain.json");
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

/// Imports layouts of Overcooked-AI, those that a comment names or all, through to the models.
fn check_layouts(name: &str, text: &str) -> (Diagnostics, Sources) {
    const DOMAIN: &str = include_str!("../../../domains/overcooked-ai.pddl");
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let files = sema::Files {
        domain: sources.add("overcooked-ai.pddl", DOMAIN),
        problem: sources.add(name, text),
    };
    let named = text
        .lines()
        .filter_map(|line| line.strip_prefix("# --layout "));
    let options = overcooked::Options {
        layouts: named.map(str::to_owned).collect(),
        ..overcooked::Options::default()
    };
    let file = overcooked::File {
        source: files.problem,
        text,
        name: "kitchen",
    };
    let domain = parse_domain(files.domain, DOMAIN, &mut diagnostics);
    for imported in overcooked::import(file, &options, &mut diagnostics) {
        let options = sema::Options::default();
        sema::resolve(
            &domain,
            &imported.problem,
            &options,
            files,
            &mut diagnostics,
        );
    }
    diagnostics.sort();
    (diagnostics, sources)
}

#[test]
fn every_bad_file_of_another_format_is_explained() {
    let _guard = snapshots().bind_to_scope();
    let mut shown = BTreeSet::new();
    insta::glob!("../../data/bad", "import-*", |path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).unwrap();
        let (diagnostics, sources) = if name.ends_with(".layout") {
            check_layouts(&name, &text)
        } else {
            check_import(&name, &text)
        };
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
    let (diagnostics, _) = check_import(
        "tea.json",
        include_str!("../../data/import/tea-for-one.json"),
    );
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
            name.split('-').find_map(Code::from_spelling)
        })
        .chain(elsewhere)
        .collect();
    for code in Code::ALL {
        let syntax = code.as_str().starts_with("E00") || code.as_str().starts_with("W00");
        assert!(!syntax || shown.contains(code), "{code} has no bad file");
    }
}

#[test]
fn every_check_of_a_sound_domain_is_explained() {
    each_is_explained("lint-*.pddl", "W02", true);
}

#[test]
fn every_problem_that_cannot_be_grounded_is_explained() {
    each_is_explained("ground-*.pddl", "E02", false);
}

/// Checks each of these files through to its task: it is reported as the code that it is named after.
/// Every code that begins so has a file.
fn each_is_explained(files: &str, codes: &str, are_sound: bool) {
    let _guard = snapshots().bind_to_scope();
    let mut shown = BTreeSet::new();
    insta::glob!("../../data/bad", files, |path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).unwrap();
        let (diagnostics, sources) = one_file::check_all(&name, &text);
        let rendered = render_all(&diagnostics, &sources, Colour::Plain);
        assert!(
            diagnostics.has_errors() != are_sound,
            "{name} is sound, or is not\n{rendered}"
        );
        let code = name.split('-').nth(1).and_then(Code::from_spelling);
        let code = code.unwrap_or_else(|| panic!("{name} names no code"));
        assert!(
            diagnostics.iter().any(|d| d.code == code),
            "{name} is not reported as {code}\n{rendered}"
        );
        shown.insert(code);
        insta::assert_snapshot!("bad", report(text.as_bytes(), &rendered));
    });
    for code in Code::ALL {
        let is_meant = code.as_str().starts_with(codes);
        assert!(!is_meant || shown.contains(code), "{code} has no bad file");
    }
}

/// The diagnostics of an example of `brigade explain`.
fn diagnostics_of(example: &str) -> (Diagnostics, Sources) {
    if example.starts_with("# a layout") {
        return check_layouts("example.layout", example);
    }
    if example.starts_with('{') {
        return check_import("example.json", &patched(example));
    }
    let text = framed::framed(example);
    if example.starts_with("; given with `--domain`") {
        let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let source = sources.add("example.pddl", text.as_str());
        parse_domain(source, &text, &mut diagnostics);
        return (diagnostics, sources);
    }
    if example.starts_with("; exported with `--to classical`") {
        let (mut diagnostics, sources) = one_file::check_all("example.pddl", &text);
        let exported = classical::export(&one_file::task(&text), &classical::Limits::default());
        let refused = exported.err().map(|error| error.to_string());
        diagnostics.extend(refused.map(|why| Diagnostic::new(Code::NotExpressible, why)));
        return (diagnostics, sources);
    }
    match text.split_once("\\xE9") {
        Some((before, after)) => {
            let bytes = [before.as_bytes(), b"\xE9", after.as_bytes()].concat();
            check("example.pddl", bytes)
        }
        None if text.starts_with("(define (") => one_file::check_all("example.pddl", &text),
        None => check("example.pddl", text.into_bytes()),
    }
}

/// The keys of a file of Robotouille with the others of a sound one.
fn patched(example: &str) -> String {
    type Keys = serde_json::Map<String, serde_json::Value>;
    let Ok(keys) = serde_json::from_str::<Keys>(example) else {
        return example.to_owned();
    };
    let domain = ["object_types", "predicate_defs", "action_defs"];
    let base = if domain.iter().any(|key| keys.contains_key(*key)) {
        include_str!("../../data/import/tea-domain.json")
    } else {
        include_str!("../../data/import/tea-for-one.json")
    };
    let mut whole: Keys = serde_json::from_str(base).unwrap();
    whole.extend(keys);
    serde_json::to_string(&whole).unwrap()
}

#[test]
fn every_code_has_a_bad_example_that_causes_it_and_a_good_one_that_is_sound() {
    let mut wrong = Vec::new();
    for &code in Code::ALL {
        let Some(example) = code.example() else {
            wrong.push(format!("{code} has no example"));
            continue;
        };
        let (bad, sources) = diagnostics_of(example.bad);
        if !bad.iter().any(|d| d.code == code) {
            let report = render_all(&bad, &sources, Colour::Plain);
            wrong.push(format!(
                "the bad example of {code} does not cause it\n{report}"
            ));
        }
        let (good, sources) = diagnostics_of(example.good);
        if good.has_errors() || good.iter().any(|d| d.code == code) {
            let report = render_all(&good, &sources, Colour::Plain);
            wrong.push(format!("the good example of {code} is not sound\n{report}"));
        }
        for text in [example.bad, example.good] {
            assert!(text.lines().count() <= 7, "{code}: an example is long");
            assert!(
                text.lines().all(|line| line.len() <= 100),
                "{code}: a line is long"
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Mistakes far to the right, behind tabs, and beside wide letters.
const WIDE: &str = "\
(define (domain kitchen)
\t(:requirements :typing :text)
\t(:predicates (clean ?x - dish))  ; 皿を洗う、皿を拭く、皿をしまう、皿を割る
\t(:types dish)
\t(:action wash :parameters (?x - dish) :precondition (clean ?x) :effect (and (clean ?x) (clean ?y) (dried-with-the-towel ?x))
\t\t:text \"皿を洗う {?z}\"))
";

#[test]
fn a_narrow_terminal_shows_the_labels_and_wraps_the_help() {
    let _guard = snapshots().bind_to_scope();
    let (diagnostics, sources) = one_file::check_all("wide.pddl", WIDE);
    let mut shown = String::new();
    for width in [40, 80, usize::MAX] {
        let rendered = render_all_within(&diagnostics, &sources, Colour::Plain, width);
        for line in rendered.lines().filter(|line| line.contains(" = help:")) {
            assert!(line.chars().count() <= width, "{line}");
        }
        shown += &format!("----- {width} COLUMNS\n{rendered}");
    }
    let plain = render_all(&diagnostics, &sources, Colour::Plain);
    assert!(shown.ends_with(&plain), "a pipe is as wide as can be");
    insta::assert_snapshot!("narrow", shown.replace(&usize::MAX.to_string(), "MANY"));
}

#[test]
fn a_code_host_is_given_a_sarif_log() {
    let _guard = snapshots().bind_to_scope();
    let text = include_str!("../../data/bad/sema-E0102-unknown-predicate.pddl");
    let (diagnostics, sources) = one_file::check_all("recipes/sema bad.pddl", text);
    let mut log = sarif::Builder::default();
    for diagnostic in &diagnostics {
        log.add(diagnostic, &sources);
    }
    log.fail("none.pddl: there is no such file".to_owned());
    let log = serde_json::to_value(log.build()).unwrap();
    // What the schema of SARIF 2.1.0 requires.
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert!(run["tool"]["driver"]["name"].is_string());
    assert!(run["invocations"][0]["executionSuccessful"].is_boolean());
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for result in run["results"].as_array().unwrap() {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(result["message"]["text"].is_string());
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert!(region["startLine"].as_u64().unwrap() >= 1);
        assert!(region["endColumn"].as_u64() > region["startColumn"].as_u64());
    }
    let text = serde_json::to_string_pretty(&log).unwrap();
    let version = format!("\"semanticVersion\": \"{}\"", env!("CARGO_PKG_VERSION"));
    let text = text.replace(&version, "\"semanticVersion\": \"…\"");
    insta::assert_snapshot!("sarif", text);
}

/// Returns the parts that the checks of a sound file with a domain and a problem left out.
fn left_out(text: &str, stop: &dyn Fn() -> bool) -> Option<String> {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let source = sources.add("many.pddl", text);
    let files = sema::Files {
        domain: source,
        problem: source,
    };
    let part = |definition| one_file::only(text, definition).unwrap();
    let domain = parse_domain(source, &part("domain"), &mut diagnostics);
    let problem = parse_problem(source, &part("problem"), &mut diagnostics);
    let options = sema::Options::default();
    let model = sema::resolve(&domain, &problem, &options, files, &mut diagnostics).unwrap();
    let result = lint::problem(&domain, &problem, files, &model, stop, &mut diagnostics);
    result.err().map(|skipped| skipped.reason)
}

#[test]
fn checks_that_would_take_too_long_are_left_out_and_that_is_said() {
    let text = framed::framed(Code::TooManyInstances.example().unwrap().bad);
    let reason = left_out(&text, &|| false).unwrap();
    assert!(reason.contains("too many instances"), "{reason}");
    let reason = left_out(&text, &|| true).unwrap();
    assert!(reason.contains("stopped"), "{reason}");
}

#[test]
fn what_can_be_reached_is_not_asked_of_more_than_fifty_thousand_objects_and_facts() {
    let of = |objects: usize| {
        let sections = "(:predicates (clean ?x)) (:constants cup)
            (:action wash :effect (clean cup)) (:goal (clean cup))";
        framed::framed(&format!("{sections} (:objects ⟦o# ⟧×{objects})"))
    };
    assert_eq!(left_out(&of(49_999), &|| false), None);
    let reason = left_out(&of(50_000), &|| false).unwrap();
    assert!(reason.contains("50001 objects"), "{reason}");
    let timed = "(:predicates (clean ?x)) (:constants cup) (:action wash :effect (clean cup))
        (:goal (clean cup)) (:init ⟦(at # (clean cup)) ⟧×50000)";
    let reason = left_out(&framed::framed(timed), &|| false).unwrap();
    assert!(reason.contains("50001 objects and facts"), "{reason}");
}

/// The diagnostics of a problem in a file of its own, after what the two files silence.
fn check_two(domain: &str, problem: &str) -> (Diagnostics, Sources) {
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let files = sema::Files {
        problem: sources.add(problem, read(problem)),
        domain: sources.add(domain, read(domain)),
    };
    let text = sources.text(files.domain);
    let parsed = parse_domain(files.domain, text, &mut diagnostics);
    let text = sources.text(files.problem);
    let asked = parse_problem(files.problem, text, &mut diagnostics);
    let options = sema::Options::default();
    let model = sema::resolve(&parsed, &asked, &options, files, &mut diagnostics);
    let model = model.unwrap_or_else(|| panic!("{problem} is not sound"));
    let reached = lint::problem(&parsed, &asked, files, &model, &|| false, &mut diagnostics);
    assert_eq!(reached.err(), None, "{problem}");
    let both = [files.problem, files.domain];
    let allowances = lint::allow::read(&both, &sources, &mut diagnostics);
    lint::allow::apply(allowances, files.problem, &|_| true, &mut diagnostics);
    (diagnostics, sources)
}

#[test]
fn where_an_agent_has_no_type_objects_that_never_act_are_not_reported() {
    let text = |agent: &str| {
        format!(
            "(define (domain d) (:requirements :typing :multi-agent) (:types cook pan)
               (:predicates (hot ?p - pan) (skilled ?c))
               (:action heat :agent {agent} :parameters (?p - pan) :precondition (skilled ?c)
                 :effect (hot ?p)))
(define (problem p) (:domain d) (:objects ann bob - cook wok - pan)
               (:init (skilled ann)) (:goal (hot wok)))"
        )
    };
    for (agent, idle) in [("?c - cook", 1), ("?c", 0)] {
        let (diagnostics, _) = one_file::check_all("two-cooks.pddl", &text(agent));
        let found = diagnostics.iter().filter(|it| it.code == Code::IdleAgent);
        assert_eq!(found.count(), idle, "{agent}");
    }
}

#[test]
fn where_nobody_can_act_a_goal_out_of_reach_is_not_reported_too() {
    let text = include_str!("../../data/bad/sema-W0109-no-agents.pddl");
    let with_cook = text.replace("egg - item)", "egg - item ann - cook)");
    for (text, codes) in [(text, vec![Code::NoAgents]), (&with_cook, vec![])] {
        let (diagnostics, _) = one_file::check_all("washing.pddl", text);
        let goal = [Code::NoAgents, Code::GoalOutOfReach];
        let found = diagnostics.iter().map(|it| it.code);
        let found: Vec<Code> = found.filter(|code| goal.contains(code)).collect();
        assert_eq!(found, codes, "{text}");
    }
}

#[test]
fn the_files_of_this_repository_are_free_of_warnings() {
    let root = env!("CARGO_MANIFEST_DIR");
    for domain in [
        "collab-overcooked",
        "cookmas",
        "minecraft-kitchen",
        "order-rush",
        "overcooked-ai",
        "robotouille",
        "robotouille-in-turn",
    ] {
        let path = format!("{root}/domains/{domain}.pddl");
        let text = std::fs::read_to_string(&path).unwrap();
        let (found, sources) = one_file::check_all(domain, &text);
        assert!(
            found.is_empty(),
            "{}",
            render_all(&found, &sources, Colour::Plain)
        );
        for problem in std::fs::read_dir(format!("{root}/problems/{domain}")).unwrap() {
            let problem = problem.unwrap().path().display().to_string();
            let (found, sources) = check_two(&path, &problem);
            assert!(
                found.is_empty(),
                "{}",
                render_all(&found, &sources, Colour::Plain)
            );
        }
    }
}

#[test]
fn published_domains_and_problems_are_warned_of_little() {
    let Some(upstream) = std::env::var_os("BRIGADE_UPSTREAM") else {
        #[expect(clippy::print_stderr, reason = "a test that does not run says so")]
        {
            eprintln!("BRIGADE_UPSTREAM is not set: competition files are not checked");
        }
        return;
    };
    let checks = |found: &Diagnostics| found.iter().filter(|d| d.code.as_str() > "W02").count();
    let (mut of_domains, mut unused, mut unrelated) = (0, 0, 0);
    for folder in std::fs::read_dir(std::path::Path::new(&upstream).join("ipc")).unwrap() {
        let folder = folder.unwrap().path();
        if !folder.is_dir() {
            continue;
        }
        for file in std::fs::read_dir(&folder).unwrap() {
            let file = file.unwrap().path();
            let name = file.file_name().unwrap().to_str().unwrap();
            let path = file.display().to_string();
            if name.ends_with("domain.pddl") {
                let text = std::fs::read_to_string(&file).unwrap();
                of_domains += checks(&one_file::check_all(name, &text).0);
                continue;
            }
            let Some(stem) = name.strip_suffix(".pddl") else {
                continue;
            };
            let own = stem.split('-').next().unwrap();
            let own = folder.join(format!("{own}-domain.pddl"));
            let domain = if own.exists() {
                own
            } else {
                folder.join("domain.pddl")
            };
            let (found, sources) = check_two(&domain.display().to_string(), &path);
            let report = render_all(&found, &sources, Colour::Plain);
            let of = |code: Code| found.iter().filter(|d| d.code == code).count();
            let of_objects = (of(Code::UnusedObject), of(Code::Unrelated));
            assert_eq!(checks(&found), of_objects.0 + of_objects.1, "{report}");
            unused += of_objects.0;
            unrelated += of_objects.1;
        }
    }
    // Predicates and a type that nothing uses, and locks that are taken and given back at once; objects that
    // no action can take; tables where no child waits, and directions of no calibration and no image.
    assert_eq!((of_domains, unused, unrelated), (18, 9, 5));
}

#[test]
fn what_is_silenced_stays_silenced_when_the_file_is_formatted() {
    let text = "\
(define (domain wash) (:requirements :typing)
 ; brigade: allow W0205 \"more kinds of things come later\"
 (:types cup lid)
 (:predicates (clean ?x - cup) (chipped ?x - cup) ; brigade: allow W0201 \"the same in all kitchens\"
   ; brigade: allow W0201 \"the same in all kitchens\"
   (glued ?x - cup))
 ; brigade: allow W0106, W0103 \"?y is counted\"
 (:action wash :parameters (?x - cup ?y - cup) :effect (clean ?x)))
";
    let codes = |text: &str| -> Vec<&str> {
        let (found, _) = one_file::check_all("wash.pddl", text);
        found.iter().map(|d| d.code.as_str()).collect()
    };
    // All but the one that silences nothing.
    assert_eq!(codes(text), ["W0003"]);
    let mut sources = Sources::new();
    let source = sources.add("wash.pddl", text);
    let formatted = format(source, text, &mut Diagnostics::new()).unwrap();
    assert_ne!(formatted, text);
    assert_eq!(codes(&formatted), ["W0003"], "{formatted}");
    let without = text.replace("brigade:", "someone:");
    assert_eq!(codes(&without), ["W0205", "W0201", "W0201", "W0106"]);
}
