//! Parameters whose types their uses contradict: one slip where they are declared, told there and once.

mod report;

use std::collections::BTreeSet;

use super::model::{Binding, TypeId};
use brigade_diagnostics::Diagnostic;

/// An argument of another type than is needed.
struct Misfit {
    /// The parameters that do not fit, each with the types that are needed.
    parameters: Vec<(Binding, Vec<TypeId>)>,
    diagnostic: Diagnostic,
}

/// What is held back until all uses of the parameters are known.
#[derive(Default)]
pub(super) struct Misfits {
    /// How many of the variables are parameters; of others nothing is held back.
    pub(super) parameters: usize,
    held: Vec<Misfit>,
    /// The parameters that fit somewhere.
    fitting: BTreeSet<Binding>,
}
