//! The differences between the two semantics, as docs/reference/systems/overcooked-ai.md lists them, and their common parts.

use brigade::import::overcooked::Options;

use super::kitchen::{Kitchen, imported};
use crate::conformance::kitchen::root;

/// One player between onions, a pot, dishes and a window.
const NARROW: &str = "{'grid': ['XPXX', 'O1 D', 'XXSX'], 'cook_time': 3,
    'start_all_orders': [{'ingredients': ['onion']}]}";

fn narrow(semantics: &str) -> Kitchen {
    let problem = imported(NARROW, "narrow", &Options::default())[0].text();
    Kitchen::new(&problem, semantics)
}

/// Takes onions to the pot, one after another.
fn add(kitchen: &mut Kitchen, onions: usize) {
    for _ in 0..onions {
        for action in ["move west", "interact", "move north", "interact"] {
            kitchen.play(&[action]);
        }
    }
}

#[test]
fn under_clean_a_pot_waits_for_a_player_and_then_takes_no_more() {
    let mut kitchen = narrow("clean");
    add(&mut kitchen, 1);
    assert!(kitchen.holds("(= (in pot-1-0) soup-o)") && !kitchen.holds("(cooking pot-1-0)"));
    kitchen.play(&["interact"]);
    assert!(kitchen.holds("(= (cooked-for pot-1-0) 1)"));
    add(&mut kitchen, 1);
    assert!(kitchen.holds("(= (in pot-1-0) soup-o)"));
    assert!(kitchen.holds("(= (held player1) onion)"));
    // It is done, and never burns.
    assert!(kitchen.holds("(= (cooked-for pot-1-0) 3)"));
}

#[test]
fn under_clean_three_ingredients_do_not_start_a_pot() {
    let mut kitchen = narrow("clean");
    add(&mut kitchen, 3);
    assert!(kitchen.holds("(= (in pot-1-0) soup-ooo)") && !kitchen.holds("(cooking pot-1-0)"));
}

#[test]
fn under_the_old_dynamics_a_pot_starts_with_the_third_ingredient_and_not_before() {
    let mut kitchen = narrow("old-dynamics");
    add(&mut kitchen, 2);
    kitchen.play(&["interact"]);
    assert!(!kitchen.holds("(cooking pot-1-0)"));
    add(&mut kitchen, 1);
    assert!(kitchen.holds("(= (cooked-for pot-1-0) 1)"));
}

#[test]
fn an_order_earns_and_what_is_not_ordered_is_gone_for_nothing() {
    for (onions, earned) in [(1, 20), (2, 0)] {
        let mut kitchen = narrow("clean");
        add(&mut kitchen, onions);
        let fetch = [
            "interact",
            "move east",
            "move east",
            "interact",
            "move west",
            "move north",
        ];
        let serve = ["interact", "move east", "move south"];
        for action in fetch.into_iter().chain(serve) {
            kitchen.play(&[action]);
        }
        let soup = format!("soup-{}", "o".repeat(onions));
        assert!(kitchen.holds(&format!("(= (held player1) {soup})")));
        assert_eq!(kitchen.play(&["interact"]).sparse, [earned]);
        assert!(!kitchen.facts().iter().any(|fact| fact.contains("held")));
        let delivered = u32::from(earned > 0);
        assert!(kitchen.holds(&format!("(= (delivered) {delivered})")));
    }
}

#[test]
fn nothing_but_the_start_of_a_pot_asks_for_the_semantics() {
    let domain = std::fs::read_to_string(root().join("domains/overcooked-ai.pddl")).unwrap();
    assert_eq!(domain.matches("(semantics ").count(), 2);
}
