//! A scripted chat endpoint, which records its requests.
//!
//! ```ignore
//! let endpoint = Endpoint::start([Answer::status(429, "slow down"), Answer::text("wait()")]);
//! ask(endpoint.base_url());
//! assert_eq!(endpoint.requests().len(), 2);
//! ```

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::{Value, json};

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    /// Names in lower case, with their values.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(other, _)| other == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The body as JSON; `null` where it is none.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }
}

/// The reply that is sent back.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    /// The number of bytes of the body that are sent before the connection is closed.
    sent: usize,
    then: Then,
    after: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    Close,
    /// Nothing is sent, and the connection stays open.
    Hang,
    /// Nothing is sent at all.
    Vanish,
}

impl Answer {
    /// Any body with status 200.
    pub(crate) fn body(body: impl Into<Vec<u8>>) -> Self {
        let body = body.into();
        Self {
            status: 200,
            headers: Vec::new(),
            sent: body.len(),
            body,
            then: Then::Close,
            after: Duration::ZERO,
        }
    }

    /// Any JSON with status 200.
    pub(crate) fn json(json: &Value) -> Self {
        Self::body(json.to_string()).header("Content-Type", "application/json")
    }

    /// A message of the model.
    pub(crate) fn message(message: &Value) -> Self {
        Self::json(&json!({
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 5},
        }))
    }

    /// A text of the model, of 10 tokens in and 5 out.
    pub(crate) fn text(text: &str) -> Self {
        Self::message(&json!({"role": "assistant", "content": text}))
    }

    /// A call of a tool with these arguments.
    pub(crate) fn tool_call(name: &str, arguments: &Value) -> Self {
        Self::message(
            &json!({"role": "assistant", "content": null, "tool_calls": [{
                "id": "call-1", "type": "function",
                "function": {"name": name, "arguments": arguments.to_string()},
            }]}),
        )
    }

    /// A text whose tokens are not counted.
    pub(crate) fn uncounted(text: &str) -> Self {
        Self::json(&json!({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}))
    }

    /// An error as servers send it.
    pub(crate) fn status(status: u16, message: &str) -> Self {
        let error = Self::json(&json!({"error": {"message": message, "type": "error"}}));
        Self { status, ..error }
    }

    /// Any body with any status.
    pub(crate) fn with_status(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            ..Self::body(body)
        }
    }

    /// A page instead of an answer.
    pub(crate) fn html() -> Self {
        Self::body("<!DOCTYPE html>\n<html><body>It works!</body></html>")
    }

    /// So many bytes that are no JSON.
    pub(crate) fn large(bytes: usize) -> Self {
        Self::body(vec![b'x'; bytes])
    }

    /// Keeps the connection open and sends nothing.
    pub(crate) fn hang() -> Self {
        Self {
            then: Then::Hang,
            ..Self::body("")
        }
    }

    /// Closes the connection and sends nothing.
    pub(crate) fn vanish() -> Self {
        Self {
            then: Then::Vanish,
            ..Self::body("")
        }
    }

    /// Only the first bytes of the body, of which the head promises all.
    pub(crate) fn cut(self, bytes: usize) -> Self {
        Self {
            sent: bytes.min(self.body.len()),
            ..self
        }
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Waits before it answers.
    pub(crate) fn after(self, after: Duration) -> Self {
        Self { after, ..self }
    }

    fn send(&self, stream: &mut TcpStream) -> std::io::Result<()> {
        let mut head = format!(
            "HTTP/1.1 {} Scripted\r\nContent-Length: {}\r\nConnection: close\r\n",
            self.status,
            self.body.len()
        );
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        stream.write_all(head.as_bytes())?;
        stream.write_all(b"\r\n")?;
        stream.write_all(&self.body[..self.sent])?;
        stream.flush()
    }
}

/// The function that answers a request.
type Script = Box<dyn FnMut(&Request) -> Answer + Send>;

