//! Diagrams of larger and larger keys for one horizon.

use std::sync::Arc;

use super::diagram::{Budget, Diagram, Unbuilt, lower};
use super::diagrams::Diagrams;
use super::expansion::Expansion;
use super::flaw::flaw;
use super::heuristic::DiagramHeuristic;
use super::walk::{Walk, Walked};
use crate::control::Control;
use crate::heuristics::cartesian::facts::exact;
use crate::heuristics::cartesian::model::Model;
use crate::space::expand::Expander;
use brigade_task::symbols::Meaning;
use brigade_task::{OperatorId, PackedTask, State, StateBuf};

/// States of a tick that a walk in search of a flaw follows. Measured: with 10,000 the first flaws of
/// `cramped_room` take 26 s instead of 3.
const NARROW: usize = 500;
/// States of a tick that the first walk follows that is to decide by itself. Not tuned.
const WIDE: usize = 20_000;
/// A walk that is lost where no flaw is found is followed by one so many times wider. Not tuned.
const WIDER: usize = 4;

/// The limits of a decision.
pub(crate) struct Limits<'c> {
    pub(crate) control: &'c dyn Control,
    pub(crate) threads: usize,
    /// Bytes of all diagrams and of a walk.
    pub(crate) bytes: usize,
    /// Parts of nodes and states of walks that are followed.
    pub(crate) work: u64,
}

/// The decision about a horizon.
pub(crate) enum Verdict {
    /// No plan takes so few ticks.
    Refuted,
    /// The joint choices of a plan within the horizon, and the diagrams.
    Plan(Vec<Vec<OperatorId>>, Diagrams),
    /// Neither is known within the limits.
    Open,
}

/// The keys of diagrams, and what they are built from.
pub(crate) struct Ladder<'t> {
    model: Model<'t>,
    start: StateBuf,
    expander: Expander<'t>,
    /// The variables of each agent.
    own: Vec<Vec<u32>>,
    /// Variables of no agent, in every key but the first.
    shared: Vec<u32>,
    /// For each variable, whether the tick reads it.
    read_by_tick: Vec<bool>,
    agents: Together,
    /// Parts of nodes and states of walks that were followed.
    pub(crate) work: u64,
}

/// The variables of all agents, together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Together {
    /// In no key yet.
    NotYet,
    /// In the last key.
    InOneKey,
    /// In no key: a node would lead to too much.
    Never,
}

impl<'t> Ladder<'t> {
    /// Begins with no key, then the variables of each agent. `None` for a task whose live delayed effects have an
    /// order, which sets of values do not know.
    pub(crate) fn new(task: &'t PackedTask, start: &State) -> Option<Self> {
        if task.live.is_some() || task.goal.is_none() {
            return None;
        }
        let model = Model::new(task);
        let agents = 0..task.agents.len();
        Some(Self {
            start: start.to_owned(),
            expander: Expander::new(task),
            own: agents.map(|agent| own_variables(task, agent)).collect(),
            shared: Vec::new(),
            read_by_tick: model.read_by_tick(),
            agents: Together::NotYet,
            work: 0,
            model,
        })
    }

