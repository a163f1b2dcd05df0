//! Reachable slots and ground formulas → the packed task.

use std::collections::BTreeMap;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use super::delayed::{Delayed, Rank};
use super::error::{GroundError, Schema};
use super::formula::{Candidate, Cond, Effect, Expr, Values};
use super::instantiate::Bindings;
use super::invariants::{self, Change};
use super::reach::{Activity, Operator, Reachable, Rule, ground_name};
use super::slots::{Namer, SlotId, SlotKey, SlotRange, code, default_code};
use super::work::Work;
use super::{Options, relevance};
use crate::sema::model::{self, FluentKind, Model, Phase};
use crate::task::cond::{self as packed, Test};
use crate::task::effect::{self as packed_effect, Write};
use crate::task::layout::{Variable, VariableKind, pack};
use crate::task::{
    self, Agent, AxiomLayer, Axioms, LabelId, Metric, OperatorId, OperatorKind, Requirement, Task,
    Timer, VarId,
};

/// The widest state that is supported, in bits: words are numbered by 16 bits.
const MAX_BITS: u64 = 64 * (1 << 16);

/// How many values all variables together may have: each has a name.
const MAX_VALUES: u64 = 1_000_000;

/// Where a slot went.
#[derive(Clone, Debug)]
enum Place {
    /// It has one value only: its code, and the number that this stands for.
    Constant { code: u32, number: i64 },
    /// It is true where the variable has this value, which stands for nothing else.
    Fact { variable: VarId, value: u32 },
    /// It has a variable of its own; `codes[value]` is its code.
    Own { variable: VarId, codes: Vec<u32> },
}

/// The requirements of an operator, each with what to say where it fails.
type Explanation = Vec<(Cond, String)>;

struct Encoder {
    variables: Vec<Variable>,
    places: Vec<Place>,
}

/// Builds the task.
pub(super) fn encode(
    model: &Model,
    mut reachable: Reachable<'_>,
    options: &Options,
    work: &Work<'_>,
) -> Result<Task, GroundError> {
    let explanations = requirements(model, &mut reachable, options);
    let instantiator = &reachable.instantiator;
    instantiator.check(|| Schema::described("the requirements of all actions"))?;
    reachable.settle();
    let mut ground = restrict(model, reachable);
    if !options.keep_irrelevant && model.agents.is_empty() {
        ground.drop_irrelevant(model);
    }
    ground.drop_unused_labels();
    let groups = groups(model, &ground, work);
    work.check(|| Schema::described("the packing of facts"))?;
    let mut encoder = place(model, &ground, &groups)?;
    let words = pack(&mut encoder.variables);
    let initial = encoder.initial(&ground, words);

    let mut operators = Vec::new();
    let mut agents: Vec<Agent> = Vec::new();
    let agent_count = model.agents.len().max(1);
    let mut by_agent: Vec<Vec<(Operator, Explanation)>> =
        (0..agent_count).map(|_| Vec::new()).collect();
    for (operator, explanation) in ground.operators.drain(..).zip(explanations) {
        by_agent[operator.agent as usize].push((operator, explanation));
    }
    for (index, own) in by_agent.into_iter().enumerate() {
        let first = operators.len() as u32;
        let wait = encoder.housekeeping(model, &ground, index, &mut operators);
        encoder.choices(model, &ground, index, own, &mut operators);
        let name = model
            .agents
            .get(index)
            .map(|agent| model.objects[agent.index()].name.clone());
        agents.push(Agent {
            name: name.unwrap_or_default(),
            operators: (first..operators.len() as u32).map(OperatorId).collect(),
            wait,
        });
    }

    let timers = encoder.timers(&ground);
    let tick = encoder.tick(model, &ground);
    let axioms = encoder.axioms(model, &ground);
    let fail = packed::Cond::any([
        encoder.cond(&ground.fail),
        ground
            .slot(&SlotKey::Broken)
            .map_or(packed::Cond::False, |slot| {
                encoder.cond(&Cond::Holds(slot, 1))
            }),
    ]);
    let variable = |key: &SlotKey| {
        let slot = ground.slot(key)?;
        match encoder.places[slot.index()] {
            Place::Own { variable, .. } => Some(variable),
            Place::Constant { .. } | Place::Fact { .. } => None,
        }
    };
    let mut task = Task {
        domain: model.domain.clone(),
        problem: model.problem.clone(),
        semantics: model.semantics.clone(),
        words,
        initial,
        agents,
        operators,
        turns: model.turns,
        any_order: model.any_order,
        turn: variable(&SlotKey::Turn),
        tick,
        timers,
        clock: variable(&SlotKey::Clock),
        axioms,
        goal: ground.goal.as_ref().map(|goal| encoder.cond(goal)),
        fail,
        horizon: model.horizon,
        metric: match model.metric {
            model::Metric::Default | model::Metric::Makespan => Metric::Makespan,
            model::Metric::Cost { maximize: false } => Metric::Cost,
            model::Metric::Cost { maximize: true } => Metric::NegatedCost,
        },
        cost_scale: model.cost_scale,
        labels: ground.labels,
        variables: encoder.variables,
    };
    let mut initial = std::mem::take(&mut task.initial);
    task.derive(&mut initial);
    task.initial = initial;
    Ok(task)
}

