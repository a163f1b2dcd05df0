//! The folders of evaluations as a page.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;

use super::episodes::recorded;
use super::logs;
use super::tasks::Tasks;
use crate::cli::control::interrupted;
use crate::cli::exit::{Failure, Result};
use crate::cli::files;
use crate::cli::index;
use crate::cli::score::warn_if_cut;
use crate::report::formula::Formula;
use crate::view::campaign::{Declared, campaign, repeated};
use crate::view::document::{Campaign, Episode};
use crate::view::finished::Finished;

/// Evaluations that are shown together.
pub(super) struct Evaluation<'a> {
    folders: Vec<Folder<'a>>,
    /// The finished episodes of all of them, in order.
    finished: Vec<Finished>,
}

/// One folder.
struct Folder<'a> {
    path: &'a Path,
    /// Names its set-ups where there are several folders.
    prefix: String,
    /// The ids of its episodes.
    ids: Vec<String>,
    metrics: RefCell<Metrics>,
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

impl Folder<'_> {
    fn log(&self, id: &str) -> PathBuf {
        let name = format!("{id}.jsonl");
        self.path.join("episodes").join(name)
    }
}

impl<'a> Evaluation<'a> {
    /// Reads the indices of folders.
    pub(super) fn read(paths: &[&'a Path]) -> Result<Self> {
        let mut all = Self {
            folders: Vec::new(),
            finished: Vec::new(),
        };
        for &path in paths {
            let name = path.file_name().unwrap_or(path.as_os_str());
            let prefix = if paths.len() > 1 {
                format!("{}: ", name.to_string_lossy())
            } else {
                String::new()
            };
            let metrics = Metrics::at(path)?;
            let mut ids = Vec::new();
            for mut episode in index::lines::<Finished>(path)? {
                let place = metrics.places.get(&episode.id);
                episode.responding = place.and_then(|place| place.responding);
                ids.push(episode.id.clone());
                episode.id.insert_str(0, &prefix);
                episode.setup.insert_str(0, &prefix);
                episode.matrix = episode.matrix.map(|matrix| format!("{prefix}{matrix}"));
                all.finished.push(episode);
            }
            all.folders.push(Folder {
                path,
                summary: summary(path)?,
                prefix,
                ids,
                metrics: RefCell::new(metrics),
            });
        }
        Ok(all)
    }

    /// Its figures, with columns that were asked for.
    pub(super) fn campaign(
        &self,
        name: &str,
        asked: IndexMap<String, Formula>,
    ) -> Result<Campaign> {
        if let Some(id) = repeated(&self.finished).first() {
            return Err(Failure::usage(
                format!("two episodes are called `{id}`"),
                "give folders of different names",
            ));
        }
        let mut declared = self.declared();
        declared.columns.extend(asked);
        Ok(campaign(name, &self.finished, &declared))
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
            for episode in &folder.ids {
                if interrupted() {
                    return Err(Failure::Stopped("all episodes were read"));
                }
                let path = folder.log(episode);
                files::check_is_file(&path)?;
                let log = logs::read(&path, &mut *logs::open(&path)?)?;
                warn_if_cut(tasks.printer, &path, &log.log);
                let metrics = folder.metrics.borrow_mut().of(episode)?;
                let id = format!("{}{episode}", folder.prefix);
                take(&id, recorded(tasks, &id, &log, metrics.as_ref())?)?;
            }
        }
        Ok(())
    }

    /// The bytes of their logs; what is missing is none.
    pub(super) fn bytes(&self) -> u64 {
        let logs = self.folders.iter().flat_map(|folder| {
            let episodes = folder.ids.iter();
            episodes.map(|id| folder.log(id))
        });
        logs.filter_map(|path| path.metadata().ok())
            .map(|found| found.len())
            .sum()
    }

    /// The number of its episodes.
    pub(super) fn len(&self) -> usize {
        self.finished.len()
    }
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

/// The process metrics of a folder: the place of each episode's line, which is read when it is asked for.
struct Metrics {
    path: PathBuf,
    file: Option<File>,
    places: BTreeMap<String, Place>,
}

impl Metrics {
    fn at(folder: &Path) -> Result<Self> {
        let path = folder.join("process.jsonl");
        let mut found = Self {
            file: None,
            places: BTreeMap::new(),
            path,
        };
        if !found.path.is_file() {
            return Ok(found);
        }
        let unreadable = |error: std::io::Error| Failure::unreadable(&found.path, &error);
        let mut lines = BufReader::new(File::open(&found.path).map_err(unreadable)?);
        let mut line = Vec::new();
        let mut from = 0;
        loop {
            line.clear();
            let length = lines.read_until(b'\n', &mut line).map_err(unreadable)?;
            if length == 0 {
                break;
            }
            if let Ok(Named { id, collaboration }) = serde_json::from_slice(&line) {
                let place = Place {
                    from,
                    length,
                    responding: collaboration.and_then(|it| it.responding),
                };
                found.places.insert(id, place);
            }
            from += length as u64;
        }
        found.file = Some(lines.into_inner());
        Ok(found)
    }

    fn of(&mut self, id: &str) -> Result<Option<Value>> {
        let (Some(place), Some(file)) = (self.places.get(id), &mut self.file) else {
            return Ok(None);
        };
        let mut line = vec![0; place.length];
        file.seek(SeekFrom::Start(place.from))
            .and_then(|_| file.read_exact(&mut line))
            .map_err(|error| Failure::unreadable(&self.path, &error))?;
        Ok(serde_json::from_slice(&line).ok())
    }
}

#[derive(Deserialize)]
struct Named {
    id: String,
    #[serde(default)]
    collaboration: Option<Requests>,
}

#[derive(serde::Deserialize)]
struct Requests {
    #[serde(default)]
    responding: Option<f64>,
}

/// The line of an episode, and what a campaign has of it.
struct Place {
    from: u64,
    length: usize,
    responding: Option<f64>,
}
