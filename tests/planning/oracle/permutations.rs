//! The order in which a problem lists its objects and facts changes neither the optimum nor the
//! number of optimal plans, where no construct of the domain depends on the order of objects.

use brigade::search::{
    HeuristicChoice, Outcome, SearchOptions, StopReason, SymmetryChoice, Unlimited, Value, solve,
};
use brigade::task::PackedTask;

use crate::oracle::compile::compile;
use crate::oracle::families::generate;
use crate::oracle::random_domains::Random;
use crate::oracle::shuffle::shuffled;
use crate::oracle::twins::texts;

/// Searches that store more states are left out.
const MOST_STATES: u64 = 20_000;

/// The value of the optimal plans and their number, if there are any; why the search stopped, if it
/// did.
fn answer(
    task: &PackedTask,
    heuristic: HeuristicChoice,
    symmetry: SymmetryChoice,
) -> Result<Option<(Value, String)>, StopReason> {
    let options = SearchOptions::default()
        .with_all_plans(true)
        .with_heuristic(heuristic)
        .with_symmetry(symmetry)
        .with_max_states(MOST_STATES);
    let result = solve(task, &options, &Unlimited);
    match result.outcome {
        Outcome::Bounded { reason, .. } => Err(reason),
        Outcome::Unsolvable => Ok(None),
        Outcome::Solved(plan) => {
            let count = result.dag.unwrap().count();
            Ok(Some((plan.value, count.to_string())))
        }
    }
}

/// Compares a problem with others that list the same in another order. Returns true if it is small enough and has a
/// plan.
fn is_the_same_in_any_order(about: &str, domain: &str, problem: &str, random: &mut Random) -> bool {
    let plain = answer(
        &compile(domain, problem),
        HeuristicChoice::Blind,
        SymmetryChoice::Never,
    );
    let Ok(plain) = plain else {
        return false;
    };
    for (heuristic, symmetry) in [
        (HeuristicChoice::Blind, SymmetryChoice::Always),
        (HeuristicChoice::LandmarkCut, SymmetryChoice::Never),
        (HeuristicChoice::Potentials, SymmetryChoice::Always),
        (HeuristicChoice::Abstractions, SymmetryChoice::Never),
    ] {
        let domain = shuffled(domain, "(:constants", random);
        let other = shuffled(problem, "(:objects", random);
        let other = shuffled(&other, "(:init", random);
        // Estimates that are not consistent may have nodes stored that a blind search does not.
        let Ok(found) = answer(&compile(&domain, &other), heuristic, symmetry) else {
            continue;
        };
        assert_eq!(
            found, plain,
            "{about}, {heuristic:?}, {symmetry:?}: {domain}{other}"
        );
    }
    plain.is_some()
}

/// `PERMUTATION_SEED` and `PERMUTATION_COUNT` choose other seeds, and more of them.
#[test]
fn objects_and_facts_of_random_domains_may_be_listed_in_any_order() {
    let read = |name: &str, default: u64| {
        let text = std::env::var(name).ok();
        text.and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let first = read("PERMUTATION_SEED", 0);
    let count = read("PERMUTATION_COUNT", 100);
    let (mut compared, mut solved) = (0, 0);
    for seed in first..first + count {
        let (domain, problem) = texts(seed);
        let event = domain.find("(:event").map_or("", |at| &domain[at..]);
        let event = event.find("\n(:derived").map_or(event, |end| &event[..end]);
        // Cooks act in declared order, which stays: one is a constant, the other an object.
        // All instances of an event apply at once: of two assignments the later one counts.
        if event.contains("(assign") {
            continue;
        }
        let mut random = Random::new(seed);
        compared += 1;
        let about = format!("seed {seed}");
        solved += u64::from(is_the_same_in_any_order(
            &about,
            &domain,
            &problem,
            &mut random,
        ));
    }
    assert!(compared * 2 > count, "{compared} were compared");
    assert!(solved * 4 > count, "{solved} had plans");
}

#[test]
fn objects_and_facts_of_known_domains_may_be_listed_in_any_order() {
    for name in [
        "gripper-4",
        "blocks-5",
        "logistics-2",
        "puzzle-3",
        "breakfast-2",
    ] {
        let texts = generate(name).unwrap();
        let mut random = Random::new(7);
        assert!(
            is_the_same_in_any_order(name, &texts.domain, &texts.problem, &mut random),
            "{name} is small and has a plan"
        );
    }
}
