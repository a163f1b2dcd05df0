//! The answers to requests: the page of each seat, news for it, and what its person does.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use super::http::{Refused, Request, Response};
use super::table::Table;
use crate::view::people;

/// The time for which a page waits for news in one request.
const NEWS: Duration = Duration::from_secs(20);
/// The most letters of a command or a message.
const MOST_LETTERS: usize = 1_000;

const PROGRAM: &str = include_str!("play.js");
const STYLE: &str = include_str!("play.css");

const NOT_FOUND: Refused = Refused(404, "not-found", "there is nothing here");
const MALFORMED: Refused = Refused(400, "malformed", "the body is not what is expected");

/// The table whose requests are answered, and who may make them.
#[derive(Debug)]
pub(super) struct Routes {
    pub(super) table: Arc<Table>,
    /// The token of each seat.
    pub(super) tokens: Vec<String>,
}

/// An act of a person.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Deed {
    /// Takes an action in the timestep that it is shown.
    Act {
        game: u32,
        tick: u32,
        attempt: u32,
        command: String,
    },
    /// Says something.
    Say { text: String },
    /// Asks for a hint.
    Hint {},
    /// Asks for another game, after this one.
    Again { game: u32 },
}

impl Routes {
    /// Answers a request.
    pub(super) fn answer(&self, request: &Request) -> Response {
        self.answered(request).unwrap_or_else(Response::from)
    }

    fn answered(&self, request: &Request) -> Result<Response, Refused> {
        check_origin(request)?;
        let path = request.path.strip_prefix('/').unwrap_or_default();
        let (token, place) = path.split_once('/').ok_or(NOT_FOUND)?;
        let seat = self.seat(token)?;
        match (&*request.method, place) {
            ("GET", "") => Ok(Response::new(
                "text/html",
                people::page(&self.table.problem),
            )),
            ("GET", "style.css") => Ok(Response::new("text/css", people::style(STYLE))),
            ("GET", "play.js") => Ok(Response::new("text/javascript", people::program(PROGRAM))),
            ("GET", "news") => {
                let version = request.query.strip_prefix("after=").unwrap_or_default();
                let news = self.table.news(seat, version, NEWS)?;
                Ok(Response::new("application/json", news))
            }
            ("POST", "do") => {
                let deed = serde_json::from_slice(&request.body).map_err(|_| MALFORMED)?;
                self.carry_out(seat, deed)?;
                Ok(Response::json(&json!({"done": true})))
            }
            (_, "" | "style.css" | "play.js" | "news" | "do") => {
                Err(Refused(405, "bad-method", "use GET to read and POST to do"))
            }
            _ => Err(NOT_FOUND),
        }
    }

    fn carry_out(&self, seat: usize, deed: Deed) -> Result<(), Refused> {
        match deed {
            Deed::Act {
                game,
                tick,
                attempt,
                command,
            } => self
                .table
                .act(seat, (game, tick, attempt), short(&command)?),
            Deed::Say { text } => self.table.say(seat, short(&text)?),
            Deed::Hint {} => self.table.wants_hint(seat),
            Deed::Again { game } => self.table.wants_again(game),
        }
    }

    /// The seat of a token. Each is compared in full, in a time that does not depend on where they differ.
    fn seat(&self, token: &str) -> Result<usize, Refused> {
        let is_same = |own: &String| {
            let pairs = own.bytes().zip(token.bytes());
            own.len() == token.len() && pairs.fold(0, |all, (a, b)| all | (a ^ b)) == 0
        };
        let mut tokens = self.tokens.iter();
        let seat = tokens.position(is_same);
        seat.ok_or(Refused(404, "bad-token", "this address is not known here"))
    }
}

/// Refuses requests for another name and from pages of others. A name that leads here is not one that may be used:
/// a page could have its own lead here.
fn check_origin(request: &Request) -> Result<(), Refused> {
    let host = request.host.as_deref().unwrap_or_default();
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']').map_or("", |(name, _)| name),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    let is_known = name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok();
    if !is_known {
        let why = "the server is not reached by this name";
        return Err(Refused(403, "foreign-host", why));
    }
    let origin = request.origin.as_deref();
    let is_own = origin.is_none_or(|origin| {
        let origin = origin.strip_prefix("http://");
        origin.is_some_and(|origin| origin.eq_ignore_ascii_case(host))
    });
    // An address may be followed from anywhere.
    let is_followed = request.method == "GET";
    let site = request.site.as_deref();
    let is_near = site.is_none_or(|site| ["same-origin", "none"].contains(&site));
    if !is_own || !(is_near || is_followed) {
        let why = "requests of other pages are not answered";
        return Err(Refused(403, "foreign-origin", why));
    }
    Ok(())
}

/// A text that is neither empty nor too long.
fn short(text: &str) -> Result<String, Refused> {
    match text.trim() {
        "" => Err(Refused(400, "empty", "the text is empty")),
        text if text.chars().count() > MOST_LETTERS => {
            Err(Refused(413, "too-large", "the text is too long"))
        }
        text => Ok(text.to_owned()),
    }
}
