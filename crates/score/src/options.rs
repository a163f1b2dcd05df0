//! Every choice that a score depends on, as named options.
//!
//! `upstream.rs`, `paper.rs` and `brigade.rs` hold the named sets; `docs/reference/scores.md` compares them.

use serde::Serialize;

use super::fraction::Fraction;
use super::tes::{Beta, Matching, TesOptions};

/// A scoring rule: one of the named ones, or one built from these:
///
/// ```
/// use brigade_score::Options;
/// use brigade_score::options::ShareOf;
///
/// let options = Options::paper().with_gamma(None).with_share_of(ShareOf::Dialogs);
/// ```
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[non_exhaustive]
#[must_use]
pub struct Options {
    /// The rule's name, which every result carries.
    pub rule: String,
    /// The options by which a history is matched.
    pub tes: TesOptions,
    /// The treatment of action strings that no action space knows.
    pub unknown_actions: UnknownActions,
    /// The condition for the success of an episode.
    pub success: Success,
    /// γ: a success takes at most ⌊γ·T⌋, where T is the task's reference time. `None`: no limit.
    pub gamma: Option<Fraction>,
    /// The options by which IC and RC are counted.
    pub collaboration: CollaborationOptions,
}

/// Choices, each of which makes a rule like this one with one thing changed; it keeps its name.
impl Options {
    /// Matches histories by this definition of D.
    pub const fn with_matching(mut self, matching: Matching) -> Self {
        self.tes.matching = matching;
        self
    }

    /// Weighs precision by this.
    pub const fn with_beta(mut self, beta: Beta) -> Self {
        self.tes.beta = beta;
        self
    }

    /// Drops unknown actions, or keeps them.
    pub const fn with_unknown_actions(mut self, unknown_actions: UnknownActions) -> Self {
        self.unknown_actions = unknown_actions;
        self
    }

    /// Limits the time of a success to ⌊γ·T⌋, where T is the task's reference time: a limit on the
    /// index of the last timestep. `None`: no limit.
    pub fn with_gamma(mut self, gamma: impl Into<Option<Fraction>>) -> Self {
        self.gamma = gamma.into();
        self
    }

    /// Scores dialogs that were opened by these.
    pub const fn with_openers(mut self, openers: Openers) -> Self {
        self.collaboration.openers = openers;
        self
    }

    /// Rejects dialogs without a spoken word, or skips them.
    pub const fn with_silent_dialogs(mut self, silent_dialogs: SilentDialogs) -> Self {
        self.collaboration.silent_dialogs = silent_dialogs;
        self
    }

    /// Takes IC and RC as shares of this.
    pub const fn with_share_of(mut self, share_of: ShareOf) -> Self {
        self.collaboration.share_of = share_of;
        self
    }

    /// Counts a request made twice in one dialog so.
    pub const fn with_repeated_requests(mut self, repeated_requests: RepeatedRequests) -> Self {
        self.collaboration.dialog.repeated_requests = repeated_requests;
        self
    }

    /// Takes this plan of the responder as the answer.
    pub const fn with_response_plan(mut self, response_plan: ResponsePlan) -> Self {
        self.collaboration.dialog.response_plan = response_plan;
        self
    }
}

/// The treatment of action strings that are not in the agent's action space.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnknownActions {
    /// They are dropped and cost nothing: not even precision.
    Drop,
    /// They stay, and count as redundant.
    #[default]
    Keep,
}

/// The condition for the success of an episode.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Success {
    /// Any finished order.
    AnyOrder,
    /// The order that was asked for is among the finished ones.
    #[default]
    TheOrder,
}

/// The options by which IC and RC are counted.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CollaborationOptions {
    /// The dialogs that are scored.
    pub openers: Openers,
    /// The treatment of a dialog without a spoken word.
    pub silent_dialogs: SilentDialogs,
    /// The whole of which IC and RC are shares.
    pub share_of: ShareOf,
    /// The options by which requests and answers are read.
    pub dialog: DialogOptions,
}

/// The options by which requests and answers are read out of a dialog.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DialogOptions {
    /// The quotes that a request may carry.
    pub quotes: Quotes,
    /// The treatment of a request made twice in one dialog.
    pub repeated_requests: RepeatedRequests,
    /// The plan of the responder that is the answer.
    pub response_plan: ResponsePlan,
}

/// The dialogs that are scored.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Openers {
    /// Those that the Chef's planner opened.
    Chef,
    /// All.
    #[default]
    Any,
}

/// The treatment of a dialog without a spoken word.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SilentDialogs {
    /// An error, as in the published code.
    Reject,
    /// Not an event.
    #[default]
    Skip,
}

/// The whole of which IC and RC are shares.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShareOf {
    /// Dialogs: N is the number of scored dialogs, and a dialog whose actions raise TES as one
    /// block succeeds. The published code.
    Dialogs,
    /// Required collaborative actions: N is given with the task for each responder, and a position
    /// of the responder's best-matching reference counts once, when a block that raises TES newly
    /// matches it; no responder counts more than its own N. Eq. 5 and 6 of the paper.
    #[default]
    RequiredActions,
    /// Actions: N is the number of requested (IC) or promised (RC) actions, and each one succeeds
    /// whose own ITES, appended to those before it, is above zero.
    Actions,
}

/// The quotes that a request may carry.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quotes {
    /// Single quotes; a request in double quotes is an unknown action.
    #[default]
    Single,
    /// Single or double quotes.
    Any,
}

/// The treatment of a request made twice in one dialog.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RepeatedRequests {
    /// Two actions; the second is redundant.
    #[default]
    Keep,
    /// One action.
    Once,
}

/// The plan of the responder that is the answer.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResponsePlan {
    /// The first that holds any call, a wait or a request included.
    #[default]
    FirstWithAction,
    /// The last, which is what the responder settles for.
    Last,
}
