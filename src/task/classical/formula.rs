//! Propositional formulas over facts `variable = value`, simplified as they are made.

use std::rc::Rc;

/// Parts of a conjunction are compared with each other up to as many.
const MAX_COMPARED: usize = 64;

/// A formula. Parts are shared, so copies are cheap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Formula {
    True,
    False,
    /// The variable, an index into the task's, has the value. It has more than two: see [`fact`].
    Fact(u32, u32),
    /// The variable, which has two values, has the second.
    Flag(u32),
    Not(Rc<Formula>),
    /// All hold, with the number of facts in them as written out.
    All(Rc<[Formula]>, u64),
    /// Any holds, likewise.
    Any(Rc<[Formula]>, u64),
}

/// `variable = value`, of a variable with so many values.
pub(super) fn fact(variable: u32, value: u32, size: u32) -> Formula {
    match (size, value) {
        (0 | 1, _) => Formula::True,
        (2, 0) => Formula::Not(Rc::new(Formula::Flag(variable))),
        (2, _) => Formula::Flag(variable),
        _ => Formula::Fact(variable, value),
    }
}

impl Formula {
    /// The number of facts in it as written out.
    pub(super) fn size(&self) -> u64 {
        match self {
            Self::True | Self::False | Self::Fact(..) | Self::Flag(_) => 1,
            Self::Not(one) => one.size(),
            Self::All(_, size) | Self::Any(_, size) => *size,
        }
    }

    pub(super) fn negated(&self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Not(one) => (**one).clone(),
            other => Self::Not(Rc::new(other.clone())),
        }
    }

    pub(super) fn and(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::True, one) | (one, Self::True) => one.clone(),
            _ => Self::all([self.clone(), other.clone()]),
        }
    }

    pub(super) fn or(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::False, one) | (one, Self::False) => one.clone(),
            _ => Self::any([self.clone(), other.clone()]),
        }
    }

    pub(super) fn all(formulas: impl IntoIterator<Item = Self>) -> Self {
        let mut parts: Vec<Self> = Vec::new();
        for formula in formulas {
            let more = match &formula {
                Self::All(more, _) => &more[..],
                one => std::slice::from_ref(one),
            };
            for part in more {
                if *part == Self::False {
                    return Self::False;
                }
                if *part == Self::True || parts.len() <= MAX_COMPARED && parts.contains(part) {
                    continue;
                }
                if parts.len() <= MAX_COMPARED {
                    if parts.iter().any(|other| other.excludes(part)) {
                        return Self::False;
                    }
                    // What a fact implies of its variable need not be said.
                    if parts.iter().any(|other| other.implies(part)) {
                        continue;
                    }
                    parts.retain(|other| !part.implies(other));
                }
                parts.push(part.clone());
            }
        }
        match parts.len() {
            0 => Self::True,
            1 => parts.remove(0),
            _ => {
                let size = parts.iter().map(Self::size).fold(0, u64::saturating_add);
                Self::All(parts.into(), size)
            }
        }
    }

    pub(super) fn any(formulas: impl IntoIterator<Item = Self>) -> Self {
        let mut parts: Vec<Self> = Vec::new();
        for formula in formulas {
            let more = match &formula {
                Self::Any(more, _) => &more[..],
                one => std::slice::from_ref(one),
            };
            for part in more {
                if *part == Self::True {
                    return Self::True;
                }
                if *part == Self::False || parts.len() <= MAX_COMPARED && parts.contains(part) {
                    continue;
                }
                if parts.len() <= MAX_COMPARED && parts.contains(&part.negated()) {
                    return Self::True;
                }
                parts.push(part.clone());
            }
        }
        match parts.len() {
            0 => Self::False,
            1 => parts.remove(0),
            _ => {
                let size = parts.iter().map(Self::size).fold(0, u64::saturating_add);
                Self::Any(parts.into(), size)
            }
        }
    }

    /// Whether the two are seen to exclude each other.
    fn excludes(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Fact(one, a), Self::Fact(two, b)) => one == two && a != b,
            (Self::Not(one), other) | (other, Self::Not(one)) => **one == *other,
            _ => false,
        }
    }

    /// Whether the other is seen to hold wherever it does.
    fn implies(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Fact(one, a), Self::Not(not)) => {
                matches!(&**not, Self::Fact(two, b) if one == two && a != b)
            }
            _ => false,
        }
    }

    /// The facts that must hold for it to hold, where that is plain to see: variables and values.
    pub(super) fn facts(&self) -> impl Iterator<Item = (u32, u32)> {
        let parts = match self {
            Self::All(parts, _) => &parts[..],
            one => std::slice::from_ref(one),
        };
        parts.iter().filter_map(|part| match part {
            Self::Fact(variable, value) => Some((*variable, *value)),
            Self::Flag(variable) => Some((*variable, 1)),
            Self::Not(not) => match **not {
                Self::Flag(variable) => Some((variable, 0)),
                _ => None,
            },
            _ => None,
        })
    }

    /// The value that a variable must have for it to hold, where that is plain to see.
    pub(super) fn value_of(&self, variable: u32) -> Option<u32> {
        let mut facts = self.facts();
        facts.find_map(|(one, value)| (one == variable).then_some(value))
    }
}

#[cfg(test)]
mod tests {
    use super::{Formula, fact};

    #[test]
    fn contradictions_and_repetitions_are_seen() {
        let (a, b) = (fact(0, 1, 3), fact(0, 2, 3));
        assert_eq!(a.and(&b), Formula::False);
        assert_eq!(a.and(&b.negated()), a);
        assert_eq!(a.and(&a), a);
        assert_eq!(a.or(&a.negated()), Formula::True);
        let (yes, no) = (fact(1, 1, 2), fact(1, 0, 2));
        assert_eq!(yes.negated(), no);
        assert_eq!(yes.and(&no), Formula::False);
        assert_eq!(yes.or(&no), Formula::True);
        assert_eq!(a.and(&no).value_of(1), Some(0));
        assert_eq!(a.or(&no).value_of(1), None);
        assert_eq!(a.negated().value_of(0), None);
    }
}
