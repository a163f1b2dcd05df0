//! Ground conditions and integer expressions over atoms: facts, or masked bits of a word.

use super::atom::{Atom, Fact};
use super::ids::VarId;
use super::layout::Variable;
use super::state::State;
use super::variable_set::VariableSet;

/// A condition on a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cond<F = Fact> {
    /// Always.
    True,
    /// Never.
    False,
    /// All of these facts hold.
    Facts(Box<[F]>),
    /// This fact holds.
    Fact(F),
    /// Negation.
    Not(Box<Cond<F>>),
    /// Conjunction.
    And(Box<[Cond<F>]>),
    /// Disjunction.
    Or(Box<[Cond<F>]>),
    /// Two numbers compare so.
    Compare(Comparison, Box<Expr<F>>, Box<Expr<F>>),
    /// Two object variables have the same value. Their stored numbers differ in meaning: the table
    /// gives for each number of the first the number of the second that means the same, if any.
    Same(VarId, VarId, Box<[Option<u32>]>),
}

/// An integer expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr<F = Fact> {
    /// A constant.
    Constant(i64),
    /// A bounded integer variable.
    Variable(VarId),
    /// A static function of a variable's value: `table[value]`.
    Table(VarId, Box<[i64]>),
    /// 1 if the condition holds, else 0.
    Truth(Box<Cond<F>>),
    /// Sum.
    Add(Box<[Expr<F>]>),
    /// Difference.
    Subtract(Box<[Expr<F>; 2]>),
    /// Product.
    Multiply(Box<[Expr<F>]>),
    /// Absolute value.
    Abs(Box<Expr<F>>),
    /// Least; of nothing, 0.
    Min(Box<[Expr<F>]>),
    /// Greatest; of nothing, 0.
    Max(Box<[Expr<F>]>),
    /// The value of the first condition that holds; 0 if none does.
    Case(Box<[(Cond<F>, Expr<F>)]>),
}

/// Repetitions are dropped among as many parts; in longer ones the look would take too long.
const MAX_COMPARED: usize = 256;

impl<F: Atom> Cond<F> {
    /// Returns true if it holds in `state`.
    #[inline]
    pub fn holds(&self, variables: &[Variable], state: &State) -> bool {
        // Most conditions, and parts of them, are single facts.
        match self {
            Self::True => true,
            Self::False => false,
            Self::Fact(fact) => fact.holds(variables, state),
            compound => compound.compound_holds(variables, state),
        }
    }

    fn compound_holds(&self, variables: &[Variable], state: &State) -> bool {
        match self {
            Self::True | Self::False | Self::Fact(_) => self.holds(variables, state),
            Self::Facts(facts) => facts.iter().all(|fact| fact.holds(variables, state)),
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
        let mut facts: Vec<F> = Vec::new();
        let mut rest = Vec::new();
        let mut open: Vec<Self> = conds.into_iter().collect();
        open.reverse();
        while let Some(cond) = open.pop() {
            match cond {
                Self::True => {}
                Self::False => return Self::False,
                Self::Fact(fact) => facts.push(fact),
                Self::Facts(more) => facts.extend(more),
                Self::And(more) => open.extend(more.into_iter().rev()),
                other => {
                    if rest.len() > MAX_COMPARED || !rest.contains(&other) {
                        rest.push(other);
                    }
                }
            }
        }
        let Some(facts) = F::all(&facts) else {
            return Self::False;
        };
        match (facts.len(), rest.len()) {
            (0, 0) => Self::True,
            (1, 0) => Self::Fact(facts[0]),
            (_, 0) => Self::Facts(facts.into()),
            (0, 1) => rest.remove(0),
            _ => {
                if !facts.is_empty() {
                    rest.insert(0, Self::all(facts.into_iter().map(Self::Fact)));
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
    pub fn split(self) -> (Vec<F>, Self) {
        match self {
            Self::Fact(fact) => (vec![fact], Self::True),
            Self::Facts(facts) => (facts.into(), Self::True),
            Self::And(conds) => {
                let mut facts = Vec::new();
                let mut rest = Vec::new();
                for cond in conds {
                    match cond {
                        Self::Fact(fact) => facts.push(fact),
                        Self::Facts(more) => facts.extend(more),
                        other => rest.push(other),
                    }
                }
                (facts, Self::all(rest))
            }
            other => (Vec::new(), other),
        }
    }
}

/// A part of a condition or an expression that looks at the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// A fact.
    Fact(Fact),
    /// A variable as a whole.
    Variable(VarId),
}

impl Read {
    /// The variable that is looked at.
    pub const fn variable(self) -> VarId {
        match self {
            Self::Fact(fact) => fact.variable,
            Self::Variable(id) => id,
        }
    }
}

impl Cond {
    /// Adds the variables that it reads.
    pub fn reads(&self, variables: &mut VariableSet) {
        self.each_read(&mut |read| variables.insert(read.variable()));
    }

    /// Calls `visit` for all that it reads.
    pub fn each_read(&self, visit: &mut dyn FnMut(Read)) {
        match self {
            Self::True | Self::False => {}
            Self::Fact(fact) => visit(Read::Fact(*fact)),
            Self::Facts(facts) => facts.iter().for_each(|fact| visit(Read::Fact(*fact))),
            Self::Not(cond) => cond.each_read(visit),
            Self::And(conds) | Self::Or(conds) => {
                conds.iter().for_each(|cond| cond.each_read(visit));
            }
            Self::Compare(_, left, right) => {
                left.each_read(visit);
                right.each_read(visit);
            }
            Self::Same(left, right, _) => {
                visit(Read::Variable(*left));
                visit(Read::Variable(*right));
            }
        }
    }
}

impl Expr {
    /// Adds the variables that it reads.
    pub fn reads(&self, variables: &mut VariableSet) {
        self.each_read(&mut |read| variables.insert(read.variable()));
    }

    /// Calls `visit` for all that it reads.
    pub fn each_read(&self, visit: &mut dyn FnMut(Read)) {
        match self {
            Self::Constant(_) => {}
            Self::Variable(variable) | Self::Table(variable, _) => {
                visit(Read::Variable(*variable));
            }
            Self::Truth(cond) => cond.each_read(visit),
            Self::Add(exprs) | Self::Multiply(exprs) | Self::Min(exprs) | Self::Max(exprs) => {
                exprs.iter().for_each(|expr| expr.each_read(visit));
            }
            Self::Subtract(pair) => pair.iter().for_each(|expr| expr.each_read(visit)),
            Self::Abs(expr) => expr.each_read(visit),
            Self::Case(cases) => {
                for (cond, expr) in cases {
                    cond.each_read(visit);
                    expr.each_read(visit);
                }
            }
        }
    }
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
    /// The comparison that holds with the sides exchanged.
    #[must_use]
    pub const fn exchanged(self) -> Self {
        match self {
            Self::Equal => Self::Equal,
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
        }
    }

    /// Returns true if `left` compares so to `right`.
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

impl<F: Atom> Expr<F> {
    /// Its value in `state`. Arithmetic saturates.
    pub fn value(&self, variables: &[Variable], state: &State) -> i64 {
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
