//! What predicates and functions say in words of a state.

use brigade::task::effect::Record;

use crate::compile::{resolve_texts, task};

const DOMAIN: &str = "(define (domain yard)
  (:requirements :adl :text :bounded-numbers :object-fluents)
  (:types truck place)
  (:constants gate - place)
  (:predicates (paved ?p - place :text \"{?p} is paved\"))
  (:functions
    (fuel ?t - truck :text \"{?t} has {(fuel ?t)} of {(tank ?t)} litres, {(fuel ?t)}!\") - (int -1 3)
    (at ?t - truck :text \"{?t} is at {(at ?t)}\" :text \"{?t} is somewhere\") - place
    (tank ?t - truck :text \"{?t} has a tank of {(tank ?t)}\") - number
    (home ?t - truck :text \"home: {(home ?t)}\") - place
    (far ?p ?q - place :text ?q \"{?p} is {(far ?p ?q)} from here\") - number
    (gone :text \"{(gone)} gone\" :text \"so much is known\") - (int 0 9))
  (:action drive :parameters (?t - truck ?p - place)
    :precondition (> (fuel ?t) 0)
    :effect (and (assign (at ?t) ?p) (decrease (fuel ?t) 2)))
  (:action leave :parameters (?t - truck)
    :effect (and (assign (at ?t) undefined) (increase (gone) 1))))";

const PROBLEM: &str = "(define (problem tour)
  (:domain yard)
  (:objects red blue - truck hill - place)
  (:init (paved hill) (= (at red) gate) (= (fuel red) 3) (= (tank red) 3) (= (tank blue) 2)
         (= (home blue) hill) (= (far hill gate) 7))
  (:goal (> (gone) 0)))";

/// The facts in words after some actions.
fn told(actions: &[&str]) -> String {
    let task = task(&resolve_texts(DOMAIN, PROBLEM, "clean"));
    let mut state = task.initial.clone();
    for name in actions {
        let mut operators = task.applicable(&state, 0);
        let chosen = operators.find(|&id| task.operator(id).name == *name);
        drop(operators);
        let joint = [chosen.unwrap_or_else(|| panic!("{name} cannot be chosen"))];
        task.step(&mut state, &joint, &mut Record::default())
            .unwrap();
    }
    task.observe(&state).facts.join("\n")
}

#[test]
fn functions_say_their_values_by_object() {
    assert_eq!(
        told(&[]),
        "0 gone\nso much is known\n\n\
         Place gate:\nhill is 7 from here\n\n\
         Truck red:\nred has 3 of 3 litres, 3!\nred is at gate\nred is somewhere\nred has a tank of 3\n\n\
         Truck blue:\nblue has 0 of 2 litres, 0!\nblue has a tank of 2\nhome: hill\n\n\
         Place hill:\nhill is paved"
    );
}

#[test]
fn words_follow_the_values_that_change() {
    let told = told(&["drive red hill", "drive red gate", "leave red"]);
    assert!(told.starts_with("1 gone\n"), "{told}");
    assert!(
        told.contains("Truck red:\nred has -1 of 3 litres, -1!\nred has a tank of 3\n"),
        "what is undefined is not told\n{told}"
    );
}
