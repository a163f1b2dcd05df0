//! The recorded games, replayed move by move.

use brigade::task::effect::Record;
use brigade::task::step::Status;

use super::fixtures::{Game, games};
use super::table::Table;
use crate::common::compiled::{files, root, stem};
use crate::conformance::game::play_recorded;

/// The recordings, with the problems on which they are replayed.
const RECORDED: [(&str, &str); 5] = [
    ("players-2", "full-2"),
    ("players-3", "full-3"),
    ("players-4", "full-4"),
    ("players-5", "full-5"),
    ("small", "small-2"),
];

/// Replays a game, and gives what its last step added to the score.
fn replay(problem: &str, game: &Game, semantics: &str) -> i64 {
    let table = Table::new(problem, game, game.deck.clone(), semantics);
    let mut state = table.task.initial.clone();
    let (mut score, mut status) = (0, Status::Running);
    for (number, seen) in game.seen.iter().enumerate() {
        if let Some(what) = seen.by {
            assert_eq!(status, Status::Running, "move {number}");
            assert_eq!(score, 0, "before the end nothing is counted");
            let command = table.command(table.task.mover(&state), what);
            let mut record = Record::default();
            status = play_recorded(&table.task, &mut state, &[&command], &mut record);
            score = table
                .task
                .added(&record)
                .get("score")
                .copied()
                .unwrap_or_default();
        }
        let is_over = status != Status::Running;
        assert_eq!(&table.seen(&state, seen.by, is_over), seen, "move {number}");
    }
    assert_eq!(status, Status::Ended);
    score
}

/// Replays a file: games, moves, and the sum of the scores.
fn check(recorded: &str, problem: &str) -> (usize, usize, i64) {
    let games = games(recorded);
    let (mut moves, mut sum) = (0, 0);
    for game in &games {
        let score = replay(problem, game, "clean");
        assert_eq!(score, game.seen.last().unwrap().score);
        moves += game.seen.len() - 1;
        sum += score;
    }
    (games.len(), moves, sum)
}

#[test]
fn every_recorded_game_is_replayed_move_by_move() {
    let found = RECORDED.map(|(recorded, problem)| check(recorded, problem));
    let expected = [
        (20, 1073, 311),
        (20, 938, 350),
        (20, 998, 342),
        (20, 878, 328),
        (20, 404, 91),
    ];
    assert_eq!(found, expected);
}

#[test]
fn games_that_are_lost_keep_their_score_under_the_other_semantics() {
    let mut lost = 0;
    for game in &games("small") {
        let last = game.seen.last().unwrap();
        if last.lives > 0 {
            continue;
        }
        let fits = game.seen.iter().rev().find(|seen| seen.lives > 0).unwrap();
        assert_eq!(replay("small-2", game, "keep-score"), fits.score);
        lost += 1;
    }
    assert!(lost > 0);
}

#[test]
fn every_bundled_problem_but_the_smallest_is_compared() {
    let files = files(&root().join("problems/hanabi"));
    let names: Vec<&str> = files.iter().map(|path| stem(path)).collect();
    let mut compared: Vec<&str> = RECORDED.iter().map(|(_, problem)| *problem).collect();
    compared.push("tiny-2");
    assert_eq!(names, compared);
}
