//! What can be brought about if every variable may keep every value that it has once had.
//!
//! Cartesian sets of values are closed under operators, timers and the tick: the delete relaxation
//! (J. Hoffmann and B. Nebel, "The FF planning system", JAIR 14, 2001) without a count of layers.

use super::change::Change;
use super::domains::{Mark, insert, values};
use super::formula::Formula;
use super::interpret::{Interpreter, Part, Read};
use super::model::Model;
use super::numbering::{Classes, trivial_classes};
use super::sphere::Fact;
use crate::task::TurnMode;

/// Rounds of a closure, at most.
const MOST_ROUNDS: usize = 1000;

/// What some agents can bring about.
pub(super) struct Closure {
    rules: Vec<Rule>,
    everything: Vec<bool>,
    classes: Classes,
}

/// Something that can happen.
struct Rule {
    condition: Formula,
    /// Whether the condition holds when the change is made, and not only when the step began.
    is_read_then: bool,
    /// A timer that ends before the change is made.
    ends: Option<u32>,
    change: Change,
    /// The variables that the condition and the change read.
    reads: Vec<u32>,
}

impl Closure {
    pub(super) fn new(model: &Model, agents: &[usize]) -> Self {
        Self {
            rules: rules(model, agents),
            everything: vec![true; model.task.variables.len()],
            classes: trivial_classes(model),
        }
    }

    /// Closes a row; facts `without` never come true. `None` if that is too much work.
    pub(super) fn close(
        &self,
        model: &Model,
        row: &mut Box<[u64]>,
        without: &[Fact],
    ) -> Option<()> {
        let mut has_grown = self.everything.clone();
        self.round(model, row, &mut has_grown, without, true)?;
        self.rounds(model, row, has_grown, without)
    }

    /// Closes a row that was closed before some variables got more values.
    pub(super) fn reclose(&self, model: &Model, row: &mut Box<[u64]>, grown: &[u32]) -> Option<()> {
        let mut has_grown = vec![false; self.everything.len()];
        for &variable in grown {
            has_grown[variable as usize] = true;
        }
        self.rounds(model, row, has_grown, &[])
    }

    /// Whether something can happen in a row that brings one of these facts about.
    pub(super) fn may_give(&self, model: &Model, row: &[u64], facts: &[Fact]) -> bool {
        let mut interpreter = self.interpreter(model);
        self.rules.iter().any(|rule| {
            let parts = apply(rule, &mut interpreter, row);
            let gives = |&(variable, value): &Fact| {
                parts.iter().any(|part| {
                    model.domains.is_marked(&part.row, Mark::Step, variable)
                        && model.domains.contains(&part.row, variable, value)
                })
            };
            interpreter.has_overflowed || facts.iter().any(gives)
        })
    }

    fn interpreter<'a>(&'a self, model: &'a Model) -> Interpreter<'a> {
        Interpreter {
            domains: &model.domains,
            told_apart: &self.everything,
            shifting: &[],
            actual: &[],
            variables: &model.task.variables,
            classes: &self.classes,
            negated: model.negated,
            work: 0,
            has_overflowed: false,
        }
    }

    fn rounds(
        &self,
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
        &self,
        model: &Model,
        row: &mut Box<[u64]>,
        has_grown: &mut [bool],
        without: &[Fact],
        is_first: bool,
    ) -> Option<()> {
        let domains = &model.domains;
        let mut interpreter = self.interpreter(model);
        let before = row.clone();
        for rule in &self.rules {
            let reads_grown = |&read: &u32| has_grown[read as usize];
            if !is_first && !rule.reads.iter().any(reads_grown) {
                continue;
            }
            let parts = apply(rule, &mut interpreter, row);
            if interpreter.has_overflowed {
                return None;
            }
            for part in &parts {
                for (word, more) in row.iter_mut().zip(&part.row) {
                    *word |= more;
                }
            }
            super::sphere::remove(model, row, without);
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

/// What a rule leads to from a row; nothing where it cannot happen.
fn apply(rule: &Rule, interpreter: &mut Interpreter, row: &[u64]) -> Vec<Part> {
    let mut part = Part::new(row.into(), None);
    if interpreter.truth(&rule.condition, Read::Now, &part) == Some(false)
        || rule.is_read_then && !interpreter.assume(&mut part, Read::Now, &rule.condition, true)
    {
        return Vec::new();
    }
    if let Some(timer) = rule.ends {
        interpreter.assign(&mut part, timer, 0);
    }
    let mut parts = vec![part];
    interpreter.apply(&rule.change, Read::Now, &mut parts);
    parts
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
    let rule = |condition: &Formula, change: &Change| {
        let mut reads = Vec::new();
        condition.reads(&mut |variable| reads.push(variable));
        change.reads(&mut |variable| reads.push(variable));
        reads.sort_unstable();
        reads.dedup();
        Rule {
            condition: condition.clone(),
            is_read_then: true,
            ends: None,
            change: change.clone(),
            reads,
        }
    };
    let mut rules = Vec::new();
    for &agent in agents {
        for &operator in &model.task.agents[agent].operators {
            let (precondition, change) = &model.operators[operator.index()];
            rules.push(Rule {
                is_read_then: model.task.turns != TurnMode::Simultaneous,
                ..rule(precondition, change)
            });
        }
    }
    let effects = model.tick.iter().flatten();
    rules.extend(effects.map(|change| rule(&Formula::True, change)));
    rules.extend(model.timers.iter().map(|timer| {
        let live = Formula::Not(Box::new(Formula::Fact(timer.variable, 0)));
        Rule {
            ends: (!timer.every_tick).then_some(timer.variable),
            ..rule(&live, &timer.change)
        }
    }));
    rules
}
