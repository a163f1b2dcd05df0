//! Timesteps of nodes of a diagram: sets of states in, sets of states out.

use crate::heuristics::abstractions::stepping::Stepping;
use crate::heuristics::cartesian::domains::{Mark, insert, is_empty};
use crate::heuristics::cartesian::model::{Model, Reduced};
use crate::heuristics::cartesian::numbering::{Classes, TooLarge, trivial_classes};
use crate::heuristics::cartesian::progression::{Part, Progression, Read, Trace};
use brigade_task::State;

/// More nodes than this do not come of one part.
const MOST_SCATTERED: usize = 1 << 12;

/// Parts of a node that are traced. A flaw is to take little for granted, so the other parts can be left out. Measured:
/// with 4,096 a search for a flaw can take seconds where three agents choose at once; bounds in Overcooked-AI stay.
const MOST_TRACED: usize = 32;

/// The timestep over the nodes of a diagram with a certain key.
pub(super) struct Expansion<'m, 't> {
    pub(super) model: &'m Model<'t>,
    /// The variables of which a node has one value each, ascending.
    pub(super) key: Vec<u32>,
    reduced: Reduced,
    distinguished: Vec<bool>,
    classes: Classes,
}

impl<'m, 't> Expansion<'m, 't> {
    pub(super) fn new(model: &'m Model<'t>, key: Vec<u32>) -> Self {
        let variables = model.task.variables.len();
        let distinguished = vec![true; variables];
        let mut classes = trivial_classes(model);
        for &variable in &key {
            let set = &classes[variable as usize][0];
            let singles = (0..model.domains.size(variable)).map(|value| {
                let mut single = vec![0; set.len()];
                single[value as usize / 64] = 1 << (value % 64);
                single.into()
            });
            classes[variable as usize] = singles.collect();
        }
        Self {
            model,
            key,
            reduced: model.reduced(&distinguished),
            distinguished,
            classes,
        }
    }

    /// Returns whether all states of a row are goal states, or none; `None` if neither is known.
    pub(super) fn is_goal(&self, row: &[u64]) -> Option<bool> {
        let truth = self.model.goal.truth(&self.model.domains, row);
        if truth.is_some() {
            return truth;
        }
        let mut part = Part::new(row.into(), None);
        let may_hold = (self.progression()).assume(&mut part, Read::Now, &self.model.goal, true);
        if may_hold { None } else { Some(false) }
    }

    /// The variables of which the goal reads several values in a row, ascending.
    pub(super) fn open_in_goal(&self, row: &[u64]) -> Vec<u32> {
        let mut open = Vec::new();
        self.model.goal.reads(&mut |variable| open.push(variable));
        open.retain(|&variable| self.model.domains.single(row, variable).is_none());
        open.sort_unstable();
        open.dedup();
        open
    }

    fn progression(&self) -> Progression<'_> {
        Progression::new(self.model, &self.distinguished, &self.classes)
    }

    /// The sets of states that one timestep leads to from a row, joined by the key; `work` grows.
    ///
    /// # Errors
    ///
    /// There are too many.
    pub(super) fn successors(
        &self,
        row: &[u64],
        work: &mut u64,
    ) -> Result<Vec<Box<[u64]>>, TooLarge> {
        let mut progression = Progression {
            joined_by: Some(&self.key),
            ..self.progression()
        };
        let parts = self.step(row, &mut progression, None);
        *work += progression.work;
        let mut rows = Vec::new();
        for part in parts? {
            self.scatter(part.row, 0, &mut rows)?;
        }
        Ok(rows)
    }

    /// The same without joins, with what each part takes for granted that does not hold in `actual`.
    ///
    /// # Errors
    ///
    /// There are too many.
    pub(super) fn traced(
        &self,
        row: &[u64],
        actual: &State,
        work: &mut u64,
    ) -> Result<Vec<Part>, TooLarge> {
        let mut progression = Progression {
            actual,
            most_followed: MOST_TRACED,
            ..self.progression()
        };
        let parts = self.step(row, &mut progression, Some(Box::<Trace>::default()));
        *work += progression.work;
        parts
    }

    fn step(
        &self,
        row: &[u64],
        progression: &mut Progression,
        trace: Option<Box<Trace>>,
    ) -> Result<Vec<Part>, TooLarge> {
        let domains = &self.model.domains;
        let stepping = Stepping::new(self.model, &self.reduced);
        let mut parts = vec![Part::new(row.into(), trace)];
        stepping.act_all(progression, row, &mut parts);
        if parts.first().is_some_and(|part| part.trace.is_none()) {
            for part in &mut parts {
                domains.clear_marks(&mut part.row, Mark::Step);
                domains.clear_marks(&mut part.row, Mark::Snapshot);
            }
        }
        stepping.tick(progression, &mut parts);
        if let Some(key) = progression.joined_by {
            progression.join(key, &mut parts);
        }
        if progression.has_overflowed {
            return Err(TooLarge);
        }
        let fail = &self.model.fail;
        parts.retain_mut(|part| match progression.truth(fail, Read::Now, part) {
            Some(fails) => !fails,
            None => progression.assume(part, Read::Now, fail, false),
        });
        Ok(parts)
    }

    /// Splits a row into rows with one value of each variable of the key.
    pub(super) fn scatter(
        &self,
        mut row: Box<[u64]>,
        from: usize,
        rows: &mut Vec<Box<[u64]>>,
    ) -> Result<(), TooLarge> {
        let domains = &self.model.domains;
        let open = |&&variable: &&u32| domains.single(&row, variable).is_none();
        let Some(&variable) = self.key[from..].iter().find(open) else {
            domains.clear_marks(&mut row, Mark::Step);
            domains.clear_marks(&mut row, Mark::Snapshot);
            rows.push(row);
            return if rows.len() > MOST_SCATTERED {
                Err(TooLarge)
            } else {
                Ok(())
            };
        };
        if is_empty(domains.get(&row, variable)) {
            return Ok(());
        }
        for value in domains.values(&row, variable).collect::<Vec<_>>() {
            let mut single = row.clone();
            let is_left = domains.narrow(&mut single, variable, &|set| {
                set.fill(0);
                insert(set, value);
            });
            if is_left {
                self.scatter(single, from, rows)?;
            }
        }
        Ok(())
    }
}
