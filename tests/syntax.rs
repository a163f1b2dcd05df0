//! The front end's reader on files that others wrote, and on files that nobody should write.

use std::path::{Path, PathBuf};

use brigade::diagnostics::{Code, Colour, Diagnostics, Sources, render_all};
use brigade::syntax::{File, parse_domain, parse_file};
use proptest::prelude::*;

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

fn pddl_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pddl_files(&path, files);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "pddl")
        {
            files.push(path);
        }
    }
    files.sort();
}

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test must say so")]
fn every_file_of_the_planning_competitions_is_read_without_complaint() {
    let Ok(upstream) = std::env::var("BRIGADE_UPSTREAM") else {
        eprintln!("skipped: BRIGADE_UPSTREAM does not name the upstream data");
        return;
    };
    let mut files = Vec::new();
    pddl_files(&Path::new(&upstream).join("ipc"), &mut files);
    assert!(files.len() > 100, "{} files", files.len());
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
        let text = include_str!("data/syntax/everything.pddl");
        let cut = text.floor_char_boundary(text.len().saturating_sub(cut * 17 % text.len()));
        let mut sources = Sources::new();
        let mut diagnostics = Diagnostics::new();
        let id = sources.add("cut.pddl", &text[..cut]);
        parse_domain(id, &text[..cut], &mut diagnostics);
        prop_assert_eq!(diagnostics.has_errors(), cut < text.trim_end().len());
        render_all(&diagnostics, &sources, Colour::Plain);
    }
}
