//! Facts of small kitchens in which it is plain who does what.

use std::cell::Cell;
use std::num::NonZeroUsize;

use super::alone::Alone;
use super::hand_overs::hand_overs;
use super::questions::Questions;
use super::{Derived, Effort, HandOvers, Solution, text};
use brigade_compile::ground::{self, ground};
use brigade_compile::sema::model::Model;
use brigade_compile::sema::{self, Files, resolve};
use brigade_diagnostics::{Colour, Diagnostics, Sources, render_all};
use brigade_search::dag::PlanDag;
use brigade_search::{Control, SearchOptions, StopReason, Unlimited, solve};
use brigade_syntax::{parse_domain, parse_problem};
use brigade_task::PackedTask;

const EFFORT: Effort = Effort {
    states: 10_000,
    threads: NonZeroUsize::MIN,
};

fn model(domain: &str, problem: &str) -> Model {
    let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
    let files = Files {
        domain: sources.add("domain", domain),
        problem: sources.add("problem", problem),
    };
    let domain = parse_domain(files.domain, domain, &mut found);
    let problem = parse_problem(files.problem, problem, &mut found);
    let options = sema::Options::default();
    let model = resolve(&domain, &problem, &options, files, &mut found);
    model.unwrap_or_else(|| panic!("{}", render_all(&found, &sources, Colour::Plain)))
}

fn task(domain: &str, problem: &str) -> PackedTask {
    ground(&model(domain, problem), &ground::Options::default()).unwrap()
}

fn solution(domain: &str, problem: &str) -> Solution {
    let model = model(domain, problem);
    let task = ground(&model, &ground::Options::default()).unwrap();
    let derived = Derived::new(&model, &task, Some(&EFFORT), &Unlimited).unwrap();
    derived.facts.solution.unwrap()
}

fn all_plans(task: &PackedTask) -> PlanDag {
    let options = SearchOptions::default().with_all_plans(true);
    solve(task, &options, &Unlimited).dag.unwrap()
}

/// A kitchen of two cooks: what each can do is in the problem's facts.
fn kitchen(turns: &str, can: &str) -> (String, String) {
    let domain = format!(
        "(define (domain kitchen)
 (:requirements :adl :multi-agent :delayed-effects :object-fluents)
 (:turns {turns})
 (:types cook thing - object)
 (:constants ann bob - cook raw done - thing)
 (:predicates (can-fetch ?c - cook) (can-boil ?c - cook) (can-serve ?c - cook)
  (left) (lit) (needs-light) (served))
 (:functions (holds ?c - cook) - thing (counter) - thing (pot) - thing (used) - thing)
 (:action fetch :agent ?c - cook
  :precondition (and (can-fetch ?c) (left) (= (holds ?c) undefined))
  :effect (and (not (left)) (assign (holds ?c) raw)))
 (:action put :agent ?c - cook :parameters (?x - thing)
  :precondition (and (= (holds ?c) ?x) (= (counter) undefined))
  :effect (and (assign (counter) ?x) (assign (holds ?c) undefined)))
 (:action take :agent ?c - cook :parameters (?x - thing)
  :precondition (and (= (counter) ?x) (= (holds ?c) undefined))
  :effect (and (assign (holds ?c) ?x) (assign (counter) undefined)))
 (:action light :agent ?c - cook
  :precondition (and (can-fetch ?c) (needs-light) (not (lit)))
  :effect (lit))
 (:action boil :agent ?c - cook
  :precondition (and (can-boil ?c) (= (holds ?c) raw) (or (not (needs-light)) (lit)))
  :effect (and (assign (holds ?c) undefined) (after 2 (assign (pot) done))))
 (:action serve :agent ?c - cook
  :precondition (and (can-serve ?c) (= (pot) done) (or (not (needs-light)) (lit)))
  :effect (and (served) (assign (pot) undefined)))
 (:action drop :agent ?c - cook
  :precondition (= (holds ?c) raw)
  :effect (assign (holds ?c) undefined)))"
    );
    let problem = format!(
        "(define (problem p) (:domain kitchen)
 (:init (left) {can}) (:goal (served)))"
    );
    (domain, problem)
}

