//! LM-cut (M. Helmert and C. Domshlak, "Landmarks, Critical Paths and Abstractions: What's the
//! Difference Anyway?", ICAPS 2009) on the delete relaxation of a task.
//!
//! Facts are as dear as their dearest need (h-max). As long as the goal costs something, a cut
//! through the graph of dearest needs is a set of operators one of which every plan chooses; the
//! least cost in it is charged to all of them, and the sum of what was charged is the bound.
//!
//! Admissible: an operator's conditional effects share its cost, so a cut is a landmark of choices,
//! and no choice is charged more than it costs. What is not chosen (events, timers, axioms) is free.
//! Where several agents choose in a tick, as many choices as there are agents take one tick.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::model::Model;
use super::relaxation::{FREE, Relaxation};
use super::{Estimate, Heuristic};
use crate::search::cost_range;
use crate::search::measure::Measure;
use crate::task::Task;
use crate::task::effect::Effect;

/// Not reached, or no adder.
const NONE: u32 = u32::MAX;
/// The cost of what is not reached.
const INFINITE: i64 = i64::MAX;

/// Where a fact lies as a cut is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Zone {
    /// Not known to lie in either.
    Between,
    /// The goal costs nothing from here.
    Goal,
    /// Reached without crossing into the goal's zone.
    Before,
}

/// Lists of numbers, one after another.
#[derive(Debug, Default)]
struct Lists {
    /// Where each starts, and one past the last.
    first: Vec<u32>,
    items: Vec<u32>,
}

/// The bound and its working space.
pub(crate) struct LandmarkCut<'t> {
    model: Model<'t>,
    relaxation: Relaxation,
    /// For each adder what it needs and what it adds.
    needs: Lists,
    adds: Lists,
    /// For each fact the adders that need it, and those that add it.
    needed_by: Lists,
    added_by: Lists,
    /// For each operator its adders, and for each adder its operator or [`FREE`].
    parts: Lists,
    operators: Vec<u32>,
    /// Adders that need nothing.
    needless: Vec<u32>,
    /// What each operator costs, and what is left of that.
    costs: Vec<i64>,
    left: Vec<i64>,
    /// For each fact what it costs at least, by h-max.
    values: Vec<i64>,
    zones: Vec<Zone>,
    /// For each adder the needs that are not reached, the dearest need and what that costs.
    missing: Vec<u32>,
    dearest: Vec<u32>,
    dearest_cost: Vec<i64>,
    queue: BinaryHeap<Reverse<(i64, u32)>>,
    facts: Vec<u32>,
    /// Facts still to be followed, and the operators of a cut.
    open: Vec<u32>,
    cut: Vec<u32>,
    /// How a bound on costs bounds the keys.
    unit: Unit,
}

/// What the costs of operators are.
#[derive(Clone, Copy, Debug)]
enum Unit {
    /// Choices: so many are made in a tick, and each records so many labels at least.
    Choices { per_tick: u32, labels: u32 },
    /// The first key: a choice adds so much at most, and one is made in a tick at most.
    Cost { most: i64, per_tick: u32 },
}

impl Lists {
    /// Lists of `count`, from pairs of list and item.
    fn new(count: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut first = vec![0_u32; count + 1];
        for (list, _) in pairs.clone() {
            first[list as usize + 1] += 1;
        }
        for index in 1..first.len() {
            first[index] += first[index - 1];
        }
        let mut next = first.clone();
        let mut items = vec![0; first[count] as usize];
        for (list, item) in pairs {
            let place = &mut next[list as usize];
            items[*place as usize] = item;
            *place += 1;
        }
        Self { first, items }
    }

    /// The places of a list's items.
    fn places(&self, list: u32) -> Range<usize> {
        self.first[list as usize] as usize..self.first[list as usize + 1] as usize
    }

    fn of(&self, list: u32) -> &[u32] {
        &self.items[self.places(list)]
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.first) + size_of_val(&*self.items)
    }
}

