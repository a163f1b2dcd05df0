//! Operators whose effect is the same in every state, as lists of writes.
//!
//! Most operators of most tasks only write constants, and in tasks without delayed effects, events,
//! axioms and a clock nothing else happens in their step.

use std::ops::Range;

use brigade_task::cond::Expr;
use brigade_task::effect::{Effect, Record};
use brigade_task::packed::{PackedOperator, PackedPhase};
use brigade_task::{LogEntry, Masked, OperatorId, PackedTask, State};

/// The effects of operators.
#[derive(Clone)]
pub(crate) struct Effects<'t> {
    task: &'t PackedTask,
    /// Of each operator, where its effect is constant.
    constant: Vec<Option<Constant>>,
    writes: Vec<Masked>,
    log: Vec<LogEntry>,
    is_tick_idle: bool,
}

/// A constant effect: ranges of the lists, and a cost.
#[derive(Clone, Debug)]
struct Constant {
    writes: Range<u32>,
    log: Range<u32>,
    cost: i64,
}

/// The place where the effect of an operator is listed.
#[derive(Clone, Copy)]
struct Place<'o> {
    /// The conditions that hold before.
    tests: &'o [Masked],
    /// Its first write.
    first: usize,
}

/// The record of a step besides the changes of the state.
#[derive(Clone, Copy)]
pub(crate) struct Recorded<'a> {
    pub log: &'a [LogEntry],
    pub cost: i64,
}

impl<'t> Effects<'t> {
    pub(crate) fn new(task: &'t PackedTask) -> Self {
        let mut effects = Self {
            task,
            constant: Vec::new(),
            writes: Vec::new(),
            log: Vec::new(),
            is_tick_idle: false,
        };
        // Axioms are computed after every change.
        if !task.axioms.layers.is_empty() {
            return effects;
        }
        effects.is_tick_idle = task.clock.is_none()
            && task.packed().tick.iter().all(|phase| match phase {
                PackedPhase::Timers => task.timers.is_empty(),
                PackedPhase::Effect(effect) => effect.is_idle(),
            });
        for operator in &task.packed().operators {
            let constant = effects.constant(operator);
            effects.constant.push(constant);
        }
        effects
    }

    /// Lists an operator's effect if it is constant.
    fn constant(&mut self, operator: &PackedOperator) -> Option<Constant> {
        let (writes, log) = (self.writes.len(), self.log.len());
        let mut cost = 0;
        let place = Place {
            tests: &operator.tests,
            first: writes,
        };
        if !self.list(&operator.effect, place, &mut cost) {
            self.writes.truncate(writes);
            self.log.truncate(log);
            return None;
        }
        Some(Constant {
            writes: writes as u32..self.writes.len() as u32,
            log: log as u32..self.log.len() as u32,
            cost,
        })
    }

    /// Appends an effect to the lists, one write for each word; false if it is not constant.
    fn list(&mut self, effect: &Effect<Masked>, place: Place, cost: &mut i64) -> bool {
        match effect {
            Effect::Nothing | Effect::Total(..) => true,
            Effect::Set(write) => {
                let mut writes = self.writes[place.first..].iter_mut();
                if let Some(earlier) = writes.find(|earlier| earlier.word == write.word) {
                    earlier.mask |= write.mask;
                    earlier.value = earlier.value & !write.mask | write.value;
                } else {
                    self.writes.push(*write);
                }
                true
            }
            // A fact that holds before is deleted, unless something was written there by then.
            Effect::Clear(fact, write) => {
                let mut earlier = self.writes[place.first..].iter();
                let is_as_before =
                    !earlier.any(|it| it.word == fact.word && it.mask & fact.mask != 0);
                let mut tests = place.tests.iter();
                is_as_before
                    && tests.any(|test| test.implies(*fact))
                    && self.list(&Effect::Set(*write), place, cost)
            }
            Effect::Log(entry) => {
                self.log.push(*entry);
                true
            }
            Effect::Cost(Expr::Constant(amount)) => {
                *cost = cost.saturating_add(*amount);
                true
            }
            Effect::Block { effects, .. } | Effect::Seq(effects) => {
                effects.iter().all(|effect| self.list(effect, place, cost))
            }
            _ => false,
        }
    }

    /// Applies an operator, and the tick if it follows; `record` is used where that is not
    /// constant.
    pub(crate) fn step<'a>(
        &'a self,
        operator: OperatorId,
        ticks: bool,
        state: &mut State,
        record: &'a mut Record,
    ) -> Recorded<'a> {
        if let Some(Some(constant)) = self.constant.get(operator.index())
            && (!ticks || self.is_tick_idle)
        {
            for write in &self.writes[constant.writes.start as usize..constant.writes.end as usize]
            {
                write.write(state);
            }
            return Recorded {
                log: &self.log[constant.log.start as usize..constant.log.end as usize],
                cost: constant.cost,
            };
        }
        record.clear();
        self.task.act(state, operator, record);
        if ticks {
            self.task.tick(state, record);
        }
        Recorded {
            log: &record.log,
            cost: record.cost,
        }
    }
}
