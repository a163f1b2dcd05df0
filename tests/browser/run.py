"""Tries written pages in a headless Chromium: `python3 tests/browser/run.py PAGES_DIR`.

Every `*.html` below PAGES_DIR that holds a document of `brigade view` or `brigade report` is opened from `file://`, and
what it shows is compared with the JSON within it. Needs the PyPI package playwright and /usr/bin/chromium (or CHROMIUM).
"""

import json
import os
import re
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import sync_playwright

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
DATA = re.compile(r'(<script id="data" type="application/json">)(.*?)(</script>)', re.S)
HOSTILE = "\"><img src=x onerror=\"window.pwned=1\"><script>window.pwned=2</script>\u202e\u0007\x1b[31m" + "A" * 200
# Strings that the page takes as identifiers, not as text.
IDENTIFIERS = {"id", "event", "kind", "mark", "facing", "unit", "then", "file", "folder", "spec", "ways", "by", "values",
               "svg", "reason"}
NUMBER_KEYS = {"before", "after", "regret", "optimum", "to_go", "value", "lower_bound"}


def plain(value):
    return str(value) if isinstance(value, int) else re.sub(r"\.?0+$", "", f"{value:.4f}")


def quantity(q, scale=1, sign=1):
    """Writes a quantity as pages do, from their contract alone."""
    if q is None:
        return "–"
    if q == "inf":
        return "−∞" if sign < 0 else "∞"
    number = lambda value: plain(sign * value / scale if scale != 1 else sign * value).replace("-", "−")
    if isinstance(q, str):
        return q
    if not isinstance(q, dict):
        return number(q)
    low, high = (q["lower"], q["upper"]) if sign > 0 else (q["upper"], q["lower"])
    if low is None and high is None:
        return "?"
    if high is None:
        return f"≥ {number(low)}"
    return f"≤ {number(high)}" if low is None else f"{number(low)}–{number(high)}"


def inject(value, key=None):
    """Adds hostile text to each string that is shown as text."""
    if isinstance(value, dict):
        return {k: v if k in IDENTIFIERS else inject(v, k) for k, v in value.items()}
    if isinstance(value, list):
        return [inject(item, key) for item in value]
    return value + HOSTILE if isinstance(value, str) and key not in NUMBER_KEYS else value


class Tried:
    """A page in the browser, with what it said and asked for."""

    def __init__(self, browser, path, fragment="", width=1300):
        self.page = browser.new_page(viewport={"width": width, "height": 900})
        self.page.set_default_timeout(10000)
        self.errors, self.requests = [], []
        self.page.on("console", lambda it: self.errors.append(it.text) if it.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda it: self.requests.append(it.url))
        self.base = f"file://{quote(str(path))}"
        self.page.goto(self.base + fragment)
        self.page.wait_for_selector("main h1")

    def text(self, selector):
        return self.page.inner_text(selector)

    def texts(self, selector):
        return self.page.locator(selector).all_inner_texts()

    def settle(self):
        self.page.wait_for_timeout(300)

    def comes(self, read, wanted, where):
        """Waits until what `read` returns is as wanted."""
        for _ in range(50):
            if read() == wanted:
                return
            self.page.wait_for_timeout(100)
        equal(read(), wanted, where)

    def close(self):
        folder = self.base.rsplit("/", 1)[0]
        assert not self.errors, self.errors
        strange = [url for url in self.requests if not url.startswith((folder, "blob:"))]
        assert not strange, strange
        self.page.close()


def equal(found, wanted, where):
    assert found == wanted, f"{where}: the page shows {found!r}, its data says {wanted!r}"


def facts_equal(tried, wanted):
    for name, value in wanted.items():
        equal(tried.text(f'[data-fact="{name}"] dd'), value, name)


