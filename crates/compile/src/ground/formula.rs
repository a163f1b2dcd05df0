//! Ground conditions, expressions and effects over slots.

mod restriction;

use super::slots::SlotId;
use brigade_task::cond::Comparison;
use brigade_task::{LabelId, LogEntry, TotalId};
pub(super) use restriction::Values;

/// A condition on slots.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Cond {
    True,
    False,
    /// The slot has the value with this code.
    Holds(SlotId, u32),
    /// Two object slots have the same, defined value.
    Same(SlotId, SlotId),
    /// Boxed, for it is rare and large.
    Compare(Comparison, Box<[Expr; 2]>),
    Not(Box<Cond>),
    And(Vec<Cond>),
    Or(Vec<Cond>),
}

/// A number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Expr {
    Constant(i64),
    Slot(SlotId),
    /// 1 or 0.
    Truth(Box<Cond>),
    Add(Vec<Expr>),
    Subtract(Box<[Expr; 2]>),
    Multiply(Vec<Expr>),
    Abs(Box<Expr>),
    Min(Vec<Expr>),
    Max(Vec<Expr>),
    /// The first whose condition holds; else 0.
    Case(Vec<(Cond, Expr)>),
}

/// A candidate of a choice.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Candidate {
    pub(super) cond: Cond,
    pub(super) keys: Vec<Expr>,
    pub(super) effect: Effect,
}

/// An effect on slots.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Effect {
    Nothing,
    /// The slot gets the value with this code.
    Set(SlotId, u32),
    Number(SlotId, Expr),
    /// Adds to the integer slot.
    Increase(SlotId, Expr),
    /// The first object slot gets the value of the second.
    Copy(SlotId, SlotId),
    Block(Vec<Effect>),
    Seq(Vec<Effect>),
    When(Cond, Box<Effect>),
    Case(Vec<(Cond, Effect)>, Box<Effect>),
    /// By the code of a slot: entry `n` for code `n`.
    Switch(SlotId, Vec<Effect>),
    Choose(Vec<Candidate>, Box<Effect>),
    /// Puts the delayed effect with this number at the end of the list of live ones.
    Enlist(usize),
    Log(LogEntry),
    Cost(Expr),
    Total(TotalId, Expr),
}

impl Cond {
    pub(super) fn all(conds: impl IntoIterator<Item = Self>) -> Self {
        let conds = conds.into_iter();
        let mut result = Vec::with_capacity(conds.size_hint().0);
        for cond in conds {
            match cond {
                Self::True => {}
                Self::False => return Self::False,
                Self::And(more) => result.extend(more),
                other => result.push(other),
            }
        }
        match result.len() {
            0 => Self::True,
            1 => result.remove(0),
            _ => Self::And(result),
        }
    }

    /// The same of a list, which is kept where there is nothing to simplify.
    pub(super) fn all_of(conds: Vec<Self>) -> Self {
        let is_plain = |cond: &Self| !matches!(cond, Self::True | Self::False | Self::And(_));
        if conds.len() > 1 && conds.iter().all(is_plain) {
            Self::And(conds)
        } else {
            Self::all(conds)
        }
    }

    pub(super) fn any(conds: impl IntoIterator<Item = Self>) -> Self {
        let mut result = Vec::new();
        for cond in conds {
            match cond {
                Self::True => return Self::True,
                Self::False => {}
                Self::Or(more) => result.extend(more),
                other => result.push(other),
            }
        }
        match result.len() {
            0 => Self::False,
            1 => result.remove(0),
            _ => Self::Or(result),
        }
    }

    /// The number of its parts, those of expressions counted as one.
    pub(super) fn size(&self) -> u64 {
        match self {
            Self::And(conds) | Self::Or(conds) => 1 + conds.iter().map(Self::size).sum::<u64>(),
            Self::Not(cond) => 1 + cond.size(),
            _ => 1,
        }
    }

