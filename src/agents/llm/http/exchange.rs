//! One request and what comes back, or why nothing does. It can be interrupted.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ureq::http::{HeaderMap, Response, header};
use ureq::{Agent, Body};

use super::{ApiKey, ExtraHeader, MAX_ANSWER_BYTES, Stop, retry};
use crate::agents::llm::endpoint::Endpoint;
use crate::agents::llm::limiter::LOOK_EVERY;
use crate::search::StopReason;

/// The longest time that a request is given: no clock ends before.
const LONGEST: Duration = Duration::from_hours(24);

/// What is sent, and where.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) url: String,
    /// The body of a POST; `None` is a GET.
    pub(super) body: Option<Arc<str>>,
    pub(super) key: Option<ApiKey>,
    pub(super) headers: Vec<ExtraHeader>,
    /// How long it may take, from connecting to the last byte.
    pub(super) timeout: Duration,
}

/// What came back, whatever its status says.
#[derive(Clone, Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) body: String,
    /// How long the server asks to wait.
    pub(super) retry_after: Option<Duration>,
    /// Where it says that the resource is.
    pub(super) location: Option<String>,
}

/// Why nothing came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It may be otherwise the next time.
    Passing(String),
    /// It would be the same the next time.
    Lasting(String),
    /// The run was told to stop.
    Stopped(StopReason),
}

/// What sends requests to an endpoint, and keeps as many connections as there may be at a time.
///
/// Redirects are not followed: a key that was given for one server is not sent to another. A proxy
/// that the environment names (`HTTPS_PROXY`, `NO_PROXY`, …) is used, but not to this very machine.
pub(super) fn agent(endpoint: &Endpoint, connections: usize) -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_idle_connections(connections)
        .max_idle_connections_per_host(connections)
        .user_agent(concat!("brigade/", env!("CARGO_PKG_VERSION")));
    let config = if endpoint.is_loopback() {
        config.proxy(None)
    } else {
        config
    };
    config.build().new_agent()
}

/// Sends a request and waits for the reply, on a thread of its own: so a run that is told to stop
/// need not wait for a server that does not answer. Connections of `agent` are closed then.
pub(super) fn exchange(agent: &Agent, request: Request, stop: &Stop) -> Result<Reply, Fault> {
    let (sender, receiver) = mpsc::sync_channel(1);
    let its_agent = agent.clone();
    let work = move || {
        // Nobody listens any more if the run was told to stop.
        let _ = sender.send(send(&its_agent, &request));
    };
    let started = thread::Builder::new()
        .name("request".to_owned())
        .spawn(work);
    if let Err(error) = started {
        let message = format!("no thread can be started for the request: {error}");
        return Err(Fault::Passing(message));
    }
    loop {
        match receiver.recv_timeout(LOOK_EVERY) {
            // Another thread that was told to stop may have closed the connection.
            Ok(Err(_)) if let Some(reason) = stop() => return Err(Fault::Stopped(reason)),
            Ok(reply) => return reply,
            Err(RecvTimeoutError::Timeout) => {
                if let Some(reason) = stop() {
                    agent.clone().shutdown();
                    return Err(Fault::Stopped(reason));
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Fault::Passing("the request has failed".to_owned()));
            }
        }
    }
}

fn send(agent: &Agent, request: &Request) -> Result<Reply, Fault> {
    let response = call(agent, request);
    let mut response = response.map_err(|error| fault(error, request.timeout))?;
    let header = |name: &str| text_of(response.headers(), name);
    let retry_after = retry::retry_after(header, seconds_since_1970);
    let location = header(header::LOCATION.as_str());
    let limited = response.body_mut().with_config().limit(MAX_ANSWER_BYTES);
    let body = limited.read_to_vec();
    let body = body.map_err(|error| fault(error, request.timeout))?;
    Ok(Reply {
        status: response.status().as_u16(),
        body: String::from_utf8_lossy(&body).into_owned(),
        retry_after,
        location,
    })
}

fn call(agent: &Agent, request: &Request) -> Result<Response<Body>, ureq::Error> {
    let timeout = Some(request.timeout.min(LONGEST));
    let key = request.key.as_ref().map(ApiKey::authorization);
    let key = key.iter().map(|key| (header::AUTHORIZATION, key.as_str()));
    let headers = key.chain(request.headers.iter().map(ExtraHeader::parts));
    if let Some(body) = &request.body {
        let post = agent.post(&request.url).config();
        let post = post.timeout_global(timeout).build();
        let post = post.header(header::CONTENT_TYPE, "application/json");
        let post = headers.fold(post, |post, (name, value)| post.header(name, value));
        post.send(&body[..])
    } else {
        let get = agent.get(&request.url).config();
        let get = get.timeout_global(timeout).build();
        headers
            .fold(get, |get, (name, value)| get.header(name, value))
            .call()
    }
}

fn text_of(headers: &HeaderMap, name: &str) -> Option<String> {
    Some(headers.get(name)?.to_str().ok()?.to_owned())
}

fn seconds_since_1970() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_secs() as i64)
}

/// What an error of the transport means to the user.
fn fault(error: ureq::Error, timeout: Duration) -> Fault {
    use ureq::Error;
    Fault::Passing(match error {
        Error::Timeout(_) => {
            // Milliseconds are fine enough.
            let seconds = (timeout.as_secs_f64() * 1000.0).round() / 1000.0;
            format!("no answer within {seconds} s")
        }
        // What TLS finds wrong comes as data that is invalid.
        Error::Io(error) if error.kind() == io::ErrorKind::InvalidData => {
            return Fault::Lasting(format!("no secure connection: {error}"));
        }
        Error::Io(error) => io_fault(&error),
        Error::HostNotFound => "there is no such host".to_owned(),
        Error::BodyExceedsLimit(limit) => {
            let limit = limit >> 20;
            return Fault::Lasting(format!(
                "the answer is larger than {limit} MiB, and is left"
            ));
        }
        Error::Protocol(error) => format!("the answer is not HTTP, or is cut off: {error}"),
        Error::LargeResponseHeader(..) => "the head of the answer is too large".to_owned(),
        Error::Rustls(error) => return Fault::Lasting(format!("no secure connection: {error}")),
        other => other.to_string(),
    })
}

fn io_fault(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => {
            "the connection is refused (is the server running, is the port right?)".to_owned()
        }
        io::ErrorKind::UnexpectedEof
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe => {
            "the server has closed the connection before its answer was whole".to_owned()
        }
        _ => format!("no connection: {error}"),
    }
}
