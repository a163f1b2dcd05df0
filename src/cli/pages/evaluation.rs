//! The folders of evaluations as a page.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::episodes::recorded;
use super::tasks::Tasks;
use crate::cli::control::interrupted;
use crate::cli::exit::{Failure, Result};
use crate::cli::files;
use crate::episode::Log;
use crate::view::campaign::{campaign, repeated};
use crate::view::document::{Campaign, Episode};
use crate::view::finished::Finished;

/// Evaluations that are shown together.
pub(super) struct Evaluation<'a> {
    folders: Vec<Folder<'a>>,
}

/// One folder.
struct Folder<'a> {
    path: &'a Path,
    /// Names its set-ups where there are several folders.
    prefix: String,
    finished: Vec<Finished>,
}

impl<'a> Evaluation<'a> {
    /// Reads the indices of folders.
    pub(super) fn read(paths: &[&'a Path]) -> Result<Self> {
        let folders = paths.iter().map(|path| {
            let name = path
                .file_name()
                .unwrap_or(path.as_os_str())
                .to_string_lossy();
            let prefix = if paths.len() > 1 {
                format!("{name}: ")
            } else {
                String::new()
            };
            Ok(Folder {
                path,
                finished: index(path)?,
                prefix,
            })
        });
        Ok(Self {
            folders: folders.collect::<Result<_>>()?,
        })
    }

    /// Its figures.
    pub(super) fn campaign(&self, name: &str) -> Result<Campaign> {
        let mut all: Vec<Finished> = Vec::new();
        for folder in &self.folders {
            all.extend(folder.finished.iter().cloned().map(|episode| Finished {
                id: format!("{}{}", folder.prefix, episode.id),
                setup: format!("{}{}", folder.prefix, episode.setup),
                ..episode
            }));
        }
        if let Some(id) = repeated(&all).first() {
            return Err(Failure::usage(
                format!("two episodes are called `{id}`"),
                "give folders of different names",
            ));
        }
        Ok(campaign(name, &all))
    }

    /// Makes each of its episodes, in order, and passes it on with its id.
    pub(super) fn episodes(
        &self,
        tasks: &mut Tasks<'_>,
        take: &mut dyn FnMut(&str, Episode) -> Result<()>,
    ) -> Result<()> {
        for folder in &self.folders {
            let metrics = metrics(folder.path)?;
            for episode in &folder.finished {
                if interrupted() {
                    return Err(Failure::Stopped("all episodes were read"));
                }
                let path = folder
                    .path
                    .join("episodes")
                    .join(format!("{}.jsonl", episode.id));
                let text = files::read_own_log(&path)?;
                let log = Log::parse(&text).map_err(|error| Failure::malformed(&path, error))?;
                let metrics = metrics.get(&episode.id);
                let metrics = metrics.and_then(|line| serde_json::from_str::<Value>(line).ok());
                let id = format!("{}{}", folder.prefix, episode.id);
                take(&id, recorded(tasks, &id, &log, metrics.as_ref())?)?;
            }
        }
        Ok(())
    }

    /// The number of its episodes.
    pub(super) fn len(&self) -> usize {
        self.folders
            .iter()
            .map(|folder| folder.finished.len())
            .sum()
    }
}

/// The finished episodes of a folder.
fn index(folder: &Path) -> Result<Vec<Finished>> {
    let path = folder.join("index.jsonl");
    if !path.is_file() {
        return Err(Failure::usage(
            format!("{}: no episode is finished yet", folder.display()),
            "give the same `brigade bench` command again, which goes on",
        ));
    }
    let text = files::read_own_log(&path)?;
    let lines = text.lines().zip(1..).map(|(line, number)| {
        serde_json::from_str(line).map_err(|error| {
            Failure::malformed(
                &path,
                format!("line {number} is no line of an index: {error}"),
            )
        })
    });
    lines.collect()
}

/// The lines of process metrics, by episode.
fn metrics(folder: &Path) -> Result<BTreeMap<String, String>> {
    let path = folder.join("process.jsonl");
    if !path.is_file() {
        return Ok(BTreeMap::new());
    }
    let text = files::read_own_log(&path)?;
    let named = text.lines().filter_map(|line| {
        let id = serde_json::from_str::<Named>(line).ok()?.id;
        Some((id, line.to_owned()))
    });
    Ok(named.collect())
}

#[derive(serde::Deserialize)]
struct Named {
    id: String,
}
