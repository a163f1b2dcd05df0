//! Effects over variables and values instead of bits, reduced to what matters to an abstraction.

use super::domains::insert;
use super::formula::{Decoder, Formula, Term};
use super::model::Link;
use crate::task::effect::Effect;

/// What an effect does to a Cartesian set of states.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Change {
    Nothing,
    /// Gives a variable a value.
    Assign(u32, u32),
    /// Gives a variable a value that is not known.
    Forget(u32),
    /// Gives a variable the value of a term: the first value of the variable stands for `low`.
    Number {
        variable: u32,
        low: i64,
        term: Term,
    },
    /// Gives the first variable what the table has for the value of the second, if anything.
    Copy(Box<Link>),
    /// All at once; see [`Effect::Block`].
    Block {
        changes: Box<[Change]>,
        snapshot: bool,
    },
    /// One after another.
    Seq(Box<[Change]>),
    /// By a condition.
    If(Formula, Box<Change>, Box<Change>),
    /// By the value of a variable: sets of values with their changes.
    Switch(u32, Box<[(Box<[u64]>, Change)]>),
    /// The best candidate, else the last.
    Choose(Box<[Candidate]>, Box<Change>),
    /// Any of these.
    Any(Box<[Change]>),
    /// Records a label.
    Log,
    /// Adds to the cost.
    Cost(Term),
}

/// A target of [`Change::Choose`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Candidate {
    pub(super) formula: Formula,
    pub(super) keys: Box<[Term]>,
    pub(super) change: Change,
}

/// A set of variables.
pub(super) type Variables = [bool];

impl Decoder<'_> {
    pub(super) fn effect(&self, effect: &Effect) -> Change {
        match effect {
            Effect::Nothing => Change::Nothing,
            Effect::Write(write) => {
                let fields = self.fields(write.word, write.mask, write.value).into_iter();
                Change::sequence(fields.map(|(variable, value)| match value {
                    Some(value) => Change::Assign(variable, value),
                    None => Change::Forget(variable),
                }))
            }
            // What it tests, it tests in the state as it is, like a part of a sequence.
            Effect::Clear(test, write) => Change::Seq(
                [Change::If(
                    self.test(*test),
                    Box::new(self.effect(&Effect::Write(*write))),
                    Box::new(Change::Nothing),
                )]
                .into(),
            ),
            Effect::Number(variable, expr) => Change::Number {
                variable: variable.0,
                low: self.low(*variable),
                term: self.expr(expr),
            },
            // It adds to what earlier parts of the block left, which no other change reads so: any
            // value is an over-approximation.
            Effect::Increase(variable, _) => Change::Forget(variable.0),
            Effect::Copy(to, from, table) => Change::Copy(Box::new((to.0, from.0, table.clone()))),
            Effect::Block { effects, snapshot } => Change::Block {
                changes: effects.iter().map(|effect| self.effect(effect)).collect(),
                snapshot: *snapshot,
            },
            Effect::Seq(effects) => {
                Change::Seq(effects.iter().map(|effect| self.effect(effect)).collect())
            }
            Effect::When(cond, effect) => Change::If(
                self.cond(cond),
                Box::new(self.effect(effect)),
                Box::new(Change::Nothing),
            ),
            Effect::Case(cases, otherwise) => {
                cases
                    .iter()
                    .rev()
                    .fold(self.effect(otherwise), |rest, (cond, effect)| {
                        Change::If(
                            self.cond(cond),
                            Box::new(self.effect(effect)),
                            Box::new(rest),
                        )
                    })
            }
            Effect::Switch(variable, effects) => Change::Switch(
                variable.0,
                effects
                    .iter()
                    .zip(0..)
                    .map(|(effect, value)| {
                        let mut set = vec![0; effects.len().div_ceil(64)];
                        insert(&mut set, value);
                        (set.into(), self.effect(effect))
                    })
                    .collect(),
            ),
            Effect::Choose(candidates, otherwise) => Change::Choose(
                candidates
                    .iter()
                    .map(|candidate| Candidate {
                        formula: self.cond(&candidate.cond),
                        keys: candidate.keys.iter().map(|key| self.expr(key)).collect(),
                        change: self.effect(&candidate.effect),
                    })
                    .collect(),
                Box::new(self.effect(otherwise)),
            ),
            Effect::Log(_) => Change::Log,
            Effect::Cost(expr) => Change::Cost(self.expr(expr)),
        }
    }
}

