//! The bundled levels are what the published facts say.
//!
//! `BRIGADE_WRITE_FIXTURES` writes them anew.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use brigade::diagnostics::{Diagnostics, Sources};
use brigade::syntax::format::format;

use super::published::{Facts, Level};
use crate::conformance::kitchen::root;

/// The file of a level.
pub(crate) fn path(level: u32) -> PathBuf {
    root().join(format!("problems/cuisineworld/level-{level}.pddl"))
}

/// The kitchen of a level: its tools and recipes, with one cook and without orders.
fn text(facts: &Facts, level: &Level) -> String {
    let recipes = facts.recipes(&level.dishes);
    let is_made = |item: &String| recipes.iter().any(|recipe| recipe.product == *item);
    let mut seen = BTreeSet::new();
    let needed = recipes.iter().flat_map(|recipe| &recipe.needs);
    let stocked: Vec<&String> = needed
        .filter(|item| !is_made(item) && seen.insert(*item))
        .collect();
    let is_between = |item: &&String| !level.dishes.contains(item);
    let products = recipes.iter().map(|recipe| &recipe.product);
    let between: Vec<&str> = products.filter(is_between).map(String::as_str).collect();
    let of_kind = |kind: &str| -> Vec<&str> {
        let tools = level.tools.iter().map(String::as_str);
        tools.filter(|tool| tool.starts_with(kind)).collect()
    };
    let (storage, table) = (of_kind("storage"), of_kind("servingtable"));
    let is_tool = |tool: &&String| !tool.starts_with("storage") && !tool.starts_with("serving");
    let tools: Vec<&str> = level
        .tools
        .iter()
        .filter(is_tool)
        .map(String::as_str)
        .collect();

    let number = level.number;
    let mut text = format!(
        "; Level {number} of CuisineWorld, with one cook and no orders: `brigade generate orders` draws these, and\n; brings more cooks.\n"
    );
    for dish in &level.unreachable_dishes {
        text += &format!("; There is no tool for {dish}: no order for it can be served.\n");
    }
    text += &format!(
        "(define (problem level-{number})\n  (:domain cuisineworld)\n  (:objects\n    \
         agent0 - cook\n    {} - storage\n    {} - table\n    {} - tool\n    {} - dish\n",
        storage.join(" "),
        table.join(" "),
        tools.join(" "),
        level.dishes.join(" ")
    );
    if !between.is_empty() {
        text += &format!("    {} - product\n", between.join(" "));
    }
    text += &format!("  )\n  (:init\n    (= (at agent0) {})\n   ", table[0]);
    for item in stocked {
        text += &format!(" (stocked {item})");
    }
    for tool in tools {
        let kind = tool.trim_end_matches(|it: char| it.is_ascii_digit());
        text += &format!("\n    (= (kind-of {tool}) {kind})");
    }
    for recipe in &recipes {
        let product = &recipe.product;
        text += &format!("\n    (= (made-in {product}) {})", recipe.kind);
        for item in &recipe.needs {
            text += &format!(" (needs {product} {item})");
        }
    }
    text += ")\n  (:horizon 60)\n  (:metric maximize (completed)))\n";
    let source = Sources::new().add("level.pddl", text.as_str());
    format(source, &text, &mut Diagnostics::new()).unwrap()
}

#[test]
fn every_bundled_level_is_what_the_published_facts_say() {
    let Some(facts) = Facts::read() else {
        return;
    };
    assert_eq!(facts.levels.len(), 13);
    for level in &facts.levels {
        let (path, text) = (path(level.number), text(&facts, level));
        if std::env::var_os("BRIGADE_WRITE_FIXTURES").is_some() {
            fs::write(&path, &text).unwrap();
        }
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            text,
            "{}",
            path.display()
        );
    }
}
