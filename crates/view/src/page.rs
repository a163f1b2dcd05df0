//! HTML pages: a document, with the style and the programs that show it.
//!
//! A page holds all that it needs and asks no one for anything: a policy in its head has the browser refuse requests.
//! Texts of agents and models reach it as JSON within a `script` element that is not run.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::Formatter;

use crate::Document;
use crate::document::Episode;

/// The policy of a page. Episodes of a folder are loaded as scripts beside the page.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline' 'self' file:; style-src 'unsafe-inline'; \
                      img-src data: blob:";
/// The same for a page with charts, which compile their expressions.
const POLICY_WITH_CHARTS: &str = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' 'self' file:; \
                                  style-src 'unsafe-inline'; img-src data: blob:";

pub(crate) const STYLE: &str = include_str!("../assets/page.css");

/// Programs by other people, which `vendor/README.md` names.
macro_rules! vendored {
    ($name:literal) => {
        include_str!(concat!("../vendor/", $name))
    };
}

/// The programs of the page, in the order in which they depend on each other.
macro_rules! programs {
    ($($name:literal),* $(,)?) => {
        [$(include_str!(concat!("../assets/", $name))),*]
    };
}

pub(crate) const COMPONENTS: &str = vendored!("htm-preact.umd.js");
const CHARTS: [&str; 2] = [vendored!("vega.min.js"), vendored!("vega-lite.min.js")];
const GRAPHS: &str = vendored!("dagre.min.js");
const PROGRAMS: [&str; 27] = programs![
    "base.js",
    "text.js",
    "route.js",
    "keys.js",
    "shell.js",
    "agents.js",
    "table.js",
    "timeline.js",
    "curve.js",
    "state.js",
    "board.js",
    "call.js",
    "events.js",
    "decisions.js",
    "find.js",
    "summary.js",
    "episode.js",
    "folder.js",
    "metrics.js",
    "charts.js",
    "episodes.js",
    "campaign.js",
    "plan.js",
    "automaton.js",
    "drawing.js",
    "references.js",
    "app.js",
];

/// Writes the page of a document.
///
/// # Errors
///
/// Those of `out`.
pub fn page(document: &Document, out: &mut dyn Write) -> io::Result<()> {
    let policy = match document.campaign {
        Some(_) => POLICY_WITH_CHARTS,
        None => POLICY,
    };
    write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"{}\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <div id=\"app\"><noscript>This page needs JavaScript.</noscript></div>\n\
         <script id=\"data\" type=\"application/json\">",
        text(&document.generator),
        text(&document.title)
    )?;
    json(document, out)?;
    out.write_all(b"</script>\n")?;
    script(out, COMPONENTS)?;
    if document.campaign.is_some() {
        for library in CHARTS {
            script(out, library)?;
        }
    }
    if document.references.is_some() {
        script(out, GRAPHS)?;
    }
    script(
        out,
        &format!("(() => {{\n\"use strict\";\n{}}})();", PROGRAMS.concat()),
    )?;
    out.write_all(b"</body>\n</html>\n")
}

/// The beginning of the file of an episode.
pub const EPISODE_START: &str = "globalThis.brigadeEpisode(";

/// Writes the file of an episode that a page of a folder loads.
///
/// # Errors
///
/// Those of `out`.
pub fn episode_file(id: &str, episode: &Episode, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(EPISODE_START.as_bytes())?;
    json(&id, out)?;
    out.write_all(b", ")?;
    json(episode, out)?;
    out.write_all(b");\n")
}

fn script(out: &mut dyn Write, program: &str) -> io::Result<()> {
    writeln!(out, "<script>\n{}\n</script>", program.trim_end())
}

/// Writes a value as JSON that may stand in a `script` element and in a program.
fn json(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(out, Safe);
    value.serialize(&mut serializer).map_err(io::Error::from)
}

/// Compact JSON without what ends a `script` element or a line of a program.
struct Safe;

impl Formatter for Safe {
    fn write_string_fragment<W: Write + ?Sized>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = rest.find(['<', '\u{2028}', '\u{2029}']) {
            let (before, after) = rest.split_at(at);
            out.write_all(before.as_bytes())?;
            let letter = after.chars().next().unwrap_or_default();
            write!(out, "\\u{:04x}", u32::from(letter))?;
            rest = &after[letter.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }
}

/// A text as HTML.
pub(crate) fn text(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::Document;

    fn page(document: &Document) -> String {
        let mut out = Vec::new();
        super::page(document, &mut out).expect("a page");
        String::from_utf8(out).expect("a text")
    }

    #[test]
    fn no_text_ends_the_element_that_it_stands_in() {
        let mut document = Document::new("</title><script>alert(1)</script>");
        document
            .notes
            .push("</script><!-- <script>\u{2028}".to_owned());
        let hostile = page(&document);
        let own_parts = hostile.matches("</script>").count();
        let plain = page(&Document::new("plain"));
        assert_eq!(own_parts, plain.matches("</script>").count());
        assert!(!hostile.contains("<!-- ") && !hostile.contains('\u{2028}'));
    }

    #[test]
    fn a_page_asks_no_one_for_anything() {
        let page = page(&Document::new("plain"));
        for attribute in [" src=", " href=\"http", "@import", "url(http"] {
            let outside_programs = page
                .split("<script")
                .map(|part| part.split("</script>").last());
            let outside: Vec<&str> = outside_programs.flatten().collect();
            assert!(!outside.concat().contains(attribute), "{attribute}");
        }
    }
}
