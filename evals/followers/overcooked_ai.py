#!/usr/bin/env python3
"""A player of Overcooked-AI who follows orders: the plain script that the baselines compare with.

What is to be got done is plain: three onions into each pot, a dish to each soup, the soup to the window. Whoever is
nearest does it, and where one cannot go the whole way, things are handed over on counters. Each player works out who
does what, who goes where, and who makes way; all come to the same, so they need not talk. Nobody plans ahead. Who is
blocked twice steps aside at random.

The floor plan is read from the problem file; its folder is the argument. `brigade run` and `brigade bench` start it as
`exec:python3 followers/overcooked_ai.py ../problems/overcooked-ai`. Soups are of onions, under `old-dynamics`.
"""
import random
import re
import sys
from collections import deque
from pathlib import Path

from program import found, play

LINES = {
    "at": r"(\S+) is at (\S+)",
    "facing": r"(\S+) faces (\S+)",
    "held": r"(\S+) holds (\S+)",
    "lying": r"(\S+) is on (\S+)",
    "gives": r"(\S+) gives (\S+)",
    "cooked": r"(\S+) has cooked for (\d+) ticks",
}
FULL = "soup-ooo"
SOON = 8  # a dish is fetched before onions if a soup is ready in so many ticks
DETOUR = 3  # who has the right of way goes round another for so many steps at most


def first(options):
    """The first of some, if there is any."""
    return next(iter(options), None)


class Plan:
    """The floor: where each cell leads, from where each station is reached, and how far that is."""

    def __init__(self, problem: str):
        self.next: dict[str, dict[str, str]] = {}
        self.beside: dict[str, dict[str, str]] = {}
        for kind, cell, way, to in re.findall(r"\(= \((next|ahead) (\S+) (\S+)\) (\S+)\)", problem):
            self.next.setdefault(cell, {})
            if kind == "next":
                self.next[cell][way] = to
            else:
                self.beside.setdefault(to, {})[cell] = way
        self.cook_time = int(re.search(rf"\(cook-time {FULL}\) (\d+)", problem).group(1))
        self.steps = {it: self.flood(cells) for it, cells in self.beside.items()}

    def flood(self, sources, closed=()) -> dict[str, int]:
        """The steps from each cell to the nearest of some, past no cell that is closed."""
        steps = {cell: 0 for cell in sources}
        queue = deque(steps)
        while queue:
            cell = queue.popleft()
            for other in self.next[cell].values():
                if other not in steps and other not in closed:
                    steps[other] = steps[cell] + 1
                    queue.append(other)
        return steps


