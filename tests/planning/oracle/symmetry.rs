//! Searches that store one state for each orbit of interchangeable objects against searches that
//! store every state.

use brigade::search::dag::PlanDag;
use brigade::search::{
    HeuristicChoice, Outcome, SearchOptions, SearchResult, SymmetryChoice, Unlimited, solve,
    validate,
};
use brigade::task::PackedTask;
use brigade::task::cond::Cond;

use crate::oracle::compile::compile;
use crate::oracle::optimal_plans::paths;
use crate::oracle::twins::{task, texts};

/// Searches that store more are left out.
const MOST_STATES: u64 = 20_000;
/// Sets of more plans are not listed.
const MOST_EDGES: usize = 60;

fn search(task: &PackedTask, symmetry: SymmetryChoice, heuristic: HeuristicChoice) -> SearchResult {
    let options = SearchOptions::default()
        .with_all_plans(true)
        .with_symmetry(symmetry)
        .with_heuristic(heuristic)
        .with_max_states(MOST_STATES);
    solve(task, &options, &Unlimited)
}

fn up_to_symmetry(task: &PackedTask, symmetry: SymmetryChoice) -> SearchResult {
    let options = SearchOptions::default()
        .with_all_plans(true)
        .with_plans_up_to_symmetry(true)
        .with_symmetry(symmetry)
        .with_heuristic(HeuristicChoice::Blind);
    solve(task, &options, &Unlimited)
}

/// `SYMMETRY_SEED` and `SYMMETRY_COUNT` choose other seeds, and more of them.
#[test]
fn answers_and_sets_of_plans_are_the_same_with_and_without_symmetry() {
    let read = |name: &str, default: u64| {
        let text = std::env::var(name).ok();
        text.and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let first = read("SYMMETRY_SEED", 0);
    let count = read("SYMMETRY_COUNT", 200);
    let (mut fewer, mut solved, mut listed) = (0, 0, 0);
    for seed in first..first + count {
        let task = task(seed);
        let plain = search(&task, SymmetryChoice::Never, HeuristicChoice::Blind);
        if matches!(plain.outcome, Outcome::Bounded { .. }) {
            continue;
        }
        for heuristic in [
            HeuristicChoice::Blind,
            HeuristicChoice::LandmarkCut,
            HeuristicChoice::Potentials,
            HeuristicChoice::Abstractions,
        ] {
            let orbits = search(&task, SymmetryChoice::Always, heuristic);
            let value = |result: &SearchResult| result.outcome.plan().map(|plan| plan.value);
            let solvable = |result: &SearchResult| matches!(result.outcome, Outcome::Solved(_));
            let about = || format!("seed {seed}, {heuristic:?}: {:?}", texts(seed));
            assert_eq!(solvable(&orbits), solvable(&plain), "{}", about());
            assert_eq!(value(&orbits), value(&plain), "{}", about());
            if heuristic == HeuristicChoice::Blind {
                fewer += u64::from(orbits.statistics.states < plain.statistics.states);
            }
            let Some(plan) = orbits.outcome.plan() else {
                continue;
            };
            solved += 1;
            assert_eq!(validate(&task, &plan.steps), Ok(plan.value));
            let (left, right) = (orbits.dag.unwrap(), plain.dag.as_ref().unwrap());
            assert_eq!(left.count(), right.count(), "{}", about());
            assert_eq!(left.nodes.len(), right.nodes.len(), "{}", about());
            if right.edges.len() <= MOST_EDGES {
                listed += 1;
                assert_eq!(paths(&left), paths(right), "{}", about());
            }
        }
        let counted = up_to_symmetry(&task, SymmetryChoice::Always);
        let plans = |result: &SearchResult| result.dag.as_ref().map(PlanDag::count);
        assert_eq!(plans(&counted), plans(&plain), "{:?}", texts(seed));
    }
    assert!(fewer > count / 5, "{fewer} searches stored fewer states");
    assert!(solved > count / 2, "{solved} searches found plans");
    assert!(listed > count / 4, "{listed} sets of plans were compared");
}

const BALLS: &str = "(define (domain balls)
 (:predicates (ball ?b) (here ?b) (there ?b) (heavy ?b) (rested))
 (:action move :parameters (?b) :precondition (and (ball ?b) (here ?b) (not (heavy ?b)))
  :effect (and (not (here ?b)) (there ?b) (not (rested))))
 (:action move-heavy :parameters (?b)
  :precondition (and (ball ?b) (here ?b) (heavy ?b) (rested))
  :effect (and (not (here ?b)) (there ?b) (not (rested))))
 (:action rest :parameters () :effect (rested)))";

/// Eight balls, some of them heavy, in the first of two places.
fn balls(heavy: &str, goal: &str) -> PackedTask {
    let names: Vec<String> = (1..=8).map(|ball| format!("b{ball}")).collect();
    let facts = |word: &str| -> String {
        let facts = names.iter().map(|name| format!(" ({word} {name})"));
        facts.collect()
    };
    let problem = format!(
        "(define (problem eight) (:domain balls) (:objects {}) (:init{}{} {heavy}) (:goal {goal}))",
        names.join(" "),
        facts("ball"),
        facts("here"),
    );
    compile(BALLS, &problem)
}

