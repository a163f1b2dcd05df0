//! Delays by landmarks that another agent must achieve: how long that takes it, and how long the
//! agent that waits.
//!
//! A landmark is a set of facts one of which others must bring about on every way to the goal (J.
//! Hoffmann, J. Porteous and L. Sebastia, "Ordered Landmarks in Planning", JAIR 22, 2004). While it
//! is missing, the distances in the agent's own space without it give the ticks to the goal if it
//! comes true after τ ticks and not before; the space of its achiever gives the ticks that this
//! takes, also for several landmarks one after another. So what the two need adds up, as the heads
//! and tails of a schedule do.

use super::view::{NOWHERE, Places, View};
use crate::heuristics::abstractions::graph::{Graph, Weight};

/// Landmarks of one agent that are considered, at most.
pub(crate) const MOST_AWAITED: usize = 5;
/// Delays that are distinguished, in ticks.
const MOST_DELAY: usize = 64;

/// The space of an agent while a landmark is missing.
pub(crate) struct DelayedSpace {
    pub(crate) places: Places,
    /// For each delay and place the ticks to the goal, at least; up to the delay from which on each
    /// tick of it is one more.
    ticks: Vec<Vec<Short>>,
}

/// Ticks or labels, at least, in few bytes: there are many of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Short(u16);

impl DelayedSpace {
    /// Builds the space without the landmark of that bit, in the agent's view. `None` if it has
    /// more than `most` places, the agent can do without the landmark or achieve it itself, or the
    /// construction is stopped.
    ///
    /// Where the goal holds as soon as the landmark is true, the delay is all that is left.
    pub(crate) fn new(
        full: &View,
        landmark: u64,
        most: usize,
        is_stopped: &dyn Fn() -> bool,
    ) -> Option<Self> {
        if full.dispensable & landmark != 0 {
            return None;
        }
        let mut reached = full.reached_without(landmark);
        if reached.len() > most {
            return None;
        }
        reached.sort_by_key(|&place| std::cmp::Reverse(full.estimate(place).makespan));
        let mut index = vec![NOWHERE; full.len()];
        for (&place, number) in reached.iter().zip(0..) {
            index[place as usize] = number;
        }
        let rest = |&place: &u32| Short::new(full.estimate(place).makespan);
        let mut ticks: Vec<Vec<Short>> = vec![reached.iter().map(rest).collect()];
        let mut steps = Graph::default();
        for &place in &reached {
            steps.begin();
            for (source, weight) in full.explored.entering.at(place as usize) {
                let source = index[source as usize];
                if weight.needs & landmark == 0 && source != NOWHERE {
                    steps.push(source, Weight::default()).ok()?;
                }
            }
        }
        let is_goal = |&index: &usize| full.explored.is_goal[reached[index] as usize];
        let goals: Vec<usize> = (0..reached.len()).filter(is_goal).collect();
        for delay in 0..MOST_DELAY {
            if is_stopped() {
                return None;
            }
            let before = &ticks[delay];
            let mut next = vec![Short::NEVER; before.len()];
            for (place, &rest) in before.iter().enumerate() {
                let through = rest.plus(1);
                for &source in steps.ends(place) {
                    let least = &mut next[source as usize];
                    *least = through.min(*least);
                }
            }
            for &goal in &goals {
                next[goal] = Short::new(delay as u32 + 1);
            }
            let grows_by_a_tick = next
                .iter()
                .zip(before)
                .all(|(next, before)| *next == before.plus(1));
            if grows_by_a_tick {
                break;
            }
            ticks.push(next);
        }
        Some(Self {
            places: full.some_places(&reached),
            ticks,
        })
    }

    /// The ticks from a place to the goal if the landmark comes true no sooner than after a delay.
    pub(crate) fn ticks(&self, place: u32, delay: u32) -> u32 {
        let delay = delay as usize;
        let known = delay.min(self.ticks.len() - 1);
        let ticks = self.ticks[known][place as usize];
        // Beyond the delays listed each tick of delay costs a tick more.
        let more = if self.ticks.len() <= MOST_DELAY {
            delay - known
        } else {
            0
        };
        ticks.plus(more as u32).get()
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.places.bytes() + bytes(&self.ticks)
    }
}

