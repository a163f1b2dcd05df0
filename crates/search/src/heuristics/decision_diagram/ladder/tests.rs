//! Diagrams of random kitchens, against the cost-to-go of all states.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::*;
use crate::Unlimited;
use crate::algorithms::anytime::testing::task;
use crate::space::expand::halves;
use brigade_task::split_mix::SplitMix;

/// Cooks on a line of cells carry portions to a pot at its end, which cooks by itself once it has enough, and the
/// dish back. Portions may lie on a counter on the way.
fn kitchen(seed: u64) -> PackedTask {
    let mut random = SplitMix::new(seed, 0);
    let mut below = |limit: usize| random.below(limit);
    let turns = ["simultaneous", "sequential"][below(2)];
    let (cells, portions, ticks) = (2 + below(2), 1 + below(2), 1 + below(3));
    let last = cells - 1;
    let names: String = (0..cells).map(|cell| format!("c{cell} ")).collect();
    let domain = format!(
        "(define (domain line)
          (:requirements :multi-agent :typing :equality :negative-preconditions :object-fluents :numeric-fluents
            :bounded-numbers :events)
          (:types cook cell thing)
          (:constants portion dish - thing {names}- cell)
          (:predicates (next ?a ?b - cell) (cooking) (served))
          (:functions (at ?c - cook) - cell (holds ?c - cook) - thing (lies) - thing
                      (in-pot) - (int 0 2) (cooked-for) - (int 0 4))
          (:turns {turns})
          (:action walk :agent ?c - cook :parameters (?to - cell) :precondition (next (at ?c) ?to)
            :effect (assign (at ?c) ?to))
          (:action take :agent ?c - cook :precondition (and (= (at ?c) c0) (= (holds ?c) undefined))
            :effect (assign (holds ?c) portion))
          (:action put-down :agent ?c - cook
            :precondition (and (not (= (holds ?c) undefined)) (= (lies) undefined))
            :effect (and (assign (lies) (holds ?c)) (assign (holds ?c) undefined)))
          (:action pick-up :agent ?c - cook
            :precondition (and (= (holds ?c) undefined) (not (= (lies) undefined)))
            :effect (and (assign (holds ?c) (lies)) (assign (lies) undefined)))
          (:action add :agent ?c - cook
            :precondition (and (= (at ?c) c{last}) (= (holds ?c) portion) (not (cooking)))
            :effect (and (increase (in-pot) 1) (assign (holds ?c) undefined)))
          (:action fill :agent ?c - cook
            :precondition (and (= (at ?c) c{last}) (= (holds ?c) undefined) (cooking) (>= (cooked-for) {ticks}))
            :effect (and (assign (holds ?c) dish) (not (cooking)) (assign (in-pot) 0) (assign (cooked-for) 0)))
          (:action serve :agent ?c - cook :precondition (and (= (at ?c) c0) (= (holds ?c) dish))
            :effect (served))
          (:event cook :precondition (cooking) :effect (increase (cooked-for) 1))
          (:event light :precondition (and (not (cooking)) (>= (in-pot) {portions})) :effect (cooking)))"
    );
    let way: String = (0..last)
        .map(|cell| {
            format!(
                "(next c{cell} c{next}) (next c{next} c{cell})",
                next = cell + 1
            )
        })
        .collect();
    let starts = [below(cells), below(cells)];
    let problem = format!(
        "(define (problem one-dish) (:domain line) (:objects a b - cook)
          (:init {way} (= (at a) c{}) (= (at b) c{}) (= (in-pot) 0) (= (cooked-for) 0))
          (:goal (served)))",
        starts[0], starts[1]
    );
    task(&domain, &problem)
}

/// The states that a timestep leads to.
fn successors(expander: &mut Expander, state: &State, halves: usize) -> Vec<StateBuf> {
    let mut states = vec![state.to_owned()];
    for half in 0..halves {
        let mut next = Vec::new();
        for state in &states {
            let _: ControlFlow<()> = expander.expand(half, state, |successor| {
                next.push(successor.state.to_owned());
                ControlFlow::Continue(())
            });
        }
        next.sort_unstable();
        next.dedup();
        states = next;
    }
    states
}

