//! The state of a full screen: what each person is shown, the line that is typed, and what keys do.

use std::collections::BTreeMap;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::input::Input;
use super::pane::Pane;
use crate::cli::human::Reply;
use crate::cli::human::hint;
use crate::cli::human::shown::{Entry, Number, Shown};
use crate::cli::human::typed::{self, TALK, Typed, WORDS};
use crate::diagnostics::words::counted;

/// The lines that a page key scrolls by.
const PAGE: usize = 10;

/// The news for a screen.
#[derive(Clone, Debug)]
pub(super) enum News {
    /// An agent sees this.
    Look(usize, Box<Shown>),
    /// Something has happened that an agent knows of.
    Tell(usize, Entry),
    /// An agent is to choose.
    Ask(usize, Box<Shown>),
    /// A hint that was asked for.
    Hint(String),
    /// The game has ended, and how.
    Ended(String),
}

/// The answer of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Reply(Reply),
    /// The person leaves.
    Left,
}

/// The part of a screen that is one agent's.
#[derive(Clone, Debug, Default)]
pub(super) struct Side {
    pub(super) shown: Option<Shown>,
    pub(super) history: Vec<Entry>,
    /// The state of the question before, which changes are marked against.
    pub(super) before: Option<Vec<String>>,
    /// The timestep of the last question, with its state.
    asked: Option<(u32, Vec<String>)>,
}

/// The state of a screen.
#[derive(Clone, Debug, Default)]
pub(super) struct View {
    sides: BTreeMap<usize, Side>,
    /// The agent whose side is shown.
    current: usize,
    /// The last question: the agent, and its number.
    question: Option<(usize, Number)>,
    /// True while an answer is waited for.
    pub(super) is_asked: bool,
    pub(super) focus: Pane,
    /// The lines by which each pane is scrolled.
    pub(super) scroll: BTreeMap<Pane, usize>,
    pub(super) input: Input,
    /// The last message to the person.
    pub(super) note: String,
    pub(super) shows_help: bool,
    /// How the game has ended.
    pub(super) ended: Option<String>,
}

impl View {
    /// The side that is shown.
    pub(super) fn side(&self) -> Option<&Side> {
        self.sides.get(&self.current)
    }

    /// The actions that can be taken now.
    pub(super) fn actions(&self) -> &[String] {
        let shown = self.side().and_then(|side| side.shown.as_ref());
        shown.map_or(&[], |shown| &shown.actions)
    }

    /// Takes news in.
    pub(super) fn receive(&mut self, news: News) {
        match news {
            News::Look(agent, shown) => {
                let side = self.sides.entry(agent).or_default();
                side.looks(*shown, false);
            }
            News::Tell(agent, entry) => self.sides.entry(agent).or_default().history.push(entry),
            News::Ask(agent, shown) => {
                let question = (agent, shown.number());
                let is_new = self.question.replace(question) != Some(question);
                let side = self.sides.entry(agent).or_default();
                if is_new {
                    self.note = match &shown.refusal {
                        _ if shown.dialog.is_some() => TALK.to_owned(),
                        Some(refusal) => {
                            let left = shown.retries.saturating_sub(shown.attempt) + 1;
                            let left = counted(left, "attempt");
                            format!("refused: {refusal} (you have {left} left in this step)")
                        }
                        None if side.asked.is_none() => {
                            shown.introduction().trim_end().replace('\n', " ")
                        }
                        None => String::new(),
                    };
                    self.scroll.clear();
                }
                side.looks(*shown, true);
                self.current = agent;
                self.is_asked = true;
            }
            News::Hint(hint) => self.note = hint::line(&hint),
            News::Ended(how) => {
                self.is_asked = false;
                self.note = format!("{how}. Enter leaves");
                self.ended = Some(how);
            }
        }
    }

    /// Takes pasted text in.
    pub(super) fn paste(&mut self, text: &str) {
        self.input.insert(text);
    }

