//! Gates, as they were measured in LLM-Coordination: opened with empty hands, passable in the step in which
//! they are opened and the ten after it, never closed on a player.

use super::kitchen::{Kitchen, problem};

/// The kitchen that its gate divides, with the first player below its start and facing the gate.
fn at_the_gate() -> Kitchen {
    let mut kitchen = Kitchen::new(&problem("soup_passing_door"), "old-dynamics");
    kitchen.play(&["move south", "wait"]);
    kitchen.play(&["move south", "wait"]);
    kitchen.play(&["move east", "wait"]);
    assert!(kitchen.holds("(= (at player1) floor-2-3)"));
    kitchen
}

const OPEN: &str = "(open gate-3-3)";

#[test]
fn a_closed_gate_lets_nobody_pass() {
    let kitchen = at_the_gate();
    assert!(!kitchen.holds(OPEN));
    assert!(kitchen.holds("(= (facing player1) east)"));
}

#[test]
fn a_gate_is_open_for_the_step_in_which_it_is_opened_and_ten_more() {
    let mut kitchen = at_the_gate();
    kitchen.play(&["interact", "wait"]);
    for tick in 1..=10 {
        assert!(kitchen.holds(OPEN), "tick {tick}");
        assert!(kitchen.holds(&format!("(= (open-for gate-3-3) {tick})")));
        kitchen.play(&["wait", "wait"]);
    }
    assert!(!kitchen.holds(OPEN));
}

#[test]
fn an_open_gate_is_not_opened_anew() {
    let mut kitchen = at_the_gate();
    kitchen.play(&["interact", "wait"]);
    for _ in 0..10 {
        kitchen.play(&["interact", "wait"]);
    }
    assert!(!kitchen.holds(OPEN));
}

#[test]
fn who_moves_passes_in_the_step_in_which_another_opens_the_gate() {
    let mut kitchen = at_the_gate();
    for _ in 0..2 {
        kitchen.play(&["wait", "move south"]);
    }
    assert!(kitchen.holds("(= (at player2) floor-4-3)"));
    kitchen.play(&["interact", "move west"]);
    assert!(kitchen.holds("(= (at player2) door-3-3)"));
}

#[test]
fn a_gate_does_not_close_on_a_player_and_counts_on_when_it_is_free() {
    let mut kitchen = at_the_gate();
    kitchen.play(&["interact", "wait"]);
    kitchen.play(&["move east", "wait"]);
    for _ in 0..20 {
        kitchen.play(&["wait", "wait"]);
    }
    // Time stood still for it from the step in which the player entered.
    assert!(kitchen.holds(OPEN) && kitchen.holds("(= (open-for gate-3-3) 1)"));
    kitchen.play(&["move east", "wait"]);
    assert!(kitchen.holds("(= (at player1) floor-4-3)"));
    assert!(kitchen.holds("(= (open-for gate-3-3) 2)"));
}

#[test]
fn full_hands_do_not_open_a_gate() {
    let mut kitchen = at_the_gate();
    for action in [
        "move north",
        "move north",
        "move north",
        "interact",
        "move south",
        "move south",
    ] {
        kitchen.play(&[action, "wait"]);
    }
    assert!(kitchen.holds("(= (held player1) onion)"));
    kitchen.play(&["move east", "wait"]);
    kitchen.play(&["interact", "wait"]);
    assert!(!kitchen.holds(OPEN));
}
