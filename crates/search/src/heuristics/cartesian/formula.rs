//! Conditions and expressions on Cartesian sets of states, in three-valued logic.
//!
//! A condition is true or false of a set if it is so of all its states, and else not known. What is
//! known may be less than what is true: the sets over-approximate.

use super::domains::{Domains, values};
use brigade_task::cond::{Comparison, Cond, Expr};
use brigade_task::layout::Variable;
use brigade_task::{Fact, VarId};

/// A condition, flattened.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Formula {
    True,
    False,
    /// Nothing is known of it.
    Unknown,
    /// This variable has this value.
    Fact(u32, u32),
    Not(Box<Formula>),
    All(Box<[Formula]>),
    Any(Box<[Formula]>),
    Compare(Comparison, Box<Term>, Box<Term>),
    /// The second variable has the value that the table gives for the first.
    Same(u32, u32, Box<[Option<u32>]>),
}

/// An integer expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Term {
    Constant(i64),
    /// A static function of a variable's value.
    Table(u32, Box<[i64]>),
    Truth(Formula),
    Add(Box<[Term]>),
    Subtract(Box<[Term; 2]>),
    Multiply(Box<[Term]>),
    Abs(Box<Term>),
    Min(Box<[Term]>),
    Max(Box<[Term]>),
    Case(Box<[(Formula, Term)]>),
}

/// Makes formulas and changes of conditions and effects on these variables.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'t>(pub(crate) &'t [Variable]);

impl Reader<'_> {
    /// The number that the first value of a variable stands for.
    pub(crate) fn low(self, variable: VarId) -> i64 {
        self.0[variable.index()].low()
    }

    pub(crate) fn cond(self, cond: &Cond) -> Formula {
        match cond {
            Cond::True => Formula::True,
            Cond::False => Formula::False,
            Cond::Fact(fact) => (*fact).into(),
            Cond::Facts(facts) => Formula::all(facts.iter().map(|&fact| fact.into())),
            Cond::Not(cond) => self.cond(cond).negated(),
            Cond::And(conds) => Formula::all(conds.iter().map(|cond| self.cond(cond))),
            Cond::Or(conds) => Formula::any(conds.iter().map(|cond| self.cond(cond))),
            Cond::Compare(comparison, left, right) => Formula::Compare(
                *comparison,
                Box::new(self.expr(left)),
                Box::new(self.expr(right)),
            ),
            Cond::Same(left, right, table) => Formula::Same(left.0, right.0, table.clone()),
        }
    }

    pub(crate) fn expr(self, expr: &Expr) -> Term {
        let all = |exprs: &[Expr]| exprs.iter().map(|expr| self.expr(expr)).collect();
        match expr {
            Expr::Constant(constant) => Term::Constant(*constant),
            Expr::Variable(variable) => {
                let layout = &self.0[variable.index()];
                let table = (0..i64::from(layout.size)).map(|stored| layout.low() + stored);
                Term::Table(variable.0, table.collect())
            }
            Expr::Table(variable, table) => Term::Table(variable.0, table.clone()),
            Expr::Truth(cond) => Term::Truth(self.cond(cond)),
            Expr::Add(exprs) => Term::Add(all(exprs)),
            Expr::Subtract(pair) => {
                Term::Subtract(Box::new([self.expr(&pair[0]), self.expr(&pair[1])]))
            }
            Expr::Multiply(exprs) => Term::Multiply(all(exprs)),
            Expr::Abs(expr) => Term::Abs(Box::new(self.expr(expr))),
            Expr::Min(exprs) => Term::Min(all(exprs)),
            Expr::Max(exprs) => Term::Max(all(exprs)),
            Expr::Case(cases) => Term::Case(
                cases
                    .iter()
                    .map(|(cond, expr)| (self.cond(cond), self.expr(expr)))
                    .collect(),
            ),
        }
    }
}

impl From<Fact> for Formula {
    fn from(fact: Fact) -> Self {
        Self::Fact(fact.variable.0, fact.value)
    }
}

