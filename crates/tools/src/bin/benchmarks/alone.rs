//! Blind search of a given number of states by a program that knows one task alone, the 11-puzzle: the
//! most that a general planner can be measured against.
//!
//! A state is one word, four bits for what is in each cell; the states are the slots of an
//! open-addressing table, and each layer of the search is a list. There are no parents, operators or
//! costs.

use std::error::Error;
use std::path::Path;

use crate::families::beside;
use crate::record::Found;

const ROWS: usize = 3;
const COLUMNS: usize = 4;
const CELLS: usize = ROWS * COLUMNS;

/// Reads the start from a problem, searches, and prints what it found.
pub(crate) fn search(problem: &Path, states: u64) -> Result<(), Box<dyn Error>> {
    let (start, gap) = start(&crate::read(problem)?).ok_or("not an 11-puzzle")?;
    let found = layers(start, gap, states);
    #[expect(clippy::print_stdout, reason = "the parent reads it")]
    {
        println!("{}", serde_json::to_string(&found)?);
    }
    Ok(())
}

/// The first state, and the cell of its gap.
fn start(problem: &str) -> Option<(u64, usize)> {
    let init = problem.split_once("(:init")?.1.split_once("(:goal")?.0;
    let (mut state, mut gap) = (0, None);
    for fact in init.split('(') {
        let words: Vec<&str> = fact.split([' ', ')']).collect();
        let number = |word: &str| word.get(1..)?.parse::<usize>().ok();
        match words[..] {
            ["at", tile, cell, ..] => {
                let cell = number(cell).filter(|&cell| cell < CELLS)?;
                let tile = number(tile).filter(|&tile| tile < CELLS)?;
                state |= (tile as u64) << (4 * cell);
            }
            ["gap", cell, ..] => gap = number(cell).filter(|&cell| cell < CELLS),
            _ => {}
        }
    }
    Some((state, gap?))
}

/// Breadth-first, until so many states are stored.
fn layers(start: u64, gap: usize, most: u64) -> Found {
    let beside = (0..CELLS).map(|cell| beside(ROWS, COLUMNS, cell).collect());
    let beside: Vec<Vec<usize>> = beside.collect();
    let mut known = Slots::new();
    let (mut expanded, mut generated) = (0, 0);
    known.insert(start);
    let mut layer = vec![(start, gap)];
    let mut next = Vec::new();
    'search: while !layer.is_empty() {
        for &(state, gap) in &layer {
            expanded += 1;
            for &cell in &beside[gap] {
                let tile = state >> (4 * cell) & 15;
                let moved = state ^ tile << (4 * cell) ^ tile << (4 * gap);
                generated += 1;
                if known.insert(moved) {
                    next.push((moved, cell));
                    if known.len >= most {
                        break 'search;
                    }
                }
            }
        }
        std::mem::swap(&mut layer, &mut next);
        next.clear();
    }
    Found {
        states: Some(known.len),
        expanded: Some(expanded),
        generated: Some(generated),
        ..Found::default()
    }
}

/// A set of states, none of which is 0.
struct Slots {
    slots: Vec<u64>,
    len: u64,
}

impl Slots {
    fn new() -> Self {
        Self {
            slots: vec![0; 1 << 10],
            len: 0,
        }
    }

    /// Returns whether the state is new.
    fn insert(&mut self, state: u64) -> bool {
        if self.len * 4 >= self.slots.len() as u64 * 3 {
            let larger = vec![0; self.slots.len() * 2];
            let old = std::mem::replace(&mut self.slots, larger);
            for state in old.into_iter().filter(|&state| state != 0) {
                let place = self.place(state);
                self.slots[place] = state;
            }
        }
        let place = self.place(state);
        let is_new = self.slots[place] == 0;
        self.slots[place] = state;
        self.len += u64::from(is_new);
        is_new
    }

    /// Returns the slot where a state is, or may be stored.
    fn place(&self, state: u64) -> usize {
        let mask = self.slots.len() - 1;
        let hash = state.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut place = (hash >> (64 - self.slots.len().trailing_zeros())) as usize;
        while self.slots[place] != 0 && self.slots[place] != state {
            place = (place + 1) & mask;
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_hold_the_states_that_so_many_moves_lead_to() {
        let order = (1..CELLS).fold(0, |state, cell| state | (cell as u64) << (4 * cell));
        // The gap in a corner: two moves, four more after another one, ten after a third.
        for (most, expanded) in [(3, 1), (7, 3)] {
            let found = layers(order, 0, most);
            assert_eq!(found.states, Some(most));
            assert_eq!(found.expanded, Some(expanded));
        }
    }

    #[test]
    fn the_start_is_read_from_the_problem() {
        let texts = crate::families::generate("11-puzzle-0").unwrap();
        let order = (1..CELLS).fold(0, |state, cell| state | (cell as u64) << (4 * cell));
        assert_eq!(start(&texts.problem), Some((order, 0)));
    }
}