/// The requirements of every operator, in words.
fn requirements(
    model: &Model,
    reachable: &mut Reachable<'_>,
    options: &Options,
) -> Vec<Explanation> {
    let mut result = Vec::with_capacity(reachable.operators.len());
    for operator in &reachable.operators {
        let mut explained = Vec::new();
        if options.requirements && !model.agents.is_empty() {
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
                    explained.push((cond, reason));
                }
            });
        }
        result.push(explained);
    }
    result
}

/// Everything ground, restricted to the values that slots can take.
struct Ground {
    slots: super::slots::Slots,
    values: super::reach::SlotValues,
    labels: Vec<String>,
    operators: Vec<Operator>,
    activities: Vec<Vec<Activity>>,
    events: Vec<Effect>,
    rules: Vec<Rule>,
    delayed: Vec<Delayed>,
    /// For each delayed effect its place in the order, and its text.
    ranks: Vec<(Rank, String)>,
    timed: Effect,
    goal: Option<Cond>,
    fail: Cond,
    texts: BTreeMap<(u32, Vec<model::ObjectId>), String>,
}

impl Ground {
    fn slot(&self, key: &SlotKey) -> Option<SlotId> {
        self.slots.find(key)
    }

    fn activity(&self, agent: usize) -> Option<SlotId> {
        self.slot(&SlotKey::Activity(agent))
            .filter(|&slot| self.values.only(slot).is_none())
    }

    /// Leaves out what no goal can need.
    fn drop_irrelevant(&mut self, model: &Model) {
        let costs_may_fall = self.operators.iter().any(|operator| {
            let mut falls = false;
            operator.effect.each_cost(&mut |cost| {
                falls |= !matches!(cost, Expr::Constant(0..));
            });
            falls
        });
        if self.goal.is_none()
            || self.ticks_matter(model)
            || costs_may_fall
            || model.metric == (model::Metric::Cost { maximize: true })
        {
            return;
        }
        let clock = self.slot(&SlotKey::Clock);
        let clock = clock.map(|slot| Cond::Holds(slot, 0));
        let relevant = relevance::relevant(&relevance::Parts {
            slots: self.slots.len(),
            operators: &self.operators,
            conds: self.goal.iter().chain([&self.fail]).chain(&clock).collect(),
            rules: self
                .rules
                .iter()
                .map(|rule| (rule.head, &rule.body))
                .collect(),
        });
        for (slot, entry) in self.slots.iter() {
            if !relevant[slot.index()] {
                self.values.freeze(slot, entry.initial);
            }
        }
        let values = &self.values;
        self.operators
            .retain(|operator| relevance::is_needed(operator, values));
        for operator in &mut self.operators {
            let effect = std::mem::replace(&mut operator.effect, Effect::Nothing);
            operator.effect = effect.restricted(values);
        }
        self.rules.retain(|rule| relevant[rule.head.index()]);
    }

    /// Whether a tick may change anything but the clock.
    fn ticks_matter(&self, model: &Model) -> bool {
        let transient = |key: &SlotKey| {
            matches!(key, SlotKey::Fluent(fluent, _)
            if model.fluents[fluent.index()].kind == FluentKind::Transient)
        };
        !self.delayed.is_empty()
            || self.timed != Effect::Nothing
            || self.events.iter().any(|event| *event != Effect::Nothing)
            || self.slots.iter().any(|(_, entry)| transient(&entry.key))
    }

    /// Labels of instances that turned out unreachable are not labels of the task.
    fn drop_unused_labels(&mut self) {
        let mut new_id: Vec<Option<u32>> = vec![None; self.labels.len()];
        self.each_label(&mut |label| new_id[label.index()] = Some(0));
        for (kept, id) in (0..).zip(new_id.iter_mut().flatten()) {
            *id = kept;
        }
        self.each_label(&mut |label| label.0 = new_id[label.index()].unwrap_or_default());
        let mut used = new_id.iter().map(Option::is_some);
        self.labels.retain(|_| used.next().unwrap_or_default());
    }

    fn each_label(&mut self, visit: &mut dyn FnMut(&mut LabelId)) {
        for operator in &mut self.operators {
            operator.effect.each_label(visit);
        }
        for activity in self.activities.iter_mut().flatten() {
            activity.policy.each_label(visit);
            activity.finish.each_label(visit);
        }
        for event in &mut self.events {
            event.each_label(visit);
        }
        for delayed in &mut self.delayed {
            delayed.effect.each_label(visit);
        }
    }

    /// The agents that can be busy: the slot of what they do, and what that can be.
    fn busy_agents(&self) -> impl Iterator<Item = (SlotId, &[Activity])> {
        (0..self.activities.len())
            .filter_map(|agent| Some((self.activity(agent)?, &self.activities[agent][..])))
    }
}

