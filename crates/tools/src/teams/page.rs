//! The page on teams, in Markdown.

use super::record::{Line, Run};
use super::task::{GROUPS, Group};
use crate::markdown::Table;
use crate::results::Results;

const HEAD: &str = include_str!("head.md");

/// Renders the page.
pub fn page(results: &Results<Line>) -> String {
    let groups = GROUPS.iter().map(|group| section(group, results));
    let groups = groups.collect::<Vec<_>>().join("\n");
    format!(
        "{HEAD}\n{}\n## In short\n\n{}\n{groups}",
        setting(results),
        summary(results)
    )
}

fn setting(results: &Results<Line>) -> String {
    let Some(Line::Setting(setting)) = results.get(&None) else {
        return String::new();
    };
    format!(
        "Measured at commit `{}` on {}: {} s by the clock for each task, threads: {}, 4 GiB; load {:.1} at the start.\n",
        setting.commit, setting.processor, setting.seconds, setting.threads, setting.load
    )
}

/// The runs of a group, in order, each with the name of its problem.
fn runs<'r>(group: &Group, results: &'r Results<Line>) -> Vec<(&'r str, &'r Run)> {
    let runs = results.iter().filter_map(|line| match line {
        Line::Run(run) => Some((group.name_of(run)?, run)),
        Line::Setting(_) => None,
    });
    runs.collect()
}

fn summary(results: &Results<Line>) -> String {
    let mut table = Table::new([
        "tasks",
        "number",
        "with a plan",
        "with a bound",
        "proven",
        "mean gap of the others",
    ]);
    for group in GROUPS {
        let runs = runs(group, results);
        let count = |is: fn(&Run) -> bool| runs.iter().filter(|(_, run)| is(run)).count();
        let open = runs.iter().filter(|(_, run)| !run.is_proven);
        let gaps: Vec<f64> = open.filter_map(|(_, run)| run.gap()).collect();
        let mean = if gaps.is_empty() {
            "–".to_owned()
        } else {
            percent(gaps.iter().sum::<f64>() / gaps.len() as f64)
        };
        let cells = vec![
            count(|run| run.plan.is_some()).to_string(),
            count(|run| run.bound.is_some()).to_string(),
            count(|run| run.is_proven).to_string(),
            mean,
        ];
        table.add(
            &[group.title.to_owned()],
            vec![(runs.len().to_string(), cells)],
        );
    }
    table.render()
}

fn section(group: &Group, results: &Results<Line>) -> String {
    let mut table = Table::new([
        "problem",
        "best plan",
        "bound",
        "gap",
        "first plan, s",
        "best plan, s",
        "whole run, s",
        "beside",
    ]);
    for (name, run) in runs(group, results) {
        let number = |value: Option<i64>| value.map_or("–".to_owned(), |value| value.to_string());
        let seconds =
            |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.1}"));
        let gap = if run.is_proven {
            "proven".to_owned()
        } else {
            run.gap().map_or("–".to_owned(), percent)
        };
        let cells = vec![
            number(run.bound),
            gap,
            seconds(run.first_plan),
            seconds(run.best_plan),
            format!("{:.1}", run.seconds),
            group.known(name).to_owned(),
        ];
        table.add(&[format!("`{name}`")], vec![(number(run.plan), cells)]);
    }
    format!(
        "## {}\n\n{}\n\n{}",
        group.title,
        group.about,
        table.render()
    )
}

/// A part of one as a percentage.
fn percent(part: f64) -> String {
    format!("{:.0} %", part * 100.0)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn the_page_is_made_of_the_data() {
        let results = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results"));
        let data = fs::read_to_string(results.join("teams.jsonl")).unwrap();
        let parsed = Results::parse(&data).unwrap();
        assert_eq!(parsed.render().unwrap(), data);
        let shown = fs::read_to_string(results.join("teams.md")).unwrap();
        assert!(
            shown == page(&parsed),
            "docs/results/teams.md is stale: cargo run -p brigade-tools --bin teams -- render"
        );
    }
}
