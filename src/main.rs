//! The `brigade` binary: parse arguments, run the command, exit with its code.

use std::process::ExitCode;

fn main() -> ExitCode {
    brigade::cli::main()
}
