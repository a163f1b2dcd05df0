//! Diagrams of larger and larger keys for one horizon.

use std::ops::Range;
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
use brigade_task::{ObjectId, OperatorId, PackedTask, State, StateBuf};

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
    /// The agent whose diagram refuted the last horizon.
    refuter: usize,
    /// States of a tick that a walk in search of a flaw follows.
    narrow: usize,
    /// Parts of nodes and states of walks that were followed.
    pub(crate) work: u64,
}

/// The variables that the nodes of a diagram have one value of each.
#[derive(Default)]
struct Key {
    /// Ascending.
    variables: Vec<u32>,
    /// The agents all of whose variables are among them.
    agents: Range<usize>,
}

/// A diagram and its key.
struct Rung {
    key: Key,
    diagram: Diagram,
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
        let mut model = Model::new(task);
        let agents = 0..task.agents.len();
        let own: Vec<Vec<u32>> = agents.map(|agent| own_variables(task, agent)).collect();
        let objects = 0..task.symbols.objects.len() as u32;
        let of_objects = objects.map(|object| variables_of(task, ObjectId(object)));
        // What is said of one object goes together, of agents first: where it is, which way it looks, what it holds.
        for mut together in own.iter().cloned().chain(of_objects) {
            together.retain(|&variable| !model.is_written_apart(variable));
            model.domains.tie(&together);
        }
        Some(Self {
            start: start.to_owned(),
            expander: Expander::new(task),
            own,
            shared: Vec::new(),
            read_by_tick: model.read_by_tick(),
            agents: Together::NotYet,
            refuter: 0,
            narrow: NARROW,
            work: 0,
            model,
        })
    }

    /// The keys, small ones first, and of the agents' that which refuted the last horizon.
    fn keys(&self) -> Vec<Key> {
        let with_shared = |own: &[u32]| {
            let mut key = [own, &self.shared].concat();
            key.sort_unstable();
            key.dedup();
            key
        };
        let of_agents = |own: &[u32], agents| Key {
            variables: with_shared(own),
            agents,
        };
        let all = 0..self.own.len();
        let shared = of_agents(&[], 0..0);
        let mut own: Vec<Key> = all
            .clone()
            .map(|agent| of_agents(&self.own[agent], agent..agent + 1))
            .collect();
        own.sort_by_key(|key| key.agents.start != self.refuter);
        let joint = (self.agents == Together::InOneKey).then(|| of_agents(&self.own.concat(), all));
        let mut keys = vec![Key::default()];
        for key in std::iter::once(shared).chain(own).chain(joint) {
            if keys.iter().all(|known| known.variables != key.variables) {
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
        let mut rungs: Vec<Rung> = Vec::new();
        // Diagrams of agents take most of the time: those at hand show flaws until they show no more.
        let mut are_agents_due = true;
        let mut width = self.narrow;
        loop {
            for key in self.keys() {
                let is_known = rungs.iter().any(|rung| rung.key.variables == key.variables);
                if is_known || !key.agents.is_empty() && !are_agents_due {
                    continue;
                }
                let expansion = Expansion::new(&self.model, key.variables.clone());
                let row = exact(&self.model, &self.start);
                let coarser = diagrams(&rungs);
                let diagram = match Diagram::build(&expansion, &row, &coarser, horizon, budget) {
                    Ok(diagram) => diagram,
                    Err(Unbuilt::TooLarge) if self.agents == Together::InOneKey => {
                        self.agents = Together::Never;
                        break;
                    }
                    Err(_) => return Verdict::Open,
                };
                if !diagram.reaches_goal {
                    if key.agents.len() == 1 {
                        self.refuter = key.agents.start;
                    }
                    return Verdict::Refuted;
                }
                budget.bytes = budget.bytes.saturating_sub(diagram.bytes());
                rungs.push(Rung { key, diagram });
            }
            let all = diagrams(&rungs);
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
                Walked::Plan(plan) => {
                    let diagrams = rungs.into_iter().map(|rung| rung.diagram);
                    return Verdict::Plan(plan, Diagrams(diagrams.collect()));
                }
                Walked::Refuted => return Verdict::Refuted,
                Walked::Stopped => return Verdict::Open,
                Walked::Lost(states) => states,
            };
            let Some(flaw) = self.flaw(&rungs, &bound, &states, budget) else {
                return Verdict::Open;
            };
            if !flaw.is_empty() {
                self.shared.extend(flaw);
                are_agents_due = false;
                width = self.narrow;
            } else if !are_agents_due {
                are_agents_due = true;
            } else if width < WIDE {
                width = WIDE;
            } else if self.agents == Together::NotYet && self.own.len() > 1 {
                self.agents = Together::InOneKey;
            } else {
                width = width.saturating_mul(WIDER);
            }
        }
    }

    /// The most telling flaw in some states, each with its tick, of the finest diagrams; empty if there is none. `None`
    /// if the budget is spent.
    fn flaw(
        &self,
        rungs: &[Rung],
        bound: &dyn Fn(&[u64], u32) -> Option<u32>,
        states: &[(u32, StateBuf)],
        budget: &mut Budget,
    ) -> Option<Vec<u32>> {
        let is_ticking = |variable: u32| self.read_by_tick[variable as usize];
        let is_wanted = |variable: u32| {
            !self.is_in_keys(variable)
                && (self.agents == Together::InOneKey || is_ticking(variable))
        };
        let number = match self.agents {
            Together::InOneKey => 1,
            Together::NotYet | Together::Never => self.own.len().max(1),
        };
        let of_agents = rungs.iter().filter(|rung| !rung.key.agents.is_empty());
        let finest: Vec<&Rung> = if of_agents.clone().next().is_some() {
            of_agents.rev().take(number).collect()
        } else {
            rungs.last().into_iter().collect()
        };
        let mut flaws: Vec<Vec<u32>> = Vec::new();
        for Rung { key, diagram } in finest {
            let expansion = Expansion::new(&self.model, key.variables.clone());
            for (tick, state) in states {
                if budget.control.stop().is_some() || budget.work == 0 {
                    return None;
                }
                let mut work = 1;
                let found = flaw(
                    &expansion, diagram, bound, state, *tick, &is_wanted, &mut work,
                );
                budget.work = budget.work.saturating_sub(work);
                // No other flaw is more telling.
                if matches!(found[..], [variable] if is_ticking(variable)) {
                    return Some(found);
                }
                flaws.push(found);
            }
        }
        flaws.retain(|flaw| !flaw.is_empty());
        let ticks = |flaw: &&Vec<u32>| flaw.iter().all(|&variable| is_ticking(variable));
        let ticking = flaws.iter().filter(ticks).min_by_key(|flaw| flaw.len());
        let any = || flaws.iter().min_by_key(|flaw| flaw.len());
        Some(ticking.or_else(any).cloned().unwrap_or_default())
    }

    /// Returns whether a variable is in some key already.
    fn is_in_keys(&self, variable: u32) -> bool {
        let own = self.own.iter().flatten();
        self.shared.iter().chain(own).any(|&held| held == variable)
    }

    /// The bounds of diagrams as a heuristic.
    pub(crate) fn heuristic(&self, diagrams: Diagrams) -> DiagramHeuristic<'_, 't> {
        DiagramHeuristic::new(&self.model, Arc::new(diagrams))
    }
}

fn diagrams(rungs: &[Rung]) -> Vec<&Diagram> {
    rungs.iter().map(|rung| &rung.diagram).collect()
}

/// The variables that say something of an agent alone.
fn own_variables(task: &PackedTask, agent: usize) -> Vec<u32> {
    let object = task.agents.get(agent).and_then(|agent| agent.object);
    object.map_or_else(Vec::new, |object| variables_of(task, object))
}

/// The variables that say something of an object alone: all their facts name it.
fn variables_of(task: &PackedTask, object: ObjectId) -> Vec<u32> {
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
