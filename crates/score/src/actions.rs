//! Action strings: their normal form, and the strings that the published scorer knows.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

/// The string that stands for a history without actions; it belongs to every action space.
pub const NONE: &str = "[NONE]";
const COUNTER: &str = "counter";
const DISH: &str = "dish";
const DISH_DISPENSER: &str = "dish_dispenser";
const INGREDIENT_DISPENSER: &str = "ingredient_dispenser";

/// An action string without spaces.
///
/// Only U+0020 is removed, as published: `pickup(egg, counter)` and `pickup(egg,counter)` are one
/// action, and a tab stays and makes a different one.
pub fn normalise(action: &str) -> String {
    action.replace(' ', "")
}

/// A utensil that one agent works at.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Utensil {
    /// The utensil's kind, such as `pot`; its only instance is `pot0`.
    pub name: String,
    /// The operation that starts it, such as `cook`.
    pub operation: String,
}

impl Utensil {
    fn instance(&self) -> String {
        format!("{}0", self.name)
    }
}

/// The facts of a two-agent kitchen that determine its action space.
///
/// The Chef (agent 0) reads the recipe, fills dishes and delivers; the Assistant (agent 1)
/// reaches the dispensers; the counters are shared.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Kitchen {
    /// The ingredients that the ingredient dispenser holds.
    pub ingredients: Vec<String>,
    /// The products of the recipes; names that are also ingredients may be repeated.
    pub products: Vec<String>,
    /// The utensils that the Chef reaches.
    pub chef_utensils: Vec<Utensil>,
    /// The utensils that the Assistant reaches.
    pub assistant_utensils: Vec<Utensil>,
}

/// The action strings known per agent; others are unknown.
#[derive(Clone, Debug, Default, Eq, PartialEq, Serialize)]
pub struct ActionSpace {
    agents: Vec<BTreeSet<String>>,
}

impl ActionSpace {
    /// An action space from explicit lists, one per agent; strings are normalised.
    pub fn new<I, A, S>(agents: I) -> Self
    where
        I: IntoIterator<Item = A>,
        A: IntoIterator<Item = S>,
        S: AsRef<str>,
    {
        let agents = agents
            .into_iter()
            .map(|list| {
                list.into_iter()
                    .map(|action| normalise(action.as_ref()))
                    .collect()
            })
            .collect();
        Self { agents }
    }

    /// The action space of the published scorer, derived from the kitchen.
    ///
    /// It is generous: it pairs every item with every place that an agent reaches, so that it
    /// holds actions the environment refuses (`pickup(boiled_egg,dish_dispenser)`). Only a dish is
    /// never in the ingredient dispenser or in a utensil, and the Chef's list names
    /// `fill_dish_with_food` of the Assistant's utensils too. Waits and requests are in no list.
    pub fn published(kitchen: &Kitchen) -> Self {
        let mut chef: BTreeSet<String> =
            ["check_recipe()", "fill_dish_with_food()", "deliver_soup()"]
                .map(str::to_owned)
                .into();
        for utensil in kitchen
            .chef_utensils
            .iter()
            .chain(&kitchen.assistant_utensils)
        {
            chef.insert(format!("fill_dish_with_food({})", utensil.instance()));
        }
        let mut assistant = BTreeSet::new();
        for place in [DISH_DISPENSER, INGREDIENT_DISPENSER] {
            add_pickups(&mut assistant, kitchen, place, place == DISH_DISPENSER);
        }
        add_shared(&mut chef, kitchen, &kitchen.chef_utensils);
        add_shared(&mut assistant, kitchen, &kitchen.assistant_utensils);
        Self {
            agents: vec![chef, assistant],
        }
    }

    /// Returns the number of agents that have a list.
    pub fn agents(&self) -> usize {
        self.agents.len()
    }

    /// The strings of one agent, sorted; empty for an agent that has no list.
    pub fn actions(&self, agent: usize) -> impl Iterator<Item = &str> {
        self.agents
            .get(agent)
            .into_iter()
            .flatten()
            .map(String::as_str)
    }

    /// Returns true if a normalised action is known for an agent.
    pub fn contains(&self, agent: usize, action: &str) -> bool {
        self.agents
            .get(agent)
            .is_some_and(|known| known.contains(action))
    }

    /// For every string known to some agent, the agents that know it.
    pub fn union(&self) -> BTreeMap<&str, Vec<usize>> {
        let mut union = BTreeMap::<&str, Vec<usize>>::new();
        for (agent, known) in self.agents.iter().enumerate() {
            for action in known {
                union.entry(action).or_default().push(agent);
            }
        }
        union
    }
}

/// Adds the actions that both agents share: placing, taking from a counter, and working at their own utensils.
fn add_shared(known: &mut BTreeSet<String>, kitchen: &Kitchen, utensils: &[Utensil]) {
    known.insert(NONE.to_owned());
    known.insert("place_obj_on_counter()".to_owned());
    add_pickups(known, kitchen, COUNTER, true);
    for utensil in utensils {
        let instance = utensil.instance();
        known.insert(format!("{}({instance})", utensil.operation));
        known.insert(format!("put_obj_in_utensil({instance})"));
        add_pickups(known, kitchen, &instance, false);
    }
}

fn add_pickups(known: &mut BTreeSet<String>, kitchen: &Kitchen, place: &str, dish: bool) {
    if dish {
        known.insert(format!("pickup({DISH},{place})"));
    }
    for item in kitchen.ingredients.iter().chain(&kitchen.products) {
        known.insert(format!("pickup({item},{place})"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utensil(name: &str, operation: &str) -> Utensil {
        Utensil {
            name: name.to_owned(),
            operation: operation.to_owned(),
        }
    }

    #[test]
    fn a_small_kitchen_has_exactly_these_actions() {
        let space = ActionSpace::published(&Kitchen {
            ingredients: vec!["egg".to_owned()],
            products: vec!["boiled_egg".to_owned(), "egg".to_owned()],
            chef_utensils: vec![utensil("pot", "cook")],
            assistant_utensils: vec![utensil("board", "cut")],
        });
        insta::with_settings!({
            snapshot_path => concat!(env!("CARGO_MANIFEST_DIR"), "/../../snapshots/score"),
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_json_snapshot!("action_space_of_a_small_kitchen", space);
        });
        assert!(space.contains(1, "pickup(dish,dish_dispenser)"));
        assert!(!space.contains(1, "pickup(dish,board0)"));
        assert!(!space.contains(2, NONE));
    }

    #[test]
    fn spaces_do_not_distinguish_actions_and_tabs_do() {
        assert_eq!(normalise(" pickup( egg, counter ) "), "pickup(egg,counter)");
        assert_ne!(normalise("pickup(egg,\tcounter)"), "pickup(egg,counter)");
    }
}
