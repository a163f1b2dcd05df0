//! The structure of the workspace: which crates stand on which, and which files of a crate import each other
//! in a circle.
//!
//! Imports are read from `use` declarations and from paths that begin with `crate`, `self` or `super`; a name
//! that a module only hands on is followed to the file that defines it. Tests are left out.

mod error;
mod files;
mod imports;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use petgraph::algo::kosaraju_scc;
use petgraph::graphmap::DiGraphMap;

pub use error::StructureError;

use files::{Module, read_crate};

/// A crate, and the crates of the workspace that it stands on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crate {
    /// The name of its package.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// The names of the packages that it stands on, its tests aside.
    pub on: Vec<String>,
}

/// The crates of the workspace in a folder, by name.
///
/// # Errors
///
/// A manifest is missing or malformed.
pub fn crates(root: &Path) -> Result<Vec<Crate>, StructureError> {
    let folder = root.join("crates");
    let fail = |error| StructureError::File {
        path: folder.clone(),
        error,
    };
    let mut folders = vec![root.to_owned()];
    for entry in fs::read_dir(&folder).map_err(fail)? {
        folders.push(entry.map_err(fail)?.path());
    }
    let mut crates = folders
        .into_iter()
        .filter(|folder| folder.join("Cargo.toml").is_file())
        .map(manifest)
        .collect::<Result<Vec<Crate>, _>>()?;
    crates.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(crates)
}

fn manifest(folder: PathBuf) -> Result<Crate, StructureError> {
    let path = folder.join("Cargo.toml");
    let text = files::text(&path)?;
    let fail = |reason: String| StructureError::Manifest {
        path: path.clone(),
        reason,
    };
    let table: toml::Table = text
        .parse()
        .map_err(|error: toml::de::Error| fail(error.to_string()))?;
    let name = table
        .get("package")
        .and_then(|package| package.get("name")?.as_str());
    let name = name
        .ok_or_else(|| fail("has no package with a name".to_owned()))?
        .to_owned();
    let on = table.get("dependencies").and_then(toml::Value::as_table);
    let on = on.into_iter().flat_map(|on| on.keys());
    let on = on.filter(|name| *name == "brigade" || name.starts_with("brigade-"));
    Ok(Crate {
        name,
        on: on.cloned().collect(),
        folder,
    })
}

/// The graph of crates, in the language of Graphviz: an arrow leads to what is stood on, unless another
/// crate between them leads there, too.
pub fn drawn(crates: &[Crate]) -> String {
    let mut text = "digraph crates {\n  rankdir = BT;\n  node [shape = box];\n".to_owned();
    for from in crates {
        text.push_str(&format!("  {:?};\n", from.name));
        for to in &from.on {
            let mut between = from.on.iter().filter(|between| *between != to);
            if !between.any(|between| leads(crates, between, to)) {
                text.push_str(&format!("  {:?} -> {to:?};\n", from.name));
            }
        }
    }
    text.push_str("}\n");
    text
}

/// Returns whether one crate stands on another, directly or not.
fn leads(crates: &[Crate], from: &str, to: &str) -> bool {
    let from = crates.iter().find(|it| it.name == from);
    from.is_some_and(|from| from.on.iter().any(|on| on == to || leads(crates, on, to)))
}

/// The circles of files of a crate: in each, every file imports something of another, directly or not.
///
/// # Errors
///
/// A file of the crate is missing or malformed.
pub fn circles(of: &Crate) -> Result<Vec<Vec<PathBuf>>, StructureError> {
    let modules = read_crate(&of.folder)?;
    let arrows = arrows(&modules);
    let mut paths: Vec<&PathBuf> = modules.values().map(|module| &module.file).collect();
    paths.sort();
    paths.dedup();
    let number = |path: &PathBuf| paths.binary_search(&path).unwrap_or_default();
    let edges = arrows.iter().map(|(from, to)| (number(from), number(to)));
    let graph: DiGraphMap<usize, ()> = edges.collect();
    let circles = kosaraju_scc(&graph)
        .into_iter()
        .filter(|circle| circle.len() > 1);
    let mut circles: Vec<Vec<PathBuf>> = circles
        .map(|mut circle| {
            circle.sort_unstable();
            circle
                .into_iter()
                .map(|number| paths[number].clone())
                .collect()
        })
        .collect();
    circles.sort();
    Ok(circles)
}

