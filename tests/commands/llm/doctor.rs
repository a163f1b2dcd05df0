//! `brigade doctor`: what it prints, how it ends, and that it shows no key.

use std::net::TcpListener;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::llm::endpoint::{Answer, Endpoint};
use crate::llm::probe::{ALL, Able, NOTHING, server};
use crate::llm::schema::{conforms, schema};

const KEY: &str = "sk-live-0123456789abcdef";

fn doctor(base_url: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_brigade"));
    command
        .args(["doctor", "--base-url", base_url, "--model", "mock"])
        .args(arguments)
        .env_remove("OPENAI_API_KEY")
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::null());
    command
}

fn shown(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    format!(
        "exit code: {}\n----- stdout\n{}----- stderr\n{}",
        output.status.code().unwrap_or(-1),
        text(&output.stdout),
        text(&output.stderr),
    )
}

/// Compares with the snapshot of that name, ports left out.
fn check(name: &str, mut command: Command) {
    let shown = shown(&command.output().unwrap());
    insta::with_settings!({
        snapshot_path => concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/llm"),
        prepend_module_to_snapshot => false,
        omit_expression => true,
        filters => [(r"127\.0\.0\.1:\d+", "127.0.0.1:[PORT]")],
    }, {
        insta::assert_snapshot!(name, shown);
    });
}

#[test]
fn what_an_able_server_can_do_is_printed() {
    check("doctor-able", doctor(&server(ALL).base_url(), &[]));
}

#[test]
fn what_a_server_leaves_out_is_printed() {
    check("doctor-unable", doctor(&server(NOTHING).base_url(), &[]));
    let able = Able {
        schema: true,
        ..NOTHING
    };
    check(
        "doctor-json",
        doctor(&server(able).base_url(), &["--format", "json"]),
    );
}

/// A base URL that nobody listens at.
fn dead() -> String {
    let free = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    format!("http://{free}/v1")
}

#[test]
fn an_endpoint_that_is_dead_is_a_negative_answer() {
    check("doctor-dead", doctor(&dead(), &["--timeout", "30"]));
}

#[test]
fn an_endpoint_that_hangs_is_a_negative_answer() {
    let endpoint = Endpoint::start([Answer::hang()]);
    check(
        "doctor-hangs",
        doctor(&endpoint.base_url(), &["--timeout", "0.2"]),
    );
}

#[test]
fn a_page_instead_of_an_answer_is_a_negative_answer() {
    let endpoint = Endpoint::start([Answer::html()]);
    check(
        "doctor-html",
        doctor(&endpoint.base_url(), &["--timeout", "30"]),
    );
}

#[test]
fn a_key_is_taken_from_the_environment_and_shown_nowhere() {
    let repeated = format!("wrong key {KEY}");
    let endpoint = Endpoint::start([Answer::status(401, &repeated)]);
    let mut command = doctor(&endpoint.base_url(), &["--api-key-env", "KITCHEN_KEY"]);
    command.env("KITCHEN_KEY", KEY);
    let shown = shown(&command.output().unwrap());
    assert!(!shown.contains("sk-live"), "{shown}");
    assert!(
        shown.contains("the key in `KITCHEN_KEY` is right"),
        "{shown}"
    );
    let bearer = format!("Bearer {KEY}");
    let requests = endpoint.requests();
    assert!(!requests.is_empty());
    for request in requests {
        assert_eq!(request.header("authorization"), Some(&bearer[..]));
    }
}

#[test]
fn no_proxy_stands_before_this_machine() {
    let endpoint = server(ALL);
    let mut command = doctor(&endpoint.base_url(), &[]);
    command.env("HTTP_PROXY", dead()).env("ALL_PROXY", dead());
    command.env_remove("NO_PROXY").env_remove("no_proxy");
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
}

#[test]
fn a_command_line_that_makes_no_sense_has_exit_code_2() {
    for (base_url, arguments, expected) in [
        ("v1", &[][..], "is not a URL"),
        ("ftp://h/v1", &[], "does not begin with http"),
        (
            "http://user:s3cret@h/v1",
            &[],
            "holds a user name or a password",
        ),
        (
            "http://h/v1",
            &["--timeout", "soon"],
            "not a number of seconds",
        ),
        ("http://h/v1", &["--timeout", "0"], "more than 0 seconds"),
        (
            "http://h/v1",
            &["--api-key-env", "BROKEN_KEY"],
            "`BROKEN_KEY` holds no key",
        ),
    ] {
        let mut command = doctor(base_url, arguments);
        command.env("BROKEN_KEY", "sk-live 1");
        let output = command.output().unwrap();
        let shown = shown(&output);
        assert_eq!(output.status.code(), Some(2), "{shown}");
        assert!(shown.contains(expected), "{shown}");
        assert!(!shown.contains("sk-live"), "{shown}");
    }
}

#[test]
fn what_is_written_as_json_fits_its_schema() {
    let rules = schema("doctor.schema.json");
    for server in [server(ALL), server(NOTHING)] {
        let mut command = doctor(&server.base_url(), &["--format", "json"]);
        let output = command.output().unwrap();
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(conforms(&document, &rules, &rules), "{document}");
    }
}

#[test]
fn ctrl_c_ends_it_while_it_waits_and_the_process_list_shows_no_key() {
    let endpoint = Endpoint::start([Answer::hang()]);
    let mut command = doctor(
        &endpoint.base_url(),
        &["--timeout", "3600", "--format", "json"],
    );
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env("OPENAI_API_KEY", KEY);
    let child = command.spawn().unwrap();
    while endpoint.requests().is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert!(endpoint.requests()[0].header("authorization").is_some());
    let pid = child.id().to_string();
    let listed = Command::new("ps")
        .args(["-o", "args=", "-p", &pid])
        .output();
    let listed = String::from_utf8(listed.unwrap().stdout).unwrap();
    assert!(
        listed.contains("doctor") && !listed.contains("sk-live"),
        "{listed}"
    );
    let sent = Command::new("kill").args(["-INT", &pid]).status();
    assert!(sent.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["failure"], "the run was interrupted");
}
