//! Baselines: what plain policies reach on the evaluations that come along, and what papers publish beside them.
//!
//! A line of `docs/results/baselines.jsonl` holds the sums over all episodes of one policy on one group of
//! problems; the page is rendered from these.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::markdown::Table;
use crate::results::{Added, Entry, Results};

/// The levels of CuisineWorld in the order of the paper, easiest first.
const LEVELS: [u32; 12] = [0, 1, 7, 2, 4, 8, 3, 9, 10, 5, 11, 12];

/// Its intervals between orders, as names of groups have them.
const ALPHAS: [&str; 5] = ["1", "1_5", "2", "2_5", "3"];

/// The model whose results are published.
const GPT_4: &str = "GPT-4";

/// The policies that are played everywhere; `orders` are the scripts that follow orders.
const PLAYED: [&str; 3] = ["greedy", "random", "orders"];

/// The policy that plans in real time, in the kitchens of CuisineWorld.
const PLANNER: &str = "planner";

/// The sums over some episodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The evaluation.
    pub system: String,
    /// The problem, episodes of one kind together.
    pub group: String,
    /// The policy, or who is published.
    pub who: String,
    /// The number of episodes.
    pub episodes: u32,
    /// Of these the successes, where the problem has a goal.
    pub successes: Option<u32>,
    /// Their ticks.
    pub ticks: u64,
    /// Their totals.
    pub totals: BTreeMap<String, f64>,
}

impl Entry for Line {
    type Key = (String, String, String);

    fn key(&self) -> Self::Key {
        (self.system.clone(), self.group.clone(), self.who.clone())
    }

    fn about(&self) -> String {
        format!("{} on {} of {}", self.who, self.group, self.system)
    }

    fn succeed(&mut self, _: &mut Self) -> Added {
        Added::Taken
    }
}

/// The fields that are read of an episode in the `index.jsonl` of an evaluation.
#[derive(Deserialize)]
struct Episode {
    problem: String,
    setup: String,
    success: Option<bool>,
    ticks: u64,
    totals: BTreeMap<String, f64>,
}

/// Sums the episodes of an evaluation, those of one problem and policy together.
///
/// # Errors
///
/// A line is no episode.
pub fn collect(system: &str, index: &str) -> Result<Vec<Line>, serde_json::Error> {
    let mut lines: BTreeMap<(String, String), Line> = BTreeMap::new();
    for text in index.lines() {
        let episode: Episode = serde_json::from_str(text)?;
        let group = episode
            .problem
            .split("-episode-")
            .next()
            .unwrap_or_default();
        let key = (group.to_owned(), episode.setup.clone());
        let line = lines.entry(key).or_insert_with(|| Line {
            system: system.to_owned(),
            group: group.to_owned(),
            who: episode.setup,
            episodes: 0,
            successes: episode.success.map(|_| 0),
            ticks: 0,
            totals: BTreeMap::new(),
        });
        line.episodes += 1;
        line.ticks += episode.ticks;
        if let (Some(successes), Some(success)) = (&mut line.successes, episode.success) {
            *successes += u32::from(success);
        }
        for (name, amount) in episode.totals {
            *line.totals.entry(name).or_default() += amount;
        }
    }
    Ok(lines.into_values().collect())
}

/// The page.
pub fn page(results: &Results<Line>) -> String {
    let head = include_str!("baselines/head.md");
    let cuisineworld = include_str!("baselines/cuisineworld.md");
    let overcooked = include_str!("baselines/overcooked.md");
    let cookmas = include_str!("baselines/cookmas.md");
    [
        head.to_owned(),
        cuisineworld.replace("TABLE\n", &kitchens(results)),
        overcooked.replace("TABLE\n", &layouts(results)),
        cookmas.replace("TABLE\n", &evenings(results)),
    ]
    .join("\n")
}

fn line<'r>(results: &'r Results<Line>, system: &str, group: &str, who: &str) -> Option<&'r Line> {
    results.get(&(system.to_owned(), group.to_owned(), who.to_owned()))
}

fn total(line: &Line, name: &str) -> f64 {
    line.totals.get(name).copied().unwrap_or(0.0)
}

/// A mean to so many decimals; a dash if there is nothing.
fn mean(values: &[f64], decimals: usize) -> String {
    if values.is_empty() {
        return "-".to_owned();
    }
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    format!("{mean:.decimals$}")
}

/// The score of CuisineWorld of a level: the mean over intervals of completed orders of those that are over.
fn score(results: &Results<Line>, level: u32, cooks: u32, who: &str) -> Option<f64> {
    let shares: Option<Vec<f64>> = ALPHAS
        .iter()
        .map(|alpha| {
            let group = format!("level-{level}-cooks-{cooks}-alpha-{alpha}");
            let line = line(results, "cuisineworld", &group, who)?;
            let (completed, failed) = (total(line, "completed"), total(line, "failed"));
            Some(completed / (completed + failed))
        })
        .collect();
    shares.map(|shares| shares.iter().sum::<f64>() / shares.len() as f64)
}

