//! Which states of their projections images see, kept as values change.
//!
//! Images that see their first variables alike share what those lead to. What sees no value that has
//! changed stays as it is.

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::super::projection::{NONE, Projection};
use super::images::{Image, Reading};

/// No value.
const NOT_READ: u32 = u32::MAX;
const BITS: usize = u64::BITS as usize;

/// The states that images see.
#[derive(Clone)]
pub(super) struct States {
    tree: Arc<Tree>,
    /// What was read last.
    read: Vec<u32>,
    /// What each reading makes of it.
    classes: Vec<u32>,
    /// What the variables until each step lead to; `NONE` if that cannot be.
    seen: Vec<u32>,
    /// Working space: the steps that may lead elsewhere than before.
    changed: Vec<u64>,
}

/// The steps to the states of all images.
struct Tree {
    readings: Vec<Reading>,
    /// For each value the readings of it.
    of_values: Vec<Vec<u32>>,
    /// For each reading the steps that follow it.
    of_readings: Vec<Vec<u32>>,
    /// Each comes after that before it.
    steps: Vec<Step>,
}

/// From what some variables of a projection lead to, to what one more does.
struct Step {
    projection: u32,
    level: u32,
    /// `NONE` at the first level.
    before: u32,
    reading: u32,
    /// The steps after this.
    after: (u32, u32),
}

impl States {
    /// Those of images that read so many values; also tells at which step the state of each is.
    pub(super) fn new(images: &[Image], values: usize) -> (Self, Vec<u32>) {
        let mut readings: IndexMap<&Reading, Vec<u32>, FxBuildHasher> = IndexMap::default();
        let mut steps: Vec<Step> = Vec::new();
        let mut ends: Vec<u32> = vec![NONE; images.len()];
        let mut level = 0;
        loop {
            // One level after another, and what comes after a step side by side.
            let mut longer: Vec<(u32, usize, usize, usize)> = Vec::new();
            for (number, image) in images.iter().enumerate() {
                if let Some(reading) = image.variables.get(level) {
                    let entry = readings.entry(reading);
                    let reading = entry.index();
                    entry.or_default();
                    longer.push((ends[number], image.projection, reading, number));
                }
            }
            if longer.is_empty() {
                break;
            }
            longer.sort_unstable();
            let mut known: FxHashMap<(u32, usize, usize), u32> = FxHashMap::default();
            for (before, projection, reading, number) in longer {
                let next = steps.len() as u32;
                let step = *known.entry((before, projection, reading)).or_insert(next);
                ends[number] = step;
                if step < next {
                    continue;
                }
                steps.push(Step {
                    projection: projection as u32,
                    level: level as u32,
                    before,
                    reading: reading as u32,
                    after: (0, 0),
                });
                readings[reading].push(next);
                if before != NONE {
                    let after = &mut steps[before as usize].after;
                    if after.1 == 0 {
                        after.0 = next;
                    }
                    after.1 = next + 1;
                }
            }
            level += 1;
        }
        let mut of_values: Vec<Vec<u32>> = vec![Vec::new(); values];
        for ((place, _), number) in readings.keys().zip(0..) {
            of_values[*place as usize].push(number);
        }
        let (readings, of_readings): (Vec<&Reading>, Vec<Vec<u32>>) = readings.into_iter().unzip();
        let found = Self {
            read: vec![NOT_READ; values],
            classes: vec![NONE; readings.len()],
            seen: vec![NONE; steps.len()],
            changed: vec![0; steps.len().div_ceil(BITS)],
            tree: Arc::new(Tree {
                readings: readings.into_iter().cloned().collect(),
                of_values,
                of_readings,
                steps,
            }),
        };
        (found, ends)
    }

    /// Reads values.
    pub(super) fn read(&mut self, values: &[u32], projections: &[Projection]) {
        let tree = &*self.tree;
        let mut is_changed = false;
        for ((read, &value), of_value) in self.read.iter_mut().zip(values).zip(&tree.of_values) {
            if std::mem::replace(read, value) == value {
                continue;
            }
            for &reading in of_value {
                let class = tree.readings[reading as usize].1[value as usize];
                let before = std::mem::replace(&mut self.classes[reading as usize], class);
                if before == class {
                    continue;
                }
                is_changed = true;
                for &step in &tree.of_readings[reading as usize] {
                    self.changed[step as usize / BITS] |= 1 << (step as usize % BITS);
                }
            }
        }
        if !is_changed {
            return;
        }
        for word in 0..self.changed.len() {
            // Steps after these may be in the same word.
            while self.changed[word] != 0 {
                let number = word * BITS + self.changed[word].trailing_zeros() as usize;
                self.changed[word] &= self.changed[word] - 1;
                let step = &tree.steps[number];
                let before = match step.before {
                    NONE => 0,
                    before => self.seen[before as usize],
                };
                let state = if before == NONE {
                    NONE
                } else {
                    let class = self.classes[step.reading as usize];
                    projections[step.projection as usize].next(step.level, before, class)
                };
                if std::mem::replace(&mut self.seen[number], state) == state {
                    continue;
                }
                for after in step.after.0..step.after.1 {
                    self.changed[after as usize / BITS] |= 1 << (after as usize % BITS);
                }
            }
        }
    }

    /// The state at a step; `NONE` if that cannot be.
    pub(super) fn at(&self, step: u32) -> u32 {
        self.seen[step as usize]
    }

    pub(super) fn bytes(&self) -> usize {
        let readings: usize = (self.tree.readings.iter())
            .map(|(_, classes)| 4 * classes.len())
            .sum();
        let steps = self.tree.steps.len();
        readings + steps * (size_of::<Step>() + 4 + 4)
    }
}
