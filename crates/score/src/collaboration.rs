//! ITES, IC and RC: what a dialog adds to the trajectory of the agent who was asked.
//!
//! For a dialog at timestep t, H is what the responder has done up to t, R what the initiator
//! requests, R̂ what the responder promises. ITES of a block of actions A is TES(H+A) − TES(H), each
//! TES maximised over the references. IC is the share of successful requests, RC that of successful
//! answers (Eq. 5 and 6 of the Collab-Overcooked paper).

use std::cmp::Ordering;
use std::collections::BTreeSet;

use serde::Serialize;

use super::dialog::{begin_agent, promised_actions, requested_actions};
use super::episode_log::{Dialog, RecordedEpisode};
use super::error::ScoreError;
use super::options::{Openers, Options, ShareOf, SilentDialogs};
use super::scorer::{TaskContext, known_actions};
use super::tes::MatchCounts;

/// One scored dialog.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Event {
    /// The timestep before which the agents talked.
    pub timestamp: u32,
    /// The agent who asked.
    pub begin_agent: usize,
    /// The agent who was asked.
    pub responder: usize,
    /// H: the responder's actions so far, as recorded.
    #[serde(rename = "H")]
    pub history: Vec<String>,
    /// R: the requested actions, normalised.
    #[serde(rename = "R")]
    pub request: Vec<String>,
    /// R̂: the promised actions, normalised.
    #[serde(rename = "R_hat")]
    pub response: Vec<String>,
    /// TES(H+R) − TES(H): the request succeeds if above zero.
    pub c1: f64,
    /// TES(H+R) − TES(H+R̂): what the answer leaves undone of the request.
    pub c2: f64,
    /// TES(H+R̂) − TES(H): the answer succeeds if above zero.
    pub c3: f64,
    /// 0: request and answer succeed; 1: the request only; 2: the answer only; 3: neither.
    pub code: u8,
    /// ITES of each requested action, appended to those before it.
    pub request_ites: Vec<f64>,
    /// ITES of each promised action, appended to those before it.
    pub response_ites: Vec<f64>,
}

impl Event {
    /// Whether the request raises TES.
    pub fn initiated(&self) -> bool {
        self.c1 > 0.0
    }

    /// Whether the answer raises TES.
    pub fn responded(&self) -> bool {
        self.c3 > 0.0
    }
}

/// Numerators and denominators of IC and RC; they add up over episodes.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
pub struct Tally {
    /// Successful requests.
    pub initiated: u32,
    /// What [`Tally::initiated`] is a share of.
    pub initiations: u32,
    /// Successful answers.
    pub responded: u32,
    /// What [`Tally::responded`] is a share of.
    pub responses: u32,
}

impl Tally {
    /// IC; 0 where there is nothing to be a share of, as published.
    pub fn ic(self) -> f64 {
        share(self.initiated, self.initiations)
    }

    /// RC; 0 where there is nothing to be a share of, as published.
    pub fn rc(self) -> f64 {
        share(self.responded, self.responses)
    }

    /// The tally of both.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            initiated: self.initiated.saturating_add(other.initiated),
            initiations: self.initiations.saturating_add(other.initiations),
            responded: self.responded.saturating_add(other.responded),
            responses: self.responses.saturating_add(other.responses),
        }
    }
}

fn share(part: u32, whole: u32) -> f64 {
    if whole == 0 {
        0.0
    } else {
        f64::from(part) / f64::from(whole)
    }
}

/// Counts of events by `[c2 above, at, below zero][c3 above zero, not][c1 above zero, not]`, in the
/// layout of the published output.
///
/// The published code raises an error for combinations that no real numbers have (c1 > 0 ≥ c3 with
/// c2 ≤ 0, for instance) and rounding could produce; here they are counted where they fall.
pub type Confusion = [[[u32; 2]; 2]; 3];

/// The collaboration scores of one episode.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Collaboration {
    /// The numbers behind IC and RC.
    pub tally: Tally,
    /// IC, the capability to initiate collaboration.
    pub ic: f64,
    /// RC, the capability to respond.
    pub rc: f64,
    /// Events by sign.
    pub confusion: Confusion,
    /// The scored dialogs.
    pub events: Vec<Event>,
}

/// Scores the dialogs of an episode.
///
/// # Errors
///
/// More or fewer than two agents, a silent dialog or a missing denominator, as the options say.
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
        if episode.agents() != 2 {
            return Err(ScoreError::DialogAgents {
                agents: episode.agents(),
            });
        }
        let Some(begin) = begin_agent(dialog) else {
            if choice.silent_dialogs == SilentDialogs::Skip {
                continue;
            }
            return Err(ScoreError::SilentDialog {
                timestamp: dialog.timestamp,
            });
        };
        let event = score_dialog(
            episode,
            dialog,
            begin,
            task,
            options,
            [&mut requested, &mut answered],
        );
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

fn score_dialog(
    episode: &RecordedEpisode,
    dialog: &Dialog,
    begin_agent: usize,
    task: &TaskContext<'_>,
    options: &Options,
    [requested, answered]: [&mut Depths; 2],
) -> Event {
    let responder = 1 - begin_agent;
    let history: Vec<String> = episode.total_action_list[responder]
        .iter()
        .take_while(|action| action.timestamp <= dialog.timestamp)
        .map(|action| action.action.clone())
        .collect();
    let known = |actions: &[String]| known_actions(actions, responder, task, options);
    let reading = options.collaboration.dialog;
    let request = known(&requested_actions(dialog, begin_agent, reading));
    let response = known(&promised_actions(dialog, responder, reading));

    let past = known(&history);
    let best = |actions: &[String]| {
        task.references
            .best(responder, actions, &options.tes)
            .counts
    };
    let before = best(&past);
    // The counts after each further action of a block; the last are those of the whole block.
    let follow = |block: &[String]| -> Vec<MatchCounts> {
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
    let (asked, told) = (follow(&request), follow(&response));
    let after_request = asked.last().copied().unwrap_or(before);
    let after_response = told.last().copied().unwrap_or(before);
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
    Event {
        timestamp: dialog.timestamp,
        begin_agent,
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
        response_ites: increments(&told),
        request,
        response,
    }
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
