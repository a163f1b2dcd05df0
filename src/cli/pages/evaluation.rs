//! The folders of evaluations as a page.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::episodes::recorded;
use super::tasks::Tasks;
use crate::cli::control::interrupted;
use crate::cli::exit::{Failure, Result};
use crate::cli::files;
use crate::episode::Log;
use crate::report::formula::Formula;
use crate::view::campaign::{Declared, campaign, repeated};
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
    summary: Option<Summary>,
}

/// The figures of a folder, as far as they are read.
#[derive(Deserialize)]
struct Summary {
    #[serde(default)]
    currency: Option<String>,
    #[serde(default)]
    columns: Vec<Column>,
}

/// A column of totals.
#[derive(Deserialize)]
struct Column {
    #[serde(default)]
    name: Option<String>,
    of: String,
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
                summary: summary(path)?,
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
            all.extend(folder.finished.iter().cloned().map(|episode| {
                Finished {
                    id: format!("{}{}", folder.prefix, episode.id),
                    setup: format!("{}{}", folder.prefix, episode.setup),
                    matrix: episode
                        .matrix
                        .map(|matrix| format!("{}{matrix}", folder.prefix)),
                    ..episode
                }
            }));
        }
        if let Some(id) = repeated(&all).first() {
            return Err(Failure::usage(
                format!("two episodes are called `{id}`"),
                "give folders of different names",
            ));
        }
        Ok(campaign(name, &all, &self.declared()))
    }

    /// The columns of all folders; of one title the first. Folders of several currencies name none.
    fn declared(&self) -> Declared {
        let mut declared = Declared::default();
        let summaries = self.folders.iter().filter_map(|it| it.summary.as_ref());
        let mut currencies: Vec<&String> = Vec::new();
        for summary in summaries {
            currencies.extend(&summary.currency);
            for Column { name, of } in &summary.columns {
                let title = name.as_ref().unwrap_or(of);
                if let Ok(formula) = Formula::read(of) {
                    let columns = declared.columns.entry(title.clone());
                    columns.or_insert(formula);
                }
            }
        }
        currencies.dedup();
        if let [currency] = currencies.as_slice() {
            declared.currency = Some((*currency).clone());
        }
        declared
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

/// The figures of a folder; `None` where they are not there yet.
fn summary(folder: &Path) -> Result<Option<Summary>> {
    let path = folder.join("summary.json");
    if !path.is_file() {
        return Ok(None);
    }
    let summary = serde_json::from_str(&files::read_own_log(&path)?);
    summary
        .map(Some)
        .map_err(|error| Failure::malformed(&path, format!("is no summary: {error}")))
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

#[derive(Deserialize)]
struct Named {
    id: String,
}
