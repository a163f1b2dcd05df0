//! The totals of paths that were not followed, and how far the limit is worth raising.

use std::collections::BTreeMap;

use crate::heuristics::Estimate;

/// Different totals that are distinguished, at most.
const MOST: usize = 256;
/// The limit is raised until one path is taken up again for so many nodes that were expanded.
const EXPANDED_PER_PATH: u64 = 8;

/// Totals beyond the limit of one iteration.
#[derive(Default)]
pub(super) struct Totals {
    /// For the least ones how many paths were left with each.
    counts: BTreeMap<i64, u64>,
    /// The least, with all keys.
    pub(super) least: Option<Estimate>,
}

impl Totals {
    /// Notes a path that was left; `first` is the limited key of its total.
    pub(super) fn note(&mut self, first: i64, total: Estimate) {
        self.least = Some(self.least.map_or(total, |least| least.min(total)));
        *self.counts.entry(first).or_default() += 1;
        if self.counts.len() > MOST {
            self.counts.pop_last();
        }
    }

    /// The least total up to which so many paths were left that following them is worth an
    /// iteration, after one that expanded so many nodes; but not more than `most`.
    pub(super) fn far_enough(&self, expanded: u64, most: i64) -> Option<i64> {
        let mut paths = 0_u64;
        let mut last = None;
        for (&total, &count) in self.counts.range(..=most) {
            paths = paths.saturating_add(count);
            last = Some(total);
            if paths.saturating_mul(EXPANDED_PER_PATH) >= expanded {
                break;
            }
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_raised_further_where_few_paths_reach_the_next_total() {
        let mut totals = Totals::default();
        for (first, paths) in [(10, 1), (12, 2), (15, 50), (40, 900)] {
            let total = Estimate {
                first,
                ..Estimate::ZERO
            };
            (0..paths).for_each(|_| totals.note(first, total));
        }
        assert_eq!(totals.far_enough(8, i64::MAX), Some(10));
        assert_eq!(totals.far_enough(100, i64::MAX), Some(15));
        assert_eq!(totals.far_enough(1_000, i64::MAX), Some(40));
        assert_eq!(totals.far_enough(1_000, 20), Some(15));
        assert_eq!(totals.far_enough(1_000, 9), None);
        assert_eq!(totals.least.map(|least| least.first), Some(10));
    }
}
