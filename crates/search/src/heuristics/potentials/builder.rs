//! The inputs of the constraints: variables and groups, the cases of all parts of a step, and the
//! drops of potentials in them.

use super::cases::Cases;
use super::features::{Feature, Features};
use super::groups::{Groups, Reader};
use super::images::Images;
use super::mutexes::{Given, Mutexes};
use super::orbits::WeightOrbits;
use super::program::{Drop, Outcome, Parts, Program, Unit, Weight};
use super::transitions::{Case, Written};
use crate::control::Control;
use crate::heuristics::cartesian::domains;
use crate::heuristics::cartesian::model::Model;
use crate::measure::Measure;
use crate::reductions::symmetry::{FactRenaming, Symmetries};
use brigade_task::layout::VariableKind;
use brigade_task::{PackedTask, State, StateBuf, TurnMode};

/// Variables with more values have no potentials.
const MOST_SINGLE_VALUES: u32 = 4096;
/// Values of all variables that have potentials, at most.
const MOST_VALUES: usize = 20_000;

/// The inputs of the constraints.
pub(crate) struct Builder<'m, 't> {
    pub(crate) model: &'m Model<'t>,
    pub(crate) measure: Measure,
    pub(crate) distinguished: Vec<bool>,
    /// For each variable that is distinguished its values, each by itself.
    pub(crate) classes: Vec<Vec<Box<[u64]>>>,
    pub(crate) mutexes: Option<Mutexes>,
    pub(crate) groups: Groups,
    pub(crate) images: Images,
    pub(crate) cases: Cases,
    /// For each variable or group the one that it follows from, or itself.
    pub(crate) follows_from: Vec<u32>,
}

impl<'m, 't> Builder<'m, 't> {
    /// For plans from a state, and from what it becomes when objects change places.
    ///
    /// `None` once `control` says stop.
    pub(crate) fn new(
        model: &'m Model<'t>,
        measure: Measure,
        start: &State,
        symmetries: Option<&Symmetries>,
        control: &dyn Control,
    ) -> Option<Self> {
        let task = model.task;
        let mut distinguished = distinguished(task);
        let classes = classes(task, &distinguished);
        let mut cases = Cases::new(model, &mut distinguished, &classes, control)?;
        let exchanges = symmetries.map_or_else(Vec::new, |found| found.renamings(&task.variables));
        let mutexes = mutexes(task, &distinguished, &cases, start, &exchanges, control);
        let groups = Groups::new(task, &distinguished, mutexes.as_ref(), &exchanges);
        let neighbours = symmetries.into_iter().flat_map(Symmetries::neighbours);
        let neighbours = neighbours.zip(&exchanges);
        let images = Images::new(neighbours, &task.variables, &distinguished, &groups);
        cases.narrow(model, mutexes.as_ref(), &groups, control)?;
        let all = model.domains.len() + groups.len();
        let mut builder = Self {
            model,
            measure,
            distinguished,
            classes,
            mutexes,
            groups,
            images,
            cases,
            follows_from: (0..all).collect(),
        };
        builder.follows_from = builder.representatives();
        Some(builder)
    }

    /// The number of values of a variable or group.
    pub(crate) fn size(&self, variable: u32) -> u32 {
        let size = self.groups.size(variable);
        size.unwrap_or_else(|| self.model.domains.size(variable))
    }

    pub(crate) fn size_of(&self, variables: &[u32]) -> u32 {
        variables
            .iter()
            .map(|&variable| self.size(variable))
            .product()
    }

    pub(crate) fn reader(&self, variable: u32) -> Reader {
        let variables = &self.model.task.variables;
        self.groups
            .reader(variables, variable)
            .unwrap_or_else(|| Reader::Variable(variables[variable as usize].field()))
    }

    /// The values of all variables and groups in each of some states.
    pub(crate) fn values_at(&self, states: &[StateBuf]) -> Vec<Vec<u32>> {
        let all = 0..self.model.domains.len() + self.groups.len();
        let readers: Vec<Reader> = all.map(|id| self.reader(id)).collect();
        let states = states.iter();
        let values = states.map(|state| readers.iter().map(|it| it.get(state)).collect());
        values.collect()
    }

