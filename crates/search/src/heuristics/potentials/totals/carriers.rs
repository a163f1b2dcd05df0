//! Carriers: variables by which an agent's choice changes others of its own later in the tick.
//!
//! A cook who moves writes where it goes; an event may stop it, and a later one makes it the cook's place. Followed
//! from the choice on, both are one path of the agent: it cannot move and do something else in one step. Such a path is
//! bounded as a whole, so the bound holds between steps only: in the midst of one a cook may have paid for a ride and
//! not arrived.

use std::collections::{BTreeMap, BTreeSet};

use super::path::Space;
use super::structure::{has_sequence, in_sequence, written_by};
use brigade_task::effect::Effect;
use brigade_task::variable_set::VariableSet;
use brigade_task::{Phase, State, TurnMode, VarId};

/// The carriers of each agent, and what they are copied to.
#[derive(Debug)]
pub(super) struct Carriers {
    /// For each agent its carriers, with the value that each has between steps.
    pub(super) of: Vec<BTreeMap<u32, u32>>,
    /// For each agent the variables that are only ever copied from its carriers.
    pub(super) to: Vec<BTreeSet<u32>>,
}

impl Carriers {
    /// Those of a task, from a start between two steps.
    pub(super) fn new(space: Space, start: &State) -> Self {
        let task = space.0;
        let written: Vec<VariableSet> = (task.agents.iter())
            .map(|agent| written_by(task, agent))
            .collect();
        let effects = || {
            let phases = task.tick.iter();
            phases.flat_map(|phase| match phase {
                Phase::Effect { effect, .. } => in_sequence(effect),
                Phase::Timers => Vec::new(),
            })
        };
        let mut unfit = VariableSet::default();
        for timer in &task.timers {
            timer.effect.writes(&mut unfit);
        }
        for effect in effects().filter(|effect| has_sequence(effect)) {
            effect.writes(&mut unfit);
        }
        let mut sources: BTreeMap<u32, BTreeSet<Option<u32>>> = BTreeMap::new();
        for effect in effects() {
            note_sources(effect, &mut sources, &mut unfit);
        }
        let resets = effects().last().map_or_else(BTreeMap::new, resets);
        let owner = |id: u32| {
            let mut owners = (0..written.len()).filter(|&it| written[it].contains(VarId(id)));
            owners.next().filter(|_| owners.next().is_none())
        };
        let mut of = vec![BTreeMap::new(); written.len()];
        for (&id, &value) in &resets {
            let variable = &task.variables[id as usize];
            if task.turns != TurnMode::Alternate
                && !unfit.contains(VarId(id))
                && !space.is_counter(id)
                && variable.get(start) == value
                && let Some(owner) = owner(id)
            {
                of[owner].insert(id, value);
            }
        }
        let to = (of.iter()).map(|of| {
            let from_it = |source: &Option<u32>| source.is_some_and(|it| of.contains_key(&it));
            let copied = sources.iter().filter(|(id, from)| {
                let is_chosen = written.iter().any(|all| all.contains(VarId(**id)));
                !is_chosen && !unfit.contains(VarId(**id)) && from.iter().all(from_it)
            });
            copied.map(|(&id, _)| id).collect()
        });
        Self {
            to: to.collect(),
            of,
        }
    }

    /// True for a variable whose writes in the tick belong to an agent's paths.
    pub(super) fn has(&self, agent: usize, variable: u32) -> bool {
        self.of[agent].contains_key(&variable) || self.to[agent].contains(&variable)
    }

    pub(super) fn has_any(&self, variable: u32) -> bool {
        (0..self.of.len()).any(|agent| self.has(agent, variable))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.of.iter().all(BTreeMap::is_empty)
    }

    /// True for a carrier: its value between steps is always the same.
    pub(super) fn is_carrier(&self, variable: u32) -> bool {
        self.of.iter().any(|of| of.contains_key(&variable))
    }
}

/// The variables that an effect sets whatever the state is, with their values.
fn resets(effect: &Effect) -> BTreeMap<u32, u32> {
    match effect {
        Effect::Set(fact) => BTreeMap::from([(fact.variable.0, fact.value)]),
        Effect::Block { effects, .. } => effects.iter().flat_map(resets).collect(),
        _ => BTreeMap::new(),
    }
}

/// Notes for each variable that an effect writes the variables that it is copied from, none for other writes; and the
/// variables whose writes cannot be split.
fn note_sources(
    effect: &Effect,
    sources: &mut BTreeMap<u32, BTreeSet<Option<u32>>>,
    unfit: &mut VariableSet,
) {
    match effect {
        Effect::Copy(to, from, _) => {
            sources.entry(to.0).or_default().insert(Some(from.0));
        }
        Effect::Block { effects, .. } | Effect::Seq(effects) | Effect::Switch(_, effects) => {
            for effect in effects {
                note_sources(effect, sources, unfit);
            }
        }
        Effect::When(_, effect) => note_sources(effect, sources, unfit),
        Effect::Case(cases, otherwise) => {
            for (_, effect) in cases {
                note_sources(effect, sources, unfit);
            }
            note_sources(otherwise, sources, unfit);
        }
        Effect::Choose(..) | Effect::Enlist(_) => effect.writes(unfit),
        other => {
            let mut written = VariableSet::default();
            other.writes(&mut written);
            for id in written.iter() {
                sources.entry(id.0).or_default().insert(None);
            }
        }
    }
}

/// An effect without what it writes to other variables; what it costs stays where `is_rest`.
pub(super) fn project(effect: &Effect, keeps: &dyn Fn(u32) -> bool, is_rest: bool) -> Effect {
    let of = |effect: &Effect| project(effect, keeps, is_rest);
    let only = |id: VarId| {
        if keeps(id.0) {
            effect.clone()
        } else {
            Effect::Nothing
        }
    };
    match effect {
        Effect::Set(fact) | Effect::Clear(fact, _) => only(fact.variable),
        Effect::Number(id, _) | Effect::Increase(id, _) | Effect::Copy(id, ..) => only(*id),
        Effect::Block { effects, snapshot } => {
            let effects = effects.iter().map(of).filter(|effect| !effect.is_idle());
            Effect::Block {
                effects: effects.collect(),
                snapshot: *snapshot,
            }
        }
        Effect::Seq(effects) => Effect::Seq(effects.iter().map(of).collect()),
        Effect::When(cond, effect) => match of(effect) {
            effect if effect.is_idle() => Effect::Nothing,
            effect => Effect::When(cond.clone(), Box::new(effect)),
        },
        Effect::Case(cases, otherwise) => {
            let otherwise = of(otherwise);
            let cases = cases
                .iter()
                .map(|(cond, effect)| (cond.clone(), of(effect)));
            let cases: Box<[_]> = cases.collect();
            if otherwise.is_idle() && cases.iter().all(|(_, effect)| effect.is_idle()) {
                return Effect::Nothing;
            }
            Effect::Case(cases, Box::new(otherwise))
        }
        Effect::Switch(id, effects) => {
            let effects: Box<[_]> = effects.iter().map(of).collect();
            if effects.iter().all(Effect::is_idle) {
                return Effect::Nothing;
            }
            Effect::Switch(*id, effects)
        }
        Effect::Choose(..) | Effect::Enlist(_) | Effect::Cost(_) if is_rest => effect.clone(),
        Effect::Nothing
        | Effect::Log(_)
        | Effect::Total(..)
        | Effect::Choose(..)
        | Effect::Enlist(_)
        | Effect::Cost(_) => Effect::Nothing,
    }
}
