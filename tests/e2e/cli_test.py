"""What a goal's end looks like to a script: exit codes, JSON lines, dry runs. On the fake desktop."""

import json
import os
import re
import signal
import subprocess
import unittest

from console import BAD_USAGE, BIN, DENIED, DONE, FAILED, INTERRUPTED, RULES, SERVICE_LOST, ConsoleTest, wait_until

WAIT = ("--goal", "wait 1 seconds")


class ExitCodes(ConsoleTest):
    def test_done_is_0_and_the_file_is_written(self):
        file = self.sandbox.path("a.txt")
        run = self.sandbox.goal(f'open notes {file}; type "Grüße 漢字\\n€ 🙂"; press ctrl+s', "--unlock-writes")
        self.assert_ends(run, DONE)
        self.assertEqual("Grüße 漢字\n€ 🙂".encode(), file.read_bytes())

    def test_a_check_that_does_not_hold_is_1_and_says_what_was_missing(self):
        run = self.sandbox.goal('open notes; check "Frobnicate" is visible', "--unlock-writes")
        self.assert_ends(run, FAILED)
        self.assertIn("Frobnicate", run.errors())

    def test_an_unknown_program_is_1_and_is_named(self):
        run = self.sandbox.goal("open no-such-program", "--unlock-writes")
        self.assert_ends(run, FAILED)
        self.assertIn("no-such-program", run.errors())

    def test_a_task_beyond_its_time_limit_is_1(self):
        run = self.sandbox.goal("wait 5 seconds; wait 5 seconds", "--time-limit", "1s")
        self.assert_ends(run, FAILED, seconds=8)
        self.assertRegex(run.errors(), "time limit|took longer|1 s")

    def test_a_goal_that_is_not_understood_is_2_with_place_and_help_before_anything_is_executed(self):
        file = self.sandbox.path("a.txt")
        run = self.sandbox.goal(f"open notes {file}; press ctrl+s\nfrobnicate the window", "--unlock-writes")
        self.assert_ends(run, BAD_USAGE)
        self.assertRegex(run.errors(), r"line 2, column 1\b")
        self.assertIn("click", run.errors())
        self.assertEqual([], run.facts("actuator.outcome"))
        self.assertFalse(file.exists())

    def test_an_unclosed_quote_is_2_with_its_place(self):
        run = self.sandbox.goal('open notes; type "hello', "--unlock-writes")
        self.assert_ends(run, BAD_USAGE)
        self.assertRegex(run.errors(), r"line 1, column 18\b")

    def test_bad_flags_are_2(self):
        for flags in (["--no-such-flag"], ["--desktop", "vr", "--goal", "wait 1 seconds"], ["approve"], [],
                      ["--approval-expiry", "soon", "--goal", "wait 1 seconds"], ["--goal", ""], ["frobnicate"],
                      ["--approval-expiry=-5s", *WAIT], ["--approval-expiry", "0s", *WAIT],
                      ["--time-limit=-5s", *WAIT], ["--max-steps", "0", *WAIT], ["--max-launches", "0", *WAIT]):
            with self.subTest(flags=flags):
                run = self.sandbox.run(*flags)
                self.assertEqual(BAD_USAGE, run.wait(), run.said())
                self.assertNotEqual("", run.errors())

    def test_text_that_is_not_utf8_is_2_and_nothing_is_opened(self):
        text = os.fsdecode(b"wait \xff")
        for flags in (["--goal", text], ["--goal", "wait 1 seconds", "--planner", text], ["approve", text],
                      ["answer", "ab12", text], ["edit", "ab12", "--args", text]):
            with self.subTest(flags=flags):
                run = self.sandbox.run("--desktop", "fake", *flags)
                self.assertEqual(BAD_USAGE, run.wait(), run.said())
                self.assertIn("is not UTF-8", run.errors())
                self.assertEqual([], run.stdout)

    # The goal was dropped, and the other command carried out.
    def test_a_goal_beside_another_command_is_2(self):
        run = self.sandbox.run("--desktop", "fake", "--goal", "wait 1 seconds", "status")
        self.assertEqual(BAD_USAGE, run.wait(), run.said())
        self.assertIn("a goal, or `status`: not both at once", run.errors())

    def test_a_goal_without_a_sentence_is_2_and_said(self):
        for goal in ("", "  ", ";"):
            with self.subTest(goal=goal):
                run = self.sandbox.goal(goal)
                self.assert_ends(run, BAD_USAGE)
                self.assertIn("goal", run.errors())
                self.assertNotIn("Usage", run.said())

    def test_a_log_level_that_there_is_not_is_2(self):
        run = self.sandbox.goal("wait 1 seconds", "--log-level", "nonsense")
        self.assertEqual(BAD_USAGE, run.wait(), run.said())
        self.assertIn("warning", run.errors())

    def test_a_runtime_directory_that_will_not_do_is_5_and_named(self):
        long = self.sandbox.path("x" * 80)
        long.mkdir(mode=0o700)
        file = self.sandbox.path("file")
        file.touch()
        for runtime in (long, file):
            with self.subTest(runtime=runtime):
                self.sandbox.environment["XDG_RUNTIME_DIR"] = str(runtime)
                run = self.sandbox.run("--desktop", "fake", "--goal", "wait 1 seconds")
                self.assertEqual(SERVICE_LOST, run.wait(), run.said())
                self.assertIn(str(runtime), run.errors())

    def test_a_rule_file_that_is_not_there_is_2(self):
        run = self.sandbox.goal("wait 1 seconds", rules=self.sandbox.path("none.toml"))
        self.assert_ends(run, BAD_USAGE)
        self.assertIn("none.toml", run.errors())

    def test_a_broken_rule_file_ends_before_the_task_and_names_its_line(self):
        rules = self.sandbox.path("broken.toml")
        rules.write_text('[[rule]]\nname = "a"\nverdict = "perhaps"\nmatch.tool = ["sleep"]\n')
        run = self.sandbox.goal("wait 1 seconds", rules=rules)
        self.assertNotEqual(DONE, run.wait())
        self.assertRegex(run.errors(), "broken.toml")
        self.assertIn("perhaps", run.errors())
        self.sandbox.check_nothing_left()

    def test_the_kill_switch_chord_is_denied_with_3_though_writes_are_unlocked(self):
        run = self.sandbox.goal("open notes; press ctrl+shift+esc", "--unlock-writes")
        self.assert_ends(run, DENIED)
        self.assertIn("kill-switch-chord", run.said())
        self.assertEqual(["launch"], [outcome["tool"] for outcome in run.facts("actuator.outcome")])

    def test_an_approval_that_nobody_answers_expires_with_3(self):
        run = self.sandbox.goal("open notes", "--approval-expiry", "1s")
        self.assert_ends(run, DENIED, seconds=10)
        self.assertEqual(["ANSWER_EXPIRED"], [fact["answer"] for fact in run.facts("policy.approval")])
        self.assertEqual([], run.facts("actuator.outcome"))

    def test_other_commands_without_a_run_are_5_and_say_what_to_do(self):
        for command in (["status"], ["pending"], ["watch"], ["halt"], ["unlock"], ["approve", "ab12"]):
            with self.subTest(command=command):
                run = self.sandbox.run(*command)
                self.assertEqual(SERVICE_LOST, run.wait(), run.said())
                self.assertIn("da-console --goal", run.errors())

    def test_a_configuration_whose_services_are_not_there_is_5(self):
        deployment = self.sandbox.path("deployment")
        self.assertEqual(DONE, self.sandbox.run("init", str(deployment), "--desktop", "fake").wait())
        config = deployment / "host/console.toml"
        run = self.sandbox.run("--config", str(config), "--goal", "wait 1 seconds")
        self.assertEqual(SERVICE_LOST, run.wait(), run.said())

    def test_sigint_and_sigterm_are_130_within_the_grace(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number):
                run = self.sandbox.goal("wait 5 seconds")
                run.wait_for(lambda: "ACTING" in run.states())
                run.process.send_signal(number)
                self.assert_ends(run, INTERRUPTED, seconds=4)

    def test_sigint_while_an_approval_waits_is_130(self):
        run = self.sandbox.goal("open notes")
        run.pending_id()
        run.process.send_signal(signal.SIGINT)
        self.assert_ends(run, INTERRUPTED, seconds=4)
        self.assertEqual([], run.facts("actuator.outcome"))


