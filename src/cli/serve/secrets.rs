//! The addresses of people: random tokens, kept in the folder of the logs so that a resumed game has the same ones.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::cli::exit::{Failure, Result};

/// Bytes of a token.
const LENGTH: usize = 16;

/// The port and the tokens.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Secrets {
    pub(super) port: u16,
    pub(super) seats: Vec<Token>,
}

/// The token of an agent.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Token {
    pub(super) agent: String,
    pub(super) token: String,
}

impl Secrets {
    /// Tokens for agents: those that they had, and new ones.
    pub(super) fn of(agents: &[(usize, String)], port: u16, before: Option<Self>) -> Result<Self> {
        let before = before.map_or_else(Vec::new, |before| before.seats);
        let seats = agents.iter().map(|(_, agent)| {
            let known = before.iter().find(|seat| seat.agent == *agent);
            let token = known.map_or_else(random_text, |seat| Ok(seat.token.clone()))?;
            Ok(Token {
                agent: agent.clone(),
                token,
            })
        });
        Ok(Self {
            port,
            seats: seats.collect::<Result<_>>()?,
        })
    }

    pub(super) fn tokens(&self) -> Vec<String> {
        self.seats.iter().map(|seat| seat.token.clone()).collect()
    }

    /// Those of a folder, if it has any.
    pub(super) fn read(folder: &Path) -> Result<Option<Self>> {
        let path = path(folder);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Failure::file(&path, error)),
        };
        let secrets: Self =
            serde_json::from_slice(&bytes).map_err(|error| Failure::malformed(&path, error))?;
        let is_strong = |seat: &Token| {
            seat.token.len() == 2 * LENGTH && seat.token.bytes().all(|it| it.is_ascii_hexdigit())
        };
        if !secrets.seats.iter().all(is_strong) {
            return Err(Failure::malformed(&path, "it has a token of another form"));
        }
        Ok(Some(secrets))
    }

    /// Keeps them in a folder, for this user alone.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        let path = path(folder);
        let text = serde_json::to_string(self).map_err(|error| Failure::file(&path, error))?;
        // A file that others may read would stay one.
        let _ = fs::remove_file(&path);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path);
        file.and_then(|mut file| file.write_all(text.as_bytes()))
            .map_err(|error| Failure::unwritable(&path, &error))
    }
}

fn path(folder: &Path) -> PathBuf {
    folder.join("addresses.json")
}

/// A random text of the system's randomness.
pub(super) fn random_text() -> Result<String> {
    let mut bytes = [0; LENGTH];
    getrandom::fill(&mut bytes)
        .map_err(|error| Failure::Internal(format!("the system gives no random bytes: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
