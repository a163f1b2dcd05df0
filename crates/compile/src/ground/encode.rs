//! Reachable slots and ground formulas → the task, and that packed.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use super::Options;
use super::bindings::Bindings;
use super::changes::Change;
use super::encoder::{Encoder, Place, place};
use super::error::{GroundError, Schema};
use super::formula::{Cond, Effect, Values};
use super::invariants::{self, MutexGroups};
use super::legality;
use super::naming::action;
use super::operators::ground_name;
use super::reachable::{Activity, Needed, Operator, Reachable};
use super::restricted::{Ground, restrict};
use super::slots::{SlotId, SlotKey, default_code};
use super::work::Work;
use crate::sema::model::{self, FluentId, FluentKind, Model, ObjectId, Phase};
use brigade_task::cond as conds;
use brigade_task::effect as effects;
use brigade_task::layout::{VariableKind, pack};
use brigade_task::nature::Nature;
use brigade_task::observation::Knowledge;
use brigade_task::{
    self as task, Agent, Announced, AxiomLayer, Axioms, Fact, Metric, OperatorId, OperatorKind,
    PackedTask, Requirement, Task, Timer, Total,
};

const fn turn_mode(mode: model::TurnMode) -> task::TurnMode {
    match mode {
        model::TurnMode::Sequential => task::TurnMode::Sequential,
        model::TurnMode::Simultaneous => task::TurnMode::Simultaneous,
        model::TurnMode::Alternate => task::TurnMode::Alternate,
    }
}

