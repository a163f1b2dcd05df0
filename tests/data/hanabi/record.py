"""Records games of the Hanabi Learning Environment (Bard et al., 2020), version 0.0.4 on PyPI.

    python3 -m venv hle
    CMAKE_POLICY_VERSION_MINIMUM=3.5 hle/bin/pip install hanabi-learning-environment==0.0.4
    hle/bin/python tests/data/hanabi/record.py tests/data/hanabi

writes `players-2.txt` to `players-5.txt` and `small.txt`. (pip may ask for cmake, ninja, scikit-build and cffi.)

A game begins with a line `game players colours ranks hand tokens lives` and a line `deck` with its cards in the
order in which they are dealt, each a letter for its colour and a digit for its rank. A line follows for the start
and for each move:

    move score tokens lives deck legal hands

`move` is `P0` (play the first card), `D0` (discard it), `C1R` (tell the next player but none its red cards), `R1.3`
(tell it its threes), and `-` at the start. `legal` holds the moves that are legal then, as the bits of a hexadecimal
number by their published numbers; `-` once the game is over. `hands` are those of all players, each card three
characters: its letter (a = red 1, b = red 2, ...) and what may be its colour and its rank by the hints, each as one
digit of base 32, whose bits are the colours and ranks.
"""

import random
import sys
from pathlib import Path

from hanabi_learning_environment import pyhanabi

COLOURS = "RYGWB"
DIGITS = "0123456789abcdefghijklmnopqrstuv"
MOVES = pyhanabi.HanabiMoveType


def move_text(move):
    """A move in the form of the file."""
    kind = move.type()
    if kind == MOVES.PLAY:
        return f"P{move.card_index()}"
    if kind == MOVES.DISCARD:
        return f"D{move.card_index()}"
    if kind == MOVES.REVEAL_COLOR:
        return f"C{move.target_offset()}{COLOURS[move.color()]}"
    return f"R{move.target_offset()}.{move.rank() + 1}"


def card_text(game, card, knowledge):
    """A card and what the hints leave open of it."""
    colours = sum(1 << i for i in range(game.num_colors()) if knowledge.color_plausible(i))
    ranks = sum(1 << i for i in range(game.num_ranks()) if knowledge.rank_plausible(i))
    return chr(ord("a") + 5 * card.color() + card.rank()) + DIGITS[colours] + DIGITS[ranks]


def line(game, state, move):
    """The state after a move."""
    # What is known of all hands is in the observation of any player, its own first. It must outlive its parts.
    observation = state.observation(0)
    knowledge = observation.card_knowledge()
    hands = []
    for hand, known in zip(state.player_hands(), knowledge):
        hands.append("".join(card_text(game, card, it) for card, it in zip(hand, known)))
    legal = "-"
    if not state.is_terminal():
        legal = f"{sum(1 << game.get_move_uid(it) for it in state.legal_moves()):x}"
    parts = [move, state.score(), state.information_tokens(), state.life_tokens(), state.deck_size()]
    return " ".join([*map(str, parts), legal, *hands])


def choose(state, style, rng):
    """A legal move: anything, or what a player who sees all cards would do, more or less."""
    moves = list(state.legal_moves())
    if style == "random" or rng.random() < 0.05:
        return rng.choice(moves)
    player = state.cur_player()
    hand = state.player_hands()[player]
    fits = [it for it in moves if it.type() == MOVES.PLAY
            and state.card_playable_on_fireworks(hand[it.card_index()].color(), hand[it.card_index()].rank())]
    others = [it for it in moves if it.type() != MOVES.PLAY]
    if fits and (style == "expert" or rng.random() < 0.5):
        return rng.choice(fits)
    if style == "expert":
        fireworks = state.fireworks()
        useless = [it for it in others if it.type() == MOVES.DISCARD
                   and hand[it.card_index()].rank() < fireworks[hand[it.card_index()].color()]]
        if useless:
            return rng.choice(useless)
        hints = [it for it in others if it.type() != MOVES.DISCARD]
        if hints:
            return rng.choice(hints)
    return rng.choice(others or moves)


def record(parameters, style, seed):
    """The lines of one game."""
    game = pyhanabi.HanabiGame({**parameters, "seed": seed, "random_start_player": False})
    rng = random.Random(seed)
    state = game.new_initial_state()
    lines = []
    move = "-"
    while True:
        if state.cur_player() == pyhanabi.CHANCE_PLAYER_ID and not state.is_terminal():
            state.deal_random_card()
            continue
        lines.append(line(game, state, move))
        if state.is_terminal():
            break
        chosen = choose(state, style, rng)
        move = move_text(chosen)
        state.apply_move(chosen)
    dealt = [it.move() for it in state.move_history() if it.move().type() == MOVES.DEAL]
    deck = [(it.color(), it.rank()) for it in dealt]
    # What was never dealt lies beneath, in any order.
    for colour in range(game.num_colors()):
        for rank in range(game.num_ranks()):
            missing = game.num_cards(colour, rank) - deck.count((colour, rank))
            deck += [(colour, rank)] * missing
    header = [game.num_players(), game.num_colors(), game.num_ranks(), game.hand_size(),
              game.max_information_tokens(), game.max_life_tokens()]
    cards = "".join(COLOURS[colour] + str(rank + 1) for colour, rank in deck)
    return ["game " + " ".join(map(str, header)), "deck " + cards, *lines]


def write(path, games):
    """A file of games."""
    path.write_text("\n".join(line for game in games for line in game) + "\n")


def main(folder):
    """All files."""
    styles = ["random", "cautious", "expert", "expert", "cautious"]
    for players in range(2, 6):
        parameters = {"players": players, "colors": 5, "ranks": 5}
        games = [record(parameters, styles[seed % 5], seed) for seed in range(20)]
        write(folder / f"players-{players}.txt", games)
    small = {"players": 2, "colors": 2, "ranks": 5, "hand_size": 2, "max_information_tokens": 3,
             "max_life_tokens": 1}
    write(folder / "small.txt", [record(small, styles[seed % 5], seed) for seed in range(20)])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
