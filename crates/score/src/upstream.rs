//! The rule `upstream`: the evaluation code published with Collab-Overcooked, to the last bit.

use super::fraction::Fraction;
use super::options::{
    CollaborationOptions, DialogOptions, Openers, Options, Quotes, RepeatedRequests, ResponsePlan,
    ShareOf, SilentDialogs, Success, UnknownActions,
};
use super::tes::{Arithmetic, Beta, EmptyHistory, Matching, TesOptions};

/// The "optimal completion time" of each level, 1 first, in the published truncation script: the
/// index of the last step. It is the playback time of each task's first annotated reference, not an
/// optimum.
pub const PUBLISHED_TIMES: [u32; 6] = [16, 23, 35, 32, 55, 64];

/// γ of the published truncation script.
pub const PUBLISHED_GAMMA: Fraction = match Fraction::new(3, 2) {
    Some(gamma) => gamma,
    None => Fraction::ONE,
};

/// [`PUBLISHED_TIMES`] by level; `None` for a level that the benchmark does not have.
pub fn published_time(level: u32) -> Option<u32> {
    PUBLISHED_TIMES
        .get((level as usize).checked_sub(1)?)
        .copied()
}

impl Options {
    /// The rule `upstream`.
    ///
    /// Without a time limit, as `evaluation.py` runs on untouched logs; [`Options::with_gamma`]
    /// adds the truncation script.
    pub fn upstream() -> Self {
        Self {
            rule: "upstream".to_owned(),
            tes: TesOptions {
                matching: Matching::Prefix,
                beta: Beta::PUBLISHED,
                arithmetic: Arithmetic::Float,
                empty_history: EmptyHistory::Placeholder,
            },
            unknown_actions: UnknownActions::Drop,
            success: Success::AnyOrder,
            gamma: None,
            collaboration: CollaborationOptions {
                openers: Openers::Chef,
                silent_dialogs: SilentDialogs::Reject,
                share_of: ShareOf::Dialogs,
                dialog: DialogOptions {
                    quotes: Quotes::Single,
                    repeated_requests: RepeatedRequests::Keep,
                    response_plan: ResponsePlan::FirstWithAction,
                },
            },
        }
    }
}
