//! A registry of heuristics by name: those of this crate, and those that callers add.

use std::sync::Arc;

use super::factory::HeuristicFactory;
use crate::options::HeuristicChoice;

/// The heuristics that a search can be asked for by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeuristicRegistry {
    added: Vec<Added>,
}

/// A factory in a registry: equal to another if it is the same one.
#[derive(Clone, Debug)]
struct Added(Arc<dyn HeuristicFactory>);

impl PartialEq for Added {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Added {}

/// No heuristic has the name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no heuristic is called {name:?}; there are {}", known.join(", "))]
pub struct UnknownHeuristic {
    /// The name that was asked for.
    pub name: String,
    /// The names that there are.
    pub known: Vec<&'static str>,
}

/// The names of the heuristics of this crate.
const OWN: [&str; 7] = [
    "auto",
    "blind",
    "abstractions",
    "decision-diagrams",
    "lm-cut",
    "potentials",
    "patterns",
];

/// The heuristic of this crate that has a name.
fn own(name: &str) -> Option<HeuristicChoice> {
    Some(match name {
        "auto" => HeuristicChoice::Auto,
        "blind" => HeuristicChoice::Blind,
        "abstractions" => HeuristicChoice::Abstractions,
        "decision-diagrams" => HeuristicChoice::DecisionDiagrams,
        "lm-cut" => HeuristicChoice::LandmarkCut,
        "potentials" => HeuristicChoice::Potentials,
        "patterns" => HeuristicChoice::Patterns,
        _ => return None,
    })
}

impl HeuristicRegistry {
    /// The registry with one heuristic more. It replaces one of the same name.
    #[must_use]
    pub fn with(mut self, factory: Arc<dyn HeuristicFactory>) -> Self {
        self.added.retain(|other| other.0.name() != factory.name());
        self.added.push(Added(factory));
        self
    }

    /// The names of all heuristics: those of this crate, then those added.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        OWN.into_iter()
            .chain(self.added.iter().map(|it| it.0.name()))
    }

    /// The choice of the heuristic of a name.
    pub fn find(&self, name: &str) -> Result<HeuristicChoice, UnknownHeuristic> {
        let added = self.factory(name);
        let added = added.map(|factory| HeuristicChoice::Named(factory.name()));
        added.or_else(|| own(name)).ok_or_else(|| UnknownHeuristic {
            name: name.to_owned(),
            known: self.names().collect(),
        })
    }

    /// The factory that was added under a name.
    pub(crate) fn factory(&self, name: &str) -> Option<&Arc<dyn HeuristicFactory>> {
        let mut factories = self.added.iter().map(|it| &it.0);
        factories.find(|factory| factory.name() == name)
    }
}
