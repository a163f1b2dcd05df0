//! score
use super::exit::{Exit, Result};
use super::printer::Printer;
#[derive(Debug, clap::Args)]
pub(super) struct ScoreArgs {}
pub(super) fn run(_printer: &Printer, _args: &ScoreArgs) -> Result {
    Ok(Exit::Done)
}
