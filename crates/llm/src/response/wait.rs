//! The wait that a server asks for.

use std::time::Duration;

use super::reply::Reply;

/// Returns the back-off that a server asks for: `retry-after-ms`, else `Retry-After` in seconds or as a date, else the
/// time at which a limit that is used up begins anew, else the wait that it names in words. `status` is the meaning of
/// the reply.
pub(super) fn asked(reply: &Reply<'_>, status: u16, message: &str, now: i64) -> Option<Duration> {
    retry_after(reply, now)
        .or_else(|| reset(reply, status, now))
        .or_else(|| in_words(message))
}

/// The wait of `Retry-After`. A date is counted from that of the reply, else from `now`.
fn retry_after(reply: &Reply<'_>, now: i64) -> Option<Duration> {
    if let Some(milliseconds) = reply.header("retry-after-ms").and_then(amount) {
        return Some(seconds(milliseconds / 1000.0));
    }
    let asked = reply.header("retry-after")?;
    if let Some(amount) = amount(asked) {
        return Some(seconds(amount));
    }
    if let Some(wait) = duration(asked) {
        return Some(wait);
    }
    let until = seconds_of_date(asked)?;
    let sent = reply.header("date").and_then(seconds_of_date);
    let wait = until.saturating_sub(sent.unwrap_or(now));
    Some(Duration::from_secs(u64::try_from(wait).unwrap_or(0)))
}

/// The time until limits begin anew: of those that are used up, else, where there were too many
/// questions, of all that the reply names. Many servers name them in every reply.
fn reset(reply: &Reply<'_>, status: u16, now: i64) -> Option<Duration> {
    let mut used_up: Option<Duration> = None;
    let mut any: Option<Duration> = None;
    for (name, value) in reply.headers {
        let name = name.to_ascii_lowercase();
        let Some((limit, kind)) = name.split_once("ratelimit-reset") else {
            continue;
        };
        let Some(wait) = until_reset(value, now) else {
            continue;
        };
        let left = reply.header(&format!("{limit}ratelimit-remaining{kind}"));
        if left.and_then(amount) == Some(0.0) {
            used_up = used_up.max(Some(wait));
        }
        any = any.max(Some(wait));
    }
    used_up.or(any.filter(|_| status == 429))
}

/// Seconds, a duration such as `6m0s`, or a time since 1970 in seconds or milliseconds.
fn until_reset(value: &str, now: i64) -> Option<Duration> {
    /// No wait is so long, and no time since 1970 so short.
    const A_TIME: f64 = 1e9;
    let Some(amount) = amount(value) else {
        return duration(value);
    };
    let until = match amount {
        a if a >= A_TIME * 1000.0 => a / 1000.0 - now as f64,
        a if a >= A_TIME => a - now as f64,
        a => a,
    };
    Some(seconds(until))
}

/// The wait in a sentence such as `Please try again in 7m12s` or `retry after 20 seconds`.
fn in_words(message: &str) -> Option<Duration> {
    const BEFORE: [&str; 5] = [
        "try again in ",
        "retry in ",
        "retry after ",
        "try again after ",
        "retrydelay\": \"",
    ];
    let message = message.to_ascii_lowercase();
    BEFORE.iter().find_map(|words| {
        let (_, after) = message.split_once(words)?;
        let end = after.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == ' '));
        let after = after[..end.unwrap_or(after.len())].trim_end_matches('.');
        let mut words = after.split_whitespace();
        let first = words.next()?.trim_end_matches('.');
        match (amount(first), words.next()) {
            (Some(amount), Some(unit)) => scale(unit).map(|scale| seconds(amount * scale)),
            (Some(amount), None) => Some(seconds(amount)),
            (None, _) => duration(first),
        }
    })
}

fn amount(text: &str) -> Option<f64> {
    let amount: f64 = text.trim().parse().ok()?;
    amount.is_finite().then(|| amount.max(0.0))
}

fn seconds(amount: f64) -> Duration {
    Duration::try_from_secs_f64(amount.max(0.0)).unwrap_or(Duration::MAX)
}

/// A duration such as `1m30.5s` or `20ms`.
fn duration(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut sum = 0.0;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let unit = &rest[digits..];
        let end = unit
            .find(|c: char| c.is_ascii_digit())
            .unwrap_or(unit.len());
        sum += amount(&rest[..digits])? * scale(&unit[..end])?;
        rest = &unit[end..];
    }
    Some(seconds(sum))
}

/// The seconds of a unit of time.
fn scale(unit: &str) -> Option<f64> {
    Some(match unit.trim_matches(['.', ',', ' ']) {
        "ms" | "millisecond" | "milliseconds" => 0.001,
        "s" | "sec" | "second" | "seconds" => 1.0,
        "m" | "min" | "minute" | "minutes" => 60.0,
        "h" | "hour" | "hours" => 3600.0,
        "d" | "day" | "days" => 86_400.0,
        _ => return None,
    })
}