/// The circles of files of some crates, a line each.
///
/// # Errors
///
/// A file of a crate is missing or malformed.
pub fn listed(crates: &[Crate]) -> Result<String, StructureError> {
    let mut text = String::new();
    for one in crates {
        for circle in circles(one)? {
            let files = circle.iter().map(|file| {
                let file = file.strip_prefix(&one.folder).unwrap_or(file);
                file.display().to_string()
            });
            let files: Vec<String> = files.collect();
            text.push_str(&format!("{}: {}\n", one.name, files.join(" ")));
        }
    }
    Ok(text)
}

/// The pairs of files of which the first imports something of the second.
fn arrows(modules: &BTreeMap<Vec<String>, Module>) -> Vec<(PathBuf, PathBuf)> {
    let mut arrows = Vec::new();
    for (place, module) in modules {
        for import in &module.imports {
            let to = imports::resolve(modules, place, import);
            if let Some(to) = to.filter(|to| **to != module.file) {
                arrows.push((module.file.clone(), to.clone()));
            }
        }
    }
    arrows.sort();
    arrows.dedup();
    arrows
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The crates of the workspace, each before those that may stand on it.
    const ORDER: [&str; 16] = [
        "brigade-diagnostics",
        "brigade-task",
        "brigade-syntax",
        "brigade-compile",
        "brigade-formats",
        "brigade-lint",
        "brigade-search",
        "brigade-rats",
        "brigade-play",
        "brigade-score",
        "brigade-report",
        "brigade-view",
        "brigade-generate",
        "brigade-llm",
        "brigade",
        "brigade-tools",
    ];

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
    }

    #[test]
    fn a_crate_stands_on_none_that_comes_after_it() {
        let place = |name: &str| ORDER.iter().position(|known| *known == name);
        for one in crates(&root()).unwrap() {
            let own = place(&one.name);
            assert!(own.is_some(), "{} has no place in the order", one.name);
            for on in &one.on {
                assert!(place(on) < own, "{} stands on {on}", one.name);
            }
        }
    }

    #[test]
    fn no_files_of_a_crate_import_each_other_in_a_circle() {
        let found = listed(&crates(&root()).unwrap()).unwrap();
        assert!(found.is_empty(), "\n{found}");
    }

    #[test]
    fn a_crate_leads_to_all_that_it_stands_on() {
        let crates = crates(&root()).unwrap();
        assert!(leads(&crates, "brigade-rats", "brigade-task"));
        assert!(!leads(&crates, "brigade-task", "brigade-rats"));
        let drawn = drawn(&crates);
        assert!(
            drawn.contains("\"brigade-rats\" -> \"brigade-search\""),
            "{drawn}"
        );
        assert!(
            !drawn.contains("\"brigade-rats\" -> \"brigade-task\""),
            "{drawn}"
        );
    }

    #[test]
    fn files_that_import_each_other_are_a_circle_and_what_is_handed_on_makes_none() {
        let folder = std::env::temp_dir().join(format!("brigade-structure-{}", std::process::id()));
        fs::create_dir_all(folder.join("src")).unwrap();
        let files = [
            ("lib.rs", "mod a; mod b; mod c; mod d; pub use c::C;"),
            ("a.rs", "use crate::b::B; pub struct A(B);"),
            (
                "b.rs",
                "pub struct B; impl B { fn f() { super::a::g(); } } #[cfg(test)] mod tests { use crate::d::D; }",
            ),
            ("c.rs", "pub struct C { pub(in crate::d) c: u8 }"),
            (
                "d.rs",
                "use super::{b::{self, B}, C}; pub struct D(b::B, C);",
            ),
        ];
        for (name, text) in files {
            fs::write(folder.join("src").join(name), text).unwrap();
        }
        let of = Crate {
            name: "made-up".to_owned(),
            folder: folder.clone(),
            on: Vec::new(),
        };
        let circles = circles(&of).unwrap();
        let file = |name: &str| folder.join("src").join(name);
        assert_eq!(circles, [[file("a.rs"), file("b.rs")]]);
        fs::remove_dir_all(folder).unwrap();
    }
}
