//! The best plan in the neighbourhood of a plan (H. Nakhost and M. Müller, "Action elimination and
//! plan neighborhood graph search", ICAPS 2010).
//!
//! The states of the plan are stored, and around all of them at once what steps lead to, breadth
//! first, until there are so many. The best way through what is stored is then found by Dijkstra's
//! algorithm. The plan itself is such a way, so what is found is no worse.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use crate::search::engine::{Space, Standing, standing};
use crate::search::expand::Expander;
use crate::search::heuristic::Estimate;
use crate::search::options::StopReason;
use crate::search::table::{Reached, StateTable};
use crate::search::words::hash;

/// Worse than any way.
const NOT_REACHED: (i64, u32) = (i64::MAX, u32::MAX);
/// The control is asked after so many nodes.
const NODES_PER_POLL: u64 = 512;

/// The end of the best plan among `most` states around those of a plan, `(half-step, state)` each, the
/// start first. The space holds the start alone. `None` where a limit is met before.
pub(crate) fn shorten(
    space: &mut Space,
    expander: &mut Expander,
    path: &[(usize, Vec<u64>)],
    most: u64,
) -> Option<u32> {
    let mut around = Around {
        unknown: Reached {
            key: space.keys.number(NOT_REACHED),
            labels: u32::MAX,
        },
        space,
    };
    around.surround(expander, path, most).ok()?;
    around.best_way(expander).ok()?
}

/// The states around a plan.
struct Around<'s, 'a> {
    space: &'s mut Space<'a>,
    /// How a state is reached to which no way is known.
    unknown: Reached,
}

impl Around<'_, '_> {
    /// Stores what lies around a plan.
    fn surround(
        &mut self,
        expander: &mut Expander,
        path: &[(usize, Vec<u64>)],
        most: u64,
    ) -> Result<(), StopReason> {
        for (half, state) in path {
            self.store(*half, state)?;
        }
        let mut state = vec![0; self.space.task.words];
        let mut done = vec![0; self.space.tables.len()];
        loop {
            let known: Vec<u32> = self.space.tables.iter().map(StateTable::len).collect();
            if done == known {
                return Ok(());
            }
            for half in 0..known.len() {
                for id in done[half]..known[half] {
                    if self.space.states() >= most {
                        return Ok(());
                    }
                    state.copy_from_slice(self.space.tables[half].state(id));
                    if half == 0 && standing(self.space.task, &state) != Standing::Open {
                        continue;
                    }
                    self.count()?;
                    let flow = expander.expand(half, &state, |successor| {
                        self.space.generated += 1;
                        match self.store(successor.half, successor.state) {
                            Ok(()) => ControlFlow::Continue(()),
                            Err(reason) => ControlFlow::Break(reason),
                        }
                    });
                    if let ControlFlow::Break(reason) = flow {
                        return Err(reason);
                    }
                }
            }
            done = known;
        }
    }

    fn store(&mut self, half: usize, state: &[u64]) -> Result<(), StopReason> {
        let hash = hash(state);
        if let Err(place) = self.space.tables[half].find_or_place(hash, state) {
            if let ControlFlow::Break(reason) = self.space.make_room(half) {
                return Err(reason);
            }
            self.space.tables[half].insert_at(place, hash, state, self.unknown, 0);
        }
        Ok(())
    }

    /// Counts a node whose successors are generated.
    fn count(&mut self) -> Result<(), StopReason> {
        self.space.expanded += 1;
        if self.space.expanded.is_multiple_of(NODES_PER_POLL)
            && let Some(reason) = self.space.control.stop()
        {
            return Err(reason);
        }
        Ok(())
    }

    /// Refuses where what is held does not fit.
    fn check_memory(&self) -> Result<(), StopReason> {
        let bytes = self.space.bytes() + self.space.others.1;
        match self.space.options.memory_limit {
            Some(most) if bytes > most => Err(StopReason::Memory),
            _ => Ok(()),
        }
    }

    /// The end of the best way from the start through what is stored.
    fn best_way(&mut self, expander: &mut Expander) -> Result<Option<u32>, StopReason> {
        let mut state = vec![0; self.space.task.words];
        let mut open = BinaryHeap::from([Reverse((Estimate::ZERO, 0, 0))]);
        while let Some(next) = open.pop() {
            let Reverse((so_far, half, id)) = next;
            if so_far != self.so_far(half, id) {
                continue;
            }
            state.copy_from_slice(self.space.tables[half].state(id));
            if half == 0 {
                match standing(self.space.task, &state) {
                    Standing::Open => {}
                    Standing::Final => return Ok(Some(id)),
                    Standing::Dead => continue,
                }
            }
            self.count()?;
            let _: ControlFlow<()> = expander.expand(half, &state, |successor| {
                self.space.generated += 1;
                let (next, state) = (successor.half, successor.state);
                let Some(target) = self.space.tables[next].find(hash(state), state) else {
                    return ControlFlow::Continue(());
                };
                let before = ((so_far.first, so_far.makespan), so_far.labels);
                let (key, labels) = self.space.measure.add(before, successor);
                let after = Estimate::ZERO.plus(key.0, key.1, labels);
                if after < self.so_far(next, target) {
                    let key = self.space.keys.number(key);
                    self.space.tables[next].set(target, Reached { key, labels }, id);
                    open.push(Reverse((after, next, target)));
                }
                ControlFlow::Continue(())
            });
            self.space.side_bytes = open.capacity() * size_of_val(&next);
            self.check_memory()?;
        }
        Ok(None)
    }

    fn so_far(&self, half: usize, id: u32) -> Estimate {
        let Reached { key, labels } = self.space.tables[half].reached(id);
        let (first, makespan) = self.space.keys.value(key);
        Estimate::ZERO.plus(first, makespan, labels)
    }
}
