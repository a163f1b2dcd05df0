//! Playing the timesteps of a log again: to go on with its episode, or to see that it is true.

use super::command::is_continue;
use super::event::{EndReason, Event, Header, Step};
use super::log::Log;
use super::state::Episode;
use crate::agents::{Given, Message, Policy, View};
use brigade_task::effect::Record;
use brigade_task::json::{fingerprint, is_of_schema_1};
use brigade_task::step::Status;
use brigade_task::{OperatorId, PackedTask, State, TurnMode};

/// A log that does not fit the episode.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Mismatch {
    /// It is of another task.
    #[error(
        "the log is of another task: {logged}, this is {here} (a changed domain, problem, semantics or version of brigade)"
    )]
    OtherTask {
        /// The task's fingerprint in the log.
        logged: String,
        /// The fingerprint here.
        here: String,
    },
    /// Its fingerprint is of the JSON of schema 1.
    #[error(
        "the log was written by an earlier version, {version}, whose fingerprints of tasks (schema 1) cannot be compared with those of this one (schema 2)"
    )]
    OtherSchema {
        /// The version that wrote it.
        version: String,
    },
    /// Its header describes the task otherwise.
    #[error("the header is not that of the task: another {0}")]
    OtherHeader(&'static str),
    /// A timestep follows the end of the task.
    #[error("tick {tick}: the task had ended before")]
    AfterEnd {
        /// The tick.
        tick: u32,
    },
    /// The last line does not sum up the lines before it.
    #[error("the end does not fit the timesteps before it: another {0}")]
    OtherEnd(&'static str),
    /// An operator does not exist.
    #[error("tick {tick}: `{agent}` has no action `{action}`")]
    UnknownAction {
        /// The tick.
        tick: u32,
        /// The agent.
        agent: String,
        /// The action.
        action: String,
    },
    /// The choices are not those of the agents who act.
    #[error("tick {tick}: the choices are not one of each agent that acts")]
    OtherChoices {
        /// The tick.
        tick: u32,
    },
    /// The step has another outcome here.
    #[error("tick {tick}: the step does not have the logged outcome")]
    Diverged {
        /// The tick.
        tick: u32,
    },
}

/// Refuses a log whose fingerprint cannot be compared with one of now.
///
/// # Errors
///
/// The fingerprint was made of the task's JSON of schema 1.
pub fn check_schema(header: &Header) -> Result<(), Mismatch> {
    if is_of_schema_1(&header.task) {
        return Err(Mismatch::OtherSchema {
            version: header.brigade.clone(),
        });
    }
    Ok(())
}

/// The joint action of a logged step, in the order in which the agents acted.
///
/// # Errors
///
/// [`Mismatch`] names the choice that is no operator of its agent.
pub fn joint_action(
    task: &PackedTask,
    state: &State,
    step: &Step,
) -> Result<Vec<OperatorId>, Mismatch> {
    let tick = step.tick;
    let acting = &task.agents[task.acting(state)];
    let mut names: Vec<&str> = step.choices.iter().map(|choice| &*choice.agent).collect();
    let mut expected: Vec<&str> = acting.iter().map(|agent| &*agent.name).collect();
    if task.any_order {
        names.sort_unstable();
        expected.sort_unstable();
    }
    if names != expected {
        return Err(Mismatch::OtherChoices { tick });
    }
    let operators = step.choices.iter().map(|choice| {
        let mut acting = acting.iter().filter(|agent| agent.name == choice.agent);
        let Some(agent) = acting.next() else {
            return Err(Mismatch::OtherChoices { tick });
        };
        let mut operators = agent.operators.iter();
        let found = operators.find(|&&operator| task.operator(operator).name == choice.action);
        found.copied().ok_or_else(|| Mismatch::UnknownAction {
            tick,
            agent: choice.agent.clone(),
            action: choice.action.clone(),
        })
    });
    operators.collect()
}

/// The answers of an agent in a timestep, as far as the log of that timestep was read.
#[derive(Debug, Default)]
struct Answers<'l> {
    /// The message that it sent since its last command.
    said: Option<&'l str>,
    /// Its commands that were refused, what it said with each, and why it was refused.
    refused: Vec<(Given<'l>, &'l str)>,
}

