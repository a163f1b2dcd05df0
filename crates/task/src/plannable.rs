//! Tasks that no plan solves: chance decides for some agent, or agents act in any order.

use crate::Task;

/// The reason why a task is played, and not planned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotPlannable {
    /// An agent acts by chance, which plans cannot choose. A search plans it as if it helped: a bound.
    #[error("chance decides what `{agent}` does, and chance is not solved for")]
    Chance {
        /// The name of the agent.
        agent: String,
    },
    /// Agents act in any order, which no search chooses.
    #[error("agents act in any order, `(:turns sequential :order any)`, which is not searched")]
    AnyOrder,
}

impl Task {
    /// Checks that plans solve the task.
    ///
    /// # Errors
    ///
    /// The first reason why they do not.
    pub fn check_plannable(&self) -> Result<(), NotPlannable> {
        self.check_without_chance()?;
        self.check_declared_order()
    }

    /// Checks that chance decides for no agent.
    ///
    /// # Errors
    ///
    /// It does: [`NotPlannable::Chance`].
    pub fn check_without_chance(&self) -> Result<(), NotPlannable> {
        match self.agents.iter().find(|agent| agent.nature.is_some()) {
            None => Ok(()),
            Some(agent) => Err(NotPlannable::Chance {
                agent: agent.name.clone(),
            }),
        }
    }

    /// Checks that agents act in the declared order.
    ///
    /// # Errors
    ///
    /// They do not: [`NotPlannable::AnyOrder`].
    pub const fn check_declared_order(&self) -> Result<(), NotPlannable> {
        if self.any_order {
            return Err(NotPlannable::AnyOrder);
        }
        Ok(())
    }
}
