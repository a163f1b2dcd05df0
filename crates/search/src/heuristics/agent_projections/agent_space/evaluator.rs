//! The evaluator of stages in abstract states of one agent.

use rustc_hash::FxHashMap;

use super::stage::{Guard, Kind, Outcome, Stage, least_outcomes};
use crate::heuristics::abstractions::stepping::Stepping;
use crate::heuristics::agent_projections::red_black_task::RedBlackTask;
use crate::heuristics::agent_projections::red_facts::RED_BITS;
use crate::heuristics::cartesian::change::Change;
use crate::heuristics::cartesian::domains::{contains, insert, is_empty};
use crate::heuristics::cartesian::facts::{Fact, is_brought_about, remove};
use crate::heuristics::cartesian::formula::Formula;
use crate::heuristics::cartesian::model::{Model, Reduced};
use crate::heuristics::cartesian::numbering::{Classes, Field, Number, Numbering, TooLarge};
use crate::heuristics::cartesian::progression::{Part, Progression, Read};

/// More outcomes of one stage than this are not listed.
const MOST_OUTCOMES: usize = 1 << 16;

/// The effort of following a part of an effect, in steps between abstract states, about.
const WORK_PER_PART: u64 = 8;

/// The evaluator of stages: the task as the agent sees it, and what was computed of it.
pub(super) struct StageEvaluator<'a, 't> {
    pub(super) model: &'a Model<'t>,
    pub(super) red_black: &'a mut RedBlackTask,
    pub(super) numbering: Numbering,
    is_distinguished: Vec<bool>,
    /// The row in which every variable may have every value.
    anything: Box<[u64]>,
    pub(super) reduced: Reduced,
    /// Sets of facts that can be handed over in one step.
    handed: Vec<Box<[Fact]>>,
    handed_ids: FxHashMap<Box<[Fact]>, u32>,
    /// The red set after one, and after something has been handed over.
    red_set_after: FxHashMap<(u32, u32), u32>,
    pub(super) work: u64,
}

impl<'a, 't> StageEvaluator<'a, 't> {
    /// `classes` distinguishes variables that are the agent's own.
    pub(super) fn new(
        model: &'a Model<'t>,
        red_black: &'a mut RedBlackTask,
        classes: Classes,
    ) -> Result<Self, TooLarge> {
        let own = classes.iter().map(|classes| classes.len() > 1);
        let is_distinguished: Vec<bool> = own
            .zip(&red_black.concerns)
            .map(|(is_own, concerns)| is_own || *concerns)
            .collect();
        let mut anything = vec![0; model.domains.row_words()];
        for variable in 0..model.domains.len() {
            model.domains.forget(&mut anything, variable);
        }
        Ok(Self {
            reduced: model.reduced(&is_distinguished),
            numbering: Numbering::new(model, classes, RED_BITS)?,
            is_distinguished,
            anything: anything.into(),
            handed: vec![Box::default()],
            handed_ids: std::iter::once((Box::default(), 0)).collect(),
            red_set_after: FxHashMap::default(),
            work: 0,
            model,
            red_black,
        })
    }
}

impl StageEvaluator<'_, '_> {
    /// A change by the value of a variable, where it hangs on one that is the agent's own.
    pub(super) fn cases(&self, change: &Change) -> Vec<(Option<Guard>, Change)> {
        let whole = || vec![(None, change.clone())];
        let Change::Switch(variable, arms) = change else {
            return whole();
        };
        let Some(field) = self.numbering.field(*variable) else {
            return whole();
        };
        let classes = &self.numbering.classes[*variable as usize];
        let meets = |arm: &[u64], class: &[u64]| arm.iter().zip(class).any(|(a, b)| a & b != 0);
        let cases = arms.iter().map(|(arm, change)| {
            let classes = classes.iter().map(|class| meets(arm, class)).collect();
            let arm = arm.clone();
            let guard = Guard {
                field,
                classes,
                arm,
            };
            (Some(guard), change.clone())
        });
        cases.collect()
    }

