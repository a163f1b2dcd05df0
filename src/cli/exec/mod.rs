//! The policy `exec:CMD`: a program of the user's decides for an agent, asked in lines of JSON.
//!
//! `docs/how-to/programs.md` describes the protocol, `docs/schema/exec.schema.json` its lines.

mod group;
mod lines;
mod process;

pub(super) use group::end_all;

use std::path::PathBuf;
use std::time::Duration;

use self::lines::{Answer, Decide, Line, PROTOCOL, Start};
use self::process::{Failed, Process};
use crate::agents::{Choice, Given, Policy, PolicyError, View};
use crate::diagnostics::words::agent_name;
use crate::episode::EndReason;
use crate::search::Control;
use crate::task::PackedTask;

/// The seconds for which a program may be silent unless something else is said.
pub(super) const TIMEOUT: f64 = 10.0;

/// The time that a program may take to end after an episode that was cut short.
const HASTE: Duration = Duration::from_millis(200);

/// A program, and how it is run.
#[derive(Clone, Debug)]
pub(super) struct Program {
    /// The command, for the shell.
    pub(super) command: String,
    /// The folder in which it is run; `None`: the current one.
    pub(super) folder: Option<PathBuf>,
    /// The time for which it may be silent.
    pub(super) timeout: Duration,
    pub(super) seed: u64,
    /// The most ticks of the episode.
    pub(super) max_ticks: u32,
}

/// Asks a program, which is started when it is first needed.
pub(super) struct Exec<'c> {
    program: Program,
    control: &'c dyn Control,
    process: Option<Process>,
}

impl<'c> Exec<'c> {
    /// A policy; `control` ends its waiting.
    pub(super) const fn new(program: Program, control: &'c dyn Control) -> Self {
        Self {
            program,
            control,
            process: None,
        }
    }

    /// The process, which has been sent who it is.
    fn started(&mut self, task: &PackedTask, agent: usize) -> Result<&mut Process, PolicyError> {
        let process = if let Some(process) = self.process.take() {
            process
        } else {
            let Program {
                command, folder, ..
            } = &self.program;
            let process = Process::start(command, folder.as_deref()).map_err(|error| {
                PolicyError::Infrastructure(format!("`{command}` cannot be started: {error}"))
            })?;
            process.send(&Line::Start(Start {
                protocol: PROTOCOL,
                agent: &task.agents[agent].name,
                agents: task.agents.iter().map(|agent| &*agent.name).collect(),
                seed: self.program.seed,
                domain: &task.domain,
                problem: &task.own_problem,
                semantics: &task.semantics,
                turns: task.turns.into(),
                any_order: task.any_order,
                max_ticks: self.program.max_ticks,
                goal: task.observation.goal.as_deref(),
                forms: task.action_forms(agent),
            }));
            process
        };
        Ok(self.process.insert(process))
    }

    /// The outage that the episode ends with.
    fn outage(&self, task: &PackedTask, agent: usize, failed: &Failed, last: &str) -> PolicyError {
        let who = agent_name(&task.agents[agent].name);
        let Program {
            command, timeout, ..
        } = &self.program;
        let why = match failed {
            Failed::Stopped(reason) => return PolicyError::Limit(*reason),
            Failed::Silent => format!(
                "was silent for {} s; `--agent-timeout` allows for more",
                timeout.as_secs_f64()
            ),
            Failed::Ended(how) => format!("ended before it answered ({how})"),
            Failed::TooLong => "wrote a line of more than 1 MiB".to_owned(),
            Failed::NoAnswer(why) => format!("did not answer: {why}"),
        };
        let mut message = format!("{who}: `{command}` {why}");
        if !last.is_empty() {
            message.push_str(&format!("; the end of its standard error: {last}"));
        }
        PolicyError::Infrastructure(message)
    }
}

impl Policy for Exec<'_> {
    fn choose(&mut self, view: &View<'_>) -> Result<Choice, PolicyError> {
        let (timeout, control) = (self.program.timeout, self.control);
        let process = self.started(view.task, view.agent)?;
        process.send(&Line::Decide(Decide::new(view)));
        let line = process.receive(timeout, control);
        let answer = line.and_then(|line| Answer::read(&line).map_err(Failed::NoAnswer));
        match answer {
            Ok(choice) => Ok(choice),
            Err(failed) => {
                let process = self.process.take();
                let last = process.map_or_else(String::new, Process::end);
                Err(self.outage(view.task, view.agent, &failed, &last))
            }
        }
    }

    /// Sends what was asked and answered; what is wrong with the process shows when it is asked.
    fn recall(&mut self, view: &View<'_>, given: &Given<'_>) {
        if let Ok(process) = self.started(view.task, view.agent) {
            process.send(&Line::Replayed {
                decision: Decide::new(view),
                command: given.command,
                message: given.message,
            });
        }
    }

    fn ended(&mut self, reason: EndReason) {
        if let Some(process) = self.process.take() {
            process.send(&Line::End {
                reason,
                words: reason.words(),
            });
            let patience = if reason.is_cut_short() {
                HASTE
            } else {
                self.program.timeout
            };
            process.close(patience, self.control);
        }
    }
}
