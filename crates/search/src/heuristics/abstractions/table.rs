//! The abstract states that can be reached and their exact distances to the goal.

use brigade_task::State;
use rustc_hash::FxHashMap;

use super::graph::{Graph, Weight};
use crate::heuristics::Estimate;
use crate::heuristics::cartesian::numbering::{Number, TooLarge};
use crate::measure::Measure;
use crate::space::id_table::IdTable;
use crate::space::words::hash;
use brigade_task::layout::Variable;

/// Work, and abstract states, between two polls of the control.
const POLL_WORK: u64 = 100_000;
const POLL_STATES: usize = 256;

/// Steps are held forwards and backwards.
const WAYS: usize = 2;

/// Limits of one enumeration.
#[derive(Clone, Copy)]
pub(crate) struct Limits<'c> {
    /// Abstract states.
    pub(crate) states: usize,
    /// Bytes that the steps between them may take, both ways.
    pub(crate) bytes: usize,
    /// The most that [`Space::work`] may grow to.
    pub(crate) work: u64,
    /// Asked now and then.
    pub(crate) is_stopped: &'c dyn Fn() -> bool,
}

/// Abstract states and the steps between them.
pub(crate) trait Space {
    /// The end of a path in an abstract state, if it may end there.
    fn end(&mut self, number: Number) -> End;
    /// Lists steps that stand for all those from an abstract state, and the places to which they
    /// lead.
    fn successors(
        &mut self,
        number: Number,
        met: &mut Met,
        steps: &mut Vec<Step<u32>>,
    ) -> Result<(), TooLarge>;
    /// The work done, in steps looked at, or in parts that effects were applied to.
    fn work(&self) -> u64;
}

/// The end of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The goal may hold, and failure is not certain. With the landmarks without which the goal
    /// does not hold, as a set of bits.
    Goal(u64),
    /// Failure is certain.
    Dead,
    /// Neither.
    Open,
}

/// A step to an abstract state, given by its number or its place, with the least it adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step<T> {
    pub(crate) target: T,
    /// The landmarks that the agent brings about: of others, and its own without them.
    pub(crate) achieves: u64,
    /// The landmarks of the agent without which there is no such step.
    pub(crate) needs: u64,
    pub(crate) cost: i64,
    pub(crate) labels: u32,
}

impl<T: Copy> Step<T> {
    /// A step that adds nothing.
    pub(crate) const fn to(target: T) -> Self {
        Self {
            target,
            achieves: 0,
            needs: 0,
            cost: 0,
            labels: 0,
        }
    }

    /// The weight that it adds to the keys of a measure.
    fn weight(&self, measure: Measure) -> Weight {
        let (first, labels) = measure.least(self.cost, self.labels);
        Weight {
            first,
            labels,
            achieves: self.achieves,
            needs: self.needs,
        }
    }

    /// This step and then another.
    pub(crate) const fn then<U: Copy>(self, next: &Step<U>) -> Step<U> {
        Step {
            target: next.target,
            achieves: self.achieves | next.achieves,
            needs: self.needs | next.needs,
            cost: self.cost.saturating_add(next.cost),
            labels: self.labels + next.labels,
        }
    }
}

/// The reachable part of an abstract space.
pub(crate) struct Explored {
    pub(crate) numbers: Vec<Number>,
    /// The steps from each state.
    pub(crate) steps: Graph,
    /// The steps that lead to each state.
    pub(crate) entering: Graph,
    pub(crate) is_goal: Vec<bool>,
    /// The places where the goal may hold, and the landmarks that it needs there.
    pub(crate) goals: Vec<(u32, u64)>,
    pub(crate) estimates: Vec<Estimate>,
}

/// The numbers met, in order.
#[derive(Default)]
pub(crate) struct Met {
    numbers: Vec<Number>,
    ids: IdTable,
}

/// Distances by the number of an abstract state.
#[derive(Debug)]
pub(crate) struct Table {
    lookup: Vec<(Variable, Box<[Number]>)>,
    estimates: FxHashMap<Number, Estimate>,
}

