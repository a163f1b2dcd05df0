//! Optimal plans of a task, the proof, and the DAG of all of them.
//!
//! [`solve`] runs a uniform-cost search over packed states (`engine`), or where that takes long A*
//! (`informed`) with a heuristic (`heuristic`): `expand` generates successors
//! half-step by half-step, `measure` says what an objective minimises and in which order nodes are
//! finished, `table` and `id_table` store states, `queue` the open ones, and `trace` leads back from
//! the ends to one plan, which `quiet` rids of idle motion, or to the [`PlanDag`] of all. [`validate`] replays a plan without any of
//! them; [`Distances`] answers for many states of one task, and [`LowerBounds`] with what a
//! heuristic alone tells.
//!
//! What is minimised is a lexicographic vector of additive keys that always contains the makespan.
//! Each step costs one tick, so optimal plans visit no state twice, and there are finitely many,
//! even where a metric gives steps no cost. A plan ends at the first state in which the goal holds:
//! what could be gained by going on from there does not count.

mod cost_range;
pub mod dag;
mod distances;
mod engine;
mod expand;
mod heuristic;
mod id_table;
mod informed;
mod lower_bounds;
mod measure;
mod options;
mod queue;
mod quiet;
mod result;
mod table;
mod trace;
mod validate;

pub use distances::Distances;
pub use engine::Start;
pub use lower_bounds::LowerBounds;
pub use options::{Control, HeuristicChoice, Objective, SearchOptions, StopReason, Unlimited};
pub use result::{Outcome, Plan, PlanStep, Progress, SearchResult, Statistics, Value};
pub use validate::{Invalid, validate};

use crate::task::Task;
use dag::{Node, PlanDag};
use engine::{Space, Standing, standing};
use expand::{Expander, halves};
use heuristic::{Abstractions, Estimate, HMax, Heuristic, LandmarkCut, applies_to};
use informed::Informed;
use measure::Measure;

/// A search that stores no more states than this is not worth a heuristic.
const STATES_WITHOUT_HEURISTIC: u64 = 30_000;
/// The states of the first search with LM-cut.
const STATES_WITH_CUTS: u64 = 3_000;
/// Where LM-cut does not fit, blind search may store so many states for one of its.
const STATES_PER_CUT_STATE: u64 = 100;
/// Blind search stores a state in about the time of so much of LM-cut's effort.
const EFFORT_PER_STATE: u64 = 120;
/// How much longer each further attempt may take.
const GROWTH: u64 = 20;
/// How many times more states blind search stores each time, at least.
const BLIND_GROWTH: u64 = 3;
/// A search that stores no more states than this is not worth abstractions.
const STATES_WITHOUT_ABSTRACTIONS: u64 = 250_000;

/// Finds an optimal plan of a task from its initial state.
///
/// The answer is exact: [`Outcome::Solved`] and [`Outcome::Unsolvable`] are proven. It depends on
/// the task and the options only, not on `control`, unless that stops the search.
pub fn solve(task: &Task, options: &SearchOptions, control: &dyn Control) -> SearchResult {
    solve_from(task, Start::initial(task), options, control)
}

