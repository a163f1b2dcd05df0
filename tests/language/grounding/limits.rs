//! Tasks that cannot be grounded end in an error, and soon.

use std::cell::Cell;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use brigade::diagnostics::Code;
use brigade::ground::{GroundError, Options, ground, ground_until};
use brigade::sema::model::Model;

use crate::grounding::compile::{resolve_texts, try_resolve, try_task};

/// A domain around a body, with so many things.
fn model(body: &str, things: usize, problem: &str) -> Model {
    let objects: Vec<String> = (0..things).map(|number| format!("o{number}")).collect();
    let domain = format!(
        "(define (domain hostile)
           (:requirements :adl :multi-agent :bounded-numbers :object-fluents :delayed-effects
             :aggregates :horizon :events :sequential-effects :options)
           {body})"
    );
    let problem = format!(
        "(define (problem hostile-1) (:domain hostile)
           (:objects ann bob - cook {} - thing) (:init) {problem})",
        objects.join(" ")
    );
    resolve_texts(&domain, &problem, "clean")
}

const TYPES: &str = "(:turns sequential) (:types cook thing - object)
    (:predicates (p ?x - thing) (q ?x - thing) (r ?x ?y ?z - thing))";

fn error(body: &str, things: usize) -> GroundError {
    error_of(body, things, "(:goal (p o0))")
}

fn error_of(body: &str, things: usize, problem: &str) -> GroundError {
    // Smaller than the default, which takes some seconds to reach.
    let options = Options::default().with_max_parts(200_000);
    let model = model(&format!("{TYPES} {body}"), things, problem);
    let error = ground(&model, &options).unwrap_err();
    assert!(error.diagnostic().is_some(), "{error}");
    error
}

#[test]
fn an_action_with_millions_of_instances_is_refused() {
    let body =
        "(:action a :agent ?c - cook :parameters (?x ?y ?z - thing) :precondition (not (p ?x))
        :effect (and (p ?x) (r ?x ?y ?z)))";
    let found = error(body, 150);
    assert!(
        matches!(found, GroundError::TooManyInstances { .. }),
        "{found}"
    );
    assert_eq!(
        found.to_string(),
        "action `a` has too many instances: 6750000, and all together may have 2000000; its \
         parameters range over 6750000 combinations, `?x` alone over 150 objects"
    );
}

#[test]
fn a_refusal_names_a_parameter_that_no_precondition_limits() {
    let body = "(:action a :agent ?c - cook :parameters (?x ?y ?z - thing)
          :precondition (and (p ?x) (p ?z) (not (q ?y))) :effect (r ?x ?y ?z))
        (:action b :agent ?c - cook :parameters (?x - thing) :effect (p ?x))";
    let found = error(body, 150);
    assert!(
        found.to_string().ends_with("`?y` alone over 150 objects"),
        "{found}"
    );
}

#[test]
fn a_product_that_no_number_holds_is_said_to_be_large() {
    let names: String = (0..50).map(|number| format!(" ?x{number}")).collect();
    let body =
        format!("(:action a :agent ?c - cook :parameters ({names} - thing) :effect (p ?x0))");
    let found = error(&body, 10);
    assert_eq!(
        found.to_string(),
        "action `a` has too many instances: more than 10^38, and all together may have 2000000; its \
         parameters range over more than 10^38 combinations, `?x0` alone over 10 objects"
    );
}

/// Pairs of things that are linked in a ring, of which preconditions want three.
fn ring(things: usize, facts: &str) -> GroundError {
    let links = (0..things).map(|one| format!("(link o{one} o{})", (one + 1) % things));
    let links: String = links.collect();
    let domain = format!(
        "(define (domain ring) (:requirements :adl :derived-predicates)
           (:predicates (link ?x ?y) (done) (p ?x) (d ?a ?b ?c)) {facts}
           (:action mark :parameters (?x) :effect (p ?x)))"
    );
    let objects: Vec<String> = (0..things).map(|number| format!("o{number}")).collect();
    let problem = format!(
        "(define (problem ring-1) (:domain ring) (:objects {}) (:init {links}) (:goal (done)))",
        objects.join(" ")
    );
    ground(
        &resolve_texts(&domain, &problem, "clean"),
        &Options::default(),
    )
    .unwrap_err()
}

