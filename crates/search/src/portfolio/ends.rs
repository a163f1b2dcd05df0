//! The task turned round, where it is worth a search from both ends.

use crate::bidirectional::Backwards;

/// The prospects of a search from both ends.
#[derive(Default)]
pub(super) enum BothEnds {
    /// Not known yet.
    #[default]
    Untried,
    /// It proves most by now.
    Best(Box<Backwards>),
    /// It cannot be done, or others prove more.
    Worse,
}

impl BothEnds {
    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Best(backwards) => backwards.bytes(),
            Self::Untried | Self::Worse => 0,
        }
    }
}
