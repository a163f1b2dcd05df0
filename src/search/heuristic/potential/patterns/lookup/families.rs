//! Images that read the same values, and what they tell, kept for values that were read before.
//!
//! What is told of a thing depends on few values, and the same ones come again and again, although most
//! values change from one canonical state to the next. Images that see their first variables alike
//! share what those lead to.

use std::ops::Range;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::super::projection::{FAR, NONE, Projection};
use super::images::{Image, Reading};

/// What values that were read take beside what is told of them, about.
const BYTES_PER_KEY: usize = 80;
/// Not a number of values that look alike.
const NOT_READ: u32 = u32::MAX;

/// A distance where something was done last where the agent is, and after a move.
type Distances = (u16, u16);

/// The families of all images, and what they tell.
#[derive(Clone)]
pub(super) struct Families {
    list: Arc<[Family]>,
    /// For each image the number of its family.
    of_images: Arc<[u32]>,
    /// For each family what values look like that were read last, and the least that is told of them.
    read: Vec<(Box<[u32]>, Distances)>,
    /// For each family where what is told of an image of number 0 would be.
    starts: Vec<usize>,
    /// For each family what values look like that were read, and where what is told of them is.
    known: Vec<FxHashMap<Box<[u32]>, Place>>,
    /// What images tell, in the order of their family.
    told: Vec<Distances>,
    /// Bytes of what is kept, about, and at most, and of all else.
    kept: usize,
    most: usize,
    bytes: usize,
}

/// Where what a family tells is, and the least of it.
#[derive(Clone, Copy)]
struct Place {
    start: usize,
    least: Distances,
}

/// Images of a projection that read the same values.
struct Family {
    projection: usize,
    /// The number of the first image, which those of the others follow.
    first: usize,
    reads: Vec<Read>,
    members: Vec<Member>,
}

/// A value that is read as a variable of the projection or, last, as where the agent is.
struct Read {
    value: u32,
    /// For each value a number; those that all images see alike have the same.
    numbers: Box<[u32]>,
    /// For each number what is seen by each of the different ways to see it.
    seen: Vec<Box<[u32]>>,
}

/// An image.
struct Member {
    /// Of how many variables it sees the same as the image before it.
    shared: usize,
    /// For each value that is read the number of how it sees it.
    ways: Box<[u32]>,
}

impl Families {
    /// Those of some images, of which so many bytes are kept, about; also tells the number that each has
    /// now.
    pub(super) fn new(images: &[Image], most: usize) -> (Self, Vec<u32>) {
        let mut groups: IndexMap<(usize, Vec<u32>), Vec<usize>, FxBuildHasher> =
            IndexMap::default();
        for (number, image) in images.iter().enumerate() {
            let values = image.readings().map(|(value, _)| *value);
            let key = (image.projection, values.collect());
            groups.entry(key).or_default().push(number);
        }
        let mut numbers = vec![0; images.len()];
        let mut of_images = Vec::with_capacity(images.len());
        let mut list = Vec::with_capacity(groups.len());
        for ((projection, values), group) in groups {
            let (family, order) = Family::new(projection, of_images.len(), &values, images, &group);
            for number in order {
                numbers[number] = of_images.len() as u32;
                of_images.push(list.len() as u32);
            }
            list.push(family);
        }
        let unread = |family: &Family| vec![NOT_READ; family.reads.len()].into();
        let found = Self {
            read: list.iter().map(|it| (unread(it), (0, 0))).collect(),
            starts: vec![0; list.len()],
            known: vec![FxHashMap::default(); list.len()],
            told: Vec::new(),
            kept: 0,
            most,
            bytes: size_of_val(&*of_images) + list.iter().map(Family::bytes).sum::<usize>(),
            list: list.into(),
            of_images: of_images.into(),
        };
        (found, numbers)
    }

    /// Of which families images with these numbers are.
    pub(super) fn of(&self, images: Range<usize>) -> Range<usize> {
        let family = |image: usize| self.of_images.get(image).map(|&family| family as usize);
        let start = family(images.start).unwrap_or(self.list.len());
        start..family(images.end).unwrap_or(self.list.len())
    }

