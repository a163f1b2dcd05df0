//! What landmark cuts, potentials or patterns tell, whatever is more.

use super::{Estimate, Heuristic, LandmarkCut, Quick};

/// The greatest of these estimates, in lexicographic order.
#[derive(Clone)]
pub(crate) struct CutsAndPotentials<'t> {
    pub(crate) cuts: LandmarkCut<'t>,
    pub(crate) quick: Quick,
}

impl Heuristic for CutsAndPotentials<'_> {
    fn estimate(&mut self, state: &[u64]) -> Estimate {
        self.cuts.estimate(state).max(self.quick.estimate(state))
    }

    fn bytes(&self) -> usize {
        self.cuts.bytes() + self.quick.bytes()
    }

    fn another(&self) -> Option<Box<dyn Heuristic + Send + '_>> {
        Some(Box::new(self.clone()))
    }
}
