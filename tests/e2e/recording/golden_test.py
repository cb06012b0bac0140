"""The golden recordings: real runs that planner and policy of today decide again, with the expected result in a file.

    golden_test.py             checks them
    golden_test.py --update    writes today's results into tests/golden/recordings/*/expected.jsonl
    golden_test.py --record    makes all recordings again, from new runs
"""

import shutil
import subprocess
import sys
import unittest

from console import BIN, DENIED, DONE, ROOT, RULES, ConsoleTest, Sandbox
from models import Model, say, step

GOLDEN = ROOT / "tests/golden/recordings"


class Golden(ConsoleTest):
    def test_planner_and_policy_decide_as_expected(self):
        tests = sorted(GOLDEN.iterdir())
        self.assertGreater(len(tests), 3)
        for test in tests:
            with self.subTest(test=test.name):
                run = self.sandbox.run(*arguments(test))
                self.assertEqual(DONE, run.process.returncode, run.said())

    def test_a_changed_expectation_is_reported(self):
        test = self.sandbox.path("test")
        shutil.copytree(GOLDEN / "editor", test)
        expected = test / "expected.jsonl"
        expected.write_text(expected.read_text().replace("allow by rule ordinary-work", "deny by rule other", 1))
        run = self.sandbox.run(*arguments(test))
        self.assertEqual(1, run.process.returncode, run.said())
        self.assertIn("not as expected, line 1", run.text())
        self.assertEqual(DONE, self.sandbox.run(*arguments(test), "--update").process.returncode)
        self.assertEqual((GOLDEN / "editor/expected.jsonl").read_text(), expected.read_text())


def arguments(test):
    return ["replay", str(test / "task.mcap"), "--as", "observer,actuator", "--rules", str(test / "rules.toml"),
            "--expect", str(test / "expected.jsonl")]


def finish(sandbox, run, name, exit_code):
    if run.wait() != exit_code:
        raise AssertionError(run.said())
    shutil.rmtree(GOLDEN / name, ignore_errors=True)
    made = sandbox.run("recording", "to-test", "last", "-o", str(GOLDEN / name))
    if made.process.returncode != DONE:
        raise AssertionError(made.said())


def record():
    """Makes each recording with a copy of the shipped rules in a directory of its own."""
    GOLDEN.mkdir(exist_ok=True)
    with Sandbox() as sandbox:
        rules = sandbox.path("rules.toml")
        shutil.copy(RULES, rules)
        file = sandbox.path("letter.txt")
        goal = f'open notes {file}; type "Dear Ada"; press ctrl+s; check "Dear Ada" is visible'
        finish(sandbox, sandbox.goal(goal, "--unlock-writes", rules=rules), "editor", DONE)

        run = sandbox.goal(f'open notes {file}; type "one"; type "two"', rules=rules)
        for number, answer in enumerate((["approve"], ["approve"], ["deny", "--reason", "enough"]), 1):
            run.wait_for(lambda: len(run.facts("policy.request")) == number)
            sandbox.run(answer[0], run.pending_id(), *answer[1:])
        finish(sandbox, run, "approvals", DENIED)

        entries = [say(step("launch", command=f"notes {file}")), say(step("write", text="hello")), {"text": "no plan"},
                   say(step("hotkey", keys=["ctrl", "s"])), say(done="The greeting is written.")]
        with Model(sandbox, "openai", entries) as model:
            run = model.goal("write a greeting", "--unlock-writes", rules=rules)
            finish(sandbox, run, "model", DONE)

        # A real editor on an X server of its own.
        with_desktop = [str(ROOT / "deploy/desktop"), "--size", "800x600"]
        editor = [str(BIN / "da-console"), "--rules", str(rules), "--unlock-writes", "--goal",
                  'open mousepad; type "Grüße"; press ctrl+a; press ctrl+c; check "Grüße" is visible']
        environment = {key: value for key, value in sandbox.environment.items() if key != "OPENAI_API_KEY"}
        subprocess.run([*with_desktop, *editor], env=environment, check=True, timeout=120)
        finish(sandbox, sandbox.run("--version"), "mousepad", DONE)


def main():
    if "--record" in sys.argv:
        return record()
    if "--update" in sys.argv:
        with Sandbox() as sandbox:
            for test in sorted(GOLDEN.iterdir()):
                sandbox.run(*arguments(test), "--update")
        return None
    return unittest.main(verbosity=2)


if __name__ == "__main__":
    main()