    /// Reads values.
    pub(super) fn read(&mut self, values: &[u32], projections: &[Projection]) {
        if self.kept > self.most {
            self.forget();
        }
        let places = self.read.iter_mut().zip(&mut self.starts);
        let families = self.list.iter().zip(places).zip(&mut self.known);
        for ((family, ((read, least), start)), known) in families {
            let mut has_changed = family.reads.is_empty();
            for (it, read) in family.reads.iter().zip(&mut *read) {
                let number = it.numbers[values[it.value as usize] as usize];
                has_changed |= std::mem::replace(read, number) != number;
            }
            if !has_changed {
                continue;
            }
            let place = if let Some(place) = known.get(read) {
                *place
            } else {
                let start = self.told.len();
                let least = family.tell(read, &projections[family.projection], &mut self.told);
                let place = Place { start, least };
                self.kept += family.bytes_kept();
                known.insert(read.clone(), place);
                place
            };
            *least = place.least;
            *start = place.start.wrapping_sub(family.first);
        }
    }

    /// What is told of an image by the values read last.
    pub(super) fn told(&self, image: u32) -> Distances {
        let start = self.starts[self.of_images[image as usize] as usize];
        self.told[start.wrapping_add(image as usize)]
    }

    /// The least told of the images of some families.
    pub(super) fn least(&self, families: Range<usize>) -> Distances {
        let least = self.read[families].iter().map(|(_, least)| *least);
        least
            .reduce(|one, other| (one.0.min(other.0), one.1.min(other.1)))
            .unwrap_or((0, 0))
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes + self.kept
    }

    /// Forgets what was read.
    fn forget(&mut self) {
        for (read, _) in &mut self.read {
            read.fill(NOT_READ);
        }
        self.known.iter_mut().for_each(FxHashMap::clear);
        self.told.clear();
        self.kept = 0;
    }
}

impl Family {
    /// That of images of a projection that read these values; also tells the order of its members.
    fn new(
        projection: usize,
        first: usize,
        values: &[u32],
        images: &[Image],
        group: &[usize],
    ) -> (Self, Vec<usize>) {
        let mut different: Vec<IndexSet<&Reading, FxBuildHasher>> =
            vec![IndexSet::default(); values.len()];
        let members = group.iter().map(|&number| {
            let readings = images[number].readings().zip(&mut different);
            let ways = readings.map(|(reading, different)| different.insert_full(reading).0 as u32);
            (ways.collect::<Box<[u32]>>(), number)
        });
        let mut members: Vec<(Box<[u32]>, usize)> = members.collect();
        members.sort_unstable();
        let reads = values.iter().zip(&different);
        let reads = reads.map(|(&value, different)| Read::new(value, different));
        let mut before: &[u32] = &[];
        let placed = members.iter().map(|(ways, _)| {
            let same = ways
                .iter()
                .zip(before)
                .take_while(|(one, other)| one == other);
            let shared = same.count();
            before = ways;
            Member {
                shared,
                ways: ways.clone(),
            }
        });
        let found = Self {
            projection,
            first,
            reads: reads.collect(),
            members: placed.collect(),
        };
        (found, members.into_iter().map(|it| it.1).collect())
    }

    /// Adds what each image tells of values that look so. Returns the least.
    fn tell(&self, read: &[u32], projection: &Projection, told: &mut Vec<Distances>) -> Distances {
        let levels = projection.variables.len();
        let see = |member: &Member, place: usize| {
            let seen = &self.reads[place].seen[read[place] as usize];
            seen[member.ways[place] as usize]
        };
        // What the first variables lead to.
        let mut states = vec![0; levels + 1];
        let mut least = (FAR, FAR);
        for member in &self.members {
            for level in member.shared..levels {
                states[level + 1] = match states[level] {
                    NONE => NONE,
                    before => projection.next(level as u32, before, see(member, level)),
                };
            }
            let at = (levels < self.reads.len()).then(|| see(member, levels));
            let distances = match states[levels] {
                NONE => (0, 0),
                state => projection.distances(state, at),
            };
            least = (least.0.min(distances.0), least.1.min(distances.1));
            told.push(distances);
        }
        least
    }

    /// What is kept of values that were read, in bytes, about.
    fn bytes_kept(&self) -> usize {
        let key = BYTES_PER_KEY + self.reads.len() * size_of::<u32>();
        key + self.members.len() * size_of::<Distances>()
    }

