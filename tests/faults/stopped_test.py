"""Stops processes with SIGSTOP in every state of a task, for 5 s or for good.

The task must continue or end with the right exit code, repeat no effect, name the silent service and leave nothing
behind. A few cases run at the same time.
"""

import concurrent.futures
import os
import signal
import subprocess
import sys
import time
import unittest

import deeds
from console import DONE, HALTED, SERVICE_LOST, SERVICES, UNKNOWN

STOPPED_S = 5
# From the stop to the end of the task: the deadlines of the calls, one after another, on a loaded machine.
BOUND_S = 75
TIME_LIMIT = "25s"
AT_ONCE = 5

WAITING = "WAITING FOR AN APPROVAL"
WRITING = "ACTING ON THE DESKTOP"


class Case:
    """A task, the state in which a process is stopped, and the journal lines of each step."""

    def __init__(self, state, goal, steps, flags=("--unlock-writes",)):
        self.state, self.goal, self.steps, self.flags = state, goal, steps, flags

    def start(self, sandbox):
        self.pipe = sandbox.path("pipe")
        os.mkfifo(self.pipe)
        self.journal = sandbox.deeds.journal
        self.steps = [[line.format(pipe=self.pipe) for line in step] for step in self.steps]
        return sandbox.goal(self.goal.format(pipe=self.pipe), "--journal", str(self.journal),
                            "--time-limit", TIME_LIMIT, *self.flags)

    def lines(self):
        return self.journal.read_text().splitlines() if self.journal.exists() else []

    def reached(self, run):
        if self.state == WAITING:
            return run.facts("policy.request")
        if self.state == WRITING:
            return f"save {self.pipe}" in self.lines()
        return self.state in run.states()

    def let_go(self):
        """Opens the pipe that the fake editor saves to: saving hangs until there is a reader."""
        if self.state == WRITING:
            return os.open(self.pipe, os.O_RDONLY | os.O_NONBLOCK)
        return None

    def problems(self, exit_code, run):
        found = []
        lines, expected = self.lines(), [line for step in self.steps for line in step]
        if lines != expected[:len(lines)]:
            found.append(f"done: {lines}")
        if exit_code == DONE and lines != expected:
            found.append(f"it reports success, but did {lines}")
        begun = sum(step[0] in lines for step in self.steps)
        told = deeds.told_steps(run)
        if exit_code == SERVICE_LOST and begun > told:
            found.append(f"{begun} steps acted, {told} were reported, and the exit code is not \"unknown\"")
        return found


def cases():
    steps = [["launch notes"], ["tap f6"], ["tap f7"]]
    goal = "open notes; press f6; press f7"
    return [
        Case("OBSERVING", goal, steps),
        Case("DECIDING", goal, steps),
        Case("AUTHORIZING", goal, steps),
        Case("ACTING", "wait 1 seconds; " + goal, steps),
        Case(WRITING, "open notes {pipe}; press ctrl+s; press f7",
             [["launch notes {pipe}"], ["chord ctrl+s", "save {pipe}"], ["tap f7"]]),
        Case("VERIFYING", goal, steps),
        Case(WAITING, goal, steps, ()),
    ]


def run_case(name, victim, goes_on):
    started = time.monotonic()
    (case,) = [case for case in cases() if case.state == name]
    try:
        return try_case(case, victim, goes_on)
    except AssertionError as error:
        return [name, victim, -1, time.monotonic() - started, [str(error)]]


def exit_codes(victim, goes_on):
    if victim == "recorder":  # The policy halts when the lease of 2 s lapses, unless the task is done before.
        return {DONE, HALTED, UNKNOWN}
    return {DONE, SERVICE_LOST, UNKNOWN} if goes_on else {SERVICE_LOST, UNKNOWN}


def try_case(case, victim, goes_on):
    """[state, victim, exit code, seconds from the stop to the end, problems]"""
    with deeds.FaultSandbox() as sandbox:
        run = case.start(sandbox)
        run.wait_for(lambda: case.reached(run))
        pids = dict(deeds.children(run.process.pid), console=run.process.pid)
        os.kill(pids[victim], signal.SIGSTOP)
        stopped = time.monotonic()
        if goes_on:
            time.sleep(STOPPED_S)  # The time under test.
            os.kill(pids[victim], signal.SIGCONT)
        reader = case.let_go()
        if case.state == WAITING:
            approve_all(sandbox, run)
        exit_code = run.wait(BOUND_S)
        seconds = time.monotonic() - stopped
        if reader is not None:
            os.close(reader)
        problems = case.problems(exit_code, run)
        if exit_code not in exit_codes(victim, goes_on):
            problems.append(f"exit code {exit_code}")
        if not goes_on and f"da-{victim}" not in run.errors():
            problems.append(f"da-{victim} is not named")
        try:
            sandbox.check_nothing_left(15)
        except AssertionError as error:
            problems.append(str(error))
        if exit_code == HALTED and sandbox.run("resume").process.returncode != DONE:
            problems.append("the halt cannot be cleared")
        problems += sandbox.next_run_problems(30)
        if problems:
            problems.append(run.said())
        return [case.state, victim, exit_code, seconds, problems]


def approve_all(sandbox, run):
    """Approves all questions until the run ends. A question may have been withdrawn meanwhile."""
    answered = set()
    while run.process.poll() is None:
        for question in {fact["approval_id"] for fact in run.facts("policy.request")} - answered:
            answered.add(question)
            sandbox.start("approve", question).wait(60)
        try:
            run.process.wait(0.05)
        except subprocess.TimeoutExpired:
            pass


class Stopped(unittest.TestCase):
    def run_all(self, victims, goes_on):
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            tries = [pool.submit(run_case, case.state, victim, goes_on) for victim in victims for case in cases()]
            rows = [each.result() for each in tries]
        print(f"\n{'state':24} {'stopped':9} {'exit code':>9} {'ended after':>11}", file=sys.stderr)
        for state, victim, exit_code, seconds, problems in rows:
            print(f"{state:24} {victim:9} {exit_code:9} {seconds:9.1f} s {'PROBLEM' if problems else ''}",
                  file=sys.stderr)
        for row in rows:
            with self.subTest(state=row[0], stopped=row[1]):
                self.assertEqual([], row[4], "\n".join(row[4]))

    def test_processes_stopped_for_5_s(self):
        self.run_all((*SERVICES, "console"), goes_on=True)

    def test_processes_stopped_for_good(self):
        self.run_all(SERVICES, goes_on=False)


if __name__ == "__main__":
    unittest.main()
