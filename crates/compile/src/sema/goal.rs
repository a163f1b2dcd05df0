//! The goal, the conditions on which an episode ends without it, and the horizon.

use super::body::Body;
use super::conditions::or;
use super::context::Context;
use super::model::{ClosedCond, Template};
use super::report::{self, File};
use super::requirements::Need;
use brigade_diagnostics::Code;
use brigade_syntax::ast::{Formula, Problem};

impl Context<'_> {
    /// Resolves the goal, which only a problem may lack that ends otherwise: by an `:end` or a horizon.
    pub(super) fn goal(&mut self, problem: &Problem, has_end: bool) -> Option<ClosedCond> {
        let Some(formula) = &problem.goal else {
            if problem.horizon.is_none() && !has_end {
                let span = problem.name.as_ref().map_or(problem.span, |name| name.span);
                let place = self.place(File::Problem, span);
                self.push(
                    report::problem(
                        Code::MissingGoal,
                        "the problem has no goal",
                        place,
                        "nothing to reach",
                    )
                    .help(
                        "add `(:goal …)`, or `(:horizon N)` or `(:end …)` for a problem that ends \
                         without one",
                    ),
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

    /// A condition on which an episode ends, of the domain or of the problem: `:fail` or `:end`.
    pub(super) fn closing(
        &mut self,
        of_domain: Option<&Formula>,
        of_problem: Option<&Formula>,
    ) -> Option<ClosedCond> {
        if of_domain.is_none() && of_problem.is_none() {
            return None;
        }
        let mut body = Body::new(self, File::Domain);
        let mut all = Vec::new();
        for (file, formula) in [(File::Domain, of_domain), (File::Problem, of_problem)] {
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
