//! Potentials (F. Pommerening, M. Helmert, G. Röger, J. Seipp, "From Non-Negative to General Operator
//! Cost Partitioning", AAAI 2015), also over pairs of variables.
//!
//! Each value of a variable, and each pair of values of two variables that depend on each other, has
//! a potential; the estimate is the sum of those that hold. A linear program chooses them so that no
//! step drops the sum by more than it costs, no state in which the goal holds has a positive sum, and
//! that of the start is as great as can be: there it is the bound of the state equation, over pairs
//! the one over products of variables. A pair of place and hand, say, makes every grasp ask for a
//! walk. Sets of facts that exclude each other but belong to several variables (`groups`) count as
//! variables too: what the hand holds, where each thing knows only that it is held.
//!
//! What the sum drops by with every step and every label at most also bounds ticks and labels.
//!
//! Admissible and consistent: `transitions` finds for every part of a step (an operator of each
//! agent, a delayed effect that advances, an event) all values before and after that it can lead
//! from and to, conditional effects by their cases; a step is one operator of each agent, then the
//! tick, so it drops the sum by no more than its parts together. That is measured in whole numbers
//! for the potentials as they are used (`program`), whatever the solver says. Derived variables have
//! no potentials.

mod groups;
mod program;
mod solver;
mod transitions;

use std::collections::BTreeMap;

use super::formula::Formula;
use super::interpret::{Interpreter, Part, Read};
use super::model::Model;
use super::{Estimate, Heuristic};
use crate::search::measure::Measure;
use crate::search::options::Control;
use crate::task::layout::VariableKind;
use crate::task::{Task, TurnMode};
use groups::{Groups, Reader};
use program::{Drop, Outcome, Parts, Program, Solution, Unit, Weight};
use transitions::{Case, Transitions, Written};

/// Pairs of variables with more pairs of values have no potentials.
const MOST_VALUES: u32 = 1024;
/// Variables with more values have no potentials.
const MOST_SINGLE_VALUES: u32 = 4096;
/// Tasks with more operators have no potentials.
const MOST_OPERATORS: usize = 30_000;
/// Potentials, at most.
const MOST_WEIGHTS: usize = 20_000;
/// Numbers in the constraints, at most.
const MOST_NUMBERS: usize = 100_000;
/// Ways to reach the goal that are told apart, at most.
const MOST_GOALS: usize = 64;

/// One or two variables whose values have potentials.
struct Feature {
    variables: Vec<u32>,
    /// The number of values of the second.
    width: u32,
    first: Weight,
}

/// The potentials of one feature, ready to be looked up.
#[derive(Clone)]
struct Lookup {
    readers: Vec<Reader>,
    /// The number of values of the second.
    width: u32,
    weights: Box<[i64]>,
}

/// The estimate.
#[derive(Clone)]
pub(crate) struct Potential {
    lookups: Vec<Lookup>,
    unit: i64,
    per_step: i64,
    per_label: Option<i64>,
    /// What no state in which the goal holds exceeds.
    at_goal: i64,
    by_makespan: bool,
    bytes: usize,
}

/// What the constraints are made of.
struct Builder<'m, 't> {
    model: &'m Model<'t>,
    groups: Groups,
    measure: Measure,
    told_apart: Vec<bool>,
    classes: Vec<Vec<Box<[u64]>>>,
}

/// The cases of all parts of a step.
#[derive(Default)]
struct Cases {
    agents: Vec<Vec<Case>>,
    tick: Vec<Vec<Case>>,
}

