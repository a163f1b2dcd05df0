//! Charts of an evaluation, as specifications of Vega-Lite with their data.

use serde_json::{Value, json};

use crate::document::{Chart, Key, Row, Sheet, Table};
use crate::finished::{Finished, SUCCESS};
use crate::quantity::Quantity;

/// The most problems or groups that a chart has room for.
const MOST_CATEGORIES: usize = 60;

/// The charts that the figures allow: nothing is drawn of what is not known.
pub(crate) fn charts(tables: &[Table], finished: &[Finished]) -> Vec<Chart> {
    let whole = &tables[0].rows;
    let mut charts = Vec::new();
    for table in &tables[1..] {
        charts.extend(by_category(table, SUCCESS, "Share of successes"));
        charts.extend(by_category(table, "progress", "Progress"));
    }
    charts.extend(optimality(finished));
    charts.extend(steps_to_go(finished));
    charts.extend(failures(whole));
    charts.extend(regret(whole));
    charts.extend(cost_and_success(whole));
    charts
}

/// The name of a row in legends.
fn name(key: &Key) -> String {
    let setup = key.setup.clone().unwrap_or_default();
    match &key.model {
        Some(model) => format!("{setup}, {model}"),
        None => setup,
    }
}

fn name_of(episode: &Finished) -> String {
    name(&Key {
        setup: Some(episode.setup.clone()),
        model: episode.model.clone(),
        ..Key::default()
    })
}

/// A chart of these marks, with its data as rows of a table.
fn chart(id: &'static str, title: String, rows: &[Value], drawing: &Value) -> Option<Chart> {
    let first = rows.first()?.as_object()?;
    let columns: Vec<String> = first.keys().cloned().collect();
    let cells = rows
        .iter()
        .map(|row| columns.iter().map(|column| row[column].clone()).collect());
    let table = Sheet {
        rows: cells.collect(),
        columns: columns.clone(),
    };
    let mut spec = json!({
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "width": "container",
        "data": {"values": rows},
    });
    if let (Some(spec), Some(drawing)) = (spec.as_object_mut(), drawing.as_object()) {
        spec.extend(drawing.clone());
    }
    Some(Chart {
        id,
        title,
        spec,
        table,
    })
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
        Some(json!({
            category: of(row)?, "set-up": name(&row.key), "value": estimate.value?,
            "low": estimate.low, "high": estimate.high, "episodes": estimate.n,
        }))
    });
    let rows: Vec<Value> = rows.collect();
    let mut categories: Vec<&Value> = rows.iter().map(|row| &row[category]).collect();
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
    chart(id, format!("{title} by {category}"), &rows, &drawing)
}

/// The histogram of the cost of successes as a multiple of the optimum.
fn optimality(finished: &[Finished]) -> Option<Chart> {
    let rate = |it: &Finished| {
        it.process
            .as_ref()?
            .pointer("/end/optimality_rate")?
            .as_f64()
    };
    let rates = finished
        .iter()
        .filter_map(|it| Some((name_of(it), rate(it)?)));
    let ratios = rates
        .filter(|(_, rate)| *rate > 0.0)
        .map(|(name, rate)| (name, 1.0 / rate));
    histogram(
        "optimality",
        "Cost of successes, as a multiple of the optimum",
        "spent / optimum",
        ratios.collect(),
        0.1,
    )
}

/// The histogram of the cost-to-go at the end of failures.
fn steps_to_go(finished: &[Finished]) -> Option<Chart> {
    let to_go = |it: &Finished| {
        let process = it.process.as_ref().filter(|_| it.success == Some(false))?;
        let scale = process.get("scale")?.as_f64()?;
        match Quantity::read(process.get("end")?, "to_go")? {
            Quantity::Exact(value) => Some(value as f64 / scale),
            _ => None,
        }
    };
    let values = finished
        .iter()
        .filter_map(|it| Some((name_of(it), to_go(it)?)));
    histogram(
        "steps-to-go",
        "Steps to go at the end of failures",
        "steps to go",
        values.collect(),
        1.0,
    )
}

/// A histogram by set-up. The bins are counted here, so that a page shows the same numbers as its table.
fn histogram(
    id: &'static str,
    title: &str,
    axis: &str,
    values: Vec<(String, f64)>,
    least: f64,
) -> Option<Chart> {
    let most = values.iter().map(|&(_, value)| value).fold(0.0, f64::max);
    // A width of 1, 2 or 5 times a power of ten, with about twenty bins at most.
    let widths = (-3..9).flat_map(|power| [1.0, 2.0, 5.0].map(|unit| unit * 10_f64.powi(power)));
    let width = widths
        .into_iter()
        .find(|&width| width >= least && most / width <= 20.0)?;
    let mut names: Vec<String> = Vec::new();
    let mut counts: std::collections::BTreeMap<(usize, u64), u64> =
        std::collections::BTreeMap::new();
    for (name, value) in values {
        let index = names
            .iter()
            .position(|known| *known == name)
            .unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            });
        // The end of a bin belongs to it: 1.0 is in the bin that ends there.
        let bin = (value / width - 1e-9).ceil().max(0.0) as u64;
        *counts.entry((index, bin)).or_default() += 1;
    }
    let tidy = |value: f64| (value * 1e6).round() / 1e6;
    let rows = counts.into_iter().map(|((index, bin), episodes)| {
        let (above, up_to) = ((bin as f64 - 1.0) * width, bin as f64 * width);
        json!({
            "set-up": names[index], "above": tidy(above.max(0.0)), "up to": tidy(up_to), "episodes": episodes,
        })
    });
    let drawing = json!({
        "mark": {"type": "bar", "tooltip": {"content": "data"}},
        "height": 180,
        "encoding": {
            "x": {"field": "above", "type": "quantitative", "bin": {"binned": true, "step": width}, "title": axis},
            "x2": {"field": "up to"},
            "y": {"field": "episodes", "type": "quantitative", "axis": {"tickMinStep": 1}},
            "color": {"field": "set-up", "type": "nominal", "sort": null},
        },
    });
    chart(id, title.to_owned(), &rows.collect::<Vec<_>>(), &drawing)
}

/// Failures by class.
fn failures(rows: &[Row]) -> Option<Chart> {
    let rows = rows.iter().flat_map(|row| {
        let of = name(&row.key);
        let counts = row.failures.iter().filter(|(_, count)| **count > 0);
        counts.map(move |(class, count)| json!({"set-up": of, "class": class, "count": count}))
    });
    chart(
        "failures",
        "Refused commands and lossy choices, by class".to_owned(),
        &rows.collect::<Vec<_>>(),
        &bars("class", "count"),
    )
}

/// Regret by agent.
fn regret(rows: &[Row]) -> Option<Chart> {
    let rows = rows.iter().flat_map(|row| {
        let of = name(&row.key);
        row.regret.iter().map(move |(agent, lost)| {
            let agent = if agent.is_empty() { "the agent" } else { agent };
            json!({"set-up": of, "agent": agent, "regret": lost})
        })
    });
    let rows: Vec<Value> = rows
        .filter(|row| row["regret"].as_f64() > Some(0.0))
        .collect();
    chart(
        "regret",
        "Regret by agent, without choices that ended all hope".to_owned(),
        &rows,
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
        Some(json!({
            "set-up": name(&row.key), "tokens": tokens, "cost": row.values.get("cost")?.value,
            "success": success.value?, "low": success.low, "high": success.high,
        }))
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
        &rows.collect::<Vec<_>>(),
        &drawing,
    )
}
