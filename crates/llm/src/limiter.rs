//! Limits requests: how many at a time, how many a minute, and none while the server asks for a pause. Shared by all
//! threads.

use std::collections::VecDeque;
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::stop::{LOOK_EVERY, Stop};
use brigade_search::StopReason;

const MINUTE: Duration = Duration::from_mins(1);

/// The limits on the requests to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestLimits {
    /// At the same time. Fewer after the server has said that they are too many (429): then half as
    /// many, and one more after as many answers in a row as there are requests at a time.
    pub concurrent: NonZeroUsize,
    /// In any minute; `None` is without limit.
    pub per_minute: Option<NonZeroU32>,
}

/// Lets requests pass.
#[derive(Debug)]
pub(super) struct Limiter {
    state: Mutex<State>,
    changed: Condvar,
}

/// A request that is under way, until it is dropped.
#[derive(Debug)]
pub(super) struct Permit<'l> {
    limiter: &'l Limiter,
    since: Instant,
}

impl Limiter {
    pub(super) fn new(limits: RequestLimits) -> Self {
        Self {
            state: Mutex::new(State::new(limits)),
            changed: Condvar::new(),
        }
    }

    /// Waits until a request may be sent.
    pub(super) fn acquire(&self, stop: &Stop) -> Result<Permit<'_>, StopReason> {
        let mut state = self.state();
        loop {
            if let Some(reason) = stop() {
                return Err(reason);
            }
            let now = Instant::now();
            let wait = match state.admit(now) {
                Ok(()) => {
                    return Ok(Permit {
                        limiter: self,
                        since: now,
                    });
                }
                Err(Some(at)) => at.saturating_duration_since(now).min(LOOK_EVERY),
                Err(None) => LOOK_EVERY,
            };
            let waited = self.changed.wait_timeout(state, wait);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Permit<'_> {
    /// The server has answered.
    pub(super) fn answered(&self) {
        self.limiter.state().answered();
    }

    /// The server has said that it is asked too much; nobody asks it for as long as it says.
    pub(super) fn too_many(&self, pause: Option<Duration>) {
        let now = Instant::now();
        self.limiter.state().too_many(self.since, now, pause);
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.limiter.state().active -= 1;
        self.limiter.changed.notify_all();
    }
}

/// The state of a limiter, at times that are given.
#[derive(Debug)]
struct State {
    limits: RequestLimits,
    /// The number of requests that may be under way now, at least 1.
    allowed: usize,
    /// The number of requests that are under way.
    active: usize,
    /// Answers in a row since `allowed` has changed.
    in_a_row: usize,
    /// The instant when `allowed` was last cut.
    cut: Option<Instant>,
    paused_until: Option<Instant>,
    /// The instants when the requests of the last minute were sent, where these are limited.
    sent: VecDeque<Instant>,
}

impl State {
    fn new(limits: RequestLimits) -> Self {
        Self {
            limits,
            allowed: limits.concurrent.get(),
            active: 0,
            in_a_row: 0,
            cut: None,
            paused_until: None,
            sent: VecDeque::new(),
        }
    }

    /// Lets a request pass, or says when to ask again; `None` is once another has ended.
    fn admit(&mut self, now: Instant) -> Result<(), Option<Instant>> {
        if self.active >= self.allowed {
            return Err(None);
        }
        if let Some(until) = self.paused_until.filter(|until| *until > now) {
            return Err(Some(until));
        }
        if let Some(most) = self.limits.per_minute {
            while self.sent.front().is_some_and(|sent| now >= *sent + MINUTE) {
                self.sent.pop_front();
            }
            if let Some(first) = self.sent.front()
                && self.sent.len() >= most.get() as usize
            {
                return Err(Some(*first + MINUTE));
            }
            self.sent.push_back(now);
        }
        self.active += 1;
        Ok(())
    }

    fn answered(&mut self) {
        self.in_a_row += 1;
        if self.in_a_row >= self.allowed && self.allowed < self.limits.concurrent.get() {
            self.allowed += 1;
            self.in_a_row = 0;
        }
    }

