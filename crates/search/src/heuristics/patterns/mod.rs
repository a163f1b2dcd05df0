//! Patterns: distances in projections to the variables of single objects, added up.
//!
//! The distances of several projections may be added up where each operator costs something in one
//! of them alone (S. Edelkamp, "Planning with Pattern Databases", ECP 2001; P. Haslum, B. Bonet, H.
//! Geffner, "New Admissible Heuristics for Domain-Independent Planning", AAAI 2005). Here moves are
//! charged to what is done next (`charges`), so that each thing asks for the way to it, and what
//! else an agent does on the way stays between. `conjunctions` hold what excludes what,
//! `components` which variables go together and who pays for what, `projection` the distances. The
//! goal may be reached in many ways, each of other objects; the least sum of all is looked up at
//! once (`lookup`).
//!
//! Admissible and consistent, as costs are shared out and projections follow all cases of all parts
//! of a step. Two sums bound what is to come, and the greater counts: as if something was done last
//! where the agent is, for what is done there next takes no move, and what is done elsewhere does;
//! and as if there was a move since, less the one charge for a move that may be made already.

mod charges;
mod components;
mod conjunctions;
mod lookup;
mod names;
mod priced;
mod projection;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use super::cartesian::model::Model;
use super::potentials::at_once::all_or_none;
use super::potentials::builder::Builder;
use super::potentials::goals::{GoalParts, Origin, Row};
use super::potentials::groups::Reader;
use super::potentials::mutexes::Given;
use super::potentials::views::Views;
use super::{Answer, Estimate, Heuristic};
use crate::control::Control;
use crate::measure::Measure;
use crate::reductions::symmetry::Symmetries;
use brigade_task::symbols::Meaning;
use brigade_task::{ObjectId, PackedTask, State};
use charges::Charges;
use components::Finder;
use conjunctions::Conjunctions;
use lookup::{Lookup, MUCH, Seen};
use priced::cases;
use projection::Context;

/// Parts of the goal, and ways to reach it, that are distinguished, at most.
const MOST_PARTS: usize = 400_000;
/// Variables and groups of all parts together, as each part sees them, at most.
const MOST_SEEN: usize = 200_000_000;
/// Bytes that each of these takes while patterns are found.
const BYTES_PER_SEEN: usize = 8;
/// Words of the sets of states of all ways to reach the goal, at most.
const MOST_WORDS: usize = 150_000_000;
/// States of a projection, at most.
const MOST_STATES: usize = 300_000;
/// Bytes that a state of a projection takes with each place, about, in all projections that are
/// compared.
const BYTES_PER_STATE: usize = 200;
/// Parts of the goal with projections of their own, at most, and those looked at at once.
const MOST_PROGRAMS: usize = 64;
const MOST_AT_ONCE: usize = 2;
/// Tasks with more operators, or cases of parts of a step, have no patterns.
const MOST_OPERATORS: usize = 30_000;
const MOST_CASES: usize = 8_000;
/// The most that is kept of values that were read, by all threads: in bytes, and as a part of a
/// memory limit.
const MOST_KEPT: usize = 1 << 30;
const SHARE_KEPT: usize = 32;
/// So many images are looked up in the time in which a state is stored, about.
const LOOKED_UP_PER_STATE: u64 = 8000;

/// The estimate.
#[derive(Clone)]
pub(crate) struct Patterns {
    /// The readers of variables and groups.
    readers: Vec<(u32, Reader)>,
    lookups: Vec<Lookup>,
    values: Vec<u32>,
    by_makespan: bool,
}

