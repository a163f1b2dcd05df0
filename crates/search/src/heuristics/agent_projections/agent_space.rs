//! The abstract space of one agent, whose steps are put together from remembered parts.
//!
//! An abstract state holds the agent's own variables exactly and a number for what is known of the
//! others' (see `red_black_task`). A step is made of stages: the agent's choice, then the phases of
//! the tick. What a stage does depends on few variables, so its outcomes are computed once for each
//! of their values and used again wherever these occur.

mod alternatives;
mod evaluator;
mod stage;

use brigade_task::State;
use rustc_hash::FxHashMap;

use super::red_black_task::RedBlackTask;
use crate::heuristics::abstractions::table::{End, Met, Space, Step, least};
use crate::heuristics::cartesian::formula::Formula;
use crate::heuristics::cartesian::model::{Group, Model};
use crate::heuristics::cartesian::numbering::{Classes, Number, TooLarge};
use alternatives::Alternatives;
use evaluator::StageEvaluator;
use stage::{Kind, NONE, Stage};

/// The abstract space of an agent.
pub(crate) struct AgentSpace<'a, 't> {
    evaluator: StageEvaluator<'a, 't>,
    choices: Alternatives,
    /// For each phase of the tick the stages that it may consist of.
    tick: Vec<Alternatives>,
    /// By what a choice leads to: the first of what the tick makes of it, and the one after the
    /// last.
    ticked_ranges: FxHashMap<Number, (u32, u32)>,
    ticked: Vec<Step<u32>>,
    /// Working space: the successors by choices.
    chosen: Vec<Step<Number>>,
    /// Working space: the states before and after a phase of the tick.
    ticking: [Vec<Step<Number>>; 2],
    /// Has an outcome where the goal may hold, and failure is not certain.
    goal: Stage,
    /// Has none where failure is certain.
    alive: Stage,
}

impl<'a, 't> AgentSpace<'a, 't> {
    /// `classes` distinguishes variables that are the agent's own.
    pub(crate) fn new(
        model: &'a Model<'t>,
        red_black: &'a mut RedBlackTask,
        classes: Classes,
    ) -> Result<Self, TooLarge> {
        let evaluator = StageEvaluator::new(model, red_black, classes)?;
        let mut choices = Vec::new();
        for group in &evaluator.reduced.agents[evaluator.red_black.agent()] {
            let mut required = Vec::new();
            evaluator.require(&group.precondition, &mut required);
            for (guard, change) in evaluator.cases(&group.change) {
                let group = Group {
                    change,
                    ..group.clone()
                };
                let guards = guard.into_iter().chain(required.iter().cloned());
                choices.push(evaluator.stage(guards.collect(), Kind::Choice(group)));
            }
        }
        let mut tick = Vec::new();
        for phase in &evaluator.reduced.tick {
            tick.push(match phase {
                None => vec![evaluator.stage(Vec::new(), Kind::Timers)],
                Some(change) => evaluator
                    .cases(change)
                    .into_iter()
                    .map(|(guard, change)| {
                        evaluator.stage(guard.into_iter().collect(), Kind::Effect(change))
                    })
                    .collect(),
            });
        }
        if model.task.clock.is_some() {
            tick.push(vec![evaluator.stage(Vec::new(), Kind::Clock)]);
        }
        let alive = Formula::Not(Box::new(model.fail.clone()));
        Ok(Self {
            choices: Alternatives::new(choices),
            tick: tick.into_iter().map(Alternatives::new).collect(),
            ticked_ranges: FxHashMap::default(),
            ticked: Vec::new(),
            chosen: Vec::new(),
            ticking: [Vec::new(), Vec::new()],
            goal: evaluator.stage(Vec::new(), Kind::Possible(model.goal.clone())),
            alive: evaluator.stage(Vec::new(), Kind::Possible(alive)),
            evaluator,
        })
    }

    /// The number of the abstract state of a state.
    pub(crate) fn number(&mut self, state: &State) -> Number {
        let red_set = self
            .evaluator
            .red_black
            .red_set(self.evaluator.model, state);
        Number::from(red_set) | self.evaluator.numbering.number(self.evaluator.model, state)
    }

    pub(crate) fn lookup(&self) -> Vec<(u32, Box<[Number]>)> {
        self.evaluator.numbering.lookup()
    }
}

impl Space for AgentSpace<'_, '_> {
    fn end(&mut self, number: Number) -> End {
        if self.alive.range(&mut self.evaluator, number) == Ok(NONE) {
            End::Dead
        } else if self.goal.range(&mut self.evaluator, number) == Ok(NONE) {
            End::Open
        } else {
            End::Goal(self.goal.needs(&mut self.evaluator, number))
        }
    }

    fn successors(
        &mut self,
        number: Number,
        met: &mut Met,
        steps: &mut Vec<Step<u32>>,
    ) -> Result<(), TooLarge> {
        let mut chosen = std::mem::take(&mut self.chosen);
        self.choices
            .apply(&mut self.evaluator, Step::to(number), &mut chosen)?;
        least(&mut chosen);
        for step in chosen.drain(..) {
            let (first, last) = self.ticked(step.target, met)?;
            let ticked = self.ticked[first as usize..last as usize].iter();
            steps.extend(ticked.map(|tick| step.then(tick)));
        }
        self.chosen = chosen;
        Ok(())
    }

    fn work(&self) -> u64 {
        self.evaluator.work
    }
}

impl AgentSpace<'_, '_> {
    /// The outcomes of the tick after a choice: the first of the `ticked`, and the one after the
    /// last. Different choices often lead to the same.
    fn ticked(&mut self, number: Number, met: &mut Met) -> Result<(u32, u32), TooLarge> {
        if let Some(&range) = self.ticked_ranges.get(&number) {
            return Ok(range);
        }
        let [steps, next] = &mut self.ticking;
        steps.clear();
        steps.push(Step::to(number));
        for stages in &mut self.tick {
            for step in steps.drain(..) {
                stages.apply(&mut self.evaluator, step, next)?;
            }
            std::mem::swap(steps, next);
            least(steps);
        }
        let first = self.ticked.len() as u32;
        self.ticked.extend(steps.iter().map(|step| {
            let place = met.place_of(step.target);
            step.then(&Step::to(place))
        }));
        let last = u32::try_from(self.ticked.len()).map_err(|_| TooLarge)?;
        self.ticked_ranges.insert(number, (first, last));
        Ok((first, last))
    }
}
