//! People in browsers: the requests of their pages over loopback, what is refused, and that a killed game goes on.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

use super::schema::{conforms, schema};
use super::{ONE_EGG, Scratch, command, run, shown};

const KITCHEN: &str = "bundled:collab-overcooked/boiled_egg";
const SOON: Duration = Duration::from_secs(30);

/// A server under way, which ends when it is dropped.
struct Server {
    child: Child,
    document: Value,
}

impl Server {
    fn start(problem: &str, folder: &str, options: &[&str]) -> Self {
        let args = ["serve", problem, "--log-dir", folder, "--format", "json"];
        let mut child = command(&[&args, options].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut text = String::new();
        while !text.ends_with("\n}\n") {
            text.push_str(&lines.next().expect("no document").unwrap());
            text.push('\n');
        }
        let document: Value = serde_json::from_str(&text).unwrap();
        let schema = schema("serve.schema.json");
        assert!(conforms(&document, &schema, &schema), "{document}");
        Self { child, document }
    }

    fn person(&self, agent: &str) -> Person {
        let seats = self.document["seats"].as_array().unwrap();
        let seat = seats.iter().find(|seat| seat["agent"] == agent).unwrap();
        let url = seat["url"]
            .as_str()
            .unwrap()
            .strip_prefix("http://")
            .unwrap();
        let (host, path) = url.split_once('/').unwrap();
        Person {
            host: host.to_owned(),
            path: format!("/{path}"),
        }
    }

    fn stop(mut self, signal: Signal) -> Option<i32> {
        kill(Pid::from_raw(self.child.id() as i32), signal).unwrap();
        self.child.wait().unwrap().code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Somebody with an address.
#[derive(Clone)]
struct Person {
    host: String,
    path: String,
}

impl Person {
    /// Sends bytes. Returns the status and the body of the response.
    fn raw(&self, request: &[u8]) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(SOON)).unwrap();
        // A server that has refused a request need not read it to its end.
        let _ = stream.write_all(request);
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        let (head, body) = response.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, body.to_owned())
    }

    fn request(&self, method: &str, place: &str, headers: &str, body: &str) -> (u16, String) {
        let Self { host, path } = self;
        let length = body.len();
        self.raw(
            format!(
                "{method} {path}{place} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
            )
            .as_bytes(),
        )
    }

    fn look(&self) -> Value {
        let (status, body) = self.request("GET", "news", "", "");
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    }

    /// Waits until something holds of what is shown.
    fn wait(&self, holds: impl Fn(&Value) -> bool) -> Value {
        let start = Instant::now();
        let mut look = self.look();
        while !holds(&look) {
            assert!(start.elapsed() < SOON, "{look}");
            let version = look["version"].as_str().unwrap();
            let (_, body) = self.request("GET", &format!("news?after={version}"), "", "");
            look = serde_json::from_str(&body).unwrap();
        }
        look
    }

    fn wait_to_choose(&self, tick: u32) -> Value {
        self.wait(|look| look["phase"] == "choose" && look["shown"]["tick"] == tick)
    }

    fn send(&self, deed: &Value) -> (u16, String) {
        self.request("POST", "do", "", &deed.to_string())
    }

    fn act(&self, look: &Value, command: &str) -> (u16, String) {
        let shown = &look["shown"];
        self.send(&json!({"act": {
            "game": look["game"], "tick": shown["tick"], "attempt": shown["attempt"], "command": command,
        }}))
    }
}

fn code(response: &(u16, String)) -> (u16, String) {
    let body: Value = serde_json::from_str(&response.1).unwrap();
    (
        response.0,
        body["error"]["code"]
            .as_str()
            .unwrap_or_default()
            .to_owned(),
    )
}

fn refused(response: &(u16, String), status: u16, wanted: &str) {
    assert_eq!(
        code(response),
        (status, wanted.to_owned()),
        "{}",
        response.1
    );
}

