//! Boards: problems with a layout, played and shown on a page.

use serde_json::Value;

use super::{Scratch, run, run_with_input, shown};

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

/// The first question to a person, with its board.
fn question(problem: &str, agent: &str, options: &[&str]) -> String {
    let policy = format!("{agent}=human");
    let args = ["run", problem, "--agent", &policy, "--others", "random"];
    let output = run_with_input(&[&args, options].concat(), "quit\n");
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(text.contains("+----"), "{}", shown(&args, &output));
    text
}

#[test]
fn a_player_of_hanabi_sees_the_cards_of_others_on_the_board_and_never_its_own() {
    let scratch = Scratch::new("board-hanabi");
    let problem = "problems/hanabi/small-2.pddl";
    let deal = |seed: &str| {
        let args = [
            "generate",
            "deal",
            problem,
            "--function",
            "face",
            "--seed",
            seed,
        ];
        let output = run(&args);
        assert_eq!(output.status.code(), Some(0), "{}", shown(&args, &output));
        String::from_utf8(output.stdout).unwrap()
    };
    let dealt = deal("1");
    let face = |text: &str, card: &str| -> String {
        let (_, rest) = text.split_once(&format!("(= (face {card}) ")).unwrap();
        rest.split_once(')').unwrap().0.to_owned()
    };
    // Whose card it is, is in the problem.
    let text = std::fs::read_to_string(problem).unwrap();
    let card = |player: &str| -> String {
        let (_, rest) = text
            .split_once(&format!("(= (hand {player} first) "))
            .unwrap();
        rest.split_once(')').unwrap().0.to_owned()
    };
    let last = |dealt: &str| {
        let cards = (1..).map_while(|number| {
            let card = format!("card{number}");
            dealt.contains(&format!("(face {card})")).then_some(card)
        });
        cards.last().unwrap()
    };
    // The first card of a player, and the last of the deck, which nobody sees, change places.
    let changed = |player: &str| {
        let (one, other) = (card(player), last(&dealt));
        let (first, second) = (face(&dealt, &one), face(&dealt, &other));
        let look = |face: &str| face.rsplit_once('-').unwrap().0.to_owned();
        assert_ne!(
            look(&first),
            look(&second),
            "the faces are alike: take another seed"
        );
        let is = |card: &str, face: &str| format!("(= (face {card}) {face})");
        dealt
            .replace(&is(&one, &first), &is(&one, "?"))
            .replace(&is(&other, &second), &is(&other, &first))
            .replace(&is(&one, "?"), &is(&one, &second))
    };
    let shown_to_alice = |name: &str, deal: &str| {
        let deal = scratch.file(name, deal);
        question(problem, "alice", &["--init", &deal])
    };
    let first = shown_to_alice("deal.pddl", &dealt);
    assert_eq!(shown_to_alice("own.pddl", &changed("alice")), first);
    let other = shown_to_alice("other.pddl", &changed("bob"));
    let board = |text: &str| -> String {
        let lines = text.lines().filter(|line| line.starts_with('|'));
        lines.map(|line| format!("{line}\n")).collect()
    };
    assert_ne!(board(&other), board(&first));
}

#[test]
fn a_cook_without_the_recipe_has_a_board_that_does_not_depend_on_it() {
    let scratch = Scratch::new("board-recipe");
    let domain = std::fs::read_to_string("domains/collab-overcooked.pddl").unwrap();
    let (fact, other) = (
        "(= (uses make-boiled_egg egg) 1)",
        "(= (uses make-boiled_egg egg) 2)",
    );
    assert!(domain.contains(fact));
    let domain = scratch.file("domain.pddl", domain.replace(fact, other));
    let problem = "problems/collab-overcooked/boiled_egg.pddl";
    for (agent, knows) in [("assistant", false), ("chef", true)] {
        let options = ["--max-ticks", "60"];
        let known = question(problem, agent, &options);
        let changed = question(
            problem,
            agent,
            &[&options[..], &["--domain", &domain]].concat(),
        );
        assert_eq!(known != changed, knows, "{known}\n{changed}");
        assert!(known.contains('@') && known.contains("pot"), "{known}");
    }
}