impl Change {
    /// Changes none of which reads.
    fn sequence(changes: impl Iterator<Item = Self>) -> Self {
        let mut changes: Vec<Self> = changes.collect();
        match changes.len() {
            0 => Self::Nothing,
            1 => changes.remove(0),
            _ => Self::Block {
                changes: changes.into(),
                snapshot: false,
            },
        }
    }

    /// Whether it writes no variable.
    pub(super) fn writes_nothing(&self) -> bool {
        match self {
            Self::Nothing | Self::Log | Self::Cost(_) => true,
            Self::Assign(..) | Self::Forget(_) | Self::Number { .. } | Self::Copy(..) => false,
            Self::Block { changes, .. } | Self::Seq(changes) | Self::Any(changes) => {
                changes.iter().all(Self::writes_nothing)
            }
            Self::If(_, then, otherwise) => then.writes_nothing() && otherwise.writes_nothing(),
            Self::Switch(_, arms) => arms.iter().all(|(_, arm)| arm.writes_nothing()),
            Self::Choose(candidates, otherwise) => {
                otherwise.writes_nothing()
                    && candidates
                        .iter()
                        .all(|candidate| candidate.change.writes_nothing())
            }
        }
    }

    /// Whether it may write a variable that is told apart.
    pub(super) fn writes_any(&self, told_apart: &Variables) -> bool {
        let mut writes = false;
        self.writes(&mut |variable| writes |= told_apart[variable as usize]);
        writes
    }

    /// Without conditional parts that write nothing that is told apart.
    pub(super) fn pruned(&self, told_apart: &Variables) -> Self {
        let all = |changes: &[Self]| -> Box<[Self]> {
            let changes = changes.iter().map(|change| change.pruned(told_apart));
            changes.filter(|change| *change != Self::Nothing).collect()
        };
        match self {
            Self::If(..) | Self::Switch(..) | Self::Choose(..) | Self::Log | Self::Cost(_)
                if !self.writes_any(told_apart) =>
            {
                Self::Nothing
            }
            Self::Block { changes, snapshot } => {
                let changes = all(changes);
                if changes.is_empty() {
                    Self::Nothing
                } else {
                    Self::Block {
                        changes,
                        snapshot: *snapshot,
                    }
                }
            }
            Self::Seq(changes) => {
                let changes = all(changes);
                if changes.is_empty() {
                    Self::Nothing
                } else {
                    Self::Seq(changes)
                }
            }
            Self::If(formula, then, otherwise) => Self::If(
                formula.clone(),
                Box::new(then.pruned(told_apart)),
                Box::new(otherwise.pruned(told_apart)),
            ),
            Self::Switch(variable, arms) => {
                let mut pruned: Vec<(Box<[u64]>, Self)> = Vec::new();
                for (set, arm) in arms {
                    let arm = arm.pruned(told_apart);
                    match pruned.iter_mut().find(|(_, other)| *other == arm) {
                        Some((joined, _)) => {
                            for (word, more) in joined.iter_mut().zip(set) {
                                *word |= more;
                            }
                        }
                        None => pruned.push((set.clone(), arm)),
                    }
                }
                Self::Switch(*variable, pruned.into())
            }
            Self::Choose(candidates, otherwise) => Self::Choose(
                candidates
                    .iter()
                    .map(|candidate| Candidate {
                        formula: candidate.formula.clone(),
                        keys: candidate.keys.clone(),
                        change: candidate.change.pruned(told_apart),
                    })
                    .collect(),
                Box::new(otherwise.pruned(told_apart)),
            ),
            other => other.clone(),
        }
    }

    /// Calls `visit` for each copy.
    pub(super) fn copies(&self, visit: &mut dyn FnMut(&Link)) {
        match self {
            Self::Copy(link) => visit(link),
            Self::Nothing
            | Self::Log
            | Self::Cost(_)
            | Self::Assign(..)
            | Self::Forget(_)
            | Self::Number { .. } => {}
            Self::Block { changes, .. } | Self::Seq(changes) | Self::Any(changes) => {
                for change in changes {
                    change.copies(visit);
                }
            }
            Self::If(_, then, otherwise) => {
                then.copies(visit);
                otherwise.copies(visit);
            }
            Self::Switch(_, arms) => {
                for (_, arm) in arms {
                    arm.copies(visit);
                }
            }
            Self::Choose(candidates, otherwise) => {
                for candidate in candidates {
                    candidate.change.copies(visit);
                }
                otherwise.copies(visit);
            }
        }
    }

