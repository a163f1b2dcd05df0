//! From the texts of a task to its line.

use num_bigint::BigUint;

use super::case::Case;
use super::error::OptimaError;
use super::exhaust::{Exhausted, exhaust};
use super::line::{Check, Line, Method, SCHEMA, Status};
use super::never_sooner::never_sooner;
use super::replay::{Replay, play, texts};
use super::{CLEAN, UPSTREAM};
use brigade::ground;
use brigade::rats::{Limits, References};
use brigade::search::{
    AnytimeChoice, Attempt, AttemptEnd, Control, DeepeningChoice, Guide, HeuristicChoice,
    Objective, Outcome, PruningChoice, SearchOptions, SearchResult, SymmetryChoice, solve,
    solve_knowing, validate, verify,
};
use brigade::task::PackedTask;
use brigade::task::json::planning_fingerprint;

/// The line on a task under a semantics in the making.
#[derive(Debug)]
pub struct Derivation<'a> {
    case: &'a Case,
    task: PackedTask,
    line: Line,
    is_known: bool,
}

impl<'a> Derivation<'a> {
    /// Compiles a task. Nothing is known of it but what a line on the same compiled task says, if
    /// there is one.
    pub fn new(case: &'a Case, semantics: &str, known: Option<&Line>) -> Result<Self, OptimaError> {
        let task = case.texts().compile(semantics)?;
        let compiled = planning_fingerprint(&task);
        let known = known.filter(|line| line.compiled == compiled).cloned();
        let is_known = known.is_some();
        let line = known.unwrap_or_else(|| Line {
            schema: SCHEMA,
            dataset: case.subject.dataset,
            task: case.subject.task.clone(),
            seed: case.subject.seed,
            semantics: semantics.to_owned(),
            compiled,
            status: Status::Bounded,
            stopped: None,
            proven_under: semantics.to_owned(),
            lower_bound: None,
            upper_bound: None,
            states: 0,
            seconds: 0.0,
            peak_bytes: 0,
            informed: false,
            plans: None,
            references: None,
            uncounted: None,
            check: None,
            under_upstream: None,
            plan: None,
        });
        Ok(Self {
            case,
            task,
            line,
            is_known,
        })
    }

    /// Returns true if it goes on from a line that was known.
    pub const fn is_known(&self) -> bool {
        self.is_known
    }

    /// The line as far as it is known.
    pub const fn line(&self) -> &Line {
        &self.line
    }

    /// The line.
    pub fn into_line(self) -> Line {
        self.line
    }

    /// The number of seconds that the proof took, by the caller's clock.
    pub fn took(&mut self, seconds: f64) {
        self.line.seconds = (seconds * 1000.0).round() / 1000.0;
    }

    /// Searches for one optimal plan, within the limits of the search.
    pub fn prove(
        &mut self,
        options: &SearchOptions,
        control: &dyn Control,
    ) -> Result<(), OptimaError> {
        let options = options.clone().with_objective(Objective::Makespan);
        let result = self.search(&options, control);
        let line = &mut self.line;
        line.proven_under.clone_from(&line.semantics);
        line.states = result.statistics.states;
        line.peak_bytes = result.statistics.peak_bytes as u64;
        let mut proofs = result.attempts.iter().filter(|it| it.proves());
        line.informed = proofs.any(|attempt| attempt.guide != Guide::BLIND);
        line.stopped = None;
        match &result.outcome {
            Outcome::Solved(plan) => {
                line.status = Status::Proven;
                line.lower_bound = Some(plan.value.makespan);
            }
            Outcome::Unsolvable => line.status = Status::Unsolvable,
            Outcome::Bounded { lower, reason, .. } => {
                line.status = Status::Bounded;
                line.lower_bound = lower.map(|value| value.makespan);
                line.stopped = Some(reason.to_string());
            }
        }
        if let Some(plan) = result.outcome.plan() {
            verify(&self.task, plan)?;
            line.upper_bound = Some(plan.value.makespan);
            line.plan = Some(texts(&self.task, plan));
            line.close();
        }
        Ok(())
    }

    /// Takes over what is proven under `clean`, if that bounds the optimum and says more of it.
    pub fn carry_over(&mut self, clean: &Line) -> Result<(), OptimaError> {
        let proves_more = match clean.status {
            Status::Unsolvable => self.line.status != Status::Unsolvable,
            Status::Proven | Status::Bounded => clean.lower_bound > self.line.lower_bound,
        };
        if self.line.semantics != UPSTREAM || !proves_more || !never_sooner(self.case)? {
            return Ok(());
        }
        if self.line.status != Status::Bounded {
            return Err(contradiction(&self.line, "the bound under `clean`"));
        }
        self.line.take_search(clean);
        if clean.status == Status::Proven {
            self.line.status = Status::Bounded;
        }
        self.line.close();
        Ok(())
    }

