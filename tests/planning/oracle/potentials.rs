//! Potentials where their value is known: exact ones, none, and what they must refuse.

use std::time::{Duration, Instant};

use brigade::search::{HeuristicChoice, LowerBounds, Objective, SearchOptions, Unlimited, solve};
use brigade::task::cond::{Cond, Expr};
use brigade::task::effect::Effect;
use brigade::task::layout::Variable;
use brigade::task::symbols::Value;
use brigade::task::{Metric, PackedTask, TurnMode};

use crate::oracle::brute_force::graph;
use crate::oracle::builder::{Builder, gripper};
use crate::oracle::compile::compile;
use crate::oracle::families::generate;
use crate::oracle::limits::{counters, tolls};
use crate::oracle::lower_bounds::assert_bounds;

fn potentials(task: &PackedTask, objective: Objective) -> Option<LowerBounds<'_>> {
    let choice = HeuristicChoice::Potentials;
    LowerBounds::new(task, &task.initial, objective, choice, &Unlimited)
}

/// Returns the potential of the start: ticks, or the cost where the metric is one.
fn at_start(task: &PackedTask) -> Option<i64> {
    let bound = potentials(task, Objective::Declared)?.of(&task.initial)?;
    let is_cost = task.metric != Metric::Makespan;
    Some(if is_cost {
        bound.cost
    } else {
        bound.makespan.into()
    })
}

/// All states of a small task.
fn hold_everywhere(task: &PackedTask, objective: Objective) {
    let graph = graph(task, objective, 3000).expect("the task is small");
    let mut bounds = potentials(task, objective).expect("something is told");
    let choice = HeuristicChoice::Potentials;
    assert_bounds("built", task, objective, &graph, choice, &mut bounds);
}

#[test]
fn independent_counters_are_counted_exactly() {
    for (digits, goal) in [(1, 3), (3, 2), (4, 3), (12, 1)] {
        let task = counters(digits, goal).done();
        assert_eq!(at_start(&task), Some(digits as i64 * i64::from(goal)));
    }
    hold_everywhere(&counters(4, 3).done(), Objective::Declared);
}

#[test]
fn the_bound_of_gripper_is_exact() {
    for (balls, makespan) in [(2, 5), (4, 11), (6, 17), (8, 23), (10, 29), (20, 59)] {
        let texts = generate(&format!("gripper-{balls}")).unwrap();
        let task = compile(&texts.domain, &texts.problem);
        assert_eq!(at_start(&task), Some(makespan), "{balls} balls");
    }
    // Here a hand that is full does not know by what, and the bound is lower.
    hold_everywhere(&gripper(4), Objective::Declared);
}

/// The place of a carried thing is known by the thing alone, where it is by others too: only mutexes show that it is
/// nowhere else. Who may put three things at either of two tables needs potentials for each.
#[test]
fn the_bound_of_a_kitchen_is_most_of_its_optimum() {
    let domain = include_str!("../../../domains/robotouille.pddl");
    let problem =
        include_str!("../../../problems/robotouille/synchronous-2_lettuce_tomato_sandwich.pddl");
    let task = compile(domain, problem);
    let bound = at_start(&task).unwrap();
    assert!((20..=24).contains(&bound), "{bound} of 24");
}

/// An event that happens at a place makes agents go there: that pair is known by the tick alone.
#[test]
fn the_way_to_where_an_event_happens_counts() {
    let domain = "(define (domain oven)
 (:requirements :adl :events)
 (:types place)
 (:predicates (at ?p - place) (hot ?p - place) (baked))
 (:action move :parameters (?s ?t - place)
  :precondition (and (at ?s) (not (= ?s ?t)))
  :effect (and (not (at ?s)) (at ?t)))
 (:event bake :parameters (?p - place)
  :precondition (and (at ?p) (hot ?p))
  :effect (baked)))";
    let problem = "(define (problem loaf) (:domain oven)
 (:objects table shelf oven - place)
 (:init (at table) (hot oven))
 (:goal (and (at table) (baked))))";
    let task = compile(domain, problem);
    assert_eq!(at_start(&task), Some(2));
    hold_everywhere(&task, Objective::Declared);
}

