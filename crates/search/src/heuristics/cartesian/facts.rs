//! Facts, and the rows of values that hold them.

use super::domains::Mark;
use super::model::Model;
use brigade_task::State;

/// A variable and a value.
pub(crate) type Fact = (u32, u32);

/// Returns whether a fact may have come true in this step.
pub(crate) fn is_brought_about(model: &Model, row: &[u64], (variable, value): Fact) -> bool {
    model.domains.is_marked(row, Mark::Step, variable)
        && model.domains.contains(row, variable, value)
}

/// Takes facts out of a row.
pub(crate) fn remove(model: &Model, row: &mut [u64], facts: &[Fact]) {
    for &(variable, value) in facts {
        let set = model.domains.get_mut(row, variable);
        set[value as usize / 64] &= !(1 << (value % 64));
    }
}

/// The row that holds one state alone.
pub(crate) fn exact(model: &Model, state: &State) -> Box<[u64]> {
    let mut row = vec![0; model.domains.row_words()];
    for (variable, layout) in (0..).zip(&model.task.variables) {
        model.domains.assign(&mut row, variable, layout.get(state));
    }
    model.domains.fill_ties(&mut row);
    row.into()
}

/// The row that holds one state; derived variables may have any value.
pub(crate) fn singleton(model: &Model, state: &State) -> Box<[u64]> {
    let mut row = exact(model, state);
    for (variables, _) in &model.axioms {
        for &variable in variables {
            model.domains.forget(&mut row, variable);
        }
    }
    row
}
