//! Asks an agent for its action in a timestep: its commands are understood or refused, its messages delivered.

use super::command::{admit, display, is_continue, unreadable};
use super::event::{Consequence, Event, Refused, Said};
use super::halt::{Break, Halt};
use super::refusal::Refusal;
use super::rules::OnInvalid;
use super::sink::Sink;
use super::state::Episode;
use crate::agents::{Action, Message, Policy, PolicyError, View, idle};
use brigade_task::{OperatorId, State};

/// The reason why a message alone is no command.
const ONLY_TALK: &str = "it says something, and does nothing";

/// The reason why an agent cannot let others act first.
const NOT_LATER: &str = "no others are left who would act first";

/// The result of asking one agent.
pub(super) struct Answer {
    pub(super) operator: OperatorId,
    pub(super) command: Option<String>,
    pub(super) refused: u32,
    pub(super) drops_joint: bool,
}

impl Answer {
    /// An answer without a command.
    const fn unasked(operator: OperatorId) -> Self {
        Self {
            operator,
            command: None,
            refused: 0,
            drops_joint: false,
        }
    }

    pub(super) fn commands(&self) -> usize {
        self.refused as usize + usize::from(self.command.is_some())
    }
}

impl Episode<'_> {
    /// Returns the action of an agent in this timestep: the one it has begun, or the one its policy chooses. `None`
    /// where it lets others act first.
    pub(super) fn ask<S: Sink>(
        &mut self,
        agent: usize,
        state: &State,
        policy: &mut (dyn Policy + '_),
        may_be_later: bool,
        sink: &mut S,
    ) -> Result<Option<Answer>, Break<S::Error>> {
        let task = self.task;
        if self.is_of_nature(agent) {
            let drawn = self.drawn(agent, state, policy).map_err(Break::Halt)?;
            return Ok(Some(Answer::unasked(drawn)));
        }
        let legal: Vec<OperatorId> = task.applicable(state, agent).collect();
        if let Some(operator) = self.unasked(agent, &legal).map_err(Break::Halt)? {
            return Ok(Some(Answer::unasked(operator)));
        }
        let known = self.known.clone();
        let shown: Vec<OperatorId> = task.applicable_as_known(state, agent).collect();
        let mut messages = std::mem::take(&mut self.inbox[agent]);
        let mut refusal: Option<String> = None;
        let mut attempt = 0;
        loop {
            let view = View {
                task: known.as_deref().unwrap_or(task),
                agent,
                tick: self.tick,
                attempt,
                state,
                legal: &shown,
                messages: &messages,
                refusal: refusal.as_deref(),
            };
            let choice = policy
                .choose(&view)
                .map_err(|error| Break::Halt(self.halted(agent, error)))?;
            if let Some(text) = choice.message {
                self.say(agent, text, sink).map_err(Break::Sink)?;
            }
            if let Action::Talk(speaker, text) = choice.action {
                self.say(speaker, text, sink).map_err(Break::Sink)?;
                messages.append(&mut self.inbox[agent]);
                continue;
            }
            if may_be_later && attempt == 0 && choice.action == Action::Later {
                let heard = std::mem::replace(&mut self.inbox[agent], messages);
                self.inbox[agent].extend(heard);
                return Ok(None);
            }
            let (command, understood) = self.understand(agent, state, choice.action);
            let refused = match understood {
                Ok((operator, repeat)) => {
                    self.waiting[agent] = repeat - 1;
                    return Ok(Some(Answer {
                        operator,
                        command: Some(command),
                        refused: attempt,
                        drops_joint: false,
                    }));
                }
                Err(refused) => refused,
            };
            attempt += 1;
            let idle = idle(task, legal.iter().copied());
            let then = match self.rules.on_invalid {
                OnInvalid::Ask if attempt <= self.rules.retries => Consequence::AskedAgain,
                _ if idle.is_none() => Consequence::Ended,
                OnInvalid::Ask | OnInvalid::Wait => Consequence::Waited,
                OnInvalid::DropJoint => Consequence::JointDropped,
            };
            let message = refused.to_string();
            self.report(agent, refused, then, sink)
                .map_err(Break::Sink)?;
            if then != Consequence::AskedAgain {
                return Ok(Some(Answer {
                    operator: idle.ok_or_else(|| Break::Halt(self.cannot_wait(agent)))?,
                    command: None,
                    refused: attempt,
                    drops_joint: then == Consequence::JointDropped,
                }));
            }
            refusal = Some(message);
        }
    }

    /// Returns the action that chance draws for an agent of nature.
    pub(super) fn drawn(
        &self,
        agent: usize,
        state: &State,
        policy: &mut (dyn Policy + '_),
    ) -> Result<OperatorId, Halt> {
        let legal: Vec<OperatorId> = self.task.applicable(state, agent).collect();
        let choice = policy.choose(&View {
            task: self.task,
            agent,
            tick: self.tick,
            attempt: 0,
            state,
            legal: &legal,
            messages: &[],
            refusal: None,
        });
        let choice = choice.map_err(|error| self.halted(agent, error))?;
        match self.understand(agent, state, choice.action) {
            (_, Ok((operator, _))) => Ok(operator),
            (_, Err(refusal)) => {
                let why = PolicyError::Failed(refusal.to_string());
                Err(self.halted(agent, why))
            }
        }
    }

    /// Returns the action of an agent that need not be asked: it has only one way to go on, or still waits.
    fn unasked(&mut self, agent: usize, legal: &[OperatorId]) -> Result<Option<OperatorId>, Halt> {
        if let [only] = legal
            && is_continue(self.task, *only)
        {
            return Ok(Some(*only));
        }
        if legal.is_empty() {
            return Err(self.stuck(agent));
        }
        let wait = self.task.agents[agent].wait;
        let wait = wait.filter(|wait| self.waiting[agent] > 0 && legal.contains(wait));
        self.waiting[agent] = match wait {
            Some(_) => self.waiting[agent] - 1,
            None => 0,
        };
        Ok(wait)
    }

    fn understand(
        &self,
        agent: usize,
        state: &State,
        action: Action,
    ) -> (String, Result<(OperatorId, u32), Box<Refusal>>) {
        let (task, lexicon) = (self.task, &self.lexicon);
        match action {
            Action::Operator(operator) => {
                let text = display(task, operator);
                let admitted = admit(task, state, agent, operator, &text);
                (text, admitted.map(|()| (operator, 1)))
            }
            Action::Text(text) => {
                let command = lexicon.resolve(task, state, agent, &text);
                (text, command.map(|c| (c.operator, c.repeat)))
            }
            Action::Later => {
                let refusal = unreadable(task, state, agent, "later", NOT_LATER.to_owned());
                ("later".to_owned(), Err(Box::new(refusal)))
            }
            Action::Talk(_, said) => {
                let refusal = unreadable(task, state, agent, &said, ONLY_TALK.to_owned());
                (said, Err(Box::new(refusal)))
            }
            Action::Unreadable(answer, why) => {
                let refusal = unreadable(task, state, agent, &answer, why);
                (answer, Err(Box::new(refusal)))
            }
        }
    }

    fn say<S: Sink>(&mut self, agent: usize, text: String, sink: &mut S) -> Result<(), S::Error> {
        let said = Event::Message(Said {
            tick: self.tick,
            agent: self.name(agent),
            text: text.clone(),
        });
        sink.record(&said, &self.state)?;
        self.deliver(&Message {
            tick: self.tick,
            from: agent,
            text,
        });
        Ok(())
    }

    /// Puts a message before everyone else.
    pub(super) fn deliver(&mut self, message: &Message) {
        for (agent, inbox) in self.inbox.iter_mut().enumerate() {
            if agent != message.from {
                inbox.push(message.clone());
            }
        }
    }

    fn report<S: Sink>(
        &mut self,
        agent: usize,
        refusal: Box<Refusal>,
        then: Consequence,
        sink: &mut S,
    ) -> Result<(), S::Error> {
        self.refused += 1;
        let refused = Event::Error(Refused {
            tick: self.tick,
            agent: self.name(agent),
            message: refusal.to_string(),
            command: refusal.command,
            rule: refusal.rule,
            action: refusal.operator,
            reasons: refusal.reasons,
            then,
        });
        sink.record(&refused, &self.state)
    }
}