    pub(super) fn negated(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Not(cond) => *cond,
            other => Self::Not(Box::new(other)),
        }
    }

    pub(super) fn constant(value: bool) -> Self {
        if value { Self::True } else { Self::False }
    }

    pub(super) fn compare(comparison: Comparison, left: Expr, right: Expr) -> Self {
        if let (&Expr::Constant(left), &Expr::Constant(right)) = (&left, &right) {
            return Self::constant(comparison.compares(left, right));
        }
        Self::Compare(comparison, Box::new([left, right]))
    }
}

impl Expr {
    /// Folds constants. What does not fit into 64 bits stays as it is written, for
    /// [`cost_range`](brigade_task::cost_range) to find.
    pub(super) fn folded(self) -> Self {
        fn constants(exprs: &[Expr]) -> Option<Vec<i64>> {
            exprs
                .iter()
                .map(|expr| match expr {
                    Expr::Constant(value) => Some(*value),
                    _ => None,
                })
                .collect()
        }
        let value = match &self {
            Self::Add(exprs) => return Self::sum(exprs),
            Self::Subtract(pair) => {
                constants(&pair[..]).and_then(|values| values[0].checked_sub(values[1]))
            }
            Self::Multiply(exprs) => {
                constants(exprs).and_then(|values| values.into_iter().try_fold(1, i64::checked_mul))
            }
            Self::Abs(expr) => match **expr {
                Self::Constant(value) => value.checked_abs(),
                _ => None,
            },
            Self::Min(exprs) => constants(exprs).and_then(|values| values.into_iter().min()),
            Self::Max(exprs) => constants(exprs).and_then(|values| values.into_iter().max()),
            Self::Truth(cond) => match **cond {
                Cond::True => Some(1),
                Cond::False => Some(0),
                _ => None,
            },
            Self::Case(cases) => match cases.first() {
                None => Some(0),
                Some((Cond::True, Self::Constant(value))) => Some(*value),
                Some(_) => None,
            },
            Self::Constant(_) | Self::Slot(_) => None,
        };
        value.map_or(self, Self::Constant)
    }
}

impl Expr {
    /// A sum, its constants folded where that does not change at which term it saturates.
    fn sum(exprs: &[Self]) -> Self {
        let constant = |expr: &Self| match expr {
            Self::Constant(value) => Some(*value),
            _ => None,
        };
        let (known, mut rest): (Vec<Self>, Vec<Self>) = exprs
            .iter()
            .cloned()
            .partition(|expr| matches!(expr, Self::Constant(_)));
        let sum = known
            .iter()
            .filter_map(constant)
            .fold(0, i64::saturating_add);
        if rest.is_empty() {
            return Self::Constant(sum);
        }
        let largest = |expr: &Self| match expr {
            Self::Constant(value) => i128::from(*value).abs(),
            Self::Truth(_) => 1,
            _ => i128::from(i64::MAX),
        };
        let orderless =
            exprs.len() < 3 || exprs.iter().map(largest).sum::<i128>() <= i128::from(i64::MAX);
        if !orderless {
            let terms = exprs.iter().filter(|expr| constant(expr) != Some(0));
            return Self::Add(terms.cloned().collect());
        }
        if sum != 0 {
            rest.push(Self::Constant(sum));
        }
        match rest.len() {
            1 => rest.remove(0),
            _ => Self::Add(rest),
        }
    }
}

impl Effect {
    pub(super) fn block(effects: impl IntoIterator<Item = Self>) -> Self {
        let effects = effects.into_iter();
        let mut result = Vec::with_capacity(effects.size_hint().0);
        for effect in effects {
            match effect {
                Self::Nothing => {}
                Self::Block(more) => result.extend(more),
                other => result.push(other),
            }
        }
        match result.len() {
            0 => Self::Nothing,
            1 => result.remove(0),
            _ => Self::Block(result),
        }
    }

    /// The same of a list, which is kept where there is nothing to simplify.
    pub(super) fn block_of(effects: Vec<Self>) -> Self {
        let is_plain = |effect: &Self| !matches!(effect, Self::Nothing | Self::Block(_));
        if effects.len() > 1 && effects.iter().all(is_plain) {
            Self::Block(effects)
        } else {
            Self::block(effects)
        }
    }

