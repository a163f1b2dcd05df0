//! The command line: arguments, one file per subcommand, the printer, exit codes. The only place that prints.

use std::process::ExitCode;

/// Runs the command line of this process.
pub fn main() -> ExitCode {
    ExitCode::SUCCESS
}
