//! One slip of the pen, one report: every word of a sound domain and problem is misspelt, left out or
//! doubled, and every parenthesis left out or doubled, one at a time. The snapshot counts what `check` says
//! of them, and lists the edits of which it says nothing or more than one thing. Then each fact is left out:
//! those snapshots hold what is said of it.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

/// The number of edits of each word of a file: where it stands first and second.
const TIMES: usize = 2;

/// A stretch of a file to be replaced.
struct Edit {
    what: &'static str,
    word: String,
    /// 0 for the domain, 1 for the problem.
    file: usize,
    range: std::ops::Range<usize>,
    by: String,
}

/// The words of a text outside of comments and texts in quotes, with their places.
fn words(text: &str) -> Vec<(usize, &str)> {
    let is_end = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"' | ';');
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        at += match c {
            ';' => text[at..].find('\n').unwrap_or(text.len() - at),
            '"' => 2 + text[at + 1..].find('"').unwrap(),
            _ if is_end(c) => c.len_utf8(),
            _ => {
                let length = text[at..].find(is_end).unwrap_or(text.len() - at);
                found.push((at, &text[at..at + length]));
                length
            }
        };
    }
    found
}

/// The parentheses outside of comments and texts.
fn parentheses(text: &str) -> Vec<usize> {
    let (mut in_comment, mut in_text) = (false, false);
    let all = text.char_indices().filter(|&(_, c)| {
        match c {
            '\n' => in_comment = false,
            ';' if !in_text => in_comment = true,
            '"' if !in_comment => in_text = !in_text,
            _ => {}
        }
        matches!(c, '(' | ')') && !in_comment && !in_text
    });
    all.map(|(at, _)| at).collect()
}

/// The edits of one word.
fn misspellings(word: &str) -> Vec<(&'static str, String)> {
    let mark = word.len() - word.trim_start_matches(['?', ':']).len();
    let letters: Vec<char> = word.chars().collect();
    let mut edits = vec![
        ("left out", String::new()),
        ("twice", format!("{word} {word}")),
    ];
    if letters.len() > mark + 2 && word.is_ascii() {
        edits.push(("cut", word[..word.len() - 1].to_owned()));
        edits.push(("plural", format!("{word}s")));
        let middle = mark + (letters.len() - mark) / 2;
        let mut exchanged = letters;
        exchanged.swap(middle - 1, middle);
        let exchanged: String = exchanged.into_iter().collect();
        if exchanged != word {
            edits.push(("exchanged", exchanged));
        }
    }
    if mark > 0 {
        edits.push(("without its mark", word[mark..].to_owned()));
    }
    edits
}

fn word_edits(files: [&str; 2]) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (file, text) in files.iter().enumerate() {
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        for (at, word) in words(text) {
            let times = seen.entry(word).or_default();
            *times += 1;
            if *times > TIMES {
                continue;
            }
            for (what, by) in misspellings(word) {
                edits.push(Edit {
                    what,
                    word: word.to_owned(),
                    file,
                    range: at..at + word.len(),
                    by,
                });
            }
        }
    }
    edits
}

fn parenthesis_edits(files: [&str; 2]) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (file, text) in files.iter().enumerate() {
        for at in parentheses(text) {
            let word = &text[at..=at];
            for (what, by) in [("left out", String::new()), ("twice", word.repeat(2))] {
                edits.push(Edit {
                    what,
                    word: word.to_owned(),
                    file,
                    range: at..at + 1,
                    by,
                });
            }
        }
    }
    edits
}

/// A folder that is removed with it.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("brigade-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns the output of `check` on a domain and a problem.
fn said(folder: &Path, files: [&str; 2]) -> String {
    let paths = ["domain.pddl", "problem.pddl"].map(|name| folder.join(name));
    for (path, text) in paths.iter().zip(files) {
        fs::write(path, text).unwrap();
    }
    let output = Command::new(env!("CARGO_BIN_EXE_brigade"))
        .arg("check")
        .args(&paths)
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.code().is_some_and(|code| code <= 2));
    String::from_utf8(output.stderr).unwrap()
}

/// The codes that `check` reports of a domain and a problem.
fn check(folder: &Path, files: [&str; 2]) -> Vec<String> {
    said(folder, files)
        .lines()
        .filter_map(|line| {
            let line = line
                .strip_prefix("error")
                .or(line.strip_prefix("warning"))?;
            match line.split_once(']') {
                Some((code, _)) if line.starts_with('[') => Some(code[1..].to_owned()),
                _ => line.starts_with(':').then(|| "no code".to_owned()),
            }
        })
        .collect()
}

