//! Utensils: timers, recipes, full ones, fills; and deliveries.

use crate::conformance::kitchen::Kitchen;

const BOTH: [&str; 2] = ["upstream", "clean"];

/// A carrot on the board, then an egg in the pot; both agents stand ready to start them.
fn carrot_then_egg(semantics: &str) -> Kitchen {
    let stock = "(stocked carrot) (stocked egg)";
    let mut kitchen = Kitchen::set_up("boiled_egg", stock, semantics);
    kitchen.play(
        &["pickup(egg, counter)", "put_obj_in_utensil(pot0)"],
        &[
            "pickup(carrot, ingredient_dispenser)",
            "put_obj_in_utensil(chopping_board0)",
            "pickup(egg, ingredient_dispenser)",
            "place_obj_on_counter()",
        ],
    );
    kitchen
}

#[test]
fn work_is_done_at_the_third_tick_and_stays_done() {
    for semantics in BOTH {
        let mut kitchen = Kitchen::set_up("boiled_egg", "(= (inside pot0 first) egg)", semantics);
        kitchen.step([Some("cook(pot0)"), None]);
        assert_eq!(kitchen.ready_in("pot0"), 2);
        kitchen.wait(2);
        assert!(kitchen.is("(= (stage-of pot0) ready)"));
        kitchen.wait(50);
        kitchen.chef(&["pickup(boiled_egg, pot0)"]);
        assert!(kitchen.holds("chef", "boiled_egg"));
    }
}

#[test]
fn a_start_holds_up_upstream_what_is_younger() {
    for (semantics, pot) in [("upstream", 2), ("clean", 1)] {
        let mut kitchen = carrot_then_egg(semantics);
        kitchen.step([None, Some("cut(chopping_board0)")]);
        kitchen.step([Some("cook(pot0)"), None]);
        kitchen.step([None, None]);
        assert_eq!(kitchen.log.last().unwrap().label, "cut(chopping_board0)");
        assert_eq!(kitchen.ready_in("chopping_board0"), 2);
        assert_eq!(kitchen.ready_in("pot0"), pot, "{semantics}");
    }
}

#[test]
fn a_start_holds_up_nothing_that_is_older() {
    for semantics in BOTH {
        let mut kitchen = Kitchen::set_up(
            "boiled_egg",
            "(= (inside pot0 first) egg) (stocked carrot)",
            semantics,
        );
        kitchen.assistant(&[
            "pickup(carrot, ingredient_dispenser)",
            "put_obj_in_utensil(chopping_board0)",
        ]);
        kitchen.step([Some("cook(pot0)"), None]);
        kitchen.step([None, Some("cut(chopping_board0)")]);
        assert_eq!(kitchen.ready_in("pot0"), 1);
    }
}

#[test]
fn a_start_holds_up_nothing_that_is_started_with_it() {
    for semantics in BOTH {
        let mut kitchen = carrot_then_egg(semantics);
        kitchen.step([None, Some("cut(chopping_board0)")]);
        kitchen.step([None, None]);
        kitchen.step([Some("cook(pot0)"), None]);
        assert_eq!(kitchen.ready_in("pot0"), 2);
        assert_eq!(kitchen.ready_in("chopping_board0"), 2);
    }
}

#[test]
fn what_makes_no_recipe_is_lost_and_the_operation_is_logged() {
    for semantics in BOTH {
        let facts = "(= (inside pot0 first) carrot)";
        let mut kitchen = Kitchen::set_up("boiled_egg", facts, semantics);
        kitchen.chef(&["cook(pot0)"]);
        assert_eq!(kitchen.stamped(0), ["1 cook(pot0)"]);
        assert_eq!(kitchen.value("(inside pot0 first)"), "undefined");
        assert_eq!(kitchen.value("(stage-of pot0)"), "undefined");
        assert_eq!(kitchen.startable(0, "cook(pot0)"), None);
    }
}

#[test]
fn a_spoiled_utensil_ends_upstream_the_other_operation_too() {
    for (semantics, goes_on) in [("upstream", false), ("clean", true)] {
        let facts = "(= (inside pot0 first) carrot) (= (inside chopping_board0 first) potato)";
        let mut kitchen = Kitchen::set_up("boiled_egg", facts, semantics);
        kitchen.step([Some("cook(pot0)"), Some("cut(chopping_board0)")]);
        assert!(!kitchen.is_busy(0));
        assert_eq!(kitchen.is_busy(1), goes_on, "{semantics}");
    }
}

