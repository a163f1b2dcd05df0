//! The cases of all parts of a step.

use super::groups::Groups;
use super::mutexes::Mutexes;
use super::transitions::{Case, TooMany, Transitions};
use crate::control::Control;
use crate::heuristics::cartesian::model::Model;
use brigade_task::TurnMode;

/// The cases of all parts of a step.
#[derive(Default)]
pub(crate) struct Cases {
    /// For each agent those of its operators.
    pub(crate) agents: Vec<Vec<Case>>,
    /// Those of each part of the tick.
    pub(crate) tick: Vec<Vec<Case>>,
}

impl Cases {
    /// Finds them. Variables of parts with too many cases are no longer distinguished.
    ///
    /// `None` once `control` says stop.
    pub(crate) fn new(
        model: &Model,
        distinguished: &mut [bool],
        classes: &[Vec<Box<[u64]>>],
        control: &dyn Control,
    ) -> Option<Self> {
        loop {
            let mut finder = Finder {
                model,
                distinguished,
                transitions: Transitions::new(model, distinguished, classes),
                blurred: Vec::new(),
                control,
            };
            let agents = finder.agents()?;
            let tick = finder.tick()?;
            let blurred = finder.blurred;
            if blurred.is_empty() {
                return Some(Self { agents, tick });
            }
            for variable in blurred {
                distinguished[variable as usize] = false;
            }
        }
    }

    /// All cases.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Case> {
        self.agents.iter().chain(&self.tick).flatten()
    }

    /// Those that can be, of each the values before that can be, and what becomes of groups.
    ///
    /// `None` once `control` says stop.
    pub(crate) fn narrow(
        &mut self,
        model: &Model,
        mutexes: Option<&Mutexes>,
        groups: &Groups,
        control: &dyn Control,
    ) -> Option<()> {
        let sizes = |variable: u32| model.domains.size(variable);
        let mut is_stopped = false;
        for cases in self.agents.iter_mut().chain(&mut self.tick) {
            cases.retain_mut(|case| {
                is_stopped = is_stopped || control.stop().is_some();
                if is_stopped {
                    return true;
                }
                let can_be = mutexes.is_none_or(|found| found.narrow(case));
                can_be && groups.add_to(case, &sizes)
            });
        }
        (!is_stopped).then_some(())
    }
}

/// Finds the cases of parts, and notes the variables written by those that have too many.
struct Finder<'a, 't> {
    model: &'a Model<'t>,
    distinguished: &'a [bool],
    transitions: Transitions<'a, 't>,
    blurred: Vec<u32>,
    control: &'a dyn Control,
}

impl Finder<'_, '_> {
    fn go_on(&self) -> Option<()> {
        self.control.stop().is_none().then_some(())
    }

    fn agents(&mut self) -> Option<Vec<Vec<Case>>> {
        let model = self.model;
        let written: Vec<Vec<bool>> = model
            .task
            .agents
            .iter()
            .map(|agent| {
                let mut written = vec![false; model.domains.len() as usize];
                for operator in &agent.operators {
                    let (_, change) = &model.operators[operator.index()];
                    change.writes(&mut |variable| written[variable as usize] = true);
                }
                written
            })
            .collect();
        let mut found = Vec::new();
        for (index, agent) in model.task.agents.iter().enumerate() {
            let is_shared = |variable: u32| {
                let mut all = written.iter().enumerate();
                model.task.turns == TurnMode::Simultaneous
                    && all.any(|(other, written)| other != index && written[variable as usize])
            };
            let mut own = Vec::new();
            for operator in &agent.operators {
                self.go_on()?;
                let (precondition, change) = &model.operators[operator.index()];
                let cases = self.transitions.operator(precondition, change, is_shared);
                own.append(&mut self.note(cases, change.written()));
            }
            found.push(own);
        }
        Some(found)
    }

    fn tick(&mut self) -> Option<Vec<Vec<Case>>> {
        let model = self.model;
        let groups = Groups::new(model.task, self.distinguished, None, &[]);
        let mut found = Vec::new();
        for change in &model.tick {
            let Some(change) = change else {
                for timer in &model.timers {
                    self.go_on()?;
                    let cases = self.transitions.timer(timer);
                    let mut written = timer.change.written();
                    written.push(timer.variable);
                    found.push(self.note(cases, written));
                }
                continue;
            };
            let mut parts = change.independent_parts();
            if groups.are_shared(&parts) {
                parts = vec![change];
            }
            for part in parts {
                self.go_on()?;
                let cases = self.transitions.effect(part);
                found.push(self.note(cases, part.written()));
            }
        }
        Some(found)
    }

    /// The cases of a part that writes these variables.
    fn note(&mut self, found: Result<Vec<Case>, TooMany>, written: Vec<u32>) -> Vec<Case> {
        found.unwrap_or_else(|TooMany| {
            let written = written.into_iter();
            self.blurred
                .extend(written.filter(|&it| self.distinguished[it as usize]));
            // It changes nothing that has potentials, but it can be chosen.
            vec![Case::idle()]
        })
    }
}
