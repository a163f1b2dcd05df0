//! The waits before a question is put again.

use std::time::Duration;

use brigade_task::split_mix::split_mix;

/// The rules for the retries of a question that had no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retries {
    /// The number of tries after the first.
    pub most: u32,
    /// The wait before the second try; each further one waits twice as long. Of each wait a part
    /// between a half and all is taken, which depends on the question alone.
    pub first_wait: Duration,
    /// The longest wait, also where the server asks for a longer one.
    pub longest_wait: Duration,
}

impl Default for Retries {
    /// 5 retries, after about 0.5, 1, 2, 4 and 8 seconds; a server may ask for up to a minute.
    fn default() -> Self {
        Self {
            most: 5,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_mins(1),
        }
    }
}

impl Retries {
    /// Returns the back-off after a try, counted from 1, of the question that has this number; no less than the server
    /// asks for.
    pub(super) fn wait(&self, question: u64, tries: u32, asked: Option<Duration>) -> Duration {
        let doubled = 2_u32.saturating_pow(tries.saturating_sub(1));
        let whole = self.first_wait.saturating_mul(doubled);
        let whole = whole.min(self.longest_wait);
        let drawn = split_mix(question.wrapping_add(u64::from(tries))) >> 11;
        let part = drawn as f64 / (1_u64 << 53) as f64;
        let wait = whole.mul_f64(f64::midpoint(1.0, part));
        wait.max(asked.unwrap_or_default()).min(self.longest_wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_longest_and_differ_between_questions() {
        let retries = Retries::default();
        for tries in 1..10 {
            let whole = Duration::from_millis(500 << (tries - 1)).min(retries.longest_wait);
            let wait = retries.wait(7, tries, None);
            assert!(wait >= whole / 2 && wait <= whole, "{tries}: {wait:?}");
            assert_eq!(wait, retries.wait(7, tries, None));
        }
        assert_ne!(retries.wait(7, 1, None), retries.wait(8, 1, None));
        assert!(retries.wait(7, u32::MAX, None) <= retries.longest_wait);
    }

    #[test]
    fn a_server_is_given_the_time_it_asks_for_up_to_the_longest_wait() {
        let retries = Retries::default();
        let wait = |seconds| retries.wait(7, 1, Some(Duration::from_secs(seconds)));
        assert_eq!(wait(20), Duration::from_secs(20));
        assert_eq!(wait(7200), Duration::from_mins(1));
        assert_eq!(wait(0), retries.wait(7, 1, None));
    }
}
