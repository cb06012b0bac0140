"""The end of a goal as a script sees it: exit codes, JSON lines, dry runs. On the fake desktop."""

import json
import os
import re
import signal
import struct
import subprocess
import unittest
import zlib

from console import (BAD_USAGE, BIN, DENIED, DONE, FAILED, INTERRUPTED, RULES, SERVICE_LOST, ConsoleTest, HeldSave,
                     wait_until)

WAIT = ("--goal", "wait 1 seconds")


class ExitCodes(ConsoleTest):
    def test_a_done_task_exits_with_0_and_the_file_is_written(self):
        file = self.sandbox.path("a.txt")
        run = self.sandbox.goal(f'open notes {file}; type "Grüße 漢字\\n€ 🙂"; press ctrl+s', "--unlock-writes")
        self.assert_ends(run, DONE)
        self.assertEqual("Grüße 漢字\n€ 🙂".encode(), file.read_bytes())

    def test_a_failed_check_exits_with_1_and_names_the_missing_text(self):
        run = self.sandbox.goal('open notes; check "Frobnicate" is visible', "--unlock-writes")
        self.assert_ends(run, FAILED)
        self.assertIn("Frobnicate", run.errors())

    def test_an_unknown_program_exits_with_1_and_is_named(self):
        run = self.sandbox.goal("open no-such-program", "--unlock-writes")
        self.assert_ends(run, FAILED)
        self.assertIn("no-such-program", run.errors())

    def test_a_task_beyond_its_time_limit_exits_with_1(self):
        run = self.sandbox.goal("wait 5 seconds; wait 5 seconds", "--time-limit", "1s")
        self.assert_ends(run, FAILED, seconds=8)
        self.assertRegex(run.errors(), "time limit|took longer|1 s")

    def test_an_invalid_goal_exits_with_2_and_its_position_before_any_step(self):
        file = self.sandbox.path("a.txt")
        run = self.sandbox.goal(f"open notes {file}; press ctrl+s\nfrobnicate the window", "--unlock-writes")
        self.assert_ends(run, BAD_USAGE)
        self.assertRegex(run.errors(), r"line 2, column 1\b")
        self.assertIn("click", run.errors())
        self.assertEqual([], run.facts("actuator.outcome"))
        self.assertFalse(file.exists())

    def test_an_unclosed_quote_exits_with_2_and_its_position(self):
        run = self.sandbox.goal('open notes; type "hello', "--unlock-writes")
        self.assert_ends(run, BAD_USAGE)
        self.assertRegex(run.errors(), r"line 1, column 18\b")

    def test_invalid_flags_exit_with_2(self):
        for flags in (["--no-such-flag"], ["--desktop", "vr", "--goal", "wait 1 seconds"], ["approve"], [],
                      ["--approval-expiry", "soon", "--goal", "wait 1 seconds"], ["--goal", ""], ["frobnicate"],
                      ["--approval-expiry=-5s", *WAIT], ["--approval-expiry", "0s", *WAIT],
                      ["--time-limit=-5s", *WAIT], ["--max-steps", "0", *WAIT], ["--max-launches", "0", *WAIT]):
            with self.subTest(flags=flags):
                run = self.sandbox.run(*flags)
                self.assertEqual(BAD_USAGE, run.wait(), run.said())
                self.assertNotEqual("", run.errors())

    def test_arguments_that_are_not_utf8_exit_with_2_before_anything_starts(self):
        text = os.fsdecode(b"wait \xff")
        for flags in (["--goal", text], ["--goal", "wait 1 seconds", "--planner", text], ["approve", text],
                      ["answer", "ab12", text], ["edit", "ab12", "--args", text]):
            with self.subTest(flags=flags):
                run = self.sandbox.run("--desktop", "fake", *flags)
                self.assertEqual(BAD_USAGE, run.wait(), run.said())
                self.assertIn("is not UTF-8", run.errors())
                self.assertEqual([], run.stdout)

    # Regression: the goal was ignored and the subcommand was executed.
    def test_goal_together_with_a_subcommand_exits_with_2(self):
        run = self.sandbox.run("--desktop", "fake", "--goal", "wait 1 seconds", "status")
        self.assertEqual(BAD_USAGE, run.wait(), run.said())
        self.assertIn("give a goal or the command `status`, not both", run.errors())

    def test_an_empty_goal_exits_with_2_and_an_error(self):
        for goal in ("", "  ", ";"):
            with self.subTest(goal=goal):
                run = self.sandbox.goal(goal)
                self.assert_ends(run, BAD_USAGE)
                self.assertIn("goal", run.errors())
                self.assertNotIn("Usage", run.said())

    def test_an_unknown_log_level_exits_with_2(self):
        run = self.sandbox.goal("wait 1 seconds", "--log-level", "nonsense")
        self.assertEqual(BAD_USAGE, run.wait(), run.said())
        self.assertIn("warning", run.errors())

    def test_an_unusable_runtime_directory_exits_with_5_and_is_named(self):
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

    def test_a_missing_rule_file_exits_with_2(self):
        run = self.sandbox.goal("wait 1 seconds", rules=self.sandbox.path("none.toml"))
        self.assert_ends(run, BAD_USAGE)
        self.assertIn("none.toml", run.errors())

    def test_an_invalid_rule_file_stops_the_run_and_is_named(self):
        rules = self.sandbox.path("broken.toml")
        rules.write_text('[[rule]]\nname = "a"\nverdict = "perhaps"\nmatch.tool = ["sleep"]\n')
        run = self.sandbox.goal("wait 1 seconds", rules=rules)
        self.assertNotEqual(DONE, run.wait())
        self.assertRegex(run.errors(), "broken.toml")
        self.assertIn("perhaps", run.errors())
        self.sandbox.check_nothing_left()

    def test_the_kill_switch_chord_exits_with_3_even_with_unlocked_writes(self):
        run = self.sandbox.goal("open notes; press ctrl+shift+esc", "--unlock-writes")
        self.assert_ends(run, DENIED)
        self.assertIn("kill-switch-chord", run.said())
        self.assertEqual(["launch"], [outcome["tool"] for outcome in run.facts("actuator.outcome")])

    def test_an_unanswered_approval_expires_and_exits_with_3(self):
        run = self.sandbox.goal("open notes", "--approval-expiry", "1s")
        self.assert_ends(run, DENIED, seconds=10)
        self.assertEqual(["ANSWER_EXPIRED"], [fact["answer"] for fact in run.facts("policy.approval")])
        self.assertEqual([], run.facts("actuator.outcome"))

    def test_commands_without_a_run_exit_with_5_and_say_what_to_do(self):
        for command in (["status"], ["pending"], ["watch"], ["halt"], ["unlock"], ["approve", "ab12"]):
            with self.subTest(command=command):
                run = self.sandbox.run(*command)
                self.assertEqual(SERVICE_LOST, run.wait(), run.said())
                self.assertIn("da-console --goal", run.errors())

    def test_a_configuration_without_running_services_exits_with_5(self):
        deployment = self.sandbox.path("deployment")
        self.assertEqual(DONE, self.sandbox.run("init", str(deployment), "--desktop", "fake").wait())
        config = deployment / "host/console.toml"
        run = self.sandbox.run("--config", str(config), "--goal", "wait 1 seconds")
        self.assertEqual(SERVICE_LOST, run.wait(), run.said())

    def test_sigint_and_sigterm_exit_with_130_within_the_grace(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number):
                run = self.sandbox.goal("wait 5 seconds")
                run.wait_for(lambda: "ACTING" in run.states())
                run.process.send_signal(number)
                self.assert_ends(run, INTERRUPTED, seconds=4)

    def test_sigint_during_an_approval_exits_with_130(self):
        run = self.sandbox.goal("open notes")
        run.pending_id()
        run.process.send_signal(signal.SIGINT)
        self.assert_ends(run, INTERRUPTED, seconds=4)
        self.assertEqual([], run.facts("actuator.outcome"))


