//! Published engines that Python packages have, stepped likewise.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use super::record::Peer;
use super::systems::System;
use crate::tools::versions;

/// The problems that a package can play: the script, and the engine's name of the problem.
const SCRIPTS: [(&str, &str, &str); 2] = [
    (
        "overcooked-ai/cramped_room",
        include_str!("overcooked.py"),
        "cramped_room",
    ),
    ("hanabi/full-2", include_str!("hanabi.py"), "2"),
];

/// A virtual environment of Python with published engines.
#[derive(Debug)]
pub(super) struct Peers {
    python: PathBuf,
    /// Name and version of their packages.
    pub(super) versions: Vec<String>,
}

/// The output of a script.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Said {
    steps: u64,
    seconds: f64,
}

impl Peers {
    /// Finds them in a virtual environment.
    pub(super) fn find(environment: &Path) -> Result<Self, Box<dyn Error>> {
        let is_engine = |name: &str| name.starts_with("hanabi") || name.starts_with("overcooked");
        let mut found = Vec::new();
        for entry in fs::read_dir(environment.join("lib"))? {
            found.extend(versions(&entry?.path().join("site-packages"), is_engine)?);
        }
        if found.is_empty() {
            return Err(format!("{}: no published engine", environment.display()).into());
        }
        Ok(Self {
            python: environment.join("bin/python"),
            versions: found,
        })
    }

    /// Plays so many steps; `None` where no package plays the problem.
    pub(super) fn play(&self, system: &System, steps: u64) -> Result<Option<Peer>, Box<dyn Error>> {
        let script = SCRIPTS.iter().find(|(name, ..)| *name == system.name());
        let Some((name, script, problem)) = script else {
            return Ok(None);
        };
        let output = Command::new(&self.python)
            .args(["-c", script, problem, &steps.to_string()])
            .stderr(Stdio::inherit())
            .output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let last = text.lines().last().unwrap_or_default();
        let said: Said =
            serde_json::from_str(last).map_err(|error| format!("{name} in Python: {error}"))?;
        Ok(Some(Peer {
            system: system.domain.to_owned(),
            problem: system.problem.to_owned(),
            steps: said.steps,
            seconds: said.seconds,
        }))
    }
}
