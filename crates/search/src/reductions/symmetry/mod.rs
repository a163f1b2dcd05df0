//! Symmetry: states that differ only in which of interchangeable objects is where are one (N.
//! Pochter, A. Zohar, J. S. Rosenschein, "Exploiting Problem Symmetries in State-Based Planners",
//! AAAI 2011).
//!
//! Objects are interchangeable if exchanging their names leaves the whole task as it is, the
//! initial state apart: operators of each agent, events, delayed effects, axioms, goal, losing
//! states and costs. So may two agents be who take turns: with their names their operators change
//! places, and whose turn it is. What stands in a list of live delayed effects is renamed as its
//! members are. `find` tries pairs of objects, `renaming` says what an exchange does to variables and
//! values, `form` compares the task before and after, and `order` says which effects may change
//! places. `colours` shows which objects are alike in a state, `moves` what becomes of a state by
//! exchanges in turn, `rotations` what becomes of it when an object passes others, and
//! `transpositions` makes permutations of exchanges.
//!
//! Such an exchange σ is an automorphism of the state space: s → s' by an operator o if and only if
//! σ(s) → σ(s') by σ(o), at the same cost, with as many labels. So a state may be replaced by any
//! σ(s), and a search that does so finds the same optimum and the same number of plans. A state is
//! replaced by one in which the objects of each class are in order of their colours, and no
//! exchange of neighbours of one colour makes it lexicographically less. Where objects of one
//! colour are not alike there may be more than one such state for an orbit; that costs time and
//! changes no answer.

#[cfg(test)]
mod boxes;
mod colours;
mod exchange;
mod find;
mod form;
mod moves;
mod order;
mod renaming;
mod rotations;
mod transpositions;

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::control::Control;
use brigade_task::layout::{Field, Variable};
use brigade_task::{ObjectId, PackedTask, State, StateBuf};
use colours::Colours;
use exchange::{Exchange, Move};
use moves::Moves;
use renaming::Renaming;
use rotations::{Rotation, Rotations};
use transpositions::Transpositions;

/// The interchangeable objects of a task.
pub(crate) struct Symmetries {
    exchanges: Vec<Exchange>,
    /// The images of values.
    values: Vec<u32>,
    /// The number of members of each class.
    sizes: Vec<usize>,
    /// The number of values of each variable that moves.
    variables: FxHashMap<Field, u32>,
    colours: Colours,
    rotations: Rotations,
    /// Made when first asked for.
    transpositions: OnceLock<Transpositions>,
}

/// Working space.
#[derive(Clone, Default)]
pub(crate) struct Buffers {
    state: StateBuf,
    colours: colours::Buffers,
    /// The exchanges of two of one colour that may make the state less.
    tied: Vec<usize>,
}

/// The image of a value of a variable: the variable and value that take its place.
pub(crate) type FactRenaming<'a> = Box<dyn Fn(u32, u32) -> (u32, u32) + 'a>;

/// A permutation of the members of classes: `self.0[member]` is what the member has become.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Permutation(Box<[u16]>);

impl Permutation {
    /// Adds an exchange, after those before.
    fn note(&mut self, exchange: &Exchange) {
        let (left, right) = exchange.members;
        for member in &mut self.0 {
            if usize::from(*member) == left {
                *member = right as u16;
            } else if usize::from(*member) == right {
                *member = left as u16;
            }
        }
    }
}

/// The interchangeable objects of a task, by class: any two of one class may change places, and the
/// task and its initial state stay as they are. Agents are none of them. What is found by the time that
/// `control` says stop holds.
pub fn interchangeable(task: &PackedTask, control: &dyn Control) -> Vec<Vec<ObjectId>> {
    find::alike_in(task, &task.initial, control)
}

impl Symmetries {
    /// `None` if no two objects of the task are interchangeable. What is found by the time that
    /// `control` says stop holds.
    pub(crate) fn find(task: &PackedTask, control: &dyn Control) -> Option<Self> {
        let mut found = Self {
            exchanges: Vec::new(),
            values: Vec::new(),
            sizes: Vec::new(),
            variables: FxHashMap::default(),
            colours: Colours::default(),
            rotations: Rotations::new(0, 0),
            transpositions: OnceLock::new(),
        };
        let mut members = 0;
        for class in find::classes(task, control) {
            let size = class.exchanges.len() + 1;
            if members + size > usize::from(u16::MAX) {
                break;
            }
            for (index, renaming) in class.exchanges.iter().enumerate() {
                let place = (members + index, members + index + 1);
                found.add(task, renaming, place);
            }
            found.sizes.push(size);
            members += size;
        }
        (!found.exchanges.is_empty()).then(|| found.prepared())
    }

