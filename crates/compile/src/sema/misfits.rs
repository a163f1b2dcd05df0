//! Parameters whose types their uses contradict: one slip, reported once, where they are declared.

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

/// The reports that are held back until all uses of the parameters are known.
#[derive(Default)]
pub(super) struct Misfits {
    /// The number of variables that are parameters; nothing is held back of the others.
    pub(super) parameters: usize,
    held: Vec<Misfit>,
    /// The parameters that fit somewhere.
    fitting: BTreeSet<Binding>,
}
