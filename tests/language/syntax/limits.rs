//! Limits of the language: what is as large as the documentation says is accepted, and what is larger by
//! one is refused with a code.

use brigade::diagnostics::{Code, Diagnostics, MAX_SOURCE_BYTES, Sources};
use brigade::sema::{Options, resolve_domain};
use brigade::syntax::balance::MAX_NESTING;
use brigade::syntax::{parse_domain, parse_file};

/// The errors of a domain.
fn errors(text: &str) -> Vec<Code> {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let source = sources.add("domain.pddl", text);
    let domain = parse_domain(source, text, &mut diagnostics);
    resolve_domain(&domain, &Options::default(), source, &mut diagnostics);
    let errors = diagnostics.iter().map(|one| one.code);
    errors
        .filter(|code| code.as_str().starts_with('E'))
        .collect()
}

/// `(wrap (wrap … leaf))`, with so many lists around the leaf.
fn nested(wrap: &str, leaf: &str, lists: usize) -> String {
    format!(
        "{}{leaf}{}",
        format!("({wrap} ").repeat(lists),
        ")".repeat(lists)
    )
}

/// Returns the depth to which the lists of a text are nested.
fn lists(text: &str) -> usize {
    let depths = text.bytes().scan(0_usize, |depth, byte| {
        match byte {
            b'(' => *depth += 1,
            b')' => *depth -= 1,
            _ => {}
        }
        Some(*depth)
    });
    depths.max().unwrap_or_default()
}

/// A domain with one action.
fn domain(precondition: &str, effect: &str) -> String {
    format!(
        "(define (domain d)
           (:requirements :adl :object-fluents :bounded-numbers :sequential-effects)
           (:types thing)
           (:predicates (p) (q ?x - thing))
           (:functions (f ?x - thing) - thing (n) - (int 0 9))
           (:action a :parameters (?x - thing) :precondition {precondition} :effect {effect}))"
    )
}

#[test]
fn conditions_effects_and_terms_may_be_nested_a_hundred_deep() {
    for (wrap, leaf) in [
        ("and", "(p)"),
        ("not", "(q ?x)"),
        ("or", "(q (f ?x))"),
        ("imply (p)", "(= (f ?x) ?x)"),
        ("exists (?y - thing)", "(< (n) 3)"),
    ] {
        let inner = lists(leaf);
        for (depth, expected) in [(100, vec![]), (101, vec![Code::NestedTooDeeply])] {
            let condition = nested(wrap, leaf, depth - inner);
            assert_eq!(
                errors(&domain(&condition, "(p)")),
                expected,
                "{wrap} {depth}"
            );
        }
    }
    for (wrap, leaf) in [
        ("and", "(p)"),
        ("seq", "(q ?x)"),
        ("when (p)", "(p)"),
        ("forall (?y - thing)", "(q ?x)"),
    ] {
        let inner = lists(leaf);
        for (depth, expected) in [(100, vec![]), (101, vec![Code::NestedTooDeeply])] {
            let effect = nested(wrap, leaf, depth - inner);
            assert_eq!(errors(&domain("(p)", &effect)), expected, "{wrap} {depth}");
        }
    }
    for (depth, expected) in [(100, vec![]), (101, vec![Code::NestedTooDeeply])] {
        let condition = format!("(q {})", nested("f", "?x", depth - 1));
        assert_eq!(errors(&domain(&condition, "(p)")), expected, "f {depth}");
        let condition = format!("(< {} 3)", nested("+ 1", "2", depth - 1));
        assert_eq!(errors(&domain(&condition, "(p)")), expected, "+ {depth}");
    }
}

#[test]
fn lists_may_be_nested_as_deep_as_is_said() {
    for (depth, is_accepted) in [(MAX_NESTING, true), (MAX_NESTING + 1, false)] {
        // The definition and the section are two of them.
        let text = format!(
            "(define (domain d) (:action a :effect {}))",
            nested("and", "(p)", depth - 3)
        );
        let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let source = sources.add("domain.pddl", &*text);
        parse_file(source, &text, &mut diagnostics);
        let codes: Vec<Code> = diagnostics.iter().map(|one| one.code).collect();
        assert_eq!(
            !codes.contains(&Code::NestedTooDeeply),
            is_accepted,
            "{codes:?}"
        );
    }
}

