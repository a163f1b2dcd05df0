//! Short hashes of what episodes depend on.

use sha2::{Digest, Sha256};

use crate::cli::exit::Result;

/// The first half of the SHA-256 of some texts, in hexadecimal.
pub(super) fn hash_of(texts: impl Iterator<Item = Result<Vec<u8>>>) -> Result<String> {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update(text?);
    }
    Ok(hash.finalize()[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect())
}
