//! A stopped run waits for nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use brigade::llm::budget::Budget;
use brigade::llm::chat::ChatError;
use brigade::llm::http::{HttpChat, HttpOptions, Stop};
use brigade::search::StopReason;

use crate::llm::endpoint::{Answer, Endpoint};
use crate::llm::{ask, options, per_minute};

/// Much longer than a test takes.
const LONG: Duration = Duration::from_hours(1);

/// Asks, and stops once the endpoint was asked; what comes of it, and whether that took a moment only.
fn interrupted(endpoint: &Endpoint, options: HttpOptions, questions: usize) -> Vec<ChatError> {
    let flag = Arc::new(AtomicBool::new(false));
    let of_chat = Arc::clone(&flag);
    let stop: Stop = Arc::new(move || {
        let stopped = of_chat.load(Ordering::SeqCst);
        stopped.then_some(StopReason::Interrupted)
    });
    let chat = HttpChat::new(options, Arc::new(Budget::default()), stop);
    let start = Instant::now();
    let errors = thread::scope(|scope| {
        let threads: Vec<_> = (0..questions).map(|_| scope.spawn(|| ask(&chat))).collect();
        while endpoint.requests().is_empty() {
            thread::sleep(Duration::from_millis(1));
        }
        flag.store(true, Ordering::SeqCst);
        let results = threads.into_iter().map(|thread| thread.join().unwrap());
        results.filter_map(Result::err).collect()
    });
    assert!(start.elapsed() < Duration::from_secs(20));
    errors
}

const INTERRUPTED: ChatError = ChatError::Stopped(StopReason::Interrupted);

#[test]
fn a_request_that_is_not_answered_is_given_up() {
    let endpoint = Endpoint::start([Answer::hang()]);
    let mut options = options(&endpoint);
    (options.timeout, options.total) = (LONG, LONG);
    assert_eq!(interrupted(&endpoint, options, 1), [INTERRUPTED]);
}

#[test]
fn what_one_thread_gives_up_is_no_failure_of_the_others() {
    let endpoint = Endpoint::start([Answer::hang()]);
    let mut options = options(&endpoint);
    (options.timeout, options.total) = (LONG, LONG);
    options.retries.most = 0;
    options.limits.concurrent = 16.try_into().unwrap();
    let errors = interrupted(&endpoint, options, 16);
    assert_eq!(errors, vec![INTERRUPTED; 16]);
}

#[test]
fn a_wait_before_another_try_is_given_up() {
    let endpoint = Endpoint::start([Answer::status(500, "oops")]);
    let mut options = options(&endpoint);
    options.total = 10 * LONG;
    (options.retries.first_wait, options.retries.longest_wait) = (LONG, LONG);
    assert_eq!(interrupted(&endpoint, options, 1), [INTERRUPTED]);
}

#[test]
fn a_wait_for_ones_turn_is_given_up() {
    let endpoint = Endpoint::start([Answer::hang()]);
    let mut options = options(&endpoint);
    options.limits.concurrent = 1.try_into().unwrap();
    (options.timeout, options.total) = (LONG, LONG);
    let errors = interrupted(&endpoint, options, 3);
    assert_eq!(errors, [INTERRUPTED, INTERRUPTED, INTERRUPTED]);
}

#[test]
fn a_wait_for_the_next_minute_is_given_up() {
    let endpoint = Endpoint::start([Answer::text("wait()")]);
    let mut options = options(&endpoint);
    options.limits.per_minute = per_minute(1);
    let errors = interrupted(&endpoint, options, 3);
    // The one that was sent may have been answered before.
    assert!(errors.len() >= 2, "{errors:?}");
    assert!(errors.iter().all(|error| *error == INTERRUPTED));
    assert_eq!(endpoint.requests().len(), 1);
}

#[test]
fn a_run_that_is_over_asks_nothing() {
    let endpoint = Endpoint::start([Answer::text("wait()")]);
    let stop: Stop = Arc::new(|| Some(StopReason::Time));
    let chat = HttpChat::new(options(&endpoint), Arc::new(Budget::default()), stop);
    assert_eq!(ask(&chat), Err(ChatError::Stopped(StopReason::Time)));
    assert_eq!(endpoint.requests().len(), 0);
}
