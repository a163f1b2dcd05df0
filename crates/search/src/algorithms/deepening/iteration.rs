//! One iteration: the depth-first search of all paths within a limit.

use std::ops::ControlFlow;

use super::nodes::{Frame, Node};
use super::{Deepening, Iteration, PathNode};
use crate::control::{NODES_PER_POLL, SUCCESSORS_PER_POLL, StopReason};
use crate::heuristics::Estimate;
use crate::space::expand::Expander;
use crate::space::node_kind::{NodeKind, node_kind};
use crate::space::words::hash;
use brigade_task::State;

/// Why a path is not followed.
enum Left {
    With(Estimate),
    Stop(StopReason),
}

impl Deepening<'_> {
    /// Follows all paths within the limit, in as many expansions as `most` leaves.
    pub(super) fn iterate(
        &mut self,
        start: &State,
        expander: &mut Expander,
        most: u64,
    ) -> Result<Iteration, StopReason> {
        self.frames.clear();
        self.nodes.truncate(0);
        self.on_path.clear();
        let rest = self.table.find(hash(start.words()), 0, start.words());
        let rest = rest.unwrap_or(Estimate::ZERO).max(self.proven);
        let node = Node {
            half: 0,
            hash: hash(start.words()),
            so_far: Estimate::ZERO,
            rest,
            total: rest,
        };
        self.nodes.push(node, start);
        self.open(0, expander)?;
        while let Some(frame) = self.frames.last_mut() {
            if frame.next == self.nodes.len() {
                self.close();
                continue;
            }
            let number = frame.next;
            frame.next += 1;
            if self.expanded >= most {
                return Ok(Iteration::GivenUp);
            }
            // More may be known of it than when it was met.
            let mut node = self.nodes.node(number);
            let state = self.nodes.state(number).words();
            if let Some(known) = self.table.find(node.hash, node.half, state) {
                node.rest = known.max(node.rest);
                node.total = plus(node.rest, node.so_far).max(node.total);
                self.nodes.set(number, node);
            }
            if self.is_beyond(node.total) {
                self.leave(node.total);
                self.lower(node.total);
            } else {
                self.open(number, expander)?;
            }
        }
        Ok(Iteration::Complete)
    }

    /// The least total of the last node on the path.
    fn lower(&mut self, total: Estimate) {
        if let Some(frame) = self.frames.last_mut() {
            frame.least = frame.least.min(total);
        }
    }

    /// Puts a node on the path and generates its successors: the most promising first.
    fn open(&mut self, number: usize, expander: &mut Expander) -> Result<(), StopReason> {
        let source = self.nodes.node(number);
        let mut state = std::mem::take(&mut self.expanding);
        self.nodes.state(number).clone_into(&mut state);
        let hash_of = |&other: &usize| self.nodes.node(other).hash;
        self.on_path.insert_unique(source.hash, number, hash_of);
        let first = self.nodes.len();
        self.frames.push(Frame {
            node: number,
            first,
            next: first,
            least: Estimate::DEAD,
            expanded: self.expanded,
        });
        self.expanded += 1;
        if self.expanded.is_multiple_of(NODES_PER_POLL)
            && let Some(reason) = self.control.stop()
        {
            return Err(reason);
        }
        let flow = expander.expand(source.half, &state, |successor| {
            let measure = self.measure;
            let so_far = source.so_far;
            let key = (so_far.first, so_far.makespan);
            let (key, labels) = measure.add((key, so_far.labels), successor);
            let so_far = Estimate {
                first: key.0,
                makespan: key.1,
                labels,
            };
            let met = (successor.half, successor.ticked, successor.state);
            match self.meet(source, so_far, met) {
                None => ControlFlow::Continue(()),
                Some(Left::With(total)) => {
                    self.lower(total);
                    ControlFlow::Continue(())
                }
                Some(Left::Stop(reason)) => ControlFlow::Break(reason),
            }
        });
        self.expanding = state;
        if let ControlFlow::Break(reason) = flow {
            return Err(reason);
        }
        self.nodes.sort(first);
        Ok(())
    }

    /// Meets a successor; `None` if it is to be followed.
    fn meet(
        &mut self,
        source: Node,
        so_far: Estimate,
        (half, ticked, state): (usize, bool, &State),
    ) -> Option<Left> {
        self.generated += 1;
        if self.generated.is_multiple_of(SUCCESSORS_PER_POLL) {
            if let Some(reason) = self.control.stop() {
                return Some(Left::Stop(reason));
            }
            if self.path_bytes() > self.most_bytes / 2 || self.generated >= self.most_generated {
                return Some(Left::Stop(StopReason::Memory));
            }
        }
        if ticked {
            match node_kind(self.task, state) {
                NodeKind::Interior => {}
                NodeKind::DeadEnd => return Some(Left::With(Estimate::DEAD)),
                NodeKind::Final => {
                    if self.best.is_none_or(|best| so_far < best) {
                        self.best = Some(so_far);
                        self.keep_path(half, state, so_far);
                    }
                    return Some(Left::With(so_far));
                }
            }
        }
        let hash = hash(state.words());
        let is_it =
            |&node: &usize| self.nodes.node(node).half == half && *self.nodes.state(node) == *state;
        if let Some(&node) = self.on_path.find(hash, is_it) {
            return Some(Left::With(plus(self.nodes.node(node).rest, so_far)));
        }
        let known = self.table.find(hash, half, state.words());
        let mut rest = known.unwrap_or(Estimate::ZERO);
        let mut total = plus(rest, so_far).max(source.total);
        if !self.is_beyond(total) && ticked {
            self.evaluated += 1;
            rest = rest.max(self.heuristic.estimate(state));
            total = plus(rest, so_far).max(total);
        }
        if self.is_beyond(total) {
            self.leave(total);
            return Some(Left::With(total));
        }
        let node = Node {
            half,
            hash,
            so_far,
            rest,
            total,
        };
        self.nodes.push(node, state);
        None
    }

    /// Notes the path that leads to the end of a plan.
    fn keep_path(&mut self, half: usize, state: &State, so_far: Estimate) {
        let nodes = self.frames.iter().map(|frame| {
            let node = self.nodes.node(frame.node);
            PathNode {
                half: node.half,
                state: self.nodes.state(frame.node).into(),
                so_far: node.so_far,
            }
        });
        let end = PathNode {
            half,
            state: state.into(),
            so_far,
        };
        self.path = nodes.chain([end]).collect();
    }

    /// Takes the last node off the path and notes what has become known of it.
    fn close(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        let node = self.nodes.node(frame.node);
        let is_it = |&other: &usize| other == frame.node;
        if let Ok(entry) = self.on_path.find_entry(node.hash, is_it) {
            entry.remove();
        }
        let rest = minus(frame.least, node.so_far).max(node.rest);
        let state = self.nodes.state(frame.node).words();
        let effort = self.expanded - frame.expanded;
        self.table.note(hash, node.half, state, rest, effort);
        self.nodes.truncate(frame.first);
        self.lower(plus(rest, node.so_far).max(node.total));
    }
}

/// The sum of an estimate and the cost so far.
const fn plus(rest: Estimate, so_far: Estimate) -> Estimate {
    rest.plus(so_far.first, so_far.makespan, so_far.labels)
}

/// A lower bound on the rest of a plan worth at least `total`, after `so_far`. No key of the rest
/// is negative.
const fn minus(total: Estimate, so_far: Estimate) -> Estimate {
    if total.makespan == u32::MAX {
        return Estimate::DEAD;
    }
    let rest = Estimate {
        first: total.first.saturating_sub(so_far.first),
        makespan: total.makespan.saturating_sub(so_far.makespan),
        labels: total.labels.saturating_sub(so_far.labels),
    };
    if total.makespan < so_far.makespan {
        return Estimate { labels: 0, ..rest };
    }
    rest
}
