//! Notes on a folder that goes on: what is otherwise than the bench file or the last run says.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::config::Planned;
use super::digest::Digest;
use super::folder::{Claim, Folder};
use crate::cli::exit::Result;
use crate::cli::files;
use crate::cli::policies;
use crate::cli::printer::Printer;
use crate::diagnostics::words::counted;

/// The version of Brigade that has written the folder, if it is another.
pub(super) fn earlier(printer: &Printer, claim: &Claim) {
    if let Some(version) = &claim.earlier {
        printer.note(&format!(
            "the folder was written by Brigade {version}; what is played now is played by {}",
            env!("CARGO_PKG_VERSION")
        ));
    }
}

/// The episodes that are finished no more, as the index of the last run has them.
pub(super) fn lost(printer: &Printer, folder: &Folder, planned: &[Planned]) {
    let index = files::read_own_log(&folder.path("index.jsonl")).unwrap_or_default();
    let lines = index
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    let known: BTreeSet<String> = lines.map(|InIndex { id }| id).collect();
    for planned in planned {
        if known.contains(&planned.id) && !folder.is_finished(&planned.id) {
            printer.warning(&format!(
                "{}: the log is gone; the episode is played again",
                folder.log(&planned.id).display()
            ));
        }
    }
}

/// The number of finished episodes that the bench file, or this run of it, does not have.
pub(super) fn left_out(printer: &Printer, folder: &Folder, planned: &[Planned]) -> Result<()> {
    let own: BTreeSet<&str> = planned.iter().map(|planned| planned.id.as_str()).collect();
    let finished = folder.finished()?;
    let left_out = finished
        .iter()
        .filter(|id| !own.contains(id.as_str()))
        .count();
    if left_out > 0 {
        printer.note(&format!(
            "{} of the folder left out of this run: kept, and in no figure",
            counted(left_out, "finished episode")
        ));
    }
    Ok(())
}

/// The number of episodes in which `planner` followed plans that are not proven, with the reason of the first.
pub(super) fn unproven(printer: &Printer, digests: &[Digest]) {
    let mut reasons = digests.iter().filter_map(|it| it.unproven.as_deref());
    if let Some(first) = reasons.next() {
        let count = counted(1 + reasons.count(), "episode");
        printer.note(&format!("in {count} {}", policies::unproven(first)));
    }
}

/// A line of the index, as far as it is read.
#[derive(Deserialize)]
struct InIndex {
    id: String,
}
