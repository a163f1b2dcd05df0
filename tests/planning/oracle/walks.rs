//! Totals of cooks who walk: where they go is written when they choose, read by events, and their place at the end of
//! the tick. Pots cook by a count of ticks. Bounds and optima, against exhaustion.

use super::gains::compare;
use super::random_domains::Random;

const MOST_STATES: usize = 60_000;

fn kitchen(seed: u64) -> (String, String) {
    let mut random = Random::new(seed);
    let mut pick = |texts: &[&str]| texts[random.below(texts.len())].to_owned();
    let turns = pick(&["sequential", "simultaneous", "simultaneous"]);
    let blocked = pick(&[
        "(= (goes ?c) (goes ?d))",
        "(or (= (goes ?c) (goes ?d)) (= (goes ?c) (at ?d)))",
        "(and (= (goes ?c) (at ?d)) (holding ?d))",
    ]);
    let block = pick(&[
        "(forall (?e - cook) (assign (goes ?e) undefined))",
        "(assign (goes ?c) undefined)",
        "(assign (goes ?c) (at ?d))",
    ]);
    // What others read of a walk before it ends.
    let noticed = pick(&[
        "",
        "(:event bell :parameters (?c - cook) :precondition (= (goes ?c) pass) :effect (bell))",
        "(:event warm :parameters (?c - cook ?k - pot) :precondition (= (goes ?c) stove) :effect (boiling ?k))",
        "(:event tip :parameters (?c - cook) :precondition (and (holding ?c) (= (goes ?c) pass))
           :effect (increase (earned) 1))",
    ]);
    let walk = pick(&[
        "(assign (at ?c) (goes ?c))",
        "(assign (at ?c) (goes ?c))",
        "(and (assign (at ?c) (goes ?c)) (when (= (goes ?c) larder) (not (holding ?c))))",
    ]);
    let ready = pick(&["2", "3"]);
    let starts = pick(&["", "(boiling ?k)"]);
    let simmer = pick(&[
        "(increase (cooked ?k) 1)",
        "(increase (cooked ?k) 1)",
        "(increase (cooked ?k) 2)",
    ]);
    let serve = pick(&["", "", "(bell)"]);
    let serve = match &*pick(&["event", "no event"]) {
        "event" => format!(
            "(:event serve :parameters (?c - cook)
            :precondition (and (plated ?c) (= (at ?c) pass) {serve})
            :effect (and (not (plated ?c)) (increase (earned) 5)))"
        ),
        _ => String::new(),
    };
    // A cook pays when it chooses, and is there at the end of the tick.
    let ride = pick(&[
        "",
        "(:action ride :agent ?c - cook :precondition (coin ?c)
           :effect (and (not (coin ?c)) (assign (goes ?c) pass)))",
        "(:action ride :agent ?c - cook :precondition (coin ?c)
           :effect (and (not (coin ?c)) (assign (goes ?c) stove)))",
    ]);
    let stays = pick(&["", "(not (full ?k))"]);
    let domain = format!(
        "(define (domain walks)
          (:requirements :adl :multi-agent :object-fluents :numeric-fluents :bounded-numbers :events
                         :action-costs :sequential-effects :horizon)
          (:types cook pot cell - object)
          (:constants larder middle stove pass - cell)
          (:predicates (coin ?c - cook) (holding ?c - cook) (plated ?c - cook) (full ?k - pot) (boiling ?k - pot) (bell))
          (:functions (next ?c - cell) - cell (back ?c - cell) - cell (at ?c - cook) - cell
                      (cooked ?k - pot) - (int 0 12) (earned) - number)
          (:transient (goes ?c - cook) - cell)
          (:turns {turns})
          (:action on :agent ?c - cook :effect (assign (goes ?c) (next (at ?c))))
          (:action back :agent ?c - cook :effect (assign (goes ?c) (back (at ?c))))
          (:action use :agent ?c - cook
            :effect (case
              ((= (at ?c) larder) (holding ?c))
              ((and (= (at ?c) pass) (plated ?c))
                (and (not (plated ?c)) (increase (earned) 3)))))
          (:action put :agent ?c - cook :parameters (?k - pot)
            :precondition (and (= (at ?c) stove) (holding ?c) (not (full ?k)))
            :effect (and (not (holding ?c)) (full ?k) {starts}))
          (:action light :agent ?c - cook :parameters (?k - pot)
            :precondition (= (at ?c) stove) :effect (boiling ?k))
          (:action take :agent ?c - cook :parameters (?k - pot)
            :precondition (and (= (at ?c) stove) (not (holding ?c)) (>= (cooked ?k) {ready}))
            :effect (and (plated ?c) {stays} (not (boiling ?k)) (assign (cooked ?k) 0)))
          {ride}
          {noticed}
          (:event block :parameters (?c ?d - cook)
            :precondition (and (not (= ?c ?d)) (not (= (goes ?c) undefined)) {blocked})
            :effect {block})
          (:event walk :parameters (?c - cook)
            :precondition (not (= (goes ?c) undefined)) :effect {walk})
          (:event simmer :parameters (?k - pot)
            :precondition (and (boiling ?k) (full ?k) (< (cooked ?k) {ready})) :effect {simmer})
          {serve})"
    );
    let cooks = pick(&["a", "a b"]);
    let mut init = String::new();
    for cook in cooks.split(' ') {
        init += &format!(" (= (at {cook}) {})", pick(&["larder", "middle", "stove"]));
        init += &pick(&["", &format!(" (holding {cook})")]);
        init += &pick(&["", &format!(" (plated {cook})")]);
        init += &pick(&["", &format!(" (coin {cook})")]);
    }
    let started = pick(&["", "(full k)", "(full k) (boiling k)"]);
    let horizon = 4 + random.below(4);
    let problem = format!(
        "(define (problem p) (:domain walks) (:objects {cooks} - cook k - pot)
          (:init (= (next larder) middle) (= (next middle) stove) (= (next stove) pass)
                 (= (back pass) stove) (= (back stove) middle) (= (back middle) larder)
                 (= (cooked k) 0) {started}{init})
          (:horizon {horizon}) (:metric maximize (earned)))"
    );
    (domain, problem)
}

#[test]
fn totals_of_cooks_who_walk_are_bounded_and_maximised_as_by_exhaustion() {
    let (compared, met) = compare(kitchen, 0..40, MOST_STATES);
    assert!(compared > 30 && met > 5, "{compared}, {met}");
}

#[test]
#[ignore = "takes minutes"]
fn totals_of_many_cooks_who_walk_are_bounded_and_maximised_as_by_exhaustion() {
    let (compared, _) = compare(kitchen, 40..2040, MOST_STATES);
    assert!(compared > 1000, "{compared}");
}
