//! Blind search from both ends (T. A. J. Nicholson, "Finding the shortest route between two points in a
//! network", The Computer Journal 9, 1966): of a space that grows alike everywhere it stores about the
//! square root.
//!
//! Backwards it is the same uniform-cost search of the task turned round (`reverse`), from all states
//! in which the goal holds (`ends`). Whichever side has fewer nodes in its next bucket finishes that.
//! A node that is about to be finished and was met by the other side too is on a path worth what both
//! have spent on it. The best such path is optimal once it is worth no more than the orders of both
//! next buckets together. For let a path be worth less, and `v` be its first node that lies at the
//! order of the next forward bucket or beyond. What is left from `v` is worth less than the order of the
//! next backward bucket, so `v` is finished backwards, and the node before it forwards; whichever of
//! the two was finished later had been met from the other side by then.
//!
//! That needs keys that add up from either end: operators that do nothing but write constants, costs
//! that are never negative, and as many labels in every step. States are stored as they are: two states
//! of one orbit need not be replaced by the same, and searches that store others might not meet.

mod ends;
mod facts;
mod reverse;

use std::ops::ControlFlow;

use super::control::{Control, StopReason};
use super::effects::Effects;
use super::engine::{Finisher, Space, Start};
use super::expand::Expander;
use super::heuristic::Estimate;
use super::lift::Lift;
use super::measure::{Key, Measure};
use super::options::SearchOptions;
use super::plan::Plan;
use super::queue::Bucket;
use super::trace::{self, StepLog};
use super::words::hash;
use brigade_task::cond::Cond;
use brigade_task::effect::Effect;
use brigade_task::{Operator, OperatorId, Task};
use facts::Facts;

/// The control is asked after so many nodes that the other side may have met.
const NODES_PER_POLL: usize = 1 << 14;

/// A task turned round.
pub(super) struct Backwards {
    task: Task,
    /// Where plans end.
    ends: Vec<Vec<u64>>,
}

impl Backwards {
    /// Turns a task round for plans from a state, if it can be, and until `control` says stop.
    pub(super) fn new(
        task: &Task,
        start: Start,
        measure: Measure,
        control: &dyn Control,
    ) -> Option<Self> {
        let is_plain = task.agents.len() == 1
            && task.turn.is_none()
            && task.fail == Cond::False
            && task.end == Cond::False
            && task.horizon.is_none();
        if !is_plain || !measure.is_monotone(task) {
            return None;
        }
        let effects = Effects::new(task);
        let labels = |number: u32| effects.of(OperatorId(number)).map(|it| it.log.len());
        let are_labels_steps = (0..task.operators.len() as u32).all(|it| labels(it) == labels(0));
        if measure.counts_labels() && !are_labels_steps {
            return None;
        }
        let known = Facts::new(task, start.state, &effects)?;
        // This rules most tasks out, and sooner.
        let ends = ends::ends(task, &known)?;
        Some(Self {
            task: reverse::reversed(task, &effects, &known, control)?,
            ends,
        })
    }

    /// Bytes held, about.
    pub(super) fn bytes(&self) -> usize {
        let operators = self.task.operators.iter().map(|operator| {
            let effects = match &operator.effect {
                Effect::Seq(effects) => effects.len(),
                _ => 0,
            };
            size_of::<Operator>() + size_of_val(&*operator.tests) + effects * size_of::<Effect>()
        });
        let ends = self.ends.len() * (size_of::<Vec<u64>>() + self.task.words * size_of::<u64>());
        operators.sum::<usize>() + ends
    }

    /// A space that holds the ends alone; `None` if there are none.
    pub(super) fn space<'a>(
        &'a self,
        options: &'a SearchOptions,
        control: &'a dyn Control,
        measure: Measure,
    ) -> Option<Space<'a>> {
        let (first, others) = self.ends.split_first()?;
        let start = Start {
            state: first,
            agent: 0,
        };
        let mut space = Space::new(&self.task, start, options, control, measure);
        for end in others {
            space.begin_at(0, end);
        }
        Some(space)
    }
}

/// One of the two searches.
struct Side<'s, 'a> {
    space: &'s mut Space<'a>,
    expander: Expander<'a>,
    finisher: Finisher<'a>,
    /// What is finished next.
    next: Option<Bucket>,
}

impl<'s, 'a> Side<'s, 'a> {
    fn new(space: &'s mut Space<'a>) -> Self {
        Self {
            expander: Expander::new(space.task),
            finisher: Finisher::new(space),
            next: space.next_bucket(),
            space,
        }
    }

    /// Finishes its next bucket, where the other side holds so much, and others so many bytes.
    fn finish(
        &mut self,
        bucket: Bucket,
        (states, bytes): (u64, usize),
        held: usize,
    ) -> Result<(), StopReason> {
        let space = &mut *self.space;
        space.others = (states, bytes + held);
        space.finish(bucket, &mut self.expander, &mut self.finisher)?;
        self.next = space.next_bucket();
        Ok(())
    }

