//! Tracks the budget of a run: tokens and their cost, summed over all tries of all threads.

use std::sync::{Mutex, PoisonError};

use super::chat::{ChatError, Usage};

/// The price of tokens, in any one currency, per million.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// Those of questions.
    pub input: f64,
    /// Those of answers, shown or not.
    pub output: f64,
    /// Those of questions that the server had read before; as `input` if `None`.
    pub cached: Option<f64>,
}

impl Price {
    /// Returns the cost of these tokens.
    pub fn of(&self, usage: Usage) -> f64 {
        let cached = usage.cached.unwrap_or(0).min(usage.input);
        let cost = (usage.input - cached) as f64 * self.input
            + cached as f64 * self.cached.unwrap_or(self.input)
            + usage.output as f64 * self.output;
        cost / 1e6
    }

    fn is_sound(&self) -> bool {
        let prices = [self.input, self.output, self.cached.unwrap_or(0.0)];
        prices
            .iter()
            .all(|price| price.is_finite() && *price >= 0.0)
    }
}

/// The limits on spending; `None` is without limit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpendingLimits {
    /// Tokens of questions and answers together.
    pub tokens: Option<u64>,
    /// Their cost, in the currency of the price.
    pub cost: Option<f64>,
}

/// The reason why a budget cannot be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BudgetError {
    /// A cost is limited, but no price is known.
    #[error("the cost is limited, but the price of tokens is not known")]
    NoPrice,
    /// A price or a limit is negative or no number.
    #[error("a price or a limit of cost is negative or not a number")]
    NotAnAmount,
}

/// The tokens and the cost spent so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spending {
    /// All tokens that were counted, also those of tries that came to nothing.
    pub usage: Usage,
    /// The number of answers that came without a token count. If there are any, `usage` and `cost` are lower bounds.
    pub uncounted: u64,
    /// The cost of `usage`; `None` where the price is not known.
    pub cost: Option<f64>,
}

/// A budget, shared by all who ask. Calls that are under way when it is spent may finish.
#[derive(Debug, Default)]
pub struct Budget {
    limits: SpendingLimits,
    price: Option<Price>,
    spent: Mutex<(Usage, u64)>,
}

impl Budget {
    /// A budget of which nothing is spent. Without limits it counts only.
    pub fn new(limits: SpendingLimits, price: Option<Price>) -> Result<Self, BudgetError> {
        if price.is_some_and(|price| !price.is_sound())
            || limits.cost.is_some_and(|cost| cost.is_nan() || cost < 0.0)
        {
            return Err(BudgetError::NotAnAmount);
        }
        if limits.cost.is_some() && price.is_none() {
            return Err(BudgetError::NoPrice);
        }
        Ok(Self {
            limits,
            price,
            spent: Mutex::default(),
        })
    }

