//! The rule `paper`: the scores as the Collab-Overcooked paper defines them.

use super::options::{
    CollaborationOptions, DialogOptions, Openers, Options, Quotes, RepeatedRequests, ResponsePlan,
    ShareOf, SilentDialogs, Success, UnknownActions,
};
use super::tes::{Arithmetic, Beta, EmptyHistory, Matching, TesOptions};
use super::upstream::PUBLISHED_GAMMA;

impl Options {
    /// The rule `paper`.
    ///
    /// It needs two facts that the published table does not hold and a planner proves: the
    /// task's optimal time, for the limit γ·T, and its number of required collaborative actions, for
    /// the denominators of Eq. 5 and 6.
    pub fn paper() -> Self {
        Self {
            rule: "paper".to_owned(),
            tes: TesOptions {
                matching: Matching::Prefix,
                beta: Beta::PUBLISHED,
                arithmetic: Arithmetic::Exact,
                empty_history: EmptyHistory::Empty,
            },
            unknown_actions: UnknownActions::Keep,
            success: Success::TheOrder,
            gamma: Some(PUBLISHED_GAMMA),
            collaboration: CollaborationOptions {
                openers: Openers::Any,
                silent_dialogs: SilentDialogs::Skip,
                share_of: ShareOf::RequiredActions,
                dialog: DialogOptions {
                    quotes: Quotes::Any,
                    repeated_requests: RepeatedRequests::Once,
                    response_plan: ResponsePlan::FirstWithAction,
                },
            },
        }
    }
}
