//! The spending of the models of a run: its limits, its ledger, and a model that is asked only within them.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Instant;

use indexmap::IndexMap;
use serde_json::Value;

use super::latency::LatencyLog;
use super::model::Price;
use super::spending::SpendingNote;
use crate::cli::exit::{Failure, Result};
use crate::llm::budget::{self, Budget, SpendingLimits};
use crate::llm::chat::{Chat, ChatError, ChatRequest, Completion, NoAnswer, Take};

/// The limits of a run.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Limits {
    pub(in crate::cli) connections: NonZeroUsize,
    pub(in crate::cli) tokens: Option<u64>,
    pub(in crate::cli) cost: Option<f64>,
    /// The prices of models that are not asked in this run, as far as they are known. Their earlier spending counts.
    pub(in crate::cli) prices: IndexMap<String, Price>,
}

/// The spending of the models of an evaluation together, in all runs, and its limits.
pub(in crate::cli) struct Ledger {
    pub(super) limits: Limits,
    /// By model; none where a cassette alone answers.
    pub(super) budgets: IndexMap<String, Arc<Budget>>,
    /// The file in which that is recorded for runs that follow.
    pub(super) note: Option<SpendingNote>,
    /// The file in which latencies are recorded.
    pub(super) latencies: Option<LatencyLog>,
}

impl Ledger {
    /// Tokens that were spent, and their cost where all prices are known.
    pub(in crate::cli) fn spent(&self) -> (u64, Option<f64>) {
        let all = self.budgets.values().map(|budget| budget.spent());
        all.fold((0, Some(0.0)), |(tokens, cost), spent| {
            let usage = spent.usage;
            (
                usage
                    .input
                    .saturating_add(usage.output)
                    .saturating_add(tokens),
                cost.zip(spent.cost).map(|(one, other)| one + other),
            )
        })
    }

    /// The folder is that of this evaluation: what is spent is noted there.
    pub(in crate::cli) fn open(&self) {
        if let Some(note) = &self.note {
            note.open();
        }
        if let Some(latencies) = &self.latencies {
            latencies.open();
        }
        self.write();
    }

    /// Fails if some spending or latency could not be recorded.
    pub(in crate::cli) fn close(&self) -> Result<()> {
        self.note.as_ref().map_or(Ok(()), SpendingNote::close)?;
        self.latencies.as_ref().map_or(Ok(()), LatencyLog::close)
    }

    fn write(&self) {
        let Some(note) = self.note.as_ref().filter(|_| !self.budgets.is_empty()) else {
            return;
        };
        note.note(|| {
            let budgets = self.budgets.iter();
            let spent = budgets.map(|(name, budget)| (name.clone(), budget.spent().into()));
            spent.collect()
        });
    }

    fn check(&self) -> std::result::Result<(), ChatError> {
        let is_limited = self.limits.tokens.is_some() || self.limits.cost.is_some();
        let mut budgets = self.budgets.iter();
        if let Some((name, _)) = budgets.find(|(_, budget)| budget.spent().uncounted > 0)
            && is_limited
        {
            return Err(ChatError::Budget(format!(
                "the server of model `{name}` does not count tokens, so no limit of tokens or cost \
                 can be kept; run without `--token-limit` and `--cost-limit`, or on another server"
            )));
        }
        let (tokens, cost) = self.spent();
        if self.limits.tokens.is_some_and(|limit| tokens >= limit) {
            return Err(ChatError::Budget(format!(
                "the token limit is reached ({tokens} tokens were used)"
            )));
        }
        if let Some((limit, cost)) = self
            .limits
            .cost
            .zip(cost)
            .filter(|(limit, cost)| cost >= limit)
        {
            return Err(ChatError::Budget(format!(
                "the cost limit of {limit} is reached ({cost:.4} was spent)"
            )));
        }
        Ok(())
    }
}

/// A model that is asked only while the run may spend.
pub(super) struct Limited {
    pub(super) inner: Arc<dyn Chat>,
    pub(super) ledger: Arc<Ledger>,
    /// The name of the file under which latencies are recorded; `None` of one that no server answers.
    pub(super) name: Option<String>,
}

impl Chat for Limited {
    fn complete(
        &self,
        request: &ChatRequest,
        take: Take,
    ) -> std::result::Result<Completion, NoAnswer> {
        self.ledger.check()?;
        let start = Instant::now();
        let result = self.inner.complete(request, take);
        let latencies = self.ledger.latencies.as_ref().filter(|_| result.is_ok());
        if let Some((latencies, name)) = latencies.zip(self.name.as_ref()) {
            latencies.note(name, start.elapsed());
        }
        self.ledger.write();
        result
    }

    fn name(&self) -> &str {
        self.inner.name()
    }

    fn body(&self, request: &ChatRequest) -> Value {
        self.inner.body(request)
    }
}

/// The budget of a model.
pub(super) fn budget(name: &str, price: Option<Price>, limits: &Limits) -> Result<Budget> {
    let price = price.map(|price| budget::Price {
        input: price.input,
        output: price.output,
        cached: price.cached,
    });
    if limits.cost.is_some() && price.is_none() {
        return Err(Failure::usage(
            format!("the cost is limited, and the price of model `{name}` is not known"),
            format!("give `price = {{ input = …, output = … }}` under `[models.{name}]`"),
        ));
    }
    Budget::new(SpendingLimits::default(), price).map_err(|error| {
        Failure::usage(
            format!("model `{name}`: {error}"),
            format!("correct its `price` under `[models.{name}]`"),
        )
    })
}