/// All states of an orbit get the same bound, however the goal's parts share the objects among them.
#[test]
fn states_that_differ_by_an_exchange_of_objects_have_equal_bounds() {
    let goals = [
        "(and (at a2 t3) (at a3 t3) (at b1 t1))",
        "(exists (?t - table) (and (at a1 ?t) (at b1 ?t)))",
        "(exists (?x - thing ?t - table)
           (and (is-a ?x) (at ?x ?t) (at b1 ?t) (not (= ?t t2))))",
        "(exists (?x ?y ?z - thing ?t - table)
           (and (is-a ?x) (is-a ?y) (not (= ?x ?y)) (is-b ?z) (at ?x ?t) (at ?y ?t) (at ?z ?t)))",
        // More than 64 parts, whose sums are added up in several stages.
        "(exists (?v ?w ?x ?y - thing ?s ?t - table)
           (and (is-a ?v) (is-a ?w) (not (= ?v ?w)) (is-b ?x) (is-b ?y) (not (= ?x ?y))
                (not (= ?s ?t)) (at ?v ?s) (at ?w ?s) (at ?x ?s) (at ?y ?t)))",
    ];
    for goal in goals {
        let task = tables(goal);
        hold_everywhere(&task, Objective::Declared);
        let graph = graph(&task, Objective::Declared, 3000).expect("the task is small");
        let mut bounds = potentials(&task, Objective::Declared).expect("something is told");
        for pair in [["a2", "a3"], ["b2", "b3"]] {
            let [left, right] = pair.map(|thing| place(&task, thing));
            let mut differing = 0;
            for state in &graph.states {
                let mut exchanged = state.clone();
                for (from, to) in [(left, right), (right, left)] {
                    let objects = |value: &Value| value.meaning.objects().last().copied();
                    let table = objects(&from.values[from.get(state) as usize]);
                    let same = |value: &Value| objects(value) == table;
                    let value = to.values.iter().position(same).expect("the same table");
                    to.set(&mut exchanged, value as u32);
                }
                assert_eq!(bounds.of(state), bounds.of(&exchanged), "{goal}");
                differing += usize::from(*state != exchanged);
            }
            assert!(differing > 0, "{goal}");
        }
    }
}

/// The variable that says where a thing is.
fn place<'t>(task: &'t PackedTask, thing: &str) -> &'t Variable {
    let text = format!("(at {thing} ");
    let mut variables = task.variables.iter();
    let found =
        variables.find(|variable| variable.values.iter().any(|it| it.name.starts_with(&text)));
    found.expect("a place for each thing")
}

/// Things of two kinds that lie on three tables and are carried one at a time.
fn tables(goal: &str) -> PackedTask {
    let domain = "(define (domain tables)
 (:types thing table)
 (:predicates (at ?x - thing ?t - table) (is-a ?x - thing) (is-b ?x - thing) (rested))
 (:action carry :parameters (?x - thing ?s ?t - table)
  :precondition (and (at ?x ?s) (not (= ?s ?t)) (rested))
  :effect (and (not (at ?x ?s)) (at ?x ?t) (not (rested))))
 (:action rest :parameters () :effect (rested)))";
    let problem = format!(
        "(define (problem six) (:domain tables)
 (:objects a1 a2 a3 b1 b2 b3 - thing t1 t2 t3 - table)
 (:init (is-a a1) (is-a a2) (is-a a3) (is-b b1) (is-b b2) (is-b b3) (rested)
  (at a1 t1) (at a2 t2) (at a3 t3) (at b1 t2) (at b2 t2) (at b3 t3))
 (:goal {goal}))"
    );
    compile(domain, &problem)
}

/// Where the bound of the start is exact, no state off the optimal plans is expanded.
#[test]
fn a_search_with_exact_potentials_goes_straight_to_the_goal() {
    let texts = generate("gripper-10").unwrap();
    let task = compile(&texts.domain, &texts.problem);
    let options = SearchOptions::default()
        .with_heuristic(HeuristicChoice::Potentials)
        // Potentials say nothing of labels.
        .with_objective(Objective::Makespan);
    let result = solve(&task, &options, &Unlimited);
    assert_eq!(result.outcome.plan().unwrap().value.makespan, 29);
    assert!(result.statistics.expanded < 1000, "{:?}", result.statistics);
}

