//! Effects on Cartesian sets of states.

use super::domains::insert;
use super::formula::{Formula, Reader, Term};
use brigade_task::effect::Effect;

/// A copy from the second variable to the first: what the table has for its value.
pub(crate) type Link = (u32, u32, Box<[Option<u32>]>);

/// The effect of a change on a Cartesian set of states.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Change {
    Nothing,
    /// Gives a variable a value.
    Assign(u32, u32),
    /// Adds a term to what a number is by now.
    Increase {
        variable: u32,
        term: Term,
    },
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
pub(crate) struct Candidate {
    pub(crate) formula: Formula,
    pub(crate) keys: Box<[Term]>,
    pub(crate) change: Change,
}

impl Reader<'_> {
    pub(crate) fn effect(self, effect: &Effect) -> Change {
        match effect {
            // Nothing but the tick reads the list, and no heuristic knows of an order there.
            Effect::Nothing | Effect::Enlist(_) | Effect::Total(..) => Change::Nothing,
            Effect::Set(fact) => Change::Assign(fact.variable.0, fact.value),
            // What it tests, it tests in the state as it is, like a part of a sequence.
            Effect::Clear(fact, other) => Change::Seq(
                [Change::If(
                    (*fact).into(),
                    Box::new(Change::Assign(other.variable.0, other.value)),
                    Box::new(Change::Nothing),
                )]
                .into(),
            ),
            Effect::Number(variable, expr) => Change::Number {
                variable: variable.0,
                low: self.low(*variable),
                term: self.expr(expr),
            },
            Effect::Increase(variable, expr) => Change::Increase {
                variable: variable.0,
                term: self.expr(expr),
            },
            Effect::Copy(to, from, table) => Change::Copy(Box::new((to.0, from.0, table.clone()))),
            Effect::Block { effects, snapshot } => Change::Block {
                changes: (effects.iter())
                    .filter(|effect| !matches!(effect, Effect::Nothing))
                    .map(|effect| self.effect(effect))
                    .collect(),
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
    /// Calls `visit` for it and for everything in it, outermost first.
    fn walk<'c>(&'c self, visit: &mut dyn FnMut(&'c Self)) {
        visit(self);
        match self {
            Self::Nothing
            | Self::Assign(..)
            | Self::Increase { .. }
            | Self::Number { .. }
            | Self::Copy(_)
            | Self::Log
            | Self::Cost(_) => {}
            Self::Block { changes, .. } | Self::Seq(changes) | Self::Any(changes) => {
                for change in changes {
                    change.walk(visit);
                }
            }
            Self::If(_, then, otherwise) => {
                then.walk(visit);
                otherwise.walk(visit);
            }
            Self::Switch(_, arms) => {
                for (_, arm) in arms {
                    arm.walk(visit);
                }
            }
            Self::Choose(candidates, otherwise) => {
                for candidate in candidates {
                    candidate.change.walk(visit);
                }
                otherwise.walk(visit);
            }
        }
    }

    /// Parts that may be taken one after another in any order, because none writes what another
    /// reads or writes; the whole where there are none.
    pub(crate) fn independent_parts(&self) -> Vec<&Self> {
        let Self::Block { changes, .. } = self else {
            return vec![self];
        };
        let mut written_by: Vec<(u32, usize)> = Vec::new();
        for (index, change) in changes.iter().enumerate() {
            change.writes(&mut |variable| written_by.push((variable, index)));
        }
        written_by.sort_unstable();
        written_by.dedup();
        let is_shared = written_by.windows(2).any(|pair| pair[0].0 == pair[1].0);
        let disturbs = changes.iter().enumerate().any(|(index, change)| {
            let mut disturbs = false;
            change.reads(&mut |variable| {
                let at = written_by.partition_point(|&(other, _)| other < variable);
                let writer = written_by.get(at);
                disturbs |= writer.is_some_and(|&(other, by)| other == variable && by != index);
            });
            disturbs
        });
        if is_shared || disturbs {
            return vec![self];
        }
        changes.iter().collect()
    }

    /// Calls `visit` for each copy.
    pub(crate) fn copies(&self, visit: &mut dyn FnMut(&Link)) {
        self.walk(&mut |change| {
            if let Self::Copy(link) = change {
                visit(link);
            }
        });
    }

    /// Calls `visit` for each variable read.
    pub(crate) fn reads(&self, visit: &mut dyn FnMut(u32)) {
        self.walk(&mut |change| match change {
            Self::Number { term, .. } | Self::Cost(term) => term.reads(visit),
            Self::Increase { variable, term } => {
                visit(*variable);
                term.reads(visit);
            }
            Self::Copy(link) => visit(link.1),
            Self::If(formula, ..) => formula.reads(visit),
            Self::Switch(variable, _) => visit(*variable),
            Self::Choose(candidates, _) => {
                for candidate in candidates {
                    candidate.formula.reads(visit);
                    for key in &candidate.keys {
                        key.reads(visit);
                    }
                }
            }
            Self::Nothing
            | Self::Assign(..)
            | Self::Block { .. }
            | Self::Seq(_)
            | Self::Any(_)
            | Self::Log => {}
        });
    }

    /// Calls `visit` for each variable written.
    pub(crate) fn writes(&self, visit: &mut dyn FnMut(u32)) {
        self.walk(&mut |change| match change {
            Self::Assign(variable, _)
            | Self::Increase { variable, .. }
            | Self::Number { variable, .. } => visit(*variable),
            Self::Copy(link) => visit(link.0),
            _ => {}
        });
    }

    /// The variables written.
    pub(crate) fn written(&self) -> Vec<u32> {
        let mut written = Vec::new();
        self.writes(&mut |variable| written.push(variable));
        written
    }

    /// Calls `visit` for each variable and value that it may get, by itself and not as a copy.
    pub(crate) fn gives(&self, visit: &mut dyn FnMut(u32, u32)) {
        self.walk(&mut |change| {
            if let Self::Assign(variable, value) = change {
                visit(*variable, *value);
            }
        });
    }

    /// Returns whether it writes no variable.
    pub(crate) fn writes_nothing(&self) -> bool {
        let mut writes = false;
        self.writes(&mut |_| writes = true);
        !writes
    }

    /// Calls `visit` for each variable that gets a value in any case.
    pub(crate) fn assigns(&self, visit: &mut dyn FnMut(u32)) {
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
}