    /// The facts about the agent's own variables that a condition requires.
    pub(super) fn require(&self, formula: &Formula, guards: &mut Vec<Guard>) {
        match formula {
            Formula::All(formulas) => {
                for formula in formulas {
                    self.require(formula, guards);
                }
            }
            &Formula::Fact(variable, value) => {
                let Some(field) = self.numbering.field(variable) else {
                    return;
                };
                let classes = self.numbering.classes[variable as usize].iter();
                let classes: Vec<bool> = classes.map(|class| contains(class, value)).collect();
                let mut arm = vec![0; self.model.domains.get(&self.anything, variable).len()];
                insert(&mut arm, value);
                guards.push(Guard {
                    field,
                    classes,
                    arm: arm.into(),
                });
            }
            _ => {}
        }
    }

    pub(super) fn stage(&self, guards: Vec<Guard>, kind: Kind) -> Stage {
        let mut variables = Vec::new();
        let mut visit = |variable: u32| variables.push(variable);
        match &kind {
            Kind::Choice(group) => {
                group.precondition.reads(&mut visit);
                group.change.reads(&mut visit);
                group.change.writes(&mut visit);
            }
            Kind::Effect(change) => {
                change.reads(&mut visit);
                change.writes(&mut visit);
            }
            Kind::Timers => {
                for timer in &self.reduced.timers {
                    visit(timer.variable);
                    timer.runs_while.reads(&mut visit);
                    timer.dropped_when.reads(&mut visit);
                    timer.change.reads(&mut visit);
                    timer.change.writes(&mut visit);
                }
            }
            Kind::Clock => {
                if let Some(clock) = self.model.task.clock {
                    visit(clock.0);
                }
            }
            Kind::Possible(formula) => formula.reads(&mut visit),
        }
        variables.sort_unstable();
        variables.dedup();
        let fields = variables
            .iter()
            .filter_map(|&variable| self.numbering.field(variable));
        let fields: Vec<Field> = fields.collect();
        let is_red = |&variable: &u32| self.red_black.concerns[variable as usize];
        Stage {
            guards,
            kind,
            mask: fields.iter().fold(0, |mask, field| mask | field.mask),
            fields,
            red: variables.into_iter().filter(is_red).collect(),
            red_ids: Vec::new(),
            red_rows: FxHashMap::default(),
            ranges: FxHashMap::default(),
            outcomes: Vec::new(),
        }
    }

    /// The outcomes of a stage where its fields have these classes, with the landmarks that they
    /// need.
    pub(super) fn evaluate(
        &mut self,
        stage: &Stage,
        number: Number,
        red_set: u32,
    ) -> Result<Vec<Outcome>, TooLarge> {
        let Some(row) = self.row(stage, number, red_set) else {
            return Ok(Vec::new());
        };
        let mut outcomes = self.outcomes(stage, &row, None)?;
        least_outcomes(&mut outcomes);
        for landmark in 0..self.red_black.landmarks.len() {
            self.note_needs(stage, &row, landmark, &mut outcomes)?;
        }
        Ok(outcomes)
    }

    /// Notes which outcomes a stage has from a row only where a landmark of the agent is there, and
    /// with which the agent brings it about itself.
    fn note_needs(
        &mut self,
        stage: &Stage,
        row: &[u64],
        landmark: usize,
        outcomes: &mut [Outcome],
    ) -> Result<(), TooLarge> {
        let (bit, shown) = &self.red_black.landmarks[landmark];
        let bit = *bit;
        let is_seen = |&(variable, value): &Fact| {
            stage.red.contains(&variable) && self.model.domains.contains(row, variable, value)
        };
        let seen: Vec<Fact> = shown.iter().copied().filter(is_seen).collect();
        if seen.is_empty() && !stage.brings_about(shown) {
            return Ok(());
        }
        let mut without = row.to_vec();
        remove(self.model, &mut without, &seen);
        let without = self.outcomes(stage, &without, Some(landmark))?;
        // Without it no more can be handed over than with it.
        for outcome in outcomes {
            let is_same = |other: &&Outcome| other.number == outcome.number;
            let same = without.iter().filter(is_same);
            match same
                .map(|other| other.achieves & bit)
                .reduce(|all, bit| all | bit)
            {
                Some(achieved) => outcome.achieves |= achieved,
                None => outcome.needs |= bit,
            }
        }
        Ok(())
    }

