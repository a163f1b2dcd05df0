//! Any permutation of interchangeable objects as a few exchanges of two.
//!
//! Exchanges of neighbours make all permutations of a class, but a permutation of n members may take
//! n² of them. Any is also made by 3n/2 exchanges with the first member at most, and those are made
//! from the exchanges of neighbours: the first and the third change places as the second and the
//! third, then the first and the second, then the second and the third again.

use rustc_hash::FxHashMap;

use super::Exchange;
use crate::task::layout::Field;

/// For each member of a class, by its place, the first of the class and what happens when the two
/// change places.
pub(super) struct Transpositions {
    first: Vec<u16>,
    with_first: Vec<Transposition>,
}

/// Two members change places. Of the first itself, nothing.
#[derive(Default)]
pub(super) struct Transposition(Vec<Renamed>);

/// A variable takes the value of another, renamed.
struct Renamed {
    to: Field,
    from: Field,
    values: Box<[u32]>,
}

impl Transpositions {
    /// Of exchanges of neighbours among so many members. `values` are their values, `size` tells how
    /// many a variable has.
    pub(super) fn new(
        members: usize,
        exchanges: &[Exchange],
        values: &[u32],
        size: impl Fn(Field) -> u32,
    ) -> Self {
        let mut all = Self {
            first: (0..members as u16).collect(),
            with_first: (0..members).map(|_| Transposition::default()).collect(),
        };
        for exchange in exchanges {
            let neighbours = Transposition::of_neighbours(exchange, values, &size);
            let (left, right) = exchange.members;
            all.first[right] = all.first[left];
            all.with_first[right] = if usize::from(all.first[left]) == left {
                neighbours
            } else {
                neighbours.around(&all.with_first[left], &size)
            };
        }
        all
    }

    /// The members that change places with the first of their class, one after another, to make a
    /// permutation.
    pub(super) fn of(&self, permutation: &[u16]) -> Vec<u16> {
        let mut left = permutation.to_vec();
        let mut made = Vec::new();
        for place in 0..left.len() {
            let first = usize::from(self.first[place]);
            if left[place] as usize != place && place != first {
                left.swap(first, place);
                made.push(place as u16);
            }
            while usize::from(left[first]) != first {
                let place = left[first];
                left.swap(first, place.into());
                made.push(place);
            }
        }
        made
    }

    /// What happens when a member changes places with the first of its class.
    pub(super) fn with_first(&self, member: u16) -> &Transposition {
        &self.with_first[usize::from(member)]
    }
}

impl Transposition {
    fn of_neighbours(exchange: &Exchange, values: &[u32], size: impl Fn(Field) -> u32) -> Self {
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

    /// This exchange, then another, then this again.
    fn around(&self, other: &Self, size: impl Fn(Field) -> u32) -> Self {
        let by_variable = |one: &'_ Self| -> FxHashMap<Field, usize> {
            let moves = one.0.iter().zip(0..);
            moves.map(|(renamed, index)| (renamed.to, index)).collect()
        };
        let (outer, inner) = (by_variable(self), by_variable(other));
        let steps = [(self, &outer), (other, &inner), (self, &outer)];
        let mut touched: Vec<Field> = outer.keys().chain(inner.keys()).copied().collect();
        touched.sort_unstable();
        touched.dedup();
        let renamed = touched.into_iter().filter_map(|to| {
            // From the value that is set back to the one that is read.
            let mut from = to;
            let mut renamings: Vec<&[u32]> = Vec::new();
            for (moves, index) in steps {
                if let Some(&at) = index.get(&from) {
                    renamings.push(&moves.0[at].values);
                    from = moves.0[at].from;
                }
            }
            let value = |value: u32| {
                let renamings = renamings.iter().rev();
                renamings.fold(value, |value, renaming| renaming[value as usize])
            };
            let values: Box<[u32]> = (0..size(from)).map(value).collect();
            let stays = from == to && (0..).zip(&values).all(|(old, &new)| old == new);
            (!stays).then_some(Renamed { to, from, values })
        });
        Self(renamed.collect())
    }

