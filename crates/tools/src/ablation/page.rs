//! The page on the search, in Markdown.

use std::collections::BTreeMap;

use super::comparison::{Comparison, Runs, runs};
use super::configuration::Configuration;
use super::limits;
use super::portfolio::Portfolio;
use super::record::Line;
use super::technique::{TECHNIQUES, Technique};
use crate::markdown::Table;
use crate::results::Results;

const HEAD: &str = include_str!("head.md");
/// The techniques that were measured and taken out.
const DELETED: &str = include_str!("deleted.md");

/// Renders the page.
pub fn page(results: &Results<Line>) -> String {
    let of: BTreeMap<Configuration, Runs> = Configuration::ALL
        .into_iter()
        .map(|configuration| (configuration, runs(results, configuration)))
        .collect();
    let default = &of[&Configuration::Default];
    let measured: Vec<Measured> = TECHNIQUES.iter().map(|it| Measured::new(it, &of)).collect();
    let sections: String = measured.iter().map(Measured::section).collect();
    let singles = Configuration::SINGLE.map(|single| of[&single].clone());
    let portfolio = Portfolio::new(default, &singles).render();
    format!(
        "{HEAD}\n{}\n## In short\n\n{}\n## Techniques\n\n{sections}{DELETED}\n## The portfolio\n\n{}\n\
         {portfolio}\n## Constants of the portfolio\n\n{}",
        setting(results),
        summary(&measured),
        answers(default),
        limits::table(),
    )
}

fn setting(results: &Results<Line>) -> String {
    let Some(Line::Setting(setting)) = results.get(&None) else {
        return String::new();
    };
    format!(
        "Measured at commit `{}` on {}, one thread, {} s of CPU time a run, 4 GiB of tables.\n",
        setting.commit, setting.processor, setting.seconds
    )
}

/// A technique with what was measured of it.
struct Measured<'r> {
    technique: &'static Technique,
    comparison: Comparison<'r>,
    /// The instances in whose runs it came into play.
    fired: usize,
}

impl<'r> Measured<'r> {
    fn new(technique: &'static Technique, of: &BTreeMap<Configuration, Runs<'r>>) -> Self {
        let with = &of[&technique.with];
        Self {
            technique,
            comparison: Comparison::new(with, &of[&technique.without]),
            fired: with.values().filter(|run| (technique.fired)(run)).count(),
        }
    }

    fn section(&self) -> String {
        let Technique { name, about, .. } = self.technique;
        let found = &self.comparison;
        let mut text = format!("### {name}\n\n{about}\n\n");
        if found.compared == 0 {
            text.push_str("Not measured yet.\n\n");
            return text;
        }
        text.push_str(&format!(
            "Came into play on {}; compared on {}: proven {} with it, {} without. On the {} proven both ways, \
             without it the search takes {} times as long and stores {} times as many states.\n\n",
            self.fired,
            found.compared,
            found.proven[0],
            found.proven[1],
            found.both,
            factor(found.time),
            factor(found.states),
        ));
        for (title, names) in [("Gained", &found.gained), ("Lost", &found.lost)] {
            if !names.is_empty() {
                let names = names.iter().map(|name| format!("`{name}`"));
                let names = names.collect::<Vec<_>>().join(", ");
                text.push_str(&format!("{title}: {names}.\n\n"));
            }
        }
        text
    }
}

fn summary(measured: &[Measured]) -> String {
    let mut table = Table::new([
        "technique",
        "came into play",
        "compared",
        "proven with",
        "without",
        "gained",
        "lost",
        "time without : with",
        "states without : with",
    ]);
    for Measured {
        technique,
        comparison,
        fired,
    } in measured.iter().filter(|it| it.comparison.compared > 0)
    {
        let cells = vec![
            comparison.compared.to_string(),
            comparison.proven[0].to_string(),
            comparison.proven[1].to_string(),
            comparison.gained.len().to_string(),
            comparison.lost.len().to_string(),
            factor(comparison.time),
            factor(comparison.states),
        ];
        table.add(
            &[technique.name.to_owned()],
            vec![(fired.to_string(), cells)],
        );
    }
    table.render()
}

/// The searches that ended the proofs of the portfolio.
fn answers(default: &Runs) -> String {
    let proven = default.values().filter(|run| run.outcome.is_proven());
    let mut by_lead: BTreeMap<&str, usize> = BTreeMap::new();
    for run in proven.clone() {
        *by_lead
            .entry(run.last.as_deref().unwrap_or("nothing to search"))
            .or_default() += 1;
    }
    let first = proven.clone().filter(|run| run.tried == ["blind"]).count();
    let by_lead = by_lead
        .iter()
        .map(|(lead, times)| format!("{lead} {times}"));
    format!(
        "It proves {} of {} instances, {first} of them blindly at once. What ended the proof: {}.\n",
        proven.count(),
        default.len(),
        by_lead.collect::<Vec<_>>().join(", "),
    )
}

/// A factor to about three digits.
fn factor(factor: f64) -> String {
    let places = if factor < 10.0 { 2 } else { 0 };
    format!("{factor:.places$}")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn the_page_is_made_of_the_data() {
        let results = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results"));
        let data = fs::read_to_string(results.join("search.jsonl")).unwrap();
        let parsed = Results::parse(&data).unwrap();
        assert_eq!(parsed.render().unwrap(), data);
        let shown = fs::read_to_string(results.join("search.md")).unwrap();
        assert!(
            shown == page(&parsed),
            "docs/results/search.md is stale: cargo run -p brigade-tools --bin ablation -- render"
        );
    }
}
