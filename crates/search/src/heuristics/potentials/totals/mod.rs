//! Potentials of totals: a bound on what the rest of a task with a horizon can gain.
//!
//! Each value of a variable has a potential, each combination of an agent's own values together, and each unit of
//! a counter. A linear program chooses them, with what each choice of an agent and each part of the tick may add: no
//! path through a part raises the sum of potentials and the total by more. So what is gained in the steps to the
//! horizon is at most the sum at their start and what all steps may add (approximate linear programming: P.
//! Schweitzer, A. Seidmann, "Generalized Polynomial Approximations in Markovian Decision Processes", 1985; D. P. de
//! Farias, B. Van Roy, Operations Research 51, 2003). By duality that is the bound of the state equation: a dish
//! that is served must have been made, and what it is made of carried, by agents who give a command each in a tick.
//!
//! Paths (`path`, `walk`, `parts`) are those through conditional effects, with what must hold before; `windows` leaves
//! out those that no run from the start can take by the horizon, as orders that lapse before any dish can be
//! ready. What happens at one value of the clock alone, such as an order that comes, counts once.
//!
//! The potentials are rounded, and what they prove is then measured in whole numbers (`program`), so that nothing
//! rests on the solver.

mod assume;
mod carriers;
mod counters;
mod features;
mod parts;
mod path;
mod program;
mod structure;
mod values;
mod walk;
mod windows;

use crate::control::Control;
use crate::measure::Measure;
use brigade_task::layout::Field;
use brigade_task::{PackedTask, State, VarId};
use carriers::Carriers;
use features::{Feature, joined};
use parts::Parts;
use path::{Path, Space};
use program::{Program, SCALE};

/// Tasks with more operators have none.
const MOST_OPERATORS: usize = 30_000;
/// The potential of a combination that no run reaches, so great that the bound is none.
const UNKNOWN: i64 = i64::MAX / 4;

/// The bound.
#[derive(Clone, Debug)]
pub(crate) struct TotalPotentials {
    features: Vec<Table>,
    /// The greatest sum of a step's changes and gains, in parts of the scale.
    per_step: i64,
    /// For each value of the clock what is added from then on.
    later: Vec<i64>,
    /// True if it bounds states in the midst of a step: where nothing that was chosen has yet to be followed.
    holds_amid_steps: bool,
    /// The value of the clock at the horizon.
    last: u32,
    /// All gains are multiples of this.
    divisor: i64,
}

/// The potentials of a feature.
#[derive(Clone, Debug)]
struct Table {
    fields: Vec<(Field, u32)>,
    weights: Vec<i64>,
    is_counter: bool,
}

impl TotalPotentials {
    /// Those that are best at a start. `None` where there is no clock or horizon, nothing is gained, the program is
    /// too large, or `control` says stop.
    pub(crate) fn new(
        task: &PackedTask,
        start: &State,
        measure: Measure,
        control: &dyn Control,
    ) -> Option<Self> {
        let (clock, last) = (task.clock?, task.horizon?);
        let first = task.variables[clock.index()].get(start);
        if task.operators.len() > MOST_OPERATORS || first >= last {
            return None;
        }
        let space = Space(task);
        let carriers = Carriers::new(space, start);
        let stop = || control.stop().is_some();
        let ticks = (clock.0, first, last);
        let mut apart = Parts::new(space, &carriers, &|_, _| false, &stop)?;
        let reached = windows::narrow(space, &mut apart, start, ticks);
        let sets = joined(space, &carriers, &apart, &reached, start);
        let is_joint = |left: u32, right: u32| {
            let mut sets = sets.iter().filter(|set| set.len() > 1);
            sets.any(|set| set.contains(&left) && set.contains(&right))
        };
        let mut parts = Parts::new(space, &carriers, &is_joint, &stop)?;
        windows::narrow(space, &mut parts, start, ticks);
        let features = Feature::all(space, sets, &parts, start)?;
        let gain = |path: &Path| {
            let (least, most) = path.cost;
            let least = measure
                .least_cost((most, most))?
                .checked_neg()?
                .min(measure.least_cost((least, least))?.checked_neg()?);
            Some((least, measure.least_cost(path.cost)?.checked_neg()?))
        };
        let program = Program::new(space, &parts, &features, &gain)?;
        let solution = program.solve(space, &features, start, (first, last), control)?;
        let mut later = vec![0_i64; last as usize + 1];
        for value in (0..last).rev() {
            let own = solution.at.get(&value).copied().unwrap_or(0);
            later[value as usize] = later[value as usize + 1].checked_add(own)?;
        }
        let tables = features
            .iter()
            .map(|feature| table(space, feature, &solution.weights));
        Some(Self {
            features: tables.collect(),
            per_step: solution.per_step,
            later,
            holds_amid_steps: carriers.is_empty(),
            last,
            divisor: program.divisor.max(1),
        })
    }

    pub(crate) const fn holds_amid_steps(&self) -> bool {
        self.holds_amid_steps
    }

    /// The most that the steps to the horizon gain from a state, in units of the first key.
    pub(crate) fn gain(&self, state: &State, clock: u32) -> i64 {
        let whole = self.sum(state, clock).div_euclid(SCALE);
        let whole = whole.div_euclid(self.divisor);
        whole.saturating_mul(self.divisor)
    }

    /// The same before it is rounded to what gains add up to, in so many parts of their divisor.
    pub(crate) fn gain_in_parts(&self, state: &State, clock: u32, parts: i64) -> i64 {
        let unit = self.divisor.saturating_mul(SCALE) / parts;
        self.sum(state, clock).div_euclid(unit.max(1))
    }

    /// A first key in such parts.
    pub(crate) const fn in_parts(&self, first: i64, parts: i64) -> i64 {
        first.saturating_mul(parts) / self.divisor
    }

    /// In parts of the scale.
    fn sum(&self, state: &State, clock: u32) -> i64 {
        let steps = self.last.saturating_sub(clock);
        let each_step = self.per_step.saturating_mul(steps.into());
        let later = self.later.get(clock as usize).copied().unwrap_or(0);
        let sum = each_step.saturating_add(later);
        let tables = self.features.iter();
        tables.fold(sum, |sum, table| sum.saturating_add(table.get(state)))
    }
}

fn table(space: Space, feature: &Feature, weights: &[i64]) -> Table {
    let fields = feature.variables.iter().map(|&id| {
        let variable = &space.0.variables[VarId(id).index()];
        (variable.field(), variable.size)
    });
    let weights = &weights[feature.first as usize..][..feature.count as usize];
    let by_code = || {
        let codes = feature.variables.iter().map(|&id| space.size(id));
        let mut all = vec![UNKNOWN; codes.product::<u32>() as usize];
        for (code, place) in feature.codes(space) {
            all[code as usize] = weights[place as usize];
        }
        all
    };
    Table {
        fields: fields.collect(),
        weights: if feature.is_counter {
            weights.to_vec()
        } else {
            by_code()
        },
        is_counter: feature.is_counter,
    }
}

impl Table {
    fn get(&self, state: &State) -> i64 {
        let code =
            (self.fields.iter()).fold(0, |code, (field, size)| code * size + field.get(state));
        if self.is_counter {
            self.weights[0].saturating_mul(code.into())
        } else {
            self.weights[code as usize]
        }
    }
}
