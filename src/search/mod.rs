//! Optimal plans of a task, the proof, and the DAG of all of them.
//!
//! [`solve`] runs a uniform-cost search over packed states (`engine`), or where that takes long A*
//! (`informed`) with a heuristic (`heuristic`): `expand` generates successors half-step by half-step,
//! `measure` says what an objective minimises and in which order nodes are finished, `table` and
//! `id_table` store states, `queue` the open ones, and `trace` leads back from the ends to one plan,
//! which `quiet` rids of idle motion, or to the [`PlanDag`] of all. `symmetry` finds interchangeable
//! objects, so that one state is stored for each orbit, and `lift` leads back to the states of the
//! task. [`validate`] replays a plan without any of them; [`Distances`] answers for many states of
//! one task, and [`LowerBounds`] with what a heuristic alone tells.
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
mod lift;
mod lower_bounds;
mod measure;
mod options;
mod queue;
mod quiet;
mod result;
mod symmetry;
mod table;
mod trace;
mod validate;

pub use distances::Distances;
pub use engine::Start;
pub use lower_bounds::LowerBounds;
pub use options::{
    Control, HeuristicChoice, Objective, SearchOptions, StopReason, SymmetryChoice, Unlimited,
};
pub use result::{Outcome, Plan, PlanStep, Progress, SearchResult, Statistics, Value};
pub use validate::{Invalid, validate};

use std::rc::Rc;

use crate::task::Task;
use dag::{Node, PlanDag};
use engine::{Space, Standing, standing};
use expand::{Expander, halves};
use heuristic::{Abstractions, Estimate, Heuristic, LandmarkCut, Potential, applies_to};
use informed::Informed;
use lift::Lift;
use measure::Measure;
use symmetry::Symmetries;

/// A search that stores no more states than this is not worth a heuristic.
const STATES_WITHOUT_HEURISTIC: u64 = 30_000;
/// The states of the first search with LM-cut.
const STATES_WITH_CUTS: u64 = 3_000;
/// Blind search stores about so many states in the time of one with LM-cut.
const STATES_PER_CUT_STATE: u64 = 100;
/// How much longer each further attempt may take.
const GROWTH: u64 = 20;
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
    let Exploration {
        space,
        explored,
        earlier,
        own_bound: _,
        symmetries,
    } = explore(task, start, options, control, measure);
    let goals = space.best_goals();
    debug_assert!(
        explored.is_err() || earlier.is_none() || !goals.is_empty(),
        "a plan was found before, and a complete search finds none"
    );
    let found = goals.first().map(|&goal| {
        let lift = Lift::new(symmetries.clone());
        trace::plan(&space, &mut Expander::new(task), lift, start, goal)
    });
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
                match all_plans(&space, start, &goals, symmetries) {
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

/// The DAG of all optimal plans, from a finished search.
fn all_plans(
    space: &Space,
    start: Start,
    goals: &[u32],
    symmetries: Option<Rc<Symmetries>>,
) -> Result<PlanDag, StopReason> {
    let task = space.task;
    let mut expander = Expander::with_symmetries(task, symmetries.clone());
    let (mut dag, marks) = trace::dag(space, &mut expander, goals)?;
    let Some(symmetries) = symmetries else {
        return Ok(dag);
    };
    if space.options.up_to_symmetry {
        dag.is_up_to_symmetry = true;
        return Ok(dag);
    }
    let states = Space::new(task, start, space.options, space.control, space.measure);
    let mut expander = Expander::new(task);
    let states = lift::lift(space, &marks, states, start, &mut expander, symmetries)?;
    let (dag, _) = trace::dag(&states, &mut expander, &states.best_goals())?;
    Ok(dag)
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
    /// By which the stored states stand for others.
    symmetries: Option<Rc<Symmetries>>,
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
    expander: Expander<'a>,
    potential: Option<Potential>,
}

/// Explores as far as the answer needs.
fn explore<'a>(
    task: &'a Task,
    start: Start<'a>,
    options: &'a SearchOptions,
    control: &'a dyn Control,
    measure: Measure,
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
        expander: Expander::new(task),
        potential: None,
    };
    if options.symmetry == SymmetryChoice::Always {
        attempts.look_for_symmetries();
    }
    let may_inform = start.agent == 0 && applies_to(task, measure);
    match options.heuristic {
        _ if !may_inform => attempts.blind(u64::MAX),
        HeuristicChoice::Blind => attempts.blind(u64::MAX),
        HeuristicChoice::Abstractions => attempts.by_abstractions(),
        HeuristicChoice::LandmarkCut => match LandmarkCut::new(task, measure) {
            Some(mut heuristic) => attempts.informed(&mut heuristic, u64::MAX),
            None => attempts.blind(u64::MAX),
        },
        HeuristicChoice::Potentials => match Potential::new(task, start.state, measure) {
            Some(mut heuristic) => attempts.informed(&mut heuristic, u64::MAX),
            None => attempts.blind(u64::MAX),
        },
        HeuristicChoice::Auto => attempts.portfolio(),
    }
}

