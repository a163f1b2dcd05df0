//! Images that read the same values, and what those lead to, kept for values that were read before.
//!
//! What is told of a thing depends on few values, and the same ones come again and again, although most
//! values change from one canonical state to the next. Where the agent is changes most, so the states of
//! a projection are kept for all the rest, and read with where the agent is. Images that see their first
//! variables alike share what those lead to.

use std::ops::Range;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::super::projection::{FAR, NONE, Projection};
use super::images::{Image, Reading};

/// What values that were read take beside what they lead to, about.
const BYTES_PER_KEY: usize = 60;
/// Not a number of values that look alike.
const NOT_READ: u32 = u32::MAX;
/// Of images whose least has not been looked for; no distances are like that, as what is done where the
/// agent is needs no move.
const NOT_LOOKED_FOR: Distances = (FAR, 0);

/// A distance where something was done last where the agent is, and after a move.
type Distances = (u16, u16);

/// The families of all images, and what they tell.
#[derive(Clone)]
pub(super) struct Families {
    list: Arc<[Family]>,
    places: Arc<[Place]>,
    /// The distances of all states of all projections, in rows: where something was done last at each of
    /// the places, then after a move. The first row is of what cannot be.
    rows: Arc<[u16]>,
    columns: usize,
    /// For each family what was read last.
    read: Vec<Last>,
    /// For each family where the row of an image of number 0 would be.
    starts: Vec<usize>,
    /// For each way of a family to see where the agent is, the column of that.
    at: Vec<u32>,
    /// For each family what values lead to that were read, by a number of what they look like.
    known: Vec<FxHashMap<u64, Entry>>,
    /// The rows of images, in the order of their family.
    reached: Vec<u32>,
    /// The least that the images of a family tell wherever the agent is.
    least: Vec<Distances>,
    /// Bytes of what is kept, about, and at most, and of all else.
    kept: usize,
    most: usize,
    bytes: usize,
}

/// Of which family an image is, and how it sees where the agent is.
#[derive(Clone, Copy)]
pub(super) struct Place {
    family: u32,
    /// The number of the way, among those of all families.
    way: u32,
}

/// What a family has read last.
#[derive(Clone)]
struct Last {
    /// A number of what the values look like, but for where the agent is.
    look: Option<u64>,
    /// What that looks like.
    at: u32,
    entry: Entry,
    least: Distances,
}

/// Where it is what values lead to.
#[derive(Clone, Copy)]
struct Entry {
    reached: usize,
    least: usize,
}

/// Images of a projection that read the same values.
struct Family {
    projection: usize,
    /// The row of the first state of the projection.
    first_row: u32,
    /// The number of the first image, which those of the others follow, and of the first way to see where
    /// the agent is.
    first: usize,
    first_way: usize,
    reads: Vec<Read>,
    at: Option<Read>,
    members: Vec<Member>,
}

/// A value that is read as a variable of the projection or as where the agent is.
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
    /// For each variable the number of how it sees it.
    ways: Box<[u32]>,
    /// The same of where the agent is.
    way: u32,
}

impl Families {
    /// Those of some images, of which so many bytes are kept, about; also tells the number that each has
    /// now.
    pub(super) fn new(
        images: &[Image],
        projections: &[Projection],
        most: usize,
    ) -> (Self, Vec<u32>) {
        let mut groups: IndexMap<(usize, Vec<u32>), Vec<usize>, FxBuildHasher> =
            IndexMap::default();
        for (number, image) in images.iter().enumerate() {
            let values = image.readings().map(|(value, _)| *value);
            let key = (image.projection, values.collect());
            groups.entry(key).or_default().push(number);
        }
        let mut numbers = vec![0; images.len()];
        let mut places = Vec::with_capacity(images.len());
        let mut list: Vec<Family> = Vec::with_capacity(groups.len());
        let mut ways = 0;
        for ((projection, _), group) in groups {
            let (mut family, order) = Family::new(projection, images, &group);
            (family.first, family.first_way) = (places.len(), ways);
            ways += family.ways();
            for (member, number) in family.members.iter().zip(order) {
                numbers[number] = places.len() as u32;
                places.push(Place {
                    family: list.len() as u32,
                    way: family.first_way as u32 + member.way,
                });
            }
            list.push(family);
        }
        let columns = projections.first().map_or(1, Projection::columns);
        let mut rows = vec![0; columns];
        let mut starts = Vec::with_capacity(projections.len());
        for projection in projections {
            starts.push((rows.len() / columns) as u32);
            rows.extend_from_slice(projection.rows());
        }
        for family in &mut list {
            family.first_row = starts[family.projection];
        }
        let unread = |_: &Family| Last {
            look: None,
            at: NOT_READ,
            entry: Entry {
                reached: 0,
                least: 0,
            },
            least: (0, 0),
        };
        let found = Self {
            read: list.iter().map(unread).collect(),
            starts: vec![0; list.len()],
            at: vec![columns as u32 - 1; ways],
            known: vec![FxHashMap::default(); list.len()],
            reached: Vec::new(),
            least: Vec::new(),
            kept: 0,
            most,
            bytes: size_of_val(&*places)
                + size_of_val(&*rows)
                + list.iter().map(Family::bytes).sum::<usize>(),
            list: list.into(),
            places: places.into(),
            rows: rows.into(),
            columns,
        };
        (found, numbers)
    }

