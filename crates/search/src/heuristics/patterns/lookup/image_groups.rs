//! Groups of images that read the same values, and the states that those lead to, kept for values
//! that were read before.
//!
//! The distance of a thing depends on few values, and the same ones come again and again, although
//! most values change from one canonical state to the next. Where the agent is changes most, so the
//! states of a projection are kept for all the rest, and read with where the agent is. Images that
//! see their first variables alike share what those lead to.

use std::ops::Range;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

use super::cache::{Cache, ImageDistances, Outcome};
use super::images::{Image, Reading};
use super::sums::Sums;
use crate::heuristics::patterns::projection::{NONE, Projection};

/// Not a number of values that look alike.
const NOT_READ: u32 = u32::MAX;

/// The groups of all images, and their distances.
#[derive(Clone)]
pub(crate) struct ImageGroups {
    list: Arc<[ImageGroup]>,
    places: Arc<[Place]>,
    /// The distances of all states of all projections, in rows: where something was done last at
    /// each of the places, then after a move. Before the first state of each is a row of what
    /// cannot be.
    rows: Arc<[u16]>,
    columns: usize,
    /// For each group what was read last.
    read: Vec<Last>,
    /// For each group the places of the distances of its images.
    now: Vec<Now>,
    /// For each group, and each look of where the agent is, the columns that are seen.
    columns_seen: Arc<[u32]>,
    /// Working space: the groups that have read something else than before, and whether that is
    /// more than where the agent is.
    changed: Vec<(usize, bool)>,
    /// Working space: the states of the images of a group, and their distances.
    states: Vec<u32>,
    sums: Vec<Sums>,
    cache: Cache,
    /// Bytes of all else.
    bytes: usize,
}

/// The group of an image, and how the image sees where the agent is.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    image_group: u32,
    way: u32,
}

/// The values that a group has read last.
#[derive(Clone)]
struct Last {
    /// A number of what the values look like, but for where the agent is.
    look: Option<u64>,
    /// The look of where the agent is.
    at: u32,
    outcome: Outcome,
    least: Sums,
}

/// The places, for an image of number 0, of its distance, if that is kept, of its state, and of the
/// columns that are seen now; with them, as all are looked at together, the row of what cannot be.
#[derive(Clone, Copy, Default)]
struct Now {
    distances: Option<usize>,
    states: usize,
    row: u32,
    at: u32,
}

/// Images of a projection that read the same values.
struct ImageGroup {
    projection: usize,
    /// The number of the first image, which those of the others follow.
    first: usize,
    /// The place of the columns that its images see.
    first_column: usize,
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

impl ImageGroups {
    /// Groups some images, of which so many bytes are kept, about; also returns the number that
    /// each image has now.
    pub(crate) fn new(
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
        let mut list: Vec<ImageGroup> = Vec::with_capacity(groups.len());
        let columns = projections.first().map_or(1, Projection::columns);
        let mut columns_seen = Vec::new();
        for ((projection, _), group) in groups {
            let (mut image_group, order) = ImageGroup::new(projection, images, &group);
            (image_group.first, image_group.first_column) = (places.len(), columns_seen.len());
            match &image_group.at {
                Some(at) => columns_seen.extend(at.seen.iter().flatten()),
                None => columns_seen.push(columns as u32 - 1),
            }
            for (member, number) in image_group.members.iter().zip(order) {
                numbers[number] = places.len() as u32;
                places.push(Place {
                    image_group: list.len() as u32,
                    way: member.way,
                });
            }
            list.push(image_group);
        }
        let mut rows = Vec::new();
        let mut starts = Vec::with_capacity(projections.len());
        let mut most_states = 0;
        for projection in projections {
            let start = rows.len();
            starts.push((start / columns) as u32);
            rows.resize(start + columns, 0);
            rows.extend_from_slice(projection.rows());
            most_states = most_states.max((rows.len() - start) / columns);
        }
        let now = list.iter().map(|image_group| Now {
            row: starts[image_group.projection],
            ..Now::default()
        });
        let unread = |_: &ImageGroup| Last {
            look: None,
            at: NOT_READ,
            outcome: Outcome::default(),
            least: Sums::default(),
        };
        let found = Self {
            read: list.iter().map(unread).collect(),
            now: now.collect(),
            changed: Vec::new(),
            states: Vec::new(),
            sums: Vec::new(),
            cache: Cache::new(list.len(), most_states, most),
            bytes: size_of_val(&*places)
                + size_of_val(&*rows)
                + size_of_val(&*columns_seen)
                + list.iter().map(ImageGroup::bytes).sum::<usize>(),
            list: list.into(),
            places: places.into(),
            rows: rows.into(),
            columns,
            columns_seen: columns_seen.into(),
        };
        (found, numbers)
    }

