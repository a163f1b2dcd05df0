//! The references of one task that another has not, against enumeration.

use std::collections::BTreeSet;

use brigade::rats::difference::difference;
use brigade::rats::limits::{LimitReached, Limits};
use brigade::rats::{References, Tuple};
use num_bigint::BigUint;

use crate::rats::dags::*;

/// More than any of these sets has.
const ALL: usize = 100_000;

fn listed(references: &References, tuples: &[Tuple]) -> Vec<Words> {
    tuples.iter().map(|tuple| keys(references, tuple)).collect()
}

#[test]
fn the_difference_is_that_of_the_enumerated_sets_in_order() {
    let labels = label_texts();
    // The same texts under other numbers, and one that the first does not have.
    let mut others = labels.clone();
    others.rotate_left(1);
    others[2] = "stir()".to_owned();
    let (mut shared, mut lost) = (0, 0);
    let mut random = Random(11);
    for (seed, agents, dag) in random_cases() {
        let mut labels_of_other = if seed % 3 == 0 { &others } else { &labels };
        let mut other = random_dag(&mut random, agents, 2, 4);
        if seed % 4 == 0 {
            (other, labels_of_other) = (dag.clone(), &others);
        } else if seed % 4 == 1 {
            // A part of the first: the plans that begin with its last choice.
            other = without_first_choice(&dag);
            labels_of_other = &labels;
        }
        let derive =
            |dag, labels| References::derive(dag, &names(agents), labels, &Limits::default());
        let (a, b) = (derive(&dag, &labels), derive(&other, labels_of_other));
        let (all, _) = enumerate(&dag, agents, &labels);
        let (also, _) = enumerate(&other, agents, labels_of_other);
        let expected: Vec<Words> = all.difference(&also).cloned().collect();
        let found = difference(&a, &b, ALL, ALL).unwrap();
        assert_eq!(listed(&a, &found.first), expected, "seed {seed}");
        assert_eq!(found.count, BigUint::from(expected.len()), "seed {seed}");
        let some = difference(&a, &b, 2, ALL).unwrap();
        let few: Vec<Words> = expected.iter().take(2).cloned().collect();
        assert_eq!((listed(&a, &some.first), some.count), (few, found.count));
        shared += all.intersection(&also).count();
        lost += expected.len();
    }
    assert!(shared > 300 && lost > 300, "{shared} shared, {lost} lost");
}

/// The plans of a graph that do not begin as its first one does; all of them if they all do.
fn without_first_choice(dag: &brigade::search::dag::PlanDag) -> brigade::search::dag::PlanDag {
    let mut builder = DagBuilder::default();
    let leaving = dag.first_edge[1] as usize;
    let kept = usize::from(leaving > 1);
    let mut reached = BTreeSet::from([0]);
    for edge in &dag.edges[kept..] {
        if reached.contains(&edge.source.index()) {
            reached.insert(edge.target.index());
        }
    }
    let mut number = vec![usize::MAX; dag.nodes.len()];
    for &node in &reached {
        number[node] = builder.node(dag.nodes[node].tick, dag.nodes[node].agent);
    }
    for edge in &dag.edges[kept..] {
        if reached.contains(&edge.source.index()) {
            let log: Vec<(u16, u32)> = edge.log.iter().map(|e| (e.agent, e.label.0)).collect();
            builder.edge(
                number[edge.source.index()],
                number[edge.target.index()],
                &log,
            );
        }
    }
    builder.build()
}

#[test]
fn equal_sets_have_no_difference_and_an_empty_one_lacks_all() {
    let labels = label_texts();
    let (_, agents, dag) = random_cases().nth(7).unwrap();
    let derive = |dag| References::derive(dag, &names(agents), &labels, &Limits::default());
    let references = derive(&dag);
    let same = difference(&references, &references, ALL, ALL).unwrap();
    assert_eq!((same.count, same.first.len()), (BigUint::ZERO, 0));
    let none = derive(&brigade::search::dag::PlanDag::default());
    let all = difference(&references, &none, ALL, ALL).unwrap();
    assert_eq!(Some(&all.count), references.total.exact());
    assert_eq!(
        difference(&none, &references, ALL, ALL).unwrap().count,
        BigUint::ZERO
    );
}

#[test]
fn beyond_a_limit_the_difference_is_refused() {
    let labels = label_texts();
    let (_, agents, dag) = random_cases().nth(7).unwrap();
    let derive = |limits: &Limits| References::derive(&dag, &names(agents), &labels, limits);
    let references = derive(&Limits::default());
    let refused = difference(&references, &references, ALL, 2);
    assert_eq!(refused, Err(LimitReached::States));
    let given_up = derive(&tight());
    let refused = difference(&given_up, &references, ALL, ALL);
    assert_eq!(refused, Err(LimitReached::States));
}
