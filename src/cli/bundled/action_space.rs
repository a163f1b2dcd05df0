//! The action strings that the published scorer of Collab-Overcooked knows, from the bundled domain.

use super::COLLAB_OVERCOOKED;
use crate::diagnostics::{Diagnostics, Sources};
use crate::score::actions::Utensil;
use crate::score::{ActionSpace, Kitchen};
use crate::syntax;
use crate::syntax::ast::{Domain, InitItem, Term, TypeExpr, Typed};

/// The stand-in of the domain for all ingredients that a task does not need. The published kitchen has no such thing.
const STAND_IN: &str = "scraps";

/// The action strings that the published scorer of Collab-Overcooked knows, from the bundled domain.
pub(in crate::cli) fn published_action_space() -> ActionSpace {
    let file = COLLAB_OVERCOOKED.file;
    let mut sources = Sources::new();
    let source = sources.add(file.path, file.text);
    let domain = syntax::parse_domain(source, file.text, &mut Diagnostics::new());
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

/// Returns the ingredients that the ingredient dispenser can offer.
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
