#!/usr/bin/env python3
"""A cook of CuisineWorld who follows orders: the plain script that the baselines compare with.

The i-th cook works on the i-th oldest order, one thing after another: what is missing is fetched or made, put where
it belongs, and what is ready is served. Cooks look at nothing but the state, and do not talk. `brigade run` and
`brigade bench` start it as `exec:python3 followers/cuisineworld.py`.
"""
from program import found, play

LINES = {
    "at": r"(\S+) is at (\S+)",
    "hand": r"(\S+) holds (\S+)",
    "needs": r"(\S+) needs (\S+)",
    "made_in": r"(\S+) is made in a (\S+)",
    "kind": r"(\S+) is a (\S+): .*",
    "busy": r"(\S+) is busy for (\d+) more steps",
    "order": r"(\S+) is for (\S+), to be on the table before tick (\d+)",
}


class Kitchen:
    """What a cook sees."""

    def __init__(self, observation: list[str], cooks: list[str]):
        lines = found(LINES, observation)
        self.at = dict(lines["at"])
        self.kind = dict(lines["kind"])
        self.held = {who: what for who, what in lines["hand"] if who in cooks}
        self.inside = {tool: [] for tool in self.kind}
        for tool, what in lines["hand"]:
            if tool in self.inside:
                self.inside[tool].append(what)
        self.needs = {}
        for made, what in lines["needs"]:
            self.needs.setdefault(made, []).append(what)
        self.made_in = dict(lines["made_in"])
        self.busy = {tool for tool, steps in lines["busy"] if steps != "0"}
        orders = sorted((int(due), name, dish) for name, dish, due in lines["order"])
        self.orders = [dish for _, _, dish in orders]

    def tools(self, product: str, turn: int) -> list[str]:
        """The tools that make something, those of a cook first."""
        tools = [tool for tool, kind in self.kind.items() if kind == self.made_in[product]]
        turn %= max(len(tools), 1)
        return tools[turn:] + tools[:turn]

    def obtain(self, item: str, turn: int) -> tuple[str, str] | None:
        """Where to go, and what to do there, to come by something; nothing where it is on its way."""
        for tool, inside in self.inside.items():
            if inside == [item] and tool not in self.busy:
                return tool, f"get({tool})"
        if item not in self.needs:
            return "storage0", f"get({item}, storage0)"
        return self.make(item, turn)

    def make(self, product: str, turn: int) -> tuple[str, str] | None:
        """The next step towards a product."""
        wanted = self.needs[product]
        fitting = [tool for tool in self.tools(product, turn) if set(self.inside[tool]) <= set(wanted)]
        if not fitting:
            return None
        tool = max(fitting, key=lambda tool: len(self.inside[tool]))
        if tool in self.busy:
            return None
        missing = [item for item in wanted if item not in self.inside[tool]]
        if not missing:
            return tool, f"activate({tool})"
        return self.obtain(missing[0], turn)

    def place(self, item: str, dish: str, turn: int) -> tuple[str, str]:
        """Where what is held belongs on the way to a dish."""
        if item == dish:
            return "servingtable0", "put(servingtable0)"
        for product, wanted in self.needs.items():
            if item in wanted and self.leads_to(product, dish):
                for tool in self.tools(product, turn):
                    inside = set(self.inside[tool])
                    if tool not in self.busy and item not in inside and inside <= set(wanted):
                        return tool, f"put({tool})"
        return "storage0", "put(storage0)"

    def leads_to(self, product: str, dish: str) -> bool:
        """Whether a product is a dish, or goes into it."""
        return product == dish or any(self.leads_to(product, item) for item in self.needs.get(dish, []))


def begin(start: dict):
    """The cook that the first line names."""
    me, cooks = start["agent"], start["agents"]
    turn = cooks.index(me)

    def decide(observation: list[str]) -> str | None:
        kitchen = Kitchen(observation, cooks)
        if not kitchen.orders:
            return None
        dish = kitchen.orders[turn % len(kitchen.orders)]
        held = kitchen.held.get(me)
        step = kitchen.place(held, dish, turn) if held else kitchen.obtain(dish, turn)
        if not step:
            return None
        where, what = step
        return what if kitchen.at[me] == where else f"goto({where})"

    return decide


play(begin)
