//! Plans and scores against independent oracles: exhaustion, `pathfinding`, published engines, traces and optima.

#![expect(clippy::unwrap_used, reason = "the helpers are tests too")]

#[path = "../common"]
mod common {
    pub(crate) mod compiled;
    pub(crate) mod random_domains;
    pub(crate) mod share;
    pub(crate) mod split_mix;
}

mod conformance;
mod ipc;
mod oracle;
mod rats;
mod score;
