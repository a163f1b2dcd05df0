//! A pool of threads that estimate many states at once, where that is worth it, and expand nodes.
//!
//! Each thread has a heuristic of its own that estimates alike, and takes some states at once, of
//! those that are left. States that are alike follow each other, as heuristics keep what they have
//! read. Threads are started once and then wait for more; what a thread has not taken, because it
//! was not awake yet, the others do.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread::{self, Scope};

use super::expansion::{Expansion, Piece};
use crate::control::{Control, StopReason};
use crate::heuristics::{Answer, Estimate, Heuristic};
use crate::shared_work::SharedWork;
use crate::space::expand::Expander;
use brigade_task::State;

/// Fewer states than this are not worth waking a thread.
const FEWEST_STATES: usize = 3;
/// A thread takes such a part of the states at once, and no more than so many.
const LEAST_PARTS: usize = 64;
const MOST_AT_ONCE: usize = 16;
/// Work that may wait for a thread while it is busy.
const WAITING: usize = 4;
/// The control is asked before one in so many estimates, of which some take milliseconds.
const ESTIMATES_PER_POLL: usize = 16;
/// More threads than this are not started.
const MOST_THREADS: usize = 256;

/// A heuristic, and those of further threads.
pub(crate) struct WorkerPool<'scope, 'env, 'h> {
    own: &'h mut dyn Heuristic,
    scope: Option<&'scope Scope<'scope, 'env>>,
    /// For threads that have not been started.
    others: Vec<Box<dyn Heuristic + Send + 'env>>,
    /// The expander of threads that expand nodes.
    expander: Option<Expander<'env>>,
    helpers: Vec<SyncSender<Job>>,
    /// No thread is started before so many values.
    share_from: usize,
    evaluated: usize,
}

/// The work that a thread may help with.
#[derive(Clone)]
enum Job {
    Estimate(Arc<Work>),
    Expand(Arc<Expansion>),
}

/// States to be estimated, and what was found.
struct Work {
    /// The words of all.
    states: Box<[u64]>,
    words: usize,
    /// For each state the estimate to compare with; empty if the estimate itself is wanted.
    asked: Box<[Estimate]>,
    /// The numbers of the states, in the order in which they are taken.
    order: Box<[u32]>,
    answers: SharedWork<Answer>,
}

/// States that other threads may have begun to estimate. Once it is dropped, they stop.
pub(crate) struct Begun(Arc<Work>);

impl Drop for Begun {
    fn drop(&mut self) {
        self.0.answers.stop();
    }
}

impl Work {
    /// Estimates states that no one else has taken, until it is stopped.
    fn take(&self, heuristic: &mut dyn Heuristic, is_stopped: impl Fn(usize) -> bool) {
        let _alarm = self.answers.alarm();
        let at_once = (self.order.len() / LEAST_PARTS).clamp(1, MOST_AT_ONCE);
        let mut taken = 0;
        let mut own = Vec::with_capacity(at_once);
        while let Some(numbers) = self.answers.take(at_once) {
            for &index in &self.order[numbers] {
                if is_stopped(taken) {
                    return;
                }
                taken += 1;
                let index = index as usize;
                let state = State::from_words(&self.states[index * self.words..][..self.words]);
                let answer = answer(heuristic, state, self.asked.get(index));
                own.push((index, answer));
            }
            self.answers.add(&mut own);
        }
    }
}

/// Runs something with a pool of so many threads, that of the caller among them, which also expand
/// nodes as `expander` does, if there is one. A panic in one of them becomes one of the caller.
pub(crate) fn with_worker_pool<R>(
    heuristic: &mut dyn Heuristic,
    expander: Option<Expander>,
    threads: usize,
    share_from: usize,
    run: impl FnOnce(&mut WorkerPool) -> R,
) -> R {
    if threads > 1
        && !heuristic.is_cheap()
        && let Some(mut own) = heuristic.another()
    {
        let others = (1..threads.min(MOST_THREADS)).map_while(|_| heuristic.another());
        let others: Vec<_> = others.collect();
        return thread::scope(|scope| {
            run(&mut WorkerPool {
                own: &mut *own,
                scope: Some(scope),
                others,
                expander,
                helpers: Vec::new(),
                share_from,
                evaluated: 0,
            })
        });
    }
    run(&mut WorkerPool {
        own: heuristic,
        scope: None,
        others: Vec::new(),
        expander: None,
        helpers: Vec::new(),
        share_from,
        evaluated: 0,
    })
}

/// The answer for a state: its estimate, or the comparison with a given one.
fn answer(heuristic: &mut dyn Heuristic, state: &State, asked: Option<&Estimate>) -> Answer {
    match asked {
        Some(&most) => heuristic.ask(state, most),
        None => Answer::Exactly(heuristic.estimate(state)),
    }
}

