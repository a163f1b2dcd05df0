//! Something that others have to bring about for an agent on every way to the goal.

use super::facts::Fact;

/// Something that others have to bring about for an agent.
#[derive(Clone, Debug)]
pub(super) struct Landmark {
    /// Whose landmark it is.
    pub(super) agent: usize,
    /// The only one whose operators can bring it about.
    pub(super) supplier: usize,
    /// Facts about foreign variables: one of them has to come true.
    pub(super) supply: Vec<Fact>,
    /// These, and those about places where the agent itself may keep it.
    pub(super) hidden: Vec<Fact>,
}
