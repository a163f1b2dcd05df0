"""Random play of Hanabi in `hanabi-learning-environment`: the legal moves, one of them, and the step."""
import json
import random
import sys
import time

from hanabi_learning_environment import pyhanabi

game = pyhanabi.HanabiGame({"players": int(sys.argv[1]), "seed": 7, "random_start_player": False})
steps, draws = int(sys.argv[2]), random.Random(7)
state, made = game.new_initial_state(), 0
start = time.process_time()
while made < steps:
    if state.is_terminal():
        state = game.new_initial_state()
    elif state.cur_player() == pyhanabi.CHANCE_PLAYER_ID:
        state.deal_random_card()
    else:
        state.apply_move(draws.choice(state.legal_moves()))
        made += 1
print(json.dumps({"steps": steps, "seconds": time.process_time() - start}))
