//! The judgement of a server's complaint.

use super::advice::{self, advice};
use super::complaint::Complaint;
use super::judgement::Judgement;
use super::length::{TooLong, too_long};
use super::reply::Reply;
use super::text::excerpt;
use super::wait;
use crate::chat::{Completion, Finish};

/// Codes of a provider's filter.
const FILTER_CODES: [&str; 17] = [
    "content_filter",
    "contentfilter",
    "content_policy",
    "contentpolicy",
    "responsibleaipolicyviolation",
    "moderation",
    "data_inspection_failed",
    "datainspectionfailed",
    "sensitive",
    "policy_violation",
    "invalid_prompt",
    "guardrail",
    "prohibited_content",
    "content_blocked",
    // Zhipu; MiniMax, of questions and of answers.
    "1301",
    "1026",
    "1027",
];

/// Words of a provider's filter.
const FILTER_WORDS: [&str; 18] = [
    "content management policy",
    "content filter",
    "content_filter",
    "content policy",
    "content_policy",
    "content exists risk",
    "contentpolicyviolation",
    "responsible ai",
    "input was flagged",
    "prompt was flagged",
    "request was flagged",
    "rejected as a result of our safety system",
    "blocked due to safety",
    "blocked by guardrail",
    "inappropriate content",
    "sensitive content",
    "violating our usage polic",
    "violates usage guidelines",
];

/// Codes and words of an account that has nothing left.
const QUOTA_CODES: [&str; 12] = [
    "insufficient_quota",
    "insufficient_balance",
    "insufficient_credits",
    "billing",
    "payment_required",
    "servicequotaexceeded",
    "arrearage",
    "account_deactivated",
    "exceeded_current_quota",
    "budget_exceeded",
    // Zhipu, MiniMax.
    "1113",
    "1008",
];
const QUOTA_WORDS: [&str; 16] = [
    "exceeded your current quota",
    "credit balance is too low",
    "insufficient credits",
    "insufficient balance",
    "insufficient funds",
    "insufficient_quota",
    "billing hard limit",
    "billing_hard_limit",
    "out of credits",
    "no credits",
    "monthly spend limit",
    "used all available credits",
    "credits are depleted",
    "budget has been exceeded",
    "inactive subscription",
    "api calls / month",
];

/// Codes of what passes, by the status that they stand for.
const PASSING: [(u16, &[&str]); 5] = [
    (
        429,
        &[
            "rate_limit",
            "ratelimit",
            "too_many_requests",
            "throttling",
            "resource_exhausted",
        ],
    ),
    (529, &["overloaded"]),
    (
        503,
        &[
            "unavailable",
            "service_unavailable",
            "modelnotready",
            "model_loading",
            "capacity",
        ],
    ),
    (504, &["timeout", "deadline_exceeded"]),
    (
        500,
        &[
            "server_error",
            "internal",
            "api_error",
            "modelerror",
            "modelstreamerror",
        ],
    ),
];

/// Codes of a server that fails, whatever its status.
const FAILURES: [&str; 5] = [
    "overloaded",
    "service_unavailable",
    "modelnotready",
    "model_loading",
    "server_error",
];

/// Codes of what stays, by the status that they stand for.
const LASTING: [(u16, &[&str]); 4] = [
    (
        401,
        // MiniMax has a number.
        &["authentication", "invalid_api_key", "unauthorized", "1004"],
    ),
    (403, &["permission", "forbidden", "accessdenied"]),
    (404, &["not_found", "notfound"]),
    (
        400,
        &[
            "invalid_request",
            "badrequest",
            "bad_request",
            "validation",
            "unsupported",
            "invalid_argument",
            "unknown_parameter",
            "insufficient_quota",
        ],
    ),
];

/// Judges a complaint: `status` is that of the reply, unless it is one of success.
pub(super) fn judge(
    complaint: &Complaint,
    status: Option<u16>,
    reply: &Reply<'_>,
    now: i64,
) -> Judgement {
    let meant = status.or(complaint.status);
    let status = meant.unwrap_or_else(|| of_codes(complaint));
    let message = excerpt(&complaint.message);
    if let Some(text) = complaint.answered.as_ref().filter(|_| is_of_form(status)) {
        return Judgement::Answered(Completion {
            text: text.clone(),
            tries: 1,
            finish: if complaint.says(&["max completion tokens reached"]) {
                Finish::Length
            } else {
                Finish::default()
            },
            ..Completion::default()
        });
    }
    if is_filter(status, complaint) {
        return Judgement::Answered(Completion {
            tries: 1,
            ..Completion::filtered(message)
        });
    }
    let misconfigured = |advice: String| Judgement::Misconfigured {
        status,
        message: message.clone(),
        advice,
    };
    let asked = wait::asked(reply, status, &complaint.words, now);
    if is_quota(status, complaint, asked.is_some()) {
        return misconfigured(advice::QUOTA.to_owned());
    }
    let may_be_length = match status {
        401..=404 => false,
        _ if status == 429 || throttles(complaint) => complaint.says(&["request too large for"]),
        _ => true,
    };
    match too_long(status, complaint).filter(|_| may_be_length) {
        Some(TooLong::Question) => return Judgement::TooLong { status, message },
        Some(TooLong::Answer) => return misconfigured(advice::TOO_MANY.to_owned()),
        None => {}
    }
    if passes(status, complaint) {
        return Judgement::Down {
            status: meant,
            why: match meant {
                Some(status) => format!("the server fails ({status}): {message}"),
                None => format!("the server fails: {message}"),
            },
            wait: asked,
        };
    }
    misconfigured(advice(status, complaint))
}

/// The status that codes stand for; a failure that says nothing else passes.
fn of_codes(complaint: &Complaint) -> u16 {
    let all = LASTING.iter().chain(&PASSING);
    let found = all.into_iter().find(|(_, codes)| complaint.has_code(codes));
    found.map_or(500, |(status, _)| *status)
}

/// Returns whether the same may be answered the next time.
fn passes(status: u16, complaint: &Complaint) -> bool {
    match status {
        408 | 409 | 423 | 424 | 425 | 429 | 444 | 460 | 498 | 499 => true,
        501 | 505 => false,
        400 | 403 => throttles(complaint) || complaint.has_code(&FAILURES),
        status => status >= 500,
    }
}

/// Returns whether a status is one of an answer that has not the form that was asked for.
const fn is_of_form(status: u16) -> bool {
    matches!(status, 400 | 422)
}

/// Returns whether it says that there are too many questions at a time.
fn throttles(complaint: &Complaint) -> bool {
    const WORDS: [&str; 3] = [
        "rate limit exceeded",
        "please wait before trying again",
        "throttlingexception",
    ];
    complaint.has_code(PASSING[0].1) || complaint.says(&WORDS)
}

/// Returns whether a filter has done it. A filter that fails, or that the request names, is spoken of in
/// the same words, so these count only where nothing else is said to be wrong.
fn is_filter(status: u16, complaint: &Complaint) -> bool {
    match status {
        401 | 402 | 404 | 429 => false,
        _ if complaint.has_code(&FILTER_CODES) => true,
        500.. => false,
        _ => complaint.says(&FILTER_WORDS) && !complaint.is_of_request(),
    }
}

/// Returns whether the account has nothing left. Who says when to come again speaks of a limit that passes.
fn is_quota(status: u16, complaint: &Complaint, asks_to_wait: bool) -> bool {
    status == 402
        || complaint.has_code(&QUOTA_CODES)
        || complaint.says(&QUOTA_WORDS) && !asks_to_wait
}
