//! The designs of Robotouille for one agent: IO, IO-CoT, `ReAct`, Reflexion.

use super::{Game, TEA_ALONE};

/// Four timesteps that reach the goal, one action each.
const WAY: [&str; 3] = [
    "Reasoning: hot water takes time\nAction: light the stove",
    "Reasoning: mint is needed\nAction: bring mint",
    "Reasoning: all is there\nAction: pour tea",
];

fn game<'a>(name: &'a str, design: &'a str, ticks: u32, change: &'a str) -> Game<'a> {
    Game {
        name,
        design,
        problem: TEA_ALONE,
        ticks,
        change,
    }
}

#[test]
fn io_asks_once_and_carries_the_whole_plan_out() {
    let played = game("io", "io", 9, "").play(&["Plan: light the stove; bring mint; pour tea"]);
    assert_eq!(played.modules(), ["0 ann reasoner"]);
    assert_eq!(played.reason(), "goal");
    played.snapshot("io");
}

#[test]
fn io_carries_nothing_out_of_a_plan_that_fails_at_its_end() {
    let played = game("io-fails", "io", 9, "").play(&["Plan: light the stove; pour tea"]);
    assert_eq!(played.reason(), "gave-up");
    assert!(played.commands().is_empty());
}

#[test]
fn io_cot_has_each_action_followed_by_the_state() {
    let played = game("io-cot", "io-cot", 9, "").play(&[
        "Reasoning: water, mint, tea\nAction: light the stove\nState: the stove is lit\n\
         Action: bring mint\nState: mint is at hand, the water is hot\nAction: pour tea\n\
         State: tea is poured",
    ]);
    assert_eq!(played.modules(), ["0 ann reasoner"]);
    assert_eq!(played.reason(), "goal");
    let asked = played.questions[0].asked();
    assert!(asked.contains("Action: <first action>\nState: <what then holds>"));
    played.snapshot("io-cot");
}

#[test]
fn react_reasons_before_every_action_and_learns_why_one_was_refused() {
    let mut script = WAY.to_vec();
    script.insert(1, "Reasoning: at once\nAction: pour tea");
    let played = game("react", "react", 9, "").play(&script);
    assert_eq!(
        played.modules(),
        [
            "0 ann reasoner",
            "1 ann reasoner",
            "1 ann reasoner",
            "3 ann reasoner"
        ]
    );
    assert_eq!(played.reason(), "goal");
    let questions = &played.questions;
    assert!(!questions[1].holds("the water is cold"));
    assert!(questions[2].asked().contains("the water is cold"));
    assert!(
        !questions[3].asked().contains("the water is cold"),
        "it was corrected"
    );
    played.snapshot("react");
}

#[test]
fn the_modes_of_history_differ_in_what_is_sent_again() {
    const OMITTED: (&str, &str) = ("user", "(What was told here is left out.)");
    let messages = |name: &str, memory: &str| {
        let change = format!("memory = {{ {memory} }}");
        let played = game(name, "react", 9, &change).play(&WAY);
        let last = &played.questions[2];
        let before = last.before().into_iter();
        let before: Vec<(String, String)> = before
            .map(|(role, content)| (role.to_owned(), content.to_owned()))
            .collect();
        let asked = played
            .questions
            .iter()
            .map(|question| question.asked().to_owned());
        (before, asked.collect::<Vec<String>>())
    };
    let turn = |(question, answer): (&str, &str)| {
        let user = ("user".to_owned(), question.to_owned());
        vec![user, ("assistant".to_owned(), answer.to_owned())]
    };
    let (before, _) = messages("history-none", "history = \"none\"");
    assert!(before.is_empty());
    let (before, _) = messages("history-last-action", "history = \"last-action\"");
    assert_eq!(before, turn((OMITTED.1, "Action: bring mint")));
    let (before, _) = messages("history-last-answer", "history = \"last-answer\"");
    assert_eq!(before, turn((OMITTED.1, WAY[1])));
    let (before, asked) = messages("history-last", "history = \"last\"");
    assert_eq!(before, turn((&asked[1], WAY[1])));
    let (before, asked) = messages("history-full", "history = \"full\"");
    assert_eq!(
        before,
        [turn((&asked[0], WAY[0])), turn((&asked[1], WAY[1]))].concat()
    );
    let (before, asked) = messages("history-window", "history = \"full\", window = 1");
    assert_eq!(before, turn((&asked[1], WAY[1])));
}

#[test]
fn an_answer_is_corrected_as_often_as_the_design_says() {
    let change = "correction = { retries = 2, give-up-after = 0 }";
    let played = game("retries", "react", 2, change).play(&["I would rather not."; 6]);
    assert_eq!(
        played.modules(),
        ["0 ann reasoner"; 3]
            .into_iter()
            .chain(["1 ann reasoner"; 3])
            .collect::<Vec<_>>()
    );
    assert_eq!(played.commands(), ["0 wait", "1 wait"]);
    assert!(
        played.questions[1]
            .asked()
            .contains("there is no line `Action: ...`")
    );
}

#[test]
fn react_on_the_open_track_sees_forms_and_no_possible_actions() {
    let played = game("open", "react", 9, "actions = \"forms\"").play(&WAY);
    assert_eq!(played.reason(), "goal");
    let first = &played.questions[0];
    assert!(
        first
            .instructions()
            .contains("Your actions have these forms:\n- ")
    );
    assert!(!first.asked().contains("What you can do now"));
}

#[test]
fn reflexion_tries_again_with_the_lesson_of_the_first_trial() {
    let lesson = "Light the stove first: water takes two steps to get hot.";
    let script = [
        "Reasoning: mint\nAction: bring mint",
        "Reasoning: no hot water\nAction: light the stove",
        "Reasoning: it takes time\nAction: wait",
        lesson,
        WAY[0],
        WAY[1],
        WAY[2],
    ];
    let played = game("reflexion", "reflexion", 4, "").play(&script);
    assert_eq!(
        played.modules(),
        [
            "0 ann reasoner",
            "2 ann reasoner",
            "3 ann reasoner",
            "3 ann reflection",
            "0 ann reasoner",
            "1 ann reasoner",
            "3 ann reasoner",
        ]
    );
    assert_eq!(played.logs.len(), 2, "each trial has a log");
    assert_eq!(played.reason(), "goal");
    assert!(
        played.questions[3]
            .asked()
            .contains("tick 2: light the stove")
    );
    for question in &played.questions[4..] {
        assert!(question.asked().contains(lesson));
    }
    played.snapshot("reflexion");
}

#[test]
fn reflexion_without_reflection_tries_once() {
    let script = ["Reasoning: no\nAction: wait"; 2];
    let played = game(
        "no-reflection",
        "reflexion",
        2,
        "reflection = { enabled = false }",
    );
    let played = played.play(&script);
    assert_eq!(played.modules(), ["0 ann reasoner", "1 ann reasoner"]);
    assert_eq!(played.logs.len(), 1);
}
