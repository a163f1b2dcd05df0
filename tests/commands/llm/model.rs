//! Every design against a real model, where the environment says which: that logs are whole, that
//! budgets are kept, and that a run goes on after its server was killed. Nothing is asserted of how
//! well the model plays: it is small, and plays at about chance.
//!
//! `BRIGADE_MODEL_SERVER` is a `llama-server` of llama.cpp or takes its arguments, `BRIGADE_MODEL` a model
//! in its format.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use brigade::episode::{Event, Log};
use serde_json::Value;

/// The longest time that a server may take until it answers.
const PATIENCE: Duration = Duration::from_mins(2);

/// A server of the model on a port of its own; it ends when it is dropped.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    fn start(program: &Path, model: &Path) -> Self {
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let child = Command::new(program)
            .arg("-m")
            .arg(model)
            .args(["--host", "127.0.0.1", "--port", &port.to_string()])
            .args(["-c", "4096", "-np", "1", "-t", "1", "-ngl", "0"])
            .args(["--jinja", "--offline", "--no-webui", "--alias", "smollm2"])
            .env("LD_LIBRARY_PATH", program.parent().unwrap())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut server = Self { child, port };
        let start = Instant::now();
        while !server.is_ready() {
            let ended = server.child.try_wait().unwrap();
            assert!(ended.is_none(), "the server has ended: {ended:?}");
            assert!(start.elapsed() < PATIENCE, "the server does not answer");
            thread::sleep(Duration::from_millis(200));
        }
        server
    }

    fn is_ready(&self) -> bool {
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) else {
            return false;
        };
        let mut answer = String::new();
        let asked = stream.write_all(b"GET /health HTTP/1.0\r\nHost: localhost\r\n\r\n");
        asked.is_ok()
            && stream.read_to_string(&mut answer).is_ok()
            && answer.split(' ').nth(1) == Some("200")
    }

    fn base_url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn bench(log_dir: &Path, base_url: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_brigade"));
    command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args([
            "bench",
            "evals/ci.toml",
            "--base-url",
            base_url,
            "--log-dir",
        ])
        .arg(log_dir)
        .args(["--max-connections", "1", "--retry-on-error", "0"])
        // Nothing is asserted of how well the model plays.
        .args(["--metric-states", "0", "--format", "json"])
        .stdin(Stdio::null());
    command
}

fn finished(log_dir: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(log_dir.join("episodes")) else {
        return Vec::new();
    };
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut logs: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "jsonl"))
        .collect();
    logs.sort();
    logs
}

fn summary(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| {
        panic!("no summary: {}", String::from_utf8_lossy(&output.stderr));
    })
}

#[test]
#[expect(clippy::print_stderr, reason = "a test that was skipped says so")]
fn every_design_plays_with_a_real_model_and_survives_the_death_of_its_server() {
    let variables = ["BRIGADE_MODEL_SERVER", "BRIGADE_MODEL"].map(std::env::var_os);
    let [Some(program), Some(model)] = variables.map(|path| path.map(PathBuf::from)) else {
        eprintln!("skipped: BRIGADE_MODEL_SERVER and BRIGADE_MODEL name no server and model");
        return;
    };
    let log_dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("model");
    let _ = fs::remove_dir_all(&log_dir);

    // The server dies after the first episodes.
    let server = Server::start(&program, &model);
    let mut run = bench(&log_dir, &server.base_url())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while finished(&log_dir).len() < 3 && run.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_millis(20));
    }
    drop(server);
    let first = run.wait_with_output().unwrap();
    assert_eq!(
        first.status.code(),
        Some(1),
        "{}",
        String::from_utf8_lossy(&first.stderr)
    );
    let first = summary(&first);
    let before = finished(&log_dir);
    let unfinished = first["unfinished"].as_array().unwrap().len();
    assert!(!before.is_empty() && unfinished > 0);
    let kept: Vec<String> = before
        .iter()
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();

    // Another one, on another port, takes over.
    let server = Server::start(&program, &model);
    let second = bench(&log_dir, &server.base_url()).output().unwrap();
    assert_eq!(
        second.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&second.stderr)
    );
    let second = summary(&second);
    assert_eq!(second["finished"], 8);
    for (path, text) in before.iter().zip(kept) {
        assert_eq!(
            fs::read_to_string(path).unwrap(),
            text,
            "a finished episode is not played again"
        );
    }

    let mut outcomes = 0;
    let (mut input, mut output) = (0, 0);
    for path in finished(&log_dir) {
        let log = Log::parse(&fs::read_to_string(&path).unwrap()).unwrap();
        let end = log.end().unwrap();
        assert!(end.ticks <= 3, "{}", path.display());
        for event in &log.events {
            match event {
                Event::Call(call) => {
                    let usage = call.usage.unwrap();
                    assert!(usage.output <= 64 && usage.input <= 1500, "{usage:?}");
                    input += usage.input;
                    output += usage.output;
                }
                Event::Decision(_) => outcomes += 1,
                _ => {}
            }
        }
    }
    assert!(outcomes > 0);
    assert_eq!(second["counted"]["input"], input);
    assert_eq!(second["counted"]["output"], output);
    assert!(second["spent"]["input"].as_u64().unwrap() >= input);
}
