//! Probes the abilities of an endpoint by asking it.
//!
//! A server that does not know a part of a request often leaves it out and answers as if nothing
//! were wrong. So each part is tried with a question whose answer shows whether it was heeded: a
//! schema and a grammar with words that the question does not hold, a tool by what it adds to the
//! tokens of the question.

use serde::Serialize;
use serde_json::{Value, json};

use super::chat::{
    Chat, ChatError, ChatMessage, ChatRequest, Completion, Constraint, Finish, Role, Sampling, Take,
};
use super::response::excerpt;

/// The verdict on an ability of an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It has done it.
    Yes,
    /// It refuses, or answers as if nothing had been asked of it.
    No,
    /// Its answers do not show it, or there were none.
    Unknown,
}

/// One thing that was tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// The name of the ability: `chat`, `usage`, `seed`, `grammar`, `json-schema`, `tools`, `logprobs`, `errors`.
    pub name: &'static str,
    /// The verdict on the ability.
    pub verdict: Verdict,
    /// The evidence for the verdict.
    pub reason: String,
    /// Advice, where an option helps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

/// The format in which an action is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// As the call of a tool.
    Tool,
    /// As an object that fits a JSON schema.
    JsonSchema,
    /// As a line of text.
    Text,
}

/// A format, and why it is the best.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The format.
    pub format: Format,
    /// The checks of it and of those that are better.
    pub checks: Vec<Check>,
}

/// The best format of an endpoint: the call of a tool where tools are honoured, else a JSON schema
/// where that is, else text. It takes up to five questions, whose answers a cassette keeps.
///
/// An error of the first question is one of the endpoint, and no format is chosen; that a single
/// format fails is its check.
pub fn best_format(chat: &dyn Chat) -> Result<Choice, ChatError> {
    let probe = Probe { chat };
    let plain = probe.ask(&plain(1), 0)?;
    let mut checks = vec![probe.tools(Some(&plain))?];
    if checks[0].verdict != Verdict::Yes {
        checks.push(probe.json_schema()?);
    }
    let format = format_of(&checks);
    Ok(Choice { format, checks })
}

/// All that is found of an endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Findings {
    /// The checks, in the order of trial. The first is `chat`; where it fails, nothing else is tried.
    pub checks: Vec<Check>,
    /// The best format, as [`best_format`] finds it; `None` where there is no chat.
    pub format: Option<Format>,
}

/// Tries everything. The only errors are those of the run: it was stopped, or its budget is spent.
pub fn findings(chat: &dyn Chat) -> Result<Findings, ChatError> {
    let probe = Probe { chat };
    let answer = match probe.ask(&plain(64), 0) {
        Ok(answer) => answer,
        Err(error) => {
            let chat = failed("chat", error)?;
            let others = [
                "usage",
                "seed",
                "grammar",
                "json-schema",
                "tools",
                "logprobs",
                "errors",
            ];
            let untried = others.map(|name| check(name, Verdict::Unknown, "there is no chat"));
            let checks = [chat].into_iter().chain(untried).collect();
            return Ok(Findings {
                checks,
                format: None,
            });
        }
    };
    let one_token = probe.ask(&plain(1), 0).ok();
    let checks = vec![
        check(
            "chat",
            Verdict::Yes,
            &format!("it answers {}", shown(&answer)),
        ),
        usage(&answer),
        probe.seed()?,
        probe.grammar()?,
        probe.json_schema()?,
        probe.tools(one_token.as_ref())?,
        probe.logprobs()?,
        probe.errors()?,
    ];
    let format = Some(format_of(&checks));
    Ok(Findings { checks, format })
}

fn format_of(checks: &[Check]) -> Format {
    let can = |name| {
        let found = checks.iter().find(|check: &&Check| check.name == name);
        found.is_some_and(|check| check.verdict == Verdict::Yes)
    };
    if can("tools") {
        Format::Tool
    } else if can("json-schema") {
        Format::JsonSchema
    } else {
        Format::Text
    }
}

/// The most tokens of an answer that is only a few words, whatever a model says before them.
const FEW_WORDS: u32 = 128;
/// Words that no model says unasked.
const DISHES: [&str; 2] = ["soup-17", "pie-42"];

