//! The delete relaxation: a fact once true stays true.
//!
//! A relaxed operator adds facts where others hold. A task's operator becomes several, one for each
//! set of conditions under which it adds something; they are one choice, made once. Events, timers
//! and axioms are not chosen: they happen where they can, for nothing. What a conjunction of facts
//! does not express is taken to hold, so whatever can come about in the task can in the relaxation.

use std::collections::BTreeMap;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::lists::Lists;
use crate::control::Control;
use crate::heuristics::cartesian::change::Change;
use crate::heuristics::cartesian::domains::values;
use crate::heuristics::cartesian::formula::Formula;
use crate::heuristics::cartesian::model::Model;
use brigade_task::layout::VariableKind;
use brigade_task::{PackedTask, State};

/// The operator of what happens for nothing.
pub(crate) const FREE: u32 = u32::MAX;
/// More facts than this are not relaxed.
const MOST_FACTS: usize = 1 << 22;
/// Adders that need and add more facts than this together are not kept.
const MOST_LINKS: usize = 1 << 25;
/// No fact.
const NONE: u32 = u32::MAX;
/// Pairs of equal values of two variables are told apart if there are no more.
const MOST_PAIRS: usize = 256;

/// Adds facts where others hold.
#[derive(Clone, Debug)]
pub(crate) struct Adder {
    /// The operator it is part of, or [`FREE`].
    pub(crate) operator: u32,
    /// The facts that have to hold.
    pub(crate) needs: Vec<u32>,
    pub(crate) adds: Vec<u32>,
}

/// The relaxation of a task: what no way to the goal can need is left out.
#[derive(Debug)]
pub(crate) struct Relaxation {
    /// For each value of each variable, one after another, its fact or [`NONE`].
    values: Vec<u32>,
    /// The variables that have facts, and where their values start.
    variables: Vec<(u32, u32)>,
    /// Facts that may hold at any time.
    unruled: Vec<u32>,
    /// The number of facts, with those that stand for a choice of others.
    pub(crate) facts: u32,
    pub(crate) adders: Vec<Adder>,
    /// Holds where the goal may.
    pub(crate) goal: u32,
}

/// The relaxation while it is collected.
struct Builder<'m, 't> {
    model: &'m Model<'t>,
    control: &'m dyn Control,
    first: Vec<u32>,
    facts: u32,
    adders: Vec<Adder>,
    /// Adders by operator and needs.
    known: FxHashMap<(u32, Vec<u32>), usize>,
    /// Facts that hold if all of one of several sets do.
    choices: FxHashMap<Vec<Vec<u32>>, u32>,
    /// Holds nowhere.
    never: u32,
    /// The number of facts that adders need and add, with repetitions.
    links: usize,
}

impl Relaxation {
    /// `None` if it would be too large, or `control` says stop.
    pub(crate) fn new(model: &Model, control: &dyn Control) -> Option<Self> {
        let mut first = Vec::with_capacity(model.task.variables.len());
        let mut facts = 0_usize;
        for variable in &model.task.variables {
            first.push(facts as u32);
            facts += variable.size as usize;
            if facts > MOST_FACTS {
                return None;
            }
        }
        let never = facts as u32;
        let mut builder = Builder {
            model,
            control,
            first,
            facts: never + 1,
            adders: Vec::new(),
            known: FxHashMap::default(),
            choices: FxHashMap::default(),
            never,
            links: 0,
        };
        builder.collect()?;
        let goal = builder.goal();
        builder.go_on()?;
        Some(builder.finish(goal))
    }

    /// Visits the facts of a state.
    pub(crate) fn for_each_fact(
        &self,
        task: &PackedTask,
        state: &State,
        mut visit: impl FnMut(u32),
    ) {
        for &(variable, first) in &self.variables {
            let value = task.variables[variable as usize].get(state);
            let fact = self.values[(first + value) as usize];
            if fact != NONE {
                visit(fact);
            }
        }
        self.unruled.iter().copied().for_each(visit);
    }

