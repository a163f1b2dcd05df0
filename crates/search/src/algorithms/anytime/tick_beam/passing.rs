//! Facts that come and pass by themselves, such as an order that lapses: until when they count.

use super::course::{idle_operator, likeliest};
use crate::heuristics::delete_relaxation::relaxation::Relaxation;
use crate::space::node_kind::{NodeKind, node_kind};
use crate::space::start::Start;
use brigade_task::effect::Record;
use brigade_task::{PackedTask, State};

/// The most ticks for which agents who wait are followed.
const MOST_TICKS: u32 = 400;

/// No number of ticks.
const NEVER: u32 = u32::MAX;

/// The facts of a start that pass where all agents wait, and that no agent can bring about.
#[derive(Clone, Debug)]
pub(super) struct Passing {
    /// For each fact true if agents can bring it about, directly or by what follows.
    is_controllable: Vec<bool>,
    /// For each fact true if anything adds it.
    is_added: Vec<bool>,
    /// The facts.
    pub(super) facts: Vec<u32>,
    /// For each gain the ticks before the end of the task at which it can be made at last.
    latest: Vec<u32>,
    /// For each gain those of the facts that it needs.
    needs: Vec<Vec<u32>>,
    /// The number of gains that might be made if no fact passed.
    pub(super) gains: usize,
    /// For each fact the ticks before the end of the task at which it comes by itself at last; [`NEVER`] if it does not.
    comes: Vec<u32>,
    /// For each fact true if it holds in the state looked at.
    holds: Vec<bool>,
    /// The ticks from there to the end of the task.
    left: u32,
}

impl Passing {
    /// None.
    pub(super) fn new(relaxation: &Relaxation) -> Self {
        let facts = relaxation.facts as usize;
        Self {
            is_controllable: controllable(relaxation),
            is_added: added(relaxation),
            facts: Vec::new(),
            latest: vec![0; facts],
            needs: vec![Vec::new(); facts],
            gains: usize::MAX,
            comes: vec![NEVER; facts],
            holds: vec![false; facts],
            left: 0,
        }
    }

    /// Bytes held.
    pub(super) const fn bytes(&self) -> usize {
        self.holds.len() * (3 + 2 * size_of::<u32>() + size_of::<Vec<u32>>())
    }

    /// Follows agents who wait from a start, so many ticks before the end of the task.
    pub(super) fn start(
        &mut self,
        task: &PackedTask,
        relaxation: &Relaxation,
        is_gain: &dyn Fn(u32) -> bool,
        start: Start,
        left: u32,
    ) {
        let Waiting { last, comes, ticks } = waiting(task, relaxation, start, left);
        let is_passing = |fact: u32| {
            !self.is_controllable[fact as usize]
                && last[fact as usize].is_some_and(|last| last < ticks)
        };
        self.facts.clear();
        relaxation.for_each_fact(task, start.state, |fact| {
            if is_passing(fact) {
                self.facts.push(fact);
            }
        });
        let mut ends: Vec<Option<u32>> = vec![None; relaxation.facts as usize];
        self.needs.iter_mut().for_each(Vec::clear);
        for adder in 0..relaxation.adders() {
            let needs = relaxation.needs.of(adder);
            let is_possible = needs
                .iter()
                .all(|&need| self.is_added[need as usize] || last[need as usize].is_some());
            if !is_possible {
                continue;
            }
            let passing = needs.iter().filter(|need| is_passing(**need));
            // Agents choose before anything passes in a tick.
            let extra = u32::from(!relaxation.is_event(adder));
            let end = passing
                .clone()
                .filter_map(|&need| last[need as usize])
                .min();
            let end = end.map_or(u32::MAX, |last| last + extra);
            for &fact in relaxation
                .adds
                .of(adder)
                .iter()
                .filter(|fact| is_gain(**fact))
            {
                let before = ends[fact as usize].replace(end);
                ends[fact as usize] = Some(before.map_or(end, |before| before.max(end)));
                let own = &mut self.needs[fact as usize];
                match before {
                    Some(_) => own.retain(|need| needs.contains(need)),
                    None => own.extend(passing.clone()),
                }
            }
        }
        self.gains = ends.iter().flatten().count();
        let latest = ends
            .iter()
            .map(|end| end.map_or(0, |end| left.saturating_sub(end)));
        self.latest = latest.collect();
        let comes = comes.into_iter();
        self.comes = comes
            .map(|tick| tick.map_or(NEVER, |tick| left.saturating_sub(tick)))
            .collect();
    }

