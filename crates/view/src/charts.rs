//! The charts of an evaluation.

use indexmap::IndexMap;
use serde_json::{Value, json};

use crate::chart::{Datum, behind, chart, name, name_of};
use crate::document::{Chart, Row, Table};
use crate::finished::{COLUMN, Finished, SUCCESS};
use crate::histograms::{optimality, steps_to_go};

/// The most problems or groups that a chart has room for.
const MOST_CATEGORIES: usize = 60;

/// The episodes of each set-up and model by a number, such as that of a level or an interval.
pub(crate) struct Numbered {
    /// The name of the number.
    pub(crate) word: String,
    /// By number, then set-up and model.
    pub(crate) rows: Vec<(f64, Row)>,
}

/// The metrics of which there are curves over numbers, but for columns of totals.
const CURVES: [&str; 7] = [
    SUCCESS,
    "progress",
    "pc",
    "ic",
    "rc",
    "initiating",
    "responding",
];

/// The charts that the figures allow: nothing is drawn of what is not known.
pub(crate) fn charts(
    tables: &[Table],
    numbered: Option<&Numbered>,
    labels: &IndexMap<String, String>,
    finished: &[Finished],
) -> Vec<Chart> {
    let whole = &tables[0].rows;
    let mut charts = Vec::new();
    if let Some(numbered) = numbered {
        let columns = labels.keys().map(String::as_str);
        let columns = columns.filter(|name| name.starts_with(COLUMN));
        for metric in CURVES.into_iter().chain(columns) {
            let title = labels.get(metric).map_or(metric, String::as_str);
            charts.extend(by_number(numbered, metric, title));
        }
    }
    for table in &tables[1..] {
        charts.extend(by_category(table, SUCCESS, "Share of successes"));
        charts.extend(by_category(table, "progress", "Progress"));
    }
    let of_references = ("ic-rc", "IC and RC, against references");
    charts.extend(requests(whole, of_references, ["ic", "rc"], labels));
    let of_planner = ("requests", "Correct requests and followed requests");
    let shares = ["initiating", "responding"];
    charts.extend(requests(whole, of_planner, shares, labels));
    charts.extend(optimality(finished));
    charts.extend(steps_to_go(finished));
    charts.extend(failures(whole));
    charts.extend(regret(whole));
    charts.extend(cost_and_success(whole));
    charts.extend(tokens(whole, finished));
    charts
}

/// A metric over a number, a line for each set-up.
fn by_number(numbered: &Numbered, metric: &str, title: &str) -> Option<Chart> {
    let word = &numbered.word;
    let rows = numbered.rows.iter().filter_map(|(number, row)| {
        let estimate = row.values.get(metric)?;
        let datum = json!({
            word: number, "set-up": name(&row.key), "value": estimate.value?, "low": estimate.low,
            "high": estimate.high, "episodes": row.episodes,
        });
        let mut behind = behind(&row.key);
        behind.insert("number", format!("={number}"));
        Some((datum, behind))
    });
    let colour = json!({"field": "set-up", "type": "nominal", "sort": null});
    let value =
        json!({"field": "value", "type": "quantitative", "title": title, "scale": {"zero": true}});
    let drawing = json!({
        "height": 200,
        "encoding": {
            "x": {"field": word, "type": "quantitative", "axis": {"tickMinStep": 0.5}, "scale": {"zero": false, "padding": 12}},
            "color": colour,
        },
        "layer": [
            {"mark": "rule", "encoding": {
                "y": {"field": "low", "type": "quantitative", "title": title}, "y2": {"field": "high"}}},
            {"mark": "line", "encoding": {"y": value}},
            {"mark": {"type": "point", "filled": true, "size": 60, "tooltip": {"content": "data"}},
             "encoding": {"y": value, "shape": colour}},
        ],
    });
    let title = format!("{title} by {word}");
    chart(
        format!("{metric}-by-number"),
        title,
        rows.collect(),
        &drawing,
    )
}

