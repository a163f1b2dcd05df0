//! Pages as files: one, or a folder with an index and a file for each episode.

use std::fs;
use std::path::{Path, PathBuf};

use super::evaluation::Evaluation;
use super::tasks::Tasks;
use crate::cli::exit::{Failure, Result};
use crate::cli::files;
use crate::cli::paths;
use crate::view::Document;
use crate::view::page::{episode_file, page};

/// The most episodes of a page that is one file.
pub(super) const MOST_IN_ONE: usize = 50;

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
    let is_one = evaluation.len() <= MOST_IN_ONE;
    if is_one {
        evaluation.episodes(tasks, &mut |id, episode| {
            document.episodes.insert(id.to_owned(), episode);
            Ok(())
        })?;
    } else {
        let episodes = folder.join(EPISODES);
        make_folder(&episodes)?;
        let mut number = 0;
        evaluation.episodes(tasks, &mut |id, episode| {
            files::write(
                &episodes.join(format!("{number}.js")),
                &episode_file(id, &episode),
            )?;
            number += 1;
            Ok(())
        })?;
        document.folder = Some(format!("{EPISODES}/"));
    }
    let index = folder.join("index.html");
    files::write(&index, &page(&document))?;
    Ok(index)
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
