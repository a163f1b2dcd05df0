//! A model whose answers are timed.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::llm::chat::{Chat, ChatRequest, Completion, NoAnswer, Take};

/// A model under the name that tables give it, and the time that it takes.
pub(in crate::cli) struct Timed<'a> {
    pub(in crate::cli) inner: &'a dyn Chat,
    pub(in crate::cli) name: &'a str,
    nanos: AtomicU64,
}

impl<'a> Timed<'a> {
    pub(in crate::cli) fn new(inner: &'a dyn Chat, name: &'a str) -> Self {
        Self {
            inner,
            name,
            nanos: AtomicU64::new(0),
        }
    }

    /// The time that all answers took.
    pub(in crate::cli) fn time(&self) -> Duration {
        Duration::from_nanos(self.nanos.load(Ordering::Relaxed))
    }
}

impl Chat for Timed<'_> {
    fn complete(
        &self,
        request: &ChatRequest,
        take: Take,
    ) -> std::result::Result<Completion, NoAnswer> {
        let start = Instant::now();
        let result = self.inner.complete(request, take);
        let nanos = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.nanos.fetch_add(nanos, Ordering::Relaxed);
        result
    }

    fn name(&self) -> &str {
        self.name
    }

    fn body(&self, request: &ChatRequest) -> Value {
        self.inner.body(request)
    }
}
