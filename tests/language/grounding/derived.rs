//! Derived predicates of what never changes are facts, found once.

use brigade::ground::{GroundError, Options, ground};
use brigade::task::PackedTask;

use crate::grounding::compile::{resolve_texts, task};

const DOMAIN: &str = "(define (domain roads)
  (:requirements :adl :derived-predicates :object-fluents)
  (:types place)
  (:predicates (road ?a ?b - place) (linked ?a ?b - place) (apart ?a ?b - place)
               (even ?a ?b - place) (odd ?a ?b - place) (near ?p - place) (open ?p - place))
  (:functions (here) - place)
  (:derived (apart ?a ?b - place) (and (not (linked ?a ?b)) (not (linked ?b ?a)) (not (= ?a ?b))))
  (:derived (linked ?a ?b - place) (road ?a ?b))
  (:derived (linked ?a ?b - place)
    (exists (?by - place) (and (road ?a ?by) (linked ?by ?b))))
  (:derived (odd ?a ?b - place) (road ?a ?b))
  (:derived (odd ?a ?b - place) (exists (?by - place) (and (even ?a ?by) (road ?by ?b))))
  (:derived (even ?a ?b - place) (exists (?by - place) (and (odd ?a ?by) (road ?by ?b))))
  (:derived (near ?p - place) (road (here) ?p))
  (:action drive :parameters (?to - place)
    :precondition (linked (here) ?to) :effect (assign (here) ?to))
  (:action fly :parameters (?from ?to - place)
    :precondition (and (= (here) ?from) (apart ?from ?to)) :effect (assign (here) ?to))
  (:action hop :parameters (?from ?to - place)
    :precondition (and (= (here) ?from) (even ?from ?to)) :effect (assign (here) ?to))
  (:action look :parameters (?p - place)
    :precondition (near ?p) :effect (open ?p)))";

/// A road through three places, and an island.
const PROBLEM: &str = "(define (problem tour)
  (:domain roads)
  (:objects a b c island - place)
  (:init (road a b) (road b c) (= (here) a))
  (:goal (open c)))";

fn names(task: &PackedTask, action: &str) -> Vec<String> {
    let operators = task.operators.iter().map(|it| it.name.clone());
    operators.filter(|name| name.starts_with(action)).collect()
}

#[test]
fn rules_over_facts_that_never_change_are_applied_to_the_end_before_the_first_step() {
    let task = task(&resolve_texts(DOMAIN, PROBLEM, "clean"));
    assert_eq!(
        names(&task, "fly"),
        [
            "fly a island",
            "fly b island",
            "fly c island",
            "fly island a",
            "fly island b",
            "fly island c",
        ],
        "what is negated is complete"
    );
    assert_eq!(
        names(&task, "hop"),
        ["hop a c"],
        "of two that need each other"
    );
    let legal = task.applicable(&task.initial, 0);
    let legal: Vec<&str> = legal.map(|id| &*task.operator(id).name).collect();
    for drive in ["drive b", "drive c"] {
        assert!(legal.contains(&drive), "{legal:?}");
    }
    assert!(!legal.contains(&"drive island"), "{legal:?}");
}

#[test]
fn only_what_depends_on_the_state_is_derived_in_it() {
    let task = task(&resolve_texts(DOMAIN, PROBLEM, "clean"));
    let derived = task.axioms.layers.iter().flat_map(|layer| &layer.variables);
    let derived: Vec<&str> = derived
        .map(|id| &*task.variables[id.index()].name)
        .collect();
    assert!(!derived.is_empty());
    assert!(
        derived.iter().all(|name| name.starts_with("(near ")),
        "{derived:?}"
    );
}

#[test]
fn rules_with_too_many_instances_are_refused_by_name() {
    let options = Options::default().with_max_instances(3);
    let error = ground(&resolve_texts(DOMAIN, PROBLEM, "clean"), &options);
    let Err(GroundError::TooManyInstances { schema, .. }) = error else {
        panic!("{error:?}");
    };
    assert!(schema.name.starts_with("derived predicate "), "{schema}");
}
