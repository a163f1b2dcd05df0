//! Hand-overs: how often an agent takes up what another has brought about.
//!
//! # Definition
//!
//! A plan is replayed from the initial state, and for each fact that holds (an atom, or a function with
//! an object for its value) it is noted whose it is:
//!
//! - what an operator of an agent makes true is that agent's;
//! - what a delayed effect makes true belongs to those to whom the delayed effect belongs: at first to
//!   the agent whose operator started it;
//! - what is there from the start, and what events and timed literals make true, is everyone's.
//!
//! An operator *takes up* the facts that its precondition demands, and those that it ends by giving
//! their variable another value. A choice of agent *b* is a **hand-over** if it takes up a fact that is
//! not *b*'s; from then on all that it took up is *b*'s too. So a thing that is put down and picked up
//! is one hand-over however many facts describe it, and a lamp that another has lit is one however often
//! its light is used.
//!
//! Of a disjunction an operator takes up the first part that holds without a fact of others, or if there is none, the
//! first that holds. Conditions on numbers, and negated ones, take up nothing; numbers, the clock, and what agents are
//! busy with belong to everyone; a derived fact is whose change made it true, and everyone's if that was the tick.
//!
//! [`hand_overs`] gives the least and the greatest number of them in one optimal plan, over *all*
//! optimal plans: exactly, by following the graph of these plans with every state and every note that
//! they lead to. It is not the least over all plans: a plan that takes longer may need fewer.

use std::ops::Range;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use serde::Serialize;

use brigade_search::dag::{Edge, NodeId, PlanDag};
use brigade_task::cond::Cond;
use brigade_task::effect::Record;
use brigade_task::facts::is_fact;
use brigade_task::layout::VariableKind;
use brigade_task::{Fact, OperatorId, PackedTask, State, StateBuf, TurnMode, VarId, VariableSet};

/// The least and the greatest number of hand-overs in an optimal plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct HandOvers {
    /// No optimal plan has fewer.
    pub least: u32,
    /// No optimal plan has more.
    pub most: u32,
}

/// Agents as bits: whose a fact is.
type Owners = u64;

/// The owners of a fact that nobody has to hand over.
const EVERYONE: Owners = Owners::MAX;

/// Those variables whose fact is not everyone's, ascending, and whose it is.
type Notes = Vec<(u32, Owners)>;

/// A place where some of the plans stand: a state, and the owners of its facts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Place {
    state: StateBuf,
    notes: Notes,
    /// Where all agents choose at once, between two choices of a step: how it stood at its start.
    start: Option<Box<(StateBuf, Notes)>>,
}

/// The numbers of hand-overs with which a place can be reached.
type Numbers = Range<u32>;

/// The parts of a task that the definition of hand-overs needs.
struct Follower<'t> {
    task: &'t PackedTask,
    /// For each variable, by value, whether that is a fact that somebody may own.
    owned: Vec<Vec<bool>>,
    /// For each delayed effect the variables that it may write.
    written: Vec<VariableSet>,
    record: Record,
}

/// The hand-overs of all optimal plans of a task. `None` with fewer than two agents, or more than 64; of
/// plans up to symmetry; and if more than `most` places would have to be followed.
pub fn hand_overs(task: &PackedTask, dag: &PlanDag, most: u64) -> Option<HandOvers> {
    let agents = task.agents.len();
    if !(2..=Owners::BITS as usize).contains(&agents) || dag.is_up_to_symmetry {
        return None;
    }
    let mut follower = Follower::new(task);
    let mut places: Vec<IndexMap<Place, Numbers, FxBuildHasher>> =
        vec![IndexMap::default(); dag.nodes.len()];
    places.first_mut()?.insert(
        Place {
            state: task.initial.clone(),
            notes: Notes::new(),
            start: None,
        },
        0..1,
    );
    let mut followed = 0;
    let mut found: Option<Numbers> = None;
    for index in 0..dag.nodes.len() {
        let here = std::mem::take(&mut places[index]);
        followed += here.len() as u64;
        if followed > most {
            return None;
        }
        for (place, numbers) in here {
            if dag.nodes[index].is_final {
                found = Some(found.map_or(numbers.clone(), |found| union(&found, &numbers)));
            }
            for edge in dag.edges_from(NodeId(index as u32)) {
                let target = dag.nodes[edge.target.index()];
                let ticks = target.is_final || target.tick != dag.nodes[index].tick;
                let (next, is_hand_over) = follower.follow(&place, edge, ticks);
                let more = u32::from(is_hand_over);
                let numbers = numbers.start + more..numbers.end + more;
                places[edge.target.index()]
                    .entry(next)
                    .and_modify(|known| *known = union(known, &numbers))
                    .or_insert(numbers);
            }
        }
    }
    found.map(|numbers| HandOvers {
        least: numbers.start,
        most: numbers.end - 1,
    })
}