def try_episode(tried, episode):
    """Compares the facts, steps by keyboard, compares choices and the state in words at each tick tried."""
    scale, sign = episode.get("scale", 1), -1 if episode["unit"] == "negated-cost" else 1
    process, end, steps = episode["process"], episode["end"], episode["steps"]
    if process:
        facts_equal(tried, {"optimum": quantity(process["optimum"], scale, sign), "to go": quantity(process["to_go"], scale, sign),
                            "regret": quantity(process["regret"], scale)})
    if end:
        facts_equal(tried, {"ticks": str(end["ticks"]), "actions": str(end["labels"]), "refused": str(end["refused"])})
        word = {"ticks": None, "cost": "cost", "negated-cost": "metric"}[episode["unit"]]
        if word:
            facts_equal(tried, {word: quantity(end["cost"], scale)})
    last = len(episode["states"]) - 1
    ticks = list(range(min(4, last + 1)))
    for tick in ticks:
        if tick:
            tried.page.keyboard.press("ArrowRight")
        at_tick(tried, episode, tick, scale, sign)
    tried.page.keyboard.press("End")
    at_tick(tried, episode, last, scale, sign)
    tried.page.keyboard.press("ArrowLeft")
    at_tick(tried, episode, max(0, last - 1), scale, sign)
    tried.page.keyboard.press("Home")
    at_tick(tried, episode, 0, scale, sign)
    for kind, event in (("refusals", "error"), ("calls", "call")):
        wanted = sum(any(it["event"] == event for it in step["events"]) for step in steps)
        chip = tried.page.locator(f'[data-filter="{kind}"]')
        equal(chip.locator(".num").inner_text(), str(wanted), kind)
        if wanted:
            chip.click()
            tried.comes(lambda: tried.text("#find-title .soft"), f"{wanted} of {len(steps)}", kind)
            chip.click()


def at_tick(tried, episode, tick, scale, sign):
    tried.page.wait_for_function("tick => document.querySelector('.stepper input').value === String(tick)", arg=tick)
    states, lines = episode["states"], episode["lines"]
    if tick < len(states):
        shown = tried.page.evaluate(
            "[...document.querySelectorAll('.blocks li:not(.removed)')].map(it => it.textContent.replace(/^\\s*\\+?\\s*/, '').trim())")
        wanted = [lines[line] for line in states[tick] if line >= 0]
        if not any(re.search(r"[\x00-\x1f\u202a-\u202e]", line) for line in wanted):
            equal([" ".join(it.split()) for it in shown], [" ".join(it.split()) for it in wanted], f"state at {tick}")
    if tick < min(len(episode["steps"]), len(states) - 1):
        choices = episode["steps"][tick]["choices"]
        equal(tried.page.locator(".choice").count(), len(choices), f"choices at {tick}")
        for place, choice in enumerate(choices):
            text = tried.page.locator(".choice").nth(place).inner_text()
            if choice["regret"] not in (None, 0) and not isinstance(choice["regret"], dict):
                assert f"regret {quantity(choice['regret'], scale)}" in " ".join(text.split()), (tick, text)