/// A counter each of whose steps has a cost of its own.
fn priced(costs: &[i64], metric: Metric) -> PackedTask {
    let mut built = Builder::new(&[costs.len() as u32 + 1, 2], 1, TurnMode::Sequential);
    for (value, &cost) in (0..).zip(costs) {
        let pay = Effect::Cost(Expr::Constant(cost));
        let effect = Effect::Seq([built.set(0, value + 1), pay].into());
        built.operator(0, "next", &[(0, value)], Cond::True, effect);
    }
    let (toggle, back) = (built.set(1, 1), built.set(1, 0));
    built.operator(0, "toggle", &[(1, 0)], Cond::True, toggle);
    built.operator(0, "back", &[(1, 1)], Cond::True, back);
    built.task.goal = Some(built.all(&[(0, costs.len() as u32)]));
    built.task.metric = metric;
    built.done()
}

#[test]
fn steps_that_cost_nothing_count_nothing() {
    assert_eq!(at_start(&priced(&[0, 3, 0, 0, 4], Metric::Cost)), Some(7));
    assert_eq!(at_start(&tolls(Metric::Cost)), Some(4));
    hold_everywhere(&priced(&[0, 3, 0, 0, 4], Metric::Cost), Objective::Declared);
    hold_everywhere(&tolls(Metric::Cost), Objective::Cost);
    // Nothing costs anything: there is no bound, and the search goes by makespan.
    let free = priced(&[0, 0, 0], Metric::Cost);
    assert_eq!(at_start(&free), None);
    assert_eq!(value(&free), (0, 3));
}

#[test]
fn great_costs_are_not_overestimated() {
    for power in 0..18 {
        let great = 10_i64.pow(power);
        let costs = [3, great, 0, great / 7, 4 * great + 1];
        let task = priced(&costs, Metric::Cost);
        let bound = at_start(&task).unwrap_or(0);
        let sum = costs.iter().sum::<i64>();
        assert!(bound <= sum, "{bound} of {sum}");
        if power < 6 {
            assert!(bound >= sum - sum / 100, "{bound} of {sum}");
        }
        if bound > 0 {
            hold_everywhere(&task, Objective::Declared);
        }
    }
}

#[test]
fn what_may_improve_what_is_minimised_is_refused() {
    assert_eq!(at_start(&priced(&[2, -1, 2], Metric::Cost)), None);
    assert_eq!(at_start(&priced(&[2, 1], Metric::NegatedCost)), None);
    // Its makespan has a bound all the same.
    let task = priced(&[2, -1, 2], Metric::Cost);
    let bound = potentials(&task, Objective::Makespan)
        .unwrap()
        .of(&task.initial);
    assert_eq!(bound.unwrap().makespan, 3);
}

#[test]
fn a_total_that_only_falls_is_maximised_with_potentials() {
    let task = priced(&[-2, 0, -3], Metric::NegatedCost);
    assert_eq!(at_start(&task), Some(-5));
    assert_eq!(value(&task), (-5, 3));
    hold_everywhere(&task, Objective::Declared);
}

fn value(task: &PackedTask) -> (i64, u32) {
    let options = SearchOptions::default().with_heuristic(HeuristicChoice::Potentials);
    let result = solve(task, &options, &Unlimited);
    let value = result.outcome.plan().expect("there is a plan").value;
    (value.cost, value.makespan)
}

#[test]
fn labels_are_not_estimated() {
    let task = counters(3, 2).done();
    assert!(potentials(&task, Objective::Labels).is_none());
}

#[test]
fn tasks_with_nothing_in_them_are_no_errors() {
    for agents in 0..=2 {
        for turns in [TurnMode::Sequential, TurnMode::Simultaneous] {
            // Without a variable, without a goal, with one that holds, with one that cannot.
            let nothing = Builder::new(&[], agents, turns).done();
            assert_eq!(at_start(&nothing), None);
            let mut built = Builder::new(&[2], agents, turns);
            assert_eq!(at_start(&built.packed()), None);
            built.task.goal = Some(Cond::True);
            assert_eq!(at_start(&built.packed()), None);
            built.task.goal = Some(Cond::False);
            let _ = at_start(&built.packed());
            built.task.goal = Some(built.all(&[(0, 1)]));
            let _ = at_start(&built.packed());
        }
    }
    assert_eq!(at_start(&counters(3, 0).done()), None);
}

