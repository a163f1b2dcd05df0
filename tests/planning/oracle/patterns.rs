//! Small random kitchens in which one cook fetches, stacks, cuts and cooks things, fills pots and bowls: the bounds of
//! patterns in every state against exhaustion.

use std::collections::BTreeSet;

use brigade::search::{HeuristicChoice, LowerBounds, Objective, Unlimited};
use brigade::task::cond::{Cond, Expr};
use brigade::task::effect::{Effect, Record};
use brigade::task::layout::VariableKind;
use brigade::task::symbols::{GroundFact, Meaning, Object, Predicate, PredicateKind, Value};
use brigade::task::{Metric, ObjectId, PackedTask, PredicateId, TurnMode};

use crate::oracle::builder::Builder;
use crate::oracle::compile::compile;
use crate::oracle::lower_bounds::compare_task;
use crate::oracle::random_domains::Random;

/// The number of kitchens that are tried.
const SEEDS: u64 = 60;
/// Those with more states are left out.
const MOST_STATES: usize = 15_000;

#[test]
fn no_plan_from_any_state_is_better_than_the_bounds_of_patterns() {
    let objectives = [Objective::Makespan, Objective::Cost];
    let (mut kitchens, mut informed, mut exact) = (0, 0, 0);
    for seed in 0..SEEDS {
        let is_priced = seed % 3 == 2;
        let task = kitchen(seed, is_priced);
        let objective = objectives[usize::from(is_priced)];
        let choice = HeuristicChoice::Patterns;
        let context = format!("seed {seed}");
        let Some(found) = compare_task(&context, &task, objective, choice, MOST_STATES) else {
            continue;
        };
        kitchens += u32::from(found.has_plan);
        informed += found.informed;
        exact += found.exact;
    }
    assert!(
        kitchens > 30 && informed > 40_000 && exact > 20_000,
        "{kitchens} kitchens, {informed} bounds, {exact} of them exact"
    );
}

/// A player that puts a chicken between two breads lifts one, and walks three times besides: what is done to each thing
/// asks for its walks, which potentials of pairs share out in part only.
#[test]
fn what_is_done_to_a_thing_asks_for_the_walks_to_it() {
    let problem = "(define (problem sandwich) (:domain robotouille)
 (:objects t5 t6 t8 - station chicken bottom top - item robot - player)
 (:init (istable t5) (istable t6) (istable t8) (ischicken chicken) (isbread bottom) (isbread top)
  (isrobot robot) (loc robot t8) (vacant t5) (vacant t6) (nothing robot) (station_empty t5)
  (item_at chicken t6) (item_on chicken t6) (clear chicken)
  (item_at bottom t8) (item_on bottom t8) (item_at top t8) (atop top bottom) (clear top))
 (:goal (and (item_on bottom t8) (item_at chicken t8) (item_at top t8) (clear top))))";
    let task = compile(include_str!("../../../domains/robotouille.pddl"), problem);
    let informed = |choice| {
        let objective = Objective::Makespan;
        let bounds = LowerBounds::new(&task, &task.initial, objective, choice, &Unlimited);
        bounds.unwrap().of(&task.initial).unwrap().makespan
    };
    assert_eq!(informed(HeuristicChoice::Patterns), 11);
    assert!(informed(HeuristicChoice::Potentials) < 11);
}

/// A bun lies where other things are to come under it. Each of these may be the one on the lower bun, so
/// that the goal asks for none of them there; but what lies there first has to be put elsewhere.
#[test]
fn what_lies_in_the_way_is_lifted_twice_whatever_comes_there() {
    let problem = "(define (problem burger) (:domain robotouille)
 (:objects t5 t6 t7 t8 - station lettuce onion bottom top - item robot - player)
 (:init (istable t5) (istable t6) (istable t7) (istable t8) (islettuce lettuce) (isonion onion)
  (isbottombun bottom) (istopbun top) (isrobot robot) (loc robot t8)
  (vacant t5) (vacant t6) (vacant t7) (nothing robot) (station_empty t5)
  (item_at lettuce t6) (item_on lettuce t6) (clear lettuce)
  (item_at onion t7) (item_on onion t7) (clear onion)
  (item_at bottom t8) (item_on bottom t8) (item_at top t8) (atop top bottom) (clear top))
 (:goal (and (item_on bottom t8) (item_at lettuce t8) (item_at onion t8) (item_at top t8)
  (clear top))))";
    let task = compile(include_str!("../../../domains/robotouille.pddl"), problem);
    let choice = HeuristicChoice::Patterns;
    let bounds = LowerBounds::new(
        &task,
        &task.initial,
        Objective::Makespan,
        choice,
        &Unlimited,
    );
    assert_eq!(bounds.unwrap().of(&task.initial).unwrap().makespan, 15);
}

