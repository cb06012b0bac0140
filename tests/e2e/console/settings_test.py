"""Settings of the services that the console starts: the commands, the file and the precedence. On the fake desktop."""

import json
import os
import stat
import unittest

from console import BAD_USAGE, DENIED, DONE, FAILED, ROOT, ConsoleTest
from models import KEY, ModelTest, say, step

STEPS = 'open notes; press tab; press tab; press tab'


class Commands(ConsoleTest):
    def setUp(self):
        super().setUp()
        for name in list(self.sandbox.environment):
            if name.startswith("DA_") or name in ("APP_ENV", "DESKTOPASSIST_LOG_LEVEL"):
                del self.sandbox.environment[name]
        self.file = self.sandbox.home / "config/desktopassist/settings.toml"

    def settings(self, *arguments):
        return self.sandbox.run(*arguments)

    def assert_done(self, run):
        self.assertEqual(DONE, run.wait(), run.said())

    def assert_refused(self, words, *arguments, exit_code=BAD_USAGE):
        run = self.settings(*arguments)
        self.assertEqual(exit_code, run.wait(), run.said())
        self.assertRegex(run.errors(), words)

    def shown(self, name, *flags):
        run = self.settings(*flags, "settings", "--json")
        self.assert_done(run)
        return next(setting for setting in map(json.loads, run.stdout) if setting["name"] == name)

    def test_each_value_is_shown_with_its_source_and_meaning(self):
        self.assertEqual((None, "default", "12"), tuple(self.shown("max_turns")[key] for key in ("value", "source", "default")))
        self.assert_done(self.settings("settings", "set", "max_turns", "20"))
        self.assertEqual((20, "file", str(self.file)),
                         tuple(self.shown("max_turns")[key] for key in ("value", "source", "from")))
        self.sandbox.environment["DA_MAX_TURNS"] = "30"
        self.assertEqual((30, "environment", "DA_MAX_TURNS"),
                         tuple(self.shown("max_turns")[key] for key in ("value", "source", "from")))
        self.assertEqual((40, "flag", "--max-turns"),
                         tuple(self.shown("max_turns", "--max-turns", "40")[key] for key in ("value", "source", "from")))
        run = self.settings("settings")
        self.assert_done(run)
        self.assertRegex(run.text(), r"(?m)^max_turns +30  \(environment: DA_MAX_TURNS\)\n +maximum decisions of a model; "
                                     r"--max-turns, DA_MAX_TURNS$")
        self.assertIn(f"settings file: {self.file}", run.stdout)

    def test_set_writes_a_private_file_and_keeps_comments(self):
        self.assert_done(self.settings("settings", "set", "max_turns", "20"))
        self.assertEqual(0o600, stat.S_IMODE(self.file.stat().st_mode))
        self.file.write_text("# mine\nmax_turns = 20 # twenty\n")
        self.assert_done(self.settings("settings", "set", "max_turns", "25"))
        self.assert_done(self.settings("settings", "set", "prices", "gpt-5 1 0.1 10", "m 2 2 2"))
        self.assert_done(self.settings("settings", "set", "images", "false"))
        self.assert_done(self.settings("settings", "set", "time_limit", "10m"))
        self.assertEqual('# mine\nmax_turns = 25 # twenty\nprices = ["gpt-5 1 0.1 10", "m 2 2 2"]\nimages = false\n'
                         'time_limit = "10m"\n', self.file.read_text())
        self.assert_done(self.settings("settings", "unset", "prices"))
        self.assertEqual('# mine\nmax_turns = 25 # twenty\nimages = false\ntime_limit = "10m"\n', self.file.read_text())

    def test_a_path_is_written_absolute(self):
        self.sandbox.directory = self.sandbox.home
        self.assert_done(self.settings("settings", "set", "log_file", "all.log"))
        self.assertEqual(f'log_file = "{self.sandbox.home}/all.log"\n', self.file.read_text())

    def test_bad_names_and_values_are_refused_with_a_suggestion_and_nothing_is_written(self):
        self.assert_refused(r'no setting "max_turn" \(did you mean "max_turns"\?\)', "settings", "set", "max_turn", "5")
        self.assert_refused("the setting of --max-calls is budget_calls", "settings", "set", "max_calls", "5")
        self.assert_refused('max_turns: "many" is not a whole number from 1', "settings", "set", "max_turns", "many")
        self.assert_refused("has one value, not 2", "settings", "set", "max_turns", "1", "2")
        self.assert_refused('did you mean "marks"', "settings", "set", "overlay", "mark")
        self.assert_refused("a key is not a setting", "settings", "set", "GEMINI_API_KEY", "sk-x")
        self.assert_refused("no setting", "settings", "set", "rules", "/tmp/rules.toml")
        self.assert_refused("not UTF-8", "settings", "set", "model", os.fsdecode(b"\xff"))
        self.assert_refused('did you mean "unset"', "settings", "unste", "max_turns")
        self.assert_refused("is required", "settings", "set", "max_turns")
        self.assert_refused(r'no setting "max_turn" \(did you mean "max_turns"\?\)', "settings", "unset", "max_turn")
        self.assert_refused('"max_turns" is not set', "settings", "unset", "max_turns", exit_code=FAILED)
        self.assertFalse(self.file.exists() and self.file.read_text())

    def test_a_file_with_an_unknown_line_stops_everything_until_it_is_removed(self):
        self.file.parent.mkdir(parents=True)
        self.file.write_text("max_turns = 5\ncolour = 'red'\n")
        for arguments in (["settings"], ["settings", "set", "max_turns", "6"],
                          ["--desktop", "fake", "--goal", "wait 0.1 seconds"]):
            self.assert_refused(r"settings\.toml:2:1: there is no setting \"colour\"", *arguments)
        self.assert_done(self.settings("settings", "unset", "colour"))
        self.assertEqual("max_turns = 5\n", self.file.read_text())

    def test_a_profile_may_not_run_for_longer_than_the_time_limit(self):
        profile = self.sandbox.path("profile.json")
        profile.write_text('{"rules": [{"name": "a", "condition": {"type": "always_true"}, "stop": true,'
                           ' "action": {"type": "log_message", "message": "acted"}}]}')
        run = ("run", str(profile), "--desktop", "fake", "--for", "12s")
        self.assert_refused("--for is longer than the time limit", *run, "--time-limit", "10s")
        self.assert_done(self.settings("settings", "set", "time_limit", "10s"))
        self.assert_refused("--for is longer than the time limit", *run)
        self.assert_done(self.settings(*run, "--time-limit", "1m"))

    def test_a_file_that_others_can_write_is_refused(self):
        self.assert_done(self.settings("settings", "set", "max_turns", "5"))
        self.file.chmod(0o666)
        self.assert_refused("chmod go-w", "settings")
        self.assert_refused("chmod go-w", "--desktop", "fake", "--goal", "wait 0.1 seconds")
        self.assert_refused("chmod go-w", "settings", "set", "max_turns", "6", exit_code=FAILED)

    def test_an_unwritable_directory_is_an_error(self):
        self.sandbox.environment["XDG_CONFIG_HOME"] = "/proc/1/nowhere"
        self.assert_refused("create|lock", "settings", "set", "max_turns", "5", exit_code=FAILED)

    def test_the_document_has_all_settings(self):
        run = self.settings("settings", "--markdown")
        self.assert_done(run)
        self.assertEqual((ROOT / "docs/SETTINGS.md").read_text(), run.text() + "\n",
                         "da-console settings --markdown > docs/SETTINGS.md")

    def test_a_setting_is_in_the_help(self):
        text = self.settings("--help").text()
        for setting in map(json.loads, self.settings("settings", "--json").stdout):
            self.assertIn(setting["flag"], text)


