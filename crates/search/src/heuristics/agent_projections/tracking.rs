//! The variables and values that a projection to one agent follows exactly, of its own and of the
//! others'.

use super::relaxed_plan::RelaxedPlan;
use crate::heuristics::cartesian::domains::insert;
use crate::heuristics::cartesian::model::Model;
use brigade_task::State;
use brigade_task::layout::{Variable, VariableKind};

/// The rule by which some of the agent's own variables become red.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stores {
    /// Those that values are copied to, but for the one that most preconditions read: the places
    /// where the agent keeps things, not its hand.
    ButOne,
    /// All that values are copied to.
    All,
}

/// Adds those of the agent's own variables that are to be red.
pub(crate) fn redden(model: &Model, agent: usize, stores: Stores, is_red: &mut [bool]) {
    let mut readers = vec![0; is_red.len()];
    for &operator in &model.task.agents[agent].operators {
        let (precondition, _) = &model.operators[operator.index()];
        let mut reads = Vec::new();
        precondition.reads(&mut |variable| reads.push(variable));
        reads.sort_unstable();
        reads.dedup();
        for variable in reads {
            readers[variable as usize] += 1;
        }
    }
    let copies = model.copies().into_iter().map(|(to, ..)| to as usize);
    let places: Vec<usize> = copies.filter(|&to| !is_red[to]).collect();
    let hand = match stores {
        Stores::ButOne => places.iter().copied().max_by_key(|&to| (readers[to], to)),
        Stores::All => None,
    };
    for place in places {
        is_red[place] = Some(place) != hand;
    }
}

/// Those of the agent's own variables that are not followed: they have two values, no relaxed plan
/// changes them, and they are not reset at every tick, which would make them cost nothing.
pub(crate) fn dropped(
    model: &Model,
    start: &State,
    plan: &RelaxedPlan,
    is_red: &[bool],
) -> Vec<bool> {
    let mut is_reset = vec![false; is_red.len()];
    if let Some(Some(change)) = model.tick.last() {
        change.assigns(&mut |variable| is_reset[variable as usize] = true);
    }
    let variables = model.task.variables.iter().zip(0..);
    variables
        .map(|(layout, variable)| {
            layout.size == 2
                && layout.kind == VariableKind::Facts
                && !is_red[variable as usize]
                && !is_reset[variable as usize]
                && !plan.uses(variable, 1 - layout.get(start))
        })
        .collect()
}

/// For each variable the objects that no relaxed plan mentions, where it uses others.
pub(crate) fn aside(model: &Model, start: &State, plan: &RelaxedPlan) -> Vec<Box<[u64]>> {
    let is_aside = |layout: &Variable, variable: u32, value: u32| {
        layout.kind == VariableKind::Object
            && value != layout.get(start)
            && !plan.mentions(&layout.values[value as usize].name)
            && (0..layout.size)
                .any(|other| other != layout.get(start) && plan.uses(variable, other))
    };
    let variables = model.task.variables.iter().zip(0..);
    let sets = variables.map(|(layout, variable)| {
        let mut set = vec![0; layout.size.div_ceil(64) as usize];
        for value in (0..layout.size).filter(|&value| is_aside(layout, variable, value)) {
            insert(&mut set, value);
        }
        set.into()
    });
    sets.collect()
}

/// The variables that operators of these agents write.
pub(crate) fn written(model: &Model, agents: &[usize]) -> Vec<bool> {
    let mut written = vec![false; model.task.variables.len()];
    for &agent in agents {
        for &operator in &model.task.agents[agent].operators {
            let (_, change) = &model.operators[operator.index()];
            change.writes(&mut |variable| written[variable as usize] = true);
        }
    }
    written
}

/// For each variable the first that is of one kind with it: with the same values, where both are
/// red and concern the agent.
pub(crate) fn kinds(model: &Model, is_red: &[bool], concerns: &[bool]) -> Vec<u32> {
    let variables = &model.task.variables;
    (0..variables.len())
        .map(|variable| {
            let alike = |&other: &usize| {
                is_red[other]
                    && concerns[other]
                    && variables[other].size > 2
                    && variables[other].values == variables[variable].values
            };
            let first = (0..variable).find(alike).filter(|_| alike(&variable));
            first.unwrap_or(variable) as u32
        })
        .collect()
}

/// For each variable the first of its kind that the agent writes if it writes this, and else does
/// not.
pub(crate) fn by_writer(model: &Model, agent: usize, kind: &[u32]) -> Vec<u32> {
    let own = written(model, &[agent]);
    let variables = 0..kind.len();
    let first = |variable: usize| {
        let mut others = 0..variable;
        let alike = |&other: &usize| kind[other] == kind[variable] && own[other] == own[variable];
        others.find(alike).unwrap_or(variable) as u32
    };
    variables.map(first).collect()
}

/// The foreign variables that the agent's operators read or write, or the goal reads.
pub(crate) fn concerns(model: &Model, agent: usize, is_foreign: &[bool]) -> Vec<bool> {
    let mut concerns = vec![false; is_foreign.len()];
    let mut visit = |variable: u32| concerns[variable as usize] = is_foreign[variable as usize];
    for &operator in &model.task.agents[agent].operators {
        let (precondition, change) = &model.operators[operator.index()];
        precondition.reads(&mut visit);
        change.reads(&mut visit);
        change.writes(&mut visit);
    }
    model.goal.reads(&mut visit);
    model.fail.reads(&mut visit);
    concerns
}
