"""A desktop with real applications, observed independently with wmctrl, xdotool, xclip and xev.

This file uses no code of the product. Tests end with x11.main(), which restarts them under deploy/desktop.
"""

import os
import re
import subprocess
import time
import sys
import threading
import unittest

from console import ROOT, ConsoleTest, wait_until

ON_DESKTOP = "DA_E2E_ON_DESKTOP"


def main():
    if ON_DESKTOP not in os.environ:
        os.environ[ON_DESKTOP] = "1"
        os.environ.pop("DISPLAY", None)
        desktop = str(ROOT / "deploy/desktop")
        os.execv(desktop, [desktop, sys.executable, *sys.argv])
    unittest.main()


def ask(*command, text=None):
    result = subprocess.run(command, input=text, capture_output=True, timeout=10, check=False)
    return result.stdout.decode("utf-8", errors="replace")


def display():
    return os.environ["DISPLAY"]


def titles():
    """Returns the titles of all windows that the window manager lists."""
    return [line.split(None, 3)[3] for line in ask("wmctrl", "-l").splitlines() if len(line.split(None, 3)) == 4]


def active_title():
    return ask("xdotool", "getactivewindow", "getwindowname").strip()


def window_of(title):
    return ask("xdotool", "search", "--onlyvisible", "--name", title).split()[0]


def wait_for_title(pattern):
    return wait_until(lambda: [title for title in titles() if re.search(pattern, title)],
                      lambda: f"there is a window {pattern!r}; titles: {titles()}")[0]


def wait_for_window_manager():
    """Waits until it answers requests. Openbox sets its name earlier, and never manages windows mapped in between."""
    def has_one_desktop():
        ask("wmctrl", "-n", "1")
        return len(ask("wmctrl", "-d").splitlines()) == 1
    wait_until(has_one_desktop, "the window manager answers")


def press(chord):
    ask("xdotool", "key", "--clearmodifiers", chord)


def selection(name):
    return ask("xclip", "-o", "-selection", name)


def copied():
    """Presses ctrl+c in the focused window and returns the new clipboard text. A busy application may miss the first
    ones, such as one that is about to show a result."""
    subprocess.run(["xclip", "-i", "-selection", "clipboard"], input=b"nothing was copied", check=True, timeout=10)
    pressed = 0

    def new_text():
        nonlocal pressed
        if time.monotonic() - pressed > 3:
            press("ctrl+c")
            pressed = time.monotonic()
        text = selection("clipboard")
        return text != "nothing was copied" and text

    return wait_until(new_text, "ctrl+c has copied")


def quote(text):
    """Returns the text as a quoted string of a goal."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'


class Xev:
    """An xev window, which records each button and key event that it receives."""

    def __init__(self):
        self.process = subprocess.Popen(["xev", "-geometry", "400x300+200+150", "-event", "button", "-event", "keyboard"],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.text = ""
        self._changes_text = threading.Lock()
        threading.Thread(target=self._read, daemon=True).start()
        wait_for_title("Event Tester")
        # Keys that come before the window has the focus are lost; once it prints one, it prints all later ones.
        wait_until(lambda: press("a") or "a" in self.keys(), "xev prints events")
        press("b")
        wait_until(lambda: "b" in self.keys("KeyRelease"), "xev has printed all events")
        self.text = ""

    def _read(self):
        for line in self.process.stdout:
            with self._changes_text:
                self.text += line

    def drain(self):
        """Waits until xev has printed all events so far. It must have the focus, and no run may be active."""
        press("F12")
        wait_until(lambda: re.search(r"KeyRelease event(?:(?!event).)*?, F12\)", self.text, re.DOTALL),
                   lambda: f"xev prints F12; it printed: {self.text}")
        with self._changes_text:
            self.text = self.text[:self.text.rindex("KeyPress event", 0, self.text.index(", F12)"))]

    def buttons(self, event="ButtonPress"):
        """Returns (button, root x, root y) of each event, in order."""
        found = re.findall(event + r" event.*?root:\((\d+),(\d+)\),\s*state [^,]*, button (\d+)", self.text, re.DOTALL)
        return [(int(button), int(x), int(y)) for x, y, button in found]

    def press_times(self):
        """Returns the server time of each button press, in ms."""
        return [int(time) for time in re.findall(r"ButtonPress event.*?time (\d+),", self.text, re.DOTALL)]

    def keys(self, event="KeyPress"):
        return re.findall(event + r" event.*?\(keysym 0x[0-9a-f]+, (\w+)\)", self.text, re.DOTALL)

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


class DesktopTest(ConsoleTest):
    """Each test starts and ends on an empty desktop."""

    def setUp(self):
        super().setUp()
        self.assertEqual([], titles())
        self.addCleanup(lambda: wait_until(lambda: not titles(), lambda: f"the desktop is empty; titles: {titles()}"))
        self.addCleanup(self.sandbox.clear)

    def open(self, *command, title):
        """Starts an application without da-console."""
        process = subprocess.Popen(command, env=self.sandbox.environment, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        wait_for_title(title)
        return process

    def assert_becomes(self, expected, read):
        """Checks that `read` returns the value, when the application has handled its last input."""
        wait_until(lambda: read() == expected, lambda: f"{expected!r}; it is {read()!r}")

    def xev(self):
        xev = Xev()
        self.addCleanup(xev.close)
        return xev

    def goal(self, goal, *flags, **options):
        """Starts a goal on this desktop with an open write lock."""
        return self.sandbox.start("--json", "--unlock-writes", *flags, "--goal", goal, **options)
