//! The list of live delayed effects: who advances when.

use brigade::sema::model::LiveEffects;
use brigade::task::PackedTask;
use brigade::task::effect::Record;

use crate::grounding::compile::{resolve_texts, task};

/// Two patties, each on its stove, and a potato to cut that is done one step after its last cut.
fn kitchen(kind: LiveEffects) -> PackedTask {
    let kind = match kind {
        LiveEffects::Set => "set",
        LiveEffects::List => "list",
        LiveEffects::ListSkipping => "list-skipping",
    };
    let domain = format!(
        "(define (domain grill)
           (:requirements :adl :multi-agent :delayed-effects :sequential-effects)
           (:live-effects {kind})
           (:types cook patty)
           (:predicates (on ?p - patty) (cooking ?p - patty) (cooked ?p - patty) (cut) (fryable))
           (:action cook :agent ?c - cook :parameters (?p - patty)
             :effect (maintain (on ?p) (cooking ?p)
                       (after 4 (and (cooked ?p) (not (cooking ?p))))))
           (:action lift :agent ?c - cook :parameters (?p - patty) :effect (not (on ?p)))
           (:action lower :agent ?c - cook :parameters (?p - patty) :effect (on ?p))
           (:action cut :agent ?c - cook
             :effect (seq (on-nth 3 (cut)) (maintain (cut) (fryable) (and)))))"
    );
    let problem = "(define (problem grill-1) (:domain grill)
        (:objects ann - cook p1 p2 - patty)
        (:init (on p1) (on p2)) (:goal (and (cooked p1) (cooked p2) (fryable))))";
    task(&resolve_texts(&domain, problem, "clean"))
}

/// The step after which each fact holds for the first time.
fn first_times<const N: usize>(
    kind: LiveEffects,
    steps: &[&str],
    facts: [&str; N],
) -> [Option<usize>; N] {
    let task = kitchen(kind);
    let mut state = task.initial.clone();
    let mut found = [None; N];
    for (step, name) in (1..).zip(steps) {
        let mut operators = task.applicable(&state, 0);
        let chosen = operators.find(|&operator| task.operator(operator).name == *name);
        let chosen = chosen.unwrap_or_else(|| panic!("{name} cannot be chosen at step {step}"));
        drop(operators);
        task.step(&mut state, &[chosen], &mut Record::default())
            .unwrap();
        let holding = brigade::task::facts::facts(&task, &state);
        for (first, fact) in found.iter_mut().zip(facts) {
            if holding.iter().any(|text| text == fact) {
                first.get_or_insert(step);
            }
        }
    }
    found
}

const COOK: [&str; 8] = [
    "cook ann p1",
    "wait",
    "cook ann p2",
    "wait",
    "wait",
    "wait",
    "wait",
    "wait",
];

#[test]
fn the_one_after_a_member_that_leaves_is_passed_over_in_a_skipping_list_only() {
    let facts = ["(cooked p1)", "(cooked p2)"];
    for kind in [LiveEffects::Set, LiveEffects::List] {
        assert_eq!(
            first_times(kind, &COOK, facts),
            [Some(4), Some(6)],
            "{kind:?}"
        );
    }
    let skipping = first_times(LiveEffects::ListSkipping, &COOK, facts);
    assert_eq!(skipping, [Some(4), Some(7)]);
}

#[test]
fn a_repetition_that_is_done_leaves_the_list_and_holds_up_what_follows_it() {
    // Before the patty: the repetition and what waits for the cut. At step 4 the first leaves and
    // the second, passed over, leaves at step 5, when the patty is passed over.
    let steps = [
        "cut ann",
        "cook ann p1",
        "cut ann",
        "cut ann",
        "wait",
        "wait",
        "wait",
    ];
    let facts = ["(cut)", "(fryable)", "(cooked p1)"];
    for kind in [LiveEffects::Set, LiveEffects::List] {
        let found = first_times(kind, &steps, facts);
        assert_eq!(found, [Some(4), Some(4), Some(5)], "{kind:?}");
    }
    let skipping = first_times(LiveEffects::ListSkipping, &steps, facts);
    assert_eq!(skipping, [Some(4), Some(4), Some(6)]);
}

#[test]
fn what_is_done_but_has_not_left_the_list_cannot_be_started_anew() {
    // The repetition is done at step 3 and leaves at once, but at step 4 it is passed over after the
    // patty before it has left.
    let steps = [
        "cook ann p1",
        "cut ann",
        "cut ann",
        "cut ann",
        "cut ann",
        "cut ann",
    ];
    let task = kitchen(LiveEffects::ListSkipping);
    let mut state = task.initial.clone();
    let mut counts = Vec::new();
    for name in steps {
        let mut operators = task.applicable(&state, 0);
        let chosen = operators
            .find(|&operator| task.operator(operator).name == name)
            .unwrap();
        drop(operators);
        task.step(&mut state, &[chosen], &mut Record::default())
            .unwrap();
        let facts = brigade::task::facts::facts(&task, &state);
        let live = facts
            .iter()
            .filter(|fact| fact.contains("(on-nth 3 (cut)"))
            .count();
        counts.push(live);
    }
    assert_eq!(counts, [0, 1, 1, 1, 0, 1]);
}

#[test]
fn starting_a_live_upkeep_looks_at_its_condition_once_more_in_a_list_only() {
    let is_seen = |kind: &str| {
        let domain = format!(
            "(define (domain lamp)
               (:requirements :adl :delayed-effects :sequential-effects)
               (:live-effects {kind})
               (:predicates (power) (light) (seen) (done))
               (:action plug-in :effect (maintain (power) (light) (after 9 (done))))
               (:action press :effect
                 (seq (power) (maintain (power) (light) (after 9 (done))) (when (light) (seen)))))"
        );
        let problem = "(define (problem lamp-1) (:domain lamp) (:goal (done)))";
        let task = task(&resolve_texts(&domain, problem, "clean"));
        let mut state = task.initial.clone();
        for name in ["plug-in", "press"] {
            let mut operators = task.applicable(&state, 0);
            let chosen = operators.find(|&operator| task.operator(operator).name == name);
            drop(operators);
            task.step(&mut state, &[chosen.unwrap()], &mut Record::default())
                .unwrap();
        }
        let facts = brigade::task::facts::facts(&task, &state);
        facts.iter().any(|fact| fact == "(seen)")
    };
    let kinds = ["set", "list", "list-skipping"];
    assert_eq!(kinds.map(is_seen), [false, true, true]);
}