class Effect(ModelTest):
    def setUp(self):
        super().setUp()
        for name in list(self.sandbox.environment):
            if name.startswith("DA_") or name == "APP_ENV":
                del self.sandbox.environment[name]

    def set(self, *arguments):
        run = self.sandbox.run("settings", "set", *arguments)
        self.assertEqual(DONE, run.wait(), run.said())

    def test_the_file_names_planner_model_and_address(self):
        with self.model("gemini", [say(done="Seen.")]) as model:
            self.set("planner", "gemini")
            self.set("model", "gemini-mine")
            self.set("base_url", model.base_url)
            self.sandbox.environment["GEMINI_API_KEY"] = KEY
            run = self.sandbox.goal("look")
            self.assert_ends(run, DONE)
        self.assert_as_scripted(model)
        self.assertIn("planner: gemini, gemini-mine (the configuration says so)", run.stderr)

    def test_the_address_of_another_planner_gets_no_key(self):
        with self.model("openai", [say(done="Seen.")]) as model, self.model("gemini", []) as other:
            self.set("planner", "gemini")
            self.set("base_url", other.base_url)
            self.sandbox.environment["OPENAI_API_KEY"] = KEY
            # A flag's address belongs to the flag's planner.
            run = self.sandbox.goal("look", "--planner", "openai", "--base-url", model.base_url)
            self.assert_ends(run, DONE)
            run = self.sandbox.run("--planner", "openai", "settings", "--json")
            shown = {setting["name"]: setting for setting in map(json.loads, run.stdout)}
            self.assertEqual((None, "default"), (shown["base_url"]["value"], shown["base_url"]["source"]))
        self.assertEqual([], other.requests())

    def test_a_limit_of_the_file_ends_the_task_and_a_flag_overrides_it(self):
        self.set("max_turns", "1")
        with self.model("openai", [say(step("list_windows"))]) as model:
            run = model.goal("look")
            self.assert_ends(run, FAILED)
            self.assertIn("1 turn", run.errors())
        with self.model("openai", [say(step("list_windows")), say(done="Seen.")]) as model:
            self.assert_ends(model.goal("look", "--max-turns", "3"), DONE)

    def test_a_maximum_cost_needs_a_price(self):
        run = self.sandbox.goal("look", "--max-cost", "1")
        self.assert_ends(run, BAD_USAGE)
        self.assertIn("--price", run.errors())
        self.set("prices", "gpt-5 1 1 1")
        self.assert_ends(self.sandbox.goal("wait 0.1 seconds", "--max-cost", "1"), DONE)

    def test_limits_of_a_task_come_from_the_file_too(self):
        self.set("max_steps", "2")
        run = self.sandbox.goal(STEPS, "--unlock-writes")
        self.assert_ends(run, DENIED)
        self.assertEqual(2, len(run.facts("actuator.outcome")))

    def test_steps_are_apart_by_the_step_pause(self):
        self.set("step_pause_ms", "400")
        run = self.sandbox.goal(STEPS, "--unlock-writes")
        self.assert_ends(run, DONE)
        times = [int(fact["header"]["wall_ns"]) for fact in run.facts("policy.submitted") or run.facts("policy.verdict")]
        self.assertEqual(4, len(times))
        for before, after in zip(times, times[1:]):
            self.assertGreaterEqual(after - before, 400e6)

    def test_a_pause_between_steps_ends_with_the_task(self):
        run = self.sandbox.goal(STEPS, "--unlock-writes", "--step-pause", "60000", "--time-limit", "2s")
        self.assert_ends(run, FAILED, seconds=15)

    def test_doctor_checks_what_a_goal_would_use(self):
        with self.model("gemini", []) as model:
            self.set("planner", "gemini")
            self.set("base_url", model.base_url)
            self.sandbox.environment["GEMINI_API_KEY"] = KEY
            run = self.sandbox.run("doctor", "--json")
            checks = {check["name"]: check for check in map(json.loads, run.stdout)}
        self.assertIn("gemini", checks["planner"]["found"])
        self.assertIn("the configuration says so", checks["planner"]["found"])
        self.assertTrue(checks["model server"]["ok"], checks)


if __name__ == "__main__":
    unittest.main()
