//! Leaving irrelevant parts out of a task for planning changes no optimum and no number of optimal plans.

use brigade::ground::{Options, ground};
use brigade::search::{SearchOptions, Unlimited, solve};
use brigade::sema::model::Model;
use brigade::task::PackedTask;

use crate::grounding::compile::resolve_texts;
use crate::grounding::random_domains::Random;

/// The value of the optimal plans and their number, if there are any.
fn answer(task: &PackedTask) -> Option<(String, String)> {
    let options = SearchOptions::default().with_all_plans(true);
    let result = solve(task, &options, &Unlimited);
    let plan = result.outcome.plan()?;
    let count = result.dag.unwrap().count();
    Some((format!("{:?}", plan.value), count.to_string()))
}

/// The task with and without what is irrelevant.
fn both(model: &Model) -> [PackedTask; 2] {
    [true, false].map(|keep_irrelevant| {
        let options = Options::default().with_irrelevant_kept(keep_irrelevant);
        ground(model, &options).unwrap()
    })
}

/// Nobody but the action `hum` lets time pass.
#[test]
fn what_lets_time_pass_is_relevant_where_ticks_matter() {
    let needs = |extra: &str, init: &str| {
        let domain = format!(
            "(define (domain waiting)
               (:requirements :adl :timed-initial-literals :events :delayed-effects :bounded-numbers)
               (:predicates (open) (hummed) (rung))
               (:functions (age) - (int 0 5))
               (:action hum :effect (hummed))
               {extra})"
        );
        let problem =
            format!("(define (problem waiting-1) (:domain waiting) (:init {init}) (:goal (open)))");
        let model = resolve_texts(&domain, &problem, "clean");
        let [all, relevant] = both(&model);
        assert_eq!(answer(&all), answer(&relevant), "{extra}");
        answer(&relevant).unwrap()
    };
    let (_, literal) = needs("", "(at 3 (open))");
    assert_eq!(literal, "1");
    needs(
        "(:event ripen :effect (increase (age) 1))
         (:event burst :precondition (= (age) 4) :effect (open))",
        "",
    );
    needs(
        "(:action ring :precondition (not (rung)) :effect (and (rung) (after 4 (open))))",
        "",
    );
}

/// `sing`, which no goal needs, comes before `open`.
#[test]
fn what_is_left_keeps_its_own_requirements() {
    let model = resolve_texts(
        "(define (domain doors)
           (:requirements :adl)
           (:predicates (rested) (sung) (unlocked) (opened))
           (:action rest :effect (rested))
           (:action sing :precondition (rested) :effect (sung))
           (:action unlock :effect (unlocked))
           (:action open :precondition (unlocked) :effect (opened)))",
        "(define (problem doors-1) (:domain doors) (:init) (:goal (opened)))",
        "clean",
    );
    let [all, relevant] = both(&model).map(|task| {
        let operators = task.operators.iter();
        let described = operators.map(|operator| {
            let requirements = operator.requirements.iter();
            let reasons = requirements.map(|requirement| requirement.reason.as_str());
            format!(
                "{}: {}",
                operator.name,
                reasons.collect::<Vec<_>>().join(", ")
            )
        });
        described.collect::<Vec<_>>()
    });
    assert_eq!(
        all,
        ["rest: ", "sing: (rested)", "unlock: ", "open: (unlocked)"]
    );
    assert_eq!(relevant, ["unlock: ", "open: (unlocked)"]);
}

/// Actions over a few facts, some of which no goal needs.
#[test]
fn random_tasks_without_agents_keep_their_optimal_plans() {
    let mut solved = 0;
    let mut smaller = 0;
    for seed in 0..200_u64 {
        let mut random = Random::new(seed);
        let fact = |random: &mut Random| format!("(f{})", random.below(9));
        let mut actions = String::new();
        for number in 0..3 + random.below(5) {
            let required = [fact(&mut random), format!("(not {})", fact(&mut random))];
            let required = required[random.below(2)].clone();
            let cost = random.below(3);
            let label = if random.chance(30) { ":label none" } else { "" };
            actions.push_str(&format!(
                "(:action a{number} :precondition (or {required} (f0))
                   :effect (and {} (not {}) (when {} {}) (increase (total-cost) {cost})) {label})\n",
                fact(&mut random),
                fact(&mut random),
                fact(&mut random),
                fact(&mut random)
            ));
        }
        if random.chance(40) {
            actions.push_str("(:derived (d) (or (f1) (f7)))");
        } else {
            actions.push_str("(:derived (d) (and (f8) (not (f2))))");
        }
        let facts: String = (0..9).map(|number| format!("(f{number})")).collect();
        let domain = format!(
            "(define (domain facts)
               (:requirements :adl :action-costs :derived-predicates :text)
               (:predicates (d) {facts}) (:functions (total-cost) - number)
               {actions})"
        );
        let goal = [fact(&mut random), "(d)".to_owned()][random.below(2)].clone();
        let metric = ["(:metric minimize (total-cost))", ""][random.below(2)];
        let problem = format!(
            "(define (problem facts-1) (:domain facts) (:init {}) (:goal (and {goal} {})) {metric})",
            fact(&mut random),
            fact(&mut random)
        );
        let model = resolve_texts(&domain, &problem, "clean");
        let [all, relevant] = both(&model);
        assert_eq!(answer(&all), answer(&relevant), "{domain}{problem}");
        solved += usize::from(answer(&all).is_some());
        smaller += usize::from(relevant.operators.len() < all.operators.len());
    }
    assert!(solved > 40 && smaller > 40, "{solved} {smaller}");
}