class JsonLines(ConsoleTest):
    def test_every_line_of_stdout_is_a_fact(self):
        run = self.sandbox.goal('open notes; type "x"; check window "Notes" is open', "--unlock-writes")
        self.assert_ends(run, DONE)
        lines = [json.loads(line) for line in run.stdout]
        for line in lines:
            self.assertEqual({"topic", "lost_before", "fact"}, set(line))
            self.assertEqual(line["topic"].split(".")[0], line["fact"]["header"]["writer"])
        topics = {line["topic"] for line in lines}
        self.assertLessEqual({"planner.state", "planner.plan", "planner.end", "planner.answer", "observer.observation",
                              "observer.image", "policy.verdict", "actuator.outcome"}, topics)
        # The policy's last fact, of the closed write lock, may arrive before it or after it.
        of_planner = [line["topic"] for line in lines if line["topic"].startswith("planner.")]
        self.assertEqual("planner.end", of_planner[-1])

    def test_sequence_numbers_have_no_gaps(self):
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

    # Regression: the output was lost, but the exit code was 0.
    def test_a_full_output_device_exits_with_1_and_an_error(self):
        for command in (["--json", "--desktop", "fake", "--goal", "wait 0.1 seconds"], ["tools"], ["--help"]):
            with self.subTest(command=command), open("/dev/full", "wb") as full:
                ended = self.run_into(full, *command)
                self.assertEqual(FAILED, ended.returncode, ended.stderr)
                self.assertIn(b"not all of the output could be written", ended.stderr)

    # Regression: the exit code was 0, although the README says 1.
    def test_a_closed_output_pipe_exits_with_1_and_no_error_text(self):
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

    def test_the_error_of_an_invalid_goal_is_not_on_stdout(self):
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
    def test_a_dry_run_shows_verdicts_and_executes_nothing(self):
        file = self.sandbox.path("a.txt")
        run = self.sandbox.goal(f'open notes {file}; type "x"; press ctrl+s', "--dry-run", "--unlock-writes")
        self.assert_ends(run, DONE)
        self.assertEqual(["launch", "write", "hotkey"], [verdict["tool"] for verdict in run.facts("policy.verdict")])
        self.assertTrue(all(verdict["dry_run"] for verdict in run.facts("policy.verdict")))
        self.assertEqual([], run.facts("actuator.outcome"))
        self.assertFalse(file.exists())

    def test_a_dry_run_asks_for_no_approval(self):
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
                     "doctor", "policy", "profile", "audit", "init", "keys", "--goal", "--json", "--dry-run", "--unlock-writes",
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

    def test_doctor_reports_problems_with_advice(self):
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
        self.assertEqual((DONE, True), (lambda code, text: (code, "0 questionable" in text))(*self.policy("check", shipped)))
        self.assertIn("0 failed", self.policy("test", shipped, cases)[1])
        step = self.sandbox.path("step.json")
        step.write_text('{"tool": "write", "args": {"text": "ls"}, "process": "xterm", "write_lock": "open"}')
        code, text = self.policy("explain", "--json", shipped, str(step))
        self.assertEqual(DONE, code)
        self.assertEqual(("ask", "terminals"), (json.loads(text)["verdict"], json.loads(text)["rule"]))

    def test_profile_check_reports_positions_and_suggestions(self):
        profile = self.sandbox.path("mail.json")
        region = '{"regions": [{"name": "inbox", "x": 0, "y": 0, "width": 10, "height": 10}],\n'
        rule = ' "rules": [{"region": "%s", "condition": {"type": "always_true"},\n  "%s": {"type": "press_key", "key": "f5"}}]}\n'
        check = lambda *arguments: self.sandbox.run("profile", "check", str(profile), *arguments)
        profile.write_text(region + rule % ("inbox", "action"))
        run = check("--strict")
        self.assertEqual(DONE, run.wait(), run.said())
        self.assertIn("rules: 1, regions: 1, templates: 0, warnings: 0", run.text())
        profile.write_text(region + (rule % ("inbox", "action")).replace(']}', '], "extra": 1}'))
        self.assertEqual(FAILED, check().wait())
        self.assertEqual(BAD_USAGE, check("--strict").wait())
        profile.write_text(region + rule % ("inbx", "actoin"))
        run = check("--json")
        self.assertEqual(BAD_USAGE, run.wait())
        problems = [json.loads(line) for line in run.stdout]
        self.assertIn({"severity": "error", "line": 2, "column": 23,
                       "message": 'there is no region "inbx" (did you mean "inbox"?)'}, problems)
        self.assertIn({"severity": "warning", "line": 3, "column": 3,
                       "message": 'unknown key "actoin" (did you mean "action"?)'}, problems)
        self.assertEqual(BAD_USAGE, self.sandbox.run("profile", "check", "/nowhere.json").wait())

    def test_profile_commands_escape_the_names_of_files(self):
        profile = self.sandbox.path("\x1b[31mred.json")
        profile.write_text('{"templates": [{"name": "t", "filename": "\\u001b[32mgreen.png"}], "rules": []}')
        for arguments in (("check",), ("explain", "--image", "none.png")):
            run = self.sandbox.run("profile", *arguments, str(profile))
            self.assertEqual(BAD_USAGE, run.wait())
            said = run.text() + run.errors()
            self.assertIn("\\x1b[31mred.json:1:42: error: ", said)
            self.assertIn("\\x1b[32mgreen.png", said)
            self.assertNotIn("\x1b", said)

    def test_profile_check_names_the_models_that_are_asked(self):
        profile = self.sandbox.path("ask.json")
        asks = lambda name, **more: {"name": name, "region": "all", "action": {"type": "press_key", "key": "f5"},
                                     "condition": {"type": "gemini_vision_query", "prompt": "?", **more}}
        write = lambda *rules: profile.write_text(json.dumps(
            {"regions": [{"name": "all", "x": 0, "y": 0, "width": 9, "height": 9}], "rules": rules}))
        write(asks("a", model_name="openai/gpt-4.1"), asks("b"), asks("c", model_name="openai/gpt-4.1"))
        run = self.sandbox.run("profile", "check", str(profile))
        self.assertEqual(DONE, run.wait(), run.said())
        self.assertIn('asks the model "openai/gpt-4.1": "a", "c"', run.text())
        self.assertIn('asks the model "gemini-1.5-flash-latest": "b"', run.text())
        run = self.sandbox.run("profile", "check", "--json", str(profile))
        self.assertEqual([{"model": "openai/gpt-4.1", "rules": ["a", "c"]},
                          {"model": "gemini-1.5-flash-latest", "rules": ["b"]}], [json.loads(line) for line in run.stdout])
        first = asks("a", model_name="{x}")
        first["condition"] = {"logical_operator": "AND", "sub_conditions": [
            {"type": "ocr_contains_text", "text_to_find": "x", "capture_as": "x"}, first["condition"]]}
        write(first)
        run = self.sandbox.run("profile", "check", str(profile))
        self.assertEqual(BAD_USAGE, run.wait())
        self.assertIn("must not depend on what the rule captures", run.errors())

    def picture(self, name, red, green, blue):
        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        width, height = 64, 48
        rows = (b"\0" + bytes([red, green, blue]) * width) * height
        self.sandbox.path(name).write_bytes(
            b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))

    def test_profile_explains_and_tests_rules_on_pictures(self):
        self.picture("red.png", 200, 30, 40)
        self.picture("blue.png", 10, 20, 250)
        profile = self.sandbox.path("alarm.json")
        profile.write_text(json.dumps({
            "regions": [{"name": "light", "x": 4, "y": 4, "width": 8, "height": 8}],
            "rules": [{"name": "alarm", "region": "light",
                       "condition": {"logical_operator": "AND", "sub_conditions": [
                           {"type": "average_color_is", "expected_bgr": [40, 30, 205]},
                           {"type": "pixel_color", "expected_bgr": [40, 30, 200]}]},
                       "action": {"type": "click", "target_relation": "center_of_region"}}]}))
        run = self.sandbox.run("profile", "explain", str(profile), "--image", str(self.sandbox.path("red.png")), "--json")
        self.assertEqual(DONE, run.wait(), run.said())
        report = json.loads(run.text())
        self.assertEqual(["holds", "holds"], [part["outcome"] for part in report["condition"]["parts"]])
        self.assertEqual("[40, 30, 200]", report["condition"]["parts"][0]["measured"])
        self.assertIn("8,8", report["actions"][0])
        cases = self.sandbox.path("cases.json")
        cases.write_text('{"cases": [{"image": "red.png", "expect": ["alarm"]}, {"image": "blue.png", "expect": []}]}')
        run = self.sandbox.run("profile", "test", str(profile), str(cases))
        self.assertEqual(DONE, run.wait(), run.said())
        self.assertIn("2 passed, 0 failed", run.text())
        cases.write_text('{"cases": [{"name": "dark", "image": "blue.png", "expect": ["alarm"]}]}')
        run = self.sandbox.run("profile", "test", str(profile), str(cases))
        self.assertEqual(FAILED, run.wait())
        self.assertIn('dark: expected "alarm", but no rule acts', run.text())
        private = self.sandbox.home / "private.png"
        self.sandbox.path("red.png").rename(private)
        self.sandbox.path("red.png").symlink_to(private)
        outside = "no name of a file in its folder"
        for image, why in (("red.png", "link"), (str(private), outside), ("../private.png", outside)):
            cases.write_text(json.dumps({"cases": [{"image": image, "expect": ["alarm"]}]}))
            run = self.sandbox.run("profile", "test", str(profile), str(cases))
            self.assertEqual(BAD_USAGE, run.wait(), run.said())
            self.assertIn(why, run.errors())

    def test_policy_reports_positions_of_errors_and_failed_cases(self):
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

    def test_an_accepted_rule_file_takes_effect_during_a_task(self):
        rules = self.sandbox.path("rules.toml")
        rules.write_text(RULES.read_text())
        held = HeldSave(self.sandbox)
        run = self.sandbox.goal(f"{held.goal}; open notes", "--unlock-writes", rules=rules)
        held.wait_for(run)
        changed = self.sandbox.path("changed.toml")
        changed.write_text(RULES.read_text() + '[[rule]]\nname = "none"\nverdict = "deny"\nreason = "not today"\n'
                           'match.tool = ["launch"]\n')
        changed.rename(rules)
        version = run.wait_for(lambda: run.facts("policy.rules"))[0]["unaccepted_version"]
        self.assertEqual(DONE, self.policy("accept", str(rules), "--version", version)[0])
        run.wait_for(lambda: any(fact["version"] == version for fact in run.facts("policy.rules")))
        held.release()
        self.assert_ends(run, DENIED)
        self.assertIn("not today", run.said())

    def test_nothing_is_allowed_while_the_rule_file_is_invalid(self):
        rules = self.sandbox.path("rules.toml")
        rules.write_text(RULES.read_text())
        held = HeldSave(self.sandbox)
        run = self.sandbox.goal(f"{held.goal}; wait 1 second", "--unlock-writes", rules=rules)
        held.wait_for(run)
        rules.write_text("[[rule]]\n")
        wait_until(lambda: "NOT in force" in self.sandbox.run("status").text(), "status reports the invalid rule file")
        held.release()
        self.assert_ends(run, DENIED)
        self.assertIn("nothing is allowed until it is fixed", run.said())


if __name__ == "__main__":
    unittest.main()
