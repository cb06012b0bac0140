"""Recorded steps are judged again under other rules: `da-policy judge`, `da-console replay --policy`."""

import json
import unittest

from console import BAD_USAGE, DENIED, DONE, RULES, ConsoleTest, HeldSave
from replay_test import NO_SAVING, Replays

ASK_TO_SAVE = NO_SAVING.replace('"deny"', '"ask"').replace("no-saving", "ask-to-save")
NO_SECRETS = """
[[rule]]
name = "no-secrets"
verdict = "deny"
reason = "no secrets"
match.text = "secret"
"""
NO_TYPING = """
[[rule]]
name = "no-typing"
verdict = "deny"
reason = "no typing"
match.tool = ["write"]
"""
CHANGED = 1


class Judge(Replays, ConsoleTest):
    def judge(self, rules, *files, code=DONE):
        run = self.sandbox.run("replay", *map(str, files or ["last"]), "--policy", str(rules), "--json")
        self.assertEqual(code, run.process.returncode, run.said())
        lines = [json.loads(line) for line in run.stdout]
        return lines[:-1], lines[-1], run.errors()

    def assert_reproduced(self):
        changes, totals, errors = self.judge(RULES)
        self.assertEqual(([], ""), (changes, errors))
        self.assertEqual(totals["steps"], totals["unchanged"])
        return totals

    def test_the_own_rules_give_the_recorded_verdicts_again(self):
        file = self.sandbox.path("a.txt")
        runs = {"allowed": (f'open notes {file}; type "he"; type "llo"; press ctrl+s', ["--unlock-writes"], [], DONE, 4),
                "asked": ('open notes; type "x"', [], ["approve", "approve"], DONE, 2),
                "denied": ('open notes; type "x"', [], ["approve", "deny"], DENIED, 2),
                "edited": ('open notes; type "x"', [], ["approve", "edit", "approve"], DONE, 3),
                "for the task": ('open notes; click at 100,100; click at 100,100', [],
                                 ["approve", "for-task"], DONE, 3),
                "terminal": ('open notes; type "rm -rf ~"', ["--unlock-writes"], [], None, None),
                "tools": ('open notes; type "x"', ["--unlock-writes", "--allow-tools", "launch"], [], DENIED, 2),
                "dry run": ('wait 1 seconds; open notes', ["--dry-run"], [], None, None)}
        for name, (goal, flags, answers, ends, steps) in runs.items():
            with self.subTest(run=name):
                run = self.sandbox.goal(goal, *flags)
                for number, answer in enumerate(answers, 1):
                    run.wait_for(lambda: len(run.facts("policy.request")) >= number)
                    approval = run.pending_id()
                    command = {"approve": ["approve", approval], "deny": ["deny", approval],
                               "for-task": ["approve", approval, "--for-task"],
                               "edit": ["edit", approval, "--args", '{"text": "y"}']}[answer]
                    self.assertEqual(DONE, self.sandbox.run(*command).wait())
                run.wait()
                if ends is not None:
                    self.assertEqual(ends, run.process.returncode, run.said())
                totals = self.assert_reproduced()
                self.assertEqual({"before": len(run.facts("policy.request")), "now": len(run.facts("policy.request"))},
                                 totals["questions"])
                if steps is not None:
                    self.assertEqual(steps, totals["steps"])

    def test_one_changed_rule_changes_exactly_its_steps(self):
        for _ in range(2):
            run, _file = self.editor_task("--unlock-writes")
            self.assert_ends(run, DONE)
        files = sorted(self.recording().parent.glob("*.mcap"))
        changes, totals, _ = self.judge(self.rules_with(NO_SAVING), *files, code=CHANGED)
        self.assertEqual([("allow", "ordinary-work", "deny", "no-saving")] * 2,
                         [(each["before"]["decision"], each["before"]["rule"], each["now"]["decision"],
                           each["now"]["rule"]) for each in changes])
        self.assertEqual([True, True], ["ctrl" in each["action"] for each in changes])
        self.assertEqual(({"allow -> deny": 2}, 8, 6, 2), (totals["changes"], totals["steps"], totals["unchanged"],
                                                           totals["recordings"]))
        changes, totals, _ = self.judge(self.rules_with(ASK_TO_SAVE), *files, code=CHANGED)
        self.assertEqual({"before": 0, "now": 2}, totals["questions"])
        self.assertEqual({"allow -> ask": 2}, totals["changes"])
        text = self.sandbox.run("replay", "last", "--policy", str(self.rules_with(NO_SAVING))).text()
        self.assertIn("now:    deny by no-saving", text)

    def test_text_that_is_typed_in_pieces_is_judged_as_one(self):
        file = self.sandbox.path("a.txt")
        run = self.sandbox.goal(f'open notes {file}; type "top "; type "sec"; type "ret"; type "!"', "--unlock-writes")
        self.assert_ends(run, DONE)
        changes, totals, _ = self.judge(self.rules_with(NO_SECRETS), code=CHANGED)
        # Each piece alone is harmless; with what was typed before, it is the text.
        self.assertEqual(['write text="ret"', 'write text="!"'], [each["action"] for each in changes])
        self.assertEqual({"no-secrets"}, {each["now"]["rule"] for each in changes})
        self.assertEqual({"allow -> deny": 2}, totals["changes"])

    def test_rules_that_changed_during_the_task_are_reproduced(self):
        rules = self.rules_with("")
        held = HeldSave(self.sandbox)
        run = self.sandbox.goal(f'{held.goal}; type "x"', "--unlock-writes", rules=rules)
        held.wait_for(run)
        (self.sandbox.path("new.toml")).write_text(RULES.read_text() + NO_TYPING)
        self.sandbox.path("new.toml").rename(rules)
        unaccepted = run.wait_for(lambda: run.facts("policy.rules"))[0]["unaccepted_version"]
        self.assertEqual(DONE, self.sandbox.run("policy", "accept", str(rules), "--version", unaccepted).wait())
        run.wait_for(lambda: any(fact["version"] == unaccepted for fact in run.facts("policy.rules")))
        held.release()
        self.assert_ends(run, DENIED)
        self.assertEqual(["no-typing"], [each["rule"] for each in run.facts("policy.verdict") if each["tool"] == "write"])
        changes, totals, errors = self.judge(RULES, code=CHANGED)
        self.assertEqual("", errors)
        self.assertEqual(1, totals["reproduced"])
        self.assertEqual([("no-typing", "ordinary-work")],
                         [(each["before"]["rule"], each["now"]["rule"]) for each in changes])

    def test_of_many_files_one_that_is_no_recording_is_named_and_the_others_are_judged(self):
        files = []
        for _ in range(2):
            run, _file = self.editor_task("--unlock-writes")
            self.assert_ends(run, DONE)
            files.append(self.recording())
        broken = self.sandbox.path("broken.mcap")
        broken.write_bytes(b"nothing")
        run = self.sandbox.run("policy", "judge", "--json", "--rules", str(RULES), *map(str, [files[0], broken, files[1]]))
        self.assertEqual(BAD_USAGE, run.process.returncode, run.said())
        self.assertIn("broken.mcap", run.errors())
        totals = json.loads(run.stdout[-1])
        self.assertEqual((2, 2, 8, 8), tuple(totals[name] for name in ("recordings", "reproduced", "steps", "unchanged")))

    def test_a_cut_recording_is_judged_up_to_the_cut_and_says_so(self):
        run, _ = self.editor_task("--unlock-writes")
        self.assert_ends(run, DONE)
        cut = self.sandbox.path("cut.mcap")
        content = self.recording().read_bytes()
        cut.write_bytes(content[:len(content) // 3])
        _, totals, errors = self.judge(RULES, cut, code=CHANGED)
        self.assertIn("cut.mcap", errors)
        self.assertEqual(totals["steps"], totals["unchanged"])

    def test_files_that_are_no_recordings_and_no_rules_are_refused(self):
        file = self.sandbox.path("x.mcap")
        file.write_bytes(b"nothing")
        run = self.sandbox.run("replay", str(file), "--policy", str(RULES))
        self.assertEqual(BAD_USAGE, run.process.returncode, run.said())
        self.assertIn("x.mcap", run.errors())
        other, _ = self.editor_task("--unlock-writes")
        self.assert_ends(other, DONE)
        bad = self.sandbox.path("bad.toml")
        bad.write_text("[[rule]]\nname = 1\n")
        self.assertEqual(BAD_USAGE, self.sandbox.run("replay", "last", "--policy", str(bad)).process.returncode)


if __name__ == "__main__":
    unittest.main(verbosity=2)
