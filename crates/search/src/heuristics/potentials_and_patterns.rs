//! What takes little time to tell: potentials or patterns, whatever is more.

use super::{Answer, Estimate, Heuristic, Patterns, Potential};

/// The greater of two estimates, in lexicographic order.
#[derive(Clone)]
pub(crate) struct Quick {
    pub(crate) potentials: Option<Potential>,
    pub(crate) patterns: Option<Patterns>,
}

impl Heuristic for Quick {
    fn estimate(&mut self, state: &[u64]) -> Estimate {
        let told = self.potentials.as_mut().map(|it| it.estimate(state));
        let also = self.patterns.as_mut().map(|it| it.estimate(state));
        told.max(also).unwrap_or(Estimate::ZERO)
    }

    fn ask(&mut self, state: &[u64], most: Estimate) -> Answer {
        let told = self.potentials.as_mut().map(|it| it.estimate(state));
        let told = told.unwrap_or(Estimate::ZERO);
        match self.patterns.as_mut().map(|it| it.ask(state, most)) {
            Some(Answer::AtMost) if told <= most => Answer::AtMost,
            Some(Answer::AtMost) | None => Answer::Exactly(told),
            Some(Answer::Exactly(also)) => Answer::Exactly(told.max(also)),
            Some(Answer::AtLeast(also)) => Answer::AtLeast(told.max(also)),
        }
    }

    fn bytes(&self) -> usize {
        let potentials = self.potentials.as_ref().map_or(0, Heuristic::bytes);
        potentials + self.patterns.as_ref().map_or(0, Heuristic::bytes)
    }

    fn effort(&self) -> u64 {
        // Beside patterns potentials take little of the time.
        match (&self.potentials, &self.patterns) {
            (_, Some(patterns)) => patterns.effort(),
            (Some(potentials), None) => potentials.effort(),
            (None, None) => 0,
        }
    }

    fn another(&self) -> Option<Box<dyn Heuristic + Send + '_>> {
        self.patterns.as_ref()?;
        Some(Box::new(self.clone()))
    }
}
