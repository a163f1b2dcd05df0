//! Counters: which one a macro makes for, and what happens when both agents want the same.

use crate::conformance::kitchen::Kitchen;

const BOTH: [&str; 2] = ["upstream", "clean"];

fn chef_goes(facts: &str, call: &str, semantics: &str) -> char {
    goes(0, facts, call, semantics)
}

fn assistant_goes(facts: &str, call: &str, semantics: &str) -> char {
    goes(1, facts, call, semantics)
}

/// The first step of a macro. The chef starts at the top, the assistant in the middle.
fn goes(agent: usize, facts: &str, call: &str, semantics: &str) -> char {
    let mut kitchen = Kitchen::set_up("boiled_egg", facts, semantics);
    let mut calls = [None, None];
    calls[agent] = Some(call);
    kitchen.step(calls);
    kitchen.primitives[agent].chars().next().unwrap()
}

#[test]
fn things_are_placed_on_the_nearest_shared_counter_the_upper_of_two() {
    for semantics in BOTH {
        let place = |facts| assistant_goes(facts, "place_obj_on_counter()", semantics);
        assert_eq!(place("(= (holds assistant) egg)"), 'E');
        let facts = "(= (holds assistant) egg) (= (holds counter-middle) egg)";
        assert_eq!(place(facts), 'N');
        let facts = "(= (holds assistant) egg) (= (holds counter-middle) egg)
                     (= (holds counter-top) egg)";
        assert_eq!(place(facts), 'S');
    }
}

#[test]
fn things_are_placed_on_a_private_counter_only_if_no_shared_one_is_free() {
    for semantics in BOTH {
        let facts = "(= (holds assistant) egg) (= (holds counter-middle) egg)
                     (= (holds counter-top) egg)";
        let last = " (= (holds counter-bottom) egg)";
        let place = |facts: &str| assistant_goes(facts, "place_obj_on_counter()", semantics);
        assert_eq!(place(facts), 'S');
        assert_eq!(place(&format!("{facts}{last}")), 'N');
    }
}

#[test]
fn things_are_picked_up_from_a_private_counter_first() {
    for semantics in BOTH {
        let pickup = |facts: &str| chef_goes(facts, "pickup(dish, counter)", semantics);
        let shared = "(= (holds counter-top) dish)";
        assert_eq!(pickup(shared), 'W');
        assert_eq!(
            pickup(&format!("{shared} (= (holds chef-counter-middle) dish)")),
            'S'
        );
    }
}

#[test]
fn of_two_counters_equally_near_the_one_that_held_the_thing_first_is_upstream_taken() {
    for (semantics, toward) in [("upstream", 'S'), ("clean", 'N')] {
        // The first dish goes to the bottom, the second past the carrot to the top. The chef takes
        // the carrot and puts it back, and then stands between the dishes.
        let facts = "(= (holds counter-middle) carrot)";
        let mut kitchen = Kitchen::set_up("baked_carrot_soup", facts, semantics);
        kitchen.assistant(&[
            "pickup(dish, dish_dispenser)",
            "place_obj_on_counter()",
            "pickup(dish, dish_dispenser)",
            "place_obj_on_counter()",
        ]);
        assert!(kitchen.holds("counter-top", "dish") && kitchen.holds("counter-bottom", "dish"));
        kitchen.chef(&["pickup(carrot, counter)", "place_obj_on_counter()"]);
        kitchen.step([Some("pickup(dish, counter)"), None]);
        assert_eq!(
            kitchen.primitives[0].chars().last(),
            Some(toward),
            "{semantics}"
        );
    }
}

#[test]
fn when_both_place_on_one_counter_the_chef_is_first_and_the_assistant_loses_a_step() {
    for semantics in BOTH {
        let facts = "(= (holds assistant) egg) (= (holds chef) dish)
                     (= (holds counter-top) egg) (= (holds counter-bottom) egg)";
        let mut kitchen = Kitchen::set_up("boiled_egg", facts, semantics);
        kitchen.step([Some("place_obj_on_counter()"), None]);
        kitchen.step([None, Some("place_obj_on_counter()")]);
        kitchen.step([None, None]);
        assert!(kitchen.holds("counter-middle", "dish"));
        assert!(kitchen.holds("assistant", "egg"));
        // Interacting in vain, then off to the private counter.
        assert_eq!(kitchen.primitives, ["SWI", ".EI"]);
        kitchen.wait(2);
        assert_eq!(kitchen.primitives[1], ".EINI");
        assert!(kitchen.holds("assistant-counter", "egg"));
    }
}

#[test]
fn when_both_pick_up_one_thing_the_chef_gets_it_and_the_other_macro_becomes_a_wait() {
    for semantics in BOTH {
        let facts = "(= (holds counter-middle) egg)";
        let mut kitchen = Kitchen::set_up("boiled_egg", facts, semantics);
        kitchen.step([Some("pickup(egg, counter)"), None]);
        kitchen.step([None, Some("pickup(egg, counter)")]);
        kitchen.step([None, None]);
        assert!(kitchen.holds("chef", "egg"));
        assert_eq!(kitchen.value("(holds assistant)"), "undefined");
        assert!(kitchen.is_busy(1));
        let before = kitchen.state.clone();
        kitchen.step([None, None]);
        assert!(!kitchen.is_busy(1));
        assert_eq!(kitchen.log.len(), 1);
        assert_ne!(kitchen.state, before);
        assert_eq!(kitchen.startable(1, "pickup(egg, counter)"), None);
    }
}

#[test]
fn the_assistant_makes_for_what_it_sees_when_the_step_begins() {
    for semantics in BOTH {
        // The chef takes the egg while the assistant, which still sees it, sets out for it.
        let mut kitchen = Kitchen::set_up("boiled_egg", "(= (holds counter-top) egg)", semantics);
        kitchen.step([Some("pickup(egg, counter)"), None]);
        kitchen.step([None, Some("pickup(egg, counter)")]);
        assert!(kitchen.holds("chef", "egg"));
        assert_eq!(kitchen.primitives, ["WI", ".N"]);
    }
}

#[test]
fn a_counter_that_is_freed_in_this_step_is_not_free_yet() {
    for semantics in BOTH {
        let facts = "(= (holds counter-middle) egg) (= (holds assistant) dish)";
        let mut kitchen = Kitchen::set_up("boiled_egg", facts, semantics);
        kitchen.step([Some("pickup(egg, counter)"), None]);
        kitchen.step([None, None]);
        kitchen.step([None, Some("place_obj_on_counter()")]);
        assert!(kitchen.holds("chef", "egg"));
        assert_eq!(kitchen.primitives[1], "..N");
        kitchen.wait(1);
        assert_eq!(kitchen.primitives[1], "..NE");
    }
}

#[test]
fn nothing_is_placed_where_no_counter_is_free_but_a_put_needs_none() {
    for semantics in BOTH {
        let facts = "(= (holds counter-top) egg) (= (holds counter-middle) egg)
                     (= (holds counter-bottom) egg) (= (holds assistant-counter) egg)
                     (= (holds assistant) egg)";
        let kitchen = Kitchen::set_up("boiled_egg", facts, semantics);
        assert_eq!(kitchen.startable(1, "place_obj_on_counter()"), None);
        let put = kitchen.startable(1, "put_obj_in_utensil(chopping_board0)");
        assert!(put.is_some());
    }
}