fn kitchens(results: &Results<Line>) -> String {
    let columns: Vec<(&str, u32)> = PLAYED
        .into_iter()
        .chain([PLANNER, GPT_4])
        .flat_map(|who| (2..=4).map(move |cooks| (who, cooks)))
        .collect();
    let titles = columns.iter().map(|(who, cooks)| format!("{who}, {cooks}"));
    let mut table = Table::new(std::iter::once("level".to_owned()).chain(titles));
    let cells = |levels: &[u32]| -> Vec<String> {
        let cell = |&(who, cooks): &(&str, u32)| {
            let scores = levels
                .iter()
                .filter_map(|&level| score(results, level, cooks, who));
            mean(&scores.collect::<Vec<_>>(), 3)
        };
        columns.iter().map(cell).collect()
    };
    for level in LEVELS {
        table.add(&[], vec![(level.to_string(), cells(&[level]))]);
    }
    table.add(&[], vec![("all".to_owned(), cells(&LEVELS))]);
    table.render()
}

fn layouts(results: &Results<Line>) -> String {
    let mut table = Table::new(std::iter::once("layout").chain(PLAYED));
    let lines = results.iter().filter(|line| line.system == "overcooked-ai");
    let mut groups: Vec<&str> = lines.map(|line| &*line.group).collect();
    groups.dedup();
    for group in groups {
        let cell = |who: &str| {
            let line = line(results, "overcooked-ai", group, who);
            let reward = line.map(|line| total(line, "reward") / f64::from(line.episodes));
            mean(reward.as_slice(), 1)
        };
        table.add(&[], vec![(group.to_owned(), PLAYED.map(cell).to_vec())]);
    }
    table.render()
}

fn evenings(results: &Results<Line>) -> String {
    let titles = [
        "problem",
        "policy",
        "success",
        "served",
        "customs kept",
        "makespan",
        "thrown away",
    ];
    let mut table = Table::new(titles);
    for line in results.iter().filter(|line| line.system == "cookmas") {
        let (served, unserved) = (total(line, "dishes-served"), total(line, "unserved"));
        let customs = total(line, "customs");
        let kept = customs - total(line, "not-left-out") - total(line, "done-otherwise");
        let episodes = f64::from(line.episodes);
        let kept: &[f64] = if customs > 0.0 {
            &[kept / customs]
        } else {
            &[]
        };
        let cells = vec![
            mean(&[f64::from(line.successes.unwrap_or(0)) / episodes], 2),
            mean(&[served / (served + unserved)], 2),
            mean(kept, 2),
            mean(&[line.ticks as f64 / episodes], 1),
            mean(&[total(line, "thrown-away") / episodes], 1),
        ];
        table.add(
            std::slice::from_ref(&line.group),
            vec![(line.who.clone(), cells)],
        );
    }
    table.render()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    fn root() -> &'static Path {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
    }

    #[test]
    fn the_page_shows_the_results() {
        let text = fs::read_to_string(root().join("docs/results/baselines.jsonl")).unwrap();
        let results = Results::parse(&text).unwrap();
        assert_eq!(results.render().unwrap(), text);
        let shown = fs::read_to_string(root().join("docs/results/baselines.md")).unwrap();
        assert!(
            shown == page(&results),
            "cargo run -p brigade-tools --bin baselines"
        );
    }

    #[test]
    fn episodes_of_one_problem_and_policy_are_summed() {
        let episode = |problem: &str, success: &str, served: u32| {
            format!(
                "{{\"problem\":\"{problem}\",\"setup\":\"greedy\",\"success\":{success},\"ticks\":7,\
                 \"totals\":{{\"served\":{served}}},\"seed\":1}}\n"
            )
        };
        let index = episode("a-episode-0", "null", 1)
            + &episode("a-episode-1", "null", 2)
            + &episode("b", "true", 4);
        let lines = collect("it", &index).unwrap();
        let brief = lines.iter().map(|it| {
            (
                &*it.group,
                it.episodes,
                it.successes,
                it.ticks,
                it.totals["served"],
            )
        });
        assert_eq!(
            brief.collect::<Vec<_>>(),
            [("a", 2, None, 14, 3.0), ("b", 1, Some(1), 7, 4.0)]
        );
    }

    /// The paper's Table 1: the mean over all levels with two agents is .673.
    #[test]
    fn the_published_counts_give_the_published_score() {
        let text = fs::read_to_string(root().join("docs/results/baselines.jsonl")).unwrap();
        let results = Results::parse(&text).unwrap();
        let scores = LEVELS.map(|level| score(&results, level, 2, GPT_4).unwrap());
        assert_eq!(mean(&scores, 3), "0.673");
        assert_eq!(mean(&[scores[0]], 3), "0.727");
    }
}