impl Patterns {
    /// Patterns with great distances at a state, and at what it becomes when objects change places;
    /// `None` where they are zero there, where several agents act, or once `control` says stop.
    /// They take about half of `memory_limit` (bytes) at most while they are found. Of what they
    /// have read, all `threads` that estimate by them keep at most a thirty-second of it together.
    /// That is not in their `bytes`, as it depends on which states each of them took.
    pub(crate) fn new(
        task: &PackedTask,
        start: &State,
        measure: Measure,
        symmetries: Option<&Symmetries>,
        memory_limit: Option<usize>,
        threads: NonZeroUsize,
        control: &dyn Control,
    ) -> Option<Self> {
        if measure.least_cost((0, 0)).is_none() && !measure.is_by_makespan() {
            return None;
        }
        if task.operators.len() > MOST_OPERATORS || task.agents.len() != 1 {
            return None;
        }
        let model = Model::new(task);
        let builder = Builder::new(&model, measure, start, symmetries, control)?;
        let all = (builder.model.domains.len() + builder.groups.len()) as usize;
        let most_seen =
            memory_limit.map_or(MOST_SEEN, |limit| MOST_SEEN.min(limit / 8 / BYTES_PER_SEEN));
        let most_parts = MOST_PARTS.min(most_seen / all.max(1)).max(1);
        let most_words = memory_limit.map_or(MOST_WORDS, |limit| {
            MOST_WORDS.min(limit / 8 / size_of::<u64>())
        });
        let parts = GoalParts::new(
            &builder,
            most_parts,
            (most_parts, most_words),
            threads,
            control,
        )?;
        if parts.programs() > MOST_PROGRAMS {
            return None;
        }
        let most_kept = memory_limit.map_or(MOST_KEPT, |limit| MOST_KEPT.min(limit / SHARE_KEPT));
        // Each thread has its own, copied from one that is at rest meanwhile.
        let most_kept = most_kept / threads.saturating_add(1) / parts.programs().max(1);
        let mut cases = cases(&builder)?;
        if cases.len() > MOST_CASES {
            return None;
        }
        let place = charges::place(&builder, &cases);
        let objects = objects(&builder, place);
        let exchanges = symmetries.map_or_else(Vec::new, |found| found.renamings(&task.variables));
        let mut given = Given::default();
        let conjunctions = Conjunctions::new(
            &builder, start, &exchanges, &objects, &mut cases, &mut given, control,
        )?;
        let charges = Charges::new(&builder, &conjunctions, cases, place);
        let ids = 0..builder.model.domains.len() + builder.groups.len();
        let meanings: Vec<Vec<Meaning>> = ids.map(|id| names::meanings(&builder, id)).collect();
        let most_states = memory_limit.map_or(MOST_STATES, |limit| {
            let columns = charges.places as usize + 1;
            MOST_STATES.min(limit / 4 / MOST_AT_ONCE / BYTES_PER_STATE / columns)
        });
        let views = Views::new(&builder, &parts.origins);
        let values = builder.values_at(&[start.to_owned()]).concat();
        let mut work = 0;
        let own = parts.rows.iter().zip(&parts.origins);
        let own = own.filter(|(_, origin)| matches!(origin, Origin::Own(_)));
        let programs = own.map(|(rows, _)| {
            let shaved = rows.iter().filter_map(|row| {
                let mut row = row.clone();
                let is_left = builder.shave(&mut row, &mut given, &mut work, control);
                is_left.then_some(row)
            });
            shaved.collect()
        });
        let programs: Vec<Vec<Row>> = programs.collect();
        let lookup = |program: usize, control: &dyn Control| {
            let context = Context {
                builder: &builder,
                conjunctions: &conjunctions,
                charges: &charges,
                rows: &programs[program],
                objects: &objects,
                meanings: &meanings,
                most_states,
                control,
            };
            let views = Seen {
                views: &views,
                of_part: views
                    .list
                    .iter()
                    .filter(|view| view.program == program)
                    .collect(),
            };
            let starts = views.of_values(&values, place);
            let projections = Finder::new(&context, &starts).find();
            if projections.is_empty() || control.stop().is_some() {
                return None;
            }
            Some(Lookup::new(
                &builder,
                projections,
                &views,
                &charges,
                most_kept,
                control,
            ))
        };
        let at_once = threads.get().min(MOST_AT_ONCE);
        let lookups = all_or_none(programs.len(), at_once, lookup, control)?;
        let reads: BTreeSet<u32> = lookups.iter().flat_map(Lookup::reads).collect();
        let readers = reads.into_iter().map(|id| (id, builder.reader(id)));
        let mut found = Self {
            values: vec![0; all],
            readers: readers.collect(),
            lookups,
            by_makespan: measure.is_by_makespan(),
        };
        let is_whole = control.stop().is_none();
        (is_whole && found.estimate(start) != Estimate::ZERO).then_some(found)
    }
}

/// The objects that variables are about, but for the agent and the places.
fn objects(builder: &Builder, place: Option<u32>) -> BTreeSet<ObjectId> {
    let mut objects = names::all(builder);
    if let Some(place) = place {
        for meaning in names::meanings(builder, place) {
            for object in meaning.objects() {
                objects.remove(object);
            }
        }
    }
    objects
}

impl Patterns {
    fn read(&mut self, state: &State) {
        for (id, reader) in &self.readers {
            self.values[*id as usize] = reader.get(state);
        }
    }

    fn estimate_of(&self, distance: u32) -> Estimate {
        if self.by_makespan {
            Estimate {
                makespan: distance,
                ..Estimate::ZERO
            }
        } else {
            Estimate {
                first: distance.into(),
                ..Estimate::ZERO
            }
        }
    }
}

impl Heuristic for Patterns {
    fn estimate(&mut self, state: &State) -> Estimate {
        self.read(state);
        let mut least = None;
        for lookup in &mut self.lookups {
            least = lookup.least(&self.values, least).or(least);
        }
        least.map_or(Estimate::DEAD, |least| self.estimate_of(least))
    }

    fn ask(&mut self, state: &State, most: Estimate) -> Answer {
        let leading = if self.by_makespan {
            most.makespan.into()
        } else {
            most.first
        };
        let Ok(most) = u32::try_from(leading) else {
            return Answer::Exactly(self.estimate(state));
        };
        self.read(state);
        let mut least = MUCH;
        for lookup in &mut self.lookups {
            match lookup.is_at_most(&self.values, most) {
                Ok(()) => return Answer::AtMost,
                Err(bound) => least = least.min(bound),
            }
        }
        if least == MUCH {
            Answer::Exactly(Estimate::DEAD)
        } else {
            Answer::AtLeast(self.estimate_of(least))
        }
    }

    fn bytes(&self) -> usize {
        self.lookups.iter().map(Lookup::bytes).sum()
    }

    fn another(&self) -> Option<Box<dyn Heuristic + Send + '_>> {
        Some(Box::new(self.clone()))
    }

    fn effort(&self) -> u64 {
        let images: usize = self.lookups.iter().map(Lookup::images).sum();
        images as u64 / LOOKED_UP_PER_STATE
    }
}