fn hand_overs_where(turns: &str, can: &str) -> Option<HandOvers> {
    let (domain, problem) = kitchen(turns, can);
    solution(&domain, &problem).hand_overs
}

const fn exactly(number: u32) -> HandOvers {
    HandOvers {
        least: number,
        most: number,
    }
}

const TURNS: [&str; 3] = ["sequential", "simultaneous", "alternate"];

#[test]
fn who_does_all_hands_nothing_over() {
    for turns in TURNS {
        let can = "(can-fetch ann) (can-boil ann) (can-serve ann)";
        assert_eq!(hand_overs_where(turns, can), Some(exactly(0)), "{turns}");
    }
}

#[test]
fn a_thing_that_is_put_down_and_taken_is_handed_over_once() {
    for turns in TURNS {
        let can = "(can-fetch ann) (can-boil bob) (can-serve bob)";
        assert_eq!(hand_overs_where(turns, can), Some(exactly(1)), "{turns}");
    }
}

#[test]
fn what_a_delayed_effect_makes_is_the_work_of_who_started_it() {
    for turns in TURNS {
        let can = "(can-fetch ann) (can-boil ann) (can-serve bob)";
        assert_eq!(hand_overs_where(turns, can), Some(exactly(1)), "{turns}");
        let can = "(can-fetch bob) (can-boil ann) (can-serve bob)";
        assert_eq!(hand_overs_where(turns, can), Some(exactly(2)), "{turns}");
    }
}

#[test]
fn what_another_has_made_true_is_handed_over_once_however_often_it_is_used() {
    for turns in TURNS {
        let can = "(needs-light) (can-fetch ann) (can-boil bob) (can-serve bob)";
        // The raw thing, and the light, which boiling and serving need.
        assert_eq!(hand_overs_where(turns, can), Some(exactly(2)), "{turns}");
    }
}

#[test]
fn where_plans_differ_the_least_and_the_most_are_reported() {
    let can = "(can-fetch ann) (can-boil ann) (can-boil bob) (can-serve ann) (can-serve bob)";
    // Putting down takes a step, so ann boils; who serves is open.
    let expected = HandOvers { least: 0, most: 1 };
    assert_eq!(hand_overs_where("sequential", can), Some(expected));
}

#[test]
fn merging_what_plans_have_in_common_loses_none_of_them() {
    let mut compared = 0;
    for turns in TURNS {
        let can = "(needs-light) (can-fetch ann) (can-fetch bob) (can-boil ann) (can-boil bob) \
                   (can-serve ann) (can-serve bob)";
        let (domain, problem) = kitchen(turns, can);
        let task = task(&domain, &problem);
        let dag = all_plans(&task);
        let found = hand_overs(&task, &dag, 100_000).unwrap();
        // The same of each plan by itself.
        let plans = plans(&dag);
        compared += plans.len();
        let of_each = plans.iter().map(|plan| {
            let one = hand_overs(&task, plan, 1_000).unwrap();
            assert_eq!(one.least, one.most, "{turns}");
            one.least
        });
        let of_each: Vec<u32> = of_each.collect();
        assert_eq!(of_each.iter().min(), Some(&found.least), "{turns}");
        assert_eq!(of_each.iter().max(), Some(&found.most), "{turns}");
    }
    // In turn there is one plan only; otherwise there is something to merge.
    assert!(compared > 8, "{compared} plans");
}

/// Each plan of a graph as a graph of its own.
fn plans(dag: &PlanDag) -> Vec<PlanDag> {
    let mut found = Vec::new();
    let mut open = vec![(0_usize, Vec::new())];
    while let Some((node, path)) = open.pop() {
        if dag.nodes[node].is_final {
            found.push(path);
            continue;
        }
        let range = dag.first_edge[node]..dag.first_edge[node + 1];
        for index in range {
            let mut path: Vec<u32> = path.clone();
            path.push(index);
            open.push((dag.edges[index as usize].target.index(), path));
        }
    }
    let plan = |path: Vec<u32>| {
        let mut plan = PlanDag::default();
        plan.nodes.push(dag.nodes[0]);
        for (index, position) in path.into_iter().zip(0..) {
            let mut edge = dag.edges[index as usize].clone();
            plan.nodes.push(dag.nodes[edge.target.index()]);
            edge.source.0 = position;
            edge.target.0 = position + 1;
            plan.first_edge.push(position);
            plan.edges.push(edge);
        }
        let edges = plan.edges.len() as u32;
        plan.first_edge.extend([edges, edges]);
        plan
    };
    found.into_iter().map(plan).collect()
}

