//! The decision to prune operators whose order does not matter.

use super::limits::{LEAST_PRUNED, PRUNING_SAMPLE};
use std::ops::ControlFlow;
use std::sync::Arc;

use super::attempts::Attempts;
use crate::reductions::stubborn_sets::StubbornSets;
use crate::space::node_kind::{NodeKind, node_kind};
use crate::space::search_space::Space;

impl Attempts<'_> {
    /// Returns whether one plan is enough, and it is looked for from the start of a timestep.
    fn may_prune(&self) -> bool {
        !self.options.all && self.start.agent == 0
    }

    /// Leaves out operators in all further attempts, if that is sound.
    pub(super) fn prune(&mut self) {
        if self.may_prune() {
            let memory_limit = self.options.memory_limit;
            let sets = StubbornSets::new(self.task, self.measure, memory_limit);
            self.stubborn = sets.map(Arc::new);
            self.use_symmetries(self.expander.symmetries().cloned());
        }
    }

    /// The same, if it leaves out enough in some of the states that were stored, which are from
    /// every part of the search.
    pub(super) fn prune_if_that_pays(&mut self, space: &Space) {
        self.prune();
        let Some(sets) = &self.stubborn else {
            return;
        };
        let mut expander = self.expander.plain().pruned_by(Some(sets.clone()));
        let table = &space.tables[0];
        let step = (table.len() / PRUNING_SAMPLE).max(1) as usize;
        let mut tried = 0_u64;
        for id in (0..table.len()).step_by(step) {
            if space.control.stop().is_some() {
                break;
            }
            let state = table.state(id);
            if node_kind(self.task, state) == NodeKind::Interior {
                let _: ControlFlow<()> = expander.expand(0, state, |_| {
                    tried += 1;
                    ControlFlow::Continue(())
                });
            }
        }
        let all = tried + expander.pruned;
        if expander.pruned.saturating_mul(LEAST_PRUNED) < all {
            self.stubborn = None;
            self.use_symmetries(self.expander.symmetries().cloned());
        }
    }
}