const ALL_THERE: &str = "(forall (?b) (imply (ball ?b) (there ?b)))";

fn states(task: &PackedTask) -> u64 {
    up_to_symmetry(task, SymmetryChoice::Always)
        .statistics
        .states
}

#[test]
fn of_objects_that_are_alike_only_their_number_counts() {
    // So many balls are there, and whether one has rested; without a move and after the last one
    // one of the two does not matter.
    let task = balls("", ALL_THERE);
    assert!(states(&task) <= 2 * 9, "{}", states(&task));
    assert!(
        up_to_symmetry(&task, SymmetryChoice::Never)
            .statistics
            .states
            >= 1 << 8
    );
}

/// Four balls that are there once they have been pushed three times.
fn pushing(live_effects: &str) -> PackedTask {
    let domain = "(define (domain pushing)
 (:requirements :delayed-effects)
 LIVE
 (:predicates (ball ?b) (there ?b))
 (:action push :parameters (?b) :precondition (and (ball ?b) (not (there ?b)))
  :effect (on-nth 3 (there ?b))))";
    let problem = "(define (problem four) (:domain pushing) (:objects b1 b2 b3 b4)
 (:init (ball b1) (ball b2) (ball b3) (ball b4))
 (:goal (and (there b1) (there b2) (there b3) (there b4))))";
    compile(&domain.replace("LIVE", live_effects), problem)
}

#[test]
fn objects_that_are_worked_on_several_times_are_alike() {
    let task = pushing("");
    // A ball is pushed never, once, twice, or there: so many multisets of four.
    assert!(states(&task) <= 35, "{}", states(&task));
    let plain = up_to_symmetry(&task, SymmetryChoice::Never);
    let orbits = up_to_symmetry(&task, SymmetryChoice::Always);
    assert_eq!(plain.dag.unwrap().count(), orbits.dag.unwrap().count());
}

#[test]
fn an_object_that_one_static_fact_distinguishes_keeps_its_identity() {
    let apart = balls("(heavy b3)", ALL_THERE);
    let alike = balls("", ALL_THERE);
    assert!(states(&apart) > states(&alike));
    assert!(states(&apart) <= 2 * 2 * 8);
    let plain = up_to_symmetry(&apart, SymmetryChoice::Never);
    let orbits = up_to_symmetry(&apart, SymmetryChoice::Always);
    assert_eq!(plain.dag.unwrap().count(), orbits.dag.unwrap().count());
}

#[test]
fn an_object_that_the_goal_names_keeps_its_identity() {
    let named = balls("", "(and (there b2) (not (rested)))");
    let plain = up_to_symmetry(&named, SymmetryChoice::Never);
    let orbits = up_to_symmetry(&named, SymmetryChoice::Always);
    assert_eq!(orbits.outcome.plan().unwrap().value.makespan, 1);
    assert_eq!(plain.dag.unwrap().count(), orbits.dag.unwrap().count());
}

#[test]
fn objects_of_which_the_goal_asks_for_any_are_alike() {
    let any = balls(
        "(heavy b1) (heavy b2)",
        "(and (rested) (exists (?b) (and (there ?b) (heavy ?b))))",
    );
    let plain = up_to_symmetry(&any, SymmetryChoice::Never);
    let orbits = up_to_symmetry(&any, SymmetryChoice::Always);
    assert!(orbits.statistics.states < plain.statistics.states);
    assert_eq!(plain.dag.unwrap().count(), orbits.dag.unwrap().count());
}

#[test]
fn of_objects_of_several_classes_only_who_is_with_whom_counts() {
    // Five items are put in five boxes: the states up to exchanges are the ways to write numbers up
    // to five as sums.
    let domain = "(define (domain boxes) (:requirements :adl) (:types item box)
 (:predicates (in ?i - item ?b - box) (out ?i - item))
 (:action put :parameters (?i - item ?b - box) :precondition (out ?i)
  :effect (and (not (out ?i)) (in ?i ?b))))";
    let problem = "(define (problem five) (:domain boxes)
 (:objects i1 i2 i3 i4 i5 - item b1 b2 b3 b4 b5 - box)
 (:init (out i1) (out i2) (out i3) (out i4) (out i5))
 (:goal (exists (?i - item ?b - box) (in ?i ?b))))";
    let task = compile(domain, problem).changed(|task| task.goal = Some(Cond::False));
    let sums = 1 + 1 + 2 + 3 + 5 + 7;
    assert_eq!(states(&task), sums);
}

