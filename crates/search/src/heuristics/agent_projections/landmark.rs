//! Something that others have to bring about for an agent on every way to the goal.

use crate::heuristics::cartesian::facts::Fact;

/// Something that others have to bring about for an agent.
#[derive(Clone, Debug)]
pub(crate) struct Landmark {
    /// Whose landmark it is.
    pub(crate) agent: usize,
    /// The only one whose operators can bring it about.
    pub(crate) supplier: usize,
    /// Facts about foreign variables: one of them has to come true.
    pub(crate) supply: Vec<Fact>,
    /// These, and those about places where the agent itself may keep it.
    pub(crate) hidden: Vec<Fact>,
}
