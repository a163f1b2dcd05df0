#!/usr/bin/env python3
"""A cook of CookMAS who follows orders: the plain script that the baselines compare with.

Dishes go round: the first that is ordered is the first cook's, the second the second's, and so on. A cook makes its
dishes one after another, and of a dish one part after another, as the cookbook and the guest say; it stands by what is
on the fire. Where a guest changes a dish, the cook puts right what it can, and clears the plate if it must. Recipes
are read in prose, on the pages that lie open. `brigade run` and `brigade bench` start it as
`exec:python3 followers/cookmas.py`.
"""
import re

from program import found, play

LINES = {
    "page": r"(\S+): ([A-Z].*\.)",
    "asked_for": r"(\S+) is (\d+) to (\d+) ticks on the grill",
    "at": r"(\S+) is at (\S+)",
    "holds": r"(\S+) holds (\S+)",
    "heated": r"(\S+): (\d+) ticks on the fire",
    "wants": r"(\S+) of \S+ is to be (\S+)",
    "doneness": r"(\S+) is wanted (rare|medium|well-done)",
    "without": r"(\S+) is wanted without (\S+)",
    "plate": r"(\S+) is on the plate of (\S+)",
    "closed": r"nothing more is to be done for (\S+)",
    "appliance": r"Appliance (\S+):",
}
BOARDS = ["board1", "board2"]
APPLIANCES = {"grill": "grill", "boil": "pot", "fry": "fryer", "bake": "oven"}
RAW = (0, 0)

Parts = dict[str, tuple[str, tuple[int, int]]]  # where each part is heated, if anywhere, and for how many ticks


def recipe(page: str) -> Parts:
    """The parts of a dish: `Slice a tomato and boil it for 4 to 6 ticks. Add bread.`"""
    parts: Parts = {}
    for sentence in page.lower().rstrip(".").split(". "):
        sentence = re.sub(r"\b(an?|the) ", "", sentence)
        if added := re.fullmatch(r"add (.*)", sentence):
            parts |= {food: ("", RAW) for food in added[1].split(" and ")}
        elif heated := re.fullmatch(r"(?:slice (\S+) and )?(\w+) (\S+) for (\d+) to (\d+) ticks", sentence):
            sliced, verb, food, least, most = heated.groups()
            parts[f"sliced-{sliced}" if sliced else food] = (APPLIANCES[verb], (int(least), int(most)))
        elif sliced := re.fullmatch(r"slice (\S+) and add it", sentence):
            parts[f"sliced-{sliced[1]}"] = ("", RAW)
    return parts


def in_range(ticks: int, limits: tuple[int, int]) -> bool:
    return limits[0] <= ticks <= limits[1]


class Kitchen:
    """What a cook sees."""

    def __init__(self, observation: list[str]):
        lines = found(LINES, observation)
        self.pages = {menu: recipe(page) for menu, page in lines["page"]}
        self.asked_for = {it: (int(least), int(most)) for it, least, most in lines["asked_for"]}
        self.at, self.holds = dict(lines["at"]), dict(lines["holds"])
        self.heated = {it: int(ticks) for it, ticks in lines["heated"]}
        self.wants, self.doneness = dict(lines["wants"]), dict(lines["doneness"])
        self.without, self.plates = lines["without"], lines["plate"]
        self.closed = {dish for dish, in lines["closed"]}
        self.appliances = [it for it, in lines["appliance"]]

    def parts(self, dish: str) -> Parts:
        """What belongs on a plate."""
        parts = {}
        for food, (where, ticks) in self.pages[self.wants[dish]].items():
            if where == "grill" and dish in self.doneness:
                ticks = self.asked_for[self.doneness[dish]]
            if (dish, food) not in self.without:
                parts[food] = (where, ticks)
        return parts


class Cook:
    """A cook, and what it remembers: whose each dish is, and for how long what it has put on plates was heated."""

    def __init__(self, start: dict):
        self.me, self.cooks = start["agent"], start["agents"]
        self.dishes: list[str] = []
        self.plated: dict[tuple[str, str], int] = {}

    def decide(self, observation: list[str]) -> str | None:
        kitchen = Kitchen(observation)
        self.dishes += sorted(kitchen.wants.keys() - set(self.dishes))
        mine = self.dishes[self.cooks.index(self.me)::len(self.cooks)]
        dish = next((it for it in mine if it not in kitchen.closed), None)
        where, what = self.step(kitchen, dish, kitchen.parts(dish) if dish else {})
        here = kitchen.at[self.me]
        if where == "board":
            where = here if here in BOARDS else next((it for it in BOARDS if it not in kitchen.at.values()), BOARDS[0])
            what = f"slice({kitchen.holds[self.me]}, {where})"
        return what if here == where else f"go({where})"

    def step(self, kitchen: Kitchen, dish: str | None, parts: Parts) -> tuple[str, str]:
        """Where to be next, and what to do there."""
        here, held = kitchen.at[self.me], kitchen.holds.get(self.me)
        if here in kitchen.appliances and here in kitchen.holds and not held:
            food = kitchen.holds[here]
            _, (least, _) = parts.get(food, ("", RAW))
            return here, "wait" if kitchen.heated[here] < least else f"take({food}, {here})"
        plate = {food: self.plated.get((dish, food), 0) for food, on in kitchen.plates if on == dish}
        if held:
            return self.bring(kitchen, dish, parts, held, plate)
        if dish is None:
            return "pass", "wait"
        if not all(food in parts and in_range(ticks, parts[food][1]) for food, ticks in plate.items()):
            return "pass", f"clear({dish})"
        missing = next((food for food in parts if food not in plate), None)
        if missing:
            return "pantry", f"fetch({missing.removeprefix('sliced-')})"
        return "pass", f"serve({dish})"

    def bring(
        self, kitchen: Kitchen, dish: str | None, parts: Parts, held: str, plate: dict[str, int]
    ) -> tuple[str, str]:
        """Where to go with what is held."""
        ticks = kitchen.heated[self.me]
        if f"sliced-{held}" in parts and not ticks and f"sliced-{held}" not in plate:
            return "board", "slice"
        appliance, (least, most) = parts.get(held, ("", RAW))
        if held not in parts or held in plate or ticks > most:
            return "pantry", f"discard({held})"
        if ticks < least:
            usable = [it for it in kitchen.appliances if it.startswith(appliance)]
            idle = [it for it in usable if it not in kitchen.holds and it not in kitchen.at.values()]
            where = kitchen.at[self.me] if kitchen.at[self.me] in usable else (idle or usable)[0]
            return where, f"put({held}, {where})"
        self.plated[dish, held] = ticks
        return "pass", f"plate({held}, {dish})"


play(lambda start: Cook(start).decide)