    /// Calls `visit` for each variable read.
    pub(super) fn reads(&self, visit: &mut dyn FnMut(u32)) {
        match self {
            Self::Nothing | Self::Log | Self::Assign(..) | Self::Forget(_) => {}
            Self::Number { term, .. } | Self::Cost(term) => term.reads(visit),
            Self::Copy(link) => visit(link.1),
            Self::Block { changes, .. } | Self::Seq(changes) | Self::Any(changes) => {
                for change in changes {
                    change.reads(visit);
                }
            }
            Self::If(formula, then, otherwise) => {
                formula.reads(visit);
                then.reads(visit);
                otherwise.reads(visit);
            }
            Self::Switch(variable, arms) => {
                visit(*variable);
                for (_, arm) in arms {
                    arm.reads(visit);
                }
            }
            Self::Choose(candidates, otherwise) => {
                for candidate in candidates {
                    candidate.formula.reads(visit);
                    for key in &candidate.keys {
                        key.reads(visit);
                    }
                    candidate.change.reads(visit);
                }
                otherwise.reads(visit);
            }
        }
    }

    /// Calls `visit` for each variable that gets a value in any case.
    pub(super) fn assigns(&self, visit: &mut dyn FnMut(u32)) {
        match self {
            Self::Assign(variable, _) => visit(*variable),
            Self::Block { changes, .. } | Self::Seq(changes) => {
                for change in changes {
                    change.assigns(visit);
                }
            }
            _ => {}
        }
    }

    /// Calls `visit` for each variable and value that it may get, by itself and not as a copy.
    pub(super) fn gives(&self, visit: &mut dyn FnMut(u32, u32)) {
        match self {
            Self::Assign(variable, value) => visit(*variable, *value),
            Self::Block { changes, .. } | Self::Seq(changes) | Self::Any(changes) => {
                for change in changes {
                    change.gives(visit);
                }
            }
            Self::If(_, then, otherwise) => {
                then.gives(visit);
                otherwise.gives(visit);
            }
            Self::Switch(_, arms) => {
                for (_, arm) in arms {
                    arm.gives(visit);
                }
            }
            Self::Choose(candidates, otherwise) => {
                for candidate in candidates {
                    candidate.change.gives(visit);
                }
                otherwise.gives(visit);
            }
            Self::Nothing
            | Self::Forget(_)
            | Self::Number { .. }
            | Self::Copy(_)
            | Self::Log
            | Self::Cost(_) => {}
        }
    }

    /// Calls `visit` for each variable written.
    pub(super) fn writes(&self, visit: &mut dyn FnMut(u32)) {
        match self {
            Self::Nothing | Self::Log | Self::Cost(_) => {}
            Self::Assign(variable, _) | Self::Forget(variable) | Self::Number { variable, .. } => {
                visit(*variable);
            }
            Self::Copy(link) => visit(link.0),
            Self::Block { changes, .. } | Self::Seq(changes) | Self::Any(changes) => {
                for change in changes {
                    change.writes(visit);
                }
            }
            Self::If(_, then, otherwise) => {
                then.writes(visit);
                otherwise.writes(visit);
            }
            Self::Switch(_, arms) => {
                for (_, arm) in arms {
                    arm.writes(visit);
                }
            }
            Self::Choose(candidates, otherwise) => {
                for candidate in candidates {
                    candidate.change.writes(visit);
                }
                otherwise.writes(visit);
            }
        }
    }

