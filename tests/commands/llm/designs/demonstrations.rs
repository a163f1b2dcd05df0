//! Demonstrations: the questions and answers along an optimal plan of another problem.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

use super::{Game, Played, TEA, TEA_ALONE, package};
use crate::llm::endpoint::{Answer, Endpoint};

const COFFEE: &str = "tests/data/designs/coffee.pddl";
const COFFEE_ALONE: &str = "tests/data/designs/coffee-alone.pddl";

fn game<'a>(name: &'a str, design: &'a str, problem: &'a str, change: &'a str) -> Game<'a> {
    Game {
        name,
        design,
        problem,
        ticks: 1,
        change,
    }
}

/// A change that names what is demonstrated.
fn showing(problems: &[&str], more: &str) -> String {
    let paths: Vec<String> = problems
        .iter()
        .map(|path| format!("{:?}", package().join(path).display().to_string()))
        .collect();
    let paths = paths.join(", ");
    format!("demonstration = {{ problem = [{paths}] }}{more}")
}

/// The questions and answers that an agent is shown before its first question.
fn shown(played: &Played, agent: &str) -> (Vec<String>, Vec<String>) {
    let mut questions = played.questions.iter();
    let first = questions.find(|question| question.agent == agent).unwrap();
    let of = |wanted: &str| {
        let messages = first.before().into_iter();
        let messages = messages.filter(|(role, _)| *role == wanted);
        messages.map(|(_, content)| content.to_owned()).collect()
    };
    (of("user"), of("assistant"))
}

fn brigade(arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_brigade"))
        .current_dir(package())
        .args(arguments)
        .output()
        .unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Returns the fewest ticks, which `brigade plan` proves.
fn optimum(problem: &str) -> u32 {
    let plan = brigade(&["plan", problem, "--format", "json"]);
    assert_eq!(plan["optimal"], true);
    u32::try_from(plan["makespan"].as_u64().unwrap()).unwrap()
}

/// Returns the questions to an agent in an episode.
fn asked(played: &Played, agent: &str) -> Vec<String> {
    let questions = played.questions.iter();
    let own = questions.filter(|question| question.agent == agent);
    own.map(|question| question.asked().to_owned()).collect()
}

#[test]
fn a_dispatcher_is_shown_an_optimal_plan_of_another_dish_as_it_would_be_asked_for_it() {
    let change = showing(&[COFFEE], "");
    let played = game("shown", "dispatcher", TEA, &change).play(&["ann: wait\nbob: wait"]);
    played.snapshot("dispatcher-demonstration");
    assert!(
        played.questions[0]
            .instructions()
            .contains("are an example")
    );
    let (questions, answers) = shown(&played, "");
    let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
    let coffee = Game {
        ticks: optimum(COFFEE),
        ..game("shown-itself", "dispatcher", COFFEE, "")
    };
    let itself = coffee.play(&answers);
    assert_eq!(itself.reason(), "goal", "its answers are an optimal plan");
    assert_eq!(
        asked(&itself, ""),
        questions,
        "and its questions are real ones"
    );
}

#[test]
fn each_agent_is_shown_its_own_part_as_it_sees_it() {
    let off = ", theory-of-mind = { enabled = false }, verifier = { enabled = false }";
    let change = showing(&[COFFEE], off);
    let played = game("own-part", "cac", TEA, &change).play(&["Reasoning: so\nAction: wait"; 2]);
    let (ann, bob) = (shown(&played, "ann"), shown(&played, "bob"));
    assert!(ann.0[0].contains("coffee is made of beans"));
    assert!(!bob.0.concat().contains("coffee is made of beans"));
    let mut left = [ann.1.clone(), bob.1.clone()].map(Vec::into_iter);
    let change = off.trim_start_matches(", ");
    let coffee = Game {
        ticks: optimum(COFFEE),
        ..game("own-part-itself", "cac", COFFEE, change)
    };
    let itself = coffee.play_with(move |request| {
        let body = request.json();
        let prompt = body["messages"][0]["content"].as_str().unwrap();
        let agent = usize::from(prompt.starts_with("You are bob"));
        Answer::text(&left[agent].next().unwrap())
    });
    assert_eq!(itself.reason(), "goal");
    assert_eq!(asked(&itself, "ann"), ann.0);
    assert_eq!(asked(&itself, "bob"), bob.0);
}

#[test]
fn a_plan_with_states_is_shown_with_the_states_that_come_about() {
    let change = showing(&[COFFEE_ALONE], "");
    let plan = "Reasoning: no\nAction: wait\nState: nothing new";
    let played = game("states", "io-cot", TEA_ALONE, &change).play(&[plan]);
    let (questions, answers) = shown(&played, "ann");
    assert_eq!((questions.len(), answers.len()), (1, 1));
    assert_eq!(
        answers[0],
        "Reasoning: From here the goal can be reached in 4 steps, and these are they.\n\
         Action: light the stove\nState: the stove is lit\n\
         Action: bring beans\nState: the water is hot, beans is at hand\n\
         Action: pour coffee\nState: coffee is poured"
    );
    let coffee = Game {
        ticks: optimum(COFFEE_ALONE),
        ..game("states-itself", "io-cot", COFFEE_ALONE, "")
    };
    assert_eq!(coffee.play(&[&answers[0]]).reason(), "goal");
}

#[test]
fn as_many_decisions_are_shown_as_the_design_says() {
    let change = showing(&[COFFEE], "").replace(" }", ", decisions = 2 }");
    let played = game("decisions", "dispatcher", TEA, &change).play(&["ann: wait\nbob: wait"]);
    assert_eq!(shown(&played, "").1.len(), 2);
    let change = showing(&[COFFEE], "").replace(" }", ", decisions = 0 }");
    let played = game("no-decisions", "dispatcher", TEA, &change).play(&["ann: wait\nbob: wait"]);
    assert!(shown(&played, "").1.is_empty());
    let change = "demonstration = { enabled = false }";
    let played = game("none-shown", "dispatcher", TEA, change).play(&["ann: wait\nbob: wait"]);
    assert!(shown(&played, "").1.is_empty());
}

#[test]
fn of_several_problems_the_first_is_shown_that_is_not_played() {
    let change = showing(&[TEA, COFFEE], "");
    for (name, problem, other) in [
        ("first-other", TEA, "Goal: Serve coffee."),
        ("second-other", COFFEE, "Goal: Serve tea."),
    ] {
        let played = game(name, "dispatcher", problem, &change).play(&["ann: wait\nbob: wait"]);
        assert!(shown(&played, "").0[0].contains(other));
    }
}

#[test]
fn nothing_is_shown_of_timesteps_in_which_there_is_nothing_to_choose() {
    let change = showing(&["problems/collab-overcooked/boiled_egg.pddl"], "");
    let played = "problems/collab-overcooked/boiled_mushroom.pddl";
    let answer = ["chef: wait\nassistant: wait"];
    let played = game("no-choice", "dispatcher", played, &change).play(&answer);
    let (questions, answers) = shown(&played, "");
    assert_eq!(answers.len(), 5);
    for question in questions {
        let choices = question.lines().filter(|line| line.starts_with("  "));
        assert!(
            choices.filter(|line| *line != "  wait").count() > 0,
            "{question}"
        );
    }
}

fn refused(name: &str, problem: &str, change: &str) -> String {
    let output: Output = game(name, "dispatcher", problem, change).run("http://127.0.0.1:9/v1");
    assert!(!output.status.success());
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn what_is_played_is_not_demonstrated() {
    let stderr = refused("itself", TEA, &showing(&[TEA], ""));
    assert!(
        stderr.contains("set-up `it` would show how `tea` is solved, which it is played on"),
        "{stderr}"
    );
}

#[test]
fn an_example_of_another_domain_is_refused() {
    let other = "problems/collab-overcooked/boiled_egg.pddl";
    let stderr = refused("domain", TEA, &showing(&[other], ""));
    assert!(
        stderr.contains("of domain `collab-overcooked`, so it is no example for `tea`, of domain"),
        "{stderr}"
    );
}

#[test]
fn an_example_that_nobody_can_solve_is_refused() {
    let impossible = "tests/data/designs/impossible.pddl";
    let stderr = refused("impossible", TEA, &showing(&[impossible], ""));
    assert!(
        stderr.contains("impossible.pddl: no plan exists, so there is nothing to demonstrate"),
        "{stderr}"
    );
}

#[test]
fn an_example_that_is_too_hard_is_refused() {
    let played = "problems/collab-overcooked/boiled_egg.pddl";
    let hard = "problems/collab-overcooked/sliced_pumpkin_and_chickpea_stew.pddl";
    let change = showing(&[hard], "");
    let game = game("too-hard", "dispatcher", played, &change);
    let output = game.run_with("http://127.0.0.1:9/v1", &["--memory-limit", "64K"]);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        stderr.contains("no plan was proven optimal, so there is nothing to demonstrate: "),
        "{stderr}"
    );
    assert!(stderr.contains("demonstrate an easier problem"), "{stderr}");
}

#[test]
fn that_nothing_is_named_to_be_demonstrated_is_said() {
    let output = game("unnamed", "dispatcher", TEA, "").run("http://127.0.0.1:9/v1");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        stderr.contains("set-up `it`: design `dispatcher` shows no example, since none is named"),
        "{stderr}"
    );
}