impl Potential {
    /// Potentials that are best at a state; `None` where they tell nothing of it.
    ///
    /// Once `control` says stop, none are found.
    pub(crate) fn new(
        task: &Task,
        start: &[u64],
        measure: Measure,
        control: &dyn Control,
    ) -> Option<Self> {
        if task.operators.len() > MOST_OPERATORS {
            return None;
        }
        if measure.least_cost((0, 0)).is_none() && !measure.is_by_makespan() {
            return None;
        }
        let model = Model::new(task);
        let mut builder = Builder::new(&model, measure);
        let cases = builder.cases();
        let mut pairs = builder.pairs(&cases);
        loop {
            let features = builder.features(&pairs);
            let program = builder.program(&features, &cases)?;
            if program.size() > MOST_NUMBERS {
                if pairs.is_empty() {
                    return None;
                }
                pairs.truncate(pairs.len() / 2);
                continue;
            }
            if control.stop().is_some() {
                return None;
            }
            let rows = program.rows();
            let at_start = features
                .iter()
                .map(|feature| builder.weight_in(feature, start));
            let potentials = solver::maximize(&rows, &at_start.collect::<Vec<_>>())?;
            let solution = program.check(&potentials)?;
            let found = Self::lookups(&builder, &features, &solution);
            return (found.height(start) > 0).then_some(found);
        }
    }

    fn lookups(builder: &Builder, features: &[Feature], solution: &Solution) -> Self {
        let lookups: Vec<Lookup> = features
            .iter()
            .map(|feature| {
                let first = feature.first as usize;
                let size = builder.size_of(&feature.variables) as usize;
                let readers = feature.variables.iter();
                Lookup {
                    readers: readers.map(|&variable| builder.reader(variable)).collect(),
                    width: feature.width,
                    weights: solution.weights[first..first + size].into(),
                }
            })
            .filter(|lookup| lookup.weights.iter().any(|&weight| weight != 0))
            .collect();
        let bytes = lookups.iter().map(|lookup| size_of_val(&*lookup.weights));
        Self {
            bytes: bytes.sum(),
            lookups,
            unit: solution.unit,
            per_step: solution.per_step,
            per_label: solution.per_label,
            at_goal: solution.at_goal,
            by_makespan: builder.measure.is_by_makespan(),
        }
    }

    /// How far the sum is above that of the goal, at least.
    fn height(&self, state: &[u64]) -> i64 {
        let sum: i64 = self.lookups.iter().map(|lookup| lookup.weight(state)).sum();
        (sum - self.at_goal).max(0)
    }
}

impl Heuristic for Potential {
    fn estimate(&mut self, state: &[u64]) -> Estimate {
        let height = self.height(state);
        let share = |unit: i64| (height + unit - 1) / unit;
        let count = |unit: i64| share(unit).try_into().unwrap_or(u32::MAX - 1);
        Estimate {
            first: if self.by_makespan {
                0
            } else {
                share(self.unit)
            },
            makespan: count(self.per_step),
            labels: self.per_label.map_or(0, count),
        }
    }

    fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Feature {
    fn weight(&self, values: &[u32]) -> Weight {
        match *values {
            [only] => self.first + only,
            [left, right] => self.first + left * self.width + right,
            _ => unreachable!("features have one or two variables"),
        }
    }
}

impl Lookup {
    fn weight(&self, state: &[u64]) -> i64 {
        let values = self.readers.iter().map(|reader| reader.get(state));
        let index = values.fold(0, |index, value| index * self.width + value);
        self.weights[index as usize]
    }
}

impl<'m, 't> Builder<'m, 't> {
    fn new(model: &'m Model<'t>, measure: Measure) -> Self {
        let task = model.task;
        let mut told_apart: Vec<bool> = task
            .variables
            .iter()
            .map(|variable| {
                !matches!(
                    variable.kind,
                    VariableKind::Derived | VariableKind::Clock | VariableKind::Live
                ) && variable.size <= MOST_SINGLE_VALUES
            })
            .collect();
        for id in task.clock.iter().chain(&task.turn) {
            told_apart[id.index()] = false;
        }
        // A class for each value takes memory quadratic in their number.
        let mut values = 0;
        for (is_told_apart, variable) in told_apart.iter_mut().zip(&task.variables) {
            *is_told_apart &= values + variable.size as usize <= MOST_WEIGHTS;
            values += variable.size as usize * usize::from(*is_told_apart);
        }
        let classes = task.variables.iter().zip(&told_apart);
        let classes = classes.map(|(variable, &is_told_apart)| {
            let values = 0..if is_told_apart { variable.size } else { 0 };
            values
                .map(|value| {
                    let mut class = vec![0; variable.size.div_ceil(64) as usize];
                    super::domains::insert(&mut class, value);
                    class.into()
                })
                .collect()
        });
        let classes = classes.collect();
        Self {
            groups: Groups::new(task, &told_apart),
            model,
            measure,
            told_apart,
            classes,
        }
    }

