//! Domain and problem files that are part of the binary.

use crate::diagnostics::{Diagnostics, Sources};
use crate::score::actions::Utensil;
use crate::score::{ActionSpace, Kitchen};
use crate::syntax;
use crate::syntax::ast::{Domain, InitItem, Term, TypeExpr, Typed};

/// A file and its text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bundled {
    pub(super) path: &'static str,
    pub(super) text: &'static str,
}

/// A task of Robotouille.
#[derive(Clone, Copy, Debug)]
pub(super) struct RobotouilleTask {
    pub(super) problem: Bundled,
    pub(super) domain: Bundled,
}

/// A task by the name of its file: for one player, or for several who take turns.
macro_rules! robotouille {
    ($name:literal) => {
        robotouille!("problems/robotouille/", $name, ROBOTOUILLE)
    };
    (in turn, $name:literal) => {
        robotouille!("problems/robotouille-in-turn/", $name, ROBOTOUILLE_IN_TURN)
    };
    ($folder:literal, $name:literal, $domain:ident) => {
        RobotouilleTask {
            problem: Bundled {
                path: concat!($folder, $name, ".pddl"),
                text: include_str!(concat!("../../", $folder, $name, ".pddl")),
            },
            domain: $domain,
        }
    };
}

/// The kitchen of Collab-Overcooked.
pub(super) const DOMAIN: Bundled = Bundled {
    path: "domains/collab-overcooked.pddl",
    text: include_str!("../../domains/collab-overcooked.pddl"),
};

/// Its first task.
pub(super) const PROBLEM: Bundled = Bundled {
    path: "problems/collab-overcooked/boiled_egg.pddl",
    text: include_str!("../../problems/collab-overcooked/boiled_egg.pddl"),
};

/// The kitchen of Robotouille.
pub(super) const ROBOTOUILLE: Bundled = Bundled {
    path: "domains/robotouille.pddl",
    text: include_str!("../../domains/robotouille.pddl"),
};

/// The same for players who take turns.
const ROBOTOUILLE_IN_TURN: Bundled = Bundled {
    path: "domains/robotouille-in-turn.pddl",
    text: include_str!("../../domains/robotouille-in-turn.pddl"),
};

/// Its tasks.
pub(super) const ROBOTOUILLE_TASKS: [RobotouilleTask; 30] = [
    robotouille!("synchronous-0_cheese_sandwich"),
    robotouille!("synchronous-1_lettuce_sandwich"),
    robotouille!("synchronous-2_lettuce_tomato_sandwich"),
    robotouille!("synchronous-3_burger"),
    robotouille!("synchronous-4_cheeseburger"),
    robotouille!("synchronous-5_double_cheeseburger"),
    robotouille!("synchronous-6_lettuce_tomato_cheeseburger"),
    robotouille!("synchronous-7_two_lettuce_chicken_sandwich"),
    robotouille!("synchronous-8_two_lettuce_tomato_burger"),
    robotouille!("synchronous-9_onion_cheese_burger_and_lettuce_tomato_chicken_sandwich"),
    robotouille!("asynchronous-0_cheese_chicken_sandwich"),
    robotouille!("asynchronous-1_lettuce_chicken_sandwich"),
    robotouille!("asynchronous-2_lettuce_tomato_fried_chicken_sandwich"),
    robotouille!("asynchronous-3_tomato_burger_and_fries"),
    robotouille!("asynchronous-4_onion_cheese_burger_and_fried_onion"),
    robotouille!("asynchronous-5_potato_soup"),
    robotouille!("asynchronous-6_onion_soup"),
    robotouille!("asynchronous-7_tomato_soup_and_lettuce_chicken_sandwich"),
    robotouille!("asynchronous-8_onion_tomato_soup_and_two_chicken_sandwich"),
    robotouille!(
        "asynchronous-9_onion_potato_soup_and_fried_onion_ring_lettuce_burger_and_onion_cheese_sandwich"
    ),
    robotouille!(in turn, "multi_agent-1_lettuce_burger"),
    robotouille!(in turn, "multi_agent-2_lettuce_tomato_burger"),
    robotouille!(in turn, "multi_agent-3_lettuce_fried_chicken_fried_onion_burger"),
    robotouille!(in turn, "multi_agent-4_lettuce_chicken_sandwich"),
    robotouille!(in turn, "multi_agent-5_lettuce_tomato_chicken_sandwich"),
    robotouille!(in turn, "multi_agent-6_double_lettuce_chicken_burger"),
    robotouille!(in turn, "multi_agent-7_onion_potato_tomato_soup"),
    robotouille!(in turn, "multi_agent-8_tomato_cheeseburger_onion_chicken_sandwich"),
    robotouille!(in turn, "multi_agent-9_two_lettuce_cheeseburger"),
    robotouille!(in turn, "multi_agent-10_potato_tomato_chicken_soup_potato_cheese_onion_soup"),
];

/// What the domain has in place of all ingredients that a task does not need. The published kitchen
/// has no such thing.
const STAND_IN: &str = "scraps";

/// The action strings that the published scorer of Collab-Overcooked knows, from the bundled domain.
pub(super) fn published_action_space() -> ActionSpace {
    let mut sources = Sources::new();
    let source = sources.add(DOMAIN.path, DOMAIN.text);
    let domain = syntax::parse_domain(source, DOMAIN.text, &mut Diagnostics::new());
    let utensil = |name: &str, operation: &str| Utensil {
        name: name.to_owned(),
        operation: operation.to_owned(),
    };
    ActionSpace::published(&Kitchen {
        ingredients: dispensed(&domain),
        products: constants(&domain, "food"),
        chef_utensils: vec![utensil("pot", "cook"), utensil("oven", "bake")],
        assistant_utensils: vec![utensil("chopping_board", "cut"), utensil("blender", "stir")],
    })
}

/// What the ingredient dispenser can offer.
fn dispensed(domain: &Domain) -> Vec<String> {
    let facts = domain.facts.iter().filter_map(|fact| match fact {
        InitItem::Atom(name, args, _) if name.key() == "dispenses" => match &args[..] {
            [Term::Name(from), Term::Name(what)] if from.key() == "ingredient_dispenser" => {
                (what.key() != STAND_IN).then(|| what.text.to_string())
            }
            _ => None,
        },
        _ => None,
    });
    facts.collect()
}

fn constants(domain: &Domain, of: &str) -> Vec<String> {
    let is_of = |typed: &&Typed| matches!(&typed.ty, Some(TypeExpr::Named(ty)) if ty.key() == of);
    let constants = domain.constants.iter().filter(is_of);
    constants.map(|typed| typed.name.text.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_kitchen_has_the_published_number_of_action_strings() {
        let space = published_action_space();
        let known = |agent| space.actions(agent).count();
        assert_eq!((known(0), known(1)), (332, 538));
    }
}
