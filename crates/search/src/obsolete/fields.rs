//! Which variables words of a state hold, and what writes give them.

use brigade_task::effect::Write;
use brigade_task::{Task, VarId};

/// Which variables have their fields in which word.
pub(super) struct Fields<'t> {
    pub(super) task: &'t Task,
    of_word: Vec<Vec<VarId>>,
}

impl<'t> Fields<'t> {
    pub(super) fn new(task: &'t Task) -> Self {
        let mut of_word = vec![Vec::new(); task.words];
        for (variable, id) in task.variables.iter().zip(0..) {
            of_word[usize::from(variable.word)].push(VarId(id));
        }
        Self { task, of_word }
    }

    pub(super) fn mask(&self, id: VarId) -> u64 {
        self.task.variables[id.index()].mask()
    }

    /// The variables of which a mask has bits.
    pub(super) fn variables(&self, word: u16, mask: u64) -> impl Iterator<Item = VarId> {
        let of_word = self.of_word[usize::from(word)].iter().copied();
        of_word.filter(move |&id| self.mask(id) & mask != 0)
    }

    /// What a write gives each variable.
    pub(super) fn written(&self, write: Write) -> impl Iterator<Item = (VarId, u32)> {
        self.variables(write.word, write.mask).map(move |id| {
            let shift = self.task.variables[id.index()].shift;
            (id, ((write.value & self.mask(id)) >> shift) as u32)
        })
    }
}