    /// How many values a variable or group has.
    fn size(&self, variable: u32) -> u32 {
        let size = self.groups.size(variable);
        size.unwrap_or_else(|| self.model.domains.size(variable))
    }

    fn size_of(&self, variables: &[u32]) -> u32 {
        variables
            .iter()
            .map(|&variable| self.size(variable))
            .product()
    }

    fn reader(&self, variable: u32) -> Reader {
        let variables = &self.model.task.variables;
        self.groups
            .reader(variables, variable)
            .unwrap_or_else(|| Reader::Variable(variables[variable as usize].clone()))
    }

    /// The potential of a feature that counts in a state.
    fn weight_in(&self, feature: &Feature, state: &[u64]) -> Weight {
        let variables = feature.variables.iter();
        let values: Vec<u32> = variables
            .map(|&variable| self.reader(variable).get(state))
            .collect();
        feature.weight(&values)
    }

    /// The cases of all parts of a step. Variables of parts with too many cases are no longer told
    /// apart.
    fn cases(&mut self) -> Cases {
        loop {
            let mut blurred = Vec::new();
            let found = self.try_cases(&mut blurred);
            if blurred.is_empty() {
                return self.with_groups(found);
            }
            for variable in blurred {
                self.told_apart[variable as usize] = false;
            }
            self.groups = Groups::new(self.model.task, &self.told_apart);
        }
    }

    fn try_cases(&self, blurred: &mut Vec<u32>) -> Cases {
        let model = self.model;
        let transitions = Transitions::new(model, &self.told_apart, &self.classes);
        let mut written: Vec<Vec<bool>> = Vec::new();
        for agent in &model.task.agents {
            let mut own = vec![false; model.domains.len() as usize];
            for operator in &agent.operators {
                let (_, change) = &model.operators[operator.index()];
                change.writes(&mut |variable| own[variable as usize] = true);
            }
            written.push(own);
        }
        let mut cases = Cases::default();
        let mut note = |found: Result<Vec<Case>, _>, written: Vec<u32>| {
            found.unwrap_or_else(|_| {
                let written = written.into_iter();
                blurred.extend(written.filter(|&it| self.told_apart[it as usize]));
                // It changes nothing that has potentials, but it can be chosen.
                vec![Case::idle()]
            })
        };
        for (index, agent) in model.task.agents.iter().enumerate() {
            let is_shared = |variable: u32| {
                model.task.turns == TurnMode::Simultaneous
                    && written
                        .iter()
                        .enumerate()
                        .any(|(other, written)| other != index && written[variable as usize])
            };
            let mut own = Vec::new();
            for operator in &agent.operators {
                let (precondition, change) = &model.operators[operator.index()];
                let found = transitions.operator(precondition, change, is_shared);
                own.append(&mut note(found, change.written()));
            }
            cases.agents.push(own);
        }
        for change in &model.tick {
            match change {
                None => {
                    for timer in &model.timers {
                        let found = transitions.timer(timer);
                        let mut written = timer.change.written();
                        written.push(timer.variable);
                        cases.tick.push(note(found, written));
                    }
                }
                Some(change) => {
                    let mut parts = change.independent_parts();
                    if self.groups.are_shared(&parts) {
                        parts = vec![change];
                    }
                    for part in parts {
                        let found = transitions.effect(part);
                        cases.tick.push(note(found, part.written()));
                    }
                }
            }
        }
        cases
    }

    /// The cases, with what becomes of groups.
    fn with_groups(&self, mut cases: Cases) -> Cases {
        let sizes = |variable: u32| self.model.domains.size(variable);
        for cases in cases.agents.iter_mut().chain(&mut cases.tick) {
            cases.retain_mut(|case| self.groups.add_to(case, &sizes));
        }
        cases
    }

