//! The ranks of many states, found by several threads.

use std::num::NonZeroUsize;
use std::thread;

use super::pursuit::Pursuit;
use super::rank::{Rank, Ranker};
use crate::shared_work::SharedWork;
use brigade_task::{OperatorId, State};

/// The states after which limits are looked at.
const AT_ONCE: usize = 512;
/// The states that a thread takes at once.
const TAKEN: usize = 8;
/// Fewer states are not worth starting threads. Not tuned. Measured with two threads instead of one: a beam of width 100
/// takes 5.1 and 5.7 s instead of 9.6 and 8.5 in `counter_circuit`.
const FEWEST: usize = 32;
/// More threads are not started.
const MOST_THREADS: usize = 16;

/// A rank, and the operators with which the relaxed plans of the state start.
pub(super) struct Ranked {
    pub(super) rank: Rank,
    pub(super) helpful: Vec<OperatorId>,
}

/// Rankers that rank alike, one for each thread.
pub(super) struct Rankers<'t>(Vec<Ranker<'t>>);

impl<'t> Rankers<'t> {
    pub(super) fn new(ranker: Ranker<'t>, threads: NonZeroUsize) -> Self {
        Self(vec![ranker; threads.get().min(MOST_THREADS)])
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Ranker<'t>> {
        self.0.iter_mut()
    }

    /// The number of rules looked at so far.
    pub(super) fn effort(&self) -> u64 {
        self.0.iter().map(Ranker::effort).sum()
    }

    /// The number of states ranked so far.
    pub(super) fn evaluated(&self) -> u64 {
        self.0.iter().map(|ranker| ranker.evaluated).sum()
    }

    /// Bytes held by one thread: what is found within a memory limit does not depend on the number of threads.
    pub(super) fn bytes(&self) -> usize {
        self.0.first().map_or(0, Ranker::bytes)
    }

    /// Ranks states with so many ticks left, those that lead nowhere left out. `None` if `is_over` of the effort so far.
    pub(super) fn rank(
        &mut self,
        states: &[&State],
        left: u32,
        pursuit: Pursuit,
        is_over: &dyn Fn(u64) -> bool,
    ) -> Option<Vec<Option<Ranked>>> {
        let mut all = Vec::with_capacity(states.len());
        for states in states.chunks(AT_ONCE) {
            if is_over(self.effort()) {
                return None;
            }
            all.extend(self.rank_at_once(states, left, pursuit, is_over)?);
        }
        Some(all)
    }

    fn rank_at_once(
        &mut self,
        states: &[&State],
        left: u32,
        pursuit: Pursuit,
        is_over: &dyn Fn(u64) -> bool,
    ) -> Option<Vec<Option<Ranked>>> {
        let before = self.effort();
        let work = SharedWork::new(states.len());
        let rank = |ranker: &mut Ranker, goes_on: &dyn Fn() -> bool| {
            let _alarm = work.alarm();
            while let Some(numbers) = work.take(TAKEN) {
                if !goes_on() {
                    return false;
                }
                let ranked = numbers.map(|number| {
                    let rank = ranker.rank(states[number], left, pursuit);
                    let helpful = &ranker.helpful;
                    let ranked = rank.map(|rank| Ranked {
                        rank,
                        helpful: helpful.clone(),
                    });
                    (number, ranked)
                });
                work.add(&mut ranked.collect());
            }
            true
        };
        let (own, others) = self.0.split_first_mut()?;
        let others = if states.len() < FEWEST {
            &mut []
        } else {
            others
        };
        // The limit on effort is looked at before, so that the threads do not decide where it ends.
        let goes_on = || !is_over(before);
        thread::scope(|scope| {
            let rank = &rank;
            for other in others {
                let work = &work;
                scope.spawn(move || rank(other, &|| !work.is_stopped()));
            }
            if rank(own, &goes_on) {
                return Some(work.finish().collect());
            }
            work.stop();
            None
        })
    }
}