impl Formula {
    /// The conjunction, flattened; disjunctions without what other parts of it rule out.
    pub(crate) fn all(formulas: impl IntoIterator<Item = Self>) -> Self {
        let mut parts = Vec::new();
        for formula in formulas {
            match formula {
                Self::True => {}
                Self::False => return Self::False,
                Self::All(more) => parts.extend(more),
                Self::Unknown if parts.contains(&Self::Unknown) => {}
                other => parts.push(other),
            }
        }
        let units: Vec<Self> = parts
            .iter()
            .filter(|part| part.is_unit())
            .cloned()
            .collect();
        let is_ruled_out = |part: &Self| units.iter().any(|unit| unit.excludes(part));
        let mut is_changed = false;
        for part in &mut parts {
            if let Self::Any(choices) = part
                && choices.iter().any(is_ruled_out)
            {
                let left = choices.iter().filter(|choice| !is_ruled_out(choice));
                *part = Self::any(left.cloned());
                is_changed = true;
            }
        }
        if is_changed {
            return Self::all(parts);
        }
        match parts.len() {
            0 => Self::True,
            1 => parts.remove(0),
            _ => Self::All(parts.into()),
        }
    }

    /// Returns whether it is a fact, or says that one does not hold.
    fn is_unit(&self) -> bool {
        match self {
            Self::Fact(..) => true,
            Self::Not(formula) => matches!(**formula, Self::Fact(..)),
            _ => false,
        }
    }

    /// Returns whether this and another cannot both hold, as far as two units show.
    fn excludes(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Fact(variable, value), Self::Fact(other, another)) => {
                variable == other && value != another
            }
            (Self::Not(formula), other) => **formula == *other,
            (fact, Self::Not(formula)) => *fact == **formula,
            _ => false,
        }
    }

    /// The disjunction, flattened.
    pub(crate) fn any(formulas: impl IntoIterator<Item = Self>) -> Self {
        let mut parts = Vec::new();
        for formula in formulas {
            match formula {
                Self::False => {}
                Self::True => return Self::True,
                Self::Any(more) => parts.extend(more),
                Self::Unknown if parts.contains(&Self::Unknown) => {}
                other => parts.push(other),
            }
        }
        match parts.len() {
            0 => Self::False,
            1 => parts.remove(0),
            _ => Self::Any(parts.into()),
        }
    }

    /// The formula, weakened to what can be decided where nothing is ever known of variables other
    /// than these.
    pub(crate) fn blurred(&self, distinguished: &[bool]) -> Self {
        match self {
            Self::True | Self::False | Self::Unknown => self.clone(),
            Self::Not(formula) => formula.blurred(distinguished).negated(),
            Self::All(formulas) => Self::all(
                formulas
                    .iter()
                    .map(|formula| formula.blurred(distinguished)),
            ),
            Self::Any(formulas) => Self::any(
                formulas
                    .iter()
                    .map(|formula| formula.blurred(distinguished)),
            ),
            Self::Fact(..) | Self::Compare(..) | Self::Same(..) => {
                let mut may_be_known = false;
                self.reads(&mut |read| may_be_known |= distinguished[read as usize]);
                if may_be_known {
                    self.clone()
                } else {
                    Self::Unknown
                }
            }
        }
    }

    /// The negation; of a conjunction or disjunction that of its parts (De Morgan), so that what
    /// must hold can be read off.
    pub(crate) fn negated(self) -> Self {
        let parts = |formulas: Box<[Self]>| formulas.into_iter().map(Self::negated);
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Unknown => Self::Unknown,
            Self::Not(formula) => *formula,
            Self::All(formulas) => Self::any(parts(formulas)),
            Self::Any(formulas) => Self::all(parts(formulas)),
            other => Self::Not(Box::new(other)),
        }
    }

    /// The truth of the formula in all states of a set; `None` if it differs, or cannot be decided.
    pub(crate) fn truth(&self, domains: &Domains, row: &[u64]) -> Option<bool> {
        match self {
            Self::True => Some(true),
            Self::False => Some(false),
            Self::Unknown => None,
            Self::Fact(variable, value) => {
                if !domains.contains(row, *variable, *value) {
                    Some(false)
                } else if domains.single(row, *variable).is_some() {
                    Some(true)
                } else {
                    None
                }
            }
            Self::Not(formula) => formula.truth(domains, row).map(|truth| !truth),
            Self::All(formulas) => {
                let mut result = Some(true);
                for formula in formulas {
                    match formula.truth(domains, row) {
                        Some(true) => {}
                        Some(false) => return Some(false),
                        None => result = None,
                    }
                }
                result
            }
            Self::Any(formulas) => {
                let mut result = Some(false);
                for formula in formulas {
                    match formula.truth(domains, row) {
                        Some(false) => {}
                        Some(true) => return Some(true),
                        None => result = None,
                    }
                }
                result
            }
            Self::Compare(comparison, left, right) => {
                let (left, right) = (left.range(domains, row), right.range(domains, row));
                compares(*comparison, left, right)
            }
            Self::Same(left, right, table) => {
                let other = domains.get(row, *right);
                let mut may = false;
                let mut must = true;
                for value in domains.values(row, *left) {
                    match table[value as usize] {
                        Some(same) if super::domains::contains(other, same) => may = true,
                        _ => must = false,
                    }
                }
                if !may {
                    Some(false)
                } else if must && domains.single(row, *right).is_some() {
                    Some(true)
                } else {
                    None
                }
            }
        }
    }

    /// Calls `visit` for each variable read.
    pub(crate) fn reads(&self, visit: &mut dyn FnMut(u32)) {
        match self {
            Self::True | Self::False | Self::Unknown => {}
            Self::Fact(variable, _) => visit(*variable),
            Self::Not(formula) => formula.reads(visit),
            Self::All(formulas) | Self::Any(formulas) => {
                for formula in formulas {
                    formula.reads(visit);
                }
            }
            Self::Compare(_, left, right) => {
                left.reads(visit);
                right.reads(visit);
            }
            Self::Same(left, right, _) => {
                visit(*left);
                visit(*right);
            }
        }
    }
}

