//! Measures the size of a problem, before and after compiling.

use std::collections::HashMap;

use num_bigint::BigUint;
use serde::Serialize;

use brigade_compile::sema::model::{Action, ActionKind, Model, TypeId};
use brigade_task::{OperatorKind, PackedTask, Phase};

/// The size of a problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sizes {
    /// The types, in declared order.
    pub types: Vec<TypeSize>,
    /// Actions, options and durative actions that agents choose, in file order.
    pub actions: Vec<ActionSize>,
    /// The agents, in turn order.
    pub agents: Vec<AgentSize>,
    /// Ground operators, waiting and going on with what was started included.
    pub operators: usize,
    /// Parts of the tick in which something may happen besides delayed effects: events, timed
    /// literals, options that end.
    pub phases: usize,
    /// Ground delayed effects that may be live.
    pub delayed_effects: usize,
    /// Labels that may be recorded.
    pub labels: usize,
    /// Variables of a state.
    pub variables: usize,
    /// Bits of a state.
    pub bits: u32,
    /// Words of 64 bits that hold them.
    pub words: usize,
}

/// A type and its objects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TypeSize {
    /// Its name.
    pub name: String,
    /// The number of objects of it, those of its subtypes included.
    pub objects: usize,
}

/// A schema before and after grounding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ActionSize {
    /// Its name.
    pub name: String,
    /// Ways to choose objects for its parameters by their types, a decimal.
    pub instances: String,
    /// Those of them that can ever apply: its operators. 0 says that something is wrong with it, or
    /// that the problem has no use for it.
    pub operators: usize,
}

/// An agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AgentSize {
    /// Its name; empty for the one implicit agent of a domain without agents.
    pub name: String,
    /// Its operators, without waiting and going on.
    pub actions: usize,
}

impl Sizes {
    pub(super) fn new(model: &Model, task: &PackedTask) -> Self {
        let actions = model.actions.iter().filter(|action| chosen(action));
        let starts = || {
            let operators = task.operators.iter();
            operators.filter(|operator| operator.kind == OperatorKind::Start)
        };
        let of_schema = |name: &str| {
            let actions = starts().filter_map(|start| start.action.as_ref());
            let schemas = actions.map(|action| task.symbols.schema(action.schema));
            schemas.filter(|schema| *schema == name).count()
        };
        let agents = task.agents.iter().zip(0_u16..);
        let mut counts = Counts::new(model);
        let effect = |phase: &&Phase| matches!(phase, Phase::Effect { .. });
        Self {
            types: types(model),
            actions: actions
                .map(|action| ActionSize {
                    name: action.name.clone(),
                    instances: counts.instances(action).to_string(),
                    operators: of_schema(&action.name),
                })
                .collect(),
            agents: agents
                .map(|(agent, index)| AgentSize {
                    name: agent.name.clone(),
                    actions: starts().filter(|start| start.agent == index).count(),
                })
                .collect(),
            operators: task.operators.len(),
            phases: task.tick.iter().filter(effect).count(),
            delayed_effects: task.timers.len(),
            labels: task.labels.len(),
            variables: task.variables.len(),
            bits: task.bits(),
            words: task.words,
        }
    }
}

fn types(model: &Model) -> Vec<TypeSize> {
    let types = model.types.iter().zip(0..);
    types
        .map(|(ty, index)| TypeSize {
            name: ty.name.clone(),
            objects: model.objects_of(&[TypeId(index)]).len(),
        })
        .collect()
}

/// Returns true if agents choose an action: a primitive is performed by others.
pub(super) fn chosen(action: &Action) -> bool {
    action.kind != ActionKind::Primitive
}

/// The number of objects of the types of parameters.
pub(super) struct Counts<'m> {
    model: &'m Model,
    known: HashMap<&'m [TypeId], usize>,
}

impl<'m> Counts<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        Self {
            model,
            known: HashMap::new(),
        }
    }

    /// Ways to choose objects for the parameters of an action by their types.
    pub(super) fn instances(&mut self, action: &'m Action) -> BigUint {
        let parameters = action.variables[..action.parameters].iter();
        let counts = parameters.map(|parameter| {
            let known = self.known.entry(&parameter.types);
            BigUint::from(*known.or_insert_with(|| self.model.objects_of(&parameter.types).len()))
        });
        counts.product()
    }
}
