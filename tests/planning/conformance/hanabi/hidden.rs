//! Players may not learn their own cards. A game is replayed with another card in the place of one that the player
//! holds, of which all hints would have been the same, and the observation of the player does not differ.

use brigade::episode::Lexicon;

use super::fixtures::{Game, games};
use super::table::{COLOURS, PLAYERS, RANKS, SLOTS, Table};
use crate::common::split_mix::Random;
use crate::conformance::game::play;

/// Commands about a player's own cards, legal or not.
fn about_itself(player: usize) -> Vec<String> {
    let of_slot = |slot: &str| [format!("play({slot})"), format!("discard({slot})")];
    let hints = COLOURS.iter().chain(&RANKS);
    let hints = hints.map(|what| format!("tell({}, {what})", PLAYERS[player]));
    SLOTS.into_iter().flat_map(of_slot).chain(hints).collect()
}

/// Everything that a player is shown, from the start to that move.
fn shown(table: &Table<'_>, game: &Game, player: usize, moves: usize) -> Vec<String> {
    let task = &table.task;
    let lexicon = Lexicon::new(task);
    let mut state = task.initial.clone();
    let mut shown = vec![format!("{:?}", task.action_forms(player))];
    for seen in &game.seen[..=moves] {
        if let Some(what) = seen.by {
            let command = table.command(task.mover(&state), what);
            play(task, &mut state, &[&command]);
        }
        shown.push(format!("{:?}", task.observe_as(&state, player)));
        for command in about_itself(player) {
            let understood = lexicon.resolve(task, &state, player, &command);
            shown.push(match understood {
                Ok(_) => command,
                Err(refusal) => format!("{refusal:?}"),
            });
        }
    }
    shown
}

/// A deck in which one card of a player's hand after so many moves has changed places with one that nobody has
/// seen, such that no hint would have been another.
fn another(
    game: &Game,
    (player, moves): (usize, usize),
    random: &mut Random,
) -> Option<Vec<(usize, usize)>> {
    let seen = &game.seen[moves];
    let (dealt, beneath) = game.deck.split_at(game.deck.len() - seen.deck);
    let mut changes = Vec::new();
    for held in &seen.hands[player] {
        let is_held = |card: &(usize, usize)| *card == (held.colour, held.rank);
        // Of equal cards that were dealt it is not known which one is held.
        if dealt.iter().filter(|card| is_held(card)).count() > 1 {
            continue;
        }
        let from = dealt.iter().position(is_held)?;
        for (at, &(colour, rank)) in beneath.iter().enumerate() {
            let fits = held.colours & (1 << colour) != 0 && held.ranks & (1 << rank) != 0;
            if fits && !is_held(&(colour, rank)) {
                changes.push((from, dealt.len() + at));
            }
        }
    }
    let &(from, to) = changes.get(random.below(changes.len().max(1)))?;
    let mut deck = game.deck.clone();
    deck.swap(from, to);
    Some(deck)
}

#[test]
fn nothing_that_a_player_is_shown_depends_on_its_own_cards() {
    let mut random = Random(57);
    let (mut compared, mut differ) = (0, 0);
    for players in 2..=5 {
        let problem = format!("full-{players}");
        for game in games(&format!("players-{players}")).iter().take(3) {
            let table = Table::new(&problem, game, game.deck.clone(), "clean");
            for _ in 0..4 {
                let player = random.below(players);
                let moves = random.below(game.seen.len() - 1);
                let Some(deck) = another(game, (player, moves), &mut random) else {
                    continue;
                };
                let other = Table::new(&problem, game, deck, "clean");
                let ours = shown(&table, game, player, moves);
                assert_eq!(ours, shown(&other, game, player, moves));
                compared += moves + 1;
                // The others see the difference.
                let next = (player + 1) % players;
                let theirs = shown(&table, game, next, moves);
                differ += usize::from(theirs != shown(&other, game, next, moves));
            }
        }
    }
    // States, and changes of cards.
    assert_eq!((compared, differ), (557, 36));
}
