//! The metric: the makespan, or a weighted sum of functions that then are the cost, and constants.

use super::body::Body;
use super::context::Context;
use super::model::{Expr, FluentId, Metric, ObjectId, Range, Term as Argument};
use super::report::{File, problem};
use super::scaled::Scaled;
use brigade_diagnostics::Code;
use brigade_diagnostics::span::Span;
use brigade_syntax::ast::{Arithmetic, Problem, Term};

/// A metric term by term.
#[derive(Default)]
struct Sum {
    /// The weight of each function that changes.
    weights: Vec<(FluentId, Scaled)>,
    /// The weight of each value that does not change, by function and arguments.
    statics: Vec<(FluentId, Vec<ObjectId>, Scaled)>,
    numbers: Vec<Scaled>,
}

impl Context<'_> {
    /// Resolves the metric and gives the functions that it optimises their weights.
    pub(super) fn metric(&mut self, problem: &Problem) -> Metric {
        let Some(metric) = &problem.metric else {
            return Metric::Default;
        };
        let mut body = Body::new(self, File::Problem);
        if is_total_time(&metric.value) {
            if metric.maximize {
                body.unsupported_metric(metric.span, "makespans are not maximised");
            }
            return Metric::Makespan;
        }
        let mut sum = Sum::default();
        let linear = body.linear(&metric.value, &Scaled::thousandths(1000), &mut sum);
        if linear.is_none() || sum.weights.is_empty() {
            return Metric::Default;
        }
        for (fluent, weight) in sum.weights {
            if weight.constant().is_some_and(|value| value < 0) {
                let place = self.place(File::Problem, metric.span);
                self.push(unsupported(place, "negative weights are not supported yet"));
                return Metric::Default;
            }
            self.costs.set_weight(fluent, weight);
        }
        for number in sum.numbers {
            self.costs.begin_with(number);
        }
        for (fluent, arguments, weight) in sum.statics {
            self.costs.begin_with_static(fluent, arguments, weight);
        }
        Metric::Cost {
            maximize: metric.maximize,
        }
    }
}

impl Body<'_, '_> {
    fn unsupported_metric(&mut self, span: Span, why: &str) {
        let place = self.place(span);
        self.push(unsupported(place, why));
    }

    /// Adds `factor · term` to the sum; `None` if it is not linear or not well formed, which
    /// is reported.
    fn linear(&mut self, term: &Term, factor: &Scaled, sum: &mut Sum) -> Option<()> {
        self.nested(term.span(), None, |body| match term {
            Term::Number(value, span) => body.add_number(*value, *span, factor, sum),
            Term::Name(_) | Term::Apply(..) if is_total_time(term) => {
                body.unsupported_metric(term.span(), "`total-time` can only stand alone");
                None
            }
            Term::Name(name) => {
                let fluent = body.function(name)?;
                let arguments = body.fluent_arguments(fluent, &[], name.span)?;
                body.weigh(fluent, &arguments, name.span, factor, sum)
            }
            Term::Apply(term) => {
                let fluent = body.function(&term.name)?;
                let arguments = body.fluent_arguments(fluent, &term.args, term.span)?;
                body.weigh(fluent, &arguments, term.span, factor, sum)
            }
            Term::Arithmetic(Arithmetic::Add, operands, _) => operands
                .iter()
                .try_for_each(|one| body.linear(one, factor, sum)),
            Term::Arithmetic(Arithmetic::Subtract, operands, span) => {
                body.linear_difference(operands, *span, factor, sum)
            }
            Term::Arithmetic(op @ (Arithmetic::Multiply | Arithmetic::Divide), operands, span) => {
                body.linear_product(*op, operands, *span, factor, sum)
            }
            Term::Arithmetic(..) | Term::Variable(_) | Term::Count(..) | Term::Arg(_) => {
                body.unsupported_metric(term.span(), "not a weighted sum of functions");
                None
            }
        })
    }

