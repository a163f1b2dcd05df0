//! The orchestrator in the restaurant of CookMAS: it is called when an order comes, changes or is cancelled, when
//! an action fails, and when its schedule is at its end with dishes to be made; and at no other time.

use std::fmt::Write as _;

use super::{Game, Played};

const EVENING: &str = "problems/cookmas/level-3-evening.pddl";
const QUIET: &str = "tests/data/designs/quiet-evening.pddl";

/// A schedule in which each waits for so many steps.
fn waits(cooks: &[(&str, usize)]) -> String {
    let mut answer = "Reasoning: so".to_owned();
    for (cook, steps) in cooks {
        write!(answer, "\n{cook}: {}", vec!["wait"; *steps].join("; ")).unwrap();
    }
    answer
}

fn all_wait(steps: usize) -> String {
    waits(&[("ann", steps), ("ben", steps), ("cleo", steps)])
}

fn play(name: &str, problem: &str, ticks: u32, answers: &[String]) -> Played {
    let game = Game {
        name,
        design: "orchestrator",
        problem,
        ticks,
        change: "",
    };
    let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
    game.play(&answers)
}

/// Orders come at 0, 6 and 9, the first is changed at 5, the second cancelled at 12.
#[test]
fn it_is_called_for_orders_failures_and_the_end_of_its_schedule_alone() {
    let long = || all_wait(30);
    let failing = "Reasoning: so\nann: fetch tomato; fetch onion; wait\nben: wait\ncleo: wait";
    let answers = [
        long(),
        long(),
        long(),
        long(),
        failing.to_owned(),
        // Ann's schedule is the longest, and the others wait for it.
        waits(&[("ann", 4), ("ben", 1), ("cleo", 2)]),
        long(),
    ];
    let played = play("orchestra", EVENING, 20, &answers);
    let called = [0, 5, 6, 9, 12, 13, 17].map(|tick| format!("{tick} reasoner"));
    assert_eq!(played.modules(), called);
    let why = |call: usize, what: &str| {
        let asked = played.questions[call].asked();
        let (_, why) = asked
            .split_once("Why the last schedule was left:\n")
            .unwrap();
        assert!(why.starts_with(&format!("- {what}")), "{asked}");
    };
    why(1, "now (= (doneness dish1) well-done)\n");
    why(2, "now (= (wants dish3) tomato-soup)\n");
    why(3, "now (= (wants dish4) cheeseburger)\n");
    why(4, "now (cancelled order2)\n");
    why(
        5,
        "ann: `fetch onion` is not possible now: ann already holds something",
    );
    assert!(
        !played.questions[6]
            .asked()
            .contains("Why the last schedule was left")
    );
}

/// It reads the recipe of what is ordered, in prose, and no other.
#[test]
fn it_reads_the_recipes_of_what_is_ordered() {
    let answers = [all_wait(30), all_wait(30), all_wait(30)];
    let played = play("orchestra-recipes", EVENING, 8, &answers);
    let [first, _, third] = &played.questions[..] else {
        panic!("{}", played.shown());
    };
    let steak = "steak-frites: Grill the beef for 4 to 5 ticks.";
    let soup = "tomato-soup: Slice a tomato and boil it for 4 to 6 ticks. Add bread.";
    assert!(first.holds(steak) && third.holds(steak));
    assert!(!first.holds("tomato-soup") && third.holds(soup));
    assert!(!third.holds("cheeseburger"));
    played.snapshot("orchestra");
}

#[test]
fn while_nothing_is_to_be_made_it_is_not_called() {
    let two = |steps: usize| waits(&[("ann", steps), ("ben", steps)]);
    let answers = [two(1), two(3), two(1), two(2)];
    let played = play("orchestra-quiet", QUIET, 11, &answers);
    let called = [3, 4, 5, 9].map(|tick| format!("{tick} reasoner"));
    assert_eq!(played.modules(), called);
}

/// A cook fails while another has acted already: that one's schedule begins with the next step.
#[test]
fn the_message_on_a_failed_action_names_who_has_acted() {
    let answers = [
        "Reasoning: so\nann: fetch tomato; wait\nben: fetch onion\ncleo: fetch bread; wait"
            .to_owned(),
        "Reasoning: cleo has to walk\nann: go to board1\nben: go to board2\ncleo: go to pantry"
            .to_owned(),
        all_wait(5),
    ];
    let played = play("orchestra-acted", EVENING, 3, &answers);
    assert_eq!(played.modules(), ["0 reasoner", "0 reasoner", "2 reasoner"]);
    let asked = played.questions[1].asked();
    assert!(
        asked.contains("ann, ben acted in this step already"),
        "{asked}"
    );
    let expected = [
        "0 fetch ann tomato",
        "0 fetch ben onion",
        "0 go cleo pantry",
        "1 go ann board1",
        "1 go ben board2",
        "1 wait",
    ];
    assert_eq!(played.commands()[..6], expected);
}
