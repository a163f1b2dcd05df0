//! replay
use super::exit::{Exit, Result};
use super::printer::Printer;
#[derive(Debug, clap::Args)]
pub(super) struct ReplayArgs {}
pub(super) fn run(_printer: &Printer, _args: &ReplayArgs) -> Result {
    Ok(Exit::Done)
}
