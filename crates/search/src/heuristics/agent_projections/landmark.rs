//! Landmarks of an agent that others must achieve: on every way to the goal one of their facts
//! comes true.

use crate::heuristics::cartesian::facts::Fact;

/// A landmark of an agent that others must achieve.
#[derive(Clone, Debug)]
pub(crate) struct Landmark {
    /// Whose landmark it is.
    pub(crate) agent: usize,
    /// The only one whose operators can bring it about.
    pub(crate) achiever: usize,
    /// Facts about foreign variables: one of them has to come true.
    pub(crate) facts: Vec<Fact>,
    /// These, and those about places where the agent itself may keep it.
    pub(crate) hidden: Vec<Fact>,
}
