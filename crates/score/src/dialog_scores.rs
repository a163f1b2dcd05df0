//! The scores of dialogs, and their sums over an episode.

use serde::Serialize;

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
    /// Returns true if the request raises TES.
    pub fn initiated(&self) -> bool {
        self.c1 > 0.0
    }

    /// Returns true if the answer raises TES.
    pub fn responded(&self) -> bool {
        self.c3 > 0.0
    }
}

/// Numerators and denominators of IC and RC; they add up over episodes.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
pub struct Tally {
    /// Successful requests.
    pub initiated: u32,
    /// The denominator of IC; [`Tally::initiated`] is the numerator.
    pub initiations: u32,
    /// Successful answers.
    pub responded: u32,
    /// The denominator of RC; [`Tally::responded`] is the numerator.
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
