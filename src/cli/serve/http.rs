//! HTTP/1.1 for a page and its requests: one request a connection, everything bounded in size, time and number.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

/// The most bytes of a request line and its headers.
const MAX_HEAD: usize = 16 << 10;
/// The most bytes of a body.
const MAX_BODY: usize = 16 << 10;
/// The most headers.
const MAX_HEADERS: usize = 64;
/// The most connections at a time.
const MAX_CONNECTIONS: usize = 64;
/// The time in which a request has to arrive, and a response to be taken.
const PATIENCE: Duration = Duration::from_secs(10);

/// The time for which what is left of a request is read.
const LAST_PATIENCE: Duration = Duration::from_millis(200);
/// The same where there are too many connections, and others wait meanwhile.
const FULL_PATIENCE: Duration = Duration::from_millis(20);

/// A request.
#[derive(Debug, Default)]
pub(super) struct Request {
    pub(super) method: String,
    /// The path, without the query.
    pub(super) path: String,
    pub(super) query: String,
    pub(super) host: Option<String>,
    pub(super) origin: Option<String>,
    /// `Sec-Fetch-Site`, by which a browser says where a request comes from.
    pub(super) site: Option<String>,
    pub(super) body: Vec<u8>,
}

/// A response.
#[derive(Debug)]
pub(super) struct Response {
    status: u16,
    kind: &'static str,
    body: Vec<u8>,
}

/// A request that is refused: its status, its code, and a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refused(
    pub(super) u16,
    pub(super) &'static str,
    pub(super) &'static str,
);

impl Response {
    pub(super) fn new(kind: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status: 200,
            kind,
            body: body.into(),
        }
    }

    /// A JSON value.
    pub(super) fn json(value: &impl serde::Serialize) -> Self {
        match serde_json::to_vec(value) {
            Ok(body) => Self::new("application/json", body),
            Err(_) => Refused(500, "internal", "the answer cannot be written").into(),
        }
    }

    fn write(&self, stream: &mut TcpStream) -> io::Result<()> {
        let head = format!(
            "HTTP/1.1 {} {}\r\nContent-Type: {}; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\
             Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\nCross-Origin-Opener-Policy: same-origin\r\n\
             Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
             connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\r\n",
            self.status,
            reason(self.status),
            self.kind,
            self.body.len()
        );
        stream.write_all(head.as_bytes())?;
        stream.write_all(&self.body)?;
        stream.flush()
    }
}

impl From<Refused> for Response {
    fn from(Refused(status, code, message): Refused) -> Self {
        let body = json!({"error": {"code": code, "message": message}});
        Self {
            status,
            kind: "application/json",
            body: body.to_string().into_bytes(),
        }
    }
}

const fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        409 => "Conflict",
        411 => "Length Required",
        413 => "Content Too Large",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    }
}

/// Serves until the process ends.
pub(super) fn serve(
    listener: TcpListener,
    answer: impl Fn(&Request) -> Response + Send + Sync + 'static,
) -> io::Result<()> {
    let answer = Arc::new(answer);
    let open = Arc::new(AtomicUsize::new(0));
    thread::Builder::new().spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else {
                // As when there are too many open files.
                thread::sleep(Duration::from_millis(50));
                continue;
            };
            let _ = stream.set_write_timeout(Some(PATIENCE));
            if open.fetch_add(1, Ordering::SeqCst) >= MAX_CONNECTIONS {
                open.fetch_sub(1, Ordering::SeqCst);
                let full = Refused(
                    503,
                    "too-many-connections",
                    "there are too many connections",
                );
                let _ = Response::from(full).write(&mut stream);
                finish(&mut stream, FULL_PATIENCE);
                continue;
            }
            let guard = Open(Arc::clone(&open));
            let answer = Arc::clone(&answer);
            // Where there is no thread for it, the connection is closed.
            let _ = thread::Builder::new().spawn(move || {
                let _guard = guard;
                let response = match read(&mut stream) {
                    Ok(request) => answer(&request),
                    Err(Some(refused)) => refused.into(),
                    Err(None) => return,
                };
                let _ = response.write(&mut stream);
                finish(&mut stream, LAST_PATIENCE);
            });
        }
    })?;
    Ok(())
}