fn union(a: &Numbers, b: &Numbers) -> Numbers {
    a.start.min(b.start)..a.end.max(b.end)
}

impl<'t> Follower<'t> {
    fn new(task: &'t PackedTask) -> Self {
        let owned = task.variables.iter().map(|variable| {
            let values = 0..variable.size;
            let is_owned = |value| match variable.kind {
                VariableKind::Facts | VariableKind::Object | VariableKind::Derived => {
                    is_fact(variable, value)
                }
                VariableKind::Timer => value != 0,
                VariableKind::Integer { .. }
                | VariableKind::Activity
                | VariableKind::Live
                | VariableKind::Clock => false,
            };
            values.map(is_owned).collect()
        });
        let written = task.timers.iter().map(|timer| {
            let mut written = VariableSet::default();
            timer.effect.writes(&mut written);
            written
        });
        Self {
            task,
            owned: owned.collect(),
            written: written.collect(),
            record: Record::default(),
        }
    }

    fn value(&self, variable: u32, state: &State) -> u32 {
        self.task.variables[variable as usize].get(state)
    }

    /// Returns true if the value of a variable is a fact that somebody may own.
    fn is_owned(&self, variable: u32, state: &State) -> bool {
        let value = self.value(variable, state);
        let values = &self.owned[variable as usize];
        values.get(value as usize).copied().unwrap_or(false)
    }

    /// Makes one choice, and the tick if it ends the step; and whether it is a hand-over.
    fn follow(&mut self, place: &Place, edge: &Edge, ticks: bool) -> (Place, bool) {
        let task = self.task;
        let own: Owners = 1 << edge.agent;
        let (tested, of_tested) = place
            .start
            .as_deref()
            .map_or((&place.state, &place.notes), |(state, notes)| {
                (state, notes)
            });
        let mut taken = self.demanded(edge.operator, own, tested, of_tested);
        let foreign = |notes: &Notes, variable: u32| owners(notes, variable) & own == 0;
        let mut is_hand_over = taken.iter().any(|&variable| foreign(of_tested, variable));
        let mut next = place.clone();
        // What it takes up may have been changed in the same step by an agent before it.
        taken
            .retain(|&variable| self.value(variable, tested) == self.value(variable, &place.state));
        for &variable in &taken {
            let shared = owners(&next.notes, variable) | own;
            note(&mut next.notes, variable, shared);
        }
        task.act(&mut next.state, edge.operator, &mut self.record);
        self.record.clear();
        for variable in 0..task.variables.len() as u32 {
            if self.value(variable, &place.state) == self.value(variable, &next.state) {
                continue;
            }
            let kind = task.variables[variable as usize].kind;
            let may_end = matches!(kind, VariableKind::Facts | VariableKind::Object);
            if may_end && self.is_owned(variable, &place.state) {
                is_hand_over |= foreign(&place.notes, variable);
            }
            let is_owned = self.is_owned(variable, &next.state);
            note(
                &mut next.notes,
                variable,
                if is_owned { own } else { EVERYONE },
            );
        }
        if ticks {
            self.tick(&mut next);
            next.start = None;
        } else if task.turns == TurnMode::Simultaneous && place.start.is_none() {
            next.start = Some(Box::new((place.state.clone(), place.notes.clone())));
        }
        (next, is_hand_over)
    }

