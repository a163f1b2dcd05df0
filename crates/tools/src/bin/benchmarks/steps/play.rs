//! Random legal play of a task: the legal actions of each agent are found, one of them is taken, the
//! step is made and its status tested, and an episode that is over begins anew.

use brigade::task::effect::Record;
use brigade::task::step::Status;
use brigade::task::successors::SuccessorGenerator;
use brigade::task::{OperatorId, PackedTask, StateBuf, TurnMode};

/// Steps of an episode at most.
const EPISODE: u32 = 400;

/// The counts of random play.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Met {
    /// Legal actions of all agents and steps together.
    pub(super) legal: u64,
    /// Episodes that ended.
    pub(super) episodes: u64,
}

/// Plays so many steps. An error names the problem, in which nothing can be done.
pub(super) fn play(task: &PackedTask, steps: u64, name: &str) -> Result<Met, String> {
    let mut player = Player::new(task);
    for _ in 0..steps {
        let status = player.step();
        if status.is_none() && player.age == 0 {
            return Err(format!("{name}: nothing can be done at the start"));
        }
        player.age += 1;
        if status != Some(Status::Running) || player.age == EPISODE {
            player.begin();
        }
    }
    Ok(player.met)
}

struct Player<'a> {
    task: &'a PackedTask,
    generators: Vec<SuccessorGenerator>,
    state: StateBuf,
    /// Steps of the episode.
    age: u32,
    random: u64,
    choices: Vec<OperatorId>,
    joint: Vec<OperatorId>,
    record: Record,
    met: Met,
}

impl<'a> Player<'a> {
    fn new(task: &'a PackedTask) -> Self {
        let agents = 0..task.agents.len();
        Self {
            task,
            generators: agents
                .map(|agent| SuccessorGenerator::new(task, agent))
                .collect(),
            state: task.initial.clone(),
            age: 0,
            random: 7,
            choices: Vec::new(),
            joint: Vec::new(),
            record: Record::default(),
            met: Met::default(),
        }
    }

    /// Ends the episode, and begins another.
    fn begin(&mut self) {
        self.state.copy_from(&self.task.initial);
        self.age = 0;
        self.met.episodes += 1;
    }

    /// Makes a step; `None` if an agent can do nothing.
    fn step(&mut self) -> Option<Status> {
        self.record.clear();
        self.joint.clear();
        let task = self.task;
        let acts_at_once = task.turns != TurnMode::Sequential;
        for agent in task.acting(&self.state) {
            let operator = self.choice(agent)?;
            if acts_at_once {
                self.joint.push(operator);
            } else {
                task.act(&mut self.state, operator, &mut self.record);
            }
        }
        if acts_at_once {
            return Some(task.step_applicable(&mut self.state, &self.joint, &mut self.record));
        }
        task.tick(&mut self.state, &mut self.record);
        Some(task.status(&self.state))
    }

    /// One of the legal actions of an agent; of an agent of nature the one that is drawn.
    fn choice(&mut self, agent: usize) -> Option<OperatorId> {
        if self.task.agents[agent].nature.is_some() {
            let draw = (self.met.episodes, self.age);
            return self.task.draw(&self.state, agent, draw).ok();
        }
        self.choices.clear();
        self.generators[agent].applicable(self.task, &self.state, &mut self.choices);
        self.met.legal += self.choices.len() as u64;
        let place = self.below(self.choices.len());
        self.choices.get(place).copied()
    }

    /// A random number below a bound.
    fn below(&mut self, bound: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        ((self.random >> 32) as usize * bound) >> 32
    }
}
