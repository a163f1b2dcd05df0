//! Stages that are followed, with their outcomes remembered.

use super::evaluator::StageEvaluator;
use super::stage::{Guard, NONE, Stage};
use crate::heuristics::abstractions::table::Step;
use crate::heuristics::agent_projections::red_facts::red_set;
use crate::heuristics::cartesian::numbering::{Field, Number, TooLarge};

/// More outcomes of one stage in all states together than this are not remembered.
const MOST_REMEMBERED: usize = 1 << 22;

/// More ways to go on from one abstract state than this are not followed.
const MOST_STEPS: usize = 1 << 20;

/// Not numbered yet.
const UNSEEN: u32 = u32::MAX;

/// Stages of which each one that applies is followed.
pub(super) struct Alternatives {
    stages: Vec<Stage>,
    /// A field that guards are about, if any.
    field: Option<Field>,
    /// For each of its classes the stages whose guards meet it.
    by_class: Vec<Vec<u32>>,
}

impl Alternatives {
    /// Distinguishes the stages by the field that leaves fewest of them for a class.
    pub(super) fn new(stages: Vec<Stage>) -> Self {
        let guards = stages.iter().flat_map(|stage| &stage.guards);
        let mut fields: Vec<(Field, usize)> = guards
            .map(|guard| (guard.field, guard.classes.len()))
            .collect();
        fields.sort_by_key(|(field, _)| field.variable);
        fields.dedup_by_key(|(field, _)| field.variable);
        let by_class = |&(field, classes): &(Field, usize)| {
            let meeting = (0..classes).map(|class| {
                let is_met =
                    |guard: &Guard| guard.field.variable != field.variable || guard.classes[class];
                let meeting = (0..).zip(&stages);
                let meeting = meeting.filter(|(_, stage)| stage.guards.iter().all(is_met));
                meeting.map(|(index, _)| index).collect()
            });
            let by_class: Vec<Vec<u32>> = meeting.collect();
            (field, by_class)
        };
        // In parts of 1024, as classes differ in number.
        let average = |(_, by_class): &(Field, Vec<Vec<u32>>)| {
            let all: usize = by_class.iter().map(Vec::len).sum();
            all * 1024 / by_class.len().max(1)
        };
        let best = fields.iter().map(by_class).min_by_key(average);
        let (field, by_class) = match best {
            Some((field, by_class)) => (Some(field), by_class),
            None => (None, vec![(0..stages.len() as u32).collect()]),
        };
        Self {
            stages,
            field,
            by_class,
        }
    }

    /// Adds what a step leads to if it goes on with one of them.
    pub(super) fn apply(
        &mut self,
        evaluator: &mut StageEvaluator,
        step: Step<Number>,
        steps: &mut Vec<Step<Number>>,
    ) -> Result<(), TooLarge> {
        let class = self.field.map_or(0, |field| field.get(step.target));
        for &index in &self.by_class[class] {
            self.stages[index as usize].apply(evaluator, step, steps)?;
        }
        Ok(())
    }
}

impl Stage {
    /// Adds what a step leads to if it goes on with this stage.
    fn apply(
        &mut self,
        evaluator: &mut StageEvaluator,
        step: Step<Number>,
        steps: &mut Vec<Step<Number>>,
    ) -> Result<(), TooLarge> {
        if !self.applies(step.target) {
            return Ok(());
        }
        let before = red_set(step.target);
        let (first, last) = self.range(evaluator, step.target)?;
        if steps.len() > MOST_STEPS {
            return Err(TooLarge);
        }
        for outcome in &self.outcomes[first as usize..last as usize] {
            let after = evaluator.learn(before, outcome.handed);
            let classes = step.target & !self.mask | outcome.number;
            steps.push(Step {
                target: classes - Number::from(before) + Number::from(after),
                achieves: step.achieves | outcome.achieves,
                needs: step.needs | outcome.needs,
                cost: step.cost.saturating_add(outcome.cost),
                labels: step.labels + outcome.labels,
            });
        }
        evaluator.work += 1;
        Ok(())
    }

    /// The first of its outcomes in an abstract state, and the one after the last.
    pub(super) fn range(
        &mut self,
        evaluator: &mut StageEvaluator,
        number: Number,
    ) -> Result<(u32, u32), TooLarge> {
        let red_set = red_set(number);
        let key = (number & self.mask, self.red_id(evaluator, red_set));
        if let Some(&range) = self.ranges.get(&key) {
            return Ok(range);
        }
        let mut outcomes = evaluator.evaluate(self, number, red_set)?;
        if self.outcomes.len() + outcomes.len() > MOST_REMEMBERED {
            return Err(TooLarge);
        }
        let first = self.outcomes.len() as u32;
        self.outcomes.append(&mut outcomes);
        let range = match self.outcomes.len() as u32 {
            last if last == first => NONE,
            last => (first, last),
        };
        self.ranges.insert(key, range);
        Ok(range)
    }

    /// The landmarks without which it has no outcome in an abstract state.
    pub(super) fn needs(&mut self, evaluator: &mut StageEvaluator, number: Number) -> u64 {
        let Ok((first, last)) = self.range(evaluator, number) else {
            return 0;
        };
        let outcomes = self.outcomes[first as usize..last as usize].iter();
        let needs = outcomes.map(|outcome| outcome.needs);
        needs.reduce(|all, needs| all & needs).unwrap_or(0)
    }

    /// The number of what is known of the red variables.
    fn red_id(&mut self, evaluator: &StageEvaluator, red_set: u32) -> u32 {
        if self.red.is_empty() {
            return 0;
        }
        let index = red_set as usize;
        if self.red_ids.len() <= index {
            self.red_ids.resize(index + 1, UNSEEN);
        }
        if self.red_ids[index] == UNSEEN {
            let row = evaluator
                .red_black
                .extract(evaluator.model, red_set, &self.red);
            let next = self.red_rows.len() as u32;
            self.red_ids[index] = *self.red_rows.entry(row).or_insert(next);
        }
        self.red_ids[index]
    }
}
