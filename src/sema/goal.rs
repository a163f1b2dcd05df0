//! The goal, losing states, the horizon and the metric.

use super::body::Body;
use super::conditions::or;
use super::context::Context;
use super::model::{ClosedCond, Expr, FluentId, Metric, Range};
use super::report::{File, problem};
use super::requirements::Need;
use super::scaled::Scaled;
use crate::diagnostics::Code;
use crate::syntax::ast::{self, Arithmetic, Domain, Problem, Term};
use crate::syntax::span::Span;

impl Context<'_> {
    /// Resolves the goal, which only a problem with a horizon may lack.
    pub(super) fn goal(&mut self, problem: &Problem) -> Option<ClosedCond> {
        let Some(formula) = &problem.goal else {
            if problem.horizon.is_none() {
                let span = problem.name.as_ref().map_or(problem.span, |name| name.span);
                let place = self.place(File::Problem, span);
                self.push(
                    report_missing_goal(place)
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
                problem_of_time(place, ticks).help("give the number of ticks after which it ends"),
            );
        }
        horizon
    }

    /// Resolves the metric and gives the functions it optimises their weights.
    pub(super) fn metric(&mut self, problem: &Problem) -> Metric {
        let Some(metric) = &problem.metric else {
            return Metric::Default;
        };
        if is_total_time(&metric.value) {
            if metric.maximize {
                self.unsupported_metric(metric.span, "a plan cannot be made as long as possible");
            }
            return Metric::Makespan;
        }
        let mut weights: Vec<(FluentId, Scaled)> = Vec::new();
        if !self.linear(&metric.value, &Scaled::thousandths(1000), &mut weights) {
            return Metric::Default;
        }
        if weights.is_empty() {
            return Metric::Default;
        }
        for (fluent, weight) in weights {
            match weight.constant() {
                Some(value) if value < 0 => {
                    self.unsupported_metric(metric.span, "negative weights are not supported yet");
                    return Metric::Default;
                }
                _ => self.costs.set_weight(fluent, weight),
            }
        }
        Metric::Cost {
            maximize: metric.maximize,
        }
    }

    fn unsupported_metric(&mut self, span: Span, why: &str) {
        let place = self.place(File::Problem, span);
        self.push(
            problem(Code::NotSupported, "this metric is not supported", place, why)
                .help("minimise `(total-time)`, or a sum of functions without arguments, each with a constant weight"),
        );
    }

    /// Adds `factor · term` to the weights; false if it is not linear or not well formed.
    fn linear(
        &mut self,
        term: &Term,
        factor: &Scaled,
        weights: &mut Vec<(FluentId, Scaled)>,
    ) -> bool {
        let mut body = Body::new(self, File::Problem);
        body.nested(term.span(), false, |_| true);
        match term {
            Term::Number(..) => true,
            Term::Name(name) | Term::Apply(name, ..) => {
                if is_total_time(term) {
                    self.unsupported_metric(term.span(), "`total-time` can only stand alone");
                    return false;
                }
                let args: &[Term] = match term {
                    Term::Apply(_, args, _) => args,
                    _ => &[],
                };
                let Some(fluent) = body.function(name) else {
                    return false;
                };
                if body.fluent_arguments(fluent, args, term.span()).is_none() {
                    return false;
                }
                self.weigh(fluent, term, factor, weights)
            }
            Term::Arithmetic(Arithmetic::Add, operands, _) => {
                operands.iter().all(|one| self.linear(one, factor, weights))
            }
            Term::Arithmetic(Arithmetic::Subtract, operands, span) => {
                let minus = Scaled::product(vec![factor.clone(), Scaled::thousandths(-1000)]);
                let Some(minus) = minus else {
                    self.unsupported_metric(*span, "the weights are too large");
                    return false;
                };
                match operands.as_slice() {
                    [one] => self.linear(one, &minus, weights),
                    [first, rest @ ..] => {
                        self.linear(first, factor, weights)
                            && rest.iter().all(|one| self.linear(one, &minus, weights))
                    }
                    [] => true,
                }
            }
            Term::Arithmetic(op @ (Arithmetic::Multiply | Arithmetic::Divide), operands, span) => {
                self.linear_product(*op, operands, *span, factor, weights)
            }
            other => {
                self.unsupported_metric(other.span(), "not a linear sum");
                false
            }
        }
    }

    fn linear_product(
        &mut self,
        op: Arithmetic,
        operands: &[Term],
        span: Span,
        factor: &Scaled,
        weights: &mut Vec<(FluentId, Scaled)>,
    ) -> bool {
        let mut factor = Some(factor.clone());
        let mut rest = Vec::new();
        for (at, operand) in operands.iter().enumerate() {
            let Term::Number(value, _) = operand else {
                rest.push((at, operand));
                continue;
            };
            let value = Scaled::thousandths(*value);
            factor = factor.and_then(|factor| match op {
                Arithmetic::Divide if at > 0 => factor.quotient(&value),
                _ => Scaled::product(vec![factor, value]),
            });
        }
        match (factor, rest.as_slice()) {
            (None, _) => {
                self.unsupported_metric(span, "a weight is not a usable number");
                false
            }
            (Some(_), []) => true,
            (Some(factor), [(at, one)]) if op == Arithmetic::Multiply || *at == 0 => {
                self.linear(one, &factor, weights)
            }
            _ => {
                self.unsupported_metric(span, "not a linear sum");
                false
            }
        }
    }

    fn weigh(
        &mut self,
        fluent: FluentId,
        term: &Term,
        factor: &Scaled,
        weights: &mut Vec<(FluentId, Scaled)>,
    ) -> bool {
        let declared = &self.symbols.fluents[fluent.index()];
        let changes = self
            .usage
            .written
            .contains_key(&declared.name.to_ascii_lowercase());
        if declared.range != Range::Number {
            if changes {
                let why = "only functions declared `- number` can be optimised";
                self.unsupported_metric(term.span(), why);
            }
            return !changes;
        }
        if !declared.params.is_empty() {
            if changes {
                let why = "only functions without arguments can be optimised";
                self.unsupported_metric(term.span(), why);
            }
            return !changes;
        }
        if factor.constant() == Some(0) {
            return true;
        }
        match weights.iter_mut().find(|(other, _)| *other == fluent) {
            None => weights.push((fluent, factor.clone())),
            Some((_, weight)) => {
                let both = vec![weight.clone(), factor.clone()];
                let Some(sum) = Scaled::combine(both, Expr::Add, i64::checked_add) else {
                    self.unsupported_metric(term.span(), "the weights are too large");
                    return false;
                };
                *weight = sum;
            }
        }
        true
    }
}

fn is_total_time(term: &Term) -> bool {
    match term {
        Term::Name(name) => name.key() == "total-time",
        Term::Apply(name, args, _) => name.key() == "total-time" && args.is_empty(),
        _ => false,
    }
}

fn report_missing_goal(place: super::report::Place) -> crate::diagnostics::Diagnostic {
    problem(
        Code::MissingGoal,
        "the problem has no goal",
        place,
        "nothing to reach",
    )
}

fn problem_of_time(place: super::report::Place, ticks: i64) -> crate::diagnostics::Diagnostic {
    let message = format!("{ticks} is not a horizon");
    problem(Code::BadTime, message, place, "must be at least 1")
}

/// Where the metric stands, for reports about costs.
pub(super) fn metric_span(problem: Option<&Problem>) -> Option<Span> {
    let metric: &ast::Metric = problem?.metric.as_ref()?;
    Some(metric.span)
}
