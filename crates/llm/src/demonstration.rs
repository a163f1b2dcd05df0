//! Examples in prompts: a plan of the planner, put as the questions and answers that lead along it.
//! So no example can be wrong.

use super::chat::{ChatMessage, Role};
use super::design::{DecisionKind, Minds};
use super::form::Answer;
use super::mind::{Mind, Setup, message};
use super::prompts::PromptError;
use super::team::Scene;
use brigade_search::PlanStep;
use brigade_task::effect::Record;
use brigade_task::{OperatorId, OperatorKind, PackedTask, State};

/// The questions and answers along a plan of a task, as the agent of that name is asked, or if there
/// is none the one that does most. Nothing is said of timesteps in which there is nothing to choose.
///
/// # Errors
///
/// A template that cannot be filled in.
pub fn demonstrate(
    task: &PackedTask,
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
        Minds::One => (0..task.players()).collect(),
    };
    let mut mind = Mind::new(setup, agents);
    let ticks = plan.last().map_or(0, |step| step.tick + 1);
    let mut messages = Vec::new();
    let mut state = task.initial.clone();
    let timesteps = plan.chunk_by(|one, other| one.tick == other.tick);
    for timestep in timesteps {
        if messages.len() >= 2 * demonstration.decisions {
            break;
        }
        let tick = timestep[0].tick;
        let scene = Scene {
            task,
            state: &state,
            tick,
            max_ticks: ticks,
            agent,
            seed: 0,
        };
        let rest = match design.decision {
            DecisionKind::Action => timestep,
            DecisionKind::Plan | DecisionKind::PlanAndStates => plan,
        };
        let form = scene.form(&mind, design.communication().is_some());
        let which = match design.decision {
            DecisionKind::Action => "this is the first of them",
            DecisionKind::Plan | DecisionKind::PlanAndStates => "these are they",
        };
        let answer = Answer {
            reasoning: Some(format!(
                "From here the goal can be reached in {} steps, and {which}.",
                ticks - tick
            )),
            actions: actions(&scene, &mind, rest),
            order: Vec::new(),
            states: match design.decision {
                DecisionKind::PlanAndStates => states(&scene, plan),
                DecisionKind::Action | DecisionKind::Plan => Vec::new(),
            },
            say: None,
            accepts: None,
        };
        let deciders = scene.deciders(&mind).into_iter();
        let mut options = deciders.map(|agent| scene.options(agent, false).len());
        if options.any(|options| options > 1) {
            let slots = scene.slots(&mind, &form);
            let question = setup.prompts.render(&design.reasoner.template, &slots)?;
            messages.push(message(Role::User, question));
            let put = form.put(&answer, setup.asking.format);
            messages.push(message(Role::Assistant, put));
            mind.seen.clear();
        }
        if design.decision != DecisionKind::Action {
            break;
        }
        for step in own(task, timestep, &mind.agents.clone()) {
            let operator = task.operator(step.operator);
            let name = &task.agents[usize::from(step.agent)].name;
            mind.did(tick, name, &operator.text);
        }
        let joint = joint(timestep);
        let learnt = joint.iter().copied();
        let learnt = learnt.filter(|operator| task.learns(&state, agent, *operator));
        mind.saw(task, &learnt.collect::<Vec<_>>());
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
fn shown(task: &PackedTask, plan: &[PlanStep], name: &str) -> usize {
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
            (0..task.players()).rev().max_by_key(begun).unwrap_or(0)
        })
}

/// Returns the steps of a plan in which some of the agents choose an action, continuations left out.
fn own<'p>(
    task: &PackedTask,
    steps: &'p [PlanStep],
    agents: &[usize],
) -> impl Iterator<Item = &'p PlanStep> {
    let own = steps
        .iter()
        .filter(|step| agents.contains(&usize::from(step.agent)));
    own.filter(|step| task.operator(step.operator).kind != OperatorKind::Continue)
}

fn joint(timestep: &[PlanStep]) -> Vec<OperatorId> {
    timestep.iter().map(|step| step.operator).collect()
}

/// Returns the actions, in words, of each agent that is decided for in the scene.
fn actions(scene: &Scene<'_>, mind: &Mind<'_>, steps: &[PlanStep]) -> Vec<Vec<String>> {
    let deciders = scene.deciders(mind).into_iter();
    deciders
        .map(|agent| {
            own(scene.task, steps, &[agent])
                .map(|step| scene.task.operator(step.operator).text.clone())
                .collect()
        })
        .collect()
}

/// Returns the facts, in words, that hold anew when each of the agent's actions is over.
fn states(scene: &Scene<'_>, plan: &[PlanStep]) -> Vec<String> {
    let task = scene.task;
    let facts = |state: &State| task.observe_as(state, scene.agent).facts;
    let is_title = |line: &String| {
        let mut parts = task.observation.parts.iter();
        parts.any(|part| part.title == *line)
    };
    let mut state = scene.state.to_owned();
    let mut before = facts(&state);
    let mut states: Vec<String> = Vec::new();
    let mut timesteps = plan
        .chunk_by(|one, other| one.tick == other.tick)
        .peekable();
    while let Some(timestep) = timesteps.next() {
        let result = task.step(&mut state, &joint(timestep), &mut Record::default());
        let next = timesteps.peek();
        let is_over = next.is_none_or(|next| own(task, next, &[scene.agent]).next().is_some());
        if !is_over && result.is_ok() {
            continue;
        }
        let after = facts(&state);
        let news = after
            .iter()
            .filter(|line| !before.contains(line) && !is_title(line));
        let news: Vec<&str> = news.map(String::as_str).collect();
        states.push(if news.is_empty() {
            "nothing new".to_owned()
        } else {
            news.join(", ")
        });
        before = after;
    }
    states
}