#[test]
fn of_two_that_spoil_in_one_step_upstream_only_the_younger_is_emptied() {
    for (semantics, left) in [("upstream", "egg"), ("clean", "undefined")] {
        let facts = "(= (inside chopping_board0 first) egg) (= (holds counter-top) carrot)";
        let mut kitchen = Kitchen::set_up("boiled_egg", facts, semantics);
        kitchen.chef(&["pickup(carrot, counter)", "put_obj_in_utensil(pot0)"]);
        kitchen.step([None, Some("cut(chopping_board0)")]);
        kitchen.step([Some("cook(pot0)"), None]);
        assert!(!kitchen.is_busy(0) && !kitchen.is_busy(1));
        assert_eq!(kitchen.value("(inside pot0 first)"), "undefined");
        assert_eq!(kitchen.value("(inside chopping_board0 first)"), left);
    }
}

#[test]
fn what_was_put_in_can_be_taken_back_before_the_start() {
    for semantics in BOTH {
        let facts = "(= (inside pot0 first) egg) (= (inside pot0 second) corn)
                     (= (inside pot0 third) carrot)";
        let mut kitchen = Kitchen::set_up("boiled_egg", facts, semantics);
        kitchen.chef(&["pickup(corn, pot0)"]);
        assert!(kitchen.holds("chef", "corn"));
        assert!(kitchen.is("(= (inside pot0 first) egg)"));
        assert!(kitchen.is("(= (inside pot0 second) carrot)"));
        assert_eq!(kitchen.value("(inside pot0 third)"), "undefined");
        kitchen.chef(&["put_obj_in_utensil(pot0)", "pickup(egg, pot0)"]);
        assert!(kitchen.is("(= (inside pot0 first) carrot)"));
        assert_eq!(kitchen.stamped(0).last().unwrap(), "3 pickup(egg,pot0)");
    }
}

#[test]
fn a_put_into_a_full_utensil_is_logged_upstream_without_end() {
    let facts = "(= (inside pot0 first) egg) (= (inside pot0 second) egg)
                 (= (inside pot0 third) egg) (= (holds counter-top) carrot)";
    let mut kitchen = Kitchen::set_up("boiled_egg", facts, "upstream");
    kitchen.chef(&["pickup(carrot, counter)"]);
    kitchen.step([Some("put_obj_in_utensil(pot0)"), None]);
    kitchen.wait(3);
    assert!(kitchen.is_busy(0) && kitchen.holds("chef", "carrot"));
    let puts = ["put_obj_in_utensil(pot0)"; 3];
    let logged: Vec<_> = kitchen.log.iter().map(|logged| &logged.label).collect();
    assert_eq!(logged[1..], puts);

    let mut kitchen = Kitchen::set_up("boiled_egg", facts, "clean");
    kitchen.chef(&["pickup(carrot, counter)"]);
    assert_eq!(kitchen.startable(0, "put_obj_in_utensil(pot0)"), None);
}

const PATTY: &str = "mashed_potato_and_pea_patty";

#[test]
fn a_fill_at_the_oven_is_logged_upstream_as_a_put() {
    for (semantics, label) in [
        ("upstream", "put_obj_in_utensil(oven0)"),
        ("clean", "fill_dish_with_food(oven0)"),
    ] {
        let facts = "(= (inside oven0 first) pea) (= (inside oven0 second) mashed_potato)
                     (= (holds counter-bottom) dish)";
        let mut kitchen = Kitchen::set_up(PATTY, facts, semantics);
        kitchen.chef(&[
            "bake(oven0)",
            "pickup(dish, counter)",
            "fill_dish_with_food(oven0)",
            "deliver_soup()",
        ]);
        let expected = [
            "4 bake(oven0)",
            "6 pickup(dish,counter)",
            &format!("8 {label}"),
            "9 deliver_soup()",
        ];
        assert_eq!(kitchen.stamped(0), expected, "{semantics}");
        assert!(kitchen.is("(served)"));
    }
}

/// Two starts of older things hold the chef's work up, so that the dish comes too early.
fn early_fill(facts: &str, chef: &[&str], cut_at: usize, semantics: &str) -> Kitchen {
    let ages = "(younger pot0 chopping_board0) (younger pot0 blender0)
                (younger oven0 chopping_board0) (younger oven0 blender0)";
    let ages = if semantics == "upstream" { ages } else { "" };
    let facts = format!(
        "{facts} {ages} (= (inside chopping_board0 first) potato) (= (inside blender0 first) tofu)"
    );
    let order = if facts.contains("oven0 first") {
        PATTY
    } else {
        "baked_carrot_soup"
    };
    let mut kitchen = Kitchen::set_up(order, &facts, semantics);
    let mut assistant = vec!["wait"; cut_at - 1];
    assistant.extend(["cut(chopping_board0)", "stir(blender0)"]);
    kitchen.play(chef, &assistant);
    kitchen
}

