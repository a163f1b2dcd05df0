//! ITES, IC and RC: what a dialog adds to the trajectory of the agent who was asked.
//!
//! For a dialog at timestep t, H is what the responder has done up to t, R what the initiator
//! requests, R̂ what the responder promises. ITES of a block of actions A is TES(H+A) − TES(H), each
//! TES maximised over the references. IC is the share of successful requests, RC that of successful
//! answers (Eq. 5 and 6 of the Collab-Overcooked paper).

use std::cmp::Ordering;
use std::collections::BTreeSet;

pub use super::dialog_scores::{Collaboration, Confusion, Event, Tally};

use super::context::{TaskContext, known_actions};
use super::dialog::{begin_agent, promised_actions, requested_actions};
use super::episode_log::{Dialog, RecordedEpisode, Request};
use super::error::ScoreError;
use super::options::{Openers, Options, ShareOf, SilentDialogs};
use super::tes::MatchCounts;

/// Scores the dialogs of an episode.
///
/// # Errors
///
/// More or fewer than two agents, a silent dialog or a missing denominator, as the options say; or a match that was
/// stopped.
pub fn score_collaboration(
    episode: &RecordedEpisode,
    task: &TaskContext<'_>,
    options: &Options,
) -> Result<Collaboration, ScoreError> {
    let choice = &options.collaboration;
    let mut result = Collaboration::default();
    let mut requested = Depths::new();
    let mut answered = Depths::new();
    for dialog in &episode.dialogs {
        if choice.openers == Openers::Chef && dialog.opened_by != 0 {
            continue;
        }
        let request = match &dialog.request {
            Some(request) => request.clone(),
            None if episode.agents() != 2 => {
                return Err(ScoreError::DialogAgents {
                    agents: episode.agents(),
                });
            }
            None => match spoken_request(dialog, options) {
                Some(request) => request,
                None if choice.silent_dialogs == SilentDialogs::Skip => continue,
                None => {
                    return Err(ScoreError::SilentDialog {
                        timestamp: dialog.timestamp,
                    });
                }
            },
        };
        let event = score_dialog(
            episode,
            dialog,
            &request,
            task,
            options,
            [&mut requested, &mut answered],
        )?;
        let class = match event.c2.partial_cmp(&0.0) {
            Some(Ordering::Greater) => 0,
            Some(Ordering::Less) => 2,
            _ => 1,
        };
        result.confusion[class][usize::from(!event.responded())]
            [usize::from(!event.initiated())] += 1;
        result.events.push(event);
    }
    result.tally = tally(&result.events, &requested, &answered, task, choice.share_of)?;
    result.ic = result.tally.ic();
    result.rc = result.tally.rc();
    Ok(result)
}

/// Required actions that were matched in answer to a dialog: (responder, position in the reference).
type Depths = BTreeSet<(usize, u32)>;

/// The request and the answer that the words of a dialog between two agents hold; `None` if nobody speaks.
fn spoken_request(dialog: &Dialog, options: &Options) -> Option<Request> {
    let initiator = begin_agent(dialog)?;
    let responder = 1 - initiator;
    let reading = options.collaboration.dialog;
    Some(Request {
        initiator,
        responder,
        requested: requested_actions(dialog, initiator, reading),
        promised: promised_actions(dialog, responder, reading),
    })
}

