//! Every choice that a score depends on, as named options.
//!
//! `upstream.rs`, `paper.rs` and `brigade.rs` hold the named sets; `docs/reference/scores.md` compares them.

use serde::Serialize;

use super::fraction::Fraction;
use super::tes::TesOptions;

/// A scoring rule.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
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
