//! What landmark cuts or potentials tell, whatever is more.

use super::{Estimate, Heuristic, LandmarkCut, Potential};

/// The greater of two estimates, in lexicographic order.
#[derive(Clone)]
pub(crate) struct CutsAndPotentials<'t> {
    pub(crate) cuts: LandmarkCut<'t>,
    pub(crate) potentials: Potential,
}

impl Heuristic for CutsAndPotentials<'_> {
    fn estimate(&mut self, state: &[u64]) -> Estimate {
        self.cuts
            .estimate(state)
            .max(self.potentials.estimate(state))
    }

    fn bytes(&self) -> usize {
        self.cuts.bytes() + self.potentials.bytes()
    }

    fn another(&self) -> Option<Box<dyn Heuristic + Send + '_>> {
        Some(Box::new(self.clone()))
    }
}
