//! The cases of all parts of a step, with what operators cost.

use crate::heuristics::potentials::builder::Builder;
use crate::heuristics::potentials::transitions::Case;

/// Tasks with an operator that costs more have no patterns.
const MOST_COST: u32 = 1000;

/// A case, and what it costs if it is an operator.
pub(crate) struct Priced {
    pub(crate) case: Case,
    pub(crate) cost: Option<u32>,
}

/// The cases of all parts of a step, of variables alone, with what those of operators cost; `None`
/// if one earns something.
pub(crate) fn cases(builder: &Builder) -> Option<Vec<Priced>> {
    let first_group = builder.model.domains.len();
    let by_makespan = builder.measure.is_by_makespan();
    let plain = |case: &Case| {
        let mut case = case.clone();
        case.written.retain(|it| it.variable < first_group);
        case.kept.retain(|it| it.0 < first_group);
        case
    };
    let operators = builder.cases.agents.iter().flatten().map(|case| {
        let cost = if by_makespan { 1 } else { case.cost };
        Some(Priced {
            case: plain(case),
            cost: Some(u32::try_from(cost).ok().filter(|&cost| cost <= MOST_COST)?),
        })
    });
    let ticks = builder.cases.tick.iter().flatten().map(|case| {
        let may_be = by_makespan || case.cost >= 0;
        may_be.then(|| Priced {
            case: plain(case),
            cost: None,
        })
    });
    operators.chain(ticks).collect()
}