    /// Does what a key means. An answer may come of it.
    pub(super) fn press(&mut self, key: KeyEvent) -> Option<Answer> {
        if key.kind == KeyEventKind::Release {
            return None;
        }
        if std::mem::take(&mut self.shows_help) {
            return None;
        }
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        let is_alt = key.modifiers.contains(KeyModifiers::ALT);
        match (key.code, is_control) {
            (KeyCode::Enter, _) => return self.enter(),
            (KeyCode::Char('d'), true) if self.input.text().is_empty() => {
                return Some(Answer::Left);
            }
            (KeyCode::F(2), _) if !self.must_wait(&Typed::Hint) => return self.act(Typed::Hint),
            (KeyCode::F(1), _) => self.shows_help = true,
            (KeyCode::Tab, _) => self.complete(true),
            (KeyCode::BackTab, _) => self.complete(false),
            (KeyCode::F(6), _) | (KeyCode::Char('n'), true) => self.focus = self.focus.next(true),
            (KeyCode::Char('p'), true) => self.focus = self.focus.next(false),
            (KeyCode::Up, _) => self.scroll_by(1, true),
            (KeyCode::Down, _) => self.scroll_by(1, false),
            (KeyCode::PageUp, _) => self.scroll_by(PAGE, true),
            (KeyCode::PageDown, _) => self.scroll_by(PAGE, false),
            (KeyCode::Left, _) => self.input.left(),
            (KeyCode::Right, _) => self.input.right(),
            (KeyCode::Home, _) | (KeyCode::Char('a'), true) => self.input.home(),
            (KeyCode::End, _) | (KeyCode::Char('e'), true) => self.input.end(),
            (KeyCode::Backspace, _) | (KeyCode::Char('h'), true) => self.input.backspace(),
            (KeyCode::Delete, _) | (KeyCode::Char('d'), true) => self.input.delete(),
            (KeyCode::Esc, _) | (KeyCode::Char('u'), true) => self.input.set(""),
            (KeyCode::Char('w'), true) => self.input.delete_word(),
            (KeyCode::Char(letter), false) if !is_alt => self.input.insert(&letter.to_string()),
            _ => {}
        }
        None
    }

    fn complete(&mut self, forward: bool) {
        let words = WORDS.into_iter().map(str::to_owned);
        let candidates: Vec<String> = self.actions().iter().cloned().chain(words).collect();
        if !self.input.complete(&candidates, forward) {
            "no action and no command begins like that".clone_into(&mut self.note);
        }
    }

    /// Scrolls the pane with the focus, to earlier lines or to later ones.
    fn scroll_by(&mut self, lines: usize, earlier: bool) {
        let scroll = self.scroll.entry(self.focus).or_default();
        *scroll = if earlier == self.focus.is_at_end() {
            scroll.saturating_add(lines)
        } else {
            scroll.saturating_sub(lines)
        };
    }

    fn enter(&mut self) -> Option<Answer> {
        if self.ended.is_some() {
            return Some(Answer::Left);
        }
        let typed = typed::read(self.input.text(), self.actions());
        if self.must_wait(&typed) {
            return None;
        }
        self.input.set("");
        self.act(typed)
    }

    /// Returns true, and says so, if a line has to wait for the agent's turn.
    fn must_wait(&mut self, typed: &Typed) -> bool {
        let is_for_turn = matches!(
            typed,
            Typed::Hint | Typed::Say(_) | Typed::Action(_) | Typed::Wrong(_)
        );
        let must_wait = is_for_turn && !self.is_asked;
        if must_wait {
            "it is not your turn yet".clone_into(&mut self.note);
        }
        must_wait
    }

    /// Does what a line says.
    fn act(&mut self, typed: Typed) -> Option<Answer> {
        let agent = self.current;
        let reply = match typed {
            Typed::Nothing => return None,
            Typed::Quit => return Some(Answer::Left),
            Typed::Help => {
                self.shows_help = true;
                return None;
            }
            Typed::State => {
                self.focus = Pane::State;
                return None;
            }
            Typed::History => {
                self.focus = Pane::History;
                return None;
            }
            Typed::Wrong(why) => {
                self.note = why;
                return None;
            }
            Typed::Hint => {
                "the planner looks for a hint …".clone_into(&mut self.note);
                Reply::Hint(agent)
            }
            Typed::Say(text) => {
                let side = self.sides.entry(agent).or_default();
                let said = side.shown.as_ref().map(|shown| shown.said(&text));
                side.history.extend(said);
                self.note.clear();
                Reply::Talk(agent, text)
            }
            Typed::Action(command) => {
                self.note.clear();
                Reply::Command(command)
            }
        };
        self.is_asked = false;
        Some(Answer::Reply(reply))
    }
}

impl Side {
    /// Shows the agent what it sees, as a question or before one.
    fn looks(&mut self, shown: Shown, is_asked: bool) {
        if self
            .asked
            .as_ref()
            .is_none_or(|(tick, _)| *tick != shown.tick)
        {
            self.before = self.asked.as_ref().map(|(_, state)| state.clone());
            if is_asked {
                self.asked = Some((shown.tick, shown.state.clone()));
            }
        }
        self.shown = Some(shown);
    }
}
