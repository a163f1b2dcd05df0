//! Totals that are gained once for each order: bounds and optima, against exhaustion.

use brigade::search::{AnytimeChoice, Objective, Outcome, SearchOptions, Unlimited, solve};
use brigade::task::effect::Effect;
use brigade::task::gains::Gains;
use brigade::task::{PackedTask, Phase};

use super::brute_force::{Graph, graph};
use super::compile::compile;
use super::optimal_plans::assert_exhausted;
use super::random_domains::Random;

const MOST_STATES: usize = 20_000;

/// A stall with some cooks and orders: each order is counted where it is served, by an event that closes it.
fn stall(seed: u64) -> (String, String) {
    let mut random = Random::new(seed);
    let turns = ["sequential", "simultaneous"][random.below(2)];
    // An order that a cook may open again is not limited.
    let tip = ["", "(increase (earned) 1)"][random.below(2)];
    let reopen = if random.below(4) == 0 {
        "(:action reopen :agent ?c - cook :parameters (?o - order)
           :precondition (closed ?o) :effect (and (waiting ?o) (not (closed ?o))))"
    } else {
        ""
    };
    let domain = format!(
        "(define (domain stall)
          (:requirements :adl :multi-agent :bounded-numbers :events :action-costs :horizon
                         :timed-initial-literals)
          (:types cook order - object)
          (:predicates (waiting ?o - order) (overdue ?o - order) (closed ?o - order))
          (:functions (ready) - (int 0 2) (earned) - number)
          (:turns {turns})
          (:action make :agent ?c - cook
            :precondition (< (ready) 2) :effect (and (increase (ready) 1) {tip}))
          {reopen}
          (:event lapse :parameters (?o - order) :precondition (and (waiting ?o) (overdue ?o))
            :effect (not (waiting ?o)))
          (:event serve :parameters (?o - order) :precondition (and (waiting ?o) (> (ready) 0))
            :effect (and (not (waiting ?o)) (closed ?o) (decrease (ready) 1) (increase (earned) 3))))"
    );
    let cooks = ["a", "a b"][random.below(2)];
    let mut init = String::new();
    let mut names = String::new();
    for order in 0..=random.below(3) {
        names += &format!(" o{order}");
        let at = random.below(4);
        init += &match at {
            0 => format!(" (waiting o{order})"),
            at => format!(" (at {at} (waiting o{order}))"),
        };
        if random.below(2) == 0 {
            init += &format!(" (at {} (overdue o{order}))", at + 1 + random.below(2));
        }
    }
    let horizon = 3 + random.below(3);
    let problem = format!(
        "(define (problem p) (:domain stall) (:objects {cooks} - cook{names} - order)
          (:init (= (ready) 0){init}) (:horizon {horizon}) (:metric maximize (earned)))"
    );
    (domain, problem)
}

#[test]
fn totals_that_are_gained_once_for_each_order_are_maximised_as_by_exhaustion() {
    let mut limited = 0;
    for seed in 0..60 {
        let (domain, problem) = stall(seed);
        let task = compile(&domain, &problem);
        limited += usize::from(
            !Gains::new(&task)
                .expect("ranges that fit")
                .limited
                .is_empty(),
        );
        let objective = Objective::Declared;
        let Some(graph) = graph(&task, objective, MOST_STATES) else {
            continue;
        };
        let about = format!("seed {seed}\n{domain}\n{problem}");
        assert_total(&about, &task, &graph, [1, 5, 50]);
    }
    assert!(limited > 30, "{limited}");
}

/// The greatest total and all its plans are those of exhaustion; searches that limits of `states` stop bound it. Returns
/// 1 if the bound of the first limit meets it.
pub(super) fn assert_total(about: &str, task: &PackedTask, graph: &Graph, states: [u64; 3]) -> u32 {
    let objective = Objective::Declared;
    for anytime in [AnytimeChoice::Auto, AnytimeChoice::Never] {
        let options = SearchOptions::default()
            .with_all_plans(true)
            .with_anytime(anytime);
        let result = solve(task, &options, &Unlimited);
        assert_exhausted(about, task, objective, graph, &result);
    }
    let optimum = graph.optimum().expect("waiting is a plan")[0];
    let mut met = 0;
    for most in states {
        let options = SearchOptions::default().with_max_states(most);
        if let Outcome::Bounded { lower, upper, .. } = solve(task, &options, &Unlimited).outcome {
            let lower = lower.expect("a horizon bounds every total");
            assert!(-lower.cost <= optimum, "{about}: {lower:?}, {optimum}");
            met += u32::from(most == states[0] && -lower.cost == optimum);
            let upper = upper.expect("waiting is a plan");
            assert!(
                -upper.value.cost >= optimum,
                "{about}: {upper:?}, {optimum}"
            );
        }
    }
    met
}

/// Compares the tasks of these seeds that have so many states at most; returns their number, and that of those in which the
/// bound at the start is the optimum.
pub(super) fn compare(
    files: impl Fn(u64) -> (String, String),
    seeds: std::ops::Range<u64>,
    most_states: usize,
) -> (u32, u32) {
    let (mut compared, mut met) = (0, 0);
    for seed in seeds {
        let (domain, problem) = files(seed);
        let task = compile(&domain, &problem);
        let Some(graph) = graph(&task, Objective::Declared, most_states) else {
            continue;
        };
        compared += 1;
        let about = format!("seed {seed}\n{domain}\n{problem}");
        met += assert_total(&about, &task, &graph, [1, 20, 500]);
    }
    (compared, met)
}

/// Gains are looked for in all parts of a sequence.
#[test]
fn what_follows_an_effect_leaves_its_gains_limited() {
    for seed in 0..20 {
        let (domain, problem) = stall(seed);
        let task = compile(&domain, &problem);
        let followed = task.changed(|task| {
            for phase in &mut task.tick {
                if let Phase::Effect { effect, .. } = phase {
                    let first = std::mem::replace(effect, Effect::Nothing);
                    *effect = Effect::Seq([first, Effect::Nothing].into());
                }
            }
        });
        assert_eq!(Gains::new(&followed), Gains::new(&task), "seed {seed}");
    }
}

#[test]
fn an_order_counts_once_in_the_bound_however_long_the_horizon_is() {
    let (domain, _) = (0..60)
        .map(stall)
        .find(|(domain, _)| !domain.contains("reopen"))
        .expect("one");
    let problem = "(define (problem p) (:domain stall) (:objects a - cook o1 o2 o3 - order)
      (:init (= (ready) 0) (waiting o1) (at 5 (waiting o2)) (at 9 (waiting o3)))
      (:horizon 1000) (:metric maximize (earned)))";
    let task = compile(&domain, problem);
    let options = SearchOptions::default().with_max_states(1);
    let Outcome::Bounded { lower, .. } = solve(&task, &options, &Unlimited).outcome else {
        panic!("a state is not enough");
    };
    assert_eq!(lower.map(|value| value.cost), Some(9));
}
