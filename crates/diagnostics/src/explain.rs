//! Explains each code, with an example that causes it and one that does not.
//!
//! The examples are in `examples.txt`, one after another: `@` and the code, a line `bad`, lines, a line
//! `good`, lines. An example that begins with `(:` is the sections of a domain `example` that declares
//! all requirements it needs, and of a problem of it where there are sections of one; one that begins
//! with `{` is keys of a file of Robotouille. `⟦x⟧×3` stands for `x` written three times, and a `#` in
//! it for 1, 2, 3. A first line that is a comment may say what the file is given to. Tests check each
//! example.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Serialize;

use super::{Code, Severity};

const EXAMPLES: &str = include_str!("examples.txt");

/// Two texts beside each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Example {
    /// The text that causes the code.
    pub bad: &'static str,
    /// The intended text, which does not cause it.
    pub good: &'static str,
}

static BY_CODE: LazyLock<BTreeMap<Code, Example>> = LazyLock::new(|| {
    let examples = EXAMPLES.split("\n@").filter_map(|entry| {
        let entry = entry.strip_prefix('@').unwrap_or(entry);
        let (code, texts) = entry.split_once("\nbad\n")?;
        let (bad, good) = texts.split_once("\ngood\n")?;
        let example = Example {
            bad: bad.trim_end(),
            good: good.trim_end(),
        };
        Some((Code::from_spelling(code)?, example))
    });
    examples.collect()
});

impl Code {
    /// A bad and a good example.
    pub fn example(self) -> Option<Example> {
        BY_CODE.get(&self).copied()
    }
}

/// Renders the entry of a code as text.
pub fn text(code: Code) -> String {
    let mut text = format!("{code}: {}\n  help: {}\n", code.meaning(), code.advice());
    if let Some(example) = code.example() {
        let indented = |example: &str| -> String {
            example
                .lines()
                .map(|line| format!("    {line}\n"))
                .collect()
        };
        text += &format!(
            "\n  This is reported:\n\n{}\n  This is not:\n\n{}",
            indented(example.bad),
            indented(example.good)
        );
    }
    if code.severity() == Severity::Warning {
        text += &format!("\n  To silence it: ; brigade: allow {code} \"why\"\n");
    }
    text
}

/// Renders the entry of a code in Markdown.
pub fn markdown(code: Code) -> String {
    let mut text = format!(
        "### {code}\n\n{} To fix it: {}.\n",
        code.meaning(),
        code.advice()
    );
    if let Some(example) = code.example() {
        let fence = if example.bad.starts_with('{') {
            "json"
        } else {
            "lisp"
        };
        for (what, example) in [("Reported", example.bad), ("Not reported", example.good)] {
            text += &format!("\n{what}:\n\n```{fence}\n{example}\n```\n");
        }
    }
    text
}

/// The index of all codes in Markdown: the page `docs/reference/diagnostics.md`.
pub fn index() -> String {
    const BLOCKS: &[(&str, &str)] = &[
        ("E00", "Syntax"),
        ("E01", "Names, types, requirements"),
        ("E02", "Grounding"),
        ("E03", "Files of other formats"),
        ("E04", "Writing files of other formats"),
        ("W00", "Warnings: syntax"),
        ("W01", "Warnings: names, types, requirements"),
        ("W02", "Warnings: what is probably not meant"),
        ("W03", "Warnings: files of other formats"),
    ];
    let mut page = "\
# Diagnostics

Every diagnostic has a code. An error rejects a file; a warning does not, and
[can be silenced](language.md#silencing-a-warning). `brigade explain CODE` shows the entry of a code.
`brigade explain --all --format markdown` generates this page.

An example that begins with `(:` has sections of a domain, which declares the requirements that it needs, and of a problem
of it; one that begins with `{` has keys of a file of Robotouille. `⟦x⟧×3` stands for `x` written three times, and a `#` in
it for 1, 2, 3.
"
    .to_owned();
    for (prefix, title) in BLOCKS {
        page += &format!("\n## {title}\n");
        for code in Code::ALL
            .iter()
            .filter(|code| code.as_str().starts_with(prefix))
        {
            page += &format!("\n{}", markdown(*code));
        }
    }
    page
}
