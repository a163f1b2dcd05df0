//! Nodes that several threads expand at once.
//!
//! Each thread takes a piece of them, and hands on their successors in a batch. The batches are met
//! in the order of the nodes, so no result depends on who expanded which.

use std::ops::ControlFlow;

use crate::measure::Measure;
use crate::shared_work::SharedWork;
use crate::space::batch::{Batch, Open};
use crate::space::expand::Expander;
use brigade_task::State;

/// Nodes of one half-step in a piece.
const PIECE: usize = 4;

/// Nodes of one half-step that are to be expanded.
pub(crate) struct Expansion {
    half: usize,
    words: usize,
    measure: Measure,
    nodes: Box<[Open]>,
    /// The words of all.
    states: Box<[u64]>,
    pieces: SharedWork<Piece>,
}

/// The successors of a piece of the nodes, and how many operators were not tried.
pub(crate) struct Piece {
    pub(crate) batch: Batch,
    pub(crate) pruned: u64,
}

impl Expansion {
    pub(crate) fn new(half: usize, measure: Measure, nodes: Vec<Open>, states: Vec<u64>) -> Self {
        Self {
            half,
            words: states.len() / nodes.len().max(1),
            measure,
            pieces: SharedWork::new(nodes.len().div_ceil(PIECE)),
            nodes: nodes.into(),
            states: states.into(),
        }
    }

    /// Expands pieces that no one else has taken, until one who takes them says stop.
    pub(crate) fn take(&self, expander: &mut Expander, mut is_stopped: impl FnMut() -> bool) {
        let _alarm = self.pieces.alarm();
        let before = std::mem::take(&mut expander.pruned);
        while let Some(numbers) = self.pieces.take(1) {
            if self.pieces.is_stopped() || is_stopped() {
                self.pieces.stop();
                break;
            }
            let own = numbers.map(|number| (number, self.expand(number, expander)));
            self.pieces.add(&mut own.collect());
        }
        expander.pruned = before;
    }

    fn expand(&self, piece: usize, expander: &mut Expander) -> Piece {
        let mut batch = Batch::of_any_size(self.words);
        let nodes = piece * PIECE..self.nodes.len().min((piece + 1) * PIECE);
        let states = self.states[nodes.start * self.words..].chunks_exact(self.words);
        for (&node, state) in self.nodes[nodes].iter().zip(states) {
            batch.expand(node);
            let state = State::from_words(state);
            let _all: ControlFlow<()> = expander.expand(self.half, state, |successor| {
                batch.push(self.measure, successor);
                ControlFlow::Continue(())
            });
        }
        Piece {
            batch,
            pruned: std::mem::take(&mut expander.pruned),
        }
    }

    /// All pieces in order, once those that others have taken are expanded; `None` if a thread has
    /// panicked.
    pub(crate) fn finish(&self) -> Option<Vec<Piece>> {
        let pieces: Vec<Piece> = self.pieces.finish().collect();
        (pieces.len() == self.pieces.count()).then_some(pieces)
    }
}