    /// Without writes of variables that are not told apart, of which nothing is ever known, so that
    /// what hangs on them becomes a free choice.
    pub(super) fn reduced(&self, told_apart: &Variables) -> Self {
        let is_told_apart = |variable: u32| told_apart[variable as usize];
        match self {
            Self::Nothing => Self::Nothing,
            Self::Assign(variable, _) | Self::Forget(variable) | Self::Number { variable, .. }
                if !is_told_apart(*variable) =>
            {
                Self::Nothing
            }
            Self::Copy(link) if !is_told_apart(link.0) => Self::Nothing,
            Self::Assign(..)
            | Self::Forget(_)
            | Self::Number { .. }
            | Self::Copy(..)
            | Self::Log
            | Self::Cost(_) => self.clone(),
            Self::Any(changes) => {
                Self::any(changes.iter().map(|change| change.reduced(told_apart)))
            }
            Self::Block { changes, snapshot } => {
                let mut changes = reduced_all(changes, told_apart);
                match changes.as_slice() {
                    [] => Self::Nothing,
                    [Self::Assign(..)] => changes.remove(0),
                    _ => Self::Block {
                        changes: changes.into(),
                        snapshot: *snapshot,
                    },
                }
            }
            Self::Seq(changes) => {
                let mut changes = reduced_all(changes, told_apart);
                match changes.as_slice() {
                    [] => Self::Nothing,
                    [Self::Assign(..)] => changes.remove(0),
                    _ => Self::Seq(changes.into()),
                }
            }
            Self::If(formula, then, otherwise) => {
                let (then, otherwise) = (then.reduced(told_apart), otherwise.reduced(told_apart));
                match formula.blurred(told_apart) {
                    _ if then == otherwise => then,
                    Formula::True => then,
                    Formula::False => otherwise,
                    Formula::Unknown => Self::any([then, otherwise]),
                    formula => Self::If(formula, Box::new(then), Box::new(otherwise)),
                }
            }
            Self::Switch(variable, arms) => {
                if !is_told_apart(*variable) {
                    return Self::any(arms.iter().map(|(_, arm)| arm.reduced(told_apart)));
                }
                let mut reduced: Vec<(Box<[u64]>, Self)> = Vec::new();
                for (set, arm) in arms {
                    let arm = arm.reduced(told_apart);
                    match reduced.iter_mut().find(|(_, other)| *other == arm) {
                        Some((joined, _)) => {
                            for (word, more) in joined.iter_mut().zip(set) {
                                *word |= more;
                            }
                        }
                        None => reduced.push((set.clone(), arm)),
                    }
                }
                if reduced.len() == 1 {
                    reduced.remove(0).1
                } else {
                    Self::Switch(*variable, reduced.into())
                }
            }
            Self::Choose(candidates, otherwise) => {
                let otherwise = otherwise.reduced(told_apart);
                let candidates: Box<[Candidate]> = candidates
                    .iter()
                    .map(|candidate| Candidate {
                        formula: candidate.formula.blurred(told_apart),
                        keys: candidate.keys.clone(),
                        change: candidate.change.reduced(told_apart),
                    })
                    .collect();
                let is_free = candidates
                    .iter()
                    .all(|candidate| candidate.formula == Formula::Unknown);
                let is_idle = otherwise.writes_nothing()
                    && candidates
                        .iter()
                        .all(|candidate| candidate.change.writes_nothing());
                if is_free && candidates.iter().all(|other| other.change == otherwise) {
                    otherwise
                } else if is_idle {
                    // Which one is chosen is rarely known; what only logs is not worth knowing.
                    Self::Nothing
                } else {
                    Self::Choose(candidates, Box::new(otherwise))
                }
            }
        }
    }

    /// Any one of some changes. Of those that write nothing none need record anything.
    fn any(changes: impl IntoIterator<Item = Self>) -> Self {
        let mut distinct: Vec<Self> = Vec::new();
        for change in changes {
            let parts = match change {
                Self::Any(parts) => parts.into_vec(),
                other => vec![other],
            };
            for part in parts {
                if !distinct.contains(&part) {
                    distinct.push(part);
                }
            }
        }
        let idle = distinct
            .iter()
            .filter(|change| change.writes_nothing())
            .count();
        if idle > 1 {
            distinct.retain(|change| !change.writes_nothing());
            distinct.insert(0, Self::Nothing);
        }
        if distinct.len() == 1 {
            distinct.remove(0)
        } else {
            Self::Any(distinct.into())
        }
    }
}

fn reduced_all(changes: &[Change], told_apart: &Variables) -> Vec<Change> {
    changes
        .iter()
        .map(|change| change.reduced(told_apart))
        .filter(|change| *change != Change::Nothing)
        .collect()
}