impl<'t> LandmarkCut<'t> {
    /// `None` where it can tell nothing: labels come first, or the task is too large.
    pub(crate) fn new(task: &'t Task, measure: Measure) -> Option<Self> {
        let by_makespan = measure.is_by_makespan();
        let costs: Option<Vec<i64>> = task
            .operators
            .iter()
            .map(|operator| {
                if by_makespan {
                    Some(1)
                } else {
                    measure.least_cost(cost_range::of_operator(task, operator))
                }
            })
            .collect();
        let costs = costs?;
        let model = Model::new(task);
        let relaxation = Relaxation::new(&model)?;
        let per_tick = task.choices_per_step().max(1) as u32;
        let unit = if by_makespan {
            let chosen = relaxation.adders.iter().map(|adder| adder.operator);
            let chosen = chosen.filter(|&operator| operator != FREE);
            let labels = chosen.map(|operator| {
                let effect = &task.operators[operator as usize].effect;
                measure.least(0, least_labels(effect)).1
            });
            let labels = labels.min().unwrap_or(0);
            Unit::Choices { per_tick, labels }
        } else {
            let most = costs.iter().copied().max().unwrap_or(0);
            Unit::Cost { most, per_tick }
        };
        let adders = || (0_u32..).zip(&relaxation.adders);
        let needs =
            || adders().flat_map(|(index, adder)| adder.needs.iter().map(move |&n| (index, n)));
        let adds =
            || adders().flat_map(|(index, adder)| adder.adds.iter().map(move |&a| (index, a)));
        let swap = |(left, right): (u32, u32)| (right, left);
        let parts = adders().filter(|(_, adder)| adder.operator != FREE);
        let parts = parts.map(|(index, adder)| (adder.operator, index));
        let (count, facts) = (relaxation.adders.len(), relaxation.facts as usize);
        Some(Self {
            needs: Lists::new(count, needs()),
            adds: Lists::new(count, adds()),
            needed_by: Lists::new(facts, needs().map(swap)),
            added_by: Lists::new(facts, adds().map(swap)),
            parts: Lists::new(costs.len(), parts),
            operators: adders().map(|(_, adder)| adder.operator).collect(),
            needless: adders()
                .filter(|(_, adder)| adder.needs.is_empty())
                .map(|(index, _)| index)
                .collect(),
            left: costs.clone(),
            costs,
            values: vec![INFINITE; facts],
            zones: vec![Zone::Between; facts],
            missing: vec![0; count],
            dearest: vec![NONE; count],
            dearest_cost: vec![INFINITE; count],
            queue: BinaryHeap::new(),
            facts: Vec::new(),
            open: Vec::new(),
            cut: Vec::new(),
            unit,
            model,
            relaxation,
        })
    }

    /// The cost of the goal, at least; `None` if even the relaxation does not reach it.
    fn bound(&mut self, state: &[u64]) -> Option<i64> {
        let mut facts = std::mem::take(&mut self.facts);
        self.relaxation.facts_of(&self.model, state, &mut facts);
        self.left.copy_from_slice(&self.costs);
        self.reach(&facts);
        let goal = self.relaxation.goal as usize;
        let mut bound = 0_i64;
        let mut is_reached = self.values[goal] != INFINITE;
        while is_reached && self.values[goal] > 0 {
            self.zones.fill(Zone::Between);
            self.enter_goal_zone();
            self.find_cut(&facts);
            let Some(least) = self.cut.iter().map(|&op| self.left[op as usize]).min() else {
                // No choice leads in: what leads there costs nothing after all.
                break;
            };
            bound = bound.saturating_add(least);
            for &operator in &self.cut {
                self.left[operator as usize] -= least;
            }
            self.cheapen();
            is_reached = self.values[goal] != INFINITE;
        }
        self.facts = facts;
        is_reached.then_some(bound)
    }

    fn cost(&self, adder: u32) -> i64 {
        match self.operators[adder as usize] {
            FREE => 0,
            operator => self.left[operator as usize],
        }
    }

    fn offer(&mut self, fact: u32, value: i64) {
        let known = &mut self.values[fact as usize];
        if value < *known {
            *known = value;
            self.queue.push(Reverse((value, fact)));
        }
    }

    fn offer_adds(&mut self, adder: u32) {
        let value = self.dearest_cost[adder as usize].saturating_add(self.cost(adder));
        for index in self.adds.places(adder) {
            self.offer(self.adds.items[index], value);
        }
    }

    /// h-max from these facts.
    fn reach(&mut self, facts: &[u32]) {
        self.values.fill(INFINITE);
        for (missing, needs) in self.missing.iter_mut().zip(self.needs.first.windows(2)) {
            *missing = needs[1] - needs[0];
        }
        self.dearest.fill(NONE);
        self.dearest_cost.fill(INFINITE);
        for &adder in &self.needless {
            self.dearest_cost[adder as usize] = 0;
        }
        for &fact in facts {
            self.offer(fact, 0);
        }
        for index in 0..self.needless.len() {
            self.offer_adds(self.needless[index]);
        }
        while let Some(Reverse((value, fact))) = self.queue.pop() {
            if self.values[fact as usize] < value {
                continue;
            }
            for index in self.needed_by.places(fact) {
                let adder = self.needed_by.items[index];
                let missing = &mut self.missing[adder as usize];
                *missing -= 1;
                if *missing == 0 {
                    self.dearest[adder as usize] = fact;
                    self.dearest_cost[adder as usize] = value;
                    self.offer_adds(adder);
                }
            }
        }
    }

    /// h-max once the operators of the cut cost less.
    fn cheapen(&mut self) {
        for index in 0..self.cut.len() {
            let operator = self.cut[index];
            for part in self.parts.places(operator) {
                let adder = self.parts.items[part];
                if self.dearest_cost[adder as usize] != INFINITE {
                    self.offer_adds(adder);
                }
            }
        }
        while let Some(Reverse((value, fact))) = self.queue.pop() {
            if self.values[fact as usize] < value {
                continue;
            }
            for index in self.needed_by.places(fact) {
                let adder = self.needed_by.items[index];
                if self.dearest[adder as usize] != fact
                    || self.dearest_cost[adder as usize] <= value
                {
                    continue;
                }
                let needs = self.needs.of(adder).iter();
                let dearest = needs
                    .copied()
                    .max_by_key(|&need| self.values[need as usize]);
                let Some(dearest) = dearest else { continue };
                let cost = self.values[dearest as usize];
                self.dearest[adder as usize] = dearest;
                if cost < self.dearest_cost[adder as usize] {
                    self.dearest_cost[adder as usize] = cost;
                    self.offer_adds(adder);
                }
            }
        }
    }