/// Reads a little more before a connection is closed: what is not read would make the system take the response back.
fn finish(stream: &mut TcpStream, patience: Duration) {
    let _ = stream.shutdown(Shutdown::Write);
    let _ = stream.set_read_timeout(Some(patience));
    let end = Instant::now() + patience;
    let mut part = [0; 4096];
    while Instant::now() < end && stream.read(&mut part).is_ok_and(|length| length > 0) {}
}

/// Counts an open connection.
struct Open(Arc<AtomicUsize>);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Reads a request. `Err(None)`: the connection was closed.
fn read(stream: &mut TcpStream) -> Result<Request, Option<Refused>> {
    let end = Instant::now() + PATIENCE;
    let mut bytes = Vec::new();
    let (mut request, length, head) = loop {
        if let Some(parsed) = head(&bytes)? {
            break parsed;
        }
        if bytes.len() >= MAX_HEAD {
            return Err(Some(Refused(431, "too-large", "the headers are too large")));
        }
        more(stream, &mut bytes, end)?;
    };
    if length > MAX_BODY {
        return Err(Some(Refused(413, "too-large", "the body is too large")));
    }
    while bytes.len() < head + length {
        more(stream, &mut bytes, end)?;
    }
    request.body = bytes[head..head + length].to_vec();
    Ok(request)
}

/// Reads on.
fn more(stream: &mut TcpStream, bytes: &mut Vec<u8>, end: Instant) -> Result<(), Option<Refused>> {
    let late = Some(Refused(408, "timeout", "the request took too long"));
    let left = end.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(late);
    }
    let _ = stream.set_read_timeout(Some(left));
    let mut part = [0; 4096];
    match stream.read(&mut part) {
        Ok(0) => Err(None),
        Ok(length) => {
            bytes.extend_from_slice(&part[..length]);
            Ok(())
        }
        Err(error) => match error.kind() {
            io::ErrorKind::Interrupted => Ok(()),
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => Err(late),
            _ => Err(None),
        },
    }
}

/// The head of a request, the length of its body, and where that begins; `None` while it is incomplete.
fn head(bytes: &[u8]) -> Result<Option<(Request, usize, usize)>, Option<Refused>> {
    let malformed = Some(Refused(400, "malformed", "this is no HTTP request"));
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let start = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(start)) => start,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => {
            return Err(Some(Refused(
                431,
                "too-large",
                "there are too many headers",
            )));
        }
        Err(_) => return Err(malformed),
    };
    let target = parsed.path.unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut request = Request {
        method: parsed.method.unwrap_or_default().to_owned(),
        path: path.to_owned(),
        query: query.to_owned(),
        ..Request::default()
    };
    let mut length = None;
    for header in parsed.headers.iter() {
        let value = std::str::from_utf8(header.value).map_err(|_| malformed)?;
        let value = value.trim();
        let place = match header.name.to_ascii_lowercase().as_str() {
            "host" => &mut request.host,
            "origin" => &mut request.origin,
            "sec-fetch-site" => &mut request.site,
            "content-length" => {
                let number: usize = value.parse().map_err(|_| malformed)?;
                if length.replace(number).is_some() {
                    return Err(malformed);
                }
                continue;
            }
            "transfer-encoding" => {
                let why = "a body needs its length (`Content-Length`)";
                return Err(Some(Refused(411, "no-length", why)));
            }
            _ => continue,
        };
        if place.replace(value.to_owned()).is_some() {
            return Err(malformed);
        }
    }
    Ok(Some((request, length.unwrap_or(0), start)))
}
