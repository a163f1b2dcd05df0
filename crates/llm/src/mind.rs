//! One mind: a design at work for one agent, or for all, with what it remembers.

use std::collections::VecDeque;

use super::chat::{Chat, ChatMessage, Role, Sampling};
use super::design::{Design, History, Memory, Minds};
use super::form::ActionFormat;
use super::prompts::{Prompts, Utterance};
use brigade_task::{OperatorId, OperatorKind, PackedTask};

/// The options by which a model is asked.
#[derive(Clone, Copy, Debug)]
pub struct Asking {
    /// The format of actions.
    pub format: ActionFormat,
    /// True if an action counts that only a lenient reader finds.
    pub lenient: bool,
    /// The sampling parameters of answers.
    pub sampling: Sampling,
    /// True if each question has a seed of its own, derived from that of the episode.
    pub seeded: bool,
    /// True if possible actions are listed in an order drawn anew at each decision. Models prefer places in a list.
    pub shuffled: bool,
}

/// A design with what it needs.
#[derive(Clone, Copy)]
pub struct Setup<'a> {
    /// The design.
    pub design: &'a Design,
    /// Its templates.
    pub prompts: &'a Prompts,
    /// The model.
    pub model: &'a dyn Chat,
    /// The options by which it is asked.
    pub asking: Asking,
    /// The demonstration that serves as an example: questions and answers.
    pub demonstration: &'a [ChatMessage],
}

impl std::fmt::Debug for Setup<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Setup")
            .field("design", &self.design.name)
            .field("model", &self.model.name())
            .field("asking", &self.asking)
            .finish_non_exhaustive()
    }
}

/// A decision that was made: the question and the answer.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    pub(super) question: String,
    pub(super) answer: String,
    /// The answer without reasoning.
    pub(super) action: String,
}

/// A mind at work.
#[derive(Debug)]
pub(super) struct Mind<'a> {
    pub(super) setup: Setup<'a>,
    /// The agents that it decides for.
    pub(super) agents: Vec<usize>,
    /// The queued actions of each agent, in order.
    pub(super) queues: Vec<VecDeque<String>>,
    /// The agents that are still to act in this timestep, in the order that it has decided; empty where it
    /// has decided none.
    pub(super) order: VecDeque<usize>,
    /// Of each of these in how many steps the first of its queue was to be done when it did the last one
    /// towards it, if it is a macro action under way.
    pub(super) left: Vec<Option<u32>>,
    /// The tick of the last decision.
    pub(super) planned_at: Option<u32>,
    /// The last tick in which something of the plans was taken up, if they have not been left since.
    pub(super) acted_at: Option<u32>,
    /// Earlier decisions, as many as may be sent again.
    turns: VecDeque<Turn>,
    /// Its own actions that were carried out, with their tick.
    pub(super) done: Vec<String>,
    /// The actions of others since it was last asked.
    pub(super) seen: Vec<String>,
    /// The messages of those who ask no model, since it was last asked.
    pub(super) heard: Vec<Utterance>,
    /// The lessons that it has learnt.
    pub(super) lessons: Vec<String>,
    /// The faults since the last decision that was carried out.
    pub(super) feedback: Vec<String>,
    /// The events of the episode.
    pub(super) story: Vec<String>,
    /// Timesteps in a row in which nothing that it said could be carried out.
    pub(super) failures: u32,
    /// The facts whose change makes it plan anew, as they were when it planned.
    pub(super) watched: Vec<String>,
}

impl<'a> Mind<'a> {
    pub(super) fn new(setup: Setup<'a>, agents: Vec<usize>) -> Self {
        Self {
            setup,
            queues: vec![VecDeque::new(); agents.len()],
            order: VecDeque::new(),
            left: vec![None; agents.len()],
            agents,
            planned_at: None,
            acted_at: None,
            turns: VecDeque::new(),
            done: Vec::new(),
            seen: Vec::new(),
            heard: Vec::new(),
            lessons: Vec::new(),
            feedback: Vec::new(),
            story: Vec::new(),
            failures: 0,
            watched: Vec::new(),
        }
    }

    /// Forgets the episode, not what was learnt from it.
    pub(super) fn start_anew(&mut self) {
        let lessons = std::mem::take(&mut self.lessons);
        *self = Self {
            lessons,
            ..Self::new(self.setup, std::mem::take(&mut self.agents))
        };
    }

    /// Keeps that an agent has carried a command out. A mind for all has to know whose it was.
    pub(super) fn did(&mut self, tick: u32, agent: &str, command: &str) {
        let line = match self.setup.design.minds {
            Minds::One => format!("tick {tick}: {agent}: {command}"),
            Minds::Each => format!("tick {tick}: {command}"),
        };
        self.story.push(line.clone());
        self.done.push(line);
    }

    /// Keeps what was begun in a timestep by agents that it does not decide for. Of nature it sees what
    /// becomes of the state.
    pub(super) fn saw(&mut self, task: &PackedTask, joint: &[OperatorId]) {
        for &operator in joint {
            let operator = task.operator(operator);
            let actor = usize::from(operator.agent);
            let is_partner = actor < task.players() && !self.agents.contains(&actor);
            if operator.kind == OperatorKind::Start && is_partner {
                let name = &task.agents[actor].name;
                self.seen.push(format!("{name}: {}", operator.text));
            }
        }
    }

    /// The place of an agent among those it decides for.
    pub(super) fn place(&self, agent: usize) -> Option<usize> {
        self.agents.iter().position(|own| *own == agent)
    }

    /// Leaves what was planned.
    pub(super) fn drop_plans(&mut self) {
        self.queues.iter_mut().for_each(VecDeque::clear);
        self.order.clear();
        self.acted_at = None;
        self.left.fill(None);
    }

    /// Keeps a decision for later questions.
    pub(super) fn remember(&mut self, turn: Turn) {
        let Memory {
            history, window, ..
        } = self.setup.design.memory;
        let most = match history {
            History::None => 0,
            History::LastAction | History::LastAnswer | History::Last => 1,
            History::Full => window,
        };
        self.turns.push_back(turn);
        while self.turns.len() > most {
            self.turns.pop_front();
        }
    }

    /// Returns the messages of earlier decisions that are sent again.
    pub(super) fn resent(&self) -> Vec<ChatMessage> {
        let omitted = || "(What was told here is left out.)".to_owned();
        let mut messages = Vec::new();
        for turn in &self.turns {
            let (question, answer) = match self.setup.design.memory.history {
                History::None => continue,
                History::LastAction => (omitted(), turn.action.clone()),
                History::LastAnswer => (omitted(), turn.answer.clone()),
                History::Last | History::Full => (turn.question.clone(), turn.answer.clone()),
            };
            messages.push(message(Role::User, question));
            messages.push(message(Role::Assistant, answer));
        }
        messages
    }
}

/// The last `most` of a list.
pub(super) fn last<T: Clone>(list: &[T], most: usize) -> Vec<T> {
    list[list.len().saturating_sub(most)..].to_vec()
}

pub(super) const fn message(role: Role, content: String) -> ChatMessage {
    ChatMessage { role, content }
}
