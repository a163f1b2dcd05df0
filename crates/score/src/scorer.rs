//! Scores one recorded episode under one rule.

pub use super::context::TaskContext;

use super::collaboration::score_collaboration;
use super::context::known_actions;
use super::episode_log::RecordedEpisode;
use super::error::ScoreError;
use super::options::{Options, Success, UnknownActions};
use super::report::{AgentScore, EpisodeScore, TimeLimit};

/// Scores an episode. Where the joint match is stopped, the score is without it.
///
/// # Errors
///
/// Episode and references with different numbers of agents, a fact that the options need and the
/// context lacks, a dialog that cannot be scored, or a match that was stopped.
pub fn score_episode(
    episode: &RecordedEpisode,
    task: &TaskContext<'_>,
    options: &Options,
) -> Result<EpisodeScore, ScoreError> {
    let agents = task.references.agents();
    if episode.agents() != agents {
        return Err(ScoreError::AgentCount {
            episode: episode.agents(),
            references: agents,
        });
    }
    if options.unknown_actions == UnknownActions::Drop && task.action_space.is_none() {
        return Err(ScoreError::MissingContext {
            need: "the action space",
            because: "unknown actions are dropped (`unknown_actions: drop`)",
        });
    }
    let time_limit = time_limit(episode, task, options)?;
    let cut;
    let kept = match &time_limit {
        Some(TimeLimit {
            limit,
            missed: true,
        }) => {
            cut = episode.cut_at(*limit);
            &cut
        }
        _ => episode,
    };

    let mut histories = Vec::with_capacity(agents);
    let mut scores = Vec::with_capacity(agents);
    for (agent, actions) in kept.total_action_list.iter().enumerate() {
        let raw: Vec<String> = actions.iter().map(|action| action.action.clone()).collect();
        let history = known_actions(&raw, agent, task, options);
        let best = task.references.best(agent, &history, &options.tes)?;
        scores.push(AgentScore {
            agent,
            tes: best.counts.tes(&options.tes),
            tes_exact: best.counts.exact(options.tes.beta),
            recall: best.counts.recall(),
            precision: best.counts.precision(),
            counts: best.counts,
            reference: best.reference,
            dropped: (raw.len() - history.len()) as u32,
        });
        histories.push(history);
    }
    let mean = |total: f64| total / agents as f64;
    let joint = match task.references.best_joint(&histories, &options.tes) {
        Err(ScoreError::Stopped) => None,
        found => found?,
    };
    let joint_pc = joint.map(|matches| {
        mean(
            matches
                .iter()
                .map(|best| best.counts.tes(&options.tes))
                .sum(),
        )
    });
    Ok(EpisodeScore {
        id: episode.id.clone(),
        order: episode.order.clone(),
        level: episode.level,
        success: kept.has_goal.then(|| match options.success {
            Success::AnyOrder => !kept.total_order_finished.is_empty(),
            Success::TheOrder => kept.total_order_finished.contains(&kept.order),
        }),
        last_timestamp: episode.last_timestamp(),
        time_limit,
        pc: mean(scores.iter().map(|score| score.tes).sum()),
        joint_pc,
        collaboration: score_collaboration(kept, task, options)?,
        agents: scores,
    })
}

fn time_limit(
    episode: &RecordedEpisode,
    task: &TaskContext<'_>,
    options: &Options,
) -> Result<Option<TimeLimit>, ScoreError> {
    let Some(gamma) = options.gamma else {
        return Ok(None);
    };
    let time = task.reference_time.ok_or(ScoreError::MissingContext {
        need: "the task's reference time",
        because: "success has a time limit γ·T (`gamma`)",
    })?;
    let limit = gamma.floor_of_product(time);
    Ok(Some(TimeLimit {
        limit,
        missed: episode.last_timestamp() > limit,
    }))
}
