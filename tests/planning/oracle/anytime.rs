//! Plans that are looked for before the optimum is proven: against exhaustion, and against searches
//! that look for none.

use brigade::search::dag::PlanDag;
use brigade::search::{
    AnytimeChoice, Attempt, AttemptEnd, DeepeningChoice, HeuristicChoice, Method, Outcome,
    PlanLead, PruningChoice, SearchOptions, SearchResult, SymmetryChoice, Unlimited, solve,
    solve_knowing, verify,
};
use brigade::task::PackedTask;

use crate::oracle::brute_force::{Graph, graph};
use crate::oracle::compile::compile;
use crate::oracle::loose;
use crate::oracle::random;
use crate::oracle::stubborn::{OBJECTIVES, assert_answer, found};
use crate::oracle::threads::same;

fn task(seed: u64) -> PackedTask {
    if seed.is_multiple_of(3) {
        loose::task(seed)
    } else {
        random::task(seed)
    }
}

/// Searches of every kind, before which plans are looked for.
fn options(seed: u64) -> SearchOptions {
    let deepening = [DeepeningChoice::Never, DeepeningChoice::Always];
    SearchOptions::default()
        .with_objective(OBJECTIVES[seed as usize % OBJECTIVES.len()])
        .with_all_plans(seed.is_multiple_of(2))
        .with_heuristic(
            [
                HeuristicChoice::Blind,
                HeuristicChoice::Auto,
                HeuristicChoice::Potentials,
                HeuristicChoice::LandmarkCut,
                HeuristicChoice::Abstractions,
            ][(seed / 4) as usize % 5],
        )
        .with_symmetry([SymmetryChoice::Never, SymmetryChoice::Always][(seed / 2) as usize % 2])
        .with_pruning([PruningChoice::Never, PruningChoice::Always][(seed / 8) as usize % 2])
        .with_deepening(deepening[usize::from(seed % 10 == 9)])
        .with_deepening_limit(100_000)
        .with_anytime(AnytimeChoice::Always)
        .with_plans_from(5)
        .with_plan_lead([PlanLead::Nearness, PlanLead::Novelty][usize::from(seed % 3 == 1)])
        .with_sharing_from(2)
}

/// Tasks that brute force has room for, with what it has found.
fn small_tasks(seeds: u64) -> impl Iterator<Item = (u64, PackedTask, Graph)> {
    (0..seeds).filter_map(|seed| {
        let task = task(seed);
        let graph = graph(&task, options(seed).objective(), 1500)?;
        Some((seed, task, graph))
    })
}

/// The searches for plans alone.
fn hunts(result: &SearchResult) -> impl Iterator<Item = &Attempt> {
    result
        .attempts
        .iter()
        .filter(|one| one.method.is_for_plans())
}

#[test]
fn plans_found_before_change_neither_the_optimum_nor_the_number_of_plans() {
    let (mut greedily, mut where_new, mut by_ticks) = (0, 0, 0);
    let (mut looked_meanwhile, mut counted) = (0, 0);
    for (seed, task, graph) in small_tasks(1000) {
        let options = options(seed);
        let objective = options.objective();
        let about = format!("seed {seed}, {options:?}");
        let result = if seed.is_multiple_of(4) {
            same(&about, &task, &options)
        } else {
            solve(&task, &options, &Unlimited)
        };
        for attempt in hunts(&result) {
            let Some(upper) = attempt.upper else {
                assert_eq!(attempt.end, AttemptEnd::NotImproved, "{about}");
                continue;
            };
            let optimum = graph.optimum().expect("there is a plan");
            assert!(found(&task, objective, upper) >= optimum, "{about}");
            greedily += u32::from(attempt.method == Method::Greedy);
            where_new += u32::from(attempt.method == Method::Novelty);
            by_ticks += u32::from(attempt.method == Method::Beam);
        }
        // Where so few states are stored before the first pause, one is made at once.
        looked_meanwhile += u32::from(hunts(&result).count() > 1);
        if matches!(result.outcome, Outcome::Bounded { .. }) {
            continue;
        }
        assert_answer(&about, &task, objective, &graph, &result);
        let without = options.clone().with_anytime(AnytimeChoice::Never);
        let without = solve(&task, &without, &Unlimited);
        assert_eq!(hunts(&without).count(), 0, "{about}");
        let count = |result: &SearchResult| result.dag.as_ref().map(PlanDag::count);
        assert_eq!(count(&result), count(&without), "{about}");
        counted += u32::from(result.dag.is_some());
    }
    assert!(greedily + where_new > 50, "{greedily} and {where_new}");
    assert!(greedily > 20, "{greedily}");
    assert!(where_new > 10, "{where_new}");
    assert!(by_ticks > 50, "{by_ticks}");
    assert!(looked_meanwhile > 20, "{looked_meanwhile}");
    assert!(counted > 50, "{counted}");
}