    /// For each fact true if a variable holds it: others stand for a choice, or are derived.
    pub(crate) fn told(&self, task: &PackedTask) -> Vec<bool> {
        let mut told = vec![false; self.facts as usize];
        for &(variable, first) in &self.variables {
            let size = task.variables[variable as usize].size;
            for &fact in &self.values[first as usize..(first + size) as usize] {
                if fact != NONE && task.variables[variable as usize].kind != VariableKind::Derived {
                    told[fact as usize] = true;
                }
            }
        }
        told
    }

    /// Pays for an operator first, and then lets its effects be free, where one of its adders needs
    /// what another leads to for nothing, as parts of an effect that happen in sequence may.
    ///
    /// `None` if `control` says stop.
    pub(crate) fn pay_before_parts(&mut self, control: &dyn Control) -> Option<()> {
        let mut parts: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (index, adder) in self.adders.iter().enumerate() {
            if adder.operator != FREE {
                parts.entry(adder.operator).or_default().push(index);
            }
        }
        let mut free = FreeWays::new(self);
        for (operator, parts) in parts {
            if control.stop().is_some() {
                return None;
            }
            let adders = || parts.iter().map(|&part| &self.adders[part]);
            // Any of them may be the first, so what all need is needed before.
            let mut all = self.adders[parts[0]].needs.clone();
            all.retain(|need| adders().all(|part| part.needs.contains(need)));
            let own = adders().flat_map(|part| &part.needs).copied();
            let own: Vec<u32> = own.filter(|need| !all.contains(need)).collect();
            let added = adders().flat_map(|part| &part.adds).copied();
            if own.is_empty() || !free.lead(added, own) {
                continue;
            }
            let paid = self.facts;
            self.facts += 1;
            for part in parts {
                self.adders[part].operator = FREE;
                self.adders[part].needs.push(paid);
            }
            self.adders.push(Adder {
                operator,
                needs: all,
                adds: vec![paid],
            });
        }
        Some(())
    }

    /// Sorts what each adder needs: first what the fewest need.
    pub(crate) fn order_needs(&mut self) {
        let mut needed = vec![0_u32; self.facts as usize];
        for &fact in self.adders.iter().flat_map(|adder| &adder.needs) {
            needed[fact as usize] += 1;
        }
        for adder in &mut self.adders {
            let needs = &mut adder.needs;
            needs.sort_unstable_by_key(|&fact| (needed[fact as usize], fact));
        }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let adder = |adder: &Adder| {
            size_of::<Adder>() + size_of_val(&*adder.needs) + size_of_val(&*adder.adds)
        };
        size_of_val(&*self.values) + self.adders.iter().map(adder).sum::<usize>()
    }
}

/// The facts that facts lead to, one at a time, where nothing is paid.
struct FreeWays {
    /// For each fact what the free adders that need it add.
    next: Lists,
    /// For each fact the last search that came by.
    seen: Vec<u32>,
    search: u32,
    open: Vec<u32>,
}

impl FreeWays {
    fn new(relaxation: &Relaxation) -> Self {
        let free = relaxation.adders.iter();
        let free = free.filter(|adder| adder.operator == FREE);
        let ways = free.flat_map(|adder| {
            let adds = move |&need| adder.adds.iter().map(move |&fact| (need, fact));
            adder.needs.iter().flat_map(adds)
        });
        Self {
            next: Lists::new(relaxation.facts as usize, ways),
            seen: vec![0; relaxation.facts as usize],
            search: 0,
            open: Vec::new(),
        }
    }

    /// Do some facts lead to some others?
    fn lead(&mut self, from: impl Iterator<Item = u32>, to: Vec<u32>) -> bool {
        self.search += 1;
        self.open.clear();
        self.open.extend(from);
        while let Some(fact) = self.open.pop() {
            if std::mem::replace(&mut self.seen[fact as usize], self.search) != self.search {
                self.open.extend(self.next.of(fact));
            }
        }
        to.into_iter()
            .any(|fact| self.seen[fact as usize] == self.search)
    }
}

