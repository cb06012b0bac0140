#!/usr/bin/env python3
"""Clicks buttons by name in a window that keeps changing: no click may reach another button than the named one.

  deploy/desktop --size 1280x800 tests/stale/hurry.py [--cases 1000]

The window (gtk_hurry.py) records each click. DA_BIN: directory of the programs. Exit code 0: no wrong click, and at
most 1 % of the sentences (at most one of fewer than 100) ended in a refusal; else 1.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/harness"))
import x11  # noqa: E402
from console import DONE, Sandbox  # noqa: E402

NAMES = ("Apples", "Pears", "Plums", "Figs", "Nuts", "Dates")
CASES_IN_A_RUN = 50


def clicked(file):
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def is_wrong(wanted, got):
    """True if a button was clicked that no sentence named at that point. A press that the window did not take as a
    click, because the button moved or vanished, is not a wrong click."""
    left = iter(wanted)
    return not all(any(name == sentence for sentence in left) for name in got)


def run_goals(sandbox, cases):
    """Returns counts: sentences done, sentences refused, runs with a wrong click, stale targets."""
    done = refused = wrong = stale = 0
    number = 0
    while done + refused < cases:
        number += 1
        wanted = [random.Random(number * 1000 + i).choice(NAMES) for i in range(min(CASES_IN_A_RUN, cases))]
        file = pathlib.Path(sandbox.path(f"clicks{number}"))
        window = subprocess.Popen(["/usr/bin/python3", str(ROOT / "tests/programs/gtk_hurry.py"), str(file), str(number)],
                                  env=sandbox.environment)
        try:
            x11.wait_for_title("Hurry")
            run = sandbox.run("--json", "--unlock-writes", "--goal", "; ".join(f'click "{name}"' for name in wanted),
                              seconds=300)
            got = clicked(file)
            outcomes = run.facts("actuator.outcome")
            stale += sum(fact.get("code") == "CODE_STALE_TARGET" for fact in outcomes)
            done += len(got)
            if is_wrong(wanted, got):
                wrong += 1
                print(f"run {number}: wanted {wanted[:len(got)]}, clicked {got}", file=sys.stderr)
            if run.process.returncode != DONE:
                refused += 1
                print(f"run {number} ended after {len(got)} clicks: {run.errors()}", file=sys.stderr)
        finally:
            window.kill()
            window.wait()
    return done, refused, wrong, stale


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cases", type=int, default=1000)
    cases = parser.parse_args().cases
    os.environ.setdefault("DA_BIN", "build/release/bin")
    with Sandbox() as sandbox:
        done, refused, wrong, stale = run_goals(sandbox, cases)
    print(f"{done} clicks, {wrong} runs with a click on another button, {refused} sentences ended in a refusal, "
          f"{stale} stale targets were observed again")
    return 0 if wrong == 0 and refused <= max(1, done // 100) else 1


if __name__ == "__main__":
    sys.exit(main())
