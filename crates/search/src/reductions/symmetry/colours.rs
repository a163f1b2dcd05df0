//! Colours of interchangeable objects in a state, which distinguish them whatever their names
//! (colour refinement; C. Berkholz, P. Bonsma, M. Grohe, "Tight Lower and Upper Bounds for the
//! Complexity of Canonical Colour Refinement", Theory of Computing Systems, 2017).
//!
//! At first an object's colour says which facts it stands in, and at which place; then also what
//! colours the others have that stand in them. When objects change places, so do their colours. So
//! objects in order of their colours are in the same order in all states of an orbit, but for those
//! of one colour.
//!
//! Which members of a class a fact is about is found from what exchanges do to it: all that it is
//! not about may change places among themselves and leave it as it is.

use brigade_task::State;
use rustc_hash::FxHashMap;

use super::exchange::Exchange;
use brigade_task::layout::Field;

/// The rounds in which colours are refined by those of others.
const ROUNDS: usize = 2;

/// The colouring of the members of classes.
#[derive(Default)]
pub(super) struct Colours {
    /// The variables that exchanges move, and the number of the first fact of each; without those
    /// of which only one value distinguishes members.
    fields: Vec<(Field, u32)>,
    /// These: their words, their bits, and for each bit of a word the number of the fact.
    flags: Vec<(usize, u64, Box<[u32; 64]>)>,
    /// Those that each fact is about.
    members: Vec<Members>,
    /// Those of facts about two, and about more.
    pairs: Vec<[Member; 2]>,
    more: Vec<Box<[Member]>>,
}

/// The member that a fact is about, and what it means to stand there.
type Member = (u16, u64);

/// The members that a fact is about; of several the place in their list.
#[derive(Clone, Copy)]
enum Members {
    None,
    One(Member),
    Pair(u32),
    More(u32),
}

/// Working space.
#[derive(Clone, Default)]
pub(super) struct Buffers {
    /// The colour of each member.
    pub(super) colours: Vec<u64>,
    /// True if each stands in a fact with others.
    pub(super) is_joint: Vec<bool>,
    next: Vec<u64>,
    /// The facts that hold and are about two members, and about more.
    pairs: Vec<u32>,
    more: Vec<u32>,
}

impl Colours {
    /// The colouring by exchanges of neighbours among so many members. `values` are their values,
    /// `size` gives the number of values of a variable.
    pub(super) fn new(
        members: usize,
        exchanges: &[Exchange],
        values: &[u32],
        size: impl Fn(Field) -> u32,
    ) -> Self {
        let facts = Facts::new(members, exchanges, values, size);
        let mut found = Self::default();
        for members in facts.orbits() {
            let members = found.add(&members);
            found.members.push(members);
        }
        for &(field, first) in &facts.fields {
            let is_flag = facts.is_first_of_two(first)
                && matches!(found.members[first as usize], Members::None);
            if !is_flag {
                found.fields.push((field, first));
                continue;
            }
            let bit = field.shift();
            match found.flags.last_mut() {
                Some((word, bits, facts)) if *word == field.word() => {
                    *bits |= 1 << bit;
                    facts[bit as usize] = first + 1;
                }
                _ => {
                    let mut facts = Box::new([0; 64]);
                    facts[bit as usize] = first + 1;
                    found.flags.push((field.word(), 1 << bit, facts));
                }
            }
        }
        found
    }

    fn add(&mut self, members: &[Member]) -> Members {
        match *members {
            [] => Members::None,
            [one] => Members::One(one),
            [one, other] => {
                self.pairs.push([one, other]);
                Members::Pair(self.pairs.len() as u32 - 1)
            }
            _ => {
                self.more.push(members.into());
                Members::More(self.more.len() as u32 - 1)
            }
        }
    }