    fn linear_difference(
        &mut self,
        operands: &[Term],
        span: Span,
        factor: &Scaled,
        sum: &mut Sum,
    ) -> Option<()> {
        let minus = Scaled::product(vec![factor.clone(), Scaled::thousandths(-1000)]);
        let Some(minus) = minus else {
            self.too_large(span);
            return None;
        };
        match operands {
            [one] => self.linear(one, &minus, sum),
            [first, rest @ ..] => {
                self.linear(first, factor, sum)?;
                rest.iter()
                    .try_for_each(|one| self.linear(one, &minus, sum))
            }
            [] => Some(()),
        }
    }

    fn linear_product(
        &mut self,
        op: Arithmetic,
        operands: &[Term],
        span: Span,
        factor: &Scaled,
        sum: &mut Sum,
    ) -> Option<()> {
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
            (Some(factor), []) => {
                sum.numbers.push(factor);
                Some(())
            }
            (Some(factor), [(at, one)]) if op == Arithmetic::Multiply || *at == 0 => {
                self.linear(one, &factor, sum)
            }
            (None, _) => {
                self.unsupported_metric(span, "its weights are not usable numbers");
                None
            }
            _ => {
                self.unsupported_metric(span, "not a weighted sum of functions");
                None
            }
        }
    }

    fn add_number(
        &mut self,
        thousandths: i64,
        span: Span,
        factor: &Scaled,
        sum: &mut Sum,
    ) -> Option<()> {
        let number = vec![factor.clone(), Scaled::thousandths(thousandths)];
        let Some(number) = Scaled::product(number) else {
            self.too_large(span);
            return None;
        };
        sum.numbers.push(number);
        Some(())
    }

    /// Adds to the weight of one function.
    fn weigh(
        &mut self,
        fluent: FluentId,
        arguments: &[Argument],
        span: Span,
        factor: &Scaled,
        sum: &mut Sum,
    ) -> Option<()> {
        let declared = &self.cx.symbols.fluents[fluent.index()];
        let key = declared.name.to_ascii_lowercase();
        if !self.cx.usage.written.contains_key(&key) {
            if matches!(declared.range, Range::Object(_)) {
                self.unsupported_metric(span, "its value is an object");
                return None;
            }
            let objects = arguments.iter().map(|argument| match argument {
                Argument::Object(object) => Some(*object),
                _ => None,
            });
            let Some(objects) = objects.collect() else {
                self.unsupported_metric(span, "its arguments are not the names of objects");
                return None;
            };
            sum.statics.push((fluent, objects, factor.clone()));
            return Some(());
        }
        if declared.range != Range::Number || !declared.params.is_empty() {
            let why = if declared.range == Range::Number {
                "only functions without arguments can be optimised"
            } else {
                "only functions declared `- number` can be optimised"
            };
            self.unsupported_metric(span, why);
            return None;
        }
        if factor.constant() == Some(0) {
            return Some(());
        }
        let Some((_, weight)) = sum.weights.iter_mut().find(|(other, _)| *other == fluent) else {
            sum.weights.push((fluent, factor.clone()));
            return Some(());
        };
        let both = vec![weight.clone(), factor.clone()];
        let Some(both) = Scaled::combine(both, Expr::Add, i64::checked_add) else {
            self.too_large(span);
            return None;
        };
        *weight = both;
        Some(())
    }
}

fn unsupported(place: super::report::Place, why: &str) -> brigade_diagnostics::Diagnostic {
    problem(
        Code::NotSupported,
        "this metric is not supported yet",
        place,
        why,
    )
    .help(
        "optimise `(total-time)`, or a sum of functions without arguments, each with a constant \
         weight",
    )
}

fn is_total_time(term: &Term) -> bool {
    match term {
        Term::Name(name) => name.key() == "total-time",
        Term::Apply(term) => term.name.key() == "total-time" && term.args.is_empty(),
        _ => false,
    }
}
