//! The designs for teams on published tasks: Collab-Overcooked, and Robotouille's for two players who
//! take turns.

use std::process::Command;

use serde_json::Value;

use super::{Game, Played, Question, package};
use crate::llm::endpoint::{Answer, Request};

const EGG: &str = "problems/collab-overcooked/boiled_egg.pddl";
const STEW: &str = "problems/collab-overcooked/sliced_pumpkin_and_chickpea_stew.pddl";
const BURGER: &str = "problems/robotouille-in-turn/multi_agent-1_lettuce_burger.pddl";
const TICKS: u32 = 8;

/// The actions that are listed under a line.
fn listed<'t>(prompt: &'t str, title: &str) -> Vec<&'t str> {
    let lines = prompt.lines().skip_while(|line| *line != title).skip(1);
    let actions = lines.take_while(|line| !line.is_empty() && !line.contains(" can do"));
    actions.map(str::trim).collect()
}

/// An answer to any module: of the listed actions each time another one, and of a plan then `wait`.
fn any_action(request: &Request, count: &mut usize) -> Answer {
    let body = request.json();
    let messages = body["messages"].as_array().unwrap();
    let prompt = messages.last().unwrap()["content"].as_str().unwrap();
    if prompt.contains("Verdict: <accept or reject>") {
        return Answer::text("Reasoning: it is possible\nVerdict: accept");
    }
    if prompt.contains("Answer in two sentences") {
        return Answer::text("The other one is at work. Nothing is needed.");
    }
    let mut answer = vec!["Reasoning: why not".to_owned()];
    for line in prompt.lines() {
        let one = line.strip_suffix(": <one action>");
        let plan = line.strip_suffix(": <action>; <action>; ...");
        let Some(key) = one.or(plan) else { continue };
        let titles = ["What you can do now:".to_owned(), format!("{key} can do:")];
        let titles = titles
            .into_iter()
            .chain([format!("{key} can do at first:")]);
        let actions: Vec<&str> = titles.flat_map(|title| listed(prompt, &title)).collect();
        *count += 1;
        // One who is busy has nothing listed in a schedule.
        let action = actions
            .get(*count % actions.len().max(1))
            .unwrap_or(&"wait");
        let rest = if plan.is_some() { "; wait" } else { "" };
        answer.push(format!("{key}: {action}{rest}"));
    }
    if prompt.contains("\nSay: <") {
        let is_answer = prompt.contains("What was said:");
        let said = if is_answer {
            "No. [END]"
        } else {
            "Can I help?"
        };
        answer.push(format!("Say: {said}"));
    }
    Answer::text(&answer.join("\n"))
}

fn play(name: &str, design: &str, problem: &str) -> Played {
    let mut count = 0;
    let game = Game {
        name,
        design,
        problem,
        ticks: TICKS,
        change: "",
    };
    game.play_with(move |request| any_action(request, &mut count))
}

/// Asserts that `brigade replay` plays a log to its end, with the actions that it says.
fn check_log(played: &Played, problem: &str) {
    let output = Command::new(env!("CARGO_BIN_EXE_brigade"))
        .current_dir(package())
        .args(["replay", problem])
        .arg(&played.logs[0])
        .args(["--format", "json"])
        .output()
        .unwrap();
    let prompt = String::from_utf8_lossy(&output.stderr);
    let replayed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(replayed["error"], Value::Null, "{problem}: {prompt}");
    assert_eq!(replayed["unplayed"], 0, "{problem}: {prompt}");
    let steps = replayed["steps"].as_array().unwrap();
    let logged = played.events("step");
    assert_eq!(steps.len(), logged.len());
    for (step, logged) in steps.iter().zip(logged) {
        assert_eq!(step["added"], logged["added"]);
        assert_eq!(step["removed"], logged["removed"]);
    }
}

/// Asserts the invariants of every episode: prompts without gaps, a command for everyone who can choose, each of them
/// carried out, and a log that stands its test.
fn check(played: &Played, problem: &str) {
    assert_eq!(played.reason(), "tick-limit", "{problem}");
    assert_eq!(played.events("step").len(), TICKS as usize);
    for question in &played.questions {
        check_prompt(question);
    }
    let decisions = played.events("decision");
    assert!(!decisions.is_empty());
    for decision in decisions {
        assert_eq!(decision["outcome"], "ok", "{problem}: {decision}");
    }
    check_log(played, problem);
}

fn check_prompt(question: &Question) {
    assert_eq!(question.messages[0].0, "system");
    for (_, content) in &question.messages {
        assert!(!content.trim().is_empty());
        for gap in ["{{", "{%", "undefined", "none", "\n\n\n", ": ,", "  \n"] {
            assert!(!content.contains(gap), "{gap:?} in {content}");
        }
    }
    let asked = question.asked();
    assert!(asked.contains("\nGoal: "), "{asked}");
    assert!(asked.contains("Answer in"), "{asked}");
}