    /// The values that are read.
    pub(crate) fn reads(&self) -> impl Iterator<Item = u32> {
        let image_groups = self.list.iter();
        image_groups.flat_map(|image_group| {
            image_group
                .reads
                .iter()
                .chain(&image_group.at)
                .map(|read| read.value)
        })
    }

    /// The groups of images with these numbers.
    pub(crate) fn of(&self, images: Range<usize>) -> Range<usize> {
        let image_group = |image: usize| {
            self.places
                .get(image)
                .map(|place| place.image_group as usize)
        };
        let start = image_group(images.start).unwrap_or(self.list.len());
        start..image_group(images.end).unwrap_or(self.list.len())
    }

    /// Reads values.
    pub(crate) fn read(&mut self, values: &[u32], projections: &[Projection]) {
        if self.cache.is_full() {
            self.cache.clear();
            for last in &mut self.read {
                last.at = NOT_READ;
            }
        }
        // First what has changed, then what that leads to, then the least distance by it.
        let mut changed = std::mem::take(&mut self.changed);
        changed.clear();
        for (number, (image_group, last)) in (0..).zip(self.list.iter().zip(&mut self.read)) {
            let look = image_group.look(values);
            let at = image_group.at.as_ref().map_or(0, |at| at.number(values));
            let is_first = last.at == NOT_READ;
            let is_other = is_first || look.is_none() || last.look != look;
            if is_other || last.at != at {
                changed.push((number, is_other));
                (last.look, last.at) = (look, at);
            }
        }
        for &(number, _) in changed.iter().filter(|it| it.1) {
            let look = self.read[number].look;
            let known = look.and_then(|look| self.cache.get(number, look));
            let outcome = known.unwrap_or_else(|| self.reach(number, values, projections));
            self.read[number].outcome = outcome;
            self.now[number].states = outcome.states.wrapping_sub(self.list[number].first);
        }
        for &(number, _) in &changed {
            let image_group = &self.list[number];
            let last = &self.read[number];
            let at = image_group.first_column + last.at as usize * image_group.ways();
            self.now[number].at = at as u32;
            let place = last.outcome.distances + last.at as usize;
            let kept = self.cache.distances(place);
            let distances = kept.unwrap_or_else(|| self.ask_all(number, place));
            self.read[number].least = distances.least;
            let first = self.list[number].first;
            self.now[number].distances = distances.first.map(|it| it.get().wrapping_sub(first));
        }
        self.changed = changed;
    }

    /// Finds what values lead to that a group has not read.
    fn reach(&mut self, number: usize, values: &[u32], projections: &[Projection]) -> Outcome {
        let image_group = &self.list[number];
        let projection = &projections[image_group.projection];
        self.states.clear();
        image_group.reach(values, projection, &mut self.states);
        let looks = image_group.at.as_ref().map_or(1, |at| at.seen.len());
        let look = self.read[number].look;
        self.cache.keep(number, look, &self.states, looks)
    }

    /// Finds the distances of all images of a group, and keeps them at a place.
    fn ask_all(&mut self, number: usize, place: usize) -> ImageDistances {
        let image_group = &self.list[number];
        let images = image_group.first..image_group.first + image_group.members.len();
        let mut sums = std::mem::take(&mut self.sums);
        sums.clear();
        sums.extend(images.map(|image| self.ask(image as u32, self.places[image])));
        self.sums = sums;
        self.cache.keep_distances(place, &self.sums)
    }

    pub(crate) fn place(&self, image: u32) -> Place {
        self.places[image as usize]
    }

