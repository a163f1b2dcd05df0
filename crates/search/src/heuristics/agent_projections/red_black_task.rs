//! The red-black relaxation of a task for one agent (C. Domshlak, J. Hoffmann and M. Katz,
//! "Red-black planning: A new systematic approach to partial delete relaxation", Artificial
//! Intelligence 221, 2015).
//!
//! A variable is *foreign* to an agent if an operator of another agent writes it. Foreign variables
//! are red: in a projection to the agent they have no value of their own, but any that has been
//! reached, by the others on their own from the start, or with what the agent has handed over
//! since. The facts reached only grow. The agent's own variables are black: they have one value
//! each.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::landmark::Landmark;
use super::relaxed_plan::RelaxedPlan;
use super::tracking::{Stores, aside, by_writer, concerns, dropped, kinds, redden, written};
use crate::heuristics::cartesian::closure::Closure;
use crate::heuristics::cartesian::domains::{Mark, insert, values};
use crate::heuristics::cartesian::facts::{Fact, is_brought_about, singleton};
use crate::heuristics::cartesian::model::Model;
use brigade_task::{State, TurnMode};

/// More red sets than this are not distinguished.
const MOST_ROWS: usize = 2000;

/// The first red set: all that the others can bring about on their own.
pub(crate) const UNAIDED: u32 = 0;
/// The second red set: everything that can be reached at all.
const EVERYTHING: u32 = 1;

/// The red-black relaxation of a task for one agent.
pub(crate) struct RedBlackTask {
    agent: usize,
    /// True of red variables: the foreign ones, and those of the agent's own that were chosen.
    pub(crate) is_red: Vec<bool>,
    /// True of red variables that an operator of the agent reads or writes, or the goal reads.
    pub(crate) concerns: Vec<bool>,
    /// True of variables that an operator of another agent writes.
    pub(crate) is_foreign: Vec<bool>,
    /// For each variable values that are not distinguished, as they are aside from relaxed plans.
    pub(crate) aside: Vec<Box<[u64]>>,
    /// The closure under the operators of the others.
    others: Closure,
    /// For each variable the first of its kind.
    kind: Vec<u32>,
    /// For each variable the first of its kind that the agent can write, or cannot, like it.
    store: Vec<u32>,
    /// By the first of a store and a value: facts of other stores that are reached with it.
    merged: FxHashMap<Fact, Vec<Fact>>,
    /// The red sets: for each variable a set of values, closed under what the others can do.
    rows: Vec<Box<[u64]>>,
    ids: FxHashMap<Box<[u64]>, u32>,
    /// The red set after a variable has had a value, by the red set before.
    after: FxHashMap<(u32, u32, u32), u32>,
    /// The landmarks of the agent: the bit of each, and what shows that it is there.
    pub(crate) landmarks: Vec<(u64, Vec<Fact>)>,
    /// The bits to note when an operator of the agent brings a fact about.
    watched: BTreeMap<Fact, u64>,
}

impl RedBlackTask {
    /// Builds it; `None` where agents do not act in every step, or the agent has nothing to itself,
    /// or computing the reachable facts is too much work.
    pub(crate) fn new(
        model: &Model,
        agent: usize,
        start: &State,
        stores: Stores,
        plan: &RelaxedPlan,
    ) -> Option<Self> {
        let task = model.task;
        let agents = task.agents.len();
        if task.turns == TurnMode::Alternate || agents < 2 {
            return None;
        }
        let others: Vec<usize> = (0..agents).filter(|&other| other != agent).collect();
        let is_foreign = written(model, &others);
        if is_foreign.iter().all(|&is_foreign| is_foreign) {
            return None;
        }
        let mut is_red = is_foreign.clone();
        redden(model, agent, stores, &mut is_red);
        let is_dropped = dropped(model, start, plan, &is_red);
        for (is_red, is_dropped) in is_red.iter_mut().zip(&is_dropped) {
            *is_red |= is_dropped;
        }
        let mut all = singleton(model, start);
        Closure::new(model, &(0..agents).collect::<Vec<_>>()).close(model, &mut all, &[])?;
        let mut others = Closure::new(model, &others);
        let mut unaided = singleton(model, start);
        // The agent does not hand over what is dropped: it may have any value from the start.
        for variable in 0..model.domains.len() {
            if !is_red[variable as usize] || is_dropped[variable as usize] {
                let reached = model.domains.get(&all, variable).to_vec();
                let set = model.domains.get_mut(&mut unaided, variable);
                set.copy_from_slice(&reached);
            }
        }
        others.close(model, &mut unaided, &[])?;
        let mut concerns = concerns(model, agent, &is_red);
        for (concerns, is_dropped) in concerns.iter_mut().zip(&is_dropped) {
            *concerns &= !is_dropped;
        }
        let kind = kinds(model, &is_red, &concerns);
        let mut red_black = Self {
            agent,
            store: by_writer(model, agent, &kind),
            kind,
            merged: FxHashMap::default(),
            concerns,
            is_red,
            is_foreign,
            aside: aside(model, start, plan),
            others,
            rows: vec![unaided, all],
            ids: FxHashMap::default(),
            after: FxHashMap::default(),
            landmarks: Vec::new(),
            watched: BTreeMap::new(),
        };
        red_black.ignore(model, plan)?;
        red_black.merged = red_black.merged_facts(model, start, plan);
        red_black.ids = red_black.rows.iter().cloned().zip(0..).collect();
        Some(red_black)
    }

