//! Random domains mean the same to the grounder and to its oracle.

use crate::grounding::agree::{Extent, agree};
use crate::grounding::compile::{resolve_texts, task};
use crate::grounding::random_domains::texts;

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
        let (domain, problem) = texts(seed);
        let compared = std::panic::catch_unwind(|| {
            let model = resolve_texts(&domain, &problem, "clean");
            agree(&model, &task(&model), seed, extent)
        });
        match compared {
            Ok(compared) => steps += compared.steps,
            Err(_) => failed.push((domain.len(), seed)),
        }
    }
    if let Some(&(_, seed)) = failed.iter().min() {
        let (domain, problem) = texts(seed);
        let seeds: Vec<u64> = failed.iter().map(|&(_, seed)| seed).collect();
        panic!("seeds {seeds:?}; the smallest is {seed}\n{domain}{problem}");
    }
    assert!(steps > 20 * count as usize, "{steps}");
}
