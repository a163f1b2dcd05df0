//! Reading: files that others wrote, and files that nobody should write.

use brigade::diagnostics::{
    Code, Colour, Diagnostics, MAX_SOURCE_BYTES, SourceId, Sources, render_all,
};
use brigade::syntax::ast::{InitItem, TypeExpr};
use brigade::syntax::{File, parse_domain, parse_file};
use proptest::prelude::*;

use crate::syntax::competition_files;

/// Reads bytes as a file; answers with what it holds and every diagnostic, rendered.
fn read(bytes: &[u8]) -> (Option<File>, Diagnostics, String) {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let id = sources.add_bytes("input.pddl", bytes.to_vec(), &mut diagnostics);
    let file = id.and_then(|id| parse_file(id, sources.text(id), &mut diagnostics));
    diagnostics.sort();
    let rendered = render_all(&diagnostics, &sources, Colour::Plain);
    (file, diagnostics, rendered)
}

fn codes(diagnostics: &Diagnostics) -> Vec<Code> {
    diagnostics.iter().map(|d| d.code).collect()
}

#[test]
fn every_file_of_the_planning_competitions_is_read_without_complaint() {
    let files = competition_files();
    for path in files {
        let (file, diagnostics, rendered) = read(&std::fs::read(&path).unwrap());
        assert!(diagnostics.is_empty(), "{}\n{rendered}", path.display());
        assert!(file.is_some(), "{}", path.display());
    }
}

#[test]
fn hostile_nesting_is_refused_with_one_error() {
    let deep = "(".repeat(100_000) + &")".repeat(100_000);
    let (_, diagnostics, rendered) = read(deep.as_bytes());
    assert_eq!(codes(&diagnostics), [Code::NestedTooDeeply], "{rendered}");
    let open = "(".repeat(100_000);
    let (_, diagnostics, rendered) = read(open.as_bytes());
    assert_eq!(codes(&diagnostics), [Code::NestedTooDeeply], "{rendered}");
}

#[test]
fn the_deepest_nesting_that_is_accepted_fits_a_small_stack() {
    let reader = std::thread::Builder::new().stack_size(2 << 20);
    let check = || {
        for (head, tail) in [
            ("(define (domain d) (:action a :precondition ", "(p)"),
            ("(define (domain d) (:action a :effect ", "(p)"),
            ("(define (domain d) (:action a :precondition (< 0 ", "0)"),
        ] {
            for wrap in ["(not ", "(and ", "(when (p) ", "(- ", "(f "] {
                let levels = 250;
                let mut text = head.to_owned() + &wrap.repeat(levels) + tail;
                text.push_str(&")".repeat(levels + 2));
                let (file, diagnostics, _) = read(text.as_bytes());
                assert!(file.is_some(), "{wrap}");
                assert!(!codes(&diagnostics).contains(&Code::NestedTooDeeply));
            }
        }
    };
    reader.spawn(check).unwrap().join().unwrap();
}

#[test]
fn a_problem_of_five_megabytes_is_read() {
    let mut text = "(define (problem big) (:domain d) (:init".to_owned();
    while text.len() < 5_000_000 {
        text.push_str(" (connected node-17 node-18)\n");
    }
    text.push_str(") (:goal (and)))");
    let (file, diagnostics, _) = read(text.as_bytes());
    assert!(diagnostics.is_empty());
    let Some(File::Problem(problem)) = file else {
        panic!("not a problem");
    };
    assert!(problem.init.len() > 170_000);
}

#[test]
fn five_megabytes_of_stray_parentheses_cost_few_reports() {
    let (_, diagnostics, _) = read(")".repeat(5_000_000).as_bytes());
    assert!(diagnostics.has_errors());
    assert!(diagnostics.len() <= 21, "{}", diagnostics.len());
}

#[test]
fn line_ends_a_byte_order_mark_and_letter_case_do_not_matter() {
    let text =
        "\u{FEFF}(DEFINE (Domain D)\r\n(:Predicates (p))\r\n(:ACTION a :Effect (NOT (p))))\r\n";
    let (file, diagnostics, rendered) = read(text.as_bytes());
    assert!(diagnostics.is_empty(), "{rendered}");
    let Some(File::Domain(domain)) = file else {
        panic!("not a domain");
    };
    assert_eq!(domain.actions.len(), 1);
}

