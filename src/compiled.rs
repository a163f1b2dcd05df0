//! The short way from two texts to a plan: [`compile`], [`Compiled::plan`], [`Compiled::references`].

use std::fmt;

use crate::diagnostics::{Colour, Diagnostics, Sources, render_all};
use crate::rats::{Limits, References};
use crate::search::{
    Control, Invalid, Outcome, Plan, SearchOptions, SearchResult, StopReason, Unlimited, Value,
    solve, verify,
};
use crate::sema::model::Model;
use crate::task::PackedTask;
use crate::task::plannable::NotPlannable;
use crate::{ground, sema, syntax};

/// A sound problem, compiled with its domain: made by [`compile`] or [`load`](crate::load).
#[derive(Debug)]
pub struct Compiled {
    task: PackedTask,
    report: Report,
}

/// Diagnostics with the texts that they point to. Its `Display` shows each with the lines concerned,
/// as `brigade check` prints it.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The errors and warnings.
    pub diagnostics: Diagnostics,
    /// The texts.
    pub sources: Sources,
}

/// The errors that reject a domain or a problem.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Rejected(pub Report);

/// The reason why there is no proven plan, or not all of them.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotSolved {
    /// Everything that can be reached was explored, without meeting the goal.
    #[error("no plan exists")]
    Unsolvable,
    /// The search was stopped before the proof.
    #[error("not solved: {reason}")]
    Bounded {
        /// No plan is better than this. `None` where no bound is known.
        lower: Option<Value>,
        /// The best plan found, which may be optimal, if any.
        incumbent: Option<Box<Plan>>,
        /// The limit or signal that stopped the search.
        reason: StopReason,
    },
    /// The optimum is proven, and the collection of all optimal plans was stopped.
    #[error("not all optimal plans were collected: {0}")]
    NotCollected(StopReason),
    /// The task is not one that plans solve. [`solve`] plans chance as if it helped: a bound.
    #[error(transparent)]
    NotPlannable(#[from] NotPlannable),
    /// A plan failed its validation: a bug of Brigade.
    #[error("internal error: the plan that was found is not valid: {0}")]
    Invalid(#[from] Invalid),
}

/// Compiles a problem with its domain, both as text, under the semantics `clean`.
///
/// The task is made for planning: facts and actions that the goal cannot depend on are left out. The
/// stages, each with its options, are [`syntax`], [`sema`] and [`ground`].
///
/// # Errors
///
/// [`Rejected`] holds everything that is wrong with either text, not only the first error:
///
/// ```
/// let rejected = brigade::compile("(define (domain tea))", "(define (problem p) (:domain coffee))");
/// let report = rejected.unwrap_err().to_string();
/// assert!(report.contains("error[E"), "{report}");
/// ```
pub fn compile(domain: &str, problem: &str) -> Result<Compiled, Rejected> {
    let mut report = Report::default();
    let files = sema::Files {
        domain: report.sources.add("domain.pddl", domain),
        problem: report.sources.add("problem.pddl", problem),
    };
    let found = &mut report.diagnostics;
    let domain = syntax::parse_domain(files.domain, domain, found);
    let problem = syntax::parse_problem(files.problem, problem, found);
    let model = sema::resolve(&domain, &problem, &sema::Options::default(), files, found);
    Compiled::ground(model, report)
}

impl Compiled {
    /// Grounds a model; `report` holds what was found in its sources, with an error if there is none.
    pub(crate) fn ground(model: Option<Model>, mut report: Report) -> Result<Self, Rejected> {
        let task = model.map(|model| ground::ground(&model, &ground::Options::default()));
        if let Some(Err(error)) = &task {
            report.diagnostics.extend(error.diagnostic());
        }
        report.diagnostics.sort();
        match task {
            Some(Ok(task)) => Ok(Self { task, report }),
            _ => Err(Rejected(report)),
        }
    }

    /// The task: agents, variables, operators, labels.
    pub const fn task(&self) -> &PackedTask {
        &self.task
    }

    /// The warnings.
    pub const fn report(&self) -> &Report {
        &self.report
    }

    /// Proves an optimal plan, without limits of time and memory: least in the problem's metric if it has one, then
    /// in ticks, then in labels. A replay that is independent of the search has validated the plan.
    ///
    /// # Errors
    ///
    /// [`NotSolved::Unsolvable`] is proven too. [`NotSolved::NotPlannable`] says why the task is not one that plans
    /// solve, for example since chance decides in it.
    ///
    /// ```
    /// let problem = brigade::load("bundled:collab-overcooked/boiled_egg")?;
    /// let plan = problem.plan()?;
    /// let first = &plan.steps[0];
    /// let operator = problem.task().operator(first.operator);
    /// println!("tick {}: {} does {}", first.tick, problem.task().agents[first.agent as usize].name, operator.name);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plan(&self) -> Result<Plan, NotSolved> {
        self.plan_with(&SearchOptions::default(), &Unlimited)
    }

    /// Proves an optimal plan, until `control` or a limit of `options` stops the search.
    ///
    /// # Errors
    ///
    /// Those of [`plan`](Self::plan); and [`NotSolved::Bounded`] if the search was stopped, with the bound that it has
    /// proven and the best plan that it has found.
    pub fn plan_with(
        &self,
        options: &SearchOptions,
        control: &dyn Control,
    ) -> Result<Plan, NotSolved> {
        Ok(self.search(options, control)?.0)
    }

    /// Collects all optimal plans and derives the references: the labels of each agent in them, in order.
    ///
    /// # Errors
    ///
    /// Those of [`plan`](Self::plan), and [`NotSolved::NotCollected`].
    ///
    /// ```
    /// let problem = brigade::load("bundled:collab-overcooked/boiled_egg")?;
    /// let references = problem.references()?;
    /// for reference in references.iter().take(3) {
    ///     println!("{:?}", references.texts(&reference)); // one list of labels for each agent
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn references(&self) -> Result<References, NotSolved> {
        let options = SearchOptions::default().with_all_plans(true);
        let (_, result) = self.search(&options, &Unlimited)?;
        let Some(dag) = &result.dag else {
            let reason = result.dag_stopped.unwrap_or(StopReason::Interrupted);
            return Err(NotSolved::NotCollected(reason));
        };
        let agents = self.task.agents.iter().map(|agent| agent.name.clone());
        let agents: Vec<String> = agents.collect();
        let limits = Limits::default();
        Ok(References::derive(dag, &agents, &self.task.labels, &limits))
    }

    fn search(
        &self,
        options: &SearchOptions,
        control: &dyn Control,
    ) -> Result<(Plan, SearchResult), NotSolved> {
        let task = &self.task;
        task.check_plannable()?;
        let result = solve(task, options, control);
        if let Some(plan) = result.outcome.plan() {
            verify(task, plan)?;
        }
        match &result.outcome {
            Outcome::Solved(plan) => Ok((plan.clone(), result)),
            Outcome::Unsolvable => Err(NotSolved::Unsolvable),
            Outcome::Bounded {
                lower,
                upper,
                reason,
            } => Err(NotSolved::Bounded {
                lower: *lower,
                incumbent: upper.clone().map(Box::new),
                reason: *reason,
            }),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = render_all(&self.diagnostics, &self.sources, Colour::Plain);
        f.write_str(text.trim_end())
    }
}

#[cfg(test)]
mod tests;