/// All states, each with the ticks from the start and to the goal.
fn distances(task: &PackedTask) -> BTreeMap<StateBuf, (u32, Option<u32>)> {
    let mut expander = Expander::new(task);
    let halves = halves(task);
    let mut found: BTreeMap<StateBuf, (u32, Option<u32>)> = BTreeMap::new();
    found.insert(task.initial.clone(), (0, None));
    let mut steps: Vec<(StateBuf, Vec<StateBuf>)> = Vec::new();
    let mut layer = vec![task.initial.clone()];
    for tick in 1.. {
        let mut next = Vec::new();
        for state in layer {
            if task.is_goal(&state) {
                continue;
            }
            let reached = successors(&mut expander, &state, halves);
            for successor in &reached {
                if !found.contains_key(successor) {
                    let to_goal = task.is_goal(successor).then_some(0);
                    found.insert(successor.clone(), (tick, to_goal));
                    next.push(successor.clone());
                }
            }
            steps.push((state, reached));
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    loop {
        let mut has_changed = false;
        for (state, reached) in &steps {
            let to_goal = reached
                .iter()
                .filter_map(|successor| found[successor].1)
                .min();
            let to_goal = to_goal.map(|ticks| ticks + 1);
            let known = &mut found.get_mut(state).expect("it was met").1;
            has_changed |= *known != to_goal;
            *known = to_goal;
        }
        if !has_changed {
            return found;
        }
    }
}

#[test]
fn every_state_on_a_plan_is_in_all_diagrams_of_its_horizon_and_no_bound_exceeds_its_cost_to_go() {
    let mut compared = 0;
    for seed in 0..24 {
        let task = kitchen(seed);
        let distances = distances(&task);
        let Some(optimum) = distances[&task.initial].1 else {
            continue;
        };
        let mut ladder = Ladder::new(&task, &task.initial).expect("it has a goal");
        ladder.agents = Together::InOneKey;
        let variables = 0..task.variables.len() as u32;
        let others =
            variables.filter(|variable| !ladder.own.iter().any(|own| own.contains(variable)));
        let others: Vec<u32> = others.collect();
        let (ticking, idle): (Vec<u32>, Vec<u32>) =
            (others.iter()).partition(|&&variable| ladder.read_by_tick[variable as usize]);
        for shared in [Vec::new(), ticking[..1].to_vec(), ticking, idle] {
            ladder.shared = shared;
            for horizon in optimum..=optimum + 3 {
                let mut diagrams: Vec<Diagram> = Vec::new();
                let mut budget = Budget {
                    control: &Unlimited,
                    threads: 1,
                    bytes: usize::MAX,
                    work: u64::MAX,
                };
                for key in ladder.keys() {
                    let expansion = Expansion::new(&ladder.model, key.variables);
                    let coarser: Vec<&Diagram> = diagrams.iter().collect();
                    let row = exact(&ladder.model, &task.initial);
                    let built = Diagram::build(&expansion, &row, &coarser, horizon, &mut budget);
                    diagrams.push(built.expect("no limit was set"));
                }
                for (state, &(from_start, to_goal)) in &distances {
                    let Some(to_goal) = to_goal.filter(|ticks| from_start + ticks <= horizon)
                    else {
                        continue;
                    };
                    let row = exact(&ladder.model, state);
                    for (diagram, key) in diagrams.iter().zip(ladder.keys()) {
                        let key = key.variables;
                        let bound = diagram.remaining(&ladder.model.domains, &row);
                        assert!(
                            bound.is_some_and(|bound| bound <= to_goal),
                            "seed {seed}, horizon {horizon}, key {key:?}: {bound:?} of {to_goal}"
                        );
                        compared += 1;
                    }
                }
            }
        }
    }
    assert!(compared > 10_000, "{compared}");
}

#[test]
fn the_first_horizon_with_a_plan_is_the_optimum() {
    let mut with_flaws = 0;
    for seed in 0..24 {
        let task = kitchen(seed);
        let optimum = distances(&task)[&task.initial]
            .1
            .expect("a dish can be served");
        let mut ladder = Ladder::new(&task, &task.initial).expect("it has a goal");
        // Walks that are lost at once need flaws.
        ladder.narrow = if seed % 2 == 0 { 1 } else { NARROW };
        let limits = Limits {
            control: &Unlimited,
            threads: 2,
            bytes: usize::MAX,
            work: u64::MAX,
        };
        let first = (1..).find_map(|horizon| match ladder.decide(horizon, &limits) {
            Verdict::Refuted => None,
            Verdict::Plan(plan, _) => Some((horizon, plan.len() as u32)),
            Verdict::Open => panic!("seed {seed}: no limit was set"),
        });
        assert_eq!(first, Some((optimum, optimum)), "seed {seed}");
        with_flaws += usize::from(!ladder.shared.is_empty());
    }
    assert!(with_flaws > 0);
}

/// The fewest ticks in which a diagram without a key reaches the goal.
fn first_open(model: &Model, task: &PackedTask) -> u32 {
    let expansion = Expansion::new(model, Vec::new());
    let row = exact(model, &task.initial);
    let mut budget = Budget {
        control: &Unlimited,
        threads: 1,
        bytes: usize::MAX,
        work: u64::MAX,
    };
    let mut reaches = |horizon: &u32| {
        let built = Diagram::build(&expansion, &row, &[], *horizon, &mut budget);
        built.expect("no limit was set").reaches_goal
    };
    (1..100)
        .find(|horizon| reaches(horizon))
        .expect("there is a plan")
}

#[test]
fn what_an_agent_has_together_shows_more_than_its_variables_one_by_one() {
    let mut more = 0;
    for seed in 0..24 {
        let task = kitchen(seed);
        if distances(&task)[&task.initial].1.is_none() {
            continue;
        }
        let ladder = Ladder::new(&task, &task.initial).expect("it has a goal");
        let (tied, single) = (
            first_open(&ladder.model, &task),
            first_open(&Model::new(&task), &task),
        );
        assert!(tied >= single, "seed {seed}: {tied} {single}");
        more += usize::from(tied > single);
    }
    assert!(more >= 12, "{more}");
}