def try_campaign(tried, document, path):
    """Compares the first table with the data, follows a number to its episodes, sorts, filters, opens an episode, returns."""
    campaign = document["campaign"]
    equal(tried.text("#episodes-title .soft"), f"{len(campaign['episodes'])} of {len(campaign['episodes'])}", "episodes")
    table = campaign["tables"][0]
    keys = len(table["by"])
    for place, row in enumerate(table["rows"]):
        cells = tried.page.locator("section[aria-labelledby=metrics-title] tbody tr").nth(place).locator("th, td")
        equal(cells.nth(keys).inner_text().strip(), str(row["episodes"]), "episodes of a row")
        equal(cells.nth(keys + 1).inner_text().strip(), quantity(row["successes"]), "successes of a row")
        success = row["values"].get("success")
        if success and success["low"] is not None and success["value"] is not None and next(iter(campaign["labels"])) == "success":
            shown = [float(it) for it in re.findall(r"[\d.]+", cells.nth(keys + 2).inner_text())]
            wanted = [success[it] for it in ("value", "low", "high")]
            assert all(abs(a - b) < 0.006 for a, b in zip(shown, wanted, strict=True)), (shown, wanted)
    for matrix in campaign["matrices"]:
        shown = tried.page.locator(f'section[aria-label^="{matrix["metric"]} of {matrix["setup"]}"] tbody tr')
        equal(shown.count(), len(matrix["rows"]["policies"]), "rows of a matrix")
        for place, values in enumerate(matrix["values"]):
            cells = shown.nth(place).locator("td").all_inner_texts()
            for cell, value in zip(cells, values, strict=True):
                numbers = [float(it) for it in re.findall(r"[\d.]+", cell)]
                wanted = [value[it] for it in ("value", "low", "high")] if value else []
                assert all(abs(a - b) < 0.006 for a, b in zip(numbers, wanted, strict=True)), (numbers, wanted)
    row = table["rows"][0]
    behind = [it for it in campaign["episodes"] if all(it.get(key) == row["key"][key] for key in table["by"])]
    tried.page.locator("section[aria-labelledby=metrics-title] a.behind").first.click()
    tried.comes(lambda: tried.text("#episodes-title .soft"), f"{len(behind)} of {len(campaign['episodes'])}", "episodes behind a number")
    tried.page.get_by_text("clear filters").click()
    for chart in campaign["charts"]:
        figure = tried.page.locator(f'[data-chart="{chart["id"]}"]')
        figure.scroll_into_view_if_needed()
        figure.locator("svg.marks").wait_for(timeout=10000)
        figure.get_by_text("data", exact=True).click()
        equal(figure.locator("tbody tr").count(), len(chart["table"]["rows"]), f"rows of the chart {chart['id']}")
        columns = chart["table"]["columns"]
        if "episodes" in columns:
            for place, row in list(enumerate(chart["table"]["rows"]))[:4]:
                figure.locator("tbody tr").nth(place).locator("a.behind").evaluate("link => link.click()")
                wanted = f"{row[columns.index('episodes')]} of {len(campaign['episodes'])}"
                tried.comes(lambda: tried.text("#episodes-title .soft"), wanted, f"episodes behind row {place} of {chart['id']}")
            tried.page.get_by_text("clear filters").click()
    tried.page.locator("#episodes button.head", has_text="ticks").click()
    ticks = sorted(it["ticks"] for it in campaign["episodes"] if it["ticks"] is not None)
    column = tried.page.locator("#episodes thead tr").first.locator("th").all_inner_texts()
    place = next(at for at, it in enumerate(column) if it.startswith("ticks"))
    cells = f"#episodes tbody tr:not([aria-hidden]) > :nth-child({place + 1})"
    tried.comes(lambda: tried.texts(cells)[:20], [str(it) for it in ticks][:20], "ticks in order")
    beside = path.parent / (document["folder"] or "")
    row = next(it for it in campaign["episodes"] if it["id"] in document["episodes"] or (beside / f"{it['file']}.js").is_file())
    tried.page.locator("#episodes input[type=search]").first.fill(row["id"])
    tried.page.locator("#episodes tbody a", has_text=row["id"]).first.click()
    tried.page.wait_for_selector(".stepper input")
    tried.page.get_by_label("first tick").focus()
    tried.page.keyboard.press("ArrowRight")
    tried.page.wait_for_url("**tick=1**")
    tried.page.keyboard.press("u")
    tried.page.wait_for_selector("#episodes")
    tried.page.get_by_text("clear filters").click()


def try_plan(tried, plan):
    facts_equal(tried, {name: quantity(plan[name.replace(" ", "_")]) for name in ("makespan", "actions", "lower bound")})
    lanes = sum(lane["kind"] == "agent" for lane in plan["lanes"])
    equal(tried.page.locator(".lane-agent").count(), lanes, "lanes of agents")
    tried.page.keyboard.press("ArrowRight")
    tried.page.wait_for_function("document.querySelector('.stepper input').value === '1'")