impl Short {
    /// There is no way.
    const NEVER: Self = Self(u16::MAX);

    /// `u32::MAX` if there is no way.
    fn new(least: u32) -> Self {
        match least {
            u32::MAX => Self::NEVER,
            // A number that does not fit is still at least the greatest that does.
            _ => Self(least.min(u32::from(u16::MAX) - 1) as u16),
        }
    }

    fn get(self) -> u32 {
        match self {
            Self::NEVER => u32::MAX,
            Self(least) => u32::from(least),
        }
    }

    fn plus(self, more: u32) -> Self {
        Self::new(self.get().saturating_add(more))
    }
}

fn bytes(tables: &[Vec<Short>]) -> usize {
    tables.iter().map(|table| size_of_val(&**table)).sum()
}

/// The least time and labels in which an agent achieves sets of landmarks.
pub(crate) struct AchieverSpace {
    /// For each set of landmarks and place: ticks, at least.
    ticks: Vec<Vec<Short>>,
    /// For each set of landmarks and place: labels, at least.
    labels: Vec<Vec<Short>>,
}

impl AchieverSpace {
    /// Solves all sets of the landmarks that these bits stand for; `None` if the construction is
    /// stopped.
    pub(crate) fn new(view: &View, bits: &[u32], is_stopped: &dyn Fn() -> bool) -> Option<Self> {
        let explored = &view.explored;
        let places = explored.numbers.len();
        let mut ticks: Vec<Vec<Short>> = vec![vec![Short::new(0); places]];
        let mut labels: Vec<Vec<Short>> = vec![vec![Short::new(0); places]];
        // The steps that bring something about.
        let entering = (0_u32..)
            .zip(0..places)
            .map(|(target, place)| (target, explored.entering.at(place)));
        let giving = entering
            .flat_map(|(target, steps)| steps.map(move |(place, weight)| (place, target, weight)));
        let giving: Vec<(u32, u32, &Weight)> = giving
            .filter(|(_, _, weight)| weight.achieves != 0)
            .collect();
        for set in 1..1_usize << bits.len() {
            if is_stopped() {
                return None;
            }
            // What is left of the set after a step.
            let rest = |achieves: u64| {
                let given = bits
                    .iter()
                    .zip(0..)
                    .filter(|(bit, _)| achieves >> **bit & 1 == 1);
                given.fold(set, |rest, (_, index)| rest & !(1 << index))
            };
            // What comes after the goal may hold is not known.
            let seeds = explored.is_goal.iter();
            let seeds = seeds.map(|&is_goal| if is_goal { 0 } else { u32::MAX });
            let mut tick_seeds: Vec<u32> = seeds.collect();
            let mut label_seeds = tick_seeds.clone();
            for &(place, target, weight) in &giving {
                let rest = rest(weight.achieves);
                if rest != set {
                    let (place, target) = (place as usize, target as usize);
                    let tick = ticks[rest][target].get().saturating_add(1);
                    tick_seeds[place] = tick_seeds[place].min(tick);
                    let label = labels[rest][target].get().saturating_add(weight.labels);
                    label_seeds[place] = label_seeds[place].min(label);
                }
            }
            let entering = &explored.entering;
            entering.relax(&mut tick_seeds, |_, rest: u32| rest.checked_add(1));
            ticks.push(tick_seeds.into_iter().map(Short::new).collect());
            let through = |weight: &Weight, rest: u32| rest.checked_add(weight.labels);
            entering.relax(&mut label_seeds, through);
            labels.push(label_seeds.into_iter().map(Short::new).collect());
        }
        Some(Self { ticks, labels })
    }

    /// The ticks from a place until all of a set have been brought about.
    pub(crate) fn ticks(&self, set: usize, place: u32) -> u32 {
        self.ticks[set][place as usize].get()
    }

    /// The labels from a place until all of a set have been brought about.
    pub(crate) fn labels(&self, set: usize, place: u32) -> u32 {
        self.labels[set][place as usize].get()
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        bytes(&self.ticks) + bytes(&self.labels)
    }
}