#[test]
fn beyond_the_limit_hand_overs_are_not_known() {
    let (domain, problem) = kitchen(
        "sequential",
        "(can-fetch ann) (can-boil ann) (can-serve bob)",
    );
    let task = task(&domain, &problem);
    let dag = all_plans(&task);
    assert_eq!(hand_overs(&task, &dag, 3), None);
}

#[test]
fn collaboration_is_forced_where_no_agent_can_be_left_out() {
    let forced = |can: &str| {
        let (domain, problem) = kitchen("simultaneous", can);
        let found = solution(&domain, &problem);
        let without = found.without.iter();
        let without: Vec<_> = without
            .map(|alone| (alone.agent.clone(), alone.solvable, alone.makespan))
            .collect();
        (found.forced, without)
    };
    let (ann, bob) = ("ann".to_owned(), "bob".to_owned());
    assert_eq!(
        forced("(can-fetch ann) (can-boil bob) (can-serve bob)"),
        (
            Some(true),
            vec![
                (ann.clone(), Some(false), None),
                (bob.clone(), Some(false), None)
            ]
        )
    );
    assert_eq!(
        forced("(can-fetch ann) (can-boil ann) (can-serve ann) (can-serve bob)"),
        (
            Some(false),
            vec![(ann, Some(false), None), (bob, Some(true), Some(4))]
        )
    );
}

#[test]
fn states_from_which_the_goal_is_out_of_reach_are_dead_ends() {
    // Once the only raw thing is dropped there is no other.
    let (domain, problem) = kitchen(
        "sequential",
        "(can-fetch ann) (can-boil ann) (can-serve ann)",
    );
    let found = solution(&domain, &problem).reach.unwrap();
    assert!(
        found.dead_ends > 0 && found.dead_ends < found.states,
        "{found:?}"
    );
    let careful = domain.replace("(:action drop", "(:action drop :parameters (?x - none)");
    let careful = careful.replace("(:types cook", "(:types none cook");
    let careful = solution(&careful, &problem).reach.unwrap();
    assert_eq!(careful.dead_ends, 0);
    assert!(careful.states < found.states);
}

#[test]
fn what_is_not_known_within_the_limit_is_not_guessed() {
    let (domain, problem) = kitchen(
        "sequential",
        "(can-fetch ann) (can-boil bob) (can-serve ann)",
    );
    let model = model(&domain, &problem);
    let task = ground(&model, &ground::Options::default()).unwrap();
    let effort = Effort {
        states: 5,
        ..EFFORT
    };
    let derived = Derived::new(&model, &task, Some(&effort), &Unlimited).unwrap();
    let found = derived.facts.solution.unwrap();
    assert!(found.stopped.is_some());
    assert_eq!(
        (found.solvable, found.makespan, found.plans),
        (None, None, None)
    );
    assert_eq!(
        (found.reach, found.hand_overs, found.forced),
        (None, None, None)
    );
    assert!(derived.found.is_none());
    let derived = Derived::new(&model, &task, None, &Unlimited).unwrap();
    assert_eq!(derived.facts.solution, None);
}

#[test]
fn a_problem_without_a_plan_is_said_to_have_none() {
    let (domain, problem) = kitchen("sequential", "(can-fetch ann)");
    let found = solution(&domain, &problem);
    assert_eq!(found.solvable, Some(false));
    assert_eq!((found.makespan, found.forced), (None, None));
    let reach = found.reach.unwrap();
    assert_eq!(reach.states, reach.dead_ends);
}