#[test]
fn blanks_and_comments_after_parentheses_do_not_matter() {
    for file in ["everything.pddl", "everything-problem.pddl"] {
        let path = format!("{}/tests/data/syntax/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        for white in [" ", "\n", " ; a (comment\n"] {
            let mut loose = String::new();
            let (mut in_text, mut in_comment) = (false, false);
            for char in text.chars() {
                loose.push(char);
                match char {
                    '\n' => (in_text, in_comment) = (false, false),
                    ';' => in_comment |= !in_text,
                    '"' => in_text ^= !in_comment,
                    '(' if !in_text && !in_comment => loose.push_str(white),
                    _ => {}
                }
            }
            let (found, diagnostics, rendered) = read(loose.as_bytes());
            assert!(diagnostics.is_empty(), "{file}\n{rendered}");
            assert!(found.is_some());
        }
    }
}

#[test]
fn nul_bytes_and_other_text_are_refused_without_a_panic() {
    for text in [
        "",
        " ",
        "\n",
        ")",
        "(",
        "\"",
        ";",
        "a",
        "\0",
        "(\0)",
        "()",
        "(define)",
        "\u{FEFF}",
        "(define (domain \0) (:types \0 - \0))",
        "(define (domain",
        "(define (domain))",
        "(define x)",
        "?",
        ":",
        "(define (domain d) ?)",
        "(define (domain d) (:action",
        "-",
        "\\",
    ] {
        let (_, diagnostics, rendered) = read(text.as_bytes());
        assert!(diagnostics.has_errors(), "{text:?}\n{rendered}");
    }
}

#[test]
fn a_standard_domain_may_use_the_words_of_the_extensions_as_names() {
    let text = "(define (domain d)
      (:predicates (after ?x ?y) (log ?x) (let ?x) (case ?x) (do ?x) (seq) (else) (create ?x))
      (:functions (count ?x) (min ?x ?y) - number)
      (:action a :parameters (?x ?y)
        :precondition (and (after ?x ?y) (log ?x) (else) (< (count ?x) (min ?x ?y)))
        :effect (and (after ?y ?x) (not (log ?x)) (let ?x) (case ?y) (do ?x) (seq) (create ?x)
                     (increase (count ?x) 1))))";
    let (_, diagnostics, rendered) = read(text.as_bytes());
    assert!(diagnostics.is_empty(), "{rendered}");
}

#[test]
fn at_is_a_timed_literal_only_with_a_number_and_a_fact() {
    let text = "(define (problem p) (:domain d)
      (:init (at truck depot) (at 5 (ready)) (at 5 depot) (at 7 (not (ready))) (at 3 (= (f) 2)))
      (:goal (at truck depot)))";
    let (file, diagnostics, rendered) = read(text.as_bytes());
    assert!(diagnostics.is_empty(), "{rendered}");
    let Some(File::Problem(problem)) = file else {
        panic!("not a problem");
    };
    let timed: Vec<bool> = problem
        .init
        .iter()
        .map(|item| matches!(item, InitItem::Timed(..)))
        .collect();
    assert_eq!(timed, [false, true, false, true, true]);
}

#[test]
fn a_type_of_functions_holds_for_all_before_it_and_of_transients_for_one() {
    let text = "(define (domain d) (:requirements :bounded-numbers)
      (:functions (a) (b) - item (c)) (:transient (d) (e) - item (f)))";
    let (file, diagnostics, rendered) = read(text.as_bytes());
    assert!(diagnostics.is_empty(), "{rendered}");
    let Some(File::Domain(domain)) = file else {
        panic!("not a domain");
    };
    let named = |range: &Option<TypeExpr>| match range {
        Some(TypeExpr::Named(name)) => name.text.to_string(),
        Some(TypeExpr::Number(_)) => "number".to_owned(),
        _ => "truth".to_owned(),
    };
    let ranges: Vec<String> = domain.fluents.iter().map(|f| named(&f.range)).collect();
    assert_eq!(ranges, ["item", "item", "number", "truth", "item", "truth"]);
}

#[test]
fn a_problem_where_a_domain_is_needed_is_said_to_be_one() {
    let mut diagnostics = Diagnostics::new();
    let text = "(define (problem p) (:domain d))";
    parse_domain(SourceId::default(), text, &mut diagnostics);
    assert_eq!(codes(&diagnostics), [Code::WrongKindOfFile]);
}

#[test]
fn a_file_beyond_the_size_limit_is_refused() {
    let (file, diagnostics, rendered) = read(&vec![b' '; MAX_SOURCE_BYTES + 1]);
    assert!(file.is_none());
    assert_eq!(codes(&diagnostics), [Code::SourceTooLarge], "{rendered}");
}