fn events(folder: &Scratch, name: &str) -> Vec<Value> {
    let text = fs::read_to_string(folder.path(name)).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn two_people_play_and_see_what_the_domain_shows_them() {
    let folder = Scratch::new("serve-two");
    let server = Server::start(KITCHEN, &folder.path(""), &["--max-ticks", "2"]);
    let (chef, assistant) = (server.person("chef"), server.person("assistant"));
    let look = chef.wait_to_choose(0);
    assert!(look.to_string().contains("make-boiled_egg"));
    assert_eq!(look["absent"], json!(["assistant"]));
    // Both choose at once: the second before the first.
    let own = assistant.wait_to_choose(0);
    assert!(!own.to_string().contains("make-boiled_egg"));
    let wait = assistant.act(&own, "wait");
    assert_eq!(wait.0, 200, "{}", wait.1);
    assert_eq!(assistant.look()["phase"], "chosen");
    assert_eq!(
        assistant.send(&json!({"say": {"text": "hello <b>"}})).0,
        200
    );
    chef.wait(|look| look["entries"][0]["text"] == "hello <b>");
    refused(&assistant.send(&json!({"hint": {}})), 409, "not-your-turn");
    assert_eq!(chef.send(&json!({"hint": {}})).0, 200);
    let look = chef.wait(|look| look["hint"].is_string());
    assert!(
        look["hint"].as_str().unwrap().contains("16 ticks"),
        "{look}"
    );
    assert_eq!(chef.act(&look, "fly").0, 200);
    let look = chef.wait(|look| look["shown"]["attempt"] == 1);
    assert!(
        look["shown"]["refusal"].as_str().unwrap().contains("fly"),
        "{look}"
    );
    assert_eq!(chef.act(&look, "wait").0, 200);
    let next = assistant.wait_to_choose(1);
    refused(&assistant.act(&own, "wait"), 409, "late");
    assert_eq!(assistant.act(&next, "wait").0, 200);
    assert_eq!(chef.act(&chef.wait_to_choose(1), "wait").0, 200);
    let look = chef.wait(|look| look["phase"] == "ended");
    assert_eq!(look["end"]["reason"], "tick-limit");
    refused(&chef.send(&json!({"say": {"text": "bye"}})), 409, "ended");
    let events = events(&folder, "game-1.jsonl");
    let schema = schema("event-log.schema.json");
    for event in &events {
        assert!(conforms(event, &schema, &schema), "{event}");
    }
    let messages = events.iter().filter(|it| it["event"] == "message");
    assert_eq!(messages.count(), 1);
    let replayed = run(&["replay", KITCHEN, &folder.path("game-1.jsonl")]);
    assert_eq!(replayed.status.code(), Some(0), "{}", shown(&[], &replayed));
    assert_eq!(chef.send(&json!({"again": {"game": 1}})).0, 200);
    assert_eq!(assistant.wait_to_choose(0)["game"], 2);
    assert_eq!(server.stop(Signal::SIGTERM), Some(3));
}

#[test]
fn a_killed_game_goes_on_at_the_same_addresses() {
    let folder = Scratch::new("serve-killed");
    let server = Server::start(KITCHEN, &folder.path(""), &["--agent", "assistant=greedy"]);
    let chef = server.person("chef");
    assert_eq!(chef.send(&json!({"say": {"text": "hello"}})).0, 200);
    assert_eq!(chef.act(&chef.wait_to_choose(0), "wait").0, 200);
    let before = chef.wait_to_choose(1);
    server.stop(Signal::SIGKILL);
    // Another game would take the addresses of this one.
    let args = [
        "serve",
        KITCHEN,
        "--log-dir",
        &folder.path(""),
        "--agent",
        "assistant=greedy",
    ];
    let output = run(&args);
    let text = shown(&args, &output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("`--resume` goes on with it"), "{text}");
    let options = ["--agent", "assistant=greedy", "--resume"];
    let server = Server::start(KITCHEN, &folder.path(""), &options);
    assert_eq!(server.person("chef").path, chef.path);
    let after = chef.wait_to_choose(1);
    for key in ["shown", "entries", "game"] {
        assert_eq!(before[key], after[key]);
    }
    assert_ne!(before["version"], after["version"]);
    assert_eq!(server.stop(Signal::SIGINT), Some(3));
}

#[test]
fn games_are_numbered_after_the_last_of_the_folder() {
    let folder = Scratch::new("serve-numbered");
    fs::create_dir_all(folder.path("")).unwrap();
    // The first two were moved away.
    fs::write(folder.path("game-3.jsonl"), "kept").unwrap();
    let server = Server::start(KITCHEN, &folder.path(""), &["--agent", "assistant=greedy"]);
    assert_eq!(server.person("chef").wait_to_choose(0)["game"], 4);
    drop(server);
    let kept = fs::read_to_string(folder.path("game-3.jsonl")).unwrap();
    assert_eq!(kept, "kept");
}

#[test]
fn agents_that_act_in_turn_wait_for_theirs() {
    let folder = Scratch::new("serve-turns");
    let server = Server::start("bundled:hanabi/tiny-2", &folder.path(""), &[]);
    let agents = server.document["seats"].as_array().unwrap();
    let people = agents
        .iter()
        .map(|seat| server.person(seat["agent"].as_str().unwrap()));
    let people: Vec<Person> = people.collect();
    let first = people[0].wait(|look| look["phase"] == "choose");
    let second = people[1].look();
    assert_eq!(second["phase"], "wait", "{second}");
    refused(&people[1].act(&second, "wait"), 409, "not-your-turn");
    let action = first["shown"]["actions"][0].as_str().unwrap();
    assert_eq!(people[0].act(&first, action).0, 200);
    people[1].wait(|look| look["phase"] == "choose");
}

#[test]
fn what_is_foreign_too_large_or_malformed_is_refused() {
    let folder = Scratch::new("serve-refused");
    let server = Server::start(ONE_EGG, &folder.path(""), &["--no-hints"]);
    let seat = server.document["seats"][0]["agent"].as_str().unwrap();
    let person = server.person(seat);
    let stranger = Person {
        path: format!("/{}/", "0".repeat(32)),
        ..person.clone()
    };
    refused(&stranger.request("GET", "news", "", ""), 404, "bad-token");
    refused(
        &person.request("GET", "../addresses.json", "", ""),
        404,
        "not-found",
    );
    refused(&person.request("PUT", "do", "", ""), 405, "bad-method");
    let say = json!({"say": {"text": "x"}}).to_string();
    for headers in [
        "Origin: http://evil.example\r\n",
        "Origin: null\r\n",
        "Origin: https://127.0.0.1\r\n",
        "Sec-Fetch-Site: cross-site\r\n",
        "Sec-Fetch-Site: same-site\r\n",
    ] {
        refused(
            &person.request("POST", "do", headers, &say),
            403,
            "foreign-origin",
        );
    }
    let own = format!(
        "Origin: http://{}\r\nSec-Fetch-Site: same-origin\r\n",
        person.host
    );
    assert_eq!(person.request("POST", "do", &own, &say).0, 200);
    let head = |line: &str| format!("GET {}news HTTP/1.1\r\n{line}\r\n\r\n", person.path);
    for host in [
        "Host: evil.example",
        "Host: localhost.evil.example:80",
        "X: y",
    ] {
        refused(&person.raw(head(host).as_bytes()), 403, "foreign-host");
    }
    let large = json!({"say": {"text": "x".repeat(20_000)}}).to_string();
    refused(&person.request("POST", "do", "", &large), 413, "too-large");
    let long = json!({"say": {"text": "é".repeat(1_001)}});
    refused(&person.send(&long), 413, "too-large");
    refused(&person.send(&json!({"say": {"text": "  "}})), 400, "empty");
    refused(&person.send(&json!({"hint": {}})), 403, "no-hints");
    for deed in [
        json!({"fly": {}}),
        json!([]),
        json!({"say": {"text": "x", "as": "other"}}),
    ] {
        refused(&person.send(&deed), 400, "malformed");
    }
    refused(&person.raw(b"\x00\x01 nonsense\r\n\r\n"), 400, "malformed");
    let many = head(&format!(
        "Host: {}\r\nX: {}",
        person.host,
        "y".repeat(20_000)
    ));
    refused(&person.raw(many.as_bytes()), 431, "too-large");
    let chunked = head(&format!(
        "Host: {}\r\nTransfer-Encoding: chunked",
        person.host
    ));
    refused(&person.raw(chunked.as_bytes()), 411, "no-length");
    // A body that does not come is not waited for without an end.
    let start = Instant::now();
    let half = head(&format!("Host: {}\r\nContent-Length: 100", person.host));
    refused(&person.raw(half.as_bytes()), 408, "timeout");
    assert!(start.elapsed() < SOON);
    assert_eq!(person.look()["schema"], 1);
}

#[test]
fn more_connections_than_there_may_be_are_refused_and_those_that_end_make_place() {
    let folder = Scratch::new("serve-many");
    let server = Server::start(ONE_EGG, &folder.path(""), &[]);
    let seat = server.document["seats"][0]["agent"].as_str().unwrap();
    let person = server.person(seat);
    let idle: Vec<TcpStream> = (0..64)
        .map(|_| TcpStream::connect(&person.host).unwrap())
        .collect();
    refused(
        &person.request("GET", "news", "", ""),
        503,
        "too-many-connections",
    );
    drop(idle);
    let start = Instant::now();
    while person.request("GET", "news", "", "").0 == 503 {
        assert!(start.elapsed() < SOON);
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn what_cannot_be_served_is_an_error_of_usage() {
    let folder = Scratch::new("serve-usage");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let games = folder.path("games");
    for (options, words) in [
        (vec!["--port", &port], "--port"),
        (vec!["--others", "planner"], "no person plays"),
        (vec!["--host", "192.0.2.1"], "--host"),
    ] {
        let args = [&["serve", ONE_EGG, "--log-dir", &games][..], &options].concat();
        let output = run(&args);
        let text = shown(&args, &output);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(words), "{text}");
    }
    let evaluation = folder.path("evaluation");
    fs::create_dir(&evaluation).unwrap();
    fs::write(format!("{evaluation}/header.json"), "{}").unwrap();
    let args = ["serve", ONE_EGG, "--log-dir", &evaluation];
    let output = run(&args);
    let text = shown(&args, &output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("is the folder of an evaluation"), "{text}");
}
