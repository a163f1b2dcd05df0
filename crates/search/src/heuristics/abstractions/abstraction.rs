//! Domain abstractions: each variable's values fall into classes, and an abstract state is a class
//! of each variable.
//!
//! I. Hernádvölgyi and R. Holte, "Experiments with automatically created memory-based heuristics",
//! SARA 2000. A projection (J. Culberson and J. Schaeffer, "Pattern databases", Computational
//! Intelligence 14, 1998) is the case where each variable has one class, or one for each value.
//!
//! The successors of an abstract state are those of all states in it, and perhaps more: the agents'
//! choices and the tick are applied to the Cartesian set that it stands for, as the task does to a
//! state, and every abstract state that meets the result is a successor, with at most the cost and
//! the labels. So every path of the task has an abstract path that is no worse, goal states lie in
//! abstract goal states, and abstract distances to the goal are admissible. They are consistent,
//! because a step from `s` to `t` is an abstract step from the one's class to the other's.

use super::stepping::Stepping;
use super::table::{End, Met, Space, Step};
use crate::heuristics::cartesian::domains::Mark;
use crate::heuristics::cartesian::model::{Model, Reduced};
use crate::heuristics::cartesian::numbering::{Classes, Number, Numbering, TooLarge};
use crate::heuristics::cartesian::progression::{Part, Progression, Trace};
use brigade_task::State;
use brigade_task::layout::Variable;

/// More successors of one abstract state than this are not listed.
const MOST_TARGETS: usize = 1 << 16;

/// An abstraction that follows all agents, and what it needs to generate successors.
pub(crate) struct Abstraction<'a, 't> {
    pub(crate) model: &'a Model<'t>,
    pub(crate) numbering: Numbering,
    is_distinguished: Vec<bool>,
    reduced: Reduced,
    /// Grows with the work done.
    pub(crate) work: u64,
}

impl<'a, 't> Abstraction<'a, 't> {
    pub(crate) fn new(model: &'a Model<'t>, classes: Classes) -> Result<Self, TooLarge> {
        let is_distinguished: Vec<bool> = classes.iter().map(|classes| classes.len() > 1).collect();
        Ok(Self {
            model,
            reduced: model.reduced(&is_distinguished),
            is_distinguished,
            numbering: Numbering::new(model, classes, 0)?,
            work: 0,
        })
    }

    /// The Cartesian set that an abstract state stands for.
    pub(crate) fn row(&self, number: Number) -> Box<[u64]> {
        let domains = &self.model.domains;
        let mut row = vec![0; domains.row_words()];
        for (variable, classes) in (0..).zip(&self.numbering.classes) {
            domains
                .get_mut(&mut row, variable)
                .copy_from_slice(&classes[0]);
        }
        for &field in &self.numbering.fields {
            let class = self.numbering.class(number, field);
            domains
                .get_mut(&mut row, field.variable)
                .copy_from_slice(class);
        }
        row.into()
    }

    /// The amounts that values add to the number of an abstract state, by variable that is
    /// distinguished.
    pub(crate) fn lookup(&self) -> Vec<(Variable, Box<[Number]>)> {
        let variables = &self.model.task.variables;
        let lookup = self.numbering.lookup().into_iter();
        lookup
            .map(|(variable, table)| (variables[variable as usize].clone(), table))
            .collect()
    }

    /// A part of the step from one abstract state to another that takes least for granted that does
    /// not hold in `actual`.
    pub(crate) fn explain(
        &mut self,
        number: Number,
        target: Number,
        actual: &State,
    ) -> Result<Option<Box<Trace>>, TooLarge> {
        let mut best: Option<Box<Trace>> = None;
        for part in self.step(&self.row(number), Some(actual))? {
            let targets = self.targets(&part)?;
            if let Some(trace) = part.trace
                && targets.contains(&target)
                && best
                    .as_ref()
                    .is_none_or(|best| trace.violated.len() < best.violated.len())
            {
                best = Some(trace);
            }
        }
        Ok(best)
    }

    /// All abstract states that a part meets.
    fn targets(&self, part: &Part) -> Result<Vec<Number>, TooLarge> {
        let fields = &self.numbering.fields;
        self.numbering
            .meeting(self.model, fields, &part.row, MOST_TARGETS)
    }

    /// One timestep from a Cartesian set; with a trace of what is not so in `actual`.
    fn step(&mut self, start: &[u64], actual: Option<&State>) -> Result<Vec<Part>, TooLarge> {
        let domains = &self.model.domains;
        let traced;
        let reduced = if actual.is_some() {
            traced = self.model.traced(&self.is_distinguished);
            &traced
        } else {
            &self.reduced
        };
        let mut progression = Progression {
            actual: actual.unwrap_or_default(),
            ..Progression::new(self.model, &self.is_distinguished, &self.numbering.classes)
        };
        let trace = actual.map(|_| Box::<Trace>::default());
        let mut parts = vec![Part::new(start.into(), trace)];
        let stepping = Stepping::new(self.model, reduced);
        stepping.act_all(&mut progression, start, &mut parts);
        if actual.is_none() {
            for part in &mut parts {
                domains.clear_marks(&mut part.row, Mark::Step);
                domains.clear_marks(&mut part.row, Mark::Snapshot);
            }
        }
        progression.merge(&mut parts);
        stepping.tick(&mut progression, &mut parts);
        self.work += progression.work;
        if progression.has_overflowed {
            return Err(TooLarge);
        }
        Ok(parts)
    }
}

impl Space for Abstraction<'_, '_> {
    fn end(&mut self, number: Number) -> End {
        let row = self.row(number);
        if self.model.fail.truth(&self.model.domains, &row) == Some(true) {
            End::Dead
        } else if self.model.goal.truth(&self.model.domains, &row) == Some(false) {
            End::Open
        } else {
            End::Goal(0)
        }
    }

    fn successors(
        &mut self,
        number: Number,
        met: &mut Met,
        steps: &mut Vec<Step<u32>>,
    ) -> Result<(), TooLarge> {
        for part in self.step(&self.row(number), None)? {
            for target in self.targets(&part)? {
                steps.push(Step {
                    cost: part.cost,
                    labels: part.labels,
                    ..Step::to(met.place_of(target))
                });
            }
        }
        Ok(())
    }

    fn work(&self) -> u64 {
        self.work
    }
}