    /// Pairs of variables of which one decides what may become of the other, those with most such
    /// operators first.
    fn pairs(&self, cases: &Cases) -> Vec<(u32, u32)> {
        let mut counts: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        for case in cases.agents.iter().flatten() {
            let single = case.kept.iter().filter(|(_, values)| values.len() == 1);
            for &(kept, _) in single {
                for written in &case.written {
                    let (one, other) = (kept.min(written.variable), kept.max(written.variable));
                    if self.size(one) * self.size(other) <= MOST_VALUES {
                        *counts.entry((one, other)).or_default() += 1;
                    }
                }
            }
        }
        let mut pairs: Vec<((u32, u32), u32)> = counts.into_iter().collect();
        pairs.sort_by_key(|&(pair, count)| (std::cmp::Reverse(count), pair));
        pairs.into_iter().map(|(pair, _)| pair).collect()
    }

    fn features(&self, pairs: &[(u32, u32)]) -> Vec<Feature> {
        let own = (0..self.model.domains.len()).filter(|&id| self.told_apart[id as usize]);
        let singles = own.chain(self.groups.ids()).map(|variable| vec![variable]);
        let pairs = pairs.iter().map(|&(left, right)| vec![left, right]);
        let mut features = Vec::new();
        let mut first = 0;
        for variables in singles.chain(pairs) {
            let size = self.size_of(&variables);
            if first as usize + size as usize > MOST_WEIGHTS {
                break;
            }
            features.push(Feature {
                width: self.size(variables[variables.len() - 1]),
                variables,
                first,
            });
            first += size;
        }
        features
    }

    /// The constraints; `None` where what is minimised may fall.
    fn program(&self, features: &[Feature], cases: &Cases) -> Option<Program> {
        let unit = if self.measure.is_by_makespan() {
            Unit::Steps
        } else {
            Unit::Costs
        };
        let weights = features.last().map_or(0, |feature| {
            feature.first + self.size_of(&feature.variables)
        });
        let mut program = Program::new(weights as usize, unit);
        let mut outcomes = |cases: &[Case]| -> Option<Vec<Outcome>> {
            let outcomes = cases.iter().map(|case| {
                let drops = features
                    .iter()
                    .filter_map(|feature| self.drop(feature, case));
                let drops: Vec<Drop> = drops.collect();
                let cost = match unit {
                    Unit::Steps => 1,
                    Unit::Costs => case.cost,
                };
                (cost >= 0).then(|| Outcome {
                    drops: drops.into_iter().map(|drop| program.drop(drop)).collect(),
                    cost,
                    labels: self.measure.least(0, case.labels).1,
                })
            });
            outcomes.collect()
        };
        let mut parts = Parts::default();
        for cases in &cases.agents {
            parts.agents.push(outcomes(cases)?);
        }
        for cases in &cases.tick {
            parts.tick.push(outcomes(cases)?);
        }
        if self.model.task.turns == TurnMode::Alternate {
            parts.agents = vec![parts.agents.concat()];
        }
        program.set_parts(parts);
        for row in self.goals() {
            let values = |feature: &Feature| {
                let mut all: Vec<Vec<u32>> = vec![Vec::new()];
                for &variable in &feature.variables {
                    all = all
                        .iter()
                        .flat_map(|values| {
                            self.values_in(&row, variable)
                                .into_iter()
                                .map(move |value| {
                                    let mut values = values.clone();
                                    values.push(value);
                                    values
                                })
                        })
                        .collect();
                }
                all.iter().map(|values| feature.weight(values)).collect()
            };
            program.add_goal(features.iter().map(values).collect());
        }
        Some(program)
    }

    /// The values that a variable or a group may have in a set of states.
    fn values_in(&self, row: &[u64], variable: u32) -> Vec<u32> {
        let values = |variable: u32| self.model.domains.values(row, variable).collect::<Vec<_>>();
        let of_group = self.groups.values(variable, &values);
        of_group.unwrap_or_else(|| values(variable))
    }

