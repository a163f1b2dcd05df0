//! TES against all references at once.

use std::cell::Cell;

use brigade::rats::alphabet::Symbol;
use brigade::rats::limits::Limits;
use brigade::rats::tes::{Beta, Tes};
use brigade::rats::{LimitReached, References, Tuple};
use brigade::score::derived::DerivedReferences;
use brigade::score::{Options, RecordedEpisode, ScoreError, TaskContext, score_episode};

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

/// An episode of two agents with these actions.
fn episode(actions: [&[&str]; 2]) -> RecordedEpisode {
    let stamped = |actions: &[&str]| -> Vec<serde_json::Value> {
        let actions = actions.iter().enumerate();
        let stamped =
            actions.map(|(tick, action)| serde_json::json!({"timestamp": tick, "action": action}));
        stamped.collect()
    };
    let actions: Vec<_> = actions.into_iter().map(stamped).collect();
    serde_json::from_value(serde_json::json!({
        "order": "soup", "level": 1, "total_timestamp": [0, 1], "total_order_finished": [],
        "total_action_list": actions, "dialogs": [],
    }))
    .unwrap()
}

#[test]
fn a_match_can_be_stopped_at_every_node_and_reference_and_then_nothing_is_claimed() {
    let mut builder = DagBuilder::default();
    let (root, end) = (builder.node(0, 0), builder.node(1, 0));
    builder.edge(root, end, &[(0, 1), (1, 2)]);
    builder.edge(root, end, &[(0, 2), (1, 1)]);
    let dag = builder.build();
    let references = References::derive(&dag, &names(2), &label_texts(), &Limits::default());
    let history = references.encode(&["cut()"]);
    let stopped = references.tes_until(0, &history, Beta::default(), &|| true);
    assert_eq!(stopped.unwrap_err(), LimitReached::Interrupted);
    // Each agent follows another reference, so none is the best for both.
    let label = references.alphabet.text(1).to_owned();
    let episode = episode([&[&label], &[&label]]);
    let score = |most: u32| {
        let asked = Cell::new(0);
        let stop = || asked.replace(asked.get() + 1) >= most;
        let model = DerivedReferences::new(&references, &stop);
        score_episode(&episode, &TaskContext::new(&model), &Options::brigade())
    };
    let whole = score(u32::MAX).unwrap();
    assert!(whole.joint_pc.unwrap() < whole.pc);
    let mut scores = (0..).map(score);
    assert!(
        scores
            .next()
            .unwrap()
            .is_err_and(|error| error == ScoreError::Stopped)
    );
    let mut partial = scores.skip_while(Result::is_err).map(Result::unwrap);
    let first = partial.next().unwrap();
    assert_eq!((first.pc, first.joint_pc), (whole.pc, None));
    assert!(partial.any(|score| score.joint_pc == whole.joint_pc));
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