/// Asks.
struct Probe<'a> {
    chat: &'a dyn Chat,
}

impl Probe<'_> {
    fn ask(&self, request: &ChatRequest, nth: u32) -> Result<Completion, ChatError> {
        let take = Take {
            nth,
            ..Take::default()
        };
        let answer = self.chat.complete(request, take);
        answer.map_err(|none| none.error)
    }

    fn seed(&self) -> Result<Check, ChatError> {
        let ask = |seed, nth| {
            let mut request = question("Invent a dish.", 24, Constraint::Free);
            request.sampling.seed = Some(seed);
            request.sampling.temperature = Some(0.7);
            self.ask(&request, nth).map(|answer| answer.text)
        };
        let texts = ask(1, 0).and_then(|one| Ok((one, ask(1, 1)?, ask(2, 0)?)));
        let (verdict, reason) = match texts {
            Err(error) => return failed("seed", error),
            Ok((one, same, _)) if one != same => {
                (Verdict::No, "two answers with the same seed differ")
            }
            Ok((one, _, other)) if one == other => (
                Verdict::Unknown,
                "answers are equal, with the same seed and with another",
            ),
            Ok(_) => (
                Verdict::Yes,
                "two answers with the same seed are equal, with another seed it is another",
            ),
        };
        Ok(check("seed", verdict, reason))
    }

    fn grammar(&self) -> Result<Check, ChatError> {
        let grammar = "root ::= \"dish-\" [0-9] [0-9]".to_owned();
        let request = question("Say hello.", FEW_WORDS, Constraint::Grammar(grammar));
        let fits = |text: &str| {
            let digits = text.trim().strip_prefix("dish-");
            digits.is_some_and(|it| it.len() == 2 && it.bytes().all(|b| b.is_ascii_digit()))
        };
        Ok(match self.ask(&request, 0) {
            Err(error) => failed("grammar", error)?,
            Ok(answer) => heeded("grammar", fits(&answer.text), &answer),
        })
    }

    fn json_schema(&self) -> Result<Check, ChatError> {
        let form = Constraint::JsonSchema(schema());
        let request = question("Which dish do you like? Answer in JSON.", FEW_WORDS, form);
        Ok(match self.ask(&request, 0) {
            Err(error) => failed("json-schema", error)?,
            Ok(answer) => heeded("json-schema", names_dish(&answer.text), &answer),
        })
    }

    /// Checks that a tool is seen and called. `plain` is the answer of one token to the question without the tool.
    fn tools(&self, plain: Option<&Completion>) -> Result<Check, ChatError> {
        let tool = |max_tokens| {
            let form = Constraint::Tool {
                name: "order".to_owned(),
                description: "Orders a dish.".to_owned(),
                parameters: schema(),
            };
            question("Say hello.", max_tokens, form)
        };
        let tokens = |answer: &Completion| answer.usage.map(|usage| usage.input);
        if let Some(without) = plain.and_then(tokens) {
            match self.ask(&tool(1), 0) {
                Ok(answer) if tokens(&answer) == Some(without) => {
                    let reason = format!(
                        "the question has {without} tokens with and without the tool: it is left out"
                    );
                    return Ok(check("tools", Verdict::No, &reason));
                }
                Err(error @ (ChatError::Stopped(_) | ChatError::Budget(_))) => return Err(error),
                // A call does not fit into one token: whether there is one is seen below.
                Ok(_) | Err(_) => {}
            }
        }
        Ok(match self.ask(&tool(FEW_WORDS), 0) {
            Err(error) => failed("tools", error)?,
            Ok(answer) => match &answer.tool_arguments {
                None => heeded("tools", false, &answer),
                Some(arguments) => {
                    let called = format!("it calls the tool with {}", excerpt(arguments));
                    let fits = names_dish(arguments);
                    let verdict = if fits { Verdict::Yes } else { Verdict::No };
                    check("tools", verdict, &called)
                }
            },
        })
    }

    fn logprobs(&self) -> Result<Check, ChatError> {
        let mut request = question("Say hello.", 1, Constraint::Logprobs { top: 5 });
        // The likeliest token: some servers omit one that is half a character.
        request.sampling.temperature = Some(0.0);
        Ok(match self.ask(&request, 0) {
            Err(error) => failed("logprobs", error)?,
            Ok(answer) => match answer.first_tokens.len() {
                0 => check("logprobs", Verdict::No, "the answer holds none"),
                1 => check("logprobs", Verdict::Yes, "of the token that was drawn only"),
                number => check("logprobs", Verdict::Yes, &format!("of {number} tokens")),
            },
        })
    }

    /// Checks that a question that makes no sense is refused.
    fn errors(&self) -> Result<Check, ChatError> {
        let request = ChatRequest {
            messages: Vec::new(),
            ..plain(1)
        };
        Ok(match self.ask(&request, 0) {
            Ok(answer) => {
                let reason = format!("to no question at all it answers {}", shown(&answer));
                check("errors", Verdict::No, &reason)
            }
            Err(ChatError::Configuration {
                status, message, ..
            }) => {
                let reason = format!("a wrong request is refused ({status}): {message}");
                check("errors", Verdict::Yes, &reason)
            }
            Err(error) => failed("errors", error)?,
        })
    }
}

