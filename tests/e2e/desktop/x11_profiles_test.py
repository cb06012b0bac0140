"""The example profiles of deploy/examples on a real desktop: dialogs of zenity, which print what they received."""

import json
import shutil
import subprocess
import time

import x11
from console import BAD_USAGE, DENIED, DONE, FAILED, ROOT, RULES, wait_until

EXAMPLES = ROOT / "deploy/examples"
PASSWORD = "hunter2-hünter2"
DENIES = """
[[rule]]
name = "no-clicks"
verdict = "deny"
reason = "nobody clicks here"
match.tool = ["ui_click"]
"""


class Profiles(x11.DesktopTest):
    def profile(self, name, change=None):
        """Copies an example, with the pictures of its templates, and returns its path."""
        folder = self.sandbox.path("profiles")
        if not folder.exists():
            shutil.copytree(EXAMPLES, folder)
        path = folder / f"{name}.json"
        if change:
            profile = json.loads(path.read_text())
            change(profile)
            path.write_text(json.dumps(profile))
        return path

    def start(self, name, *flags, change=None, unlocked=True, rules=RULES):
        given = ["--unlock-writes"] if unlocked else []
        return self.sandbox.start("run", str(self.profile(name, change)), "--desktop", "x11", "--rules", str(rules),
                                  "--json", *given, *flags)

    def zenity(self, *flags, title):
        process = subprocess.Popen(["zenity", *flags, f"--title={title}"], env=self.sandbox.environment,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        x11.wait_for_title(title)
        return process

    def said_by(self, process, run):
        """Waits until the dialog is answered, and returns its exit code and its output."""
        wait_until(lambda: process.poll() is not None, lambda: f"the dialog is answered; {run.said()}")
        return process.returncode, process.stdout.read().decode()

    def events(self, run, kind):
        return [fact["text"] for fact in run.facts("planner.rule") if fact["kind"] == kind]

    def tell(self, process, line):
        process.stdin.write(line + b"\n")
        process.stdin.flush()

    def test_a_progress_dialog_is_closed_when_it_is_done(self):
        run = self.start("watch_progress")
        dialog = self.zenity("--progress", "--text=Downloading", title="Download")
        self.tell(dialog, b"50")
        run.wait_for(lambda: "the download has begun" in self.events(run, "KIND_LOG"))
        self.assertIsNone(dialog.poll())
        self.assertEqual([], run.facts("policy.verdict"))
        self.tell(dialog, "# Download complete".encode())
        self.tell(dialog, b"100")
        self.assertEqual((0, ""), self.said_by(dialog, run))
        self.assert_ends(run, DONE)
        self.assertIn("Download complete", self.events(run, "KIND_LOG")[-1])
        self.assertIn("ended by rule \"Close when done\"", run.errors())

    def test_changes_begin_cycles_before_the_interval_is_over(self):
        def slow(profile):
            profile["settings"]["monitoring_interval_seconds"] = 3000
        run = self.start("watch_progress", change=slow)
        run.wait_for(lambda: run.facts("observer.observation"))
        time.sleep(1)  # The first cycle sees no window. Without it, the test would show less, and would pass.
        dialog = self.zenity("--progress", "--text=Downloading", title="Download")
        self.tell(dialog, b"50")
        run.wait_for(lambda: "the download has begun" in self.events(run, "KIND_LOG"))
        self.tell(dialog, "# Download complete".encode())
        self.tell(dialog, b"100")
        self.assertEqual((0, ""), self.said_by(dialog, run))
        self.assert_ends(run, DONE)

    def test_a_number_is_read_and_typed_elsewhere(self):
        run = self.start("copy_number")
        self.zenity("--info", "--width=400", "--text=<span font=\"40\">4711</span>", title="Order")
        booking = self.zenity("--entry", "--text=Number:", title="Booking")
        x11.ask("wmctrl", "-r", "Booking", "-e", "0,100,100,-1,-1")  # Both open in the middle of the screen.
        self.assertEqual((0, "4711\n"), self.said_by(booking, run))
        self.assert_ends(run, DONE)

    def test_a_secret_logs_in_whenever_the_window_appears(self):
        secrets = self.sandbox.path("secrets.toml")
        secrets.write_text(f'[[secret]]\nname = "login"\nvalue = "{PASSWORD}"\n')
        secrets.chmod(0o600)
        run = self.start("log_in", "--secrets", str(secrets), "--for", "10m",
                         change=lambda profile: profile["rules"][0].update(cooldown_seconds=1))
        for number in range(2):
            dialog = self.zenity("--password", "--username", title="Log in")
            # The shipped rules ask about every step in a password field.
            for nth, action in enumerate(('write text="{{secret:login}}"', 'press key="enter"'), 2 * number):
                asked = run.wait_for(lambda nth=nth: len(all_asked := run.facts("policy.request")) > nth and all_asked[nth])
                self.assertEqual(action, asked["action_text"])
                approved = self.sandbox.run("approve", asked["approval_id"])
                self.assertEqual(DONE, approved.process.returncode, approved.said())
            self.assertEqual((0, f"anna|{PASSWORD}\n"), self.said_by(dialog, run))
            wait_until(lambda: not x11.titles(), "the window closes")
        run.process.send_signal(2)
        run.wait()
        self.assertNotIn(PASSWORD, run.text() + run.errors())

    def test_a_dry_run_says_what_would_fire_and_changes_nothing(self):
        dialog = self.zenity("--progress", "--text=Downloading", title="Download")
        self.tell(dialog, "# Download complete".encode())
        self.tell(dialog, b"100")
        run = self.start("watch_progress", "--dry-run")
        self.assert_ends(run, DONE)
        self.assertIn("ocr_contains_text", "".join(self.events(run, "KIND_FIRES")))
        self.assertEqual(["DECISION_ALLOW"], [fact["decision"] for fact in run.facts("policy.verdict")])
        self.assertEqual([], run.facts("actuator.outcome"))
        self.assertIsNone(dialog.poll())

    def test_one_cycle_ends_with_the_result_of_its_rules(self):
        run = self.start("watch_progress", "--once")
        self.assert_ends(run, DONE)
        self.assertIn("1 cycle; no rule acted", run.errors())

        def outside(profile):
            profile["regions"][0] = {"name": "dialog", "x": 90000, "y": 0, "width": 10, "height": 10}
        self.assert_ends(self.start("watch_progress", "--once", change=outside), FAILED)

    def test_a_profile_with_errors_starts_nothing(self):
        def spoil(profile):
            profile["rules"][1]["condition"]["sub_conditions"][0]["text_to_fnd"] = "x"
            profile["rules"][1]["region"] = "dialgo"
        run = self.start("watch_progress", "--strict", change=spoil)
        self.assert_ends(run, BAD_USAGE)
        self.assertRegex(run.errors(), r"watch_progress\.json:\d+:\d+: error: .*dialgo.*did you mean")
        self.assertEqual([], run.facts("planner.state"))

    def test_a_person_approves_each_step_while_the_write_lock_is_closed(self):
        dialog = self.zenity("--progress", "--text=Downloading", title="Download")
        self.tell(dialog, "# Download complete".encode())
        self.tell(dialog, b"100")
        run = self.start("watch_progress", unlocked=False)
        approval = run.pending_id()
        self.assertIsNone(dialog.poll())
        approved = self.sandbox.run("approve", approval)
        self.assertEqual(DONE, approved.process.returncode, approved.said())
        self.assertEqual((0, ""), self.said_by(dialog, run))
        self.assert_ends(run, DONE)

    def test_a_denied_step_ends_the_run_as_denied(self):
        rules = self.sandbox.path("rules.toml")
        rules.write_text(RULES.read_text() + DENIES)
        dialog = self.zenity("--progress", "--text=Downloading", title="Download")
        self.tell(dialog, "# Download complete".encode())
        self.tell(dialog, b"100")
        for flags in (("--once",), ()):
            with self.subTest(flags=flags):
                run = self.start("watch_progress", *flags, rules=rules)
                self.assert_ends(run, DENIED)
                self.assertIn("denied", run.errors())
        self.assertIsNone(dialog.poll())

    def test_a_run_ends_as_done_after_its_time(self):
        begun = time.monotonic()
        run = self.start("watch_progress", "--for", "3s")
        self.assert_ends(run, DONE)
        self.assertGreater(time.monotonic() - begun, 3)
        self.assertIn("no rule acted", run.errors())


if __name__ == "__main__":
    x11.main()
