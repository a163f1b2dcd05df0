//! HTML pages: a document, with the style and the programs that show it.
//!
//! A page holds all that it needs and asks no one for anything: a policy in its head has the browser refuse requests.
//! Texts of agents and models reach it as JSON within a `script` element that is not run.

use serde::Serialize;

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

/// The page of a document.
pub fn page(document: &Document) -> String {
    let policy = match document.campaign {
        Some(_) => POLICY_WITH_CHARTS,
        None => POLICY,
    };
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"{}\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <div id=\"app\"><noscript>This page needs JavaScript.</noscript></div>\n\
         <script id=\"data\" type=\"application/json\">",
        text(&document.generator),
        text(&document.title)
    );
    page.push_str(&json(document));
    page.push_str("</script>\n");
    script(&mut page, COMPONENTS);
    if document.campaign.is_some() {
        for library in CHARTS {
            script(&mut page, library);
        }
    }
    if document.references.is_some() {
        script(&mut page, GRAPHS);
    }
    script(
        &mut page,
        &format!("(() => {{\n\"use strict\";\n{}}})();", PROGRAMS.concat()),
    );
    page.push_str("</body>\n</html>\n");
    page
}

/// The file of an episode that a page of a folder loads.
pub fn episode_file(id: &str, episode: &Episode) -> String {
    format!(
        "globalThis.brigadeEpisode({}, {});\n",
        json(&id),
        json(episode)
    )
}

fn script(page: &mut String, program: &str) {
    page.push_str("<script>\n");
    page.push_str(program.trim_end());
    page.push_str("\n</script>\n");
}

/// A value as JSON that may stand in a `script` element and in a program.
fn json(value: &impl Serialize) -> String {
    // Maps of these types have texts as keys, so they can be written.
    let text = serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned());
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => safe.push_str("\\u003c"),
            '\u{2028}' => safe.push_str("\\u2028"),
            '\u{2029}' => safe.push_str("\\u2029"),
            letter => safe.push(letter),
        }
    }
    safe
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
    use super::{Document, page};

    #[test]
    fn no_text_ends_the_element_that_it_stands_in() {
        let mut document = Document::new("</title><script>alert(1)</script>");
        document
            .notes
            .push("</script><!-- <script>\u{2028}".to_owned());
        let page = page(&document);
        let own_parts = page.matches("</script>").count();
        let plain = super::page(&Document::new("plain"));
        assert_eq!(own_parts, plain.matches("</script>").count());
        assert!(!page.contains("<!-- ") && !page.contains('\u{2028}'));
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
