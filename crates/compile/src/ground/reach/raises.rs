//! Upper bounds of numbers that conditions keep below a bound.
//!
//! A number that only grows where a condition asks it to be below a bound never exceeds that bound by more than the sum
//! that is added at once. *At once* is everything between the reading of the condition and the change: one effect with
//! all its parts; for an event, all its instances; where agents act simultaneously, one operator or policy of each
//! agent. Example: where each of two agents adds 1 while the number is below 3, it is at most 4.
//!
//! Let `from` be the greatest number at which such conditions hold, or that is assigned; `added` the sum of what is
//! added at once. Whenever the number is raised, it was at most `from` before, at the reading of the condition or after
//! an assignment, and since then at most `added` came to it. So it never exceeds the greater of its initial value and
//! `from + added`.

use std::collections::BTreeMap;

use crate::ground::formula::{Cond, Effect, Expr};
use crate::ground::slots::{SlotId, SlotRange};
use crate::ground::values::SlotValues;
use brigade_task::cond::Comparison;

/// The author of a change, which decides what else happens at once with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum By {
    /// Nothing else.
    Itself,
    /// The other instances of this event.
    Event(usize),
    /// The other agents in the same step.
    Agent(u16),
}

/// The raise of one number at once.
#[derive(Clone, Copy, Debug, Default)]
struct Raise {
    /// The greatest number from which it is raised, or which it is set to.
    from: Option<i64>,
    added: i64,
}

impl Raise {
    fn raised_from(&mut self, most: i64) {
        self.from = self.from.max(Some(most));
    }
}

/// The raises that happen at once with others, so far.
#[derive(Debug, Default)]
pub(super) struct Raises {
    /// By instances of an event: all of them.
    events: BTreeMap<(usize, SlotId), Raise>,
    /// By the agents in one step: the most that each can add.
    agents: BTreeMap<SlotId, (Raise, BTreeMap<u16, i64>)>,
}

impl Raises {
    /// The numbers that an effect can raise, each with the most that it can be raised to. `cond` is the
    /// condition of the effect.
    pub(super) fn raised(
        &mut self,
        by: By,
        cond: Option<&Cond>,
        effect: &Effect,
        values: &SlotValues,
    ) -> Vec<(SlotId, i64)> {
        let mut survey = Survey {
            values,
            bounds: Vec::new(),
            found: BTreeMap::new(),
        };
        if let Some(cond) = cond {
            survey.assume(cond);
        }
        survey.effect(effect);
        let raised = survey.found.into_iter().filter_map(|(slot, raise)| {
            let most = self.at_once(by, slot, raise);
            Some((slot, most.from?.saturating_add(most.added)))
        });
        raised.collect()
    }

    /// A raise with all that is raised at once with it.
    fn at_once(&mut self, by: By, slot: SlotId, raise: Raise) -> Raise {
        match by {
            By::Itself => raise,
            By::Event(event) => {
                let all = self.events.entry((event, slot)).or_default();
                all.from = all.from.max(raise.from);
                all.added = all.added.saturating_add(raise.added);
                *all
            }
            By::Agent(agent) => {
                let (all, agents) = self.agents.entry(slot).or_default();
                let most = agents.entry(agent).or_default();
                *most = raise.added.max(*most);
                all.from = all.from.max(raise.from);
                all.added = agents.values().copied().fold(0, i64::saturating_add);
                *all
            }
        }
    }
}

/// The raises of numbers by an effect, over all that it may do.
struct Survey<'v> {
    values: &'v SlotValues,
    /// Upper bounds of numbers by the conditions around.
    bounds: Vec<(SlotId, i64)>,
    found: BTreeMap<SlotId, Raise>,
}

