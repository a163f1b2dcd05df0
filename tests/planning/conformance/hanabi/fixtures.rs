//! The recorded games: `tests/data/hanabi`. `record.py` there writes them, and says how they are written.

use std::fs;

use crate::common::compiled::root;

/// The letters of the colours, in order.
const COLOURS: &str = "RYGWB";

/// A recorded game.
#[derive(Debug)]
pub(super) struct Game {
    pub(super) players: usize,
    pub(super) colours: usize,
    pub(super) hand: usize,
    /// Colours and ranks from 0, in the order in which they are dealt.
    pub(super) deck: Vec<(usize, usize)>,
    /// The start, then what each move led to.
    pub(super) seen: Vec<Seen>,
}

/// The recorded result of the game.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Seen {
    /// The move; none before the start.
    pub(super) by: Option<Move>,
    pub(super) score: i64,
    pub(super) tokens: usize,
    pub(super) lives: usize,
    pub(super) deck: usize,
    /// By the published numbers of moves, one bit each; `None` where the game is over.
    pub(super) legal: Option<u64>,
    pub(super) hands: Vec<Vec<Held>>,
}

/// A card in a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) colour: usize,
    pub(super) rank: usize,
    /// The values that the hints leave open, one bit each.
    pub(super) colours: u32,
    pub(super) ranks: u32,
}

/// A move of the player whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    Play(usize),
    Discard(usize),
    /// To the player who comes so many turns later.
    Colour(usize, usize),
    Rank(usize, usize),
}

impl Move {
    fn read(text: &str) -> Option<Self> {
        let (kind, rest) = text.split_at(1);
        let number = |text: &str| text.parse::<usize>().unwrap();
        match kind {
            "P" => Some(Self::Play(number(rest))),
            "D" => Some(Self::Discard(number(rest))),
            "C" => Some(Self::Colour(
                number(&rest[..1]),
                COLOURS.find(&rest[1..]).unwrap(),
            )),
            "R" => {
                let (offset, rank) = rest.split_once('.').unwrap();
                Some(Self::Rank(number(offset), number(rank) - 1))
            }
            _ => None,
        }
    }

    /// The published number of a move.
    pub(super) fn number(self, game: &Game) -> usize {
        let hints = 2 * game.hand;
        match self {
            Self::Discard(card) => card,
            Self::Play(card) => game.hand + card,
            Self::Colour(offset, colour) => hints + (offset - 1) * game.colours + colour,
            Self::Rank(offset, rank) => {
                hints + (game.players - 1) * game.colours + (offset - 1) * 5 + rank
            }
        }
    }
}

impl Seen {
    fn read(line: &str) -> Self {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |at: usize| words[at].parse::<usize>().unwrap();
        let legal = words[5];
        let held = |text: &[u8]| {
            let card = usize::from(text[0] - b'a');
            let mask = |digit: u8| char::from(digit).to_digit(32).unwrap();
            Held {
                colour: card / 5,
                rank: card % 5,
                colours: mask(text[1]),
                ranks: mask(text[2]),
            }
        };
        let hand = |word: &&str| word.as_bytes().chunks(3).map(held).collect();
        Self {
            by: Move::read(words[0]),
            score: number(1) as i64,
            tokens: number(2),
            lives: number(3),
            deck: number(4),
            legal: (legal != "-").then(|| u64::from_str_radix(legal, 16).unwrap()),
            hands: words[6..].iter().map(hand).collect(),
        }
    }
}

/// The games of a file.
pub(super) fn games(name: &str) -> Vec<Game> {
    let path = root().join(format!("tests/data/hanabi/{name}.txt"));
    let text = fs::read_to_string(path).unwrap();
    let mut games: Vec<Game> = Vec::new();
    for line in text.lines() {
        if let Some(header) = line.strip_prefix("game ") {
            let words = header.split(' ');
            let numbers: Vec<usize> = words.map(|word| word.parse().unwrap()).collect();
            games.push(Game {
                players: numbers[0],
                colours: numbers[1],
                hand: numbers[3],
                deck: Vec::new(),
                seen: Vec::new(),
            });
            continue;
        }
        let game = games.last_mut().unwrap();
        if let Some(deck) = line.strip_prefix("deck ") {
            let card = |text: &[u8]| {
                let colour = COLOURS.find(char::from(text[0])).unwrap();
                (colour, usize::from(text[1] - b'1'))
            };
            game.deck = deck.as_bytes().chunks(2).map(card).collect();
        } else {
            game.seen.push(Seen::read(line));
        }
    }
    games
}
