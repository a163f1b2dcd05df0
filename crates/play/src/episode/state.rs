//! The state of an episode in progress.

use super::command::Lexicon;
use super::event::{Header, Player, SCHEMA};
use super::rules::Rules;
use crate::agents::{Message, is_clairvoyant};
use brigade_task::facts;
use brigade_task::step::Status;
use brigade_task::totals::Totals;
use brigade_task::{PackedTask, State, StateBuf};
use std::sync::Arc;

/// An episode in progress.
#[derive(Clone, Debug)]
pub struct Episode<'a> {
    pub(super) task: &'a PackedTask,
    /// The task as agents know it, where they do not know all of it.
    pub(super) known: Option<Arc<PackedTask>>,
    pub(super) rules: Rules,
    pub(super) lexicon: Lexicon,
    pub(super) state: StateBuf,
    pub(super) status: Status,
    pub(super) tick: u32,
    pub(super) labels: usize,
    pub(super) cost: i64,
    pub(super) totals: Totals,
    pub(super) refused: usize,
    /// For how many further timesteps each agent has asked to wait.
    pub(super) waiting: Vec<u32>,
    /// The messages that each agent has not received yet.
    pub(super) inbox: Vec<Vec<Message>>,
    /// True if the policies know the current state.
    pub(super) observed: bool,
}

impl<'a> Episode<'a> {
    /// An episode that starts in the task's initial state.
    pub fn new(task: &'a PackedTask, rules: Rules) -> Self {
        let agents = task.agents.len();
        Self {
            task,
            known: task.as_announced().map(Arc::new),
            rules,
            lexicon: Lexicon::new(task),
            state: task.initial.clone(),
            status: task.status(&task.initial),
            tick: 0,
            labels: 0,
            cost: 0,
            totals: task.initial_totals(),
            refused: 0,
            waiting: vec![0; agents],
            inbox: vec![Vec::new(); agents],
            observed: false,
        }
    }

    /// The first line of the log. `policies` are the policies' names, one per agent.
    pub fn header(&self, policies: &[String], seed: u64) -> Header {
        let task = self.task;
        let players = task.agents.iter().zip(policies);
        Header {
            schema: SCHEMA,
            brigade: env!("CARGO_PKG_VERSION").to_owned(),
            domain: task.domain.clone(),
            problem: task.problem.clone(),
            semantics: task.semantics.clone(),
            task: brigade_task::json::fingerprint(task),
            agents: players
                .map(|(agent, policy)| Player {
                    name: agent.name.clone(),
                    policy: policy.clone(),
                    clairvoyant: is_clairvoyant(task, policy),
                })
                .collect(),
            seed,
            rules: self.rules,
            facts: facts::facts(task, &task.initial),
            streams: Vec::new(),
            evaluation: None,
        }
    }

    /// The state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Ticks that have passed.
    pub const fn tick(&self) -> u32 {
        self.tick
    }

    pub(super) fn name(&self, agent: usize) -> String {
        self.task.agents[agent].name.clone()
    }

    pub(super) fn is_of_nature(&self, agent: usize) -> bool {
        self.task.agents[agent].nature.is_some()
    }
}
