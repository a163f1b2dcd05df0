//! Plans while it acts: decides within the limits of each decision, and never gives up.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::{Choice, Given, Greedy, Observation, Policy, PolicyError, View};
use brigade_search::{Control, Lookahead, Start, Ticks};
use brigade_task::effect::Record;
use brigade_task::{OperatorId, PackedTask, StateBuf, TurnMode};

/// The limits of each decision.
pub struct Pace<'c> {
    /// The number of ticks to look ahead.
    pub window: u32,
    /// The greatest effort, in states.
    pub states: Option<u64>,
    /// Starts the clock of a decision.
    pub clock: Box<dyn Fn() -> Box<dyn Control + 'c> + 'c>,
}

/// The joint plan that online planners follow, made anew where it does not hold any more.
///
/// It is made for all agents of a task, on the assumption that they follow it. A state that is not on it, as after an
/// event that came unannounced, or the end of its first half makes another one.
pub struct OnlinePlans<'c> {
    task: &'c PackedTask,
    pace: Pace<'c>,
    /// `None` where the task has too many rules.
    lookahead: Option<Lookahead<'c>>,
    /// The decisions along the plan.
    decisions: BTreeMap<(StateBuf, usize), OperatorId>,
    searches: u32,
}

impl std::fmt::Debug for OnlinePlans<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OnlinePlans")
            .field("decisions", &self.decisions.len())
            .field("searches", &self.searches)
            .finish_non_exhaustive()
    }
}

impl<'c> OnlinePlans<'c> {
    /// Plans of a task as its agents know it. `control` stops the preparations, which belong to no decision.
    pub fn new(task: &'c PackedTask, pace: Pace<'c>, control: &dyn Control) -> Self {
        Self {
            task,
            pace,
            lookahead: Lookahead::new(task, control),
            decisions: BTreeMap::new(),
            searches: 0,
        }
    }

    /// The number of searches so far.
    pub const fn searches(&self) -> u32 {
        self.searches
    }

    /// The choice of an agent on the plan, which is made here where there is none; `None` where none is found.
    fn decide(&mut self, view: &View<'_>) -> Option<OperatorId> {
        let key = (view.state.to_owned(), view.agent);
        if let Some(&operator) = self.decisions.get(&key) {
            return Some(operator);
        }
        let lookahead = self.lookahead.as_mut()?;
        let start = Start {
            state: view.state,
            agent: match self.task.turns {
                TurnMode::Sequential => view.agent,
                TurnMode::Simultaneous | TurnMode::Alternate => 0,
            },
        };
        self.searches += 1;
        let Pace { window, states, .. } = self.pace;
        let clock = (self.pace.clock)();
        let joints = lookahead.plan(start, Ticks { window, states }, &*clock);
        self.enter(start, &joints);
        self.decisions.get(&key).copied()
    }

    /// Enters the decisions along a plan in place of those before. Of a plan that does not reach the end of the task
    /// the second half is left to the next one.
    fn enter(&mut self, start: Start<'_>, joints: &[Vec<OperatorId>]) {
        self.decisions.clear();
        let task = self.task;
        let mut state = start.state.to_owned();
        let mut first = start.agent;
        let mut record = Record::default();
        let window = self.pace.window as usize;
        let followed = if joints.len() < window {
            joints.len()
        } else {
            window.div_ceil(2)
        };
        for joint in &joints[..followed] {
            let before = state.clone();
            let acting = task.acting(&before);
            for (agent, &operator) in (acting.start.max(first)..).zip(joint) {
                let key = (task.choice_state(&before, &state).to_owned(), agent);
                self.decisions.entry(key).or_insert(operator);
                task.act(&mut state, operator, &mut record);
            }
            task.tick(&mut state, &mut record);
            first = 0;
        }
    }
}

/// Online planning over a receding horizon.
///
/// It follows the joint plan of its team as long as that holds, and makes another one from any other state. Where none
/// is found, it does what is best one choice ahead.
#[derive(Debug)]
pub struct OnlinePlanner<'c> {
    plans: Rc<RefCell<OnlinePlans<'c>>>,
    greedy: Greedy,
}

impl<'c> OnlinePlanner<'c> {
    /// A planner. Planners that are given the same plans follow the same one.
    pub fn new(plans: Rc<RefCell<OnlinePlans<'c>>>) -> Self {
        Self {
            plans,
            greedy: Greedy::new(),
        }
    }
}

impl Policy for OnlinePlanner<'_> {
    /// Plans as it did here.
    fn recall(&mut self, view: &View<'_>, _: &Given<'_>) {
        let _ = self.plans.borrow_mut().decide(view);
    }

    fn choose(&mut self, view: &View<'_>) -> Result<Choice, PolicyError> {
        let planned = self.plans.borrow_mut().decide(view);
        match planned.filter(|operator| view.legal.contains(operator)) {
            Some(operator) => Ok(operator.into()),
            None => self.greedy.choose(view),
        }
    }

    fn observe(&mut self, observation: &Observation<'_>) {
        self.greedy.observe(observation);
    }
}
