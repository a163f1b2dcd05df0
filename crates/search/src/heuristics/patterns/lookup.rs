//! Looking up the distances of a state in projections, to all parts of the goal at once.
//!
//! The parts of an orbit see a state each through exchanges of objects of its own; many see what
//! matters to one projection alike. Each of these images of a projection is looked up once
//! (`image_groups`), and the least sum of images, one of each projection, that go together in a
//! part is found in a decision diagram of the parts (`diagram`), or only whether it is at most so
//! much.

mod cache;
mod diagram;
mod image_groups;
mod images;
mod sums;

use std::ops::Range;
use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::charges::Charges;
use super::projection::{Automorphism, Projection};
use crate::control::Control;
use crate::heuristics::potentials::builder::Builder;
use crate::heuristics::potentials::views::{View, Views};
use diagram::{Descent, Diagram};
use image_groups::{ImageGroups, Place};
use images::{Image, automorphisms, shared_first};
pub(crate) use sums::MUCH;
use sums::Sums;

/// The projections of one part of the goal, seen by that part and all that it becomes when objects
/// change places.
#[derive(Clone)]
pub(crate) struct Lookup {
    projections: Arc<[Projection]>,
    image_groups: ImageGroups,
    /// At each depth of the rows the groups of images.
    of_depths: Vec<Range<usize>>,
    rows: Arc<Diagram<Place>>,
    descent: Descent,
    charge: u32,
    images: usize,
}

/// The variables and groups that an image sees, and the numbers of the ways in which it sees their
/// values.
type SeenAs = (Vec<u32>, Box<[u32]>);

/// The views that a part of the goal, and all that it becomes when objects change places, have of a
/// state.
pub(crate) struct Seen<'a> {
    pub(crate) views: &'a Views,
    pub(crate) of_part: Vec<&'a View>,
}

