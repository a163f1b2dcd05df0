//! The reasons for which the structure is not known.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// The reason for which the structure is not known.
#[derive(Debug, Error)]
pub enum StructureError {
    /// A file cannot be read.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// A file is no Rust.
    #[error("{}: {error}", path.display())]
    Rust {
        /// The file.
        path: PathBuf,
        /// The syntax error.
        error: syn::Error,
    },
    /// A manifest is no TOML, or has not what one has.
    #[error("{}: {reason}", path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// The fault.
        reason: String,
    },
}
