//! What projections tell of a state, of all parts of the goal at once.
//!
//! The parts of an orbit see a state each through exchanges of objects of its own; many see what
//! matters to one projection alike. Each of these images of a projection is looked up once, and the
//! least sum of images, one of each projection, that go together in a part is found depth first.

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::super::builder::Builder;
use super::super::groups::Reader;
use super::super::images::Image as Exchange;
use super::super::views::{View, Views};
use super::charges::Charges;
use super::projection::{Automorphism, FAR, Projection};
use crate::search::options::Control;

/// That no goal can be reached: more than distances of thousands of projections add up to.
const MUCH: u32 = 1 << 30;
/// No value.
const NOT_READ: u32 = u32::MAX;
/// Exchanges of objects that are looked at, at most.
const MOST_EXCHANGES: usize = 1000;

/// The projections of one part of the goal, seen by that part and all that it becomes when objects
/// change places.
#[derive(Clone)]
pub(super) struct Lookup {
    projections: Arc<[Projection]>,
    images: Vec<Image>,
    /// For each projection its images.
    of_projections: Vec<Vec<u32>>,
    nodes: Vec<Node>,
    charge: u32,
    /// For each value that is read the images that see it.
    seeing: Vec<Vec<u32>>,
    /// What was read of the last state.
    read: Vec<u32>,
    /// Working space: the images that see another value than in the last state, and for each whether it
    /// does.
    changed: Vec<u32>,
    is_changed: Vec<bool>,
    /// What is told of each image where something was done last where the agent is, and after a move.
    told: Vec<(u32, u32)>,
    /// Working space: at each depth the least of what comes below, and what comes above.
    rest: Vec<(u32, u32)>,
    sums: Vec<(u32, u32)>,
    /// Working space: at each depth the image that is looked at.
    path: Vec<u32>,
    /// The images of the least sum of the last state: often that of the next is no greater.
    last: Vec<u32>,
}

/// How a part sees a projection.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Image {
    projection: usize,
    /// For each variable of the projection the place of what is seen as it, and the class of each value.
    variables: Vec<(u32, Box<[u32]>)>,
    /// The same of where the agent is.
    at: Option<(u32, Box<[u32]>)>,
}

/// An image, and how many nodes come before the next one that does not go with it.
#[derive(Clone)]
struct Node {
    image: u32,
    depth: u32,
    skip: u32,
}

/// Numbers of what is read.
pub(super) struct Readers<'a, 'm, 't> {
    builder: &'a Builder<'m, 't>,
    pub(super) list: Vec<Reader>,
    numbers: FxHashMap<u32, u32>,
}

impl<'a, 'm, 't> Readers<'a, 'm, 't> {
    pub(super) fn new(builder: &'a Builder<'m, 't>) -> Self {
        Self {
            builder,
            list: Vec::new(),
            numbers: FxHashMap::default(),
        }
    }

    fn number(&mut self, id: u32) -> u32 {
        *self.numbers.entry(id).or_insert_with(|| {
            self.list.push(self.builder.reader(id));
            self.list.len() as u32 - 1
        })
    }
}

/// How a part of the goal, and all that it becomes when objects change places, see a state.
pub(super) struct Seen<'a> {
    pub(super) views: &'a Views,
    pub(super) of_part: Vec<&'a View>,
}

impl Seen<'_> {
    /// How each of them sees the values of all variables and groups, and where something is done.
    pub(super) fn of_values(
        &self,
        values: &[u32],
        place: Option<u32>,
    ) -> Vec<(Vec<u32>, Option<u32>)> {
        let views = self.of_part.iter();
        let seen = views.map(|view| {
            let mut seen = values.to_vec();
            for (id, &value) in (0..).zip(values) {
                seen[self.views.variable(view, id) as usize] = self.views.value(view, id, value);
            }
            let at = place.map(|place| seen[place as usize]);
            (seen, at)
        });
        seen.collect()
    }
}

