"""Keys and levels from .env files, and where the logs go. On the fake desktop, with a fake model."""

import json
import os
import pathlib
import re
import stat
import subprocess
import unittest

from console import BAD_USAGE, DONE, SERVICES
from models import KEY, ModelTest, say, step

GOAL = "write a greeting"
REAL_KEY = "sk-real-0a1b2c3d4e5f6789"


class Started(ModelTest):
    """Starts da-console in a directory of the test."""

    def setUp(self):
        super().setUp()
        self.place = self.sandbox.path("place")
        self.place.mkdir(mode=0o700)
        self.sandbox.directory = self.place
        for name in ("APP_ENV", "DESKTOPASSIST_LOG_LEVEL"):
            self.sandbox.environment.pop(name, None)

    def env_file(self, text, mode=0o600, place=None):
        file = (place or self.place) / ".env"
        file.write_text(text)
        file.chmod(mode)
        return file

    def assert_refused(self, run, words):
        self.assert_ends(run, BAD_USAGE)
        self.assertRegex(run.errors(), words)
        self.assertNotIn(KEY, run.said())
        self.assertEqual([], run.facts())

    def logs(self):
        return {file.name: file.read_text()
                for file in sorted((self.sandbox.state / "desktopassist/logs").glob("*.log"))}


class Keys(Started):
    # Bug: whoever prepared a directory chose by its .env who was shown the desktop.
    def test_a_key_in_dot_env_selects_no_planner(self):
        self.env_file(f"GEMINI_API_KEY={KEY}\n")
        run = self.sandbox.goal("wait 0.1 seconds")
        self.assert_ends(run, DONE)
        self.assertIn("planner: plain", run.errors())
        self.assertIn("used once you name its provider: --planner or DA_PLANNER", run.errors())

    def test_a_key_in_dot_env_serves_the_named_planner_and_appears_nowhere(self):
        env = self.env_file(f"# keys\nexport GEMINI_API_KEY = '{KEY}'  # mine\r\n")
        with self.model("gemini", [say(step("list_windows")), say(done="Seen.")]) as model:
            run = self.sandbox.goal(GOAL, "--planner", "gemini", "--base-url", model.base_url, "--log-level", "trace",
                                    "--log-console", "trace")
            run.wait_for(lambda: run.states())
            self.assert_key_in_no_command_line(KEY)
            self.assert_ends(run, DONE)
        self.assertIn("planner: gemini, gemini-2.5-pro (named by --planner)", run.stderr)
        self.assertIn(f"da-console: GEMINI_API_KEY is from {env}", run.stderr)
        self.assertEqual([], model.lines("violations"))
        self.assert_key_nowhere(but=(env,))
        self.assertTrue(self.logs())

    def assert_key_in_no_command_line(self, key):
        for entry in pathlib.Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    self.assertNotIn(key.encode(), (entry / "cmdline").read_bytes(), entry)
                except (FileNotFoundError, ProcessLookupError):
                    pass

    def test_only_the_planner_inherits_the_key(self):
        self.env_file(f"OPENAI_API_KEY={KEY}\nANTHROPIC_API_KEY={KEY}\n")
        run = self.sandbox.goal("wait 30 seconds", "--planner", "plain")
        run.wait_for(lambda: len(run.services()) == len(SERVICES) and run.states())
        holders = {name for name, pid in run.services().items()
                   if KEY.encode() in pathlib.Path(f"/proc/{pid}/environ").read_bytes()}
        self.assertEqual({"planner"}, holders)
        run.process.terminate()
        run.wait()

    def test_the_real_environment_wins(self):
        env = self.env_file(f"GEMINI_API_KEY={KEY}\n")
        with self.model("gemini", [say(done="Seen.")], key=REAL_KEY) as model:
            self.sandbox.environment["GEMINI_API_KEY"] = REAL_KEY
            self.assert_ends(self.sandbox.goal(GOAL, "--base-url", model.base_url), DONE)
        self.assertEqual([], model.lines("violations"))
        self.assert_key_nowhere(but=(env,))

    def test_an_empty_variable_wins_too(self):
        self.env_file(f"GEMINI_API_KEY={KEY}\n")
        self.sandbox.environment["GEMINI_API_KEY"] = ""
        run = self.sandbox.goal("wait 0.1 seconds")
        self.assert_ends(run, DONE)
        self.assertIn("planner: plain (no provider's key is in the environment)", run.stderr)

    def test_a_file_that_others_can_read_is_refused_with_the_command_that_mends_it(self):
        env = self.env_file(f"GEMINI_API_KEY={KEY}\n", 0o644)
        run = self.sandbox.goal("wait 0.1 seconds")
        self.assert_refused(run, f"only you may read and write it: chmod 600 {re.escape(str(env))}; --no-env-file")
        command = re.search(r"(chmod 600 \S+);", run.errors())[1]
        subprocess.run(command.split(), check=True)
        self.assert_ends(self.sandbox.goal("wait 0.1 seconds", "--planner", "plain"), DONE)

    def test_no_env_file_ignores_the_file(self):
        self.env_file(f"GEMINI_API_KEY={KEY}\n", 0o644)
        run = self.sandbox.goal("wait 0.1 seconds", "--no-env-file")
        self.assert_ends(run, DONE)
        self.assertIn("planner: plain (no provider's key is in the environment)", run.stderr)

    def test_a_directory_that_someone_prepared_changes_nothing_else(self):
        marker = self.sandbox.path("marker")
        self.env_file(f"LD_PRELOAD=/tmp/evil.so\nDA_BASE_URL=http://127.0.0.1:1/\nDA_PLANNER=openai\nDA_MAX_TURNS=1\n"
                      f"HOME=/tmp\nXDG_CONFIG_HOME=/tmp\nPATH=/tmp\nDA_SECRET_X=y\nX=$(touch {marker})\n"
                      f"Y=`touch {marker}`\nDESKTOPASSIST_LOG_LEVEL=off\n", 0o666)
        run = self.sandbox.goal("wait 30 seconds")
        run.wait_for(lambda: len(run.services()) == len(SERVICES) and run.states())
        for pid in (*run.services().values(), run.process.pid):
            variables = pathlib.Path(f"/proc/{pid}/environ").read_bytes()
            for text in (b"evil.so", b"DA_BASE_URL", b"DA_PLANNER", b"DA_SECRET_X", b"HOME=/tmp\0"):
                self.assertNotIn(text, variables)
        run.process.terminate()
        run.wait()
        self.assertIn('"DA_BASE_URL" is not taken from a .env file', run.errors())
        self.assertFalse(marker.exists())

    def test_a_malformed_file_is_an_error_with_its_line(self):
        self.env_file(f"# a\nGEMINI_API_KEY='{KEY}\n")
        self.assert_refused(self.sandbox.goal("wait 0.1 seconds"), r"\.env:2: the quote ' is not closed")

    def test_hostile_files_are_refused_quickly(self):
        file = self.place / ".env"
        os.mkfifo(file)
        self.assert_refused(self.sandbox.goal("wait 0.1 seconds"), "is not a file; --no-env-file")
        file.unlink()
        file.symlink_to("/dev/zero")
        self.assert_refused(self.sandbox.goal("wait 0.1 seconds"), "it is a link")
        file.unlink()
        with open(file, "wb") as huge:
            huge.truncate(1 << 34)
        self.assert_refused(self.sandbox.goal("wait 0.1 seconds"), "larger than 65536 bytes")
        file.unlink()
        file.mkdir()
        self.assert_ends(self.sandbox.goal("wait 0.1 seconds"), DONE)

    def test_a_profile_takes_the_file_beside_it(self):
        folder = self.sandbox.path("profiles")
        folder.mkdir()
        env = self.env_file(f"GEMINI_API_KEY={KEY}\n", place=folder)
        (folder / "p.json").write_text(json.dumps({"rules": []}))
        run = self.sandbox.run("--desktop", "fake", "run", str(folder / "p.json"), "--once")
        self.assertEqual(DONE, run.wait(), run.said())
        self.assertIn(f"da-console: GEMINI_API_KEY is from {env}", run.stderr)
        env.chmod(0o640)
        run = self.sandbox.run("--desktop", "fake", "run", str(folder / "p.json"), "--once")
        self.assertEqual(BAD_USAGE, run.wait(), run.said())

    def test_doctor_uses_the_key(self):
        self.env_file(f"GEMINI_API_KEY={KEY}\n")
        run = self.sandbox.run("doctor", "--json", "--planner", "gemini", "--base-url", "http://127.0.0.1:1")
        checks = {check["name"]: check for check in map(json.loads, run.stdout)}
        self.assertIn("gemini", checks["planner"]["found"], run.said())
        self.assertNotIn("needs a key", run.text())
        self.assertNotIn(KEY, run.said())


