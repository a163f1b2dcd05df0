//! The published facts of CuisineWorld: tools, recipes and levels.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use brigade::generate::orders::Recorded;
use serde::Deserialize;

/// The folder of the published facts and recordings, where the environment names it.
pub(crate) fn folder() -> Option<PathBuf> {
    let folder = crate::conformance::kitchen::upstream()?;
    Some(folder.with_file_name("cuisineworld"))
}

#[derive(Deserialize)]
pub(crate) struct Facts {
    pub(crate) dishes: BTreeMap<String, Dish>,
    /// Names of what is made on the way, with their terms, `pot(rice)`.
    intermediates: BTreeMap<String, String>,
    pub(crate) levels: Vec<Level>,
    #[serde(rename = "W")]
    pub(crate) costs: BTreeMap<String, u32>,
}

#[derive(Deserialize)]
pub(crate) struct Dish {
    term: String,
    tree: Part,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Part {
    Ingredient(String),
    Made { tool: String, of: Vec<Part> },
}

#[derive(Deserialize)]
pub(crate) struct Level {
    #[serde(rename = "level")]
    pub(crate) number: u32,
    pub(crate) tools: Vec<String>,
    pub(crate) dishes: Vec<String>,
    pub(crate) unreachable_dishes: Vec<String>,
    pub(crate) schedule: Vec<Schedule>,
}

#[derive(Deserialize)]
pub(crate) struct Schedule {
    pub(crate) alpha: f64,
    pub(crate) tau: u32,
    pub(crate) lifetime: BTreeMap<String, u32>,
}

/// A product, the kind of its tool, and what goes in.
pub(crate) struct Recipe {
    pub(crate) product: String,
    pub(crate) kind: String,
    pub(crate) needs: Vec<String>,
}

impl Facts {
    pub(crate) fn read() -> Option<Self> {
        let text = fs::read_to_string(folder()?.join("facts.json")).unwrap();
        Some(serde_json::from_str(&text).unwrap())
    }

    /// The recipes of some dishes, each after the dish or product that first needs it.
    pub(crate) fn recipes(&self, dishes: &[String]) -> Vec<Recipe> {
        let mut recipes = Vec::new();
        for dish in dishes {
            self.add(&self.dishes[dish].tree, &mut recipes);
        }
        recipes
    }

    fn add(&self, part: &Part, recipes: &mut Vec<Recipe>) {
        let Part::Made { tool, of } = part else {
            return;
        };
        let product = self.name(part);
        if recipes.iter().any(|known| known.product == product) {
            return;
        }
        recipes.push(Recipe {
            product,
            kind: tool.clone(),
            needs: of.iter().map(|part| self.name(part)).collect(),
        });
        for part in of {
            self.add(part, recipes);
        }
    }

    /// An intermediate product may be a dish of another level.
    fn name(&self, part: &Part) -> String {
        let term = term(part);
        if matches!(part, Part::Ingredient(_)) {
            return term;
        }
        let known = self.intermediates.iter();
        let known = known.map(|(name, term)| (name, term.replace(", ", ",")));
        let dishes = self.dishes.iter();
        let dishes = dishes.map(|(name, dish)| (name, dish.term.replace(", ", ",")));
        let mut all = dishes.chain(known);
        let found = all.find(|(_, other)| *other == term);
        found
            .unwrap_or_else(|| panic!("{term} has no name"))
            .0
            .clone()
    }
}

fn term(part: &Part) -> String {
    match part {
        Part::Ingredient(name) => name.clone(),
        Part::Made { tool, of } => {
            let of: Vec<String> = of.iter().map(term).collect();
            format!("{tool}({})", of.join(","))
        }
    }
}

/// The recorded draws of the published generator.
pub(crate) fn draws() -> Option<Recorded> {
    let text = fs::read_to_string(folder()?.join("rng_choice_draws.json")).unwrap();
    Some(Recorded::read(&text).unwrap())
}
