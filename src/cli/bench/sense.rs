//! The meaning that the files of a problem have for episodes, as hashes.

use serde::{Deserialize, Serialize};

use super::hash::hash_of;
use crate::cli::exit::Result;
use crate::cli::files;
use crate::cli::load::Loaded;
use crate::task::json::fingerprint;

/// Hashes of a problem's files and of what they mean.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sense {
    pub(super) files: String,
    /// The compiled task. Of examples, as of all, folders of earlier versions may not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) task: Option<String>,
    /// Its words for agents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) words: Option<String>,
}

impl Sense {
    /// Hashes of the files of a problem and of all that episodes take from them.
    pub(super) fn of(loaded: &Loaded) -> Result<Self> {
        let words = format!("{:?}", loaded.task.observation);
        Ok(Self {
            files: hash_of(loaded.files.iter().map(|file| files::read(file)))?,
            task: Some(fingerprint(&loaded.task)),
            words: Some(hash_of(std::iter::once(Ok(words.into_bytes())))?),
        })
    }
}
