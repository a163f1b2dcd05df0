//! Ground conditions and integer expressions, evaluated on packed states.

use std::collections::BTreeMap;

use super::ids::VarId;
use super::layout::Variable;

/// A conjunction of facts that share one word of the state: `state[word] & mask == value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Test {
    /// The word.
    pub word: u16,
    /// The bits that are looked at.
    pub mask: u64,
    /// What they must be.
    pub value: u64,
}

impl Test {
    /// `variable = value`.
    pub fn fact(variable: &Variable, value: u32) -> Self {
        Self {
            word: variable.word,
            mask: variable.mask(),
            value: u64::from(value) << variable.shift,
        }
    }

    /// Whether the other holds wherever it does.
    pub const fn implies(self, other: Self) -> bool {
        self.word == other.word
            && self.mask & other.mask == other.mask
            && self.value & other.mask == other.value
    }

    /// Whether it holds.
    #[inline]
    pub fn holds(self, state: &[u64]) -> bool {
        state[self.word as usize] & self.mask == self.value
    }
}

/// A condition on a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cond {
    /// Always.
    True,
    /// Never.
    False,
    /// All of these facts hold.
    Facts(Box<[Test]>),
    /// This fact holds.
    Fact(Test),
    /// Negation.
    Not(Box<Cond>),
    /// Conjunction.
    And(Box<[Cond]>),
    /// Disjunction.
    Or(Box<[Cond]>),
    /// Two numbers compare so.
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// Two object variables have the same value. Their stored numbers differ in meaning: the table
    /// gives for each number of the first the number of the second that means the same, if any.
    Same(VarId, VarId, Box<[Option<u32>]>),
}

/// An integer expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// A constant.
    Constant(i64),
    /// A bounded integer variable.
    Variable(VarId),
    /// A static function of a variable's value: `table[value]`.
    Table(VarId, Box<[i64]>),
    /// 1 if the condition holds, else 0.
    Truth(Box<Cond>),
    /// Sum.
    Add(Box<[Expr]>),
    /// Difference.
    Subtract(Box<[Expr; 2]>),
    /// Product.
    Multiply(Box<[Expr]>),
    /// Absolute value.
    Abs(Box<Expr>),
    /// Least; of nothing, 0.
    Min(Box<[Expr]>),
    /// Greatest; of nothing, 0.
    Max(Box<[Expr]>),
    /// The value of the first condition that holds; 0 if none does.
    Case(Box<[(Cond, Expr)]>),
}

/// Repetitions are dropped among as many parts; in longer ones the look would take too long.
const MAX_COMPARED: usize = 256;

impl Cond {
    /// Whether it holds in `state`.
    #[inline]
    pub fn holds(&self, variables: &[Variable], state: &[u64]) -> bool {
        // Most conditions, and parts of them, are single facts.
        match self {
            Self::True => true,
            Self::False => false,
            Self::Fact(test) => test.holds(state),
            compound => compound.compound_holds(variables, state),
        }
    }

    fn compound_holds(&self, variables: &[Variable], state: &[u64]) -> bool {
        match self {
            Self::True | Self::False | Self::Fact(_) => self.holds(variables, state),
            Self::Facts(tests) => tests.iter().all(|test| test.holds(state)),
            Self::Not(cond) => !cond.holds(variables, state),
            Self::And(conds) => conds.iter().all(|cond| cond.holds(variables, state)),
            Self::Or(conds) => conds.iter().any(|cond| cond.holds(variables, state)),
            Self::Compare(comparison, left, right) => {
                comparison.compares(left.value(variables, state), right.value(variables, state))
            }
            Self::Same(left, right, table) => {
                let left = variables[left.index()].get(state);
                table[left as usize] == Some(variables[right.index()].get(state))
            }
        }
    }

    /// The conjunction, simplified.
    pub fn all(conds: impl IntoIterator<Item = Self>) -> Self {
        let mut tests: Vec<Test> = Vec::new();
        let mut rest = Vec::new();
        let mut open: Vec<Self> = conds.into_iter().collect();
        open.reverse();
        while let Some(cond) = open.pop() {
            match cond {
                Self::True => {}
                Self::False => return Self::False,
                Self::Fact(test) => tests.push(test),
                Self::Facts(more) => tests.extend(more),
                Self::And(more) => open.extend(more.into_iter().rev()),
                other => {
                    if rest.len() > MAX_COMPARED || !rest.contains(&other) {
                        rest.push(other);
                    }
                }
            }
        }
        let Some(tests) = merge(&tests) else {
            return Self::False;
        };
        match (tests.len(), rest.len()) {
            (0, 0) => Self::True,
            (1, 0) => Self::Fact(tests[0]),
            (_, 0) => Self::Facts(tests.into()),
            (0, 1) => rest.remove(0),
            _ => {
                if !tests.is_empty() {
                    rest.insert(0, Self::all(tests.into_iter().map(Self::Fact)));
                }
                Self::And(rest.into())
            }
        }
    }

    /// The disjunction, simplified.
    pub fn any(conds: impl IntoIterator<Item = Self>) -> Self {
        let mut result = Vec::new();
        let mut open: Vec<Self> = conds.into_iter().collect();
        open.reverse();
        while let Some(cond) = open.pop() {
            match cond {
                Self::True => return Self::True,
                Self::False => {}
                Self::Or(more) => open.extend(more.into_iter().rev()),
                other => {
                    if result.len() > MAX_COMPARED || !result.contains(&other) {
                        result.push(other);
                    }
                }
            }
        }
        match result.len() {
            0 => Self::False,
            1 => result.remove(0),
            _ => Self::Or(result.into()),
        }
    }

