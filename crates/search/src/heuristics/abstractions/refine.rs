//! Finds abstractions by refining them where their best plans fail.
//!
//! R. Kreft, C. Büchner, S. Sievers and M. Helmert, "Computing Domain Abstractions for Optimal
//! Classical Planning with Counterexample-Guided Abstraction Refinement", ICAPS 2023. The best
//! abstract plan is followed from the initial state of the task; where the plan takes for granted
//! what is not so, the value that the variable has there and those that the plan takes it to have
//! are distinguished. A variable whose refinement is not affordable is left alone from then on, and
//! the state is amended as the plan would have it.

use super::abstraction::Abstraction;
use super::table::{Explored, Limits, Table};
use crate::control::Control;
use crate::heuristics::Estimate;
use crate::heuristics::cartesian::change::Link;
use crate::heuristics::cartesian::domains::{contains, insert, is_empty, values};
use crate::heuristics::cartesian::model::Model;
use crate::heuristics::cartesian::numbering::{Classes, Number, TooLarge, trivial_classes};
use crate::heuristics::cartesian::progression::{Part, Progression, Read, Trace};
use crate::measure::Measure;
use brigade_task::State;
use brigade_task::effect::Record;
use brigade_task::layout::VariableKind;

/// Abstract states of one abstraction, at most.
const MOST_STATES: usize = 50_000;
/// Bytes that the steps between them may take.
const MOST_BYTES: usize = 100_000_000;
/// Work on one abstraction altogether.
const TOTAL_WORK: u64 = 2_000_000;

/// A set of values to be distinguished from the others of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Split {
    variable: u32,
    set: Box<[u64]>,
}

/// The distances in the abstraction that was found.
pub(crate) fn table(
    model: &Model,
    start: &State,
    measure: Measure,
    control: &dyn Control,
) -> Option<Table> {
    let mut refinement = Refinement {
        model,
        start,
        measure,
        control,
        is_fixed: vec![false; model.task.variables.len()],
        work: 0,
    };
    refinement.run()
}

struct Refinement<'a, 't> {
    model: &'a Model<'t>,
    start: &'a State,
    measure: Measure,
    control: &'a dyn Control,
    /// Variables that are not refined any more.
    is_fixed: Vec<bool>,
    work: u64,
}

impl<'a, 't> Refinement<'a, 't> {
    fn explore(&mut self, classes: Classes) -> Result<(Abstraction<'a, 't>, Explored), TooLarge> {
        let mut abstraction = Abstraction::new(self.model, classes)?;
        let control = self.control;
        let limits = Limits {
            states: MOST_STATES,
            bytes: MOST_BYTES,
            work: TOTAL_WORK.saturating_sub(self.work),
            is_stopped: &|| control.stop().is_some(),
        };
        let initial = abstraction.numbering.number(self.model, self.start);
        let explored = Explored::new(&mut abstraction, self.measure, initial, limits);
        self.work += abstraction.work;
        Ok((abstraction, explored?))
    }

    fn run(&mut self) -> Option<Table> {
        let copies = self.model.copies();
        let (mut abstraction, mut explored) = self.explore(trivial_classes(self.model)).ok()?;
        loop {
            let is_over = self.work >= TOTAL_WORK || self.control.stop().is_some();
            if explored.estimates[0] == Estimate::DEAD || is_over {
                break;
            }
            let Ok(splits) = self.flaw(&mut abstraction, &explored) else {
                break;
            };
            let most_classes = |split: &Split| {
                let variable = split.variable as usize;
                let kind = self.model.task.variables[variable].kind;
                let classes = abstraction.numbering.classes[variable].len();
                (
                    kind == VariableKind::Activity,
                    std::cmp::Reverse(classes),
                    split.variable,
                )
            };
            let Some(split) = splits.into_iter().min_by_key(most_classes) else {
                break;
            };
            match self.explore(split.clone().apply(
                &abstraction.numbering.classes,
                &copies,
                &self.is_fixed,
            )) {
                Ok((finer, found)) => (abstraction, explored) = (finer, found),
                Err(TooLarge) => self.is_fixed[split.variable as usize] = true,
            }
        }
        Some(explored.into_table(abstraction.lookup()))
    }

    /// The splits that would repair the first flaw of the best abstract plan.
    fn flaw(
        &mut self,
        abstraction: &mut Abstraction,
        explored: &Explored,
    ) -> Result<Vec<Split>, TooLarge> {
        let task = self.model.task;
        let mut state = self.start.to_owned();
        let mut place = 0;
        while explored.estimates[place as usize] != Estimate::ZERO
            || !explored.is_goal[place as usize]
        {
            let Some(next) = explored.best_step(place) else {
                return Ok(Vec::new());
            };
            let (number, target) = (
                explored.numbers[place as usize],
                explored.numbers[next as usize],
            );
            let before = abstraction.work;
            let trace = abstraction.explain(number, target, &state);
            self.work += abstraction.work - before;
            let Some(trace) = trace? else {
                return Ok(Vec::new());
            };
            let splits = self.violations(abstraction, &trace, &state);
            if !splits.is_empty() {
                return Ok(splits);
            }
            self.amend(&trace, &mut state);
            let mut record = Record::default();
            let start = state.clone();
            for &operator in &trace.joint {
                task.act(&mut state, operator, &mut record);
            }
            task.tick(&mut state, &mut record);
            if abstraction.numbering.number(self.model, &state) != target {
                let splits = self.unclear(abstraction, &trace, &start);
                if !splits.is_empty() {
                    return Ok(splits);
                }
                for variable in 0..self.model.domains.len() {
                    let class = abstraction.numbering.class_of_variable(target, variable);
                    let layout = &task.variables[variable as usize];
                    if !contains(class, layout.get(&state))
                        && let Some(value) = values(class).next()
                    {
                        layout.set(&mut state, value);
                    }
                }
            }
            place = next;
        }
        Ok(self.goal_flaw(abstraction, explored.numbers[place as usize], &state))
    }

