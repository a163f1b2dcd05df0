//! A person at a terminal, line by line. It works through pipes as well.

use std::io::IsTerminal;
use std::rc::Rc;

use super::board;
use super::hint;
use super::keyboard::{Keyboard, LEFT};
use super::shown::{Entry, Number, Shown, changed};
use super::typed::{self, HELP, TALK, Typed};
use super::{Person, Reply};
use crate::agents::PolicyError;
use crate::cli::printer::Printer;
use crate::diagnostics::words::{counted, presentable};
use crate::episode::EndReason;
use crate::search::Control;

/// The most letters of a line of a board.
const MOST_WIDE: usize = 100;

/// A person at a terminal.
pub(in crate::cli) struct Terminal<'c> {
    printer: &'c Printer,
    keyboard: Rc<Keyboard>,
    control: &'c dyn Control,
    agent: usize,
    name: String,
    history: Vec<Entry>,
    /// The number of entries that were printed.
    printed: usize,
    /// The lines of the state that was printed last.
    before: Option<Vec<String>>,
    /// The number of its last question.
    asked: Option<Number>,
}

impl<'c> Terminal<'c> {
    /// A person who decides for an agent. Several can share a keyboard.
    pub(in crate::cli) fn new(
        printer: &'c Printer,
        keyboard: Rc<Keyboard>,
        control: &'c dyn Control,
        (agent, name): (usize, String),
    ) -> Self {
        Self {
            printer,
            keyboard,
            control,
            agent,
            name,
            history: Vec::new(),
            printed: 0,
            before: None,
            asked: None,
        }
    }

    fn print(&self, text: &str) {
        self.printer.dialogue(text);
    }

    /// Prints the question, in full at first, and later what has changed.
    fn print_question(&mut self, shown: &Shown) {
        let mut text = String::new();
        if self.before.is_none() {
            text.push_str(&format!("\n{}", shown.introduction()));
            // A game that is resumed has a long history.
            if shown.tick > 0 {
                self.printed = self.history.len();
                text.push_str("`history` shows what was done and said before\n");
            }
        }
        for entry in &self.history[self.printed..] {
            text.push_str(&format!("{}\n", entry.line(&shown.agent)));
        }
        self.printed = self.history.len();
        if self.asked.is_none_or(|it| it.tick != shown.tick) {
            let who = match &*shown.agent {
                "" => String::new(),
                agent => format!(" of {agent}"),
            };
            text.push_str(&format!(
                "\n== step {}{who}, of {} at most\n",
                shown.tick, shown.max_ticks
            ));
            match &self.before {
                None => text.push_str(&state(shown)),
                Some(before) => text.push_str(&changes(before, &shown.state)),
            }
            if let Some(board) = shown
                .board
                .as_ref()
                .and_then(|it| board::text(it, MOST_WIDE))
            {
                text.push_str(&format!("\n{board}"));
            }
            for busy in &shown.busy {
                text.push_str(&format!("still under way: {busy}\n"));
            }
        }
        let left = shown.retries.saturating_sub(shown.attempt);
        if shown.attempt > 0 {
            let left = counted(left + 1, "attempt");
            text.push_str(&format!("you have {left} left in this step\n"));
        }
        if shown.dialog.is_some() {
            text.push_str(&format!("{TALK}\n"));
        }
        text.push_str(&actions(shown));
        self.asked = Some(shown.number());
        self.before = Some(shown.state.clone());
        self.print(&text);
    }
}

impl Person for Terminal<'_> {
    fn look(&mut self, _: &Shown) {}

    fn tell(&mut self, entry: Entry) {
        self.history.push(entry);
    }

    fn ask(&mut self, shown: &Shown) -> Result<Reply, PolicyError> {
        if self.asked != Some(shown.number()) || self.printed < self.history.len() {
            self.print_question(shown);
        }
        loop {
            self.print("> ");
            let Some(typed) = self.keyboard.line(self.control)? else {
                self.print("\n");
                return Err(LEFT);
            };
            if !std::io::stdin().is_terminal() {
                self.print(&format!("{}\n", presentable(&typed)));
            }
            match typed::read(&typed, &shown.actions) {
                Typed::Nothing => {}
                Typed::Help => self.print(HELP),
                Typed::Quit => return Err(LEFT),
                Typed::State => self.print(&format!("{}{}", state(shown), actions(shown))),
                Typed::History => {
                    let lines = self.history.iter().map(|it| it.line(&shown.agent) + "\n");
                    self.print(&lines.collect::<String>());
                }
                Typed::Hint => return Ok(Reply::Hint(self.agent)),
                Typed::Wrong(why) => self.print(&format!("{why}\n")),
                Typed::Say(text) => {
                    self.history.push(shown.said(&text));
                    self.printed = self.history.len();
                    return Ok(Reply::Talk(self.agent, text));
                }
                Typed::Action(command) => return Ok(Reply::Command(command)),
            }
        }
    }

    fn hint(&mut self, _: usize, hint: &str) {
        self.print(&format!("{}\n", hint::line(hint)));
    }

    fn ended(&mut self, _: EndReason) {
        if self.asked.is_some() {
            let news = self.history[self.printed..].iter();
            let news: String = news.map(|entry| entry.line(&self.name) + "\n").collect();
            self.print(&news);
        }
    }
}

/// All that the agent sees.
fn state(shown: &Shown) -> String {
    let mut text: String = shown.state.iter().map(|line| format!("{line}\n")).collect();
    if let Some(goal) = &shown.goal {
        text.push_str(&format!("\nGoal: {goal}\n"));
    }
    text
}

/// The lines that hold no more, and those that are new.
fn changes(before: &[String], now: &[String]) -> String {
    let gone = changed(before, now).map(|line| format!("  - {line}\n"));
    let come = changed(now, before).map(|line| format!("  + {line}\n"));
    let text: String = gone.chain(come).collect();
    if text.is_empty() {
        "nothing that you see has changed\n".to_owned()
    } else {
        text
    }
}

/// The actions by number.
fn actions(shown: &Shown) -> String {
    let actions = shown.actions.iter().enumerate();
    let actions = actions.map(|(at, action)| format!("{:3}  {action}\n", at + 1));
    format!("\n{}", actions.collect::<String>())
}