    /// Marks the facts from which the goal costs nothing, along dearest needs.
    fn enter_goal_zone(&mut self) {
        self.open.clear();
        self.open.push(self.relaxation.goal);
        self.zones[self.relaxation.goal as usize] = Zone::Goal;
        while let Some(fact) = self.open.pop() {
            for index in self.added_by.places(fact) {
                let adder = self.added_by.items[index];
                if self.dearest_cost[adder as usize] == INFINITE || self.cost(adder) != 0 {
                    continue;
                }
                let dearest = self.dearest[adder as usize];
                if dearest != NONE && self.zones[dearest as usize] != Zone::Goal {
                    self.zones[dearest as usize] = Zone::Goal;
                    self.open.push(dearest);
                }
            }
        }
    }

    /// The operators by which dearest needs lead from these facts into the goal's zone.
    fn find_cut(&mut self, facts: &[u32]) {
        self.cut.clear();
        self.open.clear();
        for &fact in facts {
            if self.zones[fact as usize] == Zone::Between {
                self.zones[fact as usize] = Zone::Before;
                self.open.push(fact);
            }
        }
        for index in 0..self.needless.len() {
            self.follow(self.needless[index]);
        }
        while let Some(fact) = self.open.pop() {
            for index in self.needed_by.places(fact) {
                let adder = self.needed_by.items[index];
                if self.dearest[adder as usize] == fact
                    && self.dearest_cost[adder as usize] != INFINITE
                {
                    self.follow(adder);
                }
            }
        }
        self.cut.sort_unstable();
        self.cut.dedup();
    }

    /// Goes on with what an adder adds, unless it leads into the goal's zone.
    fn follow(&mut self, adder: u32) {
        let adds = self.adds.of(adder);
        let crosses = |&fact: &u32| self.zones[fact as usize] == Zone::Goal;
        if adds.iter().any(crosses) {
            let operator = self.operators[adder as usize];
            if operator != FREE {
                self.cut.push(operator);
            }
            return;
        }
        for &fact in adds {
            if self.zones[fact as usize] == Zone::Between {
                self.zones[fact as usize] = Zone::Before;
                self.open.push(fact);
            }
        }
    }
}

/// How many labels an effect records at least.
fn least_labels(effect: &Effect) -> u32 {
    let least =
        |effects: &mut dyn Iterator<Item = &Effect>| effects.map(least_labels).min().unwrap_or(0);
    match effect {
        Effect::Log(_) => 1,
        Effect::Block { effects, .. } | Effect::Seq(effects) => {
            effects.iter().map(least_labels).sum()
        }
        Effect::Switch(_, effects) => least(&mut effects.iter()),
        Effect::Case(cases, otherwise) => {
            let effects = cases.iter().map(|(_, effect)| effect);
            least(&mut effects.chain(std::iter::once(&**otherwise)))
        }
        Effect::Choose(candidates, otherwise) => {
            let effects = candidates.iter().map(|candidate| &candidate.effect);
            least(&mut effects.chain(std::iter::once(&**otherwise)))
        }
        _ => 0,
    }
}

impl Heuristic for LandmarkCut<'_> {
    fn estimate(&mut self, state: &[u64]) -> Estimate {
        let Some(bound) = self.bound(state) else {
            return Estimate::DEAD;
        };
        let quotient = |by: i64| {
            let whole = bound.div_euclid(by) + i64::from(bound.rem_euclid(by) > 0);
            u32::try_from(whole).unwrap_or(u32::MAX - 1)
        };
        match self.unit {
            Unit::Choices { per_tick, labels } => {
                let choices = u32::try_from(bound).unwrap_or(u32::MAX - 1);
                let ticks = quotient(i64::from(per_tick));
                Estimate::ZERO.plus(0, ticks, choices.saturating_mul(labels))
            }
            Unit::Cost { most, per_tick } => {
                let most = most.saturating_mul(i64::from(per_tick));
                let ticks = if most > 0 { quotient(most) } else { 0 };
                Estimate::ZERO.plus(bound, ticks, 0)
            }
        }
    }

    fn bytes(&self) -> usize {
        let lists = [
            &self.needs,
            &self.adds,
            &self.needed_by,
            &self.added_by,
            &self.parts,
        ];
        let per_fact = size_of::<i64>() + size_of::<Zone>();
        let per_adder = 3 * size_of::<u32>() + size_of::<i64>();
        lists.iter().map(|lists| lists.bytes()).sum::<usize>()
            + self.values.len() * per_fact
            + self.missing.len() * per_adder
            + 2 * size_of_val(&*self.costs)
    }
}
