//! The command line as users meet it, with language models and the documentation.

#![expect(clippy::unwrap_used, reason = "the helpers are tests too")]

#[path = "../common"]
mod common {
    pub(crate) mod endpoint;
    pub(crate) mod schema;
}

mod cli;
mod docs;
mod llm;
