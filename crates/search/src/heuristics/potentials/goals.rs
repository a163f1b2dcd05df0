//! Ways to reach the goal: sets of states that together hold all in which it holds.

use std::num::NonZeroUsize;

use rustc_hash::FxHashSet;

use super::at_once::all_or_none;
use super::builder::Builder;
use super::images::Image;
use crate::control::Control;
use crate::heuristics::cartesian::domains;
use crate::heuristics::cartesian::formula::Formula;
use crate::heuristics::cartesian::progression::{Part, Progression, Read};

/// Ways to reach the goal that are distinguished, at most.
pub(crate) const MOST_WAYS: usize = 50_000;

/// Words of the sets of states of all ways, at most.
pub(crate) const MOST_WORDS: usize = 10_000_000;

/// A thread looks at so many ways at once.
const WAYS_AT_ONCE: usize = 256;

/// Words of parts looked at, at most, for exchanges that leave a part as it is, about.
const MOST_WORK: usize = 100_000_000;

/// A Cartesian set of states.
pub(crate) type Row = Box<[u64]>;

/// A conjunction, and the part of the goal that it belongs to.
struct Way<'f> {
    formulas: Vec<&'f Formula>,
    part: usize,
}

impl Way<'_> {
    fn has_disjunction(&self) -> bool {
        let mut flat = flatten(&self.formulas).into_iter();
        flat.any(|part| matches!(part, Formula::Any(_)))
    }
}

/// The origin of the potentials of a part of the goal.
pub(crate) enum Origin {
    /// A program of its own, in which the potentials that these exchanges make of each other are
    /// one.
    Own(Vec<Image>),
    /// An earlier part, of which an exchange of neighbours (by number) makes this one.
    Image(usize, usize),
}

/// The parts of the goal.
pub(crate) struct GoalParts {
    /// The ways of each.
    pub(crate) rows: Vec<Vec<Row>>,
    /// For each its origin; those of others come first.
    pub(crate) origins: Vec<Origin>,
    /// True if there would be more had more been allowed.
    pub(crate) are_cut: bool,
}

impl GoalParts {
    /// Finds the parts: so many at most, of so many ways together, whose sets of states take so
    /// many words. A part is what the outermost disjunctions distinguish. So many threads find them;
    /// `None` once `control` says stop.
    pub(crate) fn new(
        builder: &Builder,
        most: usize,
        (most_ways, most_words): (usize, usize),
        threads: NonZeroUsize,
        control: &dyn Control,
    ) -> Option<Self> {
        let words = builder.model.domains.row_words().max(1);
        let most_ways = most_ways.min(most_words / words);
        let mut ways = vec![Way {
            formulas: vec![&builder.model.goal],
            part: 0,
        }];
        while let Some(next) = split(&ways, most.min(most_ways)) {
            ways = next;
            for (way, part) in ways.iter_mut().zip(0..) {
                way.part = part;
            }
        }
        let are_cut = ways.iter().any(Way::has_disjunction);
        while let Some(next) = split(&ways, most_ways) {
            ways = next;
        }
        let mut rows = rows(builder, &ways, threads, control)?;
        for rows in &mut rows {
            rows.sort_unstable();
            rows.dedup();
        }
        let mut found = Self {
            rows: Vec::new(),
            origins: Vec::new(),
            are_cut,
        };
        found.add_orbits(builder, rows, control);
        control.stop().is_none().then_some(found)
    }

    /// The number of their ways together.
    pub(crate) fn ways(&self) -> usize {
        self.rows.iter().map(Vec::len).sum()
    }

    /// The number of parts that have a program of their own.
    pub(crate) fn programs(&self) -> usize {
        let own = self.origins.iter();
        own.filter(|origin| matches!(origin, Origin::Own(_)))
            .count()
    }