/// Every way to lose or double one parenthesis of a file, but for lines with texts.
fn slips(text: &str) -> impl Iterator<Item = (usize, String)> {
    let in_text = |at: usize| {
        let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
        text[line..]
            .lines()
            .next()
            .is_some_and(|line| line.contains('"'))
    };
    let parentheses = text.char_indices().filter(|(_, c)| matches!(c, '(' | ')'));
    let parentheses = parentheses.filter(move |(at, _)| !in_text(*at));
    parentheses.flat_map(move |(at, c)| {
        let lost = [&text[..at], &text[at + 1..]].concat();
        let mut doubled = text.to_owned();
        doubled.insert(at, c);
        [(at, lost), (at, doubled)]
    })
}

#[test]
fn one_wrong_parenthesis_is_found_and_causes_few_other_reports() {
    let text = include_str!("../../data/syntax/everything.pddl");
    let (mut slips_made, mut reports, mut near) = (0, 0, 0);
    for (at, slip) in slips(text) {
        let (_, diagnostics, _) = read(slip.as_bytes());
        let place = |code| diagnostics.iter().find(|d| d.code == code);
        let found = place(Code::UnclosedParenthesis).or(place(Code::StrayParenthesis));
        slips_made += 1;
        reports += diagnostics.len();
        let section_start = |at: usize| text[..at].rfind("\n  (:").unwrap_or(0);
        let places = found.iter().flat_map(|d| &d.labels);
        near += usize::from(places.into_iter().any(|label| {
            let label = (label.span.start as usize).min(text.len());
            section_start(label) == section_start(at)
        }));
        assert!(found.is_some(), "{slip}");
        assert!(diagnostics.len() <= 4, "{slip}");
    }
    assert!(slips_made > 700, "{slips_made}");
    assert!(
        reports * 100 <= slips_made * 110,
        "{reports} reports of {slips_made} slips"
    );
    assert!(
        near * 100 >= slips_made * 95,
        "{near} of {slips_made} in the right section"
    );
}

#[test]
fn a_forgotten_requirement_is_reported_once_and_the_rest_is_still_checked() {
    let text = "(define (domain d) (:predicates (p))
      (:action a :effect (and (after 1 (p)) (after 2 (p)) (on-nth 3))))";
    let (_, diagnostics, rendered) = read(text.as_bytes());
    let expected = [Code::NeedsRequirement, Code::WrongArity];
    assert_eq!(codes(&diagnostics), expected, "{rendered}");
}

/// Fragments that random texts are made of, so that they come close to real files.
fn fragment() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "(",
        ")",
        "(",
        ")",
        " ",
        "\n",
        "define",
        "(define (domain d)",
        "(define (problem p)",
        "(:action a",
        "(:option o",
        "(:durative-action d",
        "(:event e",
        ":parameters",
        ":effect",
        ":precondition",
        ":agent",
        "?x",
        "- t",
        "-",
        "(:predicates",
        "(:functions",
        "(:types",
        "(:requirements :text :delayed-effects :options :sequential-effects :aggregates)",
        "and",
        "not",
        "forall",
        "when",
        "(case",
        "(let ((?x",
        "(after 3",
        ":while",
        ":until",
        "(count (?x)",
        "\"a {?x} \\n\"",
        "\"{\"",
        "\"",
        "\\",
        ";",
        "3",
        "1.5",
        "-7",
        "either",
        "(int 0",
        "=",
        "<",
        "(at 5",
        "at start",
        "over all",
        "(:init",
        "(:goal",
        "(:metric minimize",
        ":label",
        ":ties",
        "(argmin",
        "(else \"r\"",
        "é",
        "\0",
        "(semantics",
        "(:turns",
        "(:tick",
        "(do (a))",
        "preference",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read(&bytes);
    }

    #[test]
    fn random_texts_never_panic(parts in prop::collection::vec(fragment(), 0..80)) {
        read(parts.join(" ").as_bytes());
        read(parts.concat().as_bytes());
    }

    #[test]
    fn a_domain_cut_anywhere_never_panics_and_is_refused(cut in 1_usize..700) {
        let text = include_str!("../../data/syntax/everything.pddl");
        let cut = text.floor_char_boundary(text.len().saturating_sub(cut * 17 % text.len()));
        let mut sources = Sources::new();
        let mut diagnostics = Diagnostics::new();
        let id = sources.add("cut.pddl", &text[..cut]);
        parse_domain(id, &text[..cut], &mut diagnostics);
        prop_assert_eq!(diagnostics.has_errors(), cut < text.trim_end().len());
        render_all(&diagnostics, &sources, Colour::Plain);
    }
}
