//! demo
use super::exit::{Exit, Result};
use super::printer::Printer;
#[derive(Debug, clap::Args)]
pub(super) struct DemoArgs {}
pub(super) fn run(_printer: &Printer, _args: &DemoArgs) -> Result {
    Ok(Exit::Done)
}
