//! The tables of a report for other programs, and for papers.

use crate::report::estimate::Estimate;
use crate::report::matrix::Matrix;
use crate::view::document::{Campaign, Key, Row};

/// The parts of a row's key, in the order of columns.
const KEY: [&str; 4] = ["problem", "group", "setup", "model"];

fn parts(key: &Key) -> [&str; 4] {
    [&key.problem, &key.group, &key.setup, &key.model]
        .map(|part| part.as_deref().unwrap_or_default())
}

/// All tables as one: a line for each row and metric, with the interval. Unknown numbers are empty.
pub(super) fn csv(campaign: &Campaign) -> String {
    let mut text = format!("{},metric,value,low,high,n,episodes\n", KEY.join(","));
    for row in campaign.tables.iter().flat_map(|table| &table.rows) {
        for metric in campaign.labels.keys() {
            let Some(estimate) = row.values.get(metric) else {
                continue;
            };
            let key = parts(&row.key).map(quoted).join(",");
            let number = |number: Option<f64>| number.map_or_else(String::new, |it| it.to_string());
            let Estimate {
                value,
                low,
                high,
                n,
            } = *estimate;
            let numbers = [value, low, high].map(number).join(",");
            text.push_str(&format!("{key},{metric},{numbers},{n},{}\n", row.episodes));
        }
    }
    text
}

/// A field of RFC 4180. A text that a spreadsheet would run as a formula is kept from it by an apostrophe.
fn quoted(field: &str) -> String {
    let field = match field.chars().next() {
        Some('=' | '+' | '-' | '@' | '\t') => format!("'{field}"),
        _ => field.to_owned(),
    };
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field
    }
}

/// The first table and the matrices, as a paper prints them. They need the package `booktabs`.
pub(super) fn latex(campaign: &Campaign) -> String {
    let Some(table) = campaign.tables.first() else {
        return String::new();
    };
    let metrics: Vec<(&String, &String)> = campaign.labels.iter().collect();
    let mut text = format!(
        "% {}: means with their 95 % confidence intervals\n\\begin{{tabular}}{{ll{}}}\n\\toprule\nset-up & model",
        comment(&campaign.name),
        "r".repeat(metrics.len() + 1)
    );
    text.push_str(" & $n$");
    for (_, title) in &metrics {
        text.push_str(&format!(" & {}", escaped(title)));
    }
    text.push_str(" \\\\\n\\midrule\n");
    for row in &table.rows {
        text.push_str(&line(row, &metrics));
    }
    text.push_str("\\bottomrule\n\\end{tabular}\n");
    for matrix in &campaign.matrices {
        text.push_str(&latex_matrix(matrix));
    }
    text
}

fn latex_matrix(matrix: &Matrix) -> String {
    let columns = &matrix.columns.policies;
    let model = matrix.model.iter().map(|model| format!(" with {model}"));
    let mut text = format!(
        "\n% {} of {}{}: {} in rows, {} in columns\n\\begin{{tabular}}{{l{}}}\n\\toprule\n",
        comment(&matrix.metric),
        comment(&matrix.setup),
        comment(&model.collect::<String>()),
        comment(&matrix.rows.agent),
        comment(&matrix.columns.agent),
        "r".repeat(columns.len())
    );
    for policy in columns {
        text.push_str(&format!(" & {}", escaped(policy)));
    }
    text.push_str(" \\\\\n\\midrule\n");
    for (policy, values) in matrix.rows.policies.iter().zip(&matrix.values) {
        let values = values.iter();
        let values: String = values
            .map(|value| format!(" & {}", cell(value.unwrap_or(Estimate::UNKNOWN))))
            .collect();
        text.push_str(&format!("{}{values} \\\\\n", escaped(policy)));
    }
    text + "\\bottomrule\n\\end{tabular}\n"
}

fn line(row: &Row, metrics: &[(&String, &String)]) -> String {
    let [_, _, setup, model] = parts(&row.key);
    let model = if model.is_empty() {
        "--".to_owned()
    } else {
        escaped(model)
    };
    let mut line = format!("{} & {model} & {}", escaped(setup), row.episodes);
    for (metric, _) in metrics {
        let estimate = row
            .values
            .get(*metric)
            .copied()
            .unwrap_or(Estimate::UNKNOWN);
        line.push_str(&format!(" & {}", cell(estimate)));
    }
    line + " \\\\\n"
}

fn cell(estimate: Estimate) -> String {
    match (estimate.value, estimate.low.zip(estimate.high)) {
        (None, _) => "--".to_owned(),
        (Some(value), None) => rounded(value),
        (Some(value), Some((low, high))) => {
            let [value, low, high] = [value, low, high].map(rounded);
            format!("{value} [{low}, {high}]")
        }
    }
}

/// Two decimals for what is small, none for what is large.
fn rounded(value: f64) -> String {
    if value.abs() < 100.0 {
        format!("{value:.2}")
    } else {
        format!("{value:.0}")
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// A text on a line of comment.
fn comment(text: &str) -> String {
    text.chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{escaped, quoted};

    #[test]
    fn a_field_is_quoted_where_it_has_to_be() {
        assert_eq!(quoted("react"), "react");
        assert_eq!(quoted("a, \"b\""), "\"a, \"\"b\"\"\"");
        assert_eq!(quoted("=1+1"), "'=1+1");
    }

    #[test]
    fn latex_shows_names_as_they_are() {
        assert_eq!(escaped("50%_of{\\}"), "50\\%\\_of\\{\\textbackslash{}\\}");
    }
}