def try_references(tried, references):
    facts_equal(tried, {"makespan": plain(references["makespan"]), "references": quantity(references["references_total"])})
    for place, automaton in enumerate(references["automata"]):
        tried.page.locator("[aria-label='automaton of'] button").nth(place).click()
        tried.page.get_by_text("open all").click()
        tried.comes(lambda: tried.page.locator(".graph .node").count(), len(automaton["nodes"]), f"nodes of {automaton['title']}")
        edges = {(edge["from"], edge["to"]) for edge in automaton["edges"]}
        equal(tried.page.locator(".edge-group").count(), len(edges), f"edges of {automaton['title']}")
        if edges:
            tried.page.locator(".edge-group").first.focus()
            assert "words through it" in tried.text(".edge-info")


def fragments(document):
    """The addresses of all views of a page."""
    found = [""]
    if document["plan"] and document["references"]:
        found.append("#/references")
    if document["campaign"] and document["episodes"]:
        found.append(f"#/e/{quote(next(iter(document['episodes'])), safe='')}")
    return found


def try_hostile(browser, text, document, place):
    """Opens the page with hostile text in all of its data: none of it may act, and 360 pixels suffice."""
    hostile = json.dumps(inject(document), ensure_ascii=False).replace("<", "\\u003c")
    path = Path(place) / "hostile.html"
    path.write_text(DATA.sub(lambda it: it[1] + hostile + it[3], text, count=1), encoding="utf-8")
    for fragment in fragments(document):
        tried = Tried(browser, path, fragment, width=360)
        tried.settle()
        for summary in tried.page.locator("details.call > summary").all()[:3]:
            summary.click()
        assert tried.page.evaluate("window.pwned") is None, "hostile text acted"
        shown = tried.page.evaluate("document.getElementById('app').textContent")
        assert "⟨U+202E⟩␇␛[31m" in shown and not re.search("[\u202e\u0007\u001b]", shown), "hidden characters"
        equal(tried.page.locator("#app :is(img, script, iframe, object, embed)").count(), 0, "elements out of text")
        fits(tried, f"hostile {fragment}")
        tried.close()


def fits(tried, where):
    """Asserts that the page as a whole does not scroll sideways, on a narrow and on a wide screen."""
    for room in (360, 1300):
        tried.page.set_viewport_size({"width": room, "height": 900})
        width = tried.page.evaluate("document.documentElement.scrollWidth")
        assert width <= room, f"{where}: {width} pixels wide on a screen of {room}"


def try_page(browser, path, place):
    text = path.read_text(encoding="utf-8")
    data = DATA.search(text)
    if not data:
        return False
    document = json.loads(data[2])
    tried = Tried(browser, path)
    if document["campaign"]:
        try_campaign(tried, document, path)
    elif document["plan"]:
        try_plan(tried, document["plan"])
    elif not document["references"]:
        try_episode(tried, next(iter(document["episodes"].values())))
    tried.close()
    if document["references"]:
        tried = Tried(browser, path, "#/references")
        try_references(tried, document["references"])
        tried.close()
    for fragment in fragments(document):
        tried = Tried(browser, path, fragment, width=360)
        tried.settle()
        fits(tried, fragment)
        tried.close()
    if len(text) < 8_000_000:
        try_hostile(browser, text, document, place)
    return True


def main(folder):
    failed = tried = 0
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as place:
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=FLAGS)
        for path in sorted(Path(folder).resolve().rglob("*.html")):
            try:
                done = try_page(browser, path, place)
            except Exception as error:  # each page is tried, whatever became of the others
                failed += 1
                print(f"FAILED {path.name}: {error}")
                continue
            tried += done
            print(f"{'ok' if done else 'no document'} {path.relative_to(Path(folder).resolve())}")
        browser.close()
    print(f"{tried} pages ok, {failed} failed")
    return 1 if failed or not tried else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else __doc__)
