"""A normal build contains no fault points: no names, no code, and no variable that selects one."""

import pathlib
import re
import subprocess
import unittest

import deeds
from console import BIN, ROOT, SERVICES


class NormalBuild(unittest.TestCase):
    def test_binaries_contain_no_fault_points(self):
        names = set()
        for folder in ("lib", "services"):
            for file in pathlib.Path(ROOT / folder).rglob("*.cpp"):
                names |= set(re.findall(r'DA_FAULT_POINT\("([^"]+)"\)', file.read_text()))
        self.assertGreater(len(names), 20)
        for program in [f"da-{service}" for service in SERVICES] + ["da-console"]:
            content = (BIN / program).read_bytes()
            for name in sorted(names) + ["DA_FAULT_POINT", "da_fault_points"]:
                self.assertNotIn(name.encode(), content, program)
            symbols = subprocess.run(["nm", "-C", str(BIN / program)], capture_output=True, check=True).stdout
            self.assertNotIn(b"fault_point", symbols, program)

    def test_the_variable_has_no_effect(self):
        with deeds.FaultSandbox() as sandbox:
            sandbox.environment["DA_FAULT_POINT"] = "actuator.after_intent:1"
            run = sandbox.start_deeds("--unlock-writes")
            exit_code = run.wait()
            self.assertEqual([], sandbox.deeds.problems(exit_code, run, sandbox.ledger()), run.said())
            self.assertEqual(0, exit_code, run.said())


if __name__ == "__main__":
    unittest.main()