    /// The values that are read.
    pub(super) fn reads(&self) -> impl Iterator<Item = u32> {
        let families = self.list.iter();
        families.flat_map(|family| family.reads.iter().chain(&family.at).map(|read| read.value))
    }

    /// Of which families images with these numbers are.
    pub(super) fn of(&self, images: Range<usize>) -> Range<usize> {
        let family = |image: usize| self.places.get(image).map(|place| place.family as usize);
        let start = family(images.start).unwrap_or(self.list.len());
        start..family(images.end).unwrap_or(self.list.len())
    }

    /// Reads values.
    pub(super) fn read(&mut self, values: &[u32], projections: &[Projection]) {
        if self.kept > self.most {
            self.forget();
        }
        let kept = self.starts.iter_mut().zip(&mut self.known);
        let families = self.list.iter().zip(&mut self.read).zip(kept);
        for ((family, last), (start, known)) in families {
            let look = family.look(values);
            let is_other = last.at == NOT_READ || look.is_none() || last.look != look;
            last.look = look;
            let at = family.at.as_ref().map_or(0, |at| at.number(values));
            let is_elsewhere = std::mem::replace(&mut last.at, at) != at;
            if !is_other && !is_elsewhere {
                continue;
            }
            if is_other {
                last.entry = if let Some(entry) = look.and_then(|look| known.get(&look)) {
                    *entry
                } else {
                    let entry = Entry {
                        reached: self.reached.len(),
                        least: self.least.len(),
                    };
                    let projection = &projections[family.projection];
                    family.reach(values, projection, &mut self.reached);
                    let looks = family.at.as_ref().map_or(1, |at| at.seen.len());
                    self.least.resize(entry.least + looks, NOT_LOOKED_FOR);
                    self.kept += family.bytes_kept();
                    if let Some(look) = look {
                        known.insert(look, entry);
                    }
                    entry
                };
                *start = last.entry.reached.wrapping_sub(family.first);
            }
            if is_elsewhere && let Some(seen) = &family.at {
                let seen = &seen.seen[at as usize];
                self.at[family.first_way..][..seen.len()].copy_from_slice(seen);
            }
            let least = &mut self.least[last.entry.least + at as usize];
            if *least == NOT_LOOKED_FOR {
                let reached = &self.reached[last.entry.reached..][..family.members.len()];
                let of_family = self.places[family.first..].iter().zip(reached);
                let told = of_family.map(|(place, &row)| {
                    distances(&self.rows, self.columns, row, self.at[place.way as usize])
                });
                let of_all = told.fold((FAR, FAR), |one, it| (one.0.min(it.0), one.1.min(it.1)));
                *least = of_all;
            }
            last.least = *least;
        }
    }

    pub(super) fn place(&self, image: u32) -> Place {
        self.places[image as usize]
    }

    /// What is told of an image, whose place this is, by the values read last.
    pub(super) fn told(&self, image: u32, place: Place) -> Distances {
        let start = self.starts[place.family as usize];
        let row = self.reached[start.wrapping_add(image as usize)];
        distances(&self.rows, self.columns, row, self.at[place.way as usize])
    }

    /// The least told of the images of some families.
    pub(super) fn least(&self, families: Range<usize>) -> Distances {
        let least = self.read[families].iter().map(|last| last.least);
        least
            .reduce(|one, other| (one.0.min(other.0), one.1.min(other.1)))
            .unwrap_or((0, 0))
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes + self.kept
    }

