"""Plays games of `brigade serve` in headless Chromium: `python3 tests/browser/people.py BRIGADE [PICTURES]`.

Two people play a whole game in two browsers at once, through a reload, a lost server and its return; what each is shown
and the log are compared with the domain and with `brigade plan`. Needs a binary with the feature `serve`, the PyPI
package playwright and /usr/bin/chromium (or CHROMIUM). PICTURES is a folder for screenshots.
"""

import atexit
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
HOSTILE = "<img src=x onerror=\"window.pwned=1\">\u202e"
EGG = "bundled:collab-overcooked/boiled_egg"


class Server:
    """A server under way, and the addresses that it gives out."""

    def __init__(self, brigade, problem, folder, *options):
        self.command = [brigade, "serve", problem, "--log-dir", str(folder), "--format", "json", *options]
        self.folder = Path(folder)
        self.start()

    def start(self, *options):
        self.process = subprocess.Popen(self.command + list(options), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        # Also where a test fails, no server is left.
        atexit.register(self.process.kill)
        lines = []
        while not lines or lines[-1] != "}\n":
            lines.append(self.process.stdout.readline())
            assert lines[-1], f"no addresses: {lines}"
        self.urls = {seat["agent"]: seat["url"] for seat in json.loads("".join(lines))["seats"]}

    def stop(self, how):
        self.process.send_signal(how)
        code = self.process.wait(20)
        self.process.stdout.close()
        return code

    def log(self, number):
        return [json.loads(line) for line in (self.folder / f"game-{number}.jsonl").read_text().splitlines()]


class Player:
    """A person in a browser of their own."""

    def __init__(self, browser, url, width=1400, theme="light"):
        self.context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme)
        self.page = self.context.new_page()
        self.page.set_default_timeout(15000)
        self.errors, self.requests = [], []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda it: self.requests.append(it.url))
        self.url = url
        self.page.goto(url)
        self.page.wait_for_selector(".deeds")

    def wait_for(self, text, selector=".turn"):
        self.page.wait_for_function("([s, t]) => document.querySelector(s)?.innerText.includes(t)", arg=[selector, text])

    def tick(self):
        return int(re.search(r"step (\d+)", self.page.inner_text("#deeds-title")).group(1))

    def wait_tick(self, tick):
        self.page.wait_for_function(
            "tick => { const it = document.querySelector('#deeds-title')?.innerText.match(/step (\\d+)/);"
            " return (it && Number(it[1]) >= tick) || document.querySelector('.turn.over'); }", arg=tick)

    def actions(self):
        return [text.split("\n")[-1] for text in self.page.locator(".deeds button").all_inner_texts()]

    def may_choose(self):
        return self.page.locator(".turn.yours").count() > 0

    def click(self, action):
        self.page.locator(".deeds button").nth(self.actions().index(action)).click()

    def write(self, command):
        self.page.fill('[aria-label="an action"]', command)
        self.page.keyboard.press("Enter")

    def say(self, text):
        self.page.fill(".say", text)
        self.page.keyboard.press("Enter")

    def close(self):
        assert not self.errors, self.errors
        base = self.url.split("/", 3)[2]
        strange = [it for it in self.requests if it.split("/", 3)[2] != base and not it.startswith("data:")]
        assert not strange, strange
        assert self.page.evaluate("window.pwned") is None
        self.context.close()


def plan_of(brigade, problem):
    """The commands of an optimal plan, by tick and agent."""
    output = subprocess.run([brigade, "plan", problem, "--format", "json"], capture_output=True, text=True, check=True)
    document = json.loads(output.stdout)
    commands = {}
    for step in document["plan"]:
        words = step["action"].strip("()").split()
        commands[step["tick"], step["agent"]] = " ".join(word for word in words if word != step["agent"])
    return document["makespan"], commands


