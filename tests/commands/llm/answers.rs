//! Every form in which servers answer, from `tests/data/llm/answers`: how it is judged, how often it is
//! asked for, what of it is counted; and that `docs/reference/models.md` lists them all.
//!
//! A file is a head of `key: value` lines (`server`, `form`, `class`; where they matter `again`, `wait` in
//! seconds, `tool` that is asked for, `text` or `call` that is read, `tokens` in and out, a part of the
//! `advice`, `compress` the body or write it in UTF-16), and the reply as HTTP sends it.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use brigade::llm::budget::Budget;
use brigade::llm::chat::{Chat, ChatError, ChatRequest, Constraint, Take, Usage};
use brigade::llm::http::HttpChat;
use brigade::llm::response::{Class, Judgement, Reply, judge};
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use serde_json::json;

use crate::llm::endpoint::{Answer, Endpoint};
use crate::llm::{never, options, question};

/// The time when the replies came, for those that give a time.
const NOW: i64 = 1_700_000_000;

struct Form {
    name: String,
    head: BTreeMap<String, String>,
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

impl Form {
    fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap();
        let (head, reply) = text.split_once("\n\n").unwrap();
        let (start, body) = reply.split_once("\n\n").unwrap();
        let pair = |line: &str| {
            let (key, value) = line.split_once(": ").unwrap();
            (key.to_owned(), value.to_owned())
        };
        let mut start = start.lines();
        let status = start.next().unwrap().strip_prefix("HTTP/1.1 ").unwrap();
        Self {
            name: path.file_stem().unwrap().to_string_lossy().into_owned(),
            head: head.lines().map(pair).collect(),
            status: status.parse().unwrap(),
            headers: start.map(pair).collect(),
            body: body.to_owned(),
        }
    }

    fn get(&self, key: &str) -> Option<&str> {
        self.head.get(key).map(String::as_str)
    }

    fn tokens(&self) -> Option<(u64, u64)> {
        let (input, output) = self.get("tokens")?.split_once(' ').unwrap();
        Some((input.parse().unwrap(), output.parse().unwrap()))
    }

    /// The reply of a server.
    fn answer(&self) -> Answer {
        let level = Compression::default();
        let body = self.body.as_bytes();
        let bytes = match self.get("compress") {
            None => body.to_vec(),
            Some("utf-16") => {
                let marked = format!("\u{feff}{}", self.body);
                marked.encode_utf16().flat_map(u16::to_le_bytes).collect()
            }
            Some("gzip") => gzip(body),
            Some("gzip-twice") => gzip(&gzip(body)),
            Some("gzip-members") => {
                let (first, second) = body.split_at(body.len() / 2);
                [gzip(first), gzip(second)].concat()
            }
            Some("zlib") => packed(
                ZlibEncoder::new(Vec::new(), level),
                body,
                ZlibEncoder::finish,
            ),
            Some("deflate") => packed(
                DeflateEncoder::new(Vec::new(), level),
                body,
                DeflateEncoder::finish,
            ),
            Some(other) => panic!("{other}"),
        };
        let headers = self.headers.iter();
        headers.fold(Answer::with_status(self.status, bytes), |answer, (k, v)| {
            answer.header(k, v)
        })
    }

    fn question(&self) -> ChatRequest {
        let mut question = question("What now?");
        if let Some(tool) = self.get("tool") {
            question.constraint = Constraint::Tool {
                name: tool.to_owned(),
                description: String::new(),
                parameters: json!({}),
            };
        }
        question
    }
}

fn gzip(body: &[u8]) -> Vec<u8> {
    let encoder = GzEncoder::new(Vec::new(), Compression::default());
    packed(encoder, body, GzEncoder::finish)
}

fn packed<W: Write>(
    mut encoder: W,
    body: &[u8],
    finish: impl FnOnce(W) -> std::io::Result<Vec<u8>>,
) -> Vec<u8> {
    encoder.write_all(body).unwrap();
    finish(encoder).unwrap()
}

fn forms() -> Vec<Form> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/llm/answers");
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| Form::read(path)).collect()
}