    /// The keys, small ones first.
    fn keys(&self) -> Vec<Vec<u32>> {
        let with_shared = |own: &[u32]| {
            let mut key = [own, &self.shared].concat();
            key.sort_unstable();
            key.dedup();
            key
        };
        let own = self.own.iter().map(|own| with_shared(own));
        let joint = (self.agents == Together::InOneKey).then(|| with_shared(&self.own.concat()));
        let mut keys = vec![Vec::new()];
        for key in [with_shared(&[])].into_iter().chain(own).chain(joint) {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        keys
    }

    /// Decides whether there is a plan of at most `horizon` ticks, by diagrams of larger and larger keys and by
    /// wider and wider walks.
    pub(crate) fn decide(&mut self, horizon: u32, limits: &Limits) -> Verdict {
        let mut budget = Budget {
            control: limits.control,
            threads: limits.threads,
            bytes: limits.bytes,
            work: limits.work,
        };
        let verdict = self.decide_within(horizon, &mut budget);
        self.work += limits.work - budget.work;
        verdict
    }

    fn decide_within(&mut self, horizon: u32, budget: &mut Budget) -> Verdict {
        let mut diagrams: Vec<Diagram> = Vec::new();
        let mut known: Vec<Vec<u32>> = Vec::new();
        let mut width = NARROW;
        loop {
            for key in self.keys() {
                if known.contains(&key) {
                    continue;
                }
                let expansion = Expansion::new(&self.model, key.clone());
                let row = exact(&self.model, &self.start);
                let coarser: Vec<&Diagram> = diagrams.iter().collect();
                let diagram = match Diagram::build(&expansion, &row, &coarser, horizon, budget) {
                    Ok(diagram) => diagram,
                    Err(Unbuilt::TooLarge) if self.agents == Together::InOneKey => {
                        self.agents = Together::Never;
                        break;
                    }
                    Err(_) => return Verdict::Open,
                };
                if !diagram.reaches_goal {
                    return Verdict::Refuted;
                }
                budget.bytes = budget.bytes.saturating_sub(diagram.bytes());
                diagrams.push(diagram);
                known.push(key);
            }
            let all: Vec<&Diagram> = diagrams.iter().collect();
            let domains = &self.model.domains;
            let bound = |row: &[u64], tick: u32| {
                let left = horizon.checked_sub(tick)?;
                lower(&all, domains, row, left)
            };
            let mut walk = Walk {
                model: &self.model,
                expander: &mut self.expander,
                bound: &bound,
                width,
            };
            let walked = walk.from(&self.start, horizon, budget);
            let states = match walked {
                Walked::Plan(plan) => return Verdict::Plan(plan, Diagrams(diagrams)),
                Walked::Refuted => return Verdict::Refuted,
                Walked::Stopped => return Verdict::Open,
                Walked::Lost(states) => states,
            };
            let finest = all.iter().zip(&known).rev();
            let finest = finest.take(match self.agents {
                Together::InOneKey => 1,
                Together::NotYet | Together::Never => self.own.len().max(1),
            });
            let mut flaws: Vec<Vec<u32>> = Vec::new();
            for (diagram, key) in finest {
                let expansion = Expansion::new(&self.model, key.clone());
                for (tick, state) in &states {
                    if budget.control.stop().is_some() || budget.work == 0 {
                        return Verdict::Open;
                    }
                    let mut work = 1;
                    flaws.push(flaw(&expansion, diagram, &bound, state, *tick, &mut work));
                    budget.work = budget.work.saturating_sub(work);
                }
            }
            match self.most_telling(flaws) {
                Some(flaw) => {
                    self.shared.extend(flaw);
                    width = NARROW;
                }
                None if width < WIDE => width = WIDE,
                None if self.agents == Together::NotYet && self.own.len() > 1 => {
                    self.agents = Together::InOneKey;
                }
                None => width = width.saturating_mul(WIDER),
            }
        }
    }

    /// The smallest flaw in variables that the tick reads: what goes on by itself takes time that sets of values
    /// forget. With all agents in the key the smallest in any variables.
    fn most_telling(&self, mut flaws: Vec<Vec<u32>>) -> Option<Vec<u32>> {
        let is_in_keys = |variable: &u32| {
            self.shared.contains(variable) || self.own.iter().any(|own| own.contains(variable))
        };
        for flaw in &mut flaws {
            flaw.retain(|variable| !is_in_keys(variable));
        }
        flaws.retain(|flaw| !flaw.is_empty());
        let reads = |flaw: &&Vec<u32>| {
            flaw.iter()
                .all(|&variable| self.read_by_tick[variable as usize])
        };
        let ticking = flaws.iter().filter(reads).min_by_key(|flaw| flaw.len());
        let any = || {
            flaws
                .iter()
                .filter(|_| self.agents == Together::InOneKey)
                .min_by_key(|flaw| flaw.len())
        };
        ticking.or_else(any).cloned()
    }

    /// The bounds of diagrams as a heuristic.
    pub(crate) fn heuristic(&self, diagrams: Diagrams) -> DiagramHeuristic<'_, 't> {
        DiagramHeuristic::new(&self.model, Arc::new(diagrams))
    }
}

/// The variables that say something of an agent alone: all their facts name it.
fn own_variables(task: &PackedTask, agent: usize) -> Vec<u32> {
    let Some(object) = task.agents.get(agent).and_then(|agent| agent.object) else {
        return Vec::new();
    };
    let variables = (0..).zip(&task.variables);
    let own = variables.filter(|(_, variable)| {
        if let Some(of) = &variable.of {
            return of.arguments.contains(&object);
        }
        let values = variable.values.iter().map(|value| &value.meaning);
        let mut facts = values.filter(|value| **value != Meaning::Nothing).peekable();
        let names = |meaning: &Meaning| matches!(meaning, Meaning::Fact(fact) if fact.arguments.contains(&object));
        facts.peek().is_some() && facts.all(names)
    });
    own.map(|(variable, _)| variable).collect()
}

#[cfg(test)]
mod tests;
