"""A program puts a window under the pointer, or grabs the pointer, at the worst moments, and gets none of our clicks."""

import json
import subprocess
import sys

import x11
from console import ALL_CASES, BIN, PROGRAMS, wait_until
from script import SUCCESS, Script

TARGETS = str(PROGRAMS / "gtk_targets.py")
NAMES = ("Apples", "Pears")  # Clicked in turn, so that the pointer moves each time.
CLICKS = 2000 // 6 + 1 if ALL_CASES else 10  # Of each kind of thief and click.


class Thief:
    """window_thief as a running process."""

    def __init__(self, test, place, how):
        command = [str(BIN.parent / "tests/window_thief"), *map(str, place), how]
        self.process = subprocess.Popen(command, env=test.sandbox.environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        test.addCleanup(self.process.stdout.close)
        test.addCleanup(self.process.wait, 10)
        test.addCleanup(self.process.stdin.close)
        self.first = self.process.stdout.readline()

    def end(self):
        """Returns how many presses and how many clicks it got."""
        self.process.stdin.close()
        lines = self.process.stdout.read().splitlines()
        return lines.count("press"), lines.count("click")


class Thieves(x11.DesktopTest):
    def setUp(self):
        super().setUp()
        self.file = self.sandbox.path("targets")
        self.open("/usr/bin/python3", TARGETS, str(self.file), title="^Targets$")
        rules = self.sandbox.path("rules.toml")
        rules.write_text('[[rule]]\nname = "all"\nverdict = "allow"\nreason = "a desktop of its own"\n'
                         'match.tool = ["mouse", "ui_click", "ui_snapshot"]\n')
        self.script = Script(self.sandbox, "--desktop", "x11", "--unlock-writes", rules=rules)
        self.ids = {name: self.script.element(name, "push button")["element_id"] for name in NAMES}

    def targets(self):
        def read():
            try:
                return json.loads(self.file.read_text())
            except (FileNotFoundError, json.JSONDecodeError):
                return None  # It is being written.
        return wait_until(read, "the window's targets are known")

    def assert_gets_no_click(self, how, click):
        """Clicks while a thief works. Each click that is called done has reached the button, and no other one has."""
        (x, y, width, height), last = (self.targets()["place"][name] for name in NAMES)
        over_both = [x, y, width, last[1] + last[3] - y]
        thief = Thief(self, [0, 0, 20, 20] if how == "grab" else over_both, how)
        self.assertEqual("ready\n", thief.first)
        answers = [click(NAMES[i % 2]) for i in range(CLICKS)]
        pressed, stolen = thief.end()
        done = sum(answer["status"] == SUCCESS for answer in answers)
        print(f"{how}: {done} of {CLICKS} done, the thief got {pressed} presses and {stolen} clicks", file=sys.stderr)
        self.assertEqual(0, stolen)
        wait_until(lambda: len(self.targets()["clicked"]) >= done,
                   lambda: f"{done} clicks have arrived: {self.targets()['clicked']}")
        not_begun = sum(answer["status"] != SUCCESS and answer["data"]["outcome"] in ("refused", "stale_target")
                        for answer in answers)
        self.assertLessEqual(len(self.targets()["clicked"]), CLICKS - not_begun)

    def by_name(self, name):
        return self.script.ask("ui.click", element_id=self.ids[name])

    def by_place(self, name):
        x, y, width, height = self.targets()["place"][name]
        return self.script.ask("mouse", x=x + width // 2, y=y + height // 2)

    def test_a_window_that_comes_now_and_then_gets_no_click_by_name(self):
        self.assert_gets_no_click("blink", self.by_name)

    def test_a_window_that_comes_now_and_then_gets_no_click_by_place(self):
        self.assert_gets_no_click("blink", self.by_place)

    def test_a_window_that_comes_at_the_motion_gets_no_click_by_name(self):
        self.assert_gets_no_click("motion", self.by_name)

    def test_a_window_that_comes_at_the_motion_gets_no_click_by_place(self):
        self.assert_gets_no_click("motion", self.by_place)

    def test_a_grab_at_the_motion_gets_no_click_by_name(self):
        self.assert_gets_no_click("grab", self.by_name)

    def test_a_grab_at_the_motion_gets_no_click_by_place(self):
        self.assert_gets_no_click("grab", self.by_place)


if __name__ == "__main__":
    x11.main()