    fn add(&mut self, task: &PackedTask, renaming: &Renaming, members: (usize, usize)) {
        let mut moves = Vec::with_capacity(renaming.moved.len());
        let mut compared = Vec::new();
        for &to in &renaming.moved {
            let from = renaming.variable(to);
            let one = Move {
                to: task.variables[to as usize].field(),
                from: task.variables[from as usize].field(),
                values: self.values.len() as u32,
            };
            self.values.extend_from_slice(&renaming.values[&from]);
            self.variables
                .insert(one.to, task.variables[to as usize].size);
            moves.push(one);
            // An exchange is its own inverse: one of two values stays if and only if the other does.
            if to <= from {
                compared.push(one);
            }
        }
        self.exchanges.push(Exchange {
            members,
            moves,
            compared,
        });
    }

    /// The same, with what follows from its exchanges.
    fn prepared(mut self) -> Self {
        let size = |field| self.variables[&field];
        self.colours = Colours::new(self.members(), &self.exchanges, &self.values, size);
        let values = |exchange: &Exchange| -> usize {
            (exchange.moves.iter().map(|one| size(one.from) as usize)).sum()
        };
        let values = self.exchanges.iter().map(values).max().unwrap_or(0);
        self.rotations = Rotations::new(self.exchanges.len(), values);
        self
    }

    /// The number of objects that may change places.
    pub(crate) fn members(&self) -> usize {
        self.sizes.iter().sum()
    }

    /// For each exchange the two members that change places, the first just before the second.
    pub(crate) fn neighbours(&self) -> impl Iterator<Item = (usize, usize)> {
        self.exchanges.iter().map(|exchange| exchange.members)
    }

