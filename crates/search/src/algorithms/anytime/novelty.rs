//! Best-first width search (N. Lipovetzky and H. Geffner, "Best-first width search: exploration and
//! exploitation in classical planning", AAAI 2017): BFWS(f5).
//!
//! First come states that hold a fact, then those that hold a pair of facts, that none before them
//! held; of equally new ones those that lack fewer facts of the goal. A state is compared with
//! those alone that lack as many facts of the goal, and since that number last fell on the way to
//! them have seen as many facts of the relaxed plan that was made there. So it looks where nothing
//! was, and comes out of the plateaus in which relaxed plans promise the same everywhere.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::queue::{Node, Queue};
use super::store::{Source, Stored, store};
use super::{EFFORT_PER_STATE, Ended};
use crate::heuristics::FastForward;
use crate::space::expand::Expander;
use crate::space::search_space::Space;
use crate::space::successor::Successor;
use brigade_task::State;

/// So many pairs of facts are looked up in the time in which a state is stored.
const PAIRS_PER_STATE: u64 = 400;
/// Bytes that the table of pairs of facts may take; beyond, single facts alone are compared.
const MOST_PAIR_BYTES: usize = 1 << 29;

/// The novelty of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Width {
    /// It holds a fact that was not held.
    Fact,
    /// It holds a pair of facts that was not held.
    Pair,
    /// Neither.
    More,
}

/// The progress of a node.
#[derive(Clone)]
struct Progress {
    /// The number of goal facts that it lacks.
    unmet: u32,
    /// The relaxed plan that was made where this number last fell,
    plan: u32,
    /// and which of its facts were seen since, as bits.
    seen: Box<[u64]>,
}

impl Progress {
    /// The states that it is compared with.
    fn part(&self) -> (u32, u32) {
        let seen = self.seen.iter().map(|word| word.count_ones()).sum();
        (self.unmet, seen)
    }
}

/// The facts that the states of a part have held.
#[derive(Default)]
struct Held {
    facts: Vec<u64>,
    /// By pair, the lesser fact first; empty where there is no room for it.
    pairs: Vec<u64>,
}

/// A search in a space that holds the start alone.
pub(crate) struct Novelty<'s, 'a, 'g, 't> {
    space: &'s mut Space<'a>,
    relaxed: &'g mut FastForward<'t>,
    queue: Queue<(Width, u32)>,
    /// For each half-step and node how far it has come.
    progress: Vec<Vec<Progress>>,
    /// For each relaxed plan the facts that it brings about, in order.
    plans: Vec<Vec<u32>>,
    held: BTreeMap<(u32, u32), Held>,
    held_bytes: usize,
    progress_bytes: usize,
    /// The facts of the node that is expanded, and of its successor.
    before: Vec<u32>,
    after: Vec<u32>,
    effort_before: u64,
    relaxed_bytes: usize,
    looked_up: u64,
    goal: Option<u32>,
    /// True if nothing was left out that a plan may lead through.
    is_complete: bool,
}

impl<'s, 'a, 'g, 't> Novelty<'s, 'a, 'g, 't> {
    pub(crate) fn new(space: &'s mut Space<'a>, relaxed: &'g mut FastForward<'t>) -> Self {
        Self {
            queue: Queue::new(),
            progress: vec![Vec::new(); space.tables.len()],
            plans: Vec::new(),
            held: BTreeMap::new(),
            held_bytes: 0,
            progress_bytes: 0,
            before: Vec::new(),
            after: Vec::new(),
            effort_before: relaxed.effort(),
            relaxed_bytes: relaxed.bytes(),
            looked_up: 0,
            goal: None,
            is_complete: true,
            space,
            relaxed,
        }
    }

    /// Searches until a plan is met, or about so much is spent, in states.
    pub(crate) fn search(mut self, most: u64, expander: &mut Expander) -> Ended {
        let mut state = self.space.tables[0].state(0).to_owned();
        self.relaxed.facts_of(&state, &mut self.after);
        self.note((0, 0), None, &state);
        while let Some((_, node)) = self.queue.pop() {
            if self.spent() >= most || self.space.control.stop().is_some() {
                self.is_complete = false;
                break;
            }
            let (half, id) = node;
            state.copy_from(self.space.tables[half].state(id));
            self.relaxed.facts_of(&state, &mut self.before);
            self.space.expanded += 1;
            let source = Source::new(self.space, node);
            let flow =
                expander.expand(half, &state, |successor| self.meet(half, source, successor));
            if flow.is_break() {
                self.is_complete = false;
                break;
            }
        }
        Ended {
            goal: self.goal,
            nearest: Vec::new(),
            spent: self.spent(),
            is_complete: self.is_complete,
        }
    }