    /// Finds the colours of so many members in a state.
    pub(super) fn find(&self, state: &State, members: usize, buffers: &mut Buffers) {
        let Buffers {
            colours,
            is_joint,
            next,
            pairs,
            more,
        } = buffers;
        colours.clear();
        colours.resize(members, 0);
        is_joint.clear();
        is_joint.resize(members, false);
        pairs.clear();
        more.clear();
        let mut add = |fact: u32| match self.members[fact as usize] {
            Members::None => {}
            Members::One((member, place)) => plus(colours, member, place),
            Members::Pair(pair) => {
                pairs.push(pair);
                for (member, place) in self.pairs[pair as usize] {
                    plus(colours, member, place);
                    is_joint[usize::from(member)] = true;
                }
            }
            Members::More(those) => {
                more.push(those);
                for &(member, place) in &self.more[those as usize] {
                    plus(colours, member, place);
                    is_joint[usize::from(member)] = true;
                }
            }
        };
        for &(field, first) in &self.fields {
            add(first + field.get(state));
        }
        for (word, bits, facts) in &self.flags {
            let mut left = state.words()[*word] & bits;
            while left != 0 {
                add(facts[left.trailing_zeros() as usize]);
                left &= left - 1;
            }
        }
        for _ in 0..ROUNDS {
            next.clear();
            next.extend(colours.iter().map(|&colour| mix(colour)));
            // How a member is seen by the others.
            let seen =
                |(member, place): Member| mix(colours[usize::from(member)].wrapping_add(place));
            for &pair in &*pairs {
                let [one, other] = self.pairs[pair as usize];
                plus(next, one.0, mix(seen(other).wrapping_add(one.1)));
                plus(next, other.0, mix(seen(one).wrapping_add(other.1)));
            }
            for &those in &*more {
                let those = &self.more[those as usize];
                let all = those.iter().map(|&one| seen(one));
                let all = all.fold(0, u64::wrapping_add);
                for &one in those {
                    let others = all.wrapping_sub(seen(one));
                    plus(next, one.0, mix(others.wrapping_add(one.1)));
                }
            }
            std::mem::swap(colours, next);
        }
    }
}

/// Adds to the colour of a member.
fn plus(colours: &mut [u64], member: u16, number: u64) {
    let colour = &mut colours[usize::from(member)];
    *colour = colour.wrapping_add(number);
}

/// Spreads the bits of a number (the end of `SplitMix64`; G. L. Steele, D. Lea, C. H. Flood, OOPSLA
/// 2014).
#[inline]
const fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// The images of facts under exchanges: values of the variables that they move.
struct Facts<'e> {
    exchanges: &'e [Exchange],
    values: &'e [u32],
    /// The number of the first member of each class, and of the one after its last.
    classes: Vec<(usize, usize)>,
    fields: Vec<(Field, u32)>,
    /// For each fact its variable, by its place in `fields`.
    field_of: Vec<u32>,
    /// For each exchange what becomes of each variable: the place of the other in `fields`, and of
    /// what becomes of its first value in `values`.
    images: Vec<FxHashMap<u32, (u32, u32)>>,
    /// For each fact the exchanges that move it.
    movers: Vec<Vec<u32>>,
}

impl<'e> Facts<'e> {
    fn new(
        members: usize,
        exchanges: &'e [Exchange],
        values: &'e [u32],
        size: impl Fn(Field) -> u32,
    ) -> Self {
        let moves = exchanges.iter().flat_map(|exchange| &exchange.moves);
        let mut moved: Vec<Field> = moves.map(|one| one.to).collect();
        moved.sort_unstable();
        moved.dedup();
        let mut fields = Vec::with_capacity(moved.len());
        let mut field_of = Vec::new();
        for (field, place) in moved.into_iter().zip(0..) {
            fields.push((field, field_of.len() as u32));
            field_of.resize(field_of.len() + size(field) as usize, place);
        }
        let places = fields.iter().map(|it| it.0).zip(0..);
        let places: FxHashMap<Field, u32> = places.collect();
        let images = exchanges.iter().map(|exchange| {
            let moves = exchange.moves.iter();
            let images = moves.map(|one| (places[&one.from], (places[&one.to], one.values)));
            images.collect()
        });
        let mut classes: Vec<(usize, usize)> = Vec::new();
        for exchange in exchanges {
            let (left, right) = exchange.members;
            match classes.last_mut() {
                Some(class) if class.1 == right => class.1 = right + 1,
                _ => classes.push((left, right + 1)),
            }
        }
        debug_assert!(classes.iter().all(|class| class.1 <= members));
        let mut facts = Self {
            exchanges,
            values,
            classes,
            images: images.collect(),
            movers: vec![Vec::new(); field_of.len()],
            fields,
            field_of,
        };
        for number in 0..exchanges.len() {
            for fact in 0..facts.field_of.len() as u32 {
                if facts.images[number].contains_key(&facts.field_of[fact as usize])
                    && facts.image(number, fact) != fact
                {
                    facts.movers[fact as usize].push(number as u32);
                }
            }
        }
        facts
    }

