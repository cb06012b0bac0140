"""Processes that live but do not answer (SIGSTOP), in every state of a task. Stopped for 5 s, and left stopped.

What must hold: the task goes on, or ends with the right exit code; no deed twice; the silent one is named; nothing is
left behind. All cases run at the same time, a few at once.
"""

import concurrent.futures
import os
import signal
import subprocess
import sys
import time
import unittest

import deeds
from console import DONE, SERVICE_LOST, SERVICES, UNKNOWN

STOPPED_S = 5
# From the stop to the end, where nobody goes on: deadlines of the calls, one after the other, on a loaded machine.
BOUND_S = 75
TIME_LIMIT = "25s"
AT_ONCE = 5


class Case:
    """A task that is brought into a state."""

    def __init__(self, state, goal, flags=("--unlock-writes",)):
        self.state, self.goal, self.flags = state, goal, flags

    def reached(self, run):
        if self.state == "WAITING FOR AN APPROVAL":
            return run.facts("policy.request")
        return self.state in run.states()


# What is to be done leaves exactly these lines.
LINES = ["launch notes", "tap f6", "tap f7"]
GOAL = "open notes; press f6; press f7"
CASES = [
    Case("OBSERVING", GOAL),
    Case("DECIDING", GOAL),
    Case("AUTHORIZING", GOAL),
    Case("ACTING", "wait 1 seconds; " + GOAL),
    Case("VERIFYING", GOAL),
    Case("WAITING FOR AN APPROVAL", GOAL, ()),
]


def run_case(case, victim, goes_on):
    """[state, victim, exit code, seconds from the stop to the end, problems]"""
    problems = []
    with deeds.FaultSandbox() as sandbox:
        journal = sandbox.deeds.journal
        run = sandbox.goal(case.goal, "--journal", str(journal), "--time-limit", TIME_LIMIT, *case.flags)
        run.wait_for(lambda: case.reached(run))
        if case.state == "WAITING FOR AN APPROVAL":
            approval = run.pending_id()
        pids = dict(deeds.children(run.process.pid), console=run.process.pid)
        os.kill(pids[victim], signal.SIGSTOP)
        stopped = time.monotonic()
        if goes_on:
            time.sleep(STOPPED_S)  # What is tested is this time.
            os.kill(pids[victim], signal.SIGCONT)
            if case.state == "WAITING FOR AN APPROVAL":
                approve_all(sandbox, run, approval)
        exit_code = run.wait(BOUND_S)
        seconds = time.monotonic() - stopped
        lines = journal.read_text().splitlines() if journal.exists() else []
        if lines != LINES[:len(lines)]:
            problems.append(f"done: {lines}")
        if exit_code == DONE and lines != LINES:
            problems.append(f"claims to be done, but did {lines}")
        allowed = {DONE, SERVICE_LOST, UNKNOWN} if goes_on else {SERVICE_LOST, UNKNOWN}
        if exit_code not in allowed:
            problems.append(f"exit code {exit_code}")
        if not goes_on and f"da-{victim}" not in run.errors():
            problems.append("it is not named")
        # Each deed was told, or is in doubt.
        told = [fact for fact in run.facts("actuator.outcome") if fact.get("kind") in deeds.BEGUN]
        if exit_code == SERVICE_LOST and len(lines) > len(told):
            problems.append(f"{len(lines)} deeds, {len(told)} told")
        try:
            sandbox.check_nothing_left(15)
        except AssertionError as error:
            problems.append(str(error))
        problems += sandbox.next_run_problems(30)
        if problems:
            problems.append(run.said())
        return [case.state, victim, exit_code, seconds, problems]


def approve_all(sandbox, run, first):
    """A question that was withdrawn meanwhile is not there any more."""
    answered = set()
    asked = {first}
    while run.process.poll() is None:
        for question in asked - answered:
            answered.add(question)
            sandbox.start("approve", question).wait(60)
        asked = {fact["approval_id"] for fact in run.facts("policy.request")}
        try:
            run.process.wait(0.05)
        except subprocess.TimeoutExpired:
            pass


class Stopped(unittest.TestCase):
    def run_all(self, victims, goes_on):
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            tries = [pool.submit(run_case, case, victim, goes_on) for case in CASES for victim in victims]
            rows = [each.result() for each in tries]
        print(f"\n{'state':24} {'stopped':9} {'exit code':>9} {'ended after':>11}", file=sys.stderr)
        for state, victim, exit_code, seconds, problems in rows:
            print(f"{state:24} {victim:9} {exit_code:9} {seconds:9.1f} s {'PROBLEM' if problems else ''}", file=sys.stderr)
        for row in rows:
            with self.subTest(state=row[0], stopped=row[1]):
                self.assertEqual([], row[4], "\n".join(row[4]))

    def test_for_5_s(self):
        self.run_all((*SERVICES, "console"), goes_on=True)

    def test_for_good(self):
        self.run_all(SERVICES, goes_on=False)


if __name__ == "__main__":
    unittest.main()