/// Leaves out what no way to the goal can need, and returns for each fact whether it is left.
fn keep_relevant(adders: &mut Vec<Adder>, facts: u32, goal: u32) -> Vec<bool> {
    let added_by = adders.iter().zip(0..);
    let added_by = added_by.flat_map(|(adder, index)| adder.adds.iter().map(move |&f| (f, index)));
    let added_by = Lists::new(facts as usize, added_by);
    let mut is_relevant = vec![false; facts as usize];
    is_relevant[goal as usize] = true;
    let mut open = vec![goal];
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

impl Builder<'_, '_> {
    /// `None` if there is too much by now, or someone says stop.
    fn go_on(&self) -> Option<()> {
        let fits = self.facts as usize <= MOST_FACTS && self.links <= MOST_LINKS;
        (fits && self.control.stop().is_none()).then_some(())
    }

    fn collect(&mut self) -> Option<()> {
        let model = self.model;
        for ((precondition, change), operator) in model.operators.iter().zip(0..) {
            self.go_on()?;
            let mut needs = Vec::new();
            self.require(precondition, &mut needs);
            self.add_change(operator, change, &mut needs);
        }
        for change in model.tick.iter().flatten() {
            self.add_change(FREE, change, &mut Vec::new());
        }
        for timer in &model.timers {
            self.go_on()?;
            let live: Vec<Vec<u32>> = (1..self.size(timer.variable))
                .map(|value| vec![self.fact(timer.variable, value)])
                .collect();
            let mut needs = Vec::new();
            self.choose(live, &mut needs);
            self.add_any(FREE, timer.variable, &needs);
            self.add_change(FREE, &timer.change, &mut needs);
        }
        for (body, head) in model.axioms.iter().flat_map(|(_, rules)| rules) {
            self.go_on()?;
            let mut needs = Vec::new();
            self.require(body, &mut needs);
            let head = self.fact(*head, 1);
            self.add(FREE, &needs, head);
        }
        Some(())
    }

    /// Numbers the facts that matter.
    fn finish(mut self, goal: u32) -> Relaxation {
        for adder in &mut self.adders {
            adder.adds.sort_unstable();
            adder.adds.dedup();
        }
        let is_relevant = keep_relevant(&mut self.adders, self.facts, goal);
        let mut facts = 0;
        let mut number = vec![NONE; is_relevant.len()];
        for (number, _) in number.iter_mut().zip(&is_relevant).filter(|(_, is)| **is) {
            *number = facts;
            facts += 1;
        }
        for adder in &mut self.adders {
            for fact in adder.needs.iter_mut().chain(&mut adder.adds) {
                *fact = number[*fact as usize];
            }
        }
        let goal = number[goal as usize];
        number.truncate(self.never as usize);
        let task = self.model.task;
        let places = |&(variable, first): &(u32, u32)| {
            let size = task.variables[variable as usize].size;
            first as usize..(first + size) as usize
        };
        let is_unruled = |variable| {
            task.clock
                .iter()
                .chain(&task.turn)
                .any(|id| id.0 == variable)
        };
        let variables = (0..).zip(self.first);
        let variables = variables.filter(|variable| {
            let mut facts = number[places(variable)].iter();
            facts.any(|&fact| fact != NONE)
        });
        let (unruled, variables): (Vec<_>, Vec<_>) =
            variables.partition(|&(variable, _)| is_unruled(variable));
        let unruled = unruled
            .iter()
            .flat_map(|variable| &number[places(variable)]);
        Relaxation {
            unruled: unruled.copied().filter(|&fact| fact != NONE).collect(),
            values: number,
            variables,
            facts,
            adders: self.adders,
            goal,
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
        self.links += needs.len() + 1;
        let index = match self.known.entry((operator, needs)) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                self.adders.push(Adder {
                    operator,
                    needs: entry.key().1.clone(),
                    adds: Vec::new(),
                });
                *entry.insert(next)
            }
        };
        let adds = &mut self.adders[index].adds;
        if adds.last() != Some(&fact) {
            adds.push(fact);
        }
    }
}
