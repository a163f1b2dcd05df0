//! Potentials (F. Pommerening, M. Helmert, G. Röger, J. Seipp, "From Non-Negative to General
//! Operator Cost Partitioning", AAAI 2015), also over pairs of variables.
//!
//! Each value of a variable, and each pair of values of two variables that depend on each other,
//! has a potential; the estimate is the sum of those that hold. A linear program chooses them so
//! that no step drops the sum by more than it costs, no state in which the goal holds has a
//! positive sum, and that of the start is as great as can be: there it is the bound of the state
//! equation, over pairs the one over products of variables. Of all such potentials those are chosen
//! that are greatest at states on random walks (`walks`). A pair of place and hand, say, makes
//! every grasp ask for a walk. Sets of facts that exclude each other but belong to several
//! variables (`groups`) count as variables too: what the hand holds, where each thing knows only
//! that it is held. `mutexes` finds such sets, what else excludes each other, and what that leaves
//! of the states in which the goal holds; `choice` and `pairs` choose what has potentials
//! (`features`). Where the goal can be reached in several ways (`goals`), parts of it have
//! potentials of their own, and the estimate is the least of theirs (`heuristic`).
//!
//! Where objects may change places, that changes no distance: potentials that such an exchange
//! makes of each other are one (`orbits`) as far as it leaves a part of the goal as it is, and the
//! potentials of a part are also those of what the part becomes (`goals`). The estimate is the same
//! for all states of an orbit, and one linear program serves many parts, about as small as if each
//! orbit of objects were one object.
//!
//! The most by which the sum drops with every step, and with every label, also bounds ticks and labels.
//!
//! Admissible and consistent: `transitions` finds for every part of a step (an operator of each
//! agent, a delayed effect that advances, an event) all values before and after that it can lead
//! from and to, conditional effects by their cases; a step is one operator of each agent, then the
//! tick, so it drops the sum by no more than its parts together. That is measured in whole numbers
//! for the potentials as they are used (`program`), whatever the solver says. Derived variables
//! have no potentials.

pub(super) mod at_once;
pub(super) mod builder;
mod cases;
mod choice;
mod features;
pub(super) mod goals;
pub(super) mod groups;
pub(super) mod heuristic;
pub(super) mod images;
pub(super) mod mutexes;
mod optimizer;
mod orbits;
mod pairs;
mod program;
#[cfg_attr(not(feature = "linear-programs"), path = "no_solver.rs")]
mod solver;
mod sums;
pub(crate) mod totals;
pub(super) mod transitions;
pub(super) mod views;
mod walks;

use std::cell::RefCell;
use std::num::NonZeroUsize;

use super::cartesian::model::Model;
use crate::control::Control;
use crate::measure::Measure;
use crate::reductions::symmetry::Symmetries;
use brigade_task::{PackedTask, State};
use builder::Builder;
use goals::{GoalParts, MOST_WAYS, MOST_WORDS};
pub(crate) use heuristic::Potential;
use optimizer::{Found, Optimizer};

/// Tasks with more operators have no potentials.
const MOST_OPERATORS: usize = 30_000;
/// Numbers in the constraints, at most.
const MOST_NUMBERS: usize = 100_000;
/// Numbers in the constraints with pairs of variables, at most.
const MOST_NUMBERS_WITH_PAIRS: usize = 30_000;
/// Bytes that the solver takes for a number in the constraints, about.
const BYTES_PER_NUMBER: usize = 1024;
/// Numbers in the tables of potentials, at most.
const MOST_NUMBERS_OF_TABLES: usize = 1 << 25;
/// Bytes that each of these takes while the tables are made, about.
const BYTES_PER_NUMBER_OF_TABLES: usize = 16;

/// The detail of potentials, which decides how long it takes to find them.
#[derive(Clone, Copy)]
pub(crate) struct Detail {
    /// Parts of the goal that have potentials of their own, at most.
    parts: usize,
    /// Numbers in the constraints with pairs of variables, where objects may change places, at
    /// most: few programs then serve many parts of the goal.
    numbers: usize,
    /// Numbers in the constraints of all parts of the goal, at most, about.
    numbers_of_parts: usize,
}

