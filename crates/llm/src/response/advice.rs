//! Advice about a request that is refused as it is configured.

use super::complaint::Complaint;

/// The parts of a request that Brigade sets, the longer names first.
const FIELDS: [&str; 12] = [
    "max_completion_tokens",
    "max_tokens",
    "temperature",
    "top_p",
    "seed",
    "response_format",
    "json_schema",
    "tool_choice",
    "tools",
    "grammar",
    "top_logprobs",
    "logprobs",
];

/// Advice about an account that has nothing left.
pub(super) const QUOTA: &str =
    "pay for it or raise its limit where the account is; the same command then goes on";

/// Advice about an answer that may have more tokens than the model can give.
pub(super) const TOO_MANY: &str =
    "let answers have fewer tokens: `--max-tokens` (`max-tokens` in a bench file)";

/// Advice about a refusal.
pub(super) fn advice(status: u16, complaint: &Complaint) -> String {
    match status {
        401 => return of_key().to_owned(),
        403 => return format!("{}, and see whether it may use the model", of_key()),
        _ => {}
    }
    if let Some(field) = field(complaint) {
        return of_field(field, complaint);
    }
    let of_model = ["model_not_found", "decommissioned", "deprecated"];
    if matches!(status, 404 | 405 | 410) || complaint.has_code(&of_model) {
        return "see whether the base URL is complete (mostly it ends with `/v1`) and the server has \
                the model: `brigade doctor` lists its models"
            .to_owned();
    }
    "change what it says; `brigade doctor` shows what the endpoint can do, and with which options"
        .to_owned()
}

const fn of_key() -> &'static str {
    "give the right key: `--api-key-env` (`api-key-env` in a bench file) names the environment variable \
     that holds it"
}

/// The part of the request that is refused.
fn field(complaint: &Complaint) -> Option<&'static str> {
    let of_param = complaint.param.as_deref().and_then(|param| {
        let last = param.rsplit(['.', '/']).next()?;
        FIELDS.into_iter().find(|field| *field == last)
    });
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words: Vec<&str> = complaint.words.split(|c| !is_of_name(c)).collect();
    of_param
        .or_else(|| FIELDS.into_iter().find(|field| words.contains(field)))
        .or_else(|| {
            complaint
                .says(&["tool use", "tool choice", "tool call", "function call"])
                .then_some("tools")
        })
}

fn of_field(field: &str, complaint: &Complaint) -> String {
    match field {
        "max_tokens" | "max_completion_tokens" => {
            let other = match field {
                "max_tokens" => "max_completion_tokens",
                _ => "max_tokens",
            };
            if complaint.message.contains(other) {
                return format!(
                    "name it so: `--max-tokens-field {other}` (`max-tokens-field` in a bench file)"
                );
            }
            if complaint.says(&["required", "missing"]) {
                return "say how many tokens an answer may have: `--max-tokens` (`max-tokens` in a \
                        bench file)"
                    .to_owned();
            }
            omit(field)
        }
        "seed" | "temperature" | "top_p" | "tool_choice" => omit(field),
        _ => "let actions be chosen in another way: `--action-format text` (`action-format` in a bench \
              file)"
            .to_owned(),
    }
}

fn omit(field: &str) -> String {
    format!("leave it out: `--omit {field}` (`omit = [\"{field}\"]` in a bench file)")
}