    /// Tries a plan of another semantics or of an earlier run: one that reaches the goal sooner
    /// than what is known is the upper bound.
    pub fn try_plan(&mut self, plan: &[String]) -> Result<(), OptimaError> {
        let task = self.played(&self.line.semantics)?;
        let (Replay::Reached(reached), steps) = play(&task, plan) else {
            return Ok(());
        };
        if self.line.upper_bound.is_none_or(|known| reached < known) {
            validate(&task, &steps)?;
            if self.line.status != Status::Bounded {
                return Err(contradiction(&self.line, "a plan that is played"));
            }
            self.line.upper_bound = Some(reached);
            self.line.plan = Some(plan[..reached as usize].to_vec());
            self.line.close();
        }
        Ok(())
    }

    /// Counts the optimal plans and the references, if the optimum is proven.
    pub fn count(
        &mut self,
        options: &SearchOptions,
        control: &dyn Control,
    ) -> Result<(), OptimaError> {
        let Some(optimum) = self.line.optimum() else {
            return Ok(());
        };
        let options = options.clone().with_all_plans(true);
        let result = self.search(&options, control);
        let stopped = match &result.outcome {
            Outcome::Solved(plan) if plan.value.makespan == optimum => {
                result.dag_stopped.map(|reason| reason.to_string())
            }
            Outcome::Bounded { reason, .. } => Some(reason.to_string()),
            Outcome::Solved(_) | Outcome::Unsolvable => {
                return Err(contradiction(&self.line, "the search for all plans"));
            }
        };
        let line = &mut self.line;
        let Some(dag) = result.dag else {
            line.uncounted = stopped;
            return Ok(());
        };
        let agents = self.task.agents.iter();
        let agents: Vec<String> = agents.map(|agent| agent.name.clone()).collect();
        let interrupted = || control.stop().is_some();
        let limits = Limits {
            interrupted: &interrupted,
            ..Limits::default()
        };
        let references = References::derive(&dag, &agents, &self.task.labels, &limits);
        line.plans = Some(references.plans.to_string());
        line.references = references.total.exact().map(BigUint::to_string);
        let uncounted = references.tuples.as_ref().err();
        line.uncounted = uncounted
            .filter(|_| line.references.is_none())
            .map(ToString::to_string);
        Ok(())
    }

    /// Checks what is proven in another way, the first of these that comes to an end within the limits:
    /// by exhaustion, with at most `most` states; by two heuristics, each alone; by blind search, where
    /// a heuristic has led the proof.
    pub fn check(
        &mut self,
        most: usize,
        options: &SearchOptions,
        control: &dyn Control,
    ) -> Result<(), OptimaError> {
        if self.line.status == Status::Bounded {
            return Ok(());
        }
        let mut check = self.exhaust(most, control)?;
        if check.is_none() && self.line.informed {
            check = self.by_two_heuristics(options, control)?;
        }
        if check.is_none() && self.line.informed {
            let states = self.again_by(HeuristicChoice::Blind, options, control)?;
            check = states.map(|states| (Method::Blind, states));
        }
        self.line.check = check.map(|(method, states)| Check {
            method,
            states,
            under: None,
        });
        Ok(())
    }

    /// Compares what is proven with what a planner made by hand found under `clean`: the fewest steps, if
    /// there is a plan, and how many states it stored. It checks the optimum if that is the same.
    ///
    /// Its rules may allow more: fewer steps say nothing. More contradict the plan that was replayed.
    pub fn compare(&mut self, fewest: Option<u32>, states: u64) -> Result<(), OptimaError> {
        let optimum = self.line.optimum();
        let is_less = match (optimum, fewest) {
            (Some(optimum), Some(fewest)) => fewest < optimum,
            (None, fewest) => fewest.is_some(),
            (Some(_), None) => false,
        };
        if self.line.status == Status::Bounded || self.line.semantics != CLEAN || is_less {
            return Ok(());
        }
        if fewest != optimum {
            return Err(contradiction(&self.line, "the planner made by hand"));
        }
        self.line.check = Some(Check {
            method: Method::HandMade,
            states,
            under: None,
        });
        Ok(())
    }

    /// Takes over the check of what is proven under `clean`, if that bounds the optimum here as well.
    pub fn carry_check_over(&mut self, clean: &Line) -> Result<(), OptimaError> {
        let is_same = self.line.optimum().is_some() && self.line.optimum() == clean.optimum();
        if let Some(check) = &clean.check
            && is_same
            && self.line.semantics == UPSTREAM
            && never_sooner(self.case)?
        {
            self.line.check = Some(Check {
                under: Some(clean.semantics.clone()),
                ..check.clone()
            });
        }
        Ok(())
    }