    /// Takes for reached from the start what the agent could hand over or keep, but which does not
    /// matter to a relaxed plan. That leaves fewer red sets.
    fn ignore(&mut self, model: &Model, plan: &RelaxedPlan) -> Option<()> {
        let variables = &model.task.variables;
        let own = written(model, &[self.agent]);
        let mut row: Box<[u64]> = self.unaided().into();
        for first in 0..model.domains.len() {
            let members = self.members(first);
            if !members.iter().any(|&member| own[member as usize]) {
                continue;
            }
            let values = &variables[first as usize].values;
            for value in 0..variables[first as usize].size {
                let is_foreign = |member: u32| self.is_foreign[member as usize];
                let is_supplied = members.iter().any(|&member| {
                    is_foreign(member) && model.domains.contains(self.unaided(), member, value)
                });
                let matters = if is_supplied {
                    let mut kept = members.iter().filter(|&&member| !is_foreign(member));
                    kept.any(|&member| plan.uses(member, value))
                } else {
                    let name = &values[value as usize].name;
                    if plan.is_at_once(name) {
                        members.iter().any(|&member| plan.uses(member, value))
                    } else {
                        plan.mentions(name)
                    }
                };
                for &member in members.iter().filter(|_| !matters) {
                    if model.domains.contains(self.everything(), member, value) {
                        insert(model.domains.get_mut(&mut row, member), value);
                    }
                }
            }
        }
        self.others.close(model, &mut row, &[])?;
        self.rows[UNAIDED as usize] = row;
        Some(())
    }

    /// The red variables of one kind, if it is the first of them.
    pub(crate) fn members(&self, first: u32) -> Vec<u32> {
        self.members_of(&self.kind, first)
    }

    /// The red variables of one store, if it is the first of them.
    pub(crate) fn store(&self, first: u32) -> Vec<u32> {
        self.members_of(&self.store, first)
    }

    fn members_of(&self, partition: &[u32], first: u32) -> Vec<u32> {
        let is_member = |&(other, &kind): &(u32, &u32)| {
            kind == first && self.is_red[other as usize] && self.concerns[other as usize]
        };
        let members = (0..).zip(partition).filter(is_member);
        let members: Vec<u32> = members.map(|(other, _)| other).collect();
        if members.first() == Some(&first) {
            members
        } else {
            Vec::new()
        }
    }

    /// The agent whose relaxation it is.
    pub(crate) const fn agent(&self) -> usize {
        self.agent
    }

    /// Notes from now on when the agent brings about a landmark of another, and what needs its own:
    /// bit by bit.
    pub(crate) fn watch(&mut self, landmarks: &[Landmark]) {
        for (landmark, bit) in landmarks.iter().zip(0..) {
            if landmark.agent == self.agent {
                self.landmarks.push((1 << bit, landmark.hidden.clone()));
            } else {
                for &fact in &landmark.facts {
                    *self.watched.entry(fact).or_default() |= 1 << bit;
                }
            }
        }
    }

    /// Stops to follow red variables that may have any value from the start, unless landmarks are
    /// about them: what hangs on them is a free choice.
    pub(crate) fn settle(&mut self, model: &Model, landmarks: &[Landmark]) {
        let facts = landmarks.iter().flat_map(|landmark| &landmark.hidden);
        let kept: BTreeSet<u32> = facts.map(|fact| fact.0).collect();
        for variable in 0..model.domains.len() {
            let unaided = model.domains.get(self.unaided(), variable);
            let everything = model.domains.get(self.everything(), variable);
            if model.domains.size(variable) == 2
                && unaided == everything
                && !kept.contains(&variable)
            {
                self.concerns[variable as usize] = false;
            }
        }
    }

