//! Formatting: what a file says and what is noted in it stays, formatting again changes nothing, and
//! what the printer wrote is formatted already.

use std::path::{Path, PathBuf};

use brigade::diagnostics::{Diagnostics, Sources};
use brigade::syntax::format::{FormatError, format};
use brigade::syntax::printer::{print_domain, print_problem};
use proptest::prelude::*;

use crate::syntax::{competition_files, generate, pddl_files};

fn formatted(text: &str) -> Result<String, FormatError> {
    let mut sources = Sources::new();
    let id = sources.add("text.pddl", text);
    format(id, text, &mut Diagnostics::new())
}

/// Formats a text twice. That nothing is lost is checked by `format` itself.
fn assert_stable(text: &str) -> String {
    let once = formatted(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let twice = formatted(&once).unwrap_or_else(|error| panic!("{error}\n{once}"));
    assert_eq!(once, twice, "of\n{text}");
    assert!(!once.lines().any(|line| line.ends_with(' ')), "{once}");
    once
}

fn assert_formatted(text: &str) {
    let found = assert_stable(text);
    let pairs = text.lines().zip(found.lines()).enumerate();
    for (number, (line, found)) in pairs {
        assert_eq!(line, found, "line {} of\n{text}", number + 1);
    }
    assert_eq!(text, found);
}

/// The domains and problems of the repository.
fn own_files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["domains", "problems", "evals", "tests/data"] {
        pddl_files(&root.join(folder), &mut files);
    }
    assert!(files.len() > 60, "{} files", files.len());
    files
}

#[test]
fn comments_and_empty_lines_stay_where_they_were() {
    let text = "\
; A kitchen.

; It is small.
(define   (domain tea) ; for two


  (:requirements :typing)
  ; who acts
  (:types cook food - object)   ; and what with
  (:predicates
    (lit)      ; the stove
    (poured ?x - food)   ; into a cup,
                         ; or a bowl

    ; what follows is derived
    (ready))
  (:action pour :parameters (?c - cook ; the one who pours
                             ?x - food)
    :precondition ; the water is hot
      (and (lit)
           ; and nobody has poured it
           (not (poured ?x)))
    :effect (poured ?x))
  ; the end
)
; of all
";
    insta::with_settings!({
        snapshot_path => concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/syntax"),
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!("formatted-comments", assert_stable(text));
    });
}

#[test]
fn facts_that_stand_on_one_line_stay_there() {
    let text = "(define (problem p) (:domain d)\n  (:init (a) (b)\n\n    (c)   (d)))\n";
    let expected = "(define (problem p)\n  (:domain d)\n  (:init\n    (a) (b)\n\n    (c) (d)))\n";
    assert_eq!(assert_stable(text), expected);
}

#[test]
fn what_the_language_does_not_know_is_laid_out_too() {
    let text = "(define (domain d) (:process boil :parameters (?x) :effect (boom)) stray)";
    let expected =
        "(define (domain d)\n  (:process boil :parameters (?x) :effect (boom))\n  stray)\n";
    assert_eq!(assert_stable(text), expected);
}

#[test]
fn line_ends_of_other_systems_become_plain_ones() {
    let text = "(define (domain d) ; one\r\n  (:requirements :typing))\r\n";
    assert_eq!(
        assert_stable(text),
        "(define (domain d)  ; one\n  (:requirements :typing))\n"
    );
}

#[test]
fn a_text_without_lists_is_formatted_too() {
    assert_eq!(assert_stable(""), "");
    assert_eq!(
        assert_stable("\n\n; nothing yet\n\n\n; at all\n"),
        "; nothing yet\n\n; at all\n"
    );
}

#[test]
fn what_cannot_be_read_is_left_alone() {
    for text in [
        "(define (domain d)",
        ")",
        "(a \"b)",
        "(a \u{201c}b\u{201d})",
    ] {
        assert_eq!(formatted(text), Err(FormatError::Unreadable), "{text}");
    }
}

#[test]
fn what_follows_a_label_is_read_alike_however_its_lines_are_broken() {
    let pieces = [
        "a",
        "none",
        "a(b)",
        "(b c)",
        "\"d\"",
        "\" d\"",
        ":k",
        "; e\n",
        &"f ".repeat(150),
        &"g".repeat(300),
    ];
    let blanks = [" ", "\n", "  "];
    let count = pieces.len();
    for number in 0..count * count * count * blanks.len() * blanks.len() {
        let [one, two, three] = [0, 1, 2].map(|at| pieces[number / count.pow(at) % count]);
        let rest = number / count.pow(3);
        let (first, second) = (blanks[rest % blanks.len()], blanks[rest / blanks.len()]);
        let text = format!("(p :label{first}{one}{second}{two} {three})");
        if formatted(&text).is_ok() {
            assert_stable(&text);
        }
    }
}

#[test]
fn every_file_of_the_repository_can_be_formatted() {
    for path in own_files() {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        if formatted(&text) != Err(FormatError::Unreadable) {
            assert_stable(&text);
        }
    }
}

#[test]
fn every_file_of_the_planning_competitions_can_be_formatted() {
    for path in competition_files() {
        assert_stable(&std::fs::read_to_string(&path).unwrap());
    }
}

/// A text of lists, words and comments that means nothing.
fn noise() -> impl Strategy<Value = String> {
    const PIECES: [&str; 23] = [
        "(",
        "(",
        "(",
        ")",
        ")",
        ")",
        " ",
        "\n",
        "\n\n",
        "\n  ",
        "; note\n",
        " ;; more\n",
        "and",
        "define",
        ":key",
        ":then",
        "?x",
        "-",
        "a",
        "(b)",
        "12",
        "\"text\"",
        "case",
    ];
    let pieces = prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60);
    pieces.prop_map(|pieces| {
        let mut text = String::new();
        let mut depth = 0_u32;
        for piece in pieces {
            match piece {
                "(" => depth += 1,
                ")" if depth == 0 => continue,
                ")" => depth -= 1,
                _ => {}
            }
            text.push_str(piece);
            text.push(' ');
        }
        text.push_str(&")".repeat(depth as usize));
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_text_of_lists_is_formatted_once_and_for_all(text in noise()) {
        assert_stable(&text);
    }

    #[test]
    fn a_printed_domain_is_formatted(domain in generate::domain()) {
        assert_formatted(&print_domain(&domain));
    }

    #[test]
    fn a_printed_problem_is_formatted(problem in generate::problem()) {
        assert_formatted(&print_problem(&problem));
    }
}

#[test]
fn a_word_of_dashes_that_would_come_to_begin_a_line_is_refused() {
    let long = "-".repeat(95);
    let text = format!("(define (domain d) (:functions (heat) - (int 9 1) (cold) - \"x\"{long}))");
    assert_eq!(formatted(&text), Err(FormatError::Unreadable));
}