    /// The image of a fact under an exchange.
    fn image(&self, exchange: usize, fact: u32) -> u32 {
        let field = self.field_of[fact as usize];
        let value = fact - self.fields[field as usize].1;
        let image = self.images[exchange].get(&field);
        image.map_or(fact, |&(to, values)| {
            self.fields[to as usize].1 + self.values[(values + value) as usize]
        })
    }

    /// For each fact the members that it is about, and what it means to stand there: the same for
    /// facts that exchanges make of each other.
    fn orbits(&self) -> Vec<Vec<Member>> {
        let mut found: Vec<Option<Vec<Member>>> = vec![None; self.field_of.len()];
        let mut orbits = 0;
        for fact in 0..self.field_of.len() as u32 {
            if found[fact as usize].is_some() {
                continue;
            }
            orbits += 1;
            let places = self
                .places(fact)
                .into_iter()
                .zip(1..)
                .flat_map(|(set, place)| {
                    let meaning = mix(mix(orbits) + place);
                    set.into_iter().map(move |member| (member as u16, meaning))
                });
            found[fact as usize] = Some(places.collect());
            let mut open = vec![fact];
            let mut orbit = Vec::new();
            while let Some(fact) = open.pop() {
                orbit.push(fact);
                for &exchange in &self.movers[fact as usize] {
                    let image = self.image(exchange as usize, fact);
                    if found[image as usize].is_some() {
                        continue;
                    }
                    let (left, right) = self.exchanges[exchange as usize].members;
                    let exchanged = |member: u16| match usize::from(member) {
                        member if member == left => right as u16,
                        member if member == right => left as u16,
                        _ => member,
                    };
                    let places = found[fact as usize].iter().flatten();
                    let places = places.map(|&(member, meaning)| (exchanged(member), meaning));
                    found[image as usize] = Some(places.collect());
                    open.push(image);
                }
            }
            // Of two values one says as much as both.
            if orbit.iter().all(|&fact| self.is_first_of_two(fact)) {
                for fact in orbit {
                    found[fact as usize] = Some(Vec::new());
                }
            }
        }
        found.into_iter().map(Option::unwrap_or_default).collect()
    }

    /// Returns whether a fact is the first value of a variable that has two.
    fn is_first_of_two(&self, fact: u32) -> bool {
        let place = self.field_of[fact as usize] as usize;
        let first = self.fields[place].1;
        let next = self.fields.get(place + 1);
        let end = next.map_or(self.field_of.len() as u32, |next| next.1);
        fact == first && end == first + 2
    }

    /// The members that a fact is about; those that may change places are in one set.
    fn places(&self, fact: u32) -> Vec<Vec<usize>> {
        let mut places = Vec::new();
        for &(start, end) in &self.classes {
            let is_of_class = |exchange: &u32| {
                (start..end).contains(&self.exchanges[*exchange as usize].members.0)
            };
            if !self.movers[fact as usize].iter().any(is_of_class) {
                continue;
            }
            let mut sets: Vec<Vec<usize>> = Vec::new();
            for member in start..end {
                let set = sets
                    .iter_mut()
                    .find(|set| self.is_fixed(fact, set[0], member));
                match set {
                    Some(set) => set.push(member),
                    None => sets.push(vec![member]),
                }
            }
            // It is not about the largest set: all others, in a class of many.
            let largest = (0..sets.len()).max_by_key(|&set| sets[set].len());
            if let Some(largest) = largest {
                sets.remove(largest);
            }
            places.append(&mut sets);
        }
        places
    }

