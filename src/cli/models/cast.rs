//! The designs of one episode and the model that all of them ask.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indexmap::IndexMap;

use super::args::ModelArgs;
use super::cassette::CassetteMode;
use super::design::{ReadDesign, read_design};
use super::ledger::{Ledger, Limits};
use super::stack::{Stack, rewind, stacks};
use crate::cli::exit::{Failure, Result};
use crate::llm::http::Stop;
use crate::llm::{Asking, Setup};

/// Designs and their model, ready to act.
pub(in crate::cli) struct Cast {
    /// The name of the model.
    pub(in crate::cli) model: String,
    stacks: Vec<Stack>,
    asking: Asking,
    designs: Vec<(String, ReadDesign)>,
    ledger: Arc<Ledger>,
    cassette: Option<(CassetteMode, PathBuf)>,
}

impl Cast {
    /// Reads designs, by name or file, and makes the model ready.
    pub(in crate::cli) fn prepare(args: &ModelArgs, designs: &[&str], stop: &Stop) -> Result<Self> {
        let mut read: Vec<(String, ReadDesign)> = Vec::new();
        for &name in designs {
            if read.iter().any(|(known, _)| known == name) {
                continue;
            }
            let design = read_design(name, Path::new(""), &toml::Table::new())?;
            let shows = design.design.demonstration();
            if shows.is_some_and(|shows| !shows.problem.is_empty()) {
                return Err(Failure::usage(
                    format!("design `{name}` shows how another problem is solved"),
                    "play it with `brigade bench`, or leave `demonstration` out of it",
                ));
            }
            read.push((name.to_owned(), design));
        }
        let (name, model) = args.model()?;
        let limits = Limits {
            connections: NonZeroUsize::MIN,
            tokens: args.token_limit,
            cost: None,
            prices: IndexMap::new(),
        };
        let cassette = args.cassette();
        let place = cassette
            .as_ref()
            .map(|(mode, path)| (*mode, path.as_path()));
        let (stacks, ledger) = stacks(&[(&name, &model)], place, &limits, None, stop)?;
        let format = stacks.first().map(|stack| stack.format);
        let format = format.ok_or_else(|| Failure::Internal("no model to ask".to_owned()))?;
        Ok(Self {
            asking: model.asking(format),
            model: name,
            stacks,
            designs: read,
            ledger,
            cassette,
        })
    }

    /// Returns the set-up of an agent of a design, by the name that it was read by.
    pub(in crate::cli) fn setup(&self, name: &str) -> Option<Setup<'_>> {
        let (_, read) = self.designs.iter().find(|(known, _)| known == name)?;
        Some(Setup {
            design: &read.design,
            prompts: &read.prompts,
            model: &*self.stacks.first()?.chat,
            asking: self.asking,
            demonstration: &[],
        })
    }

    /// Returns the most retries of a question in one timestep, over its designs.
    pub(in crate::cli) fn retries(&self) -> u32 {
        let retries = self.designs.iter();
        let retries = retries.map(|(_, read)| read.design.correction.retries);
        retries.max().unwrap_or(0)
    }

    /// Tokens that the server has counted.
    pub(in crate::cli) fn tokens(&self) -> u64 {
        self.ledger.spent().0
    }

    /// Puts the cassette in order.
    pub(in crate::cli) fn close(&self) -> Result<()> {
        match &self.cassette {
            Some((mode, path)) => rewind(&self.stacks, *mode, path),
            None => Ok(()),
        }
    }
}