/// Lookups keep what has not changed since the state before.
#[test]
fn the_bound_of_a_state_does_not_depend_on_the_states_before() {
    let task = compile(
        include_str!("../../../domains/robotouille.pddl"),
        include_str!("../../../problems/robotouille/synchronous-3_burger.pddl"),
    );
    let bounds = || {
        let choice = HeuristicChoice::Patterns;
        let objective = Objective::Makespan;
        LowerBounds::new(&task, &task.initial, objective, choice, &Unlimited).unwrap()
    };
    let mut random = Random::new(1);
    let mut states = vec![task.initial.clone()];
    let mut record = Record::default();
    while states.len() < 300 {
        let mut state = states[random.below(states.len())].clone();
        for _ in 0..4 {
            let applicable: Vec<_> = task.applicable(&state, 0).collect();
            let operator = applicable[random.below(applicable.len())];
            record.clear();
            task.step(&mut state, &[operator], &mut record).unwrap();
            states.push(state.clone());
        }
    }
    let (mut forward, mut backward) = (bounds(), bounds());
    let informed: Vec<_> = states.iter().map(|state| forward.of(state)).collect();
    let again: Vec<_> = states
        .iter()
        .rev()
        .map(|state| backward.of(state))
        .collect();
    assert!(informed.iter().eq(again.iter().rev()));
    let different: BTreeSet<_> = informed.iter().flatten().map(|it| it.makespan).collect();
    assert!(different.len() > 3, "{different:?}");
}

/// A beetle that climbs two walls of 60 steps, of 1,000 each, is farther from its goal than the greatest distance; that
/// is no dead end.
#[test]
fn a_goal_that_is_too_far_to_be_estimated_is_no_dead_end() {
    let (walls, height, cost) = (2, 60, 1000);
    let mut built = Builder::new(&[height + 1, height + 1, 2], 1, TurnMode::Sequential);
    let symbol = |name: &str, kind| Predicate {
        name: name.to_owned(),
        kind,
    };
    built.task.symbols.predicates = vec![
        symbol("height", PredicateKind::Function),
        symbol("awake", PredicateKind::Predicate),
    ];
    let object = |name: &str| Object {
        name: name.to_owned(),
        types: Vec::new(),
    };
    built.task.symbols.objects = ["beetle", "wall0", "wall1"].map(object).into();
    let of = |predicate: u32, objects: &[u32]| GroundFact {
        predicate: PredicateId(predicate),
        arguments: objects.iter().copied().map(ObjectId).collect(),
    };
    for wall in 0..walls {
        built.task.variables[wall].name = format!("(height beetle wall{wall})");
        built.task.variables[wall].of = Some(of(0, &[0, wall as u32 + 1]));
        built.task.variables[wall].kind = VariableKind::Object;
        for step in 0..height {
            let climb = built.set(wall, step + 1);
            let pay = Effect::Cost(Expr::Constant(cost));
            let effect = Effect::Seq([climb, pay].into());
            built.operator(0, "climb", &[(wall, step)], Cond::True, effect);
        }
    }
    built.task.variables[walls].kind = VariableKind::Facts;
    built.task.variables[walls].values = vec![
        Value::new("(not (awake beetle))", Meaning::Nothing),
        Value::new("(awake beetle)", Meaning::Fact(of(1, &[0]))),
    ];
    built.task.goal = Some(built.all(&[(0, height), (1, height)]));
    built.task.metric = Metric::Cost;
    let task = &built.packed();
    let choice = HeuristicChoice::Patterns;
    let bounds = LowerBounds::new(task, &task.initial, Objective::Declared, choice, &Unlimited);
    let bound = bounds.unwrap().of(&task.initial).expect("a plan").cost;
    let exact = walls as i64 * i64::from(height) * cost;
    assert!((exact / 2..=exact).contains(&bound), "{bound} of {exact}");
}

/// The things that a kitchen may have, and what they are.
const THINGS: [(&str, &str); 5] = [
    ("bread1", "(isbread bread1)"),
    ("bread2", "(isbread bread2)"),
    ("lettuce", "(islettuce lettuce) (iscuttable lettuce)"),
    ("patty", "(ispatty patty) (iscookable patty)"),
    ("tomato", "(istomato tomato) (iscuttable tomato)"),
];

