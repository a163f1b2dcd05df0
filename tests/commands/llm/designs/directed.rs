//! The designs in which one mind decides for all: the dispatcher, and the orchestrator.

use super::{Game, TEA};

fn game<'a>(name: &'a str, design: &'a str, ticks: u32, change: &'a str) -> Game<'a> {
    Game {
        name,
        design,
        problem: TEA,
        ticks,
        change,
    }
}

#[test]
fn a_dispatcher_commands_everyone_who_is_free() {
    let script = [
        "ann: light the stove\nbob: pour tea",
        "ann: bring mint\nbob: wait",
        "bob: wait",
        "ann: pour tea\nbob: wait",
    ];
    let played = game("dispatcher", "dispatcher", 9, "").play(&script);
    assert_eq!(
        played.modules(),
        ["0 reasoner", "1 reasoner", "2 reasoner", "3 reasoner"]
    );
    assert_eq!(played.reason(), "goal");
    let questions = &played.questions;
    assert!(
        questions[1]
            .asked()
            .contains("- bob: `pour tea` is not possible now: the water is cold")
    );
    assert!(
        !questions[2].asked().contains("the water is cold"),
        "it is told once"
    );
    assert!(questions[2].asked().contains("Still under way, so"));
    assert!(questions[2].asked().contains("- ann: bring mint"));
    assert!(!questions[2].asked().contains("ann can do"));
    played.snapshot("dispatcher");
}

#[test]
fn a_dispatcher_sees_the_decisions_of_its_window_and_no_others() {
    let script = ["ann: wait\nbob: wait"; 5];
    let played = game("window", "dispatcher", 5, "").play(&script);
    let before: Vec<usize> = played
        .questions
        .iter()
        .map(|it| it.before().len())
        .collect();
    assert_eq!(before, [0, 2, 4, 6, 6]);
    let last = &played.questions[4];
    let messages = last.before();
    assert_eq!(
        messages[0].1,
        played.questions[1].asked(),
        "the first is out of sight"
    );
    assert_eq!(messages[5], ("assistant", script[3]));
    let narrow = game("window-1", "dispatcher", 3, "memory = { window = 1 }").play(&script[..3]);
    assert_eq!(narrow.questions[2].before().len(), 2);
}

#[test]
fn feedback_and_knowledge_of_a_dispatcher_can_be_left_out() {
    let script = ["ann: pour tea\nbob: wait", "ann: wait\nbob: wait"];
    let messages = |name: &str, change: &str| {
        let played = game(name, "dispatcher", 2, change).play(&script);
        let question = &played.questions[1];
        (
            question.holds("the water is cold"),
            question.holds("Work in parallel"),
        )
    };
    assert_eq!(messages("all-told", ""), (true, true));
    let change = "correction = { feedback = false }";
    assert_eq!(messages("no-feedback", change), (false, true));
    assert_eq!(
        messages("no-knowledge", "flags = { knowledge = false }"),
        (true, false)
    );
}

#[test]
fn an_orchestrator_schedules_for_all_and_is_asked_again_after_a_failure_and_at_the_end() {
    let script = [
        "Reasoning: in parallel\nann: light the stove; pour tea\nbob: wait; wait; wait; wait",
        "Reasoning: mint first\nann: wait\nbob: bring mint",
        "Reasoning: bob is on his way\nann: wait; wait\nbob: wait",
        "Reasoning: now\nann: pour tea\nbob: wait; wait",
    ];
    let played = game("orchestrator", "orchestrator", 9, "").play(&script);
    assert_eq!(
        played.modules(),
        ["0 reasoner", "1 reasoner", "2 reasoner", "4 reasoner"]
    );
    assert_eq!(played.reason(), "goal");
    let questions = &played.questions;
    assert!(
        questions[1]
            .asked()
            .contains("Why the last schedule was left:\n- ")
    );
    assert!(questions[1].asked().contains("the water is cold"));
    assert!(
        !questions[2]
            .asked()
            .contains("Why the last schedule was left:")
    );
    assert!(
        questions[2]
            .asked()
            .contains("Still under way:\n- bob: bring mint")
    );
    played.snapshot("orchestrator");
}

#[test]
fn a_schedule_that_holds_is_carried_out_with_one_question() {
    let script =
        ["Reasoning: all at once\nann: light the stove; wait; pour tea\nbob: bring mint; wait"];
    let played = game("schedule", "orchestrator", 9, "").play(&script);
    assert_eq!(played.reason(), "goal");
    assert_eq!(played.modules(), ["0 reasoner"]);
}
