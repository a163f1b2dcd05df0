//! Random domains mean the same to the grounder and to its oracle.

use crate::grounding::agree::{Extent, agree};
use crate::grounding::compile::{resolve_texts, task};
use crate::grounding::random_domains::texts;

/// A random domain and problem; of every second one with sequential turns the order of these is free, and of
/// every second one facts of some ticks come unannounced.
fn varied(seed: u64) -> (String, String) {
    let (mut domain, mut problem) = texts(seed);
    if seed % 2 == 1 {
        domain = domain.replace("(:turns sequential)", "(:turns sequential :order any)");
    }
    if seed % 4 < 2 {
        for tick in 1..9 {
            let mark = if tick % 2 == 0 { ":unannounced " } else { "" };
            problem = problem.replace(&format!("(at {tick} "), &format!("(at {tick} {mark}"));
        }
    }
    (domain, problem)
}

/// `GROUNDING_SEED` and `GROUNDING_COUNT` choose other seeds, and more of them.
#[test]
fn random_domains_mean_the_same_to_the_task_and_to_the_interpreter() {
    let read = |name: &str, default: u64| {
        std::env::var(name)
            .ok()
            .and_then(|text| text.parse().ok())
            .unwrap_or(default)
    };
    let first = read("GROUNDING_SEED", 0);
    let count = read("GROUNDING_COUNT", 25);
    let extent = Extent {
        walks: 4,
        steps: 12,
        states: 4,
    };
    let mut steps = 0;
    let mut failed = Vec::new();
    for seed in first..first + count {
        let (domain, problem) = varied(seed);
        let compared = std::panic::catch_unwind(|| {
            let model = resolve_texts(&domain, &problem, "clean");
            let task = task(&model);
            let mut compared = agree(&model, &task, seed, extent);
            if let Some(known) = task.as_announced() {
                let mut model = model.clone();
                model.timed.retain(|literal| !literal.unannounced);
                compared.steps += agree(&model, &known, seed, extent).steps;
            }
            compared
        });
        match compared {
            Ok(compared) => steps += compared.steps,
            Err(_) => failed.push((domain.len(), seed)),
        }
    }
    if let Some(&(_, seed)) = failed.iter().min() {
        let (domain, problem) = varied(seed);
        let seeds: Vec<u64> = failed.iter().map(|&(_, seed)| seed).collect();
        panic!("seeds {seeds:?}; the smallest is {seed}\n{domain}{problem}");
    }
    assert!(steps > 20 * count as usize, "{steps}");
}