#[test]
fn a_search_that_is_stopped_answers_with_a_plan_that_replays_and_a_bound_below_it() {
    let (mut stopped, mut with_plan) = (0, 0);
    for seed in 0..400 {
        let task = task(seed);
        let options = options(seed).with_max_states(40);
        let objective = options.objective();
        let Some(graph) = graph(&task, objective, 1500) else {
            continue;
        };
        let result = solve(&task, &options, &Unlimited);
        let Outcome::Bounded { lower, upper, .. } = &result.outcome else {
            continue;
        };
        stopped += 1;
        let about = format!("seed {seed}, {options:?}");
        let optimum = graph.optimum();
        if let (Some(lower), Some(optimum)) = (lower, optimum) {
            assert!(found(&task, objective, *lower) <= optimum, "{about}");
        }
        if let Some(plan) = upper {
            assert_eq!(verify(&task, plan), Ok(()), "{about}");
            assert!(
                Some(found(&task, objective, plan.value)) >= optimum,
                "{about}"
            );
            with_plan += 1;
        }
    }
    assert!(with_plan > 5, "{with_plan} of {stopped}");
}

#[test]
fn a_plan_that_is_known_changes_neither_the_optimum_nor_the_number_of_plans() {
    let (mut optimal, mut worse, mut counted) = (0, 0, 0);
    for (seed, task, graph) in small_tasks(200) {
        let options = options(seed);
        let objective = options.objective();
        // Under another objective it may be worse than the optimum.
        let other = SearchOptions::default()
            .with_objective(OBJECTIVES[(seed / 3) as usize % OBJECTIVES.len()]);
        let other = solve(&task, &other, &Unlimited);
        let Some(known) = other.outcome.plan() else {
            continue;
        };
        let about = format!("seed {seed}, {options:?}");
        let result = solve_knowing(&task, known.steps.clone(), &options, &Unlimited).unwrap();
        if matches!(result.outcome, Outcome::Bounded { .. }) {
            continue;
        }
        assert_answer(&about, &task, objective, &graph, &result);
        if graph.optimum() == Some(found(&task, objective, known.value)) {
            optimal += 1;
        } else {
            worse += 1;
        }
        counted += u32::from(result.dag.is_some());
        let mut steps = known.steps.clone();
        if steps.pop().is_some() {
            let refused = solve_knowing(&task, steps, &options, &Unlimited);
            assert!(refused.is_err(), "{about}");
        }
    }
    assert!(optimal > 50, "{optimal}");
    assert!(worse > 10, "{worse}");
    assert!(counted > 50, "{counted}");
}

#[test]
fn nothing_is_expanded_where_a_plan_is_known_that_meets_the_bound() {
    let domain = "(define (domain assembly)
 (:requirements :adl)
 (:types part)
 (:predicates (built ?p - part) (done))
 (:action build :parameters (?p - part) :effect (built ?p))
 (:action finish :precondition (forall (?p - part) (built ?p)) :effect (done)))";
    let problem =
        "(define (problem p) (:domain assembly) (:objects a b c - part) (:init) (:goal (done)))";
    let options = SearchOptions::default()
        .with_heuristic(HeuristicChoice::LandmarkCut)
        .with_anytime(AnytimeChoice::Always);
    let result = solve(&compile(domain, problem), &options, &Unlimited);
    let makespan = result.outcome.plan().map(|plan| plan.value.makespan);
    assert_eq!(makespan, Some(4));
    let best = hunts(&result).last().and_then(|attempt| attempt.upper);
    assert_eq!(best.map(|value| value.makespan), makespan);
    let proof = result.attempts.iter().find(|attempt| attempt.proves());
    let proof = proof.map(|attempt| (attempt.end, attempt.expanded));
    assert_eq!(proof, Some((AttemptEnd::Answered, 0)));
}
