//! Orbits of references whose labels name objects, or do not.

use brigade::rats::orbits::{Interchange, Orbits};
use brigade::rats::{Limits, References};
use num_bigint::BigUint;

use crate::rats::dags::{DagBuilder, names, tight};

/// The references of one agent who does some labels one after another, in one of several ways.
fn references(ways: &[&[&str]], limits: &Limits<'_>) -> References {
    let labels: Vec<String> = ways
        .iter()
        .flat_map(|way| way.iter().map(ToString::to_string))
        .collect();
    let mut dag = DagBuilder::default();
    let root = dag.node(0, 0);
    let mut label = 0;
    for way in ways {
        let mut at = root;
        for tick in 1..=way.len() as u32 {
            let next = dag.node(tick, 0);
            dag.edge(at, next, &[(0, label)]);
            label += 1;
            at = next;
        }
    }
    References::derive(&dag.build(), &names(1), &labels, limits)
}

fn orbits(references: &References, objects: &[&str], classes: &[Vec<usize>]) -> Orbits {
    let names: Vec<String> = objects.iter().map(ToString::to_string).collect();
    let interchange = Interchange {
        names: &names,
        classes,
    };
    references.orbits(interchange, &Limits::default()).unwrap()
}

fn listed(references: &References, found: &Orbits) -> Vec<Vec<String>> {
    let tuples = found.tuples.iter();
    tuples
        .map(|tuple| references.texts(&tuple).remove(0))
        .collect()
}

#[test]
fn the_representative_names_objects_in_their_order() {
    let ways: [&[&str]; 3] = [
        &["take(cup2)", "fill(cup2, cup1)"],
        &["take(cup1)", "fill(cup1, cup2)"],
        &["take(bowl)", "drop(bowl)"],
    ];
    let references = references(&ways, &Limits::default());
    let found = orbits(&references, &["cup1", "cup2", "bowl"], &[vec![0, 1]]);
    assert_eq!(
        listed(&references, &found),
        [ways[2].to_vec(), ways[1].to_vec()]
    );
    let sizes = found.tuples.iter().map(|tuple| found.size(&tuple));
    assert_eq!(sizes.collect::<Vec<_>>(), [1_u32, 2].map(BigUint::from));
}

#[test]
fn a_name_within_another_is_none() {
    let ways: [&[&str]; 2] = [&["take(cup-1)"], &["take(cup-12)"]];
    let references = references(&ways, &Limits::default());
    let objects = ["cup-1", "cup-12", "cup", "1"];
    let found = orbits(&references, &objects, &[vec![0, 1]]);
    assert_eq!(listed(&references, &found), [["take(cup-1)"]]);
    let others = orbits(&references, &objects, &[vec![2, 3]]);
    assert_eq!(others.total(), BigUint::from(2_u32));
}

#[test]
fn objects_that_labels_tell_apart_are_not_exchanged() {
    let ways: [&[&str]; 2] = [
        &["take(cup1)", "wash(cup1)"],
        &["take(cup2)", "rinse(cup2)"],
    ];
    let references = references(&ways, &Limits::default());
    let found = orbits(&references, &["cup1", "cup2"], &[vec![0, 1]]);
    assert!(found.classes.is_empty());
    assert_eq!(found.total(), BigUint::from(2_u32));
}

#[test]
fn orbits_of_references_that_were_given_up_are_not_known() {
    let ways: [&[&str]; 2] = [
        &["take(cup1)", "fill(cup1)", "drop(cup1)"],
        &["take(cup2)", "fill(cup2)", "drop(cup2)"],
    ];
    let references = references(&ways, &tight());
    let names = ["cup1".to_owned(), "cup2".to_owned()];
    let interchange = Interchange {
        names: &names,
        classes: &[vec![0, 1]],
    };
    let reason = references.orbits(interchange, &Limits::default());
    assert_eq!(reason.err(), references.tuples.clone().err());
    assert!(references.tuples.is_err());
}
