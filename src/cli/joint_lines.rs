//! The joint actions of a trace or a plan, with the lines of its text that they are from.

/// One line of a trace: a command per agent, `None` for those without one.
pub(super) struct JointLine {
    pub(super) line: usize,
    pub(super) commands: Vec<Option<String>>,
    /// The agents in the order in which they act, where agents may act in any order; those that are
    /// missing come last.
    pub(super) order: Vec<usize>,
}

impl JointLine {
    /// All agents, by their place among so many, in the order in which they act.
    pub(super) fn order(&self, agents: usize, any_order: bool) -> Vec<usize> {
        let mut order = if any_order {
            self.order.clone()
        } else {
            Vec::new()
        };
        let missing: Vec<usize> = (0..agents).filter(|agent| !order.contains(agent)).collect();
        order.extend(missing);
        order
    }
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
