//! Terms that denote numbers, with exact fractions.

use super::body::Body;
use super::model::{Expr, FluentId, Range, Term};
use super::reads::{fluents_of_expr, fluents_of_term};
use super::report::problem;
use super::requirements::Need;
use super::scaled::Scaled;
use super::terms::Sort;
use brigade_diagnostics::Code;
use brigade_diagnostics::span::Span;
use brigade_syntax::ast::{self, Arithmetic};

impl Body<'_, '_> {
    /// Resolves a term that must denote a number. `None` if that was reported.
    pub(super) fn number(&mut self, term: &ast::Term) -> Option<Scaled> {
        if term.is_word() {
            return self.number_inside(term);
        }
        self.nested(term.span(), None, |body| body.number_inside(term))
    }

    fn number_inside(&mut self, term: &ast::Term) -> Option<Scaled> {
        match term {
            ast::Term::Number(value, _) => Some(Scaled::thousandths(*value)),
            ast::Term::Arithmetic(op, operands, span) => self.arithmetic(*op, operands, *span),
            ast::Term::Count(term) => {
                self.need(Need::Aggregates, term.span);
                let mark = self.scope.enter();
                let bindings = self.declare(&term.variables);
                let among = self.cond(&term.among);
                self.scope.leave(mark);
                Some(Scaled::whole(Expr::Count(bindings, Box::new(among))))
            }
            ast::Term::Variable(name) if self.is_duration(name) => self.duration.clone(),
            ast::Term::Name(name) if self.sort_of(term) == Sort::Number => {
                let fluent = self.function(name)?;
                self.numeric_fluent(fluent, &[], name.span)
            }
            ast::Term::Apply(term) => {
                let fluent = self.function(&term.name)?;
                self.numeric_fluent(fluent, &term.args, term.span)
            }
            ast::Term::Name(name)
                if self.cx.symbols.fluent(name).is_some()
                    && self.sort_of(term) == Sort::Unknown =>
            {
                self.function(name);
                None
            }
            ast::Term::Name(_) | ast::Term::Variable(_) | ast::Term::Arg(_) => {
                if self.object_term(term).is_some() {
                    self.not_a_number(term.span());
                }
                None
            }
        }
    }

    fn numeric_fluent(
        &mut self,
        fluent: FluentId,
        args: &[ast::Term],
        span: Span,
    ) -> Option<Scaled> {
        let range = &self.cx.symbols.fluents[fluent.index()].range;
        if matches!(range, Range::Object(_)) {
            self.not_a_number(span);
            return None;
        }
        let args = self.fluent_arguments(fluent, args, span)?;
        Some(Scaled {
            expr: Expr::Fluent(fluent, args),
            scale: self.cx.costs.scale_of(fluent),
        })
    }

    fn not_a_number(&mut self, span: Span) {
        let place = self.place(span);
        self.push(
            problem(
                Code::NotANumber,
                "an object stands where a number is needed",
                place,
                "an object",
            )
            .help("give a number, a numeric function, or an arithmetic term"),
        );
    }

    fn arithmetic(&mut self, op: Arithmetic, operands: &[ast::Term], span: Span) -> Option<Scaled> {
        if matches!(op, Arithmetic::Abs | Arithmetic::Min | Arithmetic::Max) {
            self.need(Need::Aggregates, span);
        }
        let values: Vec<Option<Scaled>> = operands.iter().map(|term| self.number(term)).collect();
        let mut values: Vec<Scaled> = values.into_iter().collect::<Option<_>>()?;
        let result = match op {
            Arithmetic::Add => Scaled::combine(values, Expr::Add, i64::checked_add),
            Arithmetic::Multiply => Scaled::product(values),
            Arithmetic::Min => Scaled::combine(values, Expr::Min, |a, b| Some(a.min(b))),
            Arithmetic::Max => Scaled::combine(values, Expr::Max, |a, b| Some(a.max(b))),
            Arithmetic::Abs => {
                let zero = Scaled::whole(Expr::Constant(0));
                match values.first()?.constant() {
                    Some(value) if value < 0 => {
                        Scaled::combine(vec![zero, values.remove(0)], difference, i64::checked_sub)
                    }
                    Some(_) => values.pop(),
                    None => values.pop().map(|one| Scaled {
                        expr: Expr::Abs(Box::new(one.expr)),
                        scale: one.scale,
                    }),
                }
            }
            Arithmetic::Subtract => {
                if values.len() == 1 {
                    values.insert(0, Scaled::whole(Expr::Constant(0)));
                }
                Scaled::combine(values, difference, i64::checked_sub)
            }
            Arithmetic::Divide => {
                let divisor = values.pop()?;
                if divisor.constant().is_none_or(|value| value == 0) {
                    self.bad_divisor(&divisor, operands[1].span());
                    return None;
                }
                values.pop()?.quotient(&divisor)
            }
        };
        if result.is_none() {
            self.too_large(span);
        }
        result
    }

