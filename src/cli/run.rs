//! run
use super::exit::{Exit, Result};
use super::printer::Printer;
#[derive(Debug, clap::Args)]
pub(super) struct RunArgs {}
pub(super) fn run(_printer: &Printer, _args: &RunArgs) -> Result {
    Ok(Exit::Done)
}