    /// For each exchange what becomes of a value of a variable.
    pub(crate) fn renamings<'a>(&'a self, variables: &'a [Variable]) -> Vec<FactRenaming<'a>> {
        let ids = variables.iter().zip(0..);
        let ids: FxHashMap<Field, u32> = ids.map(|(variable, id)| (variable.field(), id)).collect();
        let renaming = |exchange: &'a Exchange| {
            let moves = exchange.moves.iter().map(|one| {
                let values = &self.values[one.values as usize..];
                let size = self.variables[&one.from] as usize;
                (ids[&one.from], (ids[&one.to], &values[..size]))
            });
            let moves: FxHashMap<u32, (u32, &[u32])> = moves.collect();
            let image = move |variable: u32, value: u32| match moves.get(&variable) {
                None => (variable, value),
                Some((to, values)) => (*to, values[value as usize]),
            };
            Box::new(image) as FactRenaming
        };
        self.exchanges.iter().map(renaming).collect()
    }

    /// Every object stands for itself.
    pub(crate) fn identity(&self) -> Permutation {
        Permutation((0..self.members() as u16).collect())
    }

    /// The exchanges that leave a state as it is; `None` if there are none.
    pub(crate) fn fixing(&self, state: &State) -> Option<Self> {
        let exchanges = self.exchanges.iter().filter(|exchange| {
            let mut moves = exchange.moves.iter();
            moves.all(|one| self.new_value(one, state) == one.to.get(state))
        });
        let exchanges: Vec<Exchange> = exchanges.cloned().collect();
        (!exchanges.is_empty()).then(|| {
            let fixing = Self {
                exchanges,
                values: self.values.clone(),
                sizes: self.sizes.clone(),
                variables: self.variables.clone(),
                colours: Colours::default(),
                rotations: Rotations::new(0, 0),
                transpositions: OnceLock::new(),
            };
            fixing.prepared()
        })
    }

    /// Replaces a state by one that stands for its orbit.
    pub(crate) fn canonicalize(&self, state: &mut State, buffers: &mut Buffers) {
        self.order(state, buffers, |_| {});
    }

    /// Makes a state stand for its orbit, with the exchanges that it took noted in a permutation,
    /// after those noted before.
    pub(crate) fn canonicalize_noting(
        &self,
        state: &mut State,
        buffers: &mut Buffers,
        permutation: &mut Permutation,
    ) {
        self.order(state, buffers, |exchange| permutation.note(exchange));
    }

    /// Applies exchanges until objects are in order of their colours, and no exchange of two of one
    /// colour makes the state less.
    fn order<'s>(
        &'s self,
        state: &mut State,
        buffers: &mut Buffers,
        mut note: impl FnMut(&'s Exchange),
    ) {
        self.colours
            .find(state, self.members(), &mut buffers.colours);
        let colours::Buffers {
            colours, is_joint, ..
        } = &mut buffers.colours;
        let mut next = 0;
        while next < self.exchanges.len() {
            let Some(rotation) = self.rotation_at(next, colours) else {
                next += 1;
                continue;
            };
            let members = self.exchanges[rotation.exchanges.start].members.0;
            let members = members..=members + rotation.exchanges.len();
            let (colours, is_joint) = (&mut colours[members.clone()], &mut is_joint[members]);
            if rotation.is_to_front {
                colours.rotate_right(1);
                is_joint.rotate_right(1);
            } else {
                colours.rotate_left(1);
                is_joint.rotate_left(1);
            }
            self.rotate(&rotation, state, &mut buffers.state, &mut note);
            next = rotation.exchanges.start.saturating_sub(1);
        }
        let exchanges = self.exchanges.iter().enumerate();
        // Those that stand in no fact with others are alike.
        let tied = exchanges.filter(|(_, exchange)| {
            let (left, right) = exchange.members;
            colours[left] == colours[right] && is_joint[left]
        });
        buffers.tied.clear();
        buffers.tied.extend(tied.map(|(index, _)| index));
        let mut is_lowered = true;
        while is_lowered {
            is_lowered = false;
            for &index in &buffers.tied {
                if self.lowers(&self.exchanges[index], state) {
                    let exchange = Rotation::of_neighbours(index);
                    self.rotate(&exchange, state, &mut buffers.state, &mut note);
                    is_lowered = true;
                }
            }
        }
    }

    /// The new value of a variable.
    fn new_value(&self, one: &Move, state: &State) -> u32 {
        self.values[(one.values + one.from.get(state)) as usize]
    }

    /// Returns whether an exchange makes a state lexicographically less.
    fn lowers(&self, exchange: &Exchange, state: &State) -> bool {
        for one in &exchange.compared {
            let (old, new) = (one.to.get(state), self.new_value(one, state));
            if old != new {
                return new < old;
            }
        }
        false
    }

    /// The rotation that brings two neighbours in order of their colours, and one of them past all
    /// others in a row with which it is out of order too, as far as an object goes at once; `None`
    /// if they are in order.
    fn rotation_at(&self, exchange: usize, colours: &[u64]) -> Option<Rotation> {
        let (left, right) = self.exchanges[exchange].members;
        if colours[left] <= colours[right] {
            return None;
        }
        let farthest = self.rotations.farthest();
        let later = (exchange..self.exchanges.len()).zip(left..).take(farthest);
        let later = later.take_while(|&(next, member)| {
            let (before, passed) = self.exchanges[next].members;
            before == member && colours[passed] < colours[left]
        });
        let earlier = (0..=exchange).rev().zip((1..=right).rev()).take(farthest);
        let earlier = earlier.take_while(|&(next, member)| {
            let (passed, after) = self.exchanges[next].members;
            after == member && colours[passed] > colours[right]
        });
        let (later, earlier) = (later.count(), earlier.count());
        let is_to_front = earlier > later;
        Some(Rotation {
            exchanges: if is_to_front {
                exchange + 1 - earlier..exchange + 1
            } else {
                exchange..exchange + later
            },
            is_to_front,
        })
    }

    /// Applies a rotation to a state, whose words before are left in `before`.
    fn rotate<'s>(
        &'s self,
        rotation: &Rotation,
        state: &mut State,
        before: &mut StateBuf,
        note: &mut impl FnMut(&'s Exchange),
    ) {
        let size = |field| self.variables[&field];
        let moves = |exchange: usize| Moves::of(&self.exchanges[exchange], &self.values, size);
        self.rotations.get(rotation, moves).apply(state, before);
        for exchange in rotation.in_turn() {
            note(&self.exchanges[exchange]);
        }
    }

    /// Lets the objects of a state change places as in a permutation.
    pub(crate) fn permute(
        &self,
        permutation: &Permutation,
        state: &mut State,
        buffers: &mut Buffers,
    ) {
        let made = self.transpositions().of(&permutation.0);
        self.transpose(made.into_iter(), state, buffers);
    }

    /// Undoes a permutation.
    pub(crate) fn permute_back(
        &self,
        permutation: &Permutation,
        state: &mut State,
        buffers: &mut Buffers,
    ) {
        let made = self.transpositions().of(&permutation.0);
        self.transpose(made.into_iter().rev(), state, buffers);
    }

    /// Lets members change places with the first of their class, one after another.
    fn transpose(
        &self,
        members: impl Iterator<Item = u16>,
        state: &mut State,
        buffers: &mut Buffers,
    ) {
        let transpositions = self.transpositions();
        for member in members {
            let one = transpositions.with_first(member);
            one.apply(state, &mut buffers.state);
        }
    }

    fn transpositions(&self) -> &Transpositions {
        self.transpositions.get_or_init(|| {
            let size = |field| self.variables[&field];
            Transpositions::new(self.members(), &self.exchanges, &self.values, size)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::boxes::{Boxes, MEMBERS, Scene};
    use super::*;
    use brigade_task::split_mix::SplitMix;

    /// The symmetries of boxes, where an object passes so many others at once; there may be an
    /// exchange that is none.
    fn symmetries(boxes: &Boxes, farthest: usize, missing: Option<usize>) -> Symmetries {
        let (mut exchanges, values) = boxes.exchanges();
        if let Some(missing) = missing {
            exchanges.remove(missing);
        }
        let moved = exchanges.iter().flat_map(|exchange| &exchange.moves);
        let variables = moved.map(|one| (one.to, boxes.size(one.to))).collect();
        let rotations = Rotations::passing(exchanges.len(), farthest);
        let found = Symmetries {
            exchanges,
            values,
            sizes: vec![5, 2],
            variables,
            colours: Colours::default(),
            rotations: Rotations::passing(0, 1),
            transpositions: OnceLock::new(),
        };
        Symmetries {
            rotations,
            ..found.prepared()
        }
    }

    /// The canonical state by exchanges of neighbours alone, and what became of each object.
    fn by_neighbours(found: &Symmetries, mut state: StateBuf) -> (StateBuf, Permutation) {
        let mut buffers = Buffers::default();
        let buffers = &mut buffers.colours;
        let mut noted = found.identity();
        let mut exchange = |exchange: &Exchange, state: &mut StateBuf| {
            let before = state.clone();
            for one in &exchange.moves {
                one.to.set(state, found.new_value(one, &before));
            }
            noted.note(exchange);
        };
        loop {
            found.colours.find(&state, found.members(), buffers);
            let colours = &buffers.colours;
            let unordered = found.exchanges.iter().find(|exchange| {
                let (left, right) = exchange.members;
                colours[left] > colours[right]
            });
            let Some(unordered) = unordered else { break };
            exchange(unordered, &mut state);
        }
        loop {
            let mut is_lowered = false;
            for one in &found.exchanges {
                let (left, right) = one.members;
                let is_tied =
                    buffers.colours[left] == buffers.colours[right] && buffers.is_joint[left];
                if is_tied && found.lowers(one, &state) {
                    exchange(one, &mut state);
                    is_lowered = true;
                }
            }
            if !is_lowered {
                return (state, noted);
            }
        }
    }

    #[test]
    fn a_canonical_state_is_that_by_exchanges_of_neighbours_however_many_are_passed_at_once() {
        let boxes = Boxes::new();
        for missing in [None, Some(1), Some(3)] {
            let all = [1, 2, 16].map(|farthest| symmetries(&boxes, farthest, missing));
            let mut random = SplitMix::new(3, 0);
            let mut buffers = Buffers::default();
            for _ in 0..500 {
                let state = boxes.state(&Scene::any(&mut random));
                let expected = by_neighbours(&all[0], state.clone());
                assert_eq!(boxes.permuted(&state, &expected.1.0), expected.0);
                for found in &all {
                    let mut canonical = state.clone();
                    let mut noted = found.identity();
                    found.canonicalize_noting(&mut canonical, &mut buffers, &mut noted);
                    assert_eq!((canonical, noted), expected);
                }
            }
        }
    }

    #[test]
    fn one_state_stands_for_all_that_differ_in_which_object_is_where() {
        let boxes = Boxes::new();
        let found = symmetries(&boxes, 16, None);
        let mut random = SplitMix::new(4, 0);
        let mut buffers = Buffers::default();
        for _ in 0..300 {
            // Things that point at each other may have several.
            let scene = Scene {
                targets: [MEMBERS as u32; MEMBERS],
                ..Scene::any(&mut random)
            };
            let mut state = boxes.state(&scene);
            let mut permutation: [u16; MEMBERS] = std::array::from_fn(|member| member as u16);
            random.shuffle(&mut permutation[..5]);
            random.shuffle(&mut permutation[5..]);
            let mut image = boxes.permuted(&state, &permutation);
            found.canonicalize(&mut state, &mut buffers);
            found.canonicalize(&mut image, &mut buffers);
            assert_eq!(image, state, "{permutation:?}");
        }
    }
}
