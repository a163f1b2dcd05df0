//! Agents that ask models, as commands make them ready: models at their endpoints, with a cassette before
//! them, and designs with their templates.

mod args;
mod cast;
mod design;
mod fields;
mod model;
mod spending;
mod stack;

pub(super) use args::ModelArgs;
pub(super) use cast::Cast;
pub(super) use design::{design_names, is_design, read_design};
pub(super) use model::{FormatChoice, Model, Parse, Price};
pub(super) use stack::{
    CassetteMode, Ledger, Limits, Stack, Timed, check, rewind, stacks, stop_at,
};