class Kitchen:
    """What a player sees, and what all are to do."""

    def __init__(self, plan: Plan, players: list[str], observation: list[str]):
        lines = found(LINES, observation)
        self.plan, self.players = plan, players
        self.at, self.facing = dict(lines["at"]), dict(lines["facing"])
        inside = dict(lines["held"])
        self.held = {who: inside[who] for who in players if who in inside}
        self.pots = {it: what for it, what in inside.items() if it not in players}
        self.lying = {counter: what for what, counter in lines["lying"]}
        self.gives = dict(lines["gives"])
        self.left = {pot: plan.cook_time - int(ticks) for pot, ticks in lines["cooked"]}
        self.windows = [it for it in plan.beside if it.startswith("window")]
        self.free = [it for it in plan.beside if it.startswith("counter") and it not in self.lying]

    def reaches(self, who: str, stations) -> list[str]:
        """The stations that a player can get to, nearest first."""
        steps = self.plan.steps
        here = [it for it in stations if self.at[who] in steps[it]]
        return sorted(here, key=lambda it: (steps[it][self.at[who]], it))

    def distance(self, who: str, station: str) -> int:
        return self.plan.steps[station][self.at[who]]

    def full(self) -> list[str]:
        return [pot for pot, inside in self.pots.items() if inside == FULL]

    def users(self, thing: str) -> list[str]:
        """The stations at which a thing is used."""
        if thing == "onion":
            return [pot for pot, inside in self.pots.items() if inside != FULL] or list(self.pots)
        return list(self.pots) if thing == "dish" else self.windows

    def count(self, pot: str) -> int:
        """How much is in a pot: `soup-oo` is two onions."""
        return len(self.pots[pot].removeprefix("soup-")) if self.pots[pot] != "nothing" else 0

    def carry(self, who: str, claimed: set[str]) -> str | None:
        """Where a player takes what it holds; dishes have been claimed for some pots."""
        thing = self.held[who]
        here = self.reaches(who, self.users(thing))
        aside = self.reaches(who, self.free)
        if not here:  # somebody else is to take it there
            others = [it for it in self.players if self.reaches(it, self.users(thing))]
            return first(it for it in aside if any(self.reaches(other, [it]) for other in others))
        if thing == "dish":
            here = [pot for pot in here if self.pots[pot] == FULL and pot not in claimed]
            here.sort(key=lambda pot: max(self.left[pot], self.distance(who, pot)))
        elif thing == "onion":
            here.sort(key=lambda pot: self.count(pot), reverse=True)
            if self.pots[here[0]] == FULL and "dish" not in self.held.values():
                here = []
        return first(here or aside)

    def jobs(self) -> list[str]:
        """What is to be fetched, most urgent first."""
        held = list(self.held.values())
        soups = [it for it in self.lying.values() if it == FULL]
        missing = sum(3 - self.count(pot) for pot in self.pots) - held.count("onion")
        left = sorted(self.left[pot] for pot in self.full())[held.count("dish"):]
        soon = sum(ticks <= SOON for ticks in left)
        ahead = ["onion"] * len(left)
        return soups + ["dish"] * soon + ["onion"] * missing + ["dish"] * (len(left) - soon) + ahead

    def source(self, who: str, thing: str, wanted: int) -> str | None:
        """Where a player fetches a thing, if that is of use."""
        lying = [it for it, what in self.lying.items() if what == thing]
        given = [it for it, what in self.gives.items() if what == thing]
        if self.reaches(who, self.users(thing)):
            return first(self.reaches(who, lying + given))
        return first(self.reaches(who, given)) if len(lying) < wanted else None

    def goals(self) -> dict[str, str]:
        """The station that each player goes to."""
        goals: dict[str, str] = {}
        claimed: set[str] = set()
        for who, thing in self.held.items():
            if goal := self.carry(who, claimed):
                goals[who] = goal
                claimed |= {goal} if thing == "dish" else set()
        jobs = self.jobs()
        for job in jobs:
            offers = []
            for who in self.players:
                at = self.source(who, job, jobs.count(job)) if who not in self.held and who not in goals else None
                if at and (at in self.gives or at not in goals.values()):
                    offers.append((self.distance(who, at), who, at))
            if offers:
                _, who, at = min(offers)
                goals[who] = at
        return goals

    def usable(self, who: str, station: str) -> bool:
        """Whether to interact with a station does any good by now."""
        if station in self.pots:
            full = self.pots[station] == FULL
            return full and self.left[station] <= 0 if self.held[who] == "dish" else not full
        return True

    def way(self, who: str, goal: str, closed: set[str]) -> list[str]:
        """The cells of a shortest way to a station, past no cell that is closed; none if there is no way."""
        cell, way = self.at[who], []
        steps = self.plan.flood(self.plan.beside[goal].keys() - closed, closed - {cell})
        while steps.get(cell):
            cell = min((it for it in self.plan.next[cell].values() if it in steps), key=steps.get)
            way.append(cell)
        return way

    def best_way(self, who: str, goal: str, taken: set[str]) -> list[str]:
        """The way round all others, unless it is much longer than that past those alone who come first."""
        around = self.way(who, goal, taken | {self.at[it] for it in self.players if it != who})
        through = self.way(who, goal, taken)
        return around if around and len(around) <= len(through) + DETOUR else through

    def commands(self) -> dict[str, str]:
        """What everyone does now."""
        goals = self.goals()
        worth = {FULL: 0, "dish": 1, "onion": 2}
        rank = {it: worth.get(self.held.get(it), 3) if it in goals else 4 for it in self.players}
        commands: dict[str, str] = {}
        ways: list[str] = []  # of those that come first, with where they stand
        taken: set[str] = set()  # where they are, and will be
        for who in sorted(self.players, key=rank.get):
            cell, goal = self.at[who], goals.get(who)
            place = self.plan.beside[goal].get(cell) if goal else None
            if place and self.usable(who, goal):
                commands[who] = "interact" if self.facing[who] == place else f"move {place}"
                taken.add(cell)
                continue
            way = self.best_way(who, goal, taken) if goal and not place else []
            if not way and cell in ways:  # make way
                off = [it for it in self.plan.next[cell].values() if it not in taken]
                way = sorted(off, key=ways.count)[:1]
            if way:
                commands[who] = next(f"move {it}" for it, to in self.plan.next[cell].items() if to == way[0])
            ways += [cell, *way]
            taken |= {cell, *way[:1]}
        return commands


def begin(start: dict):
    """The player that the first line names."""
    me, players = start["agent"], start["agents"]
    plan = Plan((Path(sys.argv[1]) / f"{start['problem']}.pddl").read_text())
    draw = random.Random(f"{start['seed']} {me}")
    before, idle = None, 0

    def decide(observation: list[str]) -> str | None:
        nonlocal before, idle
        kitchen = Kitchen(plan, players, observation)
        command = kitchen.commands().get(me)
        now = (kitchen.at[me], kitchen.facing[me], kitchen.held.get(me), command)
        idle = idle + 1 if now == before else 0
        before = now
        aside = list(plan.next[kitchen.at[me]])
        if command and aside and idle >= 2:  # blocked twice
            return f"move {draw.choice(aside)}"
        return command

    return decide


play(begin)
