//! `brigade explain`: what a diagnostic code means.

use clap::Args;
use serde::Serialize;

use super::exit::{Exit, Failure, Result};
use super::printer::Printer;
use crate::diagnostics::explain::Example;
use crate::diagnostics::{Code, Severity, explain, suggest};

/// Form of an explanation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Form {
    /// Plain text
    #[default]
    Text,
    /// Markdown
    Markdown,
    /// One JSON document
    Json,
}

#[derive(Debug, Serialize)]
struct Document {
    schema: u32,
    codes: Vec<Explained>,
}

#[derive(Debug, Serialize)]
struct Explained {
    code: Code,
    severity: Severity,
    meaning: &'static str,
    /// The advice in general.
    advice: &'static str,
    example: Option<Example>,
}

impl Explained {
    fn new(code: Code) -> Self {
        Self {
            code,
            severity: code.severity(),
            meaning: code.meaning(),
            advice: code.advice(),
            example: code.example(),
        }
    }
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
    pub(super) format: Form,
}

/// Explains a code.
pub(super) fn run(printer: &Printer, args: &ExplainArgs) -> Result {
    let Some(spelling) = &args.code else {
        all(printer, args)?;
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
    match args.format {
        Form::Text => printer.text(&explain::text(code))?,
        Form::Markdown => printer.text(&explain::markdown(code))?,
        Form::Json => printer.json(&Document {
            schema: 1,
            codes: vec![Explained::new(code)],
        })?,
    }
    Ok(Exit::Done)
}

/// Lists all codes, or explains them in full.
fn all(printer: &Printer, args: &ExplainArgs) -> Result<()> {
    let codes = Code::ALL.iter().copied();
    match args.format {
        Form::Json => printer.json(&Document {
            schema: 1,
            codes: codes.map(Explained::new).collect(),
        }),
        Form::Markdown if args.all => printer.text(&explain::index()),
        Form::Text if args.all => {
            let texts: Vec<String> = codes.map(explain::text).collect();
            printer.text(&texts.join("\n"))
        }
        Form::Text | Form::Markdown => {
            let line = |code: Code| format!("{code}  {}\n", code.meaning());
            printer.text(&codes.map(line).collect::<String>())
        }
    }
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