impl Survey<'_> {
    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Nothing
            | Effect::Copy(..)
            | Effect::Enlist(_)
            | Effect::Log(_)
            | Effect::Cost(_)
            | Effect::Total(..) => {}
            Effect::Set(slot, code) => {
                if let SlotRange::Integer { lo, .. } = self.values.ranges[slot.index()] {
                    self.raise(*slot).raised_from(lo + i64::from(*code));
                }
            }
            Effect::Increase(slot, by) => self.increase(*slot, self.values.lasting_bounds(by).1),
            Effect::Number(slot, value) => {
                if let Some(added) = self.added(*slot, value) {
                    self.increase(*slot, added);
                } else {
                    let (_, most) = self.values.lasting_bounds(value);
                    self.raise(*slot).raised_from(most);
                }
            }
            Effect::Block(effects) | Effect::Seq(effects) | Effect::Switch(_, effects) => {
                for effect in effects {
                    self.effect(effect);
                }
            }
            Effect::When(cond, effect) => self.under(cond, effect),
            Effect::Case(cases, otherwise) => {
                for (cond, effect) in cases {
                    self.under(cond, effect);
                }
                self.effect(otherwise);
            }
            Effect::Choose(candidates, otherwise) => {
                for candidate in candidates {
                    self.under(&candidate.cond, &candidate.effect);
                }
                self.effect(otherwise);
            }
        }
    }

    fn raise(&mut self, slot: SlotId) -> &mut Raise {
        self.found.entry(slot).or_default()
    }

    fn increase(&mut self, slot: SlotId, by: i64) {
        if by <= 0 {
            return;
        }
        let bounds = self.bounds.iter().filter(|(bound, _)| *bound == slot);
        let most = bounds.map(|(_, most)| *most).min();
        let raise = self.raise(slot);
        raise.added = raise.added.saturating_add(by);
        raise.raised_from(most.unwrap_or(i64::MAX));
    }

    /// The most that a value is above the number in the slot itself, if it is a sum with that.
    fn added(&self, slot: SlotId, value: &Expr) -> Option<i64> {
        let mut terms = self.terms(&[(true, value)])?;
        let own = |term: &Term<'_>| term.is_added && *term.expr == Expr::Slot(slot);
        let at = terms.iter().position(own)?;
        terms.swap_remove(at);
        Some(terms.iter().map(Term::most).sum())
    }

    /// The terms of a sum, each expression with whether it is added. None if the sum may saturate.
    fn terms<'e>(&self, sum: &[(bool, &'e Expr)]) -> Option<Vec<Term<'e>>> {
        let mut terms = Vec::new();
        for (is_added, expr) in sum {
            flatten(expr, *is_added, &mut |is_added, expr| {
                terms.push(Term {
                    is_added,
                    expr,
                    bounds: self.values.lasting_bounds(expr),
                });
            });
        }
        let largest = |term: &Term<'_>| {
            let (least, most) = term.bounds;
            i128::from(least).abs().max(i128::from(most).abs())
        };
        let all: i128 = terms.iter().map(largest).sum();
        (all < i128::from(i64::MAX)).then_some(terms)
    }

    fn under(&mut self, cond: &Cond, effect: &Effect) {
        let before = self.bounds.len();
        self.assume(cond);
        self.effect(effect);
        self.bounds.truncate(before);
    }

    /// Takes bounds of numbers from a condition that holds.
    fn assume(&mut self, cond: &Cond) {
        match cond {
            Cond::And(conds) => {
                for cond in conds {
                    self.assume(cond);
                }
            }
            Cond::Holds(slot, code) => {
                if let SlotRange::Integer { lo, .. } = self.values.ranges[slot.index()] {
                    self.bounds.push((*slot, lo + i64::from(*code)));
                }
            }
            Cond::Compare(comparison, pair) => {
                let [left, right] = &**pair;
                match comparison {
                    Comparison::Less => self.at_most(left, right, -1),
                    Comparison::LessOrEqual => self.at_most(left, right, 0),
                    Comparison::Greater => self.at_most(right, left, -1),
                    Comparison::GreaterOrEqual => self.at_most(right, left, 0),
                    Comparison::Equal => {
                        self.at_most(left, right, 0);
                        self.at_most(right, left, 0);
                    }
                }
            }
            Cond::Not(cond) => {
                if let Cond::Compare(comparison, pair) = &**cond {
                    let [left, right] = &**pair;
                    match comparison {
                        Comparison::Less => self.at_most(right, left, 0),
                        Comparison::LessOrEqual => self.at_most(right, left, -1),
                        Comparison::Greater => self.at_most(left, right, 0),
                        Comparison::GreaterOrEqual => self.at_most(left, right, -1),
                        Comparison::Equal => {}
                    }
                }
            }
            Cond::True | Cond::False | Cond::Same(..) | Cond::Or(_) => {}
        }
    }

    /// Takes bounds from `left <= right + more`, for every number that is a term of it.
    fn at_most(&mut self, left: &Expr, right: &Expr, more: i64) {
        let Some(terms) = self.terms(&[(true, left), (false, right)]) else {
            return;
        };
        let least_of_all: i64 = terms.iter().map(Term::least).sum();
        for term in &terms {
            if let (true, Expr::Slot(slot)) = (term.is_added, term.expr) {
                let others = least_of_all - term.least();
                self.bounds.push((*slot, more - others));
            }
        }
    }
}

/// A term of a sum.
struct Term<'e> {
    is_added: bool,
    expr: &'e Expr,
    bounds: (i64, i64),
}

impl Term<'_> {
    /// The least that it adds.
    const fn least(&self) -> i64 {
        if self.is_added {
            self.bounds.0
        } else {
            -self.bounds.1
        }
    }

    /// The most that it adds.
    const fn most(&self) -> i64 {
        if self.is_added {
            self.bounds.1
        } else {
            -self.bounds.0
        }
    }
}

/// Visits the terms of a sum, each with whether it is added.
fn flatten<'e>(expr: &'e Expr, is_added: bool, visit: &mut dyn FnMut(bool, &'e Expr)) {
    match expr {
        Expr::Add(exprs) => {
            for expr in exprs {
                flatten(expr, is_added, visit);
            }
        }
        Expr::Subtract(pair) => {
            flatten(&pair[0], is_added, visit);
            flatten(&pair[1], !is_added, visit);
        }
        expr => visit(is_added, expr),
    }
}
