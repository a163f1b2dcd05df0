//! The variables of a task as the diagrams see them: with those values only that something writes.

use std::rc::Rc;

use super::diagram::{Cube, Diagram, Space};
use super::order;
use brigade_task::effect::Effect;
use brigade_task::layout::VariableKind;
use brigade_task::{Fact, PackedTask, Phase, Task};

/// The most different outcomes of one action, where a test for each step distinguishes them.
pub(super) const MAX_OUTCOMES: u32 = 1_000;

/// The variables.
pub(super) struct World<'a> {
    pub(super) task: &'a PackedTask,
    pub(super) space: Space,
    /// For each variable the values that it may have, ascending.
    domains: Vec<Rc<[u32]>>,
    /// For each variable its place in the order of the diagrams.
    levels: Vec<u32>,
    /// The variables in that order.
    order: Vec<u32>,
    /// The variables that the task does not have: see [`Extra`].
    pub(super) extras: Vec<Extra>,
}

/// A variable that only the classical form has. It is 0 at the start.
pub(super) struct Extra {
    pub(super) name: String,
    pub(super) size: u32,
}

impl<'a> World<'a> {
    /// The variables of a task and more, in a space of that many runs and so much work.
    pub(super) fn new(
        task: &'a PackedTask,
        extras: Vec<Extra>,
        most_runs: usize,
        work: u64,
    ) -> Self {
        let mut domains = Written::of(task);
        domains.extend(extras.iter().map(|extra| (0..extra.size).collect()));
        domains.push((0..MAX_OUTCOMES).collect());
        let order = order::of_variables(task, domains.len());
        let mut levels = vec![0; order.len()];
        for (level, &variable) in (0..).zip(&order) {
            levels[variable as usize] = level;
        }
        let sizes = order
            .iter()
            .map(|&variable| domains[variable as usize].len() as u32);
        let space = Space::new(sizes.collect(), most_runs, work);
        Self {
            task,
            space,
            domains,
            levels,
            order,
            extras,
        }
    }

    /// An extra variable.
    pub(super) fn extra(&self, index: usize) -> u32 {
        (self.task.variables.len() + index) as u32
    }

    /// A variable of the space, after all others, for what an action may do.
    pub(super) fn outcome(&self) -> u32 {
        self.order.len() as u32 - 1
    }

    /// The values that a variable may have, ascending.
    pub(super) fn domain(&self, variable: u32) -> &Rc<[u32]> {
        &self.domains[variable as usize]
    }

    fn level(&self, variable: u32) -> u32 {
        self.levels[variable as usize]
    }

    /// `variable = value`.
    pub(super) fn fact(&self, variable: u32, value: u32) -> Diagram {
        match self.domain(variable).binary_search(&value) {
            Ok(index) => self.space.fact(self.level(variable), index as u32),
            Err(_) => Diagram::FALSE,
        }
    }

    /// All of these facts.
    pub(super) fn facts(&self, facts: &[Fact]) -> Diagram {
        let mut found = Vec::new();
        for &Fact { variable, value } in facts {
            match self.domain(variable.0).binary_search(&value) {
                Ok(index) => found.push((self.level(variable.0), index as u32)),
                Err(_) => return Diagram::FALSE,
            }
        }
        self.space.facts(found)
    }

    /// The paths of a condition, in values of the task.
    pub(super) fn cubes(&self, diagram: Diagram) -> Vec<Cube> {
        let cubes = self.space.cubes(diagram).into_iter();
        cubes.map(|cube| self.in_values(cube)).collect()
    }

    /// A conjunction of the space, in values of the task.
    pub(super) fn in_values(&self, mut cube: Cube) -> Cube {
        for (variable, set) in &mut cube {
            *variable = self.order[*variable as usize];
            let domain = self.domain(*variable);
            let is_whole = domain
                .last()
                .is_none_or(|last| *last as usize + 1 == domain.len());
            if !is_whole {
                *set = set.iter().map(|value| domain[*value as usize]).collect();
            }
        }
        cube
    }
}

/// The values that are written somewhere.
struct Written {
    /// For each variable and value, whether it is.
    values: Vec<Vec<bool>>,
}

impl Written {
    fn of(task: &Task) -> Vec<Rc<[u32]>> {
        let any = |kind| {
            !matches!(
                kind,
                VariableKind::Facts | VariableKind::Object | VariableKind::Activity
            )
        };
        let values = task.variables.iter().map(|variable| {
            let mut values = vec![any(variable.kind); variable.size as usize];
            if let Some(initial) = values.get_mut(variable.get(&task.initial) as usize) {
                *initial = true;
            }
            values
        });
        let mut written = Self {
            values: values.collect(),
        };
        for operator in &task.operators {
            written.effect(&operator.effect);
        }
        for timer in &task.timers {
            written.effect(&timer.effect);
        }
        for phase in &task.tick {
            if let Phase::Effect { effect, .. } = phase {
                written.effect(effect);
            }
        }
        let domain = |values: Vec<bool>| {
            let values = (0_u32..).zip(values);
            values
                .filter_map(|(value, is)| is.then_some(value))
                .collect()
        };
        written.values.into_iter().map(domain).collect()
    }

    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Nothing
            | Effect::Log(_)
            | Effect::Cost(_)
            | Effect::Total(..)
            | Effect::Enlist(_) => {}
            Effect::Set(fact) | Effect::Clear(_, fact) => {
                self.values[fact.variable.index()][fact.value as usize] = true;
            }
            Effect::Number(variable, _) | Effect::Increase(variable, _) => {
                self.values[variable.index()].fill(true);
            }
            Effect::Copy(to, _, table) => {
                for value in table.iter().flatten() {
                    self.values[to.index()][*value as usize] = true;
                }
            }
            Effect::Block { effects, .. } | Effect::Seq(effects) | Effect::Switch(_, effects) => {
                effects.iter().for_each(|effect| self.effect(effect));
            }
            Effect::When(_, effect) => self.effect(effect),
            Effect::Case(cases, otherwise) => {
                cases.iter().for_each(|(_, effect)| self.effect(effect));
                self.effect(otherwise);
            }
            Effect::Choose(candidates, otherwise) => {
                candidates
                    .iter()
                    .for_each(|candidate| self.effect(&candidate.effect));
                self.effect(otherwise);
            }
        }
    }
}