fn restrict(model: &Model, mut reachable: Reachable<'_>) -> Ground {
    let mut texts = BTreeMap::new();
    if !model.agents.is_empty() {
        for operator in &reachable.operators {
            let action = &model.actions[operator.action.index()];
            if let Some(template) = &action.text {
                let mut at: Bindings = operator.args.iter().copied().map(Some).collect();
                at.resize(action.variables.len(), None);
                let text = reachable
                    .instantiator
                    .within(&action.variables, |this| this.text(template, &mut at));
                texts.insert((operator.action.0, operator.args.clone()), text);
            }
        }
    }
    let timed = timed_literals(model, &mut reachable);
    reachable.settle();
    let values = reachable.values;
    let instantiator = reachable.instantiator;
    let cond = |cond: Cond| cond.restricted(&values);
    let effect = |effect: Effect| effect.restricted(&values);
    let operators = reachable
        .operators
        .into_iter()
        .map(|operator| Operator {
            cond: cond(operator.cond),
            effect: effect(operator.effect),
            ..operator
        })
        .collect();
    let mut activities = Vec::with_capacity(reachable.activities.len());
    for (agent, found) in reachable.activities.into_iter().enumerate() {
        let slot = instantiator.slots.find(&SlotKey::Activity(agent));
        let is_reachable = |code| slot.is_some_and(|slot| values.may_be(slot, code));
        let restricted = (1..).zip(found).map(|(code, activity)| {
            if !is_reachable(code) {
                return Activity {
                    name: activity.name,
                    policy: Effect::Nothing,
                    until: Cond::False,
                    finish: Effect::Nothing,
                    over_all: Cond::True,
                };
            }
            Activity {
                policy: effect(activity.policy),
                until: cond(activity.until),
                finish: effect(activity.finish),
                over_all: cond(activity.over_all),
                name: activity.name,
            }
        });
        activities.push(restricted.collect());
    }
    let events = reachable
        .events
        .into_iter()
        .map(|event| {
            Effect::block(
                event
                    .instances
                    .into_iter()
                    .map(|(_, when, then)| Effect::when(cond(when), effect(then))),
            )
        })
        .collect();
    let rules = reachable
        .rules
        .into_iter()
        .map(|rule| Rule {
            body: cond(rule.body),
            head: rule.head,
        })
        .collect();
    let mut delayed = Vec::with_capacity(instantiator.delayed.len());
    let mut ranks = Vec::with_capacity(instantiator.delayed.len());
    for (text, waiting) in instantiator.delayed {
        ranks.push((
            instantiator.texts.rank(&text),
            instantiator.texts.name(&text),
        ));
        delayed.push(Delayed {
            runs_while: cond(waiting.runs_while),
            dropped_when: cond(waiting.dropped_when),
            effect: effect(waiting.effect),
            ..waiting
        });
    }
    Ground {
        labels: instantiator.labels.into_keys().collect(),
        slots: instantiator.slots,
        operators,
        activities,
        events,
        rules,
        delayed,
        ranks,
        timed: effect(timed),
        goal: reachable.goal.map(cond),
        fail: cond(reachable.fail),
        texts,
        values,
    }
}

/// The effect of the phase of timed literals: by the clock.
fn timed_literals(model: &Model, reachable: &mut Reachable<'_>) -> Effect {
    let Some(clock) = reachable.instantiator.slots.find(&SlotKey::Clock) else {
        return Effect::Nothing;
    };
    let mut by_tick: BTreeMap<u32, Vec<Effect>> = BTreeMap::new();
    for (tick, fact) in &model.timed {
        let slot = reachable.instantiator.slot(fact.fluent, fact.args.clone());
        let range = reachable.instantiator.slots.get(slot).range;
        let effect = Effect::Set(slot, code(range, fact.value));
        by_tick.entry(*tick).or_default().push(effect);
    }
    Effect::block(by_tick.into_iter().map(|(tick, effects)| {
        let due = Cond::Holds(clock, tick.saturating_sub(1));
        Effect::when(due, Effect::block(effects))
    }))
}

fn groups(model: &Model, ground: &Ground, work: &Work<'_>) -> Vec<Vec<SlotId>> {
    let eligible = invariants::eligible(model, &ground.slots, |slot| {
        ground.values.only(slot).is_none()
    });
    let always = Cond::True;
    let mut changes: Vec<Change<'_>> = ground
        .operators
        .iter()
        .map(|operator| Change {
            agent: Some(operator.agent),
            cond: &operator.cond,
            effect: &operator.effect,
        })
        .collect();
    for (agent, activities) in ground.activities.iter().enumerate() {
        for activity in activities {
            for effect in [&activity.policy, &activity.finish] {
                changes.push(Change {
                    agent: Some(agent as u16),
                    cond: &always,
                    effect,
                });
            }
        }
    }
    let phases = ground
        .events
        .iter()
        .chain(ground.delayed.iter().map(|delayed| &delayed.effect))
        .chain([&ground.timed]);
    for effect in phases {
        changes.push(Change {
            agent: None,
            cond: &always,
            effect,
        });
    }
    invariants::mutex_groups(model, &ground.slots, &eligible, &changes, work)
}