/// Finds an optimal plan from any state, in the middle of an episode say. Its ticks and its value
/// count from there.
pub fn solve_from(
    task: &Task,
    start: Start,
    options: &SearchOptions,
    control: &dyn Control,
) -> SearchResult {
    let first = start.agent.min(halves(task) - 1);
    if first == 0 {
        let outcome = match standing(task, start.state) {
            Standing::Open => None,
            Standing::Final => Some(Outcome::Solved(Plan::default())),
            Standing::Dead => Some(Outcome::Unsolvable),
        };
        if let Some(outcome) = outcome {
            return trivial(outcome, options);
        }
    }
    let measure = Measure::new(task, options.objective);
    let mut expander = Expander::new(task);
    let Exploration {
        space,
        explored,
        earlier,
        own_bound: _,
    } = explore(task, start, options, control, measure, &mut expander);
    let goals = space.best_goals();
    debug_assert!(
        explored.is_err() || earlier.is_none() || !goals.is_empty(),
        "a plan was found before, and a complete search finds none"
    );
    let found = goals
        .first()
        .map(|&goal| trace::plan(&space, &mut expander, first, goal));
    let plans = earlier.into_iter().chain(found);
    let plan = plans
        .min_by_key(|plan| measure.keys(plan.value))
        .map(|plan| quiet::quieten(task, start, plan));
    let mut dag = None;
    let mut dag_stopped = None;
    let outcome = match (explored, plan) {
        (Ok(()), None) => Outcome::Unsolvable,
        (Ok(()), Some(plan)) => {
            if options.all {
                match trace::dag(&space, &mut expander, &goals) {
                    Ok(found) => dag = Some(found),
                    Err(reason) => dag_stopped = Some(reason),
                }
            }
            Outcome::Solved(plan)
        }
        (Err(reason), upper) => Outcome::Bounded {
            lower: space.lower(),
            upper,
            reason,
        },
    };
    SearchResult {
        outcome,
        statistics: space.statistics(),
        dag,
        dag_stopped,
    }
}

/// How far the answer is known.
struct Exploration<'a> {
    space: Space<'a>,
    /// Whether all was explored that matters.
    explored: Result<(), StopReason>,
    /// What this search alone has proven.
    own_bound: Estimate,
    /// The best plan of a search that was given up before.
    earlier: Option<Plan>,
}

/// A search from one start, with what its earlier attempts have found.
struct Attempts<'a> {
    task: &'a Task,
    start: Start<'a>,
    options: &'a SearchOptions,
    control: &'a dyn Control,
    measure: Measure,
    /// What is proven.
    bound: Estimate,
    earlier: Option<Plan>,
    /// Nodes expanded and successors generated.
    work: (u64, u64),
}

/// Explores as far as the answer needs.
fn explore<'a>(
    task: &'a Task,
    start: Start<'a>,
    options: &'a SearchOptions,
    control: &'a dyn Control,
    measure: Measure,
    expander: &mut Expander,
) -> Exploration<'a> {
    let mut attempts = Attempts {
        task,
        start,
        options,
        control,
        measure,
        bound: Estimate::ZERO,
        earlier: None,
        work: (0, 0),
    };
    let may_inform = start.agent == 0 && applies_to(task, measure);
    match options.heuristic {
        _ if !may_inform => attempts.blind(u64::MAX, expander),
        HeuristicChoice::Blind => attempts.blind(u64::MAX, expander),
        HeuristicChoice::Abstractions => attempts.by_abstractions(expander),
        HeuristicChoice::Max => match HMax::new(task, measure, control) {
            Some(mut heuristic) => attempts.informed(&mut heuristic, u64::MAX, expander),
            None => attempts.blind(u64::MAX, expander),
        },
        HeuristicChoice::LandmarkCut => match LandmarkCut::new(task, measure, control) {
            Some(mut heuristic) => attempts.informed(&mut heuristic, u64::MAX, expander),
            None => attempts.blind(u64::MAX, expander),
        },
        HeuristicChoice::Auto => attempts.portfolio(expander),
    }
}

