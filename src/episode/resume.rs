//! Going on with an episode from its log.

use super::command::is_continue;
use super::event::{Event, Step};
use super::log::Log;
use super::referee::Episode;
use crate::agents::{Message, Policy};
use crate::task::{OperatorId, Task};

/// A log that does not fit the episode.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResumeError {
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
    /// It has other agents.
    #[error("the log's agents are not those of the problem")]
    OtherAgents,
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

/// The joint action of a logged step, in the order in which the agents act.
pub fn joint_action(task: &Task, step: &Step) -> Result<Vec<OperatorId>, ResumeError> {
    let tick = step.tick;
    if step.choices.len() != task.choices_per_step() {
        return Err(ResumeError::OtherChoices { tick });
    }
    let operators = step.choices.iter().map(|choice| {
        let agent = task.agents.iter().find(|agent| agent.name == choice.agent);
        let operators = agent.map_or(&[][..], |agent| &agent.operators);
        let found = operators
            .iter()
            .find(|&&operator| task.operator(operator).name == choice.action);
        found.copied().ok_or_else(|| ResumeError::UnknownAction {
            tick,
            agent: choice.agent.clone(),
            action: choice.action.clone(),
        })
    });
    operators.collect()
}

impl Episode<'_> {
    /// Plays the timesteps of a log again, checks that they have the same outcome, and lets the
    /// policies observe them. What was logged after the last whole timestep is forgotten: those
    /// commands will be asked for again.
    ///
    /// The episode must be new, and the log of the same task.
    pub fn resume(
        &mut self,
        log: &Log,
        policies: &mut [Box<dyn Policy + '_>],
    ) -> Result<(), ResumeError> {
        let here = crate::task::json::fingerprint(self.task);
        if log.header.task != here {
            return Err(ResumeError::OtherTask {
                logged: log.header.task.clone(),
                here,
            });
        }
        let names = self.task.agents.iter().map(|agent| &agent.name);
        if !log.header.agents.iter().map(|agent| &agent.name).eq(names) {
            return Err(ResumeError::OtherAgents);
        }
        self.introduce(policies);
        let steps = log.steps().count() as u32;
        for event in &log.events {
            match event {
                Event::Message(said) if said.tick < steps => {
                    if let Some(from) = self.agent_called(&said.agent) {
                        self.deliver(&Message {
                            tick: said.tick,
                            from,
                            text: said.text.clone(),
                        });
                    }
                }
                Event::Error(refused) if refused.tick < steps => self.refused += 1,
                Event::Step(step) => self.play_again(step, policies)?,
                Event::Header(_) | Event::Message(_) | Event::Error(_) | Event::End(_) => {}
            }
        }
        Ok(())
    }

    fn play_again(
        &mut self,
        step: &Step,
        policies: &mut [Box<dyn Policy + '_>],
    ) -> Result<(), ResumeError> {
        let tick = step.tick;
        let joint = joint_action(self.task, step)?;
        let mut commands = vec![0; self.task.agents.len()];
        for (choice, &operator) in step.choices.iter().zip(&joint) {
            let agent = usize::from(self.task.operator(operator).agent);
            let given = choice.command.as_deref();
            commands[agent] = choice.refused as usize + usize::from(given.is_some());
            if commands[agent] > 0 {
                // It was asked, and told what those who act before it had said by then.
                self.inbox[agent].retain(|said| said.tick == tick && said.from > agent);
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
        let played = self
            .play(&joint)
            .map_err(|_| ResumeError::Diverged { tick })?;
        let same = played.labels == step.labels
            && played.added == step.added
            && played.removed == step.removed
            && played.status == step.status;
        if !same {
            return Err(ResumeError::Diverged { tick });
        }
        self.show(policies, |agent| commands[agent]);
        Ok(())
    }

    fn agent_called(&self, name: &str) -> Option<usize> {
        let mut agents = self.task.agents.iter();
        agents.position(|agent| agent.name == name)
    }
}