impl<'l> Answers<'l> {
    fn given(&mut self, command: &'l str) -> Given<'l> {
        Given {
            command,
            message: self.said.take(),
        }
    }
}

impl Episode<'_> {
    /// Plays the timesteps of a log again, checks that they have the same outcome, and lets the policies observe them.
    /// Events after the last whole timestep are forgotten: those commands will be asked for again.
    ///
    /// The episode must be new, and the log of the same task.
    ///
    /// # Errors
    ///
    /// A step of the log cannot be played, or has another outcome: the log is of another task, or was changed.
    pub fn resume(
        &mut self,
        log: &Log,
        policies: &mut [Box<dyn Policy + '_>],
    ) -> Result<(), Mismatch> {
        check_schema(&log.header)?;
        let here = fingerprint(self.task);
        if log.header.task != here {
            return Err(Mismatch::OtherTask {
                logged: log.header.task.clone(),
                here,
            });
        }
        self.check_header(&log.header)?;
        self.introduce(policies);
        let steps = log.steps().count() as u32;
        let mut answers: Vec<Answers<'_>> = Vec::new();
        answers.resize_with(self.task.agents.len(), Answers::default);
        for event in &log.events {
            match event {
                Event::Message(said) if said.tick < steps => {
                    if let Some(from) = self.agent_called(&said.agent) {
                        answers[from].said = Some(&said.text);
                        self.deliver(&Message {
                            tick: said.tick,
                            from,
                            text: said.text.clone(),
                        });
                    }
                }
                Event::Error(refused) if refused.tick < steps => {
                    self.refused += 1;
                    if let Some(agent) = self.agent_called(&refused.agent) {
                        let given = answers[agent].given(&refused.command);
                        answers[agent].refused.push((given, &refused.message));
                    }
                }
                Event::Step(step) => {
                    self.play_again(step, policies, &mut answers)?;
                    answers.fill_with(Answers::default);
                }
                Event::Header(_)
                | Event::Resume(_)
                | Event::Message(_)
                | Event::Request(_)
                | Event::Response(_)
                | Event::Error(_)
                | Event::Call(_)
                | Event::Decision(_)
                | Event::End(_) => {}
            }
        }
        Ok(())
    }

    /// Plays all timesteps of a log again, and checks that they have the logged outcome and that
    /// the end sums them up. The episode must be new.
    ///
    /// # Errors
    ///
    /// As of [`resume`](Self::resume); or the sums at the end differ.
    pub fn verify(&mut self, log: &Log) -> Result<(), Mismatch> {
        self.resume(log, &mut [])?;
        let Some(end) = log.end() else {
            return Ok(());
        };
        let refused = |event: &&Event| matches!(event, Event::Error(_));
        let reason = match EndReason::of(self.task, &self.state, self.status) {
            Some(reason) => end.reason == reason,
            None => !end.reason.is_of_the_task(),
        };
        let fits = [
            ("reason", reason),
            ("number of ticks", end.ticks == self.tick),
            ("number of labels", end.labels == self.labels),
            ("cost", end.cost == self.cost),
            ("totals", end.totals == self.totals),
            (
                "number of refused commands",
                end.refused == log.events.iter().filter(refused).count(),
            ),
        ];
        match fits.iter().find(|(_, fits)| !fits) {
            Some((what, _)) => Err(Mismatch::OtherEnd(what)),
            None => Ok(()),
        }
    }

    fn check_header(&self, logged: &Header) -> Result<(), Mismatch> {
        let policies: Vec<String> = self.task.agents.iter().map(|_| String::new()).collect();
        let here = self.header(&policies, logged.seed);
        let names = |header: &Header| -> Vec<String> {
            let players = header.agents.iter();
            players.map(|player| player.name.clone()).collect()
        };
        let fits = [
            ("domain", logged.domain == here.domain),
            ("problem", logged.problem == here.problem),
            ("semantics", logged.semantics == here.semantics),
            ("set of agents", names(logged) == names(&here)),
            ("initial state", logged.facts == here.facts),
        ];
        match fits.iter().find(|(_, fits)| !fits) {
            Some((what, _)) => Err(Mismatch::OtherHeader(what)),
            None => Ok(()),
        }
    }

    fn play_again<'l>(
        &mut self,
        step: &'l Step,
        policies: &mut [Box<dyn Policy + '_>],
        answers: &mut [Answers<'l>],
    ) -> Result<(), Mismatch> {
        let tick = step.tick;
        if self.status != Status::Running {
            return Err(Mismatch::AfterEnd { tick });
        }
        let joint = joint_action(self.task, &self.state, step)?;
        let mut commands = vec![0; self.task.agents.len()];
        let order = joint
            .iter()
            .map(|&operator| usize::from(self.task.operator(operator).agent));
        let order: Vec<usize> = order.collect();
        let turn = |agent: usize| order.iter().position(|&acting| acting == agent);
        let before = self.state.clone();
        let mut seen = before.clone();
        for (choice, &operator) in step.choices.iter().zip(&joint) {
            let agent = usize::from(self.task.operator(operator).agent);
            let given = choice.command.as_deref();
            commands[agent] = choice.refused as usize + usize::from(given.is_some());
            if commands[agent] > 0 {
                // It was asked, and knew what those who act before it had said by then.
                let inbox = std::mem::take(&mut self.inbox[agent]);
                let is_later = |said: &Message| said.tick == tick && turn(said.from) > turn(agent);
                let (later, messages) = inbox.into_iter().partition(is_later);
                self.inbox[agent] = later;
                if let Some(policy) = policies.get_mut(agent) {
                    let legal = self.task.applicable_as_known(&seen, agent);
                    let legal: Vec<OperatorId> = legal.collect();
                    let at = View {
                        task: self.known.as_deref().unwrap_or(self.task),
                        agent,
                        tick,
                        attempt: 0,
                        state: &seen,
                        legal: &legal,
                        messages: &messages,
                        refusal: None,
                    };
                    recall(&mut **policy, at, &mut answers[agent], given);
                }
            }
            if self.task.turns == TurnMode::Sequential {
                self.task.act(&mut seen, operator, &mut Record::default());
            }
            let repeat = given.and_then(|text| {
                let command = self.lexicon.resolve(self.task, &self.state, agent, text);
                command.ok().map(|command| command.repeat)
            });
            let waiting = &mut self.waiting[agent];
            *waiting = match repeat {
                Some(repeat) => repeat - 1,
                None if choice.refused > 0 => 0,
                None if is_continue(self.task, operator) => *waiting,
                None => waiting.saturating_sub(1),
            };
        }
        let played = self.play(&joint).map_err(|_| Mismatch::Diverged { tick })?;
        let same = played.labels == step.labels
            && played.added == step.added
            && played.removed == step.removed
            && played.cost == step.cost
            && played.totals == step.totals
            && played.status == step.status;
        if !same {
            return Err(Mismatch::Diverged { tick });
        }
        self.show(policies, &before, &joint, |agent| commands[agent]);
        Ok(())
    }

    fn agent_called(&self, name: &str) -> Option<usize> {
        let mut agents = self.task.agents.iter();
        agents.position(|agent| agent.name == name)
    }
}

/// Reminds a policy of the times that it was asked in a timestep; `accepted` is its command that was carried
/// out.
fn recall<'l>(
    policy: &mut (dyn Policy + '_),
    at: View<'_>,
    answers: &mut Answers<'l>,
    accepted: Option<&'l str>,
) {
    let accepted = accepted.map(|command| answers.given(command));
    let refused = answers
        .refused
        .iter()
        .map(|(given, why)| (given, Some(*why)));
    let all = refused.chain(accepted.iter().map(|given| (given, None)));
    let mut refusal: Option<&str> = None;
    for (attempt, (given, why)) in (0..).zip(all) {
        policy.recall(
            &View {
                attempt,
                refusal,
                ..at
            },
            given,
        );
        refusal = why;
    }
}
