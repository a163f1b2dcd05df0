//! Computes the extremes of numbers, where these are why a comparison never holds.

use super::schema::{At, free_in};
use super::solver::Solver;
use super::writers::known;
use brigade_compile::sema::model::{Comparison, Cond, Expr, FluentId, Term, Variable};

/// For how many objects one number is looked at.
const LOOKED_AT: usize = 1_000;

/// A side of a comparison.
struct Side<'m> {
    expr: &'m Expr,
    /// Over all bindings.
    bounds: (i64, i64),
}

/// The reason why a comparison never holds.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    /// `(load ?p)` is never more than 2 here.
    pub(super) said: String,
    /// A number among them that is 0 because nothing gives it a value: `(room pot)`.
    pub(super) not_given: Option<(FluentId, String)>,
}

impl Numbers {
    /// Advice.
    pub(super) fn help(&self) -> String {
        match &self.not_given {
            Some((_, number)) => format!(
                "give `{number}` a value in `:init`: no effect changes it, and without a value it is 0"
            ),
            None => "change the condition, or the facts and effects that it reads".to_owned(),
        }
    }
}

/// Returns the reason why a comparison never holds, where its numbers never get so great or small.
pub(super) fn out_of_bounds<'m>(
    solver: &mut Solver<'_, 'm>,
    cond: &'m Cond,
    variables: &'m [Variable],
    at: &At,
) -> Option<Numbers> {
    let (is_negated, cond) = match cond {
        Cond::Not(cond) => (true, &**cond),
        cond => (false, cond),
    };
    let Cond::Compare(comparison, left, right) = cond else {
        return None;
    };
    let mut side = |expr| {
        let bounds = bounds(solver, expr, variables, at)?;
        Some(Side { expr, bounds })
    };
    let (left, right) = (side(left)?, side(right)?);
    let is_below = |low: &Side<'_>, high: &Side<'_>| low.bounds.1 < high.bounds.0;
    let is_at_most = |low: &Side<'_>, high: &Side<'_>| low.bounds.1 <= high.bounds.0;
    let (low, high) = match (comparison, is_negated) {
        (Comparison::Less, false) | (Comparison::GreaterOrEqual, true) => {
            is_at_most(&right, &left).then_some((right, left))
        }
        (Comparison::LessOrEqual, false) | (Comparison::Greater, true) => {
            is_below(&right, &left).then_some((right, left))
        }
        (Comparison::Greater, false) | (Comparison::LessOrEqual, true) => {
            is_at_most(&left, &right).then_some((left, right))
        }
        (Comparison::GreaterOrEqual, false) | (Comparison::Less, true) => {
            is_below(&left, &right).then_some((left, right))
        }
        (Comparison::Equal, false) if is_below(&left, &right) => Some((left, right)),
        (Comparison::Equal, false) if is_below(&right, &left) => Some((right, left)),
        (Comparison::Equal, _) => None,
    }?;
    let says = |side: &Side<'m>, how: &str, number: i64| {
        let text = solver.relaxed.number_text(side.expr, variables, at);
        let is_plain = matches!(side.expr, Expr::Constant(_));
        let (least, most) = side.bounds;
        (!is_plain).then(|| {
            if least == most {
                format!("`{text}` is {number}")
            } else {
                format!("`{text}` is never {how} than {number}")
            }
        })
    };
    let said = [
        says(&low, "more", low.bounds.1),
        says(&high, "less", high.bounds.0),
    ];
    let said: Vec<String> = said.into_iter().flatten().collect();
    if said.is_empty() {
        return None;
    }
    let mut not_given = [&low, &high]
        .into_iter()
        .filter(|side| side.bounds == (0, 0))
        .filter_map(|side| {
            let text = || solver.relaxed.number_text(side.expr, variables, at);
            Some((not_given(solver, side.expr, at)?, text()))
        });
    Some(Numbers {
        said: format!("{} here", said.join(" and ")),
        not_given: not_given.next(),
    })
}

/// The function that a number is the value of, where no effect changes it and no fact gives it.
fn not_given(solver: &Solver<'_, '_>, expr: &Expr, at: &At) -> Option<FluentId> {
    let Expr::Fluent(fluent, args) = expr else {
        return None;
    };
    let is_static = !solver.relaxed.changes(*fluent);
    (is_static && !is_given(solver, *fluent, args, at)).then_some(*fluent)
}

fn is_given(solver: &Solver<'_, '_>, fluent: FluentId, args: &[Term], at: &At) -> bool {
    let mut facts = solver.model.init.iter();
    facts.any(|fact| {
        let mut args = args.iter().zip(&fact.args);
        fact.fluent == fluent
            && args.all(|(term, object)| known(term, at).is_none_or(|known| known == *object))
    })
}

/// The least and the greatest value of a number, for all objects that its variables may stand for.
fn bounds<'m>(
    solver: &mut Solver<'_, 'm>,
    expr: &'m Expr,
    variables: &'m [Variable],
    at: &At,
) -> Option<(i64, i64)> {
    let mut all = vec![at.clone()];
    all[0].resize(variables.len(), None);
    for variable in free_in(expr) {
        if all[0][variable.index()].is_some() {
            continue;
        }
        let extent = solver.extent(&variables[variable.index()].types);
        if all.len().saturating_mul(extent.len()) > LOOKED_AT {
            return None;
        }
        let each = all.iter().flat_map(|at| {
            extent.iter().map(move |object| {
                let mut at = at.clone();
                at[variable.index()] = Some(*object);
                at
            })
        });
        all = each.collect();
        all.first()?;
    }
    let mut joined: Option<(i64, i64)> = None;
    for at in all {
        let (low, high) = solver.relaxed.bounds(expr, variables, &at)?;
        joined = Some(joined.map_or((low, high), |(least, most)| {
            (least.min(low), most.max(high))
        }));
    }
    joined
}
