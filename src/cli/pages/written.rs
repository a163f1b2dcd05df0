//! Pages as files: one, or a folder with an index and a file for each episode.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::evaluation::Evaluation;
use super::tasks::Tasks;
use crate::cli::exit::{Failure, Result};
use crate::cli::files;
use crate::cli::paths;
use crate::view::Document;
use crate::view::page::{EPISODE_START, episode_file, page};

/// The most episodes of a page that is one file.
pub(super) const MOST_IN_ONE: usize = 50;

/// The most bytes of their logs.
const MOST_BYTES_IN_ONE: u64 = 32 << 20;

/// The folder of episodes' files, beside the page.
const EPISODES: &str = "episodes";

/// Writes an evaluation into a folder: `index.html`, with the episodes if they are few, else with a file for each.
pub(super) fn write_evaluation(
    folder: &Path,
    mut document: Document,
    evaluation: &Evaluation<'_>,
    tasks: &mut Tasks<'_>,
) -> Result<PathBuf> {
    make_folder(folder)?;
    let episodes = folder.join(EPISODES);
    let mut number = 0;
    let is_one = evaluation.len() <= MOST_IN_ONE && evaluation.bytes() <= MOST_BYTES_IN_ONE;
    if is_one {
        evaluation.episodes(tasks, &mut |id, episode| {
            document.episodes.insert(id.to_owned(), episode);
            Ok(())
        })?;
    } else {
        make_folder(&episodes)?;
        evaluation.episodes(tasks, &mut |id, episode| {
            let file = episodes.join(format!("{number}.js"));
            files::write_with(&file, &mut |out| episode_file(id, &episode, out))?;
            number += 1;
            Ok(())
        })?;
        document.folder = Some(format!("{EPISODES}/"));
    }
    let index = folder.join("index.html");
    write_page(&index, &document)?;
    remove_from(&episodes, number);
    if tasks.is_given_in_vain() {
        tasks.printer.warning(
            "no episode is of a problem of `--problem` (with the domain and semantics of the episodes): it is not used",
        );
    }
    Ok(index)
}

/// Writes a page.
pub(super) fn write_page(path: &Path, document: &Document) -> Result<()> {
    files::write_with(path, &mut |out| page(document, out))
}

/// Removes the files of episodes that an earlier report left behind the last one of this, and no other file. What cannot be
/// removed does no harm.
fn remove_from(folder: &Path, next: u32) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().and_then(|name| name.to_str());
        let number = name.and_then(|name| name.strip_suffix(".js")?.parse::<u32>().ok());
        if number.is_some_and(|number| number >= next) && is_episode(&path) {
            let _ = fs::remove_file(&path);
        }
    }
    // It stays as long as something is in it.
    let _ = fs::remove_dir(folder);
}

/// Returns true for a file that begins as those of episodes do.
fn is_episode(path: &Path) -> bool {
    let mut start = [0; EPISODE_START.len()];
    let is_file = path.symlink_metadata().is_ok_and(|found| found.is_file());
    let opened = is_file.then(|| fs::File::open(path));
    let read = opened
        .and_then(std::result::Result::ok)
        .map(|mut file| file.read_exact(&mut start));
    read.is_some_and(|read| read.is_ok()) && start == EPISODE_START.as_bytes()
}

/// Refuses to write a page over what it is made of, or into the folder of an evaluation.
pub(super) fn check_output<'p>(
    output: &Path,
    read: impl Iterator<Item = &'p PathBuf>,
) -> Result<()> {
    for path in read {
        if paths::same_place(path, output) {
            return Err(Failure::usage(
                format!("the page would be written over {}", path.display()),
                "`--output` gives another place",
            ));
        }
    }
    Ok(())
}

/// Makes a folder that may be there.
pub(super) fn make_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(|error| Failure::unwritable(folder, &error))
}
