//! The requirements of operators, for the reasons of refusals; and the agents that learn of an operator.

use crate::ground::bindings::Bindings;
use crate::ground::formula::Cond;
use crate::ground::reachable::{Needed, Reachable};
use crate::sema::model::Model;

/// Adds the requirements of every operator, in words.
pub(super) fn add_requirements<'m>(model: &'m Model, reachable: &mut Reachable<'m>) {
    for operator in &mut reachable.operators {
        let action = &model.actions[operator.action.index()];
        let mut at: Bindings = operator.args.iter().copied().map(Some).collect();
        at.resize(action.variables.len(), None);
        reachable.instantiator.within(&action.variables, |this| {
            for requirement in &action.precondition {
                let cond = this.cond(&requirement.cond, &mut at);
                if cond == Cond::True {
                    continue;
                }
                let reason = match &requirement.reason {
                    Some(reason) => this.text(reason, &mut at),
                    None => this.described(&requirement.cond, &at),
                };
                operator.requirements.push(Needed {
                    cond,
                    reason,
                    as_known: None,
                });
            }
        });
    }
}

/// Adds to every operator that not all learn of who does.
pub(super) fn add_learners<'m>(model: &'m Model, reachable: &mut Reachable<'m>) {
    for operator in &mut reachable.operators {
        let action = &model.actions[operator.action.index()];
        let Some(learners) = &action.observers else {
            continue;
        };
        let viewer = &action.variables[learners.viewer.index()];
        let mut at: Bindings = operator.args.iter().copied().map(Some).collect();
        at.resize(action.variables.len(), None);
        let conds = model.agents.iter().zip(0..).map(|(&agent, number)| {
            if number == operator.agent {
                return Cond::True;
            }
            if !model.is_a(agent, &viewer.types) {
                return Cond::False;
            }
            at[learners.viewer.index()] = Some(agent);
            reachable
                .instantiator
                .within(&action.variables, |this| this.cond(&learners.cond, &mut at))
        });
        operator.learners = Some(conds.collect());
    }
}
