//! Red facts that are merged: once one of them is reached, all of them are.
//!
//! A *store* is a set of red variables of one kind that the agent writes, or does not. That
//! something is in a store is worth distinguishing where it matters: what is cut has to lie on the
//! board, what is handed over on a counter. All else that may lie about only multiplies the views.
//! A red set may hold more than is there, so one fact can stand for several.

use std::collections::BTreeMap;

use brigade_task::State;
use rustc_hash::FxHashMap;

use super::red_black_task::RedBlackTask;
use super::relaxed_plan::RelaxedPlan;
use crate::heuristics::cartesian::closure::Closure;
use crate::heuristics::cartesian::facts::Fact;
use crate::heuristics::cartesian::model::Model;
use brigade_task::layout::VariableKind;
use brigade_task::symbols::Value;

/// More facts than this are not asked whether the goal needs them.
const MOST_QUESTIONS: usize = 300;

impl RedBlackTask {
    /// By the first of a store and a value: the same of other stores, where not both are of use. If
    /// a name has to be in some of the stores on every way to the goal, those are of use, else
    /// those of a relaxed plan.
    pub(crate) fn merged_facts(
        &self,
        model: &Model,
        start: &State,
        plan: &RelaxedPlan,
    ) -> FxHashMap<Fact, Vec<Fact>> {
        let agents: Vec<usize> = (0..model.task.agents.len()).collect();
        let mut everyone = Closure::new(model, &agents);
        let mut by_name: BTreeMap<&str, Vec<Fact>> = BTreeMap::new();
        for first in 0..model.domains.len() {
            let layout = &model.task.variables[first as usize];
            if layout.kind != VariableKind::Object || self.store(first).is_empty() {
                continue;
            }
            for (Value { name, .. }, value) in layout.values.iter().zip(0..) {
                if !model.domains.contains(self.unaided(), first, value) {
                    by_name.entry(name).or_default().push((first, value));
                }
            }
        }
        by_name.retain(|_, facts| facts.len() > 1);
        let is_asked = by_name.values().map(Vec::len).sum::<usize>() <= MOST_QUESTIONS;
        let mut merged: FxHashMap<Fact, Vec<Fact>> = FxHashMap::default();
        for facts in by_name.values() {
            let all = facts.iter().map(|&(first, value)| {
                let members = self.store(first).into_iter();
                members.map(|member| (member, value)).collect()
            });
            let all: Vec<Vec<Fact>> = all.collect();
            let needed = all
                .iter()
                .map(|facts| is_asked && self.needs(model, start, &mut everyone, facts));
            let mut is_of_use: Vec<bool> = needed.collect();
            if !is_of_use.contains(&true) {
                let is_used = |&(member, value): &Fact| plan.uses(member, value);
                let used = all.iter().map(|facts| facts.iter().any(is_used));
                is_of_use = used.collect();
            }
            for (one, &fact) in facts.iter().enumerate() {
                let merged_with = (0..facts.len())
                    .filter(|&other| other != one && !(is_of_use[one] && is_of_use[other]));
                let merged_with: Vec<Fact> = merged_with.map(|other| facts[other]).collect();
                if !merged_with.is_empty() {
                    merged.insert(fact, merged_with);
                }
            }
        }
        merged
    }
}
