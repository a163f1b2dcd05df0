//! One request and what comes back, or why nothing does. It can be interrupted.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use ureq::http::{HeaderMap, Response, header};
use ureq::tls::TlsConfig;
use ureq::{Agent, Body};

use super::header::ExtraHeader;
use super::key::ApiKey;
use super::route::Route;
use crate::response::{Undecodable, decode, too_large};
use crate::stop::{LOOK_EVERY, Stop};
use brigade_search::StopReason;

/// The largest answer that is read.
pub const MAX_ANSWER_BYTES: u64 = 4 << 20;

/// The longest time that a request is given: no clock ends before.
const LONGEST: Duration = Duration::from_hours(24);

/// A request, and its address.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) url: String,
    /// The body of a POST; `None` is a GET.
    pub(super) body: Option<Arc<str>>,
    pub(super) key: Option<ApiKey>,
    pub(super) headers: Vec<ExtraHeader>,
    /// The most time that it may take, from connecting to the last byte.
    pub(super) timeout: Duration,
}

/// The reply, whatever its status.
#[derive(Clone, Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: String,
}

/// The reason why nothing came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It may be otherwise the next time.
    Passing(String),
    /// It would be the same the next time.
    Lasting(String),
    /// The run was stopped.
    Stopped(StopReason),
}

/// Returns the client that sends requests to an endpoint, and keeps as many connections as there may be at a time.
///
/// Redirects are not followed: a key that was given for one server is not sent to another.
pub(super) fn agent(route: &Route, connections: usize) -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_idle_connections(connections)
        .max_idle_connections_per_host(connections)
        .proxy(route.proxy.clone())
        .user_agent(concat!("brigade/", env!("CARGO_PKG_VERSION")));
    let config = match &route.roots {
        Some(roots) => {
            let tls = TlsConfig::builder().root_certs(roots.clone());
            config.tls_config(tls.build())
        }
        None => config,
    };
    config.build().new_agent()
}

/// Sends a request and waits for the reply, on a thread of its own: so a stopped run need not wait for a server that
/// does not answer. Connections of `agent` are closed then.
pub(super) fn exchange(agent: &Agent, request: Request, stop: &Stop) -> Result<Reply, Fault> {
    let (sender, receiver) = mpsc::sync_channel(1);
    let its_agent = agent.clone();
    let work = move || {
        // Nobody listens any more if the run was stopped.
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
            // Another thread that was stopped may have closed the connection.
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
    let limited = response.body_mut().with_config().limit(MAX_ANSWER_BYTES);
    let body = limited.read_to_vec();
    let body = body.map_err(|error| fault(error, request.timeout))?;
    let encoding = response.headers().get(header::CONTENT_ENCODING);
    let encoding = encoding.and_then(|encoding| encoding.to_str().ok());
    let body = match decode(&body, encoding, MAX_ANSWER_BYTES) {
        Ok(body) => body,
        // Of a refusal the status says enough.
        Err(_) if !response.status().is_success() => String::new(),
        Err(Undecodable::Damaged(why)) => return Err(Fault::Passing(why)),
        Err(Undecodable::Unreadable(why)) => return Err(Fault::Lasting(why)),
    };
    Ok(Reply {
        status: response.status().as_u16(),
        headers: texts_of(response.headers()),
        body,
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

/// The headers that are texts.
fn texts_of(headers: &HeaderMap) -> Vec<(String, String)> {
    let texts = headers.iter().filter_map(|(name, value)| {
        let value = value.to_str().ok()?;
        Some((name.as_str().to_owned(), value.to_owned()))
    });
    texts.collect()
}

/// Translates an error of the transport for the user.
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
            return insecure(&error);
        }
        Error::Io(error) => io_fault(&error),
        Error::HostNotFound => "there is no such host".to_owned(),
        Error::BodyExceedsLimit(limit) => return Fault::Lasting(too_large(limit)),
        Error::Protocol(error) => format!("the answer is not HTTP, or is cut off: {error}"),
        Error::LargeResponseHeader(..) => "the head of the answer is too large".to_owned(),
        Error::Rustls(error) => return insecure(&error),
        other => other.to_string(),
    })
}

/// No secure connection can be made, and none could the next time.
fn insecure(error: &dyn fmt::Display) -> Fault {
    let why = format!("no secure connection: {error}");
    Fault::Lasting(if why.contains("UnknownIssuer") {
        why + " (`SSL_CERT_FILE` names a file of authorities to trust)"
    } else {
        why
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
