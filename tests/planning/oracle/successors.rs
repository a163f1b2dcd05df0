//! Applicable operators found fast against those found one by one.

use brigade::search::Objective;
use brigade::task::OperatorId;
use brigade::task::effect::Record;
use brigade::task::successors::SuccessorGenerator;

use crate::oracle::brute_force::graph;
use crate::oracle::compile::compile;
use crate::oracle::random;

/// Tasks with more states are left out.
const MOST_STATES: usize = 1500;

#[test]
fn a_generator_finds_the_operators_that_are_applicable() {
    let (mut states, mut found_some) = (0, 0);
    for seed in 0..500 {
        let task = random::task(seed);
        let Some(graph) = graph(&task, Objective::Makespan, MOST_STATES) else {
            continue;
        };
        for agent in 0..task.agents.len() {
            let mut generator = SuccessorGenerator::new(&task, agent);
            for state in &graph.states {
                let mut found: Vec<OperatorId> = Vec::new();
                generator.applicable(&task, state, &mut found);
                found.sort_unstable();
                let expected: Vec<OperatorId> = task.applicable(state, agent).collect();
                assert_eq!(found, expected, "seed {seed}, agent {agent}, {state:?}");
                states += 1;
                found_some += u32::from(!found.is_empty());
            }
        }
    }
    assert!(
        states > 10_000 && found_some > 5_000,
        "{states}, {found_some}"
    );
}

/// Two travellers on a ring of more places than a table of branches lists, some of which have a bell.
#[test]
fn variables_of_many_values_are_distinguished() {
    let domain = "(define (domain ring) (:requirements :typing :multi-agent)
        (:types place traveller) (:constants ann bob - traveller)
        (:predicates (at ?t - traveller ?x - place) (next ?x ?y - place) (bell ?x - place) (rung))
        (:action go :agent ?t - traveller :parameters (?x ?y - place)
          :precondition (and (at ?t ?x) (next ?x ?y)) :effect (and (at ?t ?y) (not (at ?t ?x))))
        (:action ring :agent ?t - traveller :parameters (?x - place)
          :precondition (and (at ?t ?x) (bell ?x) (at ann ?x)) :effect (rung)))";
    let places = 1200;
    let names: Vec<String> = (0..places).map(|index| format!("n{index}")).collect();
    let next = (0..places).map(|index| format!("(next n{index} n{})", (index + 1) % places));
    let bells = (0..places)
        .step_by(7)
        .map(|index| format!("(bell n{index})"));
    let init: Vec<String> = next.chain(bells).collect();
    let problem = format!(
        "(define (problem p) (:domain ring) (:objects {} - place)
          (:init (at ann n0) (at bob n3) {}) (:goal (and (rung) (at bob n5) (at ann n7))))",
        names.join(" "),
        init.join(" ")
    );
    let task = compile(domain, &problem);
    let mut state = task.initial.clone();
    let mut found_some = 0;
    let agents = 0..task.agents.len();
    let mut generators: Vec<SuccessorGenerator> = (agents.clone())
        .map(|agent| SuccessorGenerator::new(&task, agent))
        .collect();
    for tick in 0..3000 {
        for agent in agents.clone() {
            let generator = &mut generators[agent];
            let mut found: Vec<OperatorId> = Vec::new();
            generator.applicable(&task, &state, &mut found);
            found.sort_unstable();
            let expected: Vec<OperatorId> = task.applicable(&state, agent).collect();
            assert_eq!(found, expected, "tick {tick}, agent {agent}");
            found_some += u32::from(found.len() > 2);
            let chosen = found[tick * (agent + 3) % found.len()];
            task.act(&mut state, chosen, &mut Record::default());
        }
    }
    assert!(found_some > 100, "{found_some}");
}