/// Asks the control before some of many estimates.
fn stop_at(index: usize, control: &dyn Control) -> Option<StopReason> {
    index
        .is_multiple_of(ESTIMATES_PER_POLL)
        .then(|| control.stop())
        .flatten()
}

impl WorkerPool<'_, '_, '_> {
    /// Appends the estimates of states, of which `states` holds so many words each, unless `control`
    /// says stop. They are fewer than the states only if a thread has panicked.
    pub(crate) fn estimate(
        &mut self,
        states: &[u64],
        words: usize,
        estimates: &mut Vec<Estimate>,
        control: &dyn Control,
    ) -> ControlFlow<StopReason> {
        let mut answers = Vec::new();
        let begun = self.begin(states, words, &[]);
        let flow = self.finish(begun.as_ref(), (states, words, &[]), &mut answers, control);
        estimates.extend(answers.into_iter().filter_map(|answer| match answer {
            Answer::Exactly(estimate) => Some(estimate),
            Answer::AtMost | Answer::AtLeast(_) => None,
        }));
        flow
    }

    /// Lets other threads begin with the answers for states: comparisons with `asked`, or estimates
    /// if that is empty.
    pub(crate) fn begin(
        &mut self,
        states: &[u64],
        words: usize,
        asked: &[Estimate],
    ) -> Option<Begun> {
        let count = states.len() / words;
        self.evaluated += count;
        if count >= FEWEST_STATES && self.evaluated >= self.share_from {
            self.start();
        }
        if count < FEWEST_STATES || self.helpers.is_empty() {
            return None;
        }
        let mut order: Vec<u32> = (0..count as u32).collect();
        let state = |index: u32| &states[index as usize * words..][..words];
        order.sort_unstable_by(|&one, &other| state(one).cmp(state(other)));
        let work = Arc::new(Work {
            order: order.into(),
            states: states.into(),
            asked: asked.into(),
            words,
            answers: SharedWork::new(count),
        });
        self.offer(&Job::Estimate(Arc::clone(&work)));
        Some(Begun(work))
    }

    /// Lets other threads help. One that still has something to look at is not waited for; one that
    /// has failed is left to the end of the scope.
    fn offer(&mut self, job: &Job) {
        self.helpers.retain(|helper| {
            !matches!(
                helper.try_send(job.clone()),
                Err(TrySendError::Disconnected(_))
            )
        });
    }

    /// Returns whether other threads expand nodes.
    pub(crate) const fn may_expand(&self) -> bool {
        self.expander.is_some() && !self.helpers.is_empty()
    }

    /// The successors of nodes by pieces, unless `control` says stop or a thread has panicked.
    pub(crate) fn expand(
        &mut self,
        expansion: Expansion,
        expander: &mut Expander,
        control: &dyn Control,
    ) -> Result<Vec<Piece>, StopReason> {
        let expansion = Arc::new(expansion);
        self.offer(&Job::Expand(Arc::clone(&expansion)));
        let mut reason = None;
        expansion.take(expander, || {
            reason = control.stop();
            reason.is_some()
        });
        match reason {
            Some(reason) => Err(reason),
            None => expansion.finish().ok_or(StopReason::Interrupted),
        }
    }

    /// Does what is left of that, and appends the answers, unless `control` says stop. They are
    /// fewer than the states only if a thread has panicked.
    pub(crate) fn finish(
        &mut self,
        begun: Option<&Begun>,
        (states, words, asked): (&[u64], usize, &[Estimate]),
        answers: &mut Vec<Answer>,
        control: &dyn Control,
    ) -> ControlFlow<StopReason> {
        let Some(Begun(work)) = begun else {
            for (index, state) in states.chunks_exact(words).enumerate() {
                if let Some(reason) = stop_at(index, control) {
                    return ControlFlow::Break(reason);
                }
                let state = State::from_words(state);
                answers.push(answer(self.own, state, asked.get(index)));
            }
            return ControlFlow::Continue(());
        };
        let reason = Cell::new(None);
        work.take(self.own, |taken| {
            reason.set(stop_at(taken, control));
            reason.get().is_some()
        });
        if let Some(reason) = reason.get() {
            return ControlFlow::Break(reason);
        }
        answers.extend(work.answers.finish());
        ControlFlow::Continue(())
    }

    /// Bytes that the heuristic holds.
    pub(crate) fn bytes(&self) -> usize {
        self.own.bytes()
    }

    /// Starts the threads that have not been started.
    fn start(&mut self) {
        let Some(scope) = self.scope else {
            return;
        };
        for mut heuristic in self.others.drain(..) {
            let (helper, jobs) = sync_channel::<Job>(WAITING);
            let mut expander = self.expander.as_ref().map(Expander::another);
            let wait = move || {
                while let Ok(job) = jobs.recv() {
                    match (job, &mut expander) {
                        (Job::Estimate(work), _) => {
                            work.take(&mut *heuristic, |_| work.answers.is_stopped());
                        }
                        (Job::Expand(expansion), Some(expander)) => {
                            expansion.take(expander, || false);
                        }
                        (Job::Expand(_), None) => {}
                    }
                }
            };
            // Where no more threads can be had, these do it all.
            if thread::Builder::new().spawn_scoped(scope, wait).is_ok() {
                self.helpers.push(helper);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unlimited;

    /// A heuristic whose estimates stand in states of two words.
    #[derive(Clone)]
    struct Stated {
        /// No one may be asked about this one.
        bad: u64,
    }

    impl Heuristic for Stated {
        fn estimate(&mut self, state: &State) -> Estimate {
            let &[makespan, labels] = state.words() else {
                panic!("{state:?} has not two words");
            };
            assert_ne!(makespan, self.bad, "that is bad");
            Estimate {
                makespan: makespan as u32,
                labels: labels as u32,
                ..Estimate::ZERO
            }
        }

        fn bytes(&self) -> usize {
            0
        }

        fn another(&self) -> Option<Box<dyn Heuristic + Send + '_>> {
            Some(Box::new(self.clone()))
        }
    }

    fn estimate_all(count: u64, threads: usize, bad: u64) -> Vec<Estimate> {
        with_worker_pool(&mut Stated { bad }, None, threads, 0, |pool| {
            let mut all = Vec::new();
            for first in (0..count).step_by(40) {
                let states = (first..first + 40).flat_map(|number| [number, number % 7]);
                let states: Vec<u64> = states.collect();
                let flow = pool.estimate(&states, 2, &mut all, &Unlimited);
                assert!(flow.is_continue());
            }
            all
        })
    }

    #[test]
    fn any_number_of_threads_estimates_alike_and_in_order() {
        let one = estimate_all(4000, 1, u64::MAX);
        assert!((0..).zip(&one).all(|(number, it)| it.makespan == number));
        for threads in [2, 3, 9] {
            assert_eq!(estimate_all(4000, threads, u64::MAX), one);
        }
    }

    #[test]
    fn others_begin_with_the_next_states_before_all_earlier_estimates_are_in() {
        for threads in 1..4 {
            with_worker_pool(&mut Stated { bad: u64::MAX }, None, threads, 0, |pool| {
                let parts = [0..40_u64, 40..41, 41..1000];
                let parts = parts.map(|part| part.flat_map(|it| [it, 0]).collect::<Vec<u64>>());
                let begun = parts.each_ref().map(|part| pool.begin(part, 2, &[]));
                let mut all = Vec::new();
                for (part, begun) in parts.iter().zip(begun) {
                    let part = (&**part, 2, [].as_slice());
                    let flow = pool.finish(begun.as_ref(), part, &mut all, &Unlimited);
                    assert!(flow.is_continue());
                }
                let answer = |makespan| {
                    Answer::Exactly(Estimate {
                        makespan,
                        ..Estimate::ZERO
                    })
                };
                assert_eq!(all, (0..1000).map(answer).collect::<Vec<_>>());
            });
        }
    }

    /// Says stop when it has been asked so often.
    struct Patience(Cell<usize>);

    impl Control for Patience {
        fn stop(&self) -> Option<StopReason> {
            self.0.set(self.0.get().saturating_sub(1));
            (self.0.get() == 0).then_some(StopReason::Time)
        }
    }

    #[test]
    fn estimates_end_soon_after_the_control_says_stop() {
        // Others may have taken all the rest before this thread asks again.
        for (threads, asked) in [(1, 3), (3, 1)] {
            let states = vec![0; 2 * 4000];
            let (flow, found) =
                with_worker_pool(&mut Stated { bad: 1 }, None, threads, 0, |pool| {
                    let mut found = Vec::new();
                    let patience = Patience(Cell::new(asked));
                    let flow = pool.estimate(&states, 2, &mut found, &patience);
                    (flow, found.len())
                });
            assert_eq!(flow, ControlFlow::Break(StopReason::Time));
            assert!(found < 4 * ESTIMATES_PER_POLL, "{found} estimates");
        }
    }

    #[test]
    fn a_panic_of_any_thread_ends_all() {
        for bad in [0, 1, 17, 39, 3999] {
            let all = std::panic::catch_unwind(|| estimate_all(4000, 3, bad));
            assert!(all.is_err(), "at {bad}");
        }
    }
}