/// A share of requests against another one.
fn requests(
    rows: &[Row],
    (id, title): (&str, &str),
    [up, right]: [&str; 2],
    labels: &IndexMap<String, String>,
) -> Option<Chart> {
    let [above, beside] = [up, right].map(|metric| labels.get(metric).map_or(metric, |it| it));
    let [above_low, above_high, beside_low, beside_high] = [
        format!("{above} low"),
        format!("{above} high"),
        format!("{beside} low"),
        format!("{beside} high"),
    ];
    let rows = rows.iter().filter_map(|row| {
        let (first, second) = (row.values.get(up)?, row.values.get(right)?);
        let datum = json!({
            "set-up": name(&row.key), above: first.value?, &*above_low: first.low, &*above_high: first.high,
            beside: second.value?, &*beside_low: second.low, &*beside_high: second.high,
            "episodes": row.episodes,
        });
        Some((datum, behind(&row.key)))
    });
    let axis = |field: &str| json!({"field": field, "type": "quantitative", "title": field, "scale": {"domain": [0, 1]}});
    let colour = json!({"field": "set-up", "type": "nominal", "sort": null});
    let end = |field: &str| json!({"field": field, "type": "quantitative"});
    let drawing = json!({
        "height": 240,
        "encoding": {"color": colour},
        "layer": [
            {"mark": "rule", "encoding": {"x": axis(beside), "y": end(&above_low), "y2": {"field": above_high}}},
            {"mark": "rule", "encoding": {"y": axis(above), "x": end(&beside_low), "x2": {"field": beside_high}}},
            {"mark": {"type": "point", "filled": true, "size": 70, "tooltip": {"content": "data"}},
             "encoding": {"x": axis(beside), "y": axis(above), "shape": colour}},
        ],
    });
    chart(id.to_owned(), title.to_owned(), rows.collect(), &drawing)
}

/// Tokens of an episode, in questions and in answers.
fn tokens(rows: &[Row], finished: &[Finished]) -> Option<Chart> {
    let rows = rows.iter().flat_map(|row| {
        let of = name(&row.key);
        let episodes = finished.iter().filter(|episode| name_of(episode) == of);
        let (input, output) = episodes.fold((0, 0), |(input, output), it| {
            (input + it.tokens.input, output + it.tokens.output)
        });
        [("questions", input), ("answers", output)]
            .into_iter()
            .filter(|&(_, tokens)| tokens > 0)
            .map(move |(part, tokens)| {
                let mean = tokens as f64 / row.episodes as f64;
                let datum = json!({
                    "set-up": of, "in": part, "tokens an episode": mean, "episodes": row.episodes,
                });
                (datum, behind(&row.key))
            })
            .collect::<Vec<_>>()
    });
    chart(
        "tokens-in-and-out",
        "Tokens of an episode".to_owned(),
        rows.collect(),
        &bars("in", "tokens an episode"),
    )
}

/// A metric by problem or group, with its interval.
fn by_category(table: &Table, metric: &'static str, title: &str) -> Option<Chart> {
    let category = table.by[0];
    let of = |row: &Row| match category {
        "group" => row.key.group.clone(),
        _ => row.key.problem.clone(),
    };
    let rows = table.rows.iter().filter_map(|row| {
        let estimate = row.values.get(metric)?;
        let datum = json!({
            category: of(row)?, "set-up": name(&row.key), "value": estimate.value?,
            "low": estimate.low, "high": estimate.high, "episodes": row.episodes,
        });
        Some((datum, behind(&row.key)))
    });
    let rows: Vec<Datum> = rows.collect();
    let mut categories: Vec<&Value> = rows.iter().map(|(row, _)| &row[category]).collect();
    categories.dedup();
    if categories.len() < 2 || categories.len() > MOST_CATEGORIES {
        return None;
    }
    let id = match (metric, category) {
        (SUCCESS, "group") => "success-by-group",
        (SUCCESS, _) => "success-by-problem",
        (_, "group") => "progress-by-group",
        _ => "progress-by-problem",
    };
    let drawing = json!({
        "encoding": {
            "y": {"field": category, "type": "nominal", "sort": null, "title": category},
            "yOffset": {"field": "set-up", "sort": null},
            "color": {"field": "set-up", "type": "nominal", "sort": null},
        },
        "height": {"step": 14},
        "layer": [
            {"mark": {"type": "rule"}, "encoding": {
                "x": {"field": "low", "type": "quantitative", "title": title.to_lowercase()},
                "x2": {"field": "high"}}},
            {"mark": {"type": "point", "filled": true, "size": 60, "tooltip": {"content": "data"}}, "encoding": {
                "x": {"field": "value", "type": "quantitative", "scale": {"zero": true}},
                "shape": {"field": "set-up", "type": "nominal", "sort": null}}},
        ],
    });
    chart(id, format!("{title} by {category}"), rows, &drawing)
}

