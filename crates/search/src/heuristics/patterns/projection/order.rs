//! The order in which the variables of a projection are looked at, and the distinctions that it can
//! drop.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::{Level, NONE, Projection, count};

impl Projection {
    /// Looks at its variables in another order, in which each of them comes once.
    pub(crate) fn reorder(&mut self, order: &[usize]) {
        let mut states: Vec<(Vec<u32>, usize)> = Vec::new();
        self.list(0, 0, &mut Vec::new(), &mut |state, classes| {
            let classes = order.iter().map(|&place| classes[place]).collect();
            states.push((classes, state as usize));
        });
        states.sort_unstable();
        self.variables = order.iter().map(|&it| self.variables[it]).collect();
        self.classes = order.iter().map(|&it| self.classes[it].clone()).collect();
        self.next = (0..order.len())
            .map(|depth| {
                let classes = count(&self.classes[depth]) as u32;
                let mut level = Level {
                    classes,
                    next: Vec::new(),
                };
                let (mut numbers, mut before) = (0, None);
                for (state, _) in &states {
                    let (above, class) = (&state[..depth], state[depth]);
                    if before != Some(&state[..=depth]) {
                        if before.is_none_or(|before| &before[..depth] != above) {
                            level.next.extend((0..classes).map(|_| NONE));
                        }
                        let last = level.next.len() - classes as usize;
                        level.next[last + class as usize] = numbers;
                        numbers += 1;
                        before = Some(&state[..=depth]);
                    }
                }
                level
            })
            .collect();
        let rows = states.iter().flat_map(|&(_, state)| {
            let row = &self.distances[state * self.columns..][..self.columns];
            row.iter().copied()
        });
        self.distances = rows.collect();
        self.merge_alike();
    }

    /// Makes one of states with the same distances, and of what leads to the same whatever comes
    /// after it.
    pub(crate) fn merge_alike(&mut self) {
        let mut kept: IndexSet<&[u16], FxBuildHasher> = IndexSet::default();
        let rows = self.distances.chunks_exact(self.columns);
        let mut numbers: Vec<usize> = rows.map(|row| kept.insert_full(row).0).collect();
        self.distances = kept.iter().copied().flatten().copied().collect();
        for level in self.next.iter_mut().rev() {
            for next in level.next.iter_mut().filter(|next| **next != NONE) {
                *next = numbers[*next as usize] as u32;
            }
            let mut kept: IndexSet<&[u32], FxBuildHasher> = IndexSet::default();
            let rows = level.next.chunks_exact(level.classes as usize);
            numbers = rows.map(|row| kept.insert_full(row).0).collect();
            level.next = kept.iter().copied().flatten().copied().collect();
        }
    }

    /// Hands on each state below one with the classes of its variables.
    fn list(
        &self,
        depth: usize,
        state: u32,
        classes: &mut Vec<u32>,
        each: &mut impl FnMut(u32, &[u32]),
    ) {
        if depth == self.next.len() {
            each(state, classes);
            return;
        }
        for class in 0..self.next[depth].classes {
            let next = self.next(depth as u32, state, class);
            if next != NONE {
                classes.push(class);
                self.list(depth + 1, next, classes, each);
                classes.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of three classes, then two; the second and third of the first are alike but for what cannot
    /// be.
    fn projection(third: [u32; 2], distances: Vec<u16>) -> Projection {
        let next = vec![vec![0, 1, 2], [[0, 1], [2, 3], third].concat()];
        Projection::made_up(vec![5, 7], &[3, 2], next, (distances, 1))
    }

    fn distances(projection: &Projection) -> Vec<Option<u16>> {
        let states = (0..3).flat_map(|first| (0..2).map(move |second| [first, second]));
        let distances = states.map(|state| {
            let state = projection.state(state.into_iter())?;
            Some(projection.distances(state, None).0)
        });
        distances.collect()
    }

    #[test]
    fn states_with_the_same_distances_are_one_and_keep_them() {
        let mut found = projection([4, 5], vec![0, 3, 2, 3, 2, 3]);
        let before = distances(&found);
        found.merge_alike();
        assert_eq!(distances(&found), before);
        assert_eq!(found.distances, [0, 3, 2]);
        assert_eq!(found.next[1].next, [0, 1, 2, 1]);
    }

    #[test]
    fn what_cannot_be_is_not_like_what_can() {
        let mut found = projection([4, NONE], vec![0, 3, 2, 3, 2]);
        let before = distances(&found);
        found.merge_alike();
        assert_eq!(distances(&found), before);
        assert_eq!(found.next[1].next.len(), 3 * 2);
    }

    #[test]
    fn another_order_keeps_the_distance_of_each_state() {
        let mut found = projection([4, NONE], vec![0, 3, 2, 3, 2]);
        let before = distances(&found);
        found.reorder(&[1, 0]);
        assert_eq!(found.variables, [7, 5]);
        let states = (0..3).flat_map(|first| (0..2).map(move |second| [second, first]));
        let after = states.map(|state| {
            let state = found.state(state.into_iter())?;
            Some(found.distances(state, None).0)
        });
        assert_eq!(after.collect::<Vec<_>>(), before);
    }
}