#[test]
fn every_form_of_an_answer_is_judged_as_its_file_says() {
    for form in forms() {
        let name = &form.name;
        let reply = Reply {
            status: form.status,
            headers: &form.headers,
            body: &form.body,
        };
        let judged = judge(&reply, form.get("tool"), NOW);
        assert_eq!(
            Some(judged.class().name()),
            form.get("class"),
            "{name}: {judged:?}"
        );
        let tokens = judged.usage.map(|usage| (usage.input, usage.output));
        assert_eq!(tokens, form.tokens(), "{name}");
        match &judged.judgement {
            Judgement::Answered(answer) => {
                if let Some(text) = form.get("text") {
                    let text: String = serde_json::from_str(text).unwrap();
                    assert_eq!(answer.text, text, "{name}");
                }
                assert_eq!(answer.tool_arguments.as_deref(), form.get("call"), "{name}");
            }
            Judgement::Misconfigured { advice, .. } => {
                let expected = form.get("advice").unwrap_or_default();
                assert!(advice.contains(expected), "{name}: {advice}");
            }
            Judgement::Down { wait, .. } => {
                let expected = form.get("wait").map(|wait| wait.parse().unwrap());
                assert_eq!(*wait, expected.map(Duration::from_secs_f64), "{name}");
            }
            Judgement::TooLong { .. } => {}
        }
    }
}

#[test]
fn every_form_of_an_answer_comes_to_its_class_over_http_and_nothing_of_it_is_uncounted() {
    forms().iter().for_each(comes_to_its_class_over_http);
}

fn comes_to_its_class_over_http(form: &Form) {
    let name = &form.name;
    let endpoint = Endpoint::start([form.answer()]);
    let mut options = options(&endpoint);
    options.retries.most = 1;
    options.retries.longest_wait = Duration::from_millis(1);
    let budget = Arc::new(Budget::default());
    let chat = HttpChat::new(options, Arc::clone(&budget), never());
    let result = chat.complete(&form.question(), Take::default());
    let (class, usage) = match &result {
        Ok(answer) => (answer.class(), answer.usage),
        Err(none) => {
            let class = match &none.error {
                ChatError::TooLong { .. } => Class::Truncated,
                ChatError::Configuration { .. } => Class::ConfigurationError,
                ChatError::Infrastructure(_) => Class::InfraError,
                other => panic!("{name}: {other:?}"),
            };
            (class, none.usage)
        }
    };
    assert_eq!(Some(class.name()), form.get("class"), "{name}: {result:?}");
    let tries = if form.get("again") == Some("yes") {
        2
    } else {
        1
    };
    assert_eq!(endpoint.requests().len(), tries, "{name}: {result:?}");
    let tries = tries as u64;
    let counted = form.tokens().map(|(input, output)| Usage {
        input: tries * input,
        output: tries * output,
        ..Usage::default()
    });
    let shown = usage.map(|usage| Usage {
        cached: None,
        ..usage
    });
    assert_eq!(shown, counted, "{name}");
    assert_eq!(budget.spent().usage, usage.unwrap_or_default(), "{name}");
}

/// The table of `docs/reference/models.md`.
fn table() -> String {
    let classes = [
        Class::Text,
        Class::Truncated,
        Class::Filtered,
        Class::InfraError,
        Class::ConfigurationError,
    ];
    let forms = forms();
    let mut table = "| class | status | server | form |\n|---|---|---|---|\n".to_owned();
    for class in classes {
        for form in &forms {
            if form.get("class") == Some(class.name()) {
                table += &format!(
                    "| `{}` | {} | {} | {} |\n",
                    class.name(),
                    form.status,
                    form.get("server").unwrap(),
                    form.get("form").unwrap(),
                );
            }
        }
    }
    table
}

#[test]
fn the_page_on_models_lists_the_forms_of_all_files() {
    const BEGIN: &str = "<!-- forms: begin -->\n\n";
    const END: &str = "\n<!-- forms: end -->";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/reference/models.md");
    let page = fs::read_to_string(path).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (listed, after) = rest.split_once(END).unwrap();
    let table = table();
    if listed != table && std::env::var("INSTA_UPDATE").is_ok_and(|it| it == "always") {
        fs::write(path, format!("{before}{BEGIN}{table}{END}{after}")).unwrap();
        return;
    }
    assert!(
        listed == table,
        "make it anew with `INSTA_UPDATE=always cargo test --test commands answers`"
    );
}