/// Failures by class.
fn failures(rows: &[Row]) -> Option<Chart> {
    let rows = rows.iter().flat_map(|row| {
        let of = name(&row.key);
        let counts = row.failures.iter().filter(|(_, count)| **count > 0);
        counts.map(move |(class, count)| {
            let datum = json!({"set-up": of, "class": class, "count": count});
            (datum, behind(&row.key))
        })
    });
    chart(
        "failures",
        "Refused commands and lossy choices, by class".to_owned(),
        rows.collect(),
        &bars("class", "count"),
    )
}

/// Regret by agent.
fn regret(rows: &[Row]) -> Option<Chart> {
    let rows = rows.iter().flat_map(|row| {
        let of = name(&row.key);
        row.regret.iter().map(move |(agent, lost)| {
            let agent = if agent.is_empty() { "the agent" } else { agent };
            let datum = json!({"set-up": of, "agent": agent, "regret": lost});
            (datum, behind(&row.key))
        })
    });
    let rows: Vec<Datum> = rows
        .filter(|(row, _)| row["regret"].as_f64() > Some(0.0))
        .collect();
    chart(
        "regret",
        "Regret by agent, without choices that ended all hope".to_owned(),
        rows,
        &bars("agent", "regret"),
    )
}

/// Stacked bars of parts by set-up.
fn bars(part: &str, value: &str) -> Value {
    json!({
        "mark": {"type": "bar", "tooltip": {"content": "data"}},
        "height": {"step": 24},
        "encoding": {
            "y": {"field": "set-up", "type": "nominal", "sort": null, "title": null},
            "x": {"field": value, "type": "quantitative"},
            "color": {"field": part, "type": "nominal"},
        },
    })
}

/// Tokens of an episode against successes, where models are asked.
fn cost_and_success(rows: &[Row]) -> Option<Chart> {
    let rows = rows.iter().filter_map(|row| {
        let tokens = row
            .values
            .get("tokens")?
            .value
            .filter(|&tokens| tokens > 0.0)?;
        let success = row.values.get(SUCCESS)?;
        let datum = json!({
            "set-up": name(&row.key), "tokens": tokens, "cost": row.values.get("cost")?.value,
            "success": success.value?, "low": success.low, "high": success.high,
        });
        Some((datum, behind(&row.key)))
    });
    let drawing = json!({
        "height": 240,
        "encoding": {
            "x": {"field": "tokens", "type": "quantitative", "title": "tokens an episode"},
            "color": {"field": "set-up", "type": "nominal", "sort": null},
        },
        "layer": [
            {"mark": "rule", "encoding": {
                "y": {"field": "low", "type": "quantitative", "title": "success"}, "y2": {"field": "high"}}},
            {"mark": {"type": "point", "filled": true, "size": 70, "tooltip": {"content": "data"}},
             "encoding": {"y": {"field": "success", "type": "quantitative"},
                          "shape": {"field": "set-up", "type": "nominal", "sort": null}}},
        ],
    });
    chart(
        "tokens",
        "Tokens and successes".to_owned(),
        rows.collect(),
        &drawing,
    )
}