/// Returns the agents that made decisions, and the ticks.
fn decided(played: &Played) -> Vec<(String, u64)> {
    let decisions = played.events("decision").into_iter();
    decisions
        .map(|it| {
            let agent = it["agent"].as_str().unwrap().to_owned();
            (agent, it["tick"].as_u64().unwrap())
        })
        .collect()
}

#[test]
fn the_dispatcher_directs_both_cooks_of_collab_overcooked() {
    for (name, problem) in [("egg-directed", EGG), ("stew-directed", STEW)] {
        let played = play(name, "dispatcher", problem);
        check(&played, problem);
        let prompt = played.questions[0].instructions();
        assert!(prompt.starts_with("You direct a team: chef, assistant. In every step each"));
        for cook in ["chef", "assistant"] {
            assert!(decided(&played).iter().any(|(agent, _)| agent == cook));
        }
        let is_busy = |question: &&Question| question.asked().contains("Still under way");
        assert!(played.questions.iter().any(|question| is_busy(&question)));
    }
}

#[test]
fn cac_plays_both_cooks_of_collab_overcooked_and_only_the_chef_knows_recipes() {
    for (name, problem, recipe) in [
        ("egg-cac", EGG, "boiled_egg is made in pot0"),
        ("stew-cac", STEW, "Recipe "),
    ] {
        let played = play(name, "cac", problem);
        check(&played, problem);
        for question in &played.questions {
            let is_chef = question.agent == "chef";
            assert_eq!(question.holds(recipe), is_chef, "{}", question.asked());
        }
        for cook in ["chef", "assistant"] {
            assert!(decided(&played).iter().any(|(agent, _)| agent == cook));
        }
    }
}

#[test]
fn the_other_designs_for_teams_play_both_benchmarks_too() {
    for (design, problem, task) in [
        ("collab", STEW, "stew"),
        ("collab", BURGER, "burger"),
        ("orchestrator", STEW, "stew"),
        ("orchestrator", BURGER, "burger"),
    ] {
        let played = play(&format!("{design}-{task}"), design, problem);
        check(&played, problem);
        if design == "collab" {
            assert!(!played.events("message").is_empty());
        }
    }
}

#[test]
fn only_the_chef_of_collab_overcooked_sees_the_recipe_in_a_conversation() {
    let game = Game {
        name: "egg-collab",
        design: "collab",
        problem: EGG,
        ticks: 1,
        change: "",
    };
    let played = game.play(&[
        "Reasoning: an egg\nPlan: request(pick up egg from ingredient_dispenser); wait\n\
         Say: Bring me an egg.",
        "Reasoning: sure\nPlan: accept(pick up egg from ingredient_dispenser); pick up egg from \
         ingredient_dispenser\nSay: I do. [END]",
    ]);
    assert_eq!(
        played.modules(),
        ["0 chef reasoner", "0 assistant communicator"]
    );
    assert!(played.questions[0].holds("boiled_egg is made in pot0"));
    assert!(!played.questions[1].holds("boiled_egg is made in pot0"));
    assert!(played.questions[1].holds("chef: Bring me an egg."));
    assert_eq!(
        played.commands(),
        ["0 wait", "0 fetch assistant egg ingredient_dispenser"]
    );
}

#[test]
fn the_dispatcher_directs_the_player_whose_turn_it_is_in_robotouille() {
    let played = play("burger-directed", "dispatcher", BURGER);
    check(&played, BURGER);
    let prompt = played.questions[0].instructions();
    assert!(prompt.contains("They take turns: one of them acts in each step."));
    for (tick, (agent, at)) in decided(&played).iter().enumerate() {
        assert_eq!((agent.as_str(), *at), (mover(tick), tick as u64));
    }
    for question in &played.questions {
        let other = mover(question.tick as usize + 1);
        assert!(!question.asked().contains(&format!("{other} can do:")));
    }
}

#[test]
fn cac_asks_the_player_whose_turn_it_is_in_robotouille() {
    let played = play("burger-cac", "cac", BURGER);
    check(&played, BURGER);
    for question in &played.questions {
        assert_eq!(question.agent, mover(question.tick as usize));
        assert!(question.instructions().contains("You take turns"));
    }
    let third = played.questions.iter().find(|question| question.tick == 2);
    assert!(
        third.unwrap().asked().contains("- robot2: "),
        "what the other did meanwhile"
    );
}

fn mover(tick: usize) -> &'static str {
    ["robot1", "robot2"][tick % 2]
}