#[test]
fn facts_that_have_no_parameter_in_common_multiply() {
    let found = ring(
        1_000,
        "(:action a :parameters (?a ?b ?c ?d ?e ?f)
           :precondition (and (link ?a ?b) (link ?c ?d) (link ?e ?f)) :effect (done))",
    );
    assert_eq!(
        found.to_string(),
        "action `a` has too many instances: 1000000000, and all together may have 2000000; its \
         parameters range over 1000000000000000000 combinations, `?a` alone over 1000 objects"
    );
}

#[test]
fn facts_that_share_parameters_multiply_to_what_the_facts_allow() {
    // Of a parameter to the next there is one link, of which six make a chain.
    let chain = "(:action a :parameters (?a ?b ?c ?d ?e ?f)
         :precondition (and (link ?a ?b) (link ?b ?c) (link ?c ?d) (link ?d ?e) (link ?e ?f) (p ?a))
         :effect (done))";
    let domain = format!(
        "(define (domain ring) (:requirements :adl) (:predicates (link ?x ?y) (done) (p ?x)) {chain}
           (:action mark :parameters (?x) :effect (p ?x)))"
    );
    let links: String = (0..1_000)
        .map(|one| format!("(link o{one} o{})", (one + 1) % 1_000))
        .collect();
    let objects: Vec<String> = (0..1_000).map(|number| format!("o{number}")).collect();
    let problem = format!(
        "(define (problem ring-1) (:domain ring) (:objects {}) (:init {links}) (:goal (done)))",
        objects.join(" ")
    );
    let task = try_task(&resolve_texts(&domain, &problem, "clean")).unwrap();
    // 1000^6 combinations of objects, of which the facts leave 1000.
    assert_eq!(task.operators.len(), 2_000);
}

#[test]
fn derived_predicates_with_too_many_instances_are_refused() {
    // The second is static: no action writes what it reads.
    for (body, size) in [
        ("(or (p ?a) (p ?b))", 8_000_000_000_u64),
        ("(link ?a ?b)", 4_000_000),
    ] {
        let found = ring(
            2_000,
            &format!(
                "(:derived (d ?a ?b ?c) {body})
                 (:action a :parameters (?x) :precondition (d ?x ?x ?x) :effect (done))"
            ),
        );
        assert!(
            found.to_string().starts_with(&format!(
                "derived predicate `d` has too many instances: {size}"
            )),
            "{found}"
        );
    }
}

#[test]
fn the_number_of_instances_that_are_tried_is_an_option() {
    let body = "(:action a :agent ?c - cook :parameters (?x - thing) :effect (p ?x))";
    let model = model(&format!("{TYPES} {body}"), 50, "(:goal (p o0))");
    let options = |max_instances| Options::default().with_max_instances(max_instances);
    assert!(ground(&model, &options(200)).is_ok());
    let found = ground(&model, &options(60)).unwrap_err();
    assert!(
        matches!(found, GroundError::TooManyInstances { limit: 60, .. }),
        "{found}"
    );
}

#[test]
fn quantifiers_that_expand_into_too_much_are_refused() {
    let nested = "(:action a :agent ?c - cook :parameters (?v - thing)
        :precondition (forall (?x ?y ?z - thing) (or (not (p ?x)) (not (q ?y)) (r ?x ?y ?z)))
        :effect (and (p ?v) (q ?v) (r ?v ?v ?v)))";
    assert!(matches!(
        error(nested, 100_000),
        GroundError::TooManyParts { .. }
    ));
    let effect = "(:action a :agent ?c - cook
        :effect (forall (?x ?y ?z - thing) (r ?x ?y ?z)))";
    assert!(matches!(
        error(effect, 100_000),
        GroundError::TooManyParts { .. }
    ));
    let count = "(:functions (n) - (int 0 9)) (:action a :agent ?c - cook :parameters (?x - thing)
        :effect (and (p ?x) (assign (n) (count (?y ?z - thing) (and (p ?y) (p ?z))))))";
    assert!(matches!(
        error(count, 5_000),
        GroundError::TooManyParts { .. }
    ));
}

