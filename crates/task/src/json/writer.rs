//! Writes a task as a document.

use super::formulas::{cond, effect, expr};
use super::{
    Document, JsonAgent, JsonAnnounced, JsonGroundAction, JsonGroundFact, JsonLayer, JsonLiveList,
    JsonMeaning, JsonObject, JsonOperator, JsonPhase, JsonPredicate, JsonRequirement, JsonRule,
    JsonTimer, JsonTotal, JsonValue, JsonVariable, SCHEMA,
};
use crate::cond::Cond;
use crate::layout::{Variable, VariableKind};
use crate::symbols::{GroundAction, GroundFact, Meaning, PredicateKind, Value};
use crate::{
    Agent, AxiomLayer, LiveList, Metric, Operator, OperatorKind, Phase, Task, Timer, Total, VarId,
};

/// The task as a document to be serialised.
pub fn document(task: &Task) -> Document {
    let objects = task.symbols.objects.iter();
    let predicates = task.symbols.predicates.iter();
    Document {
        schema: SCHEMA,
        domain: task.domain.clone(),
        problem: task.problem.clone(),
        semantics: task.semantics.clone(),
        objects: objects
            .map(|object| JsonObject {
                name: object.name.clone(),
                types: object.types.clone(),
            })
            .collect(),
        predicates: predicates
            .map(|predicate| JsonPredicate {
                name: predicate.name.clone(),
                kind: predicate_kind(predicate.kind),
            })
            .collect(),
        schemas: task.symbols.schemas.clone(),
        turns: task.turns.name(),
        any_order: task.any_order,
        agents: task.agents.iter().map(agent).collect(),
        variables: task.variables.iter().map(variable).collect(),
        initial: (task.variables.iter())
            .map(|variable| variable.get(&task.initial))
            .collect(),
        operators: task.operators.iter().map(operator).collect(),
        tick: task.tick.iter().map(phase).collect(),
        announced: (task.announced.iter())
            .map(|known| JsonAnnounced {
                phase: known.phase,
                effect: effect(&known.effect),
            })
            .collect(),
        timers: task.timers.iter().map(timer).collect(),
        live: task.live.as_ref().map(live_list),
        clock: task.clock.map(|id| id.0),
        turn: task.turn.map(|id| id.0),
        axioms: task.axioms.layers.iter().map(layer).collect(),
        goal: task.goal.as_ref().map(cond),
        fail: cond(&task.fail),
        end: cond(&task.end),
        horizon: task.horizon,
        longest_wait: task.longest_wait,
        metric: match task.metric {
            Metric::Makespan => "makespan",
            Metric::Cost => "cost",
            Metric::NegatedCost => "negated_cost",
        },
        cost_scale: task.cost_scale,
        initial_cost: task.initial_cost,
        totals: task.totals.iter().map(total).collect(),
        labels: task.labels.clone(),
    }
}

const fn predicate_kind(kind: PredicateKind) -> &'static str {
    match kind {
        PredicateKind::Predicate => "predicate",
        PredicateKind::Function => "function",
        PredicateKind::Activity => "activity",
        PredicateKind::Delayed => "delayed",
        PredicateKind::Counter => "counter",
        PredicateKind::Time => "time",
    }
}

fn agent(agent: &Agent) -> JsonAgent {
    JsonAgent {
        name: agent.name.clone(),
        object: agent.object.map(|id| id.0),
        role: match &agent.nature {
            Some(_) => "nature",
            None => "player",
        },
        operators: agent.operators.iter().map(|id| id.0).collect(),
        wait: agent.wait.map(|id| id.0),
    }
}

fn total(total: &Total) -> JsonTotal {
    JsonTotal {
        name: total.name.clone(),
        scale: total.scale,
        initial: total.initial,
    }
}

fn variable(variable: &Variable) -> JsonVariable {
    JsonVariable {
        name: variable.name.clone(),
        kind: match variable.kind {
            VariableKind::Facts => "facts",
            VariableKind::Object => "object",
            VariableKind::Integer { .. } => "integer",
            VariableKind::Activity => "activity",
            VariableKind::Timer => "timer",
            VariableKind::Live => "live",
            VariableKind::Derived => "derived",
            VariableKind::Clock => "clock",
        },
        of: variable.of.as_ref().map(ground_fact),
        low: variable.low(),
        values: variable.values.iter().map(value).collect(),
    }
}

fn value(value: &Value) -> JsonValue {
    JsonValue {
        name: value.name.clone(),
        meaning: match &value.meaning {
            Meaning::Nothing => JsonMeaning::Nothing,
            Meaning::Fact(fact) => JsonMeaning::Fact(ground_fact(fact)),
            Meaning::Object(object) => JsonMeaning::Object(object.0),
            Meaning::Number(number) => JsonMeaning::Number(*number),
            Meaning::Activity(action) => JsonMeaning::Activity(ground_action(action)),
            Meaning::Member(member) => JsonMeaning::Member(*member),
        },
    }
}

fn ground_fact(fact: &GroundFact) -> JsonGroundFact {
    JsonGroundFact {
        predicate: fact.predicate.0,
        arguments: fact.arguments.iter().map(|id| id.0).collect(),
    }
}

fn ground_action(action: &GroundAction) -> JsonGroundAction {
    JsonGroundAction {
        schema: action.schema.0,
        arguments: action.arguments.iter().map(|id| id.0).collect(),
    }
}

fn ids(variables: &[VarId]) -> Vec<u32> {
    variables.iter().map(|id| id.0).collect()
}

fn live_list(list: &LiveList) -> JsonLiveList {
    JsonLiveList {
        places: ids(&list.places),
        members: list.members.clone(),
        skips: list.skips,
    }
}

fn operator(operator: &Operator) -> JsonOperator {
    let facts = operator.facts.iter().copied().map(Cond::Fact);
    let precondition = Cond::all(facts.chain([operator.guard.clone()]));
    JsonOperator {
        name: operator.name.clone(),
        action: operator.action.as_ref().map(ground_action),
        agent: operator.agent,
        kind: match operator.kind {
            OperatorKind::Start => "start",
            OperatorKind::Continue => "continue",
            OperatorKind::Wait => "wait",
        },
        text: operator.text.clone(),
        precondition: cond(&precondition),
        weight: operator.weight.as_ref().map(expr),
        effect: effect(&operator.effect),
        requirements: (operator.requirements.iter())
            .map(|requirement| JsonRequirement {
                condition: cond(&requirement.cond),
                reason: requirement.reason.clone(),
            })
            .collect(),
    }
}

fn phase(phase: &Phase) -> JsonPhase {
    match phase {
        Phase::Timers => JsonPhase::Timers,
        Phase::Effect {
            name,
            effect: applied,
        } => JsonPhase::Effect {
            name: name.clone(),
            effect: effect(applied),
        },
    }
}

fn timer(timer: &Timer) -> JsonTimer {
    JsonTimer {
        name: timer.name.clone(),
        variable: timer.variable.0,
        runs_while: cond(&timer.runs_while),
        dropped_when: cond(&timer.dropped_when),
        every_tick: timer.every_tick,
        effect: effect(&timer.effect),
    }
}

fn layer(layer: &AxiomLayer) -> JsonLayer {
    let rules = layer.rules.iter();
    JsonLayer {
        variables: ids(&layer.variables),
        rules: rules
            .map(|(body, head)| JsonRule {
                body: cond(body),
                head: head.0,
            })
            .collect(),
    }
}
