//! The structure of effects: what operators write, what applies one after another.

use brigade_task::effect::Effect;
use brigade_task::variable_set::VariableSet;
use brigade_task::{Agent, Task};

/// The variables that the operators of an agent may write.
pub(super) fn written_by(task: &Task, agent: &Agent) -> VariableSet {
    let mut written = VariableSet::default();
    for &operator in &agent.operators {
        task.operator(operator).effect.writes(&mut written);
    }
    written
}

/// The effects that apply one after another.
pub(super) fn in_sequence(effect: &Effect) -> Vec<&Effect> {
    match effect {
        Effect::Seq(effects) => effects.iter().flat_map(in_sequence).collect(),
        effect if effect.is_idle() => Vec::new(),
        effect => vec![effect],
    }
}

/// Returns true if some part of an effect reads what another has written.
pub(super) fn has_sequence(effect: &Effect) -> bool {
    match effect {
        Effect::Seq(_) => true,
        Effect::Block { effects, .. } | Effect::Switch(_, effects) => {
            effects.iter().any(has_sequence)
        }
        Effect::When(_, effect) => has_sequence(effect),
        Effect::Case(cases, otherwise) => {
            has_sequence(otherwise) || cases.iter().any(|(_, effect)| has_sequence(effect))
        }
        Effect::Choose(candidates, otherwise) => {
            has_sequence(otherwise) || candidates.iter().any(|it| has_sequence(&it.effect))
        }
        _ => false,
    }
}