#[test]
fn a_domain_may_have_4096_types() {
    for (types, expected) in [(4096, vec![]), (4097, vec![Code::SourceTooLarge])] {
        let names: String = (0..types).map(|number| format!(" t{number}")).collect();
        let text = format!(
            "(define (domain d) (:requirements :typing) (:types{names}) (:predicates (p ?x - t0)) \
             (:action a :parameters (?x - t0) :effect (p ?x)))"
        );
        assert_eq!(errors(&text), expected, "{types}");
    }
}

#[test]
fn an_either_may_name_32_types() {
    for (types, expected) in [(32, vec![]), (33, vec![Code::MalformedType])] {
        let names: String = (0..types).map(|number| format!(" t{number}")).collect();
        let text = format!(
            "(define (domain d) (:requirements :typing) (:types{names}) \
             (:predicates (p ?x - (either{names}))) \
             (:action a :parameters (?x - t0) :effect (p ?x)))"
        );
        assert_eq!(errors(&text), expected, "{types}");
    }
}

#[test]
fn terms_in_a_slot_may_be_nested_16_deep() {
    for (depth, expected) in [(16, vec![]), (17, vec![Code::MalformedTemplate])] {
        let text = format!(
            "(define (domain d) (:requirements :adl :object-fluents :text) (:types thing)
               (:predicates (p ?x - thing)) (:functions (f ?x - thing) - thing)
               (:action a :parameters (?x - thing) :effect (p ?x)
                 :label \"a({{{}}})\"))",
            nested("f", "?x", depth)
        );
        assert_eq!(errors(&text), expected, "{depth}");
    }
}

#[test]
fn a_file_may_be_as_large_as_is_said() {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let blank = vec![b' '; MAX_SOURCE_BYTES];
    assert!(
        sources
            .add_bytes("a.pddl", blank, &mut diagnostics)
            .is_some()
    );
    let blank = vec![b' '; MAX_SOURCE_BYTES + 1];
    assert!(
        sources
            .add_bytes("b.pddl", blank, &mut diagnostics)
            .is_none()
    );
}

#[test]
fn so_many_declarations_are_read_and_no_more() {
    const MOST: usize = 100_000;
    for (many, expected) in [(MOST, vec![]), (MOST + 1, vec![Code::SourceTooLarge])] {
        let numbered = |before: &str, after: &str, count: usize| -> String {
            (0..count)
                .map(|number| format!("{before}{number}{after}"))
                .collect()
        };
        let parameters = numbered(" ?x", "", many);
        let one = "(:predicates (p)) (:action a :parameters";
        assert_eq!(
            syntax_errors(&format!("{one} ({parameters}) :effect (p))")),
            expected
        );
        let predicates = numbered(" (p", ")", many - 1);
        assert_eq!(
            syntax_errors(&format!("(:predicates{predicates}) (:functions (f))")),
            expected
        );
        let actions = numbered(" (:action a", " :effect (p))", many - 2);
        let others = "(:event e :effect (p)) (:derived (d) (p))";
        assert_eq!(
            syntax_errors(&format!(
                "(:requirements :events :derived-predicates) (:predicates (p) (d)) {actions} {others}"
            )),
            expected
        );
    }
}

/// Returns the errors of the reader on a domain.
fn syntax_errors(sections: &str) -> Vec<Code> {
    let text = format!("(define (domain d) {sections})");
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let source = sources.add("domain.pddl", &*text);
    parse_domain(source, &text, &mut diagnostics);
    diagnostics.iter().map(|one| one.code).collect()
}

#[test]
fn a_domain_may_declare_1000_requirements_and_100_semantics() {
    let large = vec![Code::SourceTooLarge];
    for (count, expected) in [(1000, vec![]), (1001, large.clone())] {
        let text = format!(
            "(define (domain d) (:requirements{}) (:predicates (p)) (:action a :effect (p)))",
            " :strips".repeat(count)
        );
        assert_eq!(errors(&text), expected, "{count} requirements");
    }
    for (count, expected) in [(100, vec![]), (101, large)] {
        let names: String = (1..count).map(|number| format!(" s{number}")).collect();
        let text = format!(
            "(define (domain d) (:requirements :semantics) (:semantics clean{names}) \
             (:predicates (p)) (:action a :effect (p)))"
        );
        assert_eq!(errors(&text), expected, "{count} semantics");
    }
}

#[test]
fn a_way_to_keep_live_effects_is_read_for_as_many_semantics_as_there_can_be() {
    let sections = |count: usize| -> String {
        let named = (0..count).map(|number| format!("(:live-effects set :semantics s{number})"));
        named.collect()
    };
    let errors = |count: usize| {
        errors(&format!(
            "(define (domain d) (:requirements :delayed-effects) {} (:predicates (p)) \
             (:action a :effect (p)))",
            sections(count)
        ))
    };
    assert!(!errors(101).contains(&Code::SourceTooLarge));
    assert!(errors(102).contains(&Code::SourceTooLarge));
}

#[test]
fn a_let_may_bind_as_many_variables_as_effects_may_be_nested() {
    let domain = |lets: usize, otherwise: &str| {
        let lets: String = (0..lets).map(|at| format!("(?a{at} k)")).collect();
        format!(
            "(define (domain d) (:requirements :adl :options :sequential-effects) (:types t)
               (:constants k - t) (:predicates (p ?x - t))
               (:action a :effect (let ({lets}) (p ?a0) {otherwise})))"
        )
    };
    assert_eq!(errors(&domain(90, "")), []);
    // Each variable holds what follows it: as deep as a stack can be.
    for lets in [101, 100_000] {
        assert_eq!(errors(&domain(lets, "")), [Code::NestedTooDeeply]);
    }
    let otherwise = |parts: usize| format!(":else (and {})", "(p k) ".repeat(parts));
    assert_eq!(errors(&domain(50, &otherwise(1_900))), []);
    let many = errors(&domain(50, &otherwise(2_100)));
    assert_eq!(many, [Code::SourceTooLarge]);
}

