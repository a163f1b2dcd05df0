//! A chart as a specification of Vega-Lite, with its data as a table and the episodes behind each row.

use indexmap::IndexMap;
use serde_json::{Value, json};

use crate::document::{Chart, Key, Sheet};
use crate::finished::Finished;

/// A row of a chart's data, with the filters of the list of episodes behind it.
pub(crate) type Datum = (Value, Behind);

/// Filters of the list of episodes, by column.
pub(crate) type Behind = IndexMap<&'static str, String>;

/// The name of a row in legends.
pub(crate) fn name(key: &Key) -> String {
    let setup = key.setup.clone().unwrap_or_default();
    match &key.model {
        Some(model) => format!("{setup}, {model}"),
        None => setup,
    }
}

pub(crate) fn key_of(episode: &Finished) -> Key {
    Key {
        setup: Some(episode.setup.clone()),
        model: episode.model.clone(),
        ..Key::default()
    }
}

pub(crate) fn name_of(episode: &Finished) -> String {
    name(&key_of(episode))
}

/// The filters that leave the episodes of a row.
pub(crate) fn behind(key: &Key) -> Behind {
    let parts = [
        ("problem", &key.problem),
        ("group", &key.group),
        ("setup", &key.setup),
        ("model", &key.model),
    ];
    let parts = parts.into_iter();
    parts
        .filter_map(|(name, part)| Some((name, format!("={}", part.as_ref()?))))
        .collect()
}

/// A chart of these marks, with its data as rows of a table.
pub(crate) fn chart(
    id: impl Into<String>,
    title: String,
    data: Vec<Datum>,
    drawing: &Value,
) -> Option<Chart> {
    let (rows, behind): (Vec<Value>, Vec<Behind>) = data.into_iter().unzip();
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
        id: id.into(),
        title,
        spec,
        table,
        behind,
    })
}
