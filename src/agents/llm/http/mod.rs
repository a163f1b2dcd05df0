//! Asks an endpoint: tries, waits and tries again, within the limits of the run.
//!
//! A question is put again, up to [`Retries::most`] times, after a status 408, 409, 429 or 5xx, where
//! no connection is made, no answer comes in time or it is cut off or no JSON. Waits double, and are
//! no shorter than the server asks for (`Retry-After`), up to [`Retries::longest_wait`]. Any other
//! status from 300 to 499 is [`ChatError::Refused`] at once, redirects among them: a key is not sent
//! where it was not meant for. An answer above [`MAX_ANSWER_BYTES`] is not read to its end and not
//! asked for again.

mod exchange;
mod header;
mod key;
mod retry;
mod secret;

use std::fmt;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use ureq::Agent;

pub use self::header::{ExtraHeader, HeaderError};
pub use self::key::{ApiKey, KeyError};
pub use self::retry::Retries;
pub use super::limiter::RequestLimits;

use self::exchange::{Fault, Request, exchange};
use self::secret::Secret;
use super::addressee::Addressee;
use super::budget::Budget;
use super::cassette::question_number;
use super::chat::{Chat, ChatError, ChatRequest, Completion, Take, Usage};
use super::endpoint::Endpoint;
use super::limiter::{LOOK_EVERY, Limiter, Permit};
use super::response::{self, NoAnswer, excerpt, server_message};
use crate::search::StopReason;

/// The largest answer that is read.
pub const MAX_ANSWER_BYTES: u64 = 4 << 20;

/// Says why to stop, if so. Whoever waits for a server asks it about twenty times a second. Once it
/// has said so, the chat answers no more questions.
pub type Stop = Arc<dyn Fn() -> Option<StopReason> + Send + Sync>;

/// How an endpoint is asked.
#[derive(Clone, Debug)]
pub struct HttpOptions {
    /// Where it is.
    pub endpoint: Endpoint,
    /// The model.
    pub addressee: Addressee,
    /// The key, if the endpoint wants one.
    pub key: Option<ApiKey>,
    /// What else it wants.
    pub headers: Vec<ExtraHeader>,
    /// How long one try may take.
    pub timeout: Duration,
    /// How long all tries of one question and the waits between them may take, from the moment that
    /// the first is sent.
    pub total: Duration,
    /// When a question is put again.
    pub retries: Retries,
    /// How many requests are sent, by all threads together.
    pub limits: RequestLimits,
}

/// What a server says when asked for its models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Models {
    /// Their names, in its order.
    Listed(Vec<String>),
    /// Something else, shortened.
    Unlisted(String),
}

/// An endpoint with a model on it.
pub struct HttpChat {
    options: HttpOptions,
    agent: Agent,
    limiter: Limiter,
    budget: Arc<Budget>,
    stop: Stop,
}

impl HttpChat {
    /// Connects to nothing yet. What is asked is taken from `budget`.
    pub fn new(options: HttpOptions, budget: Arc<Budget>, stop: Stop) -> Self {
        let agent = exchange::agent(&options.endpoint, options.limits.concurrent.get());
        Self {
            agent,
            limiter: Limiter::new(options.limits),
            options,
            budget,
            stop,
        }
    }

    /// What the server says when asked for its models. It is asked once only; whatever it answers, it
    /// can be reached.
    pub fn models(&self) -> Result<Models, ChatError> {
        let permit = self.permit()?;
        let request = self.request(self.options.endpoint.models(), None, self.options.timeout);
        let reply = exchange(&self.agent, request, &self.stop).map_err(|fault| match fault {
            Fault::Passing(why) | Fault::Lasting(why) => self.no_answer(1, &why),
            Fault::Stopped(reason) => ChatError::Stopped(reason),
        });
        drop(permit);
        let reply = reply?;
        let json: Value = serde_json::from_str(&reply.body).unwrap_or_default();
        let listed = json["data"].as_array().filter(|_| reply.status == 200);
        Ok(if let Some(listed) = listed {
            let names = listed.iter().filter_map(|model| model["id"].as_str());
            Models::Listed(names.map(excerpt).collect())
        } else {
            let message = server_message(&self.redact(&reply.body));
            Models::Unlisted(format!("no list ({}): {message}", reply.status))
        })
    }

    fn request(&self, url: String, body: Option<Arc<str>>, timeout: Duration) -> Request {
        Request {
            url,
            body,
            key: self.options.key.clone(),
            headers: self.options.headers.clone(),
            timeout,
        }
    }

