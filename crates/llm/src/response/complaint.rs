//! The complaint of a server, wherever in a body it stands.

use serde_json::Value;

use super::reply::Reply;
use super::text::filled;

/// The places in which servers put their error messages.
const MESSAGES: [&str; 7] = [
    "message",
    "Message",
    "msg",
    "status_msg",
    "detail",
    "error_description",
    "title",
];

/// A server's complaint.
#[derive(Clone, Debug, Default)]
pub(super) struct Complaint {
    /// The status that it means, where it gives one.
    pub(super) status: Option<u16>,
    /// Its codes and types, in lower case.
    pub(super) codes: Vec<String>,
    /// The part of the request that is wrong.
    pub(super) param: Option<String>,
    /// Its words, in full.
    pub(super) message: String,
    /// All that it says, in lower case: beside the message what another server behind it said.
    pub(super) words: String,
    /// The answer of the model, be it nothing, where only its form is at fault.
    pub(super) answered: Option<String>,
}

impl Complaint {
    /// The complaint in the body of a reply whose status is one of success; `None` if there is none.
    pub(super) fn inside(json: &Value) -> Option<Self> {
        let choice = &json["choices"][0];
        let nested = [&choice["error"], &choice["message"]["error"]];
        if let Some(error) = nested.into_iter().find(|error| is_stated(error)) {
            return Some(Self::read(error, json));
        }
        let is_error = json["object"] == "error" || json["type"] == "error";
        let has_errors = is_stated(&json["error"]) || is_stated(&json["errors"]);
        let is_bare = json["choices"].is_null()
            && (MESSAGES.iter().any(|key| is_stated(&json[*key]))
                || is_stated(&json["__type"])
                || is_stated(&json["base_resp"]));
        (is_error || has_errors || is_bare).then(|| Self::read(&json["error"], json))
    }

    /// The complaint of a reply whose status is one of failure.
    pub(super) fn of(json: Option<&Value>, reply: &Reply<'_>) -> Self {
        let mut complaint = match json {
            Some(json) => Self::read(&json["error"], json),
            None => Self {
                message: reply.body.to_owned(),
                words: reply.body.to_lowercase(),
                ..Self::default()
            },
        };
        let kind = reply.header("x-amzn-errortype");
        complaint.codes.extend(kind.map(str::to_lowercase));
        if complaint.message.trim().is_empty() {
            let said = reply.body.trim();
            complaint.message = if said.is_empty() {
                "it says nothing more".to_owned()
            } else {
                said.to_owned()
            };
        }
        complaint
    }

    /// Reads an error and the body around it.
    fn read(error: &Value, body: &Value) -> Self {
        let first = &body["errors"][0];
        let places = [error, first, body, &body["base_resp"]];
        let of = |keys: &'static [&'static str]| {
            let places = places.into_iter();
            places.flat_map(move |place| keys.iter().map(move |key| &place[*key]))
        };
        let numbers = ["code", "status", "statusCode", "status_code", "http_status"];
        let status = places
            .into_iter()
            .flat_map(|place| numbers.map(|key| &place[key]))
            .find_map(status_of);
        let kinds = &[
            "code",
            "status_code",
            "type",
            "error_type",
            "status",
            "__type",
            "errorCode",
            "name",
        ];
        let inner = [&error["innererror"]["code"], &error["inner_error"]["code"]];
        let codes = of(kinds).chain(inner).filter_map(code);
        let param = of(&["param"]).find_map(filled);
        let detail = &body["detail"][0];
        let message = [error]
            .into_iter()
            .chain(of(&MESSAGES))
            .chain([&detail["msg"]])
            .find_map(filled)
            .or_else(|| {
                let whole = [error, &body["message"], &body["detail"]];
                let stated = whole.into_iter().find(|value| is_stated(value));
                stated.map(Value::to_string)
            });
        let located = detail["loc"].as_array().and_then(|places| places.last());
        let message = match (message, located.and_then(Value::as_str)) {
            (Some(message), Some(place)) => format!("{place}: {message}"),
            (Some(message), None) => message,
            (None, _) => body.to_string(),
        };
        // What an answer says is no complaint.
        let whole = if body["choices"].is_null() {
            body
        } else {
            error
        };
        let own = Self {
            status,
            codes: codes.collect(),
            param: param.or_else(|| located.and_then(filled)),
            message,
            words: whole.to_string().to_lowercase(),
            answered: of(&["failed_generation"]).find_map(text_of),
        };
        match filled(&error["metadata"]["raw"]) {
            Some(raw) => own.behind(&raw),
            None => own,
        }
    }

    /// The complaint of a gateway, with that of the server behind it.
    fn behind(mut self, raw: &str) -> Self {
        let json: Result<Value, _> = serde_json::from_str(raw);
        match json {
            Ok(json) if json.is_object() => {
                let inner = Self::read(&json["error"], &json);
                self.codes.extend(inner.codes);
                self.param = self.param.or(inner.param);
                self.answered = self.answered.or(inner.answered);
                self.message = format!("{}: {}", self.message, inner.message);
            }
            _ => self.message = format!("{}: {raw}", self.message),
        }
        self
    }

    /// Returns whether one of its codes holds one of these words, or is one of these numbers.
    pub(super) fn has_code(&self, words: &[&str]) -> bool {
        let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
        let is_it = |code: &str, word: &str| {
            if is_number(word) {
                code == word
            } else {
                code.contains(word)
            }
        };
        let mut codes = self.codes.iter();
        codes.any(|code| words.iter().any(|word| is_it(code, word)))
    }

    /// Returns whether one of its codes says that the request is wrong, whatever the question is.
    pub(super) fn is_of_request(&self) -> bool {
        self.has_code(&[
            "model_not_found",
            "unknown_parameter",
            "unsupported_parameter",
            "unsupported_value",
            "invalid_json_schema",
        ])
    }

    /// Returns whether it says one of these.
    pub(super) fn says(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.words.contains(word))
    }
}

/// Returns whether a value says, in whatever form, that something is wrong.
fn is_stated(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(is_so) => *is_so,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !matches!(text.trim(), "" | "0" | "success"),
        Value::Array(items) => items.iter().any(is_stated),
        Value::Object(members) => members.values().any(is_stated),
    }
}

/// A text, be it empty, or other JSON as text; `None` where nothing is there.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// A status of HTTP, as a number or its digits.
fn status_of(value: &Value) -> Option<u16> {
    let number = match value {
        Value::String(digits) => digits.parse().ok(),
        other => other.as_u64(),
    }?;
    let status = u16::try_from(number).ok()?;
    (400..600).contains(&status).then_some(status)
}

/// A code or a type, in lower case.
fn code(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => Some(number.to_string()),
        other => filled(other).map(|code| code.to_lowercase()),
    }
}