/// Asserts the error for a schema that is too large when its quantifiers are written out.
fn assert_ranges(body: &str, things: usize, schema: &str, ranges: &str) {
    let found = error(body, things);
    assert_eq!(
        found.to_string(),
        format!(
            "{schema} is too large when its quantifiers and the arguments of its fluents are written \
             out: more than 200000 parts in all; its quantifiers range over {ranges}"
        )
    );
}

#[test]
fn a_refusal_says_how_many_bindings_quantifiers_have_and_which_has_most() {
    let action = |rest: &str| format!("(:action a :agent ?c - cook {rest})");
    let of_action = "action `a`";
    let forall = "(forall (?k - cook ?x ?y - thing) (or (p ?x) (q ?y)))";
    assert_ranges(
        &action(&format!(
            ":precondition {forall} :effect (forall (?x - thing) (and (p ?x) (q ?x)))"
        )),
        1_000,
        of_action,
        "2000000 combinations in each of 2 instances, `?x` alone over 1000 objects",
    );
    assert_ranges(
        &action(":effect (and (p o0) (forall (?x ?y ?z - thing) (r ?x ?y ?z)))")
            .replace("(p o0)", "(q k)")
            .replace("(:action", "(:constants k - thing) (:action"),
        99,
        of_action,
        "1000000 combinations in each of 2 instances, `?x` alone over 100 objects",
    );
    assert_ranges(
        &action(
            ":parameters (?v - thing)
             :precondition (forall (?x - thing) (exists (?y - thing) (or (r ?x ?y ?v) (q ?v))))
             :effect (and (q ?v) (r ?v ?v ?v))",
        ),
        300,
        of_action,
        "90000 combinations in each of 600 instances, `?x` alone over 300 objects",
    );
    assert_ranges(
        "(:event e :precondition (exists (?x ?y ?z - thing) (and (p ?x) (not (p ?y)) (q ?z)))
           :effect (forall (?x - thing) (p ?x)))
         (:action a :agent ?c - cook :parameters (?x - thing) :effect (q ?x))",
        100,
        "event `e`",
        "1000000 combinations, `?x` alone over 100 objects",
    );
}

#[test]
fn quantifiers_that_are_decided_early_may_range_widely() {
    let body = "(:constants k - thing)
        (:action a :agent ?c - cook
          :precondition (and (forall (?x ?y ?z - thing) (not (= ?x ?x)))
                             (p k))
          :effect (q k))
        (:action b :agent ?c - cook
          :precondition (exists (?x ?y ?z - thing) (or (= ?x ?y) (r ?x ?y ?z)))
          :effect (and (p k) (r k k k)))";
    let model = model(&format!("{TYPES} {body}"), 1_000, "(:goal (p k))");
    let task = try_task(&model).unwrap();
    assert_eq!(task.operators.len(), 4, "for each cook `b`, and to wait");
}

#[test]
fn fluents_within_fluents_that_expand_into_too_much_are_refused() {
    let body = "(:functions (f ?x - thing) - thing (g ?x ?y ?z - thing) - thing)
        (:action a :agent ?c - cook :parameters (?x - thing)
          :precondition (p (g (f (f ?x)) (f (f ?x)) (f (f ?x))))
          :effect (and (p ?x) (assign (f ?x) ?x) (assign (g ?x ?x ?x) (f ?x))))";
    assert!(matches!(error(body, 60), GroundError::TooManyParts { .. }));
}

#[test]
fn what_fluents_as_arguments_split_is_refused_before_it_is_made() {
    let fluents = "(:functions (f ?x - thing) - thing (n ?x ?y ?z - thing) - (int 0 9))";
    let three = "(f ?x) (f ?x) (f ?x)";
    for (condition, effect) in [
        (format!("(r {three})"), "(p ?x)".to_owned()),
        (format!("(> (n {three}) 2)"), "(p ?x)".to_owned()),
        (
            "(= (f (f (f ?x))) (f (f (f ?x))))".to_owned(),
            "(p ?x)".to_owned(),
        ),
        ("(q ?x)".to_owned(), format!("(and (p ?x) (r {three}))")),
        (
            "(q ?x)".to_owned(),
            format!("(and (p ?x) (increase (n {three}) 1))"),
        ),
        (
            "(q ?x)".to_owned(),
            "(and (p ?x) (assign (f (f ?x)) (f (f ?x))))".to_owned(),
        ),
    ] {
        let body = format!(
            "{TYPES} {fluents}
             (:action set :agent ?c - cook :parameters (?x ?y - thing)
               :effect (and (q ?x) (assign (f ?x) ?y) (increase (n ?x ?x ?x) 1) (r ?x ?x ?x)))
             (:action a :agent ?c - cook :parameters (?x - thing)
               :precondition {condition} :effect {effect})"
        );
        let model = model(&body, 80, "(:goal (p o0))");
        let found = ground(&model, &Options::default()).unwrap_err();
        assert!(
            matches!(found, GroundError::TooManyParts { .. }),
            "{condition} {effect}: {found}"
        );
        let said = found.to_string();
        assert!(said.starts_with("action `a`"), "{said}");
        assert!(
            said.contains("; its functions as arguments have ") && said.contains("`f` alone "),
            "{said}"
        );
    }
}

