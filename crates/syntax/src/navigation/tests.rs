use super::*;
use crate::parse_domain;
use crate::parse_problem;
use brigade_diagnostics::{Diagnostics, Sources};

/// `‸` marks the cursor in the texts below.
const CURSOR: char = '‸';

const DOMAIN: &str = r#"(define (domain kitchen)
  (:types cook item place - object board - place)
  (:constants counter - place)
  (:semantics clean upstream)
  (:predicates (at ?c - cook ?p - place :text "{?c} is at {?p}") (bell))
  (:functions (held ?c - cook) - item (heat) - (int 0 9))
  (:derived (bell) (exists (?c - cook) (at ?c counter)))
  (:action take
    :agent ?c - cook
    :parameters (?i - item ?p - board)
    :precondition (and (at ?c ?p) (forall (?c - cook) (not (= (held ?c) ?i))) (semantics clean))
    :effect (let ((?q (argmin (?q - place) (at ?c ?q) (heat)))) (and (assign (held ?c) ?i) (at ?c ?q)))
    :label "take({?i}, {(held ?c)})")
  (:event ring :effect (bell))
  (:tick timers timed-literals ring)
  (:layout (draw (?c - cook ?x - item) "{?x}" ?c :when (= (held ?c) ?x))))"#;

const PROBLEM: &str = "(define (problem lunch) (:domain kitchen)
  (:objects ann - cook knife - item plank - board)
  (:init (at ann plank) (= heat 3))
  (:goal (= (held ann) knife))
  (:layout (cell plank 0 0) (draw ann plank :when (at ann plank))))";

struct Files {
    sources: Sources,
    index: Index,
    ids: [SourceId; 2],
}

fn files(domain: &str, problem: &str) -> Files {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let ids = [
        sources.add("kitchen.pddl", domain),
        sources.add("lunch.pddl", problem),
    ];
    let parsed = parse_domain(ids[0], domain, &mut diagnostics);
    let asked = parse_problem(ids[1], problem, &mut diagnostics);
    Files {
        index: Index::new((ids[0], &parsed), Some((ids[1], &asked))),
        sources,
        ids,
    }
}

impl Files {
    /// The n-th place of a text in a file, from 0.
    fn find(&self, file: usize, text: &str, nth: usize) -> u32 {
        let found = self
            .sources
            .text(self.ids[file])
            .match_indices(text)
            .nth(nth);
        found.unwrap_or_else(|| panic!("`{text}` {nth}")).0 as u32
    }

    /// Returns the text for the name that stands some bytes into that place.
    fn hover(&self, file: usize, text: &str, nth: usize, bytes: u32) -> String {
        let offset = self.find(file, text, nth) + bytes;
        let Some((declared, _)) = self.index.at(self.ids[file], offset) else {
            return "nothing".to_owned();
        };
        let line = position(
            self.sources.text(declared.place.source),
            declared.place.span.start as usize,
        );
        let kind = declared.kind.words();
        format!(
            "{kind} {} at {}:{}",
            declared.signature,
            line.0 + 1,
            line.1 + 1
        )
    }
}

#[test]
fn the_name_under_the_cursor_is_shown_with_its_declaration() {
    let files = files(DOMAIN, PROBLEM);
    for (file, text, nth, bytes, expected) in [
        (
            0,
            "(at ?c ?p)",
            0,
            1,
            "predicate (at ?c - cook ?p - place) at 5:17",
        ),
        (0, "(at ?c ?p)", 0, 8, "variable ?p - board at 10:28"),
        (
            0,
            "(held ?c) ?i)",
            0,
            1,
            "function (held ?c - cook) - item at 6:16",
        ),
        (0, "(heat)", 1, 2, "function (heat) - (int 0 9) at 6:40"),
        (0, "counter)", 0, 3, "object counter - place at 3:15"),
        (0, "semantics clean)", 0, 11, "semantics clean at 4:15"),
        (0, "literals ring", 0, 9, "event (ring) at 14:11"),
        (0, "- board)\n    :pre", 0, 3, "type board - place at 2:36"),
        (0, "{?p}", 0, 2, "variable ?p - place at 5:30"),
        (1, "kitchen", 0, 0, "domain (domain kitchen) at 1:17"),
        (1, "ann)", 0, 1, "object ann - cook at 2:13"),
        (1, "heat", 0, 1, "function (heat) - (int 0 9) at 6:40"),
        (1, "(:goal", 0, 3, "nothing"),
        (1, "plank)", 0, 5, "object plank - board at 2:37"),
    ] {
        assert_eq!(files.hover(file, text, nth, bytes), expected, "{text}");
    }
}

#[test]
fn an_inner_variable_hides_an_outer_one_of_its_name() {
    let files = files(DOMAIN, PROBLEM);
    // `(forall (?c - cook) … (held ?c))` within an action with a `?c` of its own.
    assert_eq!(
        files.hover(0, "(held ?c) ?i", 0, 7),
        "variable ?c - cook at 11:44"
    );
    assert_eq!(
        files.hover(0, "(held ?c) ?i", 1, 7),
        "variable ?c - cook at 9:12"
    );
    // In the body of a `let`, `?q` is what it binds, not the variable of its `argmin`.
    assert_eq!(
        files.hover(0, "(at ?c ?q)", 0, 8),
        "variable ?q - place at 12:32"
    );
    assert_eq!(files.hover(0, "(at ?c ?q)", 1, 8), "variable ?q at 12:20");
}

