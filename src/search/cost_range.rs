//! The range of the costs that a task can record, by interval arithmetic.
//!
//! Search in order of cost needs costs that never fall. Whether they may is decided before it starts:
//! a negative cost may lie beyond the part that it would explore.

use crate::task::cond::Expr;
use crate::task::effect::Effect;
use crate::task::{Operator, Phase, Task};

/// An interval, bounds included.
type Range = (i64, i64);

/// A range that holds every single cost that some effect of the task adds, and 0.
pub(super) fn of_task(task: &Task) -> Range {
    let operators = task.operators.iter().map(|operator| &operator.effect);
    let timers = task.timers.iter().map(|timer| &timer.effect);
    let events = task.tick.iter().filter_map(|phase| match phase {
        Phase::Timers => None,
        Phase::Effect { effect, .. } => Some(effect),
    });
    operators
        .chain(timers)
        .chain(events)
        .map(|effect| of_effect(task, effect, join))
        .fold((0, 0), join)
}

/// What one execution of an operator adds up to.
pub(super) fn of_operator(task: &Task, operator: &Operator) -> Range {
    of_effect(task, &operator.effect, add)
}

fn add(left: Range, right: Range) -> Range {
    (
        left.0.saturating_add(right.0),
        left.1.saturating_add(right.1),
    )
}

fn join(left: Range, right: Range) -> Range {
    (left.0.min(right.0), left.1.max(right.1))
}

/// The costs of an effect; `together` says what those of parts that all happen come to.
fn of_effect(task: &Task, effect: &Effect, together: fn(Range, Range) -> Range) -> Range {
    let of = |effect: &Effect| of_effect(task, effect, together);
    let one_of = |ranges: &mut dyn Iterator<Item = Range>| ranges.reduce(join).unwrap_or((0, 0));
    match effect {
        Effect::Nothing
        | Effect::Write(_)
        | Effect::Clear(..)
        | Effect::Number(..)
        | Effect::Increase(..)
        | Effect::Copy(..)
        | Effect::Enlist(_)
        | Effect::Log(_) => (0, 0),
        Effect::Block { effects, .. } | Effect::Seq(effects) => {
            effects.iter().map(of).fold((0, 0), together)
        }
        Effect::Switch(_, effects) => one_of(&mut effects.iter().map(of)),
        Effect::When(_, effect) => join((0, 0), of(effect)),
        Effect::Case(cases, otherwise) => {
            let effects = cases.iter().map(|(_, effect)| effect);
            one_of(&mut effects.chain(std::iter::once(&**otherwise)).map(of))
        }
        Effect::Choose(candidates, otherwise) => {
            let effects = candidates.iter().map(|candidate| &candidate.effect);
            one_of(&mut effects.chain(std::iter::once(&**otherwise)).map(of))
        }
        Effect::Cost(expr) => of_expr(task, expr),
    }
}

/// A range that holds the value of an expression in every state.
fn of_expr(task: &Task, expr: &Expr) -> Range {
    let of = |expr: &Expr| of_expr(task, expr);
    match expr {
        Expr::Constant(constant) => (*constant, *constant),
        Expr::Variable(variable) => {
            let variable = &task.variables[variable.index()];
            (
                variable.low(),
                variable.low() + i64::from(variable.size) - 1,
            )
        }
        Expr::Table(_, table) => {
            let least = table.iter().copied().min().unwrap_or(0);
            (least, table.iter().copied().max().unwrap_or(0))
        }
        Expr::Truth(_) => (0, 1),
        Expr::Add(exprs) => exprs.iter().map(of).fold((0, 0), |sum, term| {
            (sum.0.saturating_add(term.0), sum.1.saturating_add(term.1))
        }),
        Expr::Subtract(pair) => {
            let (left, right) = (of(&pair[0]), of(&pair[1]));
            (
                left.0.saturating_sub(right.1),
                left.1.saturating_sub(right.0),
            )
        }
        Expr::Multiply(exprs) => exprs.iter().map(of).fold((1, 1), |product, factor| {
            let corners = [
                product.0.saturating_mul(factor.0),
                product.0.saturating_mul(factor.1),
                product.1.saturating_mul(factor.0),
                product.1.saturating_mul(factor.1),
            ];
            corners
                .iter()
                .fold((corners[0], corners[0]), |range, &corner| {
                    join(range, (corner, corner))
                })
        }),
        Expr::Abs(expr) => {
            let (least, greatest) = of(expr);
            let (left, right) = (least.saturating_abs(), greatest.saturating_abs());
            if least <= 0 && greatest >= 0 {
                (0, left.max(right))
            } else {
                (left.min(right), left.max(right))
            }
        }
        Expr::Min(exprs) => exprs
            .iter()
            .map(of)
            .reduce(|left, right| (left.0.min(right.0), left.1.min(right.1)))
            .unwrap_or((0, 0)),
        Expr::Max(exprs) => exprs
            .iter()
            .map(of)
            .reduce(|left, right| (left.0.max(right.0), left.1.max(right.1)))
            .unwrap_or((0, 0)),
        Expr::Case(cases) => cases.iter().map(|(_, expr)| of(expr)).fold((0, 0), join),
    }
}