    /// Returns whether the first red set includes the second.
    pub(crate) fn includes(&self, large: u32, small: u32) -> bool {
        let pairs = self.rows[large as usize]
            .iter()
            .zip(&self.rows[small as usize]);
        large == small || pairs.into_iter().all(|(large, small)| small & !large == 0)
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let rows = 2 * self.rows.len() * size_of_val(&*self.rows[0]);
        let after = self.after.capacity() * size_of::<((u32, u32, u32), u32)>();
        rows + after + self.others.bytes()
    }

    /// All that the others can bring about on their own.
    pub(crate) fn unaided(&self) -> &[u64] {
        &self.rows[UNAIDED as usize]
    }

    /// All that can be reached.
    pub(crate) fn everything(&self) -> &[u64] {
        &self.rows[EVERYTHING as usize]
    }

    /// Returns true if the others may reach the goal while the agent does nothing.
    pub(crate) fn may_be_idle(&self, model: &Model, start: &State) -> bool {
        let mut row = self.unaided().to_vec();
        let own = singleton(model, start);
        for variable in 0..model.domains.len() {
            if !self.is_red[variable as usize] {
                let value = model.domains.get(&own, variable);
                (model.domains.get_mut(&mut row, variable)).copy_from_slice(value);
            }
        }
        model.goal.truth(&model.domains, &row) != Some(false)
    }

    /// The red set of a state.
    pub(crate) fn red_set(&mut self, model: &Model, state: &State) -> u32 {
        let mut red_set = UNAIDED;
        for variable in 0..model.domains.len() {
            if self.is_red[variable as usize] {
                let value = model.task.variables[variable as usize].get(state);
                red_set = self.learn(model, red_set, variable, value);
            }
        }
        red_set
    }

    /// The red set once a red variable has had a value.
    pub(crate) fn learn(&mut self, model: &Model, red_set: u32, variable: u32, value: u32) -> u32 {
        if model
            .domains
            .contains(&self.rows[red_set as usize], variable, value)
        {
            return red_set;
        }
        if let Some(&after) = self.after.get(&(red_set, variable, value)) {
            return after;
        }
        let mut row = self.rows[red_set as usize].clone();
        insert(model.domains.get_mut(&mut row, variable), value);
        let mut grown = vec![variable];
        let fact = (self.store[variable as usize], value);
        let merged_with = self.merged.get(&fact).into_iter().flatten();
        for &(first, value) in std::iter::once(&fact).chain(merged_with) {
            for other in 0..model.domains.len() {
                if self.store[other as usize] == first
                    && model.domains.contains(self.everything(), other, value)
                {
                    insert(model.domains.get_mut(&mut row, other), value);
                    grown.push(other);
                }
            }
        }
        let after = if self.others.reclose(model, &mut row, &grown).is_none() {
            EVERYTHING
        } else if let Some(&id) = self.ids.get(&row) {
            id
        } else if self.rows.len() >= MOST_ROWS {
            EVERYTHING
        } else {
            let id = self.rows.len() as u32;
            self.ids.insert(row.clone(), id);
            self.rows.push(row);
            id
        };
        self.after.insert((red_set, variable, value), after);
        after
    }

    /// Gives red variables the values that they have in a red set.
    pub(crate) fn look(&self, model: &Model, red_set: u32, red: &[u32], row: &mut [u64]) {
        for &variable in red {
            let set = model.domains.get(&self.rows[red_set as usize], variable);
            model.domains.get_mut(row, variable).copy_from_slice(set);
        }
    }

    /// The part of a red set that is about these variables.
    pub(crate) fn extract(&self, model: &Model, red_set: u32, red: &[u32]) -> Box<[u64]> {
        let row = &self.rows[red_set as usize];
        let sets = red.iter().map(|&variable| model.domains.get(row, variable));
        sets.flatten().copied().collect()
    }

    /// The facts that the agent has written about these variables.
    pub(crate) fn handed_over(model: &Model, red: &[u32], row: &[u64]) -> Vec<Fact> {
        let is_written = |variable: &&u32| model.domains.is_marked(row, Mark::Step, **variable);
        let written = red.iter().filter(is_written);
        let facts = written.flat_map(|&variable| {
            values(model.domains.get(row, variable)).map(move |value| (variable, value))
        });
        facts.collect()
    }

    /// The landmarks of others that the agent has achieved, as bits.
    pub(crate) fn achieved(&self, model: &Model, row: &[u64]) -> u64 {
        let watched = self.watched.iter();
        let brought = watched.filter(|(fact, _)| is_brought_about(model, row, **fact));
        brought.fold(0, |achieves, (_, bits)| achieves | bits)
    }
}
