//! The table at which people sit: what their browsers are shown, and what they answer. The thread of the game and those
//! of the browsers meet here.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::http::Refused;
use crate::cli::human::{Entry, Kind, Reply, Shown};
use crate::episode::EndReason;

/// The most messages and hints that wait for the game.
const MOST_WAITING: usize = 100;
/// The most messages of a game.
const MOST_MESSAGES: usize = 2_000;
/// The most pages of one person that wait for news.
const MOST_WAITING_PAGES: usize = 8;

const ENDED: Refused = Refused(409, "ended", "the game has ended");

/// The table.
#[derive(Debug)]
pub(super) struct Table {
    state: Mutex<State>,
    changed: Condvar,
    /// The number of this run: a page that knows another is behind.
    run: String,
    pub(super) problem: String,
    /// The most games.
    games: u32,
    /// True if all choose at once, so that no one need be asked first.
    at_once: bool,
    hints: bool,
}

#[derive(Debug, Default)]
struct State {
    version: u64,
    /// The number of the game, in the folder's count.
    game: u32,
    /// The number of games of this run that have begun.
    begun: u32,
    /// True once another game was asked for.
    again: bool,
    end: Option<Ending>,
    /// The agent that is asked.
    asked: Option<usize>,
    seats: Vec<Seat>,
    waiting: VecDeque<Reply>,
    messages: usize,
}

/// The end of a game.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Ending {
    reason: EndReason,
    words: String,
}

/// A person's place.
#[derive(Debug, Default)]
struct Seat {
    agent: usize,
    name: String,
    shown: Option<Shown>,
    entries: Vec<Entry>,
    hint: Option<String>,
    /// The answer that is not taken yet.
    command: Option<String>,
    /// True once its page was opened.
    is_here: bool,
    /// The pages that wait for news.
    pages: usize,
}

/// The acts open to a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Phase {
    /// Choose an action.
    Choose,
    /// Wait for others, after an action was chosen.
    Chosen,
    /// Wait for others.
    Wait,
    /// Nothing more.
    Ended,
}

/// The content of a page.
#[derive(Debug, Serialize)]
struct Look<'a> {
    schema: u32,
    version: String,
    problem: &'a str,
    agent: &'a str,
    game: u32,
    phase: Phase,
    shown: Option<&'a Shown>,
    entries: &'a [Entry],
    hints: bool,
    hint: Option<&'a str>,
    /// The action that was chosen.
    chosen: Option<&'a str>,
    /// The agents of people whose page was not opened yet.
    absent: Vec<&'a str>,
    end: Option<&'a Ending>,
    /// True if another game can be begun.
    may_go_on: bool,
}

