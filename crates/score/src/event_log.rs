//! Event logs of Brigade's own episodes as recorded episodes.

use super::episode_log::{Dialog, RecordedEpisode, Request, StampedAction};
use super::spoken::Spoken;
use brigade_play::episode::{Lexicon, Log, Player};
use brigade_task::PackedTask;

/// The requests of a timestep, an asking and an asked agent.
type Block<'l> = ((u32, &'l str, &'l str), Vec<usize>);

/// The recorded episode of an event log of a task.
///
/// The order is the problem's name, and is finished if the episode was a success; a task without a goal
/// orders nothing that could be. An action's timestep is
/// the tick at which its label was recorded, counted from 0. Agents of nature are none of it. The requests of one agent to
/// another in a timestep are a dialog, with the answer to them; messages alone are none.
pub fn recorded_episode(task: &PackedTask, log: &Log, id: &str) -> RecordedEpisode {
    let agents: Vec<_> = log.header.agents.iter().take(task.players()).collect();
    let mut actions: Vec<Vec<StampedAction>> = vec![Vec::new(); agents.len()];
    let mut last = 0;
    for step in log.steps() {
        last = step.tick;
        for entry in &step.labels {
            let agent = agents.iter().position(|agent| agent.name == entry.agent);
            if let Some(own) = agent.and_then(|agent| actions.get_mut(agent)) {
                own.push(StampedAction {
                    timestamp: step.tick,
                    action: entry.label.clone(),
                });
            }
        }
    }
    let success = log.is_success(task);
    RecordedEpisode {
        id: id.to_owned(),
        order: log.header.problem.clone(),
        level: 0,
        total_timestamp: vec![0, last],
        total_order_finished: Vec::from_iter(
            (success == Some(true)).then(|| log.header.problem.clone()),
        ),
        has_goal: success.is_some(),
        total_action_list: actions,
        dialogs: dialogs(task, log, &agents),
        scores: None,
    }
}

/// The dialogs in which an agent requests actions of another, in the order of the log.
fn dialogs(task: &PackedTask, log: &Log, agents: &[&Player]) -> Vec<Dialog> {
    let spoken = Spoken::of(log);
    let lexicon = Lexicon::new(task);
    let place = |name: &str| agents.iter().position(|agent| agent.name == name);
    let mut blocks: Vec<Block<'_>> = Vec::new();
    for (index, (_, request)) in spoken.requests.iter().enumerate() {
        let key = (request.tick, &*request.agent, &*request.of);
        match blocks.iter_mut().rfind(|(known, _)| *known == key) {
            Some((_, block)) => block.push(index),
            None => blocks.push((key, vec![index])),
        }
    }
    let dialogs = blocks
        .into_iter()
        .filter_map(|((tick, asking, asked), block)| {
            let (initiator, responder) = (place(asking)?, place(asked)?);
            // A command that may record several labels stands for the first, one that records none for nothing, and what is
            // no command is an action that no reference has.
            let label = |command: &String| match lexicon.labels(task, responder, command) {
                None => Some(command.clone()),
                Some(labels) => labels.first().map(|&label| task.label(label).to_owned()),
            };
            let requests = block.iter().map(|&index| spoken.requests[index]);
            let mut answers = requests
                .clone()
                .filter_map(|(line, request)| spoken.answer(line, request));
            let promised = answers.next().map_or(&[][..], |answer| &answer.actions);
            Some(Dialog {
                timestamp: tick,
                opened_by: initiator,
                turns: Vec::new(),
                request: Some(Request {
                    initiator,
                    responder,
                    requested: requests.filter_map(|(_, it)| label(&it.action)).collect(),
                    promised: promised.iter().filter_map(label).collect(),
                }),
            })
        });
    dialogs.collect()
}