    /// The distance of an image, whose place this is, by the values read last.
    #[inline]
    pub(crate) fn sums_of(&self, image: u32, place: Place) -> Sums {
        let now = &self.now[place.image_group as usize];
        match now.distances {
            Some(first) => self.cache.sums(first.wrapping_add(image as usize)),
            None => self.ask(image, place),
        }
    }

    /// The same where it is not kept.
    fn ask(&self, image: u32, place: Place) -> Sums {
        let now = self.now[place.image_group as usize];
        let state = self.cache.state(now.states.wrapping_add(image as usize));
        let at = self.columns_seen[(now.at + place.way) as usize];
        let row = (now.row as usize + state) * self.columns;
        let row = &self.rows[row..][..self.columns];
        Sums::of(row[at as usize], row[self.columns - 1])
    }

    /// The least distance of the images of some groups.
    pub(crate) fn least(&self, image_groups: Range<usize>) -> Sums {
        let least = self.read[image_groups].iter().map(|last| last.least);
        least.reduce(Sums::least).unwrap_or_default()
    }

    /// Bytes of all but what was read.
    pub(crate) const fn bytes(&self) -> usize {
        self.bytes
    }
}

impl ImageGroup {
    /// The group of images of a projection that read the same values; also returns the order of its
    /// members.
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
            first: 0,
            first_column: 0,
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

    /// A number of what values look like, but for where the agent is; `None` where it would be too
    /// great.
    fn look(&self, values: &[u32]) -> Option<u64> {
        self.reads.iter().try_fold(0_u64, |look, read| {
            let look = look.checked_mul(read.seen.len() as u64)?;
            look.checked_add(read.number(values).into())
        })
    }

    /// Adds the number of the state that each image of some values leads to, from 1; 0 if that
    /// cannot be.
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
                state => state + 1,
            });
        }
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

    /// The number of the look of its value.
    fn number(&self, values: &[u32]) -> u32 {
        self.numbers[values[self.value as usize] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristics::patterns::projection::FAR;
    use brigade_task::split_mix::SplitMix;

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

    fn expected(image: &Image, projection: &Projection, values: &[u32]) -> Sums {
        let see = |(value, classes): &Reading| classes[values[*value as usize] as usize];
        let state = projection.state(image.variables.iter().map(see));
        let at = image.at.as_ref().map(see);
        state.map_or(Sums::default(), |state| {
            let (first, second) = projection.distances(state, at);
            Sums::of(first, second)
        })
    }

    /// Reads random values of which so many bytes are kept, with the distances of groups of at most
    /// so many images, and compares the distances with those that each image has by itself.
    fn distances_are_those_of_projections(most: usize, most_kept: usize) {
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
            let (mut image_groups, numbers) = ImageGroups::new(&images, &projections, most);
            image_groups.cache.most_kept = most_kept;
            for _ in 0..20 {
                let values: Vec<u32> = (0..VALUES).map(|_| random.below(SIZE) as u32).collect();
                image_groups.read(&values, &projections);
                let sums_of = |number: usize| {
                    let number = numbers[number];
                    image_groups.sums_of(number, image_groups.place(number))
                };
                for (number, image) in images.iter().enumerate() {
                    let expected = expected(image, &projections[image.projection], &values);
                    assert_eq!(sums_of(number), expected, "seed {seed}");
                }
                for ends in ends.windows(2) {
                    let sums = (ends[0]..ends[1]).map(sums_of);
                    let least = sums.reduce(Sums::least);
                    let of_all = image_groups.least(image_groups.of(ends[0]..ends[1]));
                    assert_eq!(Some(of_all), least, "seed {seed}");
                }
            }
        }
    }

    #[test]
    fn images_of_the_same_values_have_the_distances_of_each_by_itself() {
        for most_kept in [0, 3, usize::MAX] {
            distances_are_those_of_projections(usize::MAX, most_kept);
        }
    }

    #[test]
    fn with_little_memory_for_what_was_read_or_none_distances_are_the_same() {
        for most in [0, 300, 1000] {
            distances_are_those_of_projections(most, 3);
        }
    }
}
