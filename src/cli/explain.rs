//! `brigade explain`: what a diagnostic code means.

use clap::Args;

use super::exit::{Exit, Failure, Result};
use super::printer::Printer;
use crate::diagnostics::{Code, suggest};

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// A code, such as E0003; without one, all codes are listed
    #[arg(value_name = "CODE")]
    code: Option<String>,
}

/// Explains a code.
pub(super) fn run(printer: &Printer, args: &ExplainArgs) -> Result {
    let Some(spelling) = &args.code else {
        let line = |code: &Code| format!("{code}  {}\n", code.meaning());
        let lines: String = Code::ALL.iter().map(line).collect();
        printer.text(&lines)?;
        return Ok(Exit::Done);
    };
    let Some(code) = Code::from_spelling(spelling) else {
        let codes = Code::ALL.iter().map(|code| code.as_str());
        let help = match suggest(spelling, codes) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`brigade explain` lists all codes".to_owned(),
        };
        return Err(Failure::usage(
            format!("there is no diagnostic code `{spelling}`"),
            help,
        ));
    };
    printer.text(&format!(
        "{code}: {}\n  help: {}\n",
        code.meaning(),
        code.advice()
    ))?;
    Ok(Exit::Done)
}