#[test]
fn paths_of_a_design_are_beside_it_and_those_of_a_set_up_beside_the_bench_file() {
    let game = game("beside", "mine/dispatcher.toml", TEA, "");
    let folder = game.folder();
    let _ = fs::remove_dir_all(&folder);
    let copy = |file: &str, to: &str| {
        fs::create_dir_all(folder.join(to)).unwrap();
        let data = package().join("tests/data/designs");
        fs::copy(data.join(file), folder.join(to).join(file)).unwrap();
    };
    for to in ["mine", "theirs"] {
        copy("drinks-domain.pddl", to);
        copy("coffee.pddl", to);
    }
    let design = include_str!("../../../../agents/dispatcher.toml");
    let named = "decisions = 5, problem = \"coffee.pddl\"";
    fs::write(
        folder.join("mine/dispatcher.toml"),
        design.replace("decisions = 5", named),
    )
    .unwrap();
    for (change, is_found) in [
        ("", true),
        ("demonstration = { problem = \"theirs/coffee.pddl\" }", true),
        ("demonstration = { problem = \"coffee.pddl\" }", false),
    ] {
        let endpoint = Endpoint::start([Answer::text("ann: wait\nbob: wait")]);
        let game = Game { change, ..game };
        let output = game.evaluate(&endpoint.base_url(), &[]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), is_found, "{change}: {stderr}");
        if is_found {
            assert!(endpoint.requests()[0].body.contains("Serve coffee."));
            let header = fs::read_to_string(folder.join("out/header.json")).unwrap();
            let header: Value = serde_json::from_str(&header).unwrap();
            let shown = &header["setups"][0]["designs"][0]["demonstrations"][0];
            assert_eq!(shown["shows"], "coffee");
        }
    }
}
