//! The configurations of the search that are measured.

use brigade::search::{
    AnytimeChoice, DeepeningChoice, HeuristicChoice, PruningChoice, SearchOptions, SymmetryChoice,
};
use serde::{Deserialize, Serialize};

/// The bytes that tables of states may take, unless memory is what is measured.
const MEMORY: usize = 4 << 30;
/// The bytes where memory is scarce.
pub(super) const LITTLE_MEMORY: usize = 16 << 20;

/// A configuration of the search.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, clap::ValueEnum,
)]
#[serde(rename_all = "kebab-case")]
pub enum Configuration {
    /// All options at their defaults: the portfolio.
    Default,
    /// No interchangeable objects are looked for.
    SymmetryOff,
    /// No operators are left out.
    PruningOff,
    /// No plans are looked for before the optimum is proven.
    AnytimeOff,
    /// Uniform-cost search with symmetry.
    Blind,
    /// A* with LM-cut and symmetry.
    LmCut,
    /// A* with potentials and symmetry.
    Potentials,
    /// A* with patterns and symmetry.
    Patterns,
    /// A* with abstractions and symmetry.
    Abstractions,
    /// A* with relaxed decision diagrams, horizon after horizon, and symmetry.
    DecisionDiagrams,
    /// All defaults, within little memory.
    LittleMemory,
    /// The same without iterative deepening.
    DeepeningOff,
}

impl Configuration {
    /// All of them, the default first.
    pub const ALL: [Self; 12] = [
        Self::Default,
        Self::SymmetryOff,
        Self::PruningOff,
        Self::AnytimeOff,
        Self::Blind,
        Self::LmCut,
        Self::Potentials,
        Self::Patterns,
        Self::Abstractions,
        Self::DecisionDiagrams,
        Self::LittleMemory,
        Self::DeepeningOff,
    ];

    /// Those of one search with one heuristic, of which the portfolio chooses.
    pub const SINGLE: [Self; 6] = [
        Self::Blind,
        Self::LmCut,
        Self::Potentials,
        Self::Patterns,
        Self::Abstractions,
        Self::DecisionDiagrams,
    ];

    /// Returns its options.
    pub fn options(self) -> SearchOptions {
        let default = SearchOptions::default().with_memory_limit(MEMORY);
        let led_by = |heuristic| {
            let options = default.clone().with_heuristic(heuristic);
            options.with_symmetry(SymmetryChoice::Always)
        };
        match self {
            Self::Default => default,
            Self::SymmetryOff => default.with_symmetry(SymmetryChoice::Never),
            Self::PruningOff => default.with_pruning(PruningChoice::Never),
            Self::AnytimeOff => default.with_anytime(AnytimeChoice::Never),
            Self::Blind => led_by(HeuristicChoice::Blind),
            Self::LmCut => led_by(HeuristicChoice::LandmarkCut),
            Self::Potentials => led_by(HeuristicChoice::Potentials),
            Self::Patterns => led_by(HeuristicChoice::Patterns),
            Self::Abstractions => led_by(HeuristicChoice::Abstractions),
            Self::DecisionDiagrams => led_by(HeuristicChoice::DecisionDiagrams),
            Self::LittleMemory => default.with_memory_limit(LITTLE_MEMORY),
            Self::DeepeningOff => {
                let little = default.with_memory_limit(LITTLE_MEMORY);
                little.with_deepening(DeepeningChoice::Never)
            }
        }
    }
}
