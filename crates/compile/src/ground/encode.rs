//! Reachable slots and ground formulas → the task, and that packed.

mod activities;
mod axioms;
mod mutexes;
mod operators;
mod requirements;
mod tick;

use super::Options;
use super::encoder::{Place, place};
use super::error::{GroundError, Schema};
use super::formula::Cond;
use super::invariants::MutexGroups;
use super::legality;
use super::reachable::{Operator, Reachable};
use super::restricted::restrict;
use super::slots::SlotKey;
use super::work::Work;
use crate::sema::model::{self, FluentId, Model, ObjectId};
use brigade_task::cond as conds;
use brigade_task::layout::pack;
use brigade_task::nature::Nature;
use brigade_task::observation::Knowledge;
use brigade_task::{self as task, Agent, Metric, OperatorId, PackedTask, Task, Total};
use mutexes::groups;
use requirements::{add_learners, add_requirements};

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
        own_problem: model.own_problem.clone(),
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
