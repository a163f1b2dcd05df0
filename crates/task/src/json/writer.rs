//! Writes a task as a document; packed conditions and effects turn back into variables and values.

use super::{
    Document, Fact, JsonAgent, JsonAnnounced, JsonCandidate, JsonCase, JsonCond, JsonEffect,
    JsonExpr, JsonLayer, JsonLiveList, JsonOperator, JsonPhase, JsonRequirement, JsonRule,
    JsonTimer, JsonTotal, JsonVariable, SCHEMA,
};
use crate::atom::Masked;
use crate::cond::{Comparison, Cond, Expr};
use crate::effect::Effect;
use crate::layout::{Variable, VariableKind};
use crate::pack::Packer;
use crate::packed::PackedPhase;
use crate::{LiveList, LogEntry, Metric, OperatorKind, PackedTask, Phase, Total, VarId};

/// The task as a document to be serialised.
pub fn document(task: &PackedTask) -> Document {
    let writer = Writer::new(task);
    Document {
        schema: SCHEMA,
        domain: task.domain.clone(),
        problem: task.problem.clone(),
        semantics: task.semantics.clone(),
        turns: task.turns.name(),
        any_order: task.any_order,
        agents: task
            .agents
            .iter()
            .map(|agent| JsonAgent {
                name: agent.name.clone(),
                operators: agent.operators.iter().map(|id| id.0).collect(),
                wait: agent.wait.map(|id| id.0),
                role: agent.nature.as_ref().map(|_| "nature"),
            })
            .collect(),
        words: task.words,
        variables: task.variables.iter().map(variable).collect(),
        initial: task
            .variables
            .iter()
            .map(|variable| variable.get(&task.initial))
            .collect(),
        operators: writer.operators(),
        tick: writer.tick(),
        announced: task
            .announced
            .iter()
            .map(|known| JsonAnnounced {
                phase: known.phase,
                effect: writer.effect(&Packer(&task.variables).effect(&known.effect)),
            })
            .collect(),
        timers: writer.timers(),
        live: task.live.as_ref().map(live_list),
        clock: task.clock.map(|id| id.0),
        turn: task.turn.map(|id| id.0),
        axioms: writer.axioms(),
        goal: task.packed().goal.as_ref().map(|goal| writer.cond(goal)),
        fail: writer.cond(&task.packed().fail),
        end: (task.end != Cond::False).then(|| writer.cond(&task.packed().end)),
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
        values: variable.values.clone(),
        low: variable.low(),
        word: variable.word,
        shift: variable.shift,
        bits: variable.bits,
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

/// Writes the parts of a task.
struct Writer<'a> {
    task: &'a PackedTask,
    /// For each word its variables.
    words: Vec<Vec<u32>>,
}

impl<'a> Writer<'a> {
    fn new(task: &'a PackedTask) -> Self {
        let mut words = vec![Vec::new(); task.words];
        for (index, variable) in task.variables.iter().enumerate() {
            words[variable.word as usize].push(index as u32);
        }
        Self { task, words }
    }

    fn operators(&self) -> Vec<JsonOperator> {
        let operators = self.task.operators.iter();
        let packer = Packer(&self.task.variables);
        operators
            .zip(&self.task.packed().operators)
            .map(|(operator, packed)| {
                let tests = packed.tests.iter().copied().map(Cond::Fact);
                let precondition = Cond::all(tests.chain([packed.guard.clone()]));
                let requirements = operator.requirements.iter();
                JsonOperator {
                    name: operator.name.clone(),
                    agent: operator.agent,
                    kind: match operator.kind {
                        OperatorKind::Start => "start",
                        OperatorKind::Continue => "continue",
                        OperatorKind::Wait => "wait",
                    },
                    text: operator.text.clone(),
                    precondition: self.cond(&precondition),
                    weight: packed.weight.as_ref().map(|weight| self.expr(weight)),
                    effect: self.effect(&packed.effect),
                    requirements: requirements
                        .map(|requirement| JsonRequirement {
                            condition: self.cond(&packer.cond(&requirement.cond)),
                            reason: requirement.reason.clone(),
                        })
                        .collect(),
                }
            })
            .collect()
    }

    fn tick(&self) -> Vec<JsonPhase> {
        let phases = self.task.tick.iter().zip(&self.task.packed().tick);
        let write = |(phase, packed): (&Phase, &PackedPhase)| match (phase, packed) {
            (Phase::Effect { name, .. }, PackedPhase::Effect(effect)) => JsonPhase::Effect {
                name: name.clone(),
                effect: self.effect(effect),
            },
            _ => JsonPhase::Timers,
        };
        phases.map(write).collect()
    }

    fn timers(&self) -> Vec<JsonTimer> {
        let timers = self.task.timers.iter().zip(&self.task.packed().timers);
        timers
            .map(|(timer, packed)| JsonTimer {
                name: timer.name.clone(),
                variable: timer.variable.0,
                runs_while: self.cond(&packed.runs_while),
                dropped_when: self.cond(&packed.dropped_when),
                every_tick: timer.every_tick,
                effect: self.effect(&packed.effect),
            })
            .collect()
    }

    fn axioms(&self) -> Vec<JsonLayer> {
        let layers = self
            .task
            .axioms
            .layers
            .iter()
            .zip(&self.task.packed().rules);
        layers
            .map(|(layer, rules)| JsonLayer {
                variables: ids(&layer.variables),
                rules: rules
                    .iter()
                    .map(|(body, head)| JsonRule {
                        body: self.cond(body),
                        head: head.0,
                    })
                    .collect(),
            })
            .collect()
    }

    /// The variables whose fields it masks, with their values.
    fn facts(&self, Masked { word, mask, value }: Masked) -> Vec<Fact> {
        let field = |&index: &u32| {
            let variable = &self.task.variables[index as usize];
            let inside = mask & variable.mask() == variable.mask();
            inside.then(|| (index, ((value & variable.mask()) >> variable.shift) as u32))
        };
        let variables = self.words[word as usize].iter();
        variables.filter_map(field).collect()
    }

    fn cond(&self, cond: &Cond<Masked>) -> JsonCond {
        let all = |conds: &[Cond<Masked>]| conds.iter().map(|cond| self.cond(cond)).collect();
        match cond {
            Cond::True => JsonCond::True,
            Cond::False => JsonCond::False,
            Cond::Fact(test) => JsonCond::Facts(self.facts(*test)),
            Cond::Facts(tests) => {
                JsonCond::Facts(tests.iter().flat_map(|test| self.facts(*test)).collect())
            }
            Cond::Not(cond) => JsonCond::Not(Box::new(self.cond(cond))),
            Cond::And(conds) => JsonCond::And(all(conds)),
            Cond::Or(conds) => JsonCond::Or(all(conds)),
            Cond::Compare(comparison, left, right) => JsonCond::Compare {
                left: self.expr(left),
                comparison: match comparison {
                    Comparison::Equal => "=",
                    Comparison::Less => "<",
                    Comparison::LessOrEqual => "<=",
                    Comparison::Greater => ">",
                    Comparison::GreaterOrEqual => ">=",
                },
                right: self.expr(right),
            },
            Cond::Same(left, right, table) => JsonCond::Same {
                left: left.0,
                right: right.0,
                table: table.to_vec(),
            },
        }
    }

    fn expr(&self, expr: &Expr<Masked>) -> JsonExpr {
        let all = |exprs: &[Expr<Masked>]| exprs.iter().map(|expr| self.expr(expr)).collect();
        match expr {
            Expr::Constant(constant) => JsonExpr::Constant(*constant),
            Expr::Variable(variable) => JsonExpr::Variable(variable.0),
            Expr::Table(variable, values) => JsonExpr::Table {
                variable: variable.0,
                values: values.to_vec(),
            },
            Expr::Truth(cond) => JsonExpr::Truth(Box::new(self.cond(cond))),
            Expr::Add(exprs) => JsonExpr::Add(all(exprs)),
            Expr::Subtract(pair) => JsonExpr::Subtract(all(&pair[..])),
            Expr::Multiply(exprs) => JsonExpr::Multiply(all(exprs)),
            Expr::Abs(expr) => JsonExpr::Abs(Box::new(self.expr(expr))),
            Expr::Min(exprs) => JsonExpr::Min(all(exprs)),
            Expr::Max(exprs) => JsonExpr::Max(all(exprs)),
            Expr::Case(cases) => JsonExpr::Case(
                cases
                    .iter()
                    .map(|(cond, expr)| JsonCase {
                        condition: self.cond(cond),
                        then: self.expr(expr),
                    })
                    .collect(),
            ),
        }
    }

    fn effect(&self, effect: &Effect<Masked>) -> JsonEffect {
        let all =
            |effects: &[Effect<Masked>]| effects.iter().map(|effect| self.effect(effect)).collect();
        let case = |cond: &Cond<Masked>, effect: &Effect<Masked>| JsonCase {
            condition: self.cond(cond),
            then: self.effect(effect),
        };
        match effect {
            Effect::Nothing => JsonEffect::Nothing,
            Effect::Set(write) => JsonEffect::Set(self.facts(*write)),
            Effect::Clear(test, write) => JsonEffect::Clear {
                condition: self.facts(*test),
                set: self.facts(*write),
            },
            Effect::Number(variable, expr) => JsonEffect::Number {
                variable: variable.0,
                to: self.expr(expr),
            },
            Effect::Increase(variable, expr) => JsonEffect::Increase {
                variable: variable.0,
                by: self.expr(expr),
            },
            Effect::Copy(to, from, table) => JsonEffect::Copy {
                variable: to.0,
                from: from.0,
                table: table.to_vec(),
            },
            Effect::Block { effects, snapshot } => JsonEffect::Block {
                effects: all(effects),
                snapshot: *snapshot,
            },
            Effect::Seq(effects) => JsonEffect::Seq(all(effects)),
            Effect::When(cond, effect) => JsonEffect::When(Box::new(case(cond, effect))),
            Effect::Case(cases, otherwise) => JsonEffect::Case {
                cases: cases
                    .iter()
                    .map(|(cond, effect)| case(cond, effect))
                    .collect(),
                otherwise: Box::new(self.effect(otherwise)),
            },
            Effect::Switch(variable, effects) => JsonEffect::Switch {
                variable: variable.0,
                effects: all(effects),
            },
            Effect::Choose(candidates, otherwise) => JsonEffect::Choose {
                candidates: candidates
                    .iter()
                    .map(|candidate| JsonCandidate {
                        condition: self.cond(&candidate.cond),
                        keys: candidate.keys.iter().map(|key| self.expr(key)).collect(),
                        then: self.effect(&candidate.effect),
                    })
                    .collect(),
                otherwise: Box::new(self.effect(otherwise)),
            },
            Effect::Log(LogEntry { agent, label }) => JsonEffect::Log {
                agent: *agent,
                label: label.0,
            },
            Effect::Enlist(entry) => JsonEffect::Enlist(entry.value - 1),
            Effect::Cost(expr) => JsonEffect::Cost(self.expr(expr)),
            Effect::Total(total, expr) => JsonEffect::Total {
                total: total.0,
                amount: self.expr(expr),
            },
        }
    }
}