#[test]
fn goals_that_expand_into_too_much_are_refused() {
    let body = "(:action a :agent ?c - cook :parameters (?x - thing) :effect (and (p ?x) (q ?x)))";
    let goal = "(:goal (exists (?x ?y ?z - thing) (and (p ?x) (p ?y) (q ?z))))";
    let found = error_of(body, 1_000, goal);
    assert!(matches!(found, GroundError::TooManyParts { .. }), "{found}");
    assert!(found.to_string().starts_with("the goal"), "{found}");
}

#[test]
fn variables_with_too_many_values_are_refused() {
    let integer = "(:functions (n) - (int 0 4000000000))
        (:action a :agent ?c - cook :effect (increase (n) 1))";
    let delay = "(:action a :agent ?c - cook :parameters (?x - thing)
        :effect (after 4294967295 (p ?x)))";
    let delays = "(:action a :agent ?c - cook :parameters (?x - thing)
        :effect (after 100000 (p ?x)))";
    let counts = "(:action a :agent ?c - cook :parameters (?x - thing)
        :effect (on-nth 4000000000 (p ?x)))";
    for (body, things) in [(integer, 1), (delays, 20)] {
        let found = error(body, things);
        assert!(
            matches!(found, GroundError::TooManyValues { .. }),
            "{body}: {found}"
        );
    }
    for body in [delay, counts] {
        let found = error(body, 1);
        assert!(
            matches!(found, GroundError::BadDelay { .. }),
            "{body}: {found}"
        );
    }
    let body = "(:action a :agent ?c - cook :parameters (?x - thing) :effect (p ?x))";
    let horizon = error_of(body, 1, "(:goal (p o0)) (:horizon 4000000000)");
    assert!(
        matches!(horizon, GroundError::TooManyValues { .. }),
        "{horizon}"
    );
}

/// Cycles of odd length in a graph that has none: every path is a partial match.
fn odd_cycle() -> (&'static str, String) {
    let nodes: Vec<String> = (0..60).map(|number| format!("o{number}")).collect();
    let edges: String = (0..60)
        .flat_map(|one| (0..60).map(move |other| (one, other)))
        .filter(|(one, other)| one % 2 != other % 2)
        .map(|(one, other)| format!("(edge o{one} o{other})"))
        .collect();
    let domain = "(define (domain graph) (:requirements :typing) (:predicates (edge ?a ?b) (found))
        (:action find :parameters (?a ?b ?c ?d ?e ?f ?g ?h ?i)
          :precondition (and (edge ?a ?b) (edge ?b ?c) (edge ?c ?d) (edge ?d ?e) (edge ?e ?f)
            (edge ?f ?g) (edge ?g ?h) (edge ?h ?i) (edge ?i ?a))
          :effect (found)))";
    let problem = format!(
        "(define (problem graph-1) (:domain graph) (:objects {}) (:init {edges}) (:goal (found)))",
        nodes.join(" ")
    );
    (domain, problem)
}

fn odd_cycle_model() -> Model {
    let (domain, problem) = odd_cycle();
    resolve_texts(domain, &problem, "clean")
}

/// Runs the command line on two texts: its exit code and what it says.
fn brigade(args: &[&str], domain: &str, problem: &str) -> (Option<i32>, String) {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("limits-{}", args[0]));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("domain.pddl"), domain).unwrap();
    fs::write(folder.join("problem.pddl"), problem).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_brigade"))
        .args(args)
        .arg("problem.pddl")
        .current_dir(&folder)
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), said)
}