    /// The splits for what a step takes for granted and is not so in `state`.
    fn violations(&self, abstraction: &Abstraction, trace: &Trace, state: &State) -> Vec<Split> {
        let mut splits = Vec::new();
        for (variable, set) in &trace.violated {
            let value = self.model.task.variables[*variable as usize].get(state);
            self.split(abstraction, *variable, set, value, &mut splits);
        }
        splits
    }

    /// Distinguishes the values in `set` from the value `actual`, if that is new and affordable.
    fn split(
        &self,
        abstraction: &Abstraction,
        variable: u32,
        set: &[u64],
        actual: u32,
        splits: &mut Vec<Split>,
    ) {
        if self.is_fixed[variable as usize] {
            return;
        }
        let classes = &abstraction.numbering.classes[variable as usize];
        let Some(class) = classes.iter().find(|class| contains(class, actual)) else {
            return;
        };
        let common: Box<[u64]> = class.iter().zip(set).map(|(a, b)| a & b).collect();
        if !is_empty(&common) && common != *class {
            let split = Split {
                variable,
                set: common,
            };
            if !splits.contains(&split) {
                splits.push(split);
            }
        }
    }

    /// Splits on the variables of conditions that sets of values could not express.
    fn unclear(&self, abstraction: &Abstraction, trace: &Trace, state: &State) -> Vec<Split> {
        let mut splits = Vec::new();
        for &variable in &trace.unclear {
            let layout = &self.model.task.variables[variable as usize];
            let value = layout.get(state);
            let mut set = vec![0; layout.size.div_ceil(64) as usize];
            insert(&mut set, value);
            self.split(abstraction, variable, &set, value, &mut splits);
        }
        splits
    }

    /// Gives variables the values that a step takes them to have.
    fn amend(&self, trace: &Trace, state: &mut State) {
        for (variable, set) in &trace.violated {
            if let Some(value) = values(set).next() {
                self.model.task.variables[*variable as usize].set(state, value);
            }
        }
    }

    /// The flaws that keep the last state of a plan from being a goal.
    fn goal_flaw(&self, abstraction: &Abstraction, number: Number, state: &State) -> Vec<Split> {
        let everything = vec![true; self.model.task.variables.len()];
        let progression = Progression {
            actual: state,
            ..Progression::new(self.model, &everything, &abstraction.numbering.classes)
        };
        let mut part = Part::new(abstraction.row(number), Some(Box::default()));
        if !progression.assume(&mut part, Read::Now, &self.model.goal, true) {
            return Vec::new();
        }
        let Some(trace) = &part.trace else {
            return Vec::new();
        };
        let splits = self.violations(abstraction, trace, state);
        if splits.is_empty() {
            self.unclear(abstraction, trace, state)
        } else {
            splits
        }
    }
}

impl Split {
    /// The classes with this split; and with those of the values that are copied to these, where
    /// `copies` lists `(to, from, table)` and the variables are not fixed: else the values would
    /// only be taken to come from the next place.
    fn apply(self, classes: &Classes, copies: &[Link], is_fixed: &[bool]) -> Classes {
        let mut classes = classes.clone();
        let mut open = vec![self];
        while let Some(split) = open.pop() {
            if is_fixed[split.variable as usize] {
                continue;
            }
            let finer = &mut classes[split.variable as usize];
            let mut is_new = false;
            for index in 0..finer.len() {
                let common: Box<[u64]> = finer[index]
                    .iter()
                    .zip(&split.set)
                    .map(|(a, b)| a & b)
                    .collect();
                if !is_empty(&common) && common != finer[index] {
                    for (word, other) in finer[index].iter_mut().zip(&common) {
                        *word &= !other;
                    }
                    finer.push(common);
                    is_new = true;
                }
            }
            if !is_new {
                continue;
            }
            for (_, from, table) in copies.iter().filter(|(to, ..)| *to == split.variable) {
                let mut set = vec![0; table.len().div_ceil(64)];
                for (value, copied) in (0..).zip(table) {
                    if copied.is_some_and(|copied| contains(&split.set, copied)) {
                        insert(&mut set, value);
                    }
                }
                open.push(Split {
                    variable: *from,
                    set: set.into(),
                });
            }
        }
        classes
    }
}
