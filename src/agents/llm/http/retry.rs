//! How long to wait before a question is put again.

use std::time::Duration;

use crate::split_mix::split_mix;

/// When a question that had no answer is put again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retries {
    /// How often, after the first time.
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
    /// How long to wait after a try, counted from 1, of the question that has this number; no less
    /// than the server asks for.
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

/// The wait that a server asks for: `retry-after-ms`, else `Retry-After` in seconds or as a date, of
/// which its own `Date` is told off, else `now` in seconds since 1970.
pub(super) fn retry_after(
    header: impl Fn(&str) -> Option<String>,
    now: impl FnOnce() -> i64,
) -> Option<Duration> {
    let amount = |text: String| {
        let amount: f64 = text.trim().parse().ok()?;
        amount.is_finite().then(|| amount.max(0.0))
    };
    if let Some(milliseconds) = header("retry-after-ms").and_then(amount) {
        return Duration::try_from_secs_f64(milliseconds / 1000.0).ok();
    }
    let asked = header("retry-after")?;
    if let Some(seconds) = amount(asked.clone()) {
        return Some(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
    }
    let until = seconds_of_date(&asked)?;
    let sent = header("date").and_then(|date| seconds_of_date(&date));
    let wait = until.saturating_sub(sent.unwrap_or_else(now));
    Some(Duration::from_secs(u64::try_from(wait).unwrap_or(0)))
}

/// Seconds since 1970 of a date such as `Wed, 21 Oct 2015 07:28:00 GMT` (IMF-fixdate, RFC 9110).
fn seconds_of_date(text: &str) -> Option<i64> {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let (_, text) = text.trim().split_once(", ")?;
    let words: Vec<&str> = text.split(' ').collect();
    let &[day, month, year, time, "GMT"] = &words[..] else {
        return None;
    };
    let month = MONTHS.iter().position(|name| *name == month)? as i64 + 1;
    let number = |text: &str, most: i64| text.parse().ok().filter(|n| (0..=most).contains(n));
    let (day, year) = (number(day, 31)?, number(year, 9999)?);
    let parts: Vec<&str> = time.split(':').collect();
    let &[hours, minutes, seconds] = &parts[..] else {
        return None;
    };
    let (hours, minutes, seconds) = (
        number(hours, 23)?,
        number(minutes, 59)?,
        number(seconds, 60)?,
    );
    Some(days(year, month, day) * 86_400 + hours * 3600 + minutes * 60 + seconds)
}

/// Days since 1970 in the Gregorian calendar (H. Hinnant, "chrono-compatible low-level date
/// algorithms", `days_from_civil`).
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(headers: &[(&str, &str)]) -> Option<Duration> {
        let header = |name: &str| {
            let found = headers.iter().find(|(other, _)| *other == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        retry_after(header, || 1_445_412_470)
    }

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

    #[test]
    fn all_forms_of_a_wait_are_understood() {
        let seconds = Duration::from_secs;
        assert_eq!(asked(&[("retry-after", "3")]), Some(seconds(3)));
        let half = Some(Duration::from_millis(1500));
        assert_eq!(asked(&[("retry-after", " 1.5 ")]), half);
        let both = [("retry-after", "9"), ("retry-after-ms", "1500")];
        assert_eq!(asked(&both), half);
        let date = ("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT");
        assert_eq!(asked(&[date]), Some(seconds(10)));
        let sent = ("date", "Wed, 21 Oct 2015 07:27:30 GMT");
        assert_eq!(asked(&[date, sent]), Some(seconds(30)));
        let past = ("date", "Wed, 21 Oct 2015 07:29:00 GMT");
        assert_eq!(asked(&[date, past]), Some(seconds(0)));
        assert_eq!(asked(&[("retry-after", "-3")]), Some(seconds(0)));
        assert_eq!(asked(&[("retry-after", "1e300")]), Some(Duration::MAX));
        for odd in [
            "soon",
            "",
            "NaN",
            "Wed, 40 Oct 2015 07:28:00 GMT",
            "Wed, 21",
        ] {
            assert_eq!(asked(&[("retry-after", odd)]), None, "{odd}");
        }
        assert_eq!(asked(&[]), None);
    }

    #[test]
    fn dates_are_counted_in_the_gregorian_calendar() {
        for (date, seconds) in [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
            ("Wed, 21 Oct 2015 07:28:00 GMT", 1_445_412_480),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ] {
            assert_eq!(seconds_of_date(date), Some(seconds), "{date}");
        }
    }
}