    /// The number of states within fewer steps than the optimum, none of which is a goal.
    fn exhaust(
        &self,
        most: usize,
        control: &dyn Control,
    ) -> Result<Option<(Method, u64)>, OptimaError> {
        if self.task.choices_per_step() != 1 {
            return Ok(None);
        }
        // The plan was replayed: that there is a goal at the optimum is known.
        let optimum = self.line.optimum();
        let depth = optimum.map_or(u32::MAX, |optimum| optimum.saturating_sub(1));
        match exhaust(&self.task, depth, most, control) {
            Exhausted::Goal(steps) if optimum != Some(steps) => {
                Err(contradiction(&self.line, "exhaustion"))
            }
            // The start is a goal.
            Exhausted::Goal(_) => Ok(Some((Method::Exhaustion, 1))),
            Exhausted::NoGoal(states) => Ok(Some((Method::Exhaustion, states))),
            Exhausted::Stopped(_) => Ok(None),
        }
    }

    /// The number of states that are stored by landmark cuts and by potentials or patterns, if each
    /// proves the optimum alone.
    fn by_two_heuristics(
        &self,
        options: &SearchOptions,
        control: &dyn Control,
    ) -> Result<Option<(Method, u64)>, OptimaError> {
        let Some(by_cuts) = self.again_by(HeuristicChoice::LandmarkCut, options, control)? else {
            return Ok(None);
        };
        for other in [HeuristicChoice::Potentials, HeuristicChoice::Patterns] {
            if let Some(by_other) = self.again_by(other, options, control)? {
                return Ok(Some((Method::TwoHeuristics, by_cuts + by_other)));
            }
        }
        Ok(None)
    }

    /// The number of states stored by a search with this heuristic alone that proves again what is
    /// proven, with the plan at hand.
    fn again_by(
        &self,
        heuristic: HeuristicChoice,
        options: &SearchOptions,
        control: &dyn Control,
    ) -> Result<Option<u64>, OptimaError> {
        let is_blind = heuristic == HeuristicChoice::Blind;
        let options = options
            .clone()
            .with_objective(Objective::Makespan)
            .with_heuristic(heuristic)
            .with_symmetry(SymmetryChoice::Always)
            .with_pruning(if is_blind {
                PruningChoice::Never
            } else {
                PruningChoice::Always
            })
            .with_deepening(DeepeningChoice::Never)
            .with_anytime(AnytimeChoice::Never);
        let result = self.search(&options, control);
        let found = match &result.outcome {
            Outcome::Bounded { .. } => return Ok(None),
            Outcome::Solved(plan) => Some(plan.value.makespan),
            Outcome::Unsolvable => None,
        };
        if found != self.line.optimum() {
            return Err(contradiction(&self.line, "a second search"));
        }
        // Blind search goes on where a heuristic says nothing.
        let is_led = |attempt: &Attempt| {
            let has_answered = attempt.end == AttemptEnd::Answered;
            has_answered && (attempt.guide == Guide::BLIND) == is_blind
        };
        let states = result.statistics.states;
        Ok(result.attempts.iter().any(is_led).then_some(states))
    }

    /// Plays the plan, if there is one, under the published semantics.
    pub fn play_under(&mut self, semantics: &str) -> Result<(), OptimaError> {
        if let Some(plan) = &self.line.plan
            && self.line.semantics != semantics
        {
            let task = self.played(semantics)?;
            self.line.under_upstream = Some(play(&task, plan).0);
        }
        Ok(())
    }

    /// Searches with the plan at hand, if there is one.
    fn search(&self, options: &SearchOptions, control: &dyn Control) -> SearchResult {
        let known = self.line.plan.as_ref().map(|plan| play(&self.task, plan).1);
        known
            .and_then(|steps| solve_knowing(&self.task, steps, options, control).ok())
            .unwrap_or_else(|| solve(&self.task, options, control))
    }

    /// The task with everything that any plan may contain.
    fn played(&self, semantics: &str) -> Result<PackedTask, OptimaError> {
        let options = ground::Options::default().with_irrelevant_kept(true);
        Ok(self.case.texts().compile_with(semantics, &options)?)
    }
}

/// Returns the error for a line whose proof does not agree with something else.
fn contradiction(line: &Line, by: &'static str) -> OptimaError {
    let proven = line.optimum().map_or_else(
        || "that there is no plan".to_owned(),
        |optimum| format!("an optimum of {optimum}"),
    );
    OptimaError::Contradiction { proven, by }
}
