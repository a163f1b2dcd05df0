//! A game of the bundled domain with given cards, in the words of the fixtures.

use std::collections::BTreeMap;

use brigade::task::{PackedTask, State};

use super::fixtures::{Game, Held, Move, Seen};
use crate::conformance::game::{commands, compile_under, facts_but, problem};

pub(super) const PLAYERS: [&str; 5] = ["alice", "bob", "cathy", "donald", "emily"];
pub(super) const SLOTS: [&str; 5] = ["first", "second", "third", "fourth", "fifth"];
pub(super) const COLOURS: [&str; 5] = ["red", "yellow", "green", "white", "blue"];
pub(super) const RANKS: [&str; 5] = ["one", "two", "three", "four", "five"];

/// A game that is played.
pub(super) struct Table<'g> {
    pub(super) task: PackedTask,
    game: &'g Game,
    deck: Vec<(usize, usize)>,
}

fn position(names: &[&str], name: &str) -> usize {
    names.iter().position(|known| *known == name).unwrap()
}

impl<'g> Table<'g> {
    /// The problem of that name with the deck in this order.
    pub(super) fn new(
        name: &str,
        game: &'g Game,
        deck: Vec<(usize, usize)>,
        semantics: &str,
    ) -> Self {
        let mut copies: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let mut faces = String::new();
        for (number, &(colour, rank)) in (1..).zip(&deck) {
            let copy = copies.entry((colour, rank)).or_default();
            let suffix = if rank == 4 {
                ""
            } else {
                ["-a", "-b", "-c"][*copy]
            };
            *copy += 1;
            let face = format!("{}-{}{suffix}", COLOURS[colour], RANKS[rank]);
            faces += &format!("(= (face card{number}) {face}) ");
        }
        let text = problem("hanabi", name).replace("(:init", &format!("(:init {faces}"));
        Self {
            task: compile_under("hanabi", &text, true, semantics),
            game,
            deck,
        }
    }

    /// A move of a player as a command.
    pub(super) fn command(&self, player: usize, what: Move) -> String {
        let other = |offset: usize| PLAYERS[(player + offset) % self.game.players];
        match what {
            Move::Play(card) => format!("play {}", SLOTS[card]),
            Move::Discard(card) => format!("discard {}", SLOTS[card]),
            Move::Colour(offset, colour) => {
                format!("tell-colour {} {}", other(offset), COLOURS[colour])
            }
            Move::Rank(offset, rank) => format!("tell-rank {} {}", other(offset), RANKS[rank]),
        }
    }

    /// Every move there is.
    fn moves(&self) -> Vec<Move> {
        let cards = 0..self.game.hand;
        let mut moves: Vec<Move> = cards.clone().map(Move::Discard).collect();
        moves.extend(cards.map(Move::Play));
        for offset in 1..self.game.players {
            let colours = 0..self.game.colours;
            moves.extend(colours.map(|colour| Move::Colour(offset, colour)));
            moves.extend((0..5).map(|rank| Move::Rank(offset, rank)));
        }
        moves
    }

    /// The legal moves of the player whose turn it is, by their published numbers, one bit each.
    fn legal(&self, state: &State) -> u64 {
        let player = self.task.mover(state);
        let mut legal = commands(&self.task, state, player);
        let mut bits = 0;
        for what in self.moves() {
            if legal.remove(&self.command(player, what)) {
                bits |= 1 << what.number(self.game);
            }
        }
        assert!(legal.is_empty(), "{legal:?}");
        bits
    }

    /// A state as it would have been recorded after that move; `over` says whether the game is over.
    pub(super) fn seen(&self, state: &State, by: Option<Move>, over: bool) -> Seen {
        let full = |bits: usize| (1_u32 << bits) - 1;
        let mut hands: Vec<BTreeMap<usize, Held>> = vec![BTreeMap::new(); self.game.players];
        let mut ruled_out = Vec::new();
        let (mut stacks, mut numbers) = (0, BTreeMap::new());
        for fact in facts_but(&self.task, state, &["has", "discarded", "last-turns"]) {
            let words = fact.replace(['(', ')'], "");
            let words: Vec<&str> = words.split(' ').collect();
            match words[..] {
                ["=", "hand", player, slot, card] => {
                    let number: usize = card.trim_start_matches("card").parse().unwrap();
                    let (colour, rank) = self.deck[number - 1];
                    let held = Held {
                        colour,
                        rank,
                        colours: full(self.game.colours),
                        ranks: full(5),
                    };
                    hands[position(&PLAYERS, player)].insert(position(&SLOTS, slot), held);
                }
                ["=", "stack", _, cards] => stacks += cards.parse::<i64>().unwrap(),
                ["=", "top", _] | ["over"] => {}
                ["=", name, value] => {
                    numbers.insert(name.to_owned(), value.parse::<usize>().unwrap());
                }
                [name, player, slot, value] => {
                    let place = (position(&PLAYERS, player), position(&SLOTS, slot));
                    ruled_out.push((name == "not-colour", place, value.to_owned()));
                }
                _ => panic!("{fact}"),
            }
        }
        for (is_colour, (player, slot), value) in ruled_out {
            let held = hands[player].get_mut(&slot).unwrap();
            if is_colour {
                held.colours &= !(1 << position(&COLOURS, &value));
            } else {
                held.ranks &= !(1 << position(&RANKS, &value));
            }
        }
        let number = |name: &str| numbers.get(name).copied().unwrap_or_default();
        let lives = number("lives");
        Seen {
            by,
            score: if lives > 0 { stacks } else { 0 },
            tokens: number("tokens"),
            lives,
            deck: number("deck"),
            legal: (!over).then(|| self.legal(state)),
            hands: hands
                .into_iter()
                .map(|it| it.into_values().collect())
                .collect(),
        }
    }
}