/// A kitchen of some of the places and things of Robotouille, where they are, and a goal that asks for
/// some of what can be made of them. Priced, walks and what is done cost something each.
fn kitchen(seed: u64, is_priced: bool) -> PackedTask {
    let mut random = Random::new(seed);
    let places = ["table1", "table2", "stove", "board", "sink"];
    let has_pot = random.below(4) == 0;
    let mut places: Vec<&str> = if has_pot {
        vec!["table1", "stove", "sink"]
    } else {
        let other = places[2 + random.below(2)];
        vec![places[0], places[1], other]
    };
    if !has_pot && random.below(3) == 0 {
        places.push("table3");
    }
    let count = if has_pot { 1 } else { 2 + random.below(2) };
    let first = random.below(THINGS.len());
    let things: Vec<(&str, &str)> = (0..count)
        .map(|it| THINGS[(first + it) % THINGS.len()])
        .collect();
    let mut init = String::from("(isrobot robot) (nothing robot) ");
    for place in &places {
        init += match *place {
            "stove" => "(isstove stove) ",
            "board" => "(isboard board) ",
            "sink" => "(issink sink) ",
            "table1" => "(istable table1) ",
            "table2" => "(istable table2) ",
            _ => "(istable table3) ",
        };
    }
    let at = random.below(places.len());
    init += &format!("(loc robot {}) ", places[at]);
    for place in places.iter().enumerate().filter(|(place, _)| *place != at) {
        init += &format!("(vacant {}) ", place.1);
    }
    let mut tops: Vec<Option<&str>> = vec![None; places.len()];
    if has_pot {
        init += "(ispot pot) (isbowl bowl) (container_empty pot) (container_empty bowl) ";
        init += "(container_at pot table1) (container_at bowl sink) (free-water water) ";
        tops[0] = Some("pot");
        tops[2] = Some("bowl");
    }
    for (thing, is) in &things {
        let mut place = random.below(places.len());
        while tops[place].is_some_and(|top| top == "pot" || top == "bowl") {
            place = (place + 1) % places.len();
        }
        init += &format!("{is} (item_at {thing} {}) ", places[place]);
        match tops[place] {
            None => init += &format!("(item_on {thing} {}) ", places[place]),
            Some(top) => init += &format!("(atop {thing} {top}) "),
        }
        tops[place] = Some(thing);
    }
    for (place, top) in places.iter().zip(&tops) {
        init += &match top {
            None => format!("(station_empty {place}) "),
            Some("pot" | "bowl") => String::new(),
            Some(top) => format!("(clear {top}) "),
        };
    }
    let (bottom, top) = (things[0].0, things[things.len() - 1].0);
    let stacked = format!("(atop {top} {bottom})");
    let mut asked: Vec<String> = vec![match random.below(4) {
        _ if has_pot => "(and (in water bowl) (container_at bowl table1))".to_owned(),
        0 => stacked,
        1 => format!(
            "(exists (?p - station) (and (istable ?p) (item_on {bottom} ?p) (item_at {top} ?p) (clear {top})))"
        ),
        2 => format!("(and (item_on {bottom} table1) (item_at {top} table2))"),
        _ => "(exists (?x ?y - item) (and (not (= ?x ?y)) (atop ?x ?y) (item_at ?y table2) (clear ?x)))"
            .to_owned(),
    }];
    for (thing, is) in &things {
        if is.contains("iscookable") && places.contains(&"stove") {
            asked.push(format!("(iscooked {thing})"));
        }
        if is.contains("iscuttable") && places.contains(&"board") {
            asked.push(format!("(iscut {thing})"));
        }
    }
    let containers = if has_pot {
        "pot bowl - container water - meal"
    } else {
        ""
    };
    let names: Vec<&str> = things.iter().map(|it| it.0).collect();
    let metric = if is_priced {
        "(:metric minimize (total-cost))"
    } else {
        ""
    };
    let problem = format!(
        "(define (problem p) (:domain robotouille)
 (:objects {} - station {} - item robot - player {containers})
 (:init {init})
 (:goal (and {})) {metric})",
        places.join(" "),
        names.join(" "),
        asked.join(" ")
    );
    let mut domain = include_str!("../../../domains/robotouille.pddl").to_owned();
    if is_priced {
        domain = domain
            .replacen(":adl", ":adl :action-costs", 1)
            .replacen(
                "(:action move",
                "(:functions (total-cost) - number) (:action move",
                1,
            )
            .replace(
                ":effect (and (loc ?p1 ?s2)",
                ":effect (and (increase (total-cost) 2) (loc ?p1 ?s2)",
            )
            .replace(
                ":effect (and (has_item ?p1 ?i1)",
                ":effect (and (increase (total-cost) 3) (has_item ?p1 ?i1)",
            );
    }
    compile(&domain, &problem)
}
