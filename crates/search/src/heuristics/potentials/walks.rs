//! Sample states at which potentials are to be great besides the start: those on random walks from
//! it (J. Seipp, F. Pommerening, M. Helmert, "New Optimization Functions for Potential Heuristics",
//! ICAPS 2015).

use crate::control::Control;
use brigade_task::effect::Record;
use brigade_task::split_mix::SplitMix;
use brigade_task::step::Status;
use brigade_task::successors::SuccessorGenerator;
use brigade_task::{OperatorId, PackedTask, State, StateBuf, TurnMode};

/// Walks, at most.
const MOST_WALKS: usize = 250;
/// Steps of a walk, at most.
const MOST_STEPS: usize = 200;
/// Of so many states that follow each other on a walk one is taken.
const STEPS_APART: usize = 10;
/// Applicable operators met, at most, about.
const MOST_OPERATORS: usize = 500_000;
const SEED: u64 = 0;

/// States on random walks, each as often as it is met; none in which a plan has ended.
pub(crate) fn on_walks(task: &PackedTask, start: &State, control: &dyn Control) -> Vec<StateBuf> {
    let mut walker = Walker {
        task,
        generators: SuccessorGenerator::of_agents(task),
        random: SplitMix::new(SEED, 0),
        applicable: Vec::new(),
        chosen: Vec::new(),
        record: Record::default(),
        met: 0,
    };
    let mut found = Vec::new();
    for _ in 0..MOST_WALKS {
        let mut state = start.to_owned();
        for step in 0..MOST_STEPS {
            if walker.met > MOST_OPERATORS || control.stop().is_some() {
                return found;
            }
            if !walker.step(&mut state) {
                break;
            }
            if step % STEPS_APART == 0 {
                found.push(state.clone());
            }
        }
    }
    found
}

/// Chooses at random.
struct Walker<'t> {
    task: &'t PackedTask,
    generators: Vec<SuccessorGenerator>,
    random: SplitMix,
    applicable: Vec<OperatorId>,
    chosen: Vec<OperatorId>,
    record: Record,
    /// The number of applicable operators that have been met.
    met: usize,
}

impl Walker<'_> {
    /// Goes on by a timestep. Returns whether there is one, and it is not the last.
    fn step(&mut self, state: &mut State) -> bool {
        self.chosen.clear();
        self.record.clear();
        for agent in self.task.acting(state) {
            self.applicable.clear();
            self.generators[agent].applicable(self.task, state, &mut self.applicable);
            self.met += self.applicable.len() + 1;
            if self.applicable.is_empty() {
                return false;
            }
            let operator = self.applicable[self.random.below(self.applicable.len())];
            if self.task.turns == TurnMode::Sequential {
                self.task.act(state, operator, &mut self.record);
            } else {
                self.chosen.push(operator);
            }
        }
        let status = self
            .task
            .step_applicable(state, &self.chosen, &mut self.record);
        status == Status::Running
    }
}
