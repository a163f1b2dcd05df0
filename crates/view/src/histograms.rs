//! Histograms of episodes: optimality of successes, steps to go of failures.

use std::collections::BTreeMap;

use serde_json::json;

use crate::chart::{Behind, behind, chart, key_of, name_of};
use crate::document::Chart;
use crate::finished::Finished;
use crate::quantity::Quantity;

/// The histogram of the cost of successes as a multiple of the optimum.
pub(crate) fn optimality(finished: &[Finished]) -> Option<Chart> {
    let rate = |it: &Finished| {
        it.process
            .as_ref()?
            .pointer("/end/optimality_rate")?
            .as_f64()
    };
    let rates = finished
        .iter()
        .filter_map(|it| Some((it, rate(it).filter(|&rate| rate > 0.0)?)));
    // In terms of the rate, by which episodes are listed. A bin has its upper end and not its lower one.
    let range = |above: f64, up_to: f64| {
        let most = match above {
            0.0 => String::new(),
            above => format!("{:.6}", (1e6 / above - 1e-3).floor() / 1e6),
        };
        let rates = format!("{:.6}..{most}", (1e6 / up_to).floor() / 1e6);
        vec![("rate", rates)]
    };
    histogram(
        "optimality",
        "Cost of successes, as a multiple of the optimum",
        "spent / optimum",
        rates.map(|(it, rate)| (it, 1.0 / rate)).collect(),
        0.1,
        &range,
    )
}

/// The histogram of the cost-to-go at the end of failures.
pub(crate) fn steps_to_go(finished: &[Finished]) -> Option<Chart> {
    let scale = |it: &Finished| it.process.as_ref()?.get("scale")?.as_f64();
    let to_go = |it: &Finished| {
        let process = it.process.as_ref().filter(|_| it.success == Some(false))?;
        match Quantity::read(process.get("end")?, "to_go")? {
            Quantity::Exact(value) => Some(value as f64 / scale(it)?),
            _ => None,
        }
    };
    let values: Vec<(&Finished, f64)> = finished
        .iter()
        .filter_map(|it| Some((it, to_go(it)?)))
        .collect();
    // Episodes are listed by whole units of their search.
    let scales = values.iter().filter_map(|(it, _)| scale(it));
    let scale = scales.fold(1.0, f64::max);
    let range = |above: f64, up_to: f64| {
        let (above, up_to) = (above * scale, up_to * scale);
        let first = if up_to == 0.0 {
            0.0
        } else {
            above.floor() + 1.0
        };
        vec![
            ("success", "=no".to_owned()),
            ("to_go", format!("{first}..{}", up_to.floor())),
        ]
    };
    histogram(
        "steps-to-go",
        "Steps to go at the end of failures",
        "steps to go",
        values,
        1.0,
        &range,
    )
}

/// A histogram by set-up. The bins are counted here, so that a page shows the same numbers as its table. `range` gives the
/// filters of a bin.
fn histogram(
    id: &str,
    title: &str,
    axis: &str,
    values: Vec<(&Finished, f64)>,
    least: f64,
    range: &dyn Fn(f64, f64) -> Vec<(&'static str, String)>,
) -> Option<Chart> {
    let most = values.iter().map(|&(_, value)| value).fold(0.0, f64::max);
    // A width of 1, 2 or 5 times a power of ten, with about twenty bins at most.
    let widths = (-3..9).flat_map(|power| [1.0, 2.0, 5.0].map(|unit| unit * 10_f64.powi(power)));
    let width = widths
        .into_iter()
        .find(|&width| width >= least && most / width <= 20.0)?;
    let mut names: Vec<(String, Behind)> = Vec::new();
    let mut counts: BTreeMap<(usize, u64), u64> = BTreeMap::new();
    for (episode, value) in values {
        let name = name_of(episode);
        let index = names
            .iter()
            .position(|(known, _)| *known == name)
            .unwrap_or_else(|| {
                names.push((name, behind(&key_of(episode))));
                names.len() - 1
            });
        // The end of a bin belongs to it: 1.0 is in the bin that ends there.
        let bin = (value / width - 1e-9).ceil().max(0.0) as u64;
        *counts.entry((index, bin)).or_default() += 1;
    }
    let tidy = |value: f64| (value * 1e6).round() / 1e6;
    let rows = counts.into_iter().map(|((index, bin), episodes)| {
        let (above, up_to) = ((bin as f64 - 1.0) * width, bin as f64 * width);
        let (above, up_to) = (tidy(above.max(0.0)), tidy(up_to));
        let (name, key) = &names[index];
        let datum = json!({"set-up": name, "above": above, "up to": up_to, "episodes": episodes});
        let mut behind = key.clone();
        behind.extend(range(above, up_to));
        (datum, behind)
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
    chart(id, title.to_owned(), rows.collect(), &drawing)
}
