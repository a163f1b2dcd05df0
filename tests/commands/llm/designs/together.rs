//! The designs in which every agent has a mind of its own: that of Collab-Overcooked, and CAC.

use super::{Game, Played, TEA, TEA_ALONE};

fn game<'a>(name: &'a str, design: &'a str, ticks: u32, change: &'a str) -> Game<'a> {
    Game {
        name,
        design,
        problem: TEA,
        ticks,
        change,
    }
}

fn said(played: &Played) -> Vec<String> {
    let messages = played.events("message").into_iter();
    let messages = messages.map(|event| format!("{}: {}", event["agent"], event["text"]));
    messages.map(|line| line.replace('"', "")).collect()
}

#[test]
fn collab_agents_plan_ask_each_other_and_act() {
    let script = [
        "Reasoning: Bob can bring the mint while I heat water.\n\
         Plan: request(bob, bring mint); light the stove; wait; pour tea\n\
         Say: Please bring mint, Bob.",
        "Reasoning: Ann knows the recipe.\nPlan: accept(bring mint); bring mint\n\
         Say: I bring it. [END]",
        "Reasoning: Ann pours.\nPlan: wait\nSay: [NOTHING]",
    ];
    let played = game("collab", "collab", 9, "").play(&script);
    assert_eq!(
        played.modules(),
        ["0 ann reasoner", "0 bob communicator", "2 bob reasoner"]
    );
    assert_eq!(played.reason(), "goal");
    assert!(
        played.questions[1]
            .asked()
            .contains("ann: Please bring mint, Bob.")
    );
    let requests = played.events("request");
    assert_eq!(requests.len(), 1);
    assert_eq!(
        (&requests[0]["of"], &requests[0]["action"]),
        (&"bob".into(), &"bring mint".into())
    );
    assert_eq!(played.events("response")[0]["accepts"], true);
    let done = "What you did before:\n- tick 0: bring mint\nWhat the others";
    assert!(
        played.questions[2].asked().contains(done),
        "what takes two steps is shown once"
    );
    played.snapshot("collab");
}

#[test]
fn what_is_asked_of_others_without_a_word_reaches_them_and_the_log() {
    let script = [
        "Reasoning: Bob can bring the mint.\nPlan: request(bob, bring(mint)); wait\nSay: [NOTHING]",
        "Reasoning: No.\nPlan: request(ann, bring(mint)); light the stove\nSay: [NOTHING]",
        "Reasoning: Well.\nPlan: accept(bring(mint)); bring mint\nSay: [NOTHING]",
    ];
    let played = game("silent-requests", "collab", 1, "").play(&script);
    assert_eq!(
        played.modules(),
        ["0 ann reasoner", "0 bob communicator", "0 ann communicator"]
    );
    let dialog = "What was said:\nann: request(bob, bring(mint))\nbob: request(ann, bring(mint))\n";
    assert!(played.questions[2].asked().contains(dialog));
    let requests = played.events("request").into_iter();
    let requests = requests.map(|event| (event["agent"].as_str(), event["action"].as_str()));
    assert_eq!(
        requests.collect::<Vec<_>>(),
        [
            (Some("ann"), Some("bring(mint)")),
            (Some("bob"), Some("bring(mint)"))
        ]
    );
    assert!(said(&played).is_empty());
    assert_eq!(played.commands(), ["0 bring ann mint", "0 light bob"]);
}

#[test]
fn requests_that_may_be_made_are_shown_on_both_tracks() {
    let script = ["Reasoning: so\nPlan: wait\nSay: [NOTHING]"; 2];
    let forms =
        "bob can be asked for:\n- light(): light the stove\n- bring(<leaf>): bring <leaf>\n";
    let assisted = game("asked-assisted", "collab", 1, "").play(&script);
    assert!(assisted.questions[0].instructions().contains(forms));
    let open = game("asked-open", "collab", 1, "actions = \"forms\"").play(&script);
    let same = "bob can be asked for actions of the same forms.";
    assert!(open.questions[0].instructions().contains(same));
}