#[test]
fn of_a_disjunction_the_nearest_way_counts() {
    let mut built = counters(3, 2);
    let ways = [
        vec![(0, 3), (1, 2)],
        vec![(0, 1), (1, 1), (2, 2)],
        vec![(2, 3), (1, 3)],
    ];
    let ways = ways.map(|way| built.all(&way));
    built.task.goal = Some(Cond::any(ways.clone()));
    assert_eq!(at_start(&built.packed()), Some(4));
    hold_everywhere(&built.packed(), Objective::Declared);
    // One that is half true already, within a conjunction.
    let both = [built.all(&[(2, 1)]), Cond::any(ways)];
    built.task.goal = Some(Cond::all(both));
    hold_everywhere(&built.packed(), Objective::Declared);
}

/// More ways than are distinguished: each of five counters may stand at three values.
#[test]
fn too_many_ways_have_an_admissible_bound() {
    let mut built = counters(5, 3);
    let digits = (0..5).map(|digit| {
        let values = (1..4).map(|value| built.all(&[(digit, value)]));
        Cond::any(values.collect::<Vec<_>>())
    });
    built.task.goal = Some(Cond::all(digits.collect::<Vec<_>>()));
    let bound = at_start(&built.packed()).unwrap_or(0);
    assert!((0..=5).contains(&bound), "{bound}");
}

/// A class for each value of a variable takes memory quadratic in their number, and so does a case
/// for each tick of a delay.
#[test]
fn variables_and_delays_of_a_million_values_are_left_out() {
    let begin = Instant::now();
    let size = 1_000_000;
    let mut built = Builder::new(&[4, size, size, 2, 2], 1, TurnMode::Sequential);
    for value in 0..3 {
        let raise = built.set(0, value + 1);
        built.operator(0, "raise", &[(0, value)], Cond::True, raise);
    }
    // Values that are not distinguished may still change from one part of an effect to the next.
    let jump = [
        built.set(1, 7),
        Effect::When(built.all(&[(1, 7)]), built.set(3, 1).into()),
    ];
    built.operator(0, "jump", &[(1, 0)], Cond::True, Effect::Seq(jump.into()));
    let start = built.set(2, 5);
    built.operator(0, "start", &[(2, 0)], Cond::True, start);
    let due = built.set(4, 1);
    built.timer(2, due);
    built.task.goal = Some(built.all(&[(0, 3), (3, 1)]));
    assert_eq!(at_start(&built.packed()), Some(4));
    // What is due ends a delay of which nothing is known.
    built.task.goal = Some(built.all(&[(0, 3), (4, 1)]));
    assert_eq!(at_start(&built.packed()), Some(3));
    let took = begin.elapsed();
    assert!(took < Duration::from_secs(10), "{took:?}");
}

/// A timer runs out after five ticks. Pressing raises whatever pressing is worth; shuffling changes so
/// much at once that it has no potentials, and can be done meanwhile instead.
#[test]
fn what_has_no_potentials_can_still_be_chosen() {
    let (pressed, timer, rung, first_card, cards) = (0, 1, 2, 3, 10);
    let mut sizes = vec![2, 6, 2];
    sizes.extend(vec![2; cards]);
    let mut built = Builder::new(&sizes, 1, TurnMode::Sequential);
    let press = built.set(pressed, 1);
    built.operator(0, "press", &[(pressed, 0)], Cond::True, press);
    let turned = (first_card..first_card + cards).map(|card| {
        let is_down = Cond::Fact(built.fact(card, 0));
        Effect::When(is_down, built.set(card, 1).into())
    });
    let shuffle = Effect::Seq(turned.collect());
    built.operator(0, "shuffle", &[], Cond::True, shuffle);
    let ring = built.set(rung, 1);
    built.timer(timer, ring);
    built.task.variables[timer].set(&mut built.task.initial, 5);
    built.task.goal = Some(Cond::Fact(built.fact(rung, 1)));
    let task = built.done();
    let options = SearchOptions::default().with_heuristic(HeuristicChoice::Blind);
    let result = solve(&task, &options, &Unlimited);
    assert_eq!(result.outcome.plan().unwrap().value.makespan, 5);
    let bound = at_start(&task).unwrap_or(0);
    assert!(bound <= 5, "{bound} ticks");
}
