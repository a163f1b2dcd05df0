//! The delete relaxation: a fact once true stays true.
//!
//! A relaxed operator adds facts where others hold. A task's operator becomes several, one for each
//! set of conditions under which it adds something; they are one choice, made once. Events, timers
//! and axioms are not chosen: they happen where they can, for nothing. What a conjunction of facts
//! does not express is taken to hold, so whatever can come about in the task can in the relaxation.

use rustc_hash::FxHashMap;

use super::change::Change;
use super::domains::values;
use super::formula::Formula;
use super::model::Model;
use crate::task::layout::VariableKind;

/// The operator of what happens for nothing.
pub(super) const FREE: u32 = u32::MAX;
/// More facts than this are not relaxed.
const MOST_FACTS: usize = 1 << 22;
/// Pairs of equal values of two variables are told apart if there are no more.
const MOST_PAIRS: usize = 256;

/// Adds facts where others hold.
#[derive(Clone, Debug)]
pub(super) struct Adder {
    /// What it is part of, or [`FREE`].
    pub(super) operator: u32,
    /// What has to hold, ascending.
    pub(super) needs: Vec<u32>,
    pub(super) adds: Vec<u32>,
}

/// The relaxation of a task.
#[derive(Debug)]
pub(super) struct Relaxation {
    /// For each variable the number of its first fact.
    first: Vec<u32>,
    /// Variables that may have any value at any time.
    unruled: Vec<u32>,
    /// How many facts there are, with those that stand for a choice of others.
    pub(super) facts: u32,
    pub(super) adders: Vec<Adder>,
    /// Holds where the goal may.
    pub(super) goal: u32,
}

/// The relaxation while it is collected.
struct Builder<'m, 't> {
    model: &'m Model<'t>,
    first: Vec<u32>,
    facts: u32,
    adders: Vec<Adder>,
    /// Adders by operator and needs.
    known: FxHashMap<(u32, Vec<u32>), usize>,
    /// Facts that hold if all of one of several sets do.
    choices: FxHashMap<Vec<Vec<u32>>, u32>,
    /// Holds nowhere.
    never: u32,
}

impl Relaxation {
    /// `None` if there are too many facts.
    pub(super) fn new(model: &Model) -> Option<Self> {
        let variables = &model.task.variables;
        let mut first = Vec::with_capacity(variables.len());
        let mut facts = 0_usize;
        for variable in variables {
            first.push(facts as u32);
            facts += variable.size as usize;
            if facts > MOST_FACTS {
                return None;
            }
        }
        let never = facts as u32;
        let mut builder = Builder {
            model,
            first,
            facts: never + 1,
            adders: Vec::new(),
            known: FxHashMap::default(),
            choices: FxHashMap::default(),
            never,
        };
        builder.collect();
        let goal = builder.goal();
        if builder.facts as usize > MOST_FACTS {
            return None;
        }
        keep_relevant(&mut builder.adders, builder.facts, goal);
        let task = model.task;
        let unruled = task.clock.iter().chain(&task.turn).map(|id| id.0).collect();
        Some(Self {
            first: builder.first,
            unruled,
            facts: builder.facts,
            adders: builder.adders,
            goal,
        })
    }

    /// The facts of a state.
    pub(super) fn facts_of(&self, model: &Model, state: &[u64], found: &mut Vec<u32>) {
        found.clear();
        for (variable, first) in model.task.variables.iter().zip(&self.first) {
            found.push(first + variable.get(state));
        }
        for &variable in &self.unruled {
            let first = self.first[variable as usize];
            let size = model.task.variables[variable as usize].size;
            found.extend(first..first + size);
        }
    }
}