class JsonLines(ConsoleTest):
    def test_each_line_of_stdout_is_a_fact_and_nothing_else_is_there(self):
        run = self.sandbox.goal('open notes; type "x"; check window "Notes" is open', "--unlock-writes")
        self.assert_ends(run, DONE)
        lines = [json.loads(line) for line in run.stdout]
        for line in lines:
            self.assertEqual({"topic", "lost_before", "fact"}, set(line))
            self.assertEqual(line["topic"].split(".")[0], line["fact"]["header"]["writer"])
        topics = {line["topic"] for line in lines}
        self.assertLessEqual({"planner.state", "planner.plan", "planner.end", "planner.answer", "observer.observation",
                              "observer.image", "policy.verdict", "actuator.outcome"}, topics)
        self.assertEqual("planner.end", lines[-1]["topic"])

    def test_sequence_numbers_have_no_holes(self):
        run = self.sandbox.goal('open notes; type "x"', "--unlock-writes")
        self.assert_ends(run, DONE)
        last = {}
        for line in map(json.loads, run.stdout):
            sequence = int(line["fact"]["header"]["sequence"])
            self.assertEqual(last.get(line["topic"], sequence - 1) + 1, sequence)
            last[line["topic"]] = sequence

    def test_every_action_has_a_verdict_before_its_outcome(self):
        run = self.sandbox.goal('open notes; type "x"; press enter', "--unlock-writes")
        self.assert_ends(run, DONE)
        allowed = {fact["step_id"] for fact in run.facts("policy.verdict") if fact["decision"] == "DECISION_ALLOW"}
        outcomes = run.facts("actuator.outcome")
        self.assertEqual(3, len(outcomes))
        self.assertTrue(all(outcome["step_id"] in allowed and outcome["grant_id"] for outcome in outcomes))

    # Each line was lost, and the exit code said that all was well.
    def test_lines_that_cannot_be_written_are_an_error(self):
        for command in (["--json", "--desktop", "fake", "--goal", "wait 0.1 seconds"], ["tools"], ["--help"]):
            with self.subTest(command=command), open("/dev/full", "wb") as full:
                ended = self.run_into(full, *command)
                self.assertEqual(FAILED, ended.returncode, ended.stderr)
                self.assertIn(b"not all of the output could be written", ended.stderr)

    # The exit code said that all was well, against the README.
    def test_output_that_nobody_reads_any_more_is_1_and_nothing_is_said(self):
        for command in (["--json", "--desktop", "fake", "--goal", "wait 0.1 seconds"], ["tools"]):
            with self.subTest(command=command):
                reader, writer = os.pipe()
                os.close(reader)
                ended = self.run_into(writer, *command)
                os.close(writer)
                self.assertEqual(FAILED, ended.returncode, ended.stderr)
                self.assertNotIn(b"output", ended.stderr)

    def run_into(self, stdout, *command):
        return subprocess.run([str(BIN / "da-console"), *command], stdin=subprocess.DEVNULL, stdout=stdout,
                              stderr=subprocess.PIPE, env=self.sandbox.environment, timeout=60)

    def test_a_bad_goal_leaves_stdout_to_facts(self):
        run = self.sandbox.goal("frobnicate")
        self.assert_ends(run, BAD_USAGE)
        run.facts()

    def test_the_last_screenshot_is_named_on_stderr_and_is_a_png(self):
        run = self.sandbox.goal("open notes", "--unlock-writes")
        self.assert_ends(run, DONE)
        file = re.search("^last screenshot: (.+)$", run.errors(), re.MULTILINE).group(1)
        with open(file, "rb") as image:
            self.assertEqual(b"\x89PNG\r\n\x1a\n", image.read(8))


