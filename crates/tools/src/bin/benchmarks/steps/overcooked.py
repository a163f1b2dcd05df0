"""Random play in a layout of `overcooked-ai`: the legal actions of each player, one of them, and the step."""
import json
import random
import sys
import time

from overcooked_ai_py.mdp.overcooked_mdp import OvercookedGridworld

kitchen = OvercookedGridworld.from_layout_name(sys.argv[1])
steps, draws = int(sys.argv[2]), random.Random(7)
state, age = kitchen.get_standard_start_state(), 0
start = time.process_time()
for _ in range(steps):
    joint = tuple(draws.choice(legal) for legal in kitchen.get_actions(state))
    state, _ = kitchen.get_state_transition(state, joint)
    age += 1
    if age == 400:
        state, age = kitchen.get_standard_start_state(), 0
print(json.dumps({"steps": steps, "seconds": time.process_time() - start}))
