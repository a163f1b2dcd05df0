//! The closure of a set under operators, if every variable may keep every value that it has once
//! had.
//!
//! Cartesian sets of values are closed under operators, timers and the tick: the delete relaxation
//! (J. Hoffmann and B. Nebel, "The FF planning system", JAIR 14, 2001) without a count of layers.

use rustc_hash::FxHashMap;

use super::change::Change;
use super::domains::{Domains, Mark, insert, values};
use super::facts::{Fact, remove};
use super::formula::Formula;
use super::model::Model;
use super::numbering::{Classes, trivial_classes};
use super::progression::{Part, Progression, Read};
use brigade_task::TurnMode;

/// Rounds of a closure, at most.
const MOST_ROUNDS: usize = 1000;
/// Sets of values for which the result of a rule is remembered, at most.
const MOST_REMEMBERED: usize = 1024;

/// The closure under the operators of some agents.
pub(crate) struct Closure {
    rules: Vec<Rule>,
    whole: Whole,
}

/// Distinguishes all variables, but none of their values.
struct Whole {
    variables: Vec<bool>,
    classes: Classes,
}

/// Something that can happen.
struct Rule {
    condition: Formula,
    /// True if the condition holds when the change is made, and not only when the step began.
    is_read_then: bool,
    /// A variable whose value is in a set when the change is made.
    case: Option<(u32, Box<[u64]>)>,
    /// A timer that ends before the change is made.
    ends: Option<u32>,
    change: Change,
    /// The variables that the condition and the change read.
    reads: Vec<u32>,
    /// The variables that it writes.
    writes: Vec<u32>,
    /// By the values of what it reads: the values that it gives what it writes.
    given: FxHashMap<Box<[u64]>, Box<[u64]>>,
}

impl Closure {
    pub(crate) fn new(model: &Model, agents: &[usize]) -> Self {
        Self {
            rules: rules(model, agents),
            whole: Whole {
                variables: vec![true; model.task.variables.len()],
                classes: trivial_classes(model),
            },
        }
    }

    /// Closes a row; facts `without` never come true. `None` if that is too much work.
    pub(crate) fn close(
        &mut self,
        model: &Model,
        row: &mut Box<[u64]>,
        without: &[Fact],
    ) -> Option<()> {
        let mut has_grown = self.whole.variables.clone();
        self.round(model, row, &mut has_grown, without, true)?;
        self.rounds(model, row, has_grown, without)
    }

    /// Closes a row that was closed before some variables got more values.
    pub(crate) fn reclose(
        &mut self,
        model: &Model,
        row: &mut Box<[u64]>,
        grown: &[u32],
    ) -> Option<()> {
        let mut has_grown = vec![false; self.whole.variables.len()];
        for &variable in grown {
            has_grown[variable as usize] = true;
        }
        self.rounds(model, row, has_grown, &[])
    }

    /// Returns whether something can happen in a row that brings one of these facts about.
    pub(crate) fn may_give(&self, model: &Model, row: &[u64], facts: &[Fact]) -> bool {
        let mut progression = self.whole.progression(model);
        self.rules.iter().any(|rule| {
            let parts = rule.apply(&mut progression, row);
            let gives = |&(variable, value): &Fact| {
                parts.iter().any(|part| {
                    model.domains.is_marked(&part.row, Mark::Step, variable)
                        && model.domains.contains(&part.row, variable, value)
                })
            };
            progression.has_overflowed || facts.iter().any(gives)
        })
    }

    /// Bytes held of what is remembered.
    pub(crate) fn bytes(&self) -> usize {
        let rules = self.rules.iter().map(|rule| {
            // All keys of a rule are of one size, and so is all that is given.
            let entry = rule.given.iter().next();
            let words = entry.map_or(0, |(key, given)| {
                size_of_val(&**key) + size_of_val(&**given)
            });
            let boxes = rule.given.capacity() * 2 * size_of::<Box<[u64]>>();
            boxes + rule.given.len() * words
        });
        rules.sum()
    }

    fn rounds(
        &mut self,
        model: &Model,
        row: &mut Box<[u64]>,
        mut has_grown: Vec<bool>,
        without: &[Fact],
    ) -> Option<()> {
        for _ in 0..MOST_ROUNDS {
            if !has_grown.contains(&true) {
                return Some(());
            }
            self.round(model, row, &mut has_grown, without, false)?;
        }
        None
    }

    /// Applies the rules that read what has grown, or all, and notes what grows by that.
    fn round(
        &mut self,
        model: &Model,
        row: &mut Box<[u64]>,
        has_grown: &mut [bool],
        without: &[Fact],
        is_first: bool,
    ) -> Option<()> {
        let domains = &model.domains;
        let mut progression = self.whole.progression(model);
        let before = row.clone();
        for rule in &mut self.rules {
            let reads_grown = |&read: &u32| has_grown[read as usize];
            if !is_first && !rule.reads.iter().any(reads_grown) {
                continue;
            }
            rule.give(&mut progression, row)?;
            remove(model, row, without);
        }
        for timer in &model.timers {
            wind_down(model, row, timer.variable);
        }
        if let Some(clock) = model.task.clock {
            domains.forget(row, clock.0);
        }
        row[domains.value_words()..].fill(0);
        for (variable, has_grown) in (0..).zip(has_grown) {
            *has_grown = domains.get(row, variable) != domains.get(&before, variable);
        }
        Some(())
    }
}