    fn holds(&self) -> (u64, usize) {
        (self.space.states(), self.space.bytes())
    }
}

/// A state that both sides have met.
#[derive(Clone, Copy)]
struct Meeting {
    /// What the path through it is worth.
    worth: Key,
    forward: u32,
    backward: u32,
}

impl Meeting {
    /// With the other side's node of the same state, if there is one.
    fn new(own: &Space, other: &Space, id: u32) -> Option<Self> {
        let state = own.tables[0].state(id);
        let there = other.tables[0].find(hash(state), state)?;
        Some(Self {
            worth: sum(key(own, id), key(other, there)),
            forward: id,
            backward: there,
        })
    }

    /// The same where what was taken for the forward side is the backward one.
    const fn turned(self) -> Self {
        Self {
            worth: self.worth,
            forward: self.backward,
            backward: self.forward,
        }
    }
}

/// With what a node was reached.
fn key(space: &Space, id: u32) -> Key {
    space.keys.value(space.tables[0].reached(id).key)
}

/// How a search from both ends went.
pub(super) struct Ended {
    /// The best plan met; optimal, if all was explored that matters.
    pub(super) plan: Option<Plan>,
    pub(super) explored: Result<(), StopReason>,
}

/// Searches from the start of a space and the ends of another, of the task turned round. Others hold so
/// many bytes meanwhile.
pub(super) fn search(
    start: Start,
    forward: &mut Space,
    backward: &mut Space,
    held: usize,
) -> Ended {
    let mut forward = Side::new(forward);
    let mut backward = Side::new(backward);
    let mut best: Option<Meeting> = None;
    let explored = loop {
        // A side without a bucket has finished all that it can reach: whatever there is was met.
        let (Some(ahead), Some(behind)) = (forward.next.take(), backward.next.take()) else {
            break Ok(());
        };
        let both = sum(ahead.order, behind.order);
        if best.is_some_and(|best| best.worth <= both) {
            break Ok(());
        }
        forward.space.prove(estimate(both));
        backward.space.prove(estimate(both));
        let met;
        let finished;
        if ahead.ids.len() <= behind.ids.len() {
            backward.next = Some(behind);
            met = meeting(forward.space, backward.space, &ahead);
            finished = met.and_then(|_| forward.finish(ahead, backward.holds(), held));
        } else {
            forward.next = Some(ahead);
            met =
                meeting(backward.space, forward.space, &behind).map(|met| met.map(Meeting::turned));
            finished = met.and_then(|_| backward.finish(behind, forward.holds(), held));
        }
        let ended = forward.space.best_goals().into_iter();
        let ended = ended.filter_map(|goal| Meeting::new(forward.space, backward.space, goal));
        best = best
            .into_iter()
            .chain(met.ok().flatten())
            .chain(ended)
            .min_by_key(|met| met.worth);
        if let Err(reason) = finished {
            break Err(reason);
        }
    };
    Ended {
        plan: best.map(|best| plan(start, forward.space, backward.space, best)),
        explored,
    }
}

const fn sum(left: Key, right: Key) -> Key {
    (left.0.saturating_add(right.0), left.1 + right.1)
}

const fn estimate(key: Key) -> Estimate {
    Estimate {
        first: key.0,
        makespan: key.1,
        labels: 0,
    }
}

/// The best meeting with the other side in a bucket, the first of equals.
fn meeting(own: &Space, other: &Space, bucket: &Bucket) -> Result<Option<Meeting>, StopReason> {
    let mut best: Option<Meeting> = None;
    for index in 0..bucket.ids.len() {
        if index % NODES_PER_POLL == 0
            && let Some(reason) = own.control.stop()
        {
            return Err(reason);
        }
        let node = own.known().open(bucket, index);
        let met = node.and_then(|node| Meeting::new(own, other, node.id));
        best = best.into_iter().chain(met).min_by_key(|met| met.worth);
    }
    Ok(best)
}

/// The plan through a meeting.
fn plan(start: Start, forward: &Space, backward: &Space, met: Meeting) -> Plan {
    let mut expander = Expander::new(forward.task);
    let lift = Lift::new(None);
    let mut plan = trace::plan(forward, &mut expander, lift, start, met.forward);
    let table = &backward.tables[0];
    let mut log = StepLog::default();
    let mut id = met.backward;
    while key(backward, id) != (0, 0) {
        let state = table.state(id);
        let next = table.parent(id);
        let left = |id: u32| (key(backward, id), table.reached(id).labels);
        let flow = expander.expand(0, state, |successor| {
            let leads = successor.state == table.state(next)
                && backward.measure.add(left(next), successor) == left(id);
            if !leads {
                return ControlFlow::Continue(());
            }
            log.push(successor, &mut plan);
            ControlFlow::Break(())
        });
        debug_assert!(flow.is_break(), "an operator turned round leads back");
        log.finish(0, &mut plan);
        id = next;
    }
    plan
}