    /// Forgets what was read.
    fn forget(&mut self) {
        for last in &mut self.read {
            last.at = NOT_READ;
        }
        self.known.iter_mut().for_each(FxHashMap::clear);
        self.reached.clear();
        self.least.clear();
        self.kept = 0;
    }
}

/// Those of a row where something was done last in the place of a column.
fn distances(rows: &[u16], columns: usize, row: u32, at: u32) -> Distances {
    let row = &rows[row as usize * columns..][..columns];
    (row[at as usize], row[columns - 1])
}

impl Family {
    /// That of images of a projection that read the same values; also tells the order of its members.
    fn new(projection: usize, images: &[Image], group: &[usize]) -> (Self, Vec<usize>) {
        let first = &images[group[0]];
        let mut different: Vec<IndexSet<&Reading, FxBuildHasher>> =
            vec![IndexSet::default(); first.readings().count()];
        let members = group.iter().map(|&number| {
            let readings = images[number].readings().zip(&mut different);
            let ways = readings.map(|(reading, different)| different.insert_full(reading).0 as u32);
            (ways.collect::<Vec<u32>>(), number)
        });
        let mut members: Vec<(Vec<u32>, usize)> = members.collect();
        members.sort_unstable();
        let values = first.readings().map(|(value, _)| *value);
        let reads = values.zip(&different);
        let reads = reads.map(|(value, different)| Read::new(value, different));
        let mut reads: Vec<Read> = reads.collect();
        let at = first.at.as_ref().and_then(|_| reads.pop());
        let mut before: &[u32] = &[];
        let placed = members.iter().map(|(ways, _)| {
            let (ways, at) = ways.split_at(reads.len());
            let same = ways
                .iter()
                .zip(before)
                .take_while(|(one, other)| one == other);
            let shared = same.count();
            before = ways;
            Member {
                shared,
                ways: ways.into(),
                way: at.first().copied().unwrap_or(0),
            }
        });
        let found = Self {
            projection,
            first_row: 0,
            first: 0,
            first_way: 0,
            members: placed.collect(),
            reads,
            at,
        };
        (found, members.into_iter().map(|it| it.1).collect())
    }

    /// In how many ways its images see where the agent is.
    fn ways(&self) -> usize {
        let seen = self.at.as_ref().and_then(|at| at.seen.first());
        seen.map_or(1, |seen| seen.len())
    }

    /// A number of what values look like, but for where the agent is; `None` where it would be too great.
    fn look(&self, values: &[u32]) -> Option<u64> {
        self.reads.iter().try_fold(0_u64, |look, read| {
            let look = look.checked_mul(read.seen.len() as u64)?;
            look.checked_add(read.number(values).into())
        })
    }

    /// Adds the row that each image of some values leads to.
    fn reach(&self, values: &[u32], projection: &Projection, reached: &mut Vec<u32>) {
        let levels = self.reads.len();
        let seen = self.reads.iter();
        let seen = seen.map(|read| &*read.seen[read.number(values) as usize]);
        let seen: Vec<&[u32]> = seen.collect();
        // What the first variables lead to.
        let mut states = vec![0; levels + 1];
        for member in &self.members {
            for level in member.shared..levels {
                states[level + 1] = match states[level] {
                    NONE => NONE,
                    before => {
                        let class = seen[level][member.ways[level] as usize];
                        projection.next(level as u32, before, class)
                    }
                };
            }
            reached.push(match states[levels] {
                NONE => 0,
                state => self.first_row + state,
            });
        }
    }

    /// What is kept of values that were read, in bytes, about.
    fn bytes_kept(&self) -> usize {
        let looks = self.at.as_ref().map_or(1, |at| at.seen.len());
        BYTES_PER_KEY + self.members.len() * size_of::<u32>() + looks * size_of::<Distances>()
    }

    fn bytes(&self) -> usize {
        let reads = self.reads.iter().chain(&self.at).map(|read| {
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

    /// What its value looks like.
    fn number(&self, values: &[u32]) -> u32 {
        self.numbers[values[self.value as usize] as usize]
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
            let (mut families, numbers) = Families::new(&images, &projections, most);
            for _ in 0..20 {
                let values: Vec<u32> = (0..VALUES).map(|_| random.below(SIZE) as u32).collect();
                families.read(&values, &projections);
                let told = |number: usize| {
                    let number = numbers[number];
                    families.told(number, families.place(number))
                };
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
