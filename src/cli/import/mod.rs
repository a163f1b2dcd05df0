//! `brigade import`: files of other formats as domain and problem files.

mod overcooked;
mod robotouille;

use clap::{Args, Subcommand};

use super::args::Format;
use super::exit::Result;
use super::printer::Printer;

/// Arguments of `import`.
#[derive(Debug, Args)]
pub(super) struct ImportArgs {
    #[command(subcommand)]
    system: System,
}

/// A format to read.
#[derive(Debug, Subcommand)]
enum System {
    /// The layouts of Overcooked-AI: each as a problem of the bundled domain
    Overcooked(overcooked::OvercookedArgs),
    /// The JSON of Robotouille: a domain and an environment
    Robotouille(robotouille::RobotouilleArgs),
}

impl ImportArgs {
    pub(super) const fn format(&self) -> Format {
        match &self.system {
            System::Overcooked(args) => args.format,
            System::Robotouille(args) => args.target.format,
        }
    }
}

/// Imports files.
pub(super) fn run(printer: &Printer, args: &ImportArgs) -> Result {
    match &args.system {
        System::Overcooked(args) => overcooked::run(printer, args),
        System::Robotouille(args) => robotouille::run(printer, args),
    }
}
