//! TES against all references at once.

use brigade::rats::alphabet::Symbol;
use brigade::rats::limits::Limits;
use brigade::rats::tes::{Beta, Tes};
use brigade::rats::{References, Tuple};

use crate::rats::dags::*;

#[test]
fn tes_is_the_best_over_all_references_with_and_without_automata() {
    let labels = label_texts();
    for (seed, agents, dag) in random_cases() {
        let mut random = Random(seed);
        let references = References::derive(&dag, &names(agents), &labels, &tight());
        let all: Vec<Tuple> = references.iter().collect();
        for beta in [
            Beta::default(),
            Beta {
                squared_numerator: 4,
                squared_denominator: 1,
            },
        ] {
            let mut histories: Vec<Vec<Symbol>> = Vec::new();
            for agent in 0..usize::from(agents) {
                let mut history = all[random.below(all.len())][agent].clone();
                for _ in 0..random.below(4) {
                    let place = random.below(history.len() + 1);
                    match random.below(3) {
                        0 => history.insert(place, 1 + random.below(3) as Symbol),
                        1 => history.insert(place, Symbol::MAX),
                        _ => history.truncate(place),
                    }
                }
                let expected = all
                    .iter()
                    .map(|tuple| brute_tes(&history, &tuple[agent], beta));
                let found = references.tes(agent, &history, beta).unwrap();
                let expected = expected.fold(0.0, f64::max);
                assert!(
                    (found.value() - expected).abs() < 1e-12,
                    "seed {seed}: {history:?}"
                );
                histories.push(history);
            }
            let joint = references.joint_tes(&histories, beta, usize::MAX).unwrap();
            let mean = |tuple: &Tuple| {
                let pairs = histories.iter().zip(tuple);
                pairs.map(|(h, g)| brute_tes(h, g, beta)).sum::<f64>() / f64::from(agents)
            };
            let expected = all.iter().map(mean).fold(0.0, f64::max);
            assert!(joint.exact);
            assert!((joint.mean() - expected).abs() < 1e-12, "seed {seed}");
        }
    }
}

#[test]
fn a_history_equal_to_a_reference_scores_one_and_empty_ones_score_by_convention() {
    let mut builder = DagBuilder::default();
    let (root, end) = (builder.node(0, 0), builder.node(1, 0));
    builder.edge(root, end, &[]);
    builder.edge(root, end, &[(0, 1), (0, 3)]);
    let dag = builder.build();
    let references = References::derive(&dag, &names(2), &label_texts(), &Limits::default());
    let score = |agent, history: &[&str]| {
        let history = references.encode(history);
        references
            .tes(agent, &history, Beta::default())
            .unwrap()
            .value()
    };
    assert!((score(0, &["cut( )", "pick(a)"]) - 1.0).abs() < 1e-15);
    assert!((score(0, &[]) - 1.0).abs() < 1e-15);
    assert!((score(1, &[]) - 1.0).abs() < 1e-15);
    assert!(score(1, &["cut()"]).abs() < 1e-15);
    assert!((score(0, &["cut()"]) - 0.655_469_422_911_284).abs() < 1e-12);
    assert!(references.tes(2, &[], Beta::default()).is_none());
}

#[test]
fn scores_are_compared_as_exact_fractions() {
    let beta = Beta {
        squared_numerator: u32::MAX,
        squared_denominator: u32::MAX - 1,
    };
    let less = Tes::new(u32::MAX - 2, u32::MAX - 1, u32::MAX, beta);
    let more = Tes::new(u32::MAX - 1, u32::MAX - 1, u32::MAX, beta);
    assert!(less < more);
    assert_eq!(less, less);
}

#[test]
fn published_score_vectors_are_reproduced() {
    let Some(folder) = upstream() else { return };
    let text = std::fs::read_to_string(folder.join("golden/tes_vectors.json")).unwrap();
    let vectors: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    assert!(!vectors.is_empty());
    for vector in vectors {
        let labels =
            |name: &str| -> Vec<String> { serde_json::from_value(vector[name].clone()).unwrap() };
        let score = Tes::of(&labels("h"), &labels("g"), Beta::default());
        assert_eq!(u64::from(score.matched), vector["D"].as_u64().unwrap());
        assert!((score.value() - vector["tes"].as_f64().unwrap()).abs() < 1e-12);
    }
}