    /// True if nothing is known to pass.
    pub(super) const fn is_none(&self) -> bool {
        self.gains == usize::MAX
    }

    /// Looks at a state, so many ticks before the end of the task.
    pub(super) fn look(
        &mut self,
        task: &PackedTask,
        relaxation: &Relaxation,
        state: &State,
        left: u32,
    ) {
        self.left = left;
        if self.gains != usize::MAX {
            self.holds.fill(false);
            relaxation.for_each_fact(task, state, |fact| self.holds[fact as usize] = true);
        }
    }

    /// Returns true if a gain can be made so many ticks after the state looked at: what it needs of what passes holds
    /// there, or is still to come.
    pub(super) fn is_open(&self, gain: u32, ticks: u32) -> bool {
        let left = self.left.saturating_sub(ticks);
        let is_there =
            |&need: &u32| self.holds[need as usize] || self.comes[need as usize] < self.left;
        let mut needs = self.needs[gain as usize].iter();
        left >= self.latest[gain as usize] && needs.all(is_there)
    }
}

/// For each fact true if agents can bring it about.
fn controllable(relaxation: &Relaxation) -> Vec<bool> {
    let mut is_controllable = vec![false; relaxation.facts as usize];
    let operators = (0..relaxation.adders()).filter(|&adder| relaxation.operator(adder).is_some());
    let mut open: Vec<u32> = operators
        .flat_map(|adder| relaxation.adds.of(adder).iter().copied())
        .collect();
    while let Some(fact) = open.pop() {
        if !std::mem::replace(&mut is_controllable[fact as usize], true) {
            let adders = relaxation.needed_by.of(fact).iter();
            open.extend(adders.flat_map(|&adder| relaxation.adds.of(adder)));
        }
    }
    is_controllable
}

/// For each fact true if anything adds it.
fn added(relaxation: &Relaxation) -> Vec<bool> {
    let mut is_added = vec![false; relaxation.facts as usize];
    let added = (0..relaxation.adders()).flat_map(|adder| relaxation.adds.of(adder));
    added.for_each(|&fact| is_added[fact as usize] = true);
    is_added
}

/// The facts over time where all agents wait.
struct Waiting {
    /// For each fact the last tick at whose end it holds.
    last: Vec<Option<u32>>,
    /// For each fact the last tick in which it comes to hold.
    comes: Vec<Option<u32>>,
    /// The number of ticks that were followed.
    ticks: u32,
}

/// Follows agents who wait, to the end of the task or for [`MOST_TICKS`].
fn waiting(task: &PackedTask, relaxation: &Relaxation, start: Start, left: u32) -> Waiting {
    let mut last: Vec<Option<u32>> = vec![None; relaxation.facts as usize];
    let mut comes = last.clone();
    let mut state = start.state.to_owned();
    let mut record = Record::default();
    relaxation.for_each_fact(task, &state, |fact| last[fact as usize] = Some(0));
    let most = left.min(MOST_TICKS);
    for tick in 0..most {
        let before = state.clone();
        let acting = task.acting(&before);
        let first = if tick == 0 { start.agent } else { 0 };
        for agent in acting.start.max(first)..acting.end {
            let read = task.choice_state(&before, &state);
            let operator = match task.agents[agent].nature {
                Some(_) => likeliest(task, read, agent),
                None => idle_operator(task, read, agent),
            };
            if let Some(operator) = operator {
                task.act(&mut state, operator, &mut record);
            }
        }
        task.tick(&mut state, &mut record);
        record.clear();
        if node_kind(task, &state) != NodeKind::Interior {
            return Waiting {
                last,
                comes,
                ticks: tick,
            };
        }
        relaxation.for_each_fact(task, &state, |fact| {
            let before = last[fact as usize].replace(tick + 1);
            if before != Some(tick) {
                comes[fact as usize] = Some(tick + 1);
            }
        });
    }
    Waiting {
        last,
        comes,
        ticks: most,
    }
}
