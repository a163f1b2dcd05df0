//! Searches breadth first for the goal within so many steps, without states from which the bound excludes it.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::Fewest;
use super::bound::Bound;
use super::environment::Kitchen;
use super::state::State;
use super::successors::successors;

/// The number of states that are expanded between two checks whether to stop.
const EXPANDED_AT_ONCE: u32 = 1024;

/// Searches for the fewest steps from a state to the goal, at most so many.
pub(super) fn search(
    kitchen: &Kitchen,
    start: &State,
    most: u32,
    bytes: usize,
    is_stopped: &dyn Fn() -> bool,
) -> Fewest {
    let mut stored = Stored::default();
    let mut bound = Bound::new(kitchen);
    let mut text = Vec::new();
    let mut layers: Vec<Vec<u32>> = vec![Vec::new(); most as usize + 1];
    start.write(kitchen, &mut text);
    stored.insert(&text, 0);
    layers[0].push(0);
    let mut expanded = 0;
    for steps in 0..=most {
        for number in std::mem::take(&mut layers[steps as usize]) {
            if stored.steps[number as usize] != steps {
                // It was reached sooner since.
                continue;
            }
            let asks = expanded % EXPANDED_AT_ONCE == 0;
            if stored.bytes() > bytes || asks && is_stopped() {
                return Fewest::Stopped;
            }
            expanded += 1;
            let state = State::read(kitchen, stored.text(number));
            if state.is_goal(kitchen) {
                let states = stored.steps.len() as u64;
                return Fewest::Steps { steps, states };
            }
            successors(&state, kitchen, |after, cost| {
                let reached = steps + cost;
                let Some(left) = most.checked_sub(reached) else {
                    return;
                };
                after.write(kitchen, &mut text);
                let number = match stored.number(&text) {
                    Some(number) if stored.steps[number as usize] <= reached => return,
                    Some(number) => {
                        stored.steps[number as usize] = reached;
                        number
                    }
                    None if bound.steps(after, left) > left => return,
                    None => stored.insert(&text, reached),
                };
                layers[reached as usize].push(number);
            });
        }
    }
    Fewest::More
}

/// States that have been reached, as they are written, and in how many steps.
struct Stored {
    texts: Vec<u8>,
    /// The ends of the texts.
    ends: Vec<usize>,
    steps: Vec<u32>,
    /// Numbers of states by their hash; open addressing.
    slots: Vec<u32>,
}

impl Default for Stored {
    fn default() -> Self {
        Self {
            texts: Vec::new(),
            ends: vec![0],
            steps: Vec::new(),
            slots: vec![Self::FREE; 1 << 10],
        }
    }
}

impl Stored {
    const FREE: u32 = u32::MAX;

    fn bytes(&self) -> usize {
        self.texts.capacity()
            + self.ends.capacity() * size_of::<usize>()
            + self.steps.capacity() * size_of::<u32>()
            + self.slots.capacity() * size_of::<u32>()
    }

    fn text(&self, number: u32) -> &[u8] {
        let number = number as usize;
        &self.texts[self.ends[number]..self.ends[number + 1]]
    }

    fn number(&self, text: &[u8]) -> Option<u32> {
        let number = self.slots[self.slot(text)];
        (number != Self::FREE).then_some(number)
    }

    /// The slot of a text, or the free one where it belongs.
    fn slot(&self, text: &[u8]) -> usize {
        let mut hasher = FxHasher::default();
        hasher.write(text);
        let mask = self.slots.len() - 1;
        // The low bits of a product depend on the low bits of its factors alone.
        let mut slot = (hasher.finish() >> 24) as usize & mask;
        while self.slots[slot] != Self::FREE && self.text(self.slots[slot]) != text {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Stores a text that is not stored; its number.
    fn insert(&mut self, text: &[u8], steps: u32) -> u32 {
        let number = self.steps.len() as u32;
        let slot = self.slot(text);
        self.slots[slot] = number;
        self.texts.extend_from_slice(text);
        self.ends.push(self.texts.len());
        self.steps.push(steps);
        if self.steps.len() * 2 > self.slots.len() {
            self.slots = vec![Self::FREE; self.slots.len() * 2];
            for number in 0..self.steps.len() as u32 {
                let slot = self.slot(self.text(number));
                self.slots[slot] = number;
            }
        }
        number
    }
}
