//! Chance, for agents that are part of the environment.

use super::{Choice, Policy, PolicyError, View};

/// Draws what an agent of nature does, by seed, agent and tick; see [`brigade_task::draw`].
#[derive(Clone, Debug)]
pub struct Nature {
    seed: u64,
}

impl Nature {
    /// The name of the policy in a log.
    pub const NAME: &str = "nature";

    /// Draws by a seed.
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }
}

impl Policy for Nature {
    fn choose(&mut self, view: &View<'_>) -> Result<Choice, PolicyError> {
        let drawn = view
            .task
            .draw(view.state, view.agent, (self.seed, view.tick));
        drawn
            .map(Choice::from)
            .map_err(|error| PolicyError::NoDraw(error.to_string()))
    }
}
