//! A design with its templates: one that comes with Brigade, or a file.

use std::path::{Path, PathBuf};

use crate::cli::exit::{Failure, Result};
use crate::cli::files;
use crate::cli::paths::{folder_of, plain, within};
use crate::diagnostics::suggest;
use crate::llm::bundled;
use crate::llm::design::Design;
use crate::llm::prompts::{Prompts, relevant};

/// A design, ready to be used.
#[derive(Debug)]
pub(in crate::cli) struct ReadDesign {
    pub(in crate::cli) design: Design,
    pub(in crate::cli) prompts: Prompts,
    /// The names and texts of the templates that its prompts can depend on.
    pub(in crate::cli) templates: Vec<Vec<u8>>,
    /// The folder of its file; `None` of one that comes with Brigade.
    pub(in crate::cli) folder: Option<PathBuf>,
}

/// Returns true if a policy of this name is a design: one that comes with Brigade, or a file.
pub(in crate::cli) fn is_design(name: &str) -> bool {
    bundled::design(name).is_some() || is_file(Path::new(name))
}

fn is_file(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "toml")
}

/// The names of the designs that come with Brigade.
pub(in crate::cli) fn design_names() -> impl Iterator<Item = &'static str> {
    let designs = bundled::DESIGNS.iter();
    designs.filter_map(|file| file.name.strip_suffix(".toml"))
}

/// Reads a design by its name, or from its file, which stands in the folder `beside` unless its path is
/// absolute. The values of `change` are put in place of its own.
pub(in crate::cli) fn read_design(
    name: &str,
    beside: &Path,
    change: &toml::Table,
) -> Result<ReadDesign> {
    let path = plain(&beside.join(name));
    let (text, folder): (String, Option<PathBuf>) = match bundled::design(name) {
        Some(text) => (text.to_owned(), None),
        None if is_file(&path) => {
            let folder = folder_of(&path).to_owned();
            (files::read_small_text(&path)?, Some(folder))
        }
        None => {
            let known: Vec<&str> = design_names().collect();
            let policies = ["planner", "greedy", "random"];
            let near = suggest(name, policies.iter().chain(&known).copied())
                .map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            return Err(Failure::usage(
                format!("there is no policy or design `{name}`{near}"),
                format!(
                    "policies are planner, greedy and random; designs {}, or a file that ends with \
                     `.toml`",
                    known.join(", ")
                ),
            ));
        }
    };
    let design = Design::parse(&text, change).map_err(|error| match &folder {
        Some(_) => Failure::file(&path, error),
        None => Failure::usage(
            format!("design `{name}`: {}", error.to_string().trim_end()),
            "correct `change` of the set-up; docs/reference/agents.md lists the keys of designs",
        ),
    })?;
    let mut templates: Vec<(String, String)> = bundled::TEMPLATES
        .iter()
        .map(|file| (file.name.to_owned(), file.text.to_owned()))
        .collect();
    if let Some(folder) = &folder {
        for template in own_templates(folder)? {
            templates.retain(|(name, _)| *name != template.0);
            templates.push(template);
        }
    }
    let used = design.templates();
    let dependencies = relevant(&templates, &used);
    let dependencies = dependencies.map(|(name, text)| format!("{name}\0{text}\0").into_bytes());
    let dependencies = dependencies.collect();
    let prompts = Prompts::new(templates, &used, &design.flags).map_err(|error| {
        Failure::usage(
            format!("design `{name}`: {error}"),
            "docs/reference/agents.md lists the slots of templates",
        )
    })?;
    Ok(ReadDesign {
        design,
        prompts,
        templates: dependencies,
        folder,
    })
}

/// The templates of a folder, by name.
fn own_templates(folder: &Path) -> Result<Vec<(String, String)>> {
    let entries = std::fs::read_dir(folder).map_err(|error| Failure::unreadable(folder, &error))?;
    let mut templates = Vec::new();
    for entry in entries.flatten() {
        let path = within(folder, entry.file_name());
        if path.extension().is_some_and(|ending| ending == "jinja") {
            let name = entry.file_name().to_string_lossy().into_owned();
            files::check_is_file(&path)?;
            templates.push((name, files::read_small_text(&path)?));
        }
    }
    templates.sort();
    Ok(templates)
}
