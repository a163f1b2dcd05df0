//! Summarises a domain or a problem in a line: the facts that checking it yields without a search.

use std::collections::BTreeSet;

use serde::Serialize;

use super::declared::turns_word;
use super::sizes::{Counts, chosen};
use super::text::turns;
use brigade_compile::ground::{Options, ground};
use brigade_compile::sema::model::Model;
use brigade_diagnostics::words::counted;
use brigade_syntax::ast::Domain;

/// With more operators than this, compiling takes long.
const FEW_OPERATORS: usize = 1000;

/// Returns the budget of compiling for a summary.
fn budget() -> Options {
    Options::default()
        .with_max_instances(5_000)
        .with_max_work(1_000_000)
        .with_max_parts(100_000)
        .with_requirements(false)
}

/// The numbers of declarations of a domain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DomainSummary {
    /// Types.
    pub types: usize,
    /// Constants.
    pub constants: usize,
    /// Predicates, derived ones included.
    pub predicates: usize,
    /// Functions.
    pub functions: usize,
    /// Rules for derived predicates.
    pub derived: usize,
    /// Actions of all kinds.
    pub actions: usize,
    /// Events.
    pub events: usize,
}

/// The size of a problem under one semantics.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProblemSummary {
    /// Objects, the constants of the domain included.
    pub objects: usize,
    /// The agents, in turn order; none in a domain without agents.
    pub agents: Vec<String>,
    /// The turn mode of the agents.
    pub turns: &'static str,
    /// Actions, options and durative actions that agents choose.
    pub actions: usize,
    /// Ways to choose objects for their parameters by their types, a decimal.
    pub instances: String,
    /// Those of them that the delete relaxation reaches: no other can ever apply. `None` where that
    /// was not computed.
    pub operators: Option<usize>,
    /// Variables of a state; `None` where compiling takes long.
    pub variables: Option<usize>,
    /// Bits of a state; `None` where compiling takes long.
    pub bits: Option<u32>,
}

impl DomainSummary {
    /// Of a domain that was read.
    pub fn new(domain: &Domain) -> Self {
        let functions = domain.fluents.iter().filter(|one| one.range.is_some());
        let functions = functions.count();
        Self {
            types: domain
                .types
                .iter()
                .map(|it| it.name.key())
                .collect::<BTreeSet<_>>()
                .len(),
            constants: domain.constants.len(),
            predicates: domain.fluents.len() - functions,
            functions,
            derived: domain.derived.len(),
            actions: domain.actions.len(),
            events: domain.events.len(),
        }
    }

    /// Renders the counts: `2 types, 4 predicates, 3 actions`.
    pub fn line(&self) -> String {
        let parts = [
            (self.types, "type"),
            (self.constants, "constant"),
            (self.predicates, "predicate"),
            (self.functions, "function"),
            (self.derived, "derived rule"),
            (self.actions, "action"),
            (self.events, "event"),
        ];
        let parts = parts.iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> = parts.map(|(count, noun)| counted(count, noun)).collect();
        parts.join(", ")
    }
}

impl ProblemSummary {
    /// Of a model, and so many ground actions that the relaxation reaches. If they are few it is
    /// compiled, as far as that takes some milliseconds.
    pub fn new(model: &Model, operators: Option<usize>) -> Self {
        let are_few = operators.is_some_and(|operators| operators <= FEW_OPERATORS);
        let task = are_few.then(|| ground(model, &budget()));
        let task = task.and_then(Result::ok);
        let actions = || model.actions.iter().filter(|action| chosen(action));
        let agents = model.agents.iter();
        let mut counts = Counts::new(model);
        Self {
            objects: model.objects.len(),
            agents: agents
                .map(|agent| model.objects[agent.index()].name.to_string())
                .collect(),
            turns: turns_word(model.turns),
            actions: actions().count(),
            instances: actions()
                .map(|action| counts.instances(action))
                .sum::<num_bigint::BigUint>()
                .to_string(),
            operators,
            variables: task.as_ref().map(|task| task.variables.len()),
            bits: task.as_ref().map(|task| task.bits()),
        }
    }

    /// As text: `5 objects, 2 agents (sequential, helper first), 6 actions, 14 of 36 instances can ever apply,
    /// 8 variables in 12 bits`.
    pub fn line(&self) -> String {
        let mut parts = vec![counted(self.objects, "object")];
        if !self.agents.is_empty() {
            let agents: Vec<&str> = self.agents.iter().map(|agent| &**agent).collect();
            let turns = turns(self.turns, &agents);
            let turns = turns.map_or_else(String::new, |turns| format!(" ({turns})"));
            parts.push(counted(agents.len(), "agent") + &turns);
        }
        parts.push(counted(self.actions, "action"));
        let instances = counted(&self.instances, "instance");
        parts.push(match self.operators {
            Some(operators) => format!("{operators} of {instances} can ever apply"),
            None => instances,
        });
        if let (Some(variables), Some(bits)) = (self.variables, self.bits) {
            let variables = counted(variables, "variable");
            parts.push(format!("{variables} in {}", counted(bits, "bit")));
        }
        parts.join(", ")
    }
}
