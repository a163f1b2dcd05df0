//! Agents of nature: part of the environment, for which chance decides (`draw`).

use super::cond::Cond;

/// An agent that is part of the environment.
#[derive(Clone, Debug)]
pub struct Nature {
    /// Some action of it applies, whatever its weight; it waits only where this does not hold.
    pub can_act: Cond,
}
