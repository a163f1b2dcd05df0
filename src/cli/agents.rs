//! `brigade agents`: the designs of agents that come with Brigade, to look at and to copy.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::args::Format;
use super::exit::{Exit, Failure, Result};
use super::files;
use super::paths;
use super::printer::Printer;
use crate::diagnostics::suggest;
use crate::llm::bundled;
use crate::llm::design::Design;
use crate::report::table::Table;

/// Arguments of `agents`.
#[derive(Debug, Args)]
pub(super) struct AgentsArgs {
    /// A design, to be printed; without one all are listed
    name: Option<String>,

    /// Write the design and its prompts into this folder, to be changed
    #[arg(long, value_name = "DIR", requires = "name", value_parser = paths::given())]
    write: Option<PathBuf>,

    /// Form of the output
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

#[derive(Debug, Serialize)]
struct List {
    schema: u32,
    designs: Vec<Listed>,
}

#[derive(Debug, Serialize)]
struct Listed {
    name: String,
    about: String,
}

#[derive(Debug, Serialize)]
struct One<'a> {
    schema: u32,
    /// The design's name.
    design: &'a str,
    /// The design as TOML.
    text: &'a str,
    /// The files that were written.
    written: Vec<String>,
}

/// Lists the designs, or prints or copies one.
pub(super) fn run(printer: &Printer, args: &AgentsArgs) -> Result {
    let Some(name) = &args.name else {
        list(printer, args.format)?;
        return Ok(Exit::Done);
    };
    let Some(text) = bundled::design(name) else {
        let names = bundled::DESIGNS.iter();
        let names: Vec<&str> = names
            .filter_map(|file| file.name.strip_suffix(".toml"))
            .collect();
        let near = suggest(name, names.iter().copied());
        return Err(Failure::usage(
            format!("there is no design `{name}`"),
            near.map_or_else(
                || format!("there are {}", names.join(", ")),
                |near| format!("did you mean `{near}`?"),
            ),
        ));
    };
    let Some(folder) = &args.write else {
        match args.format {
            Format::Json => printer.json(&One {
                schema: 1,
                design: name,
                text,
                written: Vec::new(),
            })?,
            Format::Text => printer.text(text)?,
        }
        return Ok(Exit::Done);
    };
    std::fs::create_dir_all(folder).map_err(|error| Failure::unwritable(folder, &error))?;
    let design = design(name, text)?;
    let mut files = vec![(format!("{name}.toml"), text)];
    for template in design.templates() {
        let mut found = bundled::TEMPLATES.iter();
        if let Some(file) = found.find(|file| file.name == template) {
            files.push((template.to_owned(), file.text));
        }
    }
    files.sort();
    files.dedup();
    let mut written = Vec::new();
    for (file, text) in files {
        let path = folder.join(&file);
        // What someone has changed is not lost.
        let help = "choose another folder with `--write DIR`";
        files::write_new(&path, text, help)?;
        printer.note(&format!("{}: written", path.display()));
        written.push(path.display().to_string());
    }
    if args.format == Format::Json {
        printer.json(&One {
            schema: 1,
            design: name,
            text,
            written,
        })?;
    }
    Ok(Exit::Done)
}

fn list(printer: &Printer, format: Format) -> Result<()> {
    let mut designs = Vec::new();
    for file in bundled::DESIGNS {
        let Design { name, about, .. } = design(file.name, file.text)?;
        designs.push(Listed { name, about });
    }
    if format == Format::Json {
        return printer.json(&List { schema: 1, designs });
    }
    let mut table = Table::new(["design", "what it is"]);
    for design in designs {
        table.row([design.name, design.about]);
    }
    printer.text(&table.render())
}

fn design(name: &str, text: &str) -> Result<Design> {
    Design::parse(text, &toml::Table::new())
        .map_err(|error| Failure::Internal(format!("design `{name}`: {error}")))
}
