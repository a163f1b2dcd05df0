//! The bounds of diagrams as a heuristic for searches that seek plans within their horizon.

use std::sync::Arc;

use super::diagrams::Diagrams;
use crate::heuristics::cartesian::facts::exact;
use crate::heuristics::cartesian::model::Model;
use crate::heuristics::estimate::Estimate;
use crate::heuristics::heuristic::Heuristic;
use brigade_task::State;

/// An estimate takes so many times as long as to store a state. Not tuned.
const EFFORT: u64 = 4;

/// The ticks that remain by the diagrams of a horizon; states on no plan within it are dead ends.
pub(crate) struct DiagramHeuristic<'m, 't> {
    model: &'m Model<'t>,
    diagrams: Arc<Diagrams>,
}

impl<'m, 't> DiagramHeuristic<'m, 't> {
    pub(super) const fn new(model: &'m Model<'t>, diagrams: Arc<Diagrams>) -> Self {
        Self { model, diagrams }
    }
}

impl Heuristic for DiagramHeuristic<'_, '_> {
    fn estimate(&mut self, state: &State) -> Estimate {
        let remaining = self
            .diagrams
            .remaining(&self.model.domains, &exact(self.model, state));
        remaining.map_or(Estimate::DEAD, |makespan| Estimate {
            makespan,
            ..Estimate::ZERO
        })
    }

    fn bytes(&self) -> usize {
        self.diagrams.bytes()
    }

    fn effort(&self) -> u64 {
        EFFORT
    }

    fn another(&self) -> Option<Box<dyn Heuristic + Send + '_>> {
        Some(Box::new(Self::new(self.model, Arc::clone(&self.diagrams))))
    }
}
