//! Asks an endpoint: tries, waits and tries again, within the limits of the run.
//!
//! A question is put again, up to [`Retries::most`] times, where the [reply](super::response) is an
//! outage, where no connection is made, or no answer comes in time or to its end. Waits double, and are
//! no shorter than the server asks for, up to [`Retries::longest_wait`]. An answer above
//! [`MAX_ANSWER_BYTES`] is not read to its end and not asked for again.

mod exchange;
mod header;
mod key;
mod retry;
mod route;
mod secret;

use std::fmt;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::Value;
use ureq::Agent;

pub use self::exchange::MAX_ANSWER_BYTES;
pub use self::header::{ExtraHeader, HeaderError};
pub use self::key::{ApiKey, KeyError};
pub use self::retry::Retries;
pub use self::route::{Route, RouteError};
pub use super::limiter::RequestLimits;
pub use super::stop::Stop;

use self::exchange::{Fault, Request, exchange};
use self::secret::Secret;
use super::addressee::Addressee;
use super::budget::Budget;
use super::cassette::question_number;
use super::chat::{Chat, ChatError, ChatRequest, Completion, NoAnswer, Take, Usage};
use super::endpoint::Endpoint;
use super::limiter::{Limiter, Permit};
use super::response::{self, Class, Judgement, excerpt, server_message};
use super::stop::LOOK_EVERY;

/// The options of requests to an endpoint.
#[derive(Clone, Debug)]
pub struct HttpOptions {
    /// The endpoint of the server.
    pub endpoint: Endpoint,
    /// The way there.
    pub route: Route,
    /// The model.
    pub addressee: Addressee,
    /// The key, if the endpoint wants one.
    pub key: Option<ApiKey>,
    /// The extra headers that it wants.
    pub headers: Vec<ExtraHeader>,
    /// The timeout of one try.
    pub timeout: Duration,
    /// The timeout of all tries of one question and the waits between them, from the moment that the first is sent.
    pub total: Duration,
    /// The retries of a question.
    pub retries: Retries,
    /// The limits on the number of requests, by all threads together.
    pub limits: RequestLimits,
}

