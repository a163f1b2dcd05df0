//! Recorded episodes scored against annotated references.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::super::bundled;
use super::super::exit::{Exit, Failure, Result};
use super::super::files;
use super::super::paths::within;
use super::super::printer::Printer;
use super::args::{Rule, ScoreArgs, options};
use super::show::{Document, show};
use super::texts::{LOG_START, unpack};
use crate::score::episode_log::parse_episodes;
use crate::score::upstream::published_time;
use crate::score::{RecordedEpisode, ReferenceSet, Report, TaskContext, score_episode};

/// Scores recorded episodes against annotated references.
pub(super) fn score_recorded(printer: &Printer, args: &ScoreArgs, references: &Path) -> Result {
    if !references.is_dir() {
        return Err(Failure::file(references, "is not a folder of references"));
    }
    let options = options(args, Rule::Upstream)?;
    let space = bundled::published_action_space();
    let mut sets: BTreeMap<(u32, String), ReferenceSet> = BTreeMap::new();
    let mut scores = Vec::new();
    for path in expand(&args.files)? {
        let text = unpack(&path)?;
        if text
            .trim_start_matches('\u{feff}')
            .trim_start()
            .starts_with(LOG_START)
        {
            return Err(Failure::usage(
                format!("{}: is an event log", path.display()),
                "give `--problem PROBLEM` in place of `--references`",
            ));
        }
        let episodes = parse_episodes(&text).map_err(|error| Failure::malformed(&path, error))?;
        for mut episode in episodes {
            if episode.id.is_empty() {
                episode.id = path
                    .file_stem()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into();
            }
            let key = (episode.level, episode.order.clone());
            if !sets.contains_key(&key) {
                let set = reference_set(references, &episode)?;
                sets.insert(key.clone(), set);
            }
            let context = TaskContext {
                action_space: Some(&space),
                reference_time: published_time(episode.level),
                ..TaskContext::new(&sets[&key])
            };
            let score = score_episode(&episode, &context, &options);
            scores.push(score.map_err(|error| {
                Failure::malformed(&path, format_args!("episode {}: {error}", episode.name()))
            })?);
        }
    }
    let document = Document {
        view: None,
        schema: None,
        task: None,
        report: Some(Report::new(options, scores)),
        regret: None,
        process: None,
    };
    show(printer, args, &document)?;
    Ok(Exit::Done)
}

/// Folders replaced by the episode files in them, by name.
fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = std::fs::read_dir(path).map_err(|error| Failure::unreadable(path, &error))?;
        let mut inside: Vec<PathBuf> = entries
            .filter_map(|entry| Some(within(path, entry.ok()?.file_name())))
            .filter(|path| {
                let extension = path.extension().and_then(|extension| extension.to_str());
                path.is_file() && matches!(extension, Some("json" | "jsonl" | "gz"))
            })
            .collect();
        if inside.is_empty() {
            return Err(Failure::file(path, "holds no episode (.json, .jsonl, .gz)"));
        }
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}

/// The annotated references of an episode's order.
fn reference_set(folder: &Path, episode: &RecordedEpisode) -> Result<ReferenceSet> {
    if episode.order.contains(['/', '\\']) {
        return Err(Failure::Unusable(format!(
            "episode {}: the order `{}` is no name of a task",
            episode.name(),
            episode.order
        )));
    }
    let names = [
        format!("{}_{}.json", episode.level, episode.order),
        format!("{}.json", episode.order),
    ];
    let paths = names.iter().map(|name| folder.join(name));
    let Some(path) = paths.clone().find(|path| path.is_file()) else {
        return Err(Failure::usage(
            format!(
                "{}: no references for order `{}`",
                folder.display(),
                episode.order
            ),
            format!("it should hold {}", names.join(" or ")),
        ));
    };
    ReferenceSet::parse(&files::read_text(&path)?).map_err(|error| Failure::malformed(&path, error))
}
