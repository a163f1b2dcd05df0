//! The figures of an evaluation as text.

use super::Summary;
use crate::diagnostics::words::{agent_name, counted};
use crate::report::table::Table;

/// The most values of pass^k that are shown; the document has them all.
const SHOWN_REPETITIONS: usize = 8;

impl Summary {
    pub(super) fn text(&self) -> String {
        let columns = [
            "set-up",
            "model",
            "format",
            "episodes",
            "success",
            "ticks/opt",
            "ok",
            "unparseable",
            "illegal",
            "truncated",
            "filtered",
            "strict",
            "lenient",
            "tokens",
        ];
        let of_totals = self.rows.first().map(|row| row.columns.keys());
        let of_totals = of_totals.into_iter().flatten().map(String::as_str);
        let columns: Vec<&str> = columns.into_iter().chain(of_totals).collect();
        let mut table = Table::new(columns.iter().copied());
        for column in 3..columns.len() {
            table = table.right(column);
        }
        let whole = self.rows.iter().filter(|row| row.problem.is_none());
        for row in whole {
            let tally = &row.tally;
            let outcomes: Vec<String> = crate::episode::Outcome::ALL[..5]
                .iter()
                .map(|outcome| {
                    tally
                        .outcomes
                        .get(outcome)
                        .copied()
                        .unwrap_or(0)
                        .to_string()
                })
                .collect();
            let share = |part: u64| {
                if tally.read == 0 {
                    "-".to_owned()
                } else {
                    format!("{:.2}", part as f64 / tally.read as f64)
                }
            };
            let way = row.way.as_ref();
            let mut line = vec![
                row.name(),
                row.model.clone().unwrap_or_else(|| "-".to_owned()),
                way.map_or_else(
                    || "-".to_owned(),
                    |way| format!("{}, {}", way.format, way.track),
                ),
                row.episodes.to_string(),
                row.success().text(),
                row.ticks_over_optimum
                    .map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}")),
            ];
            line.extend(outcomes);
            line.push(share(tally.strict));
            line.push(share(tally.lenient));
            line.push((tally.tokens.input + tally.tokens.output).to_string());
            line.extend(row.columns.iter().map(|(title, value)| {
                let ends = row.column_intervals.get(title).copied().flatten();
                match (value, ends) {
                    (None, _) => "-".to_owned(),
                    (Some(value), None) => format!("{value:.3}"),
                    (Some(value), Some([low, high])) => {
                        format!("{value:.3} [{low:.3}, {high:.3}]")
                    }
                }
            }));
            table.row(line);
        }
        let mut text = table.render();
        text.push_str(&self.scores_text());
        text.push_str(&self.process_text());
        for matrix in &self.matrices {
            text.push_str(&format!("\n{}", matrix.text()));
        }
        for row in self.rows.iter().filter(|row| row.problem.is_none()) {
            if row.pass_hat.len() > 1 {
                let model = row.model.as_deref().unwrap_or("-");
                let estimates = row.pass_hat.iter().zip(&row.pass_hat_intervals);
                let shares: Vec<String> = estimates
                    .take(SHOWN_REPETITIONS)
                    .map(|(share, ends)| match ends {
                        Some([low, high]) => format!("{share:.2} [{low:.2}, {high:.2}]"),
                        None => format!("{share:.2}"),
                    })
                    .collect();
                text.push_str(&format!(
                    "pass^k of {}, {model}, for k = 1 to {}: {}\n",
                    row.name(),
                    shares.len(),
                    shares.join(", ")
                ));
            }
        }
        if self.ways_differ {
            text.push_str(
                "note: rows differ in the way in which actions were chosen or read; they do not rank \
                 models\n",
            );
        }
        if !self.unfinished.is_empty() {
            text.push_str(&format!(
                "\n{} of {} episodes are not finished, and in no figure above:\n",
                self.unfinished.len(),
                self.episodes
            ));
            for unfinished in self.unfinished.iter().take(10) {
                text.push_str(&format!("  {}: {}\n", unfinished.id, unfinished.reason));
            }
            if self.unfinished.len() > 10 {
                text.push_str(&format!("  and {} more\n", self.unfinished.len() - 10));
            }
        }
        let spent = self.spent;
        let uncounted = match spent.uncounted {
            0 => String::new(),
            several => format!(", and {several} answers whose tokens the server did not count"),
        };
        text.push_str(&format!(
            "\ntokens: {} in questions, {} in answers{uncounted}; cost: {}\n",
            spent.input,
            spent.output,
            match self.cost_spent {
                Some(cost) => format!("{cost:.4} {}", self.currency),
                None => "not known (a model has no `price`)".to_owned(),
            }
        ));
        text
    }

    /// The scores against references as text; empty where there are none.
    fn scores_text(&self) -> String {
        let columns = ["set-up", "model", "SR", "PC", "TES by agent", "IC", "RC"];
        let mut table = Table::new(columns);
        let whole = self.rows.iter().filter(|row| row.problem.is_none());
        let mut rows = whole
            .filter_map(|row| Some((row, row.scores.as_ref()?)))
            .peekable();
        if rows.peek().is_none() {
            return String::new();
        }
        for (row, scores) in rows {
            let tes = scores.tes.iter();
            let tes = tes.map(|(name, tes)| format!("{} {}", agent_name(name), tes.text()));
            table.row([
                row.name(),
                row.model.clone().unwrap_or_else(|| "-".to_owned()),
                row.success().text(),
                scores.pc.text(),
                tes.collect::<Vec<_>>().join(", "),
                scores.ic.text(),
                scores.rc.text(),
            ]);
        }
        format!("\n{}", table.render())
    }

    /// The process metrics as text; empty where there are none.
    fn process_text(&self) -> String {
        let columns = [
            "set-up",
            "model",
            "optimality",
            "to go",
            "dead ends",
            "optimal choices",
            "regret by agent",
            "S/A/T/G",
            "requests",
            "followed",
        ];
        let mut table = [2, 3, 4, 5, 7, 8, 9]
            .into_iter()
            .fold(Table::new(columns), Table::right);
        let rows = self.rows.iter().filter(|row| row.problem.is_none());
        let mut rows = rows
            .filter_map(|row| Some((row, row.process.as_ref()?)))
            .peekable();
        if rows.peek().is_none() {
            return String::new();
        }
        let decimal = |value: Option<f64>| {
            value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"))
        };
        let mut incomplete = 0;
        for (row, process) in rows {
            incomplete += process.incomplete;
            let regrets = process.agents.iter().map(|(name, agent)| {
                let regret = agent
                    .regret
                    .map_or_else(|| "?".to_owned(), |regret| format!("{regret}"));
                format!("{} {regret}", agent_name(name))
            });
            // What is known of none is not nothing.
            let is_known = process.incomplete < process.episodes;
            let or_dash = |text: String| if is_known { text } else { "-".to_owned() };
            let failures = process.failures;
            let (initiation, response) = (process.initiation, process.response);
            table.row([
                row.name(),
                row.model.clone().unwrap_or_else(|| "-".to_owned()),
                decimal(process.optimality_rate),
                decimal(process.to_go),
                process.dead_ends.to_string(),
                decimal(process.optimal_share()),
                or_dash(regrets.collect::<Vec<_>>().join(", ")),
                or_dash(format!(
                    "{}/{}/{}/{}",
                    failures.state, failures.action, failures.transition, failures.goal
                )),
                match initiation.classed() + initiation.unknown {
                    0 => "-".to_owned(),
                    all => format!("{} of {all}", initiation.correct),
                },
                match response.all() {
                    0 => "-".to_owned(),
                    all => format!("{} of {all}", response.followed),
                },
            ]);
        }
        let mut text = format!("\n{}", table.render());
        if incomplete > 0 {
            text.push_str(&format!(
                "note: of {} some process metrics are bounds, which are in no figure: a search met a \
                 limit (`--metric-states`)\n",
                counted(incomplete, "episode")
            ));
        }
        text
    }
}
