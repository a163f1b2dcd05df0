//! The page on which a person plays: what a server sends in parts, since only the server knows what is to be shown.

use crate::page::{COMPONENTS, STYLE, text};

/// The programs of a page that also serve people, in the order in which they depend on each other.
const PROGRAMS: [&str; 7] = [
    include_str!("../assets/base.js"),
    include_str!("../assets/text.js"),
    include_str!("../assets/keys.js"),
    include_str!("../assets/shell.js"),
    include_str!("../assets/agents.js"),
    include_str!("../assets/state.js"),
    include_str!("../assets/board.js"),
];

/// The page, which asks for `style.css` and `play.js` beside it.
pub fn page(title: &str) -> String {
    let title = text(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" href=\"style.css\">\n</head>\n<body>\n\
         <div id=\"app\"><noscript>This page needs JavaScript.</noscript></div>\n\
         <script id=\"data\" type=\"application/json\">{{}}</script>\n<script src=\"play.js\"></script>\n\
         </body>\n</html>\n"
    )
}

/// The style, with additions.
pub fn style(own: &str) -> String {
    format!("{STYLE}\n{own}")
}

/// The program, which ends with that of the page itself.
pub fn program(own: &str) -> String {
    let programs = PROGRAMS.concat();
    format!("{COMPONENTS}\n(() => {{\n\"use strict\";\n{programs}\n{own}}})();\n")
}
