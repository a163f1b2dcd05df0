//! A cache of what values lead to that were read before: for each group the state of each of its
//! images.
//!
//! Many values lead to the same states, which are kept once, in as few bytes as their numbers take:
//! the distance of a thing looks at some hundreds of images here and there, which is fast only as
//! long as they lie in the processor's caches. Most of them are of groups of few images, of which
//! each distance is kept too.

use std::hash::Hasher;
use std::num::NonZeroUsize;

use rustc_hash::{FxHashMap, FxHasher};

use super::sums::{MUCH, Sums};

/// Bytes that values that were read take, about.
const BYTES_PER_LOOK: usize = 40;
/// Bytes that an outcome takes beside its states, about.
const BYTES_PER_OUTCOME: usize = 40;
/// Of images that have not been asked; no least is like that, as what is done where the agent is
/// needs no move.
const NOT_ASKED: ImageDistances = ImageDistances {
    least: Sums::new(MUCH, 0),
    first: None,
};
/// Images of a group whose distances are all kept, at most; of larger ones only the least is.
const MOST_KEPT: usize = 1024;

/// The outcomes of values that groups have read, as far as they are kept.
#[derive(Clone)]
pub(crate) struct Cache {
    of_groups: Vec<OfFamily>,
    /// The states of images, in the order of their group.
    states: Numbers,
    /// The distances of the images of a group, for each look of where the agent is.
    distances: Vec<ImageDistances>,
    /// The distance of each image, in the order of their group.
    sums: Vec<Sums>,
    /// Of a group with at most so many images they are kept.
    pub(crate) most_kept: usize,
    /// Bytes, about, and at most.
    bytes: usize,
    most: usize,
}

/// The values that one group has read.
#[derive(Clone, Default)]
struct OfFamily {
    /// By a number of what the values look like.
    by_look: FxHashMap<u64, Outcome>,
    /// By a hash of the states.
    by_states: FxHashMap<u64, Outcome>,
}

/// The outcome of values: where the state of the first image is, and the distances at the first
/// look.
#[derive(Clone, Copy, Default)]
pub(crate) struct Outcome {
    pub(crate) states: usize,
    pub(crate) distances: usize,
}

/// The distances of the images of a group at one look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ImageDistances {
    /// The least of all.
    pub(crate) least: Sums,
    /// The place of that of the first image, if they are kept.
    pub(crate) first: Option<NonZeroUsize>,
}

/// Numbers, each in as few bytes as the greatest takes.
#[derive(Clone)]
enum Numbers {
    OneByte(Vec<u8>),
    TwoBytes(Vec<u16>),
    FourBytes(Vec<u32>),
}

impl Cache {
    /// Of so many groups, whose images have so many states; in so many bytes, about.
    pub(crate) fn new(image_groups: usize, states: usize, most: usize) -> Self {
        Self {
            of_groups: vec![OfFamily::default(); image_groups],
            states: Numbers::below(states),
            distances: Vec::new(),
            // As nothing is at the first place, numbers of places are not 0.
            sums: vec![Sums::default()],
            most_kept: MOST_KEPT,
            bytes: 0,
            most,
        }
    }

    /// Returns whether there is more than may be.
    pub(crate) const fn is_full(&self) -> bool {
        self.bytes > self.most
    }

    /// The number of a state at a place.
    #[inline]
    pub(crate) fn state(&self, place: usize) -> usize {
        self.states.get(place)
    }

    /// The outcome of values that a group has read and that look like that.
    pub(crate) fn get(&self, image_group: usize, look: u64) -> Option<Outcome> {
        self.of_groups[image_group].by_look.get(&look).copied()
    }

    /// Keeps what values lead to, where there are so many looks of where the agent is, and that
    /// those that look like these lead there, if what they look like has a number.
    pub(crate) fn keep(
        &mut self,
        image_group: usize,
        look: Option<u64>,
        states: &[u32],
        looks: usize,
    ) -> Outcome {
        let mut hasher = FxHasher::default();
        for &state in states {
            hasher.write_u32(state);
        }
        self.keep_by(hasher.finish(), image_group, look, states, looks)
    }

    /// The same, with a hash of the states.
    fn keep_by(
        &mut self,
        hash: u64,
        image_group: usize,
        look: Option<u64>,
        states: &[u32],
        looks: usize,
    ) -> Outcome {
        let image_group = &mut self.of_groups[image_group];
        let known = image_group.by_states.get(&hash).copied();
        let known = known.filter(|known| {
            (known.states..)
                .zip(states)
                .all(|(place, &state)| self.states.get(place) == state as usize)
        });
        let outcome = known.unwrap_or_else(|| {
            let outcome = Outcome {
                states: self.states.len(),
                distances: self.distances.len(),
            };
            self.states.extend(states);
            self.distances.resize(outcome.distances + looks, NOT_ASKED);
            image_group.by_states.insert(hash, outcome);
            self.bytes += BYTES_PER_OUTCOME
                + states.len() * self.states.bytes_each()
                + looks * size_of::<ImageDistances>();
            outcome
        });
        if let Some(look) = look {
            image_group.by_look.insert(look, outcome);
            self.bytes += BYTES_PER_LOOK;
        }
        outcome
    }

    /// The distances of images that were asked for, by the place of an outcome and a look.
    pub(crate) fn distances(&self, place: usize) -> Option<ImageDistances> {
        let distances = self.distances[place];
        (distances != NOT_ASKED).then_some(distances)
    }

