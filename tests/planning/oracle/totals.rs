//! Totals for which agents carry, cook and serve in time: bounds and optima, against exhaustion.

use super::gains::compare;
use super::random_domains::Random;

const MOST_STATES: usize = 40_000;

/// A kitchen: cooks carry to pots, which run by a timer, and put dishes on a table, whose count is taken from by
/// orders, in order of due time or all at once.
fn kitchen(seed: u64) -> (String, String) {
    let mut random = Random::new(seed);
    let mut pick = |texts: &[&str]| texts[random.below(texts.len())].to_owned();
    let turns = pick(&["sequential", "simultaneous", "alternate"]);
    let most = pick(&["2", "12", "20"]);
    let tip = pick(&["", "", "(increase (earned) 1)"]);
    let serves = pick(&[
        "(< (count (?p - order) (and (waiting ?p) (< (due ?p) (due ?o)))) (table))",
        "(> (table) 0)",
        "(>= (table) 1)",
        "(< (count (?p - order) (waiting ?p)) (table))",
    ]);
    let takes = pick(&["(decrease (table) 1)", "(decrease (table) 2)", ""]);
    let spoils = pick(&[
        "",
        "(:event spoil :precondition (> (table) 1) :effect (decrease (table) 1))",
        "(:event gift :precondition (= (table) 0) :effect (increase (table) 1))",
    ]);
    let done = pick(&["(boiling ?k)", "(and (boiling ?k) (not (done ?k)))"]);
    let later = pick(&[
        "(after 2 (done ?k))",
        "(done ?k)",
        "(when (raw-in ?k) (done ?k))",
    ]);
    let domain = format!(
        "(define (domain kitchen)
          (:requirements :adl :multi-agent :object-fluents :numeric-fluents :bounded-numbers :aggregates :events
                         :action-costs :horizon :timed-initial-literals :delayed-effects)
          (:types cook pot order thing place - object)
          (:constants raw dish - thing here there - place)
          (:predicates (waiting ?o - order) (overdue ?o - order) (raw-in ?k - pot) (boiling ?k - pot)
                       (done ?k - pot))
          (:functions (at ?c - cook) - place (holds ?c - cook) - thing (table) - (int 0 {most})
                      (due ?o - order) - number (earned) - number)
          (:turns {turns})
          (:action go :agent ?c - cook :parameters (?p - place) :effect (assign (at ?c) ?p))
          (:action fetch :agent ?c - cook :precondition (and (= (at ?c) here) (= (holds ?c) undefined))
            :effect (assign (holds ?c) raw))
          (:action put :agent ?c - cook :parameters (?k - pot)
            :precondition (and (= (at ?c) there) (= (holds ?c) raw) (not (boiling ?k)))
            :effect (and (assign (holds ?c) undefined) (when (not (raw-in ?k)) (raw-in ?k))))
          (:action start :agent ?c - cook :parameters (?k - pot)
            :precondition (and (raw-in ?k) (not (boiling ?k)))
            :effect (and (boiling ?k) {later}))
          (:action take :agent ?c - cook :parameters (?k - pot)
            :precondition (and {done} (= (holds ?c) undefined))
            :effect (and (when (done ?k) (assign (holds ?c) dish)) (not (boiling ?k)) (not (done ?k)) (not (raw-in ?k))))
          (:action dish-up :agent ?c - cook :precondition (= (holds ?c) dish)
            :effect (and (assign (holds ?c) undefined) (increase (table) 1) {tip}))
          (:event lapse :parameters (?o - order) :precondition (and (waiting ?o) (overdue ?o))
            :effect (not (waiting ?o)))
          {spoils}
          (:event serve :parameters (?o - order) :precondition (and (waiting ?o) {serves})
            :effect (and (not (waiting ?o)) {takes} (increase (earned) 3))))"
    );
    let cooks = pick(&["a", "a b"]);
    let pots = pick(&["k", "k l"]);
    let table = pick(&["0", "0", "1"]);
    let mut init = String::new();
    let mut names = String::new();
    for order in 0..=random.below(3) {
        names += &format!(" o{order}");
        let at = random.below(4);
        init += &match at {
            0 => format!(" (waiting o{order})"),
            at => format!(" (at {at} (waiting o{order}))"),
        };
        let due = at + 1 + random.below(5);
        init += &format!(" (= (due o{order}) {due})");
        if random.below(2) == 0 {
            init += &format!(" (at {due} (overdue o{order}))");
        }
    }
    for cook in cooks.split(' ') {
        init += &format!(" (= (at {cook}) here)");
    }
    let horizon = 4 + random.below(4);
    let problem = format!(
        "(define (problem p) (:domain kitchen) (:objects {cooks} - cook {pots} - pot{names} - order)
          (:init (= (table) {table}){init}) (:horizon {horizon}) (:metric maximize (earned)))"
    );
    (domain, problem)
}

#[test]
fn totals_of_kitchens_are_bounded_and_maximised_as_by_exhaustion() {
    let (compared, met) = compare(kitchen, 0..100, MOST_STATES);
    assert!(compared > 30 && met > 10, "{compared}, {met}");
}

#[test]
#[ignore = "takes minutes"]
fn totals_of_many_kitchens_are_bounded_and_maximised_as_by_exhaustion() {
    let (compared, _) = compare(kitchen, 100..2100, MOST_STATES);
    assert!(compared > 1000, "{compared}");
}
