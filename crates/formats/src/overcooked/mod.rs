//! The front end for layouts of Overcooked-AI (M. Carroll et al., "On the Utility of Learning about Humans
//! for Human-AI Coordination", 2019), and of the gates that LLM-Coordination (S. Agashe et al., 2023) added:
//! each as a problem of the bundled domain `overcooked-ai`.
//!
//! `literal` reads the file, a Python dictionary or JSON; `grid`, `recipes` and `start` what a layout says;
//! `problem` makes the problem, and `drawing` says where its things are drawn. Every node of the AST has the place in the file that it comes from.

mod drawing;
mod grid;
mod literal;
mod options;
mod problem;
mod recipes;
mod start;
#[cfg(test)]
mod tests;

use brigade_diagnostics::span::Span;
use brigade_diagnostics::{Code, Diagnostic, Diagnostics, SourceId, suggest};
use brigade_syntax::ast;
use brigade_syntax::printer::print_problem;

use crate::fields::{Fields, Reporter};
use crate::json::{Json, Value};
use crate::problem_name::problem_name;
pub use options::{DEFAULT_HORIZON, MAX_DELIVERIES, Options};
use problem::Layout;
use recipes::{Recipes, said};
use start::Start;

/// A file to read.
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    /// Where diagnostics point.
    pub source: SourceId,
    /// Its text.
    pub text: &'a str,
    /// The name of the layout in it, where the file gives none: that of the file.
    pub name: &'a str,
}

/// A layout as a problem.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The name of the problem.
    pub name: String,
    /// The problem, of the domain `overcooked-ai`.
    pub problem: ast::Problem,
    /// The rows of the grid, as they are drawn.
    pub rows: Vec<String>,
}

impl Imported {
    /// The text of the problem file, with the drawing in front.
    pub fn text(&self) -> String {
        let rows: String = self.rows.iter().map(|row| format!("; {row}\n")).collect();
        format!("{rows}\n{}", print_problem(&self.problem))
    }
}

/// Returns true if a text that looks like JSON has a grid, as layouts do and files of other formats do not.
pub fn looks_like_layout(text: &str) -> bool {
    ["\"grid\"", "'grid'"].iter().any(|key| text.contains(key))
}

/// Reads a file: one layout, or several by their names. Those with an error are left out; everything that
/// is wrong is reported.
pub fn import(file: File<'_>, options: &Options, diagnostics: &mut Diagnostics) -> Vec<Imported> {
    let Some(json) = literal::parse(file.source, file.text, diagnostics) else {
        return Vec::new();
    };
    let named = named(&json, file.name);
    for wanted in &options.layouts {
        if !named.iter().any(|(name, _)| name == wanted) {
            report_unknown(wanted, &named, &json, file.source, diagnostics);
        }
    }
    let mut reporter = Reporter::new(file.source, diagnostics);
    let wanted =
        |name: &str| options.layouts.is_empty() || options.layouts.iter().any(|w| w == name);
    let mut imported = Vec::new();
    for (name, json) in named {
        if wanted(name)
            && let Some(layout) = layout(json, options, &mut reporter)
        {
            let name = problem_name(&full_name(name, options));
            imported.push(Imported {
                problem: layout.problem(&name, options),
                rows: layout.grid.rows,
                name,
            });
        }
    }
    imported
}

/// The layouts of a file: a dictionary of nothing but dictionaries holds several.
fn named<'j>(json: &'j Json, file: &'j str) -> Vec<(&'j str, &'j Json)> {
    let is_dictionary = |json: &Json| matches!(json.value, Value::Object(_));
    match &json.value {
        Value::Object(entries)
            if !entries.is_empty() && entries.iter().all(|(_, json)| is_dictionary(json)) =>
        {
            let entries = entries.iter();
            entries
                .map(|(key, json)| (key.text.as_str(), json))
                .collect()
        }
        _ => vec![(file, json)],
    }
}

/// `cramped_room`, and of a goal of two deliveries `cramped_room-deliver-2`.
fn full_name(layout: &str, options: &Options) -> String {
    match options.deliver {
        Some(count) => format!("{layout}-deliver-{count}"),
        None => layout.to_owned(),
    }
}

fn report_unknown(
    wanted: &str,
    named: &[(&str, &Json)],
    json: &Json,
    source: SourceId,
    diagnostics: &mut Diagnostics,
) {
    let start = Span::new(json.span.start, (json.span.start + 1).min(json.span.end));
    let message = format!("there is no layout `{wanted}`");
    let fault =
        Diagnostic::new(Code::UnknownLayout, message).primary(source, start, "in this file");
    let names = || named.iter().map(|(name, _)| *name);
    diagnostics.push(match suggest(wanted, names()) {
        Some(near) => fault.help(format!("did you mean `{near}`?")),
        None => fault.help(format!("it has {}", some_of(names()))),
    });
}

/// The first few names.
fn some_of<'n>(names: impl Iterator<Item = &'n str>) -> String {
    const SHOWN: usize = 5;
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    let shown = names
        .iter()
        .take(SHOWN)
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown}, and {more} more"),
    }
}

/// Reads a layout. `None` if one cannot play it.
fn layout(json: &Json, options: &Options, reporter: &mut Reporter<'_>) -> Option<Layout> {
    let errors = reporter.error_count();
    let fields = reporter.fields(json, "a layout")?;
    let grid = fields.required(reporter, "grid");
    let grid = grid.and_then(|json| grid::read(json, reporter));
    let mut recipes = Recipes::read(&fields, reporter);
    let start = said(&fields, "start_state");
    warn_of_other_rules(&fields, reporter);
    let start = match (&grid, start) {
        (Some(grid), Some(json)) => Start::read(json, grid, &mut recipes, reporter),
        (Some(grid), None) => Some(Start::of_grid(grid)),
        (None, _) => None,
    };
    fields.finish(reporter, &["paper_name"]);
    let mut layout = Layout {
        start: start?,
        recipes,
        grid: grid?,
    };
    take_part(&mut layout, options, reporter);
    layout
        .recipes
        .check(&layout.soups(), layout.grid.span, reporter);
    (reporter.error_count() == errors).then_some(layout)
}

/// Warns of what would be played by other rules than those of the domain.
fn warn_of_other_rules(fields: &Fields<'_>, reporter: &mut Reporter<'_>) {
    let rules = [
        ("rew_shaping_params", "shaped rewards are 3, 3 and 5"),
        ("start_order_list", "orders are those of `start_all_orders`"),
        ("num_items_for_soup", "a soup has one to three ingredients"),
    ];
    for (key, rule) in rules {
        let is_usual = |json: &&Json| json.value == Value::Number("3".to_owned());
        if let Some(json) = said(fields, key).filter(|json| !is_usual(json)) {
            let message = format!("`{key}` is not read: {rule}");
            let warning = reporter.at(Code::UnknownKey, json.span, message, "has no effect");
            reporter.push(warning.help("write `None`, or leave the key out"));
        }
    }
}

/// Leaves out the players that do not take part.
fn take_part(layout: &mut Layout, options: &Options, reporter: &mut Reporter<'_>) {
    let Some(wanted) = options.players.map(|players| players as usize) else {
        return;
    };
    let players = &mut layout.start.players;
    if wanted > players.len() {
        let message = format!(
            "there is no place for {wanted} players: {} start here",
            players.len()
        );
        let span = layout.grid.span;
        let fault = reporter.at(Code::BadLayoutValue, span, message, "this grid");
        reporter.push(fault.help("ask for fewer with `--players`, or draw where they start"));
    }
    players.truncate(wanted);
}