    /// The row in which the fields of a stage have these classes, and its red variables the values
    /// of a red set; `None` if the stage does not apply there.
    fn row(&self, stage: &Stage, number: Number, red_set: u32) -> Option<Box<[u64]>> {
        let model = self.model;
        let mut row = self.anything.clone();
        for &field in &stage.fields {
            let class = self.numbering.class(number, field);
            model
                .domains
                .get_mut(&mut row, field.variable)
                .copy_from_slice(class);
        }
        for guard in &stage.guards {
            let set = model.domains.get_mut(&mut row, guard.field.variable);
            for (word, kept) in set.iter_mut().zip(&guard.arm) {
                *word &= kept;
            }
            if is_empty(set) {
                return None;
            }
        }
        self.red_black.look(model, red_set, &stage.red, &mut row);
        Some(row)
    }

    /// The outcomes of a stage from a row; `achieves` includes the landmark of that index.
    fn outcomes(
        &mut self,
        stage: &Stage,
        row: &[u64],
        landmark: Option<usize>,
    ) -> Result<Vec<Outcome>, TooLarge> {
        let model = self.model;
        let mut progression = Progression {
            shifting: &self.red_black.is_red,
            ..Progression::new(model, &self.is_distinguished, &self.numbering.classes)
        };
        let stepping = Stepping::new(model, &self.reduced);
        let mut parts = vec![Part::new(row.into(), None)];
        match &stage.kind {
            Kind::Choice(group) => {
                parts = stepping.choose(&mut progression, group, row, &parts[0]);
            }
            Kind::Effect(change) => progression.apply(change, Read::Now, &mut parts),
            Kind::Timers => stepping.advance(&mut progression, &mut parts),
            Kind::Clock => stepping.pass(&progression, &mut parts),
            Kind::Possible(formula) => {
                parts.retain(|part| progression.truth(formula, Read::Now, part) != Some(false));
            }
        }
        self.work += progression.work * WORK_PER_PART;
        if progression.has_overflowed {
            return Err(TooLarge);
        }
        let mut outcomes = Vec::new();
        for part in &parts {
            let (handed, achieves) = match stage.kind {
                Kind::Choice(_) => self.given(stage, &part.row, landmark),
                _ => (0, 0),
            };
            let numbers = self
                .numbering
                .meeting(model, &stage.fields, &part.row, MOST_OUTCOMES)?;
            outcomes.extend(numbers.into_iter().map(|number| Outcome {
                number,
                handed,
                achieves,
                needs: 0,
                cost: part.cost,
                labels: part.labels,
            }));
            if outcomes.len() > MOST_OUTCOMES {
                return Err(TooLarge);
            }
        }
        self.work += outcomes.len() as u64;
        Ok(outcomes)
    }

    /// The facts that the agent hands over by its choice, and the landmarks that it achieves.
    fn given(&mut self, stage: &Stage, row: &[u64], landmark: Option<usize>) -> (u32, u64) {
        let facts = RedBlackTask::handed_over(self.model, &stage.red, row);
        let handed = self.handed_id(facts);
        let mut achieves = self.red_black.achieved(self.model, row);
        if let Some(index) = landmark {
            let (bit, facts) = &self.red_black.landmarks[index];
            let mut facts = facts.iter();
            if facts.any(|&fact| is_brought_about(self.model, row, fact)) {
                achieves |= bit;
            }
        }
        (handed, achieves)
    }

    fn handed_id(&mut self, facts: Vec<Fact>) -> u32 {
        let next = self.handed.len() as u32;
        let facts: Box<[Fact]> = facts.into();
        let id = *self.handed_ids.entry(facts.clone()).or_insert(next);
        if id == next {
            self.handed.push(facts);
        }
        id
    }

    /// The red set once something has been handed over.
    pub(super) fn learn(&mut self, red_set: u32, handed: u32) -> u32 {
        if handed == 0 {
            return red_set;
        }
        if let Some(&after) = self.red_set_after.get(&(red_set, handed)) {
            return after;
        }
        let facts = self.handed[handed as usize].iter();
        let after = facts.fold(red_set, |red_set, &(variable, value)| {
            self.red_black.learn(self.model, red_set, variable, value)
        });
        self.red_set_after.insert((red_set, handed), after);
        after
    }
}