fn score_dialog(
    episode: &RecordedEpisode,
    dialog: &Dialog,
    asked_for: &Request,
    task: &TaskContext<'_>,
    options: &Options,
    [requested, answered]: [&mut Depths; 2],
) -> Result<Event, ScoreError> {
    let responder = asked_for.responder;
    // The timestep of a record is that after which an action had its effect, that of an event log the one in which it
    // was done, and before which the agents talk.
    let is_before = |at: u32| match &dialog.request {
        None => at <= dialog.timestamp,
        Some(_) => at < dialog.timestamp,
    };
    let history: Vec<String> = episode.total_action_list[responder]
        .iter()
        .take_while(|action| is_before(action.timestamp))
        .map(|action| action.action.clone())
        .collect();
    let known = |actions: &[String]| known_actions(actions, responder, task, options);
    let request = known(&asked_for.requested);
    let response = known(&asked_for.promised);

    let past = known(&history);
    let best = |actions: &[String]| {
        let best = task.references.best(responder, actions, &options.tes);
        best.map(|best| best.counts)
    };
    let before = best(&past)?;
    // The counts after each further action of a block; the last are those of the whole block.
    let follow = |block: &[String]| -> Result<Vec<MatchCounts>, ScoreError> {
        let mut actions = past.clone();
        let step = |action: &String| {
            actions.push(action.clone());
            best(&actions)
        };
        block.iter().map(step).collect()
    };
    let increments = |counts: &[MatchCounts]| -> Vec<f64> {
        let earlier = std::iter::once(&before).chain(counts);
        counts
            .iter()
            .zip(earlier)
            .map(|(now, was)| now.gain_over(*was, &options.tes))
            .collect()
    };
    let (asked, promised) = (follow(&request)?, follow(&response)?);
    let after_request = asked.last().copied().unwrap_or(before);
    let after_response = promised.last().copied().unwrap_or(before);
    let c1 = after_request.gain_over(before, &options.tes);
    let c3 = after_response.gain_over(before, &options.tes);
    for (gain, after, depths) in [
        (c1, after_request, requested),
        (c3, after_response, answered),
    ] {
        if gain > 0.0 {
            depths.extend((before.matched + 1..=after.matched).map(|depth| (responder, depth)));
        }
    }
    Ok(Event {
        timestamp: dialog.timestamp,
        begin_agent: asked_for.initiator,
        responder,
        history,
        c1,
        c2: after_request.gain_over(after_response, &options.tes),
        c3,
        code: match (c1 > 0.0, c3 > 0.0) {
            (true, true) => 0,
            (true, false) => 1,
            (false, true) => 2,
            (false, false) => 3,
        },
        request_ites: increments(&asked),
        response_ites: increments(&promised),
        request,
        response,
    })
}

fn tally(
    events: &[Event],
    requested: &Depths,
    answered: &Depths,
    task: &TaskContext<'_>,
    share_of: ShareOf,
) -> Result<Tally, ScoreError> {
    let count = |good: &dyn Fn(&Event) -> bool| events.iter().filter(|e| good(e)).count() as u32;
    Ok(match share_of {
        ShareOf::Dialogs => Tally {
            initiated: count(&Event::initiated),
            initiations: events.len() as u32,
            responded: count(&Event::responded),
            responses: events.len() as u32,
        },
        ShareOf::RequiredActions => {
            let required = task.required_actions.ok_or(ScoreError::MissingContext {
                need: "the task's number of required collaborative actions",
                because: "IC and RC are shares of them (`share_of: required-actions`)",
            })?;
            let all = required.iter().copied().fold(0, u32::saturating_add);
            let achieved = |depths: &Depths| {
                let of = |agent| depths.iter().filter(|depth| depth.0 == agent).count() as u32;
                required
                    .iter()
                    .enumerate()
                    .map(|(agent, most)| of(agent).min(*most))
                    .sum::<u32>()
            };
            Tally {
                initiated: achieved(requested),
                initiations: all,
                responded: achieved(answered),
                responses: all,
            }
        }
        ShareOf::Actions => {
            let all = |ites: fn(&Event) -> &[f64]| {
                let values = events.iter().flat_map(ites);
                values.fold((0, 0), |(good, all), gain| {
                    (good + u32::from(*gain > 0.0), all + 1)
                })
            };
            let (initiated, initiations) = all(|event| &event.request_ites);
            let (responded, responses) = all(|event| &event.response_ites);
            Tally {
                initiated,
                initiations,
                responded,
                responses,
            }
        }
    })
}
