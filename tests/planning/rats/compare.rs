//! Annotated references beside the derived ones.

use brigade::rats::collab::{self, Annotated};
use brigade::rats::compare::{CompareOptions, compare};
use brigade::rats::flawless::FlawlessPlay;
use brigade::rats::limits::Limits;
use brigade::rats::tes::Beta;
use brigade::rats::{References, Tuple};

use crate::rats::dags::*;

#[test]
fn an_annotation_is_judged_reference_by_reference() {
    let (dag, names, labels) = kitchen();
    let references = References::derive(&dag, &names, &labels, &Limits::default());
    let annotated = collab::parse(
        r#"{
            "optimal": {
                "agent_0": ["pickup(egg,counter)", "cook( \"pot\" )", "deliver()"],
                "agent_1": ["pickup(dish,dispenser)", "pickup(egg,dispenser)", "place()"]
            },
            "half": {
                "agent_1": ["pickup(egg,dispenser)", "dance()"],
                "agent_0": ["pickup(egg, counter)", "cook(\"pot\")", "deliver()"]
            },
            "optimal again": {
                "agent_0": ["pickup(egg, counter)", "cook(\"pot\")", "deliver()"],
                "agent_1": ["pickup(dish, dispenser)", "pickup(egg, dispenser)", "place()"]
            }
        }"#,
    )
    .unwrap();
    let options = CompareOptions::default();
    let comparison = compare(&annotated, &references, &options).unwrap();
    assert_eq!(comparison.missing(&references).count(), 3);
    snapshots().bind(|| insta::assert_json_snapshot!("comparison", comparison));

    let first_only = CompareOptions {
        states: 0,
        scored: 1,
        ..options
    };
    let comparison = compare(&annotated, &references, &first_only).unwrap();
    let play = comparison.flawless_play.unwrap();
    assert_eq!((play.scored.as_str(), play.all), ("1", false));

    let one_agent = collab::parse(r#"{"r": {"agent_0": []}}"#).unwrap();
    let refused = compare(&one_agent, &references, &options).unwrap_err();
    assert_eq!(refused.to_string(), "`r` has 1 agent, the task has 2");
}

#[test]
fn comparing_is_exact_on_random_dags_with_and_without_automata() {
    let labels = label_texts();
    for (seed, agents, dag) in random_cases().step_by(5) {
        let mut random = Random(seed);
        let full = References::derive(&dag, &names(agents), &labels, &Limits::default());
        let bounded = References::derive(&dag, &names(agents), &labels, &tight());
        let all: Vec<Tuple> = full.iter().collect();
        let annotated: Annotated = (0..3)
            .map(|number| {
                let mut tuple = all[random.below(all.len())].clone();
                if random.below(2) == 0 {
                    tuple[0].clone_from(&all[random.below(all.len())][0]);
                }
                (format!("reference_{number}"), full.texts(&tuple))
            })
            .collect();
        let options = CompareOptions::default();
        let found = compare(&annotated, &full, &options).unwrap();
        let encoded: Vec<Tuple> = annotated
            .values()
            .map(|words| words.iter().map(|word| full.encode(word)).collect())
            .collect();
        let missing: Vec<_> = all
            .iter()
            .filter(|tuple| !encoded.contains(tuple))
            .collect();
        assert!(found.missing(&full).eq(missing.iter().copied().cloned()));
        assert_eq!(found.missing_total, Some(missing.len().to_string()));
        assert_eq!(found.covered + missing.len(), all.len());
        let completeness = |tuple: &Tuple| {
            let best = |agent: usize| {
                let annotated = encoded.iter().map(|reference| &reference[agent]);
                let scores = annotated.map(|g| brute_tes(&tuple[agent], g, Beta::default()));
                scores.fold(0.0, f64::max)
            };
            (0..usize::from(agents)).map(best).sum::<f64>() / f64::from(agents)
        };
        let play = found.flawless_play.as_ref().unwrap();
        let scores: Vec<f64> = all.iter().map(completeness).collect();
        let least = scores.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = scores.iter().copied().fold(0.0, f64::max);
        let first = |score: f64| {
            let close = |other: &f64| (other - score).abs() < 1e-12;
            full.texts(&all[scores.iter().position(close).unwrap()])
        };
        assert!(play.all);
        assert_eq!(play.scored, all.len().to_string());
        assert!((play.mean - scores.iter().sum::<f64>() / all.len() as f64).abs() < 1e-9);
        assert!((play.min - least).abs() < 1e-12);
        assert_eq!(play.min_reference, first(least));
        assert!((play.max - greatest).abs() < 1e-12);
        assert_eq!(play.max_reference, first(greatest));
        let perfect = scores.iter().filter(|score| **score > 1.0 - 1e-12).count();
        assert_eq!(play.perfect, perfect.to_string());

        let one_by_one = CompareOptions {
            states: 0,
            ..options
        };
        let again = compare(&annotated, &full, &one_by_one).unwrap();
        let listed = again.flawless_play.unwrap();
        assert!((play.mean - listed.mean).abs() < 1e-9);
        let mean = play.mean;
        assert_eq!(*play, FlawlessPlay { mean, ..listed });

        let again = compare(&annotated, &bounded, &options).unwrap();
        assert_eq!(found.annotated, again.annotated);
        assert!(found.missing(&full).eq(again.missing(&bounded)));
        let listed = again.flawless_play.unwrap();
        assert!((play.mean - listed.mean).abs() < 1e-9);
        assert_eq!(*play, FlawlessPlay { mean, ..listed });
    }
}
