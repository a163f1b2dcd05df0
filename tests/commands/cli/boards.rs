//! Boards: problems with a layout, played and shown on a page.

use serde_json::Value;

use super::{Scratch, run, shown};

/// The document in a page.
fn document(page: &str) -> Value {
    let (_, rest) = page
        .split_once("<script id=\"data\" type=\"application/json\">")
        .unwrap();
    let (data, _) = rest.split_once("</script>").unwrap();
    serde_json::from_str(data).unwrap()
}

/// The board of an episode of random actions.
fn board(scratch: &Scratch, problem: &str) -> Value {
    let log = scratch.path("episode.jsonl");
    let page = scratch.path("episode.html");
    let problem = format!("problems/{problem}.pddl");
    let runs: [&[&str]; 2] = [
        &[
            "run",
            &problem,
            "--others",
            "random",
            "--max-ticks",
            "12",
            "--log",
            &log,
            "--force",
        ],
        &[
            "view",
            &log,
            "--no-open",
            "--output",
            &page,
            "--time-limit",
            "0.1",
        ],
    ];
    for args in runs {
        let output = run(args);
        assert!(output.status.code() < Some(2), "{}", shown(args, &output));
    }
    let mut document = document(&std::fs::read_to_string(&page).unwrap());
    document["episodes"]["episode"]["board"].take()
}

/// The texts of what is in cells at a tick.
fn drawn(board: &Value, tick: usize) -> Vec<&str> {
    let frame = board["frames"][tick].as_array().unwrap();
    let items = frame
        .iter()
        .map(|index| &board["items"][index.as_u64().unwrap() as usize]);
    items.map(|item| item["text"].as_str().unwrap()).collect()
}

#[test]
fn the_agents_of_every_system_with_a_layout_are_on_its_board() {
    let scratch = Scratch::new("boards");
    for (problem, expected) in [
        (
            "overcooked-ai/cramped_room-deliver-1",
            &["player1", "player2"][..],
        ),
        ("collab-overcooked/boiled_egg", &["chef", "assistant"]),
        (
            "collab-capture/both-open",
            &["alice", "bob", "thief", "open", "door1"],
        ),
        (
            "collab-escape/code-map",
            &["alice", "bob", "killer", "generator1", "gate"],
        ),
    ] {
        let board = board(&scratch, problem);
        let first = drawn(&board, 0);
        for text in expected {
            assert!(first.contains(text), "{problem}: {text} in {first:?}");
        }
        let frames = board["frames"].as_array().unwrap();
        assert!(frames.iter().any(|frame| *frame != frames[0]), "{problem}");
    }
}

#[test]
fn a_problem_without_a_layout_has_no_board() {
    let scratch = Scratch::new("boards-none");
    assert!(board(&scratch, "order-rush/lunch").is_null());
}