/// Gives every slot that varies a variable.
fn place(model: &Model, ground: &Ground, groups: &[Vec<SlotId>]) -> Result<Encoder, GroundError> {
    let activities: Vec<Vec<String>> = ground
        .activities
        .iter()
        .map(|activities| activities.iter().map(|a| a.name.clone()).collect())
        .collect();
    let namer = Namer {
        model,
        activities: &activities,
    };
    let mut group_of = vec![None; ground.slots.len()];
    for (index, group) in groups.iter().enumerate() {
        for slot in group {
            group_of[slot.index()] = Some(index);
        }
    }
    let mut variables: Vec<Variable> = Vec::new();
    let mut places: Vec<Option<Place>> = vec![None; ground.slots.len()];
    let mut bits = 0;
    let mut values = 0;
    for (slot, entry) in ground.slots.iter() {
        if places[slot.index()].is_some() {
            continue;
        }
        if let Some(code) = ground.values.only(slot) {
            let number = ground.values.number(slot, code);
            places[slot.index()] = Some(Place::Constant { code, number });
            continue;
        }
        let id = VarId(variables.len() as u32);
        let name = namer.slot(&entry.key);
        let own = ground.values.count(slot);
        values += own;
        if values > MAX_VALUES {
            return Err(GroundError::TooManyValues {
                variable: name,
                values: own,
                limit: MAX_VALUES,
            });
        }
        let variable = if let Some(group) = group_of[slot.index()] {
            let mut values = vec!["none".to_owned()];
            for (value, &member) in (1..).zip(&groups[group]) {
                values.push(namer.slot(&ground.slots.get(member).key));
                places[member.index()] = Some(Place::Fact {
                    variable: id,
                    value,
                });
            }
            Variable::new(values[1..].join(" | "), VariableKind::Facts, values)
        } else if entry.range == SlotRange::Boolean {
            places[slot.index()] = Some(Place::Fact {
                variable: id,
                value: 1,
            });
            let derived = matches!(&entry.key, SlotKey::Fluent(fluent, _)
                if model.fluents[fluent.index()].kind == FluentKind::Derived);
            let kind = if derived {
                VariableKind::Derived
            } else {
                VariableKind::Facts
            };
            let values = vec![format!("(not {name})"), name.clone()];
            Variable::new(name, kind, values)
        } else {
            let codes = ground.values.codes(slot);
            let values = codes.iter().map(|&code| namer.value(entry, code)).collect();
            let kind = match (&entry.key, entry.range) {
                (SlotKey::Activity(_), _) => VariableKind::Activity,
                (SlotKey::Timer(_) | SlotKey::Counter(_), _) => VariableKind::Timer,
                (SlotKey::Turn | SlotKey::Clock, _) => VariableKind::Clock,
                (_, SlotRange::Integer { lo, .. }) => VariableKind::Integer { lo },
                _ => VariableKind::Object,
            };
            let values_name = name;
            places[slot.index()] = Some(Place::Own {
                variable: id,
                codes,
            });
            Variable::new(values_name, kind, values)
        };
        bits += u64::from(variable.bits);
        variables.push(variable);
    }
    if bits > MAX_BITS {
        return Err(GroundError::TooManyBits {
            bits,
            limit: MAX_BITS,
        });
    }
    Ok(Encoder {
        variables,
        places: places
            .into_iter()
            .map(|place| place.unwrap_or(Place::Constant { code: 0, number: 0 }))
            .collect(),
    })
}

impl Encoder {
    fn initial(&self, ground: &Ground, words: usize) -> Vec<u64> {
        let mut state = vec![0; words];
        for (slot, entry) in ground.slots.iter() {
            match &self.places[slot.index()] {
                Place::Fact { variable, value } if entry.initial == 1 => {
                    self.variables[variable.index()].set(&mut state, *value);
                }
                Place::Own { variable, codes } => {
                    if let Ok(value) = codes.binary_search(&entry.initial) {
                        self.variables[variable.index()].set(&mut state, value as u32);
                    }
                }
                Place::Fact { .. } | Place::Constant { .. } => {}
            }
        }
        state
    }

    /// That an agent has started nothing that it has not finished.
    fn idle(&self, ground: &Ground, agent: usize) -> packed::Cond {
        ground
            .activity(agent)
            .map_or(packed::Cond::True, |slot| self.cond(&Cond::Holds(slot, 0)))
    }

    /// Adds what every agent can do: wait where it is idle, go on where it is busy. `wait` comes
    /// before all else, so that of equal plans one is found that does nothing needless.
    fn housekeeping(
        &self,
        model: &Model,
        ground: &Ground,
        agent: usize,
        operators: &mut Vec<task::Operator>,
    ) -> Option<OperatorId> {
        model.agents.get(agent)?;
        let idle = self.idle(ground, agent);
        let turn = self.turn(ground, agent);
        let mut add = |name: &str, kind, cond: packed::Cond, effect| {
            let (tests, guard) = cond.split();
            operators.push(task::Operator {
                name: name.to_owned(),
                agent: agent as u16,
                kind,
                tests,
                guard,
                effect,
                requirements: Vec::new(),
                text: name.to_owned(),
            });
            OperatorId(operators.len() as u32 - 1)
        };
        let wait = add(
            "wait",
            OperatorKind::Wait,
            packed::Cond::all([turn.clone(), idle.clone()]),
            packed_effect::Effect::Nothing,
        );
        if let Some(slot) = ground.activity(agent) {
            let activities = &ground.activities[agent];
            let policies = by_activity(slot, activities, |activity| activity.policy.clone());
            let busy = packed::Cond::all([turn, idle.negated()]);
            let effect = self.effect(&policies);
            add("continue", OperatorKind::Continue, busy, effect);
        }
        Some(wait)
    }

