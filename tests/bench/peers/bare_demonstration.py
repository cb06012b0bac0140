"""The events of deploy/run's demonstration in mousepad, sent by xdotool to places that are known before. Prints seconds.

  bare_demonstration.py FILE [RUNS]

This is the limit: it waits only for the windows and the file that the next event needs, and checks, records and reads
nothing. The start of mousepad is left out. Its text has as many characters as the demonstration's, but in one line and
only letters, because xdotool loses others without a pause after each. Runs with Debian's Python.
"""
import json
import os
import pathlib
import subprocess
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

TEXT = "Greetings from a script. This is the same long text"
LONGEST_S = 10


def xdotool(*arguments):
    return subprocess.run(["xdotool", *arguments], capture_output=True, text=True, timeout=LONGEST_S, check=False).stdout


def wait_until(condition):
    deadline = time.monotonic() + LONGEST_S
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("mousepad does not do what the script waits for")
        time.sleep(0.002)


def click_until(condition):
    """Clicks again and again, because the list of completions takes a click and goes away."""
    def has_come():
        deadline = time.monotonic() + 0.3
        while not condition():
            if time.monotonic() > deadline:
                xdotool("click", "1")
                return False
            time.sleep(0.002)
        return True
    xdotool("click", "1")
    wait_until(has_come)


def has_window(title):
    return bool(xdotool("search", "--onlyvisible", "--name", title).strip())


def is_active(title):
    return title in xdotool("getactivewindow", "getwindowname")


def center_of(name, node=None):
    """The place of the push button that shows and has this name."""
    node = node or Atspi.get_desktop(0)
    if node.get_role_name() == "push button" and node.get_name() == name:
        if node.get_state_set().contains(Atspi.StateType.SHOWING):
            place = node.get_extents(Atspi.CoordType.SCREEN)
            return place.x + place.width // 2, place.y + place.height // 2
    for i in range(node.get_child_count()):
        child = node.get_child_at_index(i)
        found = child and center_of(name, child)
        if found:
            return found
    return None


def open_editor():
    editor = subprocess.Popen(["mousepad"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until(lambda: has_window("Mousepad"))
    time.sleep(1)
    return editor


def place_of_save():
    editor = open_editor()
    try:
        xdotool("type", "--delay", "0", "text")
        xdotool("key", "ctrl+s")
        wait_until(lambda: is_active("Save As"))
        time.sleep(1)
        return center_of("Save")
    finally:
        editor.kill()
        editor.wait()


def run(file, save):
    file.unlink(missing_ok=True)
    editor = open_editor()
    try:
        begun = time.monotonic()
        xdotool("type", "--delay", "0", TEXT)
        xdotool("key", "ctrl+s")
        wait_until(lambda: is_active("Save As"))
        xdotool("type", "--delay", "0", str(file))
        xdotool("mousemove", str(save[0]), str(save[1]))
        click_until(lambda: file.exists() and file.read_text().strip() == TEXT)
        wait_until(lambda: has_window(file.name))
        xdotool("key", "alt+F4")
        wait_until(lambda: not has_window("Mousepad"))
        return time.monotonic() - begun
    finally:
        editor.kill()
        editor.wait()


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1])
    os.makedirs(target.parent, exist_ok=True)
    button = place_of_save()
    print(json.dumps([run(target, button) for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else 1)]))
