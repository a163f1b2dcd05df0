//! One reply of a model server, judged: an answer, what the provider held back, an outage, or a
//! mistake of the configuration.
//!
//! Servers and gateways say the same in many forms; `tests/data/llm/answers` holds a file for each that is known, and
//! `docs/reference/models.md` lists them. Nothing else looks at a status, an error code or a finish reason. The
//! [form](super::form) of an answer decides afterwards if its text is an action.

mod advice;
mod body;
mod complaint;
mod finish;
mod judgement;
mod length;
mod message;
mod refusal;
mod reply;
mod text;
mod wait;

use super::chat::Completion;

pub(super) use body::too_large;
pub use body::{Undecodable, decode};
pub use judgement::{Class, Judged, Judgement};
pub use reply::Reply;
pub(super) use text::excerpt;

use complaint::Complaint;

/// Judges a reply to a question that asked for a call of `tool`, if of one; `now` is in seconds since
/// 1970.
pub fn judge(reply: &Reply<'_>, tool: Option<&str>, now: i64) -> Judged {
    let json = body::parse(reply.body);
    let usage = match &json {
        Ok(json) => message::usage(json),
        Err(_) => body::salvaged(reply.body).and_then(|usage| message::usage(&usage)),
    };
    let judgement = match (reply.status, json) {
        (300..=399, _) => redirect(reply),
        (200..=299, Ok(json)) => match Complaint::inside(&json) {
            Some(complaint) => refusal::judge(&complaint, None, reply, now),
            None => message::judge(&json, tool),
        },
        (200..=299, Err(why)) => Judgement::down(why),
        (status, json) => {
            let complaint = Complaint::of(json.as_ref().ok(), reply);
            refusal::judge(&complaint, Some(status), reply, now)
        }
    };
    // Of what was answered the counts are a part.
    let judgement = match judgement {
        Judgement::Answered(answer) => Judgement::Answered(Completion { usage, ..answer }),
        other => other,
    };
    Judged { judgement, usage }
}

/// Judges a refusal of which only the status and what the server says are known.
pub(super) fn judge_refusal(status: u16, message: &str) -> Judgement {
    let reply = Reply {
        status,
        headers: &[],
        body: message,
    };
    refusal::judge(&Complaint::of(None, &reply), Some(status), &reply, 0)
}

/// The server asks to go elsewhere, where a key was not meant for.
fn redirect(reply: &Reply<'_>) -> Judgement {
    let to = excerpt(reply.header("location").unwrap_or_default());
    Judgement::Misconfigured {
        status: reply.status,
        message: format!("it redirects to `{to}`"),
        advice: "give the base URL of that server".to_owned(),
    }
}

/// A server's complaint, shortened.
pub(super) fn server_message(body: &str) -> String {
    let reply = Reply {
        status: 0,
        headers: &[],
        body,
    };
    let json = body::parse(body).ok();
    excerpt(&Complaint::of(json.as_ref(), &reply).message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_says_is_found_where_it_says_it() {
        for (body, message) in [
            (r#"{"error":{"message":"too long","type":"x"}}"#, "too long"),
            (r#"{"error":"too long"}"#, "too long"),
            (r#"{"message":"too long"}"#, "too long"),
            (r#"{"detail":"too long"}"#, "too long"),
            (r#"[{"error":{"message":"too long"}}]"#, "too long"),
            (r#"{"errors":[{"message":"too long"}]}"#, "too long"),
            (
                r#"{"detail":[{"loc":["body","seed"],"msg":"not permitted"}]}"#,
                "seed: not permitted",
            ),
            ("too\n long ", "too long"),
            (r#"{"why":"too long"}"#, r#"{"why":"too long"}"#),
            ("", "it says nothing more"),
        ] {
            assert_eq!(server_message(body), message, "{body}");
        }
    }
}
