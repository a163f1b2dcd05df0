//! Summarises the optima of the problems of one level.

use std::collections::BTreeSet;
use std::fmt;

use indexmap::IndexMap;

use super::{Benchmark, Survey};

/// The optimal plans of the problems of one level under one semantics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelFacts {
    /// The level.
    pub level: u32,
    /// The semantics.
    pub semantics: String,
    /// The number of its problems.
    pub problems: usize,
    /// Of how many of them all optimal plans are known; the rest is about these.
    pub known: usize,
    /// Their makespans.
    pub makespans: BTreeSet<u32>,
    /// Labels of their optimal plans.
    pub actions: BTreeSet<u32>,
    /// By agent, in declared order.
    pub agents: IndexMap<String, AgentLabels>,
    /// By agent, the numbers of labels that annotated references of any of its problems give it.
    pub annotated: IndexMap<String, BTreeSet<usize>>,
}

/// An agent's labels over the problems of a level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentLabels {
    /// By problem the fewest that it has in an optimal plan.
    pub fewest: BTreeSet<u32>,
    /// By problem the most that it has in an optimal plan.
    pub most: BTreeSet<u32>,
}

/// Sums up every level of a benchmark under every semantics.
pub fn level_facts(benchmark: &Benchmark, survey: &Survey) -> Vec<LevelFacts> {
    let levels: BTreeSet<u32> = benchmark.problems.iter().map(|entry| entry.level).collect();
    let mut all = Vec::new();
    for level in levels {
        for semantics in &benchmark.semantics {
            let mut facts = LevelFacts {
                level,
                semantics: semantics.clone(),
                problems: 0,
                known: 0,
                makespans: BTreeSet::new(),
                actions: BTreeSet::new(),
                agents: IndexMap::new(),
                annotated: IndexMap::new(),
            };
            let problems = benchmark.problems.iter();
            for entry in problems.filter(|entry| entry.level == level) {
                facts.problems += 1;
                let Some(line) = survey.of(&entry.problem, semantics) else {
                    continue;
                };
                let annotated = line.annotation.iter();
                for (name, labels) in annotated.flat_map(|annotation| &annotation.labels) {
                    facts
                        .annotated
                        .entry(name.clone())
                        .or_default()
                        .extend(labels);
                }
                if line.plans.is_none() {
                    continue;
                }
                facts.known += 1;
                facts.makespans.extend(line.makespan);
                facts.actions.extend(line.actions);
                for (name, figures) in &line.agents {
                    let labels = facts.agents.entry(name.clone()).or_default();
                    labels.fewest.insert(figures.fewest);
                    labels.most.insert(figures.most);
                }
            }
            all.push(facts);
        }
    }
    all
}

impl AgentLabels {
    /// The fewest and the most over all problems: `2`, or `2–4`.
    pub fn range(&self) -> String {
        range(self.fewest.first(), self.most.last())
    }
}

/// `2`, or `2–4`; empty where one end is unknown.
pub(super) fn range(least: Option<&u32>, greatest: Option<&u32>) -> String {
    match (least, greatest) {
        (Some(least), Some(greatest)) if least == greatest => least.to_string(),
        (Some(least), Some(greatest)) => format!("{least}–{greatest}"),
        _ => String::new(),
    }
}

/// `16, 17`.
pub(super) fn listed(numbers: impl IntoIterator<Item = impl ToString>) -> String {
    let numbers: Vec<String> = numbers.into_iter().map(|n| n.to_string()).collect();
    numbers.join(", ")
}

impl fmt::Display for LevelFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            level, semantics, ..
        } = self;
        write!(
            f,
            "level {level} {semantics}: {} of {} problems known",
            self.known, self.problems
        )?;
        if self.known > 0 {
            write!(
                f,
                "; makespan {}; labels {}",
                listed(&self.makespans),
                listed(&self.actions)
            )?;
        }
        for (name, labels) in &self.agents {
            write!(
                f,
                "; {name} {}, fewest {}",
                labels.range(),
                listed(&labels.fewest)
            )?;
        }
        for (name, labels) in &self.annotated {
            write!(f, "; annotated {name} {}", listed(labels))?;
        }
        Ok(())
    }
}
