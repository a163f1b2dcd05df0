//! The portfolio beside the best of its single configurations.

use std::collections::BTreeMap;

use super::comparison::{Runs, geometric_mean};
use super::configuration::Configuration;
use super::record::Run;
use crate::markdown::Table;

/// An instance counts if its best single configuration takes so long, in seconds.
const LEAST: f64 = 0.5;
/// The portfolio may take so many times as long as the best,
const FACTOR: f64 = 1.5;
/// and so many seconds more.
const GRACE: f64 = 0.2;

/// The portfolio beside the best single configuration of each instance.
pub(super) struct Portfolio<'r> {
    /// The instances that count, with the best single configuration.
    rows: Vec<(&'r Run, &'r Run)>,
}

impl<'r> Portfolio<'r> {
    /// Compares the portfolio's runs to those of each configuration.
    pub(super) fn new(default: &Runs<'r>, singles: &[Runs<'r>]) -> Self {
        let rows = default.iter().filter_map(|(name, run)| {
            let proven = singles.iter().filter_map(|runs| runs.get(name));
            let proven = proven.filter(|run| run.outcome.is_proven());
            let best = proven.min_by(|one, other| one.cpu.total_cmp(&other.cpu))?;
            (best.cpu >= LEAST).then_some((*run, *best))
        });
        Self {
            rows: rows.collect(),
        }
    }

    /// The sentences and the table.
    pub(super) fn render(&self) -> String {
        let (misses, met): (Vec<_>, Vec<_>) = self
            .rows
            .iter()
            .partition(|(run, best)| is_missed(run, best));
        let proven = self.rows.iter().filter(|(run, _)| run.outcome.is_proven());
        let mean = geometric_mean(proven.clone().map(|(run, best)| run.cpu / best.cpu));
        let mut by_best: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, best) in &self.rows {
            *by_best.entry(name(best.configuration)).or_default() += 1;
        }
        let by_best = by_best
            .iter()
            .map(|(name, times)| format!("{name} on {times}"));
        let by_best = by_best.collect::<Vec<_>>().join(", ");
        let mut text = format!(
            "Of {} instances whose best single configuration takes {LEAST} s or more ({by_best}), the portfolio \
             proves {}, in {mean:.2} times the time of the best (geometric mean); on {} it takes at most {FACTOR} \
             times that and {GRACE} s. The others:\n\n",
            self.rows.len(),
            proven.count(),
            met.len(),
        );
        let mut table = Table::new(["instance", "best", "its s", "portfolio s"]);
        for (run, best) in misses {
            let seconds = if run.outcome.is_proven() {
                format!("{:.2}", run.cpu)
            } else {
                "limit".to_owned()
            };
            table.add(
                &[format!("`{}`", run.instance)],
                vec![(
                    name(best.configuration).to_owned(),
                    vec![format!("{:.2}", best.cpu), seconds],
                )],
            );
        }
        text.push_str(&table.render());
        text
    }
}

fn is_missed(run: &Run, best: &Run) -> bool {
    !run.outcome.is_proven() || run.cpu > best.cpu * FACTOR + GRACE
}

/// The name that `--heuristic` takes.
const fn name(configuration: Configuration) -> &'static str {
    match configuration {
        Configuration::LmCut => "lm-cut",
        Configuration::Potentials => "potentials",
        Configuration::Patterns => "patterns",
        Configuration::Abstractions => "abstractions",
        Configuration::DecisionDiagrams => "decision-diagrams",
        _ => "blind",
    }
}