impl Detail {
    /// Found in seconds.
    pub(crate) const LITTLE: Self = Self {
        parts: 64,
        numbers: 60_000,
        numbers_of_parts: 400_000,
    };
    /// Found in a minute mostly, on some tasks in several. Better only where objects may change
    /// places.
    pub(crate) const MUCH: Self = Self {
        parts: 16_384,
        numbers: 200_000,
        numbers_of_parts: 2_000_000,
    };
}

impl Potential {
    /// Potentials that are best at a state; `None` where they are zero there.
    ///
    /// Linear programs are so small that solving one takes about half of `memory_limit` (bytes) at
    /// most. Once `control` says stop, none are found.
    pub(crate) fn new(
        task: &PackedTask,
        start: &State,
        measure: Measure,
        symmetries: Option<&Symmetries>,
        detail: Detail,
        memory_limit: Option<usize>,
        control: &dyn Control,
    ) -> Option<Self> {
        let most_numbers = memory_limit.map_or(usize::MAX, |limit| limit / 2 / BYTES_PER_NUMBER);
        let most_of_tables = memory_limit.map_or(MOST_NUMBERS_OF_TABLES, |limit| {
            MOST_NUMBERS_OF_TABLES.min(limit / 4 / BYTES_PER_NUMBER_OF_TABLES)
        });
        if task.operators.len() > MOST_OPERATORS {
            return None;
        }
        if measure.least_cost((0, 0)).is_none() && !measure.is_by_makespan() {
            return None;
        }
        let model = Model::new(task);
        let builder = Builder::new(&model, measure, start, symmetries, control)?;
        let mut pairs = builder.pairs();
        let all_pairs = pairs.len();
        let one = NonZeroUsize::MIN;
        let most = (MOST_WAYS, MOST_WORDS);
        let all = GoalParts::new(&builder, detail.parts, most, one, control)?;
        let values = builder.values_at(&[start.to_owned()]).concat();
        let samples = builder.values_at(&walks::on_walks(task, start, control));
        let given = RefCell::default();
        let mut fewer = None;
        let (mut most_parts, mut most_ways) = (detail.parts, MOST_WAYS);
        loop {
            let parts = fewer.as_ref().unwrap_or(&all);
            let features = builder.features(&pairs);
            let optimizer = Optimizer {
                builder: &builder,
                features: &features,
                most: most_numbers.min(
                    match (pairs.is_empty(), builder.images.neighbours.is_empty()) {
                        (true, _) => MOST_NUMBERS,
                        (false, true) => MOST_NUMBERS_WITH_PAIRS,
                        (false, false) => detail.numbers,
                    },
                ),
                most_of_parts: detail.numbers_of_parts,
                most_of_tables,
                start,
                values: &values,
                samples: &samples,
                given: &given,
                control,
            };
            // What is too much, or what the solver cannot do exactly enough, may do without some.
            let mut left = pairs.len() * 3 / 4;
            let optimized = optimizer.optimize(parts);
            match optimized {
                Found::Potentials(mut found) => {
                    let is_cut = parts.are_cut || pairs.len() < all_pairs;
                    found.is_cut = is_cut && !builder.images.neighbours.is_empty();
                    return Some(*found);
                }
                Found::Impossible => return None,
                // Fewer pairs are no better, unless they leave room for more parts.
                Found::Nothing if fewer.is_none() => return None,
                Found::Nothing | Found::Inexact => {}
                Found::TooManyParts | Found::TooManyWays => {
                    match optimized {
                        Found::TooManyParts => most_parts = parts.rows.len() / 2,
                        _ => most_ways = parts.ways() / 2,
                    }
                    let most_ways = (most_ways, MOST_WORDS);
                    let parts = GoalParts::new(&builder, most_parts, most_ways, one, control)?;
                    fewer = Some(parts);
                    continue;
                }
                Found::TooLarge(numbers) => left = left.min(pairs.len() * optimizer.most / numbers),
            }
            if pairs.is_empty() {
                return None;
            }
            pairs.truncate(left);
            fewer = None;
            (most_parts, most_ways) = (detail.parts, MOST_WAYS);
        }
    }
}
