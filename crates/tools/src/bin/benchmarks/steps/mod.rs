//! Steps a second of random play in one problem of each bundled system, and in the published engine
//! where a package has it: `docs/results/steps.jsonl`.

pub(crate) mod page;
mod peers;
mod play;
pub(crate) mod record;
mod systems;

use std::error::Error;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::measure::own_seconds;
use brigade_tools::machine::{cpu_info, load, said};
use peers::Peers;
use record::{Line, Peer, Played, Setting};
use systems::{SYSTEMS, System};

/// The measurements, and the number of runs of each.
#[derive(Debug, Args)]
pub(crate) struct Measurement {
    /// A virtual environment of Python in which `hanabi-learning-environment` and `overcooked-ai` are installed
    #[arg(long, value_name = "DIR")]
    peers: Option<PathBuf>,

    /// Steps of one run; of a published engine a twentieth
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    steps: u64,

    /// The number of runs of each; the best counts
    #[arg(long, value_name = "N", default_value_t = 5)]
    repetitions: u32,
}

impl Measurement {
    /// Measures all systems.
    pub(crate) fn run(&self, root: &Path) -> Result<Vec<Line>, Box<dyn Error>> {
        let peers = self.peers.as_deref().map(Peers::find).transpose()?;
        let start = load();
        let mut lines = Vec::new();
        for system in &SYSTEMS {
            eprintln!("{}", system.name());
            lines.push(Line::Played(self.played(system, root)?));
            let peer = peers.as_ref().map(|peers| self.peer(system, peers));
            lines.extend(peer.transpose()?.flatten().map(Line::Peer));
        }
        let setting = Setting {
            processor: cpu_info("model name").unwrap_or_default(),
            cores: std::thread::available_parallelism()?.get(),
            system: said(root, "uname", &["-sr"]),
            rustc: said(root, "rustc", &["--version"]),
            commit: said(
                root,
                "git",
                &["describe", "--always", "--abbrev=12", "--dirty"],
            ),
            peers: peers.map_or(Vec::new(), |peers| peers.versions),
            repetitions: self.repetitions,
            load: [start, load()],
        };
        lines.insert(0, Line::Setting(setting));
        Ok(lines)
    }

    fn played(&self, system: &System, root: &Path) -> Result<Played, Box<dyn Error>> {
        let task = system.task(root)?;
        let mut seconds = f64::INFINITY;
        let mut met = play::Met::default();
        for _ in 0..self.repetitions.max(1) {
            let before = own_seconds()?;
            met = play::play(&task, self.steps, &system.name())?;
            seconds = seconds.min(own_seconds()? - before);
        }
        Ok(Played {
            system: system.domain.to_owned(),
            problem: system.problem.to_owned(),
            agents: task.agents.len(),
            operators: task.operators.len(),
            bits: task.bits(),
            legal: met.legal,
            episodes: met.episodes,
            steps: self.steps,
            seconds,
        })
    }

    fn peer(&self, system: &System, peers: &Peers) -> Result<Option<Peer>, Box<dyn Error>> {
        let mut best: Option<Peer> = None;
        for _ in 0..self.repetitions.max(1) {
            let Some(peer) = peers.play(system, self.steps / 20)? else {
                break;
            };
            if best.as_ref().is_none_or(|best| peer.seconds < best.seconds) {
                best = Some(peer);
            }
        }
        Ok(best)
    }
}
