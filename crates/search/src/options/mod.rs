//! The options of a search.

mod choices;
mod search_options;

pub use choices::{
    AnytimeChoice, DeepeningChoice, HeuristicChoice, Objective, PlanLead, PruningChoice,
    SymmetryChoice,
};
pub use search_options::SearchOptions;
