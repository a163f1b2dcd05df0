//! The joint actions of a trace or a plan, with the lines of its text that they are from.

/// One line of a trace: a command per agent, `None` for those who are not told.
pub(super) struct JointLine {
    pub(super) line: usize,
    pub(super) commands: Vec<Option<String>>,
}

/// A text as it was read.
pub(super) struct Read {
    pub(super) lines: Vec<JointLine>,
    /// The lines of the text that were left out.
    pub(super) left_out: Vec<(usize, String)>,
}

impl Read {
    /// Of a text of which nothing is left out.
    pub(super) const fn whole(lines: Vec<JointLine>) -> Self {
        Self {
            lines,
            left_out: Vec::new(),
        }
    }
}