#[test]
fn all_places_of_a_name_are_found_in_both_files() {
    let files = files(DOMAIN, PROBLEM);
    let offset = files.find(1, "(held ann)", 0) + 1;
    let places = files.index.references(files.ids[1], offset);
    let texts: Vec<&str> = places
        .iter()
        .map(|place| &files.sources.text(place.source)[place.span.range()])
        .collect();
    assert_eq!(texts, ["held"; 6]);
    let of_problem = places.iter().filter(|place| place.source == files.ids[1]);
    assert_eq!(of_problem.count(), 1);
}

#[test]
fn a_layout_uses_objects_predicates_and_its_own_variables() {
    let files = files(DOMAIN, PROBLEM);
    let offset = files.find(1, "(cell plank", 0) + 6;
    let places = files.index.references(files.ids[1], offset);
    // Where it is declared, in `:init`, and three times in the layout.
    assert_eq!(places.len(), 5);
    assert_eq!(
        files.hover(0, "\"{?x}\" ?c", 0, 3),
        "variable ?x - item at 16:29"
    );
}

#[test]
fn names_of_a_stream_are_those_of_the_problem_that_it_is_laid_over() {
    const STREAM: &str = "(define (stream rush) (:domain kitchen) (:problem lunch)
      (:objects spoon - item) (:init (at ann plank) (= (held ann) spoon)))";
    let Files {
        mut sources, ids, ..
    } = files(DOMAIN, PROBLEM);
    let mut found = Diagnostics::new();
    let id = sources.add("rush.pddl", STREAM);
    let (domain, problem, stream) = (
        parse_domain(ids[0], DOMAIN, &mut found),
        parse_problem(ids[1], PROBLEM, &mut found),
        crate::parse_stream(id, STREAM, &mut found),
    );
    let index = Index::with_streams(
        (ids[0], &domain),
        Some((ids[1], &problem)),
        &[(id, &stream)],
    );
    let declared = |text: &str, nth: usize| {
        let offset = STREAM.match_indices(text).nth(nth).unwrap().0 as u32;
        let (declared, _) = index.at(id, offset).unwrap();
        (declared.kind.words(), declared.place.source)
    };
    assert_eq!(declared("kitchen", 0), ("domain", ids[0]));
    assert_eq!(declared("lunch", 0), ("problem", ids[1]));
    assert_eq!(declared("rush", 0), ("stream", id));
    assert_eq!(declared("ann", 0), ("object", ids[1]));
    assert_eq!(declared("spoon", 1), ("object", id));
    assert_eq!(declared("held", 0), ("function", ids[0]));
}

#[test]
fn a_file_lists_what_it_declares() {
    let files = files(DOMAIN, PROBLEM);
    let names = |file: usize| -> Vec<String> {
        let symbols = files.index.symbols(files.ids[file]);
        symbols
            .map(|it| format!("{} {}", it.kind.words(), it.name))
            .collect()
    };
    assert_eq!(
        names(0),
        [
            "domain kitchen",
            "type cook",
            "type item",
            "type place",
            "type board",
            "object counter",
            "predicate at",
            "predicate bell",
            "function held",
            "function heat",
            "action take",
            "event ring",
            "semantics clean",
            "semantics upstream",
        ]
    );
    assert_eq!(
        names(1),
        [
            "problem lunch",
            "object ann",
            "object knife",
            "object plank"
        ]
    );
}

#[test]
fn only_variables_in_whose_scope_a_place_is_are_visible_there() {
    let files = files(DOMAIN, PROBLEM);
    let variables = |text: &str| -> Vec<String> {
        let offset = files.find(0, text, 0);
        let visible = files.index.visible(files.ids[0], offset);
        let variables = visible.iter().filter(|it| it.kind == SymbolKind::Variable);
        variables.map(|it| it.signature.clone()).collect()
    };
    assert_eq!(
        variables("?i))) (semantics"),
        ["?i - item", "?p - board", "?c - cook"]
    );
    assert_eq!(
        variables("(semantics clean"),
        ["?c - cook", "?i - item", "?p - board"]
    );
    assert!(variables("(:tick").is_empty());
}

#[test]
fn a_file_that_is_being_typed_still_has_its_names() {
    let domain = DOMAIN.replace("(:event ring :effect (bell))", "(:event ring :effect (be");
    let files = files(
        &domain,
        "(define (problem lunch) (:domain kitchen) (:objects ann - co",
    );
    assert_eq!(
        files.hover(0, "(at ?c ?p)", 0, 1),
        "predicate (at ?c - cook ?p - place) at 5:17"
    );
    let torn = "(define (domain d) (:predicates (p)) (:action a :precondition (p) :effect (";
    let files = self::files(torn, "(define (problem");
    assert_eq!(files.hover(0, "(p)", 1, 1), "predicate (p) at 1:34");
}

#[test]
fn positions_are_lines_and_utf16_units_and_lead_back() {
    let text = format!("a\n{CURSOR}é𝄞x\r\n\nlast");
    for (offset, _) in text.char_indices() {
        let place = position(&text, offset);
        assert_eq!(super::offset(&text, place), offset, "{place:?}");
    }
    assert_eq!(position(&text, text.find('x').unwrap()), (1, 4));
    assert_eq!(position("ab", 99), (0, 2));
    assert_eq!(super::offset("ab\ncd", (0, 99)), 2);
    assert_eq!(super::offset("ab\ncd", (9, 0)), 5);
    assert_eq!(position("é", 1), (0, 0));
}
