//! The goal, losing states and the horizon.

use super::body::Body;
use super::conditions::or;
use super::context::Context;
use super::model::{ClosedCond, Template};
use super::report::{self, File};
use super::requirements::Need;
use brigade_diagnostics::Code;
use brigade_syntax::ast::{Domain, Problem};

impl Context<'_> {
    /// Resolves the goal, which only a problem with a horizon may lack.
    pub(super) fn goal(&mut self, problem: &Problem) -> Option<ClosedCond> {
        let Some(formula) = &problem.goal else {
            if problem.horizon.is_none() {
                let span = problem.name.as_ref().map_or(problem.span, |name| name.span);
                let place = self.place(File::Problem, span);
                self.push(
                    report::problem(
                        Code::MissingGoal,
                        "the problem has no goal",
                        place,
                        "nothing to reach",
                    )
                    .help("add `(:goal …)`, or `(:horizon N)` for a problem that ends by time"),
                );
            }
            return None;
        };
        let mut body = Body::new(self, File::Problem);
        let cond = body.cond(formula);
        if body.is_sound() {
            body.warn_of_unused();
        }
        Some(ClosedCond {
            variables: body.scope.variables,
            cond,
        })
    }

    /// Resolves the goal in words.
    pub(super) fn goal_text(&mut self, problem: &Problem) -> Option<Template> {
        let text = problem.goal_text.as_ref()?;
        let mut body = Body::new(self, File::Problem);
        Some(body.template(text, Some("the goal in words")))
    }

    /// Losing states, of the domain or of the problem.
    pub(super) fn fail(
        &mut self,
        domain: &Domain,
        problem: Option<&Problem>,
    ) -> Option<ClosedCond> {
        let ours = problem.and_then(|problem| problem.fail.as_ref());
        if domain.fail.is_none() && ours.is_none() {
            return None;
        }
        let mut body = Body::new(self, File::Domain);
        let mut all = Vec::new();
        for (file, formula) in [(File::Domain, domain.fail.as_ref()), (File::Problem, ours)] {
            if let Some(formula) = formula {
                body.file = file;
                body.need(Need::Horizon, formula.span());
                all.push(body.cond(formula));
            }
        }
        Some(ClosedCond {
            variables: body.scope.variables,
            cond: or(all),
        })
    }

    /// The number of ticks after which an episode ends.
    pub(super) fn horizon(&mut self, problem: &Problem) -> Option<u32> {
        let (ticks, span) = problem.horizon?;
        self.need(File::Problem, Need::Horizon, span);
        let horizon = u32::try_from(ticks).ok().filter(|&ticks| ticks > 0);
        if horizon.is_none() {
            let place = self.place(File::Problem, span);
            self.push(
                report::problem(
                    Code::BadTime,
                    format!("{ticks} is not a horizon"),
                    place,
                    "must be from 1 to 4294967295",
                )
                .help("give the number of ticks after which it ends"),
            );
        }
        horizon
    }
}
