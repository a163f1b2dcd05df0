//! The state of a team, with the outcome so far of the timestep under way.

use std::collections::BTreeMap;

use super::super::mind::Mind;
use super::journal::Journal;
use super::partner::Partners;
use brigade_play::episode::{Lexicon, Outcome};
use brigade_task::PackedTask;

/// All agents of an episode that ask models.
#[derive(Debug)]
pub struct Team<'a> {
    pub(super) task: &'a PackedTask,
    pub(super) lexicon: Lexicon,
    pub(super) minds: Vec<Mind<'a>>,
    /// By agent: its mind.
    pub(super) seats: Vec<Option<usize>>,
    /// The seed of the episode, and its repetition from 1.
    pub(super) seed: u64,
    pub(super) epoch: u32,
    pub(super) max_ticks: u32,
    /// The number of times that each request was made.
    pub(super) requests: BTreeMap<String, u32>,
    /// The number of questions that were put.
    pub(super) calls: u64,
    pub(super) journal: Journal<'a>,
    /// True if a question was longer than its model can read.
    pub(super) is_too_long: bool,
    /// By mind: the tick and the agent for which its last answer was read in vain, if it was.
    pub(super) unread: Vec<Option<(u32, usize, NoDecision)>>,
    /// By agent: what comes of the timestep under way.
    pub(super) pending: Vec<Option<Pending>>,
    pub(super) partners: Partners<'a>,
}

/// The outcome of a timestep for one agent, so far.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub(super) tick: u32,
    pub(super) outcome: Outcome,
    pub(super) attempts: u32,
    pub(super) calls: u32,
    /// True if the last answer was cut off.
    pub(super) is_cut: bool,
    pub(super) command: Option<String>,
    /// True if it lets others act first, and will be asked again.
    pub(super) is_later: bool,
    /// The faults before it succeeded.
    pub(super) wrong: Vec<String>,
}

impl Pending {
    pub(super) const fn new(tick: u32) -> Self {
        Self {
            tick,
            outcome: Outcome::Unparseable,
            attempts: 0,
            calls: 0,
            is_cut: false,
            command: None,
            is_later: false,
            wrong: Vec::new(),
        }
    }
}

/// An answer that says nothing that could be done.
#[derive(Clone, Debug)]
pub(super) struct NoDecision {
    pub(super) answer: String,
    pub(super) why: String,
    pub(super) outcome: Outcome,
}
