//! The range of the costs that a task can record, by interval arithmetic.
//!
//! Grounding refuses a task in which the cost of one timestep may not fit into 64 bits, so that no
//! sum within a step saturates. Search in order of cost needs costs that never fall: a negative cost
//! may lie beyond the part that it would explore.

use super::cond::Expr;
use super::effect::Effect;
use super::{Operator, Phase, Task, TurnMode};

/// An interval, bounds included.
pub type Range = (i64, i64);

/// A cost of a task that 64 bits may not hold.
#[derive(Clone, Copy, Debug)]
pub enum Inexact<'t> {
    /// The cost of one operator.
    Operator(&'t Operator),
    /// The cost of one timestep.
    Step,
    /// A sum of costs of both signs over all timesteps.
    Sum {
        /// The horizon.
        steps: u32,
    },
}

/// Checks that the costs of a task are summed exactly: those of one timestep and, where costs of both
/// signs could cancel, those of all timesteps to the horizon. Without a horizon no search trusts costs
/// of both signs, and a sum of costs of one sign never comes back from the limits of 64 bits: it is
/// recognised where it is complete.
///
/// # Errors
///
/// [`Inexact`] names what may add up to more than 64 bits hold.
pub fn check(task: &Task) -> Result<(), Inexact<'_>> {
    if let Some(operator) = (task.operators.iter()).find(|one| of_operator(task, one).is_none()) {
        return Err(Inexact::Operator(operator));
    }
    let (least, most) = of_step(task).ok_or(Inexact::Step)?;
    let Some(steps) = task.horizon else {
        return Ok(());
    };
    let largest = least.unsigned_abs().max(most.unsigned_abs());
    let sum = u128::from(largest) * u128::from(steps);
    if least < 0 && most > 0 && sum > i64::MAX as u128 {
        return Err(Inexact::Sum { steps });
    }
    Ok(())
}

/// A range that holds every single cost that some effect of the task adds, and 0; `None` where it does
/// not fit.
pub fn of_task(task: &Task) -> Option<Range> {
    let operators = task.operators.iter().map(|operator| &operator.effect);
    operators
        .chain(effects_of_ticks(task))
        .map(|effect| of_effect(task, effect, |left, right| Some(join(left, right))))
        .try_fold((0, 0), |all, one| Some(join(all, one?)))
}

/// The range of one execution of an operator; `None` where that does not fit.
pub fn of_operator(task: &Task, operator: &Operator) -> Option<Range> {
    of_effect(task, &operator.effect, add)
}

/// The range of one execution of an effect; `None` where that does not fit.
pub fn of_once(task: &Task, effect: &Effect) -> Option<Range> {
    of_effect(task, effect, add)
}

/// The range of what agents choose in one timestep; `None` where that does not fit.
pub(super) fn of_choices(task: &Task) -> Option<Range> {
    let agents = task.agents.iter().map(|agent| {
        let mut operators = agent.operators.iter().map(|&id| task.operator(id));
        operators.try_fold((0, 0), |all, one| Some(join(all, of_operator(task, one)?)))
    });
    let agents: Vec<Range> = agents.collect::<Option<_>>()?;
    match task.turns {
        TurnMode::Sequential | TurnMode::Simultaneous => agents.into_iter().try_fold((0, 0), add),
        TurnMode::Alternate => Some(agents.into_iter().fold((0, 0), join)),
    }
}

/// The range of one timestep; `None` where that does not fit.
fn of_step(task: &Task) -> Option<Range> {
    effects_of_ticks(task)
        .map(|effect| Some(join((0, 0), of_once(task, effect)?)))
        .try_fold(of_choices(task)?, |all, one| add(all, one?))
}

/// The effects of timers and of phases.
fn effects_of_ticks(task: &Task) -> impl Iterator<Item = &Effect> {
    let timers = task.timers.iter().map(|timer| &timer.effect);
    timers.chain(task.tick.iter().filter_map(|phase| match phase {
        Phase::Timers => None,
        Phase::Effect { effect, .. } => Some(effect),
    }))
}