impl Table {
    /// A table for these agents, by index and name.
    pub(super) fn new(
        run: String,
        problem: String,
        agents: &[(usize, String)],
        (games, at_once, hints): (u32, bool, bool),
    ) -> Self {
        let seats = agents.iter().map(|(agent, name)| Seat {
            agent: *agent,
            name: name.clone(),
            ..Seat::default()
        });
        Self {
            state: Mutex::new(State {
                seats: seats.collect(),
                ..State::default()
            }),
            changed: Condvar::new(),
            run,
            problem,
            games,
            at_once,
            hints,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state, and wakes everyone who waits for news.
    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.lock();
        let result = change(&mut state);
        state.version += 1;
        self.changed.notify_all();
        result
    }

    /// Begins a game with its number.
    pub(super) fn begin(&self, game: u32) {
        self.change(|state| {
            let seats = std::mem::take(&mut state.seats).into_iter();
            let seats = seats.map(|seat| Seat {
                agent: seat.agent,
                name: seat.name,
                is_here: seat.is_here,
                pages: seat.pages,
                ..Seat::default()
            });
            *state = State {
                version: state.version,
                game,
                begun: state.begun + 1,
                seats: seats.collect(),
                ..State::default()
            };
        });
    }

    /// Ends the game.
    pub(super) fn end(&self, reason: EndReason, words: &str) {
        self.change(|state| {
            state.asked = None;
            state.end = Some(Ending {
                reason,
                words: words.to_owned(),
            });
        });
    }

    /// Waits a moment for another game to be asked for. Returns true if one is.
    pub(super) fn waits_again(&self, moment: Duration) -> bool {
        let state = self.lock();
        let waited = self
            .changed
            .wait_timeout_while(state, moment, |state| !state.again);
        waited.map_or_else(|it| it.into_inner().0.again, |(state, _)| state.again)
    }

    /// Shows an agent a state.
    pub(super) fn look(&self, agent: usize, shown: &Shown) {
        self.change(|state| {
            if let Some(seat) = state.seat_of(agent) {
                seat.shown = Some(shown.clone());
                (seat.command, seat.hint) = (None, None);
            }
        });
    }

    pub(super) fn tell(&self, agent: usize, entry: Entry) {
        self.change(|state| {
            if let Some(seat) = state.seat_of(agent) {
                seat.entries.push(entry);
            }
        });
    }

    pub(super) fn hint(&self, agent: usize, hint: &str) {
        self.change(|state| {
            if let Some(seat) = state.seat_of(agent) {
                seat.hint = Some(hint.to_owned());
            }
        });
    }

    /// Asks an agent.
    pub(super) fn ask(&self, agent: usize, shown: &Shown) {
        self.change(|state| {
            state.asked = Some(agent);
            let Some(seat) = state.seat_of(agent) else {
                return;
            };
            let is_known = seat
                .shown
                .as_ref()
                .is_some_and(|known| known.number() == shown.number());
            if !is_known {
                (seat.command, seat.hint) = (None, None);
            }
            seat.shown = Some(shown.clone());
        });
    }

    /// Waits a moment for an answer to the one that is asked.
    pub(super) fn answer(&self, agent: usize, moment: Duration) -> Option<Reply> {
        let end = Instant::now() + moment;
        let mut state = self.lock();
        loop {
            if let Some(reply) = state.next_reply(agent) {
                state.version += 1;
                self.changed.notify_all();
                return Some(reply);
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The content of a seat's page, once it is other than at `version`, or after a while all the same.
    pub(super) fn news(
        &self,
        seat: usize,
        version: &str,
        most: Duration,
    ) -> Result<Vec<u8>, Refused> {
        let end = Instant::now() + most;
        let mut state = self.lock();
        if state.seats[seat].pages >= MOST_WAITING_PAGES {
            return Err(Refused(429, "too-many-pages", "too many pages are open"));
        }
        if !std::mem::replace(&mut state.seats[seat].is_here, true) {
            state.version += 1;
            self.changed.notify_all();
        }
        state.seats[seat].pages += 1;
        while self.version(&state) == version {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.seats[seat].pages -= 1;
        serde_json::to_vec(&self.shown(&state, seat))
            .map_err(|_| Refused(500, "internal", "the state cannot be written"))
    }

    fn version(&self, state: &State) -> String {
        format!("{}-{}", self.run, state.version)
    }

    fn phase(&self, state: &State, seat: &Seat) -> Phase {
        let may_choose = seat.shown.as_ref().is_some_and(|it| !it.actions.is_empty());
        if state.end.is_some() {
            Phase::Ended
        } else if seat.command.is_some() {
            Phase::Chosen
        } else if may_choose && (self.at_once || state.asked == Some(seat.agent)) {
            Phase::Choose
        } else {
            Phase::Wait
        }
    }

    fn shown<'a>(&'a self, state: &'a State, seat: usize) -> Look<'a> {
        let own = &state.seats[seat];
        let absent = state.seats.iter().filter(|seat| !seat.is_here);
        Look {
            schema: 1,
            version: self.version(state),
            problem: &self.problem,
            agent: &own.name,
            game: state.game,
            phase: self.phase(state, own),
            shown: own.shown.as_ref(),
            entries: &own.entries,
            hints: self.hints,
            hint: own.hint.as_deref(),
            chosen: own.command.as_deref(),
            absent: absent.map(|seat| &*seat.name).collect(),
            end: state.end.as_ref(),
            may_go_on: state.end.is_some() && self.may_go_on(state),
        }
    }

    fn may_go_on(&self, state: &State) -> bool {
        state.begun < self.games && !state.again
    }

    /// Takes a command of a seat, for the timestep and the attempt that it was shown.
    pub(super) fn act(
        &self,
        seat: usize,
        at: (u32, u32, u32),
        command: String,
    ) -> Result<(), Refused> {
        self.change(|state| {
            let own = &state.seats[seat];
            let (game, tick, attempt) = at;
            let shown = own.shown.as_ref().map(|it| (it.tick, it.attempt));
            if game != state.game || shown != Some((tick, attempt)) {
                return Err(Refused(409, "late", "the game has gone on"));
            }
            match self.phase(state, own) {
                Phase::Ended => Err(ENDED),
                Phase::Wait => Err(Refused(409, "not-your-turn", "it is not your turn")),
                Phase::Choose | Phase::Chosen => {
                    state.seats[seat].command = Some(command);
                    Ok(())
                }
            }
        })
    }

    /// Takes a message of a seat.
    pub(super) fn say(&self, seat: usize, text: String) -> Result<(), Refused> {
        self.change(|state| {
            if state.end.is_some() {
                return Err(ENDED);
            }
            if state.messages >= MOST_MESSAGES || state.waiting.len() >= MOST_WAITING {
                let why = "there are too many messages in this game";
                return Err(Refused(429, "too-many-messages", why));
            }
            state.messages += 1;
            let agent = state.seats[seat].agent;
            state.waiting.push_back(Reply::Talk(agent, text));
            Ok(())
        })
    }

    /// Takes the wish of a seat for a hint.
    pub(super) fn wants_hint(&self, seat: usize) -> Result<(), Refused> {
        self.change(|state| {
            let own = &state.seats[seat];
            if !self.hints {
                return Err(Refused(403, "no-hints", "this game has no hints"));
            }
            if self.phase(state, own) != Phase::Choose {
                return Err(Refused(409, "not-your-turn", "it is not your turn"));
            }
            let wish = Reply::Hint(own.agent);
            if state.waiting.len() < MOST_WAITING && !state.waiting.contains(&wish) {
                state.waiting.push_back(wish);
            }
            Ok(())
        })
    }

    /// Takes the wish for another game.
    pub(super) fn wants_again(&self, game: u32) -> Result<(), Refused> {
        self.change(|state| {
            // The other person may have asked for it first.
            if game == state.game && state.end.is_some() {
                if !self.may_go_on(state) {
                    return Err(Refused(409, "no-more-games", "there are no more games"));
                }
                state.again = true;
            }
            Ok(())
        })
    }
}

impl State {
    fn seat_of(&mut self, agent: usize) -> Option<&mut Seat> {
        self.seats.iter_mut().find(|seat| seat.agent == agent)
    }

    /// The next answer to an agent that is asked. What is said is shown to all at the table.
    fn next_reply(&mut self, agent: usize) -> Option<Reply> {
        match self.waiting.pop_front() {
            Some(Reply::Talk(from, text)) => {
                let tick = self.seat_of(agent)?.shown.as_ref().map_or(0, |it| it.tick);
                let name = self.seat_of(from)?.name.clone();
                for seat in &mut self.seats {
                    seat.entries.push(Entry {
                        tick,
                        kind: Kind::Said,
                        agent: name.clone(),
                        text: text.clone(),
                    });
                }
                Some(Reply::Talk(from, text))
            }
            Some(reply) => Some(reply),
            None => {
                let command = self.seat_of(agent)?.command.take()?;
                self.asked = None;
                Some(Reply::Command(command))
            }
        }
    }
}