def two_people(brigade, browser, pictures):
    """Collab-Overcooked's study: two people, and only the chef knows the recipe."""
    makespan, plan = plan_of(brigade, EGG)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(brigade, EGG, folder)
        chef = Player(browser, server.urls["chef"])
        chef.wait_for("not here yet: assistant")
        assistant = Player(browser, server.urls["assistant"], theme="dark")
        people = {"chef": chef, "assistant": assistant}
        assert "make-boiled_egg" in chef.page.inner_text(".state")
        assert "make-boiled_egg" not in assistant.page.inner_text("main")
        assistant.say(f"hello {HOSTILE}")
        chef.wait_for("hello <img", ".course")
        assistant.page.click(".ask-hint")
        assistant.wait_for("the planner knows what you are not shown", ".hint")
        chef.page.click(".ask-hint")
        chef.wait_for(f"{makespan} ticks to the end", ".hint")
        assistant.write("fly to the moon")
        assistant.wait_for("Waiting for the others")
        chef.click("wait")
        assistant.wait_for("is not an action that you can ever take", ".bad-text")
        for tick in range(makespan):
            for person in people.values():
                person.wait_tick(tick)
            if tick == 4:
                assistant.page.reload()
                assistant.wait_tick(tick)
                assert "hello" in assistant.page.inner_text(".course")
            if tick == 6:
                # The server is killed, and goes on from its log at the same addresses.
                server.stop(signal.SIGKILL)
                chef.wait_for("connection is lost", ".lost")
                server.start("--resume")
                for name, person in people.items():
                    assert server.urls[name] == person.url
                    person.page.wait_for_selector(".lost", state="detached")
                    person.wait_tick(tick)
                assert "hello" in chef.page.inner_text(".course")
            if tick == 9 and pictures:
                chef.page.screenshot(path=f"{pictures}/people-chef.png")
                assistant.page.screenshot(path=f"{pictures}/people-assistant-dark.png")
            # The chef chose in the first step already. Time goes on only when all have chosen.
            for name in [name for name, person in people.items() if person.may_choose()]:
                command = plan.get((tick, name), "wait")
                person = people[name]
                person.click(command) if command in person.actions() else person.write(command)
        for person in people.values():
            person.wait_for("the goal is reached")
        log = server.log(1)
        refused = [(it["tick"], it["agent"], it["command"]) for it in log if it["event"] == "error"]
        assert sum(it["event"] == "message" for it in log) == 1
        assert chef.page.inner_text(".course").count("hello") == 1
        assert refused == [(0, "assistant", "fly to the moon")], refused
        assert [it["event"] for it in log].count("step") == makespan
        assert log[-1]["reason"] == "goal" and log[-1]["ticks"] == makespan and log[-1]["refused"] == 1, log[-1]
        assert any(it["event"] == "message" and it["text"].startswith("hello") for it in log)
        assert any(it["event"] == "call" and it["module"] == "hint" for it in log)
        chef.page.click(".again")
        assistant.wait_for("game 2", ".bar")
        for person in people.values():
            person.close()
        assert server.stop(signal.SIGTERM) == 3
        assert server.log(2)[-1]["reason"] == "interrupted"


def one_person(brigade, browser, pictures):
    """One person among agents, on a narrow screen, by the keyboard."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(brigade, "bundled:overcooked-ai/cramped_room", folder, "--agent", "player2=greedy", "--max-ticks", "4",
                        "--games", "1")
        player = Player(browser, server.urls["player1"], width=390)
        for tick in range(4):
            player.wait_tick(tick)
            if tick == 2 and pictures:
                player.page.screenshot(path=f"{pictures}/people-narrow.png", full_page=True)
            player.page.keyboard.press("1")
        player.wait_for("the limit of ticks is reached")
        assert player.page.locator(".again").count() == 0
        assert player.page.locator(".board svg").count() == 1
        player.close()
        server.stop(signal.SIGTERM)
        assert server.log(1)[-1]["reason"] == "tick-limit"


def main():
    brigade = str(Path(sys.argv[1]).resolve())
    pictures = sys.argv[2] if len(sys.argv) > 2 else None
    if pictures:
        os.makedirs(pictures, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=FLAGS)
        for test in (two_people, one_person):
            test(brigade, browser, pictures)
            print(f"{test.__name__}: ok")
        browser.close()


main()