    /// Adds parts, each followed by those that it becomes when objects change places. Some are
    /// missing once `control` says stop.
    fn add_orbits(&mut self, builder: &Builder, parts: Vec<Vec<Row>>, control: &dyn Control) {
        let is_over = || control.stop().is_some();
        let exchanges = &builder.images.neighbours;
        let renamed = builder.images.most_values();
        let mut left: FxHashSet<Vec<Row>> = parts.iter().cloned().collect();
        for part in parts {
            if !left.remove(&part) {
                continue;
            }
            let stays = |image: &Image| of_part(builder, image, &part) == part;
            let work = |row: &Row| row.len() + renamed;
            let most = MOST_WORK / part.iter().map(work).sum::<usize>().max(1);
            let fixing = builder.images.fixing(most, stays, is_over);
            self.origins.push(Origin::Own(fixing));
            self.rows.push(part);
            let mut next = self.rows.len() - 1;
            while next < self.rows.len() {
                for (exchange, number) in exchanges.iter().zip(0..) {
                    if is_over() {
                        return;
                    }
                    let image = of_part(builder, exchange, &self.rows[next]);
                    if left.remove(&image) {
                        self.rows.push(image);
                        self.origins.push(Origin::Image(next, number));
                    }
                }
                next += 1;
            }
        }
    }
}

/// The images of the ways of a part, sorted.
fn of_part(builder: &Builder, image: &Image, rows: &[Row]) -> Vec<Row> {
    let domains = &builder.model.domains;
    let of_row = |row: &Row| {
        let mut new = row.clone();
        for variable in (0..domains.len()).filter(|&id| image.moves(id)) {
            let set = domains.get_mut(&mut new, image.variable(variable));
            set.fill(0);
            for value in domains.values(row, variable) {
                domains::insert(set, image.value(variable, value));
            }
        }
        new
    };
    let mut images: Vec<Row> = rows.iter().map(of_row).collect();
    images.sort_unstable();
    images
}

/// For each part that can hold the states of each of its ways that can; `None` once `control` says
/// stop.
fn rows(
    builder: &Builder,
    ways: &[Way],
    threads: NonZeroUsize,
    control: &dyn Control,
) -> Option<Vec<Vec<Row>>> {
    let model = builder.model;
    let mut anything = vec![0; model.domains.row_words()];
    for variable in 0..model.domains.len() {
        model.domains.forget(&mut anything, variable);
    }
    let progression = Progression::new(model, &builder.distinguished, &builder.classes);
    let row = |way: &Way| {
        let mut part = Part::new(anything.clone().into(), None);
        let holds = way.formulas.iter().all(|formula| {
            progression
                .truth(formula, Read::Now, &part)
                .unwrap_or_else(|| progression.assume(&mut part, Read::Now, formula, true))
        });
        (holds && builder.narrow(&mut part.row)).then_some((way.part, part.row))
    };
    let chunks: Vec<&[Way]> = ways.chunks(WAYS_AT_ONCE).collect();
    let find = |chunk: usize, control: &dyn Control| {
        let goes_on = control.stop().is_none();
        goes_on.then(|| chunks[chunk].iter().filter_map(row).collect::<Vec<_>>())
    };
    let found = all_or_none(chunks.len(), threads.get(), find, control)?;
    let parts = ways.last().map_or(0, |way| way.part + 1);
    let mut rows = vec![Vec::new(); parts];
    for (part, row) in found.into_iter().flatten() {
        rows[part].push(row);
    }
    rows.retain(|rows| !rows.is_empty());
    Some(rows)
}

/// The ways with the first disjunction of each split, where they stay as many as this; `None` if
/// there is none left.
fn split<'f>(ways: &[Way<'f>], most: usize) -> Option<Vec<Way<'f>>> {
    let mut is_split = false;
    let mut next: Vec<Way> = Vec::new();
    for (index, way) in ways.iter().enumerate() {
        let flat = flatten(&way.formulas);
        let any = flat.iter().position(|part| matches!(part, Formula::Any(_)));
        let left = ways.len() - index - 1;
        let options = match any.map(|place| (place, flat[place])) {
            Some((place, Formula::Any(options))) if next.len() + left + options.len() <= most => {
                Some((place, options))
            }
            _ => None,
        };
        let Some((place, options)) = options else {
            next.push(Way {
                formulas: flat,
                part: way.part,
            });
            continue;
        };
        is_split = true;
        for option in options {
            let mut formulas = flat.clone();
            formulas[place] = option;
            next.push(Way {
                formulas,
                part: way.part,
            });
        }
    }
    is_split.then_some(next)
}

/// The conjuncts of a conjunction of formulas.
fn flatten<'f>(formulas: &[&'f Formula]) -> Vec<&'f Formula> {
    let mut flat = Vec::new();
    for &formula in formulas {
        match formula {
            Formula::All(parts) => flat.extend(flatten(&parts.iter().collect::<Vec<_>>())),
            other => flat.push(other),
        }
    }
    flat
}
