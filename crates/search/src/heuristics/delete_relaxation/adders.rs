//! The adders of a task: what its relaxed operators, events, timers and axioms add where.
//!
//! A relaxed operator adds facts where others hold. A task's operator becomes several, one for each
//! set of conditions under which it adds something; they are one choice, made once. Events, timers
//! and axioms are not chosen: they happen where they can, for nothing. They are the
//! [rules](brigade_task::rules) of the task, those that need the same joined, so whatever can come
//! about in the task can in the relaxation.

use super::lists::Lists;
use brigade_task::OperatorId;
use brigade_task::rules::{FactId, Moment, Rule};

/// The operator of what happens for nothing.
pub(crate) const FREE: u32 = u32::MAX;
/// No fact.
pub(super) const NONE: u32 = u32::MAX;

/// Adds facts where others hold.
#[derive(Clone, Debug)]
pub(super) struct Adder {
    /// The operator it is part of, or [`FREE`].
    pub(super) operator: u32,
    pub(super) moment: Moment,
    /// The facts that have to hold.
    pub(super) needs: Vec<u32>,
    pub(super) adds: Vec<u32>,
}

/// All adders of a task but those that no way to some facts, its ends, can need.
#[derive(Debug)]
pub(crate) struct Adders {
    pub(super) all: Vec<Adder>,
    /// The number of facts, auxiliary ones included.
    pub(super) facts: u32,
    /// For each fact of the rules its number here, or [`NONE`].
    pub(super) numbers: Vec<u32>,
}

impl Adders {
    /// Those among rules over so many facts that lead to `ends`.
    pub(crate) fn toward(rules: &[Rule], facts: u32, ends: &[FactId]) -> Self {
        let mut all = adders(rules);
        let is_relevant = keep_relevant(&mut all, facts, ends);
        let mut facts = 0;
        let mut numbers = vec![NONE; is_relevant.len()];
        for (number, _) in numbers.iter_mut().zip(&is_relevant).filter(|(_, is)| **is) {
            *number = facts;
            facts += 1;
        }
        for adder in &mut all {
            for fact in adder.needs.iter_mut().chain(&mut adder.adds) {
                *fact = numbers[*fact as usize];
            }
        }
        Self {
            all,
            facts,
            numbers,
        }
    }

    /// The number of an end, or of a fact that one may need.
    pub(crate) fn number(&self, fact: FactId) -> u32 {
        self.numbers[fact as usize]
    }
}

/// Leaves out what no way to one of the ends can need; returns true for each fact that is left.
fn keep_relevant(adders: &mut Vec<Adder>, facts: u32, ends: &[FactId]) -> Vec<bool> {
    let added_by = adders.iter().zip(0..);
    let added_by = added_by.flat_map(|(adder, index)| adder.adds.iter().map(move |&f| (f, index)));
    let added_by = Lists::new(facts as usize, added_by);
    let mut is_relevant = vec![false; facts as usize];
    let mut open = ends.to_vec();
    for &end in ends {
        is_relevant[end as usize] = true;
    }
    while let Some(fact) = open.pop() {
        for &adder in added_by.of(fact) {
            for &need in &adders[adder as usize].needs {
                if !std::mem::replace(&mut is_relevant[need as usize], true) {
                    open.push(need);
                }
            }
        }
    }
    for adder in adders.iter_mut() {
        adder.adds.retain(|&fact| is_relevant[fact as usize]);
    }
    adders.retain(|adder| !adder.adds.is_empty());
    is_relevant
}

/// The rules that are parts of the same are one adder.
fn adders(rules: &[Rule]) -> Vec<Adder> {
    let useful = rules.iter().filter(|rule| !rule.needs.contains(&rule.adds));
    let mut rules: Vec<&Rule> = useful.collect();
    rules.sort_by(|left, right| (part(left), left.adds).cmp(&(part(right), right.adds)));
    let alike = rules.chunk_by(|left, right| part(left) == part(right));
    let adders = alike.map(|alike| {
        let (operator, needs, moment) = part(alike[0]);
        let mut adds: Vec<FactId> = alike.iter().map(|rule| rule.adds).collect();
        adds.dedup();
        Adder {
            operator,
            moment,
            needs: needs.to_vec(),
            adds,
        }
    });
    adders.collect()
}

/// The operator of a rule, or [`FREE`], what it needs, and when it fires.
fn part(rule: &Rule) -> (u32, &[FactId], Moment) {
    let operator = rule.operator.map_or(FREE, |OperatorId(id)| id);
    (operator, &rule.needs, rule.moment)
}