/// Returns the output of `check` on each edit, as a text for a snapshot.
fn survey(name: &str, files: [&str; 2], edits: &[Edit]) -> String {
    let scratch = Scratch::new(name);
    assert_eq!(
        check(&scratch.0, files),
        Vec::<String>::new(),
        "{name} is sound"
    );
    let workers = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let reports: Vec<Vec<String>> = thread::scope(|scope| {
        let chunks = edits.chunks(edits.len().div_ceil(workers)).enumerate();
        let threads: Vec<_> = chunks
            .map(|(worker, chunk)| {
                let folder = scratch.0.join(worker.to_string());
                scope.spawn(move || {
                    fs::create_dir_all(&folder).unwrap();
                    let report = |edit: &Edit| {
                        let mut edited = files.map(str::to_owned);
                        edited[edit.file].replace_range(edit.range.clone(), &edit.by);
                        check(&folder, [&edited[0], &edited[1]])
                    };
                    chunk.iter().map(report).collect::<Vec<_>>()
                })
            })
            .collect();
        let joined = threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap());
        joined.collect()
    });
    let (mut none, mut more) = (Vec::new(), Vec::new());
    for (edit, codes) in edits.iter().zip(&reports) {
        let line = 1 + files[edit.file][..edit.range.start].matches('\n').count();
        let place = ["domain", "problem"][edit.file];
        let text = format!("  `{}` {}, {place} line {line}", edit.word, edit.what);
        match codes.len() {
            0 => none.push(text),
            1 => {}
            _ => more.push(format!("{text}: {}", codes.join(", "))),
        }
    }
    let once = edits.len() - none.len() - more.len();
    format!(
        "{} edits: {once} told once\n{} not told\n{}\n{} told more than once\n{}\n",
        edits.len(),
        none.len(),
        none.join("\n"),
        more.len(),
        more.join("\n")
    )
}

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/slips"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// The domain and the problem that `brigade new` makes.
fn template() -> [String; 2] {
    ["domain", "soup"].map(|name| fs::read_to_string(format!("src/cli/new/{name}.pddl")).unwrap())
}

#[test]
fn slips_in_words_of_the_template_are_reported_once() {
    let [domain, problem] = template();
    let files = [&*domain, &*problem];
    snapshot(
        "template-words",
        &survey("slips-words", files, &word_edits(files)),
    );
}

#[test]
fn slips_in_parentheses_of_the_template_are_reported_once() {
    let [domain, problem] = template();
    let files = [&*domain, &*problem];
    let edits = parenthesis_edits(files);
    snapshot(
        "template-parentheses",
        &survey("slips-parentheses", files, &edits),
    );
}

#[test]
fn slips_in_words_of_a_domain_with_a_capacity_are_reported_once() {
    let files = ["domain", "problem"]
        .map(|name| fs::read_to_string(format!("tests/data/slips/bakery-{name}.pddl")).unwrap());
    let files = [&*files[0], &*files[1]];
    snapshot(
        "bakery-words",
        &survey("slips-bakery", files, &word_edits(files)),
    );
}

/// The facts of `:init` or `:facts`.
fn facts(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let Some(section) = text.find("(:init").or_else(|| text.find("(:facts")) else {
        return found;
    };
    let (mut depth, mut start) = (0, 0);
    for at in parentheses(text).into_iter().filter(|at| *at >= section) {
        if text[at..].starts_with('(') {
            depth += 1;
            if depth == 2 {
                start = at;
            }
        } else {
            depth -= 1;
            match depth {
                0 => break,
                1 => found.push(start..at + 1),
                _ => {}
            }
        }
    }
    found
}

/// Returns the report on each fact that is left out: the code, and the advice.
fn without_facts(name: &str, files: [&str; 2]) -> String {
    let scratch = Scratch::new(name);
    let mut lines = String::new();
    for (file, text) in files.iter().enumerate() {
        for fact in facts(text) {
            let mut edited = files.map(str::to_owned);
            edited[file].replace_range(fact.clone(), "");
            let edited = [&*edited[0], &*edited[1]];
            let (codes, said) = (check(&scratch.0, edited), said(&scratch.0, edited));
            let advice = said.rsplit("= help: ").next().unwrap_or_default();
            let advice = advice.lines().next().unwrap_or_default();
            lines.push_str(&format!(
                "{}: {}\n  {advice}\n",
                &text[fact],
                codes.join(", ")
            ));
        }
    }
    lines
}

#[test]
fn a_fact_that_is_left_out_is_named() {
    let [domain, problem] = template();
    snapshot(
        "template-facts",
        &without_facts("slips-template-facts", [&domain, &problem]),
    );
    let [domain, problem] = ["domain", "problem"]
        .map(|name| fs::read_to_string(format!("tests/data/slips/bakery-{name}.pddl")).unwrap());
    snapshot(
        "bakery-facts",
        &without_facts("slips-bakery-facts", [&domain, &problem]),
    );
}
