//! Matrices of teams: a figure for each pair of policies that two agents play by.

use indexmap::{IndexMap, IndexSet};
use serde::Serialize;

use crate::estimate::Estimate;
use crate::table::Table;

/// The team of a set-up that stands for several, and its figure.
#[derive(Clone, Debug)]
pub struct Cell<'a> {
    /// The set-up that stands for several.
    pub setup: &'a str,
    /// The model that its designs ask where they name none.
    pub model: Option<&'a str>,
    /// The policies that vary, by agent.
    pub policies: &'a IndexMap<String, String>,
    /// The figure.
    pub estimate: Estimate,
}

/// A matrix of figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Matrix {
    /// The set-up that stands for all its teams.
    pub setup: String,
    /// The model that its designs ask where they name none.
    pub model: Option<String>,
    /// The name of the figure.
    pub metric: String,
    /// The agent and the policies of rows.
    pub rows: Axis,
    /// The agent and the policies of columns.
    pub columns: Axis,
    /// The figures, row by row; `None` where no episode is finished.
    pub values: Vec<Vec<Option<Estimate>>>,
}

/// An agent and the policies that it plays by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Axis {
    /// The agent.
    pub agent: String,
    /// Its policies, in the order of the set-up.
    pub policies: Vec<String>,
}

impl Matrix {
    /// The matrices of the set-ups in which the policies of two agents vary.
    pub fn all(metric: &str, cells: &[Cell<'_>]) -> Vec<Self> {
        let with_two = cells.iter().filter(|cell| cell.policies.len() == 2);
        let mut parts: IndexMap<(&str, Option<&str>), Vec<&Cell<'_>>> = IndexMap::new();
        for cell in with_two {
            parts
                .entry((cell.setup, cell.model))
                .or_default()
                .push(cell);
        }
        let parts = parts.into_iter();
        parts
            .map(|((setup, model), cells)| {
                let [rows, columns] = [0, 1].map(|place| axis(&cells, place));
                let value = |row: &String, column: &String| {
                    let is_there = |cell: &&&Cell<'_>| cell.policies.values().eq([row, column]);
                    cells.iter().find(is_there).map(|cell| cell.estimate)
                };
                let values = rows.policies.iter().map(|row| {
                    let columns = columns.policies.iter();
                    columns.map(|column| value(row, column)).collect()
                });
                Self {
                    setup: setup.to_owned(),
                    model: model.map(str::to_owned),
                    metric: metric.to_owned(),
                    values: values.collect(),
                    rows,
                    columns,
                }
            })
            .collect()
    }

    /// The matrix as text, under its title.
    pub fn text(&self) -> String {
        let model = self.model.as_ref();
        let model = model.map_or_else(String::new, |model| format!(" with {model}"));
        let corner = format!("{} \\ {}", self.rows.agent, self.columns.agent);
        let columns = self.columns.policies.iter().map(String::as_str);
        let mut table = Table::new([&*corner].into_iter().chain(columns));
        for (policy, values) in self.rows.policies.iter().zip(&self.values) {
            let values = values
                .iter()
                .map(|value| value.map_or_else(|| "-".to_owned(), |value| value.text()));
            table.row([policy.clone()].into_iter().chain(values));
        }
        format!(
            "{} of {}{model}\n{}",
            self.metric,
            self.setup,
            table.render()
        )
    }
}

/// The agent of a place, and the policies that it has among some cells.
fn axis(cells: &[&Cell<'_>], place: usize) -> Axis {
    let entries = cells
        .iter()
        .filter_map(|cell| cell.policies.get_index(place));
    let policies: IndexSet<&String> = entries.clone().map(|(_, policy)| policy).collect();
    Axis {
        agent: entries
            .map(|(agent, _)| agent.clone())
            .next()
            .unwrap_or_default(),
        policies: policies.into_iter().cloned().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policies(pairs: &[(&str, &str)]) -> IndexMap<String, String> {
        let pairs = pairs.iter();
        pairs
            .map(|&(agent, policy)| (agent.to_owned(), policy.to_owned()))
            .collect()
    }

    #[test]
    fn rows_are_of_the_first_agent_and_what_is_not_played_is_unknown() {
        let teams = [
            policies(&[("chef", "a"), ("helper", "a")]),
            policies(&[("chef", "a"), ("helper", "b")]),
            policies(&[("chef", "b"), ("helper", "a")]),
        ];
        let cells: Vec<Cell<'_>> = teams
            .iter()
            .zip(1..)
            .map(|(policies, successes)| Cell {
                setup: "cross",
                model: None,
                policies,
                estimate: Estimate::share(successes, 4),
            })
            .collect();
        let matrices = Matrix::all("success", &cells);
        assert_eq!(matrices.len(), 1);
        assert_eq!(
            matrices[0].text(),
            "success of cross\n\
             chef \\ helper  a                  b\n\
             a              0.25 [0.05, 0.70]  0.50 [0.15, 0.85]\n\
             b              0.75 [0.30, 0.95]  -\n"
        );
    }

    #[test]
    fn what_varies_for_one_agent_or_for_three_is_no_matrix() {
        let one = policies(&[("agents", "a")]);
        let three = policies(&[("a", "x"), ("b", "x"), ("c", "x")]);
        let cells = [&one, &three].map(|policies| Cell {
            setup: "self",
            model: None,
            policies,
            estimate: Estimate::UNKNOWN,
        });
        assert_eq!(Matrix::all("success", &cells), []);
    }
}