#[test]
fn plans_have_the_names_of_the_task() {
    let task = balls("(heavy b5)", ALL_THERE);
    let orbits = search(&task, SymmetryChoice::Always, HeuristicChoice::Blind);
    let plan = orbits.outcome.plan().unwrap();
    let mut moved: Vec<&str> = plan
        .steps
        .iter()
        .map(|step| task.operator(step.operator).name.as_str())
        .filter(|name| *name != "rest")
        .collect();
    moved.sort_unstable();
    assert_eq!(
        moved,
        [
            "move b1",
            "move b2",
            "move b3",
            "move b4",
            "move b6",
            "move b7",
            "move b8",
            "move-heavy b5"
        ]
    );
}

#[test]
fn objects_in_a_list_of_live_effects_are_alike() {
    for live_effects in ["(:live-effects list)", "(:live-effects list-skipping)"] {
        let (orbits, plain) = states_with_and_without(&pushing(live_effects));
        assert!(10 * orbits < plain, "{orbits} of {plain}, {live_effects}");
    }
}

const COOKS: &str = "(define (domain ring)
 (:requirements :adl :multi-agent)
 TURNS
 (:types cook place)
 (:predicates (at ?c - cook ?p - place) (next ?from ?to - place) (rang ?p - place) (strong ?c - cook))
 (:action go :agent ?c - cook :parameters (?from ?to - place)
  :precondition (and (at ?c ?from) (next ?from ?to)) :effect (and (not (at ?c ?from)) (at ?c ?to)))
 (:action ring :agent ?c - cook :parameters (?p - place)
  :precondition (and (at ?c ?p) (or (strong ?c) (not (exists (?d - cook) (strong ?d)))))
  :effect (rang ?p)))";

/// Two cooks on a ring of five places.
fn cooks(turns: &str, facts: &str, goal: &str) -> PackedTask {
    let problem = format!(
        "(define (problem five) (:domain ring) (:objects ann bob - cook p1 p2 p3 p4 p5 - place)
 (:init (at ann p1) (at bob p1) (next p1 p2) (next p2 p3) (next p3 p4) (next p4 p5) (next p5 p1) {facts})
 (:goal {goal}))"
    );
    compile(&COOKS.replace("TURNS", turns), &problem)
}

/// The states stored with and without symmetry, after a test that both count the same plans.
fn states_with_and_without(task: &PackedTask) -> (u64, u64) {
    let plain = up_to_symmetry(task, SymmetryChoice::Never);
    let orbits = up_to_symmetry(task, SymmetryChoice::Always);
    let states = (orbits.statistics.states, plain.statistics.states);
    let value = |result: &SearchResult| result.outcome.plan().map(|plan| plan.value);
    assert_eq!(value(&orbits), value(&plain));
    assert_eq!(orbits.dag.unwrap().count(), plain.dag.unwrap().count());
    states
}

const ALL_RANG: &str = "(forall (?p - place) (rang ?p))";

#[test]
fn two_agents_who_take_turns_are_alike() {
    let task = cooks("(:turns alternate)", "", ALL_RANG);
    let (orbits, plain) = states_with_and_without(&task);
    assert!(10 * orbits <= 6 * plain, "{orbits} of {plain}");
}

#[test]
fn an_agent_that_a_static_fact_distinguishes_keeps_its_identity() {
    let task = cooks("(:turns alternate)", "(strong bob)", ALL_RANG);
    let (orbits, plain) = states_with_and_without(&task);
    assert_eq!(orbits, plain);
}

#[test]
fn an_agent_that_the_goal_names_keeps_its_identity() {
    let task = cooks("(:turns alternate)", "", "(and (rang p3) (at bob p1))");
    let (orbits, plain) = states_with_and_without(&task);
    assert_eq!(orbits, plain);
}

#[test]
fn agents_who_choose_in_one_step_keep_their_identity() {
    for turns in ["(:turns sequential)", "(:turns simultaneous)"] {
        let task = cooks(turns, "", ALL_RANG);
        let (orbits, plain) = states_with_and_without(&task);
        assert_eq!(orbits, plain, "{turns}");
    }
}

#[test]
fn agents_whom_every_operator_names_keep_their_identity_where_they_choose_in_one_step() {
    // With the agents their operators would change places: but the first acts first.
    let domain = "(define (domain pokes)
 (:requirements :adl :multi-agent)
 TURNS
 (:types cook)
 (:predicates (weak ?c - cook) (strong ?c - cook) (late))
 (:action poke :agent ?c - cook :parameters (?d - cook)
  :precondition (not (late))
  :effect (and (when (= ?c ?d) (strong ?d)) (when (not (= ?c ?d)) (weak ?d)))))";
    let problem = "(define (problem two) (:domain pokes) (:objects ann bob - cook)
 (:init) (:goal (and (strong ann) (strong bob) (weak ann) (weak bob))))";
    for turns in ["sequential", "simultaneous"] {
        let turns = format!("(:turns {turns})");
        let task = compile(&domain.replace("TURNS", &turns), problem);
        let (orbits, plain) = states_with_and_without(&task);
        assert_eq!(orbits, plain, "{turns}");
    }
}