impl<'a> Attempts<'a> {
    /// Tries what is cheap first, and goes on with what has proven most in about the same time. What
    /// is tried depends on the task and on numbers of states only.
    fn portfolio(&mut self, expander: &mut Expander) -> Exploration<'a> {
        let mut tried = self.blind(STATES_WITHOUT_HEURISTIC, expander);
        if self.is_answer(&tried, STATES_WITHOUT_HEURISTIC) {
            return tried;
        }
        // Views of each agent tell more where several choose at once.
        let mut cut = match self.task.choices_per_step() {
            1 => LandmarkCut::new(self.task, self.measure, self.control),
            _ => None,
        };
        let mut most = STATES_WITH_CUTS;
        let mut blindly = STATES_WITHOUT_HEURISTIC;
        while let Some(heuristic) = &mut cut {
            self.give_up(tried, expander);
            let before = heuristic.effort();
            tried = self.informed(heuristic, most, expander);
            // Blind search may fit where the cuts do not.
            let is_too_large = tried.explored == Err(StopReason::Memory);
            if !is_too_large && self.is_answer(&tried, most) {
                return tried;
            }
            let by_cuts = tried.own_bound;
            let in_same_time = if is_too_large {
                most.saturating_mul(STATES_PER_CUT_STATE)
            } else {
                (heuristic.effort() - before) / EFFORT_PER_STATE
            };
            blindly = in_same_time.max(blindly.saturating_mul(BLIND_GROWTH));
            self.give_up(tried, expander);
            tried = self.blind(blindly, expander);
            if self.is_answer(&tried, blindly) {
                return tried;
            }
            if is_too_large || by_cuts <= tried.own_bound {
                cut = None;
            }
            most = most.saturating_mul(GROWTH);
        }
        if tried.space.states() < STATES_WITHOUT_ABSTRACTIONS {
            self.give_up(tried, expander);
            tried = self.blind(STATES_WITHOUT_ABSTRACTIONS, expander);
            if self.is_answer(&tried, STATES_WITHOUT_ABSTRACTIONS) {
                return tried;
            }
        }
        self.give_up(tried, expander);
        self.by_abstractions(expander)
    }

    fn by_abstractions(&mut self, expander: &mut Expander) -> Exploration<'a> {
        let state = self.start.state;
        let memory_limit = self.options.memory_limit;
        let mut heuristic =
            Abstractions::new(self.task, state, self.measure, memory_limit, self.control);
        if heuristic.estimate(state) == Estimate::ZERO {
            return self.blind(u64::MAX, expander);
        }
        self.informed(&mut heuristic, u64::MAX, expander)
    }

    /// A* that stores `most` states at most.
    fn informed(
        &mut self,
        heuristic: &mut dyn Heuristic,
        most: u64,
        expander: &mut Expander,
    ) -> Exploration<'a> {
        let mut space = self.space(most);
        let explored = Informed::new(&mut space, heuristic).explore(expander);
        self.explored(space, explored)
    }

    /// Blind search that stores `most` states at most.
    fn blind(&mut self, most: u64, expander: &mut Expander) -> Exploration<'a> {
        let mut space = self.space(most);
        let explored = space.explore(expander);
        self.explored(space, explored)
    }

    fn space(&self, most: u64) -> Space<'a> {
        let mut space = Space::new(
            self.task,
            self.start,
            self.options,
            self.control,
            self.measure,
        );
        space.most_states = most;
        (space.expanded, space.generated) = self.work;
        space
    }

    fn explored(&self, mut space: Space<'a>, explored: Result<(), StopReason>) -> Exploration<'a> {
        let own_bound = space.bound();
        space.prove(self.bound);
        Exploration {
            space,
            explored,
            own_bound,
            earlier: self.earlier.clone(),
        }
    }

    /// Whether an attempt that might store `most` states was not stopped by that.
    fn is_answer(&self, tried: &Exploration, most: u64) -> bool {
        let asked = self.options.max_states;
        tried.explored != Err(StopReason::States) || asked.is_some_and(|asked| asked <= most)
    }

    /// Keeps what an attempt has found.
    fn give_up(&mut self, tried: Exploration, expander: &mut Expander) {
        let space = tried.space;
        self.bound = self.bound.max(space.bound());
        self.work = (space.expanded, space.generated);
        let first = self.start.agent.min(halves(self.task) - 1);
        let goal = space.best_goals().first().copied();
        let plan = goal.map(|goal| trace::plan(&space, expander, first, goal));
        let plans = self.earlier.take().into_iter().chain(plan);
        self.earlier = plans.min_by_key(|plan| self.measure.keys(plan.value));
    }
}

/// The answer where there is nothing to search.
fn trivial(outcome: Outcome, options: &SearchOptions) -> SearchResult {
    let dag = (options.all && outcome.plan().is_some()).then(|| PlanDag {
        nodes: vec![Node {
            tick: 0,
            agent: 0,
            is_final: true,
        }],
        edges: Vec::new(),
        first_edge: vec![0, 0],
    });
    SearchResult {
        outcome,
        statistics: Statistics::default(),
        dag,
        dag_stopped: None,
    }
}
