//! Links within the repository.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::docs::markdown::{anchors, links};
use crate::docs::{read, root};

/// The Markdown files of a folder, and of its subfolders to this depth.
fn pages_of(folder: &Path, depth: usize, pages: &mut Vec<String>) {
    for entry in std::fs::read_dir(root().join(folder)).unwrap() {
        let path = folder.join(entry.unwrap().file_name());
        if path.extension().is_some_and(|e| e == "md") {
            pages.push(path.display().to_string());
        } else if depth > 0 && root().join(&path).is_dir() {
            pages_of(&path, depth - 1, pages);
        }
    }
}

/// Every page of the repository, by its path.
fn pages() -> Vec<String> {
    let mut pages = Vec::new();
    pages_of(Path::new(""), 0, &mut pages);
    pages_of(Path::new("docs"), 9, &mut pages);
    pages_of(Path::new("crates"), 1, &mut pages);
    pages.sort();
    pages
}

#[test]
fn the_index_names_every_page() {
    let index = root().join("docs");
    let linked: BTreeSet<PathBuf> = links(&read("docs/README.md"))
        .iter()
        .map(|link| index.join(link.split('#').next().unwrap_or_default()))
        .collect();
    let missing: Vec<String> = pages()
        .into_iter()
        .filter(|page| page.starts_with("docs/") && page != "docs/README.md")
        .filter(|page| !linked.contains(&root().join(page)))
        .collect();
    assert!(missing.is_empty(), "not in docs/README.md: {missing:?}");
}

#[test]
fn every_link_within_the_repository_leads_somewhere() {
    let mut broken = Vec::new();
    for page in pages() {
        let text = read(&page);
        for link in links(&text) {
            if link.contains("://") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let folder = Path::new(&page).parent().unwrap();
            let target = folder.join(file);
            let exists = file.is_empty() || root().join(&target).exists();
            let target_page = if file.is_empty() {
                text.clone()
            } else if exists && Path::new(file).extension().is_some_and(|e| e == "md") {
                read(&target.display().to_string())
            } else {
                String::new()
            };
            let found = anchor.is_empty() || anchors(&target_page).iter().any(|a| a == anchor);
            if !exists || !found {
                broken.push(format!("{page}: {link}"));
            }
        }
    }
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}
