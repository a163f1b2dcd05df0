//! Blocks of ```` ```console ````.
//!
//! A line `$ brigade …` or `$ cargo run --release -- …` is run, in a folder with the repository's
//! domains and problems and the page's named examples; what follows is its output, as a terminal shows
//! it. A line `…` stands for any number of lines, and times are not compared. `$ echo $?` shows
//! the last exit code; other commands are not run. With `INSTA_UPDATE=always` outputs that differ
//! are written to the pages.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::docs::markdown::{Block, blocks};
use crate::docs::{read, root};

/// A command and the output that the page shows.
struct Shown {
    /// The line of the command, from 1.
    line: usize,
    command: String,
    output: Vec<String>,
}

/// A command whose output is not the one shown.
struct Stale {
    shown: Shown,
    found: Vec<String>,
}

fn shown(block: &Block) -> Vec<Shown> {
    let mut all: Vec<Shown> = Vec::new();
    for (index, line) in block.text.lines().enumerate() {
        if let Some(command) = line.strip_prefix("$ ") {
            all.push(Shown {
                line: block.line + 1 + index,
                command: command.to_owned(),
                output: Vec::new(),
            });
        } else if let Some(last) = all.last_mut() {
            last.output.push(line.to_owned());
        }
    }
    all
}

/// The words of a command line; quotes keep spaces together.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in command.chars() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (None, ' ') => words.push(String::new()),
            (_, c) => words.last_mut().unwrap().push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Lines with their times replaced: `search 0.012 s` and `"search": 0.012`.
fn without_times(lines: &[String]) -> Vec<String> {
    const KEYS: [&str; 3] = ["\"parse\":", "\"ground\":", "\"search\":"];
    let without = |line: &String| {
        let words: Vec<&str> = line.trim_end().split(' ').collect();
        let is_time = |index: usize| {
            let number = words[index].trim_end_matches(',').parse::<f64>().is_ok();
            let next = words.get(index + 1).map(|next| next.trim_end_matches(','));
            let in_json = index > 0 && KEYS.contains(&words[index - 1]);
            number && (next == Some("s") || in_json)
        };
        let words = (0..words.len()).map(|index| if is_time(index) { "_" } else { words[index] });
        words.collect::<Vec<_>>().join(" ")
    };
    lines.iter().map(without).collect()
}

