//! The expectation of the best players, by value iteration over the steps of the compiled task: the killer moves as its
//! weights say.

use std::collections::HashMap;

use brigade::task::effect::Record;
use brigade::task::step::Status;
use brigade::task::{OperatorId, PackedTask};

use super::model::KILLER;
use super::steps::HOUSES;
use crate::conformance::game::{compile, problem};

/// The end of a step.
#[derive(Clone, Copy)]
enum Next {
    State(usize),
    Lost,
    Won,
}

/// The possible ends of a step, each with its probability.
type Outcome = Vec<(f64, Next)>;

/// For each state what may come of each joint choice of the players.
type Game = Vec<Vec<Outcome>>;

/// The game from the start of a task, state 0.
fn game(task: &PackedTask) -> Game {
    let mut numbers = HashMap::from([(task.initial.clone(), 0)]);
    let mut states = vec![task.initial.clone()];
    let mut game = Game::new();
    while let Some(state) = states.get(game.len()).cloned() {
        let own = |agent| task.applicable(&state, agent).collect::<Vec<_>>();
        let (first, second) = (own(0), own(1));
        let killer = task.weighted(&state, KILLER).unwrap();
        let all: i64 = killer.iter().map(|(_, weight)| weight).sum();
        let mut outcomes = Vec::new();
        for &alice in &first {
            for &bob in &second {
                let mut play = |&(prowl, weight): &(OperatorId, i64)| {
                    let mut after = state.clone();
                    let joint = [alice, bob, prowl];
                    let step = task.step(&mut after, &joint, &mut Record::default());
                    let next = match step.unwrap() {
                        Status::Failed => Next::Lost,
                        Status::Goal => Next::Won,
                        Status::Running | Status::Ended => {
                            let new = numbers.len();
                            let number = *numbers.entry(after.clone()).or_insert(new);
                            if number == new {
                                states.push(after);
                            }
                            Next::State(number)
                        }
                    };
                    (weight as f64 / all as f64, next)
                };
                outcomes.push(killer.iter().map(&mut play).collect());
            }
        }
        game.push(outcomes);
    }
    game
}

/// The states from which the players can win whatever the killer does, by the most turns that it can take then.
fn surely(game: &Game) -> Vec<Option<u32>> {
    let mut turns = vec![None; game.len()];
    for most in 1.. {
        let is_won = |(_, next): &(f64, Next)| match next {
            Next::State(number) => turns[*number].is_some(),
            Next::Lost => false,
            Next::Won => true,
        };
        let found: Vec<usize> = (0..game.len())
            .filter(|&state| turns[state].is_none())
            .filter(|&state| game[state].iter().any(|it| it.iter().all(is_won)))
            .collect();
        if found.is_empty() {
            break;
        }
        for state in found {
            turns[state] = Some(most);
        }
    }
    turns
}

/// The least turns that players who surely win can expect.
fn expected(game: &Game, surely: &[Option<u32>]) -> f64 {
    let mut values = vec![0.0; game.len()];
    loop {
        let mut change: f64 = 0.0;
        for state in (0..game.len()).filter(|&state| surely[state].is_some()) {
            let value_of = |outcome: &Outcome| {
                let mut sum = 1.0;
                for (share, next) in outcome {
                    match next {
                        Next::State(number) if surely[*number].is_some() => {
                            sum += share * values[*number];
                        }
                        Next::Won => {}
                        Next::State(_) | Next::Lost => return f64::INFINITY,
                    }
                }
                sum
            };
            let value = game[state]
                .iter()
                .map(value_of)
                .fold(f64::INFINITY, f64::min);
            change = change.max((value - values[state]).abs());
            values[state] = value;
        }
        if change < 1e-12 {
            return values[0];
        }
    }
}

/// The chance to win within so many turns.
fn chance(game: &Game, turns: u32) -> f64 {
    let mut values = vec![0.0; game.len()];
    for _ in 0..turns {
        let value_of = |outcome: &Outcome| {
            let of = |(share, next): &(f64, Next)| match next {
                Next::State(number) => share * values[*number],
                Next::Lost => 0.0,
                Next::Won => *share,
            };
            outcome.iter().map(of).sum::<f64>()
        };
        let best = |outcomes: &Vec<Outcome>| outcomes.iter().map(value_of).fold(0.0, f64::max);
        values = game.iter().map(best).collect();
    }
    values[0]
}

#[test]
fn the_best_players_surely_win_and_expect_so_many_turns() {
    let mut found = Vec::new();
    for (name, _) in HOUSES {
        let text = problem("collab-escape", name).replace("(:horizon 50)", "");
        let game = game(&compile("collab-escape", &text, false));
        let surely = surely(&game);
        assert!(surely.iter().all(Option::is_some), "nothing is lost yet");
        let turns = expected(&game, &surely);
        let chances = [5, 6, 7, 8].map(|turns| (1e4 * chance(&game, turns)).round() / 1e4);
        found.push((name, (1e9 * turns).round() / 1e9, surely[0], chances));
    }
    let expected = [
        ("code-map", 6.5, Some(8), [0.0, 0.75, 0.9375, 1.0]),
        (
            "prompt-map",
            7.416_666_667,
            Some(8),
            [0.0, 0.5208, 0.5208, 1.0],
        ),
    ];
    assert_eq!(found, expected);
}