/// Leaves out what no way to the goal can need.
fn keep_relevant(adders: &mut Vec<Adder>, facts: u32, goal: u32) {
    let mut added_by: Vec<Vec<u32>> = vec![Vec::new(); facts as usize];
    for (adder, index) in adders.iter().zip(0..) {
        for &fact in &adder.adds {
            added_by[fact as usize].push(index);
        }
    }
    let mut is_relevant = vec![false; facts as usize];
    is_relevant[goal as usize] = true;
    let mut open = vec![goal];
    while let Some(fact) = open.pop() {
        for &adder in &added_by[fact as usize] {
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
}

impl Builder<'_, '_> {
    fn collect(&mut self) {
        let model = self.model;
        for ((precondition, change), operator) in model.operators.iter().zip(0..) {
            let mut needs = Vec::new();
            self.require(precondition, &mut needs);
            self.add_change(operator, change, &mut needs);
        }
        for change in model.tick.iter().flatten() {
            self.add_change(FREE, change, &mut Vec::new());
        }
        for timer in &model.timers {
            let live: Vec<Vec<u32>> = (1..self.size(timer.variable))
                .map(|value| vec![self.fact(timer.variable, value)])
                .collect();
            let mut needs = Vec::new();
            self.choose(live, &mut needs);
            self.add_any(FREE, timer.variable, &needs);
            self.add_change(FREE, &timer.change, &mut needs);
        }
        for (body, head) in model.axioms.iter().flat_map(|(_, rules)| rules) {
            let mut needs = Vec::new();
            self.require(body, &mut needs);
            let head = self.fact(*head, 1);
            self.add(FREE, &needs, head);
        }
    }

    fn goal(&mut self) -> u32 {
        let mut needs = Vec::new();
        let model = self.model;
        self.require(&model.goal, &mut needs);
        let goal = self.new_fact();
        self.add(FREE, &needs, goal);
        goal
    }

    fn fact(&self, variable: u32, value: u32) -> u32 {
        self.first[variable as usize] + value
    }

    fn size(&self, variable: u32) -> u32 {
        self.model.domains.size(variable)
    }

    fn new_fact(&mut self) -> u32 {
        let fact = self.facts;
        self.facts += 1;
        fact
    }

    /// Facts that hold wherever the formula does.
    fn require(&mut self, formula: &Formula, needs: &mut Vec<u32>) {
        match formula {
            Formula::True | Formula::Unknown | Formula::Compare(..) => {}
            Formula::False => needs.push(self.never),
            &Formula::Fact(variable, value) => {
                if !(self.is_derived(variable) && value == 0) {
                    needs.push(self.fact(variable, value));
                }
            }
            Formula::Not(formula) => {
                if let &Formula::Fact(variable, value) = &**formula {
                    let others = (0..self.size(variable)).filter(|&other| other != value);
                    let others: Vec<u32> = others.collect();
                    self.require_one_of(variable, &others, needs);
                }
            }
            Formula::All(formulas) => {
                for formula in formulas {
                    self.require(formula, needs);
                }
            }
            Formula::Any(formulas) => {
                let alternatives = formulas.iter().map(|formula| {
                    let mut needs = Vec::new();
                    self.require(formula, &mut needs);
                    needs
                });
                let alternatives = alternatives.collect();
                self.choose(alternatives, needs);
            }
            Formula::Same(left, right, table) => {
                let pairs = (0..).zip(table).filter_map(|(value, same)| {
                    same.map(|same| vec![self.fact(*left, value), self.fact(*right, same)])
                });
                let pairs: Vec<Vec<u32>> = pairs.collect();
                if pairs.len() <= MOST_PAIRS {
                    self.choose(pairs, needs);
                }
            }
        }
    }

    fn is_derived(&self, variable: u32) -> bool {
        self.model.task.variables[variable as usize].kind == VariableKind::Derived
    }

    /// That a variable has one of these values.
    fn require_one_of(&mut self, variable: u32, values: &[u32], needs: &mut Vec<u32>) {
        if values.len() == self.size(variable) as usize {
            return;
        }
        let formulas = values.iter().map(|&value| {
            let mut needs = Vec::new();
            self.require(&Formula::Fact(variable, value), &mut needs);
            needs
        });
        let alternatives = formulas.collect();
        self.choose(alternatives, needs);
    }

    /// That all of one of these sets hold.
    fn choose(&mut self, mut alternatives: Vec<Vec<u32>>, needs: &mut Vec<u32>) {
        for alternative in &mut alternatives {
            alternative.sort_unstable();
            alternative.dedup();
        }
        alternatives.retain(|alternative| !alternative.contains(&self.never));
        if alternatives.iter().any(Vec::is_empty) {
            return;
        }
        match &alternatives[..] {
            [] => needs.push(self.never),
            [only] => needs.extend(only),
            _ => {
                if let Some(&fact) = self.choices.get(&alternatives) {
                    needs.push(fact);
                    return;
                }
                let fact = self.new_fact();
                for alternative in &alternatives {
                    self.add(FREE, alternative, fact);
                }
                self.choices.insert(alternatives, fact);
                needs.push(fact);
            }
        }
    }

    /// Adds what a change may lead to where `needs` hold.
    fn add_change(&mut self, operator: u32, change: &Change, needs: &mut Vec<u32>) {
        let outer = needs.len();
        match change {
            Change::Nothing | Change::Log | Change::Cost(_) => {}
            &Change::Assign(variable, value) => {
                let fact = self.fact(variable, value);
                self.add(operator, needs, fact);
            }
            Change::Forget(variable) | Change::Number { variable, .. } => {
                self.add_any(operator, *variable, needs);
            }
            Change::Copy(link) => {
                let (to, from, table) = &**link;
                for (value, becomes) in (0..).zip(table) {
                    if let Some(becomes) = *becomes {
                        needs.push(self.fact(*from, value));
                        let fact = self.fact(*to, becomes);
                        self.add(operator, needs, fact);
                        needs.truncate(outer);
                    }
                }
            }
            Change::Block { changes, .. } | Change::Seq(changes) | Change::Any(changes) => {
                for change in changes {
                    self.add_change(operator, change, needs);
                }
            }
            Change::If(formula, then, otherwise) => {
                self.require(formula, needs);
                self.add_change(operator, then, needs);
                needs.truncate(outer);
                self.require(&formula.clone().negated(), needs);
                self.add_change(operator, otherwise, needs);
                needs.truncate(outer);
            }
            Change::Switch(variable, arms) => {
                for (set, arm) in arms {
                    let values: Vec<u32> = values(set).collect();
                    self.require_one_of(*variable, &values, needs);
                    self.add_change(operator, arm, needs);
                    needs.truncate(outer);
                }
            }
            Change::Choose(candidates, otherwise) => {
                for candidate in candidates {
                    self.require(&candidate.formula, needs);
                    self.add_change(operator, &candidate.change, needs);
                    needs.truncate(outer);
                }
                self.add_change(operator, otherwise, needs);
            }
        }
    }

    fn add_any(&mut self, operator: u32, variable: u32, needs: &[u32]) {
        for value in 0..self.size(variable) {
            let fact = self.fact(variable, value);
            self.add(operator, needs, fact);
        }
    }

    fn add(&mut self, operator: u32, needs: &[u32], fact: u32) {
        let mut needs = needs.to_vec();
        needs.sort_unstable();
        needs.dedup();
        if needs.binary_search(&fact).is_ok() || needs.contains(&self.never) {
            return;
        }
        let next = self.adders.len();
        let index = *self.known.entry((operator, needs.clone())).or_insert(next);
        if index == next {
            self.adders.push(Adder {
                operator,
                needs,
                adds: Vec::new(),
            });
        }
        let adds = &mut self.adders[index].adds;
        if !adds.contains(&fact) {
            adds.push(fact);
        }
    }
}
