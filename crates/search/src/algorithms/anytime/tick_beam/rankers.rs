//! The ranks of many states, found by several threads.

use std::num::NonZeroUsize;
use std::thread;

use super::known_ranks::KnownRanks;
use super::pursuit::Pursuit;
use super::rank::{Ranked, Ranker};
use crate::shared_work::SharedWork;
use brigade_task::State;

/// The states after which limits are looked at.
const AT_ONCE: usize = 512;
/// The states that a thread takes at once.
const TAKEN: usize = 8;
/// Fewer states are not worth starting threads. Not tuned. Measured with two threads instead of one: a beam of width 100
/// takes 5.1 and 5.7 s instead of 9.6 and 8.5 in `counter_circuit`.
const FEWEST: usize = 32;
/// More threads are not started.
const MOST_THREADS: usize = 16;

/// Rankers that rank alike, one for each thread, and what they found before.
pub(super) struct Rankers<'t> {
    all: Vec<Ranker<'t>>,
    known: KnownRanks,
}

impl<'t> Rankers<'t> {
    pub(super) fn new(ranker: Ranker<'t>, threads: NonZeroUsize) -> Self {
        Self {
            all: vec![ranker; threads.get().min(MOST_THREADS)],
            known: KnownRanks::default(),
        }
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Ranker<'t>> {
        self.all.iter_mut()
    }

    /// True if the goal has several conjuncts that do not hold from the start on.
    pub(super) fn have_conjuncts(&self) -> bool {
        self.all.first().is_some_and(Ranker::has_conjuncts)
    }

    /// The number of rules looked at so far.
    pub(super) fn effort(&self) -> u64 {
        self.all.iter().map(Ranker::effort).sum()
    }

    /// The number of states ranked so far.
    pub(super) fn evaluated(&self) -> u64 {
        self.all.iter().map(|ranker| ranker.evaluated).sum()
    }

    /// Bytes held by one thread: what is found within a memory limit does not depend on the number of threads.
    pub(super) fn bytes(&self) -> usize {
        self.all.first().map_or(0, Ranker::bytes) + self.known.bytes()
    }

    /// Keeps known ranks within so many bytes.
    pub(super) fn keep_within(&mut self, bytes: usize) {
        self.known.keep_within(bytes);
    }

    /// Ranks states with so many ticks left, those that lead nowhere left out. `None` if `is_over` of the effort so far.
    pub(super) fn rank(
        &mut self,
        states: &[&State],
        left: u32,
        pursuit: Pursuit,
        is_over: &dyn Fn(u64) -> bool,
    ) -> Option<Vec<Option<Ranked>>> {
        // Ranks by several gains depend on the ticks that are left.
        let depend_on_time = pursuit == Pursuit::Gains;
        let mut all = Vec::with_capacity(states.len());
        for states in states.chunks(AT_ONCE) {
            if is_over(self.effort()) {
                return None;
            }
            if depend_on_time {
                all.extend(self.rank_at_once(states, left, pursuit, is_over)?);
                continue;
            }
            let ranker = self.all.first()?;
            let facts = states.iter().map(|state| ranker.facts(state, pursuit));
            let facts: Vec<u64> = facts.collect();
            let known = facts.iter().map(|&facts| self.known.get(facts, left));
            let known: Vec<Option<Ranked>> = known.map(Option::<&_>::cloned).collect();
            let unknown = states.iter().zip(&known);
            let unknown = unknown.filter(|(_, known)| known.is_none());
            let unknown: Vec<&State> = unknown.map(|(state, _)| *state).collect();
            let mut found = (self.rank_at_once(&unknown, left, pursuit, is_over)?).into_iter();
            for (facts, known) in facts.into_iter().zip(known) {
                if known.is_some() {
                    all.push(known);
                    continue;
                }
                let ranked = found.next()?;
                if let Some(ranked) = &ranked {
                    self.known.keep(facts, ranked);
                }
                all.push(ranked);
            }
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
        let (own, others) = self.all.split_first_mut()?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::anytime::testing::task;
    use brigade_task::rules::Rules;

    #[test]
    fn known_ranks_hold_as_long_as_there_are_ticks_for_them() {
        let domain = "(define (domain toast)
            (:requirements :strips :typing :multi-agent :horizon :bounded-numbers :numeric-fluents)
            (:types cook)
            (:predicates (bread) (toasted) (burnt))
            (:functions (served) - number)
            (:action cut :agent ?c - cook :effect (bread))
            (:action toast :agent ?c - cook :precondition (bread) :effect (toasted))
            (:action serve :agent ?c - cook :precondition (toasted)
              :effect (and (not (bread)) (not (toasted)) (increase (served) 1))))";
        let problem = "(define (problem morning) (:domain toast) (:objects ann - cook)
            (:init (= (served) 0)) (:horizon 9) (:metric maximize (served)))";
        let task = task(domain, problem);
        let rules = Rules::new(&task, &|| false).expect("few rules");
        let new = || Rankers::new(Ranker::new(&task, &rules, 1.0), NonZeroUsize::MIN);
        let mut rankers = new();
        let rank = |rankers: &mut Rankers<'_>, left, pursuit| {
            let ranked = rankers.rank(&[&task.initial], left, pursuit, &|_| false);
            let ranked = ranked.and_then(|mut ranked| ranked.pop().flatten());
            ranked.map(|ranked| (ranked.rank.by_ticks, ranked.rank.is_over, ranked.helpful))
        };
        for pursuit in [Pursuit::NextGain, Pursuit::Gains] {
            for left in [9, 8, 3, 2, 1, 9] {
                let found = rank(&mut rankers, left, pursuit);
                assert_eq!(found, rank(&mut new(), left, pursuit), "{pursuit:?} {left}");
                assert_eq!(found.map(|(_, is_over, _)| is_over), Some(left < 3));
            }
        }
        // Of the first, 9, 2 and 1; of the second all.
        assert_eq!(rankers.evaluated(), 3 + 6);
    }

    #[test]
    fn ranks_by_conjuncts_are_known_apart_from_those_by_the_whole_goal() {
        let domain = "(define (domain toast)
            (:requirements :strips :typing)
            (:types slice)
            (:predicates (toasted ?s - slice))
            (:action toast :parameters (?s - slice) :effect (toasted ?s)))";
        let problem = "(define (problem two) (:domain toast) (:objects one other - slice)
            (:goal (and (toasted one) (toasted other))))";
        let task = task(domain, problem);
        let rules = Rules::new(&task, &|| false).expect("few rules");
        let mut rankers = Rankers::new(Ranker::new(&task, &rules, 1.0), NonZeroUsize::MIN);
        let mut operators = |pursuit| {
            let ranked = rankers.rank(&[&task.initial], 9, pursuit, &|_| false);
            let ranked = ranked.and_then(|mut ranked| ranked.pop().flatten());
            ranked.map(|ranked| ranked.rank.by_operators as u32)
        };
        let whole = operators(Pursuit::Goal);
        assert_eq!(whole, Some(2));
        assert_ne!(operators(Pursuit::Conjuncts), whole);
        assert_eq!(operators(Pursuit::Goal), whole);
        // Each is evaluated once.
        assert_eq!(rankers.evaluated(), 2);
    }
}