#[test]
fn the_command_line_keeps_its_deadline_while_it_compiles() {
    let (domain, problem) = odd_cycle();
    let (code, said) = brigade(&["plan", "--time-limit", "0"], domain, &problem);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("before the problem was compiled"), "{said}");
}

#[test]
fn the_command_line_shows_what_cannot_be_compiled() {
    let domain = "(define (domain slow) (:requirements :delayed-effects)
  (:predicates (done ?x))
  (:functions (time ?x) - number)
  (:action bake :parameters (?x) :effect (after (time ?x) (done ?x))))";
    for (time, wrong) in [
        ("0", "0, less than 1: `(time cake)` is 0"),
        (
            "99999999999",
            "99999999999, too large to be counted: `(time cake)` is 99999999999",
        ),
    ] {
        let problem = format!(
            "(define (problem slow-1) (:domain slow) (:objects cake)
               (:init (= (time cake) {time})) (:goal (done cake)))"
        );
        let (code, said) = brigade(&["compile"], domain, &problem);
        assert_eq!(code, Some(5));
        let expected = format!(
            "\
error[E0206]: action `bake`: a delay, count or duration is {wrong}
 --> domain.pddl:4:12
  |
4 |   (:action bake :parameters (?x) :effect (after (time ?x) (done ?x))))
  |            ^^^^ grounded here
  |
  = help: give each of them a value from 1 up to some hundred thousand, or exclude them by the precondition"
        );
        assert!(said.contains(&expected), "{said}");
    }
}

#[test]
fn a_join_that_finds_nothing_has_a_limit() {
    let options = Options::default().with_max_work(1_000_000);
    let found = ground(&odd_cycle_model(), &options).unwrap_err();
    assert!(matches!(found, GroundError::TooMuchWork { .. }), "{found}");
    assert_eq!(found.code(), Some(Code::TooMuchWork));
    let place = found.diagnostic().unwrap();
    assert!(place.place().is_some(), "the action is shown");
    assert!(found.to_string().starts_with("action `find`"), "{found}");
}

#[test]
fn grounding_stops_when_it_is_asked_to() {
    let asked = Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() > 10
    };
    let found = ground_until(&odd_cycle_model(), &Options::default(), &stop).unwrap_err();
    assert_eq!(found, GroundError::Stopped);
    assert_eq!(found.diagnostic(), None);
    assert!(asked.get() < 20, "{} questions", asked.get());
}

#[test]
fn free_parameters_of_which_one_has_no_value_cost_nothing() {
    let body = "(:types ghost - object) (:action a :agent ?c - cook
        :parameters (?a ?b ?c1 ?d ?e ?f ?g ?h - thing ?z - ghost) :effect (p ?a))
        (:action b :agent ?c - cook :effect (p o0))";
    let types = TYPES.replace("thing - object", "thing ghost - object");
    let body = body
        .replace("(:types ghost - object) ", "")
        .replace("o0", "k");
    let domain = format!("{types} (:constants k - thing) {body}");
    assert!(try_task(&model(&domain, 100, "(:goal (p k))")).is_ok());
}

#[test]
fn quantifiers_over_nothing_cost_nothing() {
    let body = "(:action a :agent ?c - cook :parameters (?x - thing)
        :precondition (forall (?a ?b ?c1 ?d ?e ?f - thing ?z - ghost) (and (r ?a ?b ?c1) (= ?z ?d)))
        :effect (p ?x))";
    let types = TYPES.replace("thing - object", "thing ghost - object");
    let found = ground(
        &model(&format!("{types} {body}"), 100, "(:goal (p o0))"),
        &Options::default(),
    );
    assert!(found.is_ok());
}

/// Each primitive performs the one before it twice.
#[test]
fn primitives_that_multiply_are_refused() {
    let mut body = "(:action a0 :primitive :effect (on-nth 2 (q k)))".to_owned();
    for number in 1..40 {
        body.push_str(&format!(
            "(:action a{number} :primitive :effect (seq (do (a{0})) (do (a{0}))))",
            number - 1
        ));
    }
    body.push_str("(:action go :agent ?c - cook :effect (and (p k) (do (a39))))");
    let domain = format!("{TYPES} (:constants k - thing) {body}");
    let model = model(&domain, 2, "(:goal (p k))");
    let options = Options::default().with_max_parts(500_000);
    let found = ground(&model, &options).unwrap_err();
    assert!(matches!(found, GroundError::TooManyParts { .. }), "{found}");
}

