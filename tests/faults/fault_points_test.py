"""Kills the process at each fault point of the binaries (lib/os/fault_point/fault_point.h), at its first pass, its second, and so
on until the task succeeds. Afterwards no effect is repeated, none is lost without a report, nothing is left behind, and
the next run works. Needs a build with the preset `faults`.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import deeds
from console import BIN, DONE, ROOT, SERVICES

# No run may take longer.
BOUND_S = 30
# Points that only a task with a question passes.
WITH_QUESTION = {"policy.after_question", "policy.after_answer"}
DOCUMENT = ROOT / "docs/design/0013-at-most-once.md"


def documented():
    """point -> (exit codes, actions in doubt), from the table of the design document."""
    numbers = r"(\d(?: or \d)?)"
    rows = re.findall(rf"^\| `(\w+\.\w+)` \|.*\| {numbers} \| {numbers} \|$", DOCUMENT.read_text(), re.MULTILINE)
    return {point: tuple({int(number) for number in cell.split(" or ")} for cell in cells) for point, *cells in rows}


def points_of(program):
    """The names in the section to which each fault point adds its own."""
    with tempfile.NamedTemporaryFile() as section:
        subprocess.run(["objcopy", "-O", "binary", "--only-section=da_fault_points", str(BIN / program), section.name],
                       check=True)
        return {name.decode() for name in pathlib.Path(section.name).read_bytes().split(b"\0") if name}


class EveryPoint(unittest.TestCase):
    """Each kill has its own sandbox."""

    table = []

    @classmethod
    def tearDownClass(cls):
        print(f"\n{'point':44} {'pass':>4} {'exit':>4} {'done':>9} {'in doubt':>8}", file=sys.stderr)
        for row in cls.table:
            print("{:44} {:4} {:4} {:>9} {:8}".format(*row), file=sys.stderr)

    def die_at(self, point, number):
        """False if the point was not passed `number` times."""
        flags = [] if point in WITH_QUESTION else ["--unlock-writes"]
        with deeds.FaultSandbox() as sandbox:
            if point.startswith("actuator.ledger_") and "append" not in point:
                # A ledger large enough to be replaced.
                sandbox.ledger_file.parent.mkdir(parents=True)
                for directory in (sandbox.ledger_file.parent, sandbox.ledger_file.parent.parent):
                    directory.chmod(0o700)
                sandbox.ledger_file.write_bytes(deeds.LedgerReading.old_records(30_000))
            sandbox.environment["DA_FAULT_POINT"] = f"{point}:{number}"
            run = sandbox.goal(sandbox.deeds.goal, "--journal", str(sandbox.deeds.journal), *flags)
            if not flags:
                self.answer_all(sandbox, run)
            exit_code = run.wait(BOUND_S)
            del sandbox.environment["DA_FAULT_POINT"]
            died = "killed by signal 9" in run.errors()
            if not died and exit_code == DONE:
                self.assertEqual([], sandbox.deeds.problems(exit_code, run, sandbox.ledger()), run.said())
                return False
            ledger = sandbox.ledger()
            done = f"{len(sandbox.deeds.lines())}/{len(sandbox.deeds.all_lines())}"
            self.table.append((point, number, exit_code, done, ledger.in_doubt))
            service = point.split(".", maxsplit=1)[0]
            self.assertEqual([], sandbox.deeds.problems(exit_code, run, ledger), f"{point}:{number}\n{run.said()}")
            self.assertRegex(run.errors(), f"da-{service}|{service}:", f"{point}:{number}: the dead service is not named")
            exit_codes, in_doubt = documented()[point]
            self.assertIn(exit_code, exit_codes, run.said())
            self.assertIn(ledger.in_doubt, in_doubt)
            sandbox.check_nothing_left()
            self.assertEqual([], sandbox.next_run_problems(BOUND_S))
            return True

    @staticmethod
    def answer_all(sandbox, run):
        """Approves all questions until the run ends."""
        answered = set()
        while run.process.poll() is None:
            asked = {fact["approval_id"] for fact in run.facts("policy.request")} - answered
            for question in asked:
                answered.add(question)
                environment = {key: value for key, value in sandbox.environment.items() if key != "DA_FAULT_POINT"}
                subprocess.run([str(BIN / "da-console"), "approve", question], env=environment, timeout=BOUND_S,
                               capture_output=True, check=False)
            if not asked:
                try:
                    run.process.wait(0.02)
                except subprocess.TimeoutExpired:
                    pass

    def walk(self, service):
        points = points_of(f"da-{service}")
        for point in sorted(points):
            with self.subTest(point=point):
                number = 1
                while self.die_at(point, number):
                    # Later characters of the text behave like the third.
                    number += 1 if number < 4 or "after_effect" not in point else 50
                self.assertGreater(number, 1, "the task never passes this point")

    def test_actuator(self):
        self.walk("actuator")

    def test_policy(self):
        self.walk("policy")

    def test_planner(self):
        self.walk("planner")

    def test_all_points_are_documented(self):
        for service in SERVICES:
            for point in points_of(f"da-{service}"):
                self.assertTrue(point.startswith(service + "."), f"{point} is in da-{service}")
        points = set().union(*(points_of(f"da-{service}") for service in SERVICES))
        self.assertEqual(set(documented()), points, "the table of the design and the binaries differ")


if __name__ == "__main__":
    unittest.main()