    /// Adds the instances of an agent's actions, options and durative actions.
    fn choices(
        &self,
        model: &Model,
        ground: &Ground,
        agent: usize,
        own: Vec<(Operator, Explanation)>,
        operators: &mut Vec<task::Operator>,
    ) {
        let idle = self.idle(ground, agent);
        let turn = self.turn(ground, agent);
        for (operator, explanation) in own {
            let cond = packed::Cond::all([turn.clone(), idle.clone(), self.cond(&operator.cond)]);
            if cond == packed::Cond::False {
                continue;
            }
            let schema = &model.actions[operator.action.index()];
            let name = ground_name(model, &schema.name, &operator.args);
            let requirements = explanation
                .into_iter()
                .map(|(cond, reason)| Requirement {
                    cond: self.cond(&cond.restricted(&ground.values)),
                    reason,
                })
                .collect();
            let (tests, guard) = cond.split();
            let effect = self.effect(&operator.effect);
            let text = ground.texts.get(&(operator.action.0, operator.args));
            operators.push(task::Operator {
                text: text.cloned().unwrap_or_else(|| name.clone()),
                name,
                agent: agent as u16,
                kind: OperatorKind::Start,
                tests,
                guard,
                effect,
                requirements,
            });
        }
    }

    fn turn(&self, ground: &Ground, agent: usize) -> packed::Cond {
        ground
            .slot(&SlotKey::Turn)
            .map_or(packed::Cond::True, |slot| {
                self.cond(&Cond::Holds(slot, agent as u32))
            })
    }

    fn fact(&self, slot: SlotId, code: u32) -> packed::Cond {
        match &self.places[slot.index()] {
            Place::Constant { code: only, .. } => {
                if *only == code {
                    packed::Cond::True
                } else {
                    packed::Cond::False
                }
            }
            Place::Fact { variable, value } => {
                let variable = &self.variables[variable.index()];
                let holds = packed::Cond::Fact(Test::fact(variable, *value));
                match (code, variable.size) {
                    (1, _) => holds,
                    (_, 2) => packed::Cond::Fact(Test::fact(variable, 0)),
                    _ => holds.negated(),
                }
            }
            Place::Own { variable, codes } => match codes.binary_search(&code) {
                Ok(value) => {
                    packed::Cond::Fact(Test::fact(&self.variables[variable.index()], value as u32))
                }
                Err(_) => packed::Cond::False,
            },
        }
    }

    fn cond(&self, cond: &Cond) -> packed::Cond {
        match cond {
            Cond::True => packed::Cond::True,
            Cond::False => packed::Cond::False,
            Cond::Holds(slot, code) => self.fact(*slot, *code),
            Cond::Same(left, right) => {
                match (&self.places[left.index()], &self.places[right.index()]) {
                    (
                        Place::Own { variable, codes },
                        Place::Own {
                            variable: other,
                            codes: other_codes,
                        },
                    ) => packed::Cond::Same(
                        *variable,
                        *other,
                        codes
                            .iter()
                            .map(|&code| {
                                (code != 0)
                                    .then(|| other_codes.binary_search(&code).ok())
                                    .flatten()
                                    .map(|value| value as u32)
                            })
                            .collect(),
                    ),
                    (Place::Constant { code, .. }, _) if *code != 0 => self.fact(*right, *code),
                    (_, Place::Constant { code, .. }) if *code != 0 => self.fact(*left, *code),
                    _ => packed::Cond::False,
                }
            }
            Cond::Compare(comparison, left, right) => self.compare(*comparison, left, right),
            Cond::Not(cond) => self.cond(cond).negated(),
            Cond::And(conds) => packed::Cond::all(conds.iter().map(|cond| self.cond(cond))),
            Cond::Or(conds) => packed::Cond::any(conds.iter().map(|cond| self.cond(cond))),
        }
    }

    /// A comparison; of one integer variable with a constant as a fact where it is one.
    fn compare(&self, comparison: packed::Comparison, left: &Expr, right: &Expr) -> packed::Cond {
        if let (Expr::Slot(slot), &Expr::Constant(value)) = (left, right)
            && let Place::Own { variable, .. } = &self.places[slot.index()]
        {
            let variable = &self.variables[variable.index()];
            if let Some(cond) = compare_with(variable, comparison, value) {
                return cond;
            }
        }
        packed::Cond::Compare(
            comparison,
            Box::new(self.expr(left)),
            Box::new(self.expr(right)),
        )
    }

    fn expr(&self, expr: &Expr) -> packed::Expr {
        let each = |exprs: &[Expr]| exprs.iter().map(|expr| self.expr(expr)).collect();
        match expr {
            Expr::Constant(value) => packed::Expr::Constant(*value),
            Expr::Slot(slot) => match &self.places[slot.index()] {
                Place::Own { variable, .. } => packed::Expr::Variable(*variable),
                Place::Fact { .. } => packed::Expr::Truth(Box::new(self.fact(*slot, 1))),
                Place::Constant { number, .. } => packed::Expr::Constant(*number),
            },
            Expr::Truth(cond) => packed::Expr::Truth(Box::new(self.cond(cond))),
            Expr::Add(exprs) => packed::Expr::Add(each(exprs)),
            Expr::Subtract(pair) => {
                packed::Expr::Subtract(Box::new([self.expr(&pair[0]), self.expr(&pair[1])]))
            }
            Expr::Multiply(exprs) => packed::Expr::Multiply(each(exprs)),
            Expr::Abs(expr) => packed::Expr::Abs(Box::new(self.expr(expr))),
            Expr::Min(exprs) => packed::Expr::Min(each(exprs)),
            Expr::Max(exprs) => packed::Expr::Max(each(exprs)),
            Expr::Case(cases) => self.table(cases).unwrap_or_else(|| {
                packed::Expr::Case(
                    cases
                        .iter()
                        .map(|(cond, expr)| (self.cond(cond), self.expr(expr)))
                        .collect(),
                )
            }),
        }
    }

