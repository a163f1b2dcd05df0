//! Counters that a block takes from: proofs that it never takes more than there is.

use brigade_task::VarId;
use brigade_task::cond::{Comparison, Cond, Expr};
use brigade_task::effect::Effect;
use brigade_task::variable_set::VariableSet;

/// The conditions of a part of a block, and its effects.
pub(super) type Part<'e> = (Vec<&'e Cond>, Vec<&'e Effect>);

/// Returns true if what the parts of a block take from a counter together is never more than it holds.
///
/// That is so where they have an order in which each asks for more than all before it take.
pub(super) fn stays_above(parts: &[Part], variable: u32) -> bool {
    let takes = |effects: &[&Effect]| -> Option<i64> {
        effects.iter().try_fold(0_i64, |sum, effect| match effect {
            Effect::Increase(of, Expr::Constant(amount)) if of.0 == variable && *amount <= 0 => {
                sum.checked_sub(*amount)
            }
            effect => {
                let mut written = VariableSet::default();
                effect.writes(&mut written);
                (!written.contains(VarId(variable))).then_some(sum)
            }
        })
    };
    let mut taking: Vec<(&Vec<&Cond>, i64)> = Vec::new();
    for (conds, effects) in parts {
        match takes(effects) {
            Some(0) => {}
            Some(amount) => taking.push((conds, amount)),
            None => return false,
        }
    }
    let asked = |conds: &[&Cond]| -> Option<(i64, Vec<Cond>)> {
        let conds = Cond::all(conds.iter().map(|&cond| cond.clone()));
        let parts = match conds {
            Cond::And(parts) => parts.into_vec(),
            other => vec![other],
        };
        parts.iter().find_map(|part| asked_of(part, variable))
    };
    let Some(mut asked): Option<Vec<_>> = (taking.iter())
        .map(|(conds, amount)| Some((asked(conds)?, *conds, *amount)))
        .collect()
    else {
        return false;
    };
    asked.sort_by_key(|((_, truths), ..)| truths.len());
    (0..asked.len()).all(|index| {
        let ((least, truths), _, amount) = &asked[index];
        let mut left = truths.clone();
        let before_are_counted = asked[..index].iter().all(|(_, conds, amount)| {
            let implied = left
                .iter()
                .position(|truth| conds.iter().any(|cond| implies(cond, truth)));
            *amount == 1 && implied.map(|place| left.swap_remove(place)).is_some()
        });
        before_are_counted && amount <= least
    })
}

/// The margin by which a condition asks a counter to exceed the number of some conditions that hold.
fn asked_of(cond: &Cond, variable: u32) -> Option<(i64, Vec<Cond>)> {
    let Cond::Compare(comparison, left, right) = cond else {
        return None;
    };
    let is_own = |expr: &Expr| matches!(expr, Expr::Variable(id) if id.0 == variable);
    let (less, more) = match comparison {
        Comparison::Less if is_own(right) => (left, 1),
        Comparison::LessOrEqual if is_own(right) => (left, 0),
        Comparison::Greater if is_own(left) => (right, 1),
        Comparison::GreaterOrEqual if is_own(left) => (right, 0),
        _ => return None,
    };
    let terms = match &**less {
        Expr::Add(terms) => terms.to_vec(),
        other => vec![other.clone()],
    };
    let mut least = more;
    let mut truths = Vec::new();
    for term in terms {
        match term {
            Expr::Constant(constant) => least += constant,
            Expr::Truth(cond) => truths.push(*cond),
            _ => return None,
        }
    }
    Some((least, truths))
}

/// Returns true if a condition is known to imply another.
fn implies(cond: &Cond, other: &Cond) -> bool {
    let facts = |cond: &Cond| match cond {
        Cond::Fact(fact) => vec![*fact],
        Cond::Facts(facts) => facts.to_vec(),
        _ => Vec::new(),
    };
    let needed = facts(other);
    let holds = |cond: &Cond| {
        let own = facts(cond);
        !needed.is_empty() && needed.iter().all(|fact| own.contains(fact))
    };
    cond == other
        || match cond {
            Cond::And(parts) => parts.iter().any(holds),
            cond => holds(cond),
        }
}