/// The truth of a comparison of two numbers that lie in intervals.
fn compares(comparison: Comparison, left: (i64, i64), right: (i64, i64)) -> Option<bool> {
    let less = |left: (i64, i64), right: (i64, i64)| {
        if left.1 < right.0 {
            Some(true)
        } else if left.0 >= right.1 {
            Some(false)
        } else {
            None
        }
    };
    match comparison {
        Comparison::Less => less(left, right),
        Comparison::GreaterOrEqual => less(left, right).map(|truth| !truth),
        Comparison::Greater => less(right, left),
        Comparison::LessOrEqual => less(right, left).map(|truth| !truth),
        Comparison::Equal => {
            if left.1 < right.0 || right.1 < left.0 {
                Some(false)
            } else if left.0 == left.1 && left == right {
                Some(true)
            } else {
                None
            }
        }
    }
}

impl Term {
    /// An interval that holds its value in every state of a set; a point where the set has but one.
    pub(crate) fn range(&self, domains: &Domains, row: &[u64]) -> (i64, i64) {
        let range = |term: &Self| term.range(domains, row);
        match self {
            Self::Constant(constant) => (*constant, *constant),
            Self::Table(variable, table) => {
                let mut hull = (i64::MAX, i64::MIN);
                for value in values(domains.get(row, *variable)) {
                    let value = table[value as usize];
                    hull = (hull.0.min(value), hull.1.max(value));
                }
                hull
            }
            Self::Truth(formula) => match formula.truth(domains, row) {
                Some(truth) => (i64::from(truth), i64::from(truth)),
                None => (0, 1),
            },
            Self::Add(terms) => terms.iter().map(range).fold((0, 0), |sum, term| {
                (sum.0.saturating_add(term.0), sum.1.saturating_add(term.1))
            }),
            Self::Subtract(pair) => {
                let (left, right) = (range(&pair[0]), range(&pair[1]));
                (
                    left.0.saturating_sub(right.1),
                    left.1.saturating_sub(right.0),
                )
            }
            Self::Multiply(terms) => terms.iter().map(range).fold((1, 1), |product, factor| {
                let corners = [
                    product.0.saturating_mul(factor.0),
                    product.0.saturating_mul(factor.1),
                    product.1.saturating_mul(factor.0),
                    product.1.saturating_mul(factor.1),
                ];
                let least = corners.into_iter().fold(i64::MAX, i64::min);
                (least, corners.into_iter().fold(i64::MIN, i64::max))
            }),
            Self::Abs(term) => {
                let (least, greatest) = range(term);
                let (left, right) = (least.saturating_abs(), greatest.saturating_abs());
                if least <= 0 && greatest >= 0 {
                    (0, left.max(right))
                } else {
                    (left.min(right), left.max(right))
                }
            }
            Self::Min(terms) => terms
                .iter()
                .map(range)
                .reduce(|left, right| (left.0.min(right.0), left.1.min(right.1)))
                .unwrap_or((0, 0)),
            Self::Max(terms) => terms
                .iter()
                .map(range)
                .reduce(|left, right| (left.0.max(right.0), left.1.max(right.1)))
                .unwrap_or((0, 0)),
            Self::Case(cases) => {
                let mut hull: Option<(i64, i64)> = None;
                let mut join = |range: (i64, i64)| {
                    hull =
                        Some(hull.map_or(range, |hull| (hull.0.min(range.0), hull.1.max(range.1))));
                };
                let mut is_certain = false;
                for (formula, term) in cases {
                    let truth = formula.truth(domains, row);
                    if truth != Some(false) {
                        join(range(term));
                    }
                    if truth == Some(true) {
                        is_certain = true;
                        break;
                    }
                }
                if !is_certain {
                    join((0, 0));
                }
                hull.unwrap_or((0, 0))
            }
        }
    }

