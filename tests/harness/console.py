"""Starts da-console as a person or a script would, in a sandbox with its own state and run directory.

    with Sandbox() as sandbox:
        run = sandbox.start("--json", "--goal", "wait 5 seconds")
        run.wait_for(lambda: run.states() == ["OBSERVING"])
        run.kill_service("policy")
        run.wait()

Leaving the sandbox checks that no process and no run directory remains. Every wait has a deadline.
"""

import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import zlib

BIN = pathlib.Path(os.environ.get("DA_BIN", "build/release/bin")).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
RULES = ROOT / "deploy/config/policy.toml"
PROGRAMS = ROOT / "tests/programs"  # Programs that tests look at and click.
SERVICES = ("actuator", "observer", "policy", "planner", "recorder")

DONE, FAILED, BAD_USAGE, DENIED, HALTED, SERVICE_LOST, UNKNOWN, INTERRUPTED = 0, 1, 2, 3, 4, 5, 6, 130

# Default timeout in seconds; generous, because a loaded machine is slow. A test that checks a limit passes its own.
PATIENCE = 30
# The long tests try each combination of their cases, the others some of them.
ALL_CASES = "DA_E2E_ALL" in os.environ
# 0 or 1: every second test of each class with at least four, beginning with the first or the second one. None: all, as
# where another test needs what each of them stores.
HALF = None if "DA_E2E_MODEL_REQUESTS" in os.environ else os.environ.get("DA_E2E_HALF")
TURN = 0.01


def wait_until(condition, what, seconds=PATIENCE):
    """Returns the first true value of the condition. `what` completes the error "not within N s: "."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s: {what() if callable(what) else what}")
        time.sleep(TURN)


def processes_with(text):
    """Returns pid -> command line of each process that has the text in its environment or its arguments."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            arguments = (entry / "cmdline").read_bytes()
        except OSError:
            continue  # The process has ended.
        try:
            environment = (entry / "environ").read_bytes()
        except OSError:
            environment = b""  # It belongs to another user, or is not dumpable.
        if text.encode() in arguments + environment:
            found[int(entry.name)] = arguments.replace(b"\0", b" ").decode(errors="replace").strip()
    return found