impl Lookup {
    /// Of projections of a part; not of all that see it once `control` says stop.
    pub(super) fn new(
        readers: &mut Readers,
        projections: Vec<Projection>,
        seen: &Seen,
        charges: &Charges,
        control: &dyn Control,
    ) -> Self {
        let builder = readers.builder;
        let place = charges.place;
        let all = builder.model.domains.len() + builder.groups.len();
        let kept: Vec<Vec<Automorphism>> = projections
            .iter()
            .map(|projection| automorphisms(builder, projection, place, control))
            .collect();
        let mut images: IndexSet<Image, FxBuildHasher> = IndexSet::default();
        let mut rows: Vec<Vec<usize>> = Vec::with_capacity(seen.of_part.len());
        for view in &seen.of_part {
            if control.stop().is_some() {
                break;
            }
            let mut seen_as: Vec<u32> = vec![0; all as usize];
            for id in 0..all {
                seen_as[seen.views.variable(view, id) as usize] = id;
            }
            let mut see = |id: u32| {
                let own = seen_as[id as usize];
                let values = (0..builder.size(own)).map(|value| seen.views.value(view, own, value));
                (readers.number(own), values.collect::<Box<[u32]>>())
            };
            let of_view = projections.iter().enumerate().map(|(number, projection)| {
                let variables = projection.variables.iter().zip(&projection.classes);
                let variables = variables.map(|(&id, classes)| {
                    let (number, mut values) = see(id);
                    for value in &mut values {
                        *value = classes[*value as usize];
                    }
                    (number, values)
                });
                let mut image = Image {
                    projection: number,
                    variables: variables.collect(),
                    at: None,
                };
                image.at = place.map(&mut see);
                image.reduce(&kept[number]);
                images.insert_full(image).0
            });
            rows.push(of_view.collect());
        }
        let used = |number: usize| -> BTreeSet<u32> {
            rows.iter().map(|row| row[number] as u32).collect()
        };
        let mut used: Vec<(Vec<u32>, usize)> = (0..projections.len())
            .map(|number| (used(number).into_iter().collect(), number))
            .collect();
        // Those of few images first: more is shared.
        used.sort_by_key(|(images, number)| (images.len(), *number));
        let in_order = |row: &Vec<usize>| used.iter().map(|&(_, number)| row[number]).collect();
        let mut rows: Vec<Vec<usize>> = rows.iter().map(in_order).collect();
        rows.sort_unstable();
        rows.dedup();
        let mut seeing: Vec<Vec<u32>> = vec![Vec::new(); readers.list.len()];
        for (number, image) in images.iter().enumerate() {
            for (place, _) in image.variables.iter().chain(&image.at) {
                seeing[*place as usize].push(number as u32);
            }
        }
        Self {
            read: vec![NOT_READ; seeing.len()],
            seeing,
            changed: Vec::new(),
            is_changed: vec![false; images.len()],
            told: vec![(0, 0); images.len()],
            rest: vec![(0, 0); projections.len() + 1],
            sums: vec![(charges.charge, 0); projections.len() + 1],
            path: vec![0; projections.len()],
            last: Vec::new(),
            projections: projections.into(),
            images: images.into_iter().collect(),
            of_projections: used.into_iter().map(|(images, _)| images).collect(),
            nodes: nodes(&rows),
            charge: charges.charge,
        }
    }

    /// What is told of the state of which this was read; `None` if no plan leads on from there.
    pub(super) fn least(&mut self, values: &[u32]) -> Option<u32> {
        self.look_up(values);
        let depths = self.of_projections.len();
        for depth in (0..depths).rev() {
            let images = self.of_projections[depth].iter();
            let told = images.map(|&image| self.told[image as usize]);
            let least = told.reduce(|one, other| (one.0.min(other.0), one.1.min(other.1)));
            let (acted, moved) = least.unwrap_or((0, 0));
            let rest = self.rest[depth + 1];
            self.rest[depth] = (rest.0.saturating_add(acted), rest.1.saturating_add(moved));
        }
        // After a move the charge may be paid already. So that no sum is negative, the others begin with
        // it.
        let mut least = MUCH;
        if !self.last.is_empty() {
            let told = self.last.iter().map(|&image| self.told[image as usize]);
            let sum = told.fold(self.sums[0], |sum, told| {
                (sum.0.saturating_add(told.0), sum.1.saturating_add(told.1))
            });
            least = least.min(sum.0.max(sum.1));
        }
        let mut next = 0;
        while let Some(node) = self.nodes.get(next) {
            let depth = node.depth as usize;
            let (acted, moved) = self.told[node.image as usize];
            let above = self.sums[depth];
            let sum = (above.0.saturating_add(acted), above.1.saturating_add(moved));
            let rest = self.rest[depth + 1];
            let in_all = (sum.0.saturating_add(rest.0), sum.1.saturating_add(rest.1));
            if in_all.0.max(in_all.1) >= least {
                next += node.skip as usize;
                continue;
            }
            self.sums[depth + 1] = sum;
            self.path[depth] = node.image;
            if depth + 1 == depths {
                least = sum.0.max(sum.1);
                self.last.clone_from(&self.path);
            }
            next += 1;
        }
        (least < MUCH).then(|| least.saturating_sub(self.charge))
    }