    /// One after another. Even one effect is kept as a sequence: within a block it reads the state as
    /// it is by then, not the state before.
    pub(super) fn seq(effects: impl IntoIterator<Item = Self>) -> Self {
        let effects = effects.into_iter();
        let mut result = Vec::with_capacity(effects.size_hint().0);
        for effect in effects {
            match effect {
                Self::Nothing => {}
                Self::Seq(more) => result.extend(more),
                other => result.push(other),
            }
        }
        if result.is_empty() {
            Self::Nothing
        } else {
            Self::Seq(result)
        }
    }

    /// An operator's effect, and what it does after that.
    pub(super) fn then(self, last: Self) -> Self {
        match (self, last) {
            (effect, Self::Nothing) | (Self::Nothing, effect) => effect,
            (effect, last) => Self::seq([effect, last]),
        }
    }

    pub(super) fn when(cond: Cond, effect: Self) -> Self {
        match (cond, effect) {
            (Cond::False, _) | (_, Self::Nothing) => Self::Nothing,
            (Cond::True, effect) => effect,
            (cond, Self::When(inner, effect)) => Self::When(Cond::all([cond, inner]), effect),
            (cond, effect) => Self::When(cond, Box::new(effect)),
        }
    }

    pub(super) fn case(cases: Vec<(Cond, Self)>, otherwise: Self) -> Self {
        let mut kept = Vec::new();
        let mut last = otherwise;
        for (cond, effect) in cases {
            match cond {
                Cond::False => {}
                Cond::True => {
                    last = effect;
                    break;
                }
                cond => kept.push((cond, effect)),
            }
        }
        while kept.last().is_some_and(|(_, effect)| *effect == last) {
            kept.pop();
        }
        match kept.len() {
            0 => last,
            1 if last == Self::Nothing => {
                let (cond, effect) = kept.remove(0);
                Self::when(cond, effect)
            }
            _ => Self::Case(kept, Box::new(last)),
        }
    }
}

impl Effect {
    /// Calls `visit` for this effect and all effects inside it.
    pub(super) fn visit<'a>(&'a self, visit: &mut dyn FnMut(&'a Self)) {
        visit(self);
        match self {
            Self::Block(effects) | Self::Seq(effects) | Self::Switch(_, effects) => {
                for effect in effects {
                    effect.visit(visit);
                }
            }
            Self::When(_, effect) => effect.visit(visit),
            Self::Case(cases, otherwise) => {
                for (_, effect) in cases {
                    effect.visit(visit);
                }
                otherwise.visit(visit);
            }
            Self::Choose(candidates, otherwise) => {
                for candidate in candidates {
                    candidate.effect.visit(visit);
                }
                otherwise.visit(visit);
            }
            Self::Nothing
            | Self::Set(..)
            | Self::Number(..)
            | Self::Increase(..)
            | Self::Copy(..)
            | Self::Enlist(_)
            | Self::Log(_)
            | Self::Cost(_)
            | Self::Total(..) => {}
        }
    }

    /// Visits every cost that may be added.
    pub(super) fn each_cost(&self, visit: &mut dyn FnMut(&Expr)) {
        self.visit(&mut |effect| {
            if let Self::Cost(cost) = effect {
                visit(cost);
            }
        });
    }

    /// Visits every label that may be recorded.
    pub(super) fn each_label(&mut self, visit: &mut dyn FnMut(&mut LabelId)) {
        match self {
            Self::Log(entry) => visit(&mut entry.label),
            Self::Block(effects) | Self::Seq(effects) | Self::Switch(_, effects) => {
                for effect in effects {
                    effect.each_label(visit);
                }
            }
            Self::When(_, effect) => effect.each_label(visit),
            Self::Case(cases, otherwise) => {
                for (_, effect) in cases {
                    effect.each_label(visit);
                }
                otherwise.each_label(visit);
            }
            Self::Choose(candidates, otherwise) => {
                for candidate in candidates {
                    candidate.effect.each_label(visit);
                }
                otherwise.each_label(visit);
            }
            Self::Nothing
            | Self::Set(..)
            | Self::Number(..)
            | Self::Increase(..)
            | Self::Copy(..)
            | Self::Enlist(_)
            | Self::Cost(_)
            | Self::Total(..) => {}
        }
    }
}
