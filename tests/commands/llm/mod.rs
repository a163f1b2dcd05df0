//! Agents that ask a language model, against a scripted endpoint: what is sent, what is made of each
//! kind of answer, what is kept, and that nothing hangs.

mod answers;
mod bench;
mod budget;
mod cassette;
mod classes;
mod designs;
mod doctor;
mod dry_run;
use crate::common::endpoint;
mod evaluations;
mod failures;
mod growth;
mod http;
mod logs;
mod losses;
mod mistakes;
mod mock;
mod model;
mod outages;
mod probe;
mod process;
#[cfg(unix)]
mod resume;
mod run;
mod scores;
use crate::common::schema;
mod servers;
mod stop;
mod teams;

use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::Arc;
use std::time::Duration;

use brigade::llm::budget::Budget;
use brigade::llm::chat::{
    Chat, ChatError, ChatMessage, ChatRequest, Completion, Constraint, Role, Sampling, Take,
};
use brigade::llm::http::{HttpChat, HttpOptions, RequestLimits, Retries, Route, Stop};

use endpoint::{Answer, Endpoint};

/// Returns the options of an endpoint in tests: with waits that take no time.
fn options(endpoint: &Endpoint) -> HttpOptions {
    HttpOptions {
        endpoint: endpoint.base_url().parse().unwrap(),
        route: Route::default(),
        addressee: "mock".into(),
        key: None,
        headers: Vec::new(),
        timeout: Duration::from_secs(20),
        total: Duration::from_mins(1),
        retries: Retries {
            most: 2,
            first_wait: Duration::from_millis(1),
            longest_wait: Duration::from_millis(20),
        },
        limits: RequestLimits {
            concurrent: NonZeroUsize::new(4).unwrap(),
            per_minute: None,
        },
    }
}

fn never() -> Stop {
    Arc::new(|| None)
}

fn chat(options: HttpOptions) -> HttpChat {
    HttpChat::new(options, Arc::new(Budget::default()), never())
}

fn question(text: &str) -> ChatRequest {
    ChatRequest {
        messages: vec![ChatMessage {
            role: Role::User,
            content: text.to_owned(),
        }],
        sampling: Sampling::default(),
        constraint: Constraint::Free,
    }
}

fn ask(chat: &dyn Chat) -> Result<Completion, ChatError> {
    let answer = chat.complete(&question("What now?"), Take::default());
    answer.map_err(|none| none.error)
}

/// Asks an endpoint that answers so, with two retries; also how often it was asked.
fn ask_scripted(
    answers: impl IntoIterator<Item = Answer>,
) -> (Result<Completion, ChatError>, usize) {
    let endpoint = Endpoint::start(answers);
    let answer = ask(&chat(options(&endpoint)));
    (answer, endpoint.requests().len())
}

fn per_minute(most: u32) -> Option<NonZeroU32> {
    NonZeroU32::new(most)
}