    /// Returns whether two members of a class, the first before the second, may change places and
    /// leave a fact as it is.
    fn is_fixed(&self, fact: u32, first: usize, second: usize) -> bool {
        // The exchange of neighbours (first, first + 1) is the one at this place.
        let exchange = |member: usize| {
            let place = self.exchanges.partition_point(|it| it.members.0 < member);
            debug_assert_eq!(self.exchanges[place].members.0, member);
            place
        };
        let through = (first..second).chain((first..second - 1).rev());
        let image = through.fold(fact, |fact, member| self.image(exchange(member), fact));
        image == fact
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use brigade_task::StateBuf;
    use brigade_task::layout::{Variable, VariableKind, pack};
    use brigade_task::split_mix::SplitMix;
    use brigade_task::symbols::Value;

    const MEMBERS: usize = 6;
    const VARIABLES: usize = 5;
    const SIZE: usize = 4;

    /// Colours by lists of the members of the facts that hold.
    fn expected(facts: &[&[Member]]) -> Vec<u64> {
        let mut colours = vec![0; MEMBERS];
        for &(member, place) in facts.iter().copied().flatten() {
            plus(&mut colours, member, place);
        }
        for _ in 0..ROUNDS {
            let before: Vec<u64> = colours.clone();
            colours = before.iter().map(|&colour| mix(colour)).collect();
            for fact in facts.iter().filter(|fact| fact.len() > 1) {
                for (own, &(member, place)) in fact.iter().enumerate() {
                    let others = fact.iter().enumerate().filter(|other| other.0 != own);
                    let seen = others.map(|(_, &(other, place))| {
                        mix(before[usize::from(other)].wrapping_add(place))
                    });
                    let seen = seen.fold(place, u64::wrapping_add);
                    plus(&mut colours, member, mix(seen));
                }
            }
        }
        colours
    }

    #[test]
    fn colours_are_alike_for_facts_about_any_number_of_members() {
        let mut random = SplitMix::new(0, 0);
        let values: Vec<Value> = (0..SIZE as u32).map(Value::number).collect();
        let variables = (0..VARIABLES)
            .map(|number| Variable::new(number.to_string(), VariableKind::Object, values.clone()));
        let mut variables: Vec<Variable> = variables.collect();
        let words = pack(&mut variables);
        let fields: Vec<Field> = variables.iter().map(Variable::field).collect();
        for _ in 0..500 {
            let lists = (0..VARIABLES * SIZE).map(|_| {
                let first = random.below(MEMBERS);
                let members = (0..random.below(5)).map(|next| {
                    let member = (first + next) % MEMBERS;
                    (member as u16, mix(random.below(3) as u64 + 1))
                });
                members.collect()
            });
            let lists: Vec<Vec<Member>> = lists.collect();
            let mut found = Colours::default();
            found.members = lists.iter().map(|list| found.add(list)).collect();
            found.fields = fields.iter().copied().zip((0..).step_by(SIZE)).collect();
            let mut state = StateBuf::zeros(words);
            let facts = fields.iter().enumerate().map(|(number, field)| {
                let value = random.below(SIZE);
                field.set(&mut state, value as u32);
                &*lists[number * SIZE + value]
            });
            let facts: Vec<&[Member]> = facts.collect();
            let mut buffers = Buffers::default();
            found.find(&state, MEMBERS, &mut buffers);
            assert_eq!(buffers.colours, expected(&facts));
            let is_joint = |member| {
                let mut several = facts.iter().filter(|fact| fact.len() > 1);
                several.any(|fact| fact.iter().any(|it| it.0 == member))
            };
            let is_joint: Vec<bool> = (0..MEMBERS as u16).map(is_joint).collect();
            assert_eq!(buffers.is_joint, is_joint);
        }
    }
}