    /// Keeps the distances of images.
    pub(crate) fn keep_distances(&mut self, place: usize, sums: &[Sums]) -> ImageDistances {
        let least = sums.iter().copied().reduce(Sums::least);
        let mut distances = ImageDistances {
            least: least.unwrap_or_default(),
            first: None,
        };
        if sums.len() <= self.most_kept {
            distances.first = NonZeroUsize::new(self.sums.len());
            self.sums.extend_from_slice(sums);
            self.bytes += size_of_val(sums);
        }
        self.distances[place] = distances;
        distances
    }

    /// The distance of an image.
    #[inline]
    pub(crate) fn sums(&self, place: usize) -> Sums {
        self.sums[place]
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.of_groups.fill(OfFamily::default());
        self.states.clear();
        self.distances.clear();
        self.sums.truncate(1);
        self.bytes = 0;
    }
}

impl Numbers {
    /// None, of those below that.
    const fn below(end: usize) -> Self {
        if end <= 1 << u8::BITS {
            Self::OneByte(Vec::new())
        } else if end <= 1 << u16::BITS {
            Self::TwoBytes(Vec::new())
        } else {
            Self::FourBytes(Vec::new())
        }
    }

    const fn bytes_each(&self) -> usize {
        match self {
            Self::OneByte(_) => size_of::<u8>(),
            Self::TwoBytes(_) => size_of::<u16>(),
            Self::FourBytes(_) => size_of::<u32>(),
        }
    }

    const fn len(&self) -> usize {
        match self {
            Self::OneByte(all) => all.len(),
            Self::TwoBytes(all) => all.len(),
            Self::FourBytes(all) => all.len(),
        }
    }

    #[inline]
    fn get(&self, place: usize) -> usize {
        match self {
            Self::OneByte(all) => all[place].into(),
            Self::TwoBytes(all) => all[place].into(),
            Self::FourBytes(all) => all[place] as usize,
        }
    }

    fn extend(&mut self, numbers: &[u32]) {
        let numbers = numbers.iter();
        match self {
            Self::OneByte(all) => all.extend(numbers.map(|&number| number as u8)),
            Self::TwoBytes(all) => all.extend(numbers.map(|&number| number as u16)),
            Self::FourBytes(all) => all.extend(numbers),
        }
    }

    fn clear(&mut self) {
        match self {
            Self::OneByte(all) => all.clear(),
            Self::TwoBytes(all) => all.clear(),
            Self::FourBytes(all) => all.clear(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_width_are_kept_as_they_are() {
        for (end, bytes) in [
            (1, 1),
            (256, 1),
            (257, 2),
            (65_536, 2),
            (65_537, 4),
            (u32::MAX as usize, 4),
        ] {
            let mut numbers = Numbers::below(end);
            assert_eq!(numbers.bytes_each(), bytes, "below {end}");
            let all = [0, (end - 1) as u32 / 2, (end - 1) as u32];
            numbers.extend(&all);
            let found = [0, 1, 2].map(|place| numbers.get(place) as u32);
            assert_eq!(found, all, "below {end}");
        }
    }

    #[test]
    fn what_different_values_lead_to_is_kept_once_where_it_is_the_same() {
        let mut cache = Cache::new(2, 300, usize::MAX);
        let one = cache.keep(0, Some(1), &[299, 0, 7], 2);
        let bytes = cache.bytes;
        let same = cache.keep(0, Some(2), &[299, 0, 7], 2);
        assert_eq!(same.states, one.states);
        assert_eq!(cache.bytes - bytes, BYTES_PER_LOOK);
        let other = cache.keep(0, Some(3), &[299, 0, 8], 2);
        assert_ne!(other.states, one.states);
        // ImageGroups do not share what they have read.
        assert_ne!(cache.keep(1, Some(1), &[299, 0, 7], 2).states, one.states);
        assert!(cache.get(1, 2).is_none());
        let states = |outcome: Outcome| [0, 1, 2].map(|image| cache.state(outcome.states + image));
        for (look, expected) in [(1, [299, 0, 7]), (2, [299, 0, 7]), (3, [299, 0, 8])] {
            assert_eq!(
                cache.get(0, look).map(states),
                Some(expected),
                "look {look}"
            );
        }
    }

    #[test]
    fn states_of_one_hash_are_distinguished() {
        let mut cache = Cache::new(1, 3, usize::MAX);
        let outcomes = [[1, 2], [2, 1], [1, 2]];
        let outcomes = outcomes.map(|states| cache.keep_by(5, 0, None, &states, 1));
        let state =
            |outcome: Outcome| [cache.state(outcome.states), cache.state(outcome.states + 1)];
        assert_eq!(outcomes.map(state), [[1, 2], [2, 1], [1, 2]]);
    }

    #[test]
    fn distances_of_few_images_are_kept_and_of_many_the_least() {
        let mut cache = Cache::new(1, 3, usize::MAX);
        let outcome = cache.keep(0, Some(1), &[1, 2], 3);
        let [unasked, few_at, many_at] = [0, 1, 2].map(|look| outcome.distances + look);
        let few = [Sums::new(5, 7), Sums::new(6, 2)];
        let many = [Sums::new(MUCH, 4); MOST_KEPT + 1];
        let kept = [
            cache.keep_distances(few_at, &few),
            cache.keep_distances(many_at, &many),
        ];
        let found = [unasked, few_at, many_at].map(|place| cache.distances(place));
        assert_eq!(found, [None, Some(kept[0]), Some(kept[1])]);
        assert_eq!(kept[0].least, Sums::new(5, 2));
        let first = kept[0].first.map(NonZeroUsize::get).unwrap();
        assert_eq!([first, first + 1].map(|place| cache.sums(place)), few);
        assert_eq!((kept[1].least, kept[1].first), (Sums::new(MUCH, 4), None));
    }
}