/// Each primitive performs the one before it, in a condition and a choice.
#[test]
fn primitives_may_be_performed_within_others_to_a_limit() {
    let texts = |levels: usize| {
        let mut body = "(:action a0 :primitive :effect (q k))".to_owned();
        for number in 1..levels {
            body.push_str(&format!(
                "(:action a{number} :primitive :effect
                   (case ((q k) (p k)) (else (let ((?x (argmin (?x - thing) (p ?x) 1))) (do (a{})) ))))",
                number - 1
            ));
        }
        let domain = format!(
            "(define (domain deep) (:requirements :adl :options :aggregates :sequential-effects)
               (:types thing) (:constants k - thing) (:predicates (p ?x - thing) (q ?x - thing))
               {body} (:action go :effect (do (a{}))))",
            levels - 1
        );
        let problem = "(define (problem deep-1) (:domain deep) (:init (p k)) (:goal (q k)))";
        (domain, problem)
    };
    let (domain, problem) = texts(33);
    let task = try_task(&resolve_texts(&domain, problem, "clean")).unwrap();
    let written = serde_json::to_string(&brigade::task::json::document(&task)).unwrap();
    assert!(written.len() > 1_000);
    for levels in [34, 20_000] {
        let (domain, problem) = texts(levels);
        let refused = try_resolve(&domain, problem, "clean").unwrap_err();
        assert!(refused.contains("E0007"), "{levels}");
    }
}

#[test]
fn long_lists_of_parameters_patterns_and_variables_take_no_stack() {
    let many = |count: usize| -> String { (0..count).map(|at| format!(" ?x{at}")).collect() };
    let facts: String = (0..3_000).map(|at| format!(" (f{at})")).collect();
    let list = many(3_000);
    let domain = format!(
        "(define (domain long) (:requirements :adl) (:predicates (p) (q ?x) (r{}) {facts})
           (:action a :parameters ({list}) :effect (p))
           (:action b :precondition (forall ({list}) (q ?x7)) :effect (p))
           (:action c :parameters ({}) :precondition (and (r{}) {facts}) :effect (p)))",
        many(100),
        many(100),
        many(100)
    );
    let arguments = vec!["o"; 100].join(" ");
    let problem = format!(
        "(define (problem long-1) (:domain long) (:objects o) (:init (q o) (r {arguments}) {facts})
           (:goal (p)))"
    );
    let task = try_task(&resolve_texts(&domain, &problem, "clean")).unwrap();
    assert_eq!(task.operators.len(), 3);
}

#[test]
fn groups_of_facts_are_looked_for_in_bounded_time() {
    // Each action moves everything at once; and arguments repeat, in very many orders.
    let body = "(:predicates (s ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j ?k - thing))
        (:action a :agent ?c - cook :parameters (?v - thing)
          :precondition (forall (?x - thing) (p ?x))
          :effect (forall (?x - thing) (and (not (p ?x)) (q ?x))))
        (:action b :agent ?c - cook :parameters (?v - thing)
          :precondition (forall (?x - thing) (q ?x))
          :effect (forall (?x - thing) (and (not (q ?x)) (p ?x))))
        (:action same :agent ?c - cook :parameters (?x - thing)
          :precondition (and (p ?x) (s ?x ?x ?x ?x ?x ?x ?x ?x ?x ?x ?x))
          :effect (and (not (s ?x ?x ?x ?x ?x ?x ?x ?x ?x ?x ?x)) (t ?x ?x ?x ?x ?x ?x ?x ?x ?x ?x ?x)))
        (:action back :agent ?c - cook :parameters (?x - thing)
          :precondition (and (p ?x) (t ?x ?x ?x ?x ?x ?x ?x ?x ?x ?x ?x))
          :effect (and (s ?x ?x ?x ?x ?x ?x ?x ?x ?x ?x ?x) (not (t ?x ?x ?x ?x ?x ?x ?x ?x ?x ?x ?x))))";
    let (extra, body) = body.split_once('\n').unwrap();
    let extra = extra.replace("(:predicates ", "").replace("))", ")");
    let twin = extra.replacen("(s ", "(t ", 1);
    let types = TYPES.replace("(r ?x", &format!("{extra} {twin} (r ?x"));
    let all = |name: &str| -> String { (0..600).map(|at| format!("({name} o{at})")).collect() };
    let same: String = (0..9)
        .map(|at| format!("(s {})", vec![format!("o{at}"); 11].join(" ")))
        .collect();
    let text = "(:goal (q o0)) (:fail (q o1))";
    let objects: Vec<String> = (0..600).map(|number| format!("o{number}")).collect();
    let domain = format!(
        "(define (domain hostile) (:requirements :adl :multi-agent :horizon) {types} {body})"
    );
    let problem = format!(
        "(define (problem hostile-1) (:domain hostile) (:objects ann - cook {} - thing)
           (:init {} {same}) {text})",
        objects.join(" "),
        all("p")
    );
    let task = try_task(&resolve_texts(&domain, &problem, "clean")).unwrap();
    assert_eq!(task.operators.len(), 1 + 2 * 600 + 2 * 9);
}