    /// Adds what an earlier run had spent, which this one goes on with: tokens, and how many answers
    /// came without a count.
    pub fn begin_with(&self, usage: Usage, uncounted: u64) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        *spent = (spent.0.plus(usage), spent.1.saturating_add(uncounted));
    }

    /// Adds what one answer took; `None` if the server has not counted it.
    pub fn add(&self, usage: Option<Usage>) {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        match usage {
            Some(usage) => spent.0 = spent.0.plus(usage),
            None => spent.1 = spent.1.saturating_add(1),
        }
    }

    /// Returns the spending so far.
    pub fn spent(&self) -> Spending {
        let (usage, uncounted) = *self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        Spending {
            usage,
            uncounted,
            // Of the sum, not a sum: the order in which threads add makes no difference.
            cost: self.price.map(|price| price.of(usage)),
        }
    }

    /// Succeeds if budget is left; to be called before each request. A limit that cannot be kept, because the server
    /// does not count, is as good as reached.
    pub fn check(&self) -> Result<(), ChatError> {
        let Spending {
            usage,
            uncounted,
            cost,
        } = self.spent();
        let SpendingLimits {
            tokens: most_tokens,
            cost: most_cost,
        } = self.limits;
        let tokens = usage.input.saturating_add(usage.output);
        if let Some(most) = most_tokens.filter(|most| tokens >= *most) {
            let message = format!("the budget is spent: {tokens} of {most} tokens");
            return Err(ChatError::Budget(message));
        }
        if let (Some(cost), Some(most)) = (cost, most_cost)
            && cost >= most
        {
            let message = format!("the budget is spent: a cost of {cost:.4} of {most}");
            return Err(ChatError::Budget(message));
        }
        if uncounted > 0 && (most_tokens.is_some() || most_cost.is_some()) {
            let message = "the server does not count tokens, so the budget cannot be kept; run it \
                           without a limit of tokens and cost, or on another server";
            return Err(ChatError::Budget(message.to_owned()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRICE: Price = Price {
        input: 2.0,
        output: 8.0,
        cached: Some(0.5),
    };

    fn tokens(input: u64, output: u64) -> Usage {
        Usage {
            input,
            output,
            ..Usage::default()
        }
    }

    fn limited(tokens: Option<u64>, cost: Option<f64>) -> Budget {
        Budget::new(SpendingLimits { tokens, cost }, Some(PRICE)).unwrap()
    }

    #[test]
    fn cached_tokens_have_a_price_of_their_own() {
        let usage = Usage {
            cached: Some(500_000),
            ..tokens(1_000_000, 250_000)
        };
        assert!((PRICE.of(usage) - (1.0 + 0.25 + 2.0)).abs() < 1e-12);
        let without = Price {
            cached: None,
            ..PRICE
        };
        assert!((without.of(usage) - 4.0).abs() < 1e-12);
    }

    #[test]
    fn an_unknown_price_makes_the_cost_unknown_and_not_nothing() {
        let budget = Budget::default();
        budget.add(Some(tokens(10, 5)));
        assert_eq!(budget.spent().cost, None);
        assert_eq!(budget.spent().usage, tokens(10, 5));
        assert_eq!(budget.check(), Ok(()));
    }

    #[test]
    fn a_limit_of_tokens_lets_nothing_pass_once_it_is_reached() {
        let budget = limited(Some(30), None);
        budget.add(Some(tokens(10, 10)));
        assert_eq!(budget.check(), Ok(()));
        budget.add(Some(tokens(10, 0)));
        let error = budget.check().unwrap_err();
        assert_eq!(error.to_string(), "the budget is spent: 30 of 30 tokens");
    }

    #[test]
    fn a_limit_of_cost_lets_nothing_pass_once_it_is_reached() {
        let budget = limited(None, Some(0.01));
        budget.add(Some(tokens(1_000, 999)));
        assert_eq!(budget.check(), Ok(()));
        budget.add(Some(tokens(0, 1)));
        assert!(matches!(budget.check(), Err(ChatError::Budget(_))));
    }

    #[test]
    fn a_limit_of_nothing_lets_nothing_pass() {
        assert!(limited(Some(0), None).check().is_err());
        assert!(limited(None, Some(0.0)).check().is_err());
    }

    #[test]
    fn a_limit_is_not_kept_by_guessing_where_the_server_does_not_count() {
        let budget = limited(Some(1000), None);
        budget.add(None);
        assert_eq!(budget.spent().uncounted, 1);
        let error = budget.check().unwrap_err().to_string();
        assert!(error.contains("does not count"), "{error}");
        let counts_only = Budget::default();
        counts_only.add(None);
        assert_eq!(counts_only.check(), Ok(()));
    }

    #[test]
    fn limits_and_prices_that_make_no_sense_are_refused() {
        let limits = |cost| SpendingLimits { tokens: None, cost };
        let error = |limits, price| Budget::new(limits, price).unwrap_err();
        assert_eq!(error(limits(Some(1.0)), None), BudgetError::NoPrice);
        for cost in [-1.0, f64::NAN] {
            let found = error(limits(Some(cost)), Some(PRICE));
            assert_eq!(found, BudgetError::NotAnAmount);
        }
        for input in [-1.0, f64::NAN, f64::INFINITY] {
            let price = Price { input, ..PRICE };
            assert_eq!(error(limits(None), Some(price)), BudgetError::NotAnAmount);
        }
    }

    #[test]
    fn counts_that_no_server_can_mean_do_not_overflow() {
        let budget = limited(Some(u64::MAX), None);
        budget.add(Some(tokens(u64::MAX, u64::MAX)));
        budget.add(Some(tokens(u64::MAX, 1)));
        assert!(budget.check().is_err());
    }

    #[test]
    fn the_cost_does_not_depend_on_the_order_of_adding() {
        let amounts = [tokens(3, 7), tokens(1_000_003, 11), tokens(17, 900_001)];
        let cost = |order: [usize; 3]| {
            let budget = limited(None, Some(1e9));
            for index in order {
                budget.add(Some(amounts[index]));
            }
            budget.spent().cost.unwrap().to_bits()
        };
        assert_eq!(cost([0, 1, 2]), cost([2, 1, 0]));
    }
}