    /// Calls `visit` for each variable read.
    pub(crate) fn reads(&self, visit: &mut dyn FnMut(u32)) {
        match self {
            Self::Constant(_) => {}
            Self::Table(variable, _) => visit(*variable),
            Self::Truth(formula) => formula.reads(visit),
            Self::Add(terms) | Self::Multiply(terms) | Self::Min(terms) | Self::Max(terms) => {
                for term in terms {
                    term.reads(visit);
                }
            }
            Self::Subtract(pair) => {
                pair[0].reads(visit);
                pair[1].reads(visit);
            }
            Self::Abs(term) => term.reads(visit),
            Self::Case(cases) => {
                for (formula, term) in cases {
                    formula.reads(visit);
                    term.reads(visit);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conjunction_leaves_out_choices_that_another_part_rules_out() {
        let fact = Formula::Fact;
        let not = |formula: Formula| formula.negated();
        let any = |formulas: Vec<Formula>| Formula::any(formulas);
        // What is in the pot is not soup; it, or what lies beside it, is.
        let parts = [not(fact(0, 1)), any(vec![fact(0, 1), fact(1, 1)])];
        assert_eq!(
            Formula::all(parts),
            Formula::All([not(fact(0, 1)), fact(1, 1)].into())
        );
        // One choice that is left rules out another in turn.
        let parts = [
            any(vec![fact(1, 0), fact(2, 0)]),
            any(vec![fact(0, 2), fact(1, 1)]),
            fact(0, 1),
        ];
        let left = [fact(2, 0), fact(1, 1), fact(0, 1)];
        assert_eq!(Formula::all(parts), Formula::All(left.into()));
        let parts = [fact(0, 1), any(vec![fact(0, 0), fact(0, 2)])];
        assert_eq!(Formula::all(parts), Formula::False);
    }
}
