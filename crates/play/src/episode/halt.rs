//! The reasons why an episode cannot go on.

use super::event::EndReason;
use super::state::Episode;
use crate::agents::PolicyError;
use brigade_diagnostics::words::agent_name;
use brigade_search::StopReason;

/// An episode that cannot go on, and more about why.
pub(super) type Halt = (EndReason, Option<String>);

/// The end of an episode that is stopped for this reason.
pub(super) fn stopped(reason: StopReason) -> Halt {
    match reason {
        StopReason::Interrupted => (EndReason::Interrupted, None),
        _ => (EndReason::Limit, Some(reason.to_string())),
    }
}

/// The reason why a timestep was not played.
pub(super) enum Break<E> {
    Halt(Halt),
    Sink(E),
}

impl Episode<'_> {
    /// The end of an episode that a policy cannot go on with.
    pub(super) fn halted(&self, agent: usize, error: PolicyError) -> Halt {
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

    pub(super) fn stuck(&self, agent: usize) -> Halt {
        let name = self.name(agent);
        let detail = format!("{} has no legal operator", agent_name(&name));
        (EndReason::Stuck, Some(detail))
    }

    pub(super) fn cannot_wait(&self, agent: usize) -> Halt {
        let name = self.name(agent);
        let detail = format!(
            "{}: gave no valid command, and cannot wait",
            agent_name(&name)
        );
        (EndReason::NoCommand, Some(detail))
    }

    pub(super) fn must_act(&self, agent: usize) -> Halt {
        let name = self.name(agent);
        let detail = format!(
            "{}: cannot wait, so the joint action cannot be dropped",
            agent_name(&name)
        );
        (EndReason::NoCommand, Some(detail))
    }
}
