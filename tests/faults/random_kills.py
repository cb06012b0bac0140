"""Kills random processes of embedded runs at random times, and checks each run with deeds.py.

    random_kills.py --kills 1000 [--seed 7] [--workers 3]

Only kills of a living process count. A run that ends before its kill is checked, and another one follows. The same seed
gives the same victims and times. Problems are printed with the arguments that repeat the run alone (--seed S --only N);
its time is only as exact as the scheduler. Exit code 1: a problem.
"""

import argparse
import collections
import os
import random
import signal
import subprocess
import sys
import threading
import time

import deeds
from console import DONE, SERVICES

# No run may take longer, even on a loaded machine.
BOUND_S = 40
VICTIMS = (*SERVICES, "console")


class Death:
    """One run, in which the victim is killed after_s seconds after the start of the console."""

    def __init__(self, seed, number, task_s):
        dice = random.Random(f"{seed}-{number}")
        self.number = number
        self.victim = dice.choice(VICTIMS)
        self.after_s = dice.uniform(0.0, task_s)
        self.problems = []
        self.exit_code = None
        self.hit = False
        self.seconds = 0.0
        self.done = 0

    def happen(self, sandbox):
        run = sandbox.start_deeds("--unlock-writes")
        try:
            run.process.wait(max(0.0, run.started + self.after_s - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.kill(run)
        # A killed console that waits for the disk ends only when the disk answers; the kernel delays it.
        exit_code = run.wait(300 if self.hit and self.victim == "console" else BOUND_S)
        self.seconds = run.seconds
        # A killed console has no exit code.
        self.exit_code = None if exit_code == -signal.SIGKILL else exit_code
        starting = exit_code == 1 and "did not start" in run.errors() + run.text()
        early = exit_code in (1, 5) and not run.facts()
        sandbox.check_nothing_left_of_processes(BOUND_S)
        self.done = len(sandbox.deeds.lines())
        if (starting or early) and self.hit and self.done == 0:
            self.exit_code = "start"
        else:
            self.problems += sandbox.deeds.problems(self.exit_code, run, sandbox.ledger())
        if not self.hit and self.exit_code != DONE:
            self.problems.append(f"no process was killed, but it ended with {self.exit_code}")
        self.problems += sandbox.next_run_problems(BOUND_S)
        if self.problems:
            self.problems.append(run.said())

    def kill(self, run):
        if self.victim == "console":
            run.process.kill()
            self.hit = True
            return
        pid = deeds.children(run.process.pid).get(self.victim)
        if pid is None:
            return  # Not started yet, or already gone.
        try:
            os.kill(pid, signal.SIGKILL)
            self.hit = True
        except ProcessLookupError:
            pass


class KillSandbox(deeds.FaultSandbox):
    def check_nothing_left_of_processes(self, seconds):
        """Ignores the run directory of a killed console, because the next run removes it."""
        deadline = time.monotonic() + seconds
        while self.processes():
            if time.monotonic() > deadline:
                raise AssertionError(f"processes are left: {self.processes()}")
            time.sleep(0.02)


def measure_task():
    """Seconds that a task takes alone on this machine, as an estimate."""
    with KillSandbox() as sandbox:
        run = sandbox.start_deeds("--unlock-writes")
        if run.wait(BOUND_S) != DONE:
            raise SystemExit(f"the task fails without any kill:\n{run.said()}")
        return run.seconds


def work(numbers, lock, arguments, task_s, deaths):
    with KillSandbox() as sandbox:
        while True:
            with lock:
                number = next(numbers, None)
                if number is None or sum(death.hit for death in deaths) >= arguments.kills:
                    return
            death = Death(arguments.seed, number, task_s)
            try:
                death.happen(sandbox)
            except Exception as error:  # A test that cannot look has failed.
                death.problems.append(f"{type(error).__name__}: {error}")
            with lock:
                deaths.append(death)
                if death.problems:
                    print(f"\ndeath {death.number}: {death.victim} after {death.after_s:.3f} s; again with --seed "
                          f"{arguments.seed} --only {death.number} --task-seconds {task_s:.3f}\n  "
                          + "\n  ".join(death.problems), file=sys.stderr, flush=True)


def print_table(deaths, arguments, seconds):
    print(f"seed {arguments.seed}: {sum(death.hit for death in deaths)} kills in {len(deaths)} runs, {seconds:.0f} s")
    codes = [DONE, 5, 6, 1, "start", None]
    names = {DONE: "done", 5: "lost (5)", 6: "unknown (6)", 1: "failed (1)", "start": "at start", None: "killed"}
    counts = collections.Counter((death.victim, death.exit_code) for death in deaths)
    print(f"{'victim':10} {'runs':>5} {'killed':>6} " + " ".join(f"{names[code]:>11}" for code in codes)
          + f" {'problems':>9} {'slowest':>8}")
    for victim in VICTIMS:
        of_victim = [death for death in deaths if death.victim == victim]
        if not of_victim:
            continue
        print(f"{victim:10} {len(of_victim):5} {sum(death.hit for death in of_victim):6} "
              + " ".join(f"{counts[victim, code]:11}" for code in codes)
              + f" {sum(bool(death.problems) for death in of_victim):9} "
              + f"{max(death.seconds for death in of_victim):7.1f}s")
    begun = sum(0 < death.done < 155 for death in deaths)
    print(f"{begun} died with a part of the effects done; {sum(bool(death.problems) for death in deaths)} with a problem")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--only", type=int, help="repeat only this run")
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--task-seconds", type=float)
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    started = time.monotonic()
    task_s = arguments.task_seconds or measure_task() * (1 + 0.25 * (arguments.workers - 1))
    # If more runs are needed, the times of the kills are wrong.
    numbers = iter(range(3 * arguments.kills) if arguments.only is None else [arguments.only])
    lock, deaths = threading.Lock(), []
    workers = [threading.Thread(target=work, args=(numbers, lock, arguments, task_s, deaths))
               for _ in range(arguments.workers)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    print_table(deaths, arguments, time.monotonic() - started)
    hits = sum(death.hit for death in deaths)
    if arguments.only is None and hits < arguments.kills:
        print(f"only {hits} kills hit a running process: the times are wrong")
        return 1
    return 1 if any(death.problems for death in deaths) else 0


if __name__ == "__main__":
    sys.exit(main())
