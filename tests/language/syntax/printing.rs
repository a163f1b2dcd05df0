//! Printing: reading what was printed gives the same AST, and printing that the same text.

use brigade::diagnostics::{Code, Colour, Diagnostics, Sources, render_all};
use brigade::syntax::format::format;
use brigade::syntax::printer::{
    domain_definitions, print_domain, print_problem, print_stream, problem_definitions,
    stream_definitions,
};
use brigade::syntax::{File, parse_file};
use proptest::prelude::*;

use crate::syntax::competition_files;
use crate::syntax::generate;

fn read(text: &str) -> File {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let id = sources.add("printed.pddl", text);
    let file = parse_file(id, text, &mut diagnostics);
    let rendered = render_all(&diagnostics, &sources, Colour::Plain);
    assert!(diagnostics.is_empty(), "{rendered}\n{text}");
    file.expect("a file without diagnostics is read")
}

fn print(file: &File) -> String {
    match file {
        File::Domain(domain) => print_domain(domain),
        File::Problem(problem) => print_problem(problem),
        File::Stream(stream) => print_stream(stream),
    }
}

/// The AST without its spans.
fn shape(file: &File) -> String {
    let text = format!("{file:?}");
    let mut shape = String::new();
    let mut parts = text.split("Span { start: ");
    shape.extend(parts.next());
    for part in parts {
        shape.push_str(part.split_once('}').map_or(part, |(_, rest)| rest));
    }
    shape
}

fn assert_round_trip(file: &File) {
    let printed = print(file);
    let again = read(&printed);
    assert_eq!(shape(file), shape(&again), "{printed}");
    assert_eq!(printed, print(&again));
}

const EVERYTHING: [(&str, &str); 3] = [
    ("domain", include_str!("../../data/syntax/everything.pddl")),
    (
        "problem",
        include_str!("../../data/syntax/everything-problem.pddl"),
    ),
    (
        "stream",
        include_str!("../../data/syntax/everything-stream.pddl"),
    ),
];

#[test]
fn the_definitions_of_a_file_say_all_that_it_does() {
    for (_, text) in EVERYTHING {
        let mut file = read(text);
        match &mut file {
            File::Domain(domain) => domain.layout.clear(),
            File::Problem(problem) => problem.layout.clear(),
            File::Stream(_) => {}
        }
        let printed = print(&file);
        let head = printed.lines().next().unwrap();
        let definitions = match &file {
            File::Domain(domain) => domain_definitions(domain),
            File::Problem(problem) => problem_definitions(problem),
            File::Stream(stream) => stream_definitions(stream),
        };
        let texts: Vec<String> = definitions.into_iter().map(|(_, text)| text).collect();
        let together = format!("{head}\n{})", texts.concat());
        assert_eq!(print(&read(&together)), printed);
    }
}

#[test]
fn private_declarations_survive_printing_and_formatting() {
    let domain = "(define (domain depot)
      (:types loc truck pkg - object)
      (:constants hub (:private t q - pkg) t - truck (:private dock - loc) end)
      (:predicates (at ?x - pkg ?p - loc) (:private ?agent - truck (near ?agent - truck ?l - loc)
          (in ?p - pkg ?agent - truck) (loaded-to-the-brim-and-ready-to-leave ?agent - truck)))
      (:functions (:private (fuel ?t - truck) - number)))";
    let problem = "(define (problem p) (:domain depot)
      (:objects a b - loc t - truck (:private t q - pkg) (:private u - truck)) (:init) (:goal (and)))";
    for (text, blocks) in [(domain, 4), (problem, 2)] {
        let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
        let mut parse = |text: &str| {
            let id = sources.add("private.pddl", text);
            parse_file(id, text, &mut found).unwrap()
        };
        let file = parse(text);
        let printed = print(&file);
        assert_eq!(printed.matches("(:private ").count(), blocks, "{printed}");
        assert_eq!(shape(&file), shape(&parse(&printed)), "{printed}");
        let id = sources.add("printed.pddl", printed.as_str());
        assert_eq!(format(id, &printed, &mut found).unwrap(), printed);
        assert!(found.iter().all(|it| it.code == Code::PrivacyIgnored));
    }
}

#[test]
fn every_construct_survives_printing() {
    for (_, text) in EVERYTHING {
        assert_round_trip(&read(text));
    }
}

#[test]
fn the_canonical_layout_of_every_construct() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/syntax"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let _guard = settings.bind_to_scope();
    for (kind, text) in EVERYTHING {
        insta::assert_snapshot!(format!("everything-{kind}"), print(&read(text)));
    }
}

#[test]
fn every_file_of_the_planning_competitions_survives_printing() {
    for path in competition_files() {
        assert_round_trip(&read(&std::fs::read_to_string(&path).unwrap()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_domain_survives_printing(domain in generate::domain()) {
        assert_round_trip(&File::Domain(domain));
    }

    #[test]
    fn any_problem_survives_printing(problem in generate::problem()) {
        assert_round_trip(&File::Problem(problem));
    }
}
