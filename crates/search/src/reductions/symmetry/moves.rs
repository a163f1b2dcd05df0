//! Moves of variables when objects change places.

use std::collections::BTreeMap;

use brigade_task::{State, StateBuf};
use rustc_hash::FxHashMap;

use super::exchange::Exchange;
use brigade_task::layout::Field;

/// Variables that take the values of others, renamed; the rest stay as they are.
#[derive(Default)]
pub(super) struct Moves(Vec<Renamed>);

/// A variable takes the value of another, renamed.
struct Renamed {
    to: Field,
    from: Field,
    /// The image of each value of `from`.
    values: Box<[u32]>,
}

/// The same by words of a state.
///
/// Variables that take values as they are, and move as far within a word, move together. Objects of
/// a class have the same variables, which are packed alike, so for most of them that is a few
/// words.
pub(super) struct Shifts {
    /// Variables that move together.
    together: Box<[Shift]>,
    others: Box<[Other]>,
    /// The images of values of the others.
    values: Box<[u32]>,
}

/// Bits of a word that come from a word.
struct Shift {
    to: usize,
    from: usize,
    /// The distance by which they are rotated to the left.
    rotated: u32,
    /// The bits, where they arrive.
    bits: u64,
}

/// A variable that takes values of another that are renamed.
struct Other {
    to: Field,
    from: Field,
    /// The place of what its first value becomes.
    values: u32,
}

impl Moves {
    /// The moves of an exchange. `values` are the images of values, `size` gives the number of
    /// values of a variable.
    pub(super) fn of(exchange: &Exchange, values: &[u32], size: impl Fn(Field) -> u32) -> Self {
        let moves = exchange.moves.iter().map(|one| {
            let values = &values[one.values as usize..];
            Renamed {
                to: one.to,
                from: one.from,
                values: values[..size(one.from) as usize].into(),
            }
        });
        Self(moves.collect())
    }

    /// The moves of all these, done one after another.
    pub(super) fn in_turn(all: &[&Self]) -> Self {
        let by_variable = |one: &'_ &Self| -> FxHashMap<Field, usize> {
            let moves = one.0.iter().zip(0..);
            moves.map(|(renamed, index)| (renamed.to, index)).collect()
        };
        let indices: Vec<FxHashMap<Field, usize>> = all.iter().map(by_variable).collect();
        let mut touched: Vec<Field> = indices.iter().flat_map(|it| it.keys().copied()).collect();
        touched.sort_unstable();
        touched.dedup();
        let renamed = touched.into_iter().filter_map(|to| {
            // From the value that is set back to the one that is read.
            let mut from = to;
            let mut renamings: Vec<&[u32]> = Vec::new();
            for (moves, index) in all.iter().zip(&indices).rev() {
                if let Some(&at) = index.get(&from) {
                    renamings.push(&moves.0[at].values);
                    from = moves.0[at].from;
                }
            }
            let read = renamings.pop().unwrap_or_default();
            let value = |&value: &u32| {
                let renamings = renamings.iter().rev();
                renamings.fold(value, |value, renaming| renaming[value as usize])
            };
            let values: Box<[u32]> = read.iter().map(value).collect();
            let one = Renamed { to, from, values };
            (from != to || !one.takes_as_it_is()).then_some(one)
        });
        Self(renamed.collect())
    }

    pub(super) fn shifts(&self) -> Shifts {
        let mut shifts: BTreeMap<(usize, usize, u32), u64> = BTreeMap::new();
        let mut others = Vec::new();
        let mut values = Vec::new();
        for one in &self.0 {
            if one.takes_as_it_is() {
                let rotated = one.to.shift().wrapping_sub(one.from.shift()) % u64::BITS;
                let words = (one.to.word(), one.from.word(), rotated);
                *shifts.entry(words).or_default() |= one.to.mask_in_place();
            } else {
                others.push(Other {
                    to: one.to,
                    from: one.from,
                    values: values.len() as u32,
                });
                values.extend_from_slice(&one.values);
            }
        }
        let shifts = shifts.into_iter();
        let shifts = shifts.map(|((to, from, rotated), bits)| Shift {
            to,
            from,
            rotated,
            bits,
        });
        Shifts {
            together: shifts.collect(),
            others: others.into(),
            values: values.into(),
        }
    }
}

impl Renamed {
    fn takes_as_it_is(&self) -> bool {
        (0..).zip(&self.values).all(|(old, &new)| old == new)
    }
}

impl Shifts {
    /// Lets objects change places in a state. `before` is working space.
    pub(super) fn apply(&self, state: &mut State, before: &mut StateBuf) {
        state.clone_into(before);
        for shift in &self.together {
            let moved = before.words()[shift.from].rotate_left(shift.rotated) & shift.bits;
            let word = &mut state.words_mut()[shift.to];
            *word = *word & !shift.bits | moved;
        }
        for one in &self.others {
            let value = one.values + one.from.get(before);
            one.to.set(state, self.values[value as usize]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reductions::symmetry::boxes::{Boxes, Scene};
    use brigade_task::split_mix::SplitMix;

    fn all(boxes: &Boxes) -> Vec<Moves> {
        let (exchanges, values) = boxes.exchanges();
        let exchanges = exchanges.iter();
        let moves = exchanges.map(|exchange| Moves::of(exchange, &values, |it| boxes.size(it)));
        moves.collect()
    }

    #[test]
    fn exchanges_in_turn_come_to_the_same_at_once() {
        let boxes = Boxes::new();
        let (exchanges, values) = boxes.exchanges();
        let moves = all(&boxes);
        let mut random = SplitMix::new(7, 0);
        let mut space = StateBuf::default();
        for _ in 0..200 {
            let mut found = boxes.state(&Scene::any(&mut random));
            let mut expected = found.clone();
            let chosen = (0..random.below(9)).map(|_| random.below(exchanges.len()));
            let chosen: Vec<usize> = chosen.collect();
            for &index in &chosen {
                let before = expected.clone();
                for one in &exchanges[index].moves {
                    let value = values[(one.values + one.from.get(&before)) as usize];
                    one.to.set(&mut expected, value);
                }
            }
            let all: Vec<&Moves> = chosen.iter().map(|&index| &moves[index]).collect();
            Moves::in_turn(&all).shifts().apply(&mut found, &mut space);
            assert_eq!(found, expected, "{chosen:?}");
        }
    }

    #[test]
    fn variables_that_move_alike_are_one_shift() {
        let boxes = Boxes::new();
        let moves = all(&boxes);
        // The first of five goes to the end: four boxes move by one, and one by four. What is pointed at
        // and held gets other names.
        let shifts = Moves::in_turn(&moves.iter().take(4).collect::<Vec<_>>()).shifts();
        assert_eq!((shifts.together.len(), shifts.others.len()), (2, 8));
    }
}
