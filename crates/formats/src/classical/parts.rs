//! The fields of a word of the state.

use brigade_task::Task;

/// The variables of a word whose fields lie in `mask`, with their values in `value`.
pub(super) fn parts(
    task: &Task,
    words: &[Vec<u32>],
    word: u16,
    mask: u64,
    value: u64,
) -> Vec<(u32, u32)> {
    let field = |&index: &u32| {
        let variable = &task.variables[index as usize];
        let inside = mask & variable.mask() == variable.mask();
        inside.then(|| (index, ((value & variable.mask()) >> variable.shift) as u32))
    };
    words[word as usize].iter().filter_map(field).collect()
}