    /// Looks up the images that see another value than in the last state.
    fn look_up(&mut self, values: &[u32]) {
        for ((read, &value), images) in self.read.iter_mut().zip(values).zip(&self.seeing) {
            if std::mem::replace(read, value) == value {
                continue;
            }
            for &image in images {
                if !std::mem::replace(&mut self.is_changed[image as usize], true) {
                    self.changed.push(image);
                }
            }
        }
        for number in self.changed.drain(..) {
            self.is_changed[number as usize] = false;
            let image = &self.images[number as usize];
            let projection = &self.projections[image.projection];
            let classes = image.variables.iter();
            let classes = classes.map(|(place, classes)| classes[values[*place as usize] as usize]);
            let at = image.at.as_ref();
            let at = at.map(|(place, seen)| seen[values[*place as usize] as usize]);
            let state = projection.state(classes);
            let (acted, moved) = state.map_or((0, 0), |state| projection.distances(state, at));
            self.told[number as usize] = (wide(acted), wide(moved));
        }
    }

    pub(super) fn images(&self) -> usize {
        self.images.len()
    }

    pub(super) fn bytes(&self) -> usize {
        let projections: usize = self.projections.iter().map(Projection::bytes).sum();
        let seeing: usize = self.seeing.iter().map(|images| 4 * images.len()).sum();
        projections + seeing + self.nodes.len() * size_of::<Node>()
    }
}

impl Image {
    /// Makes of it the one that comes first in order, of those that tell the same.
    fn reduce(&mut self, kept: &[Automorphism]) {
        let Some((_, places)) = &mut self.at else {
            return;
        };
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for automorphism in kept {
                let image = places
                    .iter()
                    .map(|&place| automorphism.places[place as usize]);
                if image.clone().lt(places.iter().copied()) {
                    *places = image.collect();
                    for ((_, classes), to) in self.variables.iter_mut().zip(&automorphism.classes) {
                        for class in classes {
                            *class = to[*class as usize];
                        }
                    }
                    is_changed = true;
                }
            }
        }
    }
}

/// The automorphisms of a projection that exchanges of two objects are, and make of each other.
fn automorphisms(
    builder: &Builder,
    projection: &Projection,
    place: Option<u32>,
    control: &dyn Control,
) -> Vec<Automorphism> {
    let mut found: IndexSet<Automorphism, FxBuildHasher> = IndexSet::default();
    let fixes = |image: &Exchange| {
        let automorphism = projection.automorphism(image, place);
        let is_one = automorphism.is_some();
        let moving =
            automorphism.filter(|it| (0..).zip(&it.places).any(|(place, &to)| place != to));
        found.extend(moving);
        is_one
    };
    let is_over = || control.stop().is_some();
    builder.images.fixing(MOST_EXCHANGES, fixes, is_over);
    let mut next = 0;
    while next < found.len() && found.len() < MOST_EXCHANGES && !is_over() {
        for other in 0..found.len() {
            let between = found[next].conjugate(&found[other]);
            found.insert(between);
        }
        next += 1;
    }
    found.into_iter().collect()
}

fn wide(distance: u16) -> u32 {
    if distance == FAR {
        MUCH
    } else {
        distance.into()
    }
}

/// Rows, sorted, as a tree in depth first order.
fn nodes(rows: &[Vec<usize>]) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut last: &[usize] = &[];
    for row in rows {
        let shared = last
            .iter()
            .zip(row)
            .take_while(|(one, other)| one == other)
            .count();
        close(&mut nodes, &mut open, shared);
        for (depth, &image) in row.iter().enumerate().skip(shared) {
            open.push(nodes.len());
            nodes.push(Node {
                image: image as u32,
                depth: depth as u32,
                skip: 0,
            });
        }
        last = row;
    }
    close(&mut nodes, &mut open, 0);
    nodes
}

/// Notes how many nodes belong to those that are open below a depth.
fn close(nodes: &mut [Node], open: &mut Vec<usize>, depth: usize) {
    for first in open.drain(depth..) {
        nodes[first].skip = (nodes.len() - first) as u32;
    }
}