    fn spent(&self) -> u64 {
        let effort = self.relaxed.effort() - self.effort_before;
        self.space.states() + effort / EFFORT_PER_STATE + self.looked_up / PAIRS_PER_STATE
    }

    fn meet(&mut self, half: usize, source: Source, successor: &Successor) -> ControlFlow<()> {
        let side_bytes =
            self.relaxed_bytes + self.queue.bytes() + self.held_bytes + self.progress_bytes;
        match store(self.space, source, successor, None, side_bytes)? {
            Stored::New(node, _) => {
                self.relaxed.facts_of(successor.state, &mut self.after);
                let parent = self.progress[half][source.id as usize].clone();
                self.note(node, Some(parent), successor.state);
                ControlFlow::Continue(())
            }
            Stored::Better | Stored::Nothing => ControlFlow::Continue(()),
            Stored::Goal(id) => {
                self.goal = Some(id);
                ControlFlow::Break(())
            }
        }
    }

    /// Notes how far a new node has come, and lets it wait, unless there is no plan from there.
    fn note(&mut self, node: Node, parent: Option<Progress>, state: &State) {
        let unmet = self.relaxed.unmet(&self.after);
        let from = parent.as_ref().map(Progress::part);
        let (progress, has_plan) = match parent {
            Some(mut progress) if unmet >= progress.unmet => {
                progress.unmet = unmet;
                self.see(&mut progress);
                (progress, true)
            }
            _ => {
                self.space.evaluated += 1;
                let has_plan = self.relaxed.estimate(state).is_some();
                let plan = if has_plan {
                    self.relaxed.facts_to_reach()
                } else {
                    Vec::new()
                };
                (self.begin(unmet, plan), has_plan)
            }
        };
        let part = progress.part();
        let (half, id) = node;
        let all = &mut self.progress[half];
        self.progress_bytes += size_of::<Progress>() + size_of_val(&*progress.seen);
        // Numbers of nodes follow one another, and each is noted once.
        debug_assert_eq!(all.len(), id as usize);
        all.push(progress);
        if has_plan {
            let width = self.width(part, from == Some(part));
            self.queue.push((width, unmet), node);
        }
    }

    /// The progress of a node from which a relaxed plan is followed.
    fn begin(&mut self, unmet: u32, plan: Vec<u32>) -> Progress {
        let seen = vec![0; plan.len().div_ceil(64)].into_boxed_slice();
        self.progress_bytes += size_of_val(&*plan);
        self.plans.push(plan);
        Progress {
            unmet,
            plan: self.plans.len() as u32 - 1,
            seen,
        }
    }

    /// Adds the facts that hold to those of the relaxed plan that were seen.
    fn see(&self, progress: &mut Progress) {
        let plan = &self.plans[progress.plan as usize];
        for fact in &self.after {
            if let Ok(index) = plan.binary_search(fact) {
                progress.seen[index / 64] |= 1 << (index % 64);
            }
        }
    }

    /// The novelty of the successor's facts in its part; they are no longer new then. Where that is
    /// the part of the node before it, only facts that are new to that node are compared.
    fn width(&mut self, part: (u32, u32), is_of_parent: bool) -> Width {
        let count = self.relaxed.fact_count() as usize;
        let pair_words = (count * (count + 1) / 2).div_ceil(64);
        let held = self.held.entry(part).or_insert_with(|| {
            let fits = self.held_bytes + 8 * pair_words <= MOST_PAIR_BYTES;
            let held = Held {
                facts: vec![0; count.div_ceil(64)],
                pairs: vec![0; if fits { pair_words } else { 0 }],
            };
            self.held_bytes += size_of_val(&*held.facts) + size_of_val(&*held.pairs);
            held
        });
        let mut width = Width::More;
        for (index, &fact) in self.after.iter().enumerate() {
            // Variables stand in one order in all states.
            if is_of_parent && self.before.get(index) == Some(&fact) {
                continue;
            }
            if set(&mut held.facts, fact as usize) {
                width = Width::Fact;
            }
            if held.pairs.is_empty() {
                continue;
            }
            self.looked_up += self.after.len() as u64;
            for &other in &self.after {
                let (low, high) = (fact.min(other) as usize, fact.max(other) as usize);
                if set(&mut held.pairs, high * (high + 1) / 2 + low) {
                    width = width.min(Width::Pair);
                }
            }
        }
        width
    }
}

/// Sets a bit; returns whether it was clear.
fn set(words: &mut [u64], bit: usize) -> bool {
    let (word, mask) = (&mut words[bit / 64], 1 << (bit % 64));
    let is_new = *word & mask == 0;
    *word |= mask;
    is_new
}
