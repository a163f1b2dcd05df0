//! pass^k: the chance that each of k repetitions succeeds (Yao et al., "τ-bench", 2024).

use std::collections::BTreeMap;

use crate::estimate::Estimate;

/// An episode that was repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repetition<'a> {
    /// The problem.
    pub problem: &'a str,
    /// The seed, which repetitions share.
    pub seed: u64,
    /// True if the goal was reached.
    pub success: bool,
}

/// pass^k for k from 1 to `most` or the number of repetitions that all have: the mean over problems and seeds of
/// C(c, k) / C(n, k), c successes in n repetitions. The bootstrap of its interval draws problems, then seeds of each.
pub fn pass_hat<'a>(
    repetitions: impl IntoIterator<Item = Repetition<'a>>,
    most: u64,
) -> Vec<Estimate> {
    let mut problems: BTreeMap<&str, BTreeMap<u64, (u64, u64)>> = BTreeMap::new();
    for repetition in repetitions {
        let seeds = problems.entry(repetition.problem).or_default();
        let (successes, count) = seeds.entry(repetition.seed).or_default();
        *successes += u64::from(repetition.success);
        *count += 1;
    }
    let problems: Vec<Vec<(u64, u64)>> = problems
        .into_values()
        .map(|seeds| seeds.into_values().collect())
        .collect();
    let counts = problems.iter().flatten().map(|(_, count)| *count);
    let most = most.min(counts.min().unwrap_or(0));
    (1..=most)
        .map(|k| {
            let chance = |&&(successes, count): &&(u64, u64)| {
                (0..k)
                    .map(|i| successes.saturating_sub(i) as f64 / (count - i) as f64)
                    .product::<f64>()
            };
            Estimate::of_groups(&problems, |drawn| {
                let chances: Vec<f64> = drawn.iter().flatten().map(chance).collect();
                Some(chances.iter().sum::<f64>() / chances.len() as f64)
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Repetition, pass_hat};

    #[test]
    fn it_is_the_share_of_draws_in_which_all_succeed() {
        // Two of three succeed on one problem, all three on the other; draws of k of three are counted by hand.
        let outcomes = [("egg", [true, false, true]), ("soup", [true; 3])];
        let repetitions = outcomes.iter().flat_map(|(problem, outcomes)| {
            outcomes.map(|success| Repetition {
                problem,
                seed: 0,
                success,
            })
        });
        let values = |most| -> Vec<f64> {
            let estimates = pass_hat(repetitions.clone(), most);
            estimates.iter().filter_map(|it| it.value).collect()
        };
        let wanted = [5.0 / 6.0, f64::midpoint(1.0 / 3.0, 1.0), 0.5];
        let close = values(9)
            .iter()
            .zip(wanted)
            .all(|(value, it)| (value - it).abs() < 1e-12);
        assert!(close && values(9).len() == 3, "{:?}", values(9));
        assert_eq!(values(2).len(), 2);
        assert_eq!(pass_hat([], 9), []);
    }
}