    /// Cases that distinguish the values of one variable, as a table.
    fn table(&self, cases: &[(Cond, Expr)]) -> Option<packed::Expr> {
        let Some((Cond::Holds(slot, _), _)) = cases.first() else {
            return None;
        };
        let Place::Own { variable, codes } = &self.places[slot.index()] else {
            return None;
        };
        let mut table = vec![None; codes.len()];
        for (cond, expr) in cases {
            match (cond, expr) {
                (Cond::Holds(other, code), Expr::Constant(value)) if other == slot => {
                    if let Ok(stored) = codes.binary_search(code) {
                        // The first case that holds counts.
                        table[stored].get_or_insert(*value);
                    }
                }
                _ => return None,
            }
        }
        let values = table.into_iter().map(Option::unwrap_or_default);
        Some(packed::Expr::Table(*variable, values.collect()))
    }

    fn write(&self, slot: SlotId, code: u32) -> packed_effect::Effect {
        use packed_effect::Effect as Packed;
        match &self.places[slot.index()] {
            Place::Constant { .. } => Packed::Nothing,
            Place::Fact { variable, value } => {
                let variable = &self.variables[variable.index()];
                match (code, variable.size) {
                    (1, _) => Packed::Write(Write::fact(variable, *value)),
                    (_, 2) => Packed::Write(Write::fact(variable, 0)),
                    _ => Packed::Clear(Test::fact(variable, *value), Write::fact(variable, 0)),
                }
            }
            Place::Own { variable, codes } => {
                codes.binary_search(&code).map_or(Packed::Nothing, |value| {
                    Packed::Write(Write::fact(&self.variables[variable.index()], value as u32))
                })
            }
        }
    }

    fn effect(&self, effect: &Effect) -> packed_effect::Effect {
        use packed_effect::Effect as Packed;
        match effect {
            Effect::Nothing => Packed::Nothing,
            Effect::Set(slot, code) => self.write(*slot, *code),
            Effect::Number(slot, expr) => match &self.places[slot.index()] {
                Place::Own { variable, .. } => Packed::Number(*variable, self.expr(expr)),
                Place::Constant { .. } | Place::Fact { .. } => Packed::Nothing,
            },
            Effect::Increase(slot, expr) => match &self.places[slot.index()] {
                Place::Own { variable, .. } => Packed::Increase(*variable, self.expr(expr)),
                Place::Constant { .. } | Place::Fact { .. } => Packed::Nothing,
            },
            Effect::Copy(to, from) => {
                match (&self.places[to.index()], &self.places[from.index()]) {
                    (
                        Place::Own { variable, codes },
                        Place::Own {
                            variable: source,
                            codes: from_codes,
                        },
                    ) => Packed::Copy(
                        *variable,
                        *source,
                        from_codes
                            .iter()
                            .map(|code| codes.binary_search(code).ok().map(|value| value as u32))
                            .collect(),
                    ),
                    (Place::Own { .. }, Place::Constant { code, .. }) => self.write(*to, *code),
                    _ => Packed::Nothing,
                }
            }
            Effect::Block(effects) => self.block(effects),
            Effect::Seq(effects) => match effects.len() {
                0 => Packed::Nothing,
                _ => Packed::Seq(effects.iter().map(|effect| self.effect(effect)).collect()),
            },
            Effect::When(cond, effect) => match self.cond(cond) {
                packed::Cond::False => Packed::Nothing,
                packed::Cond::True => self.effect(effect),
                cond => Packed::When(cond, Box::new(self.effect(effect))),
            },
            Effect::Case(cases, otherwise) => Packed::Case(
                cases
                    .iter()
                    .map(|(cond, effect)| (self.cond(cond), self.effect(effect)))
                    .collect(),
                Box::new(self.effect(otherwise)),
            ),
            Effect::Switch(slot, effects) => match &self.places[slot.index()] {
                Place::Own { variable, codes } => Packed::Switch(
                    *variable,
                    codes
                        .iter()
                        .map(|&code| {
                            effects
                                .get(code as usize)
                                .map_or(Packed::Nothing, |effect| self.effect(effect))
                        })
                        .collect(),
                ),
                Place::Constant { code, .. } => effects
                    .get(*code as usize)
                    .map_or(Packed::Nothing, |effect| self.effect(effect)),
                Place::Fact { .. } => Packed::Nothing,
            },
            Effect::Choose(candidates, otherwise) => Packed::Choose(
                candidates
                    .iter()
                    .map(|candidate| packed_effect::Candidate {
                        cond: self.cond(&candidate.cond),
                        keys: candidate.keys.iter().map(|key| self.expr(key)).collect(),
                        effect: self.effect(&candidate.effect),
                    })
                    .collect(),
                Box::new(self.effect(otherwise)),
            ),
            Effect::Log(entry) => Packed::Log(*entry),
            Effect::Cost(expr) => Packed::Cost(self.expr(expr)),
        }
    }

