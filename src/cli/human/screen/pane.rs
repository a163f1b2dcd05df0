//! The panes of a full screen.

/// A pane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pane {
    #[default]
    State,
    Board,
    Actions,
    Messages,
    History,
}

impl Pane {
    pub(super) const ALL: [Self; 5] = [
        Self::State,
        Self::Board,
        Self::Actions,
        Self::Messages,
        Self::History,
    ];

    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::State => "State",
            Self::Board => "Board",
            Self::Actions => "Actions",
            Self::Messages => "Messages",
            Self::History => "History",
        }
    }

    /// Returns true if its last lines are shown first.
    pub(super) const fn is_at_end(self) -> bool {
        matches!(self, Self::Messages | Self::History)
    }

    /// The pane after it, or before it, in a circle.
    pub(super) const fn next(self, forward: bool) -> Self {
        let count = Self::ALL.len();
        let step = if forward { 1 } else { count - 1 };
        Self::ALL[(self as usize + step) % count]
    }
}