struct Shared {
    script: Mutex<Script>,
    requests: Mutex<Vec<Request>>,
    stopped: AtomicBool,
    /// The number of requests that are under way.
    now: AtomicUsize,
    peak: AtomicUsize,
}

/// A server on a port of its own; it ends when it is dropped.
pub(crate) struct Endpoint {
    address: SocketAddr,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Endpoint {
    /// Answers the requests in turn, and the last answer ever after.
    pub(crate) fn start(answers: impl IntoIterator<Item = Answer>) -> Self {
        let answers: Vec<Answer> = answers.into_iter().collect();
        let mut next = 0;
        Self::start_with(move |_| {
            let answer = answers[next.min(answers.len() - 1)].clone();
            next += 1;
            answer
        })
    }

    /// Answers each request as the script says.
    pub(crate) fn start_with(script: impl FnMut(&Request) -> Answer + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            script: Mutex::new(Box::new(script)),
            requests: Mutex::default(),
            stopped: AtomicBool::new(false),
            now: AtomicUsize::new(0),
            peak: AtomicUsize::new(0),
        });
        let of_thread = Arc::clone(&shared);
        let thread = thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if of_thread.stopped.load(Ordering::SeqCst) {
                    return;
                }
                let shared = Arc::clone(&of_thread);
                thread::spawn(move || serve(&shared, stream));
            }
        });
        Self {
            address,
            shared,
            thread: Some(thread),
        }
    }

    pub(crate) fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The requests so far, in the order in which they came.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.shared.requests.lock().unwrap().clone()
    }

    /// Returns the greatest number of requests that were under way at the same time.
    pub(crate) fn peak(&self) -> usize {
        self.shared.peak.load(Ordering::SeqCst)
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for a connection.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn serve(shared: &Shared, mut stream: TcpStream) {
    let Some(request) = read(&mut stream) else {
        return;
    };
    let now = shared.now.fetch_add(1, Ordering::SeqCst) + 1;
    shared.peak.fetch_max(now, Ordering::SeqCst);
    let answer = {
        let mut script = shared.script.lock().unwrap();
        let answer = script(&request);
        shared.requests.lock().unwrap().push(request);
        answer
    };
    thread::sleep(answer.after);
    // Before the answer: once it is read the next request may come.
    shared.now.fetch_sub(1, Ordering::SeqCst);
    match answer.then {
        // The other side may have gone.
        Then::Close => drop(answer.send(&mut stream)),
        Then::Hang => wait_for_end(shared, &mut stream),
        Then::Vanish => {}
    }
}

/// Waits until the other side closes the connection, or the endpoint ends.
fn wait_for_end(shared: &Shared, stream: &mut TcpStream) {
    let _ = stream.set_read_timeout(Some(Duration::from_millis(20)));
    while !shared.stopped.load(Ordering::SeqCst) {
        match stream.read(&mut [0; 64]) {
            Ok(0) => return,
            Ok(_) => {}
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => return,
        }
    }
}

fn read(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let head_end = loop {
        if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break at;
        }
        read_more(stream, &mut bytes)?;
    };
    let head = String::from_utf8_lossy(&bytes[..head_end]).into_owned();
    let mut lines = head.lines();
    let mut first = lines.next()?.split(' ');
    let (method, path) = (first.next()?.to_owned(), first.next()?.to_owned());
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.map_or(0, |(_, length)| length.parse().unwrap());
    while bytes.len() < head_end + 4 + length {
        read_more(stream, &mut bytes)?;
    }
    let body = String::from_utf8_lossy(&bytes[head_end + 4..]).into_owned();
    Some(Request {
        method,
        path,
        headers,
        body,
    })
}

fn read_more(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> Option<()> {
    let mut buffer = [0; 4096];
    let read = stream.read(&mut buffer).ok().filter(|read| *read > 0)?;
    bytes.extend_from_slice(&buffer[..read]);
    Some(())
}
