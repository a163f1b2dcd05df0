//! Reasons for which a task has no classical form.

/// A reason for which a task has no classical form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Inexpressible {
    /// Neither a goal nor another end.
    #[error("a classical problem has a goal, and this one has neither a goal nor another end")]
    NoGoal,
    /// A gain that nothing bounds.
    #[error(
        "a classical action has no negative cost, and `{action}` {}: without a horizon nothing bounds \
         how often",
        if *.is_gain { "adds to what is maximised" } else { "lowers the metric" }
    )]
    Unbounded {
        /// The action that gains.
        action: String,
        /// The schema of the action, if it has one.
        schema: Option<String>,
        /// True if the metric is maximised.
        is_gain: bool,
    },
    /// A gain of effects that are kept in a list, which differs in number from step to step.
    #[error(
        "a classical action has no negative cost, and delayed effects that are kept in a list have one"
    )]
    GainInList,
    /// Too large.
    #[error("{what} becomes too large: more than {limit} {unit}")]
    TooLarge {
        /// The part that is too large.
        what: String,
        /// The schema of the action that is too large, if it is one.
        schema: Option<String>,
        /// The limit.
        limit: u64,
        /// The unit of the limit.
        unit: &'static str,
    },
}

impl Inexpressible {
    /// Returns true if the metric is the reason.
    pub const fn is_about_the_metric(&self) -> bool {
        matches!(self, Self::Unbounded { .. } | Self::GainInList)
    }

    /// The name of the schema whose action is the reason, if one is.
    pub fn schema(&self) -> Option<&str> {
        match self {
            Self::Unbounded { schema, .. } | Self::TooLarge { schema, .. } => schema.as_deref(),
            Self::NoGoal | Self::GainInList => None,
        }
    }

    /// The way out, for `help`.
    pub const fn advice(&self) -> &'static str {
        match self {
            Self::NoGoal => "add a `:goal`, an `:end` or a `:horizon`",
            Self::Unbounded { .. } => {
                "add a `:horizon`, or write the metric so that every action costs at least 0"
            }
            Self::GainInList => "keep them as a set: `(:live-effects set)`",
            Self::TooLarge { .. } => "leave out what the problem does not need, or split it",
        }
    }
}
