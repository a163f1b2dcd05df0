//! Agents that ask models, as commands make them ready: models at their endpoints, with a cassette before
//! them, and designs with their templates.

mod args;
mod cassette;
mod cast;
mod design;
mod fields;
mod latency;
mod ledger;
mod model;
mod spending;
mod stack;
mod timed;

pub(super) use args::ModelArgs;
pub(super) use cassette::CassetteMode;
pub(super) use cast::Cast;
pub(super) use design::{design_names, is_design, read_design};
pub(super) use latency::{Latency, latencies};
pub(super) use ledger::{Ledger, Limits};
pub(super) use model::{FormatChoice, Model, Parse, Price};
pub(super) use stack::{Stack, check, rewind, stacks, stop_at};
pub(super) use timed::Timed;