impl<'a> Attempts<'a> {
    /// Tries what is cheap first, and goes on with what has proven most in about the same time. What
    /// is tried depends on the task and on numbers of states only.
    fn portfolio(&mut self) -> Exploration<'a> {
        let mut tried = self.blind(STATES_WITHOUT_HEURISTIC);
        if self.is_answer(&tried, STATES_WITHOUT_HEURISTIC) {
            return tried;
        }
        if self.options.symmetry == SymmetryChoice::Auto {
            self.look_for_symmetries();
        }
        // Views of each agent tell more where several choose at once.
        let is_alone = self.task.choices_per_step() == 1;
        if is_alone {
            self.potential = Potential::new(self.task, self.start.state, self.measure);
        }
        let mut cut = match is_alone {
            true => LandmarkCut::new(self.task, self.measure),
            false => None,
        };
        let mut most = STATES_WITH_CUTS;
        while let Some(heuristic) = &mut cut {
            self.give_up(tried);
            tried = self.informed(heuristic, most);
            // Blind search may fit where the cuts do not.
            let is_too_large = tried.explored == Err(StopReason::Memory);
            if !is_too_large && self.is_answer(&tried, most) {
                return tried;
            }
            let by_cuts = tried.own_bound;
            self.give_up(tried);
            let blindly = most.saturating_mul(STATES_PER_CUT_STATE);
            tried = self.quickly(blindly);
            if self.is_answer(&tried, blindly) {
                return tried;
            }
            if is_too_large || by_cuts <= tried.own_bound {
                cut = None;
            }
            most = most.saturating_mul(GROWTH);
        }
        if tried.space.states() < STATES_WITHOUT_ABSTRACTIONS {
            self.give_up(tried);
            tried = self.quickly(STATES_WITHOUT_ABSTRACTIONS);
            if self.is_answer(&tried, STATES_WITHOUT_ABSTRACTIONS) {
                return tried;
            }
        }
        self.give_up(tried);
        self.by_abstractions()
    }

    /// Looks for interchangeable objects; further attempts store one state for each orbit.
    fn look_for_symmetries(&mut self) {
        let found = Symmetries::find(self.task, self.control);
        self.expander = Expander::with_symmetries(self.task, found.map(Rc::new));
    }

    fn by_abstractions(&mut self) -> Exploration<'a> {
        // Abstractions know the states that can be reached; exchanges must not lead to others.
        let symmetries = self.expander.symmetries().cloned();
        if let Some(symmetries) = symmetries {
            let fixing = symmetries.fixing(self.start.state).map(Rc::new);
            self.expander = Expander::with_symmetries(self.task, fixing);
        }
        let state = self.start.state;
        let memory_limit = self.options.memory_limit;
        let mut heuristic =
            Abstractions::new(self.task, state, self.measure, memory_limit, self.control);
        let told = heuristic.estimate(state);
        if let Some(mut potential) = self.potential.take()
            && potential.estimate(state) > told
        {
            return self.informed(&mut potential, u64::MAX);
        }
        if told == Estimate::ZERO {
            return self.blind(u64::MAX);
        }
        self.informed(&mut heuristic, u64::MAX)
    }

    /// A* that stores `most` states at most.
    fn informed(&mut self, heuristic: &mut dyn Heuristic, most: u64) -> Exploration<'a> {
        let mut space = self.space(most);
        let explored = Informed::new(&mut space, heuristic).explore(&mut self.expander);
        self.explored(space, explored)
    }

    /// Blind search that stores `most` states at most.
    fn blind(&mut self, most: u64) -> Exploration<'a> {
        let mut space = self.space(most);
        let explored = space.explore(&mut self.expander);
        self.explored(space, explored)
    }

    /// What takes little time for a state: potentials, or blind search.
    fn quickly(&mut self, most: u64) -> Exploration<'a> {
        let Some(mut potential) = self.potential.take() else {
            return self.blind(most);
        };
        let explored = self.informed(&mut potential, most);
        self.potential = Some(potential);
        explored
    }

    fn space(&self, most: u64) -> Space<'a> {
        let mut state = self.start.state.to_vec();
        if let Some(symmetries) = self.expander.symmetries() {
            symmetries.canonicalize(&mut state, &mut Vec::new());
        }
        let start = Start {
            state: &state,
            agent: self.start.agent,
        };
        let mut space = Space::new(self.task, start, self.options, self.control, self.measure);
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
            symmetries: self.expander.symmetries().cloned(),
        }
    }

    /// Whether an attempt that might store `most` states was not stopped by that.
    fn is_answer(&self, tried: &Exploration, most: u64) -> bool {
        let asked = self.options.max_states;
        tried.explored != Err(StopReason::States) || asked.is_some_and(|asked| asked <= most)
    }

    /// Keeps what an attempt has found.
    fn give_up(&mut self, tried: Exploration) {
        let space = tried.space;
        self.bound = self.bound.max(space.bound());
        self.work = (space.expanded, space.generated);
        let goal = space.best_goals().first().copied();
        let plan = goal.map(|goal| {
            let lift = Lift::new(tried.symmetries);
            let mut expander = Expander::new(self.task);
            trace::plan(&space, &mut expander, lift, self.start, goal)
        });
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
        is_up_to_symmetry: false,
    });
    SearchResult {
        outcome,
        statistics: Statistics::default(),
        dag,
        dag_stopped: None,
    }
}
