"""A window with thousands of elements: what a person must be asked about is asked about all the same."""

import contextlib
import re
import subprocess

import x11
from console import DENIED, ROOT, wait_until

PROGRAM = ROOT / "tests/e2e/gtk_many.py"
# By a name where it was found out in time, else because it was not.
KEYS = {"keys-on-irreversible-elements", "unread-elements"}
POINTER = {"irreversible-elements", "unread-elements"}
FIELD = {"password-fields", "unread-elements"}


class ManyElements(x11.DesktopTest):
    @contextlib.contextmanager
    def shown(self, shape, count):
        """The window's place."""
        program = subprocess.Popen(["/usr/bin/python3", str(PROGRAM), shape, str(count)], stderr=subprocess.DEVNULL)
        try:
            wait_until(lambda: x11.active_title() == "Many elements", "the window shows", seconds=60)
            # Until the window manager has put it somewhere, it is at 0,0.
            yield wait_until(lambda: (place := self.place()) and place["X"] > 0 and place, "the window has its place")
        finally:
            program.kill()
            program.wait()

    @staticmethod
    def place():
        told = x11.ask("xwininfo", "-id", x11.ask("xdotool", "getactivewindow").strip())
        names = {"X": "Absolute upper-left X", "Y": "Absolute upper-left Y", "WIDTH": "Width", "HEIGHT": "Height"}
        return {name: int(re.search(rf"{words}: +(-?\d+)", told)[1]) for name, words in names.items()}

    def assert_asked(self, goal, rules):
        run = self.goal(goal, "--approval-expiry", "1s")
        self.assert_ends(run, DENIED, seconds=90)
        verdict = run.facts("policy.verdict")[-1]
        self.assertIn(verdict["rule"], rules, run.said())
        self.assertEqual("RISK_CRITICAL", verdict["risk"], run.said())

    def test_critical_steps_are_critical_whatever_their_number(self):
        for shape, count in (("wide", 4000), ("deep", 4000), ("wide", 20000)):
            with self.subTest(shape=shape, count=count), self.shown(shape, count) as place:
                # From below: Pay now, the password field, Delete everything.
                middle, bottom = place["X"] + place["WIDTH"] // 2, place["Y"] + place["HEIGHT"]
                self.assert_asked("press enter", KEYS)
                self.assert_asked(f"click at {middle},{bottom - 17}", POINTER)
                x11.ask("xdotool", "mousemove", str(middle), str(bottom - 51), "click", "1")
                self.assert_asked('type "hunter2"', FIELD)


if __name__ == "__main__":
    x11.main()
