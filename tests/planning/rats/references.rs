//! The set of references: its members, their number and order, and the automata.

use std::collections::BTreeSet;

use brigade::rats::alphabet::Symbol;
use brigade::rats::limits::{LimitReached, Limits};
use brigade::rats::tes::Beta;
use brigade::rats::{References, Tuple};
use brigade::search::dag::{Edge, Node, NodeId, PlanDag};
use brigade::task::{LabelId, LogEntry, OperatorId};
use num_bigint::BigUint;

use crate::rats::dags::*;

#[test]
fn references_are_the_distinct_projections_of_all_plans_in_order() {
    let labels = label_texts();
    for (seed, agents, dag) in random_cases() {
        let references = References::derive(&dag, &names(agents), &labels, &Limits::default());
        let (tuples, joint) = enumerate(&dag, agents, &labels);
        assert_eq!(references.plans, BigUint::from(all_records(&dag).len()));
        assert_eq!(references.total.exact(), Some(&BigUint::from(tuples.len())));
        let listed: Vec<Words> = references.iter().map(|t| keys(&references, &t)).collect();
        let expected: Vec<Words> = tuples.iter().cloned().collect();
        assert_eq!(listed, expected, "seed {seed}");

        for (agent, words) in references.agents.iter().enumerate() {
            let expected: BTreeSet<_> = tuples.iter().map(|tuple| &tuple[agent]).collect();
            let automaton = words.automaton.as_ref().unwrap();
            let listed: Vec<_> = automaton.iter().collect();
            assert!(listed.is_sorted());
            let listed: BTreeSet<_> = listed
                .iter()
                .map(|t| keys(&references, t).remove(0))
                .collect();
            assert_eq!(listed.iter().collect::<BTreeSet<_>>(), expected);
            assert_eq!(words.count.exact(), Some(&BigUint::from(expected.len())));
            let lengths = || expected.iter().map(|word| word.len() as u32);
            assert_eq!(Some(words.shortest), lengths().min());
            assert_eq!(Some(words.longest), lengths().max());
            assert_eq!(automaton.lengths(), Some((words.shortest, words.longest)));
        }

        let derived = references.joint.as_ref().unwrap();
        let listed: Vec<Vec<(u16, String)>> = derived
            .iter()
            .map(|word| {
                let text = |(agent, symbol)| (agent, key(references.alphabet.text(symbol)));
                word.into_iter().map(text).collect()
            })
            .collect();
        assert_eq!(listed, joint.into_iter().collect::<Vec<_>>(), "seed {seed}");
    }
}

#[test]
fn automata_have_one_state_per_distinct_set_of_continuations() {
    let labels = label_texts();
    for (_, agents, dag) in random_cases() {
        let references = References::derive(&dag, &names(agents), &labels, &Limits::default());
        for words in &references.agents {
            let automaton = words.automaton.as_ref().unwrap();
            let members: Vec<Vec<Symbol>> = automaton.iter().map(|mut t| t.remove(0)).collect();
            let mut prefixes: BTreeSet<&[Symbol]> = BTreeSet::new();
            for member in &members {
                prefixes.extend((0..=member.len()).map(|end| &member[..end]));
            }
            let residuals: BTreeSet<Vec<&[Symbol]>> = prefixes
                .iter()
                .map(|prefix| {
                    members
                        .iter()
                        .filter_map(|m| m.strip_prefix(*prefix))
                        .collect()
                })
                .collect();
            assert_eq!(automaton.states(), residuals.len());
        }
    }
}

#[test]
fn past_the_limit_listing_and_membership_stay_exact_and_the_count_is_an_interval() {
    let labels = label_texts();
    let mut intervals = 0;
    for (seed, agents, dag) in random_cases() {
        let full = References::derive(&dag, &names(agents), &labels, &Limits::default());
        let bounded = References::derive(&dag, &names(agents), &labels, &tight());
        let all: Vec<Tuple> = full.iter().collect();
        assert_eq!(bounded.iter().collect::<Vec<_>>(), all, "seed {seed}");
        let number = BigUint::from(all.len());
        assert!(bounded.total.lower <= number && number <= bounded.total.upper);
        if bounded.tuples.is_err() {
            assert_eq!(bounded.tuples, Err(LimitReached::States));
            intervals += usize::from(bounded.total.exact().is_none());
        }
        for (a, b) in full.agents.iter().zip(&bounded.agents) {
            assert_eq!((a.shortest, a.longest), (b.shortest, b.longest));
            assert!(b.count.lower <= a.count.lower && a.count.upper <= b.count.upper);
        }
        // Members, and tuples that mix the words of two references.
        for (first, second) in all.iter().zip(all.iter().rev()).take(20) {
            let mut mixed = first.clone();
            mixed[0].clone_from(&second[0]);
            for tuple in [first, &mixed] {
                let expected = all.contains(tuple);
                assert_eq!(full.contains(tuple), expected);
                assert_eq!(bounded.contains(tuple), expected);
            }
            let mut cut = first[0].clone();
            cut.pop();
            let expected = all.iter().any(|tuple| tuple[0] == cut);
            assert_eq!(full.contains_word(0, &cut), expected);
            assert_eq!(bounded.contains_word(0, &cut), expected);
        }
    }
    assert!(intervals > 100, "{intervals}");
}

