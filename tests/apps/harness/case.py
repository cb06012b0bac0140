"""One goal on a desktop: starts da-console and, if needed, the application, and checks the result independently.

close() ends the processes that the goal started: by process id, and only in its sandbox or on its display.
"""

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import time

import x11
from console import DONE, Sandbox, wait_until

HERE = pathlib.Path(__file__).resolve().parents[1]
RULES = HERE / "rules.toml"
BROWSER_BARS = 86  # Approximate height of tabs and location bar; dragged targets are larger than the error.
ORACLE_S = 10  # Limit in seconds for an application to show the result of a goal.


class Case:
    def __init__(self, setting):
        self.setting = setting
        self.sandbox = Sandbox(prefix="/tmp/app-")
        self.started = []
        self.closing = []  # Functions that close() calls.
        self.says_done = False  # Whether the last goal ended as done.
        self.unproven = []  # The sentences of all goals that are said to be carried out, without a proof.
        self.sentences, self.proven = 0, 0  # Of all goals.

    def goal(self, text, *flags, exit=DONE, seconds=100):
        """Executes a goal and checks the exit code. Returns the finished run."""
        self.says_done = False
        run = self.sandbox.start("--json", "--unlock-writes", *flags, "--goal", text, rules=RULES)
        code = run.wait(seconds)
        self.says_done = code == DONE
        for end in run.facts("planner.end"):
            self.sentences += end["result"].get("parts_carried_out", 0)
            self.proven += end["result"].get("parts_proven", 0)
            self.unproven += [f"{one['part']} ({one.get('why', '')})" for one in end["result"].get("unproven", [])]
        assert code == exit, f"exit code {code}, not {exit}: {last_words(run)}"
        return run

    def start(self, *command, title, seconds=60, **environment):
        """Starts an application without da-console, and waits for a window whose title matches the pattern."""
        out = open(self.path("application.log"), "ab")
        process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=out, env=dict(self.sandbox.environment, **environment))
        out.close()
        self.started.append(process)
        wait_until(lambda: [name for name in x11.titles() if re.search(title, name)],
                   lambda: f"there is a window {title!r}; titles: {x11.titles()}", seconds)
        return process

    def path(self, name):
        return self.sandbox.path(name)

    def write(self, name, text):
        file = self.path(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def files(self, count, folder="files"):
        """Writes file1.txt to fileN.txt, each with its own name as text. Returns the folder."""
        for number in range(1, count + 1):
            self.write(f"{folder}/file{number}.txt", f"file{number}.txt\n")
        return self.path(folder)

    def becomes(self, wanted, actual, what="", seconds=ORACLE_S):
        """Waits until actual() equals `wanted`, or satisfies it if it is a function."""
        holds = wanted if callable(wanted) else lambda value: value == wanted
        last = [None]

        def look():
            with contextlib.suppress(OSError, ValueError, IndexError, KeyError):
                last[0] = actual()
                return holds(last[0])
            return False
        deadline = time.monotonic() + seconds
        while not look():
            if time.monotonic() > deadline:
                expected = what if callable(wanted) else repr(wanted)
                raise AssertionError(f"{what}: expected {expected}, found {str(last[0])[:300]!r}")
            time.sleep(0.05)

    def file_is(self, file, text):
        self.becomes(text, pathlib.Path(file).read_text, f"the file {pathlib.Path(file).name}")

    def window(self, pattern, seconds=ORACLE_S):
        """Waits for a window in the window manager's list."""
        wait_until(lambda: [name for name in x11.titles() if re.search(pattern, name)],
                   lambda: f"there is a window {pattern!r}; titles: {x11.titles()}", seconds)

    def no_window(self, pattern, seconds=ORACLE_S):
        wait_until(lambda: not [name for name in x11.titles() if re.search(pattern, name)],
                   lambda: f"there is no window {pattern!r}; titles: {x11.titles()}", seconds)

    def prints(self, process, text, code=0):
        """Waits for the end of a program started here, and checks its output and exit code."""
        try:
            out, _ = process.communicate(timeout=ORACLE_S)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{process.args[0]} did not end within {ORACLE_S} s") from None
        assert (process.returncode, out.decode().strip("\n")) == (code, text), \
            f"it ended with {process.returncode} and printed {out.decode()[:200]!r}, not {code} and {text!r}"

    def copied(self, text, *chords):
        """Presses the chords with xdotool, copies, and waits until the clipboard has the text."""
        for chord in chords:
            x11.press(chord)
        self.becomes(text, x11.copied, "the clipboard")

    def inside(self, title):
        """Returns left, top, width and height of a window without its frame."""
        words = x11.ask("xdotool", "getwindowgeometry", "--shell", x11.window_of(title)).split()
        values = dict(word.split("=") for word in words)
        return tuple(int(values[name]) for name in ("X", "Y", "WIDTH", "HEIGHT"))

    def middle(self, title):
        """Returns the middle of a window, as a place in a sentence."""
        x, y, width, height = self.inside(title)
        return f"{x + width // 2},{y + height // 2}"

    def page_corner(self, title):
        """Returns the upper left corner of a browser's page, below its bars."""
        x, y, _, _ = self.inside(title)
        return x, y + BROWSER_BARS

    def state(self, file):
        """Returns the state that a test program wrote."""
        return json.loads(pathlib.Path(file).read_text())

    def deaths(self):
        """Returns which of the started applications ended with an error, and their last output."""
        said = self.path("application.log")
        lines = said.read_text(errors="replace").strip().splitlines()[-2:] if said.exists() else []
        return "".join(f"{process.args[0]} has ended with {process.returncode} ({' | '.join(lines)}): "
                       for process in self.started if process.poll() not in (None, 0))

    def close(self):
        self.sandbox.clear()
        for process in self.started:
            if process.poll() is None:
                process.kill()
            process.wait()
            process.stdout.close()
        for close in self.closing:
            close()
        self._clear_desktop()

    def _clear_desktop(self):
        """Ends applications on this display that D-Bus started, because they run outside of the sandbox."""
        deadline = time.monotonic() + ORACLE_S
        while x11.titles() and time.monotonic() < deadline:
            for line in x11.ask("wmctrl", "-lp").splitlines():
                pid = int(line.split()[2])
                with contextlib.suppress(OSError):
                    environment = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
                    if f"DISPLAY={x11.display()}".encode() in environment:
                        os.kill(pid, signal.SIGKILL)
            time.sleep(0.1)


def last_words(run):
    """Returns the last lines of a run's errors as one line."""
    asides = ("steps that were carried out", "last screenshot:", "planner:")
    lines = [line for line in run.stderr if line.strip() and not line.startswith(asides)]
    text = " | ".join(lines[-3:]) or "no output"
    return text if len(text) < 500 else text[:500] + " ..."
