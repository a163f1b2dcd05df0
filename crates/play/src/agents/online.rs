//! Plans while it acts: decides within the limits of each decision, and never gives up.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::{Choice, Given, Greedy, Observation, Policy, PolicyError, View};
use brigade_search::{Control, Lookahead, Plan, SearchOptions, Start, Ticks, solve_from};
use brigade_task::effect::Record;
use brigade_task::{OperatorId, PackedTask, StateBuf, TurnMode};

/// The limits of each decision.
pub struct Pace<'c> {
    /// The number of ticks to look ahead.
    pub window: u32,
    /// The greatest effort, in states.
    pub states: Option<u64>,
    /// Starts the clock of a part of a decision, one of so many equal ones.
    pub clock: Box<dyn Fn(u32) -> Box<dyn Control + 'c> + 'c>,
    /// The options of searches, of which the limit on states does not count.
    pub options: SearchOptions,
}

/// The joint plan that online planners follow, made anew where it does not hold any more.
///
/// It is made for all agents of a task, on the assumption that they follow it. A state that is not on it, as after an
/// event that came unannounced, or the end of its first half makes another one, for which its rest is a seed.
pub struct OnlinePlans<'c> {
    task: &'c PackedTask,
    pace: Pace<'c>,
    /// `None` where the task has too many rules.
    lookahead: Option<Lookahead<'c>>,
    /// True if searches for plans to the end apply: toward a goal, without agents of nature.
    is_solvable: bool,
    joints: Joints,
    /// The decisions along the plan.
    decisions: BTreeMap<(StateBuf, usize), OperatorId>,
    searches: u32,
}

/// Joint choices, tick by tick.
#[derive(Default)]
struct Joints {
    /// The tick of the first.
    tick: u32,
    /// The agent who chooses first in it.
    agent: usize,
    all: Vec<Vec<OperatorId>>,
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
        let is_drawn = task.agents.iter().any(|agent| agent.nature.is_some());
        Self {
            task,
            lookahead: Lookahead::new(task, &pace.options, control),
            is_solvable: task.goal.is_some() && !is_drawn,
            pace,
            joints: Joints::default(),
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
        let start = Start {
            state: view.state,
            agent: match self.task.turns {
                TurnMode::Sequential => view.agent,
                TurnMode::Simultaneous | TurnMode::Alternate => 0,
            },
        };
        self.searches += 1;
        let solved = self.is_solvable.then(|| self.solve(start)).flatten();
        let is_whole = solved.is_some();
        let all = solved.unwrap_or_else(|| self.look_ahead(view.tick, start));
        self.joints = Joints {
            tick: view.tick,
            agent: start.agent,
            all,
        };
        self.enter(start, is_whole);
        self.decisions.get(&key).copied()
    }

    /// The joint choices of a plan to the goal.
    fn solve(&self, start: Start<'_>) -> Option<Vec<Vec<OperatorId>>> {
        let task = self.task;
        let half = self.pace.states.map(|states| states.div_ceil(2));
        let options = self.pace.options.clone().with_max_states(half);
        let clock = (self.pace.clock)(2);
        let result = solve_from(task, start, &options, &*clock);
        result.outcome.plan().map(|plan| joints(task, plan))
    }

    /// The joint choices of the most promising way that is found.
    fn look_ahead(&mut self, tick: u32, start: Start<'_>) -> Vec<Vec<OperatorId>> {
        let Some(lookahead) = &mut self.lookahead else {
            return Vec::new();
        };
        let parts = 1 + u32::from(self.is_solvable);
        let Pace { window, states, .. } = self.pace;
        let states = states.map(|states| states.div_ceil(parts.into()));
        let clock = (self.pace.clock)(parts);
        let seed = self.joints.rest(tick, start.agent);
        lookahead.plan(start, &seed, Ticks { window, states }, &*clock)
    }

    /// Enters the decisions along the plan in place of those before. Of one that does not reach the end of the task
    /// the second half is left to the next one.
    fn enter(&mut self, start: Start<'_>, is_whole: bool) {
        self.decisions.clear();
        let task = self.task;
        let mut state = start.state.to_owned();
        let mut first = start.agent;
        let mut record = Record::default();
        let joints = &self.joints.all;
        let window = self.pace.window as usize;
        let followed = if is_whole || joints.len() < window {
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

impl Joints {
    /// Those from an agent of a tick on.
    fn rest(&self, tick: u32, agent: usize) -> Vec<Vec<OperatorId>> {
        let passed = tick.saturating_sub(self.tick) as usize;
        let mut rest: Vec<Vec<OperatorId>> = self.all.iter().skip(passed).cloned().collect();
        if let Some(joint) = rest.first_mut() {
            let first = if passed == 0 { self.agent } else { 0 };
            joint.drain(..agent.saturating_sub(first).min(joint.len()));
        }
        rest
    }
}

/// The joint choices of a plan.
fn joints(task: &PackedTask, plan: &Plan) -> Vec<Vec<OperatorId>> {
    let mut joints = Vec::new();
    let mut joint = Vec::new();
    for step in &plan.steps {
        joint.push(step.operator);
        let agent = usize::from(step.agent);
        if task.turns == TurnMode::Alternate || agent + 1 == task.agents.len() {
            joints.push(std::mem::take(&mut joint));
        }
    }
    joints
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
