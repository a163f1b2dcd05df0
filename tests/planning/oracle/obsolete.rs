//! Variables that make no difference any more, against searches that keep them apart.

use brigade::search::dag::PlanDag;
use brigade::search::{
    HeuristicChoice, SearchOptions, SearchResult, SymmetryChoice, Unlimited, solve,
};
use brigade::task::PackedTask;
use brigade::task::cond::Cond;

use crate::oracle::compile::compile;

/// Two tomatoes and a bell; what else there is to do is left open.
fn tomatoes(actions: &str, goal: &str) -> PackedTask {
    let domain = format!(
        "(define (domain tomatoes) (:requirements :adl :delayed-effects :bounded-numbers)
 (:types tomato)
 (:constants t1 t2 - tomato)
 (:predicates (cut ?t - tomato) (hot ?t - tomato) (rung) (sharp))
 (:functions (strokes) - (int 0 9))
 {actions})"
    );
    let problem =
        format!("(define (problem two) (:domain tomatoes) (:init (sharp)) (:goal {goal}))");
    compile(&domain, &problem)
}

fn search(task: &PackedTask, obsolete_merged: bool) -> SearchResult {
    let options = SearchOptions::default()
        .with_all_plans(true)
        .with_irrelevant_merged(obsolete_merged)
        .with_heuristic(HeuristicChoice::Blind)
        .with_symmetry(SymmetryChoice::Never);
    solve(task, &options, &Unlimited)
}

/// The states that are stored with and without merging where no goal ends the search.
fn states(actions: &str) -> (u64, u64) {
    let goal = "(and (forall (?t - tomato) (or (cut ?t) (hot ?t)))
  (or (sharp) (rung) (>= (strokes) 9)))";
    let task = tomatoes(actions, goal).changed(|task| task.goal = Some(Cond::False));
    let of = |obsolete_merged| search(&task, obsolete_merged).statistics.states;
    (of(true), of(false))
}

const CUT: &str = "(:action cut :parameters (?t - tomato) :effect (on-nth 3 (cut ?t)))";

#[test]
fn how_often_something_was_cut_matters_until_it_is_cut() {
    // Cut no, one or two times, or cut at last; else distinguished from what came afterwards.
    assert_eq!(states(CUT), (4 * 4, 6 * 6));
}

#[test]
fn plans_and_their_number_are_the_same() {
    let actions = format!("{CUT} (:action ring :precondition (cut t1) :effect (rung))");
    let task = tomatoes(&actions, "(and (cut t2) (rung))");
    let (merged, plain) = (search(&task, true), search(&task, false));
    assert!(merged.statistics.states < plain.statistics.states);
    let outcome = |result: &SearchResult| {
        let count = result.dag.as_ref().map(PlanDag::count);
        (result.outcome.plan().unwrap().value, count)
    };
    assert_eq!(outcome(&merged), outcome(&plain));
    // Three cuts of each, and a ring after those of the first.
    assert_eq!(outcome(&merged).1.unwrap(), 35_u32.into());
}

#[test]
fn what_is_started_again_after_it_has_happened_once_and_for_all_is_not_distinguished() {
    let heat = "(:action heat :parameters (?t - tomato) :effect (after 3 (hot ?t)))";
    let (merged, plain) = states(heat);
    assert!(merged < plain, "{merged} of {plain}");
}

#[test]
fn a_counter_that_does_something_else_as_well_is_distinguished() {
    for cut in [
        "(and (cut ?t) (increase (strokes) 1))",
        "(and (cut ?t) (not (sharp)))",
        "(and (cut ?t) (when (rung) (not (rung))))",
    ] {
        let actions = format!(
            "(:action cut :parameters (?t - tomato) :effect (on-nth 3 {cut}))
 (:action ring :effect (rung)) (:action whet :effect (sharp))"
        );
        let (merged, plain) = states(&actions);
        assert_eq!(merged, plain, "{cut}");
    }
}

#[test]
fn what_can_be_undone_makes_nothing_obsolete() {
    let actions = format!("{CUT} (:action mend :parameters (?t - tomato) :effect (not (cut ?t)))");
    let (merged, plain) = states(&actions);
    assert_eq!(merged, plain);
}

#[test]
fn what_a_precondition_reads_is_not_obsolete() {
    // It may be heated only while it is not being heated.
    let heat = "(:action heat :parameters (?t - tomato) :precondition (not (cut ?t))
  :effect (and (cut ?t) (after 3 (and (hot ?t) (not (cut ?t))))))";
    let (merged, plain) = states(heat);
    assert_eq!(merged, plain);
}
