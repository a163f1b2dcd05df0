//! LM-cut (M. Helmert and C. Domshlak, "Landmarks, Critical Paths and Abstractions: What's the
//! Difference Anyway?", ICAPS 2009) on the delete relaxation of a task.
//!
//! Facts are as dear as their dearest need (h-max). As long as the goal costs something, a cut
//! through the graph of dearest needs is a set of operators one of which every plan chooses; the
//! least cost in it is charged to all of them, and the sum of what was charged is the bound.
//!
//! A cut leads from what is reached without the goal's zone into that zone: the facts from which
//! the goal costs nothing. They all cost as much as the goal, so whatever costs less is reached
//! without them; only for dearer facts that is looked up, backwards.
//!
//! Admissible: a cut is a landmark whichever need is taken for the dearest, also where the costs of
//! what is dearer than the goal are too high. An operator's conditional effects share its cost, so
//! a cut is a landmark of choices, and no choice is charged more than it costs. What is not chosen
//! (events, timers, axioms) is free. Where several agents choose in a tick, as many choices as
//! there are agents take one tick.

use std::sync::Arc;

use super::delete_relaxation::cost_unit::CostUnit;
use super::delete_relaxation::fact_costs::{FactCosts, INFINITE, NONE};
use super::delete_relaxation::lists::Lists;
use super::delete_relaxation::relaxation::Relaxation;
use super::{Estimate, Heuristic};
use crate::control::Control;
use crate::measure::Measure;
use brigade_task::{PackedTask, State};

/// Marks of one cut: those of earlier ones are less than its first.
#[derive(Clone, Copy, Debug, Default)]
struct Marks(u32);

impl Marks {
    /// The goal costs nothing from this fact; this adder leads into the goal's zone; this operator
    /// is part of the cut.
    const fn goal(self) -> u32 {
        self.0
    }

    /// This fact is reached without crossing into the goal's zone.
    const fn before(self) -> u32 {
        self.0 + 1
    }

    /// This fact is not, as far as is known.
    const fn cut_off(self) -> u32 {
        self.0 + 2
    }

    /// Those of the next cut; `None` if there are no more.
    fn next(self) -> Option<Self> {
        self.0.checked_add(6).map(|end| Self(end - 3))
    }
}

/// The bound and its working space; a clone has a working space of its own.
#[derive(Clone)]
pub(crate) struct LandmarkCut<'t> {
    costs: FactCosts<'t>,
    unit: CostUnit,
    /// For each fact the adders that add it.
    added_by: Arc<Lists>,
    /// For each operator its adders, and for each adder its operator, if it has one.
    parts: Arc<Lists>,
    operators: Arc<[u32]>,
    marks: Marks,
    /// The last marks of facts, adders and operators.
    facts: Vec<u32>,
    adders: Vec<u32>,
    in_cut: Vec<u32>,
    /// Facts still to be followed.
    open: Vec<u32>,
    /// Facts that have been followed back.
    followed: Vec<u32>,
    /// Adders that lead into the goal's zone at some cost.
    crossing: Vec<u32>,
    /// The operators of a cut.
    cut: Vec<u32>,
}

impl<'t> LandmarkCut<'t> {
    /// Builds it; `None` where every estimate would be zero, as labels come first, the task is too
    /// large, or `control` says stop.
    pub(crate) fn new(
        task: &'t PackedTask,
        measure: Measure,
        control: &dyn Control,
    ) -> Option<Self> {
        let (relaxation, goal) = Relaxation::toward_goal(task, control)?;
        let (unit, costs) = CostUnit::new(task, measure, &relaxation)?;
        let costs = FactCosts::new(task, relaxation, goal, &costs);
        let relaxation = costs.relaxation();
        let adders = 0..relaxation.adders();
        let adds = (adders.clone())
            .flat_map(|adder| relaxation.adds.of(adder).iter().map(move |&it| (it, adder)));
        let parts =
            (adders.clone()).filter_map(|adder| Some((relaxation.operator(adder)?.0, adder)));
        let facts = relaxation.facts as usize;
        Some(Self {
            added_by: Arc::new(Lists::new(facts, adds)),
            parts: Arc::new(Lists::new(task.operators.len(), parts)),
            operators: relaxation.operators.clone().into(),
            marks: Marks::default(),
            facts: vec![0; facts],
            adders: vec![0; adders.len()],
            in_cut: vec![0; task.operators.len()],
            open: Vec::new(),
            followed: Vec::new(),
            crossing: Vec::new(),
            cut: Vec::new(),
            costs,
            unit,
        })
    }

