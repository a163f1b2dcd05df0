//! Examples in prompts: a plan of the planner, put as the questions and answers that lead along it.
//! So no example can be wrong.

use super::chat::{ChatMessage, Role};
use super::design::{DecisionKind, Minds};
use super::form::Answer;
use super::mind::{Mind, Setup, message};
use super::prompts::PromptError;
use super::team::Scene;
use crate::search::PlanStep;
use crate::task::effect::Record;
use crate::task::{OperatorId, OperatorKind, Task};

/// The questions and answers along a plan of a task, for the agent of that name, else for the one
/// that does most. Nothing is said of timesteps in which there is nothing to choose.
///
/// # Errors
///
/// A template that cannot be filled in.
pub fn demonstrate(
    task: &Task,
    plan: &[PlanStep],
    setup: Setup<'_>,
    name: &str,
) -> Result<Vec<ChatMessage>, PromptError> {
    let design = setup.design;
    let Some(demonstration) = design.demonstration() else {
        return Ok(Vec::new());
    };
    let agent = shown(task, plan, name);
    let agents = match design.minds {
        Minds::Each => vec![agent],
        Minds::One => (0..task.agents.len()).collect(),
    };
    let mind = Mind::new(setup, agents);
    let ticks = plan.last().map_or(0, |step| step.tick + 1);
    let mut messages = Vec::new();
    let mut state = task.initial.clone();
    let timesteps = plan.chunk_by(|one, other| one.tick == other.tick);
    for timestep in timesteps {
        let first = &timestep[0];
        let scene = Scene {
            task,
            state: &state,
            tick: first.tick,
            max_ticks: ticks,
            agent,
            seed: 0,
        };
        let rest = match design.decision {
            DecisionKind::Action => timestep,
            DecisionKind::Plan | DecisionKind::PlanAndStates => plan,
        };
        let form = scene.form(&mind, design.communication().is_some());
        let answer = Answer {
            reasoning: Some(format!(
                "From here the goal can be reached in {} steps; this is the next.",
                ticks - first.tick
            )),
            actions: actions(&scene, &mind, rest),
            say: None,
            accepts: None,
        };
        if answer.actions.iter().any(|actions| !actions.is_empty()) {
            let slots = scene.slots(&mind, &form);
            let question = setup.prompts.render(&design.reasoner.template, &slots)?;
            messages.push(message(Role::User, question));
            let put = form.put(&answer, setup.asking.format);
            messages.push(message(Role::Assistant, put));
        }
        let is_enough = messages.len() >= 2 * demonstration.decisions;
        if is_enough || design.decision != DecisionKind::Action {
            break;
        }
        let joint: Vec<OperatorId> = timestep.iter().map(|step| step.operator).collect();
        if task
            .step(&mut state, &joint, &mut Record::default())
            .is_err()
        {
            break;
        }
    }
    Ok(messages)
}

/// The agent that is shown.
fn shown(task: &Task, plan: &[PlanStep], name: &str) -> usize {
    let mut agents = task.agents.iter();
    agents
        .position(|agent| agent.name == name)
        .unwrap_or_else(|| {
            let begun = |agent: &usize| {
                let own = plan.iter().filter(|step| usize::from(step.agent) == *agent);
                own.filter(|step| task.operator(step.operator).kind == OperatorKind::Start)
                    .count()
            };
            // Of agents that do as much the first.
            (0..task.agents.len()).rev().max_by_key(begun).unwrap_or(0)
        })
}

/// What each agent that can choose in the scene does, in words.
fn actions(scene: &Scene<'_>, mind: &Mind<'_>, steps: &[PlanStep]) -> Vec<Vec<String>> {
    let task = scene.task;
    let free = mind
        .agents
        .iter()
        .filter(|&&agent| mind.setup.design.minds == Minds::Each || scene.is_free(agent));
    free.map(|&agent| {
        let own = steps.iter().filter(|step| usize::from(step.agent) == agent);
        own.map(|step| task.operator(step.operator))
            .filter(|operator| operator.kind != OperatorKind::Continue)
            .map(|operator| operator.text.clone())
            .collect()
    })
    .collect()
}
