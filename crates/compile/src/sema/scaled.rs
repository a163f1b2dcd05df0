//! Exact numbers with fractions: an integer expression together with the scale it is multiplied by.

use super::model::Expr;

/// `expr / scale`. Constants are in lowest terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Scaled {
    pub(super) expr: Expr,
    pub(super) scale: i64,
}

/// Scales beyond this are refused, so that scaled costs stay far from overflow.
const MAX_SCALE: i64 = 1_000_000;

impl Scaled {
    /// An expression of whole numbers.
    pub(super) fn whole(expr: Expr) -> Self {
        Self { expr, scale: 1 }
    }

    /// `numerator / denominator`, where the denominator is positive.
    pub(super) fn ratio(numerator: i64, denominator: i64) -> Option<Self> {
        let divisor =
            i64::try_from(gcd(numerator.unsigned_abs(), denominator.unsigned_abs())).ok()?;
        let divisor = divisor.max(1);
        limited(Self {
            expr: Expr::Constant(numerator / divisor),
            scale: denominator / divisor,
        })
    }

    /// A number as the syntax has it, in thousandths.
    pub(super) fn thousandths(number: i64) -> Self {
        let divisor = gcd(number.unsigned_abs(), 1000).max(1) as i64;
        Self {
            expr: Expr::Constant(number / divisor),
            scale: 1000 / divisor,
        }
    }

    /// The numerator, if this is a constant.
    pub(super) fn constant(&self) -> Option<i64> {
        match self.expr {
            Expr::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// The expression multiplied by `scale`, which must be a multiple of its own.
    pub(super) fn at_scale(self, scale: i64) -> Option<Expr> {
        times(self.expr, scale / self.scale)
    }

    /// Brings several to their least common scale.
    pub(super) fn align(all: Vec<Self>) -> Option<(Vec<Expr>, i64)> {
        let scale = all
            .iter()
            .try_fold(1, |scale, one| least_common_multiple(scale, one.scale))?;
        let exprs: Option<Vec<Expr>> = all.into_iter().map(|one| one.at_scale(scale)).collect();
        Some((exprs?, scale))
    }

    /// Combines several at a common scale by `combine`, or, where all are constants, by `fold`.
    pub(super) fn combine(
        all: Vec<Self>,
        combine: fn(Vec<Expr>) -> Expr,
        fold: fn(i64, i64) -> Option<i64>,
    ) -> Option<Self> {
        let (exprs, scale) = Self::align(all)?;
        let constants: Option<Vec<i64>> = exprs.iter().map(constant).collect();
        if let Some((first, rest)) = constants.as_deref().and_then(<[i64]>::split_first) {
            let value = rest.iter().try_fold(*first, |a, b| fold(a, *b))?;
            return Self::ratio(value, scale);
        }
        limited(Self {
            expr: combine(exprs),
            scale,
        })
    }

    /// The product: scales multiply.
    pub(super) fn product(all: Vec<Self>) -> Option<Self> {
        let scale = all
            .iter()
            .try_fold(1i64, |scale, one| scale.checked_mul(one.scale))?;
        let (mut factor, mut exprs) = (1i64, Vec::new());
        for one in all {
            match one.expr {
                Expr::Constant(value) => factor = factor.checked_mul(value)?,
                expr => exprs.push(expr),
            }
        }
        let Self {
            expr: constant,
            scale,
        } = Self::ratio(factor, scale)?;
        if exprs.is_empty() || constant == Expr::Constant(0) {
            return Some(Self {
                expr: constant,
                scale,
            });
        }
        if constant != Expr::Constant(1) {
            exprs.insert(0, constant);
        }
        Some(Self {
            expr: match exprs.len() {
                1 => exprs.remove(0),
                _ => Expr::Multiply(exprs),
            },
            scale,
        })
    }

    /// The quotient by a constant other than 0; `None` for any other divisor.
    pub(super) fn quotient(self, divisor: &Self) -> Option<Self> {
        let value = divisor.constant().filter(|&value| value != 0)?;
        let (numerator, denominator) = if value < 0 {
            (divisor.scale.checked_neg()?, value.checked_neg()?)
        } else {
            (divisor.scale, value)
        };
        Self::product(vec![self, Self::ratio(numerator, denominator)?])
    }
}

fn limited(scaled: Scaled) -> Option<Scaled> {
    (scaled.scale <= MAX_SCALE).then_some(scaled)
}

fn constant(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Constant(value) => Some(*value),
        _ => None,
    }
}

fn times(expr: Expr, factor: i64) -> Option<Expr> {
    Some(match expr {
        expr if factor == 1 => expr,
        Expr::Constant(value) => Expr::Constant(value.checked_mul(factor)?),
        expr => Expr::Multiply(vec![Expr::Constant(factor), expr]),
    })
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// `None` if it is beyond the limit on scales.
pub(super) fn least_common_multiple(a: i64, b: i64) -> Option<i64> {
    let divisor = gcd(a.unsigned_abs(), b.unsigned_abs()).max(1) as i64;
    (a / divisor).checked_mul(b).filter(|&m| m <= MAX_SCALE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(thousandths: i64) -> Scaled {
        Scaled::thousandths(thousandths)
    }

    fn ratio(numerator: i64, scale: i64) -> Scaled {
        Scaled {
            expr: Expr::Constant(numerator),
            scale,
        }
    }

    #[test]
    fn numbers_are_in_lowest_terms() {
        assert_eq!(number(3000), ratio(3, 1));
        assert_eq!(number(1500), ratio(3, 2));
        assert_eq!(number(-250), ratio(-1, 4));
        assert_eq!(number(0), ratio(0, 1));
    }

    #[test]
    fn arithmetic_on_constants_is_exact() {
        let sum = Scaled::combine(vec![number(500), number(250)], Expr::Add, i64::checked_add);
        assert_eq!(sum, Some(ratio(3, 4)));
        let product = Scaled::product(vec![number(500), number(2000)]);
        assert_eq!(product, Some(ratio(1, 1)));
        assert_eq!(number(7000).quotient(&number(-2000)), Some(ratio(-7, 2)));
        assert_eq!(number(7000).quotient(&number(0)), None);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let huge = ratio(i64::MAX, 1);
        let two = vec![huge.clone(), number(2000)];
        assert_eq!(Scaled::product(two), None);
        assert_eq!(huge.at_scale(10), None);
    }
}
