"""In a window with thousands of elements, critical steps still need an approval."""

import contextlib
import itertools
import re
import subprocess
import time

import x11
from console import DENIED, PROGRAMS, wait_until

TOOLKITS = ("gtk", "qt")
# The rule about the element if its name was read in time, otherwise the rule about unread elements.
KEYS = {"keys-on-irreversible-elements", "unread-elements"}
POINTER = {"irreversible-elements", "unread-elements"}
FIELD = {"password-fields", "unread-elements"}


class ManyElementsTest(x11.DesktopTest):
    @contextlib.contextmanager
    def shown(self, toolkit, shape, count):
        """Opens the window and yields its place."""
        script = PROGRAMS / f"{toolkit}_many.py"
        program = subprocess.Popen(["/usr/bin/python3", str(script), shape, str(count)], stderr=subprocess.DEVNULL)
        try:
            wait_until(lambda: x11.active_title() == "Many elements", "the window has the focus", seconds=150)
            yield wait_until(self.place_at_rest, "the window has its place", seconds=60)
        finally:
            program.kill()
            program.wait()

    def place_at_rest(self):
        """None while the window manager or the program still moves the window; it is at 0,0 at first."""
        place = self.place()
        time.sleep(0.5)
        return place if place["X"] > 0 and place == self.place() else None

    @staticmethod
    def place():
        told = x11.ask("xwininfo", "-id", x11.ask("xdotool", "getactivewindow").strip())
        names = {"X": "Absolute upper-left X", "Y": "Absolute upper-left Y", "WIDTH": "Width", "HEIGHT": "Height"}
        return {name: int(re.search(rf"{words}: +(-?\d+)", told)[1]) for name, words in names.items()}


class ManyElements(ManyElementsTest):
    def assert_asked(self, goal, rules):
        run = self.goal(goal, "--approval-expiry", "1s")
        self.assert_ends(run, DENIED, seconds=90)
        verdict = run.facts("policy.verdict")[-1]
        self.assertIn(verdict["rule"], rules, run.said())
        self.assertEqual("RISK_CRITICAL", verdict["risk"], run.said())

    def test_critical_steps_are_detected_among_thousands_of_elements(self):
        sizes = (("wide", 4000), ("deep", 20000), ("wide", 20000))
        for toolkit, (shape, count) in self.some(itertools.product(TOOLKITS, sizes), 2):
            with (self.subTest(toolkit=toolkit, shape=shape, count=count),
                  self.shown(toolkit, shape, count) as place):
                # From the bottom up: Pay now, the password field, Delete everything.
                middle, bottom = place["X"] + place["WIDTH"] // 2, place["Y"] + place["HEIGHT"]
                self.assert_asked("press enter", KEYS)
                self.assert_asked(f"click at {middle},{bottom - 17}", POINTER)
                x11.ask("xdotool", "mousemove", str(middle), str(bottom - 51), "click", "1")
                self.assert_asked('type "hunter2"', FIELD)


if __name__ == "__main__":
    x11.main()
