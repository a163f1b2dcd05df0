//! The requests and promises of an episode with their classes, and how many there are of each.
//!
//! The Collab-Overcooked paper classes such requests by hand; `docs/reference/metrics.md` has the definitions.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use brigade_search::StopReason;

/// The relation of an action to the optimal plans from the state in which it is asked for, or promised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum InitiationClass {
    /// On some optimal plan it is the agent's next labelled action.
    Correct,
    /// On some optimal plan the agent does it, but not next.
    Premature,
    /// The agent has done it, or has just been asked for it, and does it on no optimal plan again.
    Repetitive,
    /// None of these.
    Irrelevant,
}

/// The response of the asked agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResponseClass {
    /// The next labelled action that it did.
    Followed,
    /// It did it, but something else before.
    Later,
    /// It never did it, and said that it would not.
    Refused,
    /// It never did it.
    Ignored,
}

/// A class, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// The class.
    pub class: Option<InitiationClass>,
    /// The reason why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A request, its class, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClassedRequest {
    /// Ticks that had passed.
    pub tick: u32,
    /// The agent that asked.
    pub agent: String,
    /// The agent that was asked.
    pub of: String,
    /// The command asked for.
    pub action: String,
    /// Its class.
    #[serde(flatten)]
    pub initiation: Verdict,
    /// The response of the asked agent.
    pub response: ResponseClass,
    /// True if it agreed, false if it refused; `None` if it did not say.
    pub accepted: Option<bool>,
    /// True if its answer promised the action.
    pub promised: bool,
    /// The timestep in which it did the action, if it did.
    pub done: Option<u32>,
}

/// An action that an agent promised, its class, and whether it was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClassedPromise {
    /// Ticks that had passed.
    pub tick: u32,
    /// The agent that promised.
    pub agent: String,
    /// To whom.
    pub of: String,
    /// The command promised.
    pub action: String,
    /// The class of the promised action, judged as a request.
    #[serde(flatten)]
    pub initiation: Verdict,
    /// True if it was asked for: by the requests of the same agent in the same or the last timestep with any.
    pub asked: bool,
    /// The timestep in which it was done, if it was.
    pub done: Option<u32>,
}

/// The number of requests or promises of each class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InitiationCounts {
    /// [`InitiationClass::Correct`].
    pub correct: u32,
    /// [`InitiationClass::Premature`].
    pub premature: u32,
    /// [`InitiationClass::Repetitive`].
    pub repetitive: u32,
    /// [`InitiationClass::Irrelevant`].
    pub irrelevant: u32,
    /// Without a class.
    pub unknown: u32,
}

/// The number of responses of each class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResponseCounts {
    /// [`ResponseClass::Followed`].
    pub followed: u32,
    /// [`ResponseClass::Later`].
    pub later: u32,
    /// [`ResponseClass::Refused`].
    pub refused: u32,
    /// [`ResponseClass::Ignored`].
    pub ignored: u32,
}

/// The requests and promises of an episode.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Collaboration {
    /// All requests, in order.
    pub requests: Vec<ClassedRequest>,
    /// All promises, in order.
    pub promises: Vec<ClassedPromise>,
    /// Requests by class.
    pub initiation: InitiationCounts,
    /// Requests by what the asked agent did.
    pub response: ResponseCounts,
    /// Promises by class.
    pub promised: InitiationCounts,
    /// The share of correct requests among those with a class; `None` if there are none.
    pub initiating: Option<f64>,
    /// The share of correct requests that were followed; `None` if there are none.
    pub responding: Option<f64>,
    /// The limit that stopped the collection of optimal plans for some of them, if any did.
    #[serde(serialize_with = "super::in_words")]
    pub stopped: Option<StopReason>,
}

impl AddAssign for InitiationCounts {
    fn add_assign(&mut self, more: Self) {
        self.correct += more.correct;
        self.premature += more.premature;
        self.repetitive += more.repetitive;
        self.irrelevant += more.irrelevant;
        self.unknown += more.unknown;
    }
}

impl AddAssign for ResponseCounts {
    fn add_assign(&mut self, more: Self) {
        self.followed += more.followed;
        self.later += more.later;
        self.refused += more.refused;
        self.ignored += more.ignored;
    }
}

impl InitiationCounts {
    /// Those that have a class.
    pub const fn classed(&self) -> u32 {
        self.correct + self.premature + self.repetitive + self.irrelevant
    }

    fn add(&mut self, class: Option<InitiationClass>) {
        *match class {
            Some(InitiationClass::Correct) => &mut self.correct,
            Some(InitiationClass::Premature) => &mut self.premature,
            Some(InitiationClass::Repetitive) => &mut self.repetitive,
            Some(InitiationClass::Irrelevant) => &mut self.irrelevant,
            None => &mut self.unknown,
        } += 1;
    }
}

impl ResponseCounts {
    /// All of them.
    pub const fn all(&self) -> u32 {
        self.followed + self.later + self.refused + self.ignored
    }

    fn add(&mut self, class: ResponseClass) {
        *match class {
            ResponseClass::Followed => &mut self.followed,
            ResponseClass::Later => &mut self.later,
            ResponseClass::Refused => &mut self.refused,
            ResponseClass::Ignored => &mut self.ignored,
        } += 1;
    }
}

impl Collaboration {
    /// Counts the classes, and computes the shares.
    pub(super) fn count(&mut self) {
        let mut followed = 0;
        for request in &self.requests {
            self.initiation.add(request.initiation.class);
            self.response.add(request.response);
            let is_correct = request.initiation.class == Some(InitiationClass::Correct);
            followed += u32::from(is_correct && request.response == ResponseClass::Followed);
        }
        for promise in &self.promises {
            self.promised.add(promise.initiation.class);
        }
        let share = |part: u32, whole: u32| (whole > 0).then(|| f64::from(part) / f64::from(whole));
        self.initiating = share(self.initiation.correct, self.initiation.classed());
        self.responding = share(followed, self.initiation.correct);
    }
}