    /// Effects that apply all at once: deletions first, so that an addition wins.
    fn block(&self, effects: &[Effect]) -> packed_effect::Effect {
        use packed_effect::Effect as Packed;
        let mut deletes = Vec::new();
        let mut others = Vec::new();
        for effect in effects {
            let (delete, other) = self.split(effect);
            deletes.push(delete);
            others.push(other);
        }
        let mut parts: Vec<Packed> = Vec::new();
        for effect in deletes.iter().chain(&others) {
            match self.effect(effect) {
                Packed::Nothing => {}
                Packed::Write(write) => push_write(&mut parts, write),
                other => parts.push(other),
            }
        }
        drop_overwritten_clears(&mut parts);
        if parts.len() < 2 {
            return parts.pop().unwrap_or(Packed::Nothing);
        }
        let snapshot = packed_effect::disturbs(&parts, &self.variables);
        Packed::Block {
            effects: parts.into(),
            snapshot,
        }
    }

    /// The deletions of predicates in an effect, and the rest.
    fn split(&self, effect: &Effect) -> (Effect, Effect) {
        match effect {
            Effect::Set(slot, 0) if matches!(self.places[slot.index()], Place::Fact { .. }) => {
                (effect.clone(), Effect::Nothing)
            }
            Effect::When(cond, effect) => {
                let (delete, other) = self.split(effect);
                (
                    Effect::when(cond.clone(), delete),
                    Effect::when(cond.clone(), other),
                )
            }
            Effect::Block(effects) => {
                let (deletes, others): (Vec<_>, Vec<_>) =
                    effects.iter().map(|effect| self.split(effect)).unzip();
                (Effect::block(deletes), Effect::block(others))
            }
            Effect::Case(cases, otherwise) => {
                let parts = cases.iter().map(|(_, effect)| self.split(effect));
                let (deletes, others): (Vec<_>, Vec<_>) = parts.unzip();
                let (last_delete, last_other) = self.split(otherwise);
                let conds = || cases.iter().map(|(cond, _)| cond.clone());
                (
                    Effect::case(conds().zip(deletes).collect(), last_delete),
                    Effect::case(conds().zip(others).collect(), last_other),
                )
            }
            Effect::Choose(candidates, otherwise) => {
                let parts = candidates.iter().map(|one| self.split(&one.effect));
                let (deletes, others): (Vec<_>, Vec<_>) = parts.unzip();
                let (last_delete, last_other) = self.split(otherwise);
                let choose = |effects: Vec<Effect>, last| {
                    if last == Effect::Nothing && effects.iter().all(|e| *e == Effect::Nothing) {
                        return Effect::Nothing;
                    }
                    let parts = candidates.iter().zip(effects);
                    let parts = parts.map(|(candidate, effect)| Candidate {
                        effect,
                        ..candidate.clone()
                    });
                    Effect::Choose(parts.collect(), Box::new(last))
                };
                (choose(deletes, last_delete), choose(others, last_other))
            }
            _ => (Effect::Nothing, effect.clone()),
        }
    }

    fn timers(&self, ground: &Ground) -> Vec<Timer> {
        let mut timers = Vec::new();
        let mut order: Vec<usize> = (0..ground.delayed.len()).collect();
        order.sort_by_key(|&number| &ground.ranks[number].0);
        for number in order {
            let delayed = &ground.delayed[number];
            let Some(slot) = ground.slot(&SlotKey::Timer(number)) else {
                continue;
            };
            let Place::Own { variable, .. } = self.places[slot.index()] else {
                continue;
            };
            timers.push(Timer {
                name: ground.ranks[number].1.clone(),
                variable,
                runs_while: self.cond(&delayed.runs_while),
                dropped_when: self.cond(&delayed.dropped_when),
                every_tick: delayed.ticks == 0,
                effect: self.effect(&delayed.effect),
            });
        }
        timers
    }

    fn tick(&self, model: &Model, ground: &Ground) -> Vec<task::Phase> {
        // `None` stands for the timers.
        let mut phases: Vec<Option<(String, Effect)>> = Vec::new();
        if let Some(broken) = ground.slot(&SlotKey::Broken) {
            for (slot, activities) in ground.busy_agents() {
                let check = by_activity(slot, activities, |activity| {
                    Effect::when(activity.over_all.clone().negated(), Effect::Set(broken, 1))
                });
                phases.push(Some(("over all".to_owned(), check)));
            }
        }
        for phase in &model.tick {
            phases.push(match phase {
                Phase::Timers => None,
                Phase::TimedLiterals => Some(("timed literals".to_owned(), ground.timed.clone())),
                Phase::Event(event) => Some((
                    model.events[*event].name.clone(),
                    ground.events[*event].clone(),
                )),
            });
        }
        for (slot, activities) in ground.busy_agents() {
            let end = by_activity(slot, activities, |activity| {
                Effect::when(
                    activity.until.clone(),
                    Effect::block([Effect::Set(slot, 0), activity.finish.clone()]),
                )
            });
            phases.push(Some(("options end".to_owned(), end)));
        }
        let resets = ground.slots.iter().filter_map(|(slot, entry)| {
            let SlotKey::Fluent(fluent, _) = &entry.key else {
                return None;
            };
            (model.fluents[fluent.index()].kind == FluentKind::Transient)
                .then(|| Effect::Set(slot, default_code(model, *fluent)))
        });
        phases.push(Some(("transients".to_owned(), Effect::block(resets))));
        if let Some(turn) = ground.slot(&SlotKey::Turn) {
            let agents = model.agents.len() as u32;
            let effects = (0..agents)
                .map(|agent| Effect::Set(turn, (agent + 1) % agents))
                .collect();
            phases.push(Some(("turn".to_owned(), Effect::Switch(turn, effects))));
        }
        phases
            .into_iter()
            .filter_map(|phase| {
                let Some((name, effect)) = phase else {
                    return Some(task::Phase::Timers);
                };
                let effect = self.effect(&effect);
                (!effect.is_idle()).then_some(task::Phase::Effect { name, effect })
            })
            .collect()
    }