    /// The cost of the goal, at least; `None` if even the relaxation does not reach it.
    fn bound(&mut self, state: &State) -> Option<i64> {
        self.costs.reach(state);
        if self.costs.of_goal() == INFINITE {
            return None;
        }
        let mut bound = 0_i64;
        while self.costs.of_goal() > 0 {
            self.start_cut();
            self.enter_goal_zone();
            let Some(least) = self.find_cut() else {
                break;
            };
            bound = bound.saturating_add(i64::from(least));
            for &operator in &self.cut {
                for &adder in self.parts.of(operator) {
                    self.costs.lower(adder, least);
                }
            }
            self.costs.settle();
        }
        Some(bound)
    }

    /// The work of all bounds so far, those of clones included, in a unit of about the same time on
    /// all tasks.
    pub(crate) fn effort(&self) -> u64 {
        self.costs.effort()
    }

    fn start_cut(&mut self) {
        self.marks = self.marks.next().unwrap_or_else(|| {
            for marks in [&mut self.facts, &mut self.adders, &mut self.in_cut] {
                marks.fill(0);
            }
            Marks(1)
        });
    }

    /// Marks the facts from which the goal costs nothing, along dearest needs, and collects what
    /// leads there at some cost.
    fn enter_goal_zone(&mut self) {
        let mark = self.marks.goal();
        let goal = self.costs.goal();
        self.crossing.clear();
        self.open.clear();
        self.open.push(goal);
        self.facts[goal as usize] = mark;
        while let Some(fact) = self.open.pop() {
            for &index in self.added_by.of(fact) {
                if std::mem::replace(&mut self.adders[index as usize], mark) == mark {
                    continue;
                }
                let adder = self.costs.adder(index);
                if adder.needs_cost == INFINITE {
                    continue;
                }
                if adder.cost > 0 {
                    self.crossing.push(index);
                } else if adder.dearest != NONE {
                    let zone = &mut self.facts[adder.dearest as usize];
                    if std::mem::replace(zone, mark) != mark {
                        self.open.push(adder.dearest);
                    }
                }
            }
        }
    }

    /// The operators by which dearest needs lead into the goal's zone, and the least that is left
    /// of their costs.
    fn find_cut(&mut self) -> Option<u32> {
        self.cut.clear();
        let mark = self.marks.goal();
        let mut least = None;
        for index in 0..self.crossing.len() {
            let index = self.crossing[index];
            let adder = self.costs.adder(index);
            if adder.dearest != NONE && !self.is_before(adder.dearest) {
                continue;
            }
            let operator = self.operators[index as usize];
            if std::mem::replace(&mut self.in_cut[operator as usize], mark) != mark {
                self.cut.push(operator);
                least = Some(least.map_or(adder.cost, |least: u32| least.min(adder.cost)));
            }
        }
        least
    }

    /// Returns whether dearest needs lead from the state to this fact without the goal's zone.
    fn is_before(&mut self, fact: u32) -> bool {
        let is_known = |of: &Self, fact: u32| {
            of.costs.of(fact) < of.costs.of_goal() || of.facts[fact as usize] == of.marks.before()
        };
        if is_known(self, fact) {
            return true;
        }
        if self.facts[fact as usize] >= self.marks.goal() {
            return false;
        }
        self.followed.clear();
        self.open.clear();
        self.facts[fact as usize] = self.marks.cut_off();
        self.open.push(fact);
        while let Some(open) = self.open.pop() {
            self.followed.push(open);
            for &index in self.added_by.of(open) {
                let adder = self.costs.adder(index);
                if adder.needs_cost == INFINITE || self.adders[index as usize] == self.marks.goal()
                {
                    continue;
                }
                if adder.dearest == NONE || is_known(self, adder.dearest) {
                    // Of the others that have been looked at nothing is known.
                    for &fact in self.followed.iter().chain(&self.open) {
                        self.facts[fact as usize] = 0;
                    }
                    self.facts[fact as usize] = self.marks.before();
                    return true;
                }
                let zone = &mut self.facts[adder.dearest as usize];
                if *zone < self.marks.goal() {
                    *zone = self.marks.cut_off();
                    self.open.push(adder.dearest);
                }
            }
        }
        false
    }
}

impl Heuristic for LandmarkCut<'_> {
    fn estimate(&mut self, state: &State) -> Estimate {
        let bound = self.bound(state);
        self.costs.note_effort();
        bound.map_or(Estimate::DEAD, |bound| self.unit.estimate(bound))
    }

    fn bytes(&self) -> usize {
        let marks: [&[u32]; 4] = [&self.facts, &self.adders, &self.in_cut, &self.operators];
        self.costs.bytes()
            + self.added_by.bytes()
            + self.parts.bytes()
            + marks.iter().map(|marks| size_of_val(*marks)).sum::<usize>()
    }

    fn another(&self) -> Option<Box<dyn Heuristic + Send + '_>> {
        Some(Box::new(self.clone()))
    }
}
