"""Runs many tasks in a row on the fake desktop: memory, descriptors and threads of each service must not grow.

    soak.py --tasks 2000

The services run all the time; da-console starts for each task and connects by --config. Exit code 1: a service grew
beyond its bound, or a task failed.
"""

import argparse
import pathlib
import subprocess
import sys
import time

import deeds
from console import BIN, DONE, FAILED, ROOT, RULES, SERVICES, wait_until

# After this part of the tasks, caches and pools are full. Of 2,000 tasks the first 1,100 fill the observer's 80 MiB of
# kept facts and images (lib/bus/fact_ring.h), and the first 600 the policy's 16 MiB.
WARM_PART = 0.6
# Services keep the ledger's outcomes of the last five minutes and the results of the last tasks. The planner's 16 MiB
# of kept facts are not full yet.
MOST_GROWTH_KIB = {"actuator": 12_000, "observer": 8_000, "policy": 8_000, "planner": 16_000, "recorder": 8_000}
MOST_NEW_DESCRIPTORS = 3
MOST_NEW_THREADS = 4
BOUND_S = 120


class Measured:
    def __init__(self, pid):
        status = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines())
        self.rss_kib = int(status["VmRSS"].split()[0])
        self.threads = int(status["Threads"])
        self.descriptors = len(list(pathlib.Path(f"/proc/{pid}/fd").iterdir()))


class KeptServices:
    """The services, with the files that `da-console init` makes for one machine."""

    def __init__(self, sandbox):
        deployment = sandbox.path("deployment")
        init = sandbox.run("init", str(deployment), "--desktop", "fake", "--rules", str(RULES))
        if init.wait() != DONE:
            raise AssertionError(init.said())
        self.directory = deployment / "host"
        actuator = self.directory / "actuator.toml"
        actuator.write_text(actuator.read_text() + f'journal = "{sandbox.deeds.journal}"\n')
        self.processes = {}
        for name in SERVICES:
            self.processes[name] = subprocess.Popen(
                [str(BIN / f"da-{name}"), "--config", str(self.directory / f"{name}.toml")], env=sandbox.environment,
                cwd=ROOT)
        wait_until(lambda: len(list(sandbox.runtime.rglob("*.sock"))) == len(SERVICES), "they serve")

    def measure(self):
        return {name: Measured(process.pid) for name, process in self.processes.items()}

    def stop(self):
        for process in self.processes.values():
            process.terminate()
        return {name: process.wait(10) for name, process in self.processes.items()}


def run_task(sandbox, services, goal):
    """Returns exit code (None: the task did not end) and output."""
    try:
        run = subprocess.run([str(BIN / "da-console"), "--config", str(services.directory / "console.toml"),
                              "--unlock-writes", "--goal", goal], env=sandbox.environment, stdin=subprocess.DEVNULL,
                             capture_output=True, timeout=BOUND_S, check=False)
    except subprocess.TimeoutExpired:
        return None, "it did not end"
    return run.returncode, (run.stdout + run.stderr).decode()


def run_tasks(sandbox, services, count):
    """Returns samples of the services' resources (40 in a run) and an exit code."""
    samples = []
    for number in range(1, count + 1):
        code, said = run_task(sandbox, services, 'open notes; type "a line of text"; close "Notes"')
        if code != DONE:
            print(f"task {number} ended with {code}:\n{said}")
            samples.append((number, services.measure()))
            return samples, FAILED
        if number % max(1, count // 40) == 0:
            samples.append((number, services.measure()))
    return samples, DONE


def grown(samples):
    """Prints the table and returns the services that grew beyond their bounds."""
    warm = next(sample for number, sample in samples if number >= WARM_PART * samples[-1][0])
    last = samples[-1][1]
    problems = []
    print(f"{'service':10} {'RSS KiB: warm':>14} {'half':>8} {'last':>8} {'peak':>8}   {'descriptors':>14} {'threads':>12}")
    for name in SERVICES:
        series = [sample[name] for _, sample in samples]
        peak = max(each.rss_kib for each in series)
        half = series[len(series) // 2].rss_kib
        print(f"{name:10} {warm[name].rss_kib:14} {half:8} {last[name].rss_kib:8} {peak:8}   "
              f"{warm[name].descriptors:4} {last[name].descriptors:4} {max(s.descriptors for s in series):4} "
              f"{warm[name].threads:4} {last[name].threads:3} {max(s.threads for s in series):3}")
        if last[name].rss_kib - warm[name].rss_kib > MOST_GROWTH_KIB[name]:
            problems.append(f"da-{name} grew by {last[name].rss_kib - warm[name].rss_kib} KiB")
        if last[name].descriptors - warm[name].descriptors > MOST_NEW_DESCRIPTORS:
            problems.append(f"da-{name} has {last[name].descriptors} descriptors, and had {warm[name].descriptors}")
        if last[name].threads - warm[name].threads > MOST_NEW_THREADS:
            problems.append(f"da-{name} has {last[name].threads} threads, and had {warm[name].threads}")
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tasks", type=int, default=2000)
    arguments = parser.parse_args()
    with deeds.FaultSandbox() as sandbox:
        services = KeptServices(sandbox)
        started = time.monotonic()
        try:
            samples, end = run_tasks(sandbox, services, arguments.tasks)
            seconds = time.monotonic() - started
        finally:
            exits = services.stop()
        print(f"{arguments.tasks} tasks in {seconds:.0f} s; the ledger has {sandbox.ledger_file.stat().st_size} bytes")
        problems = grown(samples)
        launches = sandbox.deeds.lines().count("launch notes")
        if end != DONE or launches > arguments.tasks:
            problems.append(f"{launches} launches for {arguments.tasks} tasks")
        problems += [f"da-{name} ended with {code}" for name, code in exits.items() if code != 0]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
