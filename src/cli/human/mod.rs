//! The policy `human`: a person decides for an agent, and is shown what a model would be shown.
//!
//! A [`Person`] is the place where somebody sits, as a terminal. What is shown there, and what is answered, is logged as
//! the question to a model and its answer are.

mod board;
mod conversation;
mod hint;
mod journal;
mod keyboard;
mod person;
mod place;
#[cfg(feature = "full-screen")]
mod screen;
mod seated;
mod setting;
mod shown;
mod terminal;
mod typed;

pub(super) use self::hint::Hints;
pub(super) use self::person::{Person, Reply};
pub(super) use self::place::Place;
pub(super) use self::setting::Setting;
#[cfg(feature = "serve")]
pub(super) use self::shown::Shown;
pub(super) use self::shown::{Entry, Kind};

use std::cell::RefCell;
use std::rc::Rc;

use self::conversation::Conversation;
use self::journal::Journal;
use self::seated::Seated;
use self::setting::Sight;
use crate::agents::{Action, Choice, Given, Observation, Policy, PolicyError, View};
use crate::episode::{EndReason, Lexicon, Outcome, Rule};
use crate::llm::{Listener, Partner};
use crate::task::{OperatorId, OperatorKind, PackedTask};

/// A person who decides for an agent.
pub(super) struct Human<'c> {
    agent: usize,
    seated: Rc<RefCell<Seated<'c>>>,
    setting: Rc<Setting>,
    hints: Rc<Hints<'c>>,
    lexicon: Lexicon,
    /// The number of messages of this timestep that were passed on.
    heard: usize,
    /// For how many further timesteps the agent has asked to wait.
    waiting: u32,
}

impl<'c> Human<'c> {
    /// A person who decides for an agent; what happens is reported to `listener`.
    pub(super) fn new(
        (agent, task): (usize, &PackedTask),
        person: Box<dyn Person + 'c>,
        setting: Rc<Setting>,
        hints: Rc<Hints<'c>>,
        listener: Listener<'c>,
    ) -> Self {
        let name = |agent: usize| task.agents[agent].name.clone();
        let heard = (0..task.players())
            .filter(|&other| other == agent || setting.is_at_table(other))
            .map(name);
        let journal = Journal::new(name(agent), listener);
        let seated = Seated::new(person, journal, heard.collect());
        Self {
            agent,
            seated: Rc::new(RefCell::new(seated)),
            setting,
            hints,
            lexicon: Lexicon::new(task),
            heard: 0,
            waiting: 0,
        }
    }

    /// The part of the person in conversations of agents that ask models.
    pub(super) fn partner(&self) -> Box<dyn Partner + 'c> {
        Box::new(Conversation {
            seated: Rc::clone(&self.seated),
            setting: Rc::clone(&self.setting),
            hints: Rc::clone(&self.hints),
        })
    }

    /// Passes on the messages of others, except those that were shown as they were said.
    fn hear(&mut self, view: &View<'_>) {
        let news = view.messages.get(self.heard..).unwrap_or_default();
        let mut seated = self.seated.borrow_mut();
        for said in news {
            if said.tick >= self.setting.resumed_at && !self.setting.is_at_table(said.from) {
                seated.person.tell(Entry {
                    tick: said.tick,
                    kind: Kind::Said,
                    agent: view.task.agents[said.from].name.clone(),
                    text: said.text.clone(),
                });
            }
        }
        seated.read_mail(&self.setting);
        self.heard = view.messages.len();
    }

    fn tell(&self, entry: Entry) {
        self.seated.borrow_mut().person.tell(entry);
    }

    fn tell_refusal(&self, view: &View<'_>) {
        if let Some(refusal) = view.refusal {
            self.tell(Entry {
                tick: view.tick,
                kind: Kind::Refused,
                agent: view.task.agents[view.agent].name.clone(),
                text: refusal.to_owned(),
            });
        }
    }

    /// Passes on what was said before the log was resumed, and what was begun in a timestep.
    fn tell_step(&self, task: &PackedTask, tick: u32, joint: &[OperatorId]) {
        for said in self.setting.said_before(tick) {
            self.tell(said.clone());
        }
        for &operator in joint {
            let operator = task.operator(operator);
            let actor = usize::from(operator.agent);
            if operator.kind != OperatorKind::Continue && actor < task.players() {
                self.tell(Entry {
                    tick,
                    kind: Kind::Did,
                    agent: task.agents[actor].name.clone(),
                    text: operator.text.clone(),
                });
            }
        }
    }

    /// The outcome of a command.
    fn outcome(&mut self, view: &View<'_>, command: &str) -> Outcome {
        let lexicon = &self.lexicon;
        match lexicon.resolve(view.task, view.state, view.agent, command) {
            Ok(command) => {
                self.waiting = command.repeat;
                Outcome::Ok
            }
            Err(refusal) if refusal.rule == Rule::Malformed => Outcome::Unparseable,
            Err(_) => Outcome::IllegalAction,
        }
    }
}

impl Policy for Human<'_> {
    fn choose(&mut self, view: &View<'_>) -> Result<Choice, PolicyError> {
        // It is asked again in the same attempt after it has said something.
        let begins = self
            .seated
            .borrow_mut()
            .journal
            .begins(view.tick, view.attempt);
        if begins {
            self.tell_refusal(view);
        }
        self.hear(view);
        let shown = self.setting.shown(&Sight::of(view));
        let seated = Rc::clone(&self.seated);
        let mut seated = seated.borrow_mut();
        loop {
            let reply = match seated.later.pop_front() {
                Some(reply) => reply,
                None => seated.person.ask(&shown)?,
            };
            let action = match reply {
                Reply::Command(command) => {
                    let outcome = self.outcome(view, &command);
                    seated.journal.answered(&shown, &command, outcome);
                    Action::Text(command)
                }
                Reply::Talk(speaker, text) => Action::Talk(speaker, text),
                Reply::Hint(agent) => {
                    seated.hint(&self.hints, (view.task, view.state), agent)?;
                    continue;
                }
            };
            return Ok(Choice {
                action,
                message: None,
            });
        }
    }

    fn recall(&mut self, view: &View<'_>, given: &Given<'_>) {
        self.tell_refusal(view);
        self.outcome(view, given.command);
    }

    fn observe(&mut self, observation: &Observation<'_>) {
        let task = observation.task;
        {
            let mut seated = self.seated.borrow_mut();
            seated.journal.settle();
            seated.read_mail(&self.setting);
        }
        self.heard = 0;
        self.waiting = self.waiting.saturating_sub(1);
        if let Some(tick) = observation.tick.checked_sub(1) {
            self.tell_step(task, tick, observation.joint);
        }
        let mut shown = self.setting.shown(&Sight {
            task,
            agent: self.agent,
            tick: observation.tick,
            attempt: 0,
            state: observation.state,
            refusal: None,
        });
        if self.waiting > 0 {
            shown.actions.clear();
        }
        self.seated.borrow_mut().person.look(&shown);
    }

    fn ended(&mut self, reason: EndReason) {
        let mut seated = self.seated.borrow_mut();
        if !reason.is_cut_short() {
            seated.journal.settle();
        }
        seated.person.ended(reason);
    }
}
