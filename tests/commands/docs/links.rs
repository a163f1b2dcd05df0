//! Links within the repository.

use std::path::Path;

use crate::docs::markdown::{anchors, links};
use crate::docs::{read, root};

/// Every page of the repository, by its path.
fn pages() -> Vec<String> {
    let mut pages = Vec::new();
    for folder in ["", "docs", "docs/how-to"] {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let name = entry.unwrap().file_name().to_string_lossy().into_owned();
            if Path::new(&name).extension().is_some_and(|e| e == "md") {
                pages.push(Path::new(folder).join(name).display().to_string());
            }
        }
    }
    pages.sort();
    pages
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
