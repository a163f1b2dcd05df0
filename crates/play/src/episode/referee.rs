//! The referee: asks the agents, steps the task, reports every event.

use super::command::{Lexicon, admit, display, is_continue, unreadable};
use super::event::{
    Chosen, Consequence, End, EndReason, Event, Header, Labelled, Player, Refused, SCHEMA, Said,
    Step,
};
use super::refusal::Refusal;
use super::rules::{OnInvalid, Rules};
use crate::agents::{
    Action, Message, Observation, Policy, PolicyError, View, idle, is_clairvoyant,
};
use brigade_diagnostics::words::agent_name;
use brigade_search::StopReason;
use brigade_task::effect::Record;
use brigade_task::facts;
use brigade_task::step::Status;
use brigade_task::totals::{self, Totals};
use brigade_task::{OperatorId, PackedTask, State, StateBuf, TurnMode};
use std::collections::VecDeque;
use std::sync::Arc;

/// The error of an episode whose costs cannot be summed.
const COST_TOO_LARGE: &str = "the costs pass 2^63-1, the greatest sum that is exact";

/// The reason why a message alone is no command.
const ONLY_TALK: &str = "it says something, and does nothing";

/// The reason why an agent cannot let others act first.
const NOT_LATER: &str = "no others are left who would act first";

/// A sink for events.
pub trait Sink {
    /// The error of the sink.
    type Error;

    /// Takes an event; `state` is how things stand after it.
    fn record(&mut self, event: &Event, state: &State) -> Result<(), Self::Error>;
}

impl Sink for Vec<Event> {
    type Error = std::convert::Infallible;

    fn record(&mut self, event: &Event, _: &State) -> Result<(), Self::Error> {
        self.push(event.clone());
        Ok(())
    }
}

/// An episode in progress.
#[derive(Clone, Debug)]
pub struct Episode<'a> {
    pub(super) task: &'a PackedTask,
    /// The task as agents know it, where they do not know all of it.
    pub(super) known: Option<Arc<PackedTask>>,
    pub(super) rules: Rules,
    pub(super) lexicon: Lexicon,
    pub(super) state: StateBuf,
    pub(super) status: Status,
    pub(super) tick: u32,
    pub(super) labels: usize,
    pub(super) cost: i64,
    pub(super) totals: Totals,
    pub(super) refused: usize,
    /// For how many further timesteps each agent has asked to wait.
    pub(super) waiting: Vec<u32>,
    /// The messages that each agent has not received yet.
    pub(super) inbox: Vec<Vec<Message>>,
    /// True if the policies know the current state.
    pub(super) observed: bool,
}

/// The result of asking one agent.
struct Answer {
    operator: OperatorId,
    command: Option<String>,
    refused: u32,
    drops_joint: bool,
}

/// An episode that cannot go on, and more about why.
type Halt = (EndReason, Option<String>);

/// The end of an episode that is stopped for this reason.
fn stopped(reason: StopReason) -> Halt {
    match reason {
        StopReason::Interrupted => (EndReason::Interrupted, None),
        _ => (EndReason::Limit, Some(reason.to_string())),
    }
}

/// The reason why a timestep was not played.
enum Break<E> {
    Halt(Halt),
    Sink(E),
}

impl<'a> Episode<'a> {
    /// An episode that starts in the task's initial state.
    pub fn new(task: &'a PackedTask, rules: Rules) -> Self {
        let agents = task.agents.len();
        Self {
            task,
            known: task.as_announced().map(Arc::new),
            rules,
            lexicon: Lexicon::new(task),
            state: task.initial.clone(),
            status: task.status(&task.initial),
            tick: 0,
            labels: 0,
            cost: 0,
            totals: task.initial_totals(),
            refused: 0,
            waiting: vec![0; agents],
            inbox: vec![Vec::new(); agents],
            observed: false,
        }
    }

    /// The first line of the log. `policies` are the policies' names, one per agent.
    pub fn header(&self, policies: &[String], seed: u64) -> Header {
        let task = self.task;
        let players = task.agents.iter().zip(policies);
        Header {
            schema: SCHEMA,
            brigade: env!("CARGO_PKG_VERSION").to_owned(),
            domain: task.domain.clone(),
            problem: task.problem.clone(),
            semantics: task.semantics.clone(),
            task: brigade_task::json::fingerprint(task),
            agents: players
                .map(|(agent, policy)| Player {
                    name: agent.name.clone(),
                    policy: policy.clone(),
                    clairvoyant: is_clairvoyant(task, policy),
                })
                .collect(),
            seed,
            rules: self.rules,
            facts: facts::facts(task, &task.initial),
            streams: Vec::new(),
            evaluation: None,
        }
    }