class DryRun(ConsoleTest):
    def test_it_shows_plan_and_verdicts_and_executes_nothing(self):
        file = self.sandbox.path("a.txt")
        run = self.sandbox.goal(f'open notes {file}; type "x"; press ctrl+s', "--dry-run", "--unlock-writes")
        self.assert_ends(run, DONE)
        self.assertEqual(["launch", "write", "hotkey"], [verdict["tool"] for verdict in run.facts("policy.verdict")])
        self.assertTrue(all(verdict["dry_run"] for verdict in run.facts("policy.verdict")))
        self.assertEqual([], run.facts("actuator.outcome"))
        self.assertFalse(file.exists())

    def test_it_asks_nobody(self):
        run = self.sandbox.goal("open notes", "--dry-run")
        self.assert_ends(run, DONE)
        self.assertEqual([], run.facts("policy.request"))
        self.assertEqual(["DECISION_ASK"], [verdict["decision"] for verdict in run.facts("policy.verdict")])


class WithoutARun(ConsoleTest):
    def test_help_names_every_command_and_exit_code(self):
        run = self.sandbox.run("--help")
        self.assertEqual(DONE, run.wait())
        for word in ("status", "watch", "attach", "pending", "approve", "answer", "deny", "unlock", "lock", "halt",
                     "resume", "tools",
                     "doctor", "policy", "audit", "init", "keys", "--goal", "--json", "--dry-run", "--unlock-writes",
                     "--approval-expiry", "130"):
            self.assertIn(word, run.text())

    def test_tools_lists_the_catalogue_with_risks(self):
        run = self.sandbox.run("tools", "--json")
        self.assertEqual(DONE, run.wait())
        risks = {tool["name"]: tool["risk"] for tool in json.loads(run.text())}
        self.assertEqual("critical", risks["file_delete"])
        self.assertEqual("write", risks["launch"])
        self.assertEqual("safe", risks["list_windows"])
        self.assertIn("file_delete", self.sandbox.run("tools").text())

    def test_doctor_says_what_is_wrong_and_what_to_do(self):
        self.sandbox.environment.pop("DISPLAY", None)
        run = self.sandbox.run("doctor", "--json")
        self.assertEqual(FAILED, run.wait(), run.said())
        checks = [json.loads(line) for line in run.stdout]
        self.assertIn("sockets", [check["name"] for check in checks])
        for check in checks:
            self.assertTrue(check["ok"] or check["advice"], check)
        self.assertIn("PROBLEM", self.sandbox.run("doctor").text())
        self.sandbox.check_nothing_left()

    def test_the_shipped_rule_file_is_found_without_a_flag(self):
        run = self.sandbox.goal("wait 1 seconds", rules=None)
        self.assert_ends(run, DONE)

    def policy(self, *arguments):
        run = self.sandbox.run("policy", *arguments)
        return run.wait(), run.text()

    def test_policy_checks_explains_and_tests_a_rule_file(self):
        shipped, cases = str(RULES), str(RULES.with_name("policy_cases.toml"))
        self.assertEqual((DONE, True), (lambda code, text: (code, "0 odd" in text))(*self.policy("check", shipped)))
        self.assertIn("0 failed", self.policy("test", shipped, cases)[1])
        step = self.sandbox.path("step.json")
        step.write_text('{"tool": "write", "args": {"text": "ls"}, "process": "xterm", "write_lock": "open"}')
        code, text = self.policy("explain", "--json", shipped, str(step))
        self.assertEqual(DONE, code)
        self.assertEqual(("ask", "terminals"), (json.loads(text)["verdict"], json.loads(text)["rule"]))

    def test_policy_says_where_a_rule_file_is_wrong_and_fails(self):
        rules = self.sandbox.path("rules.toml")
        rules.write_text('[[rule]]\nname = "a"\nverdict = "perhaps"\n[[rule]]\nname = "B"\n')
        code, text = self.policy("check", str(rules))
        self.assertEqual(BAD_USAGE, code)
        self.assertIn("rules.toml:3:11: verdict is \"perhaps\"", text)
        self.assertIn("rules.toml:5:8: name is \"B\"", text)
        cases = self.sandbox.path("cases.toml")
        cases.write_text('[[case]]\nname = "wrong"\ntool = "sleep"\nargs = {secs = 1}\nexpect = "deny"\n')
        code, text = self.policy("test", str(RULES), str(cases))
        self.assertEqual(FAILED, code)
        self.assertIn("0 passed, 1 failed", text)

    def test_a_rule_file_that_changes_is_in_force_at_once(self):
        rules = self.sandbox.path("rules.toml")
        rules.write_text(RULES.read_text())
        run = self.sandbox.goal("wait 3 seconds; open notes", "--unlock-writes", rules=rules)
        run.wait_for(lambda: "ACTING" in run.states())
        changed = self.sandbox.path("changed.toml")
        changed.write_text(RULES.read_text() + '[[rule]]\nname = "none"\nverdict = "deny"\nreason = "not today"\n'
                           'match.tool = ["launch"]\n')
        changed.rename(rules)
        self.assert_ends(run, DENIED)
        self.assertIn("not today", run.said())

    def test_nothing_is_allowed_while_the_rule_file_is_broken(self):
        rules = self.sandbox.path("rules.toml")
        rules.write_text(RULES.read_text())
        run = self.sandbox.goal("wait 3 seconds; wait 1 second", rules=rules)
        run.wait_for(lambda: "ACTING" in run.states())
        rules.write_text("[[rule]]\n")
        wait_until(lambda: "NOT in force" in self.sandbox.run("status").text(), "the broken file is told")
        self.assert_ends(run, DENIED)
        self.assertIn("nothing is allowed until it can", run.said())


if __name__ == "__main__":
    unittest.main()
