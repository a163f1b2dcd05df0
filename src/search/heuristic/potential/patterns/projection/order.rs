//! The order in which the variables of a projection are looked at.

use super::{Level, NONE, Projection, count};

impl Projection {
    /// Looks at its variables in another order, in which each of them comes once.
    pub(in super::super) fn reorder(&mut self, order: &[usize]) {
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
