//! The results in `docs`: that the quick ones are proven again, and that pages are made of the data.

#![expect(clippy::unwrap_used, reason = "the helpers are tests too")]

#[path = "../../../../tests/common/compiled.rs"]
mod compiled;
#[path = "../../../../tests/common/damage.rs"]
mod damage;
mod never_sooner;
mod optima;
mod readers;
mod results;
#[path = "../../../../tests/common/split_mix.rs"]
mod split_mix;
mod traces;

use compiled::{files, model, optimum, root, stem};