    /// The state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Ticks that have passed.
    pub const fn tick(&self) -> u32 {
        self.tick
    }

    /// Plays on to the end: the task's, the rules', or because `stop` says so (asked before every
    /// timestep). `policies` are one per agent, in order. The end is the last event recorded.
    pub fn run<S: Sink>(
        &mut self,
        policies: &mut [Box<dyn Policy + '_>],
        sink: &mut S,
        stop: &dyn Fn() -> Option<StopReason>,
    ) -> Result<End, S::Error> {
        debug_assert_eq!(policies.len(), self.task.agents.len());
        self.introduce(policies);
        let (reason, detail) = loop {
            if let Some(reason) = self.over() {
                break (reason, None);
            }
            if let Some(reason) = stop() {
                break stopped(reason);
            }
            match self.timestep(policies, sink) {
                Ok(()) => {}
                // A policy that was stopped along with the run has not failed.
                Err(Break::Halt((reason, detail))) => {
                    let fails = reason == EndReason::PolicyError;
                    break match stop().filter(|_| fails) {
                        Some(reason) => stopped(reason),
                        None => (reason, detail),
                    };
                }
                Err(Break::Sink(error)) => return Err(error),
            }
        };
        let mut unproven = policies.iter().filter_map(|policy| policy.unproven());
        let end = End {
            reason,
            detail,
            unproven: unproven.next().map(|reason| reason.to_string()),
            ticks: self.tick,
            labels: self.labels,
            cost: self.cost,
            totals: self.totals.clone(),
            refused: self.refused,
        };
        for policy in policies.iter_mut() {
            policy.ended(reason);
        }
        sink.record(&Event::End(end.clone()), &self.state)?;
        Ok(end)
    }

    fn over(&self) -> Option<EndReason> {
        let is_late = self.tick >= self.rules.max_ticks;
        EndReason::of(self.task, &self.state, self.status)
            .or(is_late.then_some(EndReason::TickLimit))
    }

    /// Shows the policies the first state.
    pub(super) fn introduce(&mut self, policies: &mut [Box<dyn Policy + '_>]) {
        if !std::mem::replace(&mut self.observed, true) {
            self.show(policies, &self.state, &[], |_| 0);
        }
    }

    /// Shows the policies the current state and what was done since the state before, as far as each
    /// agent learns of it; `commands` says how many commands each agent gave.
    pub(super) fn show(
        &self,
        policies: &mut [Box<dyn Policy + '_>],
        before: &State,
        joint: &[OperatorId],
        commands: impl Fn(usize) -> usize,
    ) {
        let known = self.known.as_deref().unwrap_or(self.task);
        for (agent, policy) in policies.iter_mut().enumerate() {
            let learnt = joint.iter().copied();
            let learnt: Vec<OperatorId> = learnt
                .filter(|operator| self.task.learns(before, agent, *operator))
                .collect();
            policy.observe(&Observation {
                task: known,
                tick: self.tick,
                state: &self.state,
                joint: &learnt,
                commands: commands(agent),
            });
        }
    }

    fn timestep<S: Sink>(
        &mut self,
        policies: &mut [Box<dyn Policy + '_>],
        sink: &mut S,
    ) -> Result<(), Break<S::Error>> {
        let mut left: VecDeque<usize> = self.task.acting(&self.state).collect();
        // How many in a row have let others act first.
        let mut later = 0;
        // What an agent sees: where agents act in turn, the state that earlier ones have left.
        let mut seen = self.state.clone();
        let before = self.state.clone();
        let mut answers = Vec::with_capacity(left.len());
        while let Some(agent) = left.pop_front() {
            let may_be_later = self.task.any_order && later < left.len();
            let policy = &mut *policies[agent];
            let Some(answer) = self.ask(agent, &seen, policy, may_be_later, sink)? else {
                left.push_back(agent);
                later += 1;
                continue;
            };
            later = 0;
            if self.task.turns == TurnMode::Sequential {
                self.task
                    .act(&mut seen, answer.operator, &mut Record::default());
            }
            answers.push((agent, answer));
        }
        let mut joint: Vec<OperatorId> = answers.iter().map(|(_, it)| it.operator).collect();
        if answers.iter().any(|(_, answer)| answer.drops_joint) {
            let order = answers.iter().map(|(agent, _)| *agent);
            joint = self.idle_joint(order, policies).map_err(Break::Halt)?;
        }
        let step = self.play(&joint).map_err(Break::Halt)?;
        let chosen = answers.iter().zip(&joint);
        let choices = chosen.map(|((agent, answer), &operator)| Chosen {
            agent: self.name(*agent),
            action: self.task.operator(operator).name.clone(),
            command: answer.command.clone(),
            refused: answer.refused,
        });
        let step = Step {
            choices: choices.collect(),
            ..step
        };
        sink.record(&Event::Step(step), &self.state)
            .map_err(Break::Sink)?;
        self.show(policies, &before, &joint, |agent| {
            let mut answers = answers.iter();
            let answer = answers.find(|(acting, _)| *acting == agent);
            answer.map_or(0, |(_, answer)| answer.commands())
        });
        Ok(())
    }

    /// Applies a joint action. The choices of the step it returns are empty.
    pub(super) fn play(&mut self, joint: &[OperatorId]) -> Result<Step, Halt> {
        let before = self.state.clone();
        let mut record = Record::default();
        self.status = self
            .task
            .step(&mut self.state, joint, &mut record)
            .map_err(|error| (EndReason::Stuck, Some(error.to_string())))?;
        let (added, removed) = facts::changes(self.task, &before, &self.state);
        let labels = record.log.iter().map(|entry| Labelled {
            agent: self.name(entry.agent.into()),
            label: self.task.label(entry.label).to_owned(),
        });
        let step = Step {
            tick: self.tick,
            choices: Vec::new(),
            labels: labels.collect(),
            added,
            removed,
            cost: record.cost,
            totals: self.task.added(&record),
            status: self.status.into(),
        };
        totals::add(&mut self.totals, &step.totals);
        self.tick += 1;
        self.labels += record.log.len();
        let cost = self.cost.checked_add(record.cost);
        self.cost = cost.ok_or((EndReason::Stuck, Some(COST_TOO_LARGE.to_owned())))?;
        Ok(step)
    }

    /// Everyone lets the timestep pass, but for nature.
    fn idle_joint(
        &self,
        order: impl Iterator<Item = usize>,
        policies: &mut [Box<dyn Policy + '_>],
    ) -> Result<Vec<OperatorId>, Halt> {
        let mut state = self.state.clone();
        let mut joint = Vec::new();
        for agent in order {
            let operator = if self.is_of_nature(agent) {
                self.drawn(agent, &state, &mut *policies[agent])?
            } else {
                let legal = self.task.applicable(&state, agent);
                idle(self.task, legal).ok_or_else(|| self.must_act(agent))?
            };
            if self.task.turns == TurnMode::Sequential {
                self.task.act(&mut state, operator, &mut Record::default());
            }
            joint.push(operator);
        }
        Ok(joint)
    }

    /// Returns the action of an agent in this timestep: the one it has begun, or the one its policy chooses. `None`
    /// where it lets others act first.
    fn ask<S: Sink>(
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
    fn drawn(
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

    /// The end of an episode that a policy cannot go on with.
    fn halted(&self, agent: usize, error: PolicyError) -> Halt {
        let of_agent = |why: String| format!("{}: {why}", agent_name(&self.name(agent)));
        match error {
            PolicyError::Limit(reason) => stopped(reason),
            PolicyError::Budget(why) => (EndReason::Limit, Some(why)),
            PolicyError::Infrastructure(why) => (EndReason::Infrastructure, Some(why)),
            PolicyError::Configuration(why) => (EndReason::Configuration, Some(why)),
            PolicyError::NoDraw(why) => {
                let why = format!("tick {}: {}", self.tick, of_agent(why));
                (EndReason::NoDraw, Some(why))
            }
            PolicyError::GaveUp(why) => (EndReason::GaveUp, Some(of_agent(why))),
            PolicyError::Failed(why) => (EndReason::PolicyError, Some(of_agent(why))),
        }
    }

    fn is_of_nature(&self, agent: usize) -> bool {
        self.task.agents[agent].nature.is_some()
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

    fn stuck(&self, agent: usize) -> Halt {
        let name = self.name(agent);
        let detail = format!("{} has no legal operator", agent_name(&name));
        (EndReason::Stuck, Some(detail))
    }

    fn cannot_wait(&self, agent: usize) -> Halt {
        let name = self.name(agent);
        let detail = format!(
            "{}: gave no valid command, and cannot wait",
            agent_name(&name)
        );
        (EndReason::NoCommand, Some(detail))
    }

    fn must_act(&self, agent: usize) -> Halt {
        let name = self.name(agent);
        let detail = format!(
            "{}: cannot wait, so the joint action cannot be dropped",
            agent_name(&name)
        );
        (EndReason::NoCommand, Some(detail))
    }

    fn name(&self, agent: usize) -> String {
        self.task.agents[agent].name.clone()
    }
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

    fn commands(&self) -> usize {
        self.refused as usize + usize::from(self.command.is_some())
    }
}