impl Explored {
    /// Enumerates what can be reached from the abstract state `initial`.
    pub(crate) fn new(
        space: &mut impl Space,
        measure: Measure,
        initial: Number,
        limits: Limits,
    ) -> Result<Self, TooLarge> {
        let mut met = Met::default();
        met.place_of(initial);
        let mut steps = Graph::default();
        let mut is_goal = Vec::new();
        let mut goals = Vec::new();
        let mut found: Vec<Step<u32>> = Vec::new();
        let mut work_at_poll = 0;
        while let Some(&number) = met.numbers.get(steps.places()) {
            steps.begin();
            let end = space.end(number);
            is_goal.push(matches!(end, End::Goal(_)));
            match end {
                End::Goal(needs) => goals.push((steps.places() as u32 - 1, needs)),
                End::Dead => {}
                End::Open => {
                    found.clear();
                    space.successors(number, &mut met, &mut found)?;
                    least(&mut found);
                    for step in &found {
                        steps.push(step.target, step.weight(measure))?;
                    }
                }
            }
            let work = space.work();
            let is_poll_due =
                work >= work_at_poll + POLL_WORK || steps.places().is_multiple_of(POLL_STATES);
            if is_poll_due {
                work_at_poll = work;
            }
            if met.numbers.len() > limits.states
                || WAYS * steps.bytes() > limits.bytes
                || work > limits.work
                || is_poll_due && (limits.is_stopped)()
            {
                return Err(TooLarge);
            }
        }
        drop(met.ids);
        let numbers = met.numbers;
        let entering = steps.reversed();
        let seeds = is_goal.iter().map(|&is_goal| {
            if is_goal {
                Estimate::ZERO
            } else {
                Estimate::DEAD
            }
        });
        let mut estimates: Vec<Estimate> = seeds.collect();
        entering.relax(&mut estimates, |weight, rest| {
            Some(rest.plus(weight.first, 1, weight.labels))
        });
        Ok(Self {
            numbers,
            steps,
            entering,
            is_goal,
            goals,
            estimates,
        })
    }

    /// Keeps the states and their distances alone.
    pub(crate) fn forget_steps(&mut self) {
        self.steps = Graph::default();
        self.entering = Graph::default();
        self.numbers = Vec::new();
    }

    /// The place of the first state after `id` on a best path.
    pub(crate) fn best_step(&self, id: u32) -> Option<u32> {
        let is_best = |&(target, weight): &(u32, &Weight)| {
            let rest = self.estimates[target as usize];
            rest != Estimate::DEAD
                && rest.plus(weight.first, 1, weight.labels) == self.estimates[id as usize]
        };
        let best = self.steps.at(id as usize).find(is_best);
        best.map(|(target, _)| target)
    }

    /// Keeps the distances alone. `lookup` gives for each variable what its values add to the
    /// number of an abstract state.
    pub(crate) fn into_table(self, lookup: Vec<(Variable, Box<[Number]>)>) -> Table {
        Table {
            lookup,
            estimates: self.numbers.into_iter().zip(self.estimates).collect(),
        }
    }
}

impl Met {
    /// The place of a number, the next if it is new.
    pub(crate) fn place_of(&mut self, number: Number) -> u32 {
        let hash = hash(&[number as u64, (number >> 64) as u64]);
        let is_same = |place: u32| self.numbers[place as usize] == number;
        match self.ids.find(hash, is_same) {
            Ok(place) => place,
            Err(free) => {
                let place = self.numbers.len() as u32;
                self.ids.insert(free, hash, place);
                self.numbers.push(number);
                place
            }
        }
    }
}

impl Table {
    /// The distance of the abstract state of a state.
    pub(crate) fn estimate(&self, state: &State) -> Estimate {
        let parts = self.lookup.iter();
        let number: Number = parts
            .map(|(variable, table)| table[variable.get(state) as usize])
            .sum();
        self.estimates
            .get(&number)
            .copied()
            .unwrap_or(Estimate::ZERO)
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.estimates.capacity() * size_of::<(Number, Estimate)>()
    }
}

/// Keeps one of the steps to each abstract state that achieve and need the same landmarks: with the
/// least cost, and the least labels, of all.
pub(crate) fn least<T: Copy + Ord>(steps: &mut Vec<Step<T>>) {
    let key = |step: &Step<T>| (step.target, step.achieves, step.needs);
    merge_by_key(steps, key, |step, other| {
        step.cost = step.cost.min(other.cost);
        step.labels = step.labels.min(other.labels);
    });
}

/// Sorts, and keeps one of all with the same key, merged with each of the others.
pub(crate) fn merge_by_key<T, K: Ord>(
    items: &mut Vec<T>,
    key: impl Fn(&T) -> K,
    merge: impl Fn(&mut T, &T),
) {
    if items.len() < 2 {
        return;
    }
    items.sort_unstable_by_key(&key);
    items.dedup_by(|later, earlier| {
        let is_same = key(later) == key(earlier);
        if is_same {
            merge(earlier, later);
        }
        is_same
    });
}