    /// Axioms by strata: predicates that depend on each other share one.
    fn axioms(&self, model: &Model, ground: &Ground) -> Axioms {
        let mut graph = DiGraph::<(), ()>::new();
        let nodes: Vec<_> = model.fluents.iter().map(|_| graph.add_node(())).collect();
        let fluent = |slot: SlotId| match &ground.slots.get(slot).key {
            SlotKey::Fluent(fluent, _) => Some(fluent.index()),
            _ => None,
        };
        for rule in &ground.rules {
            let Some(head) = fluent(rule.head) else {
                continue;
            };
            let mut read = Vec::new();
            rule.body.slots(&mut read);
            for body in read.into_iter().filter_map(fluent) {
                graph.update_edge(nodes[head], nodes[body], ());
            }
        }
        // Components come in reverse topological order of "depends on": what is read first.
        let mut layer_of = vec![0; model.fluents.len()];
        let components = kosaraju_scc(&graph);
        let mut layers: Vec<AxiomLayer> = Vec::new();
        layers.resize_with(components.len(), AxiomLayer::default);
        for (layer, component) in components.iter().enumerate() {
            for node in component {
                layer_of[node.index()] = layer;
            }
        }
        for (slot, _) in ground.slots.iter() {
            if let Place::Fact { variable, .. } = self.places[slot.index()]
                && self.variables[variable.index()].kind == VariableKind::Derived
                && let Some(fluent) = fluent(slot)
            {
                layers[layer_of[fluent]].variables.push(variable);
            }
        }
        for rule in &ground.rules {
            if let Place::Fact { variable, .. } = self.places[rule.head.index()]
                && let Some(fluent) = fluent(rule.head)
            {
                let rule = (self.cond(&rule.body), variable);
                layers[layer_of[fluent]].rules.push(rule);
            }
        }
        layers.retain(|layer| !layer.variables.is_empty());
        Axioms { layers }
    }
}

/// A comparison of an integer variable with a constant, where all values of the variable satisfy
/// it, or none, or one, or all but one.
fn compare_with(
    variable: &Variable,
    comparison: packed::Comparison,
    value: i64,
) -> Option<packed::Cond> {
    use packed::Comparison as C;
    let size = i64::from(variable.size);
    let value = value.saturating_sub(variable.low());
    let (from, to) = match comparison {
        C::Equal => (value, value.saturating_add(1)),
        C::Less => (0, value),
        C::LessOrEqual => (0, value.saturating_add(1)),
        C::Greater => (value.saturating_add(1), size),
        C::GreaterOrEqual => (value, size),
    };
    let (from, to) = (from.clamp(0, size), to.clamp(0, size));
    let is = |stored: i64| packed::Cond::Fact(Test::fact(variable, stored as u32));
    Some(match (from, to) {
        _ if from >= to => packed::Cond::False,
        _ if to - from == size => packed::Cond::True,
        _ if to - from == 1 => is(from),
        (0, _) if to + 1 == size => is(to).negated(),
        (1, _) if to == size => is(0).negated(),
        _ => return None,
    })
}

/// What happens depending on what an agent is doing; nothing where it is idle.
fn by_activity(
    slot: SlotId,
    activities: &[Activity],
    effect: impl Fn(&Activity) -> Effect,
) -> Effect {
    let effects = std::iter::once(Effect::Nothing)
        .chain(activities.iter().map(effect))
        .collect();
    Effect::Switch(slot, effects)
}

/// Joins a constant write to the last one of the same word, if nothing stands between.
fn push_write(parts: &mut Vec<packed_effect::Effect>, write: Write) {
    if let Some(packed_effect::Effect::Write(last)) = parts.last_mut()
        && last.word == write.word
    {
        last.value = (last.value & !write.mask) | write.value;
        last.mask |= write.mask;
        return;
    }
    parts.push(packed_effect::Effect::Write(write));
}

/// A deletion is idle where the same variable is written for certain later in the block.
fn drop_overwritten_clears(parts: &mut Vec<packed_effect::Effect>) {
    let mut written: BTreeMap<u16, u64> = BTreeMap::new();
    for part in parts.iter() {
        if let packed_effect::Effect::Write(write) = part {
            *written.entry(write.word).or_default() |= write.mask;
        }
    }
    parts.retain(|part| match part {
        packed_effect::Effect::Clear(test, _) => {
            let written = written.get(&test.word).copied().unwrap_or_default();
            written & test.mask != test.mask
        }
        _ => true,
    });
}
