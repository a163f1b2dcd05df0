//! The policy `human`: a person decides for an agent, and is shown what a model would be shown.
//!
//! A [`Person`] is the place where somebody sits, as a terminal. What is shown there, and what is answered, is logged as
//! the question to a model and its answer are.

mod board;
mod hint;
mod journal;
mod keyboard;
mod setting;
mod shown;
mod terminal;

pub(super) use self::hint::Hints;
pub(super) use self::keyboard::Keyboard;
pub(super) use self::setting::Setting;
pub(super) use self::shown::{Entry, Kind, Shown};
pub(super) use self::terminal::Terminal;

use std::rc::Rc;

use self::journal::Journal;
use self::setting::Sight;
use crate::agents::{Action, Choice, Given, Observation, Policy, PolicyError, View};
use crate::episode::{EndReason, Lexicon, Outcome, Rule};
use crate::llm::Listener;
use crate::task::{OperatorId, OperatorKind, PackedTask};

/// A place where a person decides for an agent.
pub(super) trait Person {
    /// Shows what the agent sees at the beginning and after each timestep, before it is asked.
    fn look(&mut self, shown: &Shown);

    /// Adds to what the agent knows of the course of the episode.
    fn tell(&mut self, entry: Entry);

    /// Shows what the agent sees, and waits for an answer.
    fn ask(&mut self, shown: &Shown) -> Result<Reply, PolicyError>;

    /// Shows an agent the hint that was asked for.
    fn hint(&mut self, agent: usize, hint: &str);

    /// Says that the episode has ended.
    fn ended(&mut self, reason: EndReason);
}

/// An answer of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// The command of the agent that was asked.
    Command(String),
    /// An agent says something.
    Talk(usize, String),
    /// An agent asks for a hint.
    Hint(usize),
}

/// A person who decides for an agent.
pub(super) struct Human<'c> {
    agent: usize,
    person: Box<dyn Person + 'c>,
    setting: Rc<Setting>,
    hints: Rc<Hints<'c>>,
    lexicon: Lexicon,
    journal: Journal<'c>,
    /// The number of messages of this timestep that were passed on.
    heard: usize,
    /// The number of messages of models that were passed on.
    read: usize,
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
        Self {
            agent,
            person,
            setting,
            hints,
            lexicon: Lexicon::new(task),
            journal: Journal::new(task.agents[agent].name.clone(), listener),
            heard: 0,
            read: 0,
            waiting: 0,
        }
    }

    /// Passes on the messages of others, except those that were shown as they were said.
    fn hear(&mut self, view: &View<'_>) {
        let news = view.messages.get(self.heard..).unwrap_or_default();
        for said in news {
            if said.tick >= self.setting.resumed_at && !self.setting.is_at_table(said.from) {
                self.person.tell(Entry {
                    tick: said.tick,
                    kind: Kind::Said,
                    agent: view.task.agents[said.from].name.clone(),
                    text: said.text.clone(),
                });
            }
        }
        self.heard = view.messages.len();
        self.read_mail();
    }

    /// Passes on what models have said.
    fn read_mail(&mut self) {
        let mail = self.setting.mail_after(self.read);
        self.read += mail.len();
        for said in mail {
            self.person.tell(said);
        }
    }

    fn tell_refusal(&mut self, view: &View<'_>) {
        if let Some(refusal) = view.refusal {
            self.person.tell(Entry {
                tick: view.tick,
                kind: Kind::Refused,
                agent: view.task.agents[view.agent].name.clone(),
                text: refusal.to_owned(),
            });
        }
    }

    /// Passes on what was said before the log was resumed, and what was begun in a timestep.
    fn tell_step(&mut self, task: &PackedTask, tick: u32, joint: &[OperatorId]) {
        for said in self.setting.said_before(tick) {
            self.person.tell(said.clone());
        }
        for &operator in joint {
            let operator = task.operator(operator);
            let actor = usize::from(operator.agent);
            if operator.kind != OperatorKind::Continue && actor < task.players() {
                self.person.tell(Entry {
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
        if self.journal.begins(view.tick, view.attempt) {
            self.tell_refusal(view);
        }
        self.hear(view);
        let shown = self.setting.shown(&Sight::of(view));
        loop {
            let action = match self.person.ask(&shown)? {
                Reply::Command(command) => {
                    let outcome = self.outcome(view, &command);
                    self.journal.answered(&shown, &command, outcome);
                    Action::Text(command)
                }
                Reply::Talk(speaker, text) => Action::Talk(speaker, text),
                Reply::Hint(agent) => {
                    let hint = self.hints.hint(view.task, view.state, agent)?;
                    self.journal.hinted(&view.task.agents[agent].name, &hint);
                    self.person.hint(agent, &hint);
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
        self.journal.settle();
        self.read_mail();
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
        self.person.look(&shown);
    }

    fn ended(&mut self, reason: EndReason) {
        if !reason.is_cut_short() {
            self.journal.settle();
        }
        self.person.ended(reason);
    }
}