/// The answer of a server to the request for its models.
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
    /// Connects to nothing yet. Questions are paid from `budget`.
    pub fn new(options: HttpOptions, budget: Arc<Budget>, stop: Stop) -> Self {
        let agent = exchange::agent(&options.route, options.limits.concurrent.get());
        Self {
            agent,
            limiter: Limiter::new(options.limits),
            options,
            budget,
            stop,
        }
    }

    /// Returns the answer of the server to the request for its models. It is asked once only; whatever it answers, it
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
            let message = self.redact(&server_message(&self.redact_answer(reply.body)));
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

    /// Asks once. Tokens that were counted are added to the budget and to what the question has taken.
    fn ask(
        &self,
        permit: &Permit<'_>,
        question: &Question<'_>,
        timeout: Duration,
        taken: &mut Taken,
    ) -> Result<Completion, Trouble> {
        let url = self.options.endpoint.completions();
        let request = self.request(url, Some(Arc::clone(&question.body)), timeout);
        taken.tries += 1;
        let reply = exchange(&self.agent, request, &self.stop)?;
        let is_success = (200..300).contains(&reply.status);
        // A short secret may be a word by which the reply is judged.
        let body = self.redact_answer(reply.body);
        let headers = reply.headers.into_iter();
        let headers: Vec<_> = headers
            .map(|(name, value)| (name, self.redact_answer(value)))
            .collect();
        let reply = response::Reply {
            status: reply.status,
            headers: &headers,
            body: &body,
        };
        let judged = response::judge(&reply, question.tool, seconds_since_1970());
        let is_paid = is_success || judged.class() != Class::Filtered;
        let is_answer = is_paid && matches!(judged.judgement, Judgement::Answered(_));
        if is_answer || judged.usage.is_some() {
            self.budget.add(judged.usage);
        }
        taken.usage = sum(taken.usage, judged.usage);
        if is_success {
            permit.answered();
        }
        match judged.judgement.map_words(|words| self.redact(words)) {
            Judgement::Down { status, why, wait } => {
                if status == Some(429) {
                    let longest = self.options.retries.longest_wait;
                    permit.too_many(wait.map(|wait| wait.min(longest)));
                }
                Err(Trouble::Failed(Failure {
                    why,
                    again: true,
                    asked: wait,
                }))
            }
            other => Ok(other.answer()?),
        }
    }

    /// A text of the server as it may be shown: without the key.
    fn redact(&self, text: &str) -> String {
        let secrets = self.secrets();
        secrets.fold(text.to_owned(), |text, secret| secret.redact(&text))
    }

    /// Returns an answer of the server with the key redacted, where it cannot be another word.
    fn redact_answer(&self, answer: String) -> String {
        let secrets = self.secrets();
        secrets.fold(answer, |answer, secret| secret.redact_answer(answer))
    }

    /// Returns the secrets, which nothing may show.
    fn secrets(&self) -> impl Iterator<Item = &Secret> {
        let HttpOptions { key, headers, .. } = &self.options;
        let key = key.iter().map(ApiKey::secret);
        key.chain(headers.iter().map(ExtraHeader::secret))
    }

    /// Waits, unless the run is stopped.
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

    /// Asks until there is an answer, or there will be none.
    fn ask_again(
        &self,
        question: &Question<'_>,
        taken: &mut Taken,
    ) -> Result<Completion, ChatError> {
        let HttpOptions {
            timeout,
            total,
            retries,
            ..
        } = self.options;
        let mut left = total;
        let mut first_sent: Option<Instant> = None;
        loop {
            self.budget.check()?;
            let permit = self.permit()?;
            // Others may have spent it meanwhile.
            self.budget.check()?;
            let first_sent = *first_sent.get_or_insert_with(Instant::now);
            let answer = self.ask(&permit, question, timeout.min(left), taken);
            drop(permit);
            let failure = match answer {
                Ok(answer) => return Ok(answer),
                Err(Trouble::Final(error)) => return Err(error),
                Err(Trouble::Failed(failure)) => failure,
            };
            let tries = taken.tries;
            if !failure.again || tries > retries.most {
                return Err(self.no_answer(tries, &failure.why));
            }
            let wait = retries.wait(question.number, tries, failure.asked);
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
}

impl Chat for HttpChat {
    fn complete(&self, request: &ChatRequest, take: Take) -> Result<Completion, NoAnswer> {
        let json = self.body(request);
        let question = Question {
            body: json.to_string().into(),
            tool: request.tool(),
            number: question_number(&json, take),
        };
        let mut taken = Taken::default();
        let result = self.ask_again(&question, &mut taken);
        let Taken { usage, tries } = taken;
        match result {
            Ok(answer) => Ok(Completion {
                usage,
                tries,
                ..answer
            }),
            Err(error) => Err(NoAnswer {
                error,
                usage,
                tries,
            }),
        }
    }

    fn name(&self) -> &str {
        &self.options.addressee.model
    }

    fn body(&self, request: &ChatRequest) -> Value {
        request.body(&self.options.addressee)
    }
}

/// The question.
struct Question<'a> {
    body: Arc<str>,
    /// The tool that is to be called, if one is.
    tool: Option<&'a str>,
    /// The seed of its waits.
    number: u64,
}

/// The tries and waits that a question has taken so far.
#[derive(Default)]
struct Taken {
    usage: Option<Usage>,
    tries: u32,
}

impl fmt::Debug for HttpChat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("HttpChat");
        shown
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// The failure of one try.
struct Failure {
    why: String,
    /// True if a retry may succeed.
    again: bool,
    /// The back-off that the server asks for.
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

/// The reason why there is no answer to one try.
enum Trouble {
    /// There may be one to another try, or to another question.
    Failed(Failure),
    /// There will be none.
    Final(ChatError),
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

impl From<ChatError> for Trouble {
    fn from(error: ChatError) -> Self {
        Self::Final(error)
    }
}

fn seconds_since_1970() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_secs() as i64)
}

fn sum(one: Option<Usage>, two: Option<Usage>) -> Option<Usage> {
    match (one, two) {
        (Some(one), Some(two)) => Some(one.plus(two)),
        (one, two) => one.or(two),
    }
}