/// A question without a form, and an answer of so many tokens at most.
fn plain(max_tokens: u32) -> ChatRequest {
    question("Say hello.", max_tokens, Constraint::Free)
}

fn question(text: &str, max_tokens: u32, constraint: Constraint) -> ChatRequest {
    ChatRequest {
        messages: vec![ChatMessage {
            role: Role::User,
            content: text.to_owned(),
        }],
        sampling: Sampling {
            max_tokens: Some(max_tokens),
            ..Sampling::default()
        },
        constraint,
    }
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": { "dish": { "type": "string", "enum": DISHES } },
        "required": ["dish"],
        "additionalProperties": false,
    })
}

fn names_dish(text: &str) -> bool {
    let json: Value = serde_json::from_str(text).unwrap_or_default();
    json["dish"]
        .as_str()
        .is_some_and(|dish| DISHES.contains(&dish))
}

fn usage(answer: &Completion) -> Check {
    match answer.usage {
        None => check("usage", Verdict::No, "the answer holds no count of tokens"),
        Some(usage) => {
            let mut reason = format!("{} tokens in, {} out", usage.input, usage.output);
            if let Some(cached) = usage.cached {
                reason += &format!(", {cached} cached");
            }
            if let Some(reasoning) = usage.reasoning {
                reason += &format!(", {reasoning} for reasoning");
            }
            check("usage", Verdict::Yes, &reason)
        }
    }
}

fn check(name: &'static str, verdict: Verdict, reason: &str) -> Check {
    Check {
        name,
        verdict,
        reason: reason.to_owned(),
        advice: None,
    }
}

/// A check by an answer that has the form that was asked for, or not.
fn heeded(name: &'static str, fits: bool, answer: &Completion) -> Check {
    let text = shown(answer);
    if fits {
        return check(name, Verdict::Yes, &format!("it answers {text}"));
    }
    let reason = format!("it answers {text}, which has not the form that was asked for");
    let verdict = if answer.finish == Finish::Length {
        Verdict::Unknown
    } else {
        Verdict::No
    };
    check(name, verdict, &reason)
}

/// A check by an error; one of the run is no check.
fn failed(name: &'static str, error: ChatError) -> Result<Check, ChatError> {
    match &error {
        ChatError::Stopped(_) | ChatError::Budget(_) => Err(error),
        ChatError::TooLong { .. } => Ok(check(name, Verdict::No, &error.to_string())),
        // What to do about a key or a model depends on where they were given.
        ChatError::Configuration { status, advice, .. } => Ok(Check {
            advice: (!matches!(status, 401 | 403 | 404)).then(|| advice.clone()),
            ..check(name, Verdict::No, &error.to_string())
        }),
        ChatError::Infrastructure(why) => Ok(check(name, Verdict::Unknown, why)),
    }
}

/// The text of an answer as one sees it, shortened.
fn shown(answer: &Completion) -> String {
    let text = excerpt(&answer.text);
    let text: String = text.chars().take(60).collect();
    let cut = if answer.finish == Finish::Length {
        ", cut at the limit of tokens"
    } else {
        ""
    };
    if text.is_empty() {
        format!("nothing{cut}")
    } else {
        format!("`{text}`{cut}")
    }
}
