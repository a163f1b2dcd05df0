//! The variables of each word of a state, and their values in it.

use brigade_task::Task;
use brigade_task::layout::Variable;

/// The variables of each word of a state.
pub(super) struct Fields(Vec<Vec<u32>>);

impl Fields {
    pub(super) fn new(task: &Task) -> Self {
        let mut words = vec![Vec::new(); task.words];
        for (variable, id) in task.variables.iter().zip(0..) {
            words[usize::from(variable.word)].push(id);
        }
        Self(words)
    }

    /// The variables whose fields meet a mask, and whether each is covered by it.
    pub(super) fn of<'f>(
        &'f self,
        variables: &'f [Variable],
        word: u16,
        mask: u64,
    ) -> impl Iterator<Item = (u32, bool)> + 'f {
        self.0[usize::from(word)].iter().filter_map(move |&id| {
            let own = variables[id as usize].mask();
            (own & mask != 0).then_some((id, own & mask == own))
        })
    }
}

/// The value of a variable in a word.
pub(super) fn value_in(variable: &Variable, word: u64) -> u32 {
    ((word & variable.mask()) >> variable.shift) as u32
}