/// Seconds since 1970 of a date such as `Wed, 21 Oct 2015 07:28:00 GMT` (IMF-fixdate, RFC 9110), or in the
/// older form `Wednesday, 21-Oct-15 07:28:00 GMT` (RFC 850).
fn seconds_of_date(text: &str) -> Option<i64> {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let (_, text) = text.trim().split_once(", ")?;
    let words: Vec<&str> = text.split([' ', '-']).collect();
    let &[day, month, year, time, "GMT"] = &words[..] else {
        return None;
    };
    let month = MONTHS.iter().position(|name| *name == month)? as i64 + 1;
    let number = |text: &str, most: i64| text.parse().ok().filter(|n| (0..=most).contains(n));
    let in_full = match year.len() {
        2 => number(year, 99)? + if year < "70" { 2000 } else { 1900 },
        _ => number(year, 9999)?,
    };
    let (day, year) = (number(day, 31)?, in_full);
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

    fn wait(headers: &[(&str, &str)], message: &str) -> Option<Duration> {
        wait_of(429, headers, message)
    }

    fn wait_of(status: u16, headers: &[(&str, &str)], message: &str) -> Option<Duration> {
        let headers: Vec<(String, String)> = headers
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let reply = Reply {
            status,
            headers: &headers,
            body: "",
        };
        asked(&reply, status, message, 1_445_412_470)
    }

    const SECONDS: fn(u64) -> Duration = Duration::from_secs;

    #[test]
    fn all_forms_of_retry_after_are_understood() {
        let half = Some(Duration::from_millis(1500));
        assert_eq!(wait(&[("Retry-After", "3")], ""), Some(SECONDS(3)));
        assert_eq!(wait(&[("retry-after", " 1.5 ")], ""), half);
        assert_eq!(wait(&[("retry-after", "20s")], ""), Some(SECONDS(20)));
        let both = [("retry-after", "9"), ("retry-after-ms", "1500")];
        assert_eq!(wait(&both, ""), half);
        let date = ("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT");
        assert_eq!(wait(&[date], ""), Some(SECONDS(10)));
        let older = ("retry-after", "Wednesday, 21-Oct-15 07:28:00 GMT");
        assert_eq!(wait(&[older], ""), Some(SECONDS(10)));
        let sent = ("date", "Wed, 21 Oct 2015 07:27:30 GMT");
        assert_eq!(wait(&[date, sent], ""), Some(SECONDS(30)));
        let past = ("date", "Wed, 21 Oct 2015 07:29:00 GMT");
        assert_eq!(wait(&[date, past], ""), Some(SECONDS(0)));
        assert_eq!(wait(&[("retry-after", "-3")], ""), Some(SECONDS(0)));
        assert_eq!(wait(&[("retry-after", "1e300")], ""), Some(Duration::MAX));
        for odd in [
            "soon",
            "",
            "NaN",
            "Wed, 40 Oct 2015 07:28:00 GMT",
            "Wed, 21",
        ] {
            assert_eq!(wait(&[("retry-after", odd)], ""), None, "{odd}");
        }
        assert_eq!(wait(&[], ""), None);
    }

    #[test]
    fn the_limit_that_is_used_up_says_how_long() {
        let requests = ("x-ratelimit-reset-requests", "20ms");
        let tokens = ("x-ratelimit-reset-tokens", "6m1.5s");
        let none_left = ("x-ratelimit-remaining-requests", "0");
        let long = Some(Duration::from_millis(361_500));
        assert_eq!(wait(&[requests, tokens], ""), long);
        let short = Some(Duration::from_millis(20));
        assert_eq!(wait(&[requests, tokens, none_left], ""), short);
        for (value, expected) in [
            ("7", Some(SECONDS(7))),
            ("1445412480", Some(SECONDS(10))),
            ("1445412480000", Some(SECONDS(10))),
            ("1445412400", Some(SECONDS(0))),
            ("soon", None),
        ] {
            assert_eq!(
                wait(&[("X-RateLimit-Reset", value)], ""),
                expected,
                "{value}"
            );
        }
    }

    #[test]
    fn limits_that_are_not_used_up_are_not_waited_for_where_a_server_fails() {
        let reset = ("x-ratelimit-reset-tokens", "6m0s");
        let some_left = ("x-ratelimit-remaining-tokens", "149000");
        let none_left = ("x-ratelimit-remaining-tokens", "0");
        assert_eq!(wait_of(500, &[reset], ""), None);
        assert_eq!(wait_of(500, &[reset, some_left], ""), None);
        assert_eq!(wait_of(503, &[reset, none_left], ""), Some(SECONDS(360)));
        assert_eq!(wait_of(429, &[reset, some_left], ""), Some(SECONDS(360)));
        let asked = ("retry-after", "3");
        assert_eq!(wait_of(500, &[reset, asked], ""), Some(SECONDS(3)));
    }

    #[test]
    fn a_wait_that_is_said_in_words_is_understood() {
        for (message, expected) in [
            ("Please try again in 7m12s.", Some(SECONDS(432))),
            (
                "Please try again in 1.5s. See",
                Some(Duration::from_millis(1500)),
            ),
            ("Please retry after 20 seconds.", Some(SECONDS(20))),
            ("Try again in 2 minutes", Some(SECONDS(120))),
            ("\"retryDelay\": \"34s\"", Some(SECONDS(34))),
            ("try again in a while", None),
            ("try again later", None),
        ] {
            assert_eq!(wait(&[], message), expected, "{message}");
        }
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