/// Returns true if the lines found are those shown, where `…` stands for any.
fn agree(shown: &[String], found: &[String]) -> bool {
    match shown.split_first() {
        None => found.is_empty(),
        Some((first, rest)) if first.trim() == "…" => {
            (0..=found.len()).any(|skip| agree(rest, &found[skip..]))
        }
        Some((first, rest)) => found
            .split_first()
            .is_some_and(|(line, others)| first == line && agree(rest, others)),
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// A fresh folder with what the commands of a page need.
fn folder(page: &str, blocks: &[Block]) -> PathBuf {
    let name = page.replace(['/', '.'], "-");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    for part in ["domains", "problems", "evals", "tests/data/traces"] {
        copy(&root().join(part), &folder.join(part));
    }
    for block in blocks.iter().filter(|block| block.info.len() > 1) {
        let is_file = |word: &&String| Path::new(word).extension().is_some();
        if let Some(file) = block.info[1..].iter().find(is_file) {
            let path = folder.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, &block.text).unwrap();
        }
    }
    folder
}

/// Runs a command; what it prints and its exit code. `None` if it is not Brigade's.
fn run(command: &str, folder: &Path) -> Option<(String, i32)> {
    let command = command
        .strip_prefix("brigade ")
        .or_else(|| command.strip_prefix("cargo run --release -- "))?;
    let mut arguments = words(command);
    let file = arguments.iter().position(|word| word == ">").map(|at| {
        let file = arguments[at + 1].clone();
        arguments.truncate(at);
        file
    });
    let mut process = Command::new(env!("CARGO_BIN_EXE_brigade"));
    process
        .args(&arguments)
        .current_dir(folder)
        .stdin(Stdio::null());
    // What is printed on both ends in one text, in the order in which it is printed.
    let (mut reader, writer) = std::io::pipe().unwrap();
    match file {
        Some(file) => process.stdout(std::fs::File::create(folder.join(file)).unwrap()),
        None => process.stdout(writer.try_clone().unwrap()),
    };
    let mut child = process.stderr(writer).spawn().unwrap();
    // It holds ends for writing, without which the text comes to an end.
    drop(process);
    let mut text = Vec::new();
    reader.read_to_end(&mut text).unwrap();
    let exit = child.wait().unwrap();
    let text = String::from_utf8_lossy(&text).into_owned();
    Some((text, exit.code().unwrap_or(-1)))
}

/// The commands of a page that print something else than it shows.
fn stale(page: &str, text: &str) -> Vec<Stale> {
    let blocks = blocks(text);
    let folder = folder(page, &blocks);
    let mut stale = Vec::new();
    let mut exit = 0;
    for shown in blocks.iter().filter(|b| b.is("console")).flat_map(shown) {
        let found = if shown.command == "echo $?" {
            exit.to_string()
        } else if let Some((found, code)) = run(&shown.command, &folder) {
            exit = code;
            found
        } else {
            assert!(shown.output.is_empty(), "{page}:{}: not run", shown.line);
            continue;
        };
        let found: Vec<String> = found.trim_end().lines().map(str::to_owned).collect();
        if !agree(&without_times(&shown.output), &without_times(&found)) {
            stale.push(Stale { shown, found });
        }
    }
    stale
}

/// Writes what was found to the page.
fn update(page: &str, text: &str, stale: &[Stale]) {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for Stale { shown, found } in stale.iter().rev() {
        let after = shown.line..shown.line + shown.output.len();
        lines.splice(after, found.iter().map(|line| line.trim_end().to_owned()));
    }
    std::fs::write(root().join(page), lines.join("\n") + "\n").unwrap();
}

#[test]
fn every_command_prints_what_is_shown() {
    let updating = std::env::var("INSTA_UPDATE").is_ok_and(|value| value == "always");
    let mut wrong = Vec::new();
    for page in [
        "README.md",
        "CONTRIBUTING.md",
        "docs/how-to/classical.md",
        "docs/reference/systems/collab-capture.md",
        "docs/reference/systems/collab-escape.md",
        "docs/reference/systems/collab-overcooked.md",
        "docs/reference/systems/cookmas.md",
        "docs/reference/evaluations.md",
        "docs/reference/systems/hanabi.md",
        "docs/how-to/asynchronous-cooking.md",
        "docs/how-to/environment-rules.md",
        "docs/how-to/from-robotouille.md",
        "docs/how-to/porting-pddl.md",
        "docs/how-to/several-agents.md",
        "docs/reference/language.md",
        "docs/reference/systems/order-rush.md",
        "docs/reference/metrics.md",
        "docs/reference/systems/minecraft-kitchen.md",
        "docs/how-to/mistakes.md",
        "docs/reference/systems/overcooked-ai.md",
        "docs/reference/systems/robotouille.md",
        "docs/how-to/snapshots.md",
        "docs/explanation/search.md",
        "docs/explanation/walk.md",
        "docs/reference/limits.md",
        "docs/tutorials/first-domain.md",
        "docs/tutorials/first-evaluation.md",
        "docs/tutorials/two-cooks.md",
    ] {
        let text = read(page);
        let stale = stale(page, &text);
        if updating && !stale.is_empty() {
            update(page, &text, &stale);
            continue;
        }
        wrong.extend(stale.into_iter().map(|Stale { shown, found }| {
            let found = found.join("\n");
            format!("{page}:{}: $ {}\n{found}", shown.line, shown.command)
        }));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn the_table_names_every_command() {
    let help = Command::new(env!("CARGO_BIN_EXE_brigade"))
        .arg("--help")
        .output()
        .unwrap();
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .collect();
    assert!(!commands.is_empty(), "{help}");
    let page = read("docs/reference/commands.md");
    let listed: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `brigade ")?.split(['`', ' ']).next())
        .filter(|command| cfg!(feature = "serve") || *command != "serve")
        .collect();
    assert_eq!(listed, commands, "the table of docs/reference/commands.md");
}