impl Whole {
    fn progression<'a>(&'a self, model: &'a Model) -> Progression<'a> {
        Progression::new(model, &self.variables, &self.classes)
    }
}

/// A timer comes down from its greatest value.
fn wind_down(model: &Model, row: &mut [u64], timer: u32) {
    let set = model.domains.get_mut(row, timer);
    let most = values(set).last().unwrap_or(0);
    for value in 0..most {
        insert(set, value);
    }
}

/// The operators of these agents, the tick and the timers.
fn rules(model: &Model, agents: &[usize]) -> Vec<Rule> {
    let mut rules = Vec::new();
    for &agent in agents {
        for &operator in &model.task.agents[agent].operators {
            let (precondition, change) = &model.operators[operator.index()];
            let is_read_then = model.task.turns != TurnMode::Simultaneous;
            rules.extend(parts(precondition, is_read_then, change));
        }
    }
    for change in model.tick.iter().flatten() {
        rules.extend(parts(&Formula::True, true, change));
    }
    rules.extend(model.timers.iter().map(|timer| {
        let live = Formula::Not(Box::new(Formula::Fact(timer.variable, 0)));
        Rule {
            ends: (!timer.every_tick).then_some(timer.variable),
            ..Rule::new(&live, true, &timer.change)
        }
    }));
    rules
}

/// A rule for each part of a change that does not see what another writes, and for each of its
/// cases by the value of a variable: so few of them are applied again when little has grown.
fn parts(condition: &Formula, is_read_then: bool, change: &Change) -> Vec<Rule> {
    match change {
        Change::Block { changes, .. } => changes
            .iter()
            .flat_map(|change| parts(condition, is_read_then, change))
            .collect(),
        Change::Switch(variable, arms) => arms
            .iter()
            .map(|(set, change)| {
                let mut rule = Rule::new(condition, is_read_then, change);
                rule.reads.push(*variable);
                rule.case = Some((*variable, set.clone()));
                rule
            })
            .collect(),
        _ => vec![Rule::new(condition, is_read_then, change)],
    }
}

impl Rule {
    fn new(condition: &Formula, is_read_then: bool, change: &Change) -> Self {
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        condition.reads(&mut |variable| reads.push(variable));
        change.reads(&mut |variable| reads.push(variable));
        change.writes(&mut |variable| writes.push(variable));
        for variables in [&mut reads, &mut writes] {
            variables.sort_unstable();
            variables.dedup();
        }
        Self {
            condition: condition.clone(),
            is_read_then,
            case: None,
            ends: None,
            change: change.clone(),
            reads,
            writes,
            given: FxHashMap::default(),
        }
    }

    /// Adds what it gives to a row. `None` if that is too much work.
    fn give(&mut self, progression: &mut Progression, row: &mut [u64]) -> Option<()> {
        let domains = progression.domains;
        let key = self.reads.iter().flat_map(|&read| domains.get(row, read));
        let key: Box<[u64]> = key.copied().collect();
        if !self.given.contains_key(&key) {
            let parts = self.apply(progression, row);
            if progression.has_overflowed {
                return None;
            }
            if self.given.len() >= MOST_REMEMBERED {
                self.given.clear();
            }
            self.given.insert(key.clone(), self.join(domains, &parts));
        }
        let mut given = &*self.given[&key];
        for &variable in &self.writes {
            let set = domains.get_mut(row, variable);
            let (more, others) = given.split_at(set.len());
            for (word, more) in set.iter_mut().zip(more) {
                *word |= more;
            }
            given = others;
        }
        Some(())
    }

    /// The values that variables are given in some part.
    fn join(&self, domains: &Domains, parts: &[Part]) -> Box<[u64]> {
        let mut given = Vec::new();
        for &variable in &self.writes {
            let mut set = vec![0; domains.size(variable).div_ceil(64) as usize];
            let writes = |part: &&Part| domains.is_marked(&part.row, Mark::Step, variable);
            for part in parts.iter().filter(writes) {
                for (word, more) in set.iter_mut().zip(domains.get(&part.row, variable)) {
                    *word |= more;
                }
            }
            given.append(&mut set);
        }
        given.into()
    }

    /// The results of the rule from a row; none where it cannot happen.
    fn apply(&self, progression: &mut Progression, row: &[u64]) -> Vec<Part> {
        let mut part = Part::new(row.into(), None);
        if progression.truth(&self.condition, Read::Now, &part) == Some(false)
            || self.is_read_then && !progression.assume(&mut part, Read::Now, &self.condition, true)
        {
            return Vec::new();
        }
        if let Some((variable, set)) = &self.case
            && !progression.restrict_to(&mut part, Read::Now, *variable, set)
        {
            return Vec::new();
        }
        if let Some(timer) = self.ends {
            progression.assign(&mut part, timer, 0);
        }
        let mut parts = vec![part];
        progression.apply(&self.change, Read::Now, &mut parts);
        parts
    }
}
