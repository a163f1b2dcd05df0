//! The unfolding of orbits: all states of the task on its optimal plans, from a search that stored
//! one state for each orbit.

use std::ops::ControlFlow;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::representatives::{Frame, Representatives};
use super::trace::{Marks, is_tight};
use crate::control::StopReason;
use crate::reductions::symmetry::Symmetries;
use crate::space::bucket_queue::{Bucket, BucketQueue};
use crate::space::expand::Expander;
use crate::space::search_space::Space;
use crate::space::start::Start;
use crate::space::state_table::Reached;
use crate::space::successor::Successor;
use crate::space::words::hash;
use brigade_task::StateBuf;

/// The states of the task on optimal plans, while they are collected.
struct Unfolding<'s, 'a> {
    orbits: &'s Space<'a>,
    states: Space<'a>,
    representatives: Representatives,
    /// For each half-step and state its frame.
    frames: Vec<Vec<Frame>>,
    /// For each half-step and orbit its states.
    of_orbit: Vec<FxHashMap<u32, Vec<u32>>>,
    queue: BucketQueue,
    goals: FxHashSet<u32>,
}

/// Returns the space of all states of the task on optimal plans. `orbits` is a finished search with
/// symmetries from `start`, `marks` are its nodes on optimal plans, `states` a space that holds the
/// start alone.
pub(crate) fn unfold<'a>(
    orbits: &Space<'a>,
    marks: &Marks,
    states: Space<'a>,
    start: Start,
    expander: &mut Expander,
    symmetries: Arc<Symmetries>,
) -> Result<Space<'a>, StopReason> {
    let halves = orbits.tables.len();
    let mut unfolding = Unfolding {
        orbits,
        representatives: Representatives::new(Some(symmetries)),
        frames: vec![Vec::new(); halves],
        of_orbit: vec![FxHashMap::default(); halves],
        queue: BucketQueue::new(halves),
        goals: orbits.best_goals().into_iter().collect(),
        states,
    };
    unfolding.start(start.agent.min(halves - 1));
    for bucket in &orbits.closed {
        for index in 0..bucket.ids.len() {
            let id = bucket.ids.get(index);
            let reached = orbits.tables[bucket.half].reached(id);
            let order = orbits.measure.order(orbits.keys.value(reached.key));
            // A node that was reached better since counts in another bucket.
            if order == bucket.order {
                unfolding.expand(bucket, id, marks, expander)?;
            }
        }
    }
    let mut space = unfolding.states;
    while let Some(bucket) = unfolding.queue.pop() {
        space.closed.push(bucket);
    }
    Ok(space)
}

impl Unfolding<'_, '_> {
    fn start(&mut self, first: usize) {
        let mut state = self.states.tables[first].state(0).to_owned();
        let frame = self.representatives.start(&mut state);
        self.frames[first].push(frame);
        self.take_over(first, 0, 0);
        self.of_orbit[first].insert(0, vec![0]);
    }

    /// A state is reached as its orbit is.
    fn take_over(&mut self, half: usize, id: u32, orbit: u32) {
        let Reached { key, labels } = self.orbits.tables[half].reached(orbit);
        let key = self.states.keys.number(self.orbits.keys.value(key));
        self.states.tables[half].set(id, Reached { key, labels }, orbit);
    }

    /// Adds what the states of an orbit lead to on optimal plans.
    fn expand(
        &mut self,
        bucket: &Bucket,
        orbit: u32,
        marks: &Marks,
        expander: &mut Expander,
    ) -> Result<(), StopReason> {
        let half = bucket.half;
        let Some(members) = self.of_orbit[half].remove(&orbit) else {
            return Ok(());
        };
        let mut image = StateBuf::zeros(self.orbits.task.words);
        for id in members {
            if let Some(reason) = self.orbits.control.stop() {
                return Err(reason);
            }
            // The sweep back meets states in the order in which their orbits were finished.
            self.queue.push(bucket.order, half, id);
            let state = self.states.tables[half].state(id).to_owned();
            let frame = self.frames[half][id as usize].clone();
            let flow = expander.expand(half, &state, |successor| {
                image.copy_from(successor.state);
                let next = self.representatives.follow(&frame, &mut image);
                match marks.find(self.orbits, successor.half, &image) {
                    Some(target) if is_tight(self.orbits, (half, orbit), successor, target) => {
                        self.add(successor, target, next)
                    }
                    _ => ControlFlow::Continue(()),
                }
            });
            if let ControlFlow::Break(reason) = flow {
                return Err(reason);
            }
        }
        Ok(())
    }

    fn add(&mut self, successor: &Successor, orbit: u32, frame: Frame) -> ControlFlow<StopReason> {
        let half = successor.half;
        let hash = hash(successor.state.words());
        if self.states.tables[half]
            .find(hash, successor.state.words())
            .is_some()
        {
            return ControlFlow::Continue(());
        }
        self.states.side_bytes = self.orbits.bytes() + self.frame_bytes();
        self.states.make_room(half)?;
        let reached = self.orbits.tables[half].reached(orbit);
        let id = self.states.tables[half].insert(hash, successor.state.words(), reached, orbit);
        self.frames[half].push(frame);
        self.take_over(half, id, orbit);
        if half == 0 && self.goals.contains(&orbit) {
            self.states.goals.push(id);
        } else {
            self.of_orbit[half].entry(orbit).or_default().push(id);
        }
        ControlFlow::Continue(())
    }

    /// Bytes that the frames take.
    fn frame_bytes(&self) -> usize {
        self.frames.iter().map(Vec::len).sum::<usize>() * self.representatives.frame_bytes()
    }
}
