//! The language: what is read, printed, reported, compiled and grounded.

#![expect(clippy::unwrap_used, reason = "the helpers are tests too")]

#[path = "../common"]
mod common {
    pub(crate) mod compiled;
    pub(crate) mod damage;
    pub(crate) mod framed;
    pub(crate) mod one_file;
    pub(crate) mod random_domains;
    pub(crate) mod snapshots;
}

mod diagnostics;
mod domains;
mod grounding;
mod models;
mod readers;
mod sema;
mod slips;
mod syntax;