    fn too_many(&mut self, since: Instant, now: Instant, pause: Option<Duration>) {
        // Those that were under way at the last cut say nothing about what is allowed now.
        if self.cut.is_none_or(|cut| since > cut) {
            self.allowed = (self.allowed / 2).max(1);
            self.cut = Some(now);
        }
        self.in_a_row = 0;
        let until = pause.and_then(|pause| now.checked_add(pause));
        self.paused_until = self.paused_until.max(until);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(concurrent: usize, per_minute: Option<u32>) -> State {
        State::new(RequestLimits {
            concurrent: NonZeroUsize::new(concurrent).unwrap(),
            per_minute: per_minute.map(|most| NonZeroU32::new(most).unwrap()),
        })
    }

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn no_more_are_under_way_than_allowed() {
        let (mut state, now) = (state(2, None), Instant::now());
        assert_eq!(state.admit(now), Ok(()));
        assert_eq!(state.admit(now), Ok(()));
        assert_eq!(state.admit(now), Err(None));
        state.active -= 1;
        assert_eq!(state.admit(now), Ok(()));
    }

    #[test]
    fn no_minute_has_more_than_its_share() {
        let (mut state, start) = (state(100, Some(3)), Instant::now());
        for second in [0, 10, 20] {
            assert_eq!(state.admit(start + second * SECOND), Ok(()));
        }
        let full = Err(Some(start + MINUTE));
        assert_eq!(state.admit(start + 59 * SECOND), full);
        assert_eq!(state.admit(start + MINUTE), Ok(()));
        let next = Err(Some(start + 70 * SECOND));
        assert_eq!(state.admit(start + MINUTE), next);
    }

    #[test]
    fn too_many_requests_halve_what_is_allowed_once_a_round() {
        let (mut state, start) = (state(8, None), Instant::now());
        for _ in 0..8 {
            state.too_many(start, start + SECOND, None);
        }
        assert_eq!(state.allowed, 4);
        state.too_many(start + 2 * SECOND, start + 3 * SECOND, None);
        assert_eq!(state.allowed, 2);
        for round in 2..9 {
            state.too_many(start + 2 * round * SECOND, start + 3 * round * SECOND, None);
        }
        assert_eq!(state.allowed, 1);
    }

    #[test]
    fn answers_in_a_row_raise_what_is_allowed_up_to_the_limit() {
        let (mut state, start) = (state(4, None), Instant::now());
        state.too_many(start, start, None);
        assert_eq!(state.allowed, 2);
        (0..2).for_each(|_| state.answered());
        assert_eq!(state.allowed, 3);
        (0..2).for_each(|_| state.answered());
        assert_eq!(state.allowed, 3);
        (0..20).for_each(|_| state.answered());
        assert_eq!(state.allowed, 4);
    }

    #[test]
    fn nobody_passes_while_the_server_asks_for_a_pause() {
        let (mut state, start) = (state(4, None), Instant::now());
        state.too_many(start, start, Some(5 * SECOND));
        state.too_many(start, start, Some(2 * SECOND));
        let later = Err(Some(start + 5 * SECOND));
        assert_eq!(state.admit(start + 4 * SECOND), later);
        assert_eq!(state.admit(start + 5 * SECOND), Ok(()));
    }

    #[test]
    fn one_who_waits_stops_on_request() {
        let limiter = Limiter::new(RequestLimits {
            concurrent: NonZeroUsize::MIN,
            per_minute: None,
        });
        let go: Stop = std::sync::Arc::new(|| None);
        let held = limiter.acquire(&go).unwrap();
        let asked = std::sync::atomic::AtomicUsize::new(0);
        let stop: Stop = std::sync::Arc::new(move || {
            let times = asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            (times >= 2).then_some(StopReason::Interrupted)
        });
        let stopped = limiter.acquire(&stop).map(|_| ());
        assert_eq!(stopped, Err(StopReason::Interrupted));
        drop(held);
        assert!(limiter.acquire(&go).is_ok());
    }
}
