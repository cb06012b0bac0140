"""Starts da-console as a person or a script would, each time with a state and a run directory of its own.

    with Sandbox() as sandbox:
        run = sandbox.start("--json", "--goal", "wait 5 seconds")
        run.wait_for(lambda: run.states() == ["OBSERVING"])
        run.kill_service("policy")
        run.wait()

Leaving the sandbox checks that no process and no run directory is left behind. Every wait has a deadline.
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest

BIN = pathlib.Path(os.environ.get("DA_BIN", "build/release/bin")).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
RULES = ROOT / "deploy/config/policy.toml"
SERVICES = ("actuator", "observer", "policy", "planner")

DONE, FAILED, BAD_USAGE, DENIED, HALTED, SERVICE_LOST, UNKNOWN, INTERRUPTED = 0, 1, 2, 3, 4, 5, 6, 130

# Seconds. Generous, because a loaded machine is slow; whoever means a limit says so.
PATIENCE = 30
TURN = 0.01


def wait_until(condition, what, seconds=PATIENCE):
    """Returns the first true value of the condition."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"after {seconds} s still not: {what() if callable(what) else what}")
        time.sleep(TURN)


def processes_with(text):
    """pid -> command line of each process that carries the text in its environment or its arguments."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            arguments = (entry / "cmdline").read_bytes()
        except OSError:
            continue  # It ended in the meantime.
        try:
            environment = (entry / "environ").read_bytes()
        except OSError:
            environment = b""  # Another user's, or a process that shows its own to nobody.
        if text.encode() in arguments + environment:
            found[int(entry.name)] = arguments.replace(b"\0", b" ").decode(errors="replace").strip()
    return found


class Run:
    """One da-console. Its output is collected as it comes."""

    def __init__(self, program, arguments, environment, stdin, within=()):
        self.started = time.monotonic()
        self.stdout, self.stderr = [], []
        self.process = subprocess.Popen([*within, str(program), *arguments], stdin=stdin,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
                                        start_new_session=True)
        self._readers = [threading.Thread(target=self._read, args=pair, daemon=True)
                         for pair in ((self.process.stdout, self.stdout), (self.process.stderr, self.stderr))]
        for reader in self._readers:
            reader.start()

    @staticmethod
    def _read(stream, lines):
        for line in stream:
            lines.append(line.decode("utf-8").rstrip("\n"))

    def wait(self, seconds=PATIENCE):
        """Its exit code; all of its output has been read then."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"da-console did not end within {seconds} s; it said:\n{self.said()}") from None
        self.seconds = time.monotonic() - self.started
        for reader in self._readers:
            reader.join(5)
        for stream in (self.process.stdout, self.process.stderr):
            stream.close()
        return self.process.returncode

    def wait_for(self, condition, seconds=PATIENCE):
        def seen_or_over():
            over = self.process.poll() is not None
            value = condition()  # After `over`, so that the last output counts.
            return value or over
        value = wait_until(seen_or_over, lambda: f"what the test waits for; it said:\n{self.said()}", seconds)
        if value is True and not condition():
            self.wait()
            if not condition():
                raise AssertionError(f"da-console ended before what the test waits for; it said:\n{self.said()}")
        return condition()

    def said(self):
        """For a failed test's message: facts are cut short."""
        def short(line):
            return line if len(line) < 400 else line[:100] + " ... " + line[-300:]
        return "\n".join(["stdout:", *map(short, self.stdout), "stderr:", *self.stderr])

    def errors(self):
        return "\n".join(self.stderr)

    def text(self):
        return "\n".join(self.stdout)

    def facts(self, topic=None):
        """Of a --json run."""
        lines = [json.loads(line) for line in list(self.stdout)]
        return [line["fact"] for line in lines if topic in (None, line["topic"])]

    def states(self):
        return [fact["state"].removeprefix("TASK_STATE_") for fact in self.facts("planner.state")]

    def pending_id(self):
        """The id of the approval that the run asks for, once it does."""
        return self.wait_for(lambda: [fact["approval_id"] for fact in self.facts("policy.request")])[-1]

    def services(self):
        """name -> pid of the services that it started and that live."""
        found = {}
        for pid, command in processes_with(f"/run-{self.process.pid}-").items():
            for name in SERVICES:
                if f"/da-{name} " in command:
                    found[name] = pid
        return found

    def kill_service(self, name, number=signal.SIGKILL):
        os.kill(self.services()[name], number)
        return time.monotonic()


class Sandbox:
    def __init__(self, prefix="/tmp/e2e-"):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix=prefix))  # Short, because socket names are.
        self.runtime, self.state, self.home = self.root / "r", self.root / "s", self.root / "home"
        for directory in (self.runtime, self.state, self.home):
            directory.mkdir(mode=0o700)
        self.environment = dict(os.environ, HOME=str(self.home), XDG_RUNTIME_DIR=str(self.runtime),
                                XDG_STATE_HOME=str(self.state), XDG_CONFIG_HOME=str(self.home / "config"),
                                XDG_CACHE_HOME=str(self.home / "cache"), XDG_DATA_HOME=str(self.home / "data"))
        self.programs = BIN  # da-console and the services beside it.
        self._runs = []

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        try:
            if kind is None:
                self.check_nothing_left()
        finally:
            self.clear()

    def start(self, *arguments, stdin=subprocess.DEVNULL, rules=RULES, within=()):
        """Starts da-console, as the last words of the command `within`. With a goal and services of its own it gets the
        rules; None leaves the choice to it."""
        given = list(arguments)
        if rules and "--goal" in given and "--config" not in given:
            given = ["--rules", str(rules), *given]
        self._runs.append(Run(self.programs / "da-console", given, self.environment, stdin, within))
        return self._runs[-1]

    def run(self, *arguments, seconds=PATIENCE, **options):
        run = self.start(*arguments, **options)
        run.wait(seconds)
        return run

    def goal(self, goal, *flags, **options):
        """Starts a goal on the fake desktop, with JSON lines."""
        return self.start("--json", "--desktop", "fake", *flags, "--goal", goal, **options)

    def path(self, name):
        return self.root / name

    def runs(self):
        """All that was started here."""
        return list(self._runs)

    def run_directories(self):
        return sorted((self.runtime / "desktopassist").glob("run-*"))

    def processes(self):
        """Of ours; applications that a goal has opened stay, each with the da-launcher that reads its output."""
        return {pid: command for pid, command in processes_with(str(self.root)).items()
                if "/da-" in command and "/da-launcher " not in command}

    def check_nothing_left(self, seconds=15):
        wait_until(lambda: not self.processes(), lambda: f"all processes are gone: {self.processes()}", seconds)
        if self.run_directories():
            raise AssertionError(f"run directories are left behind: {self.run_directories()}")

    def clear(self):
        for pid in processes_with(str(self.root)):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        for run in self._runs:
            run.wait()
        shutil.rmtree(self.root, ignore_errors=True)


class ConsoleTest(unittest.TestCase):
    """Each test in a sandbox of its own."""

    def setUp(self):
        self.sandbox = Sandbox()
        self.addCleanup(self.sandbox.clear)

    def assert_ends(self, run, exit_code, seconds=PATIENCE):
        """The right code, and nothing is left behind."""
        self.assertEqual(exit_code, run.wait(seconds), run.said())
        self.sandbox.check_nothing_left()
