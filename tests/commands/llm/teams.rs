//! Set-ups that stand for several teams: each agent its own model, self-play, cross-play, a fixed partner.

use serde_json::Value;

use crate::llm::bench::{BENCH, Bench, cook, exit, stderr};
use crate::llm::endpoint::{Answer, Endpoint, Request};

/// Two models at one endpoint, and cross-play of both.
const CROSS: &str = r#"
seeds = [1, 2]
max-ticks = 6

[models.good]
action-format = "text"
max-retries = 0
price = { input = 1.0, output = 1.0 }

[models.bad]
action-format = "text"
max-retries = 0
price = { input = 100.0, output = 100.0 }

[[problems]]
path = "tea.pddl"

[[setups]]
name = "cross"
agents = "planner"
except = { ann = "react@*", bob = ["react@*", "random"] }
"#;

/// One model is a cook, the other waits.
fn cooks(request: &Request) -> Answer {
    if request.json()["model"] == "good" {
        cook(request)
    } else {
        Answer::text("Reasoning: no\nAction: wait")
    }
}

fn json(output: &std::process::Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn each_agent_is_asked_of_its_own_model_and_pairs_make_a_matrix() {
    let endpoint = Endpoint::start_with(cooks);
    let bench = Bench::new("teams", CROSS);
    let output = bench.run(
        "out",
        &["--base-url", &endpoint.base_url(), "--format", "json"],
    );
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    let summary = json(&output);
    assert_eq!(summary["episodes"], 2 * 2 * 3);
    let matrix = &summary["matrices"][0];
    assert_eq!(matrix["setup"], "cross");
    assert_eq!(matrix["metric"], "success");
    assert_eq!(matrix["rows"]["agent"], "ann");
    let policies = |axis: &str| matrix[axis]["policies"].clone();
    assert_eq!(
        policies("rows"),
        serde_json::json!(["react@bad", "react@good"])
    );
    let columns = serde_json::json!(["react@bad", "react@good", "random"]);
    assert_eq!(policies("columns"), columns);
    let value = |row: usize, column: usize| matrix["values"][row][column]["value"].clone();
    // One cook is enough, and two who wait are none.
    assert_eq!([value(1, 1), value(1, 0), value(0, 1)], [1.0, 1.0, 1.0]);
    assert_eq!(value(0, 0), 0.0);

    let lines = bench.lines("out/index.jsonl");
    let of = |setup: &str| lines.iter().find(|line| line["setup"] == setup).unwrap();
    let mixed = of("cross ann=react@good bob=react@bad");
    assert_eq!(mixed["model"], Value::Null);
    assert_eq!(mixed["matrix"], "cross");
    assert_eq!(mixed["cell"]["bob"], "react@bad");
    let calls = bench.lines(&format!(
        "out/episodes/{}.jsonl",
        mixed["id"].as_str().unwrap()
    ));
    let mut cost = 0.0;
    for call in calls.iter().filter(|event| event["event"] == "call") {
        let asked = if call["agent"] == "ann" {
            "good"
        } else {
            "bad"
        };
        assert_eq!(call["model"], asked);
        assert_eq!(call["request"]["model"], asked);
        let price = if asked == "good" { 1e-6 } else { 1e-4 };
        let tokens =
            call["usage"]["input"].as_f64().unwrap() + call["usage"]["output"].as_f64().unwrap();
        cost += price * tokens;
    }
    assert!((mixed["cost"].as_f64().unwrap() - cost).abs() < 1e-12);
    let text = String::from_utf8(
        bench
            .run("out", &["--base-url", &endpoint.base_url()])
            .stdout,
    );
    let text = text.unwrap();
    assert!(text.contains("success of cross\nann \\ bob"), "{text}");
}

#[test]
fn a_dry_run_shows_the_teams_and_one_model_those_that_name_no_other() {
    let bench = Bench::new("teams-dry", CROSS);
    let nobody = [
        "--base-url",
        "http://127.0.0.1:9/v1",
        "--dry-run",
        "--format",
        "json",
    ];
    let plan = json(&bench.run("out", &nobody));
    let planned = plan["planned"].as_array().unwrap();
    assert_eq!(planned.len(), 12);
    assert_eq!(planned[0]["matrix"], "cross");
    let cell = serde_json::json!({ "ann": "react@bad", "bob": "react@bad" });
    assert_eq!(planned[0]["cell"], cell);
    let one = [&nobody[..], &["--model", "bad"]].concat();
    let plan = json(&bench.run("out", &one));
    let planned = plan["planned"].as_array().unwrap();
    let names = planned.iter().map(|it| it["setup"].as_str().unwrap());
    let mut names: Vec<&str> = names.collect();
    names.dedup();
    assert_eq!(
        names,
        [
            "cross ann=react@bad bob=react@bad",
            "cross ann=react@bad bob=random"
        ]
    );
}

#[test]
fn a_model_that_is_added_adds_teams_and_one_that_was_asked_cannot_change() {
    let endpoint = Endpoint::start_with(cooks);
    let url = endpoint.base_url();
    let (start, rest) = CROSS.split_once("[models.bad]").unwrap();
    let (_, rest) = rest.split_once("[[problems]]").unwrap();
    let small = format!("{start}[[problems]]{rest}");
    let bench = Bench::new("teams-grown", &small);
    assert_eq!(exit(&bench.run("out", &["--base-url", &url])), 0);
    let file = bench.folder.join("bench.toml");
    std::fs::write(&file, CROSS).unwrap();
    assert_eq!(exit(&bench.run("out", &["--base-url", &url])), 0);
    assert_eq!(exit(&bench.run("whole", &["--base-url", &url])), 0);
    assert_eq!(bench.files("out"), bench.files("whole"));
    let warm = CROSS.replace("[models.bad]", "[models.bad]\ntemperature = 0.5");
    std::fs::write(&file, warm).unwrap();
    let output = bench.run("out", &["--base-url", &url]);
    assert_eq!(exit(&output), 2);
    let said = stderr(&output);
    assert!(
        said.contains("`temperature` of model `bad` was not given"),
        "{said}"
    );
    let other = CROSS.replace(
        "ann = \"react@*\", bob = [\"react@*\", \"random\"]",
        "ann = \"react@good\", bob = \"react@good\"",
    );
    std::fs::write(&file, &other).unwrap();
    assert_eq!(exit(&bench.run("named", &["--base-url", &url])), 0);
    std::fs::write(
        &file,
        other.replace("bob = \"react@good\"", "bob = \"react@bad\""),
    )
    .unwrap();
    let output = bench.run("named", &["--base-url", &url]);
    assert_eq!(exit(&output), 2);
    let said = stderr(&output);
    assert!(
        said.contains("`except.bob` of set-up `cross` was \"react@good\""),
        "{said}"
    );
}

#[test]
fn a_model_that_no_set_up_asks_alone_is_refused() {
    let text = CROSS.replace(
        "ann = \"react@*\", bob = [\"react@*\", \"random\"]",
        "ann = \"react@good\", bob = \"react@bad\"",
    );
    let bench = Bench::new("teams-alone", &text);
    let output = bench.run(
        "out",
        &["--base-url", "http://127.0.0.1:9/v1", "--model", "bad"],
    );
    assert_eq!(exit(&output), 2);
    let said = stderr(&output);
    assert!(
        said.contains("give `--model` all models of a set-up"),
        "{said}"
    );
}

#[test]
fn teams_that_cannot_be_are_refused_with_the_way_out() {
    let setup = "agents = \"react\"";
    let elsewhere = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/problems/collab-overcooked/boiled_egg.pddl"
    );
    let elsewhere = format!(
        "agents = \"planner\"\nexcept = {{ bob = [\"random\", \"greedy\"] }}\n\n[[problems]]\npath = {elsewhere:?}"
    );
    for (index, (agents, expected)) in [
        ("agents = \"react@mok\"", "did you mean `mock`?"),
        (
            "agents = \"planner@mock\"",
            "the policy `planner` asks no model",
        ),
        ("agents = []", "a list of policies is empty"),
        ("agents = [1]", "a policy or a list of policies is expected"),
        ("agents = [\"greedy\", \"greedy\"]", "has `greedy` twice"),
        (
            "agents = \"react\"\nexcept = { eve = [\"random\", \"greedy\"] }",
            "no problem has an agent `eve`",
        ),
        (
            elsewhere.as_str(),
            "the policies of `bob` vary, and `boiled_egg` has no such agent",
        ),
        (
            "agents = [\"random\", \"greedy\"]\n\n\
             [[setups]]\nname = \"react\"\nagents = [\"planner\", \"greedy\"]",
            "two of `setups` are called `react`",
        ),
        (
            "agents = \"dispatcher\"\nexcept = { bob = \"dispatcher@mock\" }",
            "decides for all agents",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let bench = Bench::new(
            &format!("teams-mistake{index}"),
            &BENCH.replace(setup, agents),
        );
        let output = bench.run("out", &["--base-url", "http://127.0.0.1:9/v1"]);
        let said = stderr(&output);
        assert_eq!(exit(&output), 2, "{agents}: {said}");
        assert!(said.contains(expected), "{agents}: {said}");
    }
    let (before, after) = BENCH.split_once("[models.mock]").unwrap();
    let (_, after) = after.split_once("[[problems]]").unwrap();
    let text = format!("{before}[[problems]]{after}").replace(setup, "agents = \"react@*\"");
    let bench = Bench::new("teams-no-model", &text);
    let output = bench.run("out", &[]);
    assert_eq!(exit(&output), 2);
    let said = stderr(&output);
    assert!(
        said.contains("stands for every model, and there is none"),
        "{said}"
    );
}