#[test]
fn a_fill_that_comes_too_early_at_the_oven_logs_a_put_at_every_step() {
    let facts = "(= (inside oven0 first) pea) (= (inside oven0 second) mashed_potato)
                 (= (holds counter-bottom) dish)";
    let chef = [
        "bake(oven0)",
        "pickup(dish, counter)",
        "fill_dish_with_food(oven0)",
    ];
    let kitchen = early_fill(facts, &chef, 4, "upstream");
    assert_eq!(
        kitchen.stamped(0)[2..],
        ["8 put_obj_in_utensil(oven0)", "9 put_obj_in_utensil(oven0)"]
    );
    assert!(kitchen.holds("chef", PATTY));
    let kitchen = early_fill(facts, &chef, 4, "clean");
    assert_eq!(kitchen.stamped(0)[2..], ["8 fill_dish_with_food(oven0)"]);
}

#[test]
fn a_fill_that_comes_too_early_at_the_pot_is_logged_once() {
    let facts = "(= (inside pot0 first) baked_carrot_slices) (= (holds counter-top) dish)";
    let chef = [
        "cook(pot0)",
        "pickup(dish, counter)",
        "fill_dish_with_food(pot0)",
    ];
    let kitchen = early_fill(facts, &chef, 1, "upstream");
    assert_eq!(kitchen.stamped(0)[2..], ["6 fill_dish_with_food(pot0)"]);
    let kitchen = early_fill(facts, &chef, 1, "clean");
    assert_eq!(kitchen.stamped(0)[2..], ["5 fill_dish_with_food(pot0)"]);
}

#[test]
fn a_fill_with_what_was_not_ordered_goes_back_into_the_utensil_upstream() {
    let facts = "(= (inside pot0 first) egg) (= (holds counter-top) dish)";
    let chef = ["cook(pot0)", "pickup(dish, counter)"];
    for (semantics, labels) in [
        (
            "upstream",
            vec!["fill_dish_with_food(pot0)", "put_obj_in_utensil(pot0)"],
        ),
        ("clean", vec!["fill_dish_with_food(pot0)"]),
    ] {
        let mut kitchen = Kitchen::set_up("baked_carrot_soup", facts, semantics);
        kitchen.chef(&chef);
        kitchen.step([Some("fill_dish_with_food(pot0)"), None]);
        kitchen.wait(4);
        let logged: Vec<_> = kitchen.log[2..]
            .iter()
            .map(|logged| &logged.label)
            .collect();
        assert_eq!(logged, labels, "{semantics}");
        assert_eq!(kitchen.is_busy(0), semantics == "upstream");
        assert_eq!(kitchen.holds("chef", "boiled_egg"), semantics == "clean");
    }
}

#[test]
fn a_product_that_is_served_in_a_dish_is_not_picked_up() {
    for semantics in BOTH {
        let facts = "(= (inside pot0 first) baked_carrot_slices)";
        let mut kitchen = Kitchen::set_up("baked_carrot_soup", facts, semantics);
        kitchen.chef(&["cook(pot0)"]);
        kitchen.wait(3);
        assert_eq!(
            kitchen.startable(0, "pickup(baked_carrot_soup, pot0)"),
            None
        );
    }
}

#[test]
fn a_wrong_delivery_takes_the_item_and_the_order_stays() {
    for semantics in BOTH {
        let facts = "(= (holds counter-bottom) carrot) (stocked egg)";
        let mut kitchen = Kitchen::set_up("boiled_egg", facts, semantics);
        kitchen.chef(&["pickup(carrot, counter)", "deliver_soup()"]);
        assert_eq!(kitchen.log.last().unwrap().label, "deliver_soup()");
        assert_eq!(kitchen.value("(holds chef)"), "undefined");
        assert!(!kitchen.is("(served)"));
        kitchen.play(
            &[
                "pickup(egg, counter)",
                "put_obj_in_utensil(pot0)",
                "cook(pot0)",
                "pickup(boiled_egg, pot0)",
                "deliver_soup()",
            ],
            &[
                "pickup(egg, ingredient_dispenser)",
                "place_obj_on_counter()",
            ],
        );
        assert!(kitchen.is("(served)"));
    }
}

#[test]
fn what_passes_for_a_meal_depends_upstream_on_parts_of_its_name() {
    let facts = "(= (holds chef-counter-top) carrot) (= (holds chef-counter-middle) carrot_slices)
                 (= (holds counter-top) mashed_potato) (= (holds counter-middle) egg)
                 (= (holds counter-bottom) corn_slices)";
    for (semantics, meals) in [
        ("upstream", vec!["carrot", "carrot_slices", "mashed_potato"]),
        ("clean", vec!["carrot"]),
    ] {
        let mut kitchen = Kitchen::set_up("boiled_egg", facts, semantics);
        let mut passing = Vec::new();
        for thing in [
            "carrot",
            "carrot_slices",
            "mashed_potato",
            "egg",
            "corn_slices",
        ] {
            kitchen.chef(&[&format!("pickup({thing}, counter)")]);
            if kitchen.startable(0, "deliver_soup()").is_some() {
                passing.push(thing);
            }
            kitchen.chef(&["place_obj_on_counter()"]);
        }
        assert_eq!(passing, meals, "{semantics}");
    }
}