/// The sum of two ranges; `None` where it does not fit.
pub fn add(left: Range, right: Range) -> Option<Range> {
    Some((left.0.checked_add(right.0)?, left.1.checked_add(right.1)?))
}

/// The least range that holds two.
pub fn join(left: Range, right: Range) -> Range {
    (left.0.min(right.0), left.1.max(right.1))
}

fn product(left: Range, right: Range) -> Option<Range> {
    let first = left.0.checked_mul(right.0)?;
    [(left.0, right.1), (left.1, right.0), (left.1, right.1)]
        .into_iter()
        .try_fold((first, first), |range, (left, right)| {
            let corner = left.checked_mul(right)?;
            Some(join(range, (corner, corner)))
        })
}

/// The costs of an effect; `together` gives what those of parts that all happen come to.
fn of_effect(
    task: &Task,
    effect: &Effect,
    together: fn(Range, Range) -> Option<Range>,
) -> Option<Range> {
    let of = |effect: &Effect| of_effect(task, effect, together);
    let one_of = |ranges: &mut dyn Iterator<Item = Option<Range>>| {
        let ranges = ranges.collect::<Option<Vec<Range>>>()?;
        Some(ranges.into_iter().reduce(join).unwrap_or((0, 0)))
    };
    match effect {
        Effect::Nothing
        | Effect::Set(_)
        | Effect::Clear(..)
        | Effect::Number(..)
        | Effect::Increase(..)
        | Effect::Copy(..)
        | Effect::Enlist(_)
        | Effect::Log(_)
        | Effect::Total(..) => Some((0, 0)),
        Effect::Block { effects, .. } | Effect::Seq(effects) => {
            let mut ranges = effects.iter().map(of);
            ranges.try_fold((0, 0), |all, one| together(all, one?))
        }
        Effect::Switch(_, effects) => one_of(&mut effects.iter().map(of)),
        Effect::When(_, effect) => Some(join((0, 0), of(effect)?)),
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

/// A range that holds the value of an expression in every state; `None` where a part of it may not fit.
pub fn of_expr(task: &Task, expr: &Expr) -> Option<Range> {
    let of = |expr: &Expr| of_expr(task, expr);
    let all = |exprs: &[Expr]| exprs.iter().map(of).collect::<Option<Vec<Range>>>();
    Some(match expr {
        Expr::Constant(constant) => (*constant, *constant),
        Expr::Variable(variable) => {
            let variable = &task.variables[variable.index()];
            let most = i64::from(variable.size) - 1;
            (variable.low(), variable.low().checked_add(most)?)
        }
        Expr::Table(_, table) => {
            let least = table.iter().copied().min().unwrap_or(0);
            (least, table.iter().copied().max().unwrap_or(0))
        }
        Expr::Truth(_) => (0, 1),
        Expr::Add(exprs) => all(exprs)?.into_iter().try_fold((0, 0), add)?,
        Expr::Subtract(pair) => {
            let (left, right) = (of(&pair[0])?, of(&pair[1])?);
            let (least, most) = (left.0.checked_sub(right.1), left.1.checked_sub(right.0));
            (least?, most?)
        }
        Expr::Multiply(exprs) => all(exprs)?.into_iter().try_fold((1, 1), product)?,
        Expr::Abs(expr) => {
            let (least, most) = of(expr)?;
            let (left, right) = (least.checked_abs()?, most.checked_abs()?);
            if least <= 0 && most >= 0 {
                (0, left.max(right))
            } else {
                (left.min(right), left.max(right))
            }
        }
        Expr::Min(exprs) => (all(exprs)?.into_iter())
            .reduce(|left, right| (left.0.min(right.0), left.1.min(right.1)))
            .unwrap_or((0, 0)),
        Expr::Max(exprs) => (all(exprs)?.into_iter())
            .reduce(|left, right| (left.0.max(right.0), left.1.max(right.1)))
            .unwrap_or((0, 0)),
        Expr::Case(cases) => (cases.iter().map(|(_, expr)| of(expr)))
            .try_fold((0, 0), |range, one| Some(join(range, one?)))?,
    })
}
