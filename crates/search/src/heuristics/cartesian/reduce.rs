//! Changes without what does not matter to an abstraction.

use super::change::{Candidate, Change};
use super::formula::Formula;

/// A set of variables.
pub(crate) type Variables = [bool];

impl Change {
    /// Returns whether it may write a variable that is distinguished.
    pub(crate) fn writes_any(&self, distinguished: &Variables) -> bool {
        let mut writes = false;
        self.writes(&mut |variable| writes |= distinguished[variable as usize]);
        writes
    }

    /// Without conditional parts that write nothing that is distinguished.
    pub(crate) fn pruned(&self, distinguished: &Variables) -> Self {
        let all = |changes: &[Self]| -> Box<[Self]> {
            let changes = changes.iter().map(|change| change.pruned(distinguished));
            changes.filter(|change| *change != Self::Nothing).collect()
        };
        match self {
            Self::If(..) | Self::Switch(..) | Self::Choose(..) | Self::Log | Self::Cost(_)
                if !self.writes_any(distinguished) =>
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
                Box::new(then.pruned(distinguished)),
                Box::new(otherwise.pruned(distinguished)),
            ),
            Self::Switch(variable, arms) => {
                let pruned = joined(arms, |arm| arm.pruned(distinguished));
                Self::Switch(*variable, pruned.into())
            }
            Self::Choose(candidates, otherwise) => Self::Choose(
                candidates
                    .iter()
                    .map(|candidate| Candidate {
                        formula: candidate.formula.clone(),
                        keys: candidate.keys.clone(),
                        change: candidate.change.pruned(distinguished),
                    })
                    .collect(),
                Box::new(otherwise.pruned(distinguished)),
            ),
            other => other.clone(),
        }
    }

    /// Without writes of variables that are not distinguished, of which nothing is ever known, so that
    /// what hangs on them becomes a free choice.
    pub(crate) fn reduced(&self, distinguished: &Variables) -> Self {
        let is_distinguished = |variable: u32| distinguished[variable as usize];
        match self {
            Self::Nothing => Self::Nothing,
            Self::Assign(variable, _)
            | Self::Increase { variable, .. }
            | Self::Number { variable, .. }
                if !is_distinguished(*variable) =>
            {
                Self::Nothing
            }
            Self::Copy(link) if !is_distinguished(link.0) => Self::Nothing,
            Self::Assign(..)
            | Self::Increase { .. }
            | Self::Number { .. }
            | Self::Copy(..)
            | Self::Log
            | Self::Cost(_) => self.clone(),
            Self::Any(changes) => {
                Self::any(changes.iter().map(|change| change.reduced(distinguished)))
            }
            Self::Block { changes, snapshot } => {
                let mut changes = reduced_all(changes, distinguished);
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
                let mut changes = reduced_all(changes, distinguished);
                match changes.as_slice() {
                    [] => Self::Nothing,
                    [Self::Assign(..)] => changes.remove(0),
                    _ => Self::Seq(changes.into()),
                }
            }
            Self::If(formula, then, otherwise) => {
                let (then, otherwise) = (
                    then.reduced(distinguished),
                    otherwise.reduced(distinguished),
                );
                match formula.blurred(distinguished) {
                    _ if then == otherwise => then,
                    Formula::True => then,
                    Formula::False => otherwise,
                    Formula::Unknown => Self::any([then, otherwise]),
                    formula => Self::If(formula, Box::new(then), Box::new(otherwise)),
                }
            }
            Self::Switch(variable, arms) => {
                if !is_distinguished(*variable) {
                    return Self::any(arms.iter().map(|(_, arm)| arm.reduced(distinguished)));
                }
                let mut reduced = joined(arms, |arm| arm.reduced(distinguished));
                if reduced.len() == 1 {
                    reduced.remove(0).1
                } else {
                    Self::Switch(*variable, reduced.into())
                }
            }
            Self::Choose(candidates, otherwise) => {
                let otherwise = otherwise.reduced(distinguished);
                let candidates: Box<[Candidate]> = candidates
                    .iter()
                    .map(|candidate| Candidate {
                        formula: candidate.formula.blurred(distinguished),
                        keys: candidate.keys.clone(),
                        change: candidate.change.reduced(distinguished),
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

fn reduced_all(changes: &[Change], distinguished: &Variables) -> Vec<Change> {
    changes
        .iter()
        .map(|change| change.reduced(distinguished))
        .filter(|change| *change != Change::Nothing)
        .collect()
}

/// A set of values of a variable, and what happens there.
type Arm = (Box<[u64]>, Change);

/// The arms of a switch, mapped; those that become equal are one.
fn joined(arms: &[Arm], map: impl Fn(&Change) -> Change) -> Vec<Arm> {
    let mut joined: Vec<Arm> = Vec::new();
    for (set, arm) in arms {
        let arm = map(arm);
        match joined.iter_mut().find(|(_, other)| *other == arm) {
            Some((equal, _)) => {
                for (word, more) in equal.iter_mut().zip(set) {
                    *word |= more;
                }
            }
            None => joined.push((set.clone(), arm)),
        }
    }
    joined
}