#[test]
fn a_delay_that_is_zero_for_some_object_is_shown_where_it_stands() {
    let body = "(:functions (time ?x - thing) - number) (:action a :agent ?c - cook
        :parameters (?x - thing) :effect (after (time ?x) (p ?x)))";
    let found = error_of(body, 2, "(:goal (p o0))");
    assert_eq!(found.code(), Some(Code::BadDelay));
    assert!(found.diagnostic().unwrap().place().is_some());
    assert!(found.to_string().starts_with("action `a`"), "{found}");
}

#[test]
fn a_delay_that_is_zero_where_an_action_can_never_apply_is_no_fault() {
    let body = "(:functions (time ?x - thing) - number) (:action a :agent ?c - cook
        :parameters (?x - thing) :precondition (q ?x) :effect (after (time ?x) (p ?x)))
        (:action b :agent ?c - cook :parameters (?x - thing) :effect (p ?x))";
    let never = model(&format!("{TYPES} {body}"), 2, "(:goal (p o0))");
    let task = try_task(&never).unwrap();
    assert_eq!(task.operators.len(), 6, "of `b` only, and two that wait");
    let reached = body.replace(":effect (p ?x)", ":effect (q ?x)");
    let found = error(&reached, 2);
    assert_eq!(found.code(), Some(Code::BadDelay));
}

/// The resolver refuses these; a model may be made otherwise.
#[test]
fn what_the_kernel_cannot_do_is_named() {
    let lasting =
        "(:option a :agent ?c - cook :parameters (?x - thing) :policy (p ?x) :until (p ?x))";
    let of = |action: &str| model(&format!("{TYPES} {action}"), 2, "(:goal (p o0))");
    let unsupported = |change: &dyn Fn(&mut Model), action: &str, part: &str| {
        let mut model = of(action);
        change(&mut model);
        let found = try_task(&model).unwrap_err();
        assert_eq!(found.code(), Some(Code::NotSupported));
        assert!(found.to_string().contains(part), "{found}");
    };
    let without_agent = |model: &mut Model| {
        model.agents.clear();
        model.actions[0].has_agent = false;
    };
    unsupported(&without_agent, lasting, "`:agent`");
}

#[test]
fn large_conjunctions_and_events_take_no_quadratic_time() {
    let wide = "(:action a :agent ?c - cook :parameters (?x - thing) :effect (and (p ?x) (q ?x)))";
    let goal = "(:goal (forall (?x - thing) (or (p ?x) (q ?x))))";
    let model_of = |body: &str, things, goal| model(&format!("{TYPES} {body}"), things, goal);
    assert!(try_task(&model_of(wide, 5_000, goal)).is_ok());
    let many = "(:event e :parameters (?x ?y ?z - thing) :precondition (p ?x) :effect (r ?x ?y ?z))
        (:action a :agent ?c - cook :parameters (?x - thing) :effect (p ?x))";
    assert!(try_task(&model_of(many, 25, "(:goal (p o0))")).is_ok());
}
