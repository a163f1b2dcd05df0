//! The part of a state that an agent is shown when it is asked: models and people are shown the same.

use brigade_task::layout::{Variable, VariableKind};
use brigade_task::symbols::Meaning;
use brigade_task::{OperatorKind, PackedTask, State};

/// The lines of a state that an agent sees, or all that any agent sees: in the words of the domain, else its facts.
pub fn lines(task: &PackedTask, state: &State, agent: Option<usize>) -> Vec<String> {
    let seen = match agent {
        Some(agent) => task.observe_as(state, agent),
        None => task.observe(state),
    };
    if !seen.facts.is_empty() {
        seen.facts
    } else if task.observation.is_empty() {
        brigade_task::facts::facts(task, state)
    } else {
        vec!["nothing".to_owned()]
    }
}

/// The actions that an agent can take as far as it knows, in words. One that goes on with what it has started can do
/// nothing else.
pub fn options(task: &PackedTask, state: &State, agent: usize) -> Vec<String> {
    let mut options: Vec<String> = Vec::new();
    for operator in task.applicable_as_known(state, agent) {
        let operator = task.operator(operator);
        if operator.kind != OperatorKind::Continue && !options.contains(&operator.text) {
            options.push(operator.text.clone());
        }
    }
    options
}

/// The activity that an agent has started and not finished, in words.
pub fn under_way<'a>(task: &'a PackedTask, state: &State, agent: usize) -> Option<&'a str> {
    let agent = &task.agents[agent];
    let is_of_agent = |variable: &&Variable| {
        let of = variable
            .of
            .as_ref()
            .filter(|_| variable.kind == VariableKind::Activity);
        of.is_some_and(|of| of.arguments.first() == agent.object.as_ref())
    };
    let mut activities = task.variables.iter().filter(is_of_agent);
    let activity = activities.next()?;
    let value = &activity.values[activity.get(state) as usize];
    let Meaning::Activity(started) = &value.meaning else {
        return None;
    };
    let mut operators = agent.operators.iter().map(|&id| task.operator(id));
    let operator = operators.find(|operator| operator.action.as_ref() == Some(started));
    Some(operator.map_or(&value.name, |operator| &operator.text))
}

/// The activities of all agents but this one, in words: `chef: cook the egg`.
pub fn busy(task: &PackedTask, state: &State, but: Option<usize>) -> Vec<String> {
    let others = (0..task.players()).filter(|&other| Some(other) != but);
    others
        .filter_map(|other| {
            let activity = under_way(task, state, other)?;
            Some(format!("{}: {activity}", task.agents[other].name))
        })
        .collect()
}