#[test]
fn sizes_count_the_instances_of_an_action_that_can_ever_apply() {
    let (domain, problem) = kitchen(
        "sequential",
        "(can-fetch ann) (can-boil ann) (can-serve ann)",
    );
    let model = model(&domain, &problem);
    let task = ground(&model, &ground::Options::default()).unwrap();
    let sizes = Derived::new(&model, &task, None, &Unlimited)
        .unwrap()
        .facts
        .sizes;
    let of = |name: &str| {
        let mut actions = sizes.actions.iter();
        let action = actions.find(|action| action.name == name).unwrap();
        (action.instances.clone(), action.operators)
    };
    assert_eq!(of("fetch"), ("2".to_owned(), 1));
    // Nobody can hold what is done.
    assert_eq!(of("put"), ("4".to_owned(), 2));
    assert_eq!(of("light"), ("2".to_owned(), 0));
    let total: usize = sizes.actions.iter().map(|action| action.operators).sum();
    let by_agent: usize = sizes.agents.iter().map(|agent| agent.actions).sum();
    assert_eq!(total, by_agent);
}

#[test]
fn searched_to_the_end_is_said_only_where_no_question_is_left() {
    let (domain, problem) = kitchen(
        "sequential",
        "(can-fetch ann) (can-boil bob) (can-serve ann)",
    );
    let model = model(&domain, &problem);
    let task = ground(&model, &ground::Options::default()).unwrap();
    let mut were_left = false;
    for states in (1..80).chain([10_000]) {
        let effort = Effort { states, ..EFFORT };
        let derived = Derived::new(&model, &task, Some(&effort), &Unlimited).unwrap();
        let text = text::problem(&derived.facts);
        let is_left = text.contains("not known");
        assert_eq!(text.contains("searched: to the end"), !is_left, "{text}");
        were_left |= is_left;
    }
    assert!(were_left);
}

#[test]
fn what_can_be_reached_is_known_of_a_goal_that_holds_at_the_start() {
    let (domain, problem) = kitchen("sequential", "");
    let (before, _) = problem.split_once("(:goal").unwrap();
    let found = solution(&domain, &format!("{before}(:goal (and)))"));
    let reach = found.reach.unwrap();
    assert_eq!((reach.states, reach.dead_ends), (1, 0));
    assert_eq!(found.undecided, []);
}

/// Stops everything once it was asked so often.
struct Patience(Cell<u32>);

impl Control for Patience {
    fn stop(&self) -> Option<StopReason> {
        let left = self.0.get().checked_sub(1);
        self.0.set(left.unwrap_or_default());
        left.is_none().then_some(StopReason::Time)
    }
}

#[test]
fn a_question_that_few_states_decide_is_answered_beside_one_that_takes_all_the_time() {
    let model = model(
        include_str!("../../../../tests/data/facts/deli-domain.pddl"),
        include_str!("../../../../tests/data/facts/deli-supper.pddl"),
    );
    let task = ground(&model, &ground::Options::default()).unwrap();
    let effort = Effort {
        states: 300_000,
        ..EFFORT
    };
    let patience = Patience(Cell::new(10_000));
    let questions = Questions::ask(&task, &effort, &patience).unwrap();
    let mut without = questions.without.iter();
    let baker = without.find(|alone| alone.agent == "baker");
    assert_eq!(baker.unwrap().solvable, Some(false));
    let undecided = questions.undecided();
    let open = |question: &str| undecided.iter().any(|it| it.question == question);
    assert!(open("reachable") && open("optimal plans") && !open("without baker"));
}

#[test]
fn once_the_time_is_up_no_search_is_begun_for_another_agent() {
    let (domain, problem) = kitchen(
        "sequential",
        "(can-fetch ann) (can-boil ann) (can-serve ann)",
    );
    let task = task(&domain, &problem);
    let questions = Questions::ask(&task, &EFFORT, &Patience(Cell::new(0))).unwrap();
    assert_eq!(questions.without.len(), 2);
    let of_time = |alone: &Alone| alone.stopped == Some(StopReason::Time);
    assert!(questions.without.iter().all(of_time));
}
