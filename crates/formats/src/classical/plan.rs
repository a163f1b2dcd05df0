//! A plan of the classical form as joint actions of the task.

use super::build::Meaning;
use super::files::Classical;
use brigade_task::OperatorId;

/// A reason for which a plan was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnreadablePlan {
    /// A name that no action of the classical form has.
    #[error("line {line}: the classical form of this problem has no action `{name}`")]
    Unknown {
        /// The line, from 1.
        line: usize,
        /// The name.
        name: String,
    },
    /// The last timestep has no end.
    #[error("the plan ends in the midst of a timestep")]
    Unfinished,
}

impl Classical {
    /// The joint actions of a plan, an action a line in parentheses, as planners write it: for each
    /// timestep its line, that of the first action, and the operators of those who act in it, in
    /// order.
    ///
    /// # Errors
    ///
    /// See [`UnreadablePlan`].
    pub fn joint_actions(
        &self,
        plan: &str,
    ) -> Result<Vec<(usize, Vec<OperatorId>)>, UnreadablePlan> {
        let mut joint = Vec::new();
        let mut now: Option<(usize, Vec<OperatorId>)> = None;
        for (line, text) in (1..).zip(plan.lines()) {
            let text = text.split(';').next().unwrap_or_default().trim();
            let name = text.trim_matches(['(', ')']).trim().to_lowercase();
            if name.is_empty() {
                continue;
            }
            match self.meanings.get(&name) {
                Some(Meaning::Act(operator)) => {
                    let (_, operators) = now.get_or_insert((line, Vec::new()));
                    operators.push(*operator);
                }
                Some(Meaning::Tick) => joint.extend(now.take()),
                Some(Meaning::Nothing) => {}
                None => return Err(UnreadablePlan::Unknown { line, name }),
            }
        }
        match now {
            None => Ok(joint),
            Some(_) => Err(UnreadablePlan::Unfinished),
        }
    }
}
