//! The task as scores know it.

use super::actions::{ActionSpace, normalise};
use super::options::{Options, UnknownActions};
use super::references::ReferenceModel;

/// The task, as far as a score depends on it. Facts that the options do not ask for may be absent.
#[derive(Clone, Copy)]
pub struct TaskContext<'a> {
    /// The references.
    pub references: &'a dyn ReferenceModel,
    /// The known action strings, where unknown ones are dropped.
    pub action_space: Option<&'a ActionSpace>,
    /// T of the time limit ⌊γ·T⌋, as the index of the last timestep: the makespan less one.
    pub reference_time: Option<u32>,
    /// The number of required collaborative actions of each agent, 0 for an agent who is not asked
    /// for any, as for agents beyond the slice; their sum is N of Eq. 5 and 6.
    pub required_actions: Option<&'a [u32]>,
}

impl<'a> TaskContext<'a> {
    /// A context of references alone.
    pub fn new(references: &'a dyn ReferenceModel) -> Self {
        Self {
            references,
            action_space: None,
            reference_time: None,
            required_actions: None,
        }
    }
}

/// The actions that count, normalised.
pub(super) fn known_actions(
    actions: &[String],
    agent: usize,
    task: &TaskContext<'_>,
    options: &Options,
) -> Vec<String> {
    let known = |action: &String| match (options.unknown_actions, task.action_space) {
        (UnknownActions::Drop, Some(space)) => space.contains(agent, action),
        _ => true,
    };
    actions
        .iter()
        .map(|action| normalise(action))
        .filter(known)
        .collect()
}
