//! Representatives of orbits: the way from a state of the task to the stored state that stands for
//! its orbit, and back.
//!
//! A search with symmetries stores one state for each orbit. A state of the task is followed
//! together with the exchanges that make it the stored one: what it leads to, exchanged likewise
//! and made canonical, is what the stored one leads to.

use std::sync::Arc;

use crate::reductions::symmetry::{Buffers, Permutation, Symmetries};
use brigade_task::State;

/// The map from states of the task to the stored states.
pub(crate) struct Representatives {
    symmetries: Option<Arc<Symmetries>>,
    buffers: Buffers,
}

/// The exchanges that make a state of the task the stored one.
#[derive(Clone)]
pub(crate) struct Frame(Option<Permutation>);

impl Representatives {
    pub(crate) fn new(symmetries: Option<Arc<Symmetries>>) -> Self {
        Self {
            symmetries,
            buffers: Buffers::default(),
        }
    }

    /// The frame of a state that a search starts from; makes the state the stored one.
    pub(crate) fn start(&mut self, state: &mut State) -> Frame {
        let Some(symmetries) = &self.symmetries else {
            return Frame(None);
        };
        let mut permutation = symmetries.identity();
        symmetries.canonicalize_noting(state, &mut self.buffers, &mut permutation);
        Frame(Some(permutation))
    }

    /// The frame of a successor of a state in a frame; makes the successor the stored one.
    pub(crate) fn follow(&mut self, frame: &Frame, state: &mut State) -> Frame {
        if let (Some(symmetries), Frame(Some(permutation))) = (&self.symmetries, frame) {
            symmetries.permute(permutation, state, &mut self.buffers);
        }
        self.follow_stored(frame, state)
    }

    /// From the successor of a stored state, before it is made canonical, back to that of the state
    /// in a frame.
    pub(crate) fn back(&mut self, frame: &Frame, state: &mut State) {
        if let (Some(symmetries), Frame(Some(permutation))) = (&self.symmetries, frame) {
            symmetries.permute_back(permutation, state, &mut self.buffers);
        }
    }

    /// The frame of the successor of a state in a frame; `image` is the successor of the stored
    /// state, and is made the stored one.
    pub(crate) fn follow_stored(&mut self, frame: &Frame, image: &mut State) -> Frame {
        let (Some(symmetries), Frame(Some(permutation))) = (&self.symmetries, frame) else {
            return Frame(None);
        };
        let mut permutation = permutation.clone();
        symmetries.canonicalize_noting(image, &mut self.buffers, &mut permutation);
        Frame(Some(permutation))
    }

    /// Bytes that a frame takes.
    pub(crate) fn frame_bytes(&self) -> usize {
        self.symmetries.as_ref().map_or(0, |symmetries| {
            size_of::<Frame>() + symmetries.members() * size_of::<u16>()
        })
    }
}