    /// What the potentials of a feature drop by in a case; `None` if they stay.
    fn drop(&self, feature: &Feature, case: &Case) -> Option<Drop> {
        let kept = |variable: u32| -> Vec<u32> {
            let all = || (0..self.size(variable)).collect();
            case.kept(variable).map_or_else(all, <[u32]>::to_vec)
        };
        let one = |values: &[u32], with: &dyn Fn(u32) -> Weight| -> Vec<Weight> {
            values.iter().map(|&value| with(value)).collect()
        };
        let group = |written: &Written, with: &dyn Fn(u32) -> Weight| {
            (one(&written.before, with), one(&written.after, with))
        };
        let groups: Vec<(Vec<Weight>, Vec<Weight>)> = match feature.variables[..] {
            [only] => {
                let written = case.written(only)?;
                vec![group(written, &|value| feature.weight(&[value]))]
            }
            [left, right] => match (case.written(left), case.written(right)) {
                (None, None) => return None,
                (Some(written), None) => kept(right)
                    .into_iter()
                    .map(|kept| group(written, &|value| feature.weight(&[value, kept])))
                    .collect(),
                (None, Some(written)) => kept(left)
                    .into_iter()
                    .map(|kept| group(written, &|value| feature.weight(&[kept, value])))
                    .collect(),
                (Some(left), Some(right)) => {
                    let pairs = |lefts: &[u32], rights: &[u32]| -> Vec<Weight> {
                        let pairs = lefts
                            .iter()
                            .flat_map(|&l| rights.iter().map(move |&r| [l, r]));
                        pairs.map(|pair| feature.weight(&pair)).collect()
                    };
                    vec![(
                        pairs(&left.before, &right.before),
                        pairs(&left.after, &right.after),
                    )]
                }
            },
            _ => return None,
        };
        let stays =
            |(before, after): &(Vec<Weight>, Vec<Weight>)| before == after && before.len() == 1;
        (!groups.iter().all(stays)).then_some(Drop(groups))
    }

    /// Sets of states that hold all in which the goal holds.
    fn goals(&self) -> Vec<Box<[u64]>> {
        let model = self.model;
        let mut anything = vec![0; model.domains.row_words()];
        for variable in 0..model.domains.len() {
            model.domains.forget(&mut anything, variable);
        }
        let mut ways = vec![vec![&model.goal]];
        // Disjunctions are told apart while there are few.
        let mut is_split = true;
        while is_split {
            is_split = false;
            let mut next: Vec<Vec<&Formula>> = Vec::new();
            for way in &ways {
                let flat = flatten(way);
                let any = flat.iter().position(|part| matches!(part, Formula::Any(_)));
                let options = match any.map(|index| (index, flat[index])) {
                    Some((index, Formula::Any(options)))
                        if ways.len() * options.len() <= MOST_GOALS =>
                    {
                        Some((index, options))
                    }
                    _ => None,
                };
                let Some((index, options)) = options else {
                    next.push(flat);
                    continue;
                };
                is_split = true;
                for option in options {
                    let mut way = flat.clone();
                    way[index] = option;
                    next.push(way);
                }
            }
            ways = next;
        }
        let interpreter = Interpreter::new(model, &self.told_apart, &self.classes);
        let rows = ways.into_iter().filter_map(|way| {
            let mut part = Part::new(anything.clone().into(), None);
            let holds = way.into_iter().all(|formula| {
                interpreter
                    .truth(formula, Read::Now, &part)
                    .unwrap_or_else(|| interpreter.assume(&mut part, Read::Now, formula, true))
            });
            holds.then_some(part.row)
        });
        rows.collect()
    }
}

/// The conjuncts of a conjunction of formulas.
fn flatten<'f>(formulas: &[&'f Formula]) -> Vec<&'f Formula> {
    let mut flat = Vec::new();
    for &formula in formulas {
        match formula {
            Formula::All(parts) => flat.extend(flatten(&parts.iter().collect::<Vec<_>>())),
            other => flat.push(other),
        }
    }
    flat
}