class Run:
    """One da-console process. Threads collect its output while it runs."""

    def __init__(self, program, arguments, environment, stdin, within=(), directory=None):
        self.started = time.monotonic()
        self.stdout, self.stderr = [], []
        self.process = subprocess.Popen([*within, str(program), *arguments], stdin=stdin,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd=directory,
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
        """Waits for the end, reads all output and returns the exit code."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"da-console did not end within {seconds} s; its output:\n{self.said()}") from None
        self.seconds = time.monotonic() - self.started
        for reader in self._readers:
            reader.join(5)
        for stream in (self.process.stdout, self.process.stderr):
            stream.close()
        return self.process.returncode

    def wait_for(self, condition, seconds=PATIENCE):
        def seen_or_over():
            over = self.process.poll() is not None
            value = condition()  # Evaluate after `over`, so that the last output is included.
            return value or over
        value = wait_until(seen_or_over, lambda: f"the awaited condition is true; output:\n{self.said()}", seconds)
        if value is True and not condition():
            self.wait()
            if not condition():
                raise AssertionError(f"da-console ended before the condition was true; its output:\n{self.said()}")
        return condition()

    def said(self):
        """Returns the output for a failure message; long facts are shortened."""
        def short(line):
            return line if len(line) < 400 else line[:100] + " ... " + line[-300:]
        return "\n".join(["stdout:", *map(short, self.stdout), "stderr:", *self.stderr])

    def errors(self):
        return "\n".join(self.stderr)

    def text(self):
        return "\n".join(self.stdout)

    def facts(self, topic=None):
        """Returns the facts of a run with --json, optionally only those of a topic."""
        lines = [json.loads(line) for line in list(self.stdout)]
        return [line["fact"] for line in lines if topic in (None, line["topic"])]

    def states(self):
        return [fact["state"].removeprefix("TASK_STATE_") for fact in self.facts("planner.state")]

    def pending_id(self):
        """Waits until the run asks for an approval and returns the approval id."""
        return self.wait_for(lambda: [fact["approval_id"] for fact in self.facts("policy.request")])[-1]

    def services(self):
        """Returns name -> pid of the services that this run started and that still run."""
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
        self.root = pathlib.Path(tempfile.mkdtemp(prefix=prefix))  # Short: socket paths are limited.
        self.runtime, self.state, self.home = self.root / "r", self.root / "s", self.root / "home"
        for directory in (self.runtime, self.state, self.home):
            directory.mkdir(mode=0o700)
        self.environment = dict(os.environ, HOME=str(self.home), XDG_RUNTIME_DIR=str(self.runtime),
                                XDG_STATE_HOME=str(self.state), XDG_CONFIG_HOME=str(self.home / "config"),
                                XDG_CACHE_HOME=str(self.home / "cache"), XDG_DATA_HOME=str(self.home / "data"))
        self.programs = BIN  # The directory of da-console and the services.
        self.directory = None  # The working directory of da-console; None: that of the test.
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
        """Starts da-console, prefixed with the command `within`. A goal without --config gets --rules RULES; with None
        da-console chooses the rules itself."""
        given = list(arguments)
        if rules and "--goal" in given and "--config" not in given:
            given = ["--rules", str(rules), *given]
        self._runs.append(Run(self.programs / "da-console", given, self.environment, stdin, within,
                              self.directory))
        return self._runs[-1]

    def run(self, *arguments, seconds=PATIENCE, **options):
        run = self.start(*arguments, **options)
        run.wait(seconds)
        return run

    def goal(self, goal, *flags, **options):
        """Starts a goal on the fake desktop with --json."""
        return self.start("--json", "--desktop", "fake", *flags, "--goal", goal, **options)

    def replace_program(self, name, script):
        """From now on a shell script takes the place of one of our programs. It may start the real one: BIN / name."""
        if self.programs == BIN:
            self.programs = self.path("bin")
            self.programs.mkdir()
            for program in BIN.iterdir():
                (self.programs / program.name).symlink_to(program)
            # It starts the services in its own directory.
            (self.programs / "da-console").unlink()
            shutil.copy(BIN / "da-console", self.programs)
        program = self.programs / name
        program.unlink()
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)

    def path(self, name):
        return self.root / name

    def runs(self):
        """Returns all runs that this sandbox started."""
        return list(self._runs)

    def run_directories(self):
        return sorted((self.runtime / "desktopassist").glob("run-*"))

    def processes(self):
        """Returns our processes except da-launcher, which runs as long as the application that a goal opened."""
        return {pid: command for pid, command in processes_with(str(self.root)).items()
                if "/da-" in command and "/da-launcher " not in command}

    def check_nothing_left(self, seconds=15):
        wait_until(lambda: not self.processes(), lambda: f"all processes ended; left: {self.processes()}", seconds)
        if self.run_directories():
            raise AssertionError(f"run directories remain: {self.run_directories()}")

    def clear(self):
        for pid in processes_with(str(self.root)):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        for run in self._runs:
            run.wait()
        shutil.rmtree(self.root, ignore_errors=True)


class HeldSave:
    """A step that runs until the test releases it: the fake editor saves into a pipe that nobody reads.

        held = HeldSave(self.sandbox)
        run = self.sandbox.goal(f'{held.goal}; type "x"', "--unlock-writes")
        held.wait_for(run)
        self.sandbox.run("pause")
        held.release()

    The policy gives up the step after 30 s.
    """

    TOOLS = ["launch", "hotkey"]  # The steps of the goal.

    def __init__(self, sandbox):
        self.pipe = sandbox.path("pipe")
        self.ledger = sandbox.state / "desktopassist/actuator/ledger"
        os.mkfifo(self.pipe)
        self.goal = f"open notes {self.pipe}; press ctrl+s"

    def wait_for(self, run):
        """Waits until the editor saves. The intent in the ledger comes earlier, and a busy disk may take it slowly."""
        step = run.wait_for(lambda: [verdict["step_id"] for verdict in run.facts("policy.verdict")
                                     if verdict["tool"] == "hotkey"])[0]
        wait_until(lambda: step.encode() in self.ledger.read_bytes(), "the ledger has the intent")
        actuator = pathlib.Path(f"/proc/{run.services()['actuator']}/task")

        def waits_for_a_reader():
            waits = {task.read_text() for task in actuator.glob("*/wchan")}
            return "wait_for_partner" in waits or waits == {"0"}  # Some kernels do not tell.

        wait_until(waits_for_a_reader, "the editor opens the pipe")

    def release(self):
        """Reads the pipe until the editor has saved."""
        reader = os.open(self.pipe, os.O_RDONLY | os.O_NONBLOCK)
        try:
            poll = select.poll()
            poll.register(reader, 0)  # Reports only the writer's end.
            if not poll.poll(PATIENCE * 1000):
                raise AssertionError(f"the editor has not saved into {self.pipe} within {PATIENCE} s")
        finally:
            os.close(reader)


class ConsoleTest(unittest.TestCase):
    """Each test has its own sandbox."""

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        tests = [name for name in vars(cls) if name.startswith("test_")]
        if HALF is not None and len(tests) >= 4 and not ALL_CASES:
            for name in tests[1 - int(HALF)::2]:
                delattr(cls, name)

    def setUp(self):
        self.sandbox = Sandbox()
        self.addCleanup(self.sandbox.clear)

    def some(self, cases, most=1):
        """At most so many of the cases of a test, other ones for each test; all of them with ALL_CASES."""
        cases = list(cases)
        if ALL_CASES or len(cases) <= most:
            return cases
        first = zlib.crc32(self.id().rpartition(".")[2].encode())
        return [cases[(first + number * len(cases) // most) % len(cases)] for number in range(most)]

    def assert_ends(self, run, exit_code, seconds=PATIENCE):
        """Checks the exit code, and that no process and no run directory remains."""
        self.assertEqual(exit_code, run.wait(seconds), run.said())
        self.sandbox.check_nothing_left()

    def interrupt(self, run):
        """Ends a run whose goal takes longer than the test."""
        self.assertIsNone(run.process.poll(), run.said())
        run.process.send_signal(signal.SIGINT)
        self.assert_ends(run, INTERRUPTED)