    fn permit(&self) -> Result<Permit<'_>, ChatError> {
        let permit = self.limiter.acquire(&self.stop);
        permit.map_err(ChatError::Stopped)
    }

    /// Asks once. Tokens that were counted are added to the budget and to `usage`.
    fn ask(
        &self,
        permit: &Permit,
        body: Arc<str>,
        timeout: Duration,
        usage: &mut Option<Usage>,
    ) -> Result<Completion, Trouble> {
        let reply = self.send(permit, body, timeout)?;
        let answer = response::completion(&reply);
        let counted = match &answer {
            Ok(answer) => answer.usage,
            Err((_, counted)) => *counted,
        };
        if answer.is_ok() || counted.is_some() {
            self.budget.add(counted);
        }
        *usage = sum(*usage, counted);
        answer.map_err(|(why, _)| match why {
            NoAnswer::Malformed(why) => Failure::passing(self.redact(&why)).into(),
            NoAnswer::Error { status, message } => {
                let status = status.filter(|status| (400..600).contains(status));
                let message = self.redact(&message);
                refusal(permit, status.unwrap_or(500), message, None)
            }
        })
    }

    /// Sends one question; the body of its answer.
    fn send(&self, permit: &Permit, body: Arc<str>, timeout: Duration) -> Result<String, Trouble> {
        let url = self.options.endpoint.completions();
        let request = self.request(url, Some(body), timeout);
        let reply = exchange(&self.agent, request, &self.stop)?;
        match reply.status {
            200..=299 => {
                permit.answered();
                let secrets = self.secrets();
                Ok(secrets.fold(reply.body, |answer, secret| secret.redact_answer(answer)))
            }
            300..=399 => {
                let to = self.redact(&reply.location.unwrap_or_default());
                let to = excerpt(&to);
                Err(Trouble::Final(ChatError::Refused {
                    status: reply.status,
                    message: format!("it redirects to `{to}`; give the base URL of that server"),
                }))
            }
            status => {
                let message = server_message(&self.redact(&reply.body));
                Err(refusal(permit, status, message, reply.retry_after))
            }
        }
    }

    /// A text of the server without the key.
    fn redact(&self, text: &str) -> String {
        let secrets = self.secrets();
        secrets.fold(text.to_owned(), |text, secret| secret.redact(&text))
    }

    /// What nothing may show.
    fn secrets(&self) -> impl Iterator<Item = &Secret> {
        let HttpOptions { key, headers, .. } = &self.options;
        let key = key.iter().map(ApiKey::secret);
        key.chain(headers.iter().map(ExtraHeader::secret))
    }

    /// Waits, unless told to stop.
    fn pause(&self, wait: Duration) -> Result<(), ChatError> {
        let start = Instant::now();
        loop {
            if let Some(reason) = (self.stop)() {
                return Err(ChatError::Stopped(reason));
            }
            let left = wait.saturating_sub(start.elapsed());
            if left.is_zero() {
                return Ok(());
            }
            thread::sleep(left.min(LOOK_EVERY));
        }
    }

    fn no_answer(&self, tries: u32, why: &str) -> ChatError {
        let endpoint = &self.options.endpoint;
        let tries = match tries {
            1 => String::new(),
            tries => format!(" after {tries} tries"),
        };
        ChatError::Infrastructure(format!("no answer from {endpoint}{tries}: {why}"))
    }
}

impl Chat for HttpChat {
    fn complete(&self, request: &ChatRequest, take: Take) -> Result<Completion, ChatError> {
        let json = self.body(request);
        let body: Arc<str> = json.to_string().into();
        let HttpOptions {
            timeout,
            total,
            retries,
            ..
        } = self.options;
        let mut usage = None;
        let mut left = total;
        let mut first_sent: Option<Instant> = None;
        let mut tries = 0;
        loop {
            self.budget.check()?;
            let permit = self.permit()?;
            // Others may have spent it meanwhile.
            self.budget.check()?;
            let first_sent = *first_sent.get_or_insert_with(Instant::now);
            tries += 1;
            let answer = self.ask(&permit, Arc::clone(&body), timeout.min(left), &mut usage);
            drop(permit);
            let failure = match answer {
                Ok(answer) => {
                    return Ok(Completion {
                        usage,
                        tries,
                        ..answer
                    });
                }
                Err(Trouble::Final(error)) => return Err(error),
                Err(Trouble::Failed(failure)) => failure,
            };
            if !failure.again || tries > retries.most {
                return Err(self.no_answer(tries, &failure.why));
            }
            let wait = retries.wait(question_number(&json, take), tries, failure.asked);
            left = total.saturating_sub(first_sent.elapsed());
            if wait >= left {
                let total = total.as_secs_f64();
                let why = format!(
                    "{} (with another try it would take over {total} s)",
                    failure.why
                );
                return Err(self.no_answer(tries, &why));
            }
            self.pause(wait)?;
            left -= wait;
        }
    }

    fn name(&self) -> &str {
        &self.options.addressee.model
    }

    fn body(&self, request: &ChatRequest) -> Value {
        request.body(&self.options.addressee)
    }
}

impl fmt::Debug for HttpChat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("HttpChat");
        shown
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// Why one try came to nothing.
struct Failure {
    why: String,
    /// Whether it may be otherwise the next time.
    again: bool,
    /// How long the server asks to wait.
    asked: Option<Duration>,
}

impl Failure {
    const fn passing(why: String) -> Self {
        Self {
            why,
            again: true,
            asked: None,
        }
    }
}

/// Why there is no answer to one try.
enum Trouble {
    /// There may be one to another try, or to another question.
    Failed(Failure),
    /// There will be none.
    Final(ChatError),
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Passing(why) => Self::Failed(Failure::passing(why)),
            Fault::Lasting(why) => Self::Failed(Failure {
                again: false,
                ..Failure::passing(why)
            }),
            Fault::Stopped(reason) => Self::Final(ChatError::Stopped(reason)),
        }
    }
}

/// What a status that is no success means, be it in the head of a reply or in its body.
fn refusal(permit: &Permit, status: u16, message: String, asked: Option<Duration>) -> Trouble {
    if status == 429 {
        permit.too_many(asked);
    }
    if matches!(status, 408 | 409 | 429 | 500..) {
        Trouble::Failed(Failure {
            why: format!("the server fails ({status}): {message}"),
            again: true,
            asked,
        })
    } else {
        Trouble::Final(ChatError::Refused { status, message })
    }
}

fn sum(one: Option<Usage>, two: Option<Usage>) -> Option<Usage> {
    match (one, two) {
        (Some(one), Some(two)) => Some(one.plus(two)),
        (one, two) => one.or(two),
    }
}