    fn bytes(&self) -> usize {
        let reads = self.reads.iter().map(|read| {
            let seen: usize = read.seen.iter().map(|seen| seen.len()).sum();
            (read.numbers.len() + seen) * size_of::<u32>()
        });
        let member = size_of::<Member>() + self.reads.len() * size_of::<u32>();
        reads.sum::<usize>() + self.members.len() * member
    }
}

impl Read {
    /// Of a value that is seen in different ways.
    fn new(value: u32, different: &IndexSet<&Reading, FxBuildHasher>) -> Self {
        let values = different.first().map_or(0, |reading| reading.1.len());
        let mut seen: IndexSet<Box<[u32]>, FxBuildHasher> = IndexSet::default();
        let numbers = (0..values).map(|value| {
            let ways = different.iter().map(|reading| reading.1[value]);
            seen.insert_full(ways.collect()).0 as u32
        });
        Self {
            value,
            numbers: numbers.collect(),
            seen: seen.into_iter().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split_mix::SplitMix;

    const VALUES: usize = 4;
    const SIZE: usize = 5;
    const CLASSES: usize = 3;
    const PLACES: usize = 2;

    /// Of up to three variables; some states cannot be.
    fn projection(random: &mut SplitMix) -> Projection {
        let levels = 1 + random.below(3);
        let mut states = 1;
        let next = (0..levels).map(|_| {
            let longer = 1 + random.below(4);
            let next = (0..states * CLASSES).map(|_| match random.below(5) {
                0 => NONE,
                _ => random.below(longer) as u32,
            });
            let next = next.collect();
            states = longer;
            next
        });
        let next = next.collect();
        let distances = (0..states * (PLACES + 1)).map(|_| match random.below(6) {
            0 => FAR,
            _ => random.below(20) as u16,
        });
        let distances = (distances.collect(), PLACES + 1);
        let classes = vec![CLASSES as u32; levels];
        Projection::made_up((0..levels as u32).collect(), &classes, next, distances)
    }

    fn reading(random: &mut SplitMix, seen: usize) -> Reading {
        let value = random.below(VALUES) as u32;
        (
            value,
            (0..SIZE).map(|_| random.below(seen) as u32).collect(),
        )
    }

    fn expected(image: &Image, projection: &Projection, values: &[u32]) -> Distances {
        let see = |(value, classes): &Reading| classes[values[*value as usize] as usize];
        let state = projection.state(image.variables.iter().map(see));
        let at = image.at.as_ref().map(see);
        state.map_or((0, 0), |state| projection.distances(state, at))
    }

    /// Reads random values of which so many bytes are kept, and compares what is told with what each image tells by
    /// itself.
    fn tell_the_same(most: usize) {
        for seed in 0..100 {
            let mut random = SplitMix::new(seed, 0);
            let projections: Vec<Projection> = (0..2).map(|_| projection(&mut random)).collect();
            let mut images = Vec::new();
            let mut ends = vec![0];
            for (number, projection) in projections.iter().enumerate() {
                for _ in 0..=random.below(8) {
                    let variables = projection.variables.iter();
                    let variables = variables.map(|_| reading(&mut random, CLASSES)).collect();
                    let at = (number == 0).then(|| reading(&mut random, PLACES));
                    images.push(Image {
                        projection: number,
                        variables,
                        at,
                    });
                }
                ends.push(images.len());
            }
            let (mut families, numbers) = Families::new(&images, most);
            for _ in 0..20 {
                let values: Vec<u32> = (0..VALUES).map(|_| random.below(SIZE) as u32).collect();
                families.read(&values, &projections);
                let told = |number: usize| families.told(numbers[number]);
                for (number, image) in images.iter().enumerate() {
                    let expected = expected(image, &projections[image.projection], &values);
                    assert_eq!(told(number), expected, "seed {seed}");
                }
                for ends in ends.windows(2) {
                    let told = (ends[0]..ends[1]).map(told);
                    let least = told.reduce(|one, it| (one.0.min(it.0), one.1.min(it.1)));
                    let of_all = families.least(families.of(ends[0]..ends[1]));
                    assert_eq!(Some(of_all), least, "seed {seed}");
                }
            }
        }
    }

    #[test]
    fn images_of_the_same_values_tell_what_each_would_by_itself() {
        tell_the_same(usize::MAX);
    }

    #[test]
    fn without_memory_for_what_was_read_the_same_is_told() {
        tell_the_same(0);
    }
}
