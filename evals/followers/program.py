"""The side of `exec:` that all scripts share: lines of JSON in, a command out (docs/how-to/programs.md)."""
import json
import re
import sys
from typing import Callable, Iterable


def found(patterns: dict[str, str], observation: Iterable[str]) -> dict[str, list[tuple[str, ...]]]:
    """The lines of an observation that fit a pattern each, as their groups, by the name of the pattern."""
    groups: dict[str, list[tuple[str, ...]]] = {name: [] for name in patterns}
    for line in observation:
        for name, pattern in patterns.items():
            if match := re.fullmatch(pattern, line):
                groups[name].append(match.groups())
    return groups


def play(begin: Callable[[dict], Callable[[list[str]], str | None]]) -> None:
    """Plays an episode: `begin` takes the first line, and gives what finds a command for an observation.

    What is not legal, or was refused, becomes `wait`.
    """
    for line in map(json.loads, sys.stdin):
        if line["event"] == "start":
            decide = begin(line)
        elif line["event"] in ("decide", "replayed"):
            command = decide(line["observation"]) if line["attempt"] == 0 else None
            if line["event"] == "decide":
                command = command if command in line["legal"] else "wait"
                print(json.dumps({"command": command}), flush=True)
