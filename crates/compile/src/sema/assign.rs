//! Changes of the values of functions: objects, bounded numbers, costs.

use super::body::Body;
use super::costs::Role;
use super::model::{AssignOp, Effect, Expr, FluentId, Range, Term};
use super::report::problem;
use super::scaled::Scaled;
use super::terms::ObjectTerm;
use brigade_diagnostics::Code;
use brigade_diagnostics::span::Span;
use brigade_syntax::ast;
use brigade_syntax::printer::print_term;

impl Body<'_, '_> {
    /// `assign`, `increase` and their relatives.
    pub(super) fn assign(
        &mut self,
        op: AssignOp,
        target: &ast::Term,
        value: &ast::Term,
        span: Span,
    ) -> Effect {
        // The reader reports any other target.
        let Some((name, args)) = target.function() else {
            return Effect::NOTHING;
        };
        let predicate = self.cx.symbols.fluent(name);
        if let Some(fluent) = predicate.filter(|&fluent| self.cx.symbols.is_predicate(fluent)) {
            self.unchecked_arguments(args);
            let is_truth = matches!(value, ast::Term::Name(name) if ["true", "false"].contains(&&*name.folded()));
            if !is_truth {
                self.unchecked_arguments(std::slice::from_ref(value));
            }
            if self.cx.is_of_truth() {
                return Effect::NOTHING;
            }
            let info = &self.cx.symbols.fluent_info[fluent.index()];
            let at = info.callee.place;
            let diagnostic = problem(
                Code::PredicateAsFunction,
                format!(
                    "`{}` is a predicate and cannot be assigned a value",
                    name.text
                ),
                self.place(name.span),
                "a function is needed here",
            )
            .secondary(at.source, at.span, "declared as a predicate here")
            .help(format!(
                "write `{0}` to make it true and `(not {0})` to make it false",
                print_term(target)
            ));
            self.push(diagnostic);
            return Effect::NOTHING;
        }
        let Some(fluent) = self.function(name) else {
            self.unchecked_arguments(args);
            return Effect::NOTHING;
        };
        if self.lacks_its_type(target, value) {
            return Effect::NOTHING;
        }
        let args = self.fluent_arguments(fluent, args, target.span());
        match self.cx.symbols.fluents[fluent.index()].range.clone() {
            Range::Boolean => Effect::NOTHING,
            Range::Object(types) => {
                if op != AssignOp::Assign {
                    let place = self.place(span);
                    self.push(
                        problem(
                            Code::NotANumber,
                            format!("the value of `{}` is an object", name.text),
                            place,
                            "only numbers increase and decrease",
                        )
                        .help("use `assign`"),
                    );
                    return Effect::NOTHING;
                }
                let Some(given) = self.object_term(value) else {
                    return Effect::NOTHING;
                };
                if !self.fits(&given, &types) {
                    self.wrong_value(fluent, &given, value.span());
                }
                args.map_or(Effect::NOTHING, |args| {
                    Effect::Assign(fluent, args, given.term)
                })
            }
            Range::Integer { lo, hi } => {
                let given = self.whole_number(value);
                if op == AssignOp::ScaleDown {
                    let place = self.place(span);
                    self.push(
                        problem(
                            Code::NotSupported,
                            "`scale-down` of a bounded integer is not supported yet",
                            place,
                            "not supported",
                        )
                        .help("`assign` it a value that is computed otherwise"),
                    );
                }
                let (Some(args), Some(given)) = (args, given) else {
                    return Effect::NOTHING;
                };
                if let (AssignOp::Assign, Expr::Constant(number)) = (op, &given)
                    && !(lo..=hi).contains(number)
                {
                    let place = self.place(value.span());
                    self.push(
                        problem(
                            Code::ClampedValue,
                            format!("{number} is outside of `(int {lo} {hi})`"),
                            place,
                            format!("becomes {}", number.clamp(&lo, &hi)),
                        )
                        .help(format!("widen the range of `{}`", name.text)),
                    );
                }
                Effect::Update(op, fluent, args, given)
            }
            Range::Number => self.change_number(op, (fluent, args), value, span),
        }
    }

    pub(super) fn wrong_value(&mut self, fluent: FluentId, given: &ObjectTerm, span: Span) {
        let place = self.place(span);
        let Range::Object(types) = self.cx.symbols.fluents[fluent.index()].range.clone() else {
            return;
        };
        if let Term::Object(object) = given.term
            && self.cx.is_explained(object, place)
        {
            return;
        }
        if self.cx.is_of_wrong_types(&given.types, &types, place) {
            return;
        }
        let symbols = &self.cx.symbols;
        let declared = &symbols.fluents[fluent.index()];
        let info = &symbols.fluent_info[fluent.index()];
        let diagnostic = problem(
            Code::ArgumentType,
            format!(
                "the value of `{}` has type `{}`",
                declared.name,
                symbols.type_names(&types)
            ),
            place,
            format!("this has type `{}`", symbols.type_names(&given.types)),
        )
        .secondary(
            info.callee.place.source,
            info.callee.place.span,
            "declared here",
        )
        .help("give an object of that type, or `undefined`");
        self.push(diagnostic);
    }

    /// A change of an unbounded number: it is a cost, or nothing ever reads it.
    fn change_number(
        &mut self,
        op: AssignOp,
        (fluent, args): (FluentId, Option<Vec<Term>>),
        value: &ast::Term,
        span: Span,
    ) -> Effect {
        let given = self.number(value);
        let total = self.total(op, fluent, args, given.as_ref());
        let Role::Cost(weight) = self.cx.costs.role(fluent) else {
            return total;
        };
        let name = self.cx.symbols.fluents[fluent.index()].name.clone();
        let place = self.place(span);
        if op != AssignOp::Increase {
            self.push(
                problem(
                    Code::CostMisused,
                    format!("the cost `{name}` can only be increased"),
                    place,
                    "not an `increase`",
                )
                .help("write `(increase …)`, or do not optimise this function in `:metric`"),
            );
            return Effect::NOTHING;
        }
        let Some(given) = given else {
            return Effect::NOTHING;
        };
        if given.constant().is_some_and(|value| value < 0) {
            self.push(
                problem(
                    Code::CostMisused,
                    format!("the cost `{name}` cannot be increased by a negative number"),
                    place,
                    "negative",
                )
                .help("a cost never shrinks: add a constant to all costs, or maximise instead"),
            );
            return Effect::NOTHING;
        }
        let Some(cost) = Scaled::product(vec![weight, given]) else {
            self.too_large(span);
            return Effect::NOTHING;
        };
        Effect::And(vec![self.cx.costs.effect(cost), total])
    }

    /// The effect that adds a change to its total; none if the change sets the number to a value.
    fn total(
        &mut self,
        op: AssignOp,
        fluent: FluentId,
        args: Option<Vec<Term>>,
        given: Option<&Scaled>,
    ) -> Effect {
        let amount = match op {
            AssignOp::Increase => given.cloned(),
            AssignOp::Decrease => {
                let minus = Scaled::thousandths(-1000);
                given.and_then(|given| Scaled::product(vec![minus, given.clone()]))
            }
            AssignOp::Assign | AssignOp::ScaleUp | AssignOp::ScaleDown => None,
        };
        let totals = &mut self.cx.costs.totals;
        let Some((amount, args)) = amount.zip(args) else {
            totals.assigned(fluent);
            return Effect::NOTHING;
        };
        totals.effect(fluent, args, amount)
    }
}