#[test]
fn only_agents_who_know_the_recipes_see_them() {
    let script = [
        "Reasoning: so\nPlan: wait\nSay: What do you need?",
        "Reasoning: so\nPlan: wait\nSay: Mint, I think. [END]",
    ];
    let played = game("collab-recipes", "collab", 1, "").play(&script);
    let cac = game("cac-recipes", "cac", 1, OFF).play(&["Reasoning: so\nAction: wait"; 2]);
    for question in played.questions.iter().chain(&cac.questions) {
        let knows = question.agent == "ann";
        assert_eq!(question.holds("tea is made of mint"), knows, "{question:?}");
        assert_eq!(question.holds("What you see in step 0:\nnothing\n"), !knows);
    }
}

#[test]
fn a_conversation_ends_with_its_word_or_after_its_rounds() {
    let change = "communication = { rounds = 2, end = \"OVER\" }";
    let script = [
        "Reasoning: so\nPlan: wait\nSay: one [END]",
        "Reasoning: so\nPlan: wait\nSay: two",
        "Reasoning: so\nPlan: wait\nSay: three, OVER",
    ];
    let played = game("end-word", "collab", 1, change).play(&script);
    assert_eq!(
        played.modules(),
        ["0 ann reasoner", "0 bob communicator", "0 ann communicator"]
    );
    assert!(
        played
            .questions
            .iter()
            .all(|question| question.holds("Say OVER when"))
    );
    let dialog = "What was said:\nann: one [END]\nbob: two\n";
    assert!(
        played.questions[2].asked().contains(dialog),
        "of other words none ends it"
    );
    let script = ["one", "two", "three", "four", "five"]
        .map(|word| format!("Reasoning: so\nPlan: wait\nSay: {word}"));
    let script: Vec<&str> = script.iter().map(String::as_str).collect();
    let played = game("rounds", "collab", 1, change).play(&script);
    assert_eq!(
        said(&played),
        [
            "ann: one",
            "bob: two",
            "ann: three",
            "bob: four",
            "ann: five"
        ]
    );
}

#[test]
fn a_conversation_ends_when_somebody_says_the_same_again() {
    let script = [
        "Reasoning: so\nPlan: wait\nSay: After you.",
        "Reasoning: so\nPlan: wait\nSay: No, after you.",
        "Reasoning: so\nPlan: wait\nSay: After you.",
    ];
    let played = game("again", "collab", 1, "").play(&script);
    assert_eq!(said(&played).len(), 3);
}

#[test]
fn a_refused_action_is_corrected_within_the_limit_and_taught() {
    let script = [
        "Reasoning: so\nPlan: pour tea\nSay: [NOTHING]",
        "Reasoning: so\nPlan: light the stove\nSay: [NOTHING]",
        "Reasoning: so\nPlan: wait; wait; wait\nSay: [NOTHING]",
        "Nothing is poured before the water is hot.",
        "Reasoning: so\nPlan: wait\nSay: [NOTHING]",
    ];
    let played = game("lesson", "collab", 2, "").play(&script);
    assert_eq!(
        played.modules(),
        [
            "0 ann reasoner",
            "0 ann reasoner",
            "0 bob reasoner",
            "0 ann reflection",
            "1 ann reasoner"
        ]
    );
    let questions = &played.questions;
    assert!(questions[1].asked().contains("the water is cold"));
    assert!(questions[3].asked().contains("the water is cold"));
    assert!(questions[3].asked().contains("light the stove"));
    assert!(
        questions[4]
            .asked()
            .contains("What you have learnt:\n- Nothing is poured before the water is hot.")
    );
    assert!(
        !questions[2].holds("Nothing is poured"),
        "bob has not learnt it"
    );
    // One retry by default, then the timestep passes.
    let wrong = ["Reasoning: so\nPlan: pour tea\nSay: [NOTHING]"; 4];
    let played = game("no-more", "collab", 2, "").play_alone(&wrong);
    assert_eq!(
        played.modules(),
        [
            "0 ann reasoner",
            "0 ann reasoner",
            "1 ann reasoner",
            "1 ann reasoner"
        ]
    );
    assert_eq!(played.commands(), ["0 wait", "1 wait"]);
}

#[test]
fn each_module_of_collab_can_be_left_out() {
    let change = "communication = { enabled = false }, reflection = { enabled = false }";
    let script = [
        "Reasoning: so\nPlan: pour tea",
        "Reasoning: so\nPlan: light the stove; wait",
        "Reasoning: so\nPlan: bring mint",
    ];
    let played = game("collab-silent", "collab", 2, change).play(&script);
    assert_eq!(
        played.modules(),
        ["0 ann reasoner", "0 ann reasoner", "0 bob reasoner"]
    );
    for question in &played.questions {
        assert!(!question.holds("Say") && !question.holds("request("));
    }
}

