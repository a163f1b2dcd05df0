//! Storing a successor in a search for plans, before it is ranked.

use std::ops::ControlFlow;

use super::queue::Node;
use crate::control::SUCCESSORS_PER_POLL;
use crate::heuristics::Estimate;
use crate::measure::Key;
use crate::space::node_kind::{NodeKind, node_kind};
use crate::space::search_space::Space;
use crate::space::state_table::Reached;
use crate::space::successor::Successor;
use crate::space::words::hash;

/// The node whose successors are met.
#[derive(Clone, Copy)]
pub(super) struct Source {
    pub(super) id: u32,
    pub(super) key: Key,
    pub(super) labels: u32,
}

impl Source {
    /// The node of this half-step and number.
    pub(super) fn new(space: &Space, (half, id): Node) -> Self {
        let reached = space.tables[half].reached(id);
        Self {
            id,
            key: space.keys.value(reached.key),
            labels: reached.labels,
        }
    }
}

/// The fate of a successor.
pub(super) enum Stored {
    /// It is new: its node, and what has led to it.
    New(Node, Estimate),
    /// It was known, and this way to it is better.
    Better,
    /// It was known, no better plan leads through it, or no plan at all.
    Nothing,
    /// It is where a plan ends.
    Goal(u32),
}

/// Stores a successor unless a plan through it is no better than `best`. Breaks where memory or a
/// `Control` end the search. `side_bytes` are held beside the states.
pub(super) fn store(
    space: &mut Space,
    source: Source,
    successor: &Successor,
    best: Option<Estimate>,
    side_bytes: usize,
) -> ControlFlow<(), Stored> {
    space.generated += 1;
    if space.generated.is_multiple_of(SUCCESSORS_PER_POLL) && space.control.stop().is_some() {
        return ControlFlow::Break(());
    }
    let (key, labels) = (space.measure).add((source.key, source.labels), successor);
    let so_far = Estimate::ZERO.plus(key.0, key.1, labels);
    if best.is_some_and(|best| so_far >= best) {
        return ControlFlow::Continue(Stored::Nothing);
    }
    let (half, state) = (successor.half, successor.state);
    let hash = hash(state.words());
    let reached = Reached {
        key: space.keys.number(key),
        labels,
    };
    let place = match space.tables[half].find_or_place(hash, state.words()) {
        // A better way there is kept for the plan; the search does not come back to it.
        Ok(id) => {
            let known = space.tables[half].reached(id);
            let is_better = (key, labels) < (space.keys.value(known.key), known.labels);
            if is_better {
                space.tables[half].set(id, reached, source.id);
            }
            return ControlFlow::Continue(if is_better {
                Stored::Better
            } else {
                Stored::Nothing
            });
        }
        Err(place) => place,
    };
    let kind = if successor.ticked {
        node_kind(space.task, state)
    } else {
        NodeKind::Interior
    };
    if kind == NodeKind::DeadEnd {
        return ControlFlow::Continue(Stored::Nothing);
    }
    space.side_bytes = side_bytes;
    if space.make_room(half).is_break() {
        return ControlFlow::Break(());
    }
    let id = space.tables[half].insert_at(place, hash, state.words(), reached, source.id);
    ControlFlow::Continue(match kind {
        NodeKind::Final => Stored::Goal(id),
        _ => Stored::New((half, id), so_far),
    })
}