#[test]
fn an_interrupted_derivation_says_so() {
    let (_, agents, dag) = random_cases().last().unwrap();
    let limits = Limits {
        interrupted: &|| true,
        ..Limits::default()
    };
    let references = References::derive(&dag, &names(agents), &label_texts(), &limits);
    assert_eq!(references.tuples, Err(LimitReached::Interrupted));
}

#[test]
fn very_many_plans_may_have_few_references() {
    let small = Limits {
        states: 8,
        work: 1000,
        ..Limits::default()
    };
    // Sixty times two silent ways to go on; one of two labels at the end.
    let mut builder = DagBuilder::default();
    let mut at = builder.node(0, 0);
    for tick in 1..=60 {
        let next = builder.node(tick, 0);
        builder.edge(at, next, &[]);
        builder.edge(at, next, &[]);
        at = next;
    }
    let end = builder.node(61, 0);
    builder.edge(at, end, &[(0, 1)]);
    builder.edge(at, end, &[(0, 3)]);
    let references = References::derive(&builder.build(), &names(1), &label_texts(), &small);
    assert_eq!(references.plans, BigUint::from(1_u64 << 61));
    assert_eq!(references.total.exact(), Some(&BigUint::from(2_u32)));
    assert_eq!(references.iter().count(), 2);
}

#[test]
fn very_many_references_are_counted_without_listing_them() {
    // Two agents, one of two labels each at every one of 200 steps.
    let mut builder = DagBuilder::default();
    let mut at = builder.node(0, 0);
    for tick in 1..=200 {
        let half = builder.node(tick - 1, 1);
        let next = builder.node(tick, 0);
        builder.edge(at, half, &[(0, 1)]);
        builder.edge(at, half, &[(0, 3)]);
        builder.edge(half, next, &[(1, 1)]);
        builder.edge(half, next, &[(1, 3)]);
        at = next;
    }
    let references = References::derive(
        &builder.build(),
        &names(2),
        &label_texts(),
        &Limits::default(),
    );
    assert_eq!(
        references.total.exact(),
        Some(&BigUint::from(2_u32).pow(400))
    );
    assert_eq!(
        references.agents[0].automaton.as_ref().unwrap().states(),
        201
    );
    assert_eq!(references.iter().take(3).count(), 3);
}

#[test]
fn plans_of_a_hundred_thousand_ticks_are_no_problem() {
    let ticks = 100_000;
    // Laid out directly: one path, a label of each agent now and then.
    let mut dag = PlanDag::default();
    for tick in 0..=ticks {
        dag.first_edge.push(dag.edges.len() as u32);
        dag.nodes.push(Node {
            tick,
            agent: 0,
            is_final: tick == ticks,
        });
        if tick < ticks {
            let log: Box<[LogEntry]> = if tick % 2 == 0 {
                Box::new([LogEntry {
                    agent: (tick / 2 % 2) as u16,
                    label: LabelId(1),
                }])
            } else {
                Box::default()
            };
            dag.edges.push(Edge {
                source: NodeId(tick),
                target: NodeId(tick + 1),
                agent: 0,
                operator: OperatorId(0),
                log,
            });
        }
    }
    dag.first_edge.push(dag.edges.len() as u32);
    let limits = Limits {
        work: 2_000_000,
        ..Limits::default()
    };
    let references = References::derive(&dag, &names(2), &label_texts(), &limits);
    assert_eq!(references.total.exact(), Some(&BigUint::from(1_u32)));
    assert_eq!(references.agents[1].longest, 25_000);
    let reference = references.iter().next().unwrap();
    assert_eq!(reference[0].len(), 25_000);
    assert!(references.contains(&reference));
    let score = references.tes(0, &reference[0], Beta::default()).unwrap();
    assert!((score.value() - 1.0).abs() < 1e-15);
}

#[test]
fn a_dag_without_plans_has_no_references() {
    let references = References::derive(&PlanDag::default(), &names(2), &[], &Limits::default());
    assert_eq!(references.total.exact(), Some(&BigUint::ZERO));
    assert_eq!(references.iter().count(), 0);
    assert!(references.tes(0, &[], Beta::default()).is_none());
    assert!(!references.contains(&[vec![], vec![]]));
}

#[test]
fn words_that_depend_on_each_other_are_counted_where_their_automaton_is_too_large() {
    let labels: Vec<String> = (0..7).map(|item| format!("item{item}")).collect();
    let dag = hand_over(7);
    let limits = Limits {
        states: 20_000,
        ..Limits::default()
    };
    let references = References::derive(&dag, &names(2), &labels, &limits);
    assert_eq!(references.tuples, Err(LimitReached::States));
    assert_eq!(references.total.exact(), Some(&BigUint::from(5040_u32)));
    assert!(references.iter().take(30).all(|tuple| tuple[0] == tuple[1]));
}

#[test]
fn a_count_is_right_or_an_interval_whatever_the_limit() {
    let labels = label_texts();
    for (seed, agents, dag) in random_cases().step_by(3) {
        let truth = BigUint::from(enumerate(&dag, agents, &labels).0.len());
        for states in [0, 5, 10, 20, 40, 80, 160, 320] {
            for work in [states as u64 * 4, u64::MAX] {
                let limits = Limits {
                    states,
                    work,
                    ..Limits::default()
                };
                let total = References::derive(&dag, &names(agents), &labels, &limits).total;
                assert!(total.lower <= truth && truth <= total.upper, "seed {seed}");
            }
        }
    }
}
