//! Small random kitchens in which one cook has to hand things over to another: the bounds of abstractions in every
//! state against exhaustion.

use brigade::search::{HeuristicChoice, Objective};

use crate::oracle::compile::compile;
use crate::oracle::lower_bounds::compare_task;
use crate::oracle::random_domains::Random;

/// The number of kitchens that are tried.
const SEEDS: u64 = 60;
/// Those with more states are left out.
const MOST_STATES: usize = 15_000;

#[test]
fn no_plan_from_any_state_is_better_than_the_bounds_of_abstractions_where_things_are_handed_over() {
    let objectives = [Objective::Makespan, Objective::Labels, Objective::Declared];
    let (mut kitchens, mut informed, mut exact) = (0, 0, 0);
    for seed in 0..SEEDS {
        let (domain, problem) = kitchen(seed);
        let task = compile(&domain, &problem);
        let objective = objectives[usize::from(seed % 4 == 3) + usize::from(seed % 8 == 7)];
        let choice = HeuristicChoice::Abstractions;
        let context = format!("seed {seed}");
        let Some(found) = compare_task(&context, &task, objective, choice, MOST_STATES) else {
            continue;
        };
        kitchens += u32::from(found.has_plan);
        informed += found.informed;
        exact += found.exact;
    }
    assert!(
        kitchens > 15 && informed > 50_000 && exact > 20_000,
        "{kitchens} kitchens, {informed} bounds, {exact} of them exact"
    );
}

/// A chef and an assistant with one or two counters between them, a board and a pot that take some
/// ticks, and an order that needs one or two of what they make. Who reaches what is random, so what
/// is handed over, and whether it must be, is too.
fn kitchen(seed: u64) -> (String, String) {
    let mut random = Random::new(seed);
    let turns = ["simultaneous", "sequential"][random.below(2)];
    let (board, pot) = (1 + random.below(3), 1 + random.below(4));
    let domain = format!(
        "(define (domain handovers)
 (:requirements :adl :multi-agent :delayed-effects :object-fluents)
 (:turns {turns})
 (:types cook place thing - object)
 (:constants chef assistant - cook)
 (:predicates (reaches ?a - cook ?p - place) (offers ?p - place ?x - thing)
  (cuts ?p - place) (boils ?p - place)
  (sliced ?x ?y - thing) (boiled ?x ?y - thing) (ordered ?x - thing) (served ?x - thing))
 (:functions (hand ?a - cook) - thing (on ?p - place) - thing)
 (:action fetch :agent ?a - cook :parameters (?x - thing ?p - place)
  :precondition (and (reaches ?a ?p) (offers ?p ?x) (= (hand ?a) undefined))
  :effect (assign (hand ?a) ?x))
 (:action take :agent ?a - cook :parameters (?x - thing ?p - place)
  :precondition (and (reaches ?a ?p) (= (on ?p) ?x) (= (hand ?a) undefined))
  :effect (and (assign (hand ?a) ?x) (assign (on ?p) undefined)))
 (:action put :agent ?a - cook :parameters (?p - place)
  :precondition (and (reaches ?a ?p) (= (on ?p) undefined) (not (= (hand ?a) undefined)))
  :effect (and (assign (on ?p) (hand ?a)) (assign (hand ?a) undefined)))
 (:action cut :agent ?a - cook :parameters (?p - place ?x ?y - thing)
  :precondition (and (reaches ?a ?p) (cuts ?p) (sliced ?x ?y) (= (on ?p) ?x))
  :effect (after {board} (when (= (on ?p) ?x) (assign (on ?p) ?y))))
 (:action boil :agent ?a - cook :parameters (?p - place ?x ?y - thing)
  :precondition (and (reaches ?a ?p) (boils ?p) (boiled ?x ?y) (= (on ?p) ?x))
  :effect (after {pot} (when (= (on ?p) ?x) (assign (on ?p) ?y))))
 (:action serve :agent ?a - cook :parameters (?x - thing)
  :precondition (and (= (hand ?a) ?x) (ordered ?x) (= ?a chef))
  :effect (and (served ?x) (assign (hand ?a) undefined))))"
    );
    let mut init = vec![
        "(cuts board) (boils pot)".to_owned(),
        "(sliced onion onion-slices) (boiled onion-slices soup)".to_owned(),
    ];
    let counters = 1 + random.below(2);
    let mut places = vec!["board", "pot", "store"];
    places.extend(["counter", "ledge"].iter().take(counters));
    for counter in &places[3..] {
        init.push(format!(
            "(reaches chef {counter}) (reaches assistant {counter})"
        ));
    }
    for (place, owner, other) in [
        ("board", "assistant", "chef"),
        ("pot", "chef", "assistant"),
        ("store", "assistant", "chef"),
    ] {
        init.push(format!("(reaches {owner} {place})"));
        if random.below(6) == 0 {
            init.push(format!("(reaches {other} {place})"));
        }
    }
    init.push("(offers store onion)".to_owned());
    let orders: &[&str] = match random.below(4) {
        0 => &["onion-slices"],
        1 => &["soup", "egg"],
        _ => &["soup"],
    };
    if orders.len() > 1 {
        init.push("(offers store egg)".to_owned());
    } else if random.below(3) == 0 {
        // Two ways to what is ordered.
        init.push("(boiled onion soup)".to_owned());
    }
    if random.below(3) == 0 {
        init.push(format!(
            "(= (on {}) onion-slices)",
            ["board", "counter"][random.below(2)]
        ));
    }
    let goals: String = orders
        .iter()
        .map(|order| format!("(served {order})"))
        .collect();
    let ordered = orders.iter().map(|order| format!("(ordered {order})"));
    init.extend(ordered);
    let problem = format!(
        "(define (problem p) (:domain handovers)
 (:objects {} - place onion onion-slices soup egg - thing)
 (:init {})
 (:goal (and {goals})))",
        places.join(" "),
        init.join(" "),
    );
    (domain, problem)
}