    /// Lets the tick pass.
    fn tick(&mut self, place: &mut Place) {
        let task = self.task;
        let (before, notes) = (place.state.clone(), place.notes.clone());
        task.tick(&mut place.state, &mut self.record);
        self.record.clear();
        for variable in 0..task.variables.len() as u32 {
            let old = self.value(variable, &before);
            if old == self.value(variable, &place.state) {
                continue;
            }
            let owners = if !self.is_owned(variable, &place.state) {
                EVERYONE
            } else if task.variables[variable as usize].kind == VariableKind::Timer && old != 0 {
                continue;
            } else {
                let due = task.timers.iter().zip(&self.written).rev();
                let cause = due
                    .filter(|(timer, written)| {
                        let left = |state| self.value(timer.variable.0, state);
                        left(&before) != 0
                            && (timer.every_tick || left(&place.state) == 0)
                            && written.contains(VarId(variable))
                    })
                    .map(|(timer, _)| owners(&notes, timer.variable.0))
                    .next();
                cause.unwrap_or(EVERYONE)
            };
            note(&mut place.notes, variable, owners);
        }
    }

    /// The variables whose facts an operator's precondition demands.
    fn demanded(
        &self,
        operator: OperatorId,
        own: Owners,
        state: &State,
        notes: &Notes,
    ) -> Vec<u32> {
        let operator = self.task.operator(operator);
        let mut found = Vec::new();
        for &fact in &operator.facts {
            self.add_fact(fact, state, &mut found);
        }
        self.add(&operator.guard, own, state, notes, &mut found);
        found.sort_unstable();
        found.dedup();
        found
    }

    fn add_fact(&self, fact: Fact, state: &State, found: &mut Vec<u32>) {
        let index = fact.variable.0;
        found.extend(self.is_owned(index, state).then_some(index));
    }

    /// Adds what a condition that holds demands. The depth of recursion is that of the condition.
    fn add(&self, cond: &Cond, own: Owners, state: &State, notes: &Notes, found: &mut Vec<u32>) {
        match cond {
            Cond::Fact(fact) => self.add_fact(*fact, state, found),
            Cond::Facts(facts) => {
                for &fact in facts {
                    self.add_fact(fact, state, found);
                }
            }
            Cond::And(conds) => {
                for cond in conds {
                    self.add(cond, own, state, notes, found);
                }
            }
            Cond::Or(conds) => {
                let holding = conds
                    .iter()
                    .filter(|cond| cond.holds(&self.task.variables, state));
                let mut first = None;
                for cond in holding {
                    let mut part = Vec::new();
                    self.add(cond, own, state, notes, &mut part);
                    if part.iter().all(|&index| owners(notes, index) & own != 0) {
                        found.append(&mut part);
                        return;
                    }
                    first.get_or_insert(part);
                }
                found.extend(first.into_iter().flatten());
            }
            Cond::Same(a, b, _) => {
                let both = [a.0, b.0].into_iter();
                found.extend(both.filter(|&index| self.is_owned(index, state)));
            }
            Cond::True | Cond::False | Cond::Not(_) | Cond::Compare(..) => {}
        }
    }
}

fn owners(notes: &Notes, variable: u32) -> Owners {
    let found = notes.binary_search_by_key(&variable, |&(variable, _)| variable);
    found.map_or(EVERYONE, |at| notes[at].1)
}

fn note(notes: &mut Notes, variable: u32, owners: Owners) {
    let found = notes.binary_search_by_key(&variable, |&(variable, _)| variable);
    match (found, owners) {
        (Ok(at), EVERYONE) => {
            notes.remove(at);
        }
        (Ok(at), _) => notes[at].1 = owners,
        (Err(_), EVERYONE) => {}
        (Err(at), _) => notes.insert(at, (variable, owners)),
    }
}