    /// Lets the two change places in a state. `before` is working space.
    pub(super) fn apply(&self, state: &mut [u64], before: &mut Vec<u64>) {
        before.clear();
        before.extend_from_slice(state);
        for one in &self.0 {
            let value = one.from.get(before) as usize;
            one.to.set(state, one.values[value]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Move;
    use super::*;
    use crate::task::layout::{Variable, VariableKind, pack};

    /// Each member has a box with a colour, and a hand holds one of the members or nothing.
    const MEMBERS: usize = 7;
    const COLOURS: u32 = 3;
    /// Members 0 to 4 may change places, and so may 5 and 6.
    const NEIGHBOURS: [(usize, usize); 5] = [(0, 1), (1, 2), (2, 3), (3, 4), (5, 6)];

    fn variables() -> (Vec<Field>, usize) {
        let variable = |name: String, size: u32| {
            let values = (0..size).map(|value| value.to_string()).collect();
            Variable::new(name, VariableKind::Object, values)
        };
        let mut variables: Vec<Variable> = (0..MEMBERS)
            .map(|member| variable(format!("box{member}"), COLOURS))
            .collect();
        variables.push(variable("hand".to_owned(), MEMBERS as u32 + 1));
        let words = pack(&mut variables);
        let fields = variables.iter().map(Variable::field);
        (fields.collect(), words)
    }

    fn exchanges(fields: &[Field]) -> (Vec<Exchange>, Vec<u32>) {
        let mut values: Vec<u32> = Vec::new();
        let mut exchanges = Vec::new();
        for (left, right) in NEIGHBOURS {
            let mut moves = Vec::new();
            for (to, from) in [(left, right), (right, left)] {
                moves.push(Move {
                    to: fields[to],
                    from: fields[from],
                    values: values.len() as u32,
                });
                values.extend(0..COLOURS);
            }
            moves.push(Move {
                to: fields[MEMBERS],
                from: fields[MEMBERS],
                values: values.len() as u32,
            });
            let renamed = |member: usize| match member {
                member if member == left => right,
                member if member == right => left,
                member => member,
            };
            values.extend((0..=MEMBERS).map(|member| renamed(member) as u32));
            exchanges.push(Exchange {
                members: (left, right),
                moves,
                compared: Vec::new(),
            });
        }
        (exchanges, values)
    }

    #[test]
    fn a_permutation_is_made_of_exchanges_with_the_first_of_each_class() {
        let (fields, words) = variables();
        let (exchanges, values) = exchanges(&fields);
        let size = |field: Field| {
            let of_hand = field == fields[MEMBERS];
            if of_hand { MEMBERS as u32 + 1 } else { COLOURS }
        };
        let all = Transpositions::new(MEMBERS, &exchanges, &values, size);
        for permutation in [
            [0, 1, 2, 3, 4, 5, 6],
            [4, 3, 2, 1, 0, 6, 5],
            [1, 2, 3, 4, 0, 5, 6],
            [0, 3, 4, 2, 1, 6, 5],
            [2, 1, 0, 4, 3, 5, 6],
        ] {
            let made = all.of(&permutation);
            assert!(made.len() <= MEMBERS * 3 / 2, "{made:?}");
            for held in 0..=MEMBERS {
                let mut state = vec![0; words];
                let mut expected = vec![0; words];
                for member in 0..MEMBERS {
                    let colour = member as u32 % COLOURS;
                    fields[member].set(&mut state, colour);
                    fields[usize::from(permutation[member])].set(&mut expected, colour);
                }
                let becomes = permutation.get(held).map_or(MEMBERS, |&new| new.into());
                fields[MEMBERS].set(&mut state, held as u32);
                fields[MEMBERS].set(&mut expected, becomes as u32);
                let (before, mut space) = (state.clone(), Vec::new());
                for &member in &made {
                    all.with_first(member).apply(&mut state, &mut space);
                }
                assert_eq!(state, expected, "{permutation:?}, holding {held}");
                for &member in made.iter().rev() {
                    all.with_first(member).apply(&mut state, &mut space);
                }
                assert_eq!(state, before, "{permutation:?}, holding {held}");
            }
        }
    }
}
