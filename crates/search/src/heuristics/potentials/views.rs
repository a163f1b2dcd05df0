//! Views: what each part of the goal sees instead of the variables and groups, where its potentials
//! are those of another part that exchanges of objects make of it.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::builder::Builder;
use super::goals::Origin;
use super::images::Image;

/// The view of each part. What many see is held once.
pub(crate) struct Views {
    pub(crate) list: Vec<View>,
    seen: IndexSet<Seen, FxBuildHasher>,
}

/// The view of a part.
#[derive(Clone)]
pub(crate) struct View {
    /// The number of the program that the potentials come from.
    pub(crate) program: usize,
    /// For each variable and group the number of what is seen instead.
    seen: Box<[u32]>,
}

/// The variable or group that is seen instead of another.
#[derive(PartialEq, Eq, Hash)]
struct Seen {
    variable: u32,
    /// The value that is seen instead of each value.
    values: Box<[u32]>,
}

impl Views {
    /// Of parts that come from these.
    pub(crate) fn new(builder: &Builder, origins: &[Origin]) -> Self {
        let all = builder.model.domains.len() + builder.groups.len();
        let mut views = Self {
            list: Vec::with_capacity(origins.len()),
            seen: (0..all)
                .map(|id| Seen {
                    variable: id,
                    values: (0..builder.size(id)).collect(),
                })
                .collect(),
        };
        let mut programs = 0;
        // What an exchange makes of a variable of which something is seen.
        let mut known: FxHashMap<(usize, u32, u32), u32> = FxHashMap::default();
        for origin in origins {
            let view = match *origin {
                Origin::Own(_) => {
                    programs += 1;
                    View {
                        program: programs - 1,
                        seen: (0..all).collect(),
                    }
                }
                Origin::Image(from, exchange) => {
                    let image = &builder.images.neighbours[exchange];
                    let mut view = views.list[from].clone();
                    for id in (0..all).filter(|&id| image.moves(id)) {
                        let of_image = views.list[from].seen[image.variable(id) as usize];
                        view.seen[id as usize] = *known
                            .entry((exchange, id, of_image))
                            .or_insert_with(|| views.see_through(image, id, of_image));
                    }
                    view
                }
            };
            views.list.push(view);
        }
        views
    }

    /// The number of what is seen instead of a variable or group where this is seen instead of what
    /// it becomes.
    fn see_through(&mut self, image: &Image, id: u32, of_image: u32) -> u32 {
        let of_image = &self.seen[of_image as usize];
        let values = 0..of_image.values.len() as u32;
        let values = values.map(|value| of_image.values[image.value(id, value) as usize]);
        let seen = Seen {
            variable: of_image.variable,
            values: values.collect(),
        };
        self.seen.insert_full(seen).0 as u32
    }

    /// The variable or group that is seen instead of one.
    pub(crate) fn variable(&self, view: &View, id: u32) -> u32 {
        self.seen[view.seen[id as usize] as usize].variable
    }

    /// The value that is seen instead of a value of a variable or group.
    pub(crate) fn value(&self, view: &View, id: u32, value: u32) -> u32 {
        self.seen[view.seen[id as usize] as usize].values[value as usize]
    }
}

impl View {
    /// The key of what is seen instead of some variables and groups, and of the program.
    pub(crate) fn key(&self, variables: &[u32]) -> (usize, Box<[u32]>) {
        let seen = variables.iter().map(|&id| self.seen[id as usize]);
        (self.program, seen.collect())
    }
}