/// Builds the task.
pub(super) fn encode<'m>(
    model: &'m Model,
    mut reachable: Reachable<'m>,
    options: &Options,
    work: &Work<'_>,
) -> Result<PackedTask, GroundError> {
    if options.requirements {
        add_requirements(model, &mut reachable);
        add_learners(model, &mut reachable);
        legality::of_agents(model, &mut reachable);
    }
    let instantiator = &reachable.instantiator;
    instantiator.check(|| Schema::described("the requirements of all actions"))?;
    reachable.settle();
    let mut ground = restrict(model, reachable, options)?;
    if !options.keep_irrelevant && model.agents.is_empty() {
        ground.drop_irrelevant(model);
    }
    ground.drop_unused_labels();
    let MutexGroups { disjoint, all } = groups(model, &ground, work);
    work.check(|| Schema::described("the packing of facts"))?;
    let mut encoder = place(model, &ground, &disjoint)?;
    encoder.add_live_list(model, &ground)?;
    let words = pack(&mut encoder.variables);
    let initial = encoder.initial(&ground, words);

    let mut operators = Vec::new();
    let mut knowledge = Knowledge::default();
    let mut agents: Vec<Agent> = Vec::new();
    let agent_count = model.agents.len().max(1);
    let mut by_agent: Vec<Vec<Operator>> = (0..agent_count).map(|_| Vec::new()).collect();
    for operator in ground.operators.drain(..) {
        by_agent[operator.agent as usize].push(operator);
    }
    for (index, own) in by_agent.into_iter().enumerate() {
        let first = operators.len() as u32;
        let can_act = (model.is_of_nature(index)).then(|| encoder.can_act(&own));
        let unable = can_act.clone().map(conds::Cond::negated);
        let wait = encoder.housekeeping(model, &ground, (index, unable), &mut operators);
        encoder.choices(model, &ground, (index, own), &mut operators, &mut knowledge);
        let object = model.agents.get(index);
        let name = object.map(|agent| model.objects[agent.index()].name.to_string());
        agents.push(Agent {
            name: name.unwrap_or_default(),
            object: object.map(|agent| task::ObjectId(agent.0)),
            operators: (first..operators.len() as u32).map(OperatorId).collect(),
            wait,
            nature: can_act.map(|can_act| Nature { can_act }),
        });
    }

    let (timers, numbers) = encoder.timers(&ground);
    let live = encoder.live_list(model, &ground, &numbers);
    let (tick, announced) = encoder.tick(model, &ground);
    let axioms = encoder.axioms(model, &ground);
    let fail = conds::Cond::any([
        encoder.cond(&ground.fail),
        ground
            .slot(&SlotKey::Broken)
            .map_or(conds::Cond::False, |slot| {
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
    let mut observation = encoder.observation(model, &ground);
    observation.knowledge = knowledge;
    Ok(PackedTask::new(Task {
        observation,
        domain: model.domain.clone(),
        problem: model.problem.clone(),
        semantics: model.semantics.clone(),
        words,
        initial,
        agents,
        operators,
        turns: turn_mode(model.turns),
        any_order: model.any_order,
        turn: variable(&SlotKey::Turn),
        tick,
        announced,
        timers,
        live,
        clock: variable(&SlotKey::Clock),
        axioms,
        goal: ground.goal.as_ref().map(|goal| encoder.cond(goal)),
        fail,
        end: encoder.cond(&ground.end),
        horizon: model.horizon,
        longest_wait: model.longest_wait,
        metric: match model.metric {
            model::Metric::Default | model::Metric::Makespan => Metric::Makespan,
            model::Metric::Cost { maximize: false } => Metric::Cost,
            model::Metric::Cost { maximize: true } => Metric::NegatedCost,
        },
        cost_scale: model.cost_scale,
        initial_cost: model.initial_cost,
        mutexes: encoder.mutexes(&all),
        totals: totals(model, &ground.totals),
        labels: ground.labels,
        symbols: encoder.symbols,
        variables: encoder.variables,
    }))
}

/// The totals of a task, by fluent and arguments.
fn totals(model: &Model, found: &[(FluentId, Vec<ObjectId>)]) -> Vec<Total> {
    let total = |(fluent, args): &(FluentId, Vec<ObjectId>)| {
        let kept = model.totals.iter().find(|total| total.fluent == *fluent);
        let (scale, initial) = kept.map_or((1, 0), |kept| (kept.scale, kept.initial(args)));
        let args = args.iter().map(|arg| &*model.objects[arg.index()].name);
        let words = [&*model.fluents[fluent.index()].name]
            .into_iter()
            .chain(args);
        Total {
            name: words.collect::<Vec<_>>().join(" "),
            scale,
            initial,
        }
    };
    found.iter().map(total).collect()
}

/// Adds the requirements of every operator, in words.
fn add_requirements<'m>(model: &'m Model, reachable: &mut Reachable<'m>) {
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
fn add_learners<'m>(model: &'m Model, reachable: &mut Reachable<'m>) {
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

fn groups(model: &Model, ground: &Ground, work: &Work<'_>) -> MutexGroups {
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
        .chain([&ground.timed, &ground.early]);
    for effect in phases {
        changes.push(Change {
            agent: None,
            cond: &always,
            effect,
        });
    }
    invariants::mutex_groups(model, &ground.slots, &eligible, &changes, work)
}

impl Encoder {
    /// Groups of facts of which at most one holds, where they belong to several variables.
    fn mutexes(&self, groups: &[Vec<SlotId>]) -> Vec<Vec<Fact>> {
        let fact = |slot: &SlotId| match &self.places[slot.index()] {
            Place::Constant { .. } => None,
            &Place::Fact { variable, value } => Some(Fact { variable, value }),
            Place::Own { variable, codes } => {
                let value = codes.binary_search(&1).ok()?;
                Some(Fact {
                    variable: *variable,
                    value: value as u32,
                })
            }
        };
        let mut mutexes = Vec::new();
        for group in groups {
            let mut facts: Vec<Fact> = group.iter().filter_map(fact).collect();
            facts.sort_unstable();
            facts.dedup();
            if facts
                .windows(2)
                .any(|pair| pair[0].variable != pair[1].variable)
            {
                mutexes.push(facts);
            }
        }
        mutexes.sort_unstable();
        mutexes.dedup();
        mutexes
    }

    /// That an agent has started nothing that it has not finished.
    fn idle(&self, ground: &Ground, agent: usize) -> conds::Cond {
        ground
            .activity(agent)
            .map_or(conds::Cond::True, |slot| self.cond(&Cond::Holds(slot, 0)))
    }

    /// That one of these actions applies, whatever its weight.
    fn can_act(&self, own: &[Operator]) -> conds::Cond {
        conds::Cond::any(own.iter().map(|operator| self.cond(&operator.cond)))
    }

    /// Adds what agents can do in any domain: wait where it is idle, unless it must act, one of nature
    /// only where it is `unable` to do anything else; go on where it is busy. `wait` comes before all
    /// else, so that of equal plans one is found that does nothing needless.
    fn housekeeping(
        &self,
        model: &Model,
        ground: &Ground,
        (agent, unable): (usize, Option<conds::Cond>),
        operators: &mut Vec<task::Operator>,
    ) -> Option<OperatorId> {
        model.agents.get(agent)?;
        let idle = self.idle(ground, agent);
        let turn = self.turn(ground, agent);
        let mut add = |name: &str, kind, cond: conds::Cond, effect| {
            let (facts, guard) = cond.split();
            operators.push(task::Operator {
                name: name.to_owned(),
                action: None,
                agent: agent as u16,
                kind,
                facts,
                guard,
                weight: None,
                effect,
                requirements: Vec::new(),
                text: name.to_owned(),
            });
            OperatorId(operators.len() as u32 - 1)
        };
        let wait = model.may_wait(agent).then(|| {
            let unable = unable.unwrap_or(conds::Cond::True);
            let cond = conds::Cond::all([turn.clone(), idle.clone(), unable]);
            add("wait", OperatorKind::Wait, cond, effects::Effect::Nothing)
        });
        if let Some(slot) = ground.activity(agent) {
            let activities = &ground.activities[agent];
            let policies = by_activity(slot, activities, |activity| activity.policy.clone());
            let busy = conds::Cond::all([turn, idle.negated()]);
            let effect = self.effect(&policies);
            add("continue", OperatorKind::Continue, busy, effect);
        }
        wait
    }

    /// Adds the instances of an agent's actions, options and durative actions.
    fn choices(
        &self,
        model: &Model,
        ground: &Ground,
        (agent, own): (usize, Vec<Operator>),
        operators: &mut Vec<task::Operator>,
        knowledge: &mut Knowledge,
    ) {
        let idle = self.idle(ground, agent);
        let turn = self.turn(ground, agent);
        operators.reserve(own.len());
        for operator in own {
            let own_cond = self.cond(&operator.cond);
            let weight = operator.weight.as_ref().map(|weight| self.expr(weight));
            let is_drawn = weight.as_ref().map_or(conds::Cond::True, is_not_zero);
            let cond = conds::Cond::all([turn.clone(), idle.clone(), own_cond, is_drawn]);
            if cond == conds::Cond::False {
                continue;
            }
            let schema = &model.actions[operator.action.index()];
            let name = ground_name(model, &schema.name, &operator.args);
            let action = action(operator.action, &operator.args);
            let id = OperatorId(operators.len() as u32);
            if operator.requirements.iter().any(|it| it.as_known.is_some()) {
                let own = operator.requirements.iter();
                let own = own.map(|it| self.cond(it.as_known.as_ref().unwrap_or(&it.cond)));
                let parts = [turn.clone(), idle.clone()].into_iter().chain(own);
                knowledge.legal.insert(id, conds::Cond::all(parts));
            }
            if let Some(learners) = &operator.learners {
                let learners = learners.iter().map(|cond| self.cond(cond));
                knowledge.learners.insert(id, learners.collect());
            }
            let requirements = operator.requirements.into_iter();
            let requirements = requirements.map(|needed| Requirement {
                cond: self.cond(&needed.cond),
                as_known: needed.as_known.map(|cond| self.cond(&cond)),
                reason: needed.reason,
            });
            let requirements = requirements.collect();
            let (facts, guard) = cond.split();
            let effect = self.effect(&operator.effect);
            let text = ground.texts.get(&(operator.action.0, operator.args));
            operators.push(task::Operator {
                text: text.cloned().unwrap_or_else(|| name.clone()),
                name,
                action: Some(action),
                agent: agent as u16,
                kind: OperatorKind::Start,
                facts,
                guard,
                weight,
                effect,
                requirements,
            });
        }
    }

    fn turn(&self, ground: &Ground, agent: usize) -> conds::Cond {
        ground
            .slot(&SlotKey::Turn)
            .map_or(conds::Cond::True, |slot| {
                self.cond(&Cond::Holds(slot, agent as u32))
            })
    }

    /// The delayed effects, in order, and the number of each among all that were found.
    fn timers(&self, ground: &Ground) -> (Vec<Timer>, Vec<usize>) {
        let mut timers = Vec::new();
        let mut numbers = Vec::new();
        for number in ground.in_order() {
            let delayed = &ground.delayed[number];
            let Some(variable) = self.timer(ground, number) else {
                continue;
            };
            numbers.push(number);
            timers.push(Timer {
                name: ground.identities[number].name.clone(),
                variable,
                runs_while: self.cond(&delayed.runs_while),
                dropped_when: self.cond(&delayed.dropped_when),
                every_tick: delayed.ticks == 0,
                effect: self.effect(&delayed.effect),
            });
        }
        (timers, numbers)
    }

    /// The phases of the tick, and those of them in which facts come that are not announced without these.
    fn tick(&self, model: &Model, ground: &Ground) -> (Vec<task::Phase>, Vec<Announced>) {
        // `None` stands for the timers.
        let mut phases: Vec<Option<(String, Effect)>> = Vec::new();
        let mut announced: Vec<(usize, &Effect)> = Vec::new();
        if let Some(broken) = ground.slot(&SlotKey::Broken) {
            for (slot, activities) in ground.busy_agents() {
                let check = by_activity(slot, activities, |activity| {
                    Effect::when(activity.over_all.clone().negated(), Effect::Set(broken, 1))
                });
                phases.push(Some(("over all".to_owned(), check)));
            }
        }
        let [known, known_early] = &ground.announced;
        for phase in &model.tick {
            match phase {
                Phase::TimedLiterals if *known != ground.timed => {
                    announced.push((phases.len(), known));
                }
                Phase::EarlyLiterals if *known_early != ground.early => {
                    announced.push((phases.len(), known_early));
                }
                _ => {}
            }
            phases.push(match phase {
                Phase::Timers => None,
                Phase::TimedLiterals => Some(("timed literals".to_owned(), ground.timed.clone())),
                Phase::EarlyLiterals => Some(("early literals".to_owned(), ground.early.clone())),
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
        let (mut tick, mut known) = (Vec::new(), Vec::new());
        for (place, phase) in phases.into_iter().enumerate() {
            let Some((name, effect)) = phase else {
                tick.push(task::Phase::Timers);
                continue;
            };
            let effect = self.effect(&effect);
            if effect.is_idle() {
                continue;
            }
            let without = announced.iter().find(|(of, _)| *of == place);
            known.extend(without.map(|(_, without)| Announced {
                phase: tick.len(),
                effect: self.effect(without),
            }));
            tick.push(task::Phase::Effect { name, effect });
        }
        (tick, known)
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

/// That nature may draw what has this weight.
fn is_not_zero(weight: &conds::Expr) -> conds::Cond {
    if let conds::Expr::Constant(weight) = weight {
        return if *weight == 0 {
            conds::Cond::False
        } else {
            conds::Cond::True
        };
    }
    let zero = conds::Expr::Constant(0);
    conds::Cond::Compare(
        conds::Comparison::Equal,
        Box::new(weight.clone()),
        Box::new(zero),
    )
    .negated()
}

/// The effect that depends on an agent's activity; nothing where it is idle.
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