    /// The constraints, on potentials of which some are one; `None` where what is minimised may
    /// fall.
    pub(crate) fn program(
        &self,
        features: &Features,
        weight_orbits: &WeightOrbits,
    ) -> Option<Program> {
        let unit = if self.measure.is_by_makespan() {
            Unit::Steps
        } else {
            Unit::Costs
        };
        let ids = features.list.iter().flat_map(|feature| &feature.variables);
        let values = ids.map(|&id| self.size(id)).max().unwrap_or(0);
        let mut program = Program::new(weight_orbits.count(), features.list.len(), values, unit);
        let mut outcomes = |cases: &[Case]| -> Option<Vec<Outcome>> {
            let outcomes = cases.iter().map(|case| {
                let features = features.list.iter();
                let drops = features.filter_map(|feature| self.drop(feature, weight_orbits, case));
                let mut drops: Vec<u32> = drops.map(|drop| program.drop(drop)).collect();
                drops.sort_unstable();
                let cost = match unit {
                    Unit::Steps => 1,
                    Unit::Costs => case.cost,
                };
                (cost >= 0).then(|| Outcome {
                    drops,
                    cost,
                    labels: self.measure.least(0, case.labels).1,
                })
            });
            outcomes.collect()
        };
        let mut parts = Parts::default();
        for cases in &self.cases.agents {
            parts.agents.push(outcomes(cases)?);
        }
        for cases in &self.cases.tick {
            parts.tick.push(outcomes(cases)?);
        }
        if self.model.task.turns == TurnMode::Alternate {
            parts.agents = vec![parts.agents.concat()];
        }
        program.set_parts(parts);
        Some(program)
    }

    /// The potentials of each feature that may count in a set of states.
    pub(crate) fn goal(
        &self,
        features: &Features,
        weight_orbits: &WeightOrbits,
        row: &[u64],
    ) -> Vec<Vec<Weight>> {
        let values = |feature: &Feature| {
            let mut all: Vec<Vec<u32>> = vec![Vec::new()];
            for &variable in &feature.variables {
                let possible = self.values_in(row, variable);
                all = all
                    .iter()
                    .flat_map(|values| {
                        let longer = |value: &u32| [&values[..], &[*value]].concat();
                        possible.iter().map(longer)
                    })
                    .collect();
            }
            weight_orbits.all(all.iter().map(|values| feature.weight(values)))
        };
        let mut goal: Vec<Vec<Weight>> = features.list.iter().map(values).collect();
        goal.sort_unstable();
        goal
    }

    /// Leaves out of a set of states values that no state in it has. Returns whether one is left.
    pub(crate) fn narrow(&self, row: &mut [u64]) -> bool {
        let domains = &self.model.domains;
        let Some(mutexes) = &self.mutexes else {
            return true;
        };
        let values = |variable: u32| domains.values(row, variable).collect::<Vec<u32>>();
        let narrowed = mutexes.narrowed(&values);
        self.keep(row, narrowed)
    }

    /// The same, of more values: of those, too, with which no state is left once all that follows
    /// from them is known.
    pub(crate) fn shave(
        &self,
        row: &mut [u64],
        given: &mut Given,
        work: &mut u64,
        control: &dyn Control,
    ) -> bool {
        let domains = &self.model.domains;
        let Some(mutexes) = &self.mutexes else {
            return true;
        };
        let values = |variable: u32| domains.values(row, variable).collect::<Vec<u32>>();
        let narrowed = mutexes.shaved(&values, given, work, control);
        self.keep(row, narrowed)
    }

    /// Leaves these values of variables in a set of states. Returns whether a state is left.
    fn keep(&self, row: &mut [u64], narrowed: Option<Vec<(u32, Vec<u32>)>>) -> bool {
        let Some(narrowed) = narrowed else {
            return false;
        };
        for (variable, values) in narrowed {
            let set = self.model.domains.get_mut(row, variable);
            set.fill(0);
            for value in values {
                domains::insert(set, value);
            }
        }
        true
    }