/// CAC without its reasoner about the partner and its verifier.
const OFF: &str = "theory-of-mind = { enabled = false }, verifier = { enabled = false }";

#[test]
fn cac_thinks_of_its_partner_decides_and_looks_over_what_it_decided() {
    let script = [
        "Bob will wait for me to say what is needed.",
        "Reasoning: no hurry\nAction: wait",
        "Reasoning: nobody heats the water\nVerdict: reject",
        "Reasoning: water first\nAction: light the stove",
        "Ann heats water, so I can bring something.",
        "Reasoning: mint may be of use\nAction: bring mint",
        "Reasoning: it is\nVerdict: accept",
        "Bob is on his way with the mint.",
        "Reasoning: the water is not hot yet\nAction: wait",
        "Reasoning: right\nVerdict: accept",
    ];
    let played = game("cac", "cac", 2, "").play(&script);
    assert_eq!(
        played.modules(),
        [
            "0 ann theory-of-mind",
            "0 ann reasoner",
            "0 ann verifier",
            "0 ann reasoner",
            "0 bob theory-of-mind",
            "0 bob reasoner",
            "0 bob verifier",
            "1 ann theory-of-mind",
            "1 ann reasoner",
            "1 ann verifier",
        ]
    );
    assert_eq!(
        played.commands(),
        ["0 light ann", "0 bring bob mint", "1 wait"]
    );
    let questions = &played.questions;
    for question in &questions[1..4] {
        assert!(
            question.asked().contains(script[0]),
            "the belief is in the prompt"
        );
    }
    assert!(questions[2].asked().contains("Action: wait"));
    assert!(questions[3].asked().contains("nobody heats the water"));
    assert!(
        questions[8]
            .asked()
            .contains("What you did before:\n- tick 0: light the stove")
    );
    assert!(
        questions[7]
            .asked()
            .contains("Still under way:\n- bob: bring mint")
    );
    assert!(
        questions[8]
            .asked()
            .contains("Still under way:\n- bob: bring mint")
    );
    played.snapshot("cac");
}

#[test]
fn the_last_decision_stands_whatever_the_verifier_would_say() {
    let change = "theory-of-mind = { enabled = false }, verifier = { retries = 2 }";
    let script = [
        "Reasoning: so\nAction: wait",
        "Reasoning: no\nVerdict: reject",
        "Reasoning: so\nAction: wait",
        "Reasoning: no\nVerdict: reject",
        "Reasoning: so\nAction: bring mint",
    ];
    let played = game("cac-rejected", "cac", 1, change).play_alone(&script);
    assert_eq!(played.commands(), ["0 bring ann mint"]);
}

#[test]
fn each_module_of_cac_can_be_left_out() {
    let bare = game("cac-bare", "cac", 2, OFF).play_alone(&["Reasoning: so\nAction: wait"; 2]);
    assert_eq!(bare.modules(), ["0 ann reasoner", "1 ann reasoner"]);
    assert!(bare.questions[0].holds("Be of help to the others"));
    assert!(bare.questions[1].holds("What you did before"));
    let alone = [
        "Reasoning: so\nAction: wait",
        "Reasoning: yes\nVerdict: accept",
    ];
    let alone = game("cac-alone", "cac", 1, "").play_alone(&alone);
    assert_eq!(
        alone.modules(),
        ["0 ann reasoner", "0 ann verifier"],
        "there is nobody to think of"
    );
    let change = format!("{OFF}, flags = {{ helper = false }}, memory = {{ actions = 0 }}");
    let bare = game("cac-barer", "cac", 2, &change).play_alone(&["Reasoning: so\nAction: wait"; 2]);
    assert!(!bare.questions[0].holds("Be of help to the others"));
    assert!(!bare.questions[1].holds("What you did before"));
}

impl Game<'_> {
    /// As [`Game::play`], with ann alone.
    fn play_alone(self, answers: &[&str]) -> Played {
        let alone = Game {
            problem: TEA_ALONE,
            ..self
        };
        alone.play(answers)
    }
}
