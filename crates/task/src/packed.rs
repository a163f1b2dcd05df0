//! A task with its conditions and effects packed, as `step` and search run it.

use std::ops::Deref;

use super::atom::Masked;
use super::cond::{Cond, Expr};
use super::effect::Effect;
use super::pack::Packer;
use super::{Announced, Operator, OperatorId, Phase, Task, Timer, VarId};

/// A task that can be run: the readable [`Task`], and what is evaluated in every step over masked bits of
/// the state. The two do not come apart: to change a task, change the readable one and pack it again.
#[derive(Clone, Debug)]
pub struct PackedTask {
    task: Task,
    packed: Packed,
}

/// The packed parts of a task, in the order of the readable ones.
#[derive(Clone, Debug)]
pub struct Packed {
    /// As [`Task::operators`].
    pub operators: Vec<PackedOperator>,
    /// As [`Task::tick`].
    pub tick: Vec<PackedPhase>,
    /// As [`Task::timers`].
    pub timers: Vec<PackedTimer>,
    /// The rules of each layer of [`Task::axioms`]: `(body, head)`.
    pub rules: Vec<Vec<(Cond<Masked>, VarId)>>,
    /// As [`Task::goal`].
    pub goal: Option<Cond<Masked>>,
    /// As [`Task::fail`].
    pub fail: Cond<Masked>,
    /// As [`Task::end`].
    pub end: Cond<Masked>,
}

/// An [`Operator`], packed.
#[derive(Clone, Debug)]
pub struct PackedOperator {
    /// The facts of the precondition, a test for each word.
    pub tests: Box<[Masked]>,
    /// The rest of the precondition.
    pub guard: Cond<Masked>,
    /// Its weight, where nature draws it.
    pub weight: Option<Expr<Masked>>,
    /// Its effect.
    pub effect: Effect<Masked>,
}

/// A [`Phase`], packed.
#[derive(Clone, Debug)]
pub enum PackedPhase {
    /// Delayed effects advance.
    Timers,
    /// An effect.
    Effect(Effect<Masked>),
}

/// A [`Timer`], packed.
#[derive(Clone, Debug)]
pub struct PackedTimer {
    /// The remaining ticks.
    pub variable: VarId,
    /// It advances only where this holds.
    pub runs_while: Cond<Masked>,
    /// It is dropped where this holds.
    pub dropped_when: Cond<Masked>,
    /// It applies at every tick.
    pub every_tick: bool,
    /// The effect when it is due, or at every tick.
    pub effect: Effect<Masked>,
}

impl Deref for PackedTask {
    type Target = Task;

    fn deref(&self) -> &Task {
        &self.task
    }
}

impl PackedTask {
    /// Packs a task, and completes its initial state by what is derived.
    pub fn new(task: Task) -> Self {
        let packed = Packed::new(&task);
        let mut made = Self { task, packed };
        let mut initial = std::mem::take(&mut made.task.initial);
        made.derive(&mut initial);
        made.task.initial = initial;
        made
    }

    /// The same task with something changed.
    #[must_use]
    pub fn changed(&self, change: impl FnOnce(&mut Task)) -> Self {
        let mut task = self.task.clone();
        change(&mut task);
        Self::new(task)
    }

    /// The packed parts.
    pub const fn packed(&self) -> &Packed {
        &self.packed
    }

    /// An operator, packed.
    pub fn packed_operator(&self, operator: OperatorId) -> &PackedOperator {
        &self.packed.operators[operator.index()]
    }

    /// The task as agents know it, at any time: without the facts that come unannounced. Those that have come are
    /// in its states, which are the same. `None` where all is announced.
    pub fn as_announced(&self) -> Option<Self> {
        if self.announced.is_empty() {
            return None;
        }
        Some(self.changed(|known| {
            for Announced { phase, effect } in known.announced.drain(..) {
                if let Phase::Effect { effect: all, .. } = &mut known.tick[phase] {
                    *all = effect;
                }
            }
        }))
    }
}

impl Packed {
    fn new(task: &Task) -> Self {
        let packer = Packer(&task.variables);
        let operators = task.operators.iter();
        let layers = task.axioms.layers.iter();
        Self {
            operators: operators
                .map(|operator| PackedOperator::new(packer, operator))
                .collect(),
            tick: (task.tick.iter())
                .map(|phase| match phase {
                    Phase::Timers => PackedPhase::Timers,
                    Phase::Effect { effect, .. } => PackedPhase::Effect(packer.effect(effect)),
                })
                .collect(),
            timers: (task.timers.iter())
                .map(|timer| PackedTimer::new(packer, timer))
                .collect(),
            rules: layers
                .map(|layer| {
                    let rules = layer.rules.iter();
                    rules
                        .map(|(body, head)| (packer.cond(body), *head))
                        .collect()
                })
                .collect(),
            goal: task.goal.as_ref().map(|goal| packer.cond(goal)),
            fail: packer.cond(&task.fail),
            end: packer.cond(&task.end),
        }
    }
}

impl PackedOperator {
    fn new(packer: Packer<'_>, operator: &Operator) -> Self {
        // Facts that contradict each other stay apart: they never hold.
        let tests = packer.facts(&operator.facts).unwrap_or_else(|| {
            let facts = operator.facts.iter();
            facts.map(|&fact| packer.fact(fact)).collect()
        });
        Self {
            tests: tests.into(),
            guard: packer.cond(&operator.guard),
            weight: operator.weight.as_ref().map(|weight| packer.expr(weight)),
            effect: packer.effect(&operator.effect),
        }
    }
}

impl PackedTimer {
    fn new(packer: Packer<'_>, timer: &Timer) -> Self {
        Self {
            variable: timer.variable,
            runs_while: packer.cond(&timer.runs_while),
            dropped_when: packer.cond(&timer.dropped_when),
            every_tick: timer.every_tick,
            effect: packer.effect(&timer.effect),
        }
    }
}
