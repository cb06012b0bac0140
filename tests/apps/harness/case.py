"""One goal on a desktop: starts da-console and, where wanted, the application; asks others than us what came of it.

Everything that a goal starts ends with it: by process id, and only what runs in its sandbox or on its display.
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
BROWSER_BARS = 86  # Height of tabs and location bar, about; what is dragged is larger than the difference.
ORACLE_S = 10  # How long an application may take to show what a goal did.


class Case:
    def __init__(self, setting):
        self.setting = setting
        self.sandbox = Sandbox(prefix="/tmp/app-")
        self.started = []
        self.closing = []  # Called at the end.

    # ---- acting -------------------------------------------------------------------------------------------------

    def goal(self, text, *flags, exit=DONE, seconds=100):
        """Carries a goal out and expects that exit code. Returns the finished run."""
        run = self.sandbox.start("--json", "--unlock-writes", *flags, "--goal", text, rules=RULES)
        code = run.wait(seconds)
        assert code == exit, f"exit code {code}, not {exit}: {last_words(run)}"
        return run

    def start(self, *command, title, seconds=60, **environment):
        """Opens an application without our help, and waits for a window with that title (a pattern)."""
        out = open(self.path("application.log"), "ab")
        process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=out, env=dict(self.sandbox.environment, **environment))
        out.close()
        self.started.append(process)
        wait_until(lambda: [name for name in x11.titles() if re.search(title, name)],
                   lambda: f"a window {title!r}; there are {x11.titles()}", seconds)
        return process

    # ---- files --------------------------------------------------------------------------------------------------

    def path(self, name):
        return self.sandbox.path(name)

    def write(self, name, text):
        file = self.path(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def files(self, count, folder="files"):
        """Files file1.txt to fileN.txt, each with its own name as text."""
        for number in range(1, count + 1):
            self.write(f"{folder}/file{number}.txt", f"file{number}.txt\n")
        return self.path(folder)

    # ---- oracles ------------------------------------------------------------------------------------------------

    def becomes(self, wanted, actual, what="", seconds=ORACLE_S):
        """Waits until actual() is what is wanted: a value, or a condition of it."""
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
        """Waits for a window by the window manager's list."""
        wait_until(lambda: [name for name in x11.titles() if re.search(pattern, name)],
                   lambda: f"a window {pattern!r}; there are {x11.titles()}", seconds)

    def no_window(self, pattern, seconds=ORACLE_S):
        wait_until(lambda: not [name for name in x11.titles() if re.search(pattern, name)],
                   lambda: f"no window {pattern!r}; there are {x11.titles()}", seconds)

    def prints(self, process, text, code=0):
        """Waits for the end of a program that was started here, and compares what it printed."""
        try:
            out, _ = process.communicate(timeout=ORACLE_S)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{process.args[0]} did not end") from None
        assert (process.returncode, out.decode().strip("\n")) == (code, text), \
            f"it ended with {process.returncode} and printed {out.decode()[:200]!r}, not {code} and {text!r}"

    def copied(self, text, *chords):
        """What the application copies after these chords, by xclip."""
        for chord in chords:
            x11.press(chord)
        self.becomes(text, x11.copied, "the clipboard")

    def inside(self, title):
        """The left and the top edge of a window's inside, its width and its height."""
        words = x11.ask("xdotool", "getwindowgeometry", "--shell", x11.window_of(title)).split()
        values = dict(word.split("=") for word in words)
        return tuple(int(values[name]) for name in ("X", "Y", "WIDTH", "HEIGHT"))

    def page_corner(self, title):
        """Where a browser's page begins: below the last row of its own bars."""
        x, y, _, _ = self.inside(title)
        return x, y + BROWSER_BARS

    def state(self, file):
        """What one of our small programs or pages wrote about itself."""
        return json.loads(pathlib.Path(file).read_text())

    def deaths(self):
        """Of the applications that were started here: which ended by itself, and its last words."""
        said = self.path("application.log")
        lines = said.read_text(errors="replace").strip().splitlines()[-2:] if said.exists() else []
        return "".join(f"{process.args[0]} has ended with {process.returncode} ({' | '.join(lines)}): "
                       for process in self.started if process.poll() not in (None, 0))

    # ---- the end ------------------------------------------------------------------------------------------------

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
        """Ends what was started through D-Bus, and so runs outside of the sandbox, but on this display."""
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
    """Why a run ended, in one line."""
    asides = ("steps that were carried out", "last screenshot:", "planner:")
    lines = [line for line in run.stderr if line.strip() and not line.startswith(asides)]
    text = " | ".join(lines[-3:]) or "it said nothing"
    return text if len(text) < 500 else text[:500] + " ..."
