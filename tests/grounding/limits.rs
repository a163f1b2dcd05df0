//! What cannot be grounded ends in an error, and soon.

use brigade::ground::{GroundError, Options, ground};

use crate::compile::{resolve_texts, try_task};

/// A domain around a body, with so many things.
fn model(body: &str, things: usize, problem: &str) -> brigade::sema::model::Model {
    let objects: Vec<String> = (0..things).map(|number| format!("o{number}")).collect();
    let domain = format!(
        "(define (domain hostile)
           (:requirements :adl :multi-agent :bounded-numbers :object-fluents :delayed-effects
             :aggregates :horizon :events :sequential-effects)
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
    let options = Options {
        max_parts: 200_000,
        ..Options::default()
    };
    let model = model(&format!("{TYPES} {body}"), things, problem);
    let mut error = ground(&model, &options).unwrap_err();
    while let GroundError::Within { error: inner, .. } = error {
        error = *inner;
    }
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
    assert!(
        found
            .to_string()
            .starts_with("action a has too many instances"),
        "{found}"
    );
}

#[test]
fn the_number_of_instances_that_are_tried_is_an_option() {
    let body = "(:action a :agent ?c - cook :parameters (?x - thing) :effect (p ?x))";
    let model = model(&format!("{TYPES} {body}"), 50, "(:goal (p o0))");
    let options = |max_instances| Options {
        max_instances,
        ..Options::default()
    };
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

#[test]
fn fluents_within_fluents_that_expand_into_too_much_are_refused() {
    let body = "(:functions (f ?x - thing) - thing (g ?x ?y ?z - thing) - thing)
        (:action a :agent ?c - cook :parameters (?x - thing)
          :precondition (p (g (f (f ?x)) (f (f ?x)) (f (f ?x))))
          :effect (and (p ?x) (assign (f ?x) ?x) (assign (g ?x ?x ?x) (f ?x))))";
    assert!(matches!(error(body, 60), GroundError::TooManyParts { .. }));
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
    for (body, things) in [(integer, 1), (delay, 1), (delays, 20), (counts, 1)] {
        let found = error(body, things);
        assert!(
            matches!(found, GroundError::TooManyValues { .. }),
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

#[test]
fn what_the_kernel_cannot_do_is_named() {
    let unsupported = |types: &str, body: &str| {
        let model = model(&format!("{types} {body}"), 2, "(:goal (p o0))");
        try_task(&model).unwrap_err().to_string()
    };
    let action = "(:action a :agent ?c - cook :parameters (?x - thing) :effect (p ?x))";
    let list = TYPES.replace("(:turns sequential)", "(:live-effects list)");
    let any = TYPES.replace("sequential)", "sequential :order any)");
    let scaled = "(:functions (n) - (int 0 9)) (:action a :agent ?c - cook :parameters (?x - thing)
        :effect (and (p ?x) (scale-down (n) 2)))";
    let guarded = "(:action a :agent ?c - cook :parameters (?x - thing)
        :effect (maintain (q ?x) (p ?x) (after 2 :until (q ?x) (not (q ?x)))))";
    let inner = "(:action a :agent ?c - cook :parameters (?x - thing)
        :effect (maintain (q ?x) (p ?x) (when (q ?x) (after 2 (not (q ?x))))))";
    for (types, body, part) in [
        (&*list, action, "list"),
        (&*any, action, "any order"),
        (TYPES, scaled, "scale-down"),
        (TYPES, guarded, "maintain"),
        (TYPES, inner, "maintain"),
    ] {
        let found = unsupported(types, body);
        assert!(
            found.contains("not supported yet") && found.contains(part),
            "{found}"
        );
    }
}

#[test]
fn what_lasts_belongs_to_an_agent() {
    let model = resolve_texts(
        "(define (domain temporal) (:requirements :durative-actions) (:predicates (p))
           (:durative-action a :parameters () :duration (= ?duration 2) :effect (at end (p))))",
        "(define (problem temporal-1) (:domain temporal) (:init) (:goal (p)))",
        "clean",
    );
    let found = try_task(&model).unwrap_err().to_string();
    assert!(found.contains("belong to no `:agent`"), "{found}");
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
