//! References up to interchangeable objects against all permutations of these, applied one by one.

use std::collections::BTreeSet;

use brigade::rats::orbits::{Interchange, Orbits};
use brigade::rats::{Limits, References};
use brigade::search::dag::PlanDag;
use brigade::search::{SearchOptions, Unlimited, interchangeable, solve};
use brigade::task::PackedTask;
use num_bigint::BigUint;

use crate::oracle::compile::compile;
use crate::oracle::twins::texts;

const SEEDS: u64 = 250;
const MOST_STATES: u64 = 20_000;
const MOST_REFERENCES: u32 = 3_000;

/// The labels of each agent.
type Words = Vec<Vec<String>>;

/// A task of twins whose actions name them in their labels.
fn labelled(seed: u64) -> PackedTask {
    let (domain, problem) = texts(seed);
    let label = "\n  :label \"do({?i}, {?p})\"\n  :precondition (or (done ?i)";
    let domain = domain
        .replace("\n  :precondition (or (done ?i)", label)
        .replace(
            ":derived-predicates :horizon",
            ":derived-predicates :horizon :text",
        );
    compile(&domain, &problem)
}

fn all_plans(task: &PackedTask) -> Option<PlanDag> {
    let options = SearchOptions::default()
        .with_all_plans(true)
        .with_max_states(MOST_STATES);
    solve(task, &options, &Unlimited).dag
}

fn derived(task: &PackedTask, dag: &PlanDag) -> References {
    let names: Vec<String> = task.agents.iter().map(|it| it.name.clone()).collect();
    References::derive(dag, &names, &task.labels, &Limits::default())
}

fn orbits(task: &PackedTask, references: &References, classes: &[Vec<usize>]) -> Orbits {
    let names: Vec<String> = task
        .symbols
        .objects
        .iter()
        .map(|it| it.name.clone())
        .collect();
    let interchange = Interchange {
        names: &names,
        classes,
    };
    references.orbits(interchange, &Limits::default()).unwrap()
}

/// All orders of some names.
fn orders(names: &[String]) -> Vec<Vec<String>> {
    if names.is_empty() {
        return vec![Vec::new()];
    }
    let firsts = 0..names.len();
    firsts
        .flat_map(|first| {
            let mut rest = names.to_vec();
            let name = rest.remove(first);
            orders(&rest)
                .into_iter()
                .map(move |order| [vec![name.clone()], order].concat())
        })
        .collect()
}

/// Labels with other names in the place of each; the names of twins contain each other nowhere.
fn renamed(words: &Words, from: &[String], to: &[String]) -> Words {
    let rename = |label: &String| {
        let marked = from.iter().zip(0..).fold(label.clone(), |text, (name, n)| {
            text.replace(name.as_str(), &format!("<{n}>"))
        });
        to.iter().zip(0..).fold(marked, |text, (name, n)| {
            text.replace(&format!("<{n}>"), name)
        })
    };
    let words = words.iter();
    words
        .map(|word| word.iter().map(rename).collect())
        .collect()
}

/// The images of a reference under all permutations of each class.
fn images(reference: &Words, classes: &[Vec<String>]) -> BTreeSet<Words> {
    let mut all = BTreeSet::from([reference.clone()]);
    for class in classes {
        let orders = orders(class);
        all = all
            .iter()
            .flat_map(|words| orders.iter().map(|to| renamed(words, class, to)))
            .collect();
    }
    all
}

#[test]
fn orbits_are_those_of_all_permutations_of_interchangeable_objects() {
    let (mut with_classes, mut with_fewer) = (0, 0);
    for seed in 0..SEEDS {
        let task = labelled(seed);
        let Some(dag) = all_plans(&task) else {
            continue;
        };
        let references = derived(&task, &dag);
        let Some(total) = references.total.exact().cloned() else {
            continue;
        };
        if total > MOST_REFERENCES.into() {
            continue;
        }
        let classes = interchangeable(&task, &Unlimited);
        let named: Vec<Vec<String>> = classes
            .iter()
            .map(|class| {
                let names = class.iter().map(|&it| task.symbols.object(it).to_owned());
                names.collect()
            })
            .collect();
        let places: Vec<Vec<usize>> = classes
            .iter()
            .map(|class| class.iter().map(|it| it.index()).collect())
            .collect();
        let found = orbits(&task, &references, &places);
        let all: BTreeSet<Words> = references.iter().map(|it| references.texts(&it)).collect();
        // Those that no reference names are left out.
        let changes = |class: &&Vec<String>| {
            let class = std::slice::from_ref(*class);
            all.iter().any(|words| images(words, class).len() > 1)
        };
        let shown: Vec<Vec<String>> = named.iter().filter(changes).cloned().collect();
        assert_eq!(found.classes, shown, "seed {seed}");
        let mut left = all.clone();
        let mut sizes = BigUint::ZERO;
        let mut representatives = 0;
        for tuple in &found.tuples {
            let orbit = images(&references.texts(&tuple), &named);
            assert!(orbit.is_subset(&left), "seed {seed}");
            left.retain(|reference| !orbit.contains(reference));
            assert_eq!(
                found.size(&tuple),
                BigUint::from(orbit.len()),
                "seed {seed}"
            );
            sizes += found.size(&tuple);
            representatives += 1_u32;
        }
        assert!(left.is_empty(), "seed {seed}");
        assert_eq!(sizes, total, "seed {seed}");
        assert_eq!(found.total(), BigUint::from(representatives), "seed {seed}");
        for (agent, words) in found.words.iter().enumerate() {
            let distinct = all.iter().map(|reference| {
                let words = vec![reference[agent].clone()];
                images(&words, &named)
            });
            let distinct: BTreeSet<_> = distinct.collect();
            let words = words.as_ref().unwrap();
            assert_eq!(words.count(), BigUint::from(distinct.len()), "seed {seed}");
        }
        with_classes += u32::from(!shown.is_empty());
        with_fewer += u32::from(found.total() < total);
    }
    assert!(with_classes > 20, "{with_classes}");
    assert!(with_fewer > 10, "{with_fewer}");
}
