//! `brigade explain`: what a diagnostic code means.

use clap::Args;

use super::exit::{Exit, Failure, Result};
use super::printer::Printer;
use crate::diagnostics::{Code, explain, suggest};

/// Form of an explanation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// Plain text
    #[default]
    Text,
    /// Markdown
    Markdown,
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// A code, such as E0003; without one, all codes are listed
    #[arg(value_name = "CODE")]
    code: Option<String>,

    /// Explain all codes in full
    #[arg(long, conflicts_with = "code")]
    all: bool,

    /// Form of the output
    #[arg(long, value_enum, default_value_t)]
    format: Form,
}

/// Explains a code.
pub(super) fn run(printer: &Printer, args: &ExplainArgs) -> Result {
    if args.all {
        printer.text(&match args.format {
            Form::Markdown => explain::index(),
            Form::Text => {
                let all: Vec<String> = Code::ALL.iter().copied().map(explain::text).collect();
                all.join("\n")
            }
        })?;
        return Ok(Exit::Done);
    }
    let Some(spelling) = &args.code else {
        let line = |code: &Code| format!("{code}  {}\n", code.meaning());
        let lines: String = Code::ALL.iter().map(line).collect();
        printer.text(&lines)?;
        return Ok(Exit::Done);
    };
    let Some(code) = Code::from_spelling(spelling) else {
        let help = match meant(spelling) {
            Some(near) => format!("did you mean {near}?"),
            None => "`brigade explain` lists all codes".to_owned(),
        };
        return Err(Failure::usage(
            format!("there is no diagnostic code `{spelling}`"),
            help,
        ));
    };
    printer.text(&match args.format {
        Form::Text => explain::text(code),
        Form::Markdown => explain::markdown(code),
    })?;
    Ok(Exit::Done)
}

/// The codes of that number, whatever letter and zeros it lacks; else the nearest.
fn meant(spelling: &str) -> Option<String> {
    let digits = spelling.trim_start_matches(|c: char| !c.is_ascii_digit());
    let letter = spelling[..spelling.len() - digits.len()].to_ascii_uppercase();
    let codes = || Code::ALL.iter().map(|code| code.as_str());
    if let Ok(number) = digits.parse::<u32>() {
        let numbered = |code: &&str| code[1..].parse() == Ok(number);
        let exact: Vec<&str> = codes().filter(numbered).collect();
        let of_letter = exact.iter().find(|code| code.starts_with(&letter));
        let found = match of_letter {
            Some(code) if !letter.is_empty() => vec![*code],
            _ => exact,
        };
        let found: Vec<String> = found.iter().map(|code| format!("`{code}`")).collect();
        if !found.is_empty() {
            return Some(found.join(" or "));
        }
    }
    suggest(spelling, codes()).map(|near| format!("`{near}`"))
}