impl Seen<'_> {
    /// The view that each of them has of the values of all variables and groups, and of where
    /// something is done.
    pub(crate) fn of_values(
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
    /// Of projections of a part, where `most_kept` bytes of what was read are kept, about; not of
    /// all that see it once `control` says stop.
    pub(crate) fn new(
        builder: &Builder,
        mut projections: Vec<Projection>,
        seen: &Seen,
        charges: &Charges,
        most_kept: usize,
        control: &dyn Control,
    ) -> Self {
        let place = charges.place;
        let all = builder.model.domains.len() + builder.groups.len();
        let kept: Vec<Vec<Automorphism>> = projections
            .iter()
            .map(|projection| automorphisms(builder, projection, place, control))
            .collect();
        let mut images: Vec<IndexSet<Image, FxBuildHasher>> = Vec::new();
        images.resize_with(projections.len(), IndexSet::default);
        let mut rows: Vec<Vec<u32>> = Vec::with_capacity(seen.of_part.len());
        // For each projection the images of what is seen as its variables, and as where the agent is.
        let mut known: Vec<FxHashMap<SeenAs, u32>> = Vec::new();
        known.resize_with(projections.len(), FxHashMap::default);
        for view in &seen.of_part {
            if control.stop().is_some() {
                break;
            }
            let mut seen_as: Vec<u32> = vec![0; all as usize];
            for id in 0..all {
                seen_as[seen.views.variable(view, id) as usize] = id;
            }
            let see = |own: u32| {
                let values = (0..builder.size(own)).map(|value| seen.views.value(view, own, value));
                (own, values.collect::<Box<[u32]>>())
            };
            let of_view = projections.iter().enumerate().map(|(number, projection)| {
                let ids = projection.variables.iter().chain(&place);
                let own: Vec<u32> = ids.map(|&id| seen_as[id as usize]).collect();
                let (_, values) = view.key(&own);
                let new = |(own, _): &SeenAs| {
                    let variables = own.iter().zip(&projection.classes);
                    let variables = variables.map(|(&own, classes)| {
                        let (own, mut values) = see(own);
                        for value in &mut values {
                            *value = classes[*value as usize];
                        }
                        (own, values)
                    });
                    let mut image = Image {
                        projection: number,
                        variables: variables.collect(),
                        at: None,
                    };
                    let at = own.get(projection.variables.len());
                    image.at = at.map(|&own| see(own));
                    image.reduce(&kept[number]);
                    images[number].insert_full(image).0 as u32
                };
                let entry = known[number].entry((own, values));
                *entry.or_insert_with_key(new)
            });
            rows.push(of_view.collect());
        }
        let (images, ends) = reordered(&mut projections, images);
        let (image_groups, numbers) = ImageGroups::new(&images, &projections, most_kept);
        for row in &mut rows {
            for (image, before) in row.iter_mut().zip(&ends) {
                *image = numbers[*image as usize + before];
            }
        }
        let rows = Diagram::new(&rows, |image| image_groups.place(image), control);
        let of_depths = rows
            .order
            .iter()
            .map(|&it| image_groups.of(ends[it]..ends[it + 1]));
        Self {
            of_depths: of_depths.collect(),
            image_groups,
            projections: projections.into(),
            images: images.len(),
            rows: Arc::new(rows),
            descent: Descent::default(),
            charge: charges.charge,
        }
    }

    /// The variables and groups that are read.
    pub(crate) fn reads(&self) -> impl Iterator<Item = u32> {
        self.image_groups.reads()
    }

    /// The least sum of distances of the state of which this was read, if that is less than `most`;
    /// `None` also if no plan leads on from there.
    pub(crate) fn least(&mut self, values: &[u32], most: Option<u32>) -> Option<u32> {
        self.image_groups.read(values, &self.projections);
        let most = most.map_or(MUCH, |most| MUCH.min(most.saturating_add(self.charge)));
        let (sums_of, least) = sums_of(&self.image_groups, &self.of_depths);
        // After a move the charge may be paid already. So that no sum is negative, the others begin with
        // it.
        let first = Sums::new(self.charge, 0);
        let found = self.descent.least(&self.rows, sums_of, least, first, most);
        found.map(|found| found.saturating_sub(self.charge))
    }

    /// Compares the least sum of distances of the state of which this was read with `most`; if it
    /// is greater, the error is a lower bound on it. No plan leads on from where that is `MUCH`.
    pub(crate) fn is_at_most(&mut self, values: &[u32], most: u32) -> Result<(), u32> {
        self.image_groups.read(values, &self.projections);
        let most = (MUCH - 1).min(most.saturating_add(self.charge));
        let (sums_of, least) = sums_of(&self.image_groups, &self.of_depths);
        let first = Sums::new(self.charge, 0);
        let found = self
            .descent
            .is_at_most(&self.rows, sums_of, least, first, most);
        found.map_err(|least| match least.saturating_sub(self.charge) {
            least if least + self.charge >= MUCH => MUCH,
            least => least,
        })
    }

    pub(crate) fn images(&self) -> usize {
        self.images
    }

    pub(crate) fn bytes(&self) -> usize {
        let projections: usize = self.projections.iter().map(Projection::bytes).sum();
        projections + self.image_groups.bytes() + self.rows.bytes()
    }
}

/// Lets projections look at their variables in an order in which images share much, and the images
/// with them: those of all projections, one after another, and where those of each end.
fn reordered(
    projections: &mut [Projection],
    images: Vec<IndexSet<Image, FxBuildHasher>>,
) -> (Vec<Image>, Vec<usize>) {
    let mut ends = vec![0];
    let mut of_all: Vec<Image> = Vec::new();
    for (projection, images) in projections.iter_mut().zip(images) {
        let mut images: Vec<Image> = images.into_iter().collect();
        let order = shared_first(&images);
        projection.reorder(&order);
        for image in &mut images {
            let variables = order.iter().map(|&place| image.variables[place].clone());
            image.variables = variables.collect();
        }
        of_all.extend(images);
        ends.push(of_all.len());
    }
    (of_all, ends)
}

/// The distances of all images, and the least at each depth.
fn sums_of(
    image_groups: &ImageGroups,
    of_depths: &[Range<usize>],
) -> (
    impl Fn(u32, Place) -> Sums,
    impl DoubleEndedIterator<Item = Sums>,
) {
    let sums_of = |image, place| image_groups.sums_of(image, place);
    let least = of_depths.iter();
    let least = least.map(|depth| image_groups.least(depth.clone()));
    (sums_of, least)
}
