//! A person at a terminal, line by line. It works through pipes as well.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::rc::Rc;

use super::board;
use super::keyboard::{Keyboard, LEFT};
use super::shown::{Entry, Kind, Shown};
use super::{Person, Reply};
use crate::agents::PolicyError;
use crate::cli::printer::Printer;
use crate::diagnostics::words::{counted, presentable};
use crate::episode::EndReason;
use crate::search::Control;

const HELP: &str = "  NUMBER or an action   take it; where one can wait, wait(3) waits three steps
  say TEXT              tell the others something
  hint                  the best action by the planner, and how far the goal is
  state                 all that you see
  history               what was done and said so far
  help                  this list
  quit                  leave; `--resume` continues the game
";

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
    /// The timestep that it was last asked in, with the attempt.
    asked: Option<(u32, u32)>,
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
            text.push_str(&line(entry, &shown.agent));
        }
        self.printed = self.history.len();
        if self.asked.is_none_or(|(tick, _)| tick != shown.tick) {
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
            if let Some(board) = shown.board.as_ref().and_then(board::text) {
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
        text.push_str(&actions(shown));
        self.asked = Some((shown.tick, shown.attempt));
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
        if self.asked != Some((shown.tick, shown.attempt)) || self.printed < self.history.len() {
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
            let (word, rest) = typed
                .split_once(char::is_whitespace)
                .unwrap_or((&typed, ""));
            match (word, rest.trim()) {
                ("", _) => {}
                ("help" | "?", "") => self.print(HELP),
                ("quit" | "exit", "") => return Err(LEFT),
                ("state", "") => self.print(&format!("{}{}", state(shown), actions(shown))),
                ("history", "") => {
                    let lines = self.history.iter().map(|it| line(it, &shown.agent));
                    self.print(&lines.collect::<String>());
                }
                ("hint", "") => return Ok(Reply::Hint(self.agent)),
                ("say", "") => self.print("say what? `say TEXT`\n"),
                ("say", text) => {
                    self.history.push(Entry {
                        tick: shown.tick,
                        kind: Kind::Said,
                        agent: shown.agent.clone(),
                        text: text.to_owned(),
                    });
                    self.printed = self.history.len();
                    return Ok(Reply::Talk(self.agent, text.to_owned()));
                }
                _ => match typed.parse::<usize>() {
                    Err(_) => return Ok(Reply::Command(typed)),
                    Ok(number) => {
                        match number.checked_sub(1).and_then(|at| shown.actions.get(at)) {
                            Some(action) => return Ok(Reply::Command(action.clone())),
                            None => self.print(&format!(
                                "there is no action {number}: they have the numbers 1 to {}\n",
                                shown.actions.len()
                            )),
                        }
                    }
                },
            }
        }
    }

    fn hint(&mut self, _: usize, hint: &str) {
        self.print(&format!("hint: {}\n", presentable(hint)));
    }

    fn ended(&mut self, _: EndReason) {
        if self.asked.is_some() {
            let news = self.history[self.printed..].iter();
            let news: String = news.map(|entry| line(entry, &self.name)).collect();
            self.print(&news);
        }
    }
}

/// An entry as a line.
fn line(entry: &Entry, own: &str) -> String {
    let who = match &*entry.agent {
        agent if agent == own => "you",
        agent => agent,
    };
    let text = presentable(&entry.text);
    match entry.kind {
        Kind::Did => format!("[{}] {who}: {text}\n", entry.tick),
        Kind::Said => format!("[{}] {who}: \"{text}\"\n", entry.tick),
        Kind::Refused => format!("[{}] refused: {text}\n", entry.tick),
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

/// The lines that are new, and those that hold no more.
fn changes(before: &[String], now: &[String]) -> String {
    let (old, new): (BTreeSet<&String>, BTreeSet<&String>) =
        (before.iter().collect(), now.iter().collect());
    let gone = before.iter().filter(|line| !new.contains(line));
    let come = now.iter().filter(|line| !old.contains(line));
    let gone = gone.map(|line| format!("  - {line}\n"));
    let text: String = gone
        .chain(come.map(|line| format!("  + {line}\n")))
        .collect();
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