class Logs(Started):
    def test_the_files_are_dated_and_private(self):
        self.assert_ends(self.sandbox.goal("wait 0.1 seconds"), DONE)
        logs = self.logs()
        for service in SERVICES:
            self.assertTrue(any(re.fullmatch(rf"da-{service}_\d{{4}}-\d\d-\d\d\.log", name) for name in logs), logs.keys())
        for file in (self.sandbox.state / "desktopassist/logs").iterdir():
            self.assertEqual(0o600, stat.S_IMODE(file.stat().st_mode), file)

    def test_app_env_sets_the_levels(self):
        for app_env, file_level, debug in (("development", "info", True), ("testing", "warning", True),
                                           ("production", "error", False)):
            with self.subTest(app_env=app_env):
                self.env_file(f"APP_ENV={app_env}\n", 0o644)
                run = self.sandbox.goal("wait 30 seconds")
                run.wait_for(lambda: run.states())
                (directory,) = self.sandbox.run_directories()
                config = (directory / "planner.toml").read_text()
                self.assertIn(f'console = "{file_level}"', config)
                self.assertIn('level = "debug"' if debug else 'level = "info"', config)
                run.process.terminate()
                run.wait()
                self.assertEqual(app_env == "development", "[planner" in run.errors(), run.errors())

    def test_an_unknown_app_env_is_an_error_that_names_its_source(self):
        env = self.env_file("APP_ENV=devlopment\n")
        self.assert_refused(self.sandbox.goal("wait 0.1 seconds"),
                            rf"APP_ENV in {re.escape(str(env))}: .*did you mean \"development\"")

    def test_verbose_shows_the_services_log_lines(self):
        run = self.sandbox.run("--desktop", "fake", "-v", "--goal", "wait 0.1 seconds")
        self.assertEqual(DONE, run.wait(), run.said())
        self.assertRegex(run.errors(), r"\[planner \d+\] task \S+ begins")

    def test_log_file_has_the_lines_of_all_services_and_no_other_file_is_written(self):
        run = self.sandbox.goal("wait 0.1 seconds", "--log-file", "all.log")
        self.assert_ends(run, DONE)
        file = self.place / "all.log"
        self.assertEqual(0o600, stat.S_IMODE(file.stat().st_mode))
        text = file.read_text()
        for service in SERVICES:
            self.assertRegex(text, rf"\[{service} \d+\] serving at")
        self.assertEqual({}, self.logs())
        before = text.count("serving at")
        self.assert_ends(self.sandbox.goal("wait 0.1 seconds", "--log-file", "all.log"), DONE)
        self.assertEqual(2 * before, file.read_text().count("serving at"))

    def test_a_log_file_that_others_can_read_is_refused(self):
        file = self.place / "all.log"
        file.touch(0o644)
        self.assert_refused(self.sandbox.goal("wait 0.1 seconds", "--log-file", str(file)), f"chmod 600 {file}")
        file.unlink()
        file.symlink_to(self.place / "other.log")
        self.assert_refused(self.sandbox.goal("wait 0.1 seconds", "--log-file", str(file)), "log file: ")
        self.assertFalse((self.place / "other.log").exists())

    def test_a_large_log_file_is_rotated_before_the_run(self):
        file = self.place / "all.log"
        file.touch(0o600)
        os.truncate(file, (10 << 20) + 1)
        self.assert_ends(self.sandbox.goal("wait 0.1 seconds", "--log-file", str(file)), DONE)
        self.assertEqual((10 << 20) + 1, (self.place / "all.log.1").stat().st_size)
        self.assertLess(file.stat().st_size, 1 << 20)

    def test_no_file_logging_writes_no_file(self):
        self.assert_ends(self.sandbox.goal("wait 0.1 seconds", "--no-file-logging"), DONE)
        self.assertEqual({}, self.logs())

    def test_old_files_are_deleted(self):
        logs = self.sandbox.state / "desktopassist/logs"
        logs.mkdir(parents=True, mode=0o700)
        logs.parent.chmod(0o700)
        for name in ("da-planner_2020-01-01.log", "da-planner_2020-01-01.2.log"):
            (logs / name).touch(0o600)
        self.assert_ends(self.sandbox.goal("wait 0.1 seconds"), DONE)
        self.assertEqual([], list(logs.glob("*2020*")))

    def test_each_model_call_is_logged_with_its_latency(self):
        with self.model("openai", [say(step("list_windows")), say(done="Seen.")]) as model:
            run = model.goal(GOAL)
            self.assert_ends(run, DONE)
        text = "".join(self.logs().values())
        calls = re.findall(r"model call (\S+): openai, gpt-5: (\d+) ms, tries: 1, tokens: \d+ in, \d+ out\n", text)
        self.assertEqual([(fact["call_id"], str(fact.get("latency_ms", 0))) for fact in self.calls(run)], calls)
        self.assert_key_nowhere()

    def test_each_rule_is_logged_with_its_reason_at_debug_level(self):
        profile = self.place / "p.json"
        region = {"name": "corner", "x": 0, "y": 0, "width": 10, "height": 10}
        condition = {"type": "pixel_color", "relative_x": 1, "relative_y": 1, "expected_bgr": [1, 2, 3]}
        profile.write_text(json.dumps({"regions": [region], "rules": [
            {"name": "blue corner", "region": "corner", "condition": condition,
             "action": {"type": "log_message", "message": "blue"}}]}))
        for level, count in (("debug", 1), ("info", 0)):
            with self.subTest(level=level):
                file = self.place / f"{level}.log"
                run = self.sandbox.run("--desktop", "fake", "--log-level", level, "--log-file", str(file),
                                       "run", str(profile), "--once")
                self.assertEqual(DONE, run.wait(), run.said())
                lines = [line for line in file.read_text().splitlines() if "blue corner" in line and "cycle 1" in line]
                self.assertEqual(count, len(lines), file.read_text())
                for line in lines:
                    self.assertRegex(line, r"pixel_color.*\[1, 2, 3\]|pixel_color.*1, ?2, ?3")


if __name__ == "__main__":
    unittest.main()
