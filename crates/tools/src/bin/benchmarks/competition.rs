//! Instances of the planning competitions, and what is published of them.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};

use crate::record::Published;
use crate::tools::Files;

/// Instances of the planning competitions: a folder `ipc` with a table of what is published.
pub(crate) struct Competition {
    folder: PathBuf,
    pub(crate) published: Vec<Published>,
}

impl Competition {
    pub(crate) fn read(upstream: &Path) -> Result<Self, Box<dyn Error>> {
        let folder = upstream.join("ipc");
        let text = crate::read(&folder.join("baseline.tsv"))?;
        let mut rows = text.lines().filter(|line| !line.starts_with('#'));
        let mut rows = rows.by_ref().map(|line| line.split('\t').map(str::trim));
        let header: Vec<&str> = rows.next().ok_or("an empty table")?.collect();
        let rows = rows.map(|row| header.iter().copied().zip(row).collect::<BTreeMap<_, _>>());
        let published = rows.map(|row| {
            let plans = row.get("n_optimal_plans").copied().unwrap_or_default();
            let is_number = !plans.is_empty() && plans.bytes().all(|byte| byte.is_ascii_digit());
            Published {
                instance: row.get("instance").copied().unwrap_or_default().to_owned(),
                cost: row.get("optimal_cost").and_then(|cost| cost.parse().ok()),
                plans: is_number.then(|| plans.to_owned()),
            }
        });
        let published = published.collect();
        Ok(Self { folder, published })
    }

    /// The files of an instance: beside the problem `domain.pddl` or `<prefix>-domain.pddl`.
    pub(crate) fn files(&self, instance: &str) -> Files {
        let problem = self.folder.join(instance);
        let stem = problem.file_stem().unwrap_or_default();
        let stem = stem.to_string_lossy().into_owned();
        let prefixes = stem.match_indices('-').map(|(at, _)| &stem[..at]);
        let mut named = prefixes
            .chain([stem.as_str()])
            .map(|prefix| problem.with_file_name(format!("{prefix}-domain.pddl")));
        let domain = named.find(|path| path.exists());
        Files {
            domain: domain.unwrap_or_else(|| problem.with_file_name("domain.pddl")),
            problem,
        }
    }
}
