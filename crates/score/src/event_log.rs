//! Event logs of Brigade's own episodes as recorded episodes.

use super::episode_log::{RecordedEpisode, StampedAction};
use brigade_play::episode::Log;
use brigade_task::PackedTask;

/// The recorded episode of an event log of a task.
///
/// The order is the problem's name, and is finished if the episode was a success; a task without a goal
/// orders nothing that could be. An action's timestep is
/// the tick at which its label was recorded, counted from 0. Agents of nature are none of it. Messages are no dialogs in the sense of
/// IC and RC: they carry no plans.
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
        dialogs: Vec::new(),
        scores: None,
    }
}