#[test]
fn what_is_misspelt_in_very_many_places_takes_no_quadratic_time() {
    let many = |text: &str| text.repeat(100_000);
    for (text, code) in [
        (many("(:prediactes (p))"), Code::UnknownSection),
        (
            format!("(:action a {})", many(":efect (p) ")),
            Code::UnknownKeyword,
        ),
    ] {
        let text = format!("(define (domain d) (:predicates (p)) {text})");
        let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let source = sources.add("domain.pddl", text.as_str());
        parse_domain(source, &text, &mut diagnostics);
        assert!(diagnostics.iter().all(|one| one.code == code));
        assert!(diagnostics.error_count() >= 100_000);
    }
}

#[test]
fn an_action_may_hold_as_many_lists_and_words_as_is_said() {
    const MOST: usize = 500_000;
    // The keyword, the name, `:effect`, the list and its `and`; each of the others is a list with a word.
    let facts = (MOST - 5) / 2;
    for (many, expected) in [(facts, vec![]), (facts + 1, vec![Code::SourceTooLarge])] {
        for kind in ["action", "event"] {
            let effect = "(p)".repeat(many);
            let found = syntax_errors(&format!(
                "(:requirements :events) (:predicates (p)) (:{kind} a :effect (and {effect}))"
            ));
            assert_eq!(found, expected, "{many} facts in an {kind}");
        }
    }
}

#[test]
fn a_goal_may_hold_as_many_lists_and_words_as_is_said() {
    // The keyword, the list and its `and`.
    let facts = (500_000 - 3) / 2;
    for (many, expected) in [(facts, vec![]), (facts + 1, vec![Code::SourceTooLarge])] {
        let facts = "(p)".repeat(many);
        let problem = format!("(define (problem p) (:domain d) (:goal (and {facts})))");
        assert_eq!(problem_errors(&problem), expected, "{many} facts");
    }
}

#[test]
fn a_list_of_objects_may_hold_as_many_as_is_said() {
    const MOST: usize = 2_000_000;
    for (many, expected) in [(MOST, vec![]), (MOST + 1, vec![Code::SourceTooLarge])] {
        let objects = " o".repeat(many);
        let problem = format!("(define (problem p) (:domain d) (:objects{objects}) (:goal (p)))");
        assert_eq!(problem_errors(&problem), expected, "{many} objects");
    }
}

/// Returns the errors of the reader on a problem.
fn problem_errors(text: &str) -> Vec<Code> {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let source = sources.add("problem.pddl", text);
    parse_file(source, text, &mut diagnostics);
    diagnostics.iter().map(|one| one.code).collect()
}

#[test]
fn words_without_parentheses_in_very_many_places_take_no_quadratic_time() {
    for word in ["p ", "1 ", "- ", ": ", "and ", "or (p) ", "(q ?x) q "] {
        let many = word.repeat(100_000);
        let found = syntax_errors(&format!(
            "(:predicates (p)) (:action a :precondition (and {many}) :effect (p))"
        ));
        assert!(!found.is_empty(), "{word}");
        let text = format!("(define (problem p) (:domain d) (:init {many}) (:goal (p)))");
        assert!(!problem_errors(&text).is_empty(), "{word}");
    }
}