    fn bad_divisor(&mut self, divisor: &Scaled, span: Span) {
        let place = self.place(span);
        self.push(if divisor.constant().is_some() {
            problem(Code::BadDivisor, "division by zero", place, "this is 0")
                .help("divide by a number other than 0")
        } else {
            problem(
                Code::NotSupported,
                "only division by a constant is supported",
                place,
                "not a constant",
            )
            .help("store the quotient in a static function instead")
        });
    }

    pub(super) fn too_large(&mut self, span: Span) {
        let place = self.place(span);
        self.push(
            problem(
                Code::NumberTooLarge,
                "this number is too large or too fine to be exact",
                place,
                "does not fit",
            )
            .help("use smaller numbers, or fewer digits after the point"),
        );
    }

    /// Resolves a term that must denote whole numbers.
    pub(super) fn whole_number(&mut self, term: &ast::Term) -> Option<Expr> {
        self.whole(term, None)
    }

    /// As [`Body::whole_number`]; of a time or a count it is said `what` it is.
    fn whole(&mut self, term: &ast::Term, what: Option<&str>) -> Option<Expr> {
        let value = self.number(term)?;
        if value.scale == 1 {
            return Some(value.expr);
        }
        let place = self.place(term.span());
        let report = problem(
            Code::Fraction,
            match what {
                Some(what) => format!("{what} must be a whole number"),
                None => "a whole number is needed here".to_owned(),
            },
            place,
            "has a fraction",
        );
        let mut read = Vec::new();
        fluents_of_expr(&value.expr, &mut read);
        let given = read.iter().find_map(|&fluent| {
            let name = &self.cx.symbols.fluents[fluent.index()].name;
            Some((name, self.cx.costs.fraction_of(fluent)?))
        });
        self.push(match given {
            Some((name, given)) => report
                .secondary(given.source, given.span, "because of this value")
                .help(format!(
                    "give `{name}` whole numbers only; fractions are allowed in costs and comparisons"
                )),
            None if what.is_some() => report.help(
                "a tick is the least time there is: multiply all times by one number, so that none has a fraction",
            ),
            None => report.help(
                "fractions are allowed in costs, in comparisons, and as values of static functions",
            ),
        });
        None
    }

    /// Resolves a number that must be known before the first step, such as a duration.
    pub(super) fn static_number(&mut self, term: &ast::Term, what: &str) -> Option<Expr> {
        let expr = self.whole(term, Some(what))?;
        self.check_static_number(&expr, term.span(), what)
            .then_some(expr)
    }

    /// As [`Body::static_number`], and at least 1.
    pub(super) fn ticks(&mut self, term: &ast::Term, what: &str) -> Option<Expr> {
        let expr = self.static_number(term, what)?;
        if let Expr::Constant(value @ ..1) = expr {
            let place = self.place(term.span());
            self.push(
                problem(
                    Code::DelayTooShort,
                    format!("{what} must be at least 1"),
                    place,
                    format!("this is {value}"),
                )
                .help("give a whole number from 1 up"),
            );
            return None;
        }
        Some(expr)
    }

    /// Reports the first fluent in the expression that some effect changes.
    pub(super) fn check_static_number(&mut self, expr: &Expr, span: Span, what: &str) -> bool {
        let mut fluents = Vec::new();
        fluents_of_expr(expr, &mut fluents);
        self.check_static(&fluents, span, what)
    }

    /// As [`Body::check_static_number`], for an object term.
    pub(super) fn check_static_term(&mut self, term: &Term, span: Span, what: &str) -> bool {
        let mut fluents = Vec::new();
        fluents_of_term(term, &mut fluents);
        self.check_static(&fluents, span, what)
    }

    fn check_static(&mut self, fluents: &[FluentId], span: Span, what: &str) -> bool {
        let changing = fluents.iter().find_map(|fluent| {
            let name = &self.cx.symbols.fluents[fluent.index()].name;
            if self.cx.symbols.is_derived(*fluent) {
                let at = self.cx.symbols.fluent_info[fluent.index()].callee.place;
                return Some((name.clone(), at, "it is derived"));
            }
            let at = self.cx.usage.written.get(&name.to_ascii_lowercase())?;
            Some((name.clone(), *at, "it is changed here"))
        });
        let Some((name, at, how)) = changing else {
            return true;
        };
        let place = self.place(span);
        self.push(
            problem(
                Code::NotStatic,
                format!("{what} must be known before the first step, but `{name}` changes"),
                place,
                "not fixed",
            )
            .secondary(at.source, at.span, how)
            .help("use constants, parameters, and fluents that no effect changes"),
        );
        false
    }
}

fn difference(operands: Vec<Expr>) -> Expr {
    let mut operands = operands.into_iter();
    let zero = || Expr::Constant(0);
    Expr::Subtract(
        Box::new(operands.next().unwrap_or_else(zero)),
        Box::new(operands.next().unwrap_or_else(zero)),
    )
}