    /// The values that a variable or a group may have in a set of states.
    pub(crate) fn values_in(&self, row: &[u64], variable: u32) -> Vec<u32> {
        let values = |variable: u32| self.model.domains.values(row, variable).collect::<Vec<_>>();
        let of_group = self.groups.values(variable, &values);
        of_group.unwrap_or_else(|| values(variable))
    }

    /// The drop of the potentials of a feature in a case; `None` if they stay.
    fn drop(&self, feature: &Feature, weight_orbits: &WeightOrbits, case: &Case) -> Option<Drop> {
        let kept = |variable: u32| -> Vec<u32> {
            let all = || (0..self.size(variable)).collect();
            case.kept(variable).map_or_else(all, <[u32]>::to_vec)
        };
        let one = |values: &[u32], with: &dyn Fn(u32) -> Weight| -> Vec<Weight> {
            weight_orbits.all(values.iter().map(|&value| with(value)))
        };
        let group = |written: &Written, with: &dyn Fn(u32) -> Weight| {
            (one(&written.before, with), one(&written.after, with))
        };
        let mut groups: Vec<(Vec<Weight>, Vec<Weight>)> = match feature.variables[..] {
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
                        weight_orbits.all(pairs.map(|pair| feature.weight(&pair)))
                    };
                    vec![(
                        pairs(&left.before, &right.before),
                        pairs(&left.after, &right.after),
                    )]
                }
            },
            _ => return None,
        };
        groups.sort_unstable();
        groups.dedup();
        let stays =
            |(before, after): &(Vec<Weight>, Vec<Weight>)| before == after && before.len() == 1;
        (!groups.iter().all(stays)).then_some(Drop(groups))
    }
}

/// The variables whose values may have potentials.
fn distinguished(task: &PackedTask) -> Vec<bool> {
    let variables = task.variables.iter();
    let may_have = variables.map(|variable| {
        let is_kept = !matches!(
            variable.kind,
            VariableKind::Derived | VariableKind::Clock | VariableKind::Live
        );
        is_kept && variable.size <= MOST_SINGLE_VALUES
    });
    let mut distinguished: Vec<bool> = may_have.collect();
    for id in task.clock.iter().chain(&task.turn) {
        distinguished[id.index()] = false;
    }
    // A class for each value takes memory quadratic in their number.
    let mut values = 0;
    for (is_distinguished, variable) in distinguished.iter_mut().zip(&task.variables) {
        *is_distinguished &= values + variable.size as usize <= MOST_VALUES;
        values += variable.size as usize * usize::from(*is_distinguished);
    }
    distinguished
}

/// For each variable that is distinguished its values, each by itself.
fn classes(task: &PackedTask, distinguished: &[bool]) -> Vec<Vec<Box<[u64]>>> {
    let classes = task.variables.iter().zip(distinguished);
    let classes = classes.map(|(variable, &is_distinguished)| {
        let values = 0..if is_distinguished { variable.size } else { 0 };
        let class = |value: u32| -> Box<[u64]> {
            let mut class = vec![0; variable.size.div_ceil(64) as usize];
            domains::insert(&mut class, value);
            class.into()
        };
        values.map(class).collect()
    });
    classes.collect()
}

/// The pairs of values that exclude each other in all states that can be reached from the start, or
/// from what it becomes when objects change places; `None` where these are too many to be found, or
/// `control` says stop.
fn mutexes(
    task: &PackedTask,
    distinguished: &[bool],
    cases: &Cases,
    start: &State,
    exchanges: &[FactRenaming],
    control: &dyn Control,
) -> Option<Mutexes> {
    let variables = &task.variables;
    let sizes: Vec<u32> = variables.iter().map(|variable| variable.size).collect();
    let start: Vec<u32> = variables.iter().map(|it| it.get(start)).collect();
    let cases: Vec<&Case> = cases.iter().collect();
    Mutexes::new(&sizes, distinguished, &start, exchanges, &cases, control)
}
