//! Costs are exact, or refused.

use super::plan::plan;
use super::{Scratch, run};

/// Parcels of these prices, all to be sent by one action each.
fn parcels(scratch: &Scratch, prices: &[&str], metric: &str) -> String {
    scratch.file(
        "domain.pddl",
        "(define (domain parcels) (:requirements :adl :action-costs) (:types parcel)
          (:predicates (sent ?x - parcel)) (:functions (price ?x - parcel) (total-cost))
          (:action send :parameters (?x - parcel)
            :effect (and (sent ?x) (increase (total-cost) (price ?x)))))",
    );
    let names: Vec<String> = (0..prices.len()).map(|index| format!("p{index}")).collect();
    let names = names.join(" ");
    let prices = prices.iter().enumerate();
    let prices: String = prices
        .map(|(index, price)| format!("(= (price p{index}) {price})"))
        .collect();
    scratch.file(
        "problem.pddl",
        format!(
            "(define (problem p) (:domain parcels) (:objects {names} - parcel)
              (:init (= (total-cost) 0) {prices}) (:goal (forall (?x - parcel) (sent ?x)))
              (:metric minimize {metric}))"
        ),
    )
}

#[test]
fn a_cost_keeps_all_its_digits_in_text_and_json() {
    let scratch = Scratch::new("exact-costs");
    for (prices, cost) in [
        (["123456789012345.678", "0.001"], "123456789012345.679"),
        (
            ["999999999999999.999", "999999999999999.998"],
            "1999999999999999.997",
        ),
        (["0.5", "2"], "2.5"),
    ] {
        let problem = &parcels(&scratch, &prices, "(total-cost)");
        let json = run(&["plan", problem, "--format", "json"]);
        let json = String::from_utf8_lossy(&json.stdout).into_owned();
        let text = run(&["plan", problem]);
        let text = String::from_utf8_lossy(&text.stdout).into_owned();
        assert!(json.contains(&format!("\"cost\": {cost},")), "{json}");
        assert!(text.contains(&format!("cost {cost},")), "{text}");
    }
}

#[test]
fn a_plan_whose_costs_pass_64_bits_is_an_error_and_no_optimum() {
    let scratch = Scratch::new("overflowing-costs");
    let problem = &parcels(&scratch, &["999999999999999.999"; 4], "(* 9 (total-cost))");
    for options in [&[][..], &["--heuristic", "blind"], &["--all"]] {
        let (json, _) = plan(problem, options);
        assert_eq!(json["optimal"], false, "{options:?}");
        assert_eq!(json["cost"], serde_json::Value::Null, "{options:?}");
        let reason = json["stopped"].as_str().unwrap();
        assert!(reason.contains("pass 2^63-1"), "{options:?}: {reason}");
    }
    let played = run(&["run", problem, "--format", "json", "--agent", "=greedy"]);
    let played = String::from_utf8_lossy(&played.stdout).into_owned();
    assert!(played.contains("pass 2^63-1"), "{played}");
}

#[test]
fn a_cheap_plan_is_proven_beside_one_whose_costs_pass_64_bits() {
    let scratch = Scratch::new("cheap-beside-dear");
    scratch.file(
        "domain.pddl",
        "(define (domain roads) (:requirements :action-costs) (:predicates (half) (there))
          (:functions (total-cost))
          (:action toll :parameters () :effect (and (half) (increase (total-cost) 999999999999999.999)))
          (:action pay :parameters () :precondition (half)
            :effect (and (there) (increase (total-cost) 999999999999999.999)))
          (:action walk :parameters () :effect (and (there) (increase (total-cost) 3))))",
    );
    let problem = &scratch.file(
        "problem.pddl",
        "(define (problem p) (:domain roads) (:init (= (total-cost) 0)) (:goal (there))
          (:metric minimize (* 9 (total-cost))))",
    );
    let (json, code) = plan(problem, &[]);
    assert_eq!(
        (&json["optimal"], &json["cost"], code),
        (&true.into(), &27.0.into(), 0)
    );
}

#[test]
fn an_optimum_that_passes_64_bits_is_not_known_to_scores() {
    let scratch = Scratch::new("overflowing-scores");
    let problem = &parcels(&scratch, &["999999999999999.999"; 12], "(total-cost)");
    let actions: String = (0..12).map(|index| format!("(send p{index})\n")).collect();
    let script = format!("=scripted:{}", scratch.file("plan.txt", actions));
    let log = &scratch.path("log.jsonl");
    run(&[
        "run",
        problem,
        "--agent",
        &script,
        "--max-ticks",
        "3",
        "--log",
        log,
    ]);
    let scores = run(&[
        "score",
        log,
        "--problem",
        problem,
        "--process",
        "--format",
        "json",
    ]);
    let scores: serde_json::Value = serde_json::from_slice(&scores.stdout).unwrap();
    let end = &scores["process"][0]["end"];
    assert_eq!(end["optimum"], serde_json::Value::Null, "{end}");
    let reason = end["optimum_bounds"]["reason"].as_str().unwrap();
    assert!(reason.contains("pass 2^63-1"), "{reason}");
}

#[test]
fn slack_whose_bounds_pass_64_bits_is_refused() {
    let scratch = Scratch::new("overflowing-slack");
    let problem = &parcels(&scratch, &["999999999999999.999"; 9], "(total-cost)");
    let (json, code) = plan(problem, &["--all", "--slack", "1.5"]);
    assert_eq!(
        (&json["within"], &json["plans"]),
        (&serde_json::Value::Null, &serde_json::Value::Null)
    );
    assert_eq!(code, 3);
    let within = [
        "plan", problem, "--all", "--slack", "1.02", "--format", "json",
    ];
    let within = String::from_utf8_lossy(&run(&within).stdout).into_owned();
    assert!(
        within.contains("\"cost\": 9179999999999999.99,"),
        "{within}"
    );
}

#[test]
fn plans_and_scores_agree_on_what_the_metric_counts_before_the_first_step() {
    let scratch = Scratch::new("constant-part");
    let problem = &parcels(&scratch, &["1", "2.5"], "(+ (total-cost) 0.005)");
    let text = std::fs::read_to_string(problem).unwrap();
    let text = text.replace("(= (total-cost) 0)", "(= (total-cost) 7)");
    std::fs::write(problem, text).unwrap();
    let (json, _) = plan(problem, &[]);
    assert_eq!(json["cost"].to_string(), "10.505");
    let script = format!(
        "=scripted:{}",
        scratch.file("plan.txt", "(send p0)\n(send p1)\n")
    );
    let log = &scratch.path("log.jsonl");
    run(&["run", problem, "--agent", &script, "--log", log]);
    let scores = run(&["score", log, "--problem", problem, "--regret", "--process"]);
    let scores = String::from_utf8_lossy(&scores.stdout).into_owned();
    for line in [
        "regret 0.0 over cost 10.505 (optimum 10.505,",
        "cost 10.505 (optimum 10.505,",
    ] {
        assert!(scores.contains(line), "{scores}");
    }
}
