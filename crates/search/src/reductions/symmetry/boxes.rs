//! A small world to test symmetries in: each of seven things has a box with a colour and points at
//! a thing or nothing, and a hand holds one of them or nothing. Things 0 to 4 may change places,
//! and so may 5 and 6.

use super::exchange::{Exchange, Move};
use brigade_task::layout::{Field, Variable, VariableKind, pack};
use brigade_task::split_mix::SplitMix;
use brigade_task::symbols::Value;
use brigade_task::{State, StateBuf};

pub(super) const MEMBERS: usize = 7;
pub(super) const COLOURS: u32 = 3;
/// A value of what is held or pointed at: one of the things, or nothing.
pub(super) const HELD: u32 = MEMBERS as u32 + 1;
const NEIGHBOURS: [(usize, usize); 5] = [(0, 1), (1, 2), (2, 3), (3, 4), (5, 6)];

/// The layout of the small world: what is where.
#[derive(Clone, Copy)]
pub(super) struct Scene {
    pub(super) colours: [u32; MEMBERS],
    pub(super) targets: [u32; MEMBERS],
    pub(super) held: u32,
}

impl Scene {
    pub(super) fn any(random: &mut SplitMix) -> Self {
        let colours = [0; MEMBERS].map(|_| random.below(COLOURS as usize) as u32);
        // Often nothing, so that some are alike.
        let targets = [0; MEMBERS].map(|_| (random.below(20) as u32).min(HELD - 1));
        Self {
            colours,
            targets,
            held: random.below(HELD as usize) as u32,
        }
    }

    /// The same with other things in the place of each.
    fn permuted(self, permutation: &[u16]) -> Self {
        let becomes = |thing: u32| {
            permutation
                .get(thing as usize)
                .map_or(thing, |&it| it.into())
        };
        let mut found = self;
        for (member, &new) in permutation.iter().enumerate() {
            found.colours[usize::from(new)] = self.colours[member];
            found.targets[usize::from(new)] = becomes(self.targets[member]);
        }
        found.held = becomes(self.held);
        found
    }
}

pub(super) struct Boxes {
    /// Those of the boxes, then those of what each points at, then that of the hand.
    fields: Vec<Field>,
    words: usize,
}

impl Boxes {
    pub(super) fn new() -> Self {
        let variable = |name: String, size: u32| {
            let values = (0..size).map(Value::number).collect();
            Variable::new(name, VariableKind::Object, values)
        };
        let boxes = (0..MEMBERS).map(|member| variable(format!("box{member}"), COLOURS));
        let targets = (0..MEMBERS).map(|member| variable(format!("target{member}"), HELD));
        let hand = variable("hand".to_owned(), HELD);
        let mut variables: Vec<Variable> = boxes.chain(targets).chain([hand]).collect();
        let words = pack(&mut variables);
        Self {
            fields: variables.iter().map(Variable::field).collect(),
            words,
        }
    }

    /// The number of values of a variable.
    pub(super) fn size(&self, field: Field) -> u32 {
        if self.fields[..MEMBERS].contains(&field) {
            COLOURS
        } else {
            HELD
        }
    }

    /// The exchanges of neighbours, and what values become.
    pub(super) fn exchanges(&self) -> (Vec<Exchange>, Vec<u32>) {
        let mut values: Vec<u32> = (0..COLOURS).collect();
        let mut exchanges = Vec::new();
        for (left, right) in NEIGHBOURS {
            let renamed = |member: usize| match member {
                member if member == left => right,
                member if member == right => left,
                member => member,
            };
            let things = values.len() as u32;
            values.extend((0..=MEMBERS).map(|member| renamed(member) as u32));
            let boxes = [(left, right), (right, left)].map(|(to, from)| Move {
                to: self.fields[to],
                from: self.fields[from],
                values: 0,
            });
            let others = (0..=MEMBERS).map(|member| Move {
                to: self.fields[MEMBERS + member],
                from: self.fields[MEMBERS + renamed(member)],
                values: things,
            });
            let mut moves: Vec<Move> = boxes.into_iter().chain(others).collect();
            moves.sort_unstable_by_key(|one| one.to);
            exchanges.push(Exchange {
                members: (left, right),
                compared: moves
                    .iter()
                    .filter(|one| one.to <= one.from)
                    .copied()
                    .collect(),
                moves,
            });
        }
        (exchanges, values)
    }

    pub(super) fn state(&self, scene: &Scene) -> StateBuf {
        let mut state = StateBuf::zeros(self.words);
        let values = scene.colours.iter().chain(&scene.targets);
        for (field, &value) in self.fields.iter().zip(values.chain([&scene.held])) {
            field.set(&mut state, value);
        }
        state
    }

    /// A state with other things in the place of each.
    pub(super) fn permuted(&self, state: &State, permutation: &[u16]) -> StateBuf {
        let value = |index: usize| self.fields[index].get(state);
        let scene = Scene {
            colours: std::array::from_fn(value),
            targets: std::array::from_fn(|member| value(MEMBERS + member)),
            held: value(2 * MEMBERS),
        };
        self.state(&scene.permuted(permutation))
    }
}
