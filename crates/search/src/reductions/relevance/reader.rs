//! The variables that are read where a fact holds.

use super::effects::each_leaf;
use super::facts::{Permanent, Variables};
use super::given::Given;
use brigade_task::cond::Cond;
use brigade_task::effect::Effect;
use brigade_task::{Operator, Phase, Task};

/// A part of the task that reads variables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Site {
    Operator(usize),
    Timer(usize),
    Phase(usize),
    /// The goal, losing states and ends, the bodies of axioms.
    Conditions,
}

pub(super) fn sites(task: &Task) -> impl Iterator<Item = Site> {
    let operators = (0..task.operators.len()).map(Site::Operator);
    let timers = (0..task.timers.len()).map(Site::Timer);
    let phases = (0..task.tick.len()).map(Site::Phase);
    let all = operators.chain(timers).chain(phases);
    all.chain([Site::Conditions])
}

/// Finds what is read where a fact holds, but by effects that only write some variables.
pub(super) struct Reader<'f> {
    task: &'f Task,
    given: Given,
    /// The variables whose writing makes no difference.
    ignored: &'f Variables,
    pub(super) read: Variables,
    /// Parts of effects looked at.
    pub(super) work: usize,
}

impl<'f> Reader<'f> {
    /// Reads all of the task, less what a fact leaves out, if one is given.
    pub(super) fn new(task: &'f Task, fact: Option<Permanent>, ignored: &'f Variables) -> Self {
        Self {
            task,
            given: Given { fact },
            ignored,
            read: Variables::new(),
            work: 0,
        }
    }

    pub(super) fn site(&mut self, site: Site) {
        let task = self.task;
        match site {
            Site::Operator(index) => self.operator(&task.operators[index]),
            Site::Timer(index) => {
                let timer = &task.timers[index];
                if self.makes_no_difference(&timer.effect) {
                    if self.ignored.contains(&timer.variable) && self.given.fact.is_some() {
                        return;
                    }
                } else {
                    self.read.insert(timer.variable);
                }
                self.cond(&timer.dropped_when);
                self.cond(&timer.runs_while);
                self.effect(&timer.effect);
            }
            Site::Phase(index) => {
                if let Phase::Effect { effect, .. } = &task.tick[index] {
                    self.effect(effect);
                }
            }
            Site::Conditions => {
                for cond in task.goal.iter().chain([&task.fail, &task.end]) {
                    self.cond(cond);
                }
                let rules = task.axioms.layers.iter().flat_map(|layer| &layer.rules);
                rules.for_each(|(body, _)| self.cond(body));
            }
        }
    }

    fn operator(&mut self, operator: &Operator) {
        let given = self.given;
        let mut truths = operator.facts.iter().map(|&fact| given.truth_of_fact(fact));
        if truths.any(|truth| truth == Some(false)) {
            return;
        }
        for fact in &operator.facts {
            self.cond(&Cond::Fact(*fact));
        }
        self.cond(&operator.guard);
        self.effect(&operator.effect);
    }

    fn cond(&mut self, cond: &Cond) {
        self.work += 1;
        self.given.reads(cond, &mut self.read);
    }

    /// Returns whether an effect writes nothing but what makes no difference.
    fn makes_no_difference(&mut self, effect: &Effect) -> bool {
        let Some(fact) = self.given.fact else {
            return false;
        };
        let mut is_so = true;
        let mut leaves = 0;
        each_leaf(effect, &mut |leaf| {
            leaves += 1;
            is_so &= match leaf {
                Effect::Nothing => true,
                Effect::Set(it) | Effect::Clear(_, it) => {
                    *it == fact || self.ignored.contains(&it.variable)
                }
                Effect::Number(id, _) | Effect::Increase(id, _) | Effect::Copy(id, ..) => {
                    self.ignored.contains(id)
                }
                _ => false,
            };
        });
        self.work += leaves;
        is_so
    }

    fn effect(&mut self, effect: &Effect) {
        self.work += 1;
        if self.makes_no_difference(effect) {
            return;
        }
        let given = self.given;
        match effect {
            Effect::Nothing
            | Effect::Set(_)
            | Effect::Enlist(_)
            | Effect::Log(_)
            | Effect::Total(..) => {}
            Effect::Clear(fact, _) => self.cond(&Cond::Fact(*fact)),
            Effect::Number(_, expr) | Effect::Cost(expr) => {
                given.reads_of(expr, &mut self.read);
            }
            Effect::Increase(id, expr) => {
                self.read.insert(*id);
                given.reads_of(expr, &mut self.read);
            }
            Effect::Copy(_, from, _) => {
                self.read.insert(*from);
            }
            Effect::Block { effects, .. } | Effect::Seq(effects) => {
                effects.iter().for_each(|effect| self.effect(effect));
            }
            Effect::When(cond, effect) => {
                if given.truth(cond) != Some(false) {
                    self.cond(cond);
                    self.effect(effect);
                }
            }
            Effect::Case(cases, otherwise) => {
                for (cond, effect) in cases {
                    self.cond(cond);
                    self.effect(effect);
                }
                self.effect(otherwise);
            }
            Effect::Switch(id, effects) => match given.fact {
                Some(fact) if fact.variable == *id => self.effect(&effects[fact.value as usize]),
                _ => {
                    self.read.insert(*id);
                    effects.iter().for_each(|effect| self.effect(effect));
                }
            },
            Effect::Choose(candidates, otherwise) => {
                for candidate in candidates {
                    self.cond(&candidate.cond);
                    for key in &candidate.keys {
                        given.reads_of(key, &mut self.read);
                    }
                    self.effect(&candidate.effect);
                }
                self.effect(otherwise);
            }
        }
    }
}
