//! Each file of `tests/data/grounding` holds a domain for one construct and a problem of it.

use std::fs;
use std::path::{Path, PathBuf};

use brigade::sema::model::Model;

use crate::grounding::agree::{Extent, agree};
use crate::grounding::compile::{halves, resolve_texts, task};

const EXTENT: Extent = Extent {
    walks: 8,
    steps: 40,
    states: 40,
};

pub(crate) fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/grounding");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "pddl")
        })
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

/// The models of a file: under each semantics that it declares, in each turn mode that it marks
/// with `MODE`, with live effects kept in each of the ways if it marks that with `KIND`.
pub(crate) fn models(text: &str) -> Vec<Model> {
    let semantics: &[&str] = if text.contains("(:semantics clean upstream)") {
        &["clean", "upstream"]
    } else {
        &["clean"]
    };
    let modes: &[&str] = if text.contains("MODE") {
        &["sequential", "simultaneous", "alternate"]
    } else {
        &[""]
    };
    let kinds: &[&str] = if text.contains("KIND") {
        &["set", "list", "list-skipping"]
    } else {
        &[""]
    };
    let mut found = Vec::new();
    for semantics in semantics {
        for mode in modes {
            for kind in kinds {
                let text = text.replace("MODE", mode).replace("KIND", kind);
                let (domain, problem) = halves(&text);
                found.push(resolve_texts(domain, problem, semantics));
            }
        }
    }
    found
}

/// `GROUNDING=name` tests only the files with that in their name.
#[test]
fn the_task_does_what_the_lifted_model_says() {
    let only = std::env::var("GROUNDING").unwrap_or_default();
    for file in files() {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        if !name.contains(&only) {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        for model in models(&text) {
            let compared = agree(&model, &task(&model), 7, EXTENT);
            assert!(compared.steps > 200, "{name}: {compared:?}");
        }
    }
}
