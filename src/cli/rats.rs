//! rats
use super::exit::{Exit, Result};
use super::printer::Printer;
#[derive(Debug, clap::Args)]
pub(super) struct RatsArgs {}
pub(super) fn run(_printer: &Printer, _args: &RatsArgs) -> Result {
    Ok(Exit::Done)
}