    /// The negation, simplified.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Not(cond) => *cond,
            other => Self::Not(Box::new(other)),
        }
    }

    /// Splits a conjunction into the facts it requires and the rest.
    pub fn split(self) -> (Vec<Test>, Self) {
        match self {
            Self::Fact(test) => (vec![test], Self::True),
            Self::Facts(tests) => (tests.into(), Self::True),
            Self::And(conds) => {
                let mut tests = Vec::new();
                let mut rest = Vec::new();
                for cond in conds {
                    match cond {
                        Self::Fact(test) => tests.push(test),
                        Self::Facts(more) => tests.extend(more),
                        other => rest.push(other),
                    }
                }
                (tests, Self::all(rest))
            }
            other => (Vec::new(), other),
        }
    }
}

/// A set of bits of the state: few words of many.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits(BTreeMap<u16, u64>);

impl Bits {
    /// Adds bits of one word.
    pub fn add(&mut self, word: u16, mask: u64) {
        *self.0.entry(word).or_default() |= mask;
    }

    /// Adds the field of a variable.
    pub fn variable(&mut self, variable: &Variable) {
        self.add(variable.word, variable.mask());
    }

    /// Its words that hold any, ascending, with their bits.
    pub fn masks(&self) -> impl Iterator<Item = (u16, u64)> {
        self.0.iter().map(|(&word, &mask)| (word, mask))
    }

    /// Whether the two have a bit in common; fast where `other` is small.
    pub fn meets(&self, other: &Self) -> bool {
        let mut others = other.0.iter();
        others.any(|(word, mask)| self.0.get(word).is_some_and(|own| own & mask != 0))
    }
}

impl Cond {
    /// Adds the bits that it reads to `bits`.
    pub fn reads(&self, variables: &[Variable], bits: &mut Bits) {
        match self {
            Self::True | Self::False => {}
            Self::Fact(test) => bits.add(test.word, test.mask),
            Self::Facts(tests) => {
                for test in tests {
                    bits.add(test.word, test.mask);
                }
            }
            Self::Not(cond) => cond.reads(variables, bits),
            Self::And(conds) | Self::Or(conds) => {
                for cond in conds {
                    cond.reads(variables, bits);
                }
            }
            Self::Compare(_, left, right) => {
                left.reads(variables, bits);
                right.reads(variables, bits);
            }
            Self::Same(left, right, _) => {
                bits.variable(&variables[left.index()]);
                bits.variable(&variables[right.index()]);
            }
        }
    }
}

impl Expr {
    /// Adds the bits that it reads to `bits`.
    pub fn reads(&self, variables: &[Variable], bits: &mut Bits) {
        match self {
            Self::Constant(_) => {}
            Self::Variable(variable) | Self::Table(variable, _) => {
                bits.variable(&variables[variable.index()]);
            }
            Self::Truth(cond) => cond.reads(variables, bits),
            Self::Add(exprs) | Self::Multiply(exprs) | Self::Min(exprs) | Self::Max(exprs) => {
                for expr in exprs {
                    expr.reads(variables, bits);
                }
            }
            Self::Subtract(pair) => {
                pair[0].reads(variables, bits);
                pair[1].reads(variables, bits);
            }
            Self::Abs(expr) => expr.reads(variables, bits),
            Self::Case(cases) => {
                for (cond, expr) in cases {
                    cond.reads(variables, bits);
                    expr.reads(variables, bits);
                }
            }
        }
    }
}

/// One test per word; `None` if two contradict each other.
fn merge(tests: &[Test]) -> Option<Vec<Test>> {
    let mut merged: BTreeMap<u16, Test> = BTreeMap::new();
    for &test in tests {
        let other = merged.entry(test.word).or_insert(test);
        let shared = other.mask & test.mask;
        if other.value & shared != test.value & shared {
            return None;
        }
        other.mask |= test.mask;
        other.value |= test.value;
    }
    Some(merged.into_values().collect())
}

/// A comparison of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl Comparison {
    /// Whether `left` compares so to `right`.
    pub const fn compares(self, left: i64, right: i64) -> bool {
        match self {
            Self::Equal => left == right,
            Self::Less => left < right,
            Self::LessOrEqual => left <= right,
            Self::Greater => left > right,
            Self::GreaterOrEqual => left >= right,
        }
    }
}

impl Expr {
    /// Its value in `state`. Arithmetic saturates.
    pub fn value(&self, variables: &[Variable], state: &[u64]) -> i64 {
        let value = |expr: &Self| expr.value(variables, state);
        match self {
            Self::Constant(constant) => *constant,
            Self::Variable(variable) => {
                let variable = &variables[variable.index()];
                variable.low() + i64::from(variable.get(state))
            }
            Self::Table(variable, table) => table[variables[variable.index()].get(state) as usize],
            Self::Truth(cond) => i64::from(cond.holds(variables, state)),
            Self::Add(exprs) => exprs.iter().map(value).fold(0, i64::saturating_add),
            Self::Subtract(pair) => value(&pair[0]).saturating_sub(value(&pair[1])),
            Self::Multiply(exprs) => exprs.iter().map(value).fold(1, i64::saturating_mul),
            Self::Abs(expr) => value(expr).saturating_abs(),
            Self::Min(exprs) => exprs.iter().map(value).min().unwrap_or(0),
            Self::Max(exprs) => exprs.iter().map(value).max().unwrap_or(0),
            Self::Case(cases) => cases
                .iter()
                .find(|(cond, _)| cond.holds(variables, state))
                .map_or(0, |(_, expr)| value(expr)),
        }
    }
}

impl Variable {
    /// What the stored number 0 stands for, where the variable is an integer; else 0.
    pub const fn low(&self) -> i64 {
        match self.kind {
            super::layout::VariableKind::Integer { lo } => lo,
            _ => 0,
        }
    }
}
